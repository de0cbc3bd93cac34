//! Reads blocks: what they read (FROM) and then their arms, each with its clauses.

use std::ops::Range;

use super::Kind;
use super::clauses::Clause;
use super::reader::StatementReader;
use super::tree::{
    Arm, Block, GroupBy, Insert, NamedWindow, QueryId, QueryPlace, Select, SelectItem, SelectValue, Tail,
    TermBody,
};

impl StatementReader<'_, '_> {
    /// A block, or what an INSERT takes its rows from.
    pub(super) fn block(&mut self, tokens: Range<usize>, query: QueryId) -> (Option<Insert>, TermBody) {
        let t = self.t;
        let outer = Some(query);
        let mut block = Block::empty(tokens.clone(), outer);
        let insert = self.insert(tokens.start);
        // Behind the target of an INSERT.
        let at = t.until(tokens.clone(), |at| {
            t.is_any(at, &["select", "from", "map", "reduce", "with", "values"])
                || t.is_sign(at, "(") && self.holds_query(at)
        });
        if at == tokens.end || t.is_word(at, "values") {
            return (insert, TermBody::Other);
        }
        if t.is_word(at, "with") || t.is_sign(at, "(") {
            let inner = self.query(at..tokens.end, outer, QueryPlace::Term);
            return (insert, TermBody::Query(inner));
        }
        if t.is_word(at, "from") {
            let end = self.sources(at + 1, tokens.end, &mut block);
            self.arms(end..tokens.end, &mut block);
        } else {
            let from = t.until(at..tokens.end, |at| self.is_from(at));
            block.subqueries = self.nested(at..from, outer);
            let end = if from < tokens.end { self.sources(from + 1, tokens.end, &mut block) } else { from };
            let select = self.select(at..from);
            let first = self.arm(end..tokens.end, &mut block);
            block.arms[first].select = Some(select);
        }
        (insert, TermBody::Block(self.add(block)))
    }

    /// Whether a token is a FROM. `IS DISTINCT FROM` is a comparison.
    fn is_from(&self, at: usize) -> bool {
        let t = self.t;
        let compares = at >= 2 && t.is_word(at - 1, "distinct") && t.is_any(at - 2, &["is", "not"]);
        t.is_word(at, "from") && !compares
    }

    /// The inserts, or the query, after a leading FROM.
    fn arms(&mut self, tokens: Range<usize>, block: &mut Block) {
        let t = self.t;
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

    /// What follows the sources of a query, or one insert of several. Returns the index of the arm.
    fn arm(&mut self, tokens: Range<usize>, block: &mut Block) -> usize {
        let t = self.t;
        let is_first = block.arms.is_empty();
        let begins = t.is_any(tokens.start, &["insert", "select", "map", "reduce"]);
        if is_first && tokens.start < tokens.end && !begins && self.clause(tokens.start).is_none() {
            self.note(block, tokens.start);
        }
        block.subqueries.extend(self.nested(tokens.clone(), block.query));
        let insert = self.insert(tokens.start);
        let mut arm = Arm {
            insert,
            select: None,
            filter: None,
            group_by: None,
            having: None,
            qualify: None,
            windows: Vec::new(),
            tail: Tail::default(),
        };
        let mut at = tokens.start;
        while at < tokens.end {
            if t.is_word(at, "lateral") {
                at = self.lateral_view(at, block).unwrap_or(at + 1);
                continue;
            }
            let begins_select = begins
                && arm.select.is_none()
                && t.is_any(at, &["select", "map", "reduce"])
                && !(t.is_any(at, &["map", "reduce"]) && t.is_sign(at + 1, "("));
            let end_of = |from: usize| t.until(from..tokens.end, |at| self.clause(at).is_some());
            if begins_select {
                let end = t.until(at + 1..tokens.end, |at| self.clause(at).is_some() || self.is_from(at));
                arm.select = Some(self.select(at..end));
                at = end;
                continue;
            }
            match self.clause(at) {
                Some(Clause::Where) => {
                    let end = end_of(at + 1);
                    if arm.filter.is_some() {
                        self.note(block, at);
                    }
                    arm.filter = Some(self.condition(at + 1..end));
                    at = end;
                }
                Some(Clause::Having) => {
                    let end = end_of(at + 1);
                    arm.having = Some(self.condition(at + 1..end));
                    at = end;
                }
                Some(Clause::Qualify) => {
                    let end = end_of(at + 1);
                    arm.qualify = Some(self.condition(at + 1..end));
                    at = end;
                }
                Some(Clause::GroupBy) => {
                    let end = end_of(at + 2);
                    arm.group_by = Some(self.group_by(at + 2..end));
                    at = end;
                }
                Some(Clause::Window) => {
                    let end = end_of(at + 1);
                    arm.windows = self.windows(at + 1..end);
                    at = end;
                }
                Some(Clause::OrderBy) => {
                    let end = end_of(at + 2);
                    arm.tail.order_by.extend(self.list(at + 2..end));
                    at = end;
                }
                Some(Clause::Limit) => {
                    arm.tail.has_limit = true;
                    arm.tail.takes_none = self.takes_none(at);
                    at += 1;
                }
                _ => {
                    if self.is_from(at) {
                        self.note(block, at);
                    }
                    at = t.after(at);
                }
            }
        }
        block.arms.push(arm);
        block.arms.len() - 1
    }

    /// `name AS (…), …`
    fn windows(&self, range: Range<usize>) -> Vec<NamedWindow> {
        let t = self.t;
        let mut windows = Vec::new();
        let mut at = range.start;
        while at < range.end && t.is_name(at) {
            let inside = t.inside(at + 2).filter(|_| t.is_word(at + 1, "as"));
            let over = inside.clone().and_then(|inside| self.over(inside));
            windows.push(NamedWindow { name: t.name(at), over });
            at = inside.map_or(range.end, |inside| inside.end + 2);
        }
        windows
    }

    fn group_by(&self, range: Range<usize>) -> GroupBy {
        let t = self.t;
        let is_set = |at: usize| t.is_any(at, &["grouping", "rollup", "cube"]) || t.is_word(at, "with");
        let has_sets = t.outside(range.clone()).any(|at| t.is_any(at, &["grouping", "rollup", "cube"]));
        let end = if has_sets { t.until(range.clone(), is_set) } else { range.end };
        GroupBy { keys: self.list(range.start..end), has_sets }
    }

    /// Whether a LIMIT is `LIMIT 0` or `LIMIT 5, 0`, whose first number is an offset.
    fn takes_none(&self, limit: usize) -> bool {
        let count = if self.t.is_sign(limit + 2, ",") { limit + 3 } else { limit + 1 };
        self.t.raw(count) == "0"
    }

    /// ORDER BY and LIMIT behind a query in brackets.
    pub(super) fn tail(&self, tokens: Range<usize>) -> Tail {
        let t = self.t;
        let mut tail = Tail::default();
        let mut at = tokens.start;
        while at < tokens.end {
            match self.clause(at) {
                Some(Clause::OrderBy) => {
                    let end = t.until(at + 2..tokens.end, |at| self.clause(at).is_some());
                    tail.order_by.extend(self.list(at + 2..end));
                    at = end;
                }
                Some(Clause::Limit) => {
                    tail.has_limit = true;
                    tail.takes_none = self.takes_none(at);
                    at += 1;
                }
                _ => at = t.after(at),
            }
        }
        tail
    }

    /// A select list with its first word.
    fn select(&self, tokens: Range<usize>) -> Select {
        let t = self.t;
        let mut start = tokens.start + 1;
        let mut select = Select {
            distinct: false,
            is_script: t.is_any(tokens.start, &["map", "reduce"]) || t.is_word(start, "transform"),
            items: Vec::new(),
        };
        while t.is_any(start, &["all", "distinct"]) && start < tokens.end {
            select.distinct |= t.is_word(start, "distinct");
            start += 1;
        }
        if select.is_script {
            return select;
        }
        while start < tokens.end {
            let end = t.until(start..tokens.end, |at| t.is_sign(at, ","));
            if start < end {
                select.items.push(self.item(start..end));
            }
            start = end + 1;
        }
        select
    }

    fn item(&self, tokens: Range<usize>) -> SelectItem {
        let t = self.t;
        let span = t.place(&tokens);
        let star = tokens.end - 1;
        let is_all = t.is_sign(star, "*")
            && (star == tokens.start || t.is_sign(star - 1, "."))
            && (tokens.start..star).all(|at| t.is_name(at) || t.is_sign(at, "."));
        if is_all {
            let names = (tokens.start..star).filter(|at| t.is_name(*at)).map(|at| self.name(at)).collect();
            return SelectItem { span, value: SelectValue::All(names), aliases: Vec::new() };
        }
        let (node, end) = self.beginning(tokens.clone());
        let mut aliases = Vec::new();
        let mut at = end + usize::from(t.is_word(end, "as"));
        match t.inside(at).filter(|_| at > end) {
            Some(inside) => {
                aliases = inside.clone().filter(|at| t.is_name(*at)).map(|at| self.name(at)).collect();
                at = inside.end + 1;
            }
            None if at < tokens.end && t.kind(at) != Some(Kind::Variable) && t.is_name(at) => {
                aliases.push(self.name(at));
                at += 1;
            }
            None => {}
        }
        let value = match at == tokens.end {
            true => node,
            false => self.value(tokens),
        };
        SelectItem { span, value: SelectValue::Expr(value), aliases }
    }
}
