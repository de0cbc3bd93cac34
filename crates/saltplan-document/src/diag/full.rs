//! The full form of a message: its place, the marked text, further labels, and a line of help.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use super::{Diagnostic, Label, Severity, Source, Span, visible};

/// How messages are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// With ANSI colours.
    pub color: bool,
    /// Columns of the terminal; longer source lines are cut around the mark.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Style { color: false, width: 120 }
    }
}

/// The maximum number of messages that are drawn with source lines. Drawing is slow for long lines, and a
/// predicate on one line can have thousands of errors.
const MAX_DRAWN: usize = 100;

/// All messages, separated by blank lines, ending with a line break unless empty. Messages beyond the maximum
/// take one line each.
pub fn render(diagnostics: &[Diagnostic], style: Style) -> String {
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(style.width.clamp(MIN_WIDTH, MAX_WIDTH));
    let mut out = String::new();
    let (drawn, told) = diagnostics.split_at(diagnostics.len().min(MAX_DRAWN));
    for (index, diagnostic) in drawn.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        out.push_str(renderer.render(&[group(diagnostic)]).trim_end());
        out.push('\n');
    }
    if !told.is_empty() {
        out.push('\n');
    }
    for diagnostic in told {
        out.push_str(&visible::line(&diagnostic.to_string()));
        out.push('\n');
    }
    // The renderer passes source lines through unchanged, except for the escapes that it knows.
    visible::drawing(out, style.color)
}

/// Below this width there is no room for the line number and the mark.
const MIN_WIDTH: usize = 40;

/// Above this width a source line is no longer cut.
const MAX_WIDTH: usize = 1_000;

fn group(diagnostic: &Diagnostic) -> Group<'_> {
    let title = level(diagnostic.severity).primary_title(visible::line(&diagnostic.message));
    let mut group = Group::with_title(title);
    if let Some(source) = &diagnostic.source {
        group = group.elements(snippets(source, &diagnostic.labels));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(visible::line(help)));
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

/// Labels that are this many lines from the first one get their own snippet. Lines between the labels of a
/// snippet are folded, which takes time proportional to the square of their number.
const NEAR_LINES: usize = 100;

/// Splits labels into the first one with those near it, and the others.
fn snippets<'a>(source: &'a Source, labels: &'a [Label]) -> Vec<Snippet<'a, Annotation<'a>>> {
    let Some(first) = labels.first() else { return Vec::new() };
    let line = |label: &Label| source.line_column(label.span.start).0;
    let first_line = line(first);
    let (near, far): (Vec<_>, Vec<_>) =
        labels.iter().partition(|label| line(label).abs_diff(first_line) <= NEAR_LINES);
    let far = far.into_iter().map(|label| snippet(source, &[label], AnnotationKind::Context));
    std::iter::once(snippet(source, &near, AnnotationKind::Primary)).chain(far).collect()
}

/// The lines from the first to the last of some labels; the first label is of the given kind.
fn snippet<'a>(
    source: &'a Source,
    labels: &[&'a Label],
    kind: AnnotationKind,
) -> Snippet<'a, Annotation<'a>> {
    let text = source.text.as_str();
    let spans: Vec<Range<usize>> = labels.iter().map(|label| one_line(text, label.span)).collect();
    let start = spans.iter().map(|span| line_start(text, span.start)).min().unwrap_or(0);
    let end = spans.iter().map(|span| line_end(text, span.end)).max().unwrap_or(text.len());
    let annotations = spans.iter().zip(labels).enumerate().map(|(index, (span, label))| {
        let kind = if index == 0 { kind } else { AnnotationKind::Context };
        kind.span(span.start - start..span.end - start).label(visible::line(&label.text))
    });
    let (line, _) = source.line_column(start);
    Snippet::source(&text[start..end])
        .path(visible::line(&source.name))
        .line_start(line)
        .annotations(annotations)
}

/// The part of a span on its first line, inside the text and on character boundaries. A mapping of twenty
/// lines is best marked by its first line.
fn one_line(text: &str, span: Span) -> Range<usize> {
    let start = floor_boundary(text, span.start);
    let end = floor_boundary(text, span.end).max(start);
    start..end.min(line_end(text, start)).max(start)
}

/// The last character boundary at or before an offset.
pub(super) fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |at| at + 1)
}

/// The end of the line without its line break (`\n` or `\r\n`), but at least `offset`.
fn line_end(text: &str, offset: usize) -> usize {
    let end = text[offset..].find('\n').map_or(text.len(), |at| offset + at);
    if end > offset && text[..end].ends_with('\r') { end - 1 } else { end }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;

    fn plain(diagnostic: Diagnostic) -> String {
        render(&[diagnostic], Style { color: false, width: 100 })
    }

    fn error(source: &Arc<Source>, marked: &str) -> Diagnostic {
        let start = source.text.find(marked).expect("the marked text");
        Diagnostic::error("wrong").at(source, Span::new(start, start + marked.len()), "here")
    }

    #[test]
    fn of_very_many_the_first_are_drawn() {
        let source = Source::new("predicate", "x = 1 OR ".repeat(6_000));
        let at = |index: usize| Span::new(9 * index, 9 * index + 1);
        let fault = |index| Diagnostic::error(format!("wrong {index}")).at(&source, at(index), "here");
        let all: Vec<Diagnostic> = (0..6_000).map(fault).collect();
        let text = render(&all, Style::default());
        assert_eq!(text.matches("^ here").count(), MAX_DRAWN);
        assert!(text.ends_with("\npredicate:1:53992: error: wrong 5999\n"), "{}", &text[text.len() - 200..]);
        assert_eq!(text.matches("error: wrong").count(), all.len());
    }

    #[test]
    fn place_cause_and_help() {
        let source = Source::new("a.yaml", "key:\n  slat: 1\n");
        let message =
            error(&source, "slat").with_label(Span::new(0, 3), "in this").with_help("did you mean `salt`?");
        let expected = "\
error: wrong
 --> a.yaml:2:3
  |
1 | key:
  | --- in this
2 |   slat: 1
  |   ^^^^ here
  |
  = help: did you mean `salt`?
";
        assert_eq!(plain(message), expected);
    }

    #[test]
    fn without_a_source() {
        let message = Diagnostic::warning("no file").with_help("name one");
        assert_eq!(plain(message), "warning: no file\n |\n = help: name one\n");
        assert_eq!(render(&[], Style::default()), "");
    }

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        let source = Source::new("a", format!("{}MARK{}", "é".repeat(300_000), "x".repeat(300_000)));
        let text = plain(error(&source, "MARK"));
        assert!(text.contains("--> a:1:300001"), "{text}");
        assert!(text.contains("MARK") && text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }

    #[test]
    fn far_causes_stand_apart() {
        let source = Source::new("a.yaml", format!("key: 1\n{}key: 2\n", "x:\n".repeat(50_000)));
        let start = source.text.rfind("key").unwrap();
        let message = Diagnostic::error("twice").at(&source, Span::new(start, start + 3), "again");
        let text = plain(message.with_label(Span::new(0, 3), "first"));
        let expected = "\
error: twice
     --> a.yaml:50002:1
      |
50002 | key: 2
      | ^^^ again
      |
     ::: a.yaml:1:1
      |
    1 | key: 1
      | --- first
";
        assert_eq!(text, expected);
    }

    #[test]
    fn several_lines_are_marked_on_the_first() {
        let source = Source::new("a", "a:\r\n  b: 1\r\n  c: 2\r\n");
        let text = plain(error(&source, "b: 1\r\n  c: 2"));
        assert!(text.contains("2 |   b: 1\n  |   ^^^^ here\n"), "{text}");
        assert!(!text.contains("c: 2"), "{text}");
    }

    #[test]
    fn the_end_of_a_text_can_be_marked() {
        for text in ["", "a", "a\n", "a\r\n", "日本語"] {
            let source = Source::new("a", text);
            let end = Span::new(text.len(), text.len());
            let (line, column) = source.line_column(text.len());
            let message = plain(Diagnostic::error("wrong").at(&source, end, "here"));
            assert!(message.contains(&format!("--> a:{line}:{column}\n")), "{text:?}: {message}");
            assert!(message.contains("^ here"), "{text:?}: {message}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(
            text in "(?s)[a-z:é日😀\t\r\n\u{0}\u{85}\u{200b} ]{0,60}",
            spans in prop::collection::vec((0..80usize, 0..80usize, ".{0,20}"), 0..4),
            color in any::<bool>(),
            width in prop_oneof![0..200usize, Just(usize::MAX)],
        ) {
            let source = Source::new("a b", text);
            let mut message = Diagnostic::note("wrong");
            for (start, end, label) in spans {
                message = message.at(&source, Span::new(start, end), label);
            }
            let rendered = render(&[message.clone(), message], Style { color, width });
            prop_assert!(rendered.contains("wrong") && rendered.ends_with('\n'));
        }
    }
}
