//! The words at which the clauses of a block begin, and the target of an INSERT.

use std::ops::Range;

use super::Kind;
use super::reader::StatementReader;
use super::tree::{Destination, Insert, PartitionColumn};

/// Words that cannot be an alias without AS.
const NO_ALIAS: [&str; 36] = [
    "join",
    "inner",
    "left",
    "right",
    "full",
    "cross",
    "natural",
    "on",
    "using",
    "where",
    "group",
    "having",
    "order",
    "lateral",
    "tablesample",
    "insert",
    "select",
    "map",
    "reduce",
    "union",
    "intersect",
    "except",
    "window",
    "qualify",
    "from",
    "partition",
    "for",
    "pivot",
    "unpivot",
    "set",
    "values",
    "when",
    "then",
    "uniquejoin",
    "as",
    "match_recognize",
];

/// A clause after the sources of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clause {
    Where,
    Having,
    Qualify,
    Insert,
    GroupBy,
    Window,
    /// ORDER BY, SORT BY, CLUSTER BY, DISTRIBUTE BY.
    OrderBy,
    Limit,
    LateralView,
}

impl StatementReader<'_, '_> {
    /// The clause that starts at a token.
    pub(super) fn clause(&self, at: usize) -> Option<Clause> {
        let t = self.t;
        if t.kind(at) != Some(Kind::Word) {
            return None;
        }
        let is_by = t.is_word(at + 1, "by");
        let clauses = [
            (Clause::Where, t.is_word(at, "where")),
            (Clause::Having, t.is_word(at, "having")),
            (Clause::Qualify, t.is_word(at, "qualify")),
            (Clause::Insert, t.is_word(at, "insert")),
            (Clause::GroupBy, is_by && t.is_word(at, "group")),
            (Clause::OrderBy, is_by && t.is_any(at, &["order", "sort", "cluster", "distribute"])),
            (Clause::Window, t.is_word(at, "window") && t.is_name(at + 1) && t.is_word(at + 2, "as")),
            (Clause::Limit, self.is_limit(at)),
            (Clause::LateralView, t.is_word(at, "lateral") && t.is_word(at + 1, "view")),
        ];
        clauses.into_iter().find(|(_, is_here)| *is_here).map(|(clause, _)| clause)
    }

    fn is_limit(&self, at: usize) -> bool {
        let t = self.t;
        t.is_any(at, &["limit", "offset"]) && matches!(t.kind(at + 1), Some(Kind::Number | Kind::Variable))
    }

    /// Whether a token starts what may follow a query in brackets.
    pub(super) fn is_tail(&self, at: usize) -> bool {
        matches!(self.clause(at), Some(Clause::OrderBy | Clause::Limit))
    }

    /// Whether a token is an alias without AS.
    pub(super) fn is_alias(&self, at: usize) -> bool {
        let t = self.t;
        let begins_join = t.is_any(at, &["semi", "anti"]) && t.is_word(at + 1, "join");
        let begins_clause =
            t.is_any(at, &NO_ALIAS) || self.is_tail(at) || self.is_set_operator(at) || begins_join;
        t.kind(at) == Some(Kind::Quoted) || t.is_name(at) && !begins_clause
    }

    /// Whether a token begins the name of a table.
    pub(super) fn begins_name(&self, at: usize) -> bool {
        self.t.is_name(at) && !(self.t.kind(at) == Some(Kind::Word) && self.t.is_any(at, &NO_ALIAS))
    }

    /// The target of the INSERT that starts at a token.
    pub(super) fn insert(&self, at: usize) -> Option<Insert> {
        let t = self.t;
        if !t.is_word(at, "insert") {
            return None;
        }
        let (to, end) = self.destination(at + 2);
        Some(Insert {
            tokens: at..end,
            to,
            overwrites: t.is_word(at + 1, "overwrite"),
            if_not_exists: t.is_word(end, "if") && t.is_word(end + 1, "not"),
        })
    }

    /// What the tokens after INSERT OVERWRITE or INSERT INTO name, and the token behind.
    fn destination(&self, start: usize) -> (Destination, usize) {
        let t = self.t;
        let mut at = start;
        if t.is_word(at, "local") || t.is_word(at, "directory") {
            let behind = if t.is_word(at, "local") { at + 3 } else { at + 2 };
            return (Destination::Directory { is_local: t.is_word(at, "local") }, behind);
        }
        if t.is_word(at, "table") {
            at += 1;
        }
        let mut parts: Vec<Range<usize>> = Vec::new();
        loop {
            let first = at;
            at = self.behind_name(at);
            parts.push(first..at);
            if !t.is_sign(at, ".") {
                break;
            }
            at += 1;
        }
        let is_part = |part: &Range<usize>| {
            matches!(t.kind(part.start), Some(Kind::Word | Kind::Quoted | Kind::Variable))
        };
        let is_known = parts.iter().all(is_part)
            && !parts.last().is_some_and(|part| self.has_variable(part))
            && t.kind(at) != Some(Kind::Variable);
        while t.kind(at) == Some(Kind::Variable) {
            at += 1;
        }
        let name = match is_known {
            true => parts.iter().map(|part| self.name_of(part).lower()).collect(),
            false => Vec::new(),
        };
        let mut partition = Vec::new();
        if t.is_word(at, "partition")
            && let Some(inside) = t.inside(at + 1)
        {
            at = inside.end + 1;
            partition = self.partition_columns(inside);
        }
        (Destination::Table { name, partition }, at)
    }

    fn partition_columns(&self, inside: Range<usize>) -> Vec<PartitionColumn> {
        let t = self.t;
        let mut columns = Vec::new();
        let mut start = inside.start;
        while start < inside.end {
            let end = t.until(start..inside.end, |at| t.is_sign(at, ","));
            if t.is_name(start) {
                let is_given = t.is_sign(start + 1, "=") || t.is_sign(start + 1, "==");
                let value = is_given.then(|| self.value(start + 2..end));
                columns.push(PartitionColumn { name: t.name(start), value });
            }
            start = end + 1;
        }
        columns
    }
}
