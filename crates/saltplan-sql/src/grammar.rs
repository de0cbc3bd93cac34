//! Conditions: brackets, OR, AND, NOT and comparisons, in the order in which Hive's parser binds them.
//!
//! From loose to tight: `OR`; `AND`; `NOT`, `!`; `=`, `<>`, `<=>`, `IS [NOT] DISTINCT FROM`; then one of `<`, `<=`, `>`, `>=`,
//! `LIKE`, `RLIKE`, `IN`, `BETWEEN`; then the operators of [values](super::operand), where `IS [NOT] NULL` binds tightest.
//! Hive 2.3 and 3.1 agree on this order.

#![allow(clippy::unnecessary_box_returns, reason = "trees are boxed where the recursion is deep")]

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::ast::{BinaryOperator, Call, CallForm, Expr, Node, QueryId, ScriptExpr, UnaryOperator};
use super::foreign::statement_word;
use super::functions::{LIKEALL, LIKEANY};
use super::operator::Level;
use super::token::{self, PlacedToken, Token};
use super::{MAX_DEPTH, MAX_LIKE_BYTES, MAX_NODES_DEEP, Subject};
use saltplan_document::diag::{Diagnostic, PredicateFault, Source, Span};

type Parse<T> = Result<T, Diagnostic>;

pub(super) struct Parser<'a> {
    pub source: &'a Arc<Source>,
    pub subject: Subject,
    pub tokens: &'a [PlacedToken<'a>],
    /// Where the expression begins.
    pub start: usize,
    pub at: usize,
    /// Brackets, functions and NOTs that are open.
    pub depth: usize,
    /// The script around the expression, if it is in one.
    pub script: Option<&'a Surroundings>,
}

/// What an expression in a script refers to.
#[derive(Debug, Default)]
pub(super) struct Surroundings {
    /// The queries in brackets by the index of their opening bracket, each with that of the closing one.
    pub queries: HashMap<usize, (QueryId, usize)>,
    /// The names of the texts that are filled in when the script runs.
    pub runtime: HashMap<String, String>,
}

/// A value or a condition. Boxed to keep the frames of the recursive parser small.
pub(super) struct Operand {
    pub node: Box<Node>,
    /// The depth of its syntax tree.
    pub deep: usize,
    /// The `IS` of a test without brackets around it.
    pub test: Option<usize>,
}

impl Operand {
    pub(super) fn deeper(self) -> Self {
        Operand { deep: self.deep + 1, test: None, ..self }
    }

    /// `a || b` without brackets.
    fn joins_texts(&self) -> bool {
        is_concat(&self.node)
    }
}

fn is_concat(expr: &Expr) -> bool {
    matches!(expr, Expr::BinaryOp { op: BinaryOperator::Concat, .. })
}

/// `a || b` where a condition is expected: in Hive it is a text.
fn concat_in(node: &Node) -> Option<&Node> {
    match &node.expr {
        Expr::And(arms) | Expr::Or(arms) => arms.iter().find_map(concat_in),
        Expr::Nested(inner) | Expr::UnaryOp { op: UnaryOperator::Not, expr: inner } => concat_in(inner),
        expr => is_concat(expr).then_some(node),
    }
}

impl<'a> Parser<'a> {
    pub(super) fn new(source: &'a Arc<Source>, subject: Subject, tokens: &'a [PlacedToken<'a>]) -> Self {
        Parser { source, subject, tokens, start: 0, at: 0, depth: 0, script: None }
    }

    /// For an expression in a script, from a token up to another one.
    pub(super) fn in_script(
        source: &'a Arc<Source>,
        tokens: &'a [PlacedToken<'a>],
        range: &Range<usize>,
        script: &'a Surroundings,
    ) -> Self {
        let tokens = tokens.get(..range.end).unwrap_or(tokens);
        let (start, at) = (range.start, range.start);
        Parser { source, subject: Subject::Script, tokens, start, at, depth: 0, script: Some(script) }
    }
}

impl Parser<'_> {
    /// The predicate: a condition, and nothing after it.
    pub(super) fn predicate(&mut self) -> Parse<Node> {
        if let Some(error) = self.tokens.first().and_then(|first| statement_word(self.source, first)) {
            return Err(error);
        }
        self.condition_alone()
    }

    /// A condition, and nothing after it.
    pub(super) fn condition_alone(&mut self) -> Parse<Node> {
        let node = *self.any()?.node;
        if self.at < self.tokens.len() {
            return Err(self.goes_on());
        }
        match concat_in(&node) {
            Some(concat) => {
                let start = self.tokens.partition_point(|token| token.span.start < concat.span.start);
                Err(self.joins_texts(start))
            }
            None => Ok(node),
        }
    }

    /// A value or a condition, and nothing after it.
    pub(super) fn value_alone(&mut self) -> Parse<Node> {
        let node = *self.any()?.node;
        if self.at < self.tokens.len() { Err(self.goes_on()) } else { Ok(node) }
    }

    /// A condition or a value, one level further down.
    pub(super) fn expr(&mut self) -> Parse<Operand> {
        let operand = self.any()?.deeper();
        self.checked(operand)
    }

    pub(super) fn any(&mut self) -> Parse<Operand> {
        self.chain("OR", Expr::Or, Self::all)
    }

    fn all(&mut self) -> Parse<Operand> {
        self.chain("AND", Expr::And, Self::not)
    }

    fn chain(
        &mut self,
        connective: &str,
        join: fn(Vec<Node>) -> Expr,
        arm: fn(&mut Self) -> Parse<Operand>,
    ) -> Parse<Operand> {
        let start = self.at;
        let first = arm(self)?;
        if !self.at_word(connective) {
            return Ok(first);
        }
        let mut deep = first.deep;
        let mut arms = vec![*first.node];
        while self.take_word(connective) {
            let next = arm(self)?;
            // A chain of operators becomes a nested value, so each operator adds a level.
            deep = deep.max(next.deep) + 1;
            arms.push(*next.node);
        }
        Ok(Operand { deep, ..self.operand(start, join(arms), 0) })
    }

    fn not(&mut self) -> Parse<Operand> {
        let start = self.at;
        if !(self.take_word("NOT") || self.take_sign("!")) {
            return self.condition();
        }
        let inner = self.inside(Self::not)?;
        Ok(self.operand(start, Expr::UnaryOp { op: UnaryOperator::Not, expr: inner.node }, inner.deep))
    }

    /// A condition without AND, OR and NOT outside of brackets.
    fn condition(&mut self) -> Parse<Operand> {
        let start = self.at;
        let first = self.comparison()?;
        self.equalities(first, start)
    }

    /// The operand that begins at `start` and whose parts have the depth `deep`.
    pub(super) fn operand(&self, start: usize, expr: Expr, deep: usize) -> Operand {
        Operand { node: Box::new(Node::new(expr, self.span(&(start..self.at)))), deep: deep + 1, test: None }
    }

    pub(super) fn binary(&self, start: usize, left: Operand, op: BinaryOperator, right: Operand) -> Operand {
        let deep = left.deep.max(right.deep);
        self.operand(start, Expr::BinaryOp { left: left.node, op, right: right.node }, deep)
    }

    fn equalities(&mut self, mut left: Operand, start: usize) -> Parse<Operand> {
        let mut joins_texts = false;
        while let Some(op) = self.equality()? {
            if joins_texts {
                return Err(self.joins_texts(start));
            }
            if let Some(negated) = self.of_list(op)? {
                let listed = self.in_list(left, negated, start)?;
                left = self.checked(listed)?;
                continue;
            }
            let right = self.comparison()?;
            self.refuse_test(&right, start)?;
            joins_texts = right.joins_texts();
            left = self.checked(self.binary(start, left, op, right))?;
        }
        Ok(left)
    }

    /// After an operator: `= ANY (…)` is IN, and `<> ALL (…)` is NOT IN. The list comes next.
    fn of_list(&mut self, op: BinaryOperator) -> Parse<Option<bool>> {
        let word = self.word(0).unwrap_or_default();
        if !["ANY", "SOME", "ALL"].contains(&word.as_str()) || !self.sign_at(1, "(") {
            return Ok(None);
        }
        let tokens = self.at - 1..self.at + 1;
        let negated = match (op, word.as_str()) {
            (BinaryOperator::Eq, "ANY" | "SOME") => false,
            (BinaryOperator::NotEq, "ALL") => true,
            _ => {
                return Err(Diagnostic::error(format!("Hive has no such comparison with {word} and a list"))
                    .at(self.source, self.span(&tokens), "here")
                    .with_help("write the comparisons one by one, `IN` for `= ANY`, `NOT IN` for `<> ALL`"));
            }
        };
        self.at += 1;
        Ok(Some(negated))
    }

    /// The operator at this place.
    pub(super) fn operator(&self) -> Option<BinaryOperator> {
        match &self.tokens.get(self.at)?.token {
            Token::Sign("==") => Some(BinaryOperator::Eq),
            Token::Sign("!=") => Some(BinaryOperator::NotEq),
            Token::Sign(sign) => BinaryOperator::of_sign(sign),
            word => word.is_word("DIV").then_some(BinaryOperator::IntegerDivide),
        }
    }

    fn take_operator(&mut self, level: Level) -> Option<BinaryOperator> {
        let op = self.operator().filter(|op| op.level() == level)?;
        self.at += 1;
        Some(op)
    }

    /// An operator of equality, which binds loosest.
    fn equality(&mut self) -> Parse<Option<BinaryOperator>> {
        let op = self.take_operator(Level::Equality);
        if op.is_some() || !self.at_word("IS") {
            return Ok(op);
        }
        let negated = self.word_at(1, "NOT");
        if !self.word_at(1 + usize::from(negated), "DISTINCT") {
            return Err(self.brackets_before_test());
        }
        self.at += 2 + usize::from(negated);
        self.expect_word("FROM")?;
        Ok(Some(if negated { BinaryOperator::NotDistinctFrom } else { BinaryOperator::DistinctFrom }))
    }

    /// A value, or a comparison other than an equality.
    fn comparison(&mut self) -> Parse<Operand> {
        let start = self.at;
        let left = self.value()?;
        match self.tokens.get(self.at).map(|placed| &placed.token) {
            Some(Token::Sign(_) | Token::Word(_)) => self.compared(left, start),
            _ => Ok(left),
        }
    }

    fn compared(&mut self, left: Operand, start: usize) -> Parse<Operand> {
        if let Some(op) = self.take_operator(Level::Comparison) {
            self.of_list(op)?;
            let right = self.side(start)?;
            return self.checked(self.binary(start, left, op, right));
        }
        let negated = self.at_word("NOT");
        let word = self.word(usize::from(negated)).unwrap_or_default();
        if !["IN", "BETWEEN", "LIKE", "RLIKE", "REGEXP"].contains(&word.as_str()) {
            return Ok(left);
        }
        self.at += 1 + usize::from(negated);
        let operand = match word.as_str() {
            "IN" => self.in_list(left, negated, start)?,
            "BETWEEN" => self.between(left, negated, start)?,
            "LIKE" => self.like(left, negated, start)?,
            _ => {
                let pattern = self.side(start)?;
                let deep = left.deep.max(pattern.deep);
                let (expr, pattern) = (left.node, pattern.node);
                self.operand(start, Expr::RLike { negated, expr, pattern }, deep)
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

    fn in_list(&mut self, left: Operand, negated: bool, start: usize) -> Parse<Operand> {
        if let Some(query) = self.take_query() {
            let expr = ScriptExpr::InQuery { expr: left.node, query, negated };
            return Ok(self.operand(start, Expr::Script(expr), left.deep));
        }
        self.expect_sign("(")?;
        let (list, deep) = self.inside(Self::items)?;
        let deep = left.deep.max(deep);
        Ok(self.operand(start, Expr::InList { expr: left.node, list, negated }, deep))
    }

    fn between(&mut self, left: Operand, negated: bool, start: usize) -> Parse<Operand> {
        let low = self.side(start)?;
        self.expect_word("AND")?;
        let high = self.side(start)?;
        let deep = left.deep.max(low.deep).max(high.deep);
        let [expr, low, high] = [left, low, high].map(|operand| operand.node);
        Ok(self.operand(start, Expr::Between { expr, negated, low, high }, deep))
    }

    fn like(&mut self, left: Operand, negated: bool, start: usize) -> Parse<Operand> {
        for (word, function) in [("ANY", &LIKEANY), ("ALL", &LIKEALL)] {
            if self.at_word(word) && self.sign_at(1, "(") {
                self.at += 2;
                let (patterns, deep) = self.inside(Self::items)?;
                self.check_likes(left.node.span, patterns.len())?;
                let deep = left.deep.max(deep);
                let arguments = std::iter::once(*left.node).chain(patterns).collect();
                let call = Call::in_form(function, arguments, CallForm::LikeList);
                let call = self.operand(start, Expr::Call(call), deep);
                // Hive reads `a NOT LIKE ALL (…)` as `NOT (a LIKE ALL (…))`.
                let not = |call| Expr::UnaryOp { op: UnaryOperator::Not, expr: call };
                return Ok(if negated { self.operand(start, not(call.node), deep + 1) } else { call });
            }
        }
        let pattern = self.side(start)?;
        let mut deep = left.deep.max(pattern.deep);
        let mut escape_char = None;
        if self.take_word("ESCAPE") {
            let escape = self.side(start)?;
            deep = deep.max(escape.deep);
            escape_char = Some(escape.node);
        }
        let (expr, pattern) = (left.node, pattern.node);
        Ok(self.operand(start, Expr::Like { negated, expr, pattern, escape_char }, deep))
    }

    fn check_likes(&self, operand: Span, patterns: usize) -> Parse<()> {
        let bytes = operand.end - operand.start;
        if bytes.saturating_mul(patterns) <= MAX_LIKE_BYTES {
            return Ok(());
        }
        Err(Diagnostic::error(format!("{patterns} patterns for an operand of {bytes} bytes are too many"))
            .at(self.source, operand, "this is compared with each pattern")
            .with_help("use a shorter operand or fewer patterns")
            .with_fault(PredicateFault::TooLong))
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

    /// The query in brackets that begins here, in a script.
    pub(super) fn take_query(&mut self) -> Option<QueryId> {
        let (query, close) = *self.script?.queries.get(&self.at)?;
        self.at = close + 1;
        Some(query)
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
