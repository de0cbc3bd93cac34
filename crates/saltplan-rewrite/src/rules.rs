//! Which conditions of a query may narrow a table that it reads.
//!
//! A reference `R` of a query block is replaced with the rows of `R` that satisfy some conditions of the
//! block. The text of the block stays, including these conditions. The rows of the block must stay the same,
//! including duplicates. Then everything around it (a CTE, EXISTS, a UNION, an INSERT, grouping, windows)
//! also gives the same result. Removing a row `r` from `R` has two effects: the joined rows that contain `r`
//! disappear, and if `r` was the only match in an outer join, a row with NULLs for the columns of `R`
//! appears. The rules say when the block drops both kinds of rows anyway.
//!
//! - **M1, one table.** Every column of the condition is a column of `R`: `alias.column`, or a plain name if
//!   `R` is the only relation and there is no lateral view. Counterexample: `a.day = b.day` says nothing
//!   about a single row of `a`.
//! - **M2, plain.** No subquery, no window function, only functions that are known to return the same value
//!   every time, and no placeholder whose value is not known. Counterexample: `rand() < 0.5` in two places would
//!   keep two different halves. And the condition must mean the same to Hive and to the planner: in Hive,
//!   `year(at)` of an instant is in the zone of the session.
//! - **M3, the place.** A conjunct of a WHERE, or of the ON of a join that drops rows without a match. WHERE
//!   narrows any relation except the right one of a semi or anti join, to which it cannot refer. The ON of an
//!   inner or semi join narrows both sides, of a LEFT or anti join the right side, of a RIGHT join the left
//!   side, of a FULL join neither. Counterexample: `a LEFT JOIN b ON a.day = 1` returns a row for each row of
//!   `a`, whatever its day is.
//! - **M4, NULL.** If an outer join can replace the columns of `R` with NULLs before the condition is tested,
//!   the condition must be FALSE or NULL for NULLs. Counterexample: `a LEFT JOIN b ON … WHERE b.day IS NULL`:
//!   without the rows of `b` whose day is not NULL, every row of `a` would get NULLs and be kept.
//! - **M5, not from elsewhere.** HAVING, QUALIFY, select lists, CASE, grouping, USING, and conditions of an
//!   outer query on the result of a subquery are not used. Counterexample: `HAVING max(day) = 1` needs every
//!   day.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use saltplan_core::table::{LogicalTable, TimeReading};
use saltplan_sql::functions::{Function, Nulls, Volatility};

use crate::conditions::{Name, rejects_null};
use crate::facts::BlockFacts;
use crate::runtime::{self, RuntimeTexts};
use crate::skeleton::{Block, JoinKind};
use crate::tokens::{Kind, Tokens};

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

/// The rule because of which a condition is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Rule {
    OneTable,
    Plain,
    Place,
    Null,
}

impl Rule {
    pub fn code(self) -> &'static str {
        match self {
            Rule::OneTable => "M1",
            Rule::Plain => "M2",
            Rule::Place => "M3",
            Rule::Null => "M4",
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
        write!(f, "{} ({})", self.reason, self.rule.code())
    }
}

/// Where a condition that narrows a reference is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the filter of the arm with this index.
    Where(usize),
    /// In the ON of the join with this index.
    On(usize),
}

/// A condition about a reference.
#[derive(Debug)]
pub struct Condition {
    pub tokens: Range<usize>,
    pub place: Place,
    pub fate: Result<(), Unused>,
}

/// The relation of a block that is examined.
#[derive(Debug)]
pub struct Reference<'a, 't> {
    pub tokens: &'a Tokens<'t>,
    pub block: &'a Block,
    pub facts: &'a BlockFacts<'a>,
    /// The index of the relation.
    pub relation: usize,
    /// In lower case.
    pub alias: &'a str,
    pub table: &'a LogicalTable<'a>,
    /// Whether the alias refers only to this relation.
    pub is_unique: bool,
    /// Functions that the script defines itself, in lower case.
    pub redefined: &'a BTreeSet<String>,
    /// Values that are filled in when the query runs.
    pub runtime: &'a RuntimeTexts,
}

impl Reference<'_, '_> {
    /// The conditions of the block about the reference, each with the verdict of the rules.
    pub fn conditions(&self) -> Vec<Condition> {
        let candidates = self.facts.candidates(self.alias, self.takes_bare_names());
        let own = candidates.filter(|candidate| candidate.names.iter().any(|name| self.is_own(name)));
        own.map(|candidate| Condition {
            tokens: candidate.tokens.clone(),
            place: candidate.place,
            fate: self.judge(&candidate.tokens, &candidate.names, candidate.place),
        })
        .collect()
    }

    /// Whether an ON after a join that can replace this table's columns with NULLs has a condition on this
    /// table alone. Hive 2.3.9 and 3.1.3 on MapReduce then lose the condition if the table is a UNION ALL: in
    /// `u LEFT JOIN (…) c ON … JOIN v ON v.id = u.id AND c.day = 1` rows without a `c` are kept. So the table
    /// is not changed.
    pub fn is_filtered_late(&self, condition: &Condition) -> bool {
        let is_of_table = !matches!(&condition.fate, Err(unused) if unused.rule == Rule::OneTable);
        is_of_table && matches!(condition.place, Place::On(_)) && self.is_nullable(condition.place)
    }

    /// Whether plain names are columns of the reference.
    fn takes_bare_names(&self) -> bool {
        self.block.relations.len() == 1 && self.block.lateral_views.is_empty()
    }

    fn column(&self, parts: &[usize]) -> Option<&TimeReading<'_>> {
        let name = match parts {
            [column] if self.takes_bare_names() => self.tokens.name(*column),
            [table, column] if self.is_unique && self.tokens.name(*table) == self.alias => {
                self.tokens.name(*column)
            }
            _ => return None,
        };
        let mut columns = self.table.columns.iter();
        columns.find(|column| column.name.to_lowercase() == name).map(|column| &column.time)
    }

    /// Whether a name refers to the reference, if only by its alias.
    fn is_own(&self, name: &Name) -> bool {
        match name {
            Name::Function { .. } => false,
            Name::Column(parts) => {
                self.column(parts).is_some() || parts.len() > 1 && self.tokens.name(parts[0]) == self.alias
            }
        }
    }

    fn judge(&self, tokens: &Range<usize>, names: &[Name], place: Place) -> Result<(), Unused> {
        let unused = |rule, reason: String| Err(Unused { rule, reason });
        // M1
        for name in names {
            if let Name::Column(parts) = name
                && self.column(parts).is_none()
                && !(parts.len() == 1 && is_word_of_clock(self.tokens, parts[0]))
            {
                let shown = self.shown(parts[0]..parts[parts.len() - 1] + 1);
                let reason = match parts.as_slice() {
                    [_] if !self.takes_bare_names() => {
                        format!("it does not say to which table `{shown}` belongs")
                    }
                    [table, _] if self.tokens.name(*table) == self.alias && self.is_unique => {
                        format!("the schema has no column `{shown}`")
                    }
                    [table, _] if self.tokens.name(*table) == self.alias => {
                        format!("`{}` is the name of more than one relation", self.shown(*table..*table + 1))
                    }
                    _ => format!("`{shown}` belongs to another table"),
                };
                return unused(Rule::OneTable, reason);
            }
        }
        // M2
        self.plain(tokens, names).map_err(|reason| Unused { rule: Rule::Plain, reason })?;
        // M3
        if let Some(reason) = self.misplaced(place) {
            return unused(Rule::Place, reason.into());
        }
        // M4
        if self.is_nullable(place) && !rejects_null(self.tokens, tokens) {
            let reason = "an outer join can replace the columns of the table with NULLs, and the condition may be true for NULLs";
            return unused(Rule::Null, reason.into());
        }
        Ok(())
    }

    fn shown(&self, range: Range<usize>) -> &str {
        let place = self.tokens.place(&range);
        &self.tokens.text[place.start..place.end]
    }

    /// M2: only columns, constants and known functions.
    fn plain(&self, range: &Range<usize>, names: &[Name]) -> Result<(), String> {
        let t = self.tokens;
        for at in range.clone() {
            let raw = t.raw(at);
            match t.kind(at) {
                _ if self.runtime.parameter(t, at).is_some() => self.filled_in_later(range, names, at)?,
                _ if t.is_any(at, &["select", "exists"]) => return Err("it contains a subquery".into()),
                _ if t.is_word(at, "over") => return Err("it contains a window function".into()),
                _ if t.is_word(at, "in")
                    && t.is_sign(at + 1, "(")
                    && t.is_word(at + 2, "null")
                    && t.is_sign(at + 3, ",") =>
                {
                    return Err(
                        "Hive 3.1.3 finds no text in a list that begins with NULL: write NULL last".into()
                    );
                }
                _ if is_word_of_clock(t, at) => {
                    return Err(format!("`{raw}` is not known before the query runs"));
                }
                Some(Kind::Variable) => return Err(format!("the value of `{raw}` is not known")),
                Some(Kind::Text | Kind::Quoted) if TEMPLATES.iter().any(|sign| raw.contains(sign)) => {
                    return Err(format!("{raw} contains a placeholder whose value is not known"));
                }
                Some(Kind::Sign) if ["{", "}", "?", ":", "@", "#"].contains(&raw) => {
                    return Err("it contains a placeholder whose value is not known".into());
                }
                _ => {}
            }
        }
        for name in names {
            let Name::Function { name, open } = name else { continue };
            let function = t.name(*name);
            if self.redefined.contains(&function) {
                return Err(format!("the script defines `{function}` itself"));
            }
            let known = Function::everywhere(&function).filter(|_| t.kind(*name) != Some(Kind::Quoted));
            let arguments = usize::from(!t.is_sign(open + 1, ")"));
            if t.is_word(*name, "cast") || known.is_some_and(|known| known.is_constant(arguments)) {
                continue;
            }
            let is_of_query = known.is_some_and(|known| {
                matches!(known.volatility, Volatility::Query | Volatility::QueryWithoutArguments)
            });
            return Err(match is_of_query {
                true => format!("`{function}()` is not known before the query runs"),
                false => format!("`{function}` is not known to return the same value every time"),
            });
        }
        self.same_meaning(range, names)
    }

    /// A value that is filled in when the query runs, in the form of the key, must mean the same in the query: a number
    /// may be written without quotes only where the column is a number, because to Hive the text `05` and the number 5
    /// are equal.
    fn filled_in_later(&self, range: &Range<usize>, names: &[Name], at: usize) -> Result<(), String> {
        let t = self.tokens;
        let raw = t.raw(at);
        if !runtime::is_compared(t, range, names, at) {
            return Err(format!(
                "the value of {raw} must be known when the query is rewritten, because it is not compared directly"
            ));
        }
        let columns = names.iter().filter_map(|name| match name {
            Name::Column(parts) => self.column(parts),
            Name::Function { .. } => None,
        });
        let is_bare = t.kind(at) == Some(Kind::Variable);
        match is_bare && columns.into_iter().any(|reading| *reading != TimeReading::Number) {
            true => Err(format!("{raw} is compared with a text: write it in quotes, `'{raw}'`")),
            false => Ok(()),
        }
    }

    /// The planner compares a number or a text that stands for a time with other forms of a time as times, and Hive does
    /// not. A condition that could be true in Hive but not for the planner is not used. `meaning.rs` has the rule for columns of the
    /// types DATE and TIMESTAMP.
    fn same_meaning(&self, range: &Range<usize>, names: &[Name]) -> Result<(), String> {
        let t = self.tokens;
        let columns = names.iter().filter_map(|name| match name {
            Name::Column(parts) => self.column(parts).copied(),
            Name::Function { .. } => None,
        });
        let columns: Vec<TimeReading<'_>> =
            columns.filter(|reading| !matches!(reading, TimeReading::AsTyped | TimeReading::Time)).collect();
        let Some(first) = columns.first() else { return Ok(()) };
        let (is_typed, is_made) = self.made_values(range, names)?;
        let is_text = is_made
            || range.clone().any(|at| {
                let is_pattern = at > 0 && t.is_any(at - 1, &["like", "rlike", "regexp"]);
                // The statement checks that it has the form of the key.
                let is_later = self.runtime.parameter(t, at).is_some();
                t.kind(at) == Some(Kind::Text) && !is_pattern && !is_later && {
                    let text = literal(t.raw(at));
                    match first {
                        TimeReading::Text(format) => is_iso(text) && shape(text.trim()) != shape(format),
                        _ => !is_number(text),
                    }
                }
            });
        let sees_null = range
            .clone()
            .any(|at| t.is_any(at, &["not", "is", "case"]) || t.is_sign(at, "!") || t.is_sign(at, "<=>"));
        let sees_null = sees_null
            || names.iter().any(|name| match name {
                Name::Function { name, .. } => Function::everywhere(&t.name(*name))
                    .is_some_and(|function| function.nulls != Nulls::AnyArgument),
                Name::Column(_) => false,
            });
        // In Hive a number compared with such a text is NULL, so nothing is lost unless the condition tests for NULL.
        let only_numbers = columns.iter().all(|reading| *reading == TimeReading::Number);
        match is_typed || is_text && !(only_numbers && !sees_null) {
            true => Err("it compares a number or a text with a time".into()),
            false => Ok(()),
        }
    }

    /// Whether a condition has a value of the type DATE or TIMESTAMP or an interval, and whether it has another value that a function
    /// makes. Fails if a function of times has a column.
    fn made_values(&self, range: &Range<usize>, names: &[Name]) -> Result<(bool, bool), String> {
        let t = self.tokens;
        let mut is_made = false;
        let mut is_typed = range.clone().any(|at| {
            t.is_any(at, &["date", "timestamp"]) && t.kind(at + 1) == Some(Kind::Text)
                || t.is_word(at, "interval")
        });
        for name in names {
            let Name::Function { name, open } = name else { continue };
            let Some(inside) = t.inside(*open) else { continue };
            let has_column =
                crate::conditions::names(t, &inside).iter().any(|name| matches!(name, Name::Column(_)));
            let is_cast = t.is_word(*name, "cast")
                && inside.clone().any(|at| t.is_word(at, "as") && t.is_any(at + 1, &["date", "timestamp"]));
            let function = Function::everywhere(&t.name(*name));
            let is_of_times = is_cast || function.is_some_and(Function::is_of_times);
            if is_of_times && has_column {
                return Err(format!(
                    "for saltplan the operand of `{}` is a time, but in the query it is a number or a text",
                    t.name(*name)
                ));
            }
            is_typed |= is_cast || is_of_times && function.is_some_and(|function| function.result.is_time());
            is_made |= !has_column;
        }
        Ok((is_typed, is_made))
    }

    /// M3: why a condition does not narrow the relation from its place.
    fn misplaced(&self, place: Place) -> Option<&'static str> {
        let relation = self.relation;
        let Place::On(index) = place else {
            let is_hidden = self.facts.is_right_of_semi_join(relation);
            return is_hidden.then_some("WHERE cannot refer to the right side of a SEMI JOIN");
        };
        let join = &self.block.joins[index];
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

    /// M4: whether a join can have replaced the relation's columns with NULLs before the condition is tested.
    fn is_nullable(&self, place: Place) -> bool {
        let relation = self.relation;
        let seen = match place {
            Place::Where(_) => 0..usize::MAX,
            Place::On(index) => {
                let join = &self.block.joins[index];
                if relation < join.middle { join.first..join.middle } else { join.middle..join.end }
            }
        };
        // Joins around a relation contain each other, so if any of them is seen, the innermost one is.
        let join = self.facts.nulled_by(relation).and_then(|index| self.block.joins.get(index));
        join.is_some_and(|join| seen.start <= join.first && join.end <= seen.end)
    }
}

/// Whether a token is a function of the clock that needs no brackets.
fn is_word_of_clock(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.kind(at) == Some(Kind::Word)
        && Function::everywhere(&tokens.name(at)).is_some_and(|function| function.needs_no_brackets)
}

/// The content of a literal.
pub fn literal(raw: &str) -> &str {
    raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default()
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
