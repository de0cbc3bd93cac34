-- saltplan build ../jobs.yaml (job list)
-- saltplan plan visits.yaml (engine mr)
-- predicate: opera_day = 20200406 AND visit_id IN ('u1', 'u2')
-- fan-out over 2 of 16 salts, 2 point reads, 2 of 16 regions, no residual
-- 2 scans in 3 jobs on mr, or one scan with saltplan-hive.jar
-- `saltplan check --before` counts what this replaces
SET hive.merge.mapfiles=false;
SET hive.merge.mapredfiles=false;
INSERT OVERWRITE TABLE `web`.`visits` PARTITION (`opera_day` = 20200406)
SELECT
  substr(`rowkey`, 10) AS `visit_id`,
  `user_id`,
  `page`,
  `seconds`
FROM (
  SELECT `rowkey`, `user_id`, `page`, `seconds`
  FROM (
    SELECT `rowkey`, `user_id`, `page`, `seconds`
    FROM `web`.`visits_hbase`
    WHERE `rowkey` = '720200406u2'
      AND concat(`rowkey`, '') = '720200406u2'
    DISTRIBUTE BY `rowkey`
  ) `b000`
  UNION ALL
  SELECT `rowkey`, `user_id`, `page`, `seconds`
  FROM (
    SELECT `rowkey`, `user_id`, `page`, `seconds`
    FROM `web`.`visits_hbase`
    WHERE `rowkey` = 'f20200406u1'
      AND concat(`rowkey`, '') = 'f20200406u1'
    DISTRIBUTE BY `rowkey`
  ) `b001`
) `branches`;
