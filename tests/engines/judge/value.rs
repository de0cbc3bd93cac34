//! A value that Hive printed, beside one of saltplan.

use chrono::{NaiveDate, NaiveDateTime};
use saltplan_core::analyze::constant::{Constant, Decimal};
use saltplan_law::readers::hive::unescaped;

/// What Hive gives for an expression.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Given {
    Null,
    /// Its type and its text.
    Value {
        hive_type: String,
        text: String,
    },
    /// It does not compile.
    Refused(String),
    /// It fails while it runs.
    Failed(String),
}

impl Given {
    /// The values of an answer of `lab values`, one for each row.
    pub fn all(answer: &str) -> Vec<Given> {
        if let Some(message) = answer.strip_prefix('!') {
            return vec![Given::Refused(unescaped(message))];
        }
        let mut fields = answer.split('\t');
        let hive_type = fields.next().unwrap_or_default();
        let given = |cell: &str| match cell {
            "\\N" => Given::Null,
            cell => match cell.strip_prefix("\\!") {
                Some(message) => Given::Failed(unescaped(message)),
                None => Given::Value { hive_type: hive_type.to_string(), text: unescaped(cell) },
            },
        };
        fields.map(given).collect()
    }

    /// The value of an answer for one row.
    pub fn one(answer: &str) -> Given {
        let mut all = Self::all(answer);
        match all.len() {
            1 => all.remove(0),
            count => Given::Failed(format!("{count} values")),
        }
    }

    /// Whether it is this constant. Of numbers the type may be another one.
    pub fn is(&self, constant: &Constant) -> bool {
        match (self, constant) {
            (Given::Null, Constant::Null) => true,
            (Given::Value { hive_type, text }, constant) => is_text(hive_type, text, constant),
            _ => false,
        }
    }

    pub fn show(&self) -> String {
        match self {
            Given::Null => "NULL".into(),
            Given::Value { hive_type, text } => format!("{hive_type} {text:?}"),
            Given::Refused(message) => format!("refused: {message}"),
            Given::Failed(message) => format!("failed: {message}"),
        }
    }
}

fn is_text(hive_type: &str, text: &str, constant: &Constant) -> bool {
    match constant {
        Constant::Null => false,
        Constant::Bool(value) => hive_type == "boolean" && text == value.to_string(),
        Constant::Text(value) => is_of_texts(hive_type) && text == value,
        Constant::Date(value) => {
            hive_type == "date" && NaiveDate::parse_from_str(text, "%Y-%m-%d") == Ok(*value)
        }
        Constant::Timestamp(value) => {
            hive_type == "timestamp"
                && NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f") == Ok(*value)
        }
        Constant::Number(value) => match hive_type {
            "float" => value.to_string().parse() == text.parse::<f32>(),
            "double" => value.to_string().parse() == text.parse::<f64>(),
            hive_type if is_of_texts(hive_type) => false,
            _ => Decimal::parse(text) == Some(*value),
        },
    }
}

fn is_of_texts(hive_type: &str) -> bool {
    hive_type == "string" || hive_type.starts_with("varchar") || hive_type.starts_with("char")
}
