//! Remarks on a plan: why nothing was pruned, why the salt was not computed, which conditions were not used.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::clauses::Clauses;
use super::key_box::{Clause, ClauseId};
use super::scan_set::{Joined, Unpruned};
use super::share::NearlyAll;
use super::widening::Widening;
use super::{FieldBounds, Given};
use crate::analyze::{Checked, Condition, Constraint, Fact, FieldOrColumn, Implied, Meaning, ValueSet};
use crate::key::field::{Field, FieldId, FieldKind};
use crate::key::layout::RowKey;
use crate::schema::model::Schema;
use saltplan_document::diag::{DiagnosticKind, grouped};
use saltplan_sql::ast::Expr;
use saltplan_sql::rewrite::has;

/// The maximum number of conditions that get their own note.
pub(super) const MAX_EXPLAINED: usize = 32;

/// A remark on a plan. Its [code](Note::code) is for programs, its text for people.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Note {
    /// The salt is not computed, because these fields are not bound to single values.
    SaltUnbound { fields: Vec<String> },
    /// The salt is random.
    SaltRandom,
    /// The predicate does not determine the salt; binding these fields would.
    TooManySalts { count: u128, unbound: Vec<String> },
    /// The predicate determines the salts, but there are more of them than allowed branches.
    TooManyBranches { salts: usize, limit: usize },
    /// Ranges were merged to stay within the limit of branches.
    RangesJoined { ranges: usize, per_salt: usize },
    /// Ranges were merged to stay within the limit on the bytes of residuals.
    ResidualsJoined { before: usize, after: usize, per_salt: usize },
    /// The values of a field need more ranges than allowed.
    FieldWidened { field: String, limit: usize },
    /// The values that merged ranges contain in addition to those requested.
    ReadsMore { widening: Widening },
    /// The ranges leave out little.
    NearlyAll(NearlyAll),
    /// A field is not stored in the order of its values.
    Unordered { field: String },
    /// The whole table is read, with this many salts.
    NoPruning { salts: Option<u128>, first: Option<FirstField> },
    /// A condition is checked row by row.
    NotUsed { condition: String, why: WhyNotUsed },
    /// This many more conditions are checked row by row.
    MoreNotUsed { conditions: usize },
    /// The predicate is always false, for this reason.
    Never { reason: String },
    /// The predicate is always false, because the conditions on a field contradict each other.
    Contradiction { field: String },
    /// The declaration of a field rejects a value, although it could be parsed.
    RejectedValue { reason: String },
    /// A value is outside the plausible values of the schema.
    ImplausibleValue { reason: String },
    /// A day is the upper bound of a time, so nearly all of that day is left out.
    DayAsBound { reason: String },
}

/// Why the first field of the key gives no ranges.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FirstField {
    pub name: String,
    pub state: FirstFieldState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FirstFieldState {
    /// The field's values are restricted, but they give no range.
    Rangeless,
    /// The field has conditions, but none restricts its values.
    NotUnderstood,
    Unrestricted,
}

/// Why a condition is checked row by row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WhyNotUsed {
    /// It is about the key, but not in a form that gives ranges.
    Form(String),
    /// It is not about the key.
    NotOfKey,
    /// The ranges do not match the field exactly: a value may contain the separator that ends it.
    Inexact { field: String },
    /// It is an operand of an OR, and rows that match another operand can have any value of the field.
    OtherSide { field: String, side: String },
    /// A field that precedes it in the key is not restricted.
    BehindUnrestricted { field: String, before: String },
    /// A field that precedes it in the key is not bound to single values.
    BehindRange { field: String, before: String },
    /// The field is only an input of the salt and is not stored.
    NotStored { field: String },
    /// Ranges were merged, and contain rows with other values.
    Joined { field: String },
}

impl Note {
    /// Whether ranges were merged, so that they hold rows that were not asked for.
    #[doc(hidden)]
    pub fn is_of_merging(&self) -> bool {
        matches!(
            self,
            Note::RangesJoined { .. }
                | Note::ResidualsJoined { .. }
                | Note::FieldWidened { .. }
                | Note::ReadsMore { .. }
        )
    }

    /// Whether conditions make no range.
    #[doc(hidden)]
    pub fn is_of_unused(&self) -> bool {
        matches!(self, Note::NotUsed { .. } | Note::MoreNotUsed { .. })
    }

    /// A stable code for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Note::SaltUnbound { .. } => "salt_unbound",
            Note::SaltRandom => "salt_random",
            Note::TooManySalts { .. } | Note::TooManyBranches { .. } => "too_many_salts",
            Note::RangesJoined { .. }
            | Note::ResidualsJoined { .. }
            | Note::FieldWidened { .. }
            | Note::ReadsMore { .. } => "widened",
            Note::NearlyAll(_) => "nearly_all",
            Note::Unordered { .. } => "unordered",
            Note::NoPruning { .. } => "no_pruning",
            Note::NotUsed { .. } | Note::MoreNotUsed { .. } => "not_used",
            Note::Never { .. } | Note::Contradiction { .. } => "empty",
            Note::RejectedValue { .. } => "rejected_value",
            Note::ImplausibleValue { .. } => "implausible_value",
            Note::DayAsBound { .. } => "day_as_bound",
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::SaltUnbound { fields } => {
                write!(f, "the salt is not computed: {} not bound to single values", are(fields))
            }
            Note::SaltRandom => f.write_str("the salt cannot be computed from a row, so all salts are read"),
            Note::TooManySalts { count, unbound } => {
                let count = count_text(*count);
                write!(f, "{count} salts are possible: ")?;
                match unbound.as_slice() {
                    [] => f.write_str("it is random"),
                    fields => write!(f, "{} not bound to single values", are(fields)),
                }
            }
            Note::TooManyBranches { salts, limit } => {
                write!(f, "{salts} salts need at least one range each, but the limit is {limit} ranges")
            }
            Note::RangesJoined { ranges, per_salt } => write!(
                f,
                "{ranges} ranges were merged into at most {per_salt} per salt; the rows in between are filtered out"
            ),
            Note::ResidualsJoined { before, after, per_salt } => write!(
                f,
                "the residual conditions had {before} bytes in total; with ranges merged into at most {per_salt} per salt they have {after} bytes"
            ),
            Note::FieldWidened { field, limit } => write!(
                f,
                "the values of `{field}` need more than {limit} ranges, so wider ranges are read and the condition is a residual"
            ),
            Note::ReadsMore { widening } => write!(f, "with merged ranges the plan {widening}"),
            Note::NearlyAll(nearly) => write!(f, "the plan reads {nearly}"),
            Note::Unordered { field } => write!(
                f,
                "`{field}` is not stored in the order of its values, so only single values narrow the ranges"
            ),
            Note::NoPruning { salts, first } => {
                f.write_str("no pruning")?;
                if let Some(salts) = salts {
                    write!(f, ", {0} of {0} salts", count_text(*salts))?;
                }
                let Some(FirstField { name, state }) = first else { return Ok(()) };
                match state {
                    FirstFieldState::Rangeless => {
                        write!(f, ": the conditions on `{name}` do not give key ranges")
                    }
                    FirstFieldState::NotUnderstood => {
                        write!(f, ": no condition on the first key field, `{name}`, gives a range")
                    }
                    FirstFieldState::Unrestricted => {
                        write!(f, ": the first key field, `{name}`, is not restricted")
                    }
                }
            }
            Note::NotUsed { condition, why: why @ WhyNotUsed::NotOfKey } => {
                write!(f, "`{condition}` does not narrow the ranges: {why}")
            }
            Note::NotUsed { condition, why } => write!(f, "`{condition}` is checked row by row: {why}"),
            Note::MoreNotUsed { conditions } => {
                write!(f, "{conditions} more conditions are checked row by row")
            }
            Note::Never { reason }
            | Note::RejectedValue { reason }
            | Note::ImplausibleValue { reason }
            | Note::DayAsBound { reason } => f.write_str(reason),
            Note::Contradiction { field } => write!(f, "the conditions on `{field}` contradict each other"),
        }
    }
}

/// Notes on the salts: which fields do not determine them.
pub(super) fn of_salts(schema: &Schema, unbound: &BTreeSet<FieldId>, is_read: bool) -> Vec<Note> {
    let is_random = schema.key.salt.as_ref().is_some_and(|salt| !salt.is_computable());
    let unbound = (!unbound.is_empty()).then(|| Note::SaltUnbound { fields: names(schema, unbound) });
    unbound.into_iter().chain((is_random && is_read).then_some(Note::SaltRandom)).collect()
}

/// Notes on ranges that contain more values than requested.
pub(super) fn of_ranges(
    given: &Given<'_>,
    joined: &[Joined],
    widened: &BTreeSet<FieldId>,
    unordered: &BTreeSet<FieldId>,
) -> Vec<Note> {
    let joined = joined.iter().map(|joined| match *joined {
        Joined::Ranges { before, per_salt } => Note::RangesJoined { ranges: before, per_salt },
        Joined::Residuals { before, after, per_salt } => Note::ResidualsJoined { before, after, per_salt },
    });
    let limit = given.options.max_branches;
    let widened = names(given.schema, widened).into_iter();
    let unordered = names(given.schema, unordered).into_iter();
    joined
        .chain(widened.map(|field| Note::FieldWidened { field, limit }))
        .chain(unordered.map(|field| Note::Unordered { field }))
        .collect()
}

/// Notes on a plan that reads the whole table.
pub(super) fn of_whole_table(
    given: &Given<'_>,
    why: &Unpruned,
    bound: &FieldBounds,
    clauses: &Clauses,
) -> Note {
    match why {
        Unpruned::TooManyBranches(salts) => {
            Note::TooManyBranches { salts: *salts, limit: given.options.max_branches }
        }
        Unpruned::TooManySalts(too_many) => {
            let unbound = too_many.unbound.iter().copied().collect();
            Note::TooManySalts { count: too_many.count, unbound: names(given.schema, &unbound) }
        }
        Unpruned::NoGap => {
            let first = given.schema.key.stored().next().map(|first| FirstField {
                name: given.schema.key.fields[first].name.clone(),
                state: if bound.fields.contains_key(&first) {
                    FirstFieldState::Rangeless
                } else if is_checked(clauses, &given.schema.key.fields[first]) {
                    FirstFieldState::NotUnderstood
                } else {
                    FirstFieldState::Unrestricted
                },
            });
            Note::NoPruning {
                salts: given.salt_domain.map(super::super::key::salt::SaltDomain::count),
                first,
            }
        }
    }
}

fn is_checked(clauses: &Clauses, field: &Field) -> bool {
    clauses.of_predicate().any(|(_, clause)| match &clause.constraint {
        Constraint::Condition(condition) => condition.checked().is_some() && condition.expr.uses(&field.name),
        Constraint::All(_) | Constraint::Any(_) => false,
    })
}

/// Notes on the conditions that remain in the residual: why the ranges could not use them.
pub(super) fn of_conditions(
    given: &Given<'_>,
    clauses: &Clauses,
    checked: &BTreeSet<ClauseId>,
    bound: &FieldBounds,
    is_widened: bool,
) -> Vec<Note> {
    let is_key =
        |part: &Expr| matches!(part, Expr::Column(column) if given.schema.is_key_column(&column.name));
    let is_of_key_column = |condition: &Condition| has(&condition.expr, is_key);
    // Conditions on the key column that narrow the ranges are also checked, which needs no explanation.
    let narrows = given.analysis.key_ranges.is_some();
    let mut conditions =
        conditions(clauses, checked).filter(|condition| !(narrows && is_of_key_column(condition)));
    let first: Vec<&Condition> = conditions.by_ref().take(MAX_EXPLAINED).collect();
    let more = conditions.count();
    let notes = first.into_iter().map(|condition| Note::NotUsed {
        condition: condition.expr.to_string(),
        why: match &condition.meaning {
            Meaning::Checked(Checked { reason: Some(reason), .. }) => WhyNotUsed::Form(reason.clone()),
            Meaning::Checked(_) if is_of_key_column(condition) => WhyNotUsed::Form(
                "the key column gives ranges only where it is compared with texts, in conditions joined by AND".into(),
            ),
            Meaning::Checked(_) => WhyNotUsed::NotOfKey,
            Meaning::Tight { field, .. } => other_side(given, condition, *field, bound)
                .unwrap_or_else(|| why_inexact(given, *field, bound, is_widened)),
        },
    });
    notes.chain((more > 0).then_some(Note::MoreNotUsed { conditions: more })).collect()
}

/// Another operand of the OR, if it is the reason why the ranges do not restrict a field.
fn other_side(
    given: &Given<'_>,
    condition: &Condition,
    field: FieldId,
    bound: &FieldBounds,
) -> Option<WhyNotUsed> {
    if !is_free(given, field, bound) {
        return None;
    }
    let side = side_without(&given.analysis.constraint, condition, field)?.expr.to_string();
    Some(WhyNotUsed::OtherSide { field: given.schema.key.fields[field].name.clone(), side })
}

/// Whether the ranges contain all values of a field, and only some values of each preceding field.
fn is_free(given: &Given<'_>, field: FieldId, bound: &FieldBounds) -> bool {
    let key = &given.schema.key;
    let is_bound =
        |field: FieldId| bound.fields.contains_key(&field) || has_few_values(&key.fields[field].kind);
    key.fields[field].stored
        && !is_bound(field)
        && key.stored().take_while(|before| *before != field).all(is_bound)
}

/// For an OR with a condition on a field: another operand without a condition on the field.
fn side_without<'a>(
    constraint: &'a Constraint,
    condition: &Condition,
    field: FieldId,
) -> Option<&'a Condition> {
    match constraint {
        Constraint::All(parts) => parts.iter().find_map(|part| side_without(part, condition, field)),
        Constraint::Any(sides) => {
            let is_it = |part: &Condition| part.span == condition.span;
            let own = sides.iter().position(|side| side.has(&is_it))?;
            let others = sides.iter().enumerate().filter(|(side, _)| *side != own);
            let free = others.map(|(_, side)| side).find(|side| !restricts(side, field));
            free.map_or_else(|| side_without(&sides[own], condition, field), first_condition)
        }
        Constraint::Condition(_) => None,
    }
}

fn restricts(constraint: &Constraint, field: FieldId) -> bool {
    fn implied_restricts(implied: &Implied, field: FieldId) -> bool {
        match implied {
            Implied::All(parts) => parts.iter().any(|part| implied_restricts(part, field)),
            Implied::Any(parts) => parts.iter().all(|part| implied_restricts(part, field)),
            Implied::Field(of, _) => *of == field,
            Implied::SaltInput { .. } => false,
        }
    }
    match constraint {
        Constraint::All(parts) => parts.iter().any(|part| restricts(part, field)),
        Constraint::Any(parts) => parts.iter().all(|part| restricts(part, field)),
        Constraint::Condition(part) => match &part.meaning {
            Meaning::Tight { field: of, .. } => *of == field,
            Meaning::Checked(checked) => {
                checked.implied.as_ref().is_some_and(|implied| implied_restricts(implied, field))
            }
        },
    }
}

fn first_condition(constraint: &Constraint) -> Option<&Condition> {
    match constraint {
        Constraint::All(parts) | Constraint::Any(parts) => parts.iter().find_map(first_condition),
        Constraint::Condition(condition) => Some(condition),
    }
}

/// Why the ranges do not restrict a field, although its values are known.
fn why_inexact(given: &Given<'_>, index: FieldId, bound: &FieldBounds, is_widened: bool) -> WhyNotUsed {
    let key = &given.schema.key;
    let field = key.fields[index].name.clone();
    if !key.fields[index].stored {
        return WhyNotUsed::NotStored { field };
    }
    for other in key.stored().take_while(|other| *other != index) {
        let before = &key.fields[other];
        let name = || before.name.clone();
        match bound.fields.get(&other) {
            None if has_few_values(&before.kind) => {}
            None => return WhyNotUsed::BehindUnrestricted { field, before: name() },
            Some(values) if values.points(&before.kind, given.options.max_branches).is_none() => {
                return WhyNotUsed::BehindRange { field, before: name() };
            }
            Some(_) => {}
        }
    }
    if is_widened { WhyNotUsed::Joined { field } } else { WhyNotUsed::Inexact { field } }
}

/// Whether ranges are read for all values of a field without a condition.
fn has_few_values(kind: &FieldKind) -> bool {
    ValueSet::all(kind).points(kind, 1).is_some()
}

/// The single conditions among the clauses that are checked row by row.
fn conditions<'a>(
    clauses: &'a Clauses,
    checked: &'a BTreeSet<ClauseId>,
) -> impl Iterator<Item = &'a Condition> {
    let single = |(_, clause): (ClauseId, &'a Clause)| match &clause.constraint {
        Constraint::Condition(condition) => Some(condition.as_ref()),
        Constraint::All(_) | Constraint::Any(_) => None,
    };
    clauses.of_predicate().filter(|(id, _)| checked.contains(id)).filter_map(single)
}

/// Notes on an empty plan: why the predicate is always false.
pub(super) fn of_nothing(given: &Given<'_>) -> Vec<Note> {
    let never = &given.analysis.never;
    if !never.is_empty() {
        return never.iter().map(|reason| Note::Never { reason: reason.clone() }).collect();
    }
    let place = contradicted(&given.analysis.constraint, &given.schema.key);
    let note = match place {
        Some(FieldOrColumn::Field(field)) => {
            Note::Contradiction { field: given.schema.key.fields[field].name.clone() }
        }
        Some(FieldOrColumn::Column(column)) => {
            Note::Contradiction { field: given.schema.columns[column].name.clone() }
        }
        None if given.analysis.constraint.has(&|part| matches!(part.fact(), Some(Fact::Equal(..)))) => {
            Note::Never { reason: "its conditions contradict each other".into() }
        }
        None => return Vec::new(),
    };
    vec![note]
}

/// The warnings about values of the predicate.
pub(super) fn of_values<'a>(given: &Given<'a>) -> impl Iterator<Item = Note> + use<'a> {
    let notes = given.analysis.warnings.iter().filter_map(|warning| {
        let reason = warning.message.clone();
        match warning.kind {
            DiagnosticKind::ImplausibleValue => Some(Note::ImplausibleValue { reason }),
            DiagnosticKind::DayAsBound => Some(Note::DayAsBound { reason }),
            _ => None,
        }
    });
    notes.take(MAX_EXPLAINED)
}

/// A field or a column whose conditions, all of which must be true, leave no value.
fn contradicted(constraint: &Constraint, key: &RowKey) -> Option<FieldOrColumn> {
    fn gather<'a>(constraint: &'a Constraint, sets: &mut Vec<(FieldOrColumn, &'a ValueSet)>) {
        match constraint {
            Constraint::All(arms) => arms.iter().for_each(|arm| gather(arm, sets)),
            Constraint::Any(_) => {}
            Constraint::Condition(condition) => {
                let of_fields = condition.field_sets().into_iter();
                sets.extend(of_fields.map(|(field, values)| (FieldOrColumn::Field(field), values)));
                if let Some(Fact::Column { column, values }) = condition.fact() {
                    sets.push((FieldOrColumn::Column(*column), values));
                }
            }
        }
    }
    let mut sets = Vec::new();
    gather(constraint, &mut sets);
    let mut left: BTreeMap<FieldOrColumn, ValueSet> = BTreeMap::new();
    for (place, values) in sets {
        let both = left.get(&place).map_or_else(|| values.clone(), |before| before.intersect(values));
        let both = match place {
            FieldOrColumn::Field(field) => both.possible(&key.fields[field].kind),
            FieldOrColumn::Column(_) => both,
        };
        if both.is_empty() {
            return Some(place);
        }
        left.insert(place, both);
    }
    match constraint {
        Constraint::Any(arms) => arms.iter().find_map(|arm| contradicted(arm, key)),
        _ => None,
    }
}

fn names(schema: &Schema, fields: &BTreeSet<FieldId>) -> Vec<String> {
    fields.iter().map(|field| schema.key.fields[*field].name.clone()).collect()
}

/// Names with their verb: "`a` is", "`a`, `b` are".
fn are(fields: &[String]) -> String {
    let names: Vec<String> = fields.iter().map(|name| format!("`{name}`")).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", names.join(", "))
}

/// A number in digits, or as a power of two if it is too large to be readable.
pub(crate) fn count_text(count: u128) -> String {
    match count {
        u128::MAX => "2^128".into(),
        large if large.is_power_of_two() && large > 1 << 31 => format!("2^{}", large.trailing_zeros()),
        other => grouped(other),
    }
}

impl fmt::Display for WhyNotUsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WhyNotUsed::Form(reason) => f.write_str(reason),
            WhyNotUsed::NotOfKey => f.write_str("it is not about the row key"),
            WhyNotUsed::Inexact { field } => write!(f, "the ranges do not match `{field}` exactly"),
            WhyNotUsed::OtherSide { field, side } => {
                write!(f, "rows that match `{side}`, another operand of the OR, can have any `{field}`")
            }
            WhyNotUsed::BehindUnrestricted { field, before } => write!(
                f,
                "`{before}` comes before `{field}` in the key and is not restricted; with single values of `{before}`, `{field}` would narrow the ranges"
            ),
            WhyNotUsed::BehindRange { field, before } => write!(
                f,
                "`{before}` comes before `{field}` in the key and has a range of values; with single values of `{before}`, `{field}` would narrow the ranges"
            ),
            WhyNotUsed::NotStored { field } => {
                write!(f, "`{field}` is only an input of the salt and is not in the key")
            }
            WhyNotUsed::Joined { field } => write!(
                f,
                "ranges of `{field}` were merged to stay within the limit; with a higher limit they would be kept apart"
            ),
        }
    }
}
