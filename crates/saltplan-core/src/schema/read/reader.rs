//! Typed access to nodes, with the messages for what does not fit.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::diag::{Diagnostic, Edit, Fix, Kind, Source, Span, Spanned, did_you_mean};
use crate::schema::collect::Collector;
use crate::schema::wording::{alternatives, excerpt};
use crate::schema::yaml::{self, Entry, Node, NodeKind, Scalar};

/// Collects what is wrong with a file while its nodes are read.
pub(in crate::schema) struct Reader<'s> {
    source: &'s Arc<Source>,
    messages: Collector,
}

impl<'s> Reader<'s> {
    pub fn new(source: &'s Arc<Source>) -> Self {
        Reader { source, messages: Collector::default() }
    }

    /// An error at a place of the file, still to be [reported](Self::report).
    pub fn fault(&self, span: Span, message: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        Diagnostic::error(message).at(self.source, span, label)
    }

    /// An error about a text of the file, with its marks in the file. A text with escapes or line breaks is marked as a
    /// whole.
    pub fn inside(&self, error: Diagnostic, text: &Spanned<String>) -> Diagnostic {
        let written = self.source.text.get(text.span.start..text.span.end).unwrap_or_default();
        let offset = written.find(&text.value).map(|at| text.span.start + at);
        let place = |span: Span| match offset {
            Some(offset) => Span::new(offset + span.start, offset + span.end),
            None => text.span,
        };
        let mut moved = Diagnostic { source: Some(Arc::clone(self.source)), ..error };
        for label in &mut moved.labels {
            label.span = place(label.span);
        }
        moved
    }

    /// Reports an error with a single label.
    pub fn error(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.report(self.fault(span, message, label).with_help(help));
    }

    /// Says "did you mean" where a candidate is close enough to what was written, with the edit that puts it there.
    pub fn suggesting<'a>(
        &self,
        fault: Diagnostic,
        written: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Diagnostic {
        let Some(meant) = did_you_mean(written, candidates) else { return fault };
        let fault = fault.with_help(format!("did you mean `{meant}`?"));
        let place = fault.labels.first().map(|label| label.span);
        let edit = place.and_then(|span| {
            yaml::replacement(fault.text(span)?, written, meant).map(|text| Edit::new(span, text))
        });
        match edit {
            Some(edit) => fault.with_fix(Fix::changing(format!("write `{meant}`"), vec![edit])),
            None => fault,
        }
    }

    pub fn warning(&self, span: Span, message: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        Diagnostic::warning(message).at(self.source, span, label)
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.messages.push(diagnostic);
    }

    pub fn finish(self) -> Vec<Diagnostic> {
        self.messages.finish(self.source)
    }
}

/// What a value is called in messages.
#[derive(Debug, Clone, Copy)]
enum Role<'n> {
    Root,
    /// The value of this key.
    Key(&'n str),
    /// An item of the list under this key.
    Item(&'n str),
}

impl Display for Role<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Role::Root => f.write_str("the schema"),
            Role::Key(key) => write!(f, "`{}`", excerpt(key)),
            Role::Item(key) => write!(f, "an item of `{}`", excerpt(key)),
        }
    }
}

/// A node and its role, ready to be read as one type or another.
#[derive(Debug, Clone, Copy)]
pub(in crate::schema) struct Value<'n> {
    role: Role<'n>,
    /// Where to point when something is missing inside: the key, or the start of an item.
    anchor: Span,
    node: &'n Node,
}

impl<'n> Value<'n> {
    pub fn root(node: &'n Node) -> Self {
        let anchor = Span::new(node.span.start, node.span.start);
        Value { role: Role::Root, anchor, node }
    }

    pub fn of(entry: &'n Entry) -> Self {
        Value { role: Role::Key(&entry.key.value), anchor: entry.key.span, node: &entry.value }
    }

    pub fn span(&self) -> Span {
        self.node.span
    }

    /// The key that the value was given under; the start of the item in a list.
    pub fn key_span(&self) -> Span {
        self.anchor
    }

    /// What the value is called in messages: its key in backticks, or its place in a list.
    pub fn name(&self) -> String {
        self.role.to_string()
    }

    pub fn is_null(&self) -> bool {
        self.node.is_null()
    }

    pub fn is_mapping(&self) -> bool {
        matches!(self.node.kind, NodeKind::Mapping(_))
    }

    pub fn is_list(&self) -> bool {
        matches!(self.node.kind, NodeKind::Sequence(_))
    }

    /// Whether the value is a scalar without quotes.
    pub fn is_plain(&self) -> bool {
        matches!(&self.node.kind, NodeKind::Scalar(Scalar { plain: true, .. }))
    }

    /// The text of a scalar in any style, so that a plain `no` or `5` is text where text is wanted.
    pub fn text(&self, reader: &mut Reader<'_>) -> Option<Spanned<String>> {
        match &self.node.kind {
            NodeKind::Scalar(scalar) if !self.is_null() => {
                Some(Spanned::new(scalar.text.clone(), self.node.span))
            }
            _ => self.mismatch(reader, "text", &self.example("'…'")),
        }
    }

    /// A whole number in decimal or `0x` hexadecimal digits.
    pub fn number<T>(&self, reader: &mut Reader<'_>, range: RangeInclusive<T>) -> Option<T>
    where
        T: TryFrom<i128> + PartialOrd + Display,
    {
        let NodeKind::Scalar(Scalar { text, plain }) = &self.node.kind else {
            return self.mismatch(reader, "a whole number", &self.example("8"));
        };
        let Some(number) = parse_number(text) else {
            let octal = text.len() > 1 && text.bytes().all(|b| b.is_ascii_digit());
            let help = if octal { "write it without leading zeros" } else { &self.example("8") };
            return self.mismatch(reader, "a whole number", help);
        };
        if !plain {
            return self.mismatch(reader, "a whole number", "write it without quotes");
        }
        let fitting = T::try_from(number).ok().filter(|number| range.contains(number));
        if fitting.is_none() {
            let message = format!("{} cannot be {}", self.role, excerpt(text));
            let fault = reader.fault(self.node.span, message, "out of range");
            reader.report(fault.with_help(format!(
                "write a number from {} to {}",
                range.start(),
                range.end()
            )));
        }
        fitting
    }

    /// `true` or `false`.
    pub fn flag(&self, reader: &mut Reader<'_>) -> Option<bool> {
        match &self.node.kind {
            NodeKind::Scalar(Scalar { text, plain: true }) if text == "true" => Some(true),
            NodeKind::Scalar(Scalar { text, plain: true }) if text == "false" => Some(false),
            _ => self.mismatch(reader, "`true` or `false`", &self.example("true")),
        }
    }

    /// One of a few words, each with its meaning.
    pub fn word<T: Copy>(&self, reader: &mut Reader<'_>, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(reader)?;
        let found = words.iter().find(|(word, _)| *word == text.value);
        if found.is_none() {
            let known = words.iter().map(|(word, _)| *word);
            let message = format!("{} cannot be `{}`", self.role, excerpt(&text.value));
            let help = format!("write {}", alternatives(known.clone()));
            let fault = reader.fault(text.span, message, "unknown word").with_help(help);
            let fault = reader.suggesting(fault, &text.value, known);
            reader.report(fault);
        }
        found.map(|(_, meaning)| *meaning)
    }

    /// The items of a list.
    pub fn items(&self, reader: &mut Reader<'_>) -> Option<Vec<Value<'n>>> {
        let NodeKind::Sequence(items) = &self.node.kind else {
            return self.mismatch(reader, "a list", &self.example("[ … ]"));
        };
        let key = match self.role {
            Role::Root => "schema",
            Role::Key(key) | Role::Item(key) => key,
        };
        let item = |node: &'n Node| Value { role: Role::Item(key), anchor: node.span, node };
        Some(items.iter().map(item).collect())
    }

    /// A list with at least one item and at most `limit`; `remedy` says what to do about an empty one.
    pub fn some_items(&self, reader: &mut Reader<'_>, limit: usize, remedy: &str) -> Option<Vec<Value<'n>>> {
        let items = self.items(reader)?;
        if items.is_empty() {
            let fault = reader.fault(
                self.node.span,
                format!("{} is empty", self.role),
                "at least one item is needed",
            );
            reader.report(fault.with_help(remedy));
            return None;
        }
        if let Some(item) = items.get(limit) {
            let message = format!("{} has {} items, the limit is {limit}", self.role, items.len());
            let fault = reader.fault(item.span(), message, "the first one too many");
            reader.report(fault.with_help("remove items from here on"));
            return None;
        }
        Some(items)
    }

    /// The entries of a mapping whose keys are the user's own names.
    pub fn entries(&self, reader: &mut Reader<'_>) -> Option<&'n [Entry]> {
        match &self.node.kind {
            NodeKind::Mapping(entries) => Some(entries),
            _ => self.mismatch(reader, "a mapping", &self.example("{ … }")),
        }
    }

    /// The value of one key, where the node is a mapping that has it.
    pub fn child(&self, key: &str) -> Option<Value<'n>> {
        match &self.node.kind {
            NodeKind::Mapping(entries) => entries.iter().find(|entry| entry.key.value == key).map(Value::of),
            _ => None,
        }
    }

    /// A mapping with known keys. `read` first asks for all its keys, then looks at their values; what it did not
    /// ask for is reported as unknown.
    pub fn mapping<T>(
        &self,
        reader: &mut Reader<'_>,
        read: impl FnOnce(&mut Reader<'_>, &mut Fields<'n>) -> Option<T>,
    ) -> Option<T> {
        let entries = self.entries(reader)?;
        let mut fields = Fields { owner: *self, entries, asked: Vec::new(), missing: Vec::new() };
        let value = read(reader, &mut fields);
        if fields.finish(reader) { value } else { None }
    }

    /// A mapping with a single entry whose key chooses one of several forms.
    pub fn variant<T: Copy>(
        &self,
        reader: &mut Reader<'_>,
        forms: &[(&'static str, T)],
    ) -> Option<(T, Value<'n>)> {
        let known = || forms.iter().map(|(name, _)| *name);
        let NodeKind::Mapping(entries) = &self.node.kind else {
            let help = format!("write one of {} under it", alternatives(known()));
            return self.mismatch(reader, "a mapping", &help);
        };
        let form_of =
            |entry: &Entry| forms.iter().find(|(name, _)| *name == entry.key.value).map(|(_, form)| *form);
        let (chosen, others): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| form_of(entry).is_some());
        let names: Vec<&'static str> = known().collect();
        let absent = if others.is_empty() { Vec::new() } else { self.absent(&names) };
        for entry in &others {
            self.unknown_key(reader, entry, &names, &absent);
        }
        if let [first, second, ..] = chosen[..] {
            let message =
                format!("{} has two forms, `{}` and `{}`", self.role, first.key.value, second.key.value);
            let fault = reader.fault(second.key.span, message, "the second form");
            reader
                .report(fault.with_label(first.key.span, "the first form").with_help("keep one of the two"));
        }
        if entries.is_empty() {
            let fault = reader.fault(self.node.span, format!("{} is empty", self.role), "nothing chosen");
            reader.report(fault.with_help(format!("write one of {}", alternatives(known()))));
        }
        let entry = chosen.first()?;
        others.is_empty().then_some((form_of(entry)?, Value::of(entry)))
    }

    fn unknown_key(
        &self,
        reader: &mut Reader<'_>,
        entry: &Entry,
        known: &[&'static str],
        absent: &[&'static str],
    ) {
        let key = excerpt(&entry.key.value);
        let message = format!("unknown key `{key}` in {}", self.role);
        let fault = reader.fault(entry.key.span, message, "not known here");
        let help = match known {
            [] => "remove it: nothing can be set here".into(),
            known => format!("the keys here are {}", alternatives(known.iter().copied())),
        };
        let fault = reader.suggesting(fault.with_help(help), &entry.key.value, absent.iter().copied());
        reader.report(fault.with_kind(Kind::UnknownKey));
    }

    /// The keys that an unknown one can have been meant to be: those that the mapping does not have yet.
    fn absent(&self, known: &[&'static str]) -> Vec<&'static str> {
        known.iter().copied().filter(|key| self.child(key).is_none()).collect()
    }

    /// Reports a value of the wrong type.
    pub fn mismatch<T>(&self, reader: &mut Reader<'_>, wanted: &str, help: &str) -> Option<T> {
        let fault = reader.fault(self.node.span, format!("{} takes {wanted}", self.role), found(self.node));
        reader.report(fault.with_help(help));
        None
    }

    /// How to write this value instead.
    fn example(&self, value: &str) -> String {
        match self.role {
            Role::Root => "a schema starts with the line `saltplan: 1`".into(),
            Role::Key(key) => format!("write `{}: {value}`", excerpt(key)),
            Role::Item(_) => format!("write `- {value}`"),
        }
    }
}

/// Reads a value that may be left out: `None` is an error that was reported, `Some(None)` stands for nothing written.
pub(in crate::schema) fn optional<'n, T>(
    value: Option<Value<'n>>,
    read: impl FnOnce(&Value<'n>) -> Option<T>,
) -> Option<Option<T>> {
    match value {
        Some(value) => read(&value).map(Some),
        None => Some(None),
    }
}

/// A mapping in the course of being read.
pub(in crate::schema) struct Fields<'n> {
    owner: Value<'n>,
    entries: &'n [Entry],
    asked: Vec<&'static str>,
    missing: Vec<(&'static str, &'static str)>,
}

impl<'n> Fields<'n> {
    /// The mapping itself.
    pub fn owner(&self) -> Value<'n> {
        self.owner
    }

    /// The value of a key that may be left out.
    pub fn get(&mut self, key: &'static str) -> Option<Value<'n>> {
        self.asked.push(key);
        self.owner.child(key)
    }

    /// The value of a key that must be there; `example` shows how to write it.
    pub fn require(&mut self, key: &'static str, example: &'static str) -> Option<Value<'n>> {
        let value = self.get(key);
        if value.is_none() {
            self.missing.push((key, example));
        }
        value
    }

    /// Reports unknown and missing keys; `true` when there are none.
    ///
    /// A missing key that an unknown one was most likely meant to be is told once, as unknown.
    fn finish(mut self, reader: &mut Reader<'_>) -> bool {
        let is_known = |entry: &Entry| self.asked.contains(&entry.key.value.as_str());
        let is_whole = self.entries.iter().all(is_known);
        let absent = if is_whole { Vec::new() } else { self.owner.absent(&self.asked) };
        let is_key = |entry: &Entry| {
            is_known(entry) || did_you_mean(&entry.key.value, absent.iter().copied()).is_some()
        };
        let mut unknown = Vec::new();
        let mut entries = self.entries;
        while let Some((entry, behind)) = entries.split_first() {
            entries = behind;
            if !is_known(entry) {
                unknown.push(entry);
            } else if let Some((fault, parts)) = yaml::cut(reader.source, entry, behind, is_key) {
                reader.report(fault);
                entries = &behind[parts..];
            }
        }
        for entry in &unknown {
            self.owner.unknown_key(reader, entry, &self.asked, &absent);
            let meant = did_you_mean(&entry.key.value, absent.iter().copied());
            self.missing.retain(|(key, _)| Some(*key) != meant);
        }
        for (key, example) in &self.missing {
            let message = format!("`{key}` is missing in {}", self.owner.role);
            let fault = reader.fault(self.owner.anchor, message, "incomplete");
            reader.report(fault.with_help(format!("add `{example}`")));
        }
        is_whole && self.missing.is_empty()
    }
}

fn parse_number(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let magnitude = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => i128::from_str_radix(hex, 16).ok()?,
        Some(_) => return None,
        None if digits.len() > 1 && digits.starts_with('0') => return None,
        None if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse().ok()?,
        None => return None,
    };
    Some(if negative { -magnitude } else { magnitude })
}

/// What a node is, for "found …".
fn found(node: &Node) -> String {
    match &node.kind {
        NodeKind::Sequence(_) => "found a list".into(),
        NodeKind::Mapping(_) => "found a mapping".into(),
        NodeKind::Scalar(_) if node.is_null() => "found nothing".into(),
        NodeKind::Scalar(Scalar { text, plain: true }) if parse_number(text).is_some() => {
            format!("found the number `{}`", excerpt(text))
        }
        NodeKind::Scalar(Scalar { text, .. }) => format!("found the text `{}`", excerpt(text)),
    }
}
