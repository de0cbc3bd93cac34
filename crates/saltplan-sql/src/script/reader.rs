//! Reads statements: what they are, and the queries in them.

use std::collections::HashMap;
use std::ops::Range;

use super::super::ast::Node;
use super::super::grammar::Surroundings;
use super::tree::{
    Block, BlockId, Cte, Query, QueryId, QueryPlace, SetKind, SetOperator, Statement, StatementKind, Tail,
    Term, TermBody, Unclear, WhyUnclear,
};
use super::{Kind, Script, Tokens};

/// The maximum nesting of subqueries and parentheses in a FROM.
pub(super) const MAX_DEPTH: usize = 200;

/// First words of statements without a query to rewrite.
const OTHER_STATEMENTS: [&str; 42] = [
    "drop",
    "show",
    "describe",
    "desc",
    "analyze",
    "load",
    "export",
    "import",
    "truncate",
    "grant",
    "revoke",
    "lock",
    "unlock",
    "msck",
    "use",
    "repl",
    "start",
    "commit",
    "rollback",
    "abort",
    "kill",
    "prepare",
    "execute",
    "values",
    "cache",
    "uncache",
    "refresh",
    "invalidate",
    "merge",
    "update",
    "delete",
    "quit",
    "exit",
    "begin",
    "end",
    "declare",
    "optimize",
    "compute",
    "call",
    "comment",
    "clear",
    "replicate",
];

/// Words after EXPLAIN.
const OF_EXPLAIN: [&str; 19] = [
    "extended",
    "dependency",
    "authorization",
    "formatted",
    "logical",
    "cbo",
    "cost",
    "joincost",
    "vectorization",
    "only",
    "summary",
    "operator",
    "expression",
    "detail",
    "analyze",
    "reoptimization",
    "locks",
    "ast",
    "debug",
];

/// The tokens of each statement, without the semicolons.
pub(super) fn statements(t: &Tokens<'_>) -> Vec<Range<usize>> {
    let mut statements = Vec::new();
    let mut start = 0;
    while start < t.len() {
        // A command of Beeline ends with its line.
        let is_command = t.kind(start) == Some(Kind::Command) && !t.is_sign(start + 1, ";");
        if is_command {
            statements.push(start..start + 1);
            start += 1;
            continue;
        }
        let end = t.until(start..t.len(), |at| t.is_sign(at, ";"));
        if start < end {
            statements.push(start..end);
        }
        start = end + 1;
    }
    statements
}

/// The tree of a statement, with its queries or without.
pub(super) fn read(script: &Script<'_>, tokens: Range<usize>, with_queries: bool) -> Statement {
    let statement = Statement {
        tokens: tokens.clone(),
        kind: StatementKind::Other,
        explains: false,
        makes_view: false,
        body: None,
        queries: Vec::new(),
        blocks: Vec::new(),
    };
    let surroundings = Surroundings { queries: HashMap::new(), runtime: script.runtime.clone() };
    let t = &script.tokens;
    let mut reader = StatementReader { script, t, with_queries, statement, surroundings, depth: 0 };
    reader.statement(tokens);
    reader.statement
}

/// Whether a bracket in an expression holds a query.
pub fn begins_query(t: &Tokens<'_>, open: usize) -> bool {
    t.is_sign(open, "(")
        && (t.is_any(open + 1, &["select", "with"]) || t.is_word(open + 1, "from") && is_from_first(t, open))
}

/// Whether a FROM starts a query: in `trim(FROM x)` it does not.
fn is_from_first(t: &Tokens<'_>, open: usize) -> bool {
    let mut inside = t.inside(open).into_iter().flat_map(|inside| t.outside(inside));
    inside.any(|at| t.is_any(at, &["select", "insert", "map", "reduce"]))
}

/// The operator of a set operation at a token, and the token behind it.
fn set_operator(t: &Tokens<'_>, at: usize) -> Option<(SetOperator, usize)> {
    let kind = match () {
        () if t.is_word(at, "union") => SetKind::Union,
        () if t.is_word(at, "intersect") => SetKind::Intersect,
        () if t.is_word(at, "except") => SetKind::Except,
        () if t.is_word(at, "minus")
            && (t.is_any(at + 1, &["select", "from", "all", "distinct"]) || t.is_sign(at + 1, "(")) =>
        {
            SetKind::Except
        }
        () => return None,
    };
    let mut behind = at + 1;
    while t.is_any(behind, &["all", "distinct"]) {
        behind += 1;
    }
    Some((SetOperator { kind, all: behind > at + 1 && t.is_word(behind - 1, "all") }, behind))
}

/// Reads one statement.
pub(super) struct StatementReader<'a, 's> {
    pub script: &'a Script<'s>,
    pub t: &'a Tokens<'s>,
    pub with_queries: bool,
    pub statement: Statement,
    /// The queries in brackets that were read so far.
    pub surroundings: Surroundings,
    pub depth: usize,
}

impl StatementReader<'_, '_> {
    fn statement(&mut self, tokens: Range<usize>) {
        let t = self.t;
        let mut at = tokens.start;
        let mut body = None;
        if t.is_word(at, "explain") {
            self.statement.explains = true;
            at += 1;
            while t.is_any(at, &OF_EXPLAIN) {
                at += 1;
            }
        }
        self.statement.kind = if t.kind(at) == Some(Kind::Command) {
            StatementKind::Command(at)
        } else if at == tokens.end {
            StatementKind::Other
        } else if self.begins_query(at) || t.is_word(at, "insert") {
            body = Some(at..tokens.end);
            StatementKind::Query
        } else if t.is_any(at, &["create", "alter"]) {
            self.statement.makes_view = t.is_word(at, "create")
                && t.is_any(at + 1, &["view", "or", "materialized"])
                || t.is_word(at, "alter") && t.is_any(at + 1, &["view", "materialized"]);
            body = self.behind_as(at..tokens.end);
            match self.temporary(at..tokens.end) {
                Some(name) => StatementKind::Temporary(name),
                None => StatementKind::Query,
            }
        } else if t.is_word(at, "use") {
            let is_name = t.is_name(at + 1) && at + 2 == tokens.end;
            StatementKind::Use(is_name.then(|| t.name(at + 1)))
        } else if t.is_any(at, &OTHER_STATEMENTS) {
            if self.with_queries && t.is_any(at, &["merge", "update", "delete"]) {
                self.nested(at..tokens.end, None);
                self.unclear_block(at..tokens.end, None, WhyUnclear::ChangesRows);
            }
            StatementKind::Other
        } else {
            StatementKind::Unknown
        };
        if let Some(body) = body.filter(|_| self.with_queries) {
            self.statement.body = Some(self.query(body, None, QueryPlace::Body));
        }
    }

    /// Whether a query starts at a token. `map` is also a function.
    fn begins_query(&self, at: usize) -> bool {
        let t = self.t;
        t.is_any(at, &["select", "with", "from"])
            || t.is_any(at, &["map", "reduce"]) && !t.is_sign(at + 1, "(")
            || t.is_sign(at, "(") && self.holds_query(at)
    }

    /// Whether parentheses contain a query. `((SELECT …) a JOIN b)` contains a join.
    pub(super) fn holds_query(&self, open: usize) -> bool {
        let t = self.t;
        let first = t.first_inside(open);
        if !t.is_any(first, &["select", "with", "from"]) || first == open {
            return false;
        }
        // Parentheses that are nested deeper than any query are not examined.
        let mut outer = first.min(open + MAX_DEPTH);
        while outer > open + 1 {
            outer -= 1;
            let behind = t.partner(outer).map_or(usize::MAX, |close| close + 1);
            let ends = Some(behind) == t.partner(outer - 1);
            if !ends && !self.is_set_operator(behind) && !self.is_tail(behind) {
                return false;
            }
        }
        true
    }

    pub(super) fn is_set_operator(&self, at: usize) -> bool {
        set_operator(self.t, at).is_some()
    }

    /// The query from which a CREATE or an ALTER takes its rows.
    fn behind_as(&self, tokens: Range<usize>) -> Option<Range<usize>> {
        let t = self.t;
        let body = t.outside(tokens.clone()).find(|at| t.is_word(*at, "as") && self.begins_query(at + 1));
        Some(body? + 1..tokens.end)
    }

    /// The name of a temporary table, macro or function.
    fn temporary(&self, tokens: Range<usize>) -> Option<Vec<String>> {
        const BEFORE_NAME: [&str; 10] =
            ["temporary", "temp", "external", "table", "view", "macro", "function", "if", "not", "exists"];
        let t = self.t;
        let mut at = tokens.start + 1;
        if !t.is_any(at, &["temporary", "temp"]) {
            return None;
        }
        while t.is_any(at, &BEFORE_NAME) {
            at += 1;
        }
        let mut end = at;
        while end < tokens.end && (t.is_name(end) || t.is_sign(end, ".")) && (end == at || t.touch(end - 1)) {
            end += 1;
        }
        Some((at..end).filter(|at| t.is_name(*at)).map(|at| t.name(at)).collect())
    }

    /// Reads the subqueries among tokens, so that expressions can refer to them.
    pub(super) fn nested(&mut self, tokens: Range<usize>, outer: Option<QueryId>) -> Vec<QueryId> {
        let t = self.t;
        let mut found = Vec::new();
        let mut at = tokens.start;
        while at < tokens.end {
            let begins = begins_query(t, at);
            match t.inside(at).filter(|_| begins) {
                Some(inside) => {
                    let open = at;
                    at = inside.end + 1;
                    if !self.surroundings.queries.contains_key(&open) {
                        let close = inside.end;
                        let query = self.query(inside, outer, QueryPlace::Expression);
                        self.surroundings.queries.insert(open, (query, close));
                        found.push(query);
                    }
                }
                None => at += 1,
            }
        }
        found
    }

    /// Queries combined by set operators, with their WITH.
    pub(super) fn query(
        &mut self,
        tokens: Range<usize>,
        outer: Option<QueryId>,
        place: QueryPlace,
    ) -> QueryId {
        let id = QueryId(self.statement.queries.len());
        let first = self.statement.blocks.len();
        self.statement.queries.push(Query {
            tokens: tokens.clone(),
            place,
            outer,
            blocks: first..first,
            with: Vec::new(),
            terms: Vec::new(),
        });
        if self.depth == MAX_DEPTH {
            self.unclear_term(id, tokens, WhyUnclear::TooDeep);
        } else {
            self.depth += 1;
            self.terms(tokens, id);
            self.depth -= 1;
        }
        self.statement.queries[id.0].blocks.end = self.statement.blocks.len();
        id
    }

    fn terms(&mut self, tokens: Range<usize>, id: QueryId) {
        let t = self.t;
        let mut start = tokens.start;
        if t.is_word(start, "with") {
            match self.with(&tokens, id) {
                Some(end) => start = end,
                None => {
                    // The names are unknown, so no table is known either.
                    self.unclear_term(id, tokens, WhyUnclear::NotUnderstood);
                    return;
                }
            }
        }
        let mut at = start;
        let mut operator = None;
        while at < tokens.end {
            match set_operator(t, at).filter(|_| at > start) {
                Some((next, behind)) => {
                    self.term(start..at, id, operator);
                    operator = Some(next);
                    start = behind;
                    at = start;
                }
                None => at = t.after(at),
            }
        }
        self.term(start..tokens.end, id, operator);
    }

    /// The queries of a WITH; returns the token after it.
    fn with(&mut self, tokens: &Range<usize>, id: QueryId) -> Option<usize> {
        let t = self.t;
        let mut at = tokens.start + 1;
        let mut parts = Vec::new();
        loop {
            if !t.is_name(at) {
                return None;
            }
            let name = t.name(at);
            let mut columns = Vec::new();
            at += 1;
            if let Some(inside) = t.inside(at) {
                columns = inside.clone().filter(|at| t.is_name(*at)).map(|at| self.name(at)).collect();
                at = inside.end + 1;
            }
            if !t.is_word(at, "as") {
                return None;
            }
            let body = t.inside(at + 1)?;
            at = body.end + 1;
            parts.push((name, columns, body));
            if !t.is_sign(at, ",") || at >= tokens.end {
                break;
            }
            at += 1;
        }
        for (index, (name, columns, body)) in parts.into_iter().enumerate() {
            let query = self.query(body, Some(id), QueryPlace::With(index));
            self.statement.queries[id.0].with.push(Cte { name, columns, query });
        }
        Some(at)
    }

    /// One query of a set operation.
    fn term(&mut self, tokens: Range<usize>, query: QueryId, operator: Option<SetOperator>) {
        let t = self.t;
        let mut tail = Tail::default();
        let (insert, body) = match t.inside(tokens.start).filter(|inside| inside.end < tokens.end) {
            Some(inside) if self.holds_query(tokens.start) => {
                let behind = inside.end + 1;
                let inner = self.query(inside, Some(query), QueryPlace::Term);
                self.nested(behind..tokens.end, Some(query));
                tail = self.tail(behind..tokens.end);
                (None, TermBody::Query(inner))
            }
            _ => self.block(tokens.clone(), query),
        };
        self.statement.queries[query.0].terms.push(Term { tokens, operator, insert, body, tail });
    }

    fn unclear_term(&mut self, query: QueryId, tokens: Range<usize>, why: WhyUnclear) {
        let start = self.t.until(tokens.clone(), |at| self.t.is_word(at, "insert"));
        let insert = self.insert(start).filter(|_| start < tokens.end);
        let block = self.unclear_block(tokens.clone(), Some(query), why);
        self.statement.queries[query.0].terms.push(Term {
            tokens,
            operator: None,
            insert,
            body: TermBody::Block(block),
            tail: Tail::default(),
        });
    }

    fn unclear_block(&mut self, tokens: Range<usize>, query: Option<QueryId>, why: WhyUnclear) -> BlockId {
        let mut block = Block::empty(tokens.clone(), query);
        block.unclear = Some(Unclear { token: tokens.start, why });
        self.add(block)
    }

    pub(super) fn add(&mut self, block: Block) -> BlockId {
        self.statement.blocks.push(block);
        BlockId(self.statement.blocks.len() - 1)
    }

    /// Notes that a block is not understood from a token on.
    pub(super) fn note(&self, block: &mut Block, token: usize) {
        block.unclear.get_or_insert(Unclear { token, why: WhyUnclear::NotUnderstood });
    }

    /// The expressions between commas.
    pub(super) fn list(&self, range: Range<usize>) -> Vec<Node> {
        let t = self.t;
        let mut parts = Vec::new();
        let mut start = range.start;
        while start < range.end {
            let end = t.until(start..range.end, |at| t.is_sign(at, ","));
            parts.push(self.sort_key(start..end));
            start = end + 1;
        }
        parts
    }
}

impl Block {
    pub(super) fn empty(tokens: Range<usize>, query: Option<QueryId>) -> Self {
        Block {
            tokens,
            query,
            relations: Vec::new(),
            joins: Vec::new(),
            lateral_views: Vec::new(),
            arms: Vec::new(),
            subqueries: Vec::new(),
            unclear: None,
        }
    }
}
