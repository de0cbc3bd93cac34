//! Where the values of a schema are written in its file.

use super::model::ColumnId;
use super::yaml::{Document, Node};
use crate::key::field::FieldId;
use crate::key::id::Id;
use saltplan_document::diag::{Span, Spanned};

/// The nodes of a schema file, looked up by the parts of the model. A part that is not written has the place
/// of the enclosing part.
#[derive(Debug, Clone, PartialEq)]
pub struct Places {
    document: Document,
}

/// For a schema that has a part at every requested index.
impl Places {
    pub(super) fn of(document: Document) -> Self {
        Places { document }
    }

    /// The name of the HBase table.
    pub fn table(&self) -> Span {
        self.near(&["hbase", "table"])
    }

    pub fn row_key(&self) -> Span {
        self.near(&["key"])
    }

    pub fn salt(&self) -> Span {
        self.near(&["key", "salt"])
    }

    /// A field of the row key, with all its keys.
    pub fn field(&self, id: FieldId) -> Span {
        self.near(&["key", "fields", &id.position().to_string()])
    }

    pub fn regions(&self) -> Span {
        self.near(&["regions"])
    }

    /// One of the split keys that the file lists.
    pub fn split_key(&self, index: usize) -> Span {
        self.near(&["regions", "explicit", &index.to_string()])
    }

    pub fn column(&self, id: ColumnId) -> Span {
        self.near(&["columns", &id.position().to_string()])
    }

    pub fn mapping(&self) -> Span {
        self.near(&["hive", "mapping"])
    }

    pub fn target(&self) -> Span {
        self.near(&["hive", "target"])
    }

    pub fn partition_column(&self, index: usize) -> Span {
        self.near(&["hive", "target", "partition", &index.to_string()])
    }

    /// The distribution of a field for simulated rows.
    pub fn workload(&self, field: &str) -> Span {
        let entry = self.node(&["workload"]).and_then(|fields| {
            fields.entries().iter().find(|entry| entry.key.value.eq_ignore_ascii_case(field))
        });
        entry.map_or_else(|| self.near(&["workload"]), |entry| entry.value.span)
    }

    /// The value at a path of keys and positions, or the nearest enclosing one that is written.
    pub fn near(&self, path: &[&str]) -> Span {
        let written = (0..=path.len()).rev().find_map(|length| self.node(&path[..length]));
        written.map(|node| node.span).unwrap_or_default()
    }

    /// The key and the value at a path that ends with a key: `external: false`.
    pub fn entry(&self, path: &[&str]) -> Option<Span> {
        let (last, owner) = path.split_last()?;
        self.node(owner)?.entry(last).map(|entry| entry.key.span.to(entry.value.span))
    }

    /// [`Places::entry`], or the enclosing part if it is not written.
    pub fn entry_near(&self, path: &[&str]) -> Span {
        let owner = path.split_last().map_or(path, |(_, owner)| owner);
        self.entry(path).unwrap_or_else(|| self.near(owner))
    }

    /// The node at a path of keys and positions: `["key", "fields", "0", "name"]`.
    pub fn node(&self, path: &[&str]) -> Option<&Node> {
        self.document.find(path)
    }

    pub fn root(&self) -> &Node {
        &self.document.root
    }

    /// The comments in the order of the file: the text after `#`, and the span of the whole comment.
    pub fn comments(&self) -> &[Spanned<String>] {
        &self.document.comments
    }
}
