{% import "hive/parts.sql" as parts %}
{{ parts.header(header) -}}
{{ parts.settings(settings) -}}
SELECT count(*) AS `rows`{% for count in counts %},
  count(CASE WHEN {{ problem }} LIKE {{ count.pattern }} THEN 1 END) AS `{{ count.name }}`{% endfor %}

FROM (
{{ parts.checked(mapping, [key], stored, problems, problem) -}}
) `checked_rows`;
{% if limit %}

SELECT {{ key }}, {{ problem }}
FROM (
{{ parts.checked(mapping, [key], stored, problems, problem) -}}
) `checked_rows`
WHERE {{ problem }} IS NOT NULL
LIMIT {{ limit }};
{% endif %}
