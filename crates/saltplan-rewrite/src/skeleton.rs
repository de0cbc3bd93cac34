//! The structure of a script: statements, query blocks, relations, joins and the places of their conditions.
//!
//! A *block* is one `SELECT … FROM … WHERE …`, or one `FROM … INSERT … INSERT …` with one arm per insert.
//! Select lists, grouping and other parts are skipped, except for subqueries in them. Anything that is not
//! understood makes a block [unclear](Block::unclear), and nothing in it is rewritten.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::tokens::{Kind, Tokens};
use crate::words::words;

/// The maximum nesting of subqueries and parentheses in a FROM.
const MAX_DEPTH: usize = 200;

const UNCLEAR: &str = "the query is not understood here";
const TOO_DEEP: &str = "subqueries are nested too deeply";
pub(crate) const CHANGES_ROWS: &str = "a MERGE, UPDATE or DELETE is not rewritten";

/// Words that cannot be an alias without AS.
const NO_ALIAS: [&str; 36] = words(
    "join inner left right full cross natural on using where group having order lateral tablesample insert \
    select map reduce union intersect except window qualify from partition for pivot unpivot set values \
    when then uniquejoin as match_recognize",
);

/// First words of statements without a query to rewrite.
const OTHER_STATEMENTS: [&str; 42] = words(
    "drop show describe desc analyze load export import truncate grant revoke lock unlock msck use repl \
    start commit rollback abort kill prepare execute values cache uncache refresh invalidate merge update \
    delete quit exit begin end declare optimize compute call comment clear replicate",
);

/// Words after EXPLAIN.
const OF_EXPLAIN: [&str; 19] = words(
    "extended dependency authorization formatted logical cbo cost joincost vectorization only summary \
    operator expression detail analyze reoptimization locks ast debug",
);

#[derive(Debug, Default)]
pub struct Skeleton {
    pub statements: Vec<Statement>,
    pub blocks: Vec<Block>,
    scopes: Vec<Scope>,
}

#[derive(Debug)]
pub struct Statement {
    pub tokens: Range<usize>,
    /// Its result is read in other sessions.
    pub makes_view: bool,
    pub kind: StatementKind,
}

#[derive(Debug, PartialEq, Eq)]
pub enum StatementKind {
    Query,
    /// `USE`, with the token of the database if it is a name.
    Use(Option<usize>),
    /// `CREATE TEMPORARY …`, with the tokens of the name.
    Temporary(Range<usize>),
    Other,
    /// Hive has no statement that starts like this.
    Unknown,
}

/// The names of the queries in a WITH.
#[derive(Debug)]
struct Scope {
    names: BTreeSet<String>,
    outer: Option<usize>,
}

#[derive(Debug)]
pub struct Block {
    pub statement: usize,
    pub tokens: Range<usize>,
    scope: Option<usize>,
    /// In the order of the text.
    pub relations: Vec<Relation>,
    /// Inner ones before outer ones.
    pub joins: Vec<Join>,
    pub arms: Vec<Arm>,
    /// Aliases of lateral views, in lower case.
    pub lateral_views: Vec<String>,
    pub unclear: Option<(usize, &'static str)>,
}

#[derive(Debug)]
pub struct Relation {
    /// The parts of a table's name; empty for a subquery and where the name is not known.
    pub name: Vec<usize>,
    /// The opening bracket of a query.
    pub query: Option<usize>,
    pub alias: Option<usize>,
    /// Why it cannot be replaced, regardless of its conditions.
    pub fixed: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JoinKind {
    Inner,
    Left,
    Right,
    Full,
    Semi,
    Anti,
}

/// A join of the relations from `first` to `middle` with those from `middle` to `end`.
#[derive(Debug)]
pub struct Join {
    pub kind: JoinKind,
    pub first: usize,
    pub middle: usize,
    pub end: usize,
    pub on: Option<Range<usize>>,
}

/// A select list with its filter.
#[derive(Debug, Default)]
pub struct Arm {
    pub filter: Option<Range<usize>>,
}

impl Skeleton {
    pub fn new(tokens: &Tokens<'_>) -> Self {
        let mut parser = Parser { tokens, skeleton: Skeleton::default(), statement: 0, depth: 0 };
        let mut start = 0;
        while start < tokens.len() {
            // A command of Beeline ends with its line.
            let is_command = tokens.kind(start) == Some(Kind::Command) && !tokens.is_sign(start + 1, ";");
            if is_command {
                parser.statement(start..start + 1);
                start += 1;
                continue;
            }
            let end = tokens.until(start..tokens.len(), |at| tokens.is_sign(at, ";"));
            if start < end {
                parser.statement(start..end);
            }
            start = end + 1;
        }
        parser.skeleton
    }

    /// Whether a WITH around a block defines a query with this name.
    pub fn is_cte(&self, block: &Block, name: &str) -> bool {
        let mut scope = block.scope;
        while let Some(index) = scope {
            if self.scopes[index].names.contains(name) {
                return true;
            }
            scope = self.scopes[index].outer;
        }
        false
    }
}

impl Relation {
    fn other() -> Self {
        Relation { name: Vec::new(), query: None, alias: None, fixed: None }
    }

    /// The tokens of a table's name.
    pub fn name_tokens(&self) -> Option<Range<usize>> {
        Some(*self.name.first()?..*self.name.last()? + 1)
    }
}

/// Whether a bracket in an expression holds a query.
pub fn begins_query(t: &Tokens<'_>, open: usize) -> bool {
    t.is_sign(open, "(")
        && (t.is_any(open + 1, &["select", "with"]) || t.is_word(open + 1, "from") && is_from_first(t, open))
}

pub fn is_set_operator(t: &Tokens<'_>, at: usize) -> bool {
    t.is_any(at, &["union", "intersect", "except"])
        || t.is_word(at, "minus")
            && (t.is_any(at + 1, &["select", "from", "all", "distinct"]) || t.is_sign(at + 1, "("))
}

/// Whether a FROM starts a query: in `trim(FROM x)` it does not.
fn is_from_first(t: &Tokens<'_>, open: usize) -> bool {
    let mut inside = t.inside(open).into_iter().flat_map(|inside| t.outside(inside));
    inside.any(|at| t.is_any(at, &["select", "insert", "map", "reduce"]))
}

struct Parser<'a, 't> {
    tokens: &'a Tokens<'t>,
    skeleton: Skeleton,
    statement: usize,
    depth: usize,
}

impl Parser<'_, '_> {
    fn statement(&mut self, tokens: Range<usize>) {
        let t = self.tokens;
        let mut at = tokens.start;
        self.statement = self.skeleton.statements.len();
        let mut makes_view = false;
        let mut body = None;
        if t.is_word(at, "explain") {
            at += 1;
            while t.is_any(at, &OF_EXPLAIN) {
                at += 1;
            }
        }
        let kind = if t.kind(at) == Some(Kind::Command) || at == tokens.end {
            StatementKind::Other
        } else if self.begins_query(at) || t.is_word(at, "insert") {
            body = Some(at..tokens.end);
            StatementKind::Query
        } else if t.is_any(at, &["create", "alter"]) {
            makes_view = t.is_word(at, "create") && t.is_any(at + 1, &["view", "or", "materialized"])
                || t.is_word(at, "alter") && t.is_any(at + 1, &["view", "materialized"]);
            body = self.behind_as(at..tokens.end);
            match self.temporary(at..tokens.end) {
                Some(name) => StatementKind::Temporary(name),
                None => StatementKind::Query,
            }
        } else if t.is_word(at, "use") {
            let is_name = t.is_name(at + 1) && at + 2 == tokens.end;
            StatementKind::Use(is_name.then_some(at + 1))
        } else if t.is_any(at, &OTHER_STATEMENTS) {
            if t.is_any(at, &["merge", "update", "delete"]) {
                body = Some(at..tokens.end);
            }
            StatementKind::Other
        } else {
            StatementKind::Unknown
        };
        let is_query = kind != StatementKind::Other;
        self.skeleton.statements.push(Statement { tokens, makes_view, kind });
        match body {
            Some(body) if is_query => self.query(body, None),
            Some(body) => {
                self.nested(body.clone(), None);
                self.unclear_block(body, None, CHANGES_ROWS);
            }
            None => {}
        }
    }

    /// Whether a query starts at a token. `map` is also a function.
    fn begins_query(&self, at: usize) -> bool {
        let t = self.tokens;
        t.is_any(at, &["select", "with", "from"])
            || t.is_any(at, &["map", "reduce"]) && !t.is_sign(at + 1, "(")
            || t.is_sign(at, "(") && self.holds_query(at)
    }

    /// Whether parentheses contain a query. `((SELECT …) a JOIN b)` contains a join.
    fn holds_query(&self, open: usize) -> bool {
        let t = self.tokens;
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

    /// The query from which a CREATE or an ALTER takes its rows.
    fn behind_as(&self, tokens: Range<usize>) -> Option<Range<usize>> {
        let t = self.tokens;
        let body = t.outside(tokens.clone()).find(|at| t.is_word(*at, "as") && self.begins_query(at + 1));
        Some(body? + 1..tokens.end)
    }

    /// The name of a temporary table, macro or function.
    fn temporary(&self, tokens: Range<usize>) -> Option<Range<usize>> {
        let t = self.tokens;
        let mut at = tokens.start + 1;
        if !t.is_any(at, &["temporary", "temp"]) {
            return None;
        }
        while t.is_any(
            at,
            &["temporary", "temp", "external", "table", "view", "macro", "function", "if", "not", "exists"],
        ) {
            at += 1;
        }
        let mut end = at;
        while end < tokens.end && (t.is_name(end) || t.is_sign(end, ".")) && (end == at || t.touch(end - 1)) {
            end += 1;
        }
        Some(at..end)
    }

    /// Finds the subqueries among tokens that are otherwise skipped.
    fn nested(&mut self, tokens: Range<usize>, scope: Option<usize>) {
        let t = self.tokens;
        let mut at = tokens.start;
        while at < tokens.end {
            let begins = begins_query(t, at);
            match t.inside(at).filter(|_| begins) {
                Some(inside) => {
                    at = inside.end + 1;
                    self.query(inside, scope);
                }
                None => at += 1,
            }
        }
    }

    /// Queries combined by set operators, with their WITH.
    fn query(&mut self, tokens: Range<usize>, scope: Option<usize>) {
        if self.depth == MAX_DEPTH {
            self.unclear_block(tokens, scope, TOO_DEEP);
            return;
        }
        self.depth += 1;
        let t = self.tokens;
        let mut start = tokens.start;
        let mut scope = scope;
        if t.is_word(start, "with") {
            match self.with(&tokens, scope) {
                Some((inner, end)) => (scope, start) = (Some(inner), end),
                None => {
                    // The names are unknown, so no table is rewritten.
                    self.unclear_block(tokens, scope, UNCLEAR);
                    self.depth -= 1;
                    return;
                }
            }
        }
        let mut at = start;
        while at < tokens.end {
            if self.is_set_operator(at) && at > start {
                self.term(start..at, scope);
                start = at + 1;
                while t.is_any(start, &["all", "distinct"]) {
                    start += 1;
                }
                at = start;
            } else {
                at = t.after(at);
            }
        }
        self.term(start..tokens.end, scope);
        self.depth -= 1;
    }

    fn is_set_operator(&self, at: usize) -> bool {
        is_set_operator(self.tokens, at)
    }

    /// The scope of a WITH, and the token after it.
    fn with(&mut self, tokens: &Range<usize>, outer: Option<usize>) -> Option<(usize, usize)> {
        let t = self.tokens;
        let mut at = tokens.start + 1;
        let mut bodies = Vec::new();
        let mut names = BTreeSet::new();
        loop {
            if !t.is_name(at) {
                return None;
            }
            names.insert(t.name(at));
            at += 1;
            if t.is_sign(at, "(") {
                at = t.after(at);
            }
            if !t.is_word(at, "as") {
                return None;
            }
            let body = t.inside(at + 1)?;
            at = body.end + 1;
            bodies.push(body);
            if !t.is_sign(at, ",") || at >= tokens.end {
                break;
            }
            at += 1;
        }
        let scope = self.skeleton.scopes.len();
        self.skeleton.scopes.push(Scope { names, outer });
        for body in bodies {
            self.query(body, Some(scope));
        }
        Some((scope, at))
    }

    /// One query of a set operation.
    fn term(&mut self, tokens: Range<usize>, scope: Option<usize>) {
        let t = self.tokens;
        match t.inside(tokens.start).filter(|inside| inside.end < tokens.end) {
            Some(inside) if self.holds_query(tokens.start) => {
                let behind = inside.end + 1;
                self.query(inside, scope);
                self.nested(behind..tokens.end, scope);
            }
            _ => self.block(tokens, scope),
        }
    }

    fn new_block(&self, tokens: Range<usize>, scope: Option<usize>) -> Block {
        Block {
            statement: self.statement,
            tokens,
            scope,
            relations: Vec::new(),
            joins: Vec::new(),
            arms: Vec::new(),
            lateral_views: Vec::new(),
            unclear: None,
        }
    }

    fn unclear_block(&mut self, tokens: Range<usize>, scope: Option<usize>, why: &'static str) {
        let mut block = self.new_block(tokens.clone(), scope);
        block.unclear = Some((tokens.start, why));
        self.skeleton.blocks.push(block);
    }

    fn block(&mut self, tokens: Range<usize>, scope: Option<usize>) {
        let t = self.tokens;
        let mut block = self.new_block(tokens.clone(), scope);
        // Behind the target of an INSERT.
        let at = t.until(tokens.clone(), |at| {
            t.is_any(at, &["select", "from", "map", "reduce", "with", "values"])
                || t.is_sign(at, "(") && self.holds_query(at)
        });
        if at == tokens.end || t.is_word(at, "values") {
            return;
        }
        if t.is_word(at, "with") || t.is_sign(at, "(") {
            self.query(at..tokens.end, scope);
            return;
        }
        if t.is_word(at, "from") {
            let end = self.sources(at + 1, tokens.end, &mut block);
            self.arms(end..tokens.end, &mut block);
        } else {
            let from = t.until(at..tokens.end, |at| self.is_from(at));
            self.nested(at..from, scope);
            let end = if from < tokens.end { self.sources(from + 1, tokens.end, &mut block) } else { from };
            self.arm(end..tokens.end, &mut block);
        }
        self.skeleton.blocks.push(block);
    }

    /// Whether a token is a FROM. `IS DISTINCT FROM` is a comparison.
    fn is_from(&self, at: usize) -> bool {
        let t = self.tokens;
        let compares = at >= 2 && t.is_word(at - 1, "distinct") && t.is_any(at - 2, &["is", "not"]);
        t.is_word(at, "from") && !compares
    }

    /// The inserts, or the query, after a leading FROM.
    fn arms(&mut self, tokens: Range<usize>, block: &mut Block) {
        let t = self.tokens;
        if !t.is_any(tokens.start, &["insert", "select", "map", "reduce"]) {
            self.note(block, tokens.start);
        }
        let mut start = tokens.start;
        while start < tokens.end {
            let end = t.until(t.after(start)..tokens.end, |at| t.is_word(at, "insert"));
            self.arm(start..end, block);
            start = end;
        }
    }

    fn note(&self, block: &mut Block, at: usize) {
        block.unclear.get_or_insert((at, UNCLEAR));
    }

    /// What follows the sources of a query, or one insert of several.
    fn arm(&mut self, tokens: Range<usize>, block: &mut Block) {
        let t = self.tokens;
        let is_first = block.arms.is_empty();
        let begins = t.is_any(tokens.start, &["insert", "select", "map", "reduce"]);
        if is_first && tokens.start < tokens.end && !begins && !self.is_clause(tokens.start) {
            self.note(block, tokens.start);
        }
        let mut arm = Arm::default();
        let mut at = tokens.start;
        while at < tokens.end {
            if t.is_word(at, "where") {
                let end = t.until(at + 1..tokens.end, |at| self.is_clause(at));
                if arm.filter.is_some() {
                    self.note(block, at);
                }
                arm.filter = Some(at + 1..end);
                at = end;
            } else if t.is_word(at, "lateral") {
                at = self.lateral_view(at, block).unwrap_or(at + 1);
            } else {
                if self.is_from(at) {
                    self.note(block, at);
                }
                at = t.after(at);
            }
        }
        self.nested(tokens, block.scope);
        block.arms.push(arm);
    }

    /// Whether a token starts a clause after the sources.
    fn is_clause(&self, at: usize) -> bool {
        let t = self.tokens;
        t.is_any(at, &["where", "having", "qualify", "insert"])
            || t.is_any(at, &["group", "order", "sort", "cluster", "distribute"]) && t.is_word(at + 1, "by")
            || t.is_word(at, "window") && t.is_name(at + 1) && t.is_word(at + 2, "as")
            || self.is_tail(at)
            || self.is_lateral_view(at)
    }

    fn is_tail(&self, at: usize) -> bool {
        let t = self.tokens;
        let is_count = matches!(t.kind(at + 1), Some(Kind::Number | Kind::Variable));
        t.is_any(at, &["limit", "offset"]) && is_count
            || t.is_any(at, &["order", "sort", "cluster", "distribute"]) && t.is_word(at + 1, "by")
    }

    fn is_lateral_view(&self, at: usize) -> bool {
        self.tokens.is_word(at, "lateral") && self.tokens.is_word(at + 1, "view")
    }

    /// Skips `LATERAL VIEW [OUTER] f(…) alias [AS a, b]`.
    fn lateral_view(&mut self, at: usize, block: &mut Block) -> Option<usize> {
        let t = self.tokens;
        if !self.is_lateral_view(at) {
            self.note(block, at);
            return None;
        }
        let mut at = at + 2;
        if t.is_word(at, "outer") {
            at += 1;
        }
        while t.is_name(at) && !t.is_sign(at + 1, "(") && t.is_sign(at + 1, ".") {
            at += 2;
        }
        let arguments = t.is_name(at).then(|| t.inside(at + 1)).flatten();
        let Some(arguments) = arguments else {
            self.note(block, at);
            return None;
        };
        self.nested(arguments.clone(), block.scope);
        at = arguments.end + 1;
        block.lateral_views.push(String::new());
        if self.is_alias(at) {
            block.lateral_views.push(t.name(at));
            at += 1;
        }
        if t.is_word(at, "as") {
            at += 1;
            loop {
                if t.is_sign(at, "(") {
                    at = t.after(at);
                } else if t.is_name(at) {
                    at += 1;
                }
                if !(t.is_sign(at, ",") && t.is_name(at + 1) && !t.is_sign(at + 2, ".")) {
                    break;
                }
                at += 1;
            }
        }
        Some(at)
    }

    /// Whether a token is an alias without AS.
    fn is_alias(&self, at: usize) -> bool {
        let t = self.tokens;
        t.kind(at) == Some(Kind::Quoted)
            || t.is_name(at)
                && !t.is_any(at, &NO_ALIAS)
                && !self.is_tail(at)
                && !self.is_set_operator(at)
                && !(t.is_any(at, &["semi", "anti"]) && t.is_word(at + 1, "join"))
    }

    /// The kind of a join that starts at a token, and the token after its words.
    fn join_at(&self, at: usize) -> Option<(JoinKind, usize)> {
        let t = self.tokens;
        let outer = at + 1 + usize::from(t.is_word(at + 1, "outer"));
        let (kind, join) = if t.is_sign(at, ",") {
            return Some((JoinKind::Inner, at + 1));
        } else if t.is_word(at, "join") {
            (JoinKind::Inner, at)
        } else if t.is_any(at, &["inner", "cross"]) {
            (JoinKind::Inner, at + 1)
        } else if t.is_word(at, "left") && t.is_word(at + 1, "semi") {
            (JoinKind::Semi, at + 2)
        } else if t.is_word(at, "left") && t.is_word(at + 1, "anti") {
            (JoinKind::Anti, at + 2)
        } else if t.is_word(at, "left") {
            (JoinKind::Left, outer)
        } else if t.is_word(at, "right") {
            (JoinKind::Right, outer)
        } else if t.is_word(at, "full") {
            (JoinKind::Full, outer)
        } else {
            return None;
        };
        t.is_word(join, "join").then_some((kind, join + 1))
    }

    /// Relations and their joins, up to anything else, and the token after them.
    fn sources(&mut self, start: usize, end: usize, block: &mut Block) -> usize {
        if self.depth == MAX_DEPTH {
            block.unclear.get_or_insert((start, TOO_DEEP));
            return end;
        }
        self.depth += 1;
        let first = block.relations.len();
        let mut at = self.source(start, end, block);
        while at < end {
            let Some((kind, behind)) = self.join_at(at) else { break };
            let middle = block.relations.len();
            at = self.source(behind, end, block);
            let mut on = None;
            if self.tokens.is_word(at, "on") {
                let condition = at + 1..self.end_of_condition(at + 1, end);
                at = condition.end;
                self.nested(condition.clone(), block.scope);
                on = Some(condition);
            } else if self.tokens.is_word(at, "using") {
                at = self.tokens.after(at + 1);
            }
            block.joins.push(Join { kind, first, middle, end: block.relations.len(), on });
            at = self.lateral_views(at, end, block);
        }
        self.depth -= 1;
        at.min(end)
    }

    fn end_of_condition(&self, start: usize, end: usize) -> usize {
        let t = self.tokens;
        t.until(start..end, |at| {
            self.join_at(at).is_some()
                || self.is_clause(at)
                || t.is_any(at, &["on", "select"])
                || t.is_any(at, &["map", "reduce"]) && !t.is_sign(at + 1, "(")
        })
    }

    fn lateral_views(&mut self, at: usize, end: usize, block: &mut Block) -> usize {
        let mut at = at;
        while at < end && self.tokens.is_word(at, "lateral") {
            match self.lateral_view(at, block) {
                Some(behind) => at = behind,
                None => return end,
            }
        }
        at
    }

    /// A relation, or relations in parentheses, with the lateral views after it.
    fn source(&mut self, start: usize, end: usize, block: &mut Block) -> usize {
        let t = self.tokens;
        if start >= end {
            self.note(block, end);
            return end;
        }
        let at = match t.inside(start) {
            Some(inside) if !self.holds_query(start) && !t.is_word(inside.start, "values") => {
                let behind = self.sources(inside.start, inside.end, block);
                if behind != inside.end || self.is_alias(inside.end + 1) && inside.end + 1 < end {
                    self.note(block, behind);
                }
                inside.end + 1
            }
            Some(inside) => {
                self.query(inside.clone(), block.scope);
                let relation = Relation { query: Some(start), ..Relation::other() };
                self.named(inside.end + 1, end, relation, block)
            }
            None => self.table(start, end, block),
        };
        self.lateral_views(at, end, block)
    }

    fn table(&mut self, start: usize, end: usize, block: &mut Block) -> usize {
        let t = self.tokens;
        let mut relation = Relation::other();
        let mut at = start;
        // A name that contains a variable is unknown.
        let mut is_known = true;
        loop {
            let is_part =
                t.is_name(at) && !(t.kind(at) == Some(Kind::Word) && at == start && t.is_any(at, &NO_ALIAS));
            let is_variable = t.kind(at) == Some(Kind::Variable);
            if at >= end || !(is_part || is_variable) {
                self.note(block, at.min(end));
                break;
            }
            while t.kind(at + 1) == Some(Kind::Variable) && t.touch(at)
                || t.kind(at) == Some(Kind::Variable) && t.is_name(at + 1) && t.touch(at)
            {
                is_known = false;
                at += 1;
            }
            is_known &= t.kind(at) != Some(Kind::Variable);
            relation.name.push(at);
            at += 1;
            if !t.is_sign(at, ".") {
                break;
            }
            at += 1;
        }
        if !is_known {
            relation.name.clear();
        }
        if let Some(inside) = t.inside(at) {
            // A table function whose input has no parentheses of its own, or the properties of a table.
            relation.fixed = Some("the parentheses after the name are not understood");
            self.nested(inside.clone(), block.scope);
            at = inside.end + 1;
            if let Some(on) = t.outside(inside).find(|on| t.is_word(*on, "on") && t.is_name(on + 1)) {
                let mut name = vec![on + 1];
                if t.is_sign(on + 2, ".") && t.is_name(on + 3) {
                    name.push(on + 3);
                }
                let fixed = Some("a table function reads it before any condition applies");
                block.relations.push(Relation { name, fixed, ..Relation::other() });
                relation.name.clear();
            }
        }
        self.named(at, end, relation, block)
    }

    /// A relation with what follows it: a sample, an alias, column names.
    fn named(&mut self, at: usize, end: usize, mut relation: Relation, block: &mut Block) -> usize {
        let t = self.tokens;
        let mut at = at;
        let mut had_alias = false;
        while at < end {
            if t.is_word(at, "tablesample") && t.is_sign(at + 1, "(") {
                relation.fixed = Some("TABLESAMPLE takes its sample before any condition applies");
                at = t.after(at + 1);
            } else if t.is_word(at, "partition") && t.is_sign(at + 1, "(") {
                relation.fixed = Some("a subquery cannot have PARTITION (…)");
                at = t.after(at + 1);
            } else if t.is_word(at, "for") {
                relation.fixed = Some("the query reads a version of the table");
                while at < end && self.join_at(at).is_none() && !self.is_clause(at) && !t.is_word(at, "as") {
                    at = t.after(at);
                    if t.is_word(at, "as") && t.is_word(at + 1, "of") {
                        at += 2;
                    }
                }
            } else if !had_alias && t.is_word(at, "as") && t.is_name(at + 1) {
                relation.alias = Some(at + 1);
                had_alias = true;
                at += 2;
            } else if !had_alias && self.is_alias(at) {
                relation.alias = Some(at);
                had_alias = true;
                at += 1;
            } else if had_alias && t.is_sign(at, "(") {
                relation.fixed = Some("the alias gives its columns other names");
                at = t.after(at);
            } else {
                break;
            }
        }
        block.relations.push(relation);
        at.min(end)
    }
}
