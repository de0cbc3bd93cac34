//! The brackets of one line of SQL.

use super::tokens::{LayoutToken, TokenKind};

/// Brackets that are looked into; deeper ones are plain signs.
const MAX_DEPTH: usize = 64;

/// A width that fits nowhere.
const NEVER: usize = usize::MAX / 4;

#[derive(Debug)]
pub(super) struct LayoutNode<'a> {
    /// Whether white space stands in front of it.
    pub spaced: bool,
    /// Characters when written on one line, without the white space in front.
    pub width: usize,
    pub content: LayoutContent<'a>,
}

#[derive(Debug)]
pub(super) enum LayoutContent<'a> {
    Leaf(LayoutToken<'a>),
    /// Brackets, or `CASE … END`, with what stands between.
    Group {
        open: LayoutToken<'a>,
        inner: Vec<LayoutNode<'a>>,
        close: LayoutToken<'a>,
        close_spaced: bool,
    },
}

impl<'a> LayoutNode<'a> {
    fn leaf(token: LayoutToken<'a>, spaced: bool) -> Self {
        let width = if token.text.contains('\n') { NEVER } else { token.text.chars().count() };
        LayoutNode { spaced, width, content: LayoutContent::Leaf(token) }
    }

    pub fn token(&self) -> Option<&LayoutToken<'a>> {
        match &self.content {
            LayoutContent::Leaf(token) => Some(token),
            LayoutContent::Group { .. } => None,
        }
    }

    /// Whether it can be broken inside.
    pub(crate) fn is_bracket(&self) -> bool {
        matches!(&self.content, LayoutContent::Group { inner, .. } if !inner.is_empty())
    }

    pub fn is_word(&self, word: &str) -> bool {
        self.token().is_some_and(|token| token.is_word(word))
    }

    pub(crate) fn is_comma(&self) -> bool {
        self.token().is_some_and(|token| token.kind == TokenKind::Comma)
    }
}

/// Characters of nodes on one line, the white space in front of the first one left out.
pub(super) fn width_of(nodes: &[LayoutNode<'_>]) -> usize {
    let blanks = nodes.iter().skip(1).filter(|node| node.spaced).count();
    nodes.iter().fold(blanks, |sum, node| sum.saturating_add(node.width).min(NEVER))
}

/// A bracket whose end was not seen yet.
struct OpenBracket<'a> {
    open: LayoutToken<'a>,
    spaced: bool,
    inner: Vec<LayoutNode<'a>>,
}

/// The tokens of one line. Brackets without a partner in the line are leaves.
pub(super) fn tree<'a>(tokens: &[LayoutToken<'a>]) -> Vec<LayoutNode<'a>> {
    let mut builder = TreeBuilder { frames: Vec::new(), done: Vec::new(), too_deep: 0 };
    let mut spaced = false;
    for token in tokens {
        if token.kind == TokenKind::Blank {
            spaced = true;
            continue;
        }
        builder.add(*token, spaced);
        spaced = false;
    }
    while let Some(frame) = builder.frames.pop() {
        builder.demote(frame);
    }
    builder.done
}

struct TreeBuilder<'a> {
    frames: Vec<OpenBracket<'a>>,
    done: Vec<LayoutNode<'a>>,
    /// Open brackets below the depth that is looked into.
    too_deep: usize,
}

impl<'a> TreeBuilder<'a> {
    fn add(&mut self, token: LayoutToken<'a>, spaced: bool) {
        let opens = token.kind == TokenKind::Open || token.is_word("case");
        let closes = token.kind == TokenKind::Close || token.is_word("end");
        if opens && self.frames.len() == MAX_DEPTH {
            self.too_deep += 1;
        } else if opens {
            self.frames.push(OpenBracket { open: token, spaced, inner: Vec::new() });
            return;
        } else if closes && self.too_deep > 0 {
            self.too_deep -= 1;
        } else if closes && self.close(token, spaced) {
            return;
        }
        self.current().push(LayoutNode::leaf(token, spaced));
    }

    fn current(&mut self) -> &mut Vec<LayoutNode<'a>> {
        self.frames.last_mut().map_or(&mut self.done, |frame| &mut frame.inner)
    }

    /// Ends the innermost bracket if it is one of this kind.
    fn close(&mut self, close: LayoutToken<'a>, close_spaced: bool) -> bool {
        let Some(frame) = self.frames.pop_if(|frame| are_partners(&frame.open, &close)) else {
            return false;
        };
        let OpenBracket { open, spaced, inner } = frame;
        let blanks = usize::from(inner.first().is_some_and(|node| node.spaced)) + usize::from(close_spaced);
        let ends = open.text.len() + close.text.len() + blanks;
        let width = width_of(&inner).saturating_add(ends).min(NEVER);
        self.current().push(LayoutNode {
            spaced,
            width,
            content: LayoutContent::Group { open, inner, close, close_spaced },
        });
        true
    }

    /// A bracket without an end.
    fn demote(&mut self, frame: OpenBracket<'a>) {
        let OpenBracket { open, spaced, inner } = frame;
        let current = self.current();
        current.push(LayoutNode::leaf(open, spaced));
        current.extend(inner);
    }
}

fn are_partners(open: &LayoutToken<'_>, close: &LayoutToken<'_>) -> bool {
    match open.text {
        "(" => close.text == ")",
        "[" => close.text == "]",
        "{" => close.text == "}",
        _ => close.kind == TokenKind::Word,
    }
}
