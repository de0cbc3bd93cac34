-- saltplan build jobs.yaml (job daily)
-- saltplan plan ../visits.yaml (engine mr)
-- predicate: opera_day = :day
-- when it runs: `:day` is `${hivevar:day}`
-- fan-out over 4 of 4 salts, 4 range scans, no residual
-- 4 scans in 5 jobs on mr, or one scan with saltplan-hive.jar
-- `saltplan check --before` counts what this replaces
SET hive.merge.mapfiles=false;
SET hive.merge.mapredfiles=false;
SELECT assert_true(
  coalesce(
    regexp_replace(
      cast(
        date_add(
          concat(
            substr('${hivevar:day}', 1, 4), '-', substr('${hivevar:day}', 5, 2), '-',
            substr('${hivevar:day}', 7, 2)
          ),
          0
        ) as string
      ),
      '-', ''
    ) = '${hivevar:day}'
      AND substr('${hivevar:day}', 1, 4) BETWEEN '1000' AND '8999',
    FALSE
  )
);
INSERT OVERWRITE TABLE `web`.`visits` PARTITION (`opera_day` = '${hivevar:day}')
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
    WHERE `rowkey` >= '0${hivevar:day}'
      AND `rowkey` < concat(
        '0',
        regexp_replace(
          cast(
            date_add(
              concat(
                substr('${hivevar:day}', 1, 4), '-', substr('${hivevar:day}', 5, 2), '-',
                substr('${hivevar:day}', 7, 2)
              ),
              1
            ) as string
          ),
          '-', ''
        )
      )
      AND concat(`rowkey`, '') >= '0${hivevar:day}'
      AND concat(`rowkey`, '') < concat(
        '0',
        regexp_replace(
          cast(
            date_add(
              concat(
                substr('${hivevar:day}', 1, 4), '-', substr('${hivevar:day}', 5, 2), '-',
                substr('${hivevar:day}', 7, 2)
              ),
              1
            ) as string
          ),
          '-', ''
        )
      )
    DISTRIBUTE BY `rowkey`
  ) `b000`
  UNION ALL
  SELECT `rowkey`, `user_id`, `page`, `seconds`
  FROM (
    SELECT `rowkey`, `user_id`, `page`, `seconds`
    FROM `web`.`visits_hbase`
    WHERE `rowkey` >= '1${hivevar:day}'
      AND `rowkey` < concat(
        '1',
        regexp_replace(
          cast(
            date_add(
              concat(
                substr('${hivevar:day}', 1, 4), '-', substr('${hivevar:day}', 5, 2), '-',
                substr('${hivevar:day}', 7, 2)
              ),
              1
            ) as string
          ),
          '-', ''
        )
      )
      AND concat(`rowkey`, '') >= '1${hivevar:day}'
      AND concat(`rowkey`, '') < concat(
        '1',
        regexp_replace(
          cast(
            date_add(
              concat(
                substr('${hivevar:day}', 1, 4), '-', substr('${hivevar:day}', 5, 2), '-',
                substr('${hivevar:day}', 7, 2)
              ),
              1
            ) as string
          ),
          '-', ''
        )
      )
    DISTRIBUTE BY `rowkey`
  ) `b001`
  UNION ALL
  SELECT `rowkey`, `user_id`, `page`, `seconds`
  FROM (
    SELECT `rowkey`, `user_id`, `page`, `seconds`
    FROM `web`.`visits_hbase`
    WHERE `rowkey` >= '2${hivevar:day}'
      AND `rowkey` < concat(
        '2',
        regexp_replace(
          cast(
            date_add(
              concat(
                substr('${hivevar:day}', 1, 4), '-', substr('${hivevar:day}', 5, 2), '-',
                substr('${hivevar:day}', 7, 2)
              ),
              1
            ) as string
          ),
          '-', ''
        )
      )
      AND concat(`rowkey`, '') >= '2${hivevar:day}'
      AND concat(`rowkey`, '') < concat(
        '2',
        regexp_replace(
          cast(
            date_add(
              concat(
                substr('${hivevar:day}', 1, 4), '-', substr('${hivevar:day}', 5, 2), '-',
                substr('${hivevar:day}', 7, 2)
              ),
              1
            ) as string
          ),
          '-', ''
        )
      )
    DISTRIBUTE BY `rowkey`
  ) `b002`
  UNION ALL
  SELECT `rowkey`, `user_id`, `page`, `seconds`
  FROM (
    SELECT `rowkey`, `user_id`, `page`, `seconds`
    FROM `web`.`visits_hbase`
    WHERE `rowkey` >= '3${hivevar:day}'
      AND `rowkey` < concat(
        '3',
        regexp_replace(
          cast(
            date_add(
              concat(
                substr('${hivevar:day}', 1, 4), '-', substr('${hivevar:day}', 5, 2), '-',
                substr('${hivevar:day}', 7, 2)
              ),
              1
            ) as string
          ),
          '-', ''
        )
      )
      AND concat(`rowkey`, '') >= '3${hivevar:day}'
      AND concat(`rowkey`, '') < concat(
        '3',
        regexp_replace(
          cast(
            date_add(
              concat(
                substr('${hivevar:day}', 1, 4), '-', substr('${hivevar:day}', 5, 2), '-',
                substr('${hivevar:day}', 7, 2)
              ),
              1
            ) as string
          ),
          '-', ''
        )
      )
    DISTRIBUTE BY `rowkey`
  ) `b003`
) `branches`;
