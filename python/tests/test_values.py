"""Every value that Python users have is accepted with its meaning, or raises a TypeError that names it."""

import collections
import datetime
import enum
import io
import itertools
import warnings
from decimal import Decimal
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest
import saltplan

EXAMPLES = Path(__file__).parents[2] / "schemas" / "examples"
NIBBLE = EXAMPLES / "md5_nibble_day.yaml"
CALLS = EXAMPLES / "region_number.yaml"
IDS = EXAMPLES / "modulo_partition.yaml"

TABLE = """\
saltplan: 1
hbase: { table: 'a:b', families: { f: {} } }
key:
  fields:
    - { name: n, type: bigint, encoding: decimal, width: 5 }
    - { name: at, type: timestamp, epoch: ms, encoding: decimal, width: 13 }
    - { name: id, type: string }
columns:
  - { name: flag, type: boolean, hbase: 'f:a' }
  - { name: amount, type: 'decimal(18,2)', hbase: 'f:b' }
  - { name: day, type: date, hbase: 'f:c' }
  - { name: note, type: string, hbase: 'f:d' }
hive: { mapping: { table: a.b_map, key_column: k } }
time_zone: ZONE
"""

SHANGHAI = datetime.timezone(datetime.timedelta(hours=8))
LOCAL_MEAN_TIME = datetime.timezone(datetime.timedelta(hours=8, minutes=5, seconds=43))
DAY = datetime.date(2020, 4, 6)
NOON = datetime.datetime(2020, 4, 6, 12)


class Color(enum.Enum):
    RED = "red"


class Name(str, enum.Enum):
    RED = "red"


class Number(enum.IntEnum):
    FIVE = 5


class Loud(str):
    def __str__(self) -> str:
        return "loud"


class Sequence(collections.UserList):  # type: ignore[type-arg]
    pass


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return written(tmp_path, "Asia/Shanghai")


def written(folder: Path, zone: str) -> Path:
    file = folder / "table.yaml"
    file.write_text(TABLE.replace("ZONE", zone))
    return file


def sql(schema: Path, predicate: str, **params: Any) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", saltplan.SaltplanWarning)
        return saltplan.plan(schema, predicate, params, select=True, header=False, allow_empty=True)


def same(table: Path, condition: str, value: Any, literal: str) -> None:
    """A parameter gives the same statement as its literal."""
    given = sql(table, f"n = 5 AND {condition.format(':x')}", x=value)
    assert given == sql(table, f"n = 5 AND {condition.format(literal)}")


ONE = [
    ("note = {}", "u1", "'u1'"),
    ("note = {}", "", "''"),
    ("note = {}", "a,b", "'a,b'"),
    ("note = {}", "it's \\ \n \u00fc \U0001f600", "'it\\'s \\\\ \\n \u00fc \U0001f600'"),
    ("note = {}", "[1, 2]", "'[1, 2]'"),
    ("note = {}", Loud("quiet"), "'quiet'"),
    ("note = {}", Name.RED, "'red'"),
    ("amount > {}", 5, "'5'"),
    ("amount > {}", Number.FIVE, "'5'"),
    ("amount > {}", -5, "'-5'"),
    ("amount > {}", 10**30, f"'{10**30}'"),
    ("amount > {}", Decimal("1.50"), "'1.50'"),
    ("amount > {}", Decimal("1.5E+3"), "'1500'"),
    ("amount > {}", Decimal("1E-7"), "'0.0000001'"),
    ("amount > {}", Decimal("-0.0"), "'0.0'"),
    ("flag = {}", True, "TRUE"),
    ("flag = {}", False, "FALSE"),
    ("flag IN ({})", True, "TRUE"),
    ("day = {}", DAY, "'2020-04-06'"),
    ("day > date_sub({}, 3)", DAY, "'2020-04-06'"),
    ("at = {}", DAY, "'2020-04-06'"),
    ("at >= {}", NOON, "'2020-04-06 12:00:00'"),
    ("at >= {}", NOON.replace(microsecond=500_000), "'2020-04-06 12:00:00.5'"),
    ("at >= {}", NOON.replace(tzinfo=SHANGHAI), "'2020-04-06 12:00:00'"),
    ("at >= {}", NOON.replace(tzinfo=datetime.timezone.utc), "'2020-04-06 20:00:00'"),
    ("at >= {}", NOON.replace(tzinfo=LOCAL_MEAN_TIME), "'2020-04-06 11:54:17'"),
    ("at = {}", 1586138400000, "1586138400000"),
]


@pytest.mark.parametrize(("condition", "value", "literal"), ONE)
def test_one_value(table: Path, condition: str, value: Any, literal: str) -> None:
    same(table, condition, value, literal)


def test_a_day_is_that_day() -> None:
    expected = sql(NIBBLE, "opera_day = 20200406")
    for value in ["20200406", 20200406, DAY, datetime.datetime(2020, 4, 6), "2020-04-06"]:
        assert sql(NIBBLE, "opera_day = :d", d=value) == expected
    with pytest.raises(saltplan.Refused, match="time of day"):
        saltplan.plan(NIBBLE, "opera_day = :d", {"d": NOON})


SEVERAL: List[Callable[[], Any]] = [
    lambda: ["u1", "a,b"],
    lambda: ("u1", "a,b"),
    lambda: (text for text in ["u1", "a,b"]),
    lambda: iter(["u1", "a,b"]),
    lambda: map(str, ["u1", "a,b"]),
    lambda: collections.deque(["u1", "a,b"]),
    lambda: Sequence(["u1", "a,b"]),
    lambda: {"x": "u1", "y": "a,b"}.values(),
    lambda: [Loud("u1"), Loud("a,b")],
]


@pytest.mark.parametrize("several", SEVERAL)
def test_a_list(table: Path, several: Callable[[], Any]) -> None:
    same(table, "note IN ({})", several(), "'u1', 'a,b'")


@pytest.mark.parametrize("several", [{"b", "a", "c"}, frozenset(["c", "b", "a"]), {"c": 1, "a": 1, "b": 1}.keys()])
def test_a_set_has_an_order(table: Path, several: Any) -> None:
    same(table, "note IN ({})", several, "'a', 'b', 'c'")


def test_lists_of_other_values(table: Path) -> None:
    same(table, "amount IN ({})", range(3), "'0', '1', '2'")
    same(table, "amount IN ({})", {Decimal("1.5"), 2}, "'1.5', '2'")
    same(table, "day IN ({})", [DAY, datetime.date(2020, 4, 7)], "'2020-04-06', '2020-04-07'")
    instants = {NOON.replace(tzinfo=datetime.timezone.utc), NOON.replace(tzinfo=SHANGHAI)}
    same(table, "at IN ({})", instants, "'2020-04-06 12:00:00', '2020-04-06 20:00:00'")
    same(table, "note IN ({})", ["a,b"], "'a,b'")
    same(table, "note IN ({})", ["a\nb", "\0"], "'a\\nb', '\\0'")
    same(table, "note = {}", ["a,b"], "'a,b'")
    # A text is split at its commas, like the value of `--param`.
    same(table, "note IN ({})", "a,b", "'a', 'b'")


def test_lists_that_are_refused(table: Path) -> None:
    for empty in [[], (), set(), iter([])]:
        with pytest.raises(saltplan.InvalidInput, match="the list `:x` is empty"):
            sql(table, "n = 5 AND note IN (:x)", x=empty)
        with pytest.raises(saltplan.InvalidInput, match="the list `:x` is empty"):
            sql(table, "n = 5 AND note = :x", x=empty)
    with pytest.raises(saltplan.InvalidInput, match="several values"):
        sql(table, "n = 5 AND note = :x", x=["a", "b"])
    with pytest.raises(saltplan.InvalidInput, match="value 2 of the list `:x` is empty"):
        sql(table, "n = 5 AND note IN (:x)", x=["a", ""])


def test_a_long_list() -> None:
    many = [f"u{number}" for number in range(5_000)]
    found = saltplan.explain(NIBBLE, "opera_day = 20200406 AND row_id IN (:ids)", {"ids": many}, max_branches=10_000)
    assert len(found["branches"]) == 5_000


#: What is refused, with a part of the message.
WRONG = [
    (None, "not NoneType; nothing is equal to a missing value"),
    (b"u1", "not bytes; decode it"),
    (bytearray(b"u1"), "not bytearray; decode it"),
    (memoryview(b"u1"), "not memoryview; decode it"),
    (1.5, "not float; pass an int or a Decimal"),
    (5.0, "not float; pass an int or a Decimal"),
    (float("nan"), "not float"),
    (float("inf"), "not float"),
    (1j, "not complex"),
    (Decimal("NaN"), "not Decimal; the number is not finite"),
    (Decimal("-Infinity"), "not Decimal; the number is not finite"),
    (Color.RED, "not Color; pass its `value` or its `name`"),
    (datetime.time(10), "not time"),
    (datetime.timedelta(1), "not timedelta"),
    (datetime.datetime.min.replace(tzinfo=SHANGHAI), "outside the years"),
    ("\ud800", "half of a UTF-16 pair"),
    ({"a": 1}, "not dict; pass a single column"),
    (io.StringIO("u1\n"), "not StringIO"),
    (Path("u1"), "not PosixPath|not WindowsPath"),
    (object(), "not object"),
    (str, "not type"),
]


@pytest.mark.parametrize(("value", "message"), WRONG)
def test_other_values_are_refused(table: Path, value: Any, message: str) -> None:
    with pytest.raises(TypeError, match=f"^when: .*({message})"):
        sql(table, "n = 5 AND note = :when", when=value)
    with pytest.raises(TypeError, match=rf"^when\[1\]: .*({message})"):
        sql(table, "n = 5 AND note IN (:when)", when=["a", value])


def test_lists_hold_single_values(table: Path) -> None:
    for value in [["a", ["b"]], [("a", "b")], [{"a"}], [iter("a")]]:
        with pytest.raises(TypeError, match=r"^ids\[\d\]: .* lists cannot be nested"):
            sql(table, "n = 5 AND note IN (:ids)", ids=value)
    with pytest.raises(TypeError, match=r"^ids\[0\]: a list cannot contain a bool"):
        sql(table, "n = 5 AND flag IN (:ids)", ids=[True])


@pytest.mark.parametrize("function", [saltplan.plan, saltplan.plan_details, saltplan.explain, saltplan.scan])
def test_every_function_looks_at_its_values(table: Path, function: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match="^x: "):
        function(table, "n = 5 AND note = :x", {"x": None})
    with pytest.raises(TypeError, match="^params: "):
        function(table, "n = 5 AND note = :x", [("x", "a")])
    with pytest.raises(TypeError, match="^params: "):
        function(table, "n = 5 AND note = :x", {5: "a"})
    with pytest.raises(TypeError, match="^predicate: expected a str, not bytes"):
        function(table, b"n = 5")
    with pytest.raises(TypeError, match="^predicate: .*half of a UTF-16 pair"):
        function(table, "note = '\ud800'")
    with pytest.raises(saltplan.InvalidInput, match="^params: `a b` is not a valid name for a parameter"):
        function(table, "n = :a", {"a b": "a"})
    with pytest.raises(saltplan.InvalidInput):
        function(table, "n = 5 \0")


def test_instants_need_a_zone_and_one_clock(tmp_path: Path) -> None:
    instant = datetime.datetime(2020, 11, 1, 6, 30, tzinfo=datetime.timezone.utc)
    new_york = written(tmp_path, "America/New_York")
    with pytest.raises(saltplan.InvalidInput, match="^params: `t` is in an hour that occurs twice in America/New_York"):
        sql(new_york, "n = 5 AND at >= :t", t=instant)
    later = instant + datetime.timedelta(hours=1)
    assert sql(new_york, "n = 5 AND at = :t", t=later) == sql(new_york, "n = 5 AND at = '2020-11-01 02:30:00'")
    with pytest.raises(saltplan.InvalidInput, match="^params: `t` is an instant, and the schema has no `time_zone`"):
        sql(NIBBLE, "opera_day = :t", t=instant)


def key(table: Path, **members: Any) -> bytes:
    return saltplan.encode(table, [{"n": 5, "at": 0, "id": "", **members}])[0]


def test_rows() -> None:
    expected = saltplan.encode(NIBBLE, [{"opera_day": "20200406", "row_id": "u1"}])
    for day in [20200406, DAY, datetime.datetime(2020, 4, 6), Decimal(20200406)]:
        assert saltplan.encode(NIBBLE, [{"opera_day": day, "row_id": Loud("u1")}]) == expected
    assert saltplan.encode(NIBBLE, ({"opera_day": 20200406, "row_id": Name.RED} for _ in [0])) == [b"00520200406red"]
    calls = [
        NOON,
        NOON.replace(tzinfo=SHANGHAI),
        datetime.datetime(2020, 4, 6, 4, tzinfo=datetime.timezone.utc),
        "20200406120000",
    ]
    keys = saltplan.encode(CALLS, [{"tel": "13800138000", "call_time": at} for at in calls])
    assert len(set(keys)) == 1 and b"20200406120000" in keys[0]


def test_instants_in_rows(tmp_path: Path) -> None:
    new_york = written(tmp_path, "America/New_York")
    twice = [datetime.datetime(2020, 11, 1, hour, 30, tzinfo=datetime.timezone.utc) for hour in (5, 6)]
    assert [key(new_york, at=at) for at in twice] == [b"000051604208600000", b"000051604212200000"]
    with pytest.raises(saltplan.Refused, match="finer than the field's unit"):
        key(new_york, at=twice[0].replace(microsecond=1))


UNTAKEN = [
    (None, "not NoneType"),
    (True, "a key field cannot be a bool"),
    (1.0, "not float"),
    (float("nan"), "not float"),
    (b"u1", "not bytes; decode it"),
    (Color.RED, "not Color"),
    (["u1"], "lists cannot be nested|not list"),
    ({"a": 1}, "not dict"),
    (Decimal("1.5"), "the Decimal has a fraction"),
    (Decimal("NaN"), "not finite"),
    ("\ud800", "half of a UTF-16 pair"),
]


@pytest.mark.parametrize(("value", "message"), UNTAKEN)
def test_key_fields_are_named(value: Any, message: str) -> None:
    rows: List[Dict[str, Any]] = [{"opera_day": 20200406, "row_id": "u1"}, {"opera_day": 20200406, "Row_Id": value}]
    with pytest.raises(TypeError, match=rf"^rows\[1\]\['Row_Id'\]: .*({message})"):
        saltplan.encode(NIBBLE, rows)
    # A column is not part of the key, whatever it holds.
    column = {"opera_day": 20200406, "row_id": "u1", "goods1": value}
    assert saltplan.encode(NIBBLE, [column]) == saltplan.encode(NIBBLE, rows[:1])


def test_faults_of_rows_have_their_place() -> None:
    good = {"opera_day": 20200406, "row_id": "u1"}
    with pytest.raises(saltplan.Refused, match="^rows:2: `opera_day`: `20200231` is not a date"):
        saltplan.encode(NIBBLE, [good, {"opera_day": 20200231, "row_id": "u1"}])
    with pytest.raises(saltplan.Refused, match="^rows:1: `row_idd` is neither"):
        saltplan.encode(NIBBLE, [{"opera_day": 20200406, "row_idd": None}])
    with pytest.raises(saltplan.Refused, match="^keys:2: "):
        saltplan.decode(NIBBLE, [b"01520200406u1", b"99920200406u1"])
    with pytest.raises(saltplan.Refused, match="^keys:1: a row key has at least one byte"):
        saltplan.decode(NIBBLE, [b""])
    with pytest.raises(TypeError, match="_salt"):
        saltplan.encode(EXAMPLES / "random_digit.yaml", [{"_salt": None, "click_time": NOON, "session_id": "a"}])


@pytest.mark.parametrize("rows", [good for good in [None, 5, "u1", b"u1", {"opera_day": 20200406}]])
def test_rows_are_a_list(rows: Any) -> None:
    with pytest.raises(TypeError, match="^rows: expected a list of mappings"):
        saltplan.encode(NIBBLE, rows)
    with pytest.raises(TypeError, match="^keys: expected a list of bytes"):
        saltplan.decode(NIBBLE, rows)


def test_rows_are_mappings_and_keys_bytes() -> None:
    with pytest.raises(TypeError, match=r"^rows\[0\]: expected a mapping"):
        saltplan.encode(NIBBLE, [("20200406", "u1")])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"^rows\[0\]: expected a str, not int"):
        saltplan.encode(NIBBLE, [{5: "u1"}])  # type: ignore[dict-item]
    for wrong in ["01520200406u1", None, 1.5, 5]:
        with pytest.raises(TypeError, match=r"^keys\[1\]: expected bytes, not "):
            saltplan.decode(NIBBLE, [b"01520200406u1", wrong])  # type: ignore[list-item]
    key = b"01520200406u1"
    assert saltplan.decode(NIBBLE, [bytearray(key), memoryview(key)]) == saltplan.decode(NIBBLE, [key, key])


def test_numpy(table: Path) -> None:
    np = pytest.importorskip("numpy", reason="numpy is not installed")
    for integer in [np.int8(5), np.int64(5), np.uint64(5), np.array(5)]:
        same(table, "amount > {}", integer, "'5'")
    same(table, "note = {}", np.str_("u1"), "'u1'")
    same(table, "flag = {}", np.bool_(True), "TRUE")
    same(table, "day = {}", np.datetime64("2020-04-06"), "'2020-04-06'")
    for unit in ["h", "m", "s", "ms", "us", "ns"]:
        same(table, "at >= {}", np.datetime64("2020-04-06T12", unit), "'2020-04-06 12:00:00'")
    same(table, "day > {}", np.datetime64("2020-04-06T12:00:00.000000001"), "'2020-04-06 12:00:00.000000001'")
    same(table, "note IN ({})", np.array(["u1", "a,b"]), "'u1', 'a,b'")
    same(table, "note IN ({})", np.array(["u1", "a,b"], dtype=object), "'u1', 'a,b'")
    same(table, "amount IN ({})", np.arange(3), "'0', '1', '2'")
    same(table, "day IN ({})", np.array(["2020-04-06"], dtype="datetime64[D]"), "'2020-04-06'")
    same(table, "amount IN ({})", {np.int64(2), np.int64(1)}, "'1', '2'")
    rows = [{"n": np.int64(5), "at": np.datetime64("1970-01-01T08:00:00.001", "ns"), "id": np.str_("u")}]
    assert saltplan.encode(table, rows) == [b"000050000000000001u"]


def test_numpy_that_is_refused(table: Path) -> None:
    np = pytest.importorskip("numpy", reason="numpy is not installed")
    for value, message in [
        (np.float64(5), "not float64; pass an int or a Decimal"),
        (np.float32(5), "not float32; pass an int or a Decimal"),
        (np.longdouble(5), "pass an int or a Decimal"),
        (np.nan, "not float"),
        (np.complex128(5), "not complex128"),
        (np.bytes_(b"u1"), "not bytes_; decode it"),
        (np.datetime64("NaT", "ns"), "not datetime64"),
        (np.datetime64("2020-04"), "not datetime64; pass a day"),
        (np.datetime64("2020-04-06", "W"), "not datetime64; pass a day"),
        (np.datetime64("20000-04-06"), "not datetime64; pass a day"),
        (np.datetime64("20000-04-06T10", "s"), "not datetime64; pass a day"),
        (np.timedelta64(1, "D"), "not timedelta64"),
        (np.array(None), "not ndarray"),
        (np.array([["u1"]]), "not ndarray; pass a single column"),
    ]:
        with pytest.raises(TypeError, match=f"^x: .*{message}"):
            sql(table, "n = 5 AND note = :x", x=value)
    for values in [np.array([1.0, 2.0]), np.array([None]), np.array([True]), np.array([[1]], dtype=object)]:
        with pytest.raises(TypeError, match="^x"):
            sql(table, "n = 5 AND note IN (:x)", x=values)


def test_pandas(table: Path) -> None:
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    same(table, "day = {}", pd.Timestamp("2020-04-06").date(), "'2020-04-06'")
    same(table, "at >= {}", pd.Timestamp("2020-04-06 12:00"), "'2020-04-06 12:00:00'")
    same(table, "at >= {}", pd.Timestamp("2020-04-06 12:00", tz="UTC"), "'2020-04-06 20:00:00'")
    same(table, "at >= {}", pd.Timestamp("2020-04-06 12:00", tz="Asia/Shanghai"), "'2020-04-06 12:00:00'")
    same(table, "day > {}", pd.Timestamp(1, unit="ns"), "'1970-01-01 00:00:00.000000001'")
    for made in [pd.Series, pd.Index, pd.array, pd.Categorical]:
        same(table, "note IN ({})", made(["u1", "a,b"]), "'u1', 'a,b'")
    same(table, "amount IN ({})", pd.Series([1, 2], dtype="Int64"), "'1', '2'")
    days = pd.Series(pd.to_datetime(["2020-04-06", "2020-04-07"]))
    assert sql(NIBBLE, "opera_day IN (:d)", d=days) == sql(NIBBLE, "opera_day IN (20200406, 20200407)")
    frame = pd.DataFrame({"opera_day": [20200406], "row_id": ["u1"], "goods1": [None], "goods2": [1.5]})
    assert saltplan.encode(NIBBLE, frame.to_dict("records")) == saltplan.encode(
        NIBBLE, [{"opera_day": 20200406, "row_id": "u1"}]
    )


def test_pandas_that_is_refused(table: Path) -> None:
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pd.DataFrame({"a": ["u1"], "b": ["u2"]})
    for value, message in [
        (pd.NaT, "not NaTType; nothing is equal to a missing value"),
        (pd.NA, "not NAType; nothing is equal to a missing value"),
        (frame, "not DataFrame; pass a single column"),
        (pd.Period("2020-04"), "not Period"),
        (pd.Timedelta(1), "not Timedelta"),
        (pd.Interval(1, 2), "not Interval"),
    ]:
        with pytest.raises(TypeError, match=f"^x: .*{message}"):
            sql(table, "n = 5 AND note = :x", x=value)
    holes = [pd.Series(["u1", None]), pd.Series([1, None]), pd.Series([1, None], dtype="Int64")]
    for values in [*holes, pd.to_datetime(pd.Series(["2020-04-06", None]))]:
        with pytest.raises(TypeError, match=r"^x\[\d\]: "):
            sql(table, "n = 5 AND note IN (:x)", x=values)
    with pytest.raises(TypeError, match=r"^rows\[0\]: expected a mapping"):
        saltplan.encode(NIBBLE, frame)
    with pytest.raises(TypeError, match=r"^rows\[1\]\['row_id'\]: "):
        holed = pd.DataFrame({"opera_day": [20200406, 20200407], "row_id": ["u1", None]})
        saltplan.encode(NIBBLE, holed.to_dict("records"))


def test_numpy_and_pandas_are_not_imported() -> None:
    import subprocess
    import sys

    code = "import sys, saltplan; print(sorted({'numpy', 'pandas', 'jinja2', 'airflow'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.split() == [b"[]"]


def test_lazy_values(table: Path) -> None:
    lazy = pytest.importorskip("lazy_object_proxy", reason="Airflow is not installed")
    same(table, "note = {}", lazy.Proxy(lambda: "u1"), "'u1'")
    same(table, "at >= {}", lazy.Proxy(lambda: NOON), "'2020-04-06 12:00:00'")
    with pytest.raises(TypeError, match="^x: .*not NoneType"):
        sql(table, "n = 5 AND note = :x", x=lazy.Proxy(lambda: None))


def test_all_pairs_of_values_in_one_set(table: Path) -> None:
    values = ["a", 5, Decimal("1.5"), DAY, NOON, NOON.replace(tzinfo=SHANGHAI)]
    for several in itertools.combinations(values, 2):
        statements = {sql(table, "n = 5 AND note IN (:x)", x=set(order)) for order in (several, several[::-1])}
        assert len(statements) == 1
