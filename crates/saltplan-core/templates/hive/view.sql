{% if database %}
CREATE DATABASE IF NOT EXISTS {{ database }};
{% endif %}
CREATE VIEW IF NOT EXISTS {{ view }} AS
SELECT
{% for column in columns %}
  {{ column.expression }}{% if column.expression != column.name %} AS {{ column.name }}{% endif %}{% if not loop.last %},{% endif %}

{% endfor %}
FROM {{ mapping }};
