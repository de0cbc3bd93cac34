//! YAML text to a tree of nodes with byte spans. The only file that knows the YAML crate.
//!
//! A schema file is plain data: one document, no anchors, aliases, merge keys or tags. What is refused here is
//! reported with its place; where reading can go on after an error it does, so that one run shows them all.

use std::collections::BTreeMap;
use std::sync::Arc;

use granit_parser::{ErrorKind, Event, Options, Parser, ScalarStyle, ScanError, StructureStyle};

use super::collect::Collector;
use super::wording::excerpt;
use crate::diag::{Diagnostic, Source, Span, Spanned};

/// Levels of nested mappings and lists, counted apart for block and flow style.
const MAX_NESTING: usize = 32;

/// One parsed file.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    pub root: Node,
    /// Comments in the order of the file: the text after `#`, the span of the whole comment.
    pub comments: Vec<Spanned<String>>,
}

impl Document {
    /// The node at a path of mapping keys and list positions: `["key", "fields", "0", "name"]`.
    pub fn find(&self, path: &[&str]) -> Option<&Node> {
        path.iter().try_fold(&self.root, |node, step| node.child(step))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub kind: NodeKind,
    /// Exactly the written text of the node; the key of its entry for a value that is left out.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum NodeKind {
    Scalar(Scalar),
    Sequence(Vec<Node>),
    Mapping(Vec<Entry>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Scalar {
    /// The value, escapes and line folding resolved.
    pub text: String,
    /// Not in quotes and not a block of text.
    pub plain: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub key: Spanned<String>,
    pub value: Node,
}

impl Node {
    fn child(&self, step: &str) -> Option<&Node> {
        match &self.kind {
            NodeKind::Scalar(_) => None,
            NodeKind::Sequence(items) => items.get(step.parse::<usize>().ok()?),
            NodeKind::Mapping(entries) => {
                entries.iter().find(|entry| entry.key.value == step).map(|entry| &entry.value)
            }
        }
    }

    /// The entry of a key, where the node is a mapping that has it.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        match &self.kind {
            NodeKind::Mapping(entries) => entries.iter().find(|entry| entry.key.value == key),
            _ => None,
        }
    }

    /// Whether nothing is written, or YAML's null.
    pub fn is_null(&self) -> bool {
        match &self.kind {
            NodeKind::Scalar(scalar) => {
                scalar.plain && matches!(scalar.text.as_str(), "" | "~" | "null" | "Null" | "NULL")
            }
            _ => false,
        }
    }
}

/// Parses a whole file. Without a document there is at least one error.
pub fn parse(source: &Arc<Source>) -> (Option<Document>, Vec<Diagnostic>) {
    let mut builder = Builder::new(source);
    if let Some(diagnostic) = control_character(source) {
        return (None, vec![diagnostic]);
    }
    match builder.run() {
        Ok(()) => builder.finish(),
        Err(diagnostic) => {
            builder.messages.push(*diagnostic);
            (None, builder.messages.finish(source))
        }
    }
}

/// YAML allows no control characters but tab and line breaks; the text would not survive being copied.
fn control_character(source: &Arc<Source>) -> Option<Diagnostic> {
    let forbidden = |c: char| match c {
        '\t' | '\n' | '\r' | '\u{85}' => false,
        '\u{feff}' | '\u{fffe}' | '\u{ffff}' => true,
        c => c.is_control(),
    };
    let (offset, found) = source.text.char_indices().find(|&(_, c)| forbidden(c))?;
    let span = Span::new(offset, offset + found.len_utf8());
    let message = format!("the file holds the control character U+{:04X}", found as u32);
    let diagnostic = Diagnostic::error(message).at(source, span, "not allowed in YAML");
    Some(
        diagnostic
            .with_help(format!("remove it, or write it as `\"\\u{:04X}\"` in double quotes", found as u32)),
    )
}

fn options() -> Options {
    let mut options = Options::default();
    options.disallow_directives = true;
    options.emit_unresolved_aliases = true;
    options.emit_anchor_events = true;
    // The size of the file is the limit.
    options.max_buffered_comment_events = usize::MAX;
    options.flow_nesting_limit = MAX_NESTING;
    options.block_nesting_limit = MAX_NESTING;
    options
}

/// Boxed: the error is large and rare.
type Outcome = Result<(), Box<Diagnostic>>;

/// A mapping or list that is still open.
struct Frame {
    start: usize,
    flow: bool,
    content: Content,
}

enum Content {
    Sequence(Vec<Node>),
    Mapping { entries: Vec<Entry>, key: Option<Key>, seen: BTreeMap<String, Span> },
}

struct Key {
    text: Spanned<String>,
    /// Merge keys and duplicates are reported and left out.
    keep: bool,
}

struct Builder<'s> {
    source: &'s Arc<Source>,
    frames: Vec<Frame>,
    root: Option<Node>,
    documents: usize,
    comments: Vec<Spanned<String>>,
    messages: Collector,
    /// A part of the tree stands for something that was refused: looking at it would report it twice.
    hollow: bool,
}

impl<'s> Builder<'s> {
    fn new(source: &'s Arc<Source>) -> Self {
        Builder {
            source,
            frames: Vec::new(),
            root: None,
            documents: 0,
            comments: Vec::new(),
            messages: Collector::default(),
            hollow: false,
        }
    }

    fn run(&mut self) -> Outcome {
        let source = self.source;
        let mut parser = Parser::new_from_str_with_options(&source.text, options());
        while let Some(next) = parser.next_event() {
            let (event, span) = next.map_err(|error| Box::new(self.syntax_error(&error)))?;
            self.refuse_tag(&event, &span);
            self.event(event, self.span_of(&span))?;
        }
        Ok(())
    }

    fn finish(mut self) -> (Option<Document>, Vec<Diagnostic>) {
        let root = self.root.take().filter(|root| !root.is_null());
        if root.is_none() {
            let diagnostic = Diagnostic::error("the file is empty")
                .at(self.source, Span::default(), "expected a schema")
                .with_help("a schema starts with the line `saltplan: 1`");
            self.messages.push(diagnostic);
        }
        let root = root.filter(|_| !self.hollow);
        let document = root.map(|root| Document { root, comments: self.comments });
        (document, self.messages.finish(self.source))
    }

    fn span_of(&self, span: &granit_parser::Span) -> Span {
        let end = self.source.text.len();
        span.byte_range().map_or(Span::new(end, end), |range| Span::new(range.start, range.end))
    }

    fn event(&mut self, event: Event<'_>, span: Span) -> Outcome {
        match event {
            Event::Comment(text, _) => self.comments.push(Spanned::new(text.trim().to_string(), span)),
            Event::DocumentStart(..) => self.start_document(span)?,
            Event::Anchor(_, name) => self.refuse_anchor(&name, span),
            Event::Alias(_) | Event::UnresolvedAlias(_) => self.refuse_alias(span),
            Event::Scalar(text, style, ..) => self.scalar(&text, style, span),
            Event::SequenceStart(style, ..) => self.open(Content::Sequence(Vec::new()), style, span),
            Event::MappingStart(style, ..) => {
                let content = Content::Mapping { entries: Vec::new(), key: None, seen: BTreeMap::new() };
                self.open(content, style, span);
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span),
            _ => {}
        }
        Ok(())
    }

    fn start_document(&mut self, span: Span) -> Outcome {
        self.documents += 1;
        if self.documents < 2 {
            return Ok(());
        }
        let diagnostic = Diagnostic::error("the file holds more than one YAML document")
            .at(self.source, span, "a second document starts here")
            .with_help("keep one schema per file");
        Err(Box::new(diagnostic))
    }

    fn refuse_tag(&mut self, event: &Event<'_>, span: &granit_parser::Span) {
        if event.tag().is_none() {
            return;
        }
        let place = span.tag_span().map_or_else(|| self.span_of(span), |tag| self.span_of(&tag));
        let diagnostic = Diagnostic::error("YAML tags are not supported in a schema");
        self.messages.push(diagnostic.at(self.source, place, "a tag").with_help("remove the tag"));
    }

    fn refuse_anchor(&mut self, name: &str, span: Span) {
        let diagnostic = Diagnostic::error("YAML anchors are not supported in a schema")
            .at(self.source, span, "an anchor")
            .with_help(format!("remove `&{}` and write the value where it is needed", excerpt(name)));
        self.messages.push(diagnostic);
    }

    fn refuse_alias(&mut self, span: Span) {
        let diagnostic = Diagnostic::error("YAML aliases are not supported in a schema")
            .at(self.source, span, "an alias")
            .with_help("write the value out here, or put text that starts with `*` into quotes");
        self.messages.push(diagnostic);
        self.hollow = true;
        self.scalar("", ScalarStyle::SingleQuoted, span);
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, span: Span) {
        let plain = matches!(style, ScalarStyle::Plain);
        let left_out = plain && span.start == span.end;
        let written = self.source.text.get(span.start..span.end).unwrap_or_default();
        let span = Span::new(span.start, span.start + written.trim_end().len());
        let text = if left_out { String::new() } else { text.to_string() };
        self.complete(Node { kind: NodeKind::Scalar(Scalar { text, plain }), span });
    }

    fn open(&mut self, content: Content, style: StructureStyle, span: Span) {
        let flow = matches!(style, StructureStyle::Flow);
        self.frames.push(Frame { start: span.start, flow, content });
    }

    fn close(&mut self, span: Span) {
        let Some(mut frame) = self.frames.pop() else { return };
        if !frame.flow && matches!(frame.content, Content::Sequence(_)) {
            frame.start = self.first_dash(frame.start);
        }
        let (kind, last) = match frame.content {
            Content::Sequence(items) => {
                let last = items.last().map(|item| item.span.end);
                (NodeKind::Sequence(items), last)
            }
            Content::Mapping { entries, .. } => {
                let last = entries.last().map(|entry| entry.value.span.end);
                (NodeKind::Mapping(entries), last)
            }
        };
        // The end of a block is only known where the next thing starts.
        let end = if frame.flow { span.end } else { last.unwrap_or(frame.start) };
        self.complete(Node { kind, span: Span::new(frame.start, end.max(frame.start)) });
    }

    /// The dash of the first item: a list that is indented like its key is said to start behind it.
    fn first_dash(&self, start: usize) -> usize {
        let Some((before, ahead)) = self.source.text.split_at_checked(start) else { return start };
        let at_dash = ahead.strip_prefix('-').is_some_and(|rest| rest.trim_start().len() < rest.len());
        match before.trim_end().strip_suffix('-') {
            Some(before) if !at_dash => before.len(),
            _ => start,
        }
    }

    /// Puts a finished node where it belongs: into the open list, as key or value of the open mapping, or at the
    /// root.
    fn complete(&mut self, mut node: Node) {
        match self.frames.last_mut().map(|frame| &mut frame.content) {
            None => self.root = Some(node),
            Some(Content::Sequence(items)) => items.push(node),
            Some(Content::Mapping { entries, key, .. }) => match key.take() {
                None => self.key(node),
                Some(key) if key.keep => {
                    if node.span.start == node.span.end {
                        node.span = key.text.span;
                    }
                    entries.push(Entry { key: key.text, value: node });
                }
                Some(_) => {}
            },
        }
    }

    /// Remembers the key of the entry whose value comes next.
    fn key(&mut self, node: Node) {
        let span = node.span;
        let (text, plain) = match node.kind {
            NodeKind::Scalar(Scalar { text, plain }) => (text, plain),
            _ => {
                let diagnostic = Diagnostic::error("a key must be text")
                    .at(self.source, span, "a list or mapping as a key")
                    .with_help("write `key: value`");
                self.messages.push(diagnostic);
                return self.set_key(Spanned::new(String::new(), span), false);
            }
        };
        if plain && text == "<<" {
            let diagnostic = Diagnostic::error("YAML merge keys are not supported in a schema")
                .at(self.source, span, "a merge key")
                .with_help("write the merged keys out");
            self.messages.push(diagnostic);
            return self.set_key(Spanned::new(text, span), false);
        }
        let first = self.remember(&text, span);
        if let Some(first) = first {
            let diagnostic = Diagnostic::error(format!("the key `{}` is given twice", excerpt(&text)))
                .at(self.source, span, "given again here")
                .with_label(first, "first given here")
                .with_help("remove one of the two");
            self.messages.push(diagnostic);
        }
        self.set_key(Spanned::new(text, span), first.is_none());
    }

    /// The place of an earlier key of the same text in the open mapping.
    fn remember(&mut self, text: &str, span: Span) -> Option<Span> {
        let Some(Frame { content: Content::Mapping { seen, .. }, .. }) = self.frames.last_mut() else {
            return None;
        };
        let first = seen.get(text).copied();
        if first.is_none() {
            seen.insert(text.to_string(), span);
        }
        first
    }

    fn syntax_error(&self, error: &ScanError) -> Diagnostic {
        let text = &self.source.text;
        let offset = error.marker().byte_offset().unwrap_or(text.len()).min(text.len());
        let found = text[offset..].chars().next().filter(|c| !matches!(c, '\n' | '\r'));
        let span = Span::new(offset, offset + found.map_or(0, char::len_utf8));
        let Wording { message, label, help } = wording(error.kind());
        let diagnostic = Diagnostic::error(message).at(self.source, span, label).with_help(help);
        // A pair in a list (`[a: b]`) is a mapping without a bracket.
        let has_bracket = |frame: &&Frame| {
            frame.flow && text.get(frame.start..).is_some_and(|rest| rest.starts_with(['[', '{']))
        };
        match self.frames.iter().rfind(has_bracket) {
            Some(open) if expects_closing(error.kind()) => {
                diagnostic.with_label(Span::new(open.start, open.start + 1), "this bracket is open")
            }
            _ => diagnostic,
        }
    }

    fn set_key(&mut self, text: Spanned<String>, keep: bool) {
        if let Some(Frame { content: Content::Mapping { key, .. }, .. }) = self.frames.last_mut() {
            *key = Some(Key { text, keep });
        }
    }
}

struct Wording {
    message: String,
    label: String,
    help: &'static str,
}

fn say(message: impl Into<String>, label: impl Into<String>, help: &'static str) -> Wording {
    Wording { message: message.into(), label: label.into(), help }
}

fn expects_closing(kind: &ErrorKind) -> bool {
    use ErrorKind as K;
    matches!(
        kind,
        K::ExpectedFlowMappingSeparator
            | K::ExpectedFlowSequenceSeparator
            | K::UnexpectedEofFlowMapping
            | K::UnexpectedEofImplicitFlowMapping
            | K::UnexpectedEofFlowSequence
    )
}

fn wording(kind: &ErrorKind) -> Wording {
    use ErrorKind as K;
    match kind {
        K::TabNotAllowed
        | K::TabInBlockIndentation
        | K::TabInIndentation
        | K::TabAtBlockScalarStart
        | K::TabInPlainScalar => say("a tab cannot indent YAML", "a tab", "indent with spaces"),
        K::UnclosedFlowCollection { open } => {
            say(format!("`{open}` is never closed"), "opened here", "add the closing bracket")
        }
        K::UnexpectedEofFlowSequence => say("`[` is never closed", "the file ends here", "add `]`"),
        K::UnexpectedEofFlowMapping | K::UnexpectedEofImplicitFlowMapping => {
            say("`{` is never closed", "the file ends here", "add `}`")
        }
        K::MismatchedFlowCollectionEnd { open, close } => say(
            format!("`{open}` is closed by `{close}`"),
            "opened here",
            "close every bracket with its own kind",
        ),
        K::MisplacedFlowCollectionEnd => say("this bracket closes nothing", "not opened", "remove it"),
        K::UnclosedQuotedScalar => {
            say("a quote is never closed", "the quoted text starts here", "add the closing quote")
        }
        K::InvalidTrailingSingleQuotedScalar | K::InvalidTrailingDoubleQuotedScalar => say(
            "text after the closing quote",
            "not expected here",
            "separate entries with `,`; write a quote inside of single quotes twice",
        ),
        K::ExpectedFlowMappingSeparator => say(
            "expected `,` or `}`",
            "found this",
            "close the bracket before this, or separate entries with `,`",
        ),
        K::ExpectedFlowSequenceSeparator => say(
            "expected `,` or `]`",
            "found this",
            "close the bracket before this, or separate items with `,`",
        ),
        K::UnknownQuotedScalarEscape | K::InvalidQuotedScalarHexEscape | K::InvalidUnicodeEscape => say(
            "unknown escape in a text in double quotes",
            "not an escape of YAML",
            "write the text in single quotes, where `\\` stands for itself",
        ),
        K::MappingValueNotAllowed | K::InvalidColonPlacement | K::InvalidMappingValueWhitespace => {
            say("`:` is not allowed here", "a second `:`", "put text that holds `: ` into quotes")
        }
        K::SimpleKeyExpected | K::InvalidSimpleKey | K::MappingKeyNotAllowed => {
            say("expected `key: value`", "no key here", "write `key: value`, indented like the other keys")
        }
        K::InvalidIndentation
        | K::ExpectedBlockMappingKey
        | K::ExpectedBlockSequenceEntry
        | K::BlockSequenceEntryNotAllowed
        | K::InvalidFlowScalarIndent
        | K::InvalidQuotedScalarIndent
        | K::InvalidBlockScalarIndent => say(
            "the indentation does not fit",
            "indented differently from what it belongs to",
            "indent the entries of one mapping or list alike",
        ),
        K::UnexpectedCharacter { character } => say(
            format!("plain text cannot start with `{}`", character.escape_debug()),
            "not expected here",
            "put the text into quotes",
        ),
        K::CommentNotSeparated | K::CommentInterceptedScalar => {
            say("a comment inside of text", "this starts a comment", "put text that holds `#` into quotes")
        }
        K::RecursionLimitExceeded => say(
            format!("nested more than {MAX_NESTING} levels deep"),
            "too deep",
            "a schema needs fewer than ten levels",
        ),
        K::DirectiveDisallowed => {
            say("YAML directives are not supported in a schema", "a directive", "remove the line")
        }
        other => {
            say("this is not valid YAML", other.to_string(), "compare with an example in `schemas/examples`")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# head
a: 1   # right
b:
  - x y
    z
  - { k: 'q''s', \"e\": }
  - |
    block

c:
- 1
d:
";

    fn document() -> Document {
        let (document, diagnostics) = parse(&Source::new("t", TEXT));
        assert_eq!(diagnostics, []);
        document.expect("a document")
    }

    fn written(path: &[&str]) -> &'static str {
        let document = document();
        let span = document.find(path).expect("a node").span;
        &TEXT[span.start..span.end]
    }

    #[test]
    fn spans_cover_what_is_written() {
        assert_eq!(written(&["a"]), "1");
        assert_eq!(written(&["b", "0"]), "x y\n    z");
        assert_eq!(written(&["b", "1"]), "{ k: 'q''s', \"e\": }");
        assert_eq!(written(&["b", "1", "k"]), "'q''s'");
        assert_eq!(written(&["b", "2"]).trim_start_matches("|\n"), "block");
        assert_eq!(written(&["c"]), "- 1");
        assert_eq!(written(&[]), TEXT[7..].trim_end_matches(":\n"));
    }

    #[test]
    fn a_value_left_out_is_at_its_key() {
        assert_eq!(written(&["b", "1", "e"]), "\"e\"");
        assert_eq!(written(&["d"]), "d");
        assert!(document().find(&["d"]).expect("a node").is_null());
        assert_eq!(document().find(&["a", "b"]), None);
    }

    #[test]
    fn comments_are_kept() {
        let comments = document().comments;
        let texts: Vec<&str> = comments.iter().map(|comment| comment.value.as_str()).collect();
        assert_eq!(texts, ["head", "right"]);
        assert_eq!(&TEXT[comments[1].span.start..comments[1].span.end], "# right");
    }
}
