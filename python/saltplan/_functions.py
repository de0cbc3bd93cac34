"""One function per command."""

from __future__ import annotations

import json
import os
import re
import tempfile
import warnings
from collections import abc
from dataclasses import dataclass
from datetime import date
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union

from . import _arguments, _values
from ._command import call
from ._errors import InvalidInput, Message, Refused, SaltplanError
from ._types import Engine, FailOn, MaxWidening, Now, Params, Part, Path, PlanKind, Shape, Value

Line = TypeVar("Line")

#: An error of ``key encode`` about a value, with the line of the row and the key field.
_FAULT_OF_FIELD = re.compile(r"rows:(\d+): (?:`(.+?)`: |.*`(_salt)`$)")


@dataclass(frozen=True)
class Widening:
    """The values that merged ranges contain in addition to the requested ones."""

    #: The field with the additional values, and their unit, such as ``day``; ``None`` if they cannot be counted.
    field: str
    unit: Optional[str]
    asked: Optional[int]
    read: Optional[int]
    #: The ratio of values read to values requested.
    factor: Optional[float]


@dataclass(frozen=True)
class Plan:
    """A planned statement and what it does."""

    #: Settings and statements, as ``plan`` prints them.
    sql: str
    kind: PlanKind
    engine: Engine
    shape: str
    #: The Hive tables that are read and written; the target is ``None`` for a query without an INSERT.
    mapping: str
    target: Optional[str]
    #: The partitions that are overwritten, as SHOW PARTITIONS names them.
    partitions: Tuple[str, ...]
    #: Ranges and points that are read.
    ranges: int
    #: Scans of HBase and jobs that the statement needs.
    scans: int
    jobs: int
    #: ``None`` if no ranges were merged, or no values lie between them.
    widening: Optional[Widening]
    warnings: Tuple[Message, ...]


@dataclass(frozen=True)
class KeyRange:
    """A range of row keys, half-open, in the byte order of HBase."""

    #: The first row key; ``b""`` is the start of the table.
    start: bytes
    #: The first row key after the range; ``None`` is the end of the table.
    stop: Optional[bytes]
    #: The condition in HiveQL that the rows of the range must satisfy; ``None`` if all of them are rows of the predicate.
    residual: Optional[str]

    @property
    def is_point(self) -> bool:
        """Whether the range has one row key only: then ``start`` can be read with a get."""
        return self.stop == self.start + b"\x00"


@dataclass(frozen=True)
class Ranges:
    """What a predicate reads: ``for found in ranges``, ``len(ranges)``."""

    #: The HBase table, with its namespace.
    table: str
    kind: PlanKind
    #: In key order, disjoint.
    ranges: Tuple[KeyRange, ...]

    def __iter__(self) -> Iterator[KeyRange]:
        return iter(self.ranges)

    def __len__(self) -> int:
        return len(self.ranges)


def plan(
    schema: Path,
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
    templates: Optional[Path] = None,
    allow_full_scan: bool = False,
    allow_empty: bool = False,
    allow_partial: bool = False,
    into: bool = False,
) -> str:
    """The Hive statement that reads a predicate's rows: an INSERT OVERWRITE, with ``into`` an INSERT INTO, or with
    ``select`` a query.

    ``logical`` gives a query the columns of the logical table. ``params`` has the values of ``:name``: a str, int,
    Decimal, date, datetime or bool, or a list of them for ``IN (:name)``. ``runtime`` has texts that the scheduler replaces
    when the statement runs, such as ``{"day": "hivevar:day"}``, or ``{"day:iso": "airflow:ds"}`` for a value in another
    format than that of the key. ``now`` is the time for ``current_date``.

    Raises ``Refused`` for a plan that reads the whole table or nothing, replaces more rows than it reads (accept it with
    ``allow_partial``), or exceeds a limit, and ``InvalidInput`` for a faulty schema or predicate. ``max_widening`` is a number or ``"any"``.
    """
    arguments = ["plan", *_choices(max_branches=max_branches, templates=templates, engine=engine, shape=shape)]
    arguments += _choices(max_widening=max_widening, max_scans=max_scans, max_jobs=max_jobs, max_bytes=max_bytes)
    arguments += _flags(select=select, logical=logical, no_header=not header)
    arguments += _flags(allow_full_scan=allow_full_scan, allow_empty=allow_empty)
    arguments += _flags(allow_partial=allow_partial, into=into)
    return _about(arguments, schema, predicate, params, now, runtime)


def plan_details(
    schema: Path,
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
    templates: Optional[Path] = None,
    allow_full_scan: bool = False,
    allow_empty: bool = False,
    allow_partial: bool = False,
    into: bool = False,
) -> Plan:
    """The statement of ``plan``, with the partitions that it overwrites, how much it reads, and its warnings as values
    instead of Python warnings."""
    arguments = ["plan", "--output-format=json", "--quiet"]
    arguments += _choices(max_branches=max_branches, templates=templates, engine=engine, shape=shape)
    arguments += _choices(max_widening=max_widening, max_scans=max_scans, max_jobs=max_jobs, max_bytes=max_bytes)
    arguments += _flags(select=select, logical=logical, no_header=not header)
    arguments += _flags(allow_full_scan=allow_full_scan, allow_empty=allow_empty)
    arguments += _flags(allow_partial=allow_partial, into=into)
    found = json.loads(_about(arguments, schema, predicate, params, now, runtime))
    return Plan(
        sql=found["sql"],
        kind=found["kind"],
        engine=found["engine"],
        shape=found["shape"],
        mapping=found["mapping"],
        target=found["target"],
        partitions=tuple(found["partitions"]),
        ranges=found["ranges"],
        scans=found["scans"],
        jobs=found["jobs"],
        widening=_widening(found["widening"]),
        warnings=tuple(Message.of_json(warning) for warning in found["warnings"]),
    )


def _widening(found: Optional[Dict[str, Any]]) -> Optional[Widening]:
    if found is None:
        return None
    asked, read = (None if found[name] is None else int(found[name]) for name in ("asked", "read"))
    return Widening(found["field"], found["unit"], asked, read, found["factor"])


def explain(
    schema: Path,
    predicate: str,
    params: Optional[Params] = None,
    *,
    now: Optional[Now] = None,
    engine: Optional[Engine] = None,
    max_branches: Optional[int] = None,
    max_widening: Optional[MaxWidening] = None,
    max_scans: Optional[int] = None,
    max_jobs: Optional[int] = None,
    max_bytes: Optional[int] = None,
    from_splits: Optional[Path] = None,
    from_keys: Optional[Path] = None,
    regions: Optional[Path] = None,
) -> Dict[str, Any]:
    """The key ranges of a predicate, and the conditions that did not narrow them; docs/json.md describes the members.

    ``refused`` says why ``plan`` refuses the predicate, or is None. ``from_splits`` is a file with the output of the HBase
    shell's ``list_regions``, and ``from_keys`` one with a sample of row keys: they add what is read of the live table.
    """
    if regions is not None:
        warnings.warn("`regions` is now called `from_splits`", DeprecationWarning, stacklevel=2)
        from_splits = regions if from_splits is None else from_splits
    arguments = ["explain", "--output-format=json"]
    arguments += _choices(engine=engine, max_branches=max_branches, max_widening=max_widening)
    arguments += _choices(max_scans=max_scans, max_jobs=max_jobs, max_bytes=max_bytes)
    arguments += _choices(from_splits=from_splits, from_keys=from_keys)
    result: Dict[str, Any] = json.loads(_about(arguments, schema, predicate, params, now))
    refused = result["refused"]
    if refused is not None:
        refused["help"] = _arguments.translated(refused["help"])
    return result


def scan(
    schema: Path,
    predicate: str,
    params: Optional[Params] = None,
    *,
    now: Optional[Now] = None,
    max_branches: Optional[int] = None,
    max_widening: Optional[MaxWidening] = None,
    max_bytes: Optional[int] = None,
    allow_full_scan: bool = False,
    allow_empty: bool = False,
) -> Dict[str, Any]:
    """The ranges for an HBase client: those of ``explain``, the table, and a FuzzyRowFilter if it reads less."""
    arguments = ["scan", "--output-format=json"]
    arguments += _choices(max_branches=max_branches, max_widening=max_widening, max_bytes=max_bytes)
    arguments += _flags(allow_full_scan=allow_full_scan, allow_empty=allow_empty)
    result: Dict[str, Any] = json.loads(_about(arguments, schema, predicate, params, now))
    return result


def ranges(
    schema: Path,
    predicate: str,
    params: Optional[Params] = None,
    *,
    now: Optional[Now] = None,
    max_branches: Optional[int] = None,
    max_widening: Optional[MaxWidening] = None,
    max_scans: Optional[int] = None,
    max_bytes: Optional[int] = None,
    allow_full_scan: bool = False,
    allow_empty: bool = False,
    **more_params: Value,
) -> Ranges:
    """The row-key ranges of a predicate, for any program that scans HBase; no Hive table is needed.

    ``params`` has the values of ``:name``, as in ``plan``. Keywords that are not options are parameters, too.

    A range with a ``residual`` also has rows that are not of the predicate; then there is a ``SaltplanWarning``. Raises
    ``Refused`` for a plan that reads the whole table or nothing; with ``allow_empty`` the latter has no ranges.
    """
    twice = sorted(set(params) & set(more_params)) if isinstance(params, abc.Mapping) else []
    if twice:
        raise TypeError(f"params: `{twice[0]}` is also a keyword")
    if more_params and (params is None or isinstance(params, abc.Mapping)):
        params = {**(params or {}), **more_params}
    arguments = ["plan", "--output-format=ranges"]
    arguments += _choices(max_branches=max_branches, max_widening=max_widening, max_scans=max_scans, max_bytes=max_bytes)
    arguments += _flags(allow_full_scan=allow_full_scan, allow_empty=allow_empty)
    found = json.loads(_about(arguments, schema, predicate, params, now))
    several = (
        KeyRange(bytes.fromhex(one["start"]), None if one["stop"] is None else bytes.fromhex(one["stop"]), one["residual"])
        for one in found["ranges"]
    )
    return Ranges(found["table"], found["kind"], tuple(several))


def check(
    schema: Path,
    predicate: str,
    params: Optional[Params] = None,
    *,
    runtime: Optional[Mapping[str, str]] = None,
    now: Optional[Now] = None,
    engine: Optional[Engine] = None,
    shape: Optional[Shape] = None,
    by: Optional[str] = None,
    rows: Optional[int] = None,
    asserts: bool = False,
    header: bool = True,
    max_branches: Optional[int] = None,
    max_widening: Optional[MaxWidening] = None,
    max_scans: Optional[int] = None,
    max_jobs: Optional[int] = None,
    max_bytes: Optional[int] = None,
    allow_full_scan: bool = False,
    allow_empty: bool = False,
    allow_partial: bool = False,
) -> str:
    """The Hive query that says whether all rows of a predicate arrived in the target: it returns a row for each group that
    differs.

    ``by`` is the field or column by which rows are counted, such as the day, or ``salt``. ``rows`` lists at most so many
    rows that differ, instead of groups. With ``asserts`` the statement fails if a group differs. The other arguments are
    those of ``plan``.

    Raises ``Refused`` for a plan that ``plan`` refuses, and for a part of a partition (``allow_partial`` says that the target
    has no other rows in it).
    """
    arguments = ["check", *_choices(by=by, rows=rows, max_branches=max_branches, engine=engine, shape=shape)]
    arguments += _choices(max_widening=max_widening, max_scans=max_scans, max_jobs=max_jobs, max_bytes=max_bytes)
    arguments += [*(["--assert"] if asserts else []), *_flags(no_header=not header)]
    arguments += _flags(allow_full_scan=allow_full_scan, allow_empty=allow_empty, allow_partial=allow_partial)
    return _about(arguments, schema, predicate, params, now, runtime)


def ddl(schema: Path, only: Sequence[Part] = (), *, if_not_exists: bool = False) -> str:
    """The statements that create the tables; ``only`` selects some of ``hbase``, ``mapping``, ``view``, ``target``,
    ``phoenix``."""
    parts = [f"--only={part}" for part in only]
    arguments = ["ddl", *parts, *_flags(if_not_exists=if_not_exists), "--", _file(schema)]
    return call(arguments)[0]


def splits(schema: Path) -> List[bytes]:
    """The split keys in byte order."""
    found = json.loads(call(["splits", "--output-format=json", "--", _file(schema)])[0])
    return [bytes.fromhex(key["hex"]) for key in found["split_keys"]]


def load(schema: Path, source: str, *, max_bytes: Optional[int] = None) -> str:
    """The Hive statement that writes rows of the table ``source`` to HBase, with the row key built in HiveQL."""
    return call(["load", f"--from={source}", *_choices(max_bytes=max_bytes), "--", _file(schema)])[0]


def verify(schema: Path, *, max_bytes: Optional[int] = None) -> str:
    """The Hive query that counts stored rows with a wrong key."""
    return call(["verify", *_choices(max_bytes=max_bytes), "--", _file(schema)])[0]


def encode(schema: Path, rows: Iterable[Mapping[str, Any]]) -> List[bytes]:
    """The row keys of rows. Every row must have a member for every key field.

    A key field takes a str, int, Decimal, date or datetime, and None if the schema says ``nullable: true``; other members
    may be anything. Raises ``TypeError`` for
    any other type of a key field, and ``Refused`` for a value that violates the field's declaration.
    """
    lines: List[str] = []
    untaken: Dict[Tuple[int, str], TypeError] = {}
    for at, row in enumerate(_several("rows", rows, "mappings, such as `frame.to_dict(\"records\")`")):
        if not isinstance(row, abc.Mapping):
            raise TypeError(f"rows[{at}]: expected a mapping of names to values, not {type(row).__name__}")
        members: Dict[str, Union[str, int, None]] = {}
        for name, value in row.items():
            name = _values.text(f"rows[{at}]", name)
            try:
                members[name] = _values.member(f"rows[{at}][{name!r}]", value)
            except TypeError as error:
                # Only the command knows which members are key fields, and which of them may be null. No key field
                # accepts a truth value, so `false` represents a value of a wrong type and cannot become null.
                members[name] = None if value is None else False
                untaken[at + 1, name.lower()] = error
        lines.append(json.dumps(members, ensure_ascii=False) + "\n")
    try:
        return _keys("encode", schema, "rows", lines, bytes.fromhex)
    except SaltplanError as refused:
        for message in refused.messages:
            found = _FAULT_OF_FIELD.match(message.message)
            cause = found and untaken.get((int(found[1]), (found[2] or found[3]).lower()))
            if cause:
                raise cause from refused
        raise


def decode(schema: Path, keys: Iterable[bytes]) -> List[Dict[str, Any]]:
    """The rows of row keys. Raises ``Refused`` if a key cannot be decoded or has a wrong salt."""
    lines: List[str] = []
    for at, key in enumerate(_several("keys", keys, "bytes")):
        if not isinstance(key, (bytes, bytearray, memoryview)):
            raise TypeError(f"keys[{at}]: expected bytes, not {type(key).__name__}")
        if not key:
            raise Refused([Message("error", f"keys:{at + 1}: a row key has at least one byte", None, None, None, ())])
        lines.append(key.hex() + "\n")
    return _keys("decode", schema, "keys", lines, json.loads)


def _keys(command: str, schema: Path, name: str, lines: List[str], read: Callable[[str], Line]) -> List[Line]:
    """What ``key encode`` or ``key decode`` prints for each line."""
    arguments = ["key", command, "--key-form=hex", f"--stdin-filename={name}", "--", _file(schema), "-"]
    return [read(line) for line in call(arguments, "".join(lines))[0].splitlines()]


def rewrite(
    query: str,
    schemas: Union[Path, Sequence[Path]],
    hivevar: Optional[Mapping[str, Union[str, int]]] = None,
    *,
    hiveconf: Optional[Mapping[str, Union[str, int]]] = None,
    runtime: Sequence[str] = (),
    now: Optional[Now] = None,
    tables: Union[Path, Sequence[Path]] = (),
    database: Optional[str] = None,
    engine: Optional[Engine] = None,
    shape: Optional[Shape] = None,
    max_branches: Optional[int] = None,
    max_widening: Optional[MaxWidening] = None,
    max_scans: Optional[int] = None,
    max_jobs: Optional[int] = None,
    allow_full_scan: bool = False,
    allow_empty: bool = False,
    allow_partial: bool = False,
    allow_overlap: bool = False,
) -> str:
    """A HiveQL query with its logical tables replaced by the key ranges that its own conditions leave.

    ``schemas`` are schema files and folders of them. ``hivevar`` and ``hiveconf`` have values of ``${name}``, and ``runtime``
    texts that are filled in in the form of the key, such as ``hivevar:day``. ``now`` is the time for ``current_date``. Clocks and
    placeholders without a value are known when the query runs; the ranges are then those of all keys for a value of another form.
    ``tables`` are files with the columns of other tables: CREATE TABLE statements, or the output of DESCRIBE.

    Raises ``Refused`` where a table is still read as a whole, unless ``allow_full_scan`` accepts it, and for an INSERT
    OVERWRITE that would lose rows: one without a row (``allow_empty``), with a part of what it replaces in the target of a
    schema (``allow_partial``), or of what the script has written there before (``allow_overlap``). Raises ``InvalidInput``
    for a text that is no HiveQL.
    """
    arguments = _choices(database=database, engine=engine, shape=shape, max_branches=max_branches)
    arguments += _choices(max_widening=max_widening, max_scans=max_scans, max_jobs=max_jobs)
    arguments += _flags(allow_full_scan=allow_full_scan, allow_empty=allow_empty)
    arguments += _flags(allow_partial=allow_partial, allow_overlap=allow_overlap)
    arguments += [*_variables("hivevar", hivevar), *_variables("hiveconf", hiveconf), *_now(now)]
    return call(_of_query(arguments, schemas, runtime, tables), _values.text("query", query))[0]


def rewrite_details(
    query: str,
    schemas: Union[Path, Sequence[Path]],
    hivevar: Optional[Mapping[str, Union[str, int]]] = None,
    *,
    hiveconf: Optional[Mapping[str, Union[str, int]]] = None,
    runtime: Sequence[str] = (),
    now: Optional[Now] = None,
    tables: Union[Path, Sequence[Path]] = (),
    database: Optional[str] = None,
    engine: Optional[Engine] = None,
    shape: Optional[Shape] = None,
    max_branches: Optional[int] = None,
    max_widening: Optional[MaxWidening] = None,
    max_scans: Optional[int] = None,
    max_jobs: Optional[int] = None,
    allow_empty: bool = False,
    allow_partial: bool = False,
    allow_overlap: bool = False,
) -> Dict[str, Any]:
    """The query of ``rewrite`` as ``sql``, with each place where it reads a logical table in ``references``.

    Tables that are still read as a whole are among them, with the reason, instead of an exception. Raises ``Refused`` as
    ``rewrite`` does for an INSERT OVERWRITE that would lose rows.
    """
    arguments = ["--output-format=json", "--quiet", "--allow-full-scan"]
    arguments += _flags(allow_empty=allow_empty, allow_partial=allow_partial, allow_overlap=allow_overlap)
    arguments += _choices(database=database, engine=engine, shape=shape, max_branches=max_branches)
    arguments += _choices(max_widening=max_widening, max_scans=max_scans, max_jobs=max_jobs)
    arguments += [*_variables("hivevar", hivevar), *_variables("hiveconf", hiveconf), *_now(now)]
    found = json.loads(call(_of_query(arguments, schemas, runtime, tables), _values.text("query", query))[0])
    result: Dict[str, Any] = found["files"][0]
    return result


def _of_query(
    arguments: List[str],
    schemas: Union[Path, Sequence[Path]],
    runtime: Sequence[str],
    tables: Union[Path, Sequence[Path]],
) -> List[str]:
    named = [f"--schemas={file}" for file in _files("schemas", schemas)]
    if not named:
        raise InvalidInput([Message("error", "there are no schemas", None, "name a file or a folder", None, ())])
    later = [f"--runtime={text}" for text in _several("runtime", runtime, "texts")]
    named += [f"--tables={file}" for file in _files("tables", tables)]
    return ["rewrite", "--stdin-filename=query", *arguments, *later, *named, "-"]


def _files(name: str, paths: Union[Path, Sequence[Path]]) -> List[str]:
    if isinstance(paths, (str, os.PathLike)):
        return [os.fspath(paths)]
    return [os.fspath(path) for path in _several(name, paths, "paths")]


def _variables(flag: str, variables: Optional[Mapping[str, Union[str, int]]]) -> Iterable[str]:
    if variables is not None and not isinstance(variables, abc.Mapping):
        raise TypeError(f"{flag}: expected a mapping of names to values, not {type(variables).__name__}")
    for name, value in (variables or {}).items():
        name = _values.text(flag, name)
        # The command ends a name at the first `=`.
        if not name.strip() or "=" in name:
            text = f"{flag}: `{name}` is not a valid name for a variable"
            raise InvalidInput([Message("error", text, None, None, None, ())])
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            raise TypeError(f"{flag}[{name!r}]: expected a str or an int, not {type(value).__name__}")
        yield f"--{flag}={name}={value}"


def audit(*paths: Path, fail_on: Optional[FailOn] = None) -> Dict[str, Any]:
    """The findings of schema files and folders, as ``audit --output-format json`` prints them."""
    if not paths:
        raise InvalidInput([Message("error", "nothing to audit", None, "name a file or a folder", None, ())])
    arguments = ["audit", "--output-format=json", *_choices(fail_on=fail_on), "--"]
    text = call([*arguments, *(os.fspath(path) for path in paths)], findings=True)[0]
    result: Dict[str, Any] = json.loads(text)
    return result


def _about(
    arguments: List[str],
    schema: Path,
    predicate: str,
    params: Optional[Params],
    now: Optional[Now],
    runtime: Optional[Mapping[str, str]] = None,
) -> str:
    # The predicate goes to standard input, which has no length limit, and the values into a file, as JSON.
    arguments += [*_now(now), *_runtime(runtime, params), "--", _file(schema), "@-"]
    predicate = _values.text("predicate", predicate)
    if params is not None and not isinstance(params, abc.Mapping):
        raise TypeError(f"params: expected a mapping of names to values, not {type(params).__name__}")
    if not params:
        return call(arguments, predicate)[0]
    given = {_name(name): _values.parameter(name, value) for name, value in params.items()}
    with tempfile.TemporaryDirectory(prefix="saltplan-") as folder:
        file = os.path.join(folder, "params.json")
        with open(file, "w", encoding="utf-8") as opened:
            json.dump(given, opened, ensure_ascii=False)
        return call([arguments[0], f"--params-file={file}", *arguments[1:]], predicate, names={file: "params"})[0]


def _now(now: Optional[Now]) -> Iterator[str]:
    """The time of ``current_date``; one with a zone would be local time in the zone of the schema, which only the command
    knows."""
    if now is None:
        return
    found = _values.scalar("now", now)
    if not isinstance(found, str) or not isinstance(now, (str, date)):
        raise TypeError(f"now: expected a str, a date or a datetime without a zone, not {now!r}")
    yield f"--now={found}"


def _runtime(runtime: Optional[Mapping[str, str]], params: Optional[Params]) -> Iterator[str]:
    if runtime is not None and not isinstance(runtime, abc.Mapping):
        raise TypeError(f"runtime: expected a mapping of names to texts, not {type(runtime).__name__}")
    for name, text in (runtime or {}).items():
        name = _values.text("runtime", name)
        if name.split(":")[0] in (params or {}):
            raise TypeError(f"runtime: `{name.split(':')[0]}` is also in params")
        _name(name.split(":")[0], "runtime")
        yield f"--runtime={name}={_values.text(f'runtime[{name!r}]', text)}"


def _name(name: str, argument: str = "params") -> str:
    name = _values.text(argument, name)
    if not name.replace("_", "a").isalnum():
        text = f"{argument}: `{name}` is not a valid name for a parameter"
        raise InvalidInput([Message("error", text, None, None, None, ())])
    return name


def _file(schema: Path) -> str:
    path = os.fspath(schema)
    # For the command `-` is standard input, which is used for the predicate or the rows.
    return os.path.join(os.curdir, path) if path == "-" else path


def _several(name: str, values: Iterable[Any], of: str) -> Iterable[Any]:
    if isinstance(values, (str, bytes, bytearray, memoryview, abc.Mapping)) or not isinstance(values, abc.Iterable):
        raise TypeError(f"{name}: expected a list of {of}, not {type(values).__name__}")
    return values


def _choices(**choices: Optional[Union[str, int, Path]]) -> List[str]:
    arguments: List[str] = []
    for name, value in choices.items():
        if value is not None:
            arguments.append(f"--{name.replace('_', '-')}={value}")
    return arguments


def _flags(**flags: bool) -> List[str]:
    return [f"--{name.replace('_', '-')}" for name, is_set in flags.items() if is_set]
