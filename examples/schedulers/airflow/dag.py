"""Yesterday's visits, every night at one: one statement for every day, the day is Airflow's."""

from datetime import datetime

from airflow import DAG
from airflow.providers.apache.hive.operators.hive import HiveOperator
from airflow.providers.standard.operators.bash import BashOperator
from airflow.timetables.interval import CronDataIntervalTimetable

# The data interval of a run is the day before it, from one o'clock to one o'clock.
EVERY_NIGHT = CronDataIntervalTimetable("0 1 * * *", timezone="Asia/Shanghai")

with DAG(dag_id="visits", start_date=datetime(2020, 4, 1), schedule=EVERY_NIGHT, catchup=False):
    # Airflow renders the day in the files; hive-cli runs them.
    load = HiveOperator(task_id="hive", hql="daily.sql", hive_cli_conn_id="hive_cli_default")
    # Fails if rows of the day are missing in the partition, stand there twice, or have other values than in HBase.
    arrived = HiveOperator(task_id="arrived", hql="daily_check.sql", hive_cli_conn_id="hive_cli_default")
    load >> arrived

# The same with a shell. Take one of the two: both replace the same partition.
with DAG(dag_id="visits_bash", start_date=datetime(2020, 4, 1), schedule=EVERY_NIGHT, catchup=False):
    # Hive replaces ${hivevar:day} in the file. {{ ds_nodash }} would be the day in UTC, one day earlier. The blank at the end prevents Airflow from taking the command for a file name.
    BashOperator(
        task_id="bash",
        bash_command="hive --hivevar day={{ data_interval_start.in_timezone('Asia/Shanghai') | ds_nodash }} "
        '-f "$DAGS/daily_bash.sql" ',
        env={"DAGS": "{{ dag.folder }}"},
        append_env=True,
    )

# Where Hive has saltplan-hive.jar: Hive asks for the ranges of the day when it compiles the statement. In the place of both above.
with DAG(dag_id="visits_from_view", start_date=datetime(2020, 4, 1), schedule=EVERY_NIGHT, catchup=False):
    HiveOperator(task_id="from_view", hql="from_view.sql", hive_cli_conn_id="hive_cli_default")
