//! One branch of a plan as conditions on the row key.

use std::cell::Cell;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::asked::Asked;
use crate::hive::condition::{HiveConditions, Unwritten};
use crate::hive::filled_in::{Filled, FilledRange};
use crate::hive::text::KeyForm;
use crate::plan::{Branch, Plan, PlanKind, Residual, ResidualId};
use crate::refusal::{BinaryPart, Refusal};
use crate::render::size::Room;
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, Expr};
use saltplan_sql::statement::{Identifier, Item};

#[derive(Debug, Serialize)]
pub(super) struct BranchContext {
    pub name: Identifier,
    /// Columns of the mapping table that the select list needs, and the key if the shape needs it.
    #[serde(serialize_with = "shared")]
    pub columns: Arc<[Item]>,
    /// Conditions to be joined by AND: bounds, guards, and the residual unless it is printed after the branches.
    pub conditions: Vec<Condition>,
    /// Whether it ends with LIMIT 0.
    pub is_cut: bool,
}

/// A condition of a branch.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub(super) struct Condition {
    #[serde(serialize_with = "shared")]
    pub expr: Arc<Expr>,
    /// Bytes of the printed condition on one line.
    #[serde(skip)]
    pub bytes: usize,
    /// Whether it has a CASE or an `if`.
    #[serde(skip)]
    pub chooses: bool,
}

impl From<Expr> for Condition {
    fn from(expr: Expr) -> Self {
        Condition { bytes: expr.to_string().len(), chooses: expr.chooses(), expr: Arc::new(expr) }
    }
}

/// As what is shared.
pub(super) fn shared<T: Serialize + ?Sized, S: Serializer>(
    value: &Arc<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.serialize(serializer)
}

impl BranchContext {
    pub fn new(name: &str, columns: &Arc<[Item]>, conditions: Vec<Condition>) -> Self {
        BranchContext { name: Identifier::new(name), columns: Arc::clone(columns), conditions, is_cut: false }
    }
}

/// Refuses bounds with binary parts, which a Hive literal cannot contain.
pub(super) fn check_bounds(asked: &Asked<'_>) -> Result<(), Refusal> {
    text_bounds(asked.schema, asked.plan)
}

/// # Errors
/// The part that makes the bounds of a plan binary.
pub fn text_bounds(schema: &Schema, plan: &Plan) -> Result<(), Refusal> {
    if matches!(plan.kind, PlanKind::FullScan | PlanKind::Empty) {
        return Ok(());
    }
    let key = &schema.key;
    if let Some(salt) = &key.salt
        && salt.write.is_binary()
    {
        return Err(Refusal::BinaryBound { part: BinaryPart::Salt });
    }
    let mut restricted = plan.bound.fields.keys().map(|index| &key.fields[*index]);
    if !plan.is_text_only
        && let Some(field) = restricted.find(|field| field.stored && !field.kind.is_text_in_key())
    {
        return Err(Refusal::BinaryBound { part: BinaryPart::Field(field.name.clone()) });
    }
    let is_text = |branch: &Branch| {
        runtime_of(schema, plan, branch).is_none_or(|range| range.are_text(&branch.range.start))
    };
    if plan.branches.iter().all(is_text) {
        Ok(())
    } else {
        Err(Refusal::BinaryBound { part: BinaryPart::Separator })
    }
}

/// The run-time values that a branch is restricted to.
pub(super) fn runtime_of<'a>(schema: &'a Schema, plan: &'a Plan, branch: &Branch) -> Option<FilledRange<'a>> {
    let runtime = plan.runtime.as_ref()?;
    Filled::new(schema, runtime, plan.runtime_salt.as_ref()).range(branch.runtime?)
}

/// Prints a residual. `times` is how often it occurs in the statement, for the error if that is too long.
pub(super) fn residual(
    asked: &Asked<'_>,
    id: ResidualId,
    room: &Room,
    times: impl Fn() -> usize,
) -> Result<Expr, Refusal> {
    let Residual { constraint, .. } = asked.plan.residual(id);
    let conditions = HiveConditions {
        schema: asked.schema,
        key: asked.key,
        bound: &asked.plan.bound.fields,
        room: Cell::new(room.left()),
    };
    conditions.expr(constraint).map_err(|unwritten| match unwritten {
        Unwritten::Impossible(reason) => Refusal::ResidualNotWritten { reason: reason.into() },
        Unwritten::Rows(condition) => Refusal::RowsCompared { condition },
        Unwritten::Unclear { why, spelled, reads_clock } => Refusal::ConditionUnclear {
            reason: format!("`{spelled}`: {why}"),
            help: why.help(reads_clock).into(),
        },
        Unwritten::TooLong(bytes) => {
            let each = bytes.max(room.left() + 1);
            let bytes = room.used() + each.saturating_mul(times());
            Refusal::TooLong { bytes, limit: asked.options.max_bytes }
        }
    })
}

/// The bounds that keep a branch apart from the others whatever Hive does with [`bounds`]; `None` for all keys.
///
/// # Errors
/// Hive cannot compute the salt of a run-time value.
pub(super) fn guard(asked: &Asked<'_>, branch: &Branch) -> Result<Option<Expr>, Refusal> {
    let (key, form) = (asked.key.value(), KeyForm::Text);
    match runtime_of(asked.schema, asked.plan, branch) {
        Some(filled) => filled.guard(&key, form, &branch.range.start),
        None => bounds(asked, &key, form, branch),
    }
}

/// The bounds of a branch on `key`, an expression of the row key in a form: a half-open range or one key; `None` for all keys.
///
/// # Errors
/// Hive cannot compute the salt of a run-time value.
pub(super) fn bounds(
    asked: &Asked<'_>,
    key: &Expr,
    form: KeyForm,
    branch: &Branch,
) -> Result<Option<Expr>, Refusal> {
    let range = &branch.range;
    if let Some(filled) = runtime_of(asked.schema, asked.plan, branch) {
        return filled.bounds(key, form, &range.start).map(Some);
    }
    if range.is_point() {
        return Ok(Some(key.binary(BinaryOperator::Eq, &Expr::text(form.exact(&range.start)))));
    }
    let start = Some(range.start.as_slice()).filter(|start| !start.is_empty());
    let bounds: Vec<Expr> = [(BinaryOperator::GtEq, start), (BinaryOperator::Lt, range.stop.as_deref())]
        .into_iter()
        .filter_map(|(op, bound)| Some(key.binary(op, &Expr::text(form.least(bound?)?))))
        .collect();
    Ok((!bounds.is_empty()).then(|| Expr::all(bounds)))
}
