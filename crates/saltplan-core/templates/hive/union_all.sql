{% import "hive/parts.sql" as parts %}
{{ parts.header(header) -}}
{{ parts.settings(settings) -}}
{{ parts.check(check) -}}
{{ parts.insert(insert, "OVERWRITE") -}}
{{ parts.select(columns) -}}
FROM (
{{ parts.clocks_open(clocks, inner) -}}
{% for branch in branches %}
{{ parts.scan(branch, mapping, "  ") -}}
{% if not loop.last %}
  UNION ALL
{% endif %}
{% endfor %}
{{ parts.clocks_close(clocks) -}}
) `branches`
{%- if filter %}

WHERE {{ filter }}
{%- endif %};
