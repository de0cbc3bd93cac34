//! Lines of printed SQL that people can read: broken at the column limit, between tokens only.
//!
//! A statement keeps its tokens, so it means what it meant; what changes is the white space between them. Lines
//! that fit stay as their template wrote them.

mod joints;
mod tokens;
mod tree;

use joints::{LineJoint, first_joint, further_lines, stretches};
use tokens::{LayoutToken, TokenKind, fitting_line, tokens};
use tree::{LayoutContent, LayoutNode, tree, width_of};

/// Characters of a line.
pub const WIDTH: usize = 100;

/// How much further the parts of something stand that is broken.
const STEP: usize = 2;

/// Nothing is indented further, so that there is room for it.
const MAX_INDENT: usize = 60;

/// Breaks the lines of a statement that are longer than [`WIDTH`]: lists behind commas, CASE before its WHENs, conditions before
/// OR and AND, brackets at their ends. A literal, a name or a comment is never broken, so a line that holds a long one
/// stays long.
#[must_use]
pub fn wrap(sql: &str) -> String {
    let text = String::with_capacity(sql.len() + sql.len() / 8);
    let mut page = Page { text, column: 0, indent: 0, is_fresh: true };
    let mut rest = sql;
    let mut line = Vec::new();
    // The last line that was broken: branches have the same ones.
    let mut broken = ("", 0..0);
    while !rest.is_empty() {
        if let Some(fitting) = fitting_line(rest) {
            page.text.push_str(&rest[..fitting]);
            rest = &rest[fitting..];
            continue;
        }
        if !broken.0.is_empty() && rest.starts_with(broken.0) {
            page.text.extend_from_within(broken.1.clone());
            rest = &rest[broken.0.len()..];
            continue;
        }
        let begin = page.text.len();
        let (mut length, mut end) = (0, "");
        for token in tokens(rest) {
            length += token.text.len();
            if token.kind == TokenKind::LineEnd {
                end = token.text;
                break;
            }
            line.push(token);
        }
        page.line(&line);
        page.text.push_str(end);
        line.clear();
        if !end.is_empty() {
            broken = (&rest[..length], begin..page.text.len());
        }
        rest = &rest[length..];
    }
    page.text
}

struct Page {
    text: String,
    /// Characters in the current line.
    column: usize,
    /// Blanks that the current line begins with.
    indent: usize,
    /// Whether it has nothing else.
    is_fresh: bool,
}

impl Page {
    /// A line as its template wrote it.
    fn line(&mut self, tokens: &[LayoutToken<'_>]) {
        let width: usize = tokens.iter().map(|token| token.text.chars().count()).sum();
        let is_whole = tokens.iter().all(|token| token.kind != TokenKind::Unfinished);
        if width <= WIDTH || !is_whole {
            self.text.extend(tokens.iter().map(|token| token.text));
            return;
        }
        let (indent, tokens) = match tokens {
            [blank, rest @ ..] if blank.kind == TokenKind::Blank => (blank.text.chars().count(), rest),
            all => (0, all),
        };
        let nodes = tree(tokens);
        self.begin_line(indent);
        self.nodes(&nodes, indent + further_lines(&nodes));
    }

    /// Nodes of one bracket, further parts of it at `indent`.
    fn nodes(&mut self, nodes: &[LayoutNode<'_>], indent: usize) {
        if self.fits(nodes) {
            self.flat(nodes);
        } else if let Some((joint, segments)) = first_joint(nodes) {
            self.segments(&segments, indent, joint == LineJoint::Comma);
        } else {
            let begins_here = self.is_fresh && self.indent == indent;
            self.run(nodes, if begins_here { deeper(indent) } else { indent });
        }
    }

    /// Parts of a list or of a condition. Those of a list share lines.
    fn segments(&mut self, segments: &[&[LayoutNode<'_>]], indent: usize, share_lines: bool) {
        let mut line_is_open = true;
        for (index, segment) in segments.iter().enumerate() {
            if index > 0 && !(share_lines && line_is_open && self.fits(segment)) {
                self.break_line(indent);
            }
            line_is_open = self.fits(segment);
            self.nodes(segment, deeper(indent));
        }
    }

    /// Nodes that are joined by white space alone. What hangs together goes to the next line where that holds it; a bracket
    /// that no line holds is broken.
    fn run(&mut self, nodes: &[LayoutNode<'_>], indent: usize) {
        for stretch in stretches(nodes) {
            let own = &nodes[stretch.nodes.clone()];
            let moves = !own[0].is_bracket() && indent + stretch.width <= WIDTH;
            let needed = if moves { stretch.width } else { stretch.head };
            if own[0].spaced && !self.has_room(&own[0], needed) {
                self.break_line(indent);
            }
            let mut width = stretch.width;
            for node in own {
                let fits = self.has_room(node, width);
                width = width.saturating_sub(node.width);
                if node.is_bracket() && !fits {
                    self.group(node);
                } else {
                    self.flat(std::slice::from_ref(node));
                }
            }
        }
    }

    /// A bracket over several lines.
    fn group(&mut self, node: &LayoutNode<'_>) {
        let LayoutContent::Group { open, inner, close, .. } = &node.content else { return };
        self.space(node);
        self.word(open.text);
        let outer = self.indent;
        self.break_line(deeper(outer));
        self.nodes(inner, deeper(outer));
        self.break_line(outer);
        self.word(close.text);
    }

    fn flat(&mut self, nodes: &[LayoutNode<'_>]) {
        for node in nodes {
            self.space(node);
            match &node.content {
                LayoutContent::Leaf(token) => self.word(token.text),
                LayoutContent::Group { open, inner, close, close_spaced } => {
                    self.word(open.text);
                    self.flat(inner);
                    if *close_spaced {
                        self.word(" ");
                    }
                    self.word(close.text);
                }
            }
        }
    }

    /// Whether nodes fit into the rest of the line.
    fn fits(&self, nodes: &[LayoutNode<'_>]) -> bool {
        nodes.first().is_none_or(|first| self.has_room(first, width_of(nodes)))
    }

    /// Whether so many characters that begin with a node fit into the rest of the line.
    fn has_room(&self, first: &LayoutNode<'_>, width: usize) -> bool {
        self.column + usize::from(first.spaced && !self.is_fresh) + width <= WIDTH
    }

    fn space(&mut self, node: &LayoutNode<'_>) {
        if node.spaced && !self.is_fresh {
            self.word(" ");
        }
    }

    fn word(&mut self, text: &str) {
        self.text.push_str(text);
        self.is_fresh = false;
        self.column = match text.rsplit_once('\n') {
            Some((_, last)) => last.chars().count(),
            None => self.column + text.chars().count(),
        };
    }

    fn break_line(&mut self, indent: usize) {
        if !self.is_fresh {
            self.text.push('\n');
            self.begin_line(indent);
        }
    }

    fn begin_line(&mut self, indent: usize) {
        self.text.extend(std::iter::repeat_n(' ', indent));
        (self.column, self.indent, self.is_fresh) = (indent, indent, true);
    }
}

fn deeper(indent: usize) -> usize {
    (indent + STEP).min(MAX_INDENT)
}

#[cfg(test)]
mod tests;
