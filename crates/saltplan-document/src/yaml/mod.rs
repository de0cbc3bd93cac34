//! Parses YAML text to a tree of nodes with byte spans. Only this module knows the YAML crate.
//!
//! A schema file is plain data: one document without anchors, aliases, merge keys or tags. Anything else is
//! reported with its place. After an error parsing continues where possible, so that one run reports all
//! errors.

mod builder;
mod commas;
mod faults;
mod lines;
mod replace;
mod write;

use std::sync::Arc;

use builder::NodeBuilder;
pub use commas::cut;
pub use lines::YamlLines;
pub use replace::{quoted, replacement};
pub use write::{YamlValue, comment, entry, scalar};

use super::format::File;
use crate::diag::{Diagnostic, Source, Span, Spanned};

/// One parsed file.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    pub root: Node,
    /// Comments in the order of the file: the text after `#`, and the span of the whole comment.
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
    /// The written text of the node; for a value that is not written, the key of its entry.
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
    /// The value, with escapes and line folding resolved.
    pub text: String,
    /// Whether it is neither quoted nor a block of text.
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

    /// The entries of a mapping; empty for other nodes.
    pub fn entries(&self) -> &[Entry] {
        match &self.kind {
            NodeKind::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// The entry of a key, if the node is a mapping that has it.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().find(|entry| entry.key.value == key)
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

/// Parses a whole file. If there is no document, there is at least one error.
pub fn parse(file: &'static File, source: &Arc<Source>) -> (Option<Document>, Vec<Diagnostic>) {
    let mut builder = NodeBuilder::new(source, file);
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

/// YAML allows no control characters except tab and line breaks, and text with others could not be copied.
fn control_character(source: &Arc<Source>) -> Option<Diagnostic> {
    let forbidden = |c: char| match c {
        '\t' | '\n' | '\r' | '\u{85}' => false,
        '\u{feff}' | '\u{fffe}' | '\u{ffff}' => true,
        c => c.is_control(),
    };
    let (offset, found) = source.text.char_indices().find(|&(_, c)| forbidden(c))?;
    let span = Span::new(offset, offset + found.len_utf8());
    let message = format!("the file contains the control character U+{:04X}", found as u32);
    let diagnostic = Diagnostic::error(message).at(source, span, "not allowed in YAML");
    Some(
        diagnostic
            .with_help(format!("remove it, or write it as `\"\\u{:04X}\"` in double quotes", found as u32)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Map, Syntax};

    pub static FILE: File = File {
        what: "the file",
        one: "a file",
        start: "a file starts somehow",
        title: "",
        syntax: Syntax::Yaml,
        map: &Map { about: "", keys: &[], cases: &[], misplaced: &[] },
    };

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
        let (document, diagnostics) = parse(&FILE, &Source::new("t", TEXT));
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
