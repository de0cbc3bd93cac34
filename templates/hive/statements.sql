{# One statement per branch: the first one replaces the rows, the others add theirs. #}
{% import "hive/parts.sql" as parts %}
{{ parts.header(header) -}}
{{ parts.settings(settings) -}}
{% filter wrap %}
{{ parts.check(check) -}}
{% for branch in branches %}
{{ parts.insert(insert, "OVERWRITE" if loop.first else "INTO") -}}
{{ parts.select(columns) -}}
FROM (
{{ parts.clocks_open(clocks, inner) -}}
{{ parts.scan(branch, mapping, "  ") -}}
{{ parts.clocks_close(clocks) -}}
) {{ branch.name }};
{% endfor %}
{% endfilter %}
