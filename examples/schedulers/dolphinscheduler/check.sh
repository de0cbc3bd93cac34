# The text of a SHELL task behind that of task.sh, with the resource daily_check.sql and the same parameter `day`.
hive --hivevar day=${day} -f daily_check.sql
