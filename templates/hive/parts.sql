{# Pieces that the query shapes share. The filter `wrap` breaks long lines of a statement between its tokens. #}
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
{% macro insert(insert, verb) %}
{% if insert %}
INSERT {{ verb }} TABLE {{ insert.table }}{% if insert.partition %} PARTITION {{ insert.partition }}{% endif %}

{% endif %}
{% endmacro %}
{% macro select(columns) %}
SELECT
{% for column in columns %}
  {{ column.expression }}{% if not column.is_plain %} AS {{ column.name }}{% endif %}{% if not loop.last %},{% endif %}

{% endfor %}
{% endmacro %}
{% macro scan(branch, mapping, indent) %}
{{ indent }}SELECT {{ branch.columns | join(", ") }}
{{ indent }}FROM {{ mapping }}
{% for line in branch.conditions %}
{{ indent }}{% if loop.first %}WHERE{% else %}  AND{% endif %} {{ line }}
{% endfor %}
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
