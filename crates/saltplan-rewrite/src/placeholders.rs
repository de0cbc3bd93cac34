//! Placeholders in queries: what fills them in, and whether it fills in the same value at every place.

use crate::rules::Known;
use crate::values::TEMPLATES;

/// Functions and filters of Jinja, and methods of times, that give the same value for the same arguments.
const STEADY: [&str; 32] = [
    "add",
    "astimezone",
    "date",
    "default",
    "ds",
    "ds_add",
    "ds_format",
    "ds_nodash",
    "end_of",
    "float",
    "format",
    "get",
    "in_timezone",
    "in_tz",
    "int",
    "isoformat",
    "join",
    "lower",
    "replace",
    "round",
    "split",
    "start_of",
    "strftime",
    "string",
    "subtract",
    "timedelta",
    "trim",
    "ts",
    "ts_nodash",
    "ts_nodash_with_tz",
    "upper",
    "zfill",
];

/// What gives the value of the first placeholder in a text, if it has one.
pub(crate) fn known_by(text: &str) -> Option<Known> {
    let first = TEMPLATES.iter().filter_map(|sign| Some((text.find(sign)?, *sign))).min()?;
    let rest = &text[first.0..];
    Some(match first.1 {
        "${" if rest.starts_with("${hiveconf:") => Known::Hiveconf,
        "${" if ["${env:", "${system:"].iter().any(|of| rest.starts_with(of)) => Known::Unread,
        "${" => Known::Hivevar,
        _ => Known::Unread,
    })
}

/// Whether a text is one placeholder, and nothing else.
pub(crate) fn is_one(text: &str) -> bool {
    let ends = |open: &str, close: &str| {
        text.strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close))
            .is_some_and(|inside| !inside.contains(['{', '}', '$', '[', ']']))
    };
    ends("${", "}") || ends("{{", "}}") || ends("$[", "]")
}

/// Whether all placeholders of a text are filled in with the same values wherever the text stands in a statement.
pub(crate) fn is_repeatable(text: &str) -> bool {
    if text.contains("{%") || text.contains("#{") || text == "?" || text.starts_with(':') {
        return false;
    }
    let mut rest = text;
    while let Some(at) = rest.find("{{") {
        let Some(end) = rest[at..].find("}}") else { return false };
        if !is_steady(&rest[at + 2..at + end]) {
            return false;
        }
        rest = &rest[at + end..];
    }
    true
}

/// Whether an expression of Jinja calls only functions and filters that give the same value each time.
fn is_steady(expression: &str) -> bool {
    let parts = parts(expression);
    let is_call = |at: usize| parts.get(at + 1) == Some(&"(");
    let is_filter = |at: usize| at > 0 && parts[at - 1] == "|";
    parts.iter().enumerate().all(|(at, part)| match *part {
        // The result of a call, or an element, is called.
        ")" | "]" => !is_call(at),
        word if is_call(at) && word.starts_with(is_word) => STEADY.contains(&word),
        word if is_filter(at) => STEADY.contains(&word),
        _ => true,
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The words and signs of an expression, without its texts and blanks.
fn parts(expression: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = expression.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' | '"' => {
                let end = rest[1..].find(first).map_or(rest.len(), |end| end + 2);
                rest = rest[end..].trim_start();
                continue;
            }
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        parts.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_with_one_value() {
        for text in [
            "${hivevar:day}",
            "x",
            "{{ ds }}",
            "{{ macros.ds_add(ds, -1) }}",
            "{{ data_interval_start.in_timezone(\"Asia/Shanghai\") | ds_nodash }}",
            "{{ (data_interval_start - macros.timedelta(days=1)).strftime('%Y%m%d') }}",
            "{{ params.day }}-{{ dag_run.conf['now()'] }}",
            "$[yyyyMMdd-1]",
        ] {
            assert!(is_repeatable(text), "{text}");
        }
        for text in [
            "{{ macros.datetime.now().strftime('%Y%m%d') }}",
            "{{ macros.random() }}",
            "{{ macros.uuid.uuid4 () }}",
            "{{ [1, 2] | random }}",
            "{{ today('UTC') }}",
            "{% if x %}1{% endif %}",
            "{{ ds",
            "?",
            ":day",
        ] {
            assert!(!is_repeatable(text), "{text}");
        }
    }

    #[test]
    fn one_placeholder() {
        for text in ["${day}", "{{ ds }}", "$[yyyyMMdd]"] {
            assert!(is_one(text), "{text}");
        }
        for text in ["${y}${m}", "a${day}", "{{ a }}{{ b }}", "day", "${a", ""] {
            assert!(!is_one(text), "{text}");
        }
    }
}
