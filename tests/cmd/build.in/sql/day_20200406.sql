-- saltplan build ../jobs.yaml (job day_20200406)
-- saltplan plan visits.yaml (engine mr)
-- predicate: opera_day = '20200406' AND visit_id = 'u1'
-- 1 of 16 salts, 1 point read, 1 of 16 regions, no residual
-- 1 scan in 1 job on mr
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
  FROM `web`.`visits_hbase`
  WHERE `rowkey` = 'f20200406u1'
    AND concat(`rowkey`, '') = 'f20200406u1'
) `branches`;
