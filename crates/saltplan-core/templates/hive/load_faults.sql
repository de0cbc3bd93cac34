{% import "hive/parts.sql" as parts %}
{{ parts.header(header) -}}
{{ parts.settings(settings) -}}
SELECT {{ problem }}, {{ (fields + columns) | join(", ") }}
FROM (
{{ parts.checked(from, fields + columns, stored, problems, problem) -}}
) `checked_rows`
WHERE {{ problem }} IS NOT NULL
LIMIT {{ limit }};
