{% if namespace %}
create_namespace {{ namespace }} unless @shell.admin.list_namespace({{ namespace_pattern }}).include?({{ namespace }})
{% endif %}
create {{ table }},
{% for family in families %}
  {{ family }}{% if splits or not loop.last %},{% endif %}

{% endfor %}
{% if splits %}
  SPLITS => [{{ splits | join(", ") }}]
{% endif %}
