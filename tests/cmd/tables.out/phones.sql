-- saltplan build jobs.yaml (job phones)
-- saltplan rewrite join.sql
SELECT c.phone FROM (
  SELECT
    cast(substr(`rowkey`, 4, 8) as int) AS `opera_day`,
    substr(`rowkey`, 12) AS `row_id`,
    `phone`,
    `seconds`
  FROM (
    SELECT `rowkey`, `phone`, `seconds`
    FROM `trace`.`calls_map`
    WHERE `rowkey` = '01520200406u1'
      AND concat(`rowkey`, '') = '01520200406u1'
  ) `branches`
) c JOIN dim.users u ON c.row_id = u.id
WHERE u.id = 'u1' AND c.opera_day = 20200406;
