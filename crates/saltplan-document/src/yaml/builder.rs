//! From parser events to nodes. YAML features that plain data does not need are refused here.

use std::collections::BTreeMap;
use std::sync::Arc;

use granit_parser::{Event, Options, Parser, ScalarStyle, ScanError, StructureStyle};

use super::faults::{MAX_NESTING, Wording, expects_closing, wording};
use super::{Document, Entry, Node, NodeKind, Scalar, commas};
use crate::collect::Collector;
use crate::diag::{Diagnostic, DiagnosticKind, Source, Span, Spanned};
use crate::format::File;
use crate::wording::excerpt;

fn options() -> Options {
    let mut options = Options::default();
    options.disallow_directives = true;
    options.emit_unresolved_aliases = true;
    options.emit_anchor_events = true;
    // Only the size of the file is limited.
    options.max_buffered_comment_events = usize::MAX;
    options.flow_nesting_limit = MAX_NESTING;
    options.block_nesting_limit = MAX_NESTING;
    options
}

/// Boxed: the error is large and rare.
type Built = Result<(), Box<Diagnostic>>;

/// A mapping or list that is still open.
struct Frame {
    start: usize,
    flow: bool,
    content: Content,
}

enum Content {
    Sequence(Vec<Node>),
    Mapping { entries: Vec<Entry>, key: Option<PendingKey>, seen: BTreeMap<String, Span> },
}

struct PendingKey {
    text: Spanned<String>,
    /// Merge keys and duplicate keys are reported and left out.
    keep: bool,
}

pub(super) struct NodeBuilder<'s> {
    source: &'s Arc<Source>,
    file: &'static File,
    frames: Vec<Frame>,
    root: Option<Node>,
    documents: usize,
    comments: Vec<Spanned<String>>,
    pub messages: Collector,
    /// Marks a part of the tree that was refused, so that it is not reported twice.
    hollow: bool,
}

impl<'s> NodeBuilder<'s> {
    pub(super) fn new(source: &'s Arc<Source>, file: &'static File) -> Self {
        NodeBuilder {
            source,
            file,
            frames: Vec::new(),
            root: None,
            documents: 0,
            comments: Vec::new(),
            messages: Collector::default(),
            hollow: false,
        }
    }

    pub(super) fn run(&mut self) -> Built {
        let source = self.source;
        let mut parser = Parser::new_from_str_with_options(&source.text, options());
        while let Some(next) = parser.next_event() {
            let (event, span) = next.map_err(|error| Box::new(self.syntax_error(&error)))?;
            self.refuse_tag(&event, &span);
            self.event(event, self.span_of(&span))?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> (Option<Document>, Vec<Diagnostic>) {
        let root = self.root.take().filter(|root| !root.is_null());
        if root.is_none() {
            let expected = format!("expected {}", self.file.one);
            self.error(Span::default(), "the file is empty", expected, self.file.start);
        }
        let root = root.filter(|_| !self.hollow);
        let document = root.map(|root| Document { root, comments: self.comments });
        (document, self.messages.finish(self.source))
    }

    fn error(&mut self, span: Span, message: &str, label: impl Into<String>, help: impl Into<String>) {
        self.messages.push(Diagnostic::error(message).at(self.source, span, label).with_help(help));
    }

    fn span_of(&self, span: &granit_parser::Span) -> Span {
        let end = self.source.text.len();
        span.byte_range().map_or(Span::new(end, end), |range| Span::new(range.start, range.end))
    }

    fn event(&mut self, event: Event<'_>, span: Span) -> Built {
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

    fn start_document(&mut self, span: Span) -> Built {
        self.documents += 1;
        if self.documents < 2 {
            return Ok(());
        }
        let diagnostic = Diagnostic::error("the file contains more than one YAML document")
            .at(self.source, span, "a second document starts here")
            .with_help("keep one schema per file");
        Err(Box::new(diagnostic))
    }

    fn refuse_tag(&mut self, event: &Event<'_>, span: &granit_parser::Span) {
        if event.tag().is_none() {
            return;
        }
        let place = span.tag_span().map_or_else(|| self.span_of(span), |tag| self.span_of(&tag));
        self.error(place, "YAML tags are not supported in a schema", "a tag", "remove the tag");
    }

    fn refuse_anchor(&mut self, name: &str, span: Span) {
        let help = format!("remove `&{}` and write the value where it is needed", excerpt(name));
        self.error(span, "YAML anchors are not supported in a schema", "an anchor", help);
    }

    fn refuse_alias(&mut self, span: Span) {
        let help = "write out the value here, or put text that starts with `*` in quotes";
        self.error(span, "YAML aliases are not supported in a schema", "an alias", help);
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
            Content::Mapping { mut entries, .. } => {
                if frame.flow {
                    entries = self.flow_entries(entries);
                }
                let last = entries.last().map(|entry| entry.value.span.end);
                (NodeKind::Mapping(entries), last)
            }
        };
        // The end of a block is only known where the next node starts.
        let end = if frame.flow { span.end } else { last.unwrap_or(frame.start) };
        self.complete(Node { kind, span: Span::new(frame.start, end.max(frame.start)) });
    }

    /// The dash of the first item. The parser reports a list that is indented like its key as starting after
    /// the dash.
    fn first_dash(&self, start: usize) -> usize {
        let Some((before, ahead)) = self.source.text.split_at_checked(start) else { return start };
        let at_dash = ahead.strip_prefix('-').is_some_and(|rest| rest.trim_start().len() < rest.len());
        match before.trim_end().strip_suffix('-') {
            Some(before) if !at_dash => before.len(),
            _ => start,
        }
    }

    /// Adds a finished node to its parent: to the open list, as key or value of the open mapping, or as the
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
        let NodeKind::Scalar(Scalar { text, plain }) = node.kind else {
            self.error(span, "a key must be text", "a list or mapping as a key", "write `key: value`");
            return self.set_key(Spanned::new(String::new(), span), false);
        };
        if plain && text == "<<" {
            let message = "YAML merge keys are not supported in a schema";
            self.error(span, message, "a merge key", "write out the merged keys");
            return self.set_key(Spanned::new(text, span), false);
        }
        // Inside braces, an apparent key may be a part of a value; this is decided at the closing brace.
        let first = self.remember(&text, span);
        if let Some(first) = first {
            self.duplicate(&text, span, first);
        }
        self.set_key(Spanned::new(text, span), first.is_none());
    }

    fn duplicate(&mut self, key: &str, span: Span, first: Span) {
        let diagnostic = Diagnostic::error(format!("the key `{}` is given twice", excerpt(key)))
            .at(self.source, span, "given again here")
            .with_label(first, "first given here")
            .with_help("remove one of them")
            .with_kind(DiagnosticKind::Duplicate);
        self.messages.push(diagnostic);
    }

    /// The entries between braces, without parts of values and duplicates.
    fn flow_entries(&mut self, entries: Vec<Entry>) -> Vec<Entry> {
        let (mut entries, faults) = commas::join(self.source, entries);
        faults.into_iter().for_each(|fault| self.messages.push(fault));
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        entries.retain(|entry| match seen.get(&entry.key.value).copied() {
            Some(first) => {
                self.duplicate(&entry.key.value, entry.key.span, first);
                false
            }
            None => {
                seen.insert(entry.key.value.clone(), entry.key.span);
                true
            }
        });
        entries
    }

    /// The place of an earlier key with the same text in the open mapping, unless the mapping is in braces.
    fn remember(&mut self, text: &str, span: Span) -> Option<Span> {
        let Some(Frame { flow: false, content: Content::Mapping { seen, .. }, .. }) = self.frames.last_mut()
        else {
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
        if let Some(Frame { flow: true, content: Content::Mapping { entries, key, .. }, .. }) =
            self.frames.last()
            && let Some(fault) =
                commas::unquoted(self.source, entries, key.as_ref().map(|key| &key.text), offset)
        {
            return fault;
        }
        let Wording { message, label, help } = wording(error.kind());
        let diagnostic = Diagnostic::error(message).at(self.source, span, label).with_help(help);
        // A pair in a list (`[a: b]`) is a mapping without braces.
        let has_bracket = |frame: &&Frame| {
            frame.flow && text.get(frame.start..).is_some_and(|rest| rest.starts_with(['[', '{']))
        };
        match self.frames.iter().rfind(has_bracket) {
            Some(open) if expects_closing(error.kind()) => {
                diagnostic.with_label(Span::new(open.start, open.start + 1), "this bracket is not closed")
            }
            _ => diagnostic,
        }
    }

    fn set_key(&mut self, text: Spanned<String>, keep: bool) {
        if let Some(Frame { content: Content::Mapping { key, .. }, .. }) = self.frames.last_mut() {
            *key = Some(PendingKey { text, keep });
        }
    }
}
