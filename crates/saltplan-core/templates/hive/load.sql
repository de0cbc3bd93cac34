{# A row with a problem gets a NULL key, which HBase refuses: the statement fails, and no wrong key is written. #}
{% import "hive/parts.sql" as parts %}
{{ parts.header(header) -}}
{{ parts.settings(settings) -}}
INSERT INTO TABLE {{ mapping }}
SELECT
  CASE WHEN {{ problem }} IS NULL THEN
    {{ row_key }}
  END AS {{ key }}{% for column in columns %},
  {{ column }}{% endfor %}

FROM (
{{ parts.checked(from, columns, stored, problems, problem) -}}
) `checked_rows`;
