-- saltplan build jobs.yaml (job daily)
-- saltplan plan ../visits.yaml (engine mr)
-- predicate: opera_day = :day
-- when it runs: `:day` is `${hivevar:day}`
-- fan-out over 16 of 16 salts, 16 range scans, no residual
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
  UNION ALL
  SELECT `rowkey`, `user_id`, `page`, `seconds`
  FROM (
    SELECT `rowkey`, `user_id`, `page`, `seconds`
    FROM `web`.`visits_hbase`
    WHERE `rowkey` >= '4${hivevar:day}'
      AND `rowkey` < concat(
        '4',
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
      AND concat(`rowkey`, '') >= '4${hivevar:day}'
      AND concat(`rowkey`, '') < concat(
        '4',
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
  ) `b004`
  UNION ALL
  SELECT `rowkey`, `user_id`, `page`, `seconds`
  FROM (
    SELECT `rowkey`, `user_id`, `page`, `seconds`
    FROM `web`.`visits_hbase`
    WHERE `rowkey` >= '5${hivevar:day}'
      AND `rowkey` < concat(
        '5',
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
      AND concat(`rowkey`, '') >= '5${hivevar:day}'
      AND concat(`rowkey`, '') < concat(
        '5',
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
  ) `b005`
  UNION ALL
  SELECT `rowkey`, `user_id`, `page`, `seconds`
  FROM (
    SELECT `rowkey`, `user_id`, `page`, `seconds`
    FROM `web`.`visits_hbase`
    WHERE `rowkey` >= '6${hivevar:day}'
      AND `rowkey` < concat(
        '6',
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
      AND concat(`rowkey`, '') >= '6${hivevar:day}'
      AND concat(`rowkey`, '') < concat(
        '6',
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
  ) `b006`
  UNION ALL
  SELECT `rowkey`, `user_id`, `page`, `seconds`
  FROM (
    SELECT `rowkey`, `user_id`, `page`, `seconds`
    FROM `web`.`visits_hbase`
    WHERE `rowkey` >= '7${hivevar:day}'
      AND `rowkey` < concat(
        '7',
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
      AND concat(`rowkey`, '') >= '7${hivevar:day}'
      AND concat(`rowkey`, '') < concat(
        '7',
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
  ) `b007`
  UNION ALL
  SELECT `rowkey`, `user_id`, `page`, `seconds`
  FROM (
    SELECT `rowkey`, `user_id`, `page`, `seconds`
    FROM `web`.`visits_hbase`
    WHERE `rowkey` >= '8${hivevar:day}'
      AND `rowkey` < concat(
        '8',
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
      AND concat(`rowkey`, '') >= '8${hivevar:day}'
      AND concat(`rowkey`, '') < concat(
        '8',
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
  ) `b008`
  UNION ALL
  SELECT `rowkey`, `user_id`, `page`, `seconds`
  FROM (
    SELECT `rowkey`, `user_id`, `page`, `seconds`
    FROM `web`.`visits_hbase`
    WHERE `rowkey` >= '9${hivevar:day}'
      AND `rowkey` < concat(
        '9',
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
      AND concat(`rowkey`, '') >= '9${hivevar:day}'
      AND concat(`rowkey`, '') < concat(
        '9',
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
  ) `b009`
  UNION ALL
  SELECT `rowkey`, `user_id`, `page`, `seconds`
  FROM (
    SELECT `rowkey`, `user_id`, `page`, `seconds`
    FROM `web`.`visits_hbase`
    WHERE `rowkey` >= 'a${hivevar:day}'
      AND `rowkey` < concat(
        'a',
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
      AND concat(`rowkey`, '') >= 'a${hivevar:day}'
      AND concat(`rowkey`, '') < concat(
        'a',
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
  ) `b010`
  UNION ALL
  SELECT `rowkey`, `user_id`, `page`, `seconds`
  FROM (
    SELECT `rowkey`, `user_id`, `page`, `seconds`
    FROM `web`.`visits_hbase`
    WHERE `rowkey` >= 'b${hivevar:day}'
      AND `rowkey` < concat(
        'b',
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
      AND concat(`rowkey`, '') >= 'b${hivevar:day}'
      AND concat(`rowkey`, '') < concat(
        'b',
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
  ) `b011`
  UNION ALL
  SELECT `rowkey`, `user_id`, `page`, `seconds`
  FROM (
    SELECT `rowkey`, `user_id`, `page`, `seconds`
    FROM `web`.`visits_hbase`
    WHERE `rowkey` >= 'c${hivevar:day}'
      AND `rowkey` < concat(
        'c',
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
      AND concat(`rowkey`, '') >= 'c${hivevar:day}'
      AND concat(`rowkey`, '') < concat(
        'c',
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
  ) `b012`
  UNION ALL
  SELECT `rowkey`, `user_id`, `page`, `seconds`
  FROM (
    SELECT `rowkey`, `user_id`, `page`, `seconds`
    FROM `web`.`visits_hbase`
    WHERE `rowkey` >= 'd${hivevar:day}'
      AND `rowkey` < concat(
        'd',
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
      AND concat(`rowkey`, '') >= 'd${hivevar:day}'
      AND concat(`rowkey`, '') < concat(
        'd',
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
  ) `b013`
  UNION ALL
  SELECT `rowkey`, `user_id`, `page`, `seconds`
  FROM (
    SELECT `rowkey`, `user_id`, `page`, `seconds`
    FROM `web`.`visits_hbase`
    WHERE `rowkey` >= 'e${hivevar:day}'
      AND `rowkey` < concat(
        'e',
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
      AND concat(`rowkey`, '') >= 'e${hivevar:day}'
      AND concat(`rowkey`, '') < concat(
        'e',
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
  ) `b014`
  UNION ALL
  SELECT `rowkey`, `user_id`, `page`, `seconds`
  FROM (
    SELECT `rowkey`, `user_id`, `page`, `seconds`
    FROM `web`.`visits_hbase`
    WHERE `rowkey` >= 'f${hivevar:day}'
      AND `rowkey` < concat(
        'f',
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
      AND concat(`rowkey`, '') >= 'f${hivevar:day}'
      AND concat(`rowkey`, '') < concat(
        'f',
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
  ) `b015`
) `branches`;
