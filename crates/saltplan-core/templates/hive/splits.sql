{# ntile cuts the sorted keys into parts of equal size; the first key of every part but the first is a split key. #}
{% import "hive/parts.sql" as parts %}
{{ parts.header(header) -}}
{{ parts.settings(settings) -}}
SELECT min(`split_key`) AS `split_key`
FROM (
  SELECT `split_key`, ntile({{ regions }}) OVER (ORDER BY `split_key`) AS `region`
  FROM (
    SELECT {{ key }} AS `split_key`
    FROM {{ table }}
{% if sample %}
    WHERE {{ sample }}
{% endif %}
  ) `sampled`
) `sorted`
WHERE `region` > 1
GROUP BY `region`
ORDER BY `split_key`;
