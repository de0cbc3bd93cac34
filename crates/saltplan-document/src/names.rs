//! Names that other parts of a file refer to.

use super::reader::Reader;
use crate::diag::{DiagnosticKind, Span, Spanned};
use crate::wording::excerpt;

/// The names that a list defines, in order; unless they are [exact](Names::exact), case does not matter, as in Hive.
///
/// The name of an item that could not be read is remembered, so that a reference to it is not another error.
/// `I` identifies an item in the model.
#[derive(Debug)]
pub struct Names<I> {
    /// What the items are called in messages: `key field`.
    what: &'static str,
    /// Whether two texts are the same name.
    same: fn(&str, &str) -> bool,
    known: Vec<KnownName<I>>,
    /// An item has no readable name at all, so any reference may be to it.
    nameless: bool,
}

#[derive(Debug)]
struct KnownName<I> {
    name: Spanned<String>,
    /// The id in the model; `None` if the item could not be read.
    id: Option<I>,
    /// The whole item in the file.
    item: Span,
}

impl<I: Copy + PartialEq> Names<I> {
    pub fn new(what: &'static str) -> Self {
        Names { what, same: str::eq_ignore_ascii_case, known: Vec::new(), nameless: false }
    }

    /// Names that are case-sensitive, as in HBase.
    pub fn exact(what: &'static str) -> Self {
        Names { same: |one, other| one == other, ..Names::new(what) }
    }

    /// Adds an item of the file with its id in the model, and reports a second item with the same name.
    pub fn add(&mut self, reader: &mut Reader<'_>, name: Option<Spanned<String>>, id: Option<I>, item: Span) {
        let Some(name) = name else { return self.add_nameless() };
        if let Some(first) = self.find(&name.value) {
            let message = format!("the {} `{}` is given twice", self.what, excerpt(&name.value));
            let fault = reader
                .fault(name.span, message, "given again here")
                .with_label(first.span, "first given here");
            let fault = fault.with_help("names are not case-sensitive: rename one of the two");
            reader.report(fault.with_kind(DiagnosticKind::Duplicate));
        }
        self.known.push(KnownName { name, id, item });
    }

    /// Adds an item whose name is unique because it is a key of a mapping.
    pub fn add_exactly(&mut self, name: Spanned<String>, id: Option<I>) {
        let item = name.span;
        self.known.push(KnownName { name, id, item });
    }

    /// Adds an item whose name could not be read.
    pub fn add_nameless(&mut self) {
        self.nameless = true;
    }

    /// The place in the file of the item with this id.
    pub fn item(&self, id: I) -> Span {
        let item = self.known.iter().find(|known| known.id == Some(id));
        item.map(|known| known.item).unwrap_or_default()
    }

    pub fn find(&self, name: &str) -> Option<&Spanned<String>> {
        self.known.iter().map(|known| &known.name).find(|known| (self.same)(&known.value, name))
    }

    /// All names, in order.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.known.iter().map(|known| known.name.value.as_str())
    }

    /// Whether an unknown name may belong to an item whose name could not be read.
    pub fn is_partly_unread(&self) -> bool {
        self.nameless
    }

    /// The id of a name that the file refers to; reports an undefined name.
    pub fn resolve(&self, reader: &mut Reader<'_>, name: &Spanned<String>) -> Option<I> {
        let found = self.known.iter().find(|known| (self.same)(&known.name.value, &name.value));
        if found.is_none() && !self.nameless {
            let message = format!("unknown {} `{}`", self.what, excerpt(&name.value));
            let fault = reader.fault(name.span, message, format!("no {} has this name", self.what));
            let fault = reader.suggesting(fault.with_help(self.list()), &name.value, self.all());
            reader.report(fault);
        }
        found.and_then(|known| known.id)
    }

    /// What to write instead of an undefined name.
    fn list(&self) -> String {
        match self.known.is_empty() {
            true => format!("the schema has no {}", self.what),
            false => known_here(self.all()),
        }
    }
}

/// The first few names that a reference could mean.
pub fn known_here<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    const SHOWN: usize = 8;
    let mut names = names.into_iter();
    let shown: Vec<String> = names.by_ref().take(SHOWN).map(excerpt).collect();
    let more = if names.next().is_some() { ", …" } else { "" };
    format!("known here: `{}`{more}", shown.join("`, `"))
}
