//! The rows of an INSERT: whether it can have one, and whether a condition leaves out rows of what it replaces.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;

use saltplan_core::refusal::Part;

use crate::conditions::{self, Name};
use crate::inserts::Insert;
use crate::skeleton::{Block, JoinKind, begins_query, is_set_operator};
use crate::tokens::Tokens;
use crate::words::words;

/// Deeper queries are not examined.
const MAX_DEPTH: usize = 200;

/// Functions of all rows, which give a row even if there is none.
const AGGREGATES: [&str; 31] = words(
    "count sum avg min max variance var_pop var_samp stddev std stddev_pop stddev_samp covar_pop covar_samp corr \
    percentile percentile_approx percentile_cont percentile_disc histogram_numeric collect_set collect_list \
    approx_count_distinct compute_stats bloom_filter regr_count regr_avgx regr_avgy bool_and bool_or any_value",
);

/// What is known of the references of a statement, by the start of their place and by the arm of their block.
#[derive(Debug, Default)]
pub struct Facts(BTreeMap<(usize, usize), Fact>);

#[derive(Debug, Clone, Default)]
pub struct Fact {
    /// Whether no row satisfies the conditions.
    pub is_empty: bool,
    /// Which part of the schema's target the conditions select.
    pub part: Option<Part>,
}

impl Facts {
    pub fn add(&mut self, place: usize, arm: usize, fact: Fact) {
        self.0.insert((place, arm), fact);
    }

    fn get(&self, place: usize, arm: usize) -> Option<&Fact> {
        self.0.get(&(place, arm))
    }
}

/// The queries of a statement.
pub struct Queries<'a> {
    t: &'a Tokens<'a>,
    /// By their first token.
    blocks: HashMap<usize, &'a Block>,
    facts: &'a Facts,
    /// Queries that were examined, by their first token.
    known: RefCell<HashMap<usize, bool>>,
    /// What they are parts of, also by the target.
    parts: RefCell<HashMap<(usize, usize), Known>>,
}

/// The queries of a WITH that a query can name; the last one first.
type With = Option<Rc<Cte>>;

struct Cte {
    name: String,
    body: Range<usize>,
    before: With,
}

/// For a query that reads the logical table of a target: which part of the target its rows are. `None` for another query.
type Known = Option<Option<Part>>;

impl<'a> Queries<'a> {
    /// `blocks` are those of the statement.
    pub fn new(t: &'a Tokens<'a>, blocks: &[&'a Block], facts: &'a Facts) -> Self {
        let blocks = blocks.iter().map(|block| (block.tokens.start, *block)).collect();
        Queries { t, blocks, facts, known: RefCell::default(), parts: RefCell::default() }
    }

    /// Whether an INSERT can have no row, because a table that it needs is read with conditions that are never true.
    pub fn is_empty(&self, insert: &Insert, statement: &Range<usize>) -> bool {
        let mut with = None;
        let start = self.with(statement.clone(), &mut with);
        match insert.arm {
            Some(arm) => self
                .blocks
                .get(&start)
                .is_some_and(|block| self.block(block, arm, insert.rows.clone(), &with, 0)),
            None => self.query(insert.rows.clone(), &with, 0),
        }
    }

    /// Reads a WITH; returns the token behind it.
    fn with(&self, tokens: Range<usize>, with: &mut With) -> usize {
        let t = self.t;
        let mut at = tokens.start;
        if !t.is_word(at, "with") {
            return at;
        }
        loop {
            let name = at + 1;
            let mut open = name + 1;
            if t.is_sign(open, "(") {
                open = t.after(open);
            }
            let Some(body) = t.inside(open + 1).filter(|_| t.is_name(name) && t.is_word(open, "as")) else {
                return tokens.start;
            };
            at = body.end + 1;
            *with = Some(Rc::new(Cte { name: t.name(name), body, before: with.take() }));
            if !t.is_sign(at, ",") || at >= tokens.end {
                return at;
            }
        }
    }

    /// Whether a query returns no row.
    fn query(&self, tokens: Range<usize>, with: &With, depth: usize) -> bool {
        if depth == MAX_DEPTH || tokens.is_empty() {
            return false;
        }
        if let Some(known) = self.known.borrow().get(&tokens.start) {
            return *known;
        }
        let mut own = with.clone();
        let start = self.with(tokens.clone(), &mut own);
        let is_empty = self.terms(start..tokens.end, &own, depth);
        self.known.borrow_mut().insert(tokens.start, is_empty);
        is_empty
    }

    fn terms(&self, tokens: Range<usize>, with: &With, depth: usize) -> bool {
        let t = self.t;
        let mut is_empty = None;
        let mut operator: Option<usize> = None;
        let mut start = tokens.start;
        while start < tokens.end {
            let end = t.until(start..tokens.end, |at| at > start && is_set_operator(t, at));
            let term = self.term(start..end, with, depth);
            is_empty = Some(match (operator, is_empty) {
                (Some(at), Some(left)) if t.is_word(at, "union") => left && term,
                (Some(at), Some(left)) if t.is_word(at, "intersect") => left || term,
                (Some(_), Some(left)) => left,
                _ => term,
            });
            operator = Some(end);
            start = end + 1;
            while t.is_any(start, &["all", "distinct"]) {
                start += 1;
            }
        }
        is_empty.unwrap_or(false)
    }

    fn term(&self, tokens: Range<usize>, with: &With, depth: usize) -> bool {
        if let Some(start) = self.behind_insert(&tokens) {
            return self.query(start..tokens.end, with, depth + 1);
        }
        if let Some(inside) = self.t.inside(tokens.start) {
            return self.query(inside, with, depth + 1);
        }
        let block = self.blocks.get(&tokens.start);
        block.is_some_and(|block| self.block(block, 0, tokens.clone(), with, depth))
    }

    /// Where the query of an INSERT begins, if it is in brackets or has a WITH.
    fn behind_insert(&self, tokens: &Range<usize>) -> Option<usize> {
        let t = self.t;
        if !t.is_word(tokens.start, "insert") {
            return None;
        }
        let is_first = |at: usize| {
            t.is_any(at, &["select", "from", "map", "reduce", "with", "values"])
                || t.is_any(t.first_inside(at), &["select", "with", "from"])
        };
        let start = t.until(tokens.clone(), is_first);
        (t.is_word(start, "with") || t.is_sign(start, "(")).then_some(start)
    }

    /// Whether a block returns no row for one of its arms, whose tokens are given.
    fn block(&self, block: &Block, arm: usize, tokens: Range<usize>, with: &With, depth: usize) -> bool {
        let needs = || self.sources(block, arm, with, depth) || self.filter(block, arm, with, depth);
        block.unclear.is_none() && !self.gives_a_row(tokens) && needs()
    }

    /// Whether the relations, joined, have no row.
    fn sources(&self, block: &Block, arm: usize, with: &With, depth: usize) -> bool {
        let mut groups: BTreeMap<(usize, usize), bool> = BTreeMap::new();
        for index in 0..block.relations.len() {
            groups.insert((index, index + 1), self.relation(block, index, arm, with, depth));
        }
        for join in &block.joins {
            let side = |first: usize, end: usize| groups.get(&(first, end)).copied().unwrap_or(false);
            let (left, right) = (side(join.first, join.middle), side(join.middle, join.end));
            let joined = match join.kind {
                JoinKind::Inner | JoinKind::Semi => left || right,
                JoinKind::Left | JoinKind::Anti => left,
                JoinKind::Right => right,
                JoinKind::Full => left && right,
            };
            groups.insert((join.first, join.end), joined);
        }
        groups.get(&(0, block.relations.len())).copied().unwrap_or(false)
    }

    fn relation(&self, block: &Block, index: usize, arm: usize, with: &With, depth: usize) -> bool {
        match self.source(block, index, with) {
            Source::Query(tokens, with) => self.query(tokens, &with, depth + 1),
            Source::Table(place) => self.facts.get(place, arm).is_some_and(|fact| fact.is_empty),
            Source::Unknown => false,
        }
    }

    fn source(&self, block: &Block, index: usize, with: &With) -> Source {
        let relation = &block.relations[index];
        if let Some(open) = relation.query {
            return self.t.inside(open).map_or(Source::Unknown, |inside| Source::Query(inside, with.clone()));
        }
        if let [only] = relation.name.as_slice() {
            let name = self.t.name(*only);
            let mut before = with.as_ref();
            while let Some(cte) = before {
                if cte.name == name {
                    // A query of a WITH can only name those before it.
                    return Source::Query(cte.body.clone(), cte.before.clone());
                }
                before = cte.before.as_ref();
            }
        }
        relation.name_tokens().map_or(Source::Unknown, |name| Source::Table(self.t.place(&name).start))
    }

    /// Whether the WHERE has `x IN (…)` or `EXISTS (…)` with a query that returns no row.
    fn filter(&self, block: &Block, arm: usize, with: &With, depth: usize) -> bool {
        let t = self.t;
        let Some(filter) = block.arms.get(arm).and_then(|arm| arm.filter.as_ref()) else { return false };
        conditions::conjuncts(t, filter).into_iter().any(|condition| {
            let open =
                t.partner(condition.end - 1).filter(|open| begins_query(t, *open) && *open > condition.start);
            let Some(open) = open.filter(|open| conditions::is_simple_subquery(t, &condition, *open)) else {
                return false;
            };
            let is_denied = t.is_word(condition.start, "not") || open > 1 && t.is_word(open - 2, "not");
            let query = t.inside(open).filter(|_| !is_denied);
            query.is_some_and(|query| self.query(query, with, depth + 1))
        })
    }

    /// Whether a select list may give a row where there is none to select from: it has an aggregate without GROUP BY, groups
    /// everything, or a script makes its rows.
    fn gives_a_row(&self, tokens: Range<usize>) -> bool {
        let t = self.t;
        let outside = || t.outside(tokens.clone());
        if let Some(group) = outside().find(|at| t.is_word(*at, "group") && t.is_word(at + 1, "by")) {
            return outside().any(|at| at > group && t.is_any(at, &["grouping", "rollup", "cube"]));
        }
        let is_aggregate = |at: usize| {
            let is_window = t.partner(at + 1).is_some_and(|close| t.is_word(close + 1, "over"));
            t.is_any(at, &AGGREGATES) && t.is_sign(at + 1, "(") && !is_window
        };
        let mut at = tokens.start;
        while at < tokens.end {
            if begins_query(t, at) {
                at = t.after(at);
                continue;
            }
            let is_script = t.is_any(at, &["map", "reduce"]) && !t.is_sign(at + 1, "(");
            if is_script || t.is_any(at, &["having", "transform"]) || is_aggregate(at) {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Which part of a target the rows of an INSERT are, if a condition leaves out others.
    pub fn part(&self, insert: &Insert, statement: &Range<usize>, target: &Filled) -> Option<Part> {
        let mut with = None;
        let start = self.with(statement.clone(), &mut with);
        match insert.arm {
            Some(arm) => self.part_of_block(self.blocks.get(&start)?, arm, &with, target, 0)?,
            None => self.part_of_query(insert.rows.clone(), &with, target, 0)?,
        }
    }

    fn part_of_query(&self, tokens: Range<usize>, with: &With, target: &Filled, depth: usize) -> Known {
        let t = self.t;
        if depth == MAX_DEPTH || tokens.is_empty() {
            return None;
        }
        let place = (target.position, tokens.start);
        if let Some(known) = self.parts.borrow().get(&place) {
            return known.clone();
        }
        let mut own = with.clone();
        let mut start = self.with(tokens.clone(), &mut own);
        let mut found = None;
        let mut is_counted = true;
        while start < tokens.end {
            let end = t.until(start..tokens.end, |at| at > start && is_set_operator(t, at));
            if is_counted {
                found = either(found, self.part_of_term(start..end, &own, target, depth));
            }
            // Of INTERSECT and EXCEPT, the rows are those of the left side.
            is_counted = t.is_word(end, "union");
            start = end + 1;
            while t.is_any(start, &["all", "distinct"]) {
                start += 1;
            }
        }
        self.parts.borrow_mut().insert(place, found.clone());
        found
    }

    fn part_of_term(&self, tokens: Range<usize>, with: &With, target: &Filled, depth: usize) -> Known {
        let t = self.t;
        if let Some(start) = self.behind_insert(&tokens) {
            return self.part_of_query(start..tokens.end, with, target, depth + 1);
        }
        if let Some(inside) = t.inside(tokens.start) {
            return self.part_of_query(inside, with, target, depth + 1);
        }
        self.part_of_block(self.blocks.get(&tokens.start)?, 0, with, target, depth)
    }

    fn part_of_block(&self, block: &Block, arm: usize, with: &With, target: &Filled, depth: usize) -> Known {
        if block.unclear.is_some() {
            return None;
        }
        let mut found = None;
        for index in (0..block.relations.len()).filter(|index| is_kept(block, *index)) {
            found = either(found, self.part_of_relation(block, index, arm, with, target, depth));
        }
        found.map(|part| part.or_else(|| self.part_of_filter(block, arm, target)))
    }

    fn part_of_relation(
        &self,
        block: &Block,
        index: usize,
        arm: usize,
        with: &With,
        target: &Filled,
        depth: usize,
    ) -> Known {
        match self.source(block, index, with) {
            Source::Query(tokens, with) => self.part_of_query(tokens, &with, target, depth + 1),
            Source::Table(place) if target.places.contains(&place) => {
                Some(self.facts.get(place, arm).and_then(|fact| fact.part.clone()))
            }
            _ => None,
        }
    }

    /// Conditions that name a column which is not a partition; not those that join two tables.
    fn part_of_filter(&self, block: &Block, arm: usize, target: &Filled) -> Option<Part> {
        let t = self.t;
        let filter = block.arms.get(arm)?.filter.as_ref()?;
        conditions::conjuncts(t, filter).into_iter().find_map(|condition| {
            let names = conditions::names(t, &condition);
            let columns = || {
                names.iter().filter_map(|name| match name {
                    Name::Column(parts) => Some(parts),
                    Name::Function { .. } => None,
                })
            };
            let tables: BTreeSet<String> =
                columns().filter(|parts| parts.len() > 1).map(|parts| t.name(parts[0])).collect();
            let name = columns().filter_map(|parts| parts.last()).map(|last| t.name(*last));
            let name = name.filter(|_| tables.len() < 2).find(|name| target.other_columns.contains(name))?;
            Some(match target.is_partitioned {
                true => Part::OfPartition { on: Some(name), several: false },
                false => Part::OfTable,
            })
        })
    }
}

/// A target that is filled from a logical table.
pub struct Filled {
    /// The position of its schema in the catalog.
    pub position: usize,
    /// Where the statement reads that table.
    pub places: BTreeSet<usize>,
    /// Its columns, in lower case, from which no partition column is computed.
    pub other_columns: BTreeSet<String>,
    pub is_partitioned: bool,
}

/// Where rows of a relation come from.
enum Source {
    Query(Range<usize>, With),
    /// A table, by the start of its name.
    Table(usize),
    Unknown,
}

/// The first part that is known of two sources, if one of them is known at all.
fn either(one: Known, other: Known) -> Known {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.or(other)),
        (one, other) => one.or(other),
    }
}

/// Whether rows of a relation are rows of the block. The other side of an outer join only adds columns to them.
fn is_kept(block: &Block, index: usize) -> bool {
    block.joins.iter().all(|join| {
        let (left, right) =
            ((join.first..join.middle).contains(&index), (join.middle..join.end).contains(&index));
        match join.kind {
            JoinKind::Left | JoinKind::Semi | JoinKind::Anti => !right,
            JoinKind::Right => !left,
            JoinKind::Inner | JoinKind::Full => true,
        }
    })
}
