{# Regions without rows are missing in the result, and count as empty when it is read. #}
{% import "hive/parts.sql" as parts %}
{{ parts.header(header) -}}
{{ parts.settings(settings) -}}
SELECT
  `start_row`,
  count(*) AS `row_count`,
  min(`key_length`) AS `shortest`,
  sum(`key_length`) AS `key_bytes`,
  max(`key_length`) AS `longest`
FROM (
{% if starts %}
  SELECT CASE
{% for start in starts %}
           WHEN `key_hex` >= {{ start }} THEN {{ start }}
{% endfor %}
           ELSE {{ first }}
         END AS `start_row`,
{% else %}
  SELECT {{ first }} AS `start_row`,
{% endif %}
         cast(length(`key_hex`) / 2 as bigint) AS `key_length`
  FROM (SELECT {{ key }} AS `key_hex` FROM {{ table }}) `keys`
) `located`
GROUP BY `start_row`
ORDER BY `start_row`;
