//! Converts TOML to nodes with places for the common reader. Only this file knows the TOML crate.

use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use saltplan_document::diag::{self, Diagnostic, Source, Span};
use saltplan_document::yaml::{Entry, Node, NodeKind, Scalar};

/// The nodes of a file.
///
/// # Errors
/// The first syntax error.
pub fn parse(source: &Arc<Source>) -> Result<Node, Diagnostic> {
    let table = DeTable::parse(&source.text).map_err(|error| {
        let span = error.span().map(span).unwrap_or_default();
        // The first line is the reason, the others list what was expected.
        let message = error.message().lines().next().unwrap_or_default().to_string();
        Diagnostic::error(format!("this is not TOML: {message}"))
            .at(source, span, "here")
            .with_help("write `key = value` on a line of its own, with text in quotes")
    })?;
    let whole = Span::new(0, source.text.len());
    Ok(Node { kind: mapping(table.get_ref()), span: whole })
}

fn span(range: std::ops::Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

/// The entries in the order of the file.
fn mapping(table: &DeTable<'_>) -> NodeKind {
    let mut entries: Vec<Entry> = table
        .iter()
        .map(|(key, value)| Entry {
            key: diag::Spanned::new(key.get_ref().to_string(), span(key.span())),
            value: node(value),
        })
        .collect();
    entries.sort_by_key(|entry| entry.key.span);
    NodeKind::Mapping(entries)
}

fn node(value: &Spanned<DeValue<'_>>) -> Node {
    let scalar = |text: String, plain: bool| NodeKind::Scalar(Scalar { text, plain });
    let kind = match value.get_ref() {
        DeValue::String(text) => scalar(text.to_string(), false),
        DeValue::Integer(number) => scalar(number.to_string(), true),
        DeValue::Float(number) => scalar(number.to_string(), true),
        DeValue::Boolean(flag) => scalar(flag.to_string(), true),
        DeValue::Datetime(time) => scalar(time.to_string(), true),
        DeValue::Array(items) => NodeKind::Sequence(items.iter().map(node).collect()),
        DeValue::Table(table) => mapping(table),
    };
    Node { kind, span: span(value.span()) }
}
