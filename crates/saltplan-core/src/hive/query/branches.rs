//! The branches of a query.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::asked::Asked;
use super::branch::{BranchContext, Condition, bounds, guard, residual};
use super::one_scan::one_scan;
use super::select::{ClockContext, ColumnContext};
use super::shape::QueryShape;
use crate::hive::text::KeyForm;
use crate::plan::{Branch, ResidualId};
use crate::refusal::Refusal;
use crate::render::size::Room;
use saltplan_sql::ast::{BinaryOperator, Expr, Type};
use saltplan_sql::statement::{Identifier, Item};

/// A residual that all branches share is printed once, after the branches, if it has more bytes.
const LONG_RESIDUAL: usize = 2 << 10;

/// The branches of a query, and what the rest of the query needs to know of them.
pub(super) struct Branches {
    pub(crate) contexts: Vec<BranchContext>,
    /// The residual of all branches, if it is too long to be repeated in each of them.
    pub filter: Option<Expr>,
    /// Columns of the mapping table that the branches select.
    pub inner: Arc<[Identifier]>,
    /// Whether an expression of the query has a CASE or an `if`.
    pub choose: bool,
}

pub(super) fn branches(
    asked: &Asked<'_>,
    columns: &[ColumnContext],
    clocks: &[ClockContext],
) -> Result<Branches, Refusal> {
    let filter = common_residual(asked)?;
    let of_columns = columns.iter().map(|column| &column.expression);
    let behind: Vec<&Expr> =
        of_columns.chain(clocks.iter().map(|clock| &clock.instant)).chain(&filter).collect();
    let inner: Arc<[Identifier]> = inner_columns(asked, &behind).into();
    let contexts = match asked.plan.branches.is_empty() {
        true => vec![branch_of_nothing(asked, &inner)],
        false => contexts(asked, &columns_of(&inner), filter.as_ref())?,
    };
    let conditions = contexts.iter().flat_map(|branch| &branch.conditions);
    let is_row_by_row = |expr: &Expr| expr.chooses() || expr.converts_whole_number();
    let choose = behind.into_iter().any(is_row_by_row) || conditions.into_iter().any(|line| line.chooses);
    Ok(Branches { contexts, filter, inner, choose })
}

fn common_residual(asked: &Asked<'_>) -> Result<Option<Expr>, Refusal> {
    let mut residuals = asked.plan.branches.iter().map(|branch| branch.residual);
    let Some(Some(first)) = residuals.next() else { return Ok(None) };
    if asked.plan.branches.len() < 2 || asked.shape == QueryShape::OneScan {
        return Ok(None);
    }
    if !residuals.all(|residual| residual == Some(first)) {
        return Ok(None);
    }
    let text = residual(asked, first, &Room::new(asked.options.max_bytes), || 1)?;
    Ok((text.to_string().len() > LONG_RESIDUAL).then_some(text))
}

fn inner_columns(asked: &Asked<'_>, behind: &[&Expr]) -> Vec<Identifier> {
    let is_used = |name: &str| behind.iter().any(|expression| expression.uses(name));
    let used = asked.schema.columns.iter().filter(|column| is_used(&column.name));
    let mut inner: Vec<Identifier> = used.map(|column| Identifier::new(&column.name)).collect();
    // `DISTRIBUTE BY` can name only columns that the branch selects.
    if is_used(asked.key.name()) || asked.shape == QueryShape::Isolated || inner.is_empty() {
        inner.insert(0, Identifier::new(asked.key.name()));
    }
    inner
}

/// `filter` is the residual that is printed after the branches.
fn contexts(
    asked: &Asked<'_>,
    columns: &Arc<[Item]>,
    filter: Option<&Expr>,
) -> Result<Vec<BranchContext>, Refusal> {
    if asked.shape == QueryShape::OneScan {
        return Ok(vec![one_scan(asked, columns)?]);
    }
    let count = asked.plan.branches.len();
    let width = (count.saturating_sub(1)).to_string().len().max(3);
    let columns_bytes = columns.iter().map(|column| column.to_string().len() + 2).sum::<usize>();
    let bytes_of_filter = filter.map_or(0, |filter| filter.to_string().len());
    let mut room = Room::new(asked.options.max_bytes.saturating_sub(bytes_of_filter));
    let mut residuals: BTreeMap<ResidualId, Condition> = BTreeMap::new();
    let mut branches = Vec::with_capacity(count);
    for (index, branch) in asked.plan.branches.iter().enumerate() {
        let mut conditions = bounds_and_guards(asked, branch)?;
        if filter.is_none()
            && let Some(id) = branch.residual
        {
            let text = match residuals.get(&id) {
                Some(known) => known.clone(),
                None => Condition::from(residual(asked, id, &room, || branches_with(asked, id))?),
            };
            conditions.push(residuals.entry(id).or_insert(text).clone());
        }
        let bytes = columns_bytes + conditions.iter().map(|line| line.bytes + 6).sum::<usize>();
        room.take(bytes, room.used() + bytes.saturating_mul(count - index))?;
        branches.push(BranchContext::new(&format!("b{index:0width$}"), columns, conditions));
    }
    Ok(branches)
}

fn columns_of(names: &[Identifier]) -> Arc<[Item]> {
    names.iter().map(|name| Item::plain(name.column())).collect()
}

/// The branch of an empty plan: no row has an empty key. `WHERE FALSE` would read the whole table, and on Tez it does not replace a
/// partition. Inside another query, LIMIT keeps Hive from moving outer conditions into the branch: with a known key they fold to
/// NULL, for which the storage handler of Hive 2.3.9 and 3.1.3 fails.
///
/// A key with binary numbers is selected as NULL: otherwise both compute the select list for the key `''` when they compile it, and
/// `conv` fails for an empty text.
fn branch_of_nothing(asked: &Asked<'_>, names: &[Identifier]) -> BranchContext {
    let key = asked.key.name();
    let fields = &asked.schema.key.fields;
    let has_binary = asked.schema.key.stored().any(|id| !fields[id].kind.is_text_in_key());
    let column = |name: &Identifier| match has_binary && name.0 == key {
        true => Item::named(Expr::null().cast(Type::String), key),
        false => Item::plain(name.column()),
    };
    let columns = &names.iter().map(column).collect();
    let is_empty = |key: &Expr| Condition::from(key.binary(BinaryOperator::Eq, &Expr::text("")));
    let mut conditions = vec![is_empty(asked.key.bare())];
    if asked.options.guards {
        conditions.push(is_empty(&asked.key.value()));
    }
    let mut branch = BranchContext::new("b000", columns, conditions);
    branch.is_cut = asked.options.ranges_only || asked.options.compared;
    branch
}

fn bounds_and_guards(asked: &Asked<'_>, branch: &Branch) -> Result<Vec<Condition>, Refusal> {
    let of_key = bounds(asked, asked.key.bare(), KeyForm::Text, branch)?;
    let guards = if asked.options.guards { guard(asked, branch)? } else { None };
    // Hive folds bounds to literals before rows are read, even those with a CASE.
    let condition = |bound| Condition { chooses: false, ..Condition::from(bound) };
    Ok(of_key.into_iter().chain(guards).map(condition).collect())
}

fn branches_with(asked: &Asked<'_>, residual: ResidualId) -> usize {
    asked.plan.branches.iter().filter(|branch| branch.residual == Some(residual)).count()
}
