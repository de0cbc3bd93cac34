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
//!   nothing about a single row of `a`. [`crate::names`] says whose column a name is.
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
//! - **OR.** If every arm of an OR of several relations has conditions on `R` alone, their OR is one on `R`. Counterexample:
//!   `(a.x = 1 AND b.y = 2) OR b.y = 3` needs every row of `a`.
//! - **Queries between** ([`Rule::Between`]). A condition around a query is one of its WHERE, unless something in between depends on
//!   the rows that it excludes: [`crate::around`], [`crate::barriers`]. Counterexample: `(SELECT * FROM a LIMIT 5) q WHERE q.day = 1`.
//! - **Equal columns** ([`Rule::SameType`]). From `x = y` and a condition on `x` follows the same one on `y`: `rewrite/equalities.rs`.
//!   Counterexample: `a LEFT JOIN b ON a.x = b.y AND b.y = 1` needs every row of `a`.
//! - HAVING counts like WHERE for conditions on columns of the GROUP BY. Counterexample: `HAVING max(day) = 1` needs every day.
//!
//! QUALIFY, select lists, CASE, and USING are not used.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use saltplan_core::messages::Span;
use saltplan_core::table::TimeReading;
use saltplan_sql::ast::{
    Call, CallForm, Column, Expr, Literal, Node, ScriptExpr, Type, UnaryOperator, WhyUnread,
};
use saltplan_sql::functions::{Function, Nulls, Volatility};
use saltplan_sql::script::{JoinKind, Kind, Script};

use crate::around::Origin;
use crate::conditions::{all, columns, orders, rejects_null};
use crate::facts::{BlockFacts, Candidate};
use crate::names::Owner;
use crate::scope::KnownTable;

/// Names that have no value in an outer query.
pub const VIRTUAL_COLUMNS: [&str; 5] = [
    "input__file__name",
    "block__offset__inside__file",
    "row__offset__inside__block",
    "raw__data__size",
    "row__id",
];

/// Characters with which a placeholder starts.
pub const TEMPLATES: [&str; 5] = ["${", "{{", "{%", "$[", "#{"];

/// From an OR about more tables than this, nothing follows for each.
const MAX_IN_OR: usize = 16;

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
}

impl fmt::Display for Unused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

/// Where a condition that narrows a reference is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the filter of the arm with this index.
    Where(usize),
    /// In the ON of the join with this index.
    On(usize),
    /// In the HAVING of the arm with this index, about columns of the GROUP BY.
    Having(usize),
    /// In a query around the block.
    Around,
}

impl Place {
    /// The word in the text.
    pub fn word(self) -> &'static str {
        match self {
            Place::Where(_) | Place::Around => "WHERE",
            Place::On(_) => "ON",
            Place::Having(_) => "HAVING",
        }
    }
}

/// A condition about a reference.
#[derive(Debug)]
pub struct Condition<'b> {
    /// What it says about the reference: the condition, or a part of it.
    pub node: Cow<'b, Node>,
    pub place: Place,
    pub origins: &'b [Origin],
    /// Whether only a part of the condition is about the reference.
    pub is_part: bool,
    /// Whether it holds for one of several uses of the block's rows.
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
            is_part,
            of_several: candidate.of_several,
            fate,
        };
        let whole = Cow::Borrowed(&*candidate.node);
        if let Some(blocked) = &candidate.blocked {
            return condition(whole, false, Err(blocked.clone()));
        }
        match self.of_others(candidate).map_or_else(|| self.known_values(&candidate.node), Err) {
            Ok(()) => condition(whole, false, self.may_narrow(&candidate.node, candidate.place)),
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
    pub(crate) fn may_narrow(&self, node: &Node, place: Place) -> Result<(), Unused> {
        if let Some(reason) = self.misplaced(place) {
            return Err(Unused { rule: Rule::Place, reason: reason.into() });
        }
        if self.is_nullable(place) && !rejects_null(node) {
            let reason = "an outer join can replace the columns of the table with NULLs, and the condition may be true for NULLs";
            return Err(Unused { rule: Rule::Null, reason: reason.into() });
        }
        Ok(())
    }

    /// What an OR says about the reference alone: from `(a.x = 1 AND b.y = 2) OR (a.x = 3 AND b.y = 4)` follows
    /// `a.x = 1 OR a.x = 3`.
    fn part_of_or(&self, candidate: &Candidate<'_>) -> Option<Node> {
        let Expr::Or(_) = candidate.node.bare().expr else { return None };
        let mut relations: Vec<usize> = Vec::new();
        for (owner, _) in &candidate.columns {
            if let Owner::Relation(relation) = owner
                && !relations.contains(relation)
            {
                relations.push(*relation);
            }
            // So that the time is linear in the length of the condition.
            if relations.len() > MAX_IN_OR {
                return None;
            }
        }
        self.part_of(candidate.node.bare())
    }

    /// What follows from a condition for the reference alone, if it is true.
    fn part_of(&self, node: &Node) -> Option<Node> {
        match &node.expr {
            Expr::Nested(inner) => Some(Node::new(Expr::Nested(self.part_of(inner)?.into()), node.span)),
            Expr::And(parts) => Some(Node::new(
                all(parts.iter().filter_map(|part| self.part_of(part)).collect())?.expr,
                node.span,
            )),
            Expr::Or(arms) => {
                let arms: Option<Vec<Node>> = arms.iter().map(|arm| self.part_of(arm)).collect();
                Some(Node::new(Expr::Or(arms?), node.span))
            }
            _ => {
                let columns = columns(node);
                let is_own = |(column, _): &(&Column, Span)| {
                    self.facts.owner(column) == Owner::Relation(self.relation)
                };
                let is_usable =
                    !columns.is_empty() && columns.iter().all(is_own) && self.known_values(node).is_ok();
                is_usable.then(|| node.clone())
            }
        }
    }

    /// Whether an ON after a join that can replace this table's columns with NULLs has a condition on this
    /// table alone. Hive 2.3.9 and 3.1.3 on MapReduce then lose the condition if the table is a UNION ALL: in
    /// `u LEFT JOIN (…) c ON … JOIN v ON v.id = u.id AND c.day = 1` rows without a `c` are kept. So the table
    /// is not changed.
    pub fn is_filtered_late(&self, condition: &Condition<'_>) -> bool {
        let is_of_table = !matches!(&condition.fate, Err(unused) if unused.rule == Rule::OneTable);
        is_of_table && matches!(condition.place, Place::On(_)) && self.is_nullable(condition.place)
    }

    /// How predicates read a column, if it is one of the reference.
    fn column(&self, column: &Column) -> Option<&TimeReading<'_>> {
        let is_here = self.facts.owner(column) == Owner::Relation(self.relation);
        let known = self.table?.column(&column.name.to_lowercase()).filter(|_| is_here);
        known.map(|column| &column.time)
    }

    /// Whether all values of a condition are known. Those of a query's columns are judged where a table is read.
    fn known_values(&self, node: &Node) -> Result<(), Unused> {
        match self.table {
            Some(_) => self.plain(node).map_err(|reason| Unused { rule: Rule::Plain, reason }),
            None => Ok(()),
        }
    }

    /// Why a condition is not about the reference alone.
    fn of_others(&self, candidate: &Candidate<'_>) -> Option<Unused> {
        let mut others =
            candidate.columns.iter().filter(|(owner, _)| *owner != Owner::Relation(self.relation));
        let (owner, span) = others.next()?;
        let shown = self.shown(*span);
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
        Some(Unused { rule: Rule::OneTable, reason })
    }

    pub(crate) fn shown(&self, span: Span) -> &str {
        &self.script.source.text[span.start..span.end]
    }

    /// Whether a condition has only columns, constants and known functions.
    fn plain(&self, node: &Node) -> Result<(), String> {
        let mut fault = None;
        each(node, &mut |part| fault = fault.take().or_else(|| self.unknown_value(part)));
        if let Some(reason) = fault {
            return Err(reason);
        }
        self.filled_in_later(node)?;
        let mut fault = None;
        each(node, &mut |part| fault = fault.take().or_else(|| self.unknown_function(part)));
        match fault {
            Some(reason) => Err(reason),
            None => self.same_meaning(node),
        }
    }

    /// Why a part of a condition has a value that is not known.
    fn unknown_value(&self, part: &Node) -> Option<String> {
        let raw = || self.shown(part.span);
        let is_template = |text: &str| TEMPLATES.iter().any(|sign| text.contains(sign));
        let in_text = || Some(format!("{} contains a placeholder whose value is not known", raw()));
        match &part.expr {
            Expr::Script(ScriptExpr::Exists(_) | ScriptExpr::Query(_) | ScriptExpr::InQuery { .. }) => {
                Some("it contains a subquery".into())
            }
            Expr::Script(ScriptExpr::Window(_)) => Some("it contains a window function".into()),
            Expr::Script(ScriptExpr::Placeholder(text)) if text.starts_with("${") => {
                Some(format!("the value of `{text}` is not known"))
            }
            Expr::Script(ScriptExpr::Placeholder(_)) => {
                Some("it contains a placeholder whose value is not known".into())
            }
            Expr::Script(ScriptExpr::Unread(unread)) => Some(match &unread.reason {
                WhyUnread::Placeholder => "it contains a placeholder whose value is not known".into(),
                WhyUnread::Syntax(message) => format!("the planner does not understand it: {message}"),
            }),
            Expr::InList { list, .. } if list.len() > 1 && list[0].expr == Expr::Literal(Literal::Null) => {
                Some("Hive 3.1.3 finds no text in a list that begins with NULL: write NULL last".into())
            }
            Expr::Call(Call { form: CallForm::Bare, .. }) => {
                Some(format!("`{}` is not known before the query runs", raw()))
            }
            Expr::Literal(Literal::Text(text)) | Expr::TypedText { text, .. } if is_template(text) => {
                in_text()
            }
            Expr::Column(Column { quoted: true, name, .. }) if is_template(name) => in_text(),
            _ => None,
        }
    }

    /// Why a part of a condition may have another value each time.
    fn unknown_function(&self, part: &Node) -> Option<String> {
        let (name, function, arguments) = match &part.expr {
            Expr::Call(Call { form: CallForm::LikeList, .. }) => return None,
            // Hive has no name for these.
            Expr::Call(Call { form: CallForm::Extract(_), .. }) => ("extract", None, 1),
            Expr::Call(call) | Expr::Opaque(call) => {
                (call.name.as_str(), call.function, call.arguments.len())
            }
            // Also of `int(x)`.
            Expr::Cast { written, .. } if self.redefined.contains(&written.to_lowercase()) => {
                return Some(format!("the script defines `{written}` itself"));
            }
            _ => return None,
        };
        if self.redefined.contains(name) {
            return Some(format!("the script defines `{name}` itself"));
        }
        let is_opaque = matches!(part.expr, Expr::Opaque(_));
        if function.is_some_and(|known| known.is_constant(arguments)) && !is_opaque {
            return None;
        }
        let is_of_query = function.is_some_and(|known| {
            matches!(known.volatility, Volatility::Query | Volatility::QueryWithoutArguments)
        });
        Some(match is_of_query {
            true => format!("`{name}()` is not known before the query runs"),
            false => format!("`{name}` is not known to return the same value every time"),
        })
    }

    /// A value that is filled in when the query runs, in the form of the key, must mean the same in the query: a number
    /// may be written without quotes only where the column is a number, because to Hive the text `05` and the number 5
    /// are equal. Inside a function or a sum the planner and Hive can take it for different values: to Hive,
    /// `date_sub('20200406', 1)` is NULL.
    fn filled_in_later(&self, node: &Node) -> Result<(), String> {
        let mut fault = None;
        each_later(node, true, &mut |part, is_compared| {
            if fault.is_some() {
                return;
            }
            let raw = self.shown(part.span);
            if !is_compared {
                fault = Some(format!(
                    "the value of {raw} must be known when the query is rewritten, because it is not compared directly"
                ));
            } else if self.is_bare(part) && self.readings(node).iter().any(|of| *of != TimeReading::Number) {
                fault = Some(format!("{raw} is compared with a text: write it in quotes, `'{raw}'`"));
            }
        });
        fault.map_or(Ok(()), Err)
    }

    /// Whether a value is written without quotes.
    fn is_bare(&self, node: &Node) -> bool {
        self.script.tokens.kind_at(node.span.start) == Some(Kind::Variable)
    }

    /// How predicates read the columns of a condition.
    fn readings(&self, node: &Node) -> Vec<TimeReading<'_>> {
        let columns = columns(node).into_iter();
        columns.filter_map(|(column, _)| self.column(column).copied()).collect()
    }

    /// The planner compares a number or a text that stands for a time with other forms of a time as times, and Hive does
    /// not. A condition that could be true in Hive but not for the planner is not used. `meaning.rs` has the rule for columns of the
    /// types DATE and TIMESTAMP.
    fn same_meaning(&self, node: &Node) -> Result<(), String> {
        let mut columns = self.readings(node);
        columns.retain(|reading| !matches!(reading, TimeReading::AsTyped | TimeReading::Time));
        let Some(first) = columns.first() else { return Ok(()) };
        let (is_typed, is_made) = made_values(node)?;
        let is_text = is_made
            || has_text(node, &|text| match first {
                TimeReading::Text(format) => is_iso(text) && shape(text.trim()) != shape(format),
                _ => !is_number(text),
            });
        // In Hive a number compared with such a text is NULL, so nothing is lost unless the condition tests for NULL.
        let only_numbers = columns.iter().all(|reading| *reading == TimeReading::Number);
        match is_typed || is_text && !(only_numbers && !sees_null(node)) {
            true => Err("it compares a number or a text with a time".into()),
            false => Ok(()),
        }
    }

    /// Why a condition does not narrow the relation from its place.
    fn misplaced(&self, place: Place) -> Option<&'static str> {
        let relation = self.relation;
        let Place::On(index) = place else {
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
    pub(crate) fn is_nullable(&self, place: Place) -> bool {
        let relation = self.relation;
        let seen = match place {
            Place::Where(_) | Place::Having(_) | Place::Around => 0..usize::MAX,
            Place::On(index) => {
                let join = &self.facts.block.joins[index];
                if relation < join.middle { join.first..join.middle } else { join.middle..join.end }
            }
        };
        // Joins around a relation contain each other, so if any of them is seen, the innermost one is.
        let join = self.facts.nulled_by(relation).and_then(|index| self.facts.block.joins.get(index));
        join.is_some_and(|join| seen.start <= join.first && join.end <= seen.end)
    }
}

/// Visits a condition and its parts with their places, outer ones first.
fn each<'n>(node: &'n Node, visit: &mut dyn FnMut(&'n Node)) {
    visit(node);
    node.for_each_part(&mut |part| each(part, visit));
}

/// Visits the values that are filled in when the query runs, and says whether each is compared as it is.
fn each_later<'n>(node: &'n Node, is_compared: bool, visit: &mut dyn FnMut(&'n Node, bool)) {
    let compares = match &node.expr {
        Expr::Runtime(_) => return visit(node, is_compared),
        Expr::Nested(_) | Expr::Tuple(_) => is_compared,
        Expr::BinaryOp { op, .. } => orders(*op),
        Expr::Between { .. } | Expr::InList { .. } => true,
        Expr::Call(_) | Expr::Opaque(_) | Expr::Cast { .. } => {
            return each(node, &mut |part| {
                if matches!(part.expr, Expr::Runtime(_)) {
                    visit(part, false);
                }
            });
        }
        _ => false,
    };
    node.for_each_part(&mut |part| each_later(part, compares, visit));
}

/// Whether a condition has a text that fits a test, other than a pattern of LIKE.
fn has_text(node: &Node, fits: &dyn Fn(&str) -> bool) -> bool {
    let is_text = |expr: &Expr| matches!(expr, Expr::Literal(Literal::Text(_)));
    match &node.expr {
        Expr::Literal(Literal::Text(text)) | Expr::TypedText { text, .. } => fits(text),
        Expr::Like { expr, pattern, .. } | Expr::RLike { expr, pattern, .. } if is_text(pattern) => {
            has_text(expr, fits)
        }
        _ => {
            let mut found = false;
            node.for_each_part(&mut |part| found = found || has_text(part, fits));
            found
        }
    }
}

/// Whether a condition may be true because something is NULL.
fn sees_null(node: &Node) -> bool {
    let mut found = false;
    each(node, &mut |part| {
        found |= match &part.expr {
            Expr::UnaryOp { op: UnaryOperator::Not, .. } | Expr::Is { .. } | Expr::Case { .. } => true,
            Expr::BinaryOp { op, .. } => op.is_null_safe(),
            Expr::InList { negated, .. }
            | Expr::Between { negated, .. }
            | Expr::Like { negated, .. }
            | Expr::RLike { negated, .. } => *negated,
            // A function of constants sees no comparison.
            Expr::Call(call) => {
                call.function.is_some_and(|function| function.nulls != Nulls::AnyArgument)
                    && !columns(part).is_empty()
            }
            _ => false,
        };
    });
    found
}

/// Whether a condition has a value of the type DATE or TIMESTAMP or an interval, and whether it has another value that a function
/// makes. Fails if a function of times has a column.
fn made_values(node: &Node) -> Result<(bool, bool), String> {
    let (mut is_typed, mut is_made, mut fault) = (false, false, None);
    each(node, &mut |part| {
        let (name, is_of_times, is_time) = match &part.expr {
            Expr::TypedText { .. } | Expr::Interval { .. } => {
                is_typed = true;
                return;
            }
            Expr::Call(call) | Expr::Opaque(call) if call.form != CallForm::LikeList => (
                call.name.as_str(),
                call.function.is_some_and(Function::is_of_times),
                call.function.is_some_and(|function| function.result.is_time()),
            ),
            // A number with a letter is no cast.
            Expr::Cast { expr, data_type, written } if !is_typed_number(expr, written) => {
                let is_time = matches!(data_type, Type::Date | Type::Timestamp);
                ("cast", is_time, is_time)
            }
            _ => return,
        };
        let has_column = !columns(part).is_empty();
        if is_of_times && has_column && fault.is_none() {
            fault = Some(format!(
                "for saltplan the operand of `{name}` is a time, but in the query it is a number or a text"
            ));
        }
        is_typed |= is_of_times && is_time;
        is_made |= !has_column;
    });
    match fault {
        Some(reason) => Err(reason),
        None => Ok((is_typed, is_made)),
    }
}

/// `5L`
fn is_typed_number(expr: &Expr, written: &str) -> bool {
    written.len() == 1 && matches!(expr, Expr::Literal(Literal::Number(_)))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text starts like `2020-04-06`.
pub fn is_iso(text: &str) -> bool {
    let digits = |part: Option<&str>| part.is_some_and(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    let mut parts = text.trim().splitn(3, '-');
    (0..3).all(|_| digits(parts.next()))
}

/// A text or a format with every letter and digit as 0.
pub fn shape(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() && c != 'T' { '0' } else { c }).collect()
}
