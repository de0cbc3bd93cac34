{# Pieces that the query shapes share. #}
{% macro header(lines) %}
{% for line in lines %}
-- {{ line }}
{% endfor %}
{% endmacro %}
{% macro settings(list) %}
{% for setting in list %}
SET {{ setting }};
{% endfor %}
{% endmacro %}
{# Fails before anything is written, whether there are rows or not. #}
{% macro check(check) %}
{% if check %}
SELECT assert_true({{ check }});
{% endif %}
{% endmacro %}
{% macro insert(insert, verb) %}
{% if insert %}
INSERT {{ "INTO" if insert.into else verb }} TABLE {{ insert.table }}{% if insert.partition %} PARTITION {{ insert.partition }}{% endif %}

{% endif %}
{% endmacro %}
{% macro select(columns) %}
SELECT
{% for column in columns %}
  {{ column.expression }}{% if not column.is_plain %} AS {{ column.name }}{% endif %}{% if not loop.last %},{% endif %}

{% endfor %}
{% endmacro %}
{# Instants, and what the clocks of a zone show then, are computed once, between the branches and the select list. #}
{% macro clocks_open(clocks, inner) %}
{% if clocks %}
  SELECT {{ (inner + clocks | map(attribute="instant_name") | list) | join(", ") }}{% for clock in clocks %},
    {{ clock.elapsed }} AS {{ clock.elapsed_name }}{% endfor %}

  FROM (
  SELECT {{ inner | join(", ") }}{% for clock in clocks %},
    {{ clock.instant }} AS {{ clock.instant_name }}{% endfor %}

  FROM (
{% endif %}
{% endmacro %}
{% macro clocks_close(clocks) %}
{% if clocks %}
  ) `scanned`
  ) `instants`
{% endif %}
{% endmacro %}
{% macro scan(branch, mapping, indent) %}
{{ indent }}SELECT {{ branch.columns | join(", ") }}
{{ indent }}FROM {{ mapping }}
{% for line in branch.conditions %}
{{ indent }}{% if loop.first %}WHERE{% else %}  AND{% endif %} {{ line }}
{% endfor %}
{% if branch.is_cut %}
{{ indent }}LIMIT 0
{% endif %}
{% endmacro %}
{# Rows with the stored texts of their key fields, and the first thing that is wrong with each. #}
{% macro checked(from, columns, stored, problems, problem) %}
  SELECT *,
    CASE
{% for one in problems %}
      WHEN NOT coalesce({{ one.condition }}, FALSE) THEN {{ one.text }}
{% endfor %}
    END AS {{ problem }}
  FROM (
    SELECT {{ columns | join(", ") }}{% for field in stored %},
      {{ field.expression }} AS {{ field.name }}{% endfor %}

    FROM {{ from }}
  ) `stored_rows`
{% endmacro %}
