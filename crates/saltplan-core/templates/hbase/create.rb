{% set condition = " unless @shell.admin.exists?(" ~ table ~ ")" if if_not_exists else "" %}
{% if namespace %}
create_namespace {{ namespace }} unless @shell.admin.list_namespace({{ namespace_pattern }}).include?({{ namespace }})
{% endif %}
create {{ table }},
{% if attributes %}
  {{ attributes }},
{% endif %}
{% for family in families %}
  {{ family }}{% if splits or not loop.last %},{% else %}{{ condition }}{% endif %}

{% endfor %}
{% if splits %}
  SPLITS => [{{ splits | join(", ") }}]{{ condition }}
{% endif %}
