"""The plugin in a real Airflow: left out, with this word, where Airflow is not installed."""

from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "schemas" / "examples"

airflow = pytest.importorskip("airflow", reason="Airflow is not installed")

import saltplan  # noqa: E402
from saltplan.airflow import PlanOperator, SaltplanPlugin  # noqa: E402


@pytest.fixture(autouse=True)
def dags_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("airflow.settings.DAGS_FOLDER", str(EXAMPLES))


def rendered(template: str, **context: Any) -> str:
    from airflow.plugins_manager import integrate_macros_plugins
    from airflow.sdk import DAG
    from airflow.sdk.execution_time import macros

    integrate_macros_plugins()
    with DAG("calls"):
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
