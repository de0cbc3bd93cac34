//! Differences in the text without a difference in any fact: comments, order, spelling.

use super::change::{Change, Class, Side};
use super::entry::are_in_order;
use saltplan_core::table::Table;
use saltplan_document::diag::{Span, Spanned};
use saltplan_document::yaml::{Entry, Node, NodeKind};

/// Adds the cosmetic changes; none if the files are identical.
pub fn add(changes: &mut Vec<Change>, old: &Table, new: &Table) {
    if old.source().text == new.source().text {
        return;
    }
    let before = changes.len();
    let (old_entries, new_entries) = (entries(old), entries(new));
    for entry in old_entries {
        let name = entry.key.value.as_str();
        let Some(other) = new_entries.iter().find(|other| other.key.value == name) else { continue };
        let told = changes.iter().any(|change| section(&change.path) == name);
        if !told && !same(&entry.value, &other.value) {
            changes.push(cosmetic(name, WRITTEN, entry.value.span, other.value.span));
        }
    }
    if !are_in_order(&names(old_entries), &names(new_entries)) {
        changes.push(cosmetic("order", ORDER, first(old_entries), first(new_entries)));
    }
    add_comments(changes, old, new);
    if changes.len() == before && before == 0 {
        changes.push(cosmetic("layout", LAYOUT, first(old_entries), first(new_entries)));
    }
}

fn add_comments(changes: &mut Vec<Change>, old: &Table, new: &Table) {
    let (before, after) = (old.places().comments(), new.places().comments());
    let texts = |comments: &[Spanned<String>]| {
        comments.iter().map(|comment| comment.value.trim().to_string()).collect::<Vec<_>>()
    };
    let (old_texts, new_texts) = (texts(before), texts(after));
    if old_texts == new_texts {
        return;
    }
    let agree = old_texts.iter().zip(&new_texts).take_while(|(old, new)| old == new).count();
    let place = |comments: &[Spanned<String>], table: &Table| {
        let comment = comments.get(agree).or(comments.last()).map(|comment| comment.span);
        comment.unwrap_or_else(|| first(entries(table)))
    };
    changes.push(cosmetic("comments", COMMENTS, place(before, old), place(after, new)));
}

/// What a change of the look is called in the old and in the new version.
type Look = (&'static str, &'static str);

const WRITTEN: Look = ("the same", "written otherwise");
const ORDER: Look = ("as it was", "sections in another order");
const COMMENTS: Look = ("as it was", "other comments");
const LAYOUT: Look = ("as it was", "blanks and line breaks");

fn cosmetic(path: &str, (before, after): Look, old: Span, new: Span) -> Change {
    let side = |words: &str, span| Side { value: Some(words.to_string()), span };
    Change::alone(Class::Cosmetic, path, side(before, old), side(after, new))
}

fn entries(table: &Table) -> &[Entry] {
    table.places().root().entries()
}

fn names(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.key.value.as_str()).collect()
}

fn first(entries: &[Entry]) -> Span {
    entries.first().map(|entry| entry.key.span).unwrap_or_default()
}

/// The section of the file that a fact belongs to.
fn section(path: &str) -> &str {
    match path.split('.').next().unwrap_or_default() {
        "column" => "columns",
        other => other,
    }
}

/// Whether two nodes are written the same way, ignoring blanks, quotes and comments.
fn same(one: &Node, other: &Node) -> bool {
    match (&one.kind, &other.kind) {
        (NodeKind::Scalar(one), NodeKind::Scalar(other)) => one.text == other.text,
        (NodeKind::Sequence(one), NodeKind::Sequence(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (NodeKind::Mapping(one), NodeKind::Mapping(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| one.key.value == other.key.value && same(&one.value, &other.value))
        }
        _ => false,
    }
}
