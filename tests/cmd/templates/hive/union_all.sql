{% for branch in branches %}
CALL daily({{ branch.conditions | join(" AND ") }});
{% endfor %}
