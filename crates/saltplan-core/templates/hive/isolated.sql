{# On MapReduce Hive applies the ranges only when a job reads the table once, so every branch gets its own job. #}
{% import "hive/parts.sql" as parts %}
{{ parts.header(header) -}}
{{ parts.settings(settings) -}}
{{ parts.check(check) -}}
{{ parts.insert(insert, "OVERWRITE") -}}
{{ parts.select(columns) -}}
FROM (
{{ parts.clocks_open(clocks, inner) -}}
{% for branch in branches %}
  SELECT {{ branch.columns | join(", ") }}
  FROM (
{{ parts.scan(branch, mapping, "    ") -}}
{{ "    " }}DISTRIBUTE BY {{ key }}
  ) {{ branch.name }}
{% if not loop.last %}
  UNION ALL
{% endif %}
{% endfor %}
{{ parts.clocks_close(clocks) -}}
) `branches`
{%- if filter %}

WHERE {{ filter }}
{%- endif %};
