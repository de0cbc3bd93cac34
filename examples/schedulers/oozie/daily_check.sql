-- saltplan build jobs.yaml (job daily_check)
-- saltplan check ../visits.yaml (engine mr)
-- predicate: opera_day = :day
-- when it runs: `:day` is `${day}`
-- fan-out over 4 of 4 salts, 4 range scans, no residual
-- 4 scans in 5 jobs on mr, or one scan with saltplan-hive.jar, and one scan of web.visits
SET hive.vectorized.execution.enabled=false;
SELECT assert_true(
  coalesce(
    regexp_replace(
      cast(
        date_add(
          concat(substr('${day}', 1, 4), '-', substr('${day}', 5, 2), '-', substr('${day}', 7, 2)),
          0
        ) as string
      ),
      '-', ''
    ) = '${day}'
      AND substr('${day}', 1, 4) BETWEEN '1000' AND '8999',
    FALSE
  )
);
SELECT assert_true(`differing` = 0)
FROM (
  SELECT count(*) AS `differing`
  FROM (
    SELECT
      `meaning`
    FROM (
      SELECT *,
        CASE
          WHEN `target_rows` = 0 AND `hbase_rows` > 0
            THEN 'missing: the target has none of the rows'
          WHEN `hbase_rows` = 0 AND `target_rows` > 0 THEN 'foreign: HBase has none of the rows'
          WHEN `target_rows` > `hbase_rows`
              AND `target_rows` % `hbase_rows` = 0
              AND `target_checksum` =
                `hbase_checksum` * cast(`target_rows` / `hbase_rows` as bigint)
            THEN concat(
              'repeated: the target has each row ',
              cast(cast(`target_rows` / `hbase_rows` as bigint) as string), ' times'
            )
          WHEN `target_rows` < `hbase_rows` THEN 'fewer: the target lacks rows'
          WHEN `target_rows` > `hbase_rows` THEN 'more: the target has more rows'
          WHEN `target_checksum` <> `hbase_checksum` THEN 'values: as many rows, with other values'
          WHEN `hbase_rows` = 0 AND `target_rows` = 0 AND `all_inputs` >= 200
            THEN 'empty: neither side has a row'
        END AS `meaning`
      FROM (
        SELECT *,
          sum(`inputs`) OVER () AS `all_inputs`
        FROM (
          SELECT
            `salt`,
            coalesce(sum(`in_hbase`), 0) AS `hbase_rows`,
            coalesce(sum(1 - `in_hbase`), 0) AS `target_rows`,
            coalesce(sum(CASE WHEN `in_hbase` = 1 THEN `row_hash` END), 0) AS `hbase_checksum`,
            coalesce(sum(CASE WHEN `in_hbase` = 0 THEN `row_hash` END), 0) AS `target_checksum`,
            count(DISTINCT CASE WHEN `in_hbase` = 1 THEN `input` END) AS `inputs`
          FROM (
            SELECT
              cast(abs(hash(`stored_visit_id`) % 4) as string) AS `salt`,
              `in_hbase` AS `in_hbase`,
              cast(
                conv(
                  substr(
                    md5(
                      concat_ws(
                        ',', coalesce(hex(`visit_id`), '-'), coalesce(hex(`user_id`), '-'),
                        coalesce(hex(`page`), '-'), coalesce(hex(`seconds`), '-'),
                        coalesce(cast(`opera_day` as string), '-')
                      )
                    ),
                    1, 15
                  ),
                  16, 10
                ) as decimal(38,0)
              ) AS `row_hash`,
              substr(md5(concat_ws(',', `stored_visit_id`)), 30, 3) AS `input`
            FROM (
              SELECT *,
                cast(`visit_id` as string) AS `stored_visit_id`
              FROM (
                SELECT `visit_id`, `user_id`, `page`, `seconds`, `opera_day`,
                  1 AS `in_hbase`
                FROM (
                  SELECT
                    substr(`rowkey`, 10) AS `visit_id`,
                    `user_id`,
                    `page`,
                    `seconds`,
                    cast('${day}' as int) AS `opera_day`
                  FROM (
                    SELECT `rowkey`, `user_id`, `page`, `seconds`
                    FROM (
                      SELECT `rowkey`, `user_id`, `page`, `seconds`
                      FROM `web`.`visits_hbase`
                      WHERE `rowkey` >= '0${day}'
                        AND `rowkey` < concat(
                          '0',
                          regexp_replace(
                            cast(
                              date_add(
                                concat(
                                  substr('${day}', 1, 4), '-', substr('${day}', 5, 2), '-',
                                  substr('${day}', 7, 2)
                                ),
                                1
                              ) as string
                            ),
                            '-', ''
                          )
                        )
                        AND concat(`rowkey`, '') >= '0${day}'
                        AND concat(`rowkey`, '') < concat(
                          '0',
                          regexp_replace(
                            cast(
                              date_add(
                                concat(
                                  substr('${day}', 1, 4), '-', substr('${day}', 5, 2), '-',
                                  substr('${day}', 7, 2)
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
                      WHERE `rowkey` >= '1${day}'
                        AND `rowkey` < concat(
                          '1',
                          regexp_replace(
                            cast(
                              date_add(
                                concat(
                                  substr('${day}', 1, 4), '-', substr('${day}', 5, 2), '-',
                                  substr('${day}', 7, 2)
                                ),
                                1
                              ) as string
                            ),
                            '-', ''
                          )
                        )
                        AND concat(`rowkey`, '') >= '1${day}'
                        AND concat(`rowkey`, '') < concat(
                          '1',
                          regexp_replace(
                            cast(
                              date_add(
                                concat(
                                  substr('${day}', 1, 4), '-', substr('${day}', 5, 2), '-',
                                  substr('${day}', 7, 2)
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
                      WHERE `rowkey` >= '2${day}'
                        AND `rowkey` < concat(
                          '2',
                          regexp_replace(
                            cast(
                              date_add(
                                concat(
                                  substr('${day}', 1, 4), '-', substr('${day}', 5, 2), '-',
                                  substr('${day}', 7, 2)
                                ),
                                1
                              ) as string
                            ),
                            '-', ''
                          )
                        )
                        AND concat(`rowkey`, '') >= '2${day}'
                        AND concat(`rowkey`, '') < concat(
                          '2',
                          regexp_replace(
                            cast(
                              date_add(
                                concat(
                                  substr('${day}', 1, 4), '-', substr('${day}', 5, 2), '-',
                                  substr('${day}', 7, 2)
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
                      WHERE `rowkey` >= '3${day}'
                        AND `rowkey` < concat(
                          '3',
                          regexp_replace(
                            cast(
                              date_add(
                                concat(
                                  substr('${day}', 1, 4), '-', substr('${day}', 5, 2), '-',
                                  substr('${day}', 7, 2)
                                ),
                                1
                              ) as string
                            ),
                            '-', ''
                          )
                        )
                        AND concat(`rowkey`, '') >= '3${day}'
                        AND concat(`rowkey`, '') < concat(
                          '3',
                          regexp_replace(
                            cast(
                              date_add(
                                concat(
                                  substr('${day}', 1, 4), '-', substr('${day}', 5, 2), '-',
                                  substr('${day}', 7, 2)
                                ),
                                1
                              ) as string
                            ),
                            '-', ''
                          )
                        )
                      DISTRIBUTE BY `rowkey`
                    ) `b003`
                  ) `branches`
                ) `hbase_rows`
                UNION ALL
                SELECT `visit_id`, `user_id`, `page`, `seconds`, `opera_day`,
                  0 AS `in_hbase`
                FROM `web`.`visits`
                WHERE `opera_day` = cast('${day}' as int)
              ) `both_sides`
            ) `stored_rows`
            UNION ALL
            SELECT `salt`,
              cast(NULL as int) AS `in_hbase`,
              cast(NULL as decimal(38,0)) AS `row_hash`,
              cast(NULL as string) AS `input`
            FROM (
              SELECT explode(array('0', '1', '2', '3')) AS `salt`
            ) `expected_groups`
          ) `hashed_rows`
          GROUP BY `salt`
        ) `counted_groups`
      ) `counted_rows`
    ) `groups`
    WHERE `meaning` IS NOT NULL
  ) `differences`
) `counted`;
