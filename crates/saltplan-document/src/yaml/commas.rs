//! Values in braces that are split by their own comma: in `{ type: decimal(18,2) }` YAML finds a `type` and a
//! key `2)`.

use std::sync::Arc;

use super::{Entry, Node, NodeKind, Scalar, quoted};
use crate::diag::{Diagnostic, DiagnosticKind, Edit, Fix, Source, Span, Spanned};
use crate::wording::excerpt;

/// Joins values again if their brackets or digits show that the entries after them are parts of them, and
/// reports each. Other entries are unchanged.
pub(super) fn join(source: &Arc<Source>, entries: Vec<Entry>) -> (Vec<Entry>, Vec<Diagnostic>) {
    let mut joined = Vec::with_capacity(entries.len());
    let mut faults = Vec::new();
    let mut at = 0;
    while let Some(entry) = entries.get(at) {
        let whole = plain(entry).and_then(|_| {
            let behind = &entries[at + 1..];
            let behind = &behind[..behind.iter().take_while(|entry| is_bare(&source.text, entry)).count()];
            whole_by_brackets(source, entry, behind).or_else(|| whole_number(source, entry, behind))
        });
        match whole {
            Some(whole) => {
                faults.push(fault(source, entry, &whole));
                at += whole.parts;
                let kind = NodeKind::Scalar(Scalar { text: whole.text, plain: whole.number });
                let value = Node { kind, span: whole.span };
                joined.push(Entry { key: entry.key.clone(), value });
            }
            None => joined.push(entry.clone()),
        }
        at += 1;
    }
    (joined, faults)
}

/// A value before it was split at commas.
struct Whole {
    text: String,
    span: Span,
    /// The number of entries after the value that belong to it.
    parts: usize,
    number: bool,
}

/// The original value of an entry and the keys without values directly after it, if these are clearly parts
/// of it. `parts` of `behind` are not keys.
pub fn cut(
    source: &Arc<Source>,
    entry: &Entry,
    behind: &[Entry],
    is_key: impl Fn(&Entry) -> bool,
) -> Option<(Diagnostic, usize)> {
    plain(entry)?;
    let mut end = entry.value.span.end;
    let mut parts = 0;
    for part in behind.iter().take_while(|part| is_bare(&source.text, part) && !is_key(part)) {
        if source.text.get(end..part.key.span.start) != Some(",") {
            break;
        }
        end = part.key.span.end;
        parts += 1;
    }
    let span = Span::new(entry.value.span.start, end);
    let text = source.text.get(span.start..span.end).filter(|_| parts > 0)?.to_string();
    let whole = Whole { text, span, parts, number: false };
    Some((fault(source, entry, &whole), parts))
}

fn fault(source: &Arc<Source>, entry: &Entry, whole: &Whole) -> Diagnostic {
    let key = excerpt(&entry.key.value);
    let cut = excerpt(plain(entry).unwrap_or_default());
    let value = if whole.number { whole.text.clone() } else { quoted(&whole.text) };
    let message = format!("inside braces a comma ends the value: here `{key}` is `{cut}`");
    let (label, title) = match whole.number {
        true => ("a number with a comma", "write the number without a comma"),
        false => ("text with a comma", "put the value in quotes"),
    };
    let edits = vec![Edit::new(whole.span, value.clone())];
    let only_meaning = !whole.number && is_open(plain(entry).unwrap_or_default());
    let fix = if only_meaning { Fix::safe(title, edits) } else { Fix::changing(title, edits) };
    Diagnostic::error(message)
        .at(source, whole.span, label)
        .with_help(format!("write `{key}: {}`", excerpt(&value)))
        .with_kind(DiagnosticKind::CutByComma)
        .with_fix(fix)
}

/// A value without quotes whose brackets extend beyond the place of a syntax error: `{ expr: concat(a, 'b')
/// }`. `entries` are those of the open mapping; `key` is the key whose value is not yet read.
pub(super) fn unquoted(
    source: &Arc<Source>,
    entries: &[Entry],
    key: Option<&Spanned<String>>,
    offset: usize,
) -> Option<Diagnostic> {
    let text = &source.text;
    let pending = key.and_then(|key| {
        let behind = text.get(key.span.end..)?;
        let value = behind.trim_start().strip_prefix(':')?.trim_start();
        Some((key, text.len() - value.len()))
    });
    let last = entries.iter().rev().find(|entry| !is_bare(text, entry));
    let last = last.filter(|entry| plain(entry).is_some()).map(|entry| (&entry.key, entry.value.span.start));
    let (key, start) = [pending, last]
        .into_iter()
        .flatten()
        .find(|(_, start)| start + bracketed(&text[*start..]) > offset)?;
    let written = text[start..start + bracketed(&text[start..])].trim_end();
    let span = Span::new(start, start + written.len());
    let value = quoted(written);
    let edits = vec![Edit::new(span, value.clone())];
    let diagnostic =
        Diagnostic::error(format!("inside braces the value of `{}` needs quotes", excerpt(&key.value)));
    Some(
        diagnostic
            .at(source, span, "text with brackets and commas")
            .with_help(format!("write `{}: {}`", excerpt(&key.value), excerpt(&value)))
            .with_kind(DiagnosticKind::CutByComma)
            .with_fix(Fix::safe("put the value in quotes", edits)),
    )
}

/// The length in bytes of a value on one line that ends where its brackets are closed; 0 if it has no
/// brackets or does not close them.
fn bracketed(text: &str) -> usize {
    if !text.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        return 0;
    }
    let mut brackets = Brackets::default();
    let mut any = false;
    for (at, c) in text.char_indices() {
        let ends = matches!(c, ',' | '}' | ']' | '\n' | '\r');
        match ends && !brackets.any_open() && brackets.quote.is_none() {
            true => return if any { at } else { 0 },
            false if matches!(c, '\n' | '\r') => return 0,
            false => brackets.take(c),
        }
        any |= brackets.any_open();
    }
    0
}

/// The text of a value without quotes.
fn plain(entry: &Entry) -> Option<&str> {
    match &entry.value.kind {
        NodeKind::Scalar(Scalar { text, plain: true }) if !text.is_empty() => Some(text),
        _ => None,
    }
}

/// A key without a colon.
fn is_bare(text: &str, entry: &Entry) -> bool {
    let left_out =
        matches!(&entry.value.kind, NodeKind::Scalar(Scalar { text, plain: true }) if text.is_empty());
    let behind = text.get(entry.key.span.end..).unwrap_or_default();
    left_out && !behind.trim_start().starts_with(':')
}

/// `decimal(18` followed by `2)`.
fn whole_by_brackets(source: &Arc<Source>, entry: &Entry, behind: &[Entry]) -> Option<Whole> {
    let written = |span: Span| source.text.get(span.start..span.end);
    let mut brackets = Brackets::default();
    brackets.read(written(entry.value.span)?);
    let had_parenthesis = brackets.parentheses > 0;
    if !brackets.any_open() {
        return None;
    }
    let mut closed = None;
    for (index, part) in behind.iter().enumerate() {
        brackets.read(written(part.key.span)?);
        if brackets.broken() {
            break;
        }
        if brackets.all_closed() {
            closed = Some(index);
            break;
        }
        // `if(a < 1, b, c)`: an apparent bracket may be a comparison.
        if had_parenthesis && brackets.parentheses == 0 && closed.is_none() {
            closed = Some(index);
        }
    }
    let last = behind.get(closed?)?;
    let span = Span::new(entry.value.span.start, last.key.span.end);
    Some(Whole { text: on_one_line(written(span)?)?, span, parts: closed? + 1, number: false })
}

fn is_open(text: &str) -> bool {
    let mut brackets = Brackets::default();
    brackets.read(text);
    brackets.any_open()
}

/// The open brackets outside quotes.
#[derive(Default)]
struct Brackets {
    parentheses: i32,
    /// The brackets of types: `map<`.
    angles: i32,
    quote: Option<char>,
    before: Option<char>,
}

impl Brackets {
    fn read(&mut self, text: &str) {
        self.before = None;
        text.chars().for_each(|c| self.take(c));
    }

    fn take(&mut self, c: char) {
        match (self.quote, c) {
            (Some(quote), c) if c == quote => self.quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => self.quote = Some(c),
            (None, '(') => self.parentheses += 1,
            (None, ')') => self.parentheses -= 1,
            (None, '<') if self.before.is_some_and(char::is_alphanumeric) => self.angles += 1,
            (None, '>') if self.angles > 0 => self.angles -= 1,
            (None, _) => {}
        }
        self.before = Some(c);
    }

    fn any_open(&self) -> bool {
        self.parentheses > 0 || self.angles > 0
    }

    fn all_closed(&self) -> bool {
        self.parentheses == 0 && self.angles == 0 && self.quote.is_none()
    }

    fn broken(&self) -> bool {
        self.parentheses < 0
    }
}

/// Text over several lines, folded as in YAML. `None` if a line has a comment.
fn on_one_line(text: &str) -> Option<String> {
    if !text.contains(['\n', '\r']) {
        return Some(text.to_string());
    }
    (!text.contains('#')).then(|| text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// `65` directly followed by `536`.
fn whole_number(source: &Arc<Source>, entry: &Entry, behind: &[Entry]) -> Option<Whole> {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let mut text = plain(entry).filter(|text| digits(text) && text.len() <= 3)?.to_string();
    let mut end = entry.value.span.end;
    let mut parts = 0;
    for part in behind {
        let group = part.key.value.as_str();
        if source.text.get(end..part.key.span.start) != Some(",") || group.len() != 3 || !digits(group) {
            break;
        }
        text.push_str(group);
        end = part.key.span.end;
        parts += 1;
    }
    let span = Span::new(entry.value.span.start, end);
    (parts > 0).then_some(Whole { text, span, parts, number: true })
}
