-- saltplan build jobs.yaml (job daily_text)
-- saltplan plan ../visits.yaml (engine mr)
-- predicate: opera_day = :day
-- when it runs: `:day` is `$[yyyyMMdd-1]`
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
            substr('$[yyyyMMdd-1]', 1, 4), '-', substr('$[yyyyMMdd-1]', 5, 2), '-',
            substr('$[yyyyMMdd-1]', 7, 2)
          ),
          0
        ) as string
      ),
      '-', ''
    ) = '$[yyyyMMdd-1]'
      AND substr('$[yyyyMMdd-1]', 1, 4) BETWEEN '1000' AND '8999',
    FALSE
  )
);
INSERT OVERWRITE TABLE `web`.`visits` PARTITION (`opera_day` = '$[yyyyMMdd-1]')
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
    WHERE `rowkey` >= '0$[yyyyMMdd-1]'
      AND `rowkey` < concat(
        '0',
        regexp_replace(
          cast(
            date_add(
              concat(
                substr('$[yyyyMMdd-1]', 1, 4), '-', substr('$[yyyyMMdd-1]', 5, 2), '-',
                substr('$[yyyyMMdd-1]', 7, 2)
              ),
              1
            ) as string
          ),
          '-', ''
        )
      )
      AND concat(`rowkey`, '') >= '0$[yyyyMMdd-1]'
      AND concat(`rowkey`, '') < concat(
        '0',
        regexp_replace(
          cast(
            date_add(
              concat(
                substr('$[yyyyMMdd-1]', 1, 4), '-', substr('$[yyyyMMdd-1]', 5, 2), '-',
                substr('$[yyyyMMdd-1]', 7, 2)
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
    WHERE `rowkey` >= '1$[yyyyMMdd-1]'
      AND `rowkey` < concat(
        '1',
        regexp_replace(
          cast(
            date_add(
              concat(
                substr('$[yyyyMMdd-1]', 1, 4), '-', substr('$[yyyyMMdd-1]', 5, 2), '-',
                substr('$[yyyyMMdd-1]', 7, 2)
              ),
              1
            ) as string
          ),
          '-', ''
        )
      )
      AND concat(`rowkey`, '') >= '1$[yyyyMMdd-1]'
      AND concat(`rowkey`, '') < concat(
        '1',
        regexp_replace(
          cast(
            date_add(
              concat(
                substr('$[yyyyMMdd-1]', 1, 4), '-', substr('$[yyyyMMdd-1]', 5, 2), '-',
                substr('$[yyyyMMdd-1]', 7, 2)
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
    WHERE `rowkey` >= '2$[yyyyMMdd-1]'
      AND `rowkey` < concat(
        '2',
        regexp_replace(
          cast(
            date_add(
              concat(
                substr('$[yyyyMMdd-1]', 1, 4), '-', substr('$[yyyyMMdd-1]', 5, 2), '-',
                substr('$[yyyyMMdd-1]', 7, 2)
              ),
              1
            ) as string
          ),
          '-', ''
        )
      )
      AND concat(`rowkey`, '') >= '2$[yyyyMMdd-1]'
      AND concat(`rowkey`, '') < concat(
        '2',
        regexp_replace(
          cast(
            date_add(
              concat(
                substr('$[yyyyMMdd-1]', 1, 4), '-', substr('$[yyyyMMdd-1]', 5, 2), '-',
                substr('$[yyyyMMdd-1]', 7, 2)
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
    WHERE `rowkey` >= '3$[yyyyMMdd-1]'
      AND `rowkey` < concat(
        '3',
        regexp_replace(
          cast(
            date_add(
              concat(
                substr('$[yyyyMMdd-1]', 1, 4), '-', substr('$[yyyyMMdd-1]', 5, 2), '-',
                substr('$[yyyyMMdd-1]', 7, 2)
              ),
              1
            ) as string
          ),
          '-', ''
        )
      )
      AND concat(`rowkey`, '') >= '3$[yyyyMMdd-1]'
      AND concat(`rowkey`, '') < concat(
        '3',
        regexp_replace(
          cast(
            date_add(
              concat(
                substr('$[yyyyMMdd-1]', 1, 4), '-', substr('$[yyyyMMdd-1]', 5, 2), '-',
                substr('$[yyyyMMdd-1]', 7, 2)
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
