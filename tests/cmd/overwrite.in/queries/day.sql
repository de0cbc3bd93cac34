INSERT OVERWRITE TABLE web.calls_day PARTITION (day = ${day})
SELECT c.status FROM web.calls c WHERE c.day = ${day};
