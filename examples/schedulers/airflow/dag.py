"""Yesterday's visits, every night at two: one statement for every day, the day is Airflow's."""

from datetime import datetime

from airflow import DAG
from airflow.providers.apache.hive.operators.hive import HiveOperator
from airflow.providers.standard.operators.bash import BashOperator
from airflow.timetables.interval import CronDataIntervalTimetable

with DAG(
    dag_id="visits",
    start_date=datetime(2020, 4, 1),
    # With data intervals `ds` is the day before the run.
    schedule=CronDataIntervalTimetable("0 2 * * *", timezone="UTC"),
    catchup=False,
):
    # Airflow renders {{ ds_nodash }} in the file; hive-cli runs it.
    HiveOperator(task_id="hive", hql="daily.sql", hive_cli_conn_id="hive_cli_default")

    # Hive replaces ${hivevar:day} in the file. The blank at the end prevents Airflow from taking the command for a file name.
    BashOperator(
        task_id="bash",
        bash_command='hive --hivevar day={{ ds_nodash }} -f "$DAGS/daily_bash.sql" ',
        env={"DAGS": "{{ dag.folder }}"},
        append_env=True,
    )
