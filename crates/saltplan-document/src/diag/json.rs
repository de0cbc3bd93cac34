//! Messages as JSON.

use std::fmt::Write;

use serde_json::{Value as Json, json};

use super::{Diagnostic, Label, Source, Span, visible};

/// The lines and columns of a marked place, counted from 1. The end is the first character after the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineColumns {
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
}

impl LineColumns {
    pub fn new(source: &Source, span: Span) -> Self {
        let (line, column) = source.line_column(span.start);
        let (end_line, end_column) = source.line_column(span.end.max(span.start));
        LineColumns { line, column, end_line, end_column }
    }

    pub fn to_json(self) -> Json {
        json!({
            "line": self.line,
            "column": self.column,
            "end_line": self.end_line,
            "end_column": self.end_column,
        })
    }
}

/// A document with line breaks. Control characters only occur in texts, and are escaped.
pub fn pretty(json: &Json) -> String {
    escaped(&format!("{json:#}\n"))
}

/// A document on one line, with the same escapes.
pub fn line(json: &Json) -> String {
    escaped(&format!("{json}\n"))
}

fn escaped(document: &str) -> String {
    let mut text = String::with_capacity(document.len());
    for c in document.chars() {
        if c != '\n' && visible::is_sign(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(c);
        }
    }
    text
}

/// A message as `code`, `message`, `file`, `labels` and `help`. The file is the name of the schema, or a word
/// such as `predicate`.
pub fn message(diagnostic: &Diagnostic) -> Json {
    json!({
        "code": diagnostic.kind.code(),
        "message": diagnostic.message,
        "file": diagnostic.source.as_ref().map(|source| source.name.as_str()),
        "labels": labels(diagnostic),
        "help": diagnostic.help,
    })
}

/// A standalone message: its `severity` (`error`, `warning` or `note`), followed by the members of
/// [`message`].
pub fn told(diagnostic: &Diagnostic) -> Json {
    let mut json = json!({ "severity": diagnostic.severity.to_string() });
    if let (Some(members), Json::Object(rest)) = (json.as_object_mut(), message(diagnostic)) {
        members.extend(rest);
    }
    json
}

/// The marked places of a message with their texts.
pub fn labels(diagnostic: &Diagnostic) -> Vec<Json> {
    let Some(source) = diagnostic.source.as_deref() else { return Vec::new() };
    diagnostic.labels.iter().map(|found| label(source, found)).collect()
}

fn label(source: &Source, label: &Label) -> Json {
    let mut json = LineColumns::new(source, label.span).to_json();
    json["text"] = label.text.as_str().into();
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_escaped() {
        let json = json!({ "a\u{9b}": "\u{202e}\u{7f}\n", "b": [1, "漢😀"] });
        let text = pretty(&json);
        assert!(text.contains("\"a\\u009b\": \"\\u202e\\u007f\\n\"") && text.contains("漢😀"), "{text}");
        assert_eq!(serde_json::from_str::<Json>(&text).expect("JSON"), json);
    }

    #[test]
    fn a_warning_with_its_place() {
        let source = Source::new("predicate", "a = 1\n  AND ü = 2");
        let warning = Diagnostic::warning("nothing").at(&source, Span::new(12, 14), "here").with_help("do");
        let expected = json!({
            "code": null,
            "message": "nothing",
            "file": "predicate",
            "labels": [{ "line": 2, "column": 7, "end_line": 2, "end_column": 8, "text": "here" }],
            "help": "do",
        });
        assert_eq!(message(&warning), expected);
        let plain = json!({ "code": null, "message": "m", "file": null, "labels": [], "help": null });
        assert_eq!(message(&Diagnostic::warning("m")), plain);
    }
}
