"""Calls that a type checker accepts, and below them those that it refuses; test_typing.py runs mypy over them."""

import datetime
from decimal import Decimal
from typing import Dict, List, Mapping, Set

import saltplan

names: List[str] = ["u1", "u2"]
numbers: Set[int] = {1, 2}
params: Dict[str, List[str]] = {"ids": names}
#: Lists and single values mixed.
mixed: saltplan.Params = {"ids": names, "n": 5, "at": datetime.datetime(2020, 4, 6), "x": Decimal("1.5"), "ok": True}


def taken(array: "Array", scalar: "Scalar") -> None:
    saltplan.plan("s.yaml", "n IN (:n)", {"n": numbers})
    saltplan.plan("s.yaml", "id IN (:ids)", params, engine="mr", shape="one_scan")
    saltplan.explain("s.yaml", "id IN (:ids)", {"ids": (name for name in names)})
    saltplan.scan("s.yaml", "id IN (:ids)", {"ids": array, "n": scalar})
    saltplan.scan("s.yaml", "id = :n", mixed)
    saltplan.ddl("s.yaml", ["hbase", "mapping"])
    saltplan.audit("s.yaml", fail_on="never")
    found = saltplan.plan_details("s.yaml", "n = 5", {"n": Decimal(5), "day": datetime.date(2020, 4, 6)})
    engine: saltplan.Engine = found.engine
    kind: saltplan.PlanKind = found.kind
    ranges = saltplan.ranges("s.yaml", "id IN (:ids) AND n = :n", params, n=5, max_branches=16)
    bounds = [(found.start, found.stop or b"", found.residual or "", found.is_point) for found in ranges]
    all_points: bool = all(is_point for _, _, _, is_point in bounds) and len(ranges) > 0
    severities: List[saltplan.Severity] = [message.severity for message in found.warnings]
    version: str = saltplan.__version__
    print(engine, kind, severities, version, all_points, ranges.table)


def refused(row: Mapping[str, object]) -> None:
    saltplan.plan("s.yaml", "n = 5", engine="spark")  # type: ignore[arg-type]
    saltplan.plan("s.yaml", "n = 5", shape="unions")  # type: ignore[arg-type]
    saltplan.plan("s.yaml", "n = :n", {"n": 1.5})  # type: ignore[dict-item]
    saltplan.plan("s.yaml", "n = :n", {"n": None})  # type: ignore[dict-item]
    saltplan.plan("s.yaml", "n = :n", {"n": {"a": 5}})  # type: ignore[dict-item]
    saltplan.plan("s.yaml", "n = :n", row)  # type: ignore[arg-type]
    saltplan.ranges("s.yaml", "n = :n", n=1.5)  # type: ignore[arg-type]
    saltplan.ranges("s.yaml", "n = 5").ranges[0].stop + b""  # type: ignore[operator]
    saltplan.ddl("s.yaml", "hbase")  # type: ignore[arg-type]
    saltplan.ddl("s.yaml", ["hive"])  # type: ignore[list-item]
    saltplan.audit("s.yaml", fail_on="info")  # type: ignore[arg-type]
    saltplan.encode("s.yaml", row)  # type: ignore[arg-type]
    saltplan.decode("s.yaml", ["u1"])  # type: ignore[list-item]


class Scalar:
    """The interface of a numpy scalar."""

    dtype: object

    def item(self) -> object:
        return 5


class Array:
    """The interface of a numpy array."""

    ndim: int

    def __iter__(self) -> "Array":
        return self

    def __next__(self) -> object:
        return 5
