"""Exact HBase key ranges and Hive SQL for tables with salted row keys.

A thin layer over the command ``saltplan`` that comes in the same wheel: every function is one call of it, some
milliseconds, and what it returns is what the command prints.

>>> import saltplan
>>> sql = saltplan.plan("calls.yaml", "opera_day = :day", {"day": "20200406"}, engine="mr")
"""

from importlib.metadata import PackageNotFoundError, version

from ._command import find_saltplan_bin
from ._errors import InvalidInput, Label, Message, Refused, SaltplanError, SaltplanWarning
from ._functions import (
    KeyRange,
    Plan,
    Ranges,
    Widening,
    audit,
    check,
    ddl,
    decode,
    encode,
    explain,
    load,
    plan,
    plan_details,
    ranges,
    rewrite,
    rewrite_details,
    scan,
    splits,
    verify,
)
from ._types import Engine, FailOn, MaxWidening, Now, Params, Part, PlanKind, Severity, Shape, Value

try:
    __version__ = version("saltplan")
except PackageNotFoundError:
    # Imported from a source tree.
    __version__ = "unknown"

__all__ = [
    "Engine",
    "FailOn",
    "InvalidInput",
    "KeyRange",
    "Label",
    "MaxWidening",
    "Message",
    "Now",
    "Params",
    "Part",
    "Plan",
    "PlanKind",
    "Ranges",
    "Refused",
    "SaltplanError",
    "SaltplanWarning",
    "Severity",
    "Shape",
    "Value",
    "Widening",
    "__version__",
    "audit",
    "check",
    "ddl",
    "decode",
    "encode",
    "explain",
    "find_saltplan_bin",
    "load",
    "plan",
    "plan_details",
    "ranges",
    "rewrite",
    "rewrite_details",
    "scan",
    "splits",
    "verify",
]
