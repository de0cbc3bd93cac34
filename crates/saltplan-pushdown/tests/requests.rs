//! Requests and their answers: the rules that keep rows, and hostile requests.

#![expect(clippy::panic, reason = "a test that cannot go on fails")]

use saltplan_pushdown::{Keys, MAX_NESTING, MAX_RANGES, MAX_REQUEST_BYTES, answer, keys};
use serde_json::{Value as Json, json};

const SCHEMA: &str = "{saltplan: 1, hbase: {table: t, families: {f: {}}}, \
    key: {salt: {md5: {of: key, first_hex_digits: 1, write: hex}}, \
    fields: [{name: day, type: date, format: yyyyMMdd}, {name: id, type: string, chars: alnum}]}}";

fn request(filter: Json) -> Json {
    json!({
        "protocol": 1, "hive": "3.1.3", "dialect": "hive", "schema": SCHEMA, "key_column": "rowkey",
        "zone": { "session": "UTC", "jvm": "UTC", "transitions": [] }, "filter": filter,
    })
}

fn call(class: &str, of: &str, arguments: &[Json]) -> Json {
    json!({ "call": format!("org.apache.hadoop.hive.ql.udf.{class}"), "type": of, "arguments": arguments })
}

fn operator(name: &str, arguments: &[Json]) -> Json {
    call(&format!("generic.GenericUDF{name}"), "boolean", arguments)
}

fn text(value: &str) -> Json {
    json!({ "constant": value, "type": "string" })
}

fn number(value: i64) -> Json {
    json!({ "constant": value.to_string(), "type": "int" })
}

fn key() -> Json {
    json!({ "column": "rowkey", "type": "string" })
}

fn any() -> Json {
    json!({ "other": "org.apache.hadoop.hive.ql.plan.ExprNodeFieldDesc", "type": "boolean" })
}

fn is(value: &str) -> Json {
    operator("OPEqual", &[key(), text(value)])
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn found(request: &Json) -> Keys {
    keys(request.to_string().as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

fn ranges(filter: Json) -> Vec<(String, String)> {
    match found(&request(filter)) {
        Keys::Ranges(ranges) => ranges,
        Keys::All(_) => vec![(String::new(), String::new())],
    }
}

fn all() -> Vec<(String, String)> {
    vec![(String::new(), String::new())]
}

fn point(key: &str) -> (String, String) {
    (hex(key), format!("{}00", hex(key)))
}

#[test]
fn conditions_on_the_row_key_are_ranges() {
    assert_eq!(ranges(is("a1")), [point("a1")]);
    let like = call("UDFLike", "boolean", &[key(), text("5%")]);
    assert_eq!(ranges(like), [("35".into(), "36".into())]);
    let not_in = operator("OPNot", &[operator("In", &[key(), text("a"), text("b")])]);
    assert_eq!(ranges(not_in).len(), 3);
    for (yes, count) in [(false, 1), (true, 2)] {
        let negated = json!({ "constant": yes.to_string(), "type": "boolean" });
        let between = operator("Between", &[negated, key(), text("a"), text("b")]);
        assert_eq!(ranges(between).len(), count);
    }
    let of_hex = |constant: &str| {
        let digits = call("UDFHex", "string", &[key()]);
        ranges(operator("OPEqualOrGreaterThan", &[digits, text(constant)]))
    };
    assert_eq!(of_hex("3041"), [("3041".into(), String::new())]);
    assert_eq!(of_hex("FF80"), [("ff80".into(), String::new())]);
    // Hive writes capital letters, and two digits a byte.
    assert_eq!(of_hex("ff80"), all());
    assert_eq!(of_hex("304"), all());
}

/// `day = '20200406'` beside a number: Hive compares doubles.
#[test]
fn a_number_that_is_compared_as_a_double_is_a_number() {
    let digits = call("UDFSubstr", "string", &[key(), number(2), number(8)]);
    let day = call("UDFToInteger", "int", &[digits]);
    let double = call("UDFToDouble", "double", std::slice::from_ref(&day));
    let constant = |value: &str| json!({ "constant": value, "type": "double" });
    let of_numbers = ranges(operator("OPEqual", &[day.clone(), number(20_200_406)]));
    assert_eq!(of_numbers.len(), 16);
    assert_eq!(ranges(operator("OPEqual", &[double.clone(), constant("2.0200406E7")])), of_numbers);
    assert_eq!(ranges(operator("OPEqual", &[day.clone(), text("20200406")])), of_numbers);
    // No key of the layout has it, but others may.
    assert_eq!(ranges(operator("OPEqual", &[double.clone(), constant("2.02004065E7")])), all());
    let decimal = |of: &str| {
        let cast = call("generic.GenericUDFToDecimal", of, std::slice::from_ref(&day));
        ranges(operator("OPEqual", &[cast, json!({ "constant": "20200406", "type": "decimal(8,0)" })]))
    };
    assert_eq!(decimal("decimal(10,0)"), of_numbers);
    // Hive makes NULL of numbers that have more digits.
    assert_eq!(decimal("decimal(8,0)"), all());
    // Not all whole numbers of this size are doubles.
    assert_eq!(ranges(operator("OPEqual", &[double, constant("9.007199254740993E15")])), all());
}

/// The texts '5', '05' and '5.0' are equal to the number 5.
#[test]
fn a_text_beside_a_number_is_equal_in_every_spelling() {
    for what in [key(), call("UDFSubstr", "string", &[key(), number(2), number(8)])] {
        for name in ["OPEqual", "OPLessThan", "In"] {
            assert_eq!(ranges(operator(name, &[what.clone(), number(20_200_406)])), all(), "{name} {what}");
        }
    }
}

#[test]
fn null_in_a_list_leaves_the_other_values() {
    let null = json!({ "constant": null, "type": "string" });
    let listed = operator("In", &[key(), text("a"), null.clone(), text("c")]);
    assert_eq!(ranges(listed), [point("a"), point("c")]);
    let digits = call("UDFSubstr", "string", &[key(), number(2), number(8)]);
    assert_eq!(ranges(operator("In", &[digits, null, text("20200406")])).len(), 16);
}

/// What a salt is computed from and the key does not hold is a column.
#[test]
fn a_field_that_is_not_in_the_key_is_a_column() {
    let asked = |name: &str, of: &str| {
        let column = json!({ "column": name, "type": of });
        let mut request = request(operator("OPEqual", &[column, json!({ "constant": "7", "type": of })]));
        request["schema"] = "{saltplan: 1, hbase: {table: t, families: {f: {}}}, key: {salt: {md5: {of: [owner], \
            first_hex_digits: 1, write: hex}}, fields: [{name: owner, type: string, stored: false}, {name: id, type: string}]}}"
            .into();
        found(&request)
    };
    // MD5 of `7`.
    assert_eq!(asked("Owner", "string"), Keys::Ranges(vec![(hex("8"), hex("9"))]));
    assert!(matches!(asked("owner", "int"), Keys::All(_)));
    assert!(matches!(asked("id", "string"), Keys::All(_)));
}

/// Nothing follows from any value, and nothing is lost by it.
#[test]
fn any_value_is_any_value() {
    let cases = [
        (operator("OPAnd", &[is("a"), any()]), vec![point("a")]),
        (operator("OPOr", &[is("a"), any()]), all()),
        (operator("OPNot", &[any()]), all()),
        (operator("OPNot", &[operator("OPAnd", &[is("a"), any()])]), all()),
        (
            operator("OPNot", &[operator("OPOr", &[is("a"), any()])]),
            vec![(String::new(), hex("a")), (format!("{}00", hex("a")), String::new())],
        ),
        (operator("OPNot", &[operator("OPNot", &[operator("OPAnd", &[is("a"), any()])])]), vec![point("a")]),
        (operator("OPNull", &[any()]), all()),
        (operator("OPEqual", &[any(), any()]), all()),
        (operator("OPNotEqual", &[any(), any()]), all()),
    ];
    for (filter, expected) in cases {
        assert_eq!(ranges(filter.clone()), expected, "{filter}");
    }
}

/// What a class is called elsewhere, and what is not of the type, is not read.
#[test]
fn what_is_not_known_is_any_value() {
    let equal = |left: Json, right: Json| operator("OPEqual", &[left, right]);
    let typed = |value: &str, of: &str| json!({ "constant": value, "type": of });
    let of_class = |class: &str| json!({ "call": class, "type": "string", "arguments": [key()] });
    let filters = [
        json!({ "call": "com.acme.GenericUDFOPEqual", "type": "boolean", "arguments": [key(), text("a")] }),
        json!({ "call": "substr", "type": "boolean", "arguments": [key(), text("a")] }),
        equal(of_class("lower"), text("a")),
        equal(of_class("org.apache.hadoop.hive.ql.udf.generic.GenericUDFReflect"), text("a")),
        equal(json!({ "column": "rowkey", "type": "binary" }), text("a")),
        equal(json!({ "column": "rowkey", "type": "unknown type" }), text("a")),
        equal(json!({ "column": "cell", "type": "string" }), text("a")),
        equal(key(), typed("a", "char(3)")),
        equal(key(), typed("61", "binary")),
        equal(key(), number(5)),
        equal(key(), typed("5", "bigint")),
        equal(key(), typed("2020-04-06", "date")),
        equal(key(), typed("NaN", "double")),
        equal(key(), text(&"a".repeat(513))),
        operator("OPEqual", &[key()]),
        operator("OPEqual", &[key(), text("a"), text("b")]),
        operator("Between", &[any(), key(), text("a"), text("b")]),
        json!({ "call": "org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqual", "type": "int",
            "arguments": [key(), text("a")] }),
    ];
    for filter in filters {
        assert_eq!(ranges(filter.clone()), all(), "{filter}");
        assert_eq!(ranges(operator("OPNot", std::slice::from_ref(&filter))), all(), "NOT {filter}");
    }
}

#[test]
fn versions_that_were_not_measured_read_all_keys() {
    for hive in ["2.3.0", "2.3.9", "3.1.0", "3.1.3", "4.1.0"] {
        let mut asked = request(is("a"));
        asked["hive"] = hive.into();
        assert!(matches!(found(&asked), Keys::Ranges(_)), "{hive}");
    }
    for hive in [
        "",
        "3.1",
        "3.1.3000.7.1.9.0-387",
        "3.1.0.3.1.0.0-78",
        "2.1.1",
        "2.3.10",
        "3.0.0",
        "3.1.4",
        "3.1.03",
        "4.0.1",
        "4.1.1",
        "5.0.0",
        "3.1.3-amzn-1",
        "3.1.-3",
        "3.1.+3",
    ] {
        let mut asked = request(is("a"));
        asked["hive"] = hive.into();
        assert!(matches!(found(&asked), Keys::All(_)), "{hive}");
    }
}

const INSTANTS: &str = "{saltplan: 1, time_zone: Asia/Tokyo, hbase: {table: t, families: {f: {}}}, \
    key: {fields: [{name: at, type: timestamp, epoch: s, encoding: decimal, width: 10}]}}";

/// A condition that a Hive with these zones of session and Java machine asks about instants; the last one has the clock of Tokyo.
fn instants(hive: &str, [session, jvm]: [&str; 2], filter: &Json) -> Keys {
    let mut asked = request(filter.clone());
    asked["hive"] = hive.into();
    asked["schema"] = INSTANTS.into();
    // Those of Java, from 1900 on.
    let tokyo = json!([
        [-2_208_988_800_i64, 32_400],
        [-683_802_000, 36_000],
        [-672_310_800, 32_400],
        [-654_771_600, 36_000],
        [-640_861_200, 32_400],
        [-620_298_000, 36_000],
        [-609_411_600, 32_400],
        [-588_848_400, 36_000],
        [-577_962_000, 32_400],
    ]);
    let transitions = if jvm == "UTC" { json!([[-2_208_988_800_i64, 0]]) } else { tokyo };
    asked["zone"] = json!({ "session": session, "jvm": jvm, "transitions": transitions });
    found(&asked)
}

/// Which local time an instant has depends on the version and on zones: 2.3.9 uses the zone of the Java machine, 3.1.3 UTC, 4.1.0 the zone
/// of the session (measured with `tests/engines/lab values`). That of the schema says nothing about Hive.
#[test]
fn instants_have_the_local_times_of_this_hive() {
    let seconds =
        call("UDFToLong", "bigint", &[call("UDFSubstr", "string", &[key(), number(1), number(10)])]);
    let day = |class: &str| {
        let shown = call(class, "string", &[seconds.clone(), text("yyyyMMdd")]);
        operator("OPEqual", &[shown, text("20200406")])
    };
    let (old, new) = (day("UDFFromUnixTime"), day("generic.GenericUDFFromUnixTime"));
    let has = |keys: &Keys, second: i64| match keys {
        Keys::All(_) => true,
        Keys::Ranges(ranges) => {
            let key = hex(&format!("{second:010}"));
            ranges.iter().any(|(start, stop)| *start <= key && (stop.is_empty() || key < *stop))
        }
    };
    let (utc, tokyo) = (1_586_131_200, 1_586_098_800);
    let is_day = |keys: &Keys, first: i64| {
        let last = first + 86_399;
        [(first - 1, false), (first, true), (last, true), (last + 1, false)]
            .iter()
            .all(|(second, expected)| has(keys, *second) == *expected)
    };
    let both = ["Asia/Tokyo", "Asia/Tokyo"];
    assert!(is_day(&instants("2.3.9", both, &old), tokyo));
    assert!(is_day(&instants("3.1.3", both, &old), utc));
    assert!(is_day(&instants("4.1.0", both, &new), tokyo));
    for hive in ["2.3.9", "3.1.3"] {
        assert!(is_day(&instants(hive, ["UTC", "UTC"], &old), utc), "{hive}");
    }
    for zones in [["UTC", "Asia/Tokyo"], ["", "Asia/Tokyo"], ["", "UTC"], ["Asia/Tokyo", "UTC"]] {
        assert!(is_day(&instants("3.1.3", zones, &old), utc), "{zones:?}");
        assert!(matches!(instants("2.3.9", zones, &old), Keys::All(_)), "{zones:?}");
        assert!(matches!(instants("4.1.0", zones, &new), Keys::All(_)), "{zones:?}");
    }
    // A number of seconds or of milliseconds, as a setting of the session says; and one beside a time.
    let timestamp = call("generic.GenericUDFTimestamp", "timestamp", std::slice::from_ref(&seconds));
    let year = operator("OPEqual", &[call("UDFYear", "int", &[timestamp]), number(1970)]);
    let time = json!({ "constant": "2020-04-06 00:00:00", "type": "timestamp" });
    let beside = operator("OPEqualOrGreaterThan", &[seconds.clone(), time]);
    let listed = operator("OPNot", &[operator("In", &[seconds.clone(), text("2020-04-06 00:00:00")])]);
    for filter in [year, beside, listed] {
        for hive in ["2.3.9", "3.1.3", "4.1.0"] {
            for zones in [both, ["UTC", "UTC"]] {
                assert!(matches!(instants(hive, zones, &filter), Keys::All(_)), "{hive} {zones:?} {filter}");
            }
        }
    }
}

const DAYS: &str = "{saltplan: 1, hbase: {table: t, families: {f: {}}}, \
    key: {fields: [{name: day, type: date, format: yyyy-MM-dd}]}}";

/// A local time that a zone skips is moved, by Hive 2 in every function, and by `date_format` of Hive 4 in the zone of the session
/// (measured: in Samoa `to_date('2011-12-30')` and `date_format('2011-12-30', 'yyyyMMdd')` are the next day).
#[test]
fn days_that_a_zone_skips_are_moved() {
    let shown = call("generic.GenericUDFDateFormat", "string", &[key(), text("yyyyMMdd")]);
    let shown = operator("OPEqual", &[shown, text("20111231")]);
    let day = json!({ "constant": "2011-12-31", "type": "date" });
    let date = operator("OPEqual", &[call("generic.GenericUDFDate", "date", &[key()]), day]);
    let asked = |hive: &str, zone: &Json, filter: &Json| {
        let mut asked = request(filter.clone());
        asked["hive"] = hive.into();
        asked["schema"] = DAYS.into();
        asked["zone"] = zone.clone();
        matches!(found(&asked), Keys::Ranges(_))
    };
    let of = |session: &str, jvm: &str, transitions: Json| json!({ "session": session, "jvm": jvm, "transitions": transitions });
    let utc = || json!([[-2_208_988_800_i64, 0]]);
    // The zone of tasks does not matter for days, unless it is known to skip some.
    for zone in [of("UTC", "UTC", utc()), of("", "UTC", utc())] {
        for hive in ["2.3.9", "3.1.3", "4.1.0"] {
            assert!(asked(hive, &zone, &shown) && asked(hive, &zone, &date), "{hive} {zone}");
        }
    }
    // The first has another table of clock changes than ours, so that it is not known.
    for zone in [of("Asia/Tokyo", "Asia/Tokyo", json!([])), of("Pacific/Apia", "UTC", utc())] {
        assert!(!asked("2.3.9", &zone, &shown) && !asked("2.3.9", &zone, &date), "{zone}");
        assert!(asked("3.1.3", &zone, &shown) && asked("3.1.3", &zone, &date), "{zone}");
        assert!(!asked("4.1.0", &zone, &shown) && asked("4.1.0", &zone, &date), "{zone}");
    }
}

/// Hive 3.1.3 shows instants in UTC. A salt that is made of a local time is of the schema's zone all the same.
#[test]
fn a_salt_of_local_times_is_of_the_zone_of_the_schema() {
    let digits = call("UDFSubstr", "string", &[key(), number(2), number(13)]);
    let asked = |zone: &str| {
        let mut asked = request(operator("OPEqual", &[digits.clone(), text("1586102400000")]));
        let schema = "{saltplan: 1, hbase: {table: t, families: {f: {}}}, time_zone: ZONE, \
            key: {salt: {md5: {of: [{field: at, format: yyyyMMddHHmm}], first_hex_digits: 1, write: hex}}, \
            fields: [{name: at, type: timestamp, epoch: ms, encoding: decimal, width: 13}]}}";
        asked["schema"] = schema.replace("ZONE", zone).into();
        found(&asked)
    };
    // md5sum of 202004051600 and of 202004060000 begins with these digits.
    for (zone, salt) in [("UTC", "33"), ("Asia/Shanghai", "36")] {
        let found = asked(zone);
        let Keys::Ranges(ranges) = &found else { panic!("{found:?}") };
        assert!(ranges.len() == 1 && ranges[0].0.starts_with(salt), "{zone}: {found:?}");
    }
}

/// Rows with a salt that no row can have are found, with a condition on the salt alone and with others.
#[test]
fn a_search_for_wrong_salts_reads_them() {
    let digits: Vec<Json> = "0123456789abcdef".chars().map(|digit| text(&digit.to_string())).collect();
    let salt = call("UDFSubstr", "string", &[key(), number(1), number(1)]);
    let wrong = operator("OPNot", &[operator("In", &[&[salt.clone()][..], &digits].concat())]);
    let expected =
        vec![(String::new(), "30".into()), ("3a".into(), "61".into()), ("67".into(), String::new())];
    assert_eq!(ranges(wrong.clone()), expected);
    let day = call("UDFSubstr", "string", &[key(), number(2), number(8)]);
    let day = operator("OPEqual", &[day, text("20200406")]);
    assert_eq!(ranges(operator("OPAnd", &[wrong, day])), expected);
    // Of a list, too, each salt is read.
    let listed = ranges(operator("In", &[salt, text("0"), text("z")]));
    assert!(
        listed.iter().any(|(from, to)| from.as_str() <= "7a" && (to.is_empty() || to.as_str() > "7a")),
        "{listed:?}"
    );
    // No key of the layout begins so, but others may.
    let foreign = call("UDFLike", "boolean", &[key(), text("zz%")]);
    assert_eq!(ranges(foreign), [(hex("zz"), hex("z{"))]);
    // Hive makes a `?` of half a character, so a key may begin with one that is cut.
    let cut = operator("OPEqual", &[call("UDFSubstr", "string", &[key(), number(1), number(1)]), text("?")]);
    assert_eq!(ranges(cut), all());
}

#[test]
fn contradictions_read_nothing() {
    assert_eq!(ranges(operator("OPAnd", &[is("a"), is("b")])), []);
    // What no key satisfies may be a search for wrong keys, whatever it is compared with.
    let null = operator("OPEqual", &[key(), json!({ "constant": null, "type": "string" })]);
    assert_eq!(ranges(null), all());
}

#[test]
fn an_answer_repeats_the_digest_of_its_request() {
    let request = request(is("a")).to_string();
    let answered = answer(request.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(answered.lines().count(), 1);
    let answered: Json = serde_json::from_str(&answered).unwrap_or_else(|error| panic!("{error}"));
    let other: Json = answer(format!("{request} ").as_bytes())
        .ok()
        .and_then(|answered| serde_json::from_str(&answered).ok())
        .unwrap_or_default();
    assert_eq!(answered["protocol"], 1);
    assert_eq!(answered["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(answered["ranges"], json!([[hex("a"), format!("{}00", hex("a"))]]));
    assert_eq!(answered["digest"].as_str().map(str::len), Some(64));
    assert_ne!(answered["digest"], other["digest"]);
    assert_eq!(answered["ranges"], other["ranges"]);
}

#[test]
fn requests_that_are_not_understood_have_no_answer() {
    let good = request(is("a"));
    let with = |member: &str, value: Json| {
        let mut changed = good.clone();
        changed[member] = value;
        changed.to_string().into_bytes()
    };
    let text = good.to_string();
    let without = |member: &str| {
        let mut changed = good.clone();
        changed.as_object_mut().and_then(|members| members.remove(member));
        changed.to_string().into_bytes()
    };
    let node = |node: Json| with("filter", node);
    let wrong: Vec<(&str, Vec<u8>)> = vec![
        ("nothing", Vec::new()),
        ("blanks", b"  \n".to_vec()),
        ("another protocol", with("protocol", json!(2))),
        ("a protocol that is no number", with("protocol", json!("1"))),
        ("a huge number", text.replacen("\"protocol\":1", "\"protocol\":1e999", 1).into_bytes()),
        ("another dialect", with("dialect", json!("spark"))),
        ("a member that is not known", with("more", json!(1))),
        ("no filter", without("filter")),
        ("no schema", without("schema")),
        ("a filter that is a number", with("filter", json!(0))),
        ("a schema with errors", with("schema", json!("saltplan: 1"))),
        ("a schema that is no YAML", with("schema", json!("{"))),
        ("a member twice", text.replacen("\"protocol\":1", "\"protocol\":1,\"protocol\":1", 1).into_bytes()),
        ("a node that is two", node(json!({ "column": "a", "constant": "b", "type": "string" }))),
        ("a node that is nothing", node(json!({ "type": "string" }))),
        ("a node without a type", node(json!({ "column": "a" }))),
        ("a type that is null", node(json!({ "column": "a", "type": null }))),
        ("arguments of a column", node(json!({ "column": "a", "type": "string", "arguments": [] }))),
        ("arguments that are no nodes", node(json!({ "call": "a", "type": "string", "arguments": [0] }))),
        ("arguments that are lists", node(json!({ "call": "a", "type": "string", "arguments": [[any()]] }))),
        ("a constant that is a number", node(json!({ "constant": 5, "type": "int" }))),
        (
            "transitions of one number",
            with("zone", json!({ "session": "", "jvm": "", "transitions": [[1]] })),
        ),
        ("two objects", format!("{text}{text}").into_bytes()),
        ("an object cut off", text.as_bytes()[..text.len() - 1].to_vec()),
        ("half a character", [text.as_bytes(), &[0xC3]].concat()),
        ("a mark of the byte order", [&[0xEF, 0xBB, 0xBF], text.as_bytes()].concat()),
        ("too much", [text.as_bytes(), &vec![b' '; MAX_REQUEST_BYTES]].concat()),
        ("brackets", vec![b'['; MAX_REQUEST_BYTES]),
        ("objects in objects", "{\"a\":".repeat(150_000).into_bytes()),
    ];
    for (what, request) in wrong {
        assert!(keys(&request).is_err(), "{what}");
    }
}

#[test]
fn limits_are_kept() {
    // Nodes within each other.
    let nested = |levels: usize| {
        let open = r#"{"call":"org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNot","type":"boolean","arguments":["#;
        let filter = format!("{}{}{}", open.repeat(levels - 1), any(), "]}".repeat(levels - 1));
        request(json!("FILTER")).to_string().replacen("\"FILTER\"", &filter, 1)
    };
    assert!(matches!(keys(nested(MAX_NESTING).as_bytes()), Ok(Keys::All(_))));
    assert!(keys(nested(MAX_NESTING + 1).as_bytes()).is_err());
    // Constants.
    let values: Vec<Json> = (0..10_000).map(|at| text(&format!("{at:05}"))).collect();
    let listed = operator("In", &[&[key()][..], &values].concat());
    let found = ranges(listed);
    assert!(found.len() <= MAX_RANGES && found.len() > 1_000, "{}", found.len());
    assert_eq!((&found[0].0, &found[found.len() - 1].1), (&hex("00000"), &format!("{}00", hex("09999"))));
    // Arms, however they nest.
    let arms: Vec<Json> = (0..400).map(|at| is(&format!("{at:05}"))).collect();
    let nested = arms.iter().cloned().reduce(|all, arm| operator("OPOr", &[all, arm])).unwrap_or_default();
    assert_eq!(ranges(nested), ranges(operator("OPOr", &arms)));
    // Constants with every kind of sign.
    for odd in ["\"", "\\", "'", "\0", "\n", "%", "a\\'; DROP TABLE t; --", "\u{10FFFF}", "}", "{"] {
        assert_eq!(ranges(is(odd)), [point(odd)], "{odd:?}");
    }
}
