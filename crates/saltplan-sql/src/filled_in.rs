//! What is known of the values that schedulers fill in: the form of their text, and the clock that they are read from.

use std::fmt;

use crate::schedulers::{AirflowForm, airflow_form};
use crate::time::format::{ISO_DAY, TimeFormat};
use crate::time::pattern::{Granularity, TimePattern};

/// What is known of a value before it is filled in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KnownValue {
    /// The form of its text; `None` if the placeholder does not tell.
    pub form: Option<ValueForm>,
    /// The clock that shows it; `None` if the placeholder does not tell.
    pub clock: Option<ValueClock>,
}

/// The form of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueForm {
    /// Units of time in a pattern.
    Printed(TimePattern),
    /// A time with its offset from UTC; a fraction of a second if it has one: `2024-06-01T00:00:00+00:00`.
    WithOffset,
    /// Something else, such as this text.
    Like(&'static str),
}

/// A clock that shows a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueClock {
    Utc,
    /// The clock of a zone that the placeholder names.
    Zone,
}

impl fmt::Display for ValueForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueForm::Printed(pattern) => write!(f, "`{}`", pattern.text()),
            ValueForm::Like(text) => write!(f, "a text such as `{text}`"),
            ValueForm::WithOffset => write!(f, "a time with an offset, such as `2024-06-01T00:00:00+00:00`"),
        }
    }
}

impl ValueForm {
    fn pattern(text: &str) -> Option<Self> {
        TimePattern::parse(text).ok().map(ValueForm::Printed)
    }

    /// The format of a day, a month or an hour.
    pub(super) fn format(&self) -> Option<TimeFormat> {
        let ValueForm::Printed(pattern) = self else { return None };
        TimeFormat::parse(pattern.text()).ok().filter(|format| format.granularity() <= Granularity::Hour)
    }

    /// Whether a text in a format has this form.
    pub fn is(&self, format: &TimeFormat) -> bool {
        matches!(self, ValueForm::Printed(pattern) if pattern.pieces() == format.printed().pieces())
    }
}

/// The form of a variable or a filter of Airflow that is a text of a time.
fn airflow_text(name: &str) -> Option<ValueForm> {
    match airflow_form(name)? {
        AirflowForm::Printed(pattern) => ValueForm::pattern(pattern),
        AirflowForm::Like(text) => Some(ValueForm::Like(text)),
        AirflowForm::WithOffset => Some(ValueForm::WithOffset),
        AirflowForm::Other => None,
    }
}

/// What is known of a text with a placeholder; nothing if other text is around it.
pub(super) fn known_value(text: &str) -> KnownValue {
    let inside = |open, close| text.strip_prefix(open)?.strip_suffix(close);
    if let Some(expression) = inside("{{", "}}") {
        return of_airflow(expression.trim());
    }
    let pattern = match (inside("${", "}"), inside("$[", "]")) {
        (Some("system.biz.date" | "system.biz.curdate"), _) => Some("yyyyMMdd"),
        (Some("system.datetime"), _) => Some("yyyyMMddHHmmss"),
        (_, Some(expression)) => of_dolphinscheduler(expression.trim()),
        _ => None,
    };
    KnownValue { form: pattern.and_then(ValueForm::pattern), clock: None }
}

/// The pattern of `yyyyMMdd-1`, `HHmm+1/24` or `add_months(yyyyMMdd, -1)`.
fn of_dolphinscheduler(expression: &str) -> Option<&str> {
    let pattern = match expression.split_once('(') {
        Some(("timestamp" | "year_week", _)) => return None,
        Some((_, arguments)) => arguments.split([',', ')']).next()?,
        None => expression,
    };
    let last = pattern.rfind(|c: char| c.is_ascii_alphabetic())?;
    Some(pattern[..=last].trim())
}

fn of_airflow(expression: &str) -> KnownValue {
    let has = |word: &str| words(expression).any(|found| found == word);
    let is_in_zone = ["in_timezone", "in_tz", "astimezone"].into_iter().any(has);
    let (value, filter) = match last_filter(expression) {
        Some((value, filter)) => (value, Some(filter)),
        None => (expression, None),
    };
    // Members of `params` and the like are the user's own.
    let is_own =
        words(value).next().is_some_and(|first| ["params", "var", "dag_run", "conf"].contains(&first));
    let is_time = !is_own && words(value).any(|word| airflow_text(word).is_some());
    let form = match filter {
        Some(filter) => airflow_text(filter),
        None => airflow_text(value).or_else(|| of_call(value)),
    };
    let clock = match (is_time, is_in_zone) {
        (_, true) => Some(ValueClock::Zone),
        (true, false) => Some(ValueClock::Utc),
        (false, false) => None,
    };
    KnownValue { form, clock }
}

/// The names in an expression, outside of its texts.
fn words(expression: &str) -> impl Iterator<Item = &str> {
    let outside = expression.split(['"', '\'']).step_by(2);
    outside.flat_map(|part| part.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
}

/// The value and the name of the last filter: of `x | ds_nodash` both sides of the sign.
fn last_filter(expression: &str) -> Option<(&str, &str)> {
    let (value, filter) = expression.rsplit_once('|')?;
    let filter = filter.trim();
    let is_name = filter.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then_some((value.trim(), filter))
}

/// The form of the value that an expression has if it ends with a call: `strftime`, `format`, `macros.ds_add` and `macros.ds_format`.
fn of_call(expression: &str) -> Option<ValueForm> {
    let (before, arguments) = expression.strip_suffix(')')?.rsplit_once('(')?;
    let last = arguments.rsplit(',').next()?.trim();
    let text = || last.strip_prefix(['"', '\''])?.strip_suffix(['"', '\'']);
    match before.rsplit('.').next()? {
        "ds_add" if before == "macros.ds_add" => ValueForm::pattern(ISO_DAY),
        "ds_format" if before == "macros.ds_format" => of_directives(text()?),
        "strftime" => of_directives(text()?),
        "format" => of_letters(text()?),
        "isoformat" if arguments.is_empty() => Some(ValueForm::WithOffset),
        _ => None,
    }
}

/// The pattern of Python's `strftime`: `%Y%m%d`.
fn of_directives(text: &str) -> Option<ValueForm> {
    let mut pattern = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '%' => pattern.push_str(match rest.next()? {
                'Y' => "yyyy",
                'm' => "MM",
                'd' => "dd",
                'H' => "HH",
                'M' => "mm",
                'S' => "ss",
                'F' => ISO_DAY,
                'T' => "HH:mm:ss",
                _ => return None,
            }),
            '\'' => pattern.push_str("''"),
            c if c.is_alphabetic() => {
                pattern.push('\'');
                pattern.push(c);
                pattern.push('\'');
            }
            c => pattern.push(c),
        }
    }
    ValueForm::pattern(&pattern)
}

/// The pattern of pendulum's `format`: `YYYYMMDD`.
fn of_letters(text: &str) -> Option<ValueForm> {
    let is_known = text.chars().all(|c| !c.is_alphabetic() || "YMDHms".contains(c));
    let pattern = text.replace('Y', "y").replace('D', "d");
    is_known.then(|| ValueForm::pattern(&pattern))?
}

/// An expression of Jinja with its texts in double quotes, which do not end the literal around it. `None` if a text has a double quote
/// or a backslash itself.
pub(super) fn in_double_quotes(text: &str) -> Option<String> {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("{{") {
        let end = at + rest[at..].find("}}")? + 2;
        written.push_str(&rest[..at]);
        let mut parts = &rest[at..end];
        while let Some(quote) = parts.find(['"', '\'']) {
            let mark = parts[quote..].chars().next()?;
            let close = quote + 1 + parts[quote + 1..].find(mark)?;
            let inside = &parts[quote + 1..close];
            if inside.contains(['"', '\'', '\\']) {
                return None;
            }
            written.push_str(&parts[..quote]);
            written.push('"');
            written.push_str(inside);
            written.push('"');
            parts = &parts[close + 1..];
        }
        written.push_str(parts);
        rest = &rest[end..];
    }
    written.push_str(rest);
    Some(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(text: &str) -> (String, Option<ValueClock>) {
        let KnownValue { form, clock } = known_value(text);
        (form.map_or_else(String::new, |form| form.to_string()), clock)
    }

    #[test]
    fn forms_and_clocks() {
        let (utc, zone) = (Some(ValueClock::Utc), Some(ValueClock::Zone));
        let offset = "a time with an offset, such as `2024-06-01T00:00:00+00:00`";
        for (text, form, clock) in [
            ("{{ ds }}", "`yyyy-MM-dd`", utc),
            ("{{ds_nodash}}", "`yyyyMMdd`", utc),
            ("{{ yesterday_ds_nodash }}", "`yyyyMMdd`", utc),
            ("{{ ts }}", offset, utc),
            ("{{ ts_nodash }}", "`yyyyMMdd'T'HHmmss`", utc),
            ("{{ data_interval_start }}", offset, utc),
            ("{{ data_interval_start | ds_nodash }}", "`yyyyMMdd`", utc),
            ("{{ data_interval_start.in_timezone(\"Asia/Shanghai\") | ds_nodash }}", "`yyyyMMdd`", zone),
            ("{{ data_interval_start.in_timezone(\"Asia/Shanghai\") | ts }}", offset, zone),
            ("{{ logical_date.in_tz(\"Asia/Shanghai\").strftime(\"%Y%m%d%H\") }}", "`yyyyMMddHH`", zone),
            ("{{ logical_date.format(\"YYYYMMDDHH\") }}", "`yyyyMMddHH`", utc),
            ("{{ macros.ds_add(ds, -1) }}", "`yyyy-MM-dd`", utc),
            ("{{ macros.ds_format(ds, \"%Y-%m-%d\", \"%Y%m%d\") }}", "`yyyyMMdd`", utc),
            ("{{ (data_interval_start + macros.timedelta(days=1)) | ds }}", "`yyyy-MM-dd`", utc),
            ("{{ data_interval_start.strftime(\"%j\") }}", "", utc),
            ("{{ params.day }}", "", None),
            ("{{ var.value.ds }}", "", None),
            ("{{ params[\"ds\"] }}", "", None),
            ("{{ my_day }}", "", None),
            ("dt={{ ds }}", "", None),
            ("$[yyyyMMdd-1]", "`yyyyMMdd`", None),
            ("$[yyyy-MM-dd-1]", "`yyyy-MM-dd`", None),
            ("$[yyyyMMddHH-1/24]", "`yyyyMMddHH`", None),
            ("$[add_months(yyyyMMdd,-12*1)]", "`yyyyMMdd`", None),
            ("$[yyyymmddhh24miss]", "", None),
            ("${system.biz.date}", "`yyyyMMdd`", None),
            ("${system.datetime}", "`yyyyMMddHHmmss`", None),
            ("${hivevar:day}", "", None),
        ] {
            assert_eq!(known(text), (form.to_string(), clock), "{text}");
        }
    }

    #[test]
    fn quotes_of_jinja() {
        for (given, written) in [
            (
                "{{ x.in_timezone('Asia/Shanghai') | ds }}",
                Some("{{ x.in_timezone(\"Asia/Shanghai\") | ds }}"),
            ),
            ("{{ a(\"b\", 'c') }}-{{ d['e'] }}", Some("{{ a(\"b\", \"c\") }}-{{ d[\"e\"] }}")),
            ("{{ a('it\"s') }}", None),
            ("{{ a('it) }}", None),
            ("'{{ a }}", Some("'{{ a }}")),
        ] {
            assert_eq!(in_double_quotes(given).as_deref(), written, "{given}");
        }
    }
}
