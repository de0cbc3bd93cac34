"""Converts Python values for the command: each has one meaning, or raises a ``TypeError`` that names it.

numpy and pandas are not imported: their scalars are recognised by their attributes.
"""

from __future__ import annotations

import datetime
import io
from collections import abc
from decimal import Decimal
from enum import Enum
from typing import Any, Dict, List, Optional, Tuple, Union

from ._types import Value

#: A value in the JSON for the command.
Json = Union[str, int, bool, Dict[str, str]]

#: Units of numpy's datetime64 that identify a day or a time; years, months and weeks do not.
_MOMENTS = ("D", "h", "m", "s", "ms", "us", "ns")

_TAKEN = "a str, an int, a Decimal, a date, a datetime or a bool"


def parameter(name: str, value: Value) -> Union[Json, List[Json]]:
    """The value of a parameter; a list if there are several values."""
    if not _is_list(value):
        return scalar(name, value)
    several: Any = value
    items = [scalar(f"{name}[{at}]", item) for at, item in enumerate(several)]
    for at, item in enumerate(items):
        if isinstance(item, bool):
            raise TypeError(f"{name}[{at}]: a list cannot contain a bool; compare with `=` instead")
    # Sorted, so that the same set gives the same statement.
    return sorted(items, key=str) if isinstance(value, abc.Set) else items


def scalar(name: str, value: object) -> Json:
    """One value, for a predicate: numbers keep their digits as text."""
    value = _unwrapped(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return text(name, value)
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, Decimal) and value.is_finite():
        return format(value if value else abs(value), "f")
    if isinstance(value, _Moment) or (isinstance(value, datetime.datetime) and not _is_missing(value)):
        clock, is_instant = _clock(name, value)
        return {"instant": clock} if is_instant else clock
    if isinstance(value, datetime.date) and not _is_missing(value):
        return value.isoformat()
    raise TypeError(f"{name}: {_refused(value)}")


def member(name: str, value: object) -> Union[str, int]:
    """One value of a row, as ``key encode`` reads it."""
    value = _unwrapped(value)
    if isinstance(value, bool):
        raise TypeError(f"{name}: a key field cannot be a bool")
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Decimal) and value.is_finite():
        if value != value.to_integral_value():
            raise TypeError(f"{name}: the Decimal has a fraction; key fields are whole numbers")
        return int(value)
    found = scalar(name, value)
    return found["instant"] if isinstance(found, dict) else str(found)


def text(name: str, value: str) -> str:
    """The characters of a ``str`` or of a subclass, whatever its ``__str__`` prints."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a str, not {type(value).__name__}")
    plain = str.__str__(value)
    try:
        plain.encode()
    except UnicodeEncodeError:
        raise TypeError(f"{name}: the text contains a lone surrogate (half of a UTF-16 pair)") from None
    return plain


class _Moment:
    """A datetime64, which may be finer than a datetime."""

    def __init__(self, at: datetime.datetime, nanosecond: int) -> None:
        self.at, self.nanosecond = at, nanosecond


def _is_list(value: object) -> bool:
    if isinstance(value, (str, bytes, bytearray, memoryview, abc.Mapping, io.IOBase)):
        return False
    if isinstance(value, (abc.Sequence, abc.Set, abc.ValuesView, abc.Iterator)):
        return True
    # Arrays of numpy, series and indexes of pandas, but not tables with several columns.
    return getattr(value, "ndim", None) == 1 and isinstance(value, abc.Iterable)


def _unwrapped(value: object) -> object:
    """The Python value of a numpy scalar, if there is one, or of a lazy Airflow value."""
    if type(value).__name__ == "Proxy":
        value = getattr(value, "__wrapped__", value)
    data_type = getattr(value, "dtype", None)
    kind = getattr(data_type, "kind", None)
    if kind is None or getattr(value, "ndim", 0) != 0 or not hasattr(value, "item"):
        return value
    if kind in "biuU":
        return value.item()
    if kind == "M" and not _is_missing(value):
        return _of_datetime64(value)
    return value


def _of_datetime64(value: Any) -> object:
    unit = value.dtype.name[len("datetime64[") : -1]
    if unit not in _MOMENTS:
        return value
    at = value.item() if unit == "D" else value.astype("datetime64[us]").item()
    # Outside the years 1 to 9999 numpy returns a number.
    if not isinstance(at, datetime.date):
        return value
    if not isinstance(at, datetime.datetime):
        return at
    return _Moment(at, int(value.astype("int64")) % 1000 if unit == "ns" else 0)


def _is_missing(value: Any) -> bool:
    """NaN and NaT are not equal to themselves."""
    return bool(value != value)


def _clock(name: str, value: Union[datetime.datetime, _Moment]) -> Tuple[str, bool]:
    """``2020-04-06 10:00:00``, with Z where the value has an offset."""
    nanosecond = value.nanosecond if isinstance(value, _Moment) else getattr(value, "nanosecond", 0)
    at = value.at if isinstance(value, _Moment) else value
    is_instant = at.utcoffset() is not None
    if is_instant:
        try:
            at = at.astimezone(datetime.timezone.utc)
        except OverflowError:
            raise TypeError(f"{name}: {at} is outside the years 1 to 9999 in UTC") from None
    clock = f"{at.year:04}-{at.month:02}-{at.day:02} {at.hour:02}:{at.minute:02}:{at.second:02}"
    fraction = f"{at.microsecond:06}{nanosecond:03}".rstrip("0")
    return clock + ("." + fraction if fraction else "") + ("Z" if is_instant else ""), is_instant


def _refused(value: object) -> str:
    kind = type(value).__name__
    hint: Optional[str] = None
    if value is None or kind in ("NaTType", "NAType") or (kind == "datetime64" and _is_missing(value)):
        hint = "nothing is equal to a missing value; write `IS NULL` in the predicate"
    elif isinstance(value, (bytes, bytearray, memoryview)):
        hint = "decode it"
    elif isinstance(value, float) or getattr(getattr(value, "dtype", None), "kind", None) == "f":
        hint = "pass an int or a Decimal"
    elif isinstance(value, Decimal):
        hint = "the number is not finite"
    elif isinstance(value, Enum):
        hint = "pass its `value` or its `name`"
    elif isinstance(value, abc.Mapping) or getattr(value, "ndim", 0) > 1:
        hint = "pass a single column"
    elif _is_list(value):
        hint = "lists cannot be nested"
    elif kind == "datetime64":
        hint = "pass a day or a time of the years 1 to 9999"
    return f"expected {_TAKEN}, not {kind}" + (f"; {hint}" if hint else "")
