"""One function a command."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from ._command import call
from ._errors import InvalidInput, Message

#: Characters of a predicate that goes to the command as an argument, at most.
LONGEST_ARGUMENT = 8_000

Path = Union[str, "os.PathLike[str]"]
#: Values of the parameters ``:name`` of a predicate, as text.
Params = Mapping[str, Union[str, int]]


@dataclass(frozen=True)
class Plan:
    """A planned statement and what it does."""

    #: Settings and statements, as ``plan`` prints them.
    sql: str
    #: ``empty``, ``point``, ``range``, ``fan_out`` or ``full_scan``.
    kind: str
    engine: str
    shape: str
    #: The Hive tables that are read and written; no target where only a query is asked for.
    mapping: str
    target: Optional[str]
    #: What is overwritten, in the names of SHOW PARTITIONS.
    partitions: Tuple[str, ...]
    #: Ranges and points that are read.
    ranges: int
    warnings: Tuple[Message, ...]


def plan(
    schema: Path,
    predicate: str,
    params: Optional[Params] = None,
    *,
    engine: Optional[str] = None,
    shape: Optional[str] = None,
    select: bool = False,
    header: bool = True,
    max_branches: Optional[int] = None,
    templates: Optional[Path] = None,
    allow_full_scan: bool = False,
    allow_empty: bool = False,
) -> str:
    """The Hive statement that reads a predicate's rows: an INSERT OVERWRITE, or a query with ``select``.

    Raises ``Refused`` for a plan that reads the whole table or nothing, or that would lose rows of a partition, and
    ``InvalidInput`` for a faulty schema or predicate.
    """
    arguments = ["plan", *_planned(params, max_branches, templates), *_choices(engine=engine, shape=shape)]
    arguments += _flags(select=select, no_header=not header)
    arguments += _flags(allow_full_scan=allow_full_scan, allow_empty=allow_empty)
    return _about(arguments, schema, predicate)


def plan_details(
    schema: Path,
    predicate: str,
    params: Optional[Params] = None,
    *,
    engine: Optional[str] = None,
    shape: Optional[str] = None,
    select: bool = False,
    header: bool = True,
    max_branches: Optional[int] = None,
    templates: Optional[Path] = None,
    allow_full_scan: bool = False,
    allow_empty: bool = False,
) -> Plan:
    """The statement of ``plan`` with what it overwrites, how much it reads and, instead of Python warnings, what was
    warned of."""
    arguments = ["plan", "--output-format=json", "--quiet", *_planned(params, max_branches, templates)]
    arguments += _choices(engine=engine, shape=shape)
    arguments += _flags(select=select, no_header=not header)
    arguments += _flags(allow_full_scan=allow_full_scan, allow_empty=allow_empty)
    found = json.loads(_about(arguments, schema, predicate))
    return Plan(
        sql=found["sql"],
        kind=found["kind"],
        engine=found["engine"],
        shape=found["shape"],
        mapping=found["mapping"],
        target=found["target"],
        partitions=tuple(found["partitions"]),
        ranges=found["ranges"],
        warnings=tuple(Message.of_json(warning) for warning in found["warnings"]),
    )


def explain(
    schema: Path,
    predicate: str,
    params: Optional[Params] = None,
    *,
    max_branches: Optional[int] = None,
) -> Dict[str, Any]:
    """The key ranges of a predicate and the conditions that they could not use; docs/json.md describes the members."""
    arguments = ["explain", "--output-format=json", *_planned(params, max_branches, None)]
    result: Dict[str, Any] = json.loads(_about(arguments, schema, predicate))
    return result


def scan(
    schema: Path,
    predicate: str,
    params: Optional[Params] = None,
    *,
    max_branches: Optional[int] = None,
    allow_full_scan: bool = False,
    allow_empty: bool = False,
) -> Dict[str, Any]:
    """The ranges for a client of HBase: those of ``explain``, the table, and a FuzzyRowFilter where it reads less."""
    arguments = ["scan", "--output-format=json", *_planned(params, max_branches, None)]
    arguments += _flags(allow_full_scan=allow_full_scan, allow_empty=allow_empty)
    result: Dict[str, Any] = json.loads(_about(arguments, schema, predicate))
    return result


def ddl(schema: Path, only: Sequence[str] = (), *, if_not_exists: bool = False) -> str:
    """The statements that make the tables: ``only`` some of ``hbase``, ``mapping``, ``target``."""
    parts = [f"--only={part}" for part in only]
    arguments = ["ddl", *parts, *_flags(if_not_exists=if_not_exists), "--", os.fspath(schema)]
    return call(arguments)[0]


def splits(schema: Path) -> List[bytes]:
    """The split keys in byte order."""
    found = json.loads(call(["splits", "--output-format=json", "--", os.fspath(schema)])[0])
    return [bytes.fromhex(key["hex"]) for key in found["split_keys"]]


def load(schema: Path, source: str) -> str:
    """The Hive statement that writes rows of the table ``source`` to HBase, with the row key built in HiveQL."""
    return call(["load", f"--from={source}", "--", os.fspath(schema)])[0]


def verify(schema: Path) -> str:
    """The Hive query that counts stored rows with a wrong key."""
    return call(["verify", "--", os.fspath(schema)])[0]


def encode(schema: Path, rows: Iterable[Mapping[str, Any]]) -> List[bytes]:
    """The row keys of rows, which have a member for every key field."""
    lines = "".join(json.dumps(dict(row), ensure_ascii=False) + "\n" for row in rows)
    text = call(["key", "encode", "--key-form=hex", "--", os.fspath(schema), "-"], lines)[0]
    return [bytes.fromhex(line) for line in text.splitlines()]


def decode(schema: Path, keys: Iterable[bytes]) -> List[Dict[str, Any]]:
    """The rows of row keys. Raises ``Refused`` where a key fits no row or has a wrong salt."""
    lines = "".join(key.hex() + "\n" for key in keys)
    text = call(["key", "decode", "--key-form=hex", "--", os.fspath(schema), "-"], lines)[0]
    return [json.loads(line) for line in text.splitlines()]


def audit(*paths: Path, fail_on: Optional[str] = None) -> Dict[str, Any]:
    """The findings of schema files and folders, as ``audit --output-format json`` prints them."""
    if not paths:
        raise InvalidInput([Message("error", "nothing to audit", None, "name a file or a folder", None, ())])
    arguments = ["audit", "--output-format=json", *_choices(fail_on=fail_on), "--"]
    text = call([*arguments, *(os.fspath(path) for path in paths)], findings=True)[0]
    result: Dict[str, Any] = json.loads(text)
    return result


def _about(arguments: List[str], schema: Path, predicate: str) -> str:
    # `@` names a file, and an argument has a limit: standard input takes any text.
    if predicate.startswith("@") or len(predicate) > LONGEST_ARGUMENT:
        return call([*arguments, "--", os.fspath(schema), "@-"], predicate)[0]
    return call([*arguments, "--", os.fspath(schema), predicate])[0]


def _planned(params: Optional[Params], max_branches: Optional[int], templates: Optional[Path]) -> List[str]:
    arguments: List[str] = []
    for name, value in (params or {}).items():
        arguments += [f"--param={name}={value}"]
    return arguments + _choices(max_branches=max_branches, templates=templates)


def _choices(**choices: Optional[Union[str, int, Path]]) -> List[str]:
    arguments: List[str] = []
    for name, value in choices.items():
        if value is not None:
            arguments.append(f"--{name.replace('_', '-')}={value}")
    return arguments


def _flags(**flags: bool) -> List[str]:
    return [f"--{name.replace('_', '-')}" for name, is_set in flags.items() if is_set]
