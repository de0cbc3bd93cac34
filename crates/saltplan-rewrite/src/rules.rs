//! Which conditions of a query may narrow a table that it reads.
//!
//! A reference `R` of a query block is replaced with the rows of `R` that satisfy some conditions of the
//! block. The text of the block stays, including these conditions. The rows of the block must stay the same,
//! including duplicates. Then everything around it (a CTE, EXISTS, a UNION, an INSERT, grouping, windows)
//! also gives the same result. Removing a row `r` from `R` has two effects: the joined rows that contain `r`
//! disappear, and if `r` was the only match in an outer join, a row with NULLs for the columns of `R`
//! appears. The rules say when the block drops both kinds of rows anyway.
//!
//! - **One table** ([`Rule::OneTable`]). Every column of the condition is a column of `R`. Counterexample: `a.day = b.day` says
//!   nothing about a single row of `a`. `names.rs` says whose column a name is.
//! - **Known values** ([`Rule::Plain`]). No subquery, no window function, only functions that are known to return the same value
//!   every time, and no placeholder whose value is not known. Counterexample: `rand() < 0.5` in two places would
//!   keep two different halves. And the condition must mean the same to Hive and to the planner: in Hive,
//!   `year(at)` of an instant is in the zone of the session.
//! - **The place** ([`Rule::Place`]). A conjunct of a WHERE, or of the ON of a join that drops rows without a match. WHERE
//!   narrows any relation except the right one of a semi or anti join, to which it cannot refer. The ON of an
//!   inner or semi join narrows both sides, of a LEFT or anti join the right side, of a RIGHT join the left
//!   side, of a FULL join neither. Counterexample: `a LEFT JOIN b ON a.day = 1` returns a row for each row of
//!   `a`, whatever its day is.
//! - **NULL** ([`Rule::Null`]). If an outer join can replace the columns of `R` with NULLs before the condition is tested,
//!   the condition must be FALSE or NULL for NULLs. Counterexample: `a LEFT JOIN b ON … WHERE b.day IS NULL`:
//!   without the rows of `b` whose day is not NULL, every row of `a` would get NULLs and be kept.
//!
//! - **OR.** If every arm of an OR of several relations has conditions on `R` alone, their OR is one on `R`: `parts.rs`.
//!   Counterexample: `(a.x = 1 AND b.y = 2) OR b.y = 3` needs every row of `a`.
//! - **Queries between** ([`Rule::Between`]). A condition around a query is one of its WHERE, unless something in between depends on
//!   the rows that it excludes: `around.rs`, `barriers.rs`. Counterexample: `(SELECT * FROM a LIMIT 5) q WHERE q.day = 1`. Of an OR,
//!   what stops may be left out of an arm that says more, not the arm: `q.day = 1 OR q.the_sum = 2` needs every day.
//! - **Equal columns** ([`Rule::SameType`]). From `x = y` and a condition on `x` follows the same one on `y`: `rewrite/equalities.rs`.
//!   Counterexample: `a LEFT JOIN b ON a.x = b.y AND b.y = 1` needs every row of `a`.
//! - HAVING counts like WHERE for what it says of the keys of the GROUP BY alone. Counterexample: `HAVING max(day) = 1` needs every day.
//!
//! QUALIFY, select lists, CASE, and USING are not used.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use saltplan_core::messages::Span;
use saltplan_core::table::TimeReading;
use saltplan_sql::ast::{Column, Expr, Node};
use saltplan_sql::script::{JoinKind, Script};

use crate::around::Origin;
use crate::conditions::rejects_null;
use crate::facts::{BlockFacts, Candidate};
use crate::names::Owner;
use crate::runtime::RuntimeTexts;
use crate::scope::KnownTable;

/// Names that have no value in an outer query.
pub const VIRTUAL_COLUMNS: [&str; 5] = [
    "input__file__name",
    "block__offset__inside__file",
    "row__offset__inside__block",
    "raw__data__size",
    "row__id",
];

/// The rule because of which a condition is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Rule {
    OneTable,
    Plain,
    Place,
    Null,
    Between,
    SameType,
}

impl Rule {
    /// A stable code for programs.
    pub fn code(self) -> &'static str {
        match self {
            Rule::OneTable => "one_table",
            Rule::Plain => "plain",
            Rule::Place => "place",
            Rule::Null => "null",
            Rule::Between => "between",
            Rule::SameType => "same_type",
        }
    }
}

/// Why a condition is not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unused {
    pub rule: Rule,
    pub reason: String,
    /// If a value is known only when the query runs: how it can be given before.
    pub known: Option<Known>,
}

impl Unused {
    pub(crate) fn new(rule: Rule, reason: impl Into<String>) -> Self {
        Unused { rule, reason: reason.into(), known: None }
    }
}

/// How a value that is known only when a query runs can be given before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Known {
    /// As a variable of Hive.
    Hivevar,
    /// As a setting of Hive.
    Hiveconf,
    /// By the time at which the query runs.
    Now,
    /// Only in the text of the query.
    Unread,
}

impl fmt::Display for Unused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

/// Where a condition that narrows a reference is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConditionPlace {
    /// In the filter of the arm with this index.
    Where(usize),
    /// In the ON of the join with this index.
    On(usize),
    /// In the HAVING of the arm with this index, about keys of the GROUP BY.
    Having(usize),
    /// In a query around the block.
    Around,
}

impl ConditionPlace {
    /// The keyword with which the place begins.
    pub fn word(self) -> &'static str {
        match self {
            ConditionPlace::Where(_) | ConditionPlace::Around => "WHERE",
            ConditionPlace::On(_) => "ON",
            ConditionPlace::Having(_) => "HAVING",
        }
    }
}

/// A condition about a reference.
#[derive(Debug)]
pub struct Condition<'b> {
    /// What it says about the reference: the condition, or a part of it.
    pub node: Cow<'b, Node>,
    pub place: ConditionPlace,
    pub origins: &'b [Origin],
    /// Whether only a part of the condition is about the reference.
    pub is_part: bool,
    /// Whether the rows of the block are used several times, and the condition is on only one use.
    pub of_several: bool,
    pub fate: Result<(), Unused>,
}

impl Condition<'_> {
    /// Whether it has a value that is filled in when the query runs.
    pub fn is_later(&self) -> bool {
        saltplan_sql::rewrite::has(&self.node, |part| matches!(part, Expr::Runtime(_)))
    }
}

/// The relation of a block that is examined.
#[derive(Debug)]
pub struct Reference<'a, 'f, 'b> {
    pub script: &'a Script<'a>,
    pub facts: &'f BlockFacts<'b>,
    /// The index of the relation.
    pub relation: usize,
    /// `None` if it is a query.
    pub table: Option<&'a KnownTable<'b>>,
    /// Functions that the script defines itself, in lower case.
    pub redefined: &'a BTreeSet<String>,
    pub runtime: &'a RuntimeTexts,
}

impl<'f> Reference<'_, 'f, '_> {
    /// The conditions of the block about the reference, each with the verdict of the rules.
    pub fn conditions(&self) -> Vec<Condition<'f>> {
        self.facts.about(self.relation).map(|candidate| self.condition(candidate)).collect()
    }

    fn condition(&self, candidate: &'f Candidate<'_>) -> Condition<'f> {
        let condition = |node, is_part, fate| Condition {
            node,
            place: candidate.place,
            origins: &candidate.origins,
            is_part: is_part || candidate.is_part,
            of_several: candidate.of_several,
            fate,
        };
        let whole = Cow::Borrowed(&*candidate.node);
        if let Some(blocked) = &candidate.blocked {
            return condition(whole, false, Err(blocked.clone()));
        }
        match self.of_others(candidate).map_or_else(|| self.usable(&candidate.node), Err) {
            Ok(node) => {
                let fate = self.may_narrow(&node, candidate.place);
                condition(node, false, fate)
            }
            Err(unused) => match self.part_of_or(candidate) {
                Some(part) => {
                    let fate = self.may_narrow(&part, candidate.place);
                    condition(Cow::Owned(part), true, fate)
                }
                None => condition(whole, false, Err(unused)),
            },
        }
    }

    /// Why a condition about the reference alone may not narrow it from its place.
    pub(crate) fn may_narrow(&self, node: &Node, place: ConditionPlace) -> Result<(), Unused> {
        if let Some(reason) = self.misplaced(place) {
            return Err(Unused::new(Rule::Place, reason));
        }
        if self.is_nullable(place) && !rejects_null(node) {
            let reason = "an outer join can replace the columns of the table with NULLs, and the condition may be true for NULLs";
            return Err(Unused::new(Rule::Null, reason));
        }
        Ok(())
    }

    /// Whether an ON after a join that can replace this table's columns with NULLs has a condition on this
    /// table alone. Hive 2.3.9 and 3.1.3 on MapReduce then lose the condition if the table is a UNION ALL: in
    /// `u LEFT JOIN (…) c ON … JOIN v ON v.id = u.id AND c.day = 1` rows without a `c` are kept. So the table
    /// is not changed.
    pub fn is_filtered_late(&self, condition: &Condition<'_>) -> bool {
        let is_of_table = !matches!(&condition.fate, Err(unused) if unused.rule == Rule::OneTable);
        is_of_table && matches!(condition.place, ConditionPlace::On(_)) && self.is_nullable(condition.place)
    }

    /// How predicates read a column, if it is one of the reference.
    pub(crate) fn column(&self, column: &Column) -> Option<&TimeReading<'_>> {
        let is_here = self.facts.owner(column) == Owner::Relation(self.relation);
        let known = self.table?.column(&column.name.to_lowercase()).filter(|_| is_here);
        known.map(|column| &column.time)
    }

    /// A condition whose values are known, or parameters that stand for values that are known when the query runs.
    fn usable<'n>(&self, node: &'n Node) -> Result<Cow<'n, Node>, Unused> {
        let later = match self.table {
            Some(_) => self.with_later_values(node)?,
            None => None,
        };
        let node = later.map_or(Cow::Borrowed(node), Cow::Owned);
        self.known_values(&node)?;
        Ok(node)
    }

    /// Whether all values of a condition are known. Those of a query's columns are judged where a table is read.
    pub(crate) fn known_values(&self, node: &Node) -> Result<(), Unused> {
        match self.table {
            Some(_) => self.plain(node).map_err(|reason| Unused::new(Rule::Plain, reason)),
            None => Ok(()),
        }
    }

    /// Why a condition is not about the reference alone.
    fn of_others(&self, candidate: &Candidate<'_>) -> Option<Unused> {
        let mut others =
            candidate.columns.iter().filter(|(owner, _)| *owner != Owner::Relation(self.relation));
        let (owner, span) = others.next()?;
        let shown = self.text_at(*span);
        let reason = match owner {
            Owner::Missing(relation) if *relation == self.relation => match self.table {
                Some(_) => format!("the schema has no column `{shown}`"),
                None => format!("the query has no column `{shown}`"),
            },
            Owner::SharedAlias => match shown.split_once('.') {
                Some((alias, _)) => format!("`{alias}` is the name of more than one relation"),
                None => format!("the relation with `{shown}` has the name of another one"),
            },
            Owner::Several => format!("more than one relation has a column `{shown}`"),
            Owner::LateralView => format!("a LATERAL VIEW makes `{shown}`"),
            Owner::Using => format!("the USING of a join makes one column `{shown}` of those of both sides"),
            Owner::Relation(_) | Owner::Missing(_) | Owner::Elsewhere => {
                format!("`{shown}` belongs to another table")
            }
        };
        Some(Unused::new(Rule::OneTable, reason))
    }

    pub(crate) fn text_at(&self, span: Span) -> &str {
        &self.script.source.text[span.start..span.end]
    }

    /// Why a condition does not narrow the relation from its place.
    fn misplaced(&self, place: ConditionPlace) -> Option<&'static str> {
        let relation = self.relation;
        let ConditionPlace::On(index) = place else {
            let is_hidden = self.facts.is_right_of_semi_join(relation);
            return is_hidden.then_some("WHERE cannot refer to the right side of a SEMI JOIN");
        };
        let join = &self.facts.block.joins[index];
        let is_left = (join.first..join.middle).contains(&relation);
        let is_right = (join.middle..join.end).contains(&relation);
        match join.kind {
            _ if !is_left && !is_right => Some("the ON belongs to another join"),
            JoinKind::Left if is_left => {
                Some("a LEFT JOIN keeps every row of its left side, whatever its ON says")
            }
            JoinKind::Right if is_right => {
                Some("a RIGHT JOIN keeps every row of its right side, whatever its ON says")
            }
            JoinKind::Full => Some("a FULL JOIN keeps every row of both sides, whatever its ON says"),
            JoinKind::Anti if is_left => {
                Some("an ANTI JOIN keeps rows of its left side for which its ON is not true")
            }
            _ => None,
        }
    }

    /// Whether a join can have replaced the relation's columns with NULLs before the condition is tested.
    pub(crate) fn is_nullable(&self, place: ConditionPlace) -> bool {
        let relation = self.relation;
        let seen = match place {
            ConditionPlace::Where(_) | ConditionPlace::Having(_) | ConditionPlace::Around => 0..usize::MAX,
            ConditionPlace::On(index) => {
                let join = &self.facts.block.joins[index];
                if relation < join.middle { join.first..join.middle } else { join.middle..join.end }
            }
        };
        // Joins around a relation contain each other, so if any of them is seen, the innermost one is.
        let join = self.facts.nulled_by(relation).and_then(|index| self.facts.block.joins.get(index));
        join.is_some_and(|join| seen.start <= join.first && join.end <= seen.end)
    }
}
