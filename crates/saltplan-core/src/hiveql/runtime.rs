//! Values that a scheduler, or Hive itself, fills in when a statement runs.

use std::fmt;

use super::foreign::shown;
use crate::key::time_format::TimeFormat;

/// Text that stands for a value until the statement runs, such as `${hivevar:day}` or `{{ ds_nodash }}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runtime {
    text: String,
    /// The form of the day that the text becomes; `None` is that in which the field is stored.
    format: Option<TimeFormat>,
}

/// Why a text cannot stand for a value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuntimeFault {
    /// Nothing in the text is filled in.
    Constant { text: String },
    /// It would end the literal that it stands in.
    Character { found: char },
    /// The form is none of a day.
    Format { pattern: String },
    /// The program has no such value, or its name is none.
    Word { preset: &'static str, word: String },
}

impl fmt::Display for RuntimeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuntimeFault::Constant { text } => {
                write!(f, "nothing fills in `{}`", shown(text))
            }
            RuntimeFault::Character { found } => {
                write!(f, "the text would stand in a literal, where `{}` ends it", found.escape_debug())
            }
            RuntimeFault::Format { pattern } => write!(f, "`{pattern}` is no form of a day"),
            RuntimeFault::Word { preset, word } => write!(f, "`{preset}:` takes no `{word}`"),
        }
    }
}

impl RuntimeFault {
    /// What to write instead.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            RuntimeFault::Constant { .. } => {
                "write the scheduler's own text, such as `{{ ds_nodash }}` or `${hivevar:day}`, or a preset such as \
                 `hivevar:day`; a value itself is given with `--param`"
            }
            RuntimeFault::Character { .. } => {
                "write double quotes inside of it, or let the scheduler hand the value to Hive: `hivevar:day`"
            }
            RuntimeFault::Format { .. } => {
                "write `iso` or a pattern with the letters yyyy, MM and dd, such as `yyyyMMdd`"
            }
            RuntimeFault::Word { .. } => {
                "the presets are `airflow:ds_nodash`, `hivevar:day`, `hiveconf:day`, `dolphinscheduler:yyyyMMdd-1`, \
                 `oozie:day`, `azkaban:day` and `dbt:day`"
            }
        }
    }
}

/// How programs spell a value by its name.
const PRESETS: [(&str, &str, &str); 7] = [
    ("airflow", "{{ ", " }}"),
    ("hivevar", "${hivevar:", "}"),
    ("hiveconf", "${hiveconf:", "}"),
    ("dolphinscheduler", "$[", "]"),
    ("oozie", "${", "}"),
    ("azkaban", "${", "}"),
    ("dbt", "{{ var(\"", "\") }}"),
];

/// Forms of Airflow's variables, which are not those in which a field may be stored.
const AIRFLOW_FORMATS: [(&str, &str); 2] = [("ds", "yyyy-MM-dd"), ("ds_nodash", "yyyyMMdd")];

impl Runtime {
    /// The text of a scheduler, or `PRESET:WORD`; `format` is the pattern of the day that it becomes, or `iso`.
    ///
    /// # Errors
    /// A text that nothing fills in or that would end a literal, a pattern that is no day's.
    pub fn new(text: &str, format: Option<&str>) -> Result<Self, RuntimeFault> {
        let mut format = format;
        let text = match preset(text)? {
            Some((spelled, known)) => {
                format = format.or(known);
                spelled
            }
            None => text.to_string(),
        };
        if let Some(found) = text.chars().find(|c| ['\'', '\\', ';'].contains(c) || c.is_control()) {
            return Err(RuntimeFault::Character { found });
        }
        if !text.contains(['$', '{', '@', '#', '%']) {
            return Err(RuntimeFault::Constant { text });
        }
        let format = format.map(read_format).transpose()?;
        Ok(Runtime { text, format })
    }

    /// As a statement spells it.
    pub fn text(&self) -> &str {
        &self.text
    }

    #[doc(hidden)]
    pub fn format(&self) -> Option<&TimeFormat> {
        self.format.as_ref()
    }
}

type Preset = (String, Option<&'static str>);

fn preset(text: &str) -> Result<Option<Preset>, RuntimeFault> {
    let Some((name, word)) = text.split_once(':') else { return Ok(None) };
    let Some((preset, before, behind)) = PRESETS.iter().find(|(preset, ..)| *preset == name) else {
        return Ok(None);
    };
    let takes = |c: char| match *preset {
        "dolphinscheduler" => c.is_ascii_graphic() && !['[', ']', '$'].contains(&c),
        _ => c.is_ascii_alphanumeric() || ['_', '.'].contains(&c),
    };
    if word.is_empty() || !word.chars().all(takes) {
        return Err(RuntimeFault::Word { preset, word: word.to_string() });
    }
    let format = AIRFLOW_FORMATS.iter().find(|(name, _)| *preset == "airflow" && *name == word);
    Ok(Some((format!("{before}{word}{behind}"), format.map(|(_, pattern)| *pattern))))
}

fn read_format(pattern: &str) -> Result<TimeFormat, RuntimeFault> {
    let format = TimeFormat::parse(if pattern == "iso" { "yyyy-MM-dd" } else { pattern });
    format.map_err(|_| RuntimeFault::Format { pattern: pattern.into() })
}

#[cfg(test)]
mod tests {
    use super::Runtime;

    #[test]
    fn presets_are_spelled_as_their_programs_do() {
        for (preset, text) in [
            ("airflow:ds_nodash", "{{ ds_nodash }}"),
            ("hivevar:day", "${hivevar:day}"),
            ("hiveconf:day", "${hiveconf:day}"),
            ("dolphinscheduler:yyyyMMdd-1", "$[yyyyMMdd-1]"),
            ("oozie:day", "${day}"),
            ("azkaban:day", "${day}"),
            ("dbt:day", "{{ var(\"day\") }}"),
            ("{{ macros.ds_add(ds, -1) }}", "{{ macros.ds_add(ds, -1) }}"),
        ] {
            assert_eq!(Runtime::new(preset, None).expect(preset).text(), text);
        }
        let format =
            |text| Runtime::new(text, None).expect(text).format().map(|format| format.pattern().to_string());
        assert_eq!(format("airflow:ds").as_deref(), Some("yyyy-MM-dd"));
        assert_eq!(format("hivevar:day"), None);
    }

    #[test]
    fn texts_that_stand_for_nothing() {
        for text in ["20200406", "", "${a}'", "${a}\\", "hivevar:", "hivevar:a b", "${a}\n"] {
            assert!(Runtime::new(text, None).is_err(), "{text}");
        }
        assert!(Runtime::new("${a}", Some("week")).is_err());
    }
}
