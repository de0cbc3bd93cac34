//! `key:`

use serde_json::{Value as Json, json};

use super::{described, flag, integer, list, name, object, one_of_keys, text_value, words};

/// As wide as a row key can be.
const MAX_KEY_BYTES: i64 = crate::key::range::MAX_KEY_BYTES as i64;

pub fn key() -> Json {
    object(
        "The row key: the salt, then the stored fields, with separators between them.",
        &["fields"],
        vec![
            ("salt", salt()),
            (
                "separator",
                text_value("Stands between all parts; a part's own `then` overrides it. `\\xNN` is a byte."),
            ),
            ("fields", list("The fields in key order.", field(), 64)),
        ],
    )
}

fn field() -> Json {
    let types = words(
        "What the values are.",
        &[
            ("string", "text"),
            ("int", "an integer of 4 bytes"),
            ("bigint", "an integer of 8 bytes"),
            ("date", "a calendar date, with a `format`"),
            ("timestamp", "a time: local text with a `format`, or an instant with an `epoch`"),
        ],
    );
    let encoding = words(
        "How a number is stored.",
        &[
            ("decimal", "text, padded with zeros to `width`"),
            ("be", "two's complement, big endian: negative numbers sort last"),
            ("be_sortable", "the same with the sign bit flipped: sorts as numbers"),
        ],
    );
    let epoch =
        words("An instant as a number since 1970-01-01 UTC.", &[("ms", "milliseconds"), ("s", "seconds")]);
    let values = described(
        "All values that the field can have.",
        json!({ "type": "array", "items": text_value("A value."), "minItems": 1 }),
    );
    let mut field = object(
        "A field of the row key.",
        &["name", "type"],
        vec![
            ("name", name("Name of the field in predicates.")),
            ("type", types),
            ("format", text_value("Java's date letters yyyy MM dd HH mm ss SSS, such as yyyyMMdd.")),
            ("epoch", epoch),
            ("encoding", encoding),
            (
                "width",
                integer("Exact width of text in bytes; of a decimal number its digits.", 1, MAX_KEY_BYTES),
            ),
            ("min", bound("The least value of an integer; the first plausible day or time.")),
            ("max", bound("The greatest value of an integer; the last plausible day or time.")),
            (
                "chars",
                text_value(
                    "Characters of the text: digits, hex, alnum, ascii, utf8, or a class such as '[a-z-]'.",
                ),
            ),
            ("values", values),
            ("reverse", flag("Stores the characters in reverse order.")),
            ("descending", flag("Stores the maximum minus the value, so that greater values sort first.")),
            ("stored", flag("`false`: feeds the salt only, is not in the key.")),
            ("then", text_value("Separator behind this field.")),
        ],
    );
    if let Some(members) = field.as_object_mut() {
        members.insert("allOf".into(), rules_of_types());
    }
    field
}

/// A bound of an integer, or of a date in the form of its text.
fn bound(description: &str) -> Json {
    described(description, json!({ "type": ["integer", "string"], "minimum": i64::MIN, "maximum": i64::MAX }))
}

/// Which keys each type needs, and which do not go with it.
fn rules_of_types() -> Json {
    let rule = |types: &[&str], required: &[&str], refused: &[&str]| {
        let refused: serde_json::Map<String, Json> =
            refused.iter().map(|key| (key.to_string(), Json::Bool(false))).collect();
        json!({
            "if": { "properties": { "type": { "enum": types } }, "required": ["type"] },
            "then": { "required": required, "properties": refused },
        })
    };
    json!([
        rule(&["string"], &[], &["format", "epoch", "encoding", "descending", "min", "max"]),
        rule(&["int", "bigint"], &["encoding"], &["format", "epoch", "chars", "values", "reverse"]),
        rule(
            &["date"],
            &["format"],
            &["epoch", "encoding", "descending", "width", "chars", "values", "reverse"]
        ),
        rule(&["timestamp"], &[], &["chars", "values", "reverse"]),
        {
            "if": { "properties": { "type": { "enum": ["int", "bigint"] } }, "required": ["type"] },
            "then": { "properties": { "min": { "type": "integer" }, "max": { "type": "integer" } } },
        },
        {
            "if": { "properties": { "type": { "const": "timestamp" } }, "required": ["type"] },
            "then": { "oneOf": [
                { "required": ["epoch", "encoding"], "not": { "required": ["format"] } },
                { "required": ["format"], "not": { "anyOf": [
                    { "required": ["epoch"] }, { "required": ["encoding"] },
                    { "required": ["descending"] }, { "required": ["width"] },
                ] } },
            ] },
        },
    ])
}

fn salt() -> Json {
    one_of_keys(
        "Leading bytes that spread writes over the regions.",
        vec![("md5", md5()), ("java_hash", java_hash()), ("modulo", modulo()), ("random", random())],
    )
}

fn then() -> (&'static str, Json) {
    ("then", text_value("Separator behind the salt."))
}

fn md5() -> Json {
    let of = json!({
        "description": "`key`: the stored bytes of all fields; or a list of fields.",
        "anyOf": [{ "const": "key" }, inputs()],
    });
    let mut object = object(
        "The first hex digits of an MD5: spreads evenly, computable from the row.",
        &["of", "first_hex_digits", "write"],
        vec![
            ("of", of),
            ("joined_by", text_value("Text between the inputs before they are hashed.")),
            ("first_hex_digits", integer("How many of the 32 digits are taken.", 1, 32)),
            ("write", write()),
            then(),
        ],
    );
    if let Some(members) = object.as_object_mut() {
        // The stored key has its own separators.
        let joined_key = json!({ "required": ["joined_by"], "properties": { "of": { "const": "key" } } });
        members.insert("not".into(), joined_key);
    }
    object
}

fn java_hash() -> Json {
    let combine = words(
        "How several inputs become one hash.",
        &[("concat", "the hash of the joined text"), ("xor", "the exclusive or of their hashes")],
    );
    let abs = words(
        "Where the writer takes the absolute value.",
        &[
            ("before", "Math.abs(h) % n, which leaves Integer.MIN_VALUE negative"),
            ("after", "Math.abs(h % n)"),
            ("none", "h % n, which keeps the sign"),
        ],
    );
    let mut object = object(
        "Java's String.hashCode, then a mask or a remainder.",
        &["of", "write"],
        vec![
            ("of", inputs()),
            ("combine", combine),
            ("mask", integer("Bits of the hash that are kept, such as 0x7FFF.", 1, i64::from(u32::MAX))),
            ("modulo", integer("Divisor of the remainder.", 1, i64::from(i32::MAX))),
            ("abs", abs),
            ("write", write()),
            then(),
        ],
    );
    if let Some(members) = object.as_object_mut() {
        let mask = json!({ "required": ["mask"], "not": { "anyOf": [{ "required": ["modulo"] }, { "required": ["abs"] }] } });
        let modulo = json!({ "required": ["modulo", "abs"], "not": { "required": ["mask"] } });
        members.insert("oneOf".into(), json!([mask, modulo]));
    }
    object
}

fn modulo() -> Json {
    object(
        "The remainder of a number, with Java's %: consecutive numbers go to consecutive salts.",
        &["of", "by", "write"],
        vec![
            ("of", text_value("The field, an integer or an instant.")),
            ("by", integer("Divisor of the remainder.", 1, i64::MAX)),
            ("write", write()),
            then(),
        ],
    )
}

fn random() -> Json {
    object(
        "A random number: cannot be computed, so every query reads all salts.",
        &["below", "write"],
        vec![
            ("below", integer("How many salts there are, from 0 on.", 1, i64::from(u32::MAX))),
            ("write", write()),
            then(),
        ],
    )
}

fn inputs() -> Json {
    let cut = object(
        "A part of a field.",
        &["field"],
        vec![
            ("field", text_value("Name of the field.")),
            ("first", integer("Leading characters of text, leading bytes of binary.", 1, MAX_KEY_BYTES)),
            ("last", integer("Trailing characters of text, trailing bytes of binary.", 1, MAX_KEY_BYTES)),
            ("format", text_value("A date or an instant in another format, such as yyyyMM.")),
            ("case", words("Change of case before the input is used.", &[("lower", "lower case")])),
        ],
    );
    list(
        "The fields, or parts of them, in order.",
        json!({ "anyOf": [text_value("Name of a field."), cut] }),
        64,
    )
}

fn write() -> Json {
    let width = object(
        "Text of one width.",
        &["decimal"],
        vec![("decimal", integer("Digits, padded with zeros.", 1, 64))],
    );
    let words = words(
        "",
        &[
            ("decimal", "text without padding"),
            ("hex", "lower-case hex digits"),
            ("be16", "two bytes, big endian"),
            ("be32", "four bytes, big endian"),
            ("be64", "eight bytes, big endian"),
        ],
    );
    json!({ "description": "How the number becomes bytes: `{ decimal: width }`, decimal, hex, be16, be32 or be64.", "anyOf": [words, width] })
}
