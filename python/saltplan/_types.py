"""The types of arguments."""

from __future__ import annotations

import os
from datetime import date
from decimal import Decimal
from typing import AbstractSet, Any, Iterator, Literal, Mapping, Protocol, Sequence, Union, ValuesView

#: Execution engine of Hive.
Engine = Literal["tez", "mr"]
#: How the branches of a statement are put together.
Shape = Literal["auto", "union_all", "isolated", "one_scan"]
#: The maximum ratio of values read to values requested, if ranges are merged.
MaxWidening = Union[int, Literal["any"]]
#: A time for ``current_date`` and ``current_timestamp``: local time, without a zone.
Now = Union[str, date]
#: The tables of a schema.
Part = Literal["hbase", "mapping", "view", "target", "phoenix"]
#: The severity of a finding.
Severity = Literal["error", "warning", "note"]
#: The severity from which findings make an audit fail.
FailOn = Literal["error", "warning", "note", "never"]
#: What a plan reads.
PlanKind = Literal["empty", "point", "range", "fan_out", "full_scan"]

Path = Union[str, "os.PathLike[str]"]


class NumpyScalar(Protocol):
    """A numpy scalar: a number, a text or a time."""

    @property
    def dtype(self) -> Any: ...

    def item(self) -> Any: ...


class Array(Protocol):
    """A one-dimensional numpy array or a pandas series."""

    @property
    def ndim(self) -> int: ...

    def __iter__(self) -> Iterator[Any]: ...


#: One value; a ``bool`` is an ``int`` and a ``datetime`` is a ``date`` for type checkers.
Scalar = Union[str, int, Decimal, date, NumpyScalar]
#: The value of a parameter; a list is for ``IN (:name)``.
Value = Union[Scalar, Sequence[Scalar], AbstractSet[Scalar], ValuesView[Scalar], Iterator[Scalar], Array]
#: Values of the parameters ``:name`` of a predicate.
Params = Mapping[str, Value]
