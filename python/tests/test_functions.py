"""The functions against the command that they call, on the examples of the repository."""

import datetime
import inspect
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Callable, List, Tuple

import pytest
import saltplan

EXAMPLES = Path(__file__).parents[2] / "schemas" / "examples"
NIBBLE = EXAMPLES / "md5_nibble_day.yaml"


def command(*arguments: str) -> str:
    done = subprocess.run([saltplan.find_saltplan_bin(), *arguments], capture_output=True, check=True)
    return done.stdout.decode()


def test_plan_is_what_the_command_prints() -> None:
    sql = saltplan.plan(NIBBLE, "opera_day = :day", {"day": 20200406}, engine="mr")
    assert sql == command("plan", str(NIBBLE), "opera_day = :day", "--param", "day=20200406", "--engine", "mr")
    assert "PARTITION (`opera_day` = 20200406)" in sql


@pytest.mark.filterwarnings("ignore::saltplan.SaltplanWarning")
def test_a_value_stays_in_its_literal() -> None:
    sql = saltplan.plan(NIBBLE, "opera_day = 20200406 AND phone_number = :p", {"p": "x' OR 1 = 1 -- ü\\"}, into=True)
    assert "'x\\' OR 1 = 1 -- ü\\\\'" in sql


def test_predicates_of_any_length_and_start() -> None:
    many = " OR ".join(f"(opera_day = 20200406 AND row_id = 'u{number}')" for number in range(1_000))
    assert saltplan.explain(NIBBLE, many)["kind"] == "fan_out"
    with pytest.raises(saltplan.InvalidInput, match="65,?536"):
        saltplan.explain(NIBBLE, f"{many} OR {many}")
    with pytest.raises(saltplan.InvalidInput):
        saltplan.plan(NIBBLE, "@/etc/hostname")


def test_logical_columns() -> None:
    sql = saltplan.plan(NIBBLE, "opera_day = 20200406", select=True, logical=True)
    assert sql == command("plan", str(NIBBLE), "opera_day = 20200406", "--select", "--logical")
    assert "opera_day" in sql and sql != saltplan.plan(NIBBLE, "opera_day = 20200406", select=True)


def test_details() -> None:
    found = saltplan.plan_details(NIBBLE, "opera_day = 20200406", header=False)
    assert (found.kind, found.engine, found.shape, found.ranges) == ("fan_out", "tez", "union_all", 16)
    assert found.partitions == ("opera_day=20200406",)
    assert found.sql == saltplan.plan(NIBBLE, "opera_day = 20200406", header=False)


def test_ranges_are_what_explain_shows() -> None:
    found = saltplan.ranges(NIBBLE, "opera_day = :day AND row_id IN (:ids)", {"ids": ["u1", "u2"]}, day=20200406)
    assert (found.table, found.kind, len(found)) == ("multi:t_wx_recommend_log_test", "fan_out", 2)
    assert [(one.start, one.stop, one.is_point) for one in found] == [
        (b"00720200406u2", b"00720200406u2\x00", True),
        (b"01520200406u1", b"01520200406u1\x00", True),
    ]
    day = saltplan.ranges(NIBBLE, "opera_day = 20200406")
    assert day.ranges[0] == saltplan.KeyRange(b"00020200406", b"00020200407", None) and not day.ranges[0].is_point
    branches = saltplan.explain(NIBBLE, "opera_day = 20200406")["branches"]
    assert [one.start.hex() for one in day] == [branch["start"]["hex"] for branch in branches]


def test_ranges_with_residuals_and_refusals() -> None:
    with pytest.warns(saltplan.SaltplanWarning, match="check the rows against the residual"):
        found = saltplan.ranges(NIBBLE, "opera_day = 20200406 AND phone_number = '1'")
    assert {one.residual for one in found} == {"phone_number = '1'"}
    with pytest.raises(saltplan.Refused, match="whole table"):
        saltplan.ranges(NIBBLE, "phone_number = '1'")
    never = "opera_day = 20200406 AND opera_day = 20200407"
    with pytest.raises(saltplan.Refused, match="never true"):
        saltplan.ranges(NIBBLE, never)
    assert list(saltplan.ranges(NIBBLE, never, allow_empty=True)) == []
    with pytest.warns(saltplan.SaltplanWarning):
        everything = saltplan.ranges(NIBBLE, "phone_number = '1'", allow_full_scan=True)
    assert [(one.start, one.stop) for one in everything] == [(b"", None)]
    with pytest.raises(saltplan.Refused, match="16 ranges"):
        saltplan.ranges(NIBBLE, "opera_day = 20200406", max_scans=15)


def test_parameters_of_ranges() -> None:
    predicate = "opera_day = :day"
    assert saltplan.ranges(NIBBLE, predicate, day="20200406") == saltplan.ranges(NIBBLE, predicate, {"day": 20200406})
    with pytest.raises(TypeError, match="`day` is also a keyword"):
        saltplan.ranges(NIBBLE, predicate, {"day": 20200406}, day=20200407)
    with pytest.raises(TypeError, match="expected a mapping"):
        saltplan.ranges(NIBBLE, predicate, [20200406], day=20200406)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="day"):
        saltplan.ranges(NIBBLE, predicate, day=1.5)  # type: ignore[arg-type]
    with pytest.raises(saltplan.InvalidInput, match="typo"):
        saltplan.ranges(NIBBLE, "opera_day = 20200406", typo=5)


CALLS = Path(__file__).parents[2] / "examples" / "rewrite" / "calls.yaml"
USERS = CALLS.with_name("users.sql")


def test_rewrite_is_what_the_command_prints() -> None:
    query = USERS.read_text(encoding="utf-8")
    sql = saltplan.rewrite(query, CALLS, {"day": 20200406}, engine="mr")
    options = ["--hivevar", "day=20200406", "--engine", "mr"]
    assert sql == command("rewrite", "--schemas", str(CALLS), str(USERS), *options)
    assert saltplan.rewrite(query, [CALLS.parent], {"day": "20200406"}, engine="mr") == sql
    found = saltplan.rewrite_details(query, CALLS, {"day": 20200406}, engine="mr")
    assert found["sql"] == sql and found["references"][0]["reads"]["ranges"] == 2
    later = saltplan.rewrite(query, CALLS, runtime=["hivevar:day"])
    assert "c.opera_day = ${day}" in later and "assert_true" in later


def test_a_query_that_stays_unpruned_is_refused() -> None:
    query = "SELECT phone FROM trace.calls WHERE phone = '-'"
    with pytest.raises(saltplan.Refused, match="still reads the whole table") as caught:
        saltplan.rewrite(query, CALLS)
    assert caught.value.messages[0].labels[0].line == 1
    with pytest.warns(saltplan.SaltplanWarning, match="still reads the whole table"):
        assert saltplan.rewrite(query, CALLS, allow_full_scan=True) == query
    found = saltplan.rewrite_details(query, CALLS)
    assert not found["changed"] and found["references"][0]["left"]["code"] == "full_scan"


def test_invalid_queries_and_variables() -> None:
    with pytest.raises(saltplan.InvalidInput, match="this quote is not closed"):
        saltplan.rewrite("SELECT 'a", CALLS)
    with pytest.raises(saltplan.InvalidInput, match="there are no schemas"):
        saltplan.rewrite("SELECT 1", [])
    with pytest.raises(TypeError, match=r"hivevar\['day'\]: expected a str or an int, not float"):
        saltplan.rewrite("SELECT 1", CALLS, {"day": 1.5})  # type: ignore[dict-item]
    for name in ["d=x", "", " "]:
        with pytest.raises(saltplan.InvalidInput, match="is not a valid name for a variable"):
            saltplan.rewrite("SELECT 1", CALLS, {name: "1"})
        with pytest.raises(saltplan.InvalidInput, match="is not a valid name for a variable"):
            saltplan.rewrite("SELECT 1", CALLS, hiveconf={name: "1"})
    with pytest.raises(saltplan.InvalidInput, match=r"has a NUL character \(byte 8\)"):
        saltplan.rewrite("SELECT 1\0", CALLS)
    with pytest.raises(TypeError, match="runtime: expected a list of texts, not str"):
        saltplan.rewrite("SELECT 1", CALLS, runtime="hivevar:day")


def test_a_full_scan_is_refused() -> None:
    with pytest.raises(saltplan.Refused, match="whole table") as caught:
        saltplan.plan(NIBBLE, "row_id = 'u1'")
    assert "`allow_full_scan=True`" in (caught.value.help or "")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.messages, str(again)) == (caught.value.messages, str(caught.value))


def test_a_wrong_name_has_its_place() -> None:
    with pytest.raises(saltplan.InvalidInput) as caught:
        saltplan.explain(NIBBLE, "opera_dya = 20200406")
    label = caught.value.labels[0]
    assert (label.line, label.column, label.end_column) == (1, 1, 10)
    assert "opera_day" in (caught.value.help or "")
    assert str(caught.value).startswith("predicate:1:1: ")


def test_messages_name_what_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for predicate in ["opera_day = ", "@opera_day", "opera_day = 20200406 AND " * 1_000]:
        with pytest.raises(saltplan.InvalidInput, match=r"^predicate:1:\d+: "):
            saltplan.plan(NIBBLE, predicate)
    file = tmp_path / "wrong.yaml"
    file.write_text(NIBBLE.read_text().replace("opera_day,", "opera_day, typo: 1,"))
    with pytest.raises(saltplan.InvalidInput, match=rf"^{file}:\d+:\d+: .*typo"):
        saltplan.plan(file, "opera_day = 20200406")
    # `-` is a file here, and not standard input.
    monkeypatch.chdir(tmp_path)
    with pytest.raises(saltplan.InvalidInput, match="no file"):
        saltplan.splits("-")
    shutil.copy(NIBBLE, tmp_path / "-")
    assert saltplan.splits("-") == saltplan.splits(NIBBLE)


def test_wrong_arguments_are_invalid() -> None:
    with pytest.raises(saltplan.InvalidInput, match="impala"):
        saltplan.plan(NIBBLE, "opera_day = 20200406", engine="impala")
    with pytest.raises(saltplan.Refused, match="generate reader --lang pyspark"):
        saltplan.plan(NIBBLE, "opera_day = 20200406", engine="spark")
    with pytest.raises(saltplan.InvalidInput, match="no file"):
        saltplan.plan("-nothing.yaml", "a = 1")


def test_warnings_are_pythons() -> None:
    partly = "opera_day = 20200406 AND phone_number = '1'"
    with pytest.warns(saltplan.SaltplanWarning, match="not a partition column") as seen:
        saltplan.plan(NIBBLE, partly, allow_partial=True)
    assert [warning.filename for warning in seen] == [__file__]
    assert [message.severity for message in saltplan.plan_details(NIBBLE, partly, allow_partial=True).warnings] == ["warning"]


def test_a_part_of_a_partition() -> None:
    partly = "opera_day = 20200406 AND phone_number = '1'"
    with pytest.raises(saltplan.Refused) as refused:
        saltplan.plan(NIBBLE, partly)
    assert refused.value.messages[0].code == "partial"
    with pytest.warns(saltplan.SaltplanWarning, match="a second run"):
        assert "INSERT INTO TABLE" in saltplan.plan(NIBBLE, partly, into=True)
    assert saltplan.plan_details(NIBBLE, partly, into=True).warnings[0].code == "rows_added"
    assert "INSERT" not in saltplan.plan(NIBBLE, partly, select=True)


def test_an_insert_without_a_row() -> None:
    query = "INSERT OVERWRITE TABLE t SELECT phone FROM trace.calls WHERE opera_day = 20240631"
    calls = EXAMPLES.parent.parent / "examples" / "rewrite" / "calls.yaml"
    for function in (saltplan.rewrite, saltplan.rewrite_details):
        with pytest.raises(saltplan.Refused) as refused:
            function(query, calls)
        assert refused.value.messages[0].code == "empty"
        assert "LIMIT 0" in str(function(query, calls, allow_empty=True))


def test_keys_there_and_back() -> None:
    rows = [{"opera_day": 20200406, "row_id": f"u{number}"} for number in range(100)]
    keys = saltplan.encode(NIBBLE, rows)
    assert keys[1] == b"01520200406u1" and len(keys) == 100
    back = saltplan.decode(NIBBLE, keys)
    assert [row["row_id"] for row in back] == [row["row_id"] for row in rows]
    with pytest.raises(saltplan.Refused):
        saltplan.decode(NIBBLE, [b"99920200406u1"])
    assert saltplan.encode(NIBBLE, []) == []


def test_a_null_is_none(tmp_path: Path) -> None:
    schema = tmp_path / "visits.yaml"
    fields = "[{ name: city, type: string, nullable: true, then: '_' }, { name: n, type: string }]"
    schema.write_text(f"saltplan: 1\nhbase: {{ table: t, families: {{ f: {{}} }} }}\nkey: {{ fields: {fields} }}\n")
    rows = [{"city": None, "n": "1"}, {"city": "paris", "n": "2"}]
    keys = saltplan.encode(schema, rows)
    assert keys == [b"_1", b"paris_2"] and saltplan.decode(schema, keys) == rows
    with pytest.raises(saltplan.Refused, match="write null"):
        saltplan.encode(schema, [{"city": "", "n": "1"}])
    # Only None is null.
    for value in [float("nan"), 1.5, [], b"x"]:
        with pytest.raises(TypeError, match="city"):
            saltplan.encode(schema, [{"city": value, "n": "1"}])
    with pytest.raises(TypeError, match="'n'"):
        saltplan.encode(schema, [{"city": "x", "n": None}])


def test_splits_and_ddl() -> None:
    keys = saltplan.splits(NIBBLE)
    assert len(keys) == 15 and keys == sorted(keys)
    assert "create " in saltplan.ddl(NIBBLE, ["hbase"])
    assert "CREATE" in saltplan.ddl(NIBBLE, only=["mapping"])
    assert "INSERT" in saltplan.load(NIBBLE, "trace.raw")
    assert "SELECT" in saltplan.verify(NIBBLE)


def test_audit_finds() -> None:
    found = saltplan.audit(EXAMPLES, fail_on="note")
    assert found["format_version"] == 1
    with pytest.raises(saltplan.InvalidInput):
        saltplan.audit()


def test_the_module_is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "saltplan", "--version"], capture_output=True, check=True)
    assert done.stdout.decode() == command("--version")


def test_the_command_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SALTPLAN_BIN", str(tmp_path / "nothing"))
    with pytest.raises(FileNotFoundError):
        saltplan.splits(NIBBLE)


def test_limits() -> None:
    several = "opera_day IN (20200401, 20200405)"
    found = saltplan.plan_details(NIBBLE, several, engine="mr", max_branches=16)
    assert (found.ranges, found.scans, found.jobs) == (16, 16, 17)
    assert found.widening == saltplan.Widening("opera_day", "day", 2, 5, 2.5)
    assert "widened" in [warning.code for warning in found.warnings]
    assert saltplan.plan_details(NIBBLE, several).widening is None
    explained = saltplan.explain(NIBBLE, several, engine="mr", max_jobs=33)
    assert explained["statement"] == {"engine": "mr", "shape": "isolated", "scans": 32, "jobs": 33}
    assert explained["refused"] is None
    refused = saltplan.explain(NIBBLE, "phone_number = '1'")["refused"]
    assert refused["code"] == "full_scan" and "`plan(allow_full_scan=True)`" in refused["help"]
    live = saltplan.explain(NIBBLE, several, from_splits=NIBBLE.with_name("list_regions.txt"))["live_table"]
    assert (live["plan"]["scans"], live["full_scan"]["regions"], len(live["servers"])) == (32, 16, 3)
    with pytest.warns(DeprecationWarning, match="`regions` is now called `from_splits`"):
        assert saltplan.explain(NIBBLE, several, regions=NIBBLE.with_name("list_regions.txt"))["live_table"] == live
    for limits, way_out in [
        ({"max_branches": 16, "max_widening": 2}, "`max_widening=3`"),
        ({"max_scans": 31}, "`max_scans=32`"),
        ({"engine": "mr", "max_jobs": 32}, "`max_jobs=33`"),
    ]:
        with pytest.raises(saltplan.Refused) as refused:
            saltplan.plan(NIBBLE, several, **limits)
        assert way_out in (refused.value.messages[0].help or "")
    with pytest.raises(saltplan.Refused):
        saltplan.scan(NIBBLE, several, max_branches=16, max_widening=2)
    with pytest.warns(saltplan.SaltplanWarning, match="5 days of `opera_day` for 2"):
        saltplan.scan(NIBBLE, several, max_branches=16, max_widening="any")


def test_every_function_of_a_predicate_takes_values_in_the_same_way() -> None:
    functions = (saltplan.plan, saltplan.plan_details, saltplan.explain, saltplan.scan, saltplan.ranges)
    for function in functions:
        parameters = inspect.signature(function).parameters
        assert list(parameters)[:3] == ["schema", "predicate", "params"], function.__name__
        assert {"now", "max_branches", "max_widening", "max_bytes"} <= set(parameters), function.__name__
        found = [
            function(NIBBLE, "opera_day = :day", {"day": 20200406}),  # type: ignore[operator]
            function(NIBBLE, "opera_day = cast(current_date AS string)", now="2020-04-06"),  # type: ignore[operator]
            function(NIBBLE, "opera_day = cast(current_date AS string)", {}, now=datetime.date(2020, 4, 6)),  # type: ignore[operator]
        ]
        assert [keys_of(one) for one in found] == [keys_of(found[0])] * 3, function.__name__
        with pytest.raises(TypeError, match="params: expected a mapping"):
            function(NIBBLE, "opera_day = :day", [])  # type: ignore[operator]
        with pytest.raises(saltplan.InvalidInput, match="^now: `x` is not a time"):
            function(NIBBLE, "opera_day = 20200406", now="x")  # type: ignore[operator]
        for now in (5, datetime.datetime(2020, 4, 6, tzinfo=datetime.timezone.utc), None if function is None else 1.5):
            with pytest.raises(TypeError, match="^now: expected"):
                function(NIBBLE, "opera_day = 20200406", now=now)  # type: ignore[operator]


def keys_of(found: object) -> object:
    """The start rows of what a function returns; for a statement, those that it compares with."""
    if isinstance(found, saltplan.Ranges):
        return [one.start for one in found]
    if isinstance(found, dict):
        return [bytes.fromhex(branch["start"]["hex"]) for branch in found["branches"]]
    sql = found.sql if isinstance(found, saltplan.Plan) else str(found)
    return re.findall(r"\n  WHERE `key` >= '(\w+)'", sql)


def test_values_of_run_time() -> None:
    sql = saltplan.plan(NIBBLE, "opera_day = :day", runtime={"day": "hivevar:day"})
    assert sql == command("plan", str(NIBBLE), "opera_day = :day", "--runtime", "day=hivevar:day")
    assert saltplan.plan_details(NIBBLE, "opera_day = :day", runtime={"day:iso": "airflow:ds"}).partitions == ()
    both = saltplan.plan(NIBBLE, "opera_day = :day AND row_id = :id", {"id": "u1"}, runtime={"day": "hivevar:day"}, select=True)
    assert "${hivevar:day}" in both and "'u1'" in both
    with pytest.raises(saltplan.InvalidInput, match=r"^runtime\['day'\]: nothing fills in"):
        saltplan.plan(NIBBLE, "opera_day = :day", runtime={"day": "20200406"})
    with pytest.raises(TypeError, match="`day` is also in params"):
        saltplan.plan(NIBBLE, "opera_day = :day", {"day": 20200406}, runtime={"day": "hivevar:day"})
    with pytest.raises(TypeError, match="runtime: expected a mapping"):
        saltplan.plan(NIBBLE, "opera_day = :day", runtime="hivevar:day")  # type: ignore[arg-type]
    with pytest.raises(saltplan.InvalidInput, match="runtime: `a b` is not a valid name"):
        saltplan.plan(NIBBLE, "opera_day = :day", runtime={"a b": "hivevar:day"})


def test_errors_name_arguments_of_python() -> None:
    """Remedies that the command gives as options."""
    many = "opera_day = 20200406 AND row_id IN (" + ", ".join(f"'u{number}'" for number in range(300)) + ")"
    calls: List[Tuple[Callable[[], object], str]] = [
        (lambda: saltplan.plan(NIBBLE, "row_id = 'u1'"), "`allow_full_scan=True`"),
        (lambda: saltplan.scan(NIBBLE, "phone_number = '1'"), "`allow_full_scan=True`"),
        (lambda: saltplan.ranges(NIBBLE, "opera_day = 20200406 AND opera_day = 20200407"), "`allow_empty=True`"),
        (lambda: saltplan.plan(NIBBLE, "opera_day = :day"), '`params={"day": VALUE}`'),
        (lambda: saltplan.plan(NIBBLE, "opera_day = :day"), '`runtime={"day": TEXT}`'),
        (lambda: saltplan.plan(NIBBLE, "opera_day = '{{ ds }}'"), '`runtime={"name": TEXT}`'),
        (lambda: saltplan.plan(NIBBLE, "opera_day = cast(current_date AS string)"), "`now`"),
        (lambda: saltplan.plan(NIBBLE, "opera_day >= 20200406"), "`select=True`"),
        (lambda: saltplan.plan(NIBBLE, "opera_day = 20200406", max_bytes=100), "`max_bytes`"),
        (lambda: saltplan.explain(NIBBLE, "opera_day = 20200406", max_bytes=100), "`max_bytes`"),
        (lambda: saltplan.load(NIBBLE, "a.b", max_bytes=100), "`max_bytes`"),
        (lambda: saltplan.verify(NIBBLE, max_bytes=100), "`max_bytes`"),
        (lambda: saltplan.ranges(NIBBLE, "opera_day = 20200406", max_scans=15), "`max_branches=15`"),
        (lambda: saltplan.plan(NIBBLE, many, max_branches=16, max_widening=1), "`max_branches="),
        (lambda: saltplan.plan(NIBBLE, "opera_day = 20200406", max_branches=0), "max_branches"),
        (lambda: saltplan.plan(NIBBLE, "opera_day = 20200406", engine="impala"), "`engine`"),  # type: ignore[arg-type]
        (lambda: saltplan.ddl(NIBBLE, ["phoenix"]), '`ddl(only=["mapping"])`'),
        (lambda: saltplan.rewrite("SELECT 1", CALLS, runtime=["x"]), "runtime"),
    ]
    for call, remedy in calls:
        with pytest.raises(saltplan.SaltplanError) as caught:
            call()
        said = str(caught.value)
        assert remedy in said, said
        assert not re.search(r"(?<![\w-])--[a-z]", said), said
