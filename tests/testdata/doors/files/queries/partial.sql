INSERT OVERWRITE TABLE m.t PARTITION (opera_day = 20200406)
SELECT r.phone FROM m.t_rows r WHERE r.opera_day = 20200406 AND r.row_id = 'u1';
