{% import "hive/parts.sql" as parts %}
{{ parts.header(header) -}}
{{ parts.settings(settings) -}}
{% filter wrap %}
{{ parts.insert(insert, "OVERWRITE") -}}
{{ parts.select(columns) -}}
FROM (
{% for branch in branches %}
{{ parts.scan(branch, mapping, "  ") -}}
{% if not loop.last %}
  UNION ALL
{% endif %}
{% endfor %}
) `branches`;
{% endfilter %}
