"""Airflow: macros for templates, and an operator.

The plugin is found by itself where the wheel is installed. In any templated field::

    {{ macros.saltplan.plan('calls.yaml', 'opera_day = :day', day=ds_nodash, engine='mr') }}

A relative path of a schema is looked up in the folder of the DAGs. Every other keyword than those of ``saltplan.plan`` is a
parameter of the predicate.
"""

from __future__ import annotations

import os
from typing import Any, Dict, Mapping, Optional, Sequence, Union

import saltplan
from airflow import settings
from airflow.plugins_manager import AirflowPlugin

try:
    from airflow.sdk import BaseOperator
except ImportError:  # Airflow 2
    from airflow.models import BaseOperator

__all__ = ["PlanOperator", "SaltplanPlugin"]


def plan(
    schema: str,
    predicate: str,
    *,
    engine: Optional[str] = None,
    shape: Optional[str] = None,
    select: bool = False,
    header: bool = True,
    max_branches: Optional[int] = None,
    allow_full_scan: bool = False,
    allow_empty: bool = False,
    **params: Union[str, int],
) -> str:
    """The Hive statement for a predicate whose parameters are the other keywords."""
    return saltplan.plan(
        _located(schema),
        predicate,
        params,
        engine=engine,
        shape=shape,
        select=select,
        header=header,
        max_branches=max_branches,
        allow_full_scan=allow_full_scan,
        allow_empty=allow_empty,
    )


def ddl(schema: str, *only: str) -> str:
    """The statements that make the tables."""
    return saltplan.ddl(_located(schema), only)


def verify(schema: str) -> str:
    """The Hive query that counts stored rows with a wrong key."""
    return saltplan.verify(_located(schema))


def _located(schema: str) -> str:
    return os.path.join(settings.DAGS_FOLDER, os.fspath(schema))


class SaltplanPlugin(AirflowPlugin):
    name = "saltplan"
    macros = [plan, ddl, verify]


class PlanOperator(BaseOperator):
    """Plans when it runs, and hands on the statement as its result.

    ``plan_options`` are the keywords of ``saltplan.plan``. A refused plan fails the task: nothing is overwritten by a
    statement that would have read everything or nothing.
    """

    template_fields: Sequence[str] = ("schema", "predicate", "predicate_params")
    template_fields_renderers: Dict[str, str] = {"predicate": "sql"}

    def __init__(
        self,
        *,
        schema: str,
        predicate: str,
        predicate_params: Optional[Mapping[str, Union[str, int]]] = None,
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
        return saltplan.plan(_located(self.schema), self.predicate, self.predicate_params, **options)
