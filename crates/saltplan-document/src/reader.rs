//! Typed access to nodes, with messages about what is wrong.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

use crate::collect::Collector;
use crate::diag::{Diagnostic, DiagnosticKind, Edit, Fix, Source, Span, Spanned, did_you_mean};
use crate::format::{File, Forms, Key, KeyRule, KeyTest, Map, Misplaced, Need, OneOf, ValueType};
use crate::wording::{alternatives, excerpt};
use crate::yaml::{self, Entry, Node, NodeKind, Scalar};

/// Collects the problems of a file while its nodes are read.
#[derive(Debug)]
pub struct Reader<'s> {
    source: &'s Arc<Source>,
    messages: Collector,
}

impl<'s> Reader<'s> {
    pub fn new(source: &'s Arc<Source>) -> Self {
        Reader { source, messages: Collector::default() }
    }

    /// An error at a place of the file, which must still be [reported](Self::report).
    pub fn fault(&self, span: Span, message: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        Diagnostic::error(message).at(self.source, span, label)
    }

    /// An error about a text inside the file, see [`inside`].
    pub fn inside(&self, error: Diagnostic, text: &Spanned<String>) -> Diagnostic {
        inside(self.source, error, text)
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

    /// Sets the help to "did you mean" if a candidate is similar enough to what was written, with an edit
    /// that inserts it.
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

    /// Reports an error with a single label, for a reader that then has no value to return.
    pub fn reject<T>(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
        help: impl Into<String>,
    ) -> Option<T> {
        self.error(span, message, label, help);
        None
    }

    /// Parses a text. If it is refused, the reason is the label of the reported error. `what` describes the expected
    /// text, with its article.
    pub fn parsed<T, E: Display>(
        &mut self,
        text: &Spanned<String>,
        parse: impl FnOnce(&str) -> Result<T, E>,
        what: &str,
        help: &str,
    ) -> Option<T> {
        match parse(&text.value) {
            Ok(read) => Some(read),
            Err(reason) => {
                let message = format!("`{}` is not {what}", excerpt(&text.value));
                self.reject(text.span, message, reason.to_string(), help)
            }
        }
    }

    /// Reports an error, for a reader that then has no value to return.
    pub fn rejected<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.report(diagnostic);
        None
    }

    pub fn finish(self) -> Vec<Diagnostic> {
        self.messages.finish(self.source)
    }
}

/// An error about a text of a file, with labels inside the file. A text with escapes or line breaks is marked
/// as a whole.
pub fn inside(source: &Arc<Source>, error: Diagnostic, text: &Spanned<String>) -> Diagnostic {
    let written = source.text.get(text.span.start..text.span.end).unwrap_or_default();
    let offset = written.find(&text.value).map(|at| text.span.start + at);
    let place = |span: Span| match offset {
        Some(offset) => Span::new(offset + span.start, offset + span.end),
        None => text.span,
    };
    let mut moved = Diagnostic { source: Some(Arc::clone(source)), ..error };
    for label in &mut moved.labels {
        label.span = place(label.span);
    }
    moved
}

/// How a value is called in messages.
#[derive(Debug, Clone, Copy)]
enum Role<'n> {
    Root(&'static str),
    /// The value of this key.
    Key(&'n str),
    /// An item of the list under this key.
    Item(&'n str),
}

impl Display for Role<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Role::Root(what) => f.write_str(what),
            Role::Key(key) => write!(f, "`{}`", excerpt(key)),
            Role::Item(key) => write!(f, "an item of `{}`", excerpt(key)),
        }
    }
}

/// A node, its name for messages, and its description.
#[derive(Debug, Clone, Copy)]
pub struct FileValue<'n> {
    role: Role<'n>,
    form: ValueType,
    /// Where to point if something is missing inside: the key, or the start of an item.
    anchor: Span,
    node: &'n Node,
    file: &'static File,
}

impl<'n> FileValue<'n> {
    /// The top level of a file.
    pub fn root(node: &'n Node, file: &'static File) -> Self {
        let anchor = Span::new(node.span.start, node.span.start);
        FileValue { role: Role::Root(file.what), form: ValueType::Map(file.map), anchor, node, file }
    }

    /// An entry of this mapping.
    #[must_use]
    pub fn of_entry(&self, entry: &'n Entry, form: ValueType) -> Self {
        FileValue::entry_of(self.file, entry, form)
    }

    fn entry_of(file: &'static File, entry: &'n Entry, form: ValueType) -> Self {
        FileValue {
            role: Role::Key(&entry.key.value),
            form,
            anchor: entry.key.span,
            node: &entry.value,
            file,
        }
    }

    pub fn span(&self) -> Span {
        self.node.span
    }

    /// The key of the value; for an item of a list, the start of the item.
    pub fn key_span(&self) -> Span {
        self.anchor
    }

    /// The name of the value in messages: its key in backticks, or its position in a list.
    pub fn name(&self) -> String {
        self.role.to_string()
    }

    /// The description of the value.
    pub fn form(&self) -> ValueType {
        self.form
    }

    pub fn is_null(&self) -> bool {
        self.node.is_null()
    }

    pub fn is_mapping(&self) -> bool {
        matches!(self.node.kind, NodeKind::Mapping(_))
    }

    /// Whether it is a mapping with this key.
    pub fn has(&self, key: &Key) -> bool {
        self.child(key).is_some()
    }

    pub fn is_list(&self) -> bool {
        matches!(self.node.kind, NodeKind::Sequence(_))
    }

    /// Whether the value is a scalar without quotes.
    pub fn is_plain(&self) -> bool {
        matches!(&self.node.kind, NodeKind::Scalar(Scalar { plain: true, .. }))
    }

    /// Whether the value is a scalar whose text satisfies a condition.
    pub fn is_scalar(&self, has: impl FnOnce(&str) -> bool) -> bool {
        matches!(&self.node.kind, NodeKind::Scalar(scalar) if has(&scalar.text))
    }

    /// The text of a scalar in any style, so that a plain `no` or `5` is accepted as text.
    pub fn text(&self, reader: &mut Reader<'_>) -> Option<Spanned<String>> {
        match &self.node.kind {
            NodeKind::Scalar(scalar) if !self.is_null() => {
                Some(Spanned::new(scalar.text.clone(), self.node.span))
            }
            _ => self.mismatch(reader, "text", &self.example("'…'")),
        }
    }

    /// A whole number in decimal or `0x` hexadecimal digits.
    pub fn number<T: TryFrom<i128>>(&self, reader: &mut Reader<'_>) -> Option<T> {
        let bounds = self.form.bounds();
        debug_assert!(bounds.is_some(), "{} is not described as a number", self.role);
        let (least, greatest) = bounds.unwrap_or((i128::MIN, i128::MAX));
        self.number_within(reader, least..=greatest)
    }

    /// A whole number within bounds that other keys restrict further.
    pub fn number_within<T: TryFrom<i128>>(
        &self,
        reader: &mut Reader<'_>,
        range: RangeInclusive<i128>,
    ) -> Option<T> {
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
        let fitting = T::try_from(number).ok().filter(|_| range.contains(&number));
        if fitting.is_none() {
            let message = format!("{} cannot be {}", self.role, excerpt(text));
            let help = format!("write a number from {} to {}", range.start(), range.end());
            reader.error(self.node.span, message, "out of range", help);
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

    /// One of the described words.
    pub fn word<T: Copy + 'static>(&self, reader: &mut Reader<'_>) -> Option<T> {
        let choice = self.form.choice::<T>();
        debug_assert!(choice.is_some(), "{} is described with other words", self.role);
        let choice = choice?;
        let text = self.text(reader)?;
        let found = choice.0.iter().find(|word| word.text == text.value);
        if found.is_none() {
            let known = choice.0.iter().map(|word| word.text);
            let message = format!("{} cannot be `{}`", self.role, excerpt(&text.value));
            let help = format!("write {}", alternatives(known.clone()));
            let fault = reader.fault(text.span, message, "unknown word").with_help(help);
            let fault = reader.suggesting(fault, &text.value, known);
            reader.report(fault);
        }
        found.map(|word| word.meaning)
    }

    /// The items of a list.
    pub fn items(&self, reader: &mut Reader<'_>) -> Option<Vec<FileValue<'n>>> {
        let NodeKind::Sequence(items) = &self.node.kind else {
            return self.mismatch(reader, "a list", &self.example("[ … ]"));
        };
        let key = match self.role {
            Role::Root(_) => "file",
            Role::Key(key) | Role::Item(key) => key,
        };
        let form = self.form.list().map(|list| list.item);
        debug_assert!(form.is_some(), "{} is no list in the format", self.role);
        let form = form.unwrap_or(self.form);
        let file = self.file;
        let item = |node: &'n Node| FileValue { role: Role::Item(key), form, anchor: node.span, node, file };
        Some(items.iter().map(item).collect())
    }

    /// The maximum number of items of a list, or of entries of a mapping with user-chosen keys.
    pub fn limit(&self) -> usize {
        let limit = self.form.list().map(|list| list.most).or(self.form.named().map(|named| named.most));
        debug_assert!(limit.is_some(), "{} is no list in the format", self.role);
        limit.unwrap_or(usize::MAX)
    }

    /// A list with at least one item and at most the described number; `remedy` is the help for an empty
    /// list.
    pub fn some_items(&self, reader: &mut Reader<'_>, remedy: &str) -> Option<Vec<FileValue<'n>>> {
        let items = self.items(reader)?;
        let limit = self.limit();
        if items.is_empty() {
            let message = format!("{} is empty", self.role);
            return reader.reject(self.node.span, message, "at least one item is needed", remedy);
        }
        if let Some(item) = items.get(limit) {
            let message = format!("{} has {} items, the limit is {limit}", self.role, items.len());
            let help = "remove the items from here on";
            return reader.reject(item.span(), message, "the first one too many", help);
        }
        Some(items)
    }

    /// The entries of a mapping with user-chosen keys.
    pub fn entries(&self, reader: &mut Reader<'_>) -> Option<&'n [Entry]> {
        match &self.node.kind {
            NodeKind::Mapping(entries) => Some(entries),
            _ => self.mismatch(reader, "a mapping", &self.example("{ … }")),
        }
    }

    /// The description of the values in a mapping with user-chosen keys.
    pub fn form_of_entries(&self) -> ValueType {
        let form = self.form.named().map(|named| named.value);
        debug_assert!(form.is_some(), "{} is not described as a mapping with free names", self.role);
        form.unwrap_or(self.form)
    }

    /// The value of one key, if the node is a mapping that has it.
    /// The value of a key of a mapping.
    pub fn child(&self, key: &Key) -> Option<FileValue<'n>> {
        self.node.entry(key.name).map(|entry| self.of_entry(entry, key.value))
    }

    /// A mapping with described keys. `read` first requests all keys, then looks at their values.
    pub fn mapping<T>(
        &self,
        reader: &mut Reader<'_>,
        read: impl FnOnce(&mut Reader<'_>, &mut Fields<'n>) -> Option<T>,
    ) -> Option<T> {
        let entries = self.entries(reader)?;
        let map = self.form.map();
        debug_assert!(map.is_some(), "{} is not described as a mapping", self.role);
        let map = map.unwrap_or(&Map::EMPTY);
        let mut fields = Fields { owner: *self, entries, map, asked: Vec::new(), missing: Vec::new() };
        let value = read(reader, &mut fields);
        debug_assert!(
            value.is_none() || fields.unread().is_empty(),
            "{} has described keys that are never read: {:?}",
            self.role,
            fields.unread()
        );
        if fields.finish(reader) { value } else { None }
    }

    /// A mapping with a single entry whose key selects one of several forms.
    pub fn variant<T: Copy>(
        &self,
        reader: &mut Reader<'_>,
        one_of: &'static OneOf<T>,
    ) -> Option<(T, FileValue<'n>)>
    where
        OneOf<T>: Forms,
    {
        let keys = one_of.keys();
        let known = || keys.iter().map(|key| key.name);
        let NodeKind::Mapping(entries) = &self.node.kind else {
            let help = format!("write one of {} inside it", alternatives(known()));
            return self.mismatch(reader, "a mapping", &help);
        };
        let form_of = |entry: &Entry| one_of.forms.iter().find(|(key, _)| key.name == entry.key.value);
        let (chosen, others): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| form_of(entry).is_some());
        let absent = if others.is_empty() { Vec::new() } else { self.absent(&keys) };
        for entry in &others {
            self.unknown_key(reader, entry, (&keys, &absent), one_of.misplaced);
        }
        if let [first, second, ..] = chosen[..] {
            let message =
                format!("{} has two forms, `{}` and `{}`", self.role, first.key.value, second.key.value);
            let fault = reader.fault(second.key.span, message, "the second form");
            reader
                .report(fault.with_label(first.key.span, "the first form").with_help("keep one of the two"));
        }
        if entries.is_empty() {
            let help = format!("write one of {}", alternatives(known()));
            reader.error(self.node.span, format!("{} is empty", self.role), "nothing chosen", help);
        }
        let entry = chosen.first()?;
        let (key, form) = form_of(entry)?;
        others.is_empty().then_some((*form, self.of_entry(entry, key.value)))
    }

    /// Reports an unknown key. `keys` are the described keys, and those of them that are not present.
    fn unknown_key(
        &self,
        reader: &mut Reader<'_>,
        entry: &Entry,
        (known, absent): (&[&'static Key], &[&'static str]),
        misplaced: &[Misplaced],
    ) {
        if let Some(found) = misplaced.iter().find(|misplaced| misplaced.name == entry.key.value) {
            let fault = reader.fault(entry.key.span, found.message, found.label);
            return reader.report(fault.with_help(found.help).with_kind(DiagnosticKind::UnknownKey));
        }
        let key = excerpt(&entry.key.value);
        let message = format!("unknown key `{key}` in {}", self.role);
        let fault = reader.fault(entry.key.span, message, "not known here");
        let help = match known {
            [] => "remove it: no keys are allowed here".into(),
            known => format!("the allowed keys are {}", alternatives(known.iter().map(|key| key.name))),
        };
        let fault = reader.suggesting(fault.with_help(help), &entry.key.value, absent.iter().copied());
        reader.report(fault.with_kind(DiagnosticKind::UnknownKey));
    }

    /// The keys that an unknown key may have been meant as: those that are not present.
    fn absent(&self, known: &[&'static Key]) -> Vec<&'static str> {
        known.iter().filter(|key| self.child(key).is_none()).map(|key| key.name).collect()
    }

    /// Whether the conditions of a case are true for the mapping.
    fn meets(&self, case: &KeyRule) -> bool {
        case.when.iter().all(|when| self.is(when))
    }

    /// Whether a condition is true for the mapping.
    fn is(&self, when: &KeyTest) -> bool {
        match when {
            KeyTest::Has(key) => self.child(key).is_some(),
            KeyTest::Lacks(key) => self.child(key).is_none(),
            KeyTest::IsMapping(key) => self.child(key).is_some_and(|value| value.is_mapping()),
            KeyTest::Is(key, words) => {
                self.scalar(key).is_some_and(|scalar| words.contains(&scalar.text.as_str()))
            }
            KeyTest::Over(key, number) => self
                .scalar(key)
                .and_then(|scalar| parse_number(&scalar.text))
                .is_some_and(|found| found > *number),
        }
    }

    fn scalar(&self, key: &Key) -> Option<&'n Scalar> {
        match &self.child(key)?.node.kind {
            NodeKind::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// Reports a value of the wrong type.
    pub fn mismatch<T>(&self, reader: &mut Reader<'_>, wanted: &str, help: &str) -> Option<T> {
        reader.reject(self.node.span, format!("{} takes {wanted}", self.role), found(self.node), help)
    }

    /// How to write this value instead.
    fn example(&self, value: &str) -> String {
        match self.role {
            Role::Root(_) => self.file.start.into(),
            Role::Key(key) => format!("write `{}`", self.file.syntax.entry(&excerpt(key), value)),
            Role::Item(_) => format!("write `- {value}`"),
        }
    }
}

/// Reads an optional value: `None` means that an error was reported, `Some(None)` that nothing is written.
pub fn optional<'n, T>(
    value: Option<FileValue<'n>>,
    read: impl FnOnce(&FileValue<'n>) -> Option<T>,
) -> Option<Option<T>> {
    match value {
        Some(value) => read(&value).map(Some),
        None => Some(None),
    }
}

/// A type whose values are read the same way under every key.
pub trait FromFile: Sized {
    fn from_file(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Self>;
}

/// Types that a method of [`FileValue`] reads: `word: Engine;`.
#[macro_export]
#[doc(hidden)]
macro_rules! from_file {
    ($($method:ident: $($type:ty),+;)+) => {
        $($(impl $crate::reader::FromFile for $type {
            fn from_file(
                reader: &mut $crate::reader::Reader<'_>,
                value: &$crate::reader::FileValue<'_>,
            ) -> Option<Self> {
                value.$method(reader)
            }
        })+)+
    };
}
from_file! {
    number: u32, usize, i32, i64;
    flag: bool;
}

impl FromFile for String {
    fn from_file(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Self> {
        value.text(reader).map(|text| text.value)
    }
}

impl FromFile for PathBuf {
    fn from_file(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Self> {
        String::from_file(reader, value).map(PathBuf::from)
    }
}

impl<T: FromFile> FromFile for Spanned<T> {
    fn from_file(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Self> {
        T::from_file(reader, value).map(|read| Spanned::new(read, value.span()))
    }
}

/// A mapping that is being read.
#[derive(Debug)]
pub struct Fields<'n> {
    owner: FileValue<'n>,
    entries: &'n [Entry],
    map: &'static Map,
    asked: Vec<&'static Key>,
    missing: Vec<&'static Key>,
}

impl<'n> Fields<'n> {
    /// The mapping itself.
    pub fn owner(&self) -> FileValue<'n> {
        self.owner
    }

    /// Whether a key belongs to the mapping.
    fn has_meaning(&self, key: &'static Key) -> bool {
        self.map.keys.iter().any(|known| known.name == key.name)
    }

    /// The value of a key; one that must be there and is not is missing.
    pub fn get(&mut self, key: &'static Key) -> Option<FileValue<'n>> {
        debug_assert!(self.has_meaning(key), "`{}` is no key of {} in the format", key.name, self.owner.role);
        self.asked.push(key);
        let value = self.owner.child(key);
        if value.is_none() && key.need == Need::Required {
            self.missing.push(key);
        }
        value
    }

    /// The value of a key, in code that also reads mappings without this key.
    pub fn get_if_known(&mut self, key: &'static Key) -> Option<FileValue<'n>> {
        if self.has_meaning(key) { self.get(key) } else { None }
    }

    /// The value of a key, restricted to what the other keys allow.
    fn narrowed(&mut self, key: &'static Key) -> Option<FileValue<'n>> {
        let value = self.get(key)?;
        let narrowed = self.map.cases.iter().find_map(|case| {
            let (_, form) = case.narrows.iter().find(|(narrowed, _)| narrowed.name == key.name)?;
            self.owner.meets(case).then_some(*form)
        });
        Some(FileValue { form: narrowed.unwrap_or(value.form), ..value })
    }

    /// Reads a required value: `None` means that an error is reported.
    pub fn required<T>(
        &mut self,
        reader: &mut Reader<'_>,
        key: &'static Key,
        read: impl FnOnce(&mut Reader<'_>, &FileValue<'_>) -> Option<T>,
    ) -> Option<T> {
        self.narrowed(key).and_then(|value| read(reader, &value))
    }

    /// Reads an optional value, see [`optional`].
    pub fn optional<T>(
        &mut self,
        reader: &mut Reader<'_>,
        key: &'static Key,
        read: impl FnOnce(&mut Reader<'_>, &FileValue<'_>) -> Option<T>,
    ) -> Option<Option<T>> {
        optional(self.narrowed(key), |value| read(reader, value))
    }

    /// [`Fields::optional`] for a key that several mappings have.
    pub fn shared<T>(
        &mut self,
        reader: &mut Reader<'_>,
        key: &'static Key,
        read: impl FnOnce(&mut Reader<'_>, &FileValue<'_>) -> Option<T>,
    ) -> Option<Option<T>> {
        self.optional(reader, key, read)
    }

    /// Reads a value, or the default of the key as if it were written.
    pub fn default<T>(
        &mut self,
        reader: &mut Reader<'_>,
        key: &'static Key,
        read: impl FnOnce(&mut Reader<'_>, &FileValue<'_>) -> Option<T>,
    ) -> Option<T> {
        if let Some(value) = self.narrowed(key) {
            return read(reader, &value);
        }
        let Need::Default(text) = key.need else { return None };
        let kind = match text {
            "[]" => NodeKind::Sequence(Vec::new()),
            text => NodeKind::Scalar(Scalar { text: text.to_string(), plain: true }),
        };
        let node = Node { kind, span: self.owner.anchor };
        let (role, form) = (Role::Key(key.name), key.value);
        read(reader, &FileValue { role, form, node: &node, ..self.owner })
    }

    /// The constraints whose conditions are true.
    fn cases(&self) -> impl Iterator<Item = &'static KeyRule> + use<'n> {
        let owner = self.owner;
        self.map.cases.iter().filter(move |case| owner.meets(case))
    }

    /// Reports keys that cannot be combined with others. Returns `None` if there are any.
    pub fn refuse(&self, reader: &mut Reader<'_>) -> Option<()> {
        let mut clean = Some(());
        let mut seen: Vec<&str> = Vec::new();
        for case in self.cases() {
            for (key, value) in
                case.refused(self.map.keys).filter_map(|key| Some((key, self.owner.child(key)?)))
            {
                clean = None;
                if seen.contains(&key.name) {
                    continue;
                }
                seen.push(key.name);
                let fault = match case.when {
                    // Neither key has priority over the other.
                    [KeyTest::Has(first)] if case.excludes => {
                        let message = format!("`{}` and `{}` exclude each other", first.name, key.name);
                        let fault = reader.fault(value.anchor, message, "the second one");
                        let first = self.owner.child(first).map(|first| first.anchor);
                        first.into_iter().fold(fault, |fault, span| fault.with_label(span, "the first one"))
                    }
                    _ => {
                        let message = format!("`{}` cannot be combined with {}", key.name, case.condition());
                        reader.fault(value.anchor, message, "has no meaning here")
                    }
                };
                reader.report(fault.with_help(case.help));
            }
        }
        clean
    }

    /// Adds keys that the present keys require to the missing ones.
    pub fn need(&mut self) {
        for case in self.cases() {
            let absent = case.needs.iter().filter(|key| self.owner.child(key).is_none());
            self.missing.extend(absent.copied());
        }
    }

    /// Reports that keys are missing, with how to add one.
    pub fn incomplete<T>(
        &self,
        reader: &mut Reader<'_>,
        message: impl Into<String>,
        help: &str,
    ) -> Option<T> {
        reader.reject(self.owner.anchor, message, "incomplete", help)
    }

    /// Described keys that were not read, although the other keys allow them.
    fn unread(&self) -> Vec<&'static str> {
        let refused = self.cases().flat_map(|case| case.refused(self.map.keys));
        let known: Vec<&str> = self.asked.iter().copied().chain(refused).map(|key| key.name).collect();
        self.map.keys.iter().map(|key| key.name).filter(|name| !known.contains(name)).collect()
    }

    /// Reports unknown and missing keys; `true` if there are none.
    ///
    /// A missing key that was probably misspelt is only reported as unknown.
    fn finish(mut self, reader: &mut Reader<'_>) -> bool {
        let Map { keys, misplaced, .. } = self.map;
        let is_known = |entry: &Entry| keys.iter().any(|key| key.name == entry.key.value);
        let is_whole = self.entries.iter().all(is_known);
        let absent = if is_whole { Vec::new() } else { self.owner.absent(keys) };
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
            self.owner.unknown_key(reader, entry, (keys, &absent), misplaced);
            let meant = did_you_mean(&entry.key.value, absent.iter().copied());
            self.missing.retain(|key| Some(key.name) != meant);
        }
        for key in &self.missing {
            let message = format!("`{}` is missing in {}", key.name, self.owner.role);
            let help = format!("add `{}`", key.written(self.owner.file.syntax));
            reader.error(self.owner.anchor, message, "incomplete", help);
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
