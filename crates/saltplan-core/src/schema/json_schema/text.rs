//! Texts, as far as a pattern can describe them.

use serde_json::{Value as Json, json};

use super::described;
use saltplan_document::format::Text;
use saltplan_sql::time::zone::Zone;

/// YAML numbers and booleans are read as the text that is written.
pub fn of_text(kind: Text) -> Json {
    match kind {
        Text::Zone => {
            let names: Vec<&str> = Zone::all().map(Zone::name).collect();
            json!({ "enum": names })
        }
        Text::Padding => json!({ "enum": [" ", "\\x00", "\0"] }),
        Text::Moment => json!({ "type": ["integer", "string"] }),
        Text::SplitKey => json!({ "type": "string", "minLength": 1 }),
        Text::Name => {
            json!({ "type": ["string", "number", "boolean"], "pattern": pattern(kind), "maxLength": 128 })
        }
        // Numbers and booleans contain no colon and are not types.
        Text::Cell | Text::HiveType => json!({ "type": "string", "pattern": pattern(kind) }),
        Text::HiveTable | Text::HbaseTable | Text::Expression => {
            json!({ "type": ["string", "number", "boolean"], "pattern": pattern(kind) })
        }
        Text::FieldName => described("Name of a key field.", any()),
        Text::ColumnName => described("Name of a column.", any()),
        Text::FieldOrColumn => described("Name of a key field or of a column.", any()),
        Text::Any
        | Text::Origin
        | Text::Family
        | Text::Bytes
        | Text::TimeFormat
        | Text::Chars
        | Text::Alphabet
        | Text::Path => any(),
    }
}

fn any() -> Json {
    json!({ "type": ["string", "number", "boolean"] })
}

/// A regular expression that every text of this kind matches.
pub fn pattern(kind: Text) -> Option<&'static str> {
    match kind {
        Text::Name => Some("^[^\\s`.'\"]+$"),
        Text::HiveTable => Some("^([^\\s`.'\"]+\\.)?[^\\s`.'\"]+$"),
        Text::HbaseTable => Some("^([A-Za-z0-9_]+:)?[A-Za-z0-9_][A-Za-z0-9_.-]*$"),
        Text::Cell => Some("^[^:]+:[^:,#]*$"),
        Text::Family => Some("^[^.:/,#\\s][^:/,#\\s]*$"),
        Text::HiveType => Some("^\\s*[A-Za-z]"),
        Text::Expression => Some("\\S"),
        _ => None,
    }
}
