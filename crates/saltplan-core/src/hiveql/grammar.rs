//! Conditions: brackets, OR, AND, NOT and comparisons, in the order in which Hive's parser binds them.
//!
//! From loose to tight: `OR`; `AND`; `NOT`, `!`; `=`, `<>`, `<=>`, `IS [NOT] DISTINCT FROM`; then one of `<`, `<=`, `>`, `>=`,
//! `LIKE`, `RLIKE`, `IN`, `BETWEEN`; then the operators of [values](super::operand), of which `IS [NOT] NULL` is the
//! tightest. Hive 2.3 and 3.1 agree in it.

#![allow(
    clippy::unnecessary_box_returns,
    reason = "a tree is boxed already where it goes up and down a deep stack"
)]

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::ast::{BinaryOperator, Expr, UnaryOperator};
use super::foreign::statement_word;
use super::token::{self, PlacedToken, Token};
use super::{Leaf, MAX_DEPTH, MAX_NODES_DEEP, Subject, Tree};
use crate::diag::{Diagnostic, PredicateFault, Source, Span};

type Parse<T> = Result<T, Diagnostic>;

pub(super) struct Parser<'a> {
    pub source: &'a Arc<Source>,
    pub subject: Subject,
    pub tokens: &'a [PlacedToken],
    pub at: usize,
    /// Brackets, functions and NOTs that are open.
    pub depth: usize,
    pub found: FoundInText,
}

/// What stands where in the tokens; each list in the order of the tokens.
#[derive(Debug, Default)]
pub(super) struct FoundInText {
    /// Tokens that name a column.
    pub columns: Vec<usize>,
    /// Tokens of functions that read the engine's clock.
    pub clocks: Vec<usize>,
    /// Lists in brackets.
    pub lists: Vec<ListTokens>,
    pub rewrites: Vec<Rewrite>,
    /// Calls whose value may depend on a zone.
    pub(crate) time_calls: Vec<TimeCall>,
    /// What is written before and behind a token.
    pub brackets: BTreeMap<usize, (String, String)>,
}

impl FoundInText {
    /// Puts brackets around tokens, outside of those that are there.
    pub(super) fn enclose(&mut self, tokens: Range<usize>, open: &str, close: &str) {
        self.brackets.entry(tokens.start).or_default().0.insert_str(0, open);
        self.brackets.entry(tokens.end - 1).or_default().1.push_str(close);
    }
}

/// A call of a function of dates and times, `extract` or a cast to a date or a timestamp.
#[derive(Debug, Clone)]
pub struct TimeCall {
    /// In small letters; of `extract` the unit, of a cast `cast date` or `cast timestamp`.
    pub name: String,
    pub tokens: Range<usize>,
    pub arguments: Vec<(Range<usize>, Expr)>,
}

/// `(a, b)`: all of its tokens, and those of each item.
#[derive(Debug)]
pub(super) struct ListTokens {
    pub tokens: Range<usize>,
    pub items: Vec<Range<usize>>,
}

/// Tokens that Hive has not or reads in two ways, and what stands for them.
#[derive(Debug, Clone)]
pub struct Rewrite {
    pub tokens: Range<usize>,
    pub by: Replacement,
}

#[derive(Debug, Clone)]
pub enum Replacement {
    /// `[NOT] LIKE pattern [ESCAPE escape]`, behind an operand that begins at token `start`.
    Like {
        start: usize,
        operand: Box<Expr>,
        negated: bool,
        pattern: Box<Expr>,
        escape: Option<Box<Expr>>,
    },
    Text(&'static str),
}

/// A value, or a condition in brackets that may turn out to be one.
pub(super) struct Operand {
    pub node: OperandNode,
    /// Longest way down its syntax tree.
    pub deep: usize,
    /// The `IS` of a test without brackets around it.
    pub test: Option<usize>,
}

/// Boxed, since these go up and down a deep stack.
pub(super) enum OperandNode {
    Expr(Box<Expr>),
    Bracketed(Tree),
}

impl Operand {
    pub(super) fn new(expr: Expr, deep: usize) -> Self {
        Operand { node: OperandNode::Expr(Box::new(expr)), deep: deep + 1, test: None }
    }

    pub(super) fn leaf(expr: Expr) -> Self {
        Operand::new(expr, 0)
    }

    pub(super) fn binary(left: Operand, op: BinaryOperator, right: Operand) -> Self {
        let deep = left.deep.max(right.deep);
        Operand::new(binary(left.into_expr(), op, right.into_expr()), deep)
    }

    /// `a || b` without brackets.
    fn joins_texts(&self) -> bool {
        matches!(&self.node, OperandNode::Expr(expr) if is_concat(expr))
    }

    pub(super) fn into_expr(self) -> Box<Expr> {
        match self.node {
            OperandNode::Expr(expr) => expr,
            OperandNode::Bracketed(tree) => Box::new(Expr::Nested(expr_of(tree))),
        }
    }
}

fn is_concat(expr: &Expr) -> bool {
    matches!(expr, Expr::BinaryOp { op: BinaryOperator::Concat, .. })
}

/// A condition of the form `a || b`, which is none.
fn concat_in(tree: &Tree) -> Option<&Leaf> {
    match tree {
        Tree::And(arms) | Tree::Or(arms) => arms.iter().find_map(concat_in),
        Tree::Not(inner) => concat_in(inner),
        Tree::Leaf(leaf) => is_concat(&leaf.expr).then_some(leaf),
    }
}

/// A condition as a value, such as an argument of a function.
fn expr_of(tree: Tree) -> Box<Expr> {
    match tree {
        Tree::And(arms) => chain_of(arms, BinaryOperator::And),
        Tree::Or(arms) => chain_of(arms, BinaryOperator::Or),
        Tree::Not(inner) => Box::new(Expr::UnaryOp { op: UnaryOperator::Not, expr: expr_of(*inner) }),
        Tree::Leaf(leaf) => leaf.expr,
    }
}

fn chain_of(arms: Vec<Tree>, op: BinaryOperator) -> Box<Expr> {
    let arms = arms.into_iter().map(expr_of);
    let joined = arms.reduce(|left, right| Box::new(binary(left, op, right)));
    joined.unwrap_or_else(|| unreachable!("AND and OR have arms"))
}

fn binary(left: Box<Expr>, op: BinaryOperator, right: Box<Expr>) -> Expr {
    Expr::BinaryOp { left, op, right }
}

/// A condition with the depth of its syntax tree as a value.
struct DeepTree {
    tree: Tree,
    deep: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(source: &'a Arc<Source>, subject: Subject, tokens: &'a [PlacedToken]) -> Self {
        Parser { source, subject, tokens, at: 0, depth: 0, found: FoundInText::default() }
    }
}

impl Parser<'_> {
    /// The predicate: a condition, and nothing behind it.
    pub(super) fn predicate(&mut self) -> Parse<Tree> {
        if let Some(error) = self.tokens.first().and_then(|first| statement_word(self.source, first)) {
            return Err(error);
        }
        let tree = self.any()?.tree;
        if self.at < self.tokens.len() {
            return Err(self.goes_on());
        }
        match concat_in(&tree) {
            Some(leaf) => Err(self.joins_texts(leaf.tokens.start)),
            None => Ok(tree),
        }
    }

    /// A condition as a value.
    pub(super) fn expr(&mut self) -> Parse<Operand> {
        let DeepTree { tree, deep } = self.any()?;
        self.checked(Operand { node: OperandNode::Expr(expr_of(tree)), deep: deep + 1, test: None })
    }

    /// A condition in brackets, behind the opening one.
    pub(super) fn bracketed(&mut self) -> Parse<Operand> {
        let DeepTree { tree, deep } = self.any()?;
        Ok(Operand { node: OperandNode::Bracketed(tree), deep: deep + 1, test: None })
    }

    fn any(&mut self) -> Parse<DeepTree> {
        self.chain("OR", Tree::Or, Self::all)
    }

    fn all(&mut self) -> Parse<DeepTree> {
        self.chain("AND", Tree::And, Self::not)
    }

    fn chain(
        &mut self,
        connective: &str,
        join: fn(Vec<Tree>) -> Tree,
        arm: fn(&mut Self) -> Parse<DeepTree>,
    ) -> Parse<DeepTree> {
        let first = arm(self)?;
        if !self.at_word(connective) {
            return Ok(first);
        }
        let mut deep = first.deep;
        let mut arms = vec![first.tree];
        while self.take_word(connective) {
            let next = arm(self)?;
            // As a value, a chain is as deep as it is long.
            deep = deep.max(next.deep) + 1;
            arms.push(next.tree);
        }
        Ok(DeepTree { tree: join(arms), deep })
    }

    fn not(&mut self) -> Parse<DeepTree> {
        if !(self.at_word("NOT") || self.at_sign("!")) {
            return self.condition();
        }
        if self.take_sign("!") {
            let tokens = self.at - 1..self.at;
            self.found.rewrites.push(Rewrite { tokens, by: Replacement::Text("NOT ") });
        } else {
            self.at += 1;
        }
        let inner = self.inside(Self::not)?;
        Ok(DeepTree { tree: Tree::Not(Box::new(inner.tree)), deep: inner.deep + 1 })
    }

    /// A condition without connectives of its own.
    fn condition(&mut self) -> Parse<DeepTree> {
        let start = self.at;
        let first = self.comparison()?;
        let operand = self.equalities(first, start)?;
        self.leaf(operand, start)
    }

    fn leaf(&self, operand: Operand, start: usize) -> Parse<DeepTree> {
        let deep = operand.deep;
        let tree = match operand.node {
            OperandNode::Bracketed(tree) => tree,
            OperandNode::Expr(expr) => {
                let tokens = start..self.at;
                Tree::Leaf(Leaf { expr, span: self.span(&tokens), tokens })
            }
        };
        Ok(DeepTree { tree, deep })
    }

    fn equalities(&mut self, mut left: Operand, start: usize) -> Parse<Operand> {
        let mut joins_texts = false;
        while let Some((op, negated)) = self.equality()? {
            if joins_texts {
                return Err(self.joins_texts(start));
            }
            if let Some(negated) = self.of_list(op)? {
                let listed = self.in_list(left, negated)?;
                left = self.checked(listed)?;
                continue;
            }
            let right = self.comparison()?;
            self.refuse_test(&right, start)?;
            joins_texts = right.joins_texts();
            let deep = left.deep.max(right.deep);
            let compared = match (op, negated) {
                (Some(op), _) => Operand::binary(left, op, right),
                (None, false) => {
                    self.found.enclose(start..self.at, "(NOT (", "))");
                    Operand::new(Expr::IsDistinctFrom(left.into_expr(), right.into_expr()), deep)
                }
                (None, true) => {
                    Operand::new(Expr::IsNotDistinctFrom(left.into_expr(), right.into_expr()), deep)
                }
            };
            left = self.checked(compared)?;
        }
        Ok(left)
    }

    /// `= ANY (…)` is IN, `<> ALL (…)` NOT IN, behind the operator; the list comes next.
    fn of_list(&mut self, op: Option<BinaryOperator>) -> Parse<Option<bool>> {
        let word = self.word(0).unwrap_or_default();
        if !["ANY", "SOME", "ALL"].contains(&word.as_str()) || !self.sign_at(1, "(") {
            return Ok(None);
        }
        let tokens = self.at - 1..self.at + 1;
        let (negated, text) = match (op, word.as_str()) {
            (Some(BinaryOperator::Eq), "ANY" | "SOME") => (false, "IN"),
            (Some(BinaryOperator::NotEq), "ALL") => (true, "NOT IN"),
            _ => {
                return Err(Diagnostic::error(format!("Hive has no such comparison with {word} and a list"))
                    .at(self.source, self.span(&tokens), "here")
                    .with_help("write the comparisons one by one, `IN` for `= ANY`, `NOT IN` for `<> ALL`"));
            }
        };
        self.at += 1;
        self.found.rewrites.push(Rewrite { tokens, by: Replacement::Text(text) });
        Ok(Some(negated))
    }

    /// An operator of the weakest kind; without one of its own, `IS [NOT] DISTINCT FROM`.
    fn equality(&mut self) -> Parse<Option<(Option<BinaryOperator>, bool)>> {
        let signs = [
            ("=", BinaryOperator::Eq),
            ("==", BinaryOperator::Eq),
            ("<>", BinaryOperator::NotEq),
            ("!=", BinaryOperator::NotEq),
            ("<=>", BinaryOperator::NullSafeEq),
        ];
        for (sign, op) in signs {
            if self.take_sign(sign) {
                return Ok(Some((Some(op), false)));
            }
        }
        if !self.at_word("IS") {
            return Ok(None);
        }
        let negated = self.word_at(1, "NOT");
        if !self.word_at(1 + usize::from(negated), "DISTINCT") {
            return Err(self.brackets_before_test());
        }
        let start = self.at;
        self.at += 2 + usize::from(negated);
        self.expect_word("FROM")?;
        // Hive 2 knows only the sign.
        self.found.rewrites.push(Rewrite { tokens: start..self.at, by: Replacement::Text("<=>") });
        Ok(Some((None, negated)))
    }

    /// A value, or a comparison of two that is no equality.
    fn comparison(&mut self) -> Parse<Operand> {
        let start = self.at;
        let left = self.value()?;
        match self.tokens.get(self.at).map(|placed| &placed.token) {
            Some(Token::Sign(_) | Token::Word(_)) => self.compared(left, start),
            _ => Ok(left),
        }
    }

    fn compared(&mut self, left: Operand, start: usize) -> Parse<Operand> {
        let signs = [
            ("<", BinaryOperator::Lt),
            ("<=", BinaryOperator::LtEq),
            (">", BinaryOperator::Gt),
            (">=", BinaryOperator::GtEq),
        ];
        for (sign, op) in signs {
            if self.take_sign(sign) {
                self.of_list(Some(op))?;
                let right = self.side(start)?;
                return self.checked(Operand::binary(left, op, right));
            }
        }
        let from = self.at;
        let negated = self.at_word("NOT");
        let word = self.word(usize::from(negated)).unwrap_or_default();
        if !["IN", "BETWEEN", "LIKE", "RLIKE", "REGEXP"].contains(&word.as_str()) {
            return Ok(left);
        }
        self.at += 1 + usize::from(negated);
        let operand = match word.as_str() {
            "IN" => self.in_list(left, negated)?,
            "BETWEEN" => self.between(left, negated, start)?,
            "LIKE" => self.like(left, negated, from, start)?,
            _ => {
                let pattern = self.side(start)?;
                let deep = left.deep.max(pattern.deep);
                let (expr, pattern) = (left.into_expr(), pattern.into_expr());
                Operand::new(Expr::RLike { negated, expr, pattern }, deep)
            }
        };
        self.checked(operand)
    }

    /// The right side of a comparison that began at `start`.
    fn side(&mut self, start: usize) -> Parse<Operand> {
        let right = self.value()?;
        self.refuse_test(&right, start)?;
        Ok(right)
    }

    fn in_list(&mut self, left: Operand, negated: bool) -> Parse<Operand> {
        self.expect_sign("(")?;
        let has_nulls = self.drop_leading_nulls();
        let (list, deep) = self.inside(|parser| parser.items(")"))?;
        if has_nulls {
            let tokens = self.at - 1..self.at;
            self.found.rewrites.push(Rewrite { tokens, by: Replacement::Text(", NULL)") });
        }
        let deep = left.deep.max(deep);
        Ok(Operand::new(Expr::InList { expr: left.into_expr(), list, negated }, deep))
    }

    /// Where a list begins with NULL, Hive 3 finds no text in it: it is written behind the others, unless there are none.
    fn drop_leading_nulls(&mut self) -> bool {
        let nulls =
            (0..).step_by(2).take_while(|ahead| self.word_at(*ahead, "NULL") && self.sign_at(ahead + 1, ","));
        let behind = 2 * nulls.count();
        if behind == 0 || self.word_at(behind, "NULL") {
            return false;
        }
        let tokens = self.at..self.at + behind;
        self.found.rewrites.push(Rewrite { tokens, by: Replacement::Text("") });
        true
    }

    fn between(&mut self, left: Operand, negated: bool, start: usize) -> Parse<Operand> {
        let low = self.side(start)?;
        self.expect_word("AND")?;
        let high = self.side(start)?;
        let deep = left.deep.max(low.deep).max(high.deep);
        let [expr, low, high] = [left, low, high].map(Operand::into_expr);
        Ok(Operand::new(Expr::Between { expr, negated, low, high }, deep))
    }

    /// `from` is the place of `[NOT] LIKE`.
    fn like(&mut self, left: Operand, negated: bool, from: usize, start: usize) -> Parse<Operand> {
        for (word, name) in [("ANY", "likeany"), ("ALL", "likeall")] {
            if self.at_word(word) && self.sign_at(1, "(") {
                self.at += 2;
                let (patterns, deep) = self.inside(|parser| parser.items(")"))?;
                let deep = left.deep.max(deep);
                let arguments = std::iter::once(*left.into_expr()).chain(patterns).collect();
                let call = Expr::call(name, arguments);
                let expr = if negated {
                    Expr::UnaryOp { op: UnaryOperator::Not, expr: Box::new(call) }
                } else {
                    call
                };
                return Ok(Operand::new(expr, deep + 1));
            }
        }
        let pattern = self.side(start)?;
        let mut deep = left.deep.max(pattern.deep);
        let (expr, pattern) = (left.into_expr(), pattern.into_expr());
        let mut escape_char = None;
        if self.take_word("ESCAPE") {
            let escape = self.side(start)?;
            deep = deep.max(escape.deep);
            escape_char = Some(escape.into_expr());
        }
        let by = Replacement::Like {
            start,
            operand: expr.clone(),
            negated,
            pattern: pattern.clone(),
            escape: escape_char.clone(),
        };
        self.found.rewrites.push(Rewrite { tokens: from..self.at, by });
        Ok(Operand::new(Expr::Like { negated, expr, pattern, escape_char }, deep))
    }

    /// In Hive `a = b IS NULL` is `a = (b IS NULL)`, elsewhere `(a = b) IS NULL`. `start` is where `a` begins.
    pub(super) fn refuse_test(&self, operand: &Operand, start: usize) -> Parse<()> {
        let Some(is) = operand.test else { return Ok(()) };
        let (before, test) = (self.span(&(start..is)), self.span(&(is..self.at)));
        let text = |span: Span| &self.source.text[span.start..span.end];
        Err(Diagnostic::error(format!("Hive binds `{}` tighter than the operator to its left", text(test)))
            .at(self.source, before.to(test), "two meanings")
            .with_help(format!("add parentheses, such as `({}) {}`", text(before), text(test))))
    }

    /// The operand, unless walking its syntax tree would take too much stack.
    pub(super) fn checked(&self, operand: Operand) -> Parse<Operand> {
        if operand.deep <= MAX_NODES_DEEP {
            return Ok(operand);
        }
        Err(Diagnostic::error(format!("one condition has more than {MAX_NODES_DEEP} operations in a row"))
            .at(self.source, self.span(&(self.at.saturating_sub(1)..self.at)), "too long up to here")
            .with_help("use an `IN` list or shorter conditions")
            .with_fault(PredicateFault::TooLong))
    }

    /// Parses something one level further inside.
    pub(super) fn inside<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth == MAX_DEPTH {
            return Err(Diagnostic::error(format!(
                "parentheses are nested more than {MAX_DEPTH} levels deep"
            ))
            .at(self.source, self.span(&(self.at.saturating_sub(1)..self.at)), "too deep")
            .with_help("write the conditions with fewer parentheses")
            .with_fault(PredicateFault::TooLong));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    pub(super) fn span(&self, tokens: &Range<usize>) -> Span {
        token::span(self.tokens, tokens)
    }
}
