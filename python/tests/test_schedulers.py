"""The statements of examples/schedulers, rendered by the programs that fill in the day."""

import ast
import datetime
import os
import re
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest

SCHEDULERS = Path(__file__).parents[2] / "examples" / "schedulers"
DAYS = ["20200406", "20200229", "20191231"]
# The load, and the check behind it.
PAIR = ["daily.sql", "daily_check.sql"]

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


class Instant:
    """What the example asks of a time of Airflow."""

    def __init__(self, at: datetime.datetime) -> None:
        self.at = at

    def in_timezone(self, zone: str) -> datetime.datetime:
        return self.at.astimezone(ZoneInfo(zone))


@pytest.mark.parametrize("day", DAYS)
def test_jinja_fills_in_the_day_of_airflow(day: str) -> None:
    jinja = environment("airflow")
    jinja.filters["ds_nodash"] = lambda at: f"{at:%Y%m%d}"
    # One o'clock in Shanghai is 17:00 of the day before in UTC.
    start = datetime.datetime.strptime(f"{day}01+0800", "%Y%m%d%H%z").astimezone(datetime.timezone.utc)
    assert f"{start:%Y%m%d}" != day
    sql = jinja.get_template("daily.sql").render(data_interval_start=Instant(start))
    assert body(sql) == with_hive("airflow/daily_bash.sql", day)
    assert f"`opera_day` = '{day}'" in sql
    assert f"`rowkey` >= '0{day}'" in sql
    assert "{" not in body(sql)


@pytest.mark.parametrize("day", DAYS)
def test_jinja_fills_in_the_day_of_a_check(day: str) -> None:
    jinja = environment("airflow")
    jinja.filters["ds_nodash"] = lambda at: f"{at:%Y%m%d}"
    start = datetime.datetime.strptime(f"{day}01+0800", "%Y%m%d%H%z").astimezone(datetime.timezone.utc)
    sql = jinja.get_template("daily_check.sql").render(data_interval_start=Instant(start))
    assert body(sql) == with_hive("airflow/daily_bash_check.sql", day)
    # One for the text of the day, and one for the rows.
    assert sql.count("assert_true(") == 2
    assert f"'{day}'" in sql and "{" not in body(sql)


@pytest.mark.parametrize("day", DAYS)
def test_jinja_fills_in_the_day_of_the_view(day: str) -> None:
    jinja = environment("airflow")
    jinja.filters["ds_nodash"] = lambda at: f"{at:%Y%m%d}"
    start = datetime.datetime.strptime(f"{day}01+0800", "%Y%m%d%H%z").astimezone(datetime.timezone.utc)
    sql = jinja.get_template("from_view.sql").render(data_interval_start=Instant(start))
    assert body(sql) == body(
        f"SET saltplan.required=true; INSERT OVERWRITE TABLE web.visits PARTITION (opera_day = {day}) "
        f"SELECT visit_id, user_id, page, seconds FROM web.visits_view WHERE opera_day = {day};"
    )


def test_the_check_runs_behind_the_load() -> None:
    tree = ast.parse((SCHEDULERS / "airflow" / "dag.py").read_text())
    files = {
        node.targets[0].id: word.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Call)
        for word in node.value.keywords
        if word.arg == "hql" and isinstance(word.value, ast.Constant)
    }
    orders = [
        (node.left.id, node.right.id)
        for node in ast.walk(tree)
        if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Name) and isinstance(node.right, ast.Name)
    ]
    assert [(files[first], files[second]) for first, second in orders] == [("daily.sql", "daily_check.sql")]


@pytest.mark.parametrize("name", PAIR)
@pytest.mark.parametrize("day", DAYS)
def test_jinja_fills_in_the_variable_of_dbt(day: str, name: str) -> None:
    template = environment("dbt").get_template(f"analyses/{name}")
    sql = template.render(var={"day": day}.__getitem__)
    assert body(sql) == with_hive(f"cron/{name}", day)


def test_without_a_day_nothing_is_rendered() -> None:
    with pytest.raises(jinja2.UndefinedError):
        environment("dbt").get_template("analyses/daily.sql").render()


def test_the_names_of_oozie_go_through() -> None:
    coordinator = ElementTree.parse(SCHEDULERS / "oozie" / "coordinator.xml")
    names = [name.text for name in coordinator.iter("{uri:oozie:coordinator:0.4}name")]
    workflow = ElementTree.parse(SCHEDULERS / "oozie" / "workflow.xml")
    space = "{uri:oozie:hive2-action:0.1}"
    params = [param.text for param in workflow.iter(f"{space}param")]
    scripts = [script.text for script in workflow.iter(f"{space}script")]
    assert (names, params, scripts) == (["day"], ["day=${day}"] * 2, PAIR)
    for name in PAIR:
        sql = (SCHEDULERS / "oozie" / name).read_text()
        assert body(sql.replace("${day}", DAYS[0])) == with_hive(f"cron/{name}", DAYS[0])


def test_oozie_checks_what_it_has_loaded() -> None:
    space = "{uri:oozie:workflow:0.5}"
    workflow = ElementTree.parse(SCHEDULERS / "oozie" / "workflow.xml")
    actions = {action.get("name"): action for action in workflow.iter(f"{space}action")}
    step, ran = workflow.find(f"{space}start").get("to"), []
    while step in actions:
        ran += [script.text for script in actions[step].iter("{uri:oozie:hive2-action:0.1}script")]
        assert actions[step].find(f"{space}error").get("to") == "failed"
        step = actions[step].find(f"{space}ok").get("to")
    assert (ran, step) == (PAIR, "end")


def run_script(folder: str, arguments: "list[str]", tmp_path: Path, failing: str = "") -> "tuple[int, list[str]]":
    """Runs the script of a folder with programs in the place of Hive and dbt; its exit code, and what they were given."""
    said = tmp_path / "said"
    said.write_text("")
    for name in ("hive", "dbt"):
        program = tmp_path / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >> "{said}"\ncase "$*" in *"{failing or "nothing"}") exit 3;; esac\n')
        program.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "BEELINE": "hive", "JDBC_URL": "jdbc:hive2://h", "TZ": "UTC"}
    script = SCHEDULERS / folder / "run.sh"
    done = subprocess.run(["sh", str(script), *arguments], env=environment, check=False, cwd=tmp_path)
    lines = said.read_text().replace(f"{SCHEDULERS / folder}/", "").splitlines()
    return done.returncode, lines


@pytest.mark.skipif(os.name == "nt", reason="the scripts are for a POSIX shell")
def test_the_scripts_run_the_check_behind_the_load(tmp_path: Path) -> None:
    pair = [f"hive --hivevar day=20200406 -f {name}" for name in PAIR]
    assert run_script("cron", ["20200406"], tmp_path) == (0, pair)
    # Nothing is checked that was not loaded, and what did not arrive is an error.
    assert run_script("cron", ["20200406"], tmp_path, failing="daily.sql") == (3, pair[:1])
    assert run_script("cron", ["20200406"], tmp_path, failing="daily_check.sql") == (3, pair)
    compiled = [f"hive -u jdbc:hive2://h -f target/compiled/visits/analyses/{name}" for name in PAIR]
    dbt = ["dbt compile --select daily daily_check --vars {day: '20200406'}"]
    assert run_script("dbt", ["20200406"], tmp_path) == (0, dbt + compiled)
    assert run_script("dbt", ["20200406"], tmp_path, failing="daily_check.sql") == (3, dbt + compiled)


@pytest.mark.skipif(os.name == "nt", reason="the scripts are for a POSIX shell")
def test_azkaban_checks_what_it_has_loaded(tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    nodes = yaml.safe_load((SCHEDULERS / "azkaban" / "daily.flow").read_text())["nodes"]
    assert [(node["name"], node.get("dependsOn")) for node in nodes] == [("daily", None), ("arrived", ["daily"])]
    start = {"year": "2020", "month": "04", "day": "07"}
    for node, name in zip(nodes, PAIR):
        command = node["config"]["command"]
        for part, value in start.items():
            command = command.replace(f"${{azkaban.flow.start.{part}}}", value)
        words = command.split()
        assert words[:2] == ["bash", "run.sh"] and "$" not in command
        assert run_script("azkaban", words[2:], tmp_path) == (0, [f"hive --hivevar day=20200406 -f {name}"])
        sql = (SCHEDULERS / "azkaban" / name).read_text()
        assert body(sql.replace("${day}", DAYS[0])) == with_hive(f"cron/{name}", DAYS[0])


def test_dolphinscheduler_checks_what_it_has_loaded() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    folder = SCHEDULERS / "dolphinscheduler"
    tasks = yaml.safe_load((folder / "workflow.yaml").read_text())["tasks"]
    assert [(task["name"], task.get("deps")) for task in tasks] == [("daily", None), ("arrived", ["daily"])]
    for task, name in zip(tasks, PAIR):
        (text,) = re.findall(r'^\$FILE\{"(.*)"\}$', task["command"])
        assert task["input_params"] == {"day": "VARCHAR($[yyyyMMdd-1])"}
        assert task["resource_list"] == [name]
        command = (folder / text).read_text().splitlines()[-1]
        assert command.replace("${day}", DAYS[0]) == f"hive --hivevar day={DAYS[0]} -f {name}"
        assert (folder / name).read_text().count("${hivevar:day}") > 0
        # The same as the text of a task, in which DolphinScheduler fills in the day.
        sql = (folder / name.replace("daily", "daily_text")).read_text()
        assert body(sql.replace("$[yyyyMMdd-1]", DAYS[0])) == with_hive(f"dolphinscheduler/{name}", DAYS[0])


def timetable_of_the_example() -> Any:
    """The timetable in `dag.py`, which cannot be imported: the package of HiveOperator wants a database's client."""
    from airflow.timetables.interval import CronDataIntervalTimetable

    calls = [node for node in ast.walk(ast.parse((SCHEDULERS / "airflow" / "dag.py").read_text()))
             if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "CronDataIntervalTimetable"]
    (call,) = calls
    named = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
    return CronDataIntervalTimetable(*map(ast.literal_eval, call.args), **named)


def command_of_the_example() -> str:
    """The text of the BashOperator in `dag.py`."""
    tree = ast.parse((SCHEDULERS / "airflow" / "dag.py").read_text())
    words = [word for node in ast.walk(tree) if isinstance(node, ast.Call) for word in node.keywords]
    (command,) = [ast.literal_eval(word.value) for word in words if word.arg == "bash_command"]
    return str(command)


@pytest.mark.parametrize(
    ("run", "yesterday", "of_utc"),
    [
        ("2024-06-03T01:00:00+08:00", "20240602", "20240601"),
        ("2024-03-01T01:00:00+08:00", "20240229", "20240228"),
        ("2024-01-01T01:00:00+08:00", "20231231", "20231230"),
    ],
)
def test_airflow_renders_yesterday_of_the_zone(run: str, yesterday: str, of_utc: str) -> None:
    pytest.importorskip("airflow", reason="Airflow is not installed")
    import pendulum

    try:
        from airflow.sdk import DAG, BaseOperator
    except ImportError:  # Airflow 2
        from airflow import DAG
        from airflow.models import BaseOperator

    class Statement(BaseOperator):
        """A template of the kind that HiveOperator has: its own package wants a database's client."""

        template_fields = ("hql", "command", "trap")
        template_ext = (".hql", ".sql")

        def __init__(self, *, hql: str, command: str, trap: str, **rest: object) -> None:
            super().__init__(**rest)
            self.hql, self.command, self.trap = hql, command, trap

    interval = timetable_of_the_example().infer_manual_data_interval(run_after=pendulum.parse(run))
    assert interval.end == pendulum.parse(run)
    with DAG("visits", schedule=None, template_searchpath=str(SCHEDULERS / "airflow")):
        trap = "{{ data_interval_start | ds_nodash }}"
        task = Statement(task_id="hive", hql="daily.sql", command=command_of_the_example(), trap=trap)
        arrived = Statement(task_id="arrived", hql="daily_check.sql", command=".", trap=trap)
        view = Statement(task_id="from_view", hql="from_view.sql", command=".", trap=trap)
    task.resolve_template_files()
    view.resolve_template_files()
    arrived.resolve_template_files()
    # A run's times are in UTC, as in Airflow's database.
    start = interval.start.in_timezone("UTC")
    task.render_template_fields({"data_interval_start": start})
    arrived.render_template_fields({"data_interval_start": start})
    view.render_template_fields({"data_interval_start": start})
    assert view.hql.count(f"opera_day = {yesterday}") == 2
    assert body(arrived.hql) == with_hive("airflow/daily_bash_check.sql", yesterday)
    assert body(task.hql) == with_hive("airflow/daily_bash.sql", yesterday)
    assert f"`opera_day` = '{yesterday}'" in task.hql
    assert f"--hivevar day={yesterday} " in task.command
    # What `ds_nodash` would be.
    assert task.trap == of_utc == start.strftime("%Y%m%d")
