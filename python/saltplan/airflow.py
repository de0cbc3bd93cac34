"""Airflow: macros for templates, and an operator.

The plugin is found by itself where the wheel is installed. In any templated field::

    {{ macros.saltplan.plan('calls.yaml', 'opera_day = :day', day=ds_nodash, engine='mr') }}

A relative path of a schema is looked up beside the file of the DAG, in its bundle (Airflow 3), and in the folder of the
DAGs. Every other keyword than those of ``saltplan.plan`` is a parameter of the predicate.
"""

from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence

import saltplan
from airflow import settings
from airflow.plugins_manager import AirflowPlugin
from jinja2 import pass_context
from saltplan import Engine, InvalidInput, MaxWidening, Message, Now, Params, Part, Shape, Value

try:
    from airflow.sdk import BaseOperator
except ImportError:  # Airflow 2
    from airflow.models import BaseOperator

__all__ = ["PlanOperator", "SaltplanPlugin"]


@pass_context
def plan(
    context: Mapping[str, Any],
    /,
    schema: str,
    predicate: str,
    params: Optional[Params] = None,
    *,
    runtime: Optional[Mapping[str, str]] = None,
    now: Optional[Now] = None,
    engine: Optional[Engine] = None,
    shape: Optional[Shape] = None,
    select: bool = False,
    logical: bool = False,
    header: bool = True,
    max_branches: Optional[int] = None,
    max_widening: Optional[MaxWidening] = None,
    max_scans: Optional[int] = None,
    max_jobs: Optional[int] = None,
    max_bytes: Optional[int] = None,
    allow_full_scan: bool = False,
    allow_empty: bool = False,
    allow_partial: bool = False,
    into: bool = False,
    **more_params: Value,
) -> str:
    """The Hive statement for a predicate; keywords that are not options are its parameters, as are those of ``params``."""
    return saltplan.plan(
        _located(schema, context),
        predicate,
        {**(params or {}), **more_params},
        runtime=runtime,
        now=now,
        engine=engine,
        shape=shape,
        select=select,
        logical=logical,
        header=header,
        max_branches=max_branches,
        max_widening=max_widening,
        max_scans=max_scans,
        max_jobs=max_jobs,
        max_bytes=max_bytes,
        allow_full_scan=allow_full_scan,
        allow_empty=allow_empty,
        allow_partial=allow_partial,
        into=into,
    )


@pass_context
def ddl(context: Mapping[str, Any], /, schema: str, *only: Part) -> str:
    """The statements that create the tables."""
    return saltplan.ddl(_located(schema, context), only)


@pass_context
def verify(context: Mapping[str, Any], /, schema: str) -> str:
    """The Hive query that counts stored rows with a wrong key."""
    return saltplan.verify(_located(schema, context))


def _located(schema: str, context: Mapping[str, Any]) -> str:
    path = os.fspath(schema)
    if os.path.isabs(path):
        return path
    folders = list(dict.fromkeys(_folders(context)))
    for folder in folders:
        found = os.path.join(folder, path)
        if os.path.isfile(found):
            return found
    places = ", ".join(f"`{folder}`" for folder in folders)
    remedy = "put the file next to the DAG file, or use an absolute path"
    raise InvalidInput([Message("error", f"no file `{path}` in {places}", None, remedy, None, ())])


def _folders(context: Mapping[str, Any]) -> Iterator[str]:
    """The folders in which a relative path is looked up, nearest first."""
    dag = context.get("dag")
    file = getattr(dag, "fileloc", None)
    bundle = getattr(getattr(context.get("ti"), "bundle_instance", None), "path", None)
    if file:
        yield os.path.dirname(os.path.abspath(file))
        # With `airflow dags test`, tasks have no bundle.
        in_bundle = os.sep + str(getattr(dag, "relative_fileloc", None))
        if not bundle and file.endswith(in_bundle):
            bundle = file[: -len(in_bundle)]
    if bundle:
        yield os.path.abspath(bundle)
    yield os.path.abspath(settings.DAGS_FOLDER)


class SaltplanPlugin(AirflowPlugin):
    name: str = "saltplan"
    macros: List[Any] = [plan, ddl, verify]


class PlanOperator(BaseOperator):
    """Plans when the task runs; the statement is the result of the task.

    ``plan_options`` are the keywords of ``saltplan.plan``. A refused plan fails the task, so that no statement that
    reads everything or nothing overwrites a partition.
    """

    template_fields: Sequence[str] = ("schema", "predicate", "predicate_params")
    template_fields_renderers: Dict[str, str] = {"predicate": "sql"}

    def __init__(
        self,
        *,
        schema: str,
        predicate: str,
        predicate_params: Optional[Params] = None,
        plan_options: Optional[Mapping[str, Any]] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.schema = schema
        self.predicate = predicate
        self.predicate_params = predicate_params
        self.plan_options = plan_options

    def execute(self, context: Any) -> str:
        options = dict(self.plan_options or {})
        return saltplan.plan(_located(self.schema, context), self.predicate, self.predicate_params, **options)
