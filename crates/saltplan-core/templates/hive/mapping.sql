{% if database %}
CREATE DATABASE IF NOT EXISTS {{ database }};
{% endif %}
CREATE {% if external %}EXTERNAL {% endif %}TABLE IF NOT EXISTS {{ table }} (
{% for column in columns %}
  {{ column.name }} {{ column.hive_type }}{% if not loop.last %},{% endif %}

{% endfor %}
)
STORED BY {{ handler }}
WITH SERDEPROPERTIES {{ serde_properties }}
TBLPROPERTIES ('hbase.table.name' = {{ hbase_table }}{% for property in more_properties %},
  {{ property }}{% endfor %});
