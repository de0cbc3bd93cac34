{% if database %}
CREATE DATABASE IF NOT EXISTS {{ database }};
{% endif %}
CREATE TABLE IF NOT EXISTS {{ table }} (
{% for column in columns %}
  {{ column.name }} {{ column.hive_type }}{% if not loop.last %},{% endif %}

{% endfor %}
)
{% if partition %}
PARTITIONED BY ({% for column in partition %}{{ column.name }} {{ column.hive_type }}{% if not loop.last %}, {% endif %}{% endfor %})
{% endif %}
STORED AS {{ stored_as }};
