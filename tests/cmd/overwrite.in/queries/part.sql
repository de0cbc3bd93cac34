INSERT OVERWRITE TABLE web.calls_day PARTITION (day = 20240601)
SELECT c.status FROM web.calls c WHERE c.day = 20240601 AND c.status = 500;
