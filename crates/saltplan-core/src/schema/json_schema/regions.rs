//! `regions:`

use serde_json::{Value as Json, json};

use super::{described, integer, object, one_of_keys, text_value, words};

const MAX_REGIONS: i64 = 100_000;

pub fn regions() -> Json {
    let count = |description: &str| integer(description, 2, MAX_REGIONS);
    let explicit = described(
        "The split keys, always in quotes; `\\xNN` is a byte. n split keys make n + 1 regions.",
        json!({
            "type": "array",
            "items": { "type": "string", "minLength": 1 },
            "minItems": 1,
            "maxItems": MAX_REGIONS - 1,
            "uniqueItems": true,
        }),
    );
    let per_salt = described(
        "One region for each reachable salt.",
        json!({ "type": ["object", "null"], "maxProperties": 0 }),
    );
    one_of_keys(
        "How the table is split when it is made.",
        vec![
            ("per_salt", per_salt),
            ("explicit", explicit),
            (
                "hex_string",
                count("Regions of HBase's HexStringSplit, for keys that start with eight hex digits."),
            ),
            (
                "decimal_string",
                count("Regions of HBase's DecimalStringSplit, for keys that start with eight digits."),
            ),
            ("uniform", count("Regions of HBase's UniformSplit, for keys of random bytes.")),
            ("byte_range", byte_range()),
            ("numbered", numbered()),
            ("long_range", long_range()),
            ("sampled", sampled()),
        ],
    )
}

fn byte_range() -> Json {
    let types = words(
        "How the bounds become bytes.",
        &[("short", "2 bytes"), ("int", "4 bytes"), ("long", "8 bytes"), ("string", "text in quotes")],
    );
    let bound = |what: &str| described(what, json!({ "type": ["integer", "string"] }));
    let mut object = object(
        "Admin.createTable(descriptor, start, end, n).",
        &["start", "end", "regions", "type"],
        vec![
            ("start", bound("The first split key.")),
            ("end", bound("The last split key.")),
            ("regions", integer("Number of regions.", 3, MAX_REGIONS)),
            ("type", types),
        ],
    );
    if let Some(members) = object.as_object_mut() {
        let both = |bound: Json| json!({ "properties": { "start": bound, "end": bound } });
        members.insert(
            "if".into(),
            json!({ "properties": { "type": { "const": "string" } }, "required": ["type"] }),
        );
        members.insert("then".into(), both(json!({ "type": "string", "minLength": 1 })));
        members.insert("else".into(), both(json!({ "type": "integer" })));
    }
    object
}

fn numbered() -> Json {
    object(
        "0|, 1|, … with the digits of the greatest number.",
        &["regions", "suffix"],
        vec![
            ("regions", integer("Number of regions.", 2, MAX_REGIONS)),
            ("suffix", text_value("Behind each number; sorts behind the separator of the keys.")),
        ],
    )
}

fn long_range() -> Json {
    let bound = |what: &str| integer(what, 0, i64::MAX);
    object(
        "Split keys that are longs of 8 bytes, both ends included.",
        &["from", "to"],
        vec![("from", bound("The first split key.")), ("to", bound("The last split key."))],
    )
}

fn sampled() -> Json {
    object(
        "Quantiles of real row keys.",
        &["keys", "regions"],
        vec![
            (
                "keys",
                text_value("File with one row key a line, in the HBase shell's form; relative to this file."),
            ),
            ("regions", integer("Number of regions.", 2, MAX_REGIONS)),
        ],
    )
}
