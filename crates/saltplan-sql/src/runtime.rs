//! Values that a scheduler or Hive itself fills in when a statement runs.

use super::filled_in::{KnownValue, ValueForm, in_double_quotes, known_value};
use super::foreign::shortened;
use super::functions::CONCAT;
use super::schedulers;
use crate::time::format::TimeFormat;

/// A placeholder for a value that is filled in when the statement runs, such as `${hivevar:day}` or `{{
/// ds_nodash }}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runtime {
    text: String,
    /// The format of the value; `None` means the format in which the field is stored.
    format: Option<TimeFormat>,
    /// Whether the value is a time with its offset from UTC.
    is_instant: bool,
    /// Whether the text is an expression, and not a part of a text literal.
    is_expression: bool,
    /// Whether Hive takes the value for a whole number, whatever it is.
    is_whole_number: bool,
    /// Whether the expression is a text, and a call or a literal.
    is_plain_text: bool,
    /// Whether a value of another form reads all keys. Otherwise the statement fails.
    reads_all_otherwise: bool,
}

/// Why a text is not a valid placeholder.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuntimeFault {
    /// Nothing in the text is filled in.
    #[error("nothing fills in `{}`", shortened(text))]
    Constant { text: String },
    /// A character that would end the literal around the placeholder.
    #[error("the text is placed in a literal, which `{}` would end", found.escape_debug())]
    Character { found: char },
    /// The format is not a date pattern.
    #[error("`{pattern}` is not a format of a day or a time")]
    Format { pattern: String },
    /// The name is not valid for this program.
    #[error("`{preset}` has no value `{word}`")]
    Word { preset: &'static str, word: String },
    /// The program has no value with this name. `own` is how a user-defined value of this name is written.
    #[error("{} has no `{}`", if *preset == "airflow" { "Airflow" } else { "DolphinScheduler" }, shortened(word))]
    Unknown { preset: &'static str, word: String, meant: Option<String>, own: String },
    /// No preset has this name, but a similar one exists.
    #[error("there is no preset `{}:`", shortened(name))]
    Preset { name: String, meant: String },
    /// No program fills in a text between these brackets.
    #[error("nothing fills in `{}`: these are the brackets of another program", shortened(text))]
    Brackets { text: String, written: String },
    /// The text has another form than it is declared to have.
    #[error("`{}` becomes {found}, not `{declared}`", shortened(text))]
    Form { text: String, found: String, declared: String },
    /// A bracket is not closed.
    #[error("`{}` is not closed", shortened(text))]
    Unclosed { text: String, close: &'static str },
    /// Azkaban fills this in, but not in files.
    #[error("Azkaban fills in `{word}` only in properties and commands, not in files")]
    NotInFiles { word: String },
}

impl RuntimeFault {
    /// What to write instead.
    #[must_use]
    pub fn help(&self) -> String {
        let help = match self {
            RuntimeFault::Constant { .. } => {
                "write the scheduler's own text, such as `{{ ds_nodash }}` or `${hivevar:day}`, or a preset such as `hivevar:day`; pass a known value with `--param`"
            }
            RuntimeFault::Character { .. } => {
                "use double quotes inside it, or let the scheduler pass the value to Hive: `hivevar:day`"
            }
            RuntimeFault::Format { .. } => {
                "write `iso`, `instant` for a time with its offset, or a pattern with the letters yyyy, MM, dd and HH, such as `yyyyMMdd`"
            }
            RuntimeFault::Word { .. } => {
                "the presets are `airflow:ds_nodash`, `hivevar:day`, `hiveconf:day`, `dolphinscheduler:yyyyMMdd-1`, \
                 `oozie:day`, `azkaban:day` and `dbt:day`"
            }
            RuntimeFault::Unknown { meant: Some(meant), own, .. } => {
                return format!(
                    "did you mean `{meant}`? Write a name of your own as in the statement: `{own}`"
                );
            }
            RuntimeFault::Unknown { own, .. } => {
                return format!("write a name of your own as in the statement: `{own}`");
            }
            RuntimeFault::Preset { meant, .. } => return format!("did you mean `{meant}`?"),
            RuntimeFault::Brackets { written, .. } => return format!("write `{written}`"),
            RuntimeFault::Form { declared, .. } => {
                return format!("declare the form that it has, or write a text that becomes `{declared}`");
            }
            RuntimeFault::Unclosed { close, .. } => return format!("close it with `{close}`"),
            RuntimeFault::NotInFiles { word } => {
                return format!(
                    "write `hivevar:day`, and `--hivevar day=${{{word}}}` in the command that runs the file"
                );
            }
        };
        help.to_string()
    }
}

impl Runtime {
    /// Parses a placeholder of a scheduler, or `PRESET:WORD`. `format` is the date pattern of the value, or
    /// `iso`.
    ///
    /// # Errors
    /// A text that nothing fills in or that would end a literal, or a pattern that is not a day.
    pub fn new(text: &str, format: Option<&str>) -> Result<Self, RuntimeFault> {
        let mut of_preset = None;
        let preset = schedulers::preset(text)?;
        let is_preset = preset.is_some();
        let text = match preset {
            Some(preset) => {
                of_preset = known_value(&preset.text).form.and_then(|form| form.format());
                preset.text
            }
            None => text.to_string(),
        };
        // Jinja takes both quotes for the same, and only the double ones may stand in a literal of Hive.
        let text = if text.contains('\'') { in_double_quotes(&text).unwrap_or(text) } else { text };
        if let Some(found) = text.chars().find(|c| ['\'', '\\', ';'].contains(c) || c.is_control()) {
            return Err(RuntimeFault::Character { found });
        }
        if !text.contains(['$', '{', '@', '#', '%']) {
            return Err(RuntimeFault::Constant { text });
        }
        if !is_preset {
            schedulers::check_brackets(&text)?;
        }
        let is_instant = match (format, known_value(&text).form) {
            (Some("instant"), None | Some(ValueForm::WithOffset)) => {
                return Ok(Runtime { is_instant: true, ..Runtime::of(text) });
            }
            (Some("instant"), Some(form)) => {
                let (found, declared) = (form.to_string(), "a time with an offset".into());
                return Err(RuntimeFault::Form { text, found, declared });
            }
            (None, Some(ValueForm::WithOffset)) => true,
            _ => false,
        };
        let format = format.map(read_format).transpose()?.or(of_preset);
        if let (Some(format), Some(form)) = (&format, known_value(&text).form)
            && !form.is(format)
        {
            let (found, declared) = (form.to_string(), format.pattern().into());
            return Err(RuntimeFault::Form { text, found, declared });
        }
        Ok(Runtime { format, is_instant, ..Runtime::of(text) })
    }

    fn of(text: String) -> Self {
        Runtime {
            text,
            format: None,
            is_instant: false,
            is_expression: false,
            is_whole_number: false,
            is_plain_text: false,
            reads_all_otherwise: false,
        }
    }

    /// An expression without columns, in HiveQL, that Hive computes when the query runs, such as `date_sub(current_date, 1)`.
    #[must_use]
    pub fn expression(sql: &str) -> Self {
        Runtime { is_expression: true, ..Runtime::of(sql.into()) }
    }

    /// The same value, which Hive takes for a whole number.
    #[must_use]
    pub fn of_whole_number(self) -> Self {
        Runtime { is_whole_number: true, ..self }
    }

    /// The same value, an expression that is a text, and a call or a literal.
    #[must_use]
    pub fn of_plain_text(self) -> Self {
        Runtime { is_plain_text: true, ..self }
    }

    /// Whether the expression is a text, and a call or a literal.
    pub fn is_plain_text(&self) -> bool {
        self.is_plain_text
    }

    /// The same value. If it has another form than the key, the statement does not fail, but reads all keys.
    #[must_use]
    pub fn reading_all_otherwise(self) -> Self {
        Runtime { reads_all_otherwise: true, ..self }
    }

    /// Whether the text is an expression, and not a part of a text literal.
    pub fn is_expression(&self) -> bool {
        self.is_expression
    }

    /// Whether Hive takes the value for a whole number, whatever it is.
    pub fn is_whole_number(&self) -> bool {
        self.is_whole_number
    }

    /// Whether a value of another form reads all keys; otherwise the statement fails.
    pub fn reads_all_otherwise(&self) -> bool {
        self.reads_all_otherwise
    }

    /// Whether the value is a time with its offset from UTC, such as `2024-06-01T00:00:00+00:00`.
    pub fn is_instant(&self) -> bool {
        self.is_instant
    }

    /// What the text tells of the value.
    pub fn known(&self) -> KnownValue {
        known_value(&self.text)
    }

    /// The text in a statement.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same text, which becomes a day of this form.
    #[must_use]
    pub fn in_format(&self, format: TimeFormat) -> Self {
        Runtime { format: Some(format), is_instant: false, ..self.clone() }
    }

    /// This text and another one behind it, which together have this form.
    #[must_use]
    pub fn joined_with(&self, other: &Self, format: TimeFormat) -> Self {
        let is_expression = self.is_expression || other.is_expression;
        let sql = |one: &Self| if one.is_expression { one.text.clone() } else { format!("'{}'", one.text) };
        let text = match is_expression {
            true => format!("{}({}, {})", CONCAT.name(), sql(self), sql(other)),
            false => format!("{}{}", self.text, other.text),
        };
        Runtime {
            format: Some(format),
            is_expression,
            is_plain_text: is_expression,
            reads_all_otherwise: self.reads_all_otherwise && other.reads_all_otherwise,
            ..Runtime::of(text)
        }
    }

    #[doc(hidden)]
    pub fn format(&self) -> Option<&TimeFormat> {
        self.format.as_ref()
    }
}

fn read_format(pattern: &str) -> Result<TimeFormat, RuntimeFault> {
    let format = TimeFormat::parse(if pattern == "iso" { "yyyy-MM-dd" } else { pattern });
    format.map_err(|_| RuntimeFault::Format { pattern: pattern.into() })
}

#[cfg(test)]
mod tests {
    use super::Runtime;

    #[test]
    fn names_that_determine_a_format() {
        let format =
            |text| Runtime::new(text, None).expect(text).format().map(|format| format.pattern().to_string());
        assert_eq!(format("airflow:ds").as_deref(), Some("yyyy-MM-dd"));
        assert_eq!(format("airflow:yesterday_ds_nodash").as_deref(), Some("yyyyMMdd"));
        assert_eq!(format("dolphinscheduler:system.biz.date").as_deref(), Some("yyyyMMdd"));
        assert_eq!(format("airflow:macros.ds_add(ds, -1)").as_deref(), Some("yyyy-MM-dd"));
        assert_eq!(format("dolphinscheduler:yyyyMMddHH-1/24").as_deref(), Some("yyyyMMddHH"));
        assert_eq!(format("dolphinscheduler:HH-1/24"), None);
        assert_eq!(format("airflow:ts"), None);
        assert_eq!(format("airflow:ts_nodash"), None);
        assert_eq!(format("hivevar:day"), None);
    }

    #[test]
    fn texts_that_are_not_placeholders() {
        for text in ["20200406", "", "${a}'", "${a}\\", "hivevar:", "hivevar:a b", "${a}\n"] {
            assert!(Runtime::new(text, None).is_err(), "{text}");
        }
        assert!(Runtime::new("${a}", Some("week")).is_err());
    }
}
