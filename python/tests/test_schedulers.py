"""The statements of examples/schedulers, rendered by the programs that fill in the day."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

SCHEDULERS = Path(__file__).parents[2] / "examples" / "schedulers"
DAYS = ["20200406", "20200229", "20191231"]

jinja2 = pytest.importorskip("jinja2", reason="Jinja2 is not installed")


def body(sql: str) -> str:
    """The statement without its comment, which names the text for the day, and without blanks, because a longer text
    breaks lines elsewhere."""
    lines = [line for line in sql.splitlines() if not line.startswith("--")]
    return "".join("".join(lines).split())


def with_hive(name: str, day: str) -> str:
    """The statement after Hive has replaced its own variable."""
    sql = (SCHEDULERS / name).read_text()
    assert "${hivevar:day}" in sql
    return body(sql.replace("${hivevar:day}", day))


def environment(folder: str) -> "jinja2.Environment":
    loader = jinja2.FileSystemLoader(SCHEDULERS / folder)
    return jinja2.Environment(loader=loader, undefined=jinja2.StrictUndefined)


@pytest.mark.parametrize("day", DAYS)
def test_jinja_fills_in_the_day_of_airflow(day: str) -> None:
    sql = environment("airflow").get_template("daily.sql").render(ds_nodash=day)
    assert body(sql) == with_hive("airflow/daily_bash.sql", day)
    assert f"PARTITION (`opera_day` = '{day}')" in sql
    assert f"`rowkey` >= '0{day}'" in sql
    assert "{" not in body(sql)


@pytest.mark.parametrize("day", DAYS)
def test_jinja_fills_in_the_variable_of_dbt(day: str) -> None:
    template = environment("dbt").get_template("analyses/daily.sql")
    sql = template.render(var={"day": day}.__getitem__)
    assert body(sql) == with_hive("cron/daily.sql", day)


def test_without_a_day_nothing_is_rendered() -> None:
    with pytest.raises(jinja2.UndefinedError):
        environment("airflow").get_template("daily.sql").render()


def test_the_names_of_oozie_go_through() -> None:
    coordinator = ElementTree.parse(SCHEDULERS / "oozie" / "coordinator.xml")
    names = [name.text for name in coordinator.iter("{uri:oozie:coordinator:0.4}name")]
    workflow = ElementTree.parse(SCHEDULERS / "oozie" / "workflow.xml")
    space = "{uri:oozie:hive2-action:0.1}"
    params = [param.text for param in workflow.iter(f"{space}param")]
    scripts = [script.text for script in workflow.iter(f"{space}script")]
    assert (names, params, scripts) == (["day"], ["day=${day}"], ["daily.sql"])
    sql = (SCHEDULERS / "oozie" / "daily.sql").read_text()
    assert body(sql.replace("${day}", DAYS[0])) == with_hive("cron/daily.sql", DAYS[0])


@pytest.mark.parametrize("day", DAYS)
def test_airflow_renders_the_file(day: str) -> None:
    pytest.importorskip("airflow", reason="Airflow is not installed")
    try:
        from airflow.sdk import DAG, BaseOperator
    except ImportError:  # Airflow 2
        from airflow import DAG
        from airflow.models import BaseOperator

    class Statement(BaseOperator):
        """A template of the kind that HiveOperator has: its own package wants a database's client."""

        template_fields = ("hql",)
        template_ext = (".hql", ".sql")

        def __init__(self, *, hql: str, **rest: object) -> None:
            super().__init__(**rest)
            self.hql = hql

    with DAG("visits", template_searchpath=str(SCHEDULERS / "airflow")):
        task = Statement(task_id="hive", hql="daily.sql")
    task.resolve_template_files()
    task.render_template_fields({"ds_nodash": day})
    assert body(task.hql) == with_hive("airflow/daily_bash.sql", day)
