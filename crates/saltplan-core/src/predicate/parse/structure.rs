//! The logical structure of an expression, and the tokens of each condition.

use sqlparser::ast::{BinaryOperator, Expr, Spanned as _, UnaryOperator};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

use super::lines::LineIndex;
use super::tokens::{PlacedToken, keyword};
use super::{Leaf, Tree};
use crate::diag::Span;

/// Finds the logical structure and gives every condition its tokens.
pub(super) struct Structure<'a> {
    pub tokens: &'a [PlacedToken],
    pub lines: &'a LineIndex,
}

impl Structure<'_> {
    /// `range` are the tokens of `expr`, brackets around it included.
    pub(super) fn tree(&self, expr: Expr, range: std::ops::Range<usize>) -> Tree {
        match expr {
            Expr::BinaryOp { op: op @ (BinaryOperator::And | BinaryOperator::Or), left, right } => {
                self.chain(op, *left, *right, range)
            }
            Expr::Nested(inner) if self.is(range.start, &Token::LParen) => {
                self.tree(*inner, range.start + 1..range.end - 1)
            }
            Expr::UnaryOp { op: UnaryOperator::Not | UnaryOperator::BangNot, expr } => {
                Tree::Not(Box::new(self.tree(*expr, range.start + 1..range.end)))
            }
            expr => Tree::Leaf(Box::new(Leaf { expr, span: self.span(&range) })),
        }
    }

    /// Flattens `a AND b AND c`, which the parser nests to the left, without recursion.
    fn chain(&self, op: BinaryOperator, left: Expr, right: Expr, range: std::ops::Range<usize>) -> Tree {
        let mut arms = Vec::new();
        let mut end = range.end;
        let mut rest = (left, right);
        loop {
            let (left, right) = rest;
            let connective = self.connective_before(&right, &op, range.start, end);
            arms.push(self.tree(right, connective + 1..end));
            end = connective;
            match left {
                Expr::BinaryOp { op: inner, left, right } if inner == op => rest = (*left, *right),
                last => {
                    arms.push(self.tree(last, range.start..end));
                    break;
                }
            }
        }
        arms.reverse();
        if op == BinaryOperator::And { Tree::And(arms) } else { Tree::Or(arms) }
    }

    /// The token of the connective that stands before `right`. Nothing but brackets, NOTs and function names can
    /// stand between it and the first place known inside `right`.
    fn connective_before(&self, right: &Expr, op: &BinaryOperator, start: usize, end: usize) -> usize {
        let wanted = if *op == BinaryOperator::And { Keyword::AND } else { Keyword::OR };
        let first_known = right.span().start;
        let upper = if first_known.line == 0 {
            end
        } else {
            let offset = self.lines.offset(first_known);
            self.tokens[start..end].partition_point(|placed| placed.span.start < offset) + start
        };
        (start..upper)
            .rev()
            .find(|&index| keyword(&self.tokens[index].token) == Some(wanted))
            .unwrap_or(start)
    }

    fn is(&self, index: usize, token: &Token) -> bool {
        self.tokens.get(index).is_some_and(|placed| placed.token == *token)
    }

    fn span(&self, range: &std::ops::Range<usize>) -> Span {
        match self.tokens.get(range.start..range.end) {
            Some([first, .., last]) => first.span.to(last.span),
            Some([only]) => only.span,
            _ => Span::default(),
        }
    }
}
