//! The full form of a message: the place, the marked text, the causes, one line of help.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use super::{Diagnostic, Label, Severity, Source, Span};

/// How messages are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// ANSI colours.
    pub color: bool,
    /// Columns of the terminal; longer source lines are cut around the mark.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Style { color: false, width: 120 }
    }
}

/// All messages, one after the other with a blank line between them; ends with a line break unless empty.
pub fn render(diagnostics: &[Diagnostic], style: Style) -> String {
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(style.width.max(MIN_WIDTH));
    let mut out = String::new();
    for (index, diagnostic) in diagnostics.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        out.push_str(renderer.render(&[group(diagnostic)]).trim_end());
        out.push('\n');
    }
    out
}

/// Below this there is no room for the line number and the mark.
const MIN_WIDTH: usize = 40;

fn group(diagnostic: &Diagnostic) -> Group<'_> {
    let title = level(diagnostic.severity).primary_title(diagnostic.message.as_str());
    let mut group = Group::with_title(title);
    if let Some(source) = diagnostic.source.as_deref().filter(|_| !diagnostic.labels.is_empty()) {
        group = group.element(snippet(source, &diagnostic.labels));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    group
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

/// The lines from the first to the last label; those between them are folded away.
fn snippet<'a>(source: &'a Source, labels: &'a [Label]) -> Snippet<'a, Annotation<'a>> {
    let text = source.text.as_str();
    let spans: Vec<Range<usize>> = labels.iter().map(|label| one_line(text, label.span)).collect();
    let start = spans.iter().map(|span| line_start(text, span.start)).min().unwrap_or(0);
    let end = spans.iter().map(|span| line_end(text, span.end)).max().unwrap_or(text.len());
    let annotations = spans.iter().zip(labels).enumerate().map(|(index, (span, label))| {
        let kind = if index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        kind.span(span.start - start..span.end - start).label(label.text.as_str())
    });
    let (line, _) = source.line_column(start);
    Snippet::source(&text[start..end]).path(source.name.as_str()).line_start(line).annotations(annotations)
}

/// The part of a span on its first line, inside the text and on character boundaries. A whole mapping of twenty
/// lines is pointed at best by its first line.
fn one_line(text: &str, span: Span) -> Range<usize> {
    let start = floor_boundary(text, span.start);
    let end = floor_boundary(text, span.end).max(start);
    start..end.min(line_end(text, start)).max(start)
}

fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |at| at + 1)
}

/// The end of the line without its line break (`\n` or `\r\n`), never before `offset`.
fn line_end(text: &str, offset: usize) -> usize {
    let end = text[offset..].find('\n').map_or(text.len(), |at| offset + at);
    if end > offset && text[..end].ends_with('\r') { end - 1 } else { end }
}
