//! Expressions of scripts. One that the grammar does not have as a whole is taken apart at OR, AND and NOT, so that its other
//! parts are known; what is left is unread.

use std::ops::Range;

use super::super::ast::{Call, Column, Expr, Name, Node, Over, ScriptExpr, UnaryOperator, Unread, WhyUnread};
use super::super::functions::IF;
use super::super::grammar::Parser;
use super::super::token::unquoted;
use super::Kind;
use super::reader::StatementReader;
use saltplan_document::diag::Diagnostic;

/// Conditions in deeper brackets than this are not taken apart.
const MAX_DEPTH: usize = 50;

/// Words in expressions that are not columns.
const KEYWORDS: [&str; 40] = [
    "and",
    "or",
    "not",
    "in",
    "between",
    "like",
    "rlike",
    "regexp",
    "ilike",
    "is",
    "null",
    "true",
    "false",
    "unknown",
    "case",
    "when",
    "then",
    "else",
    "end",
    "escape",
    "div",
    "exists",
    "any",
    "all",
    "some",
    "distinct",
    "from",
    "as",
    "interval",
    "select",
    "where",
    "group",
    "order",
    "by",
    "over",
    "partition",
    "rows",
    "range",
    "having",
    "union",
];

impl StatementReader<'_, '_> {
    /// A name as it is written, without backquotes.
    pub(super) fn name(&self, at: usize) -> Name {
        let raw = self.t.raw(at);
        match self.t.kind(at) {
            Some(Kind::Quoted) => Name { text: unquoted(raw).into_owned(), quoted: true },
            _ => Name { text: raw.to_string(), quoted: false },
        }
    }

    /// The token behind a part of a name: a variable is a part of the name that it touches.
    pub(super) fn behind_name(&self, start: usize) -> usize {
        let t = self.t;
        let mut at = start + 1;
        while t.touch(at - 1)
            && (t.kind(at) == Some(Kind::Variable) || t.kind(at - 1) == Some(Kind::Variable) && t.is_name(at))
        {
            at += 1;
        }
        at
    }

    /// Whether a part of a name has a variable outside quotes.
    pub(super) fn has_variable(&self, part: &Range<usize>) -> bool {
        part.clone().any(|at| self.t.kind(at) == Some(Kind::Variable))
    }

    /// A part of a name; with a variable in it, as it is written.
    pub(super) fn name_of(&self, part: &Range<usize>) -> Name {
        match part.len() {
            1 => self.name(part.start),
            _ => {
                let place = self.t.place(part);
                Name { text: self.script.source.text[place.start..place.end].to_string(), quoted: false }
            }
        }
    }

    fn parser(&self, range: &Range<usize>) -> Parser<'_> {
        Parser::in_script(self.script.source, &self.t.list, range, &self.surroundings)
    }

    /// A condition.
    pub(super) fn condition(&self, range: Range<usize>) -> Node {
        self.read(range, Wanted::Condition, 0)
    }

    /// A value, or a condition as a value.
    pub(super) fn value(&self, range: Range<usize>) -> Node {
        self.read(range, Wanted::Value, 0)
    }

    /// The expression at the beginning of a range, and the token behind it. If there is none, all of it is unread but an alias at
    /// its end.
    pub(super) fn beginning(&self, range: Range<usize>) -> (Node, usize) {
        let t = self.t;
        let mut parser = self.parser(&range);
        match parser.any() {
            Ok(operand) => (*operand.node, parser.at),
            Err(error) => {
                let has_alias = range.len() > 2 && t.is_word(range.end - 2, "as");
                let end = if has_alias { range.end - 2 } else { range.end };
                (self.apart(range.start..end, &error, Wanted::Value, 0), end)
            }
        }
    }

    /// What is between the brackets of a window; `None` if it is not understood.
    pub(super) fn over(&self, inside: Range<usize>) -> Option<Over> {
        let mut over = Over::default();
        let mut parser = self.parser(&(inside.start..inside.end + 1));
        parser.window_in_brackets(&mut over).ok()?;
        (parser.at == inside.end + 1).then_some(over)
    }

    /// A sort key, without its direction.
    pub(super) fn sort_key(&self, range: Range<usize>) -> Node {
        let mut parser = self.parser(&range);
        if let Ok(operand) = parser.any() {
            parser.skip_direction();
            if parser.at == range.end {
                return *operand.node;
            }
        }
        self.value(range)
    }

    fn read(&self, range: Range<usize>, wanted: Wanted, depth: usize) -> Node {
        let mut parser = self.parser(&range);
        let read = match wanted {
            Wanted::Condition => parser.condition_alone(),
            Wanted::Value => parser.value_alone(),
        };
        match read {
            Ok(node) => node,
            Err(error) => self.apart(range, &error, wanted, depth),
        }
    }

    /// An expression that the grammar does not have as a whole.
    fn apart(&self, range: Range<usize>, error: &Diagnostic, wanted: Wanted, depth: usize) -> Node {
        let t = self.t;
        let span = t.place(&range);
        let part = |range: Range<usize>| self.read(range, wanted, depth + 1);
        if depth < MAX_DEPTH && !range.is_empty() {
            for (word, join) in [("or", Expr::Or as fn(Vec<Node>) -> Expr), ("and", Expr::And)] {
                let parts = self.split(&range, word);
                if parts.len() > 1 {
                    return Node::new(join(parts.into_iter().map(part).collect()), span);
                }
            }
            let mut bare = range.clone();
            while let Some(inside) = t.inside(bare.start).filter(|inside| inside.end + 1 == bare.end) {
                bare = inside;
            }
            if bare != range {
                return Node::new(Expr::Nested(part(bare).into()), span);
            }
            if range.len() > 1 && (t.is_word(range.start, "not") || t.is_sign(range.start, "!")) {
                let expr = part(range.start + 1..range.end).into();
                return Node::new(Expr::UnaryOp { op: UnaryOperator::Not, expr }, span);
            }
        }
        let chooses = range.clone().any(|at| t.is_any(at, &["case", IF.name()]));
        let unread = Unread { reason: self.reason(&range, error), names: self.names(&range), chooses };
        Node::new(Expr::Script(ScriptExpr::Unread(unread)), span)
    }

    fn reason(&self, range: &Range<usize>, error: &Diagnostic) -> WhyUnread {
        let t = self.t;
        let is_template = |at: usize| {
            t.kind(at) == Some(Kind::Variable)
                || ["{", "}", "?", ":", "@", "#"].iter().any(|sign| t.is_sign(at, sign))
        };
        match range.clone().any(is_template) {
            true => WhyUnread::Placeholder,
            false => WhyUnread::Syntax(error.message.clone()),
        }
    }

    /// The parts between words of one kind; parentheses and CASE are taken as a whole. The AND of a BETWEEN is skipped.
    fn split(&self, range: &Range<usize>, word: &str) -> Vec<Range<usize>> {
        let t = self.t;
        let mut parts = Vec::new();
        let mut start = range.start;
        let mut cases = 0_usize;
        // For each open CASE, and for the outside: the number of BETWEENs without their AND.
        let mut betweens = vec![0_usize];
        for at in t.outside(range.clone()) {
            if t.is_word(at, "case") {
                cases += 1;
                betweens.push(0);
            } else if t.is_word(at, "end") && cases > 0 {
                cases -= 1;
                betweens.pop();
            } else if t.is_word(at, "between") {
                if let Some(open) = betweens.last_mut() {
                    *open += 1;
                }
            } else if t.is_word(at, "and")
                && let Some(open) = betweens.last_mut().filter(|open| **open > 0)
            {
                *open -= 1;
            } else if cases == 0 && t.is_word(at, word) {
                parts.push(start..at);
                start = at + 1;
            }
        }
        parts.push(start..range.end);
        parts
    }

    /// The columns and the calls among tokens, but not those of subqueries, types after AS and units of intervals.
    fn names(&self, range: &Range<usize>) -> Vec<Node> {
        let t = self.t;
        let mut found = Vec::new();
        let mut at = range.start;
        while at < range.end {
            if let Some((_, close)) = self.surroundings.queries.get(&at) {
                at = close + 1;
                continue;
            }
            if !t.is_name(at) {
                at += 1;
                continue;
            }
            let first = at;
            while at + 2 < range.end && t.is_sign(at + 1, ".") && t.is_name(at + 2) {
                at += 2;
            }
            let last = at;
            at += 1;
            if first > 0 && t.is_word(first - 1, "as") {
                continue;
            }
            let place = t.place(&(first..last + 1));
            let is_keyword = first == last && t.is_any(first, &KEYWORDS);
            if t.is_sign(at, "(") && !is_keyword {
                let parts: Vec<String> = (first..=last).step_by(2).map(|at| t.name(at)).collect();
                found.push(Node::new(Expr::Call(Call::plain(parts.join("."), Vec::new())), place));
            } else if first < last || !self.is_no_column(first) {
                let column = self.name(last);
                let qualifier = (first..last).step_by(2).map(|at| self.name(at)).collect();
                let column = Column { qualifier, name: column.text, quoted: column.quoted };
                found.push(Node::new(Expr::Column(column), place));
            }
        }
        found
    }

    fn is_no_column(&self, at: usize) -> bool {
        let t = self.t;
        if t.is_any(at, &KEYWORDS) {
            return true;
        }
        let is_unit = at > 1
            && t.is_word(at - 2, "interval")
            && matches!(t.kind(at - 1), Some(Kind::Text | Kind::Number));
        // `DATE '2020-04-06'`.
        let is_type = t.is_any(at, &["date", "timestamp"]) && t.kind(at + 1) == Some(Kind::Text);
        is_unit || is_type
    }
}

/// What an expression is read as.
#[derive(Debug, Clone, Copy)]
enum Wanted {
    /// In it, `a || b` is a mistake.
    Condition,
    Value,
}
