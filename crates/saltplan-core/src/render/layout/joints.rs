//! Where a line may be broken, from the places that show its structure best.

use std::ops::Range;

use super::tree::{LayoutContent, LayoutNode, width_of};

/// What joins the nodes of one bracket, from the loosest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineJoint {
    Comma,
    When,
    Then,
    Or,
    And,
}

const JOINTS: [LineJoint; 5] =
    [LineJoint::Comma, LineJoint::When, LineJoint::Then, LineJoint::Or, LineJoint::And];

/// The loosest joint of some nodes and what it joins, at least two parts.
pub(super) fn first_joint<'n, 'a>(
    nodes: &'n [LayoutNode<'a>],
) -> Option<(LineJoint, Vec<&'n [LayoutNode<'a>]>)> {
    JOINTS.into_iter().find_map(|joint| {
        let parts = parts(nodes, joint);
        (parts.len() > 1).then_some((joint, parts))
    })
}

/// A comma ends a part, a word begins one.
fn parts<'n, 'a>(nodes: &'n [LayoutNode<'a>], joint: LineJoint) -> Vec<&'n [LayoutNode<'a>]> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut in_between = false;
    for (index, node) in nodes.iter().enumerate() {
        let is_joint = match joint {
            LineJoint::Comma => index > 0 && nodes[index - 1].is_comma(),
            LineJoint::When => node.is_word("when") || node.is_word("else"),
            LineJoint::Then => node.is_word("then"),
            LineJoint::Or => node.is_word("or"),
            // The one of BETWEEN joins two bounds.
            LineJoint::And => node.is_word("and") && !std::mem::take(&mut in_between),
        };
        in_between |= node.is_word("between");
        if is_joint && index > start {
            parts.push(&nodes[start..index]);
            start = index;
        }
    }
    parts.push(&nodes[start..]);
    parts
}

/// Nodes that hang together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stretch {
    pub nodes: Range<usize>,
    pub width: usize,
    /// Characters up to the first bracket and its opening sign.
    pub head: usize,
}

/// Nodes without white space between them, and `AS` with its name.
pub(super) fn stretches(nodes: &[LayoutNode<'_>]) -> Vec<Stretch> {
    let mut stretches = Vec::new();
    let mut start = 0;
    for index in 1..=nodes.len() {
        let ends = nodes.get(index).is_none_or(|node| node.spaced && !nodes[index - 1].is_word("as"));
        if ends {
            stretches.push(stretch(nodes, start..index));
            start = index;
        }
    }
    stretches
}

fn stretch(nodes: &[LayoutNode<'_>], range: Range<usize>) -> Stretch {
    let own = &nodes[range.clone()];
    let width = width_of(own);
    let opening = own.iter().enumerate().find_map(|(index, node)| match &node.content {
        LayoutContent::Group { open, .. } if node.is_bracket() => {
            Some(width_of(&own[..index]) + open.text.len())
        }
        _ => None,
    });
    Stretch { nodes: range, width, head: opening.unwrap_or(width) }
}

/// How much further than the first line of a statement's line the others stand. Columns stand under columns, and AND stands
/// where the template writes it.
pub(super) fn further_lines(nodes: &[LayoutNode<'_>]) -> usize {
    match nodes.first().and_then(LayoutNode::token) {
        Some(token) if token.is_word("select") => token.text.len() + 1,
        Some(token) if token.is_word("and") || token.is_word("or") => 0,
        _ => super::STEP,
    }
}
