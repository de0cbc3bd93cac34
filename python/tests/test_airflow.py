"""Tests the plugin in a real Airflow; skipped if Airflow is not installed."""

import datetime
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "schemas" / "examples"

airflow = pytest.importorskip("airflow", reason="Airflow is not installed")

import saltplan  # noqa: E402
from saltplan.airflow import PlanOperator, SaltplanPlugin  # noqa: E402

try:
    from airflow.sdk import DAG
    from airflow.sdk.definitions.context import KNOWN_CONTEXT_KEYS
    from airflow.sdk.execution_time import macros
except ImportError:  # Airflow 2
    from airflow import DAG, macros
    from airflow.utils.context import KNOWN_CONTEXT_KEYS

IS_AIRFLOW_2 = airflow.__version__.startswith("2.")


@pytest.fixture(autouse=True)
def dags_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("airflow.settings.DAGS_FOLDER", str(EXAMPLES))


def rendered(template: str, **context: Any) -> str:
    from airflow.plugins_manager import integrate_macros_plugins

    integrate_macros_plugins()
    with DAG("calls", schedule=None, start_date=datetime.datetime(2020, 1, 1)):
        task = PlanOperator(task_id="plan", schema="md5_nibble_day.yaml", predicate=template)
    task.render_template_fields({"macros": macros, **context})
    return str(task.predicate)


def test_airflow_finds_the_plugin() -> None:
    from airflow import plugins_manager

    found = plugins_manager.get_plugin_info()
    assert "saltplan" in [plugin["name"] for plugin in found]


def test_a_macro_in_a_template() -> None:
    template = "{{ macros.saltplan.plan('md5_nibble_day.yaml', 'opera_day = :day', day=ds_nodash, engine='mr') }}"
    sql = rendered(template, ds_nodash="20200406")
    assert sql == saltplan.plan(EXAMPLES / "md5_nibble_day.yaml", "opera_day = :day", {"day": "20200406"}, engine="mr")
    assert "PARTITION (`opera_day` = 20200406)" in sql


def test_the_operator_renders_and_plans() -> None:
    task = PlanOperator(
        task_id="plan",
        schema="md5_nibble_day.yaml",
        predicate="opera_day = :day",
        predicate_params={"day": "{{ ds_nodash }}"},
        plan_options={"header": False},
    )
    task.render_template_fields({"ds_nodash": "20200406"})
    sql = task.execute({})
    assert sql == saltplan.plan(EXAMPLES / "md5_nibble_day.yaml", "opera_day = 20200406", header=False)


def test_a_refusal_fails_the_task() -> None:
    task = PlanOperator(task_id="plan", schema="md5_nibble_day.yaml", predicate="row_id = 'u1'")
    with pytest.raises(saltplan.Refused):
        task.execute({})


def test_macros_have_one_list() -> None:
    assert [macro.__name__ for macro in SaltplanPlugin.macros] == ["plan", "ddl", "verify"]


def test_values_of_airflow() -> None:
    import pendulum

    predicate = "tel = '13800138000' AND call_time >= :at"
    template = f"{{{{ macros.saltplan.plan('region_number.yaml', \"{predicate}\", at=at, select=True) }}}}"
    sql = rendered(template, at=pendulum.datetime(2020, 4, 6, 4))
    assert "20200406120000" in sql
    with pytest.raises(TypeError, match="^at: "):
        rendered(template, at=None)


def folders(place: Path, *names: str) -> Path:
    """A bundle with a DAG in a folder of its own, and schemas at those places."""
    for name in ["bundle/team/dag.py", "dags/other.py", *names]:
        file = place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".yaml":
            shutil.copy(EXAMPLES / "md5_nibble_day.yaml", file)
    return place


def at_home(place: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The context of a task of that DAG, as a worker of Airflow 3 provides it."""
    monkeypatch.setattr("airflow.settings.DAGS_FOLDER", str(place / "dags"))
    dag = SimpleNamespace(fileloc=str(place / "bundle/team/dag.py"), relative_fileloc="team/dag.py")
    return {"dag": dag, "ti": SimpleNamespace(bundle_instance=bundle_at(place / "bundle"))}


def bundle_at(path: Path) -> Any:
    if IS_AIRFLOW_2:
        return None
    from airflow.dag_processing.bundles.local import LocalDagBundle

    return LocalDagBundle(name="jobs", path=str(path))


def test_the_nearest_schema_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from saltplan.airflow import _located

    places = ["bundle/team/s.yaml", "bundle/s.yaml", "dags/s.yaml"]
    context = at_home(folders(tmp_path, *places), monkeypatch)
    for place in places:
        assert _located("s.yaml", context) == str(tmp_path / place)
        (tmp_path / place).unlink()
    with pytest.raises(saltplan.InvalidInput) as caught:
        _located("s.yaml", context)
    searched = [f"`{tmp_path / folder}`" for folder in ("bundle/team", "bundle", "dags")]
    assert str(caught.value).startswith(f"no file `s.yaml` in {', '.join(searched)} (")


def test_a_task_without_a_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from saltplan.airflow import _located

    context = at_home(folders(tmp_path, "bundle/s.yaml", "dags/team/o.yaml"), monkeypatch)
    context["ti"].bundle_instance = None
    assert _located("s.yaml", context) == str(tmp_path / "bundle/s.yaml")
    assert _located("../s.yaml", context) == str(tmp_path / "bundle/team/../s.yaml")
    assert _located("team/o.yaml", context) == str(tmp_path / "dags/team/o.yaml")
    assert _located("team/o.yaml", {}) == str(tmp_path / "dags/team/o.yaml")
    assert _located(str(tmp_path / "nothing.yaml"), context) == str(tmp_path / "nothing.yaml")


DAG_FILE = """
import datetime
try:
    from airflow.sdk import DAG
except ImportError:
    from airflow import DAG
from saltplan.airflow import PlanOperator

with DAG("visits", schedule=None, start_date=datetime.datetime(2020, 1, 1)):
    near = PlanOperator(
        task_id="near",
        schema="near.yaml",
        predicate="opera_day = :day AND row_id IN (:ids)",
        predicate_params={"day": "{{ ds_nodash }}", "ids": ["u1", "u2"]},
        plan_options={"into": True},
    )
    far = PlanOperator(task_id="far", schema="shared/far.yaml", predicate="opera_day = '{{ ds }}'")
    old = PlanOperator(
        task_id="old",
        schema="old.yaml",
        predicate="{{ macros.saltplan.plan('near.yaml', 'opera_day = :d', d=ds)[:0] }}opera_day = 20200406",
    )
    missing = PlanOperator(task_id="missing", schema="missing.yaml", predicate="opera_day = 20200406")
    near >> far >> old >> missing
"""


def test_airflow_runs_the_tasks(tmp_path: Path) -> None:
    names = ["bundle/team/near.yaml", "bundle/shared/far.yaml", "dags/old.yaml"]
    place = folders(tmp_path, *names)
    (place / "bundle/team/dag.py").write_text(DAG_FILE)
    dags = place / ("bundle" if IS_AIRFLOW_2 else "dags")
    if IS_AIRFLOW_2:
        shutil.copy(place / "dags/old.yaml", dags)
    bundle = {
        "name": "jobs",
        "classpath": "airflow.dag_processing.bundles.local.LocalDagBundle",
        "kwargs": {"path": str(place / "bundle")},
    }
    environment = {
        **os.environ,
        "AIRFLOW_HOME": str(place / "home"),
        "AIRFLOW__CORE__DAGS_FOLDER": str(dags),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__DAG_PROCESSOR__DAG_BUNDLE_CONFIG_LIST": json.dumps([bundle]),
    }

    def run(*arguments: str) -> str:
        command = [sys.executable, "-m", "airflow", *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, check=False, text=True, cwd=place)
        return done.stdout + done.stderr

    run("db", "migrate")
    said = run("dags", "test", "visits", "2020-04-06")
    no_file = f"no file `missing.yaml` in `{place / 'bundle/team'}`, `{place / 'bundle'}`"
    assert no_file in said, said
    # The tasks before it have run: one waits for the other.
    assert "no file `near" not in said and "no file `shared" not in said and "no file `old" not in said, said


DAG_OF_A_CHECK = """
import datetime
import os
from pathlib import Path
try:
    from airflow.sdk import DAG, BaseOperator
except ImportError:
    from airflow import DAG
    from airflow.models import BaseOperator
from airflow.timetables.interval import CronDataIntervalTimetable


# As HiveOperator, whose own package wants a database's client: it keeps what Hive would run.
class Hive(BaseOperator):
    template_fields = ("hql",)
    template_ext = (".sql",)

    def __init__(self, *, hql, **rest):
        super().__init__(**rest)
        self.hql = hql

    def execute(self, context):
        folder = Path(os.environ["HIVE_RAN"])
        (folder / f"{len(list(folder.iterdir()))}_{self.task_id}.sql").write_text(self.hql)
        if "AS `differing`" in self.hql and os.environ["ROWS"] == "lost":
            raise RuntimeError("ASSERT_TRUE(): assertion failed.")


with DAG(
    "loads",
    start_date=datetime.datetime(2020, 4, 1),
    schedule=CronDataIntervalTimetable("0 1 * * *", timezone="Asia/Shanghai"),
    catchup=False,
    template_searchpath=os.environ["STATEMENTS"],
):
    load = Hive(task_id="load", hql="daily.sql")
    arrived = Hive(task_id="arrived", hql="daily_check.sql")
    use = Hive(task_id="use", hql="SELECT 1")
    load >> arrived >> use
"""


@pytest.mark.parametrize(("rows", "ran"), [("there", ["load", "arrived", "use"]), ("lost", ["load", "arrived"])])
def test_a_check_stops_what_is_behind_it(tmp_path: Path, rows: str, ran: "list[str]") -> None:
    (tmp_path / "dags").mkdir()
    (tmp_path / "ran").mkdir()
    (tmp_path / "dags" / "loads.py").write_text(DAG_OF_A_CHECK)
    environment = {
        **os.environ,
        "AIRFLOW_HOME": str(tmp_path / "home"),
        "AIRFLOW__CORE__DAGS_FOLDER": str(tmp_path / "dags"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "STATEMENTS": str(EXAMPLES.parents[1] / "examples" / "schedulers" / "airflow"),
        "HIVE_RAN": str(tmp_path / "ran"),
        "ROWS": rows,
    }
    said = ""
    for arguments in (["db", "migrate"], ["dags", "test", "loads", "2020-04-06T17:00:00+00:00"]):
        command = [sys.executable, "-m", "airflow", *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, check=False, text=True, cwd=tmp_path)
        said += done.stdout + done.stderr
    files = sorted((tmp_path / "ran").iterdir())
    assert [file.stem.split("_")[1] for file in files] == ran, said
    # Both read the same day.
    days = [set(re.findall("20200[0-9]{3}", file.read_text())) for file in files[:2]]
    assert days[0] == days[1] and len(days[0]) == 1, days



def test_every_name_of_airflow_is_a_preset() -> None:
    def fault(word: str) -> str:
        command = [saltplan.find_saltplan_bin(), "plan", str(EXAMPLES / "md5_nibble_day.yaml"), "opera_day = :day"]
        command += ["--runtime", f"day=airflow:{word}"]
        done = subprocess.run(command, capture_output=True, check=False, text=True)
        return done.stderr if "Airflow has no" in done.stderr else ""

    # Of these two only some members are values.
    assert [name for name in sorted(KNOWN_CONTEXT_KEYS) if fault(f"{name}.member")] == ["macros", "var"]
    assert "did you mean `ds_nodash`" in fault("ds_nodahs")
    public = [name for name in dir(macros) if not name.startswith("_") and callable(getattr(macros, name))]
    ours = [name for name in public if getattr(macros, name).__module__ == macros.__name__]
    assert {"ds_add", "ds_format"} <= set(ours)
    assert [name for name in ours if name not in ("add_deprecated_classes",) and fault(f"macros.{name}(ds)")] == []
