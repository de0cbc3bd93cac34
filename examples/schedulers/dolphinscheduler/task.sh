# The text of a SHELL task with the resource daily.sql and the custom parameter `day`, IN, VARCHAR, $[yyyyMMdd-1].
hive --hivevar day=${day} -f daily.sql
