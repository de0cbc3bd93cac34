//! Edits of lists and mappings that keep the surrounding text.

use super::context::Context;
use saltplan_document::diag::{Edit, Span};
use saltplan_document::yaml::{self, Node, NodeKind, YamlValue};

/// Edits that remove items of a list, by ascending positions. `None` if this would empty the list, or also
/// remove a comment or another item.
pub(crate) fn without_items(context: &Context<'_>, list: &Node, removed: &[usize]) -> Option<Vec<Edit>> {
    let NodeKind::Sequence(items) = &list.kind else { return None };
    if removed.len() >= items.len() {
        return None;
    }
    let in_brackets = context.text(list.span).starts_with('[');
    let last_kept = (0..items.len()).rev().find(|index| removed.binary_search(index).is_err())?;
    let edit = |&index: &usize| {
        let span = if in_brackets {
            between_commas(items, index, last_kept)
        } else {
            own_line(context, items.get(index)?)?
        };
        let comment = in_brackets && context.text(span).contains('#');
        (!comment).then(|| Edit::new(span, ""))
    };
    removed.iter().map(edit).collect()
}

/// An item with the comma after it. If the item is after the last one that is kept, it is removed with the
/// comma before it.
fn between_commas(items: &[Node], index: usize, last_kept: usize) -> Span {
    let item = items[index].span;
    if index < last_kept {
        Span::new(item.start, items[index + 1].span.start)
    } else {
        Span::new(items[index - 1].span.end, item.end)
    }
}

/// The line of an item that is alone on its line, including its comment.
fn own_line(context: &Context<'_>, item: &Node) -> Option<Span> {
    let text = &context.source.text;
    let start = text[..item.span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[item.span.end..].find('\n').map_or(text.len(), |at| item.span.end + at + 1);
    let before = text[start..item.span.start].trim();
    let behind = text[item.span.end..end].trim();
    let alone = before == "-" && (behind.is_empty() || behind.starts_with('#'));
    alone.then_some(Span::new(start, end))
}

/// An edit that adds an entry to the mapping at a path, or to a key that has no value yet. `None` if the form
/// of the mapping has no obvious place for it.
pub(crate) fn with_entry(context: &Context<'_>, path: &[&str], key: &str, value: &YamlValue) -> Option<Edit> {
    let (name, owner) = path.split_last()?;
    let entry = context.node(owner)?.entry(name)?;
    let node = &entry.value;
    let added = yaml::entry(key, value);
    let written = context.text(node.span);
    match &node.kind {
        NodeKind::Mapping(entries) if written.starts_with('{') => Some(match entries.last() {
            None => Edit::new(node.span, format!("{{ {added} }}")),
            Some(last) => {
                let end = last.key.span.end.max(last.value.span.end);
                Edit::new(Span::new(end, end), format!(", {added}"))
            }
        }),
        NodeKind::Mapping(entries) => {
            let first = entries.first()?.key.span.start;
            let text = &context.source.text;
            let indent = &text[text[..first].rfind('\n').map_or(0, |at| at + 1)..first];
            let line = Span::new(first, first);
            let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
            indent.trim().is_empty().then(|| Edit::new(line, format!("{added}{line_break}{indent}")))
        }
        _ if node.is_null() => {
            // A value that is not written has the place of its key.
            let left_out = node.span == entry.key.span;
            let end = entry.key.span.end;
            let behind = context.source.text.get(end..)?;
            match left_out {
                true if behind.starts_with(':') => {
                    Some(Edit::new(Span::new(end + 1, end + 1), format!(" {{ {added} }}")))
                }
                true => Some(Edit::new(Span::new(end, end), format!(": {{ {added} }}"))),
                false => Some(Edit::new(node.span, format!("{{ {added} }}"))),
            }
        }
        _ => None,
    }
}
