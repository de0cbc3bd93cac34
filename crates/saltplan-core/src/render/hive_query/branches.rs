//! The branches of a plan as conditions on the row key.

use std::cell::Cell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::{BranchContext, ClockContext, ColumnContext, HiveQuery, QueryShape};
use crate::plan::{Branch, Residual};
use crate::refusal::Refusal;
use crate::render::hive_condition::{HiveConditions, Unwritten};
use crate::render::hive_text::{identifier, least_text_from, literal};
use crate::render::size::Room;

/// Bytes of a residual from which it stands once, behind the branches, where it is that of all.
const LONG_RESIDUAL: usize = 2 << 10;

impl HiveQuery<'_> {
    /// The residual of all branches, where it is too long to stand in each of them.
    pub(super) fn common_residual(&self) -> Result<Option<String>, Refusal> {
        let mut residuals = self.plan.branches.iter().map(|branch| branch.residual.as_ref());
        let Some(Some(first)) = residuals.next() else { return Ok(None) };
        let count = self.plan.branches.len();
        if count < 2 || self.shape() == QueryShape::Statements {
            return Ok(None);
        }
        if !residuals.all(|residual| residual.is_some_and(|residual| Arc::ptr_eq(residual, first))) {
            return Ok(None);
        }
        let text = self.residual(first, &Room::new(self.options.max_bytes), || 1)?;
        Ok((text.len() > LONG_RESIDUAL).then_some(text))
    }

    /// Columns of the mapping table that the branches hand on.
    pub(super) fn inner_columns(
        &self,
        columns: &[ColumnContext],
        clocks: &[ClockContext],
        filter: Option<&String>,
    ) -> Result<Vec<String>, Refusal> {
        let texts = columns.iter().map(|column| &column.expression);
        let mut expressions = texts.chain(clocks.iter().map(|clock| &clock.instant)).chain(filter);
        let mut inner: Vec<String> = Vec::new();
        for column in &self.schema.columns {
            let quoted = identifier(&column.name);
            if expressions.clone().any(|text| mentions(text, &column.name)) {
                inner.push(quoted);
            }
        }
        let key_is_used = expressions.any(|text| mentions(text, &self.mapping.key_column));
        // `DISTRIBUTE BY` sees only what the branch selects.
        if key_is_used || self.shape() == QueryShape::Isolated || inner.is_empty() {
            inner.insert(0, self.key.name().to_string());
        }
        Ok(inner)
    }

    /// `filter` is the residual that stands behind the branches.
    pub(super) fn branches(
        &self,
        columns: &[String],
        filter: Option<&String>,
    ) -> Result<Vec<BranchContext>, Refusal> {
        let width = (self.plan.branches.len().saturating_sub(1)).to_string().len().max(3);
        let count = self.plan.branches.len();
        let columns_bytes = columns.iter().map(|column| column.len() + 2).sum::<usize>();
        let mut room = Room::new(self.options.max_bytes.saturating_sub(filter.map_or(0, String::len)));
        let mut residuals: HashMap<*const Residual, String> = HashMap::new();
        let mut branches = Vec::with_capacity(count);
        for (index, branch) in self.plan.branches.iter().enumerate() {
            let mut conditions = self.bounds(branch);
            if filter.is_none()
                && let Some(residual) = &branch.residual
            {
                conditions.push(match residuals.entry(Arc::as_ptr(residual)) {
                    Entry::Occupied(known) => known.get().clone(),
                    Entry::Vacant(new) => {
                        let times = || self.branches_with(residual);
                        new.insert(self.residual(residual, &room, times)?).clone()
                    }
                });
            }
            let bytes = columns_bytes + conditions.iter().map(|line| line.len() + 6).sum::<usize>();
            room.take(bytes, room.used() + bytes.saturating_mul(count - index))?;
            branches.push(BranchContext {
                name: format!("`b{index:0width$}`"),
                columns: columns.to_vec(),
                conditions,
            });
        }
        if branches.is_empty() {
            branches.push(self.branch_of_nothing(columns));
        }
        Ok(branches)
    }

    /// A statement needs a branch, if only one without rows: no row has an empty key. `WHERE FALSE` would read the whole table,
    /// and on Tez it leaves a partition as it is.
    fn branch_of_nothing(&self, columns: &[String]) -> BranchContext {
        let key = self.key.name();
        let mut conditions = vec![format!("{key} = ''")];
        if self.options.guards {
            conditions.push(format!("concat({key}, '') = ''"));
        }
        BranchContext { name: "`b000`".into(), columns: columns.to_vec(), conditions }
    }

    fn bounds(&self, branch: &Branch) -> Vec<String> {
        let key = self.key.name();
        let mut conditions = vec![bounds(key, branch)];
        if self.options.guards {
            conditions.push(bounds(&format!("concat({key}, '')"), branch));
        }
        conditions.retain(|line| !line.is_empty());
        conditions
    }

    fn branches_with(&self, residual: &Arc<Residual>) -> usize {
        let has_it =
            |branch: &&Branch| branch.residual.as_ref().is_some_and(|own| Arc::ptr_eq(own, residual));
        self.plan.branches.iter().filter(has_it).count()
    }

    /// A residual; `times` it is printed, where that would be too long.
    fn residual(
        &self,
        residual: &Arc<Residual>,
        room: &Room,
        times: impl Fn() -> usize,
    ) -> Result<String, Refusal> {
        let conditions = HiveConditions {
            schema: self.schema,
            key: &self.key,
            bound: &self.plan.bound.fields,
            room: Cell::new(room.left()),
        };
        conditions.predicate(&residual.predicate).map_err(|unwritten| match unwritten {
            Unwritten::Impossible(reason) => Refusal::ResidualNotWritten { reason },
            Unwritten::Rows(condition) => Refusal::RowsCompared { condition },
            Unwritten::Unclear(reason) => Refusal::ConditionUnclear { reason },
            Unwritten::TooLong(bytes) => {
                let each = bytes.max(room.left() + 1);
                let bytes = room.used() + each.saturating_mul(times());
                Refusal::TooLong { bytes, limit: self.options.max_bytes }
            }
        })
    }
}

/// The bounds of a branch on an expression that gives the row key: half open, or one key; empty for all keys.
fn bounds(key: &str, branch: &Branch) -> String {
    let range = &branch.range;
    if range.is_point() {
        return format!("{key} = {}", literal(&String::from_utf8_lossy(&range.start)));
    }
    let mut bounds = Vec::new();
    if let Some(start) =
        Some(&range.start).filter(|start| !start.is_empty()).and_then(|start| least_text_from(start))
    {
        bounds.push(format!("{key} >= {}", literal(&start)));
    }
    if let Some(stop) = range.stop.as_deref().and_then(least_text_from) {
        bounds.push(format!("{key} < {}", literal(&stop)));
    }
    bounds.join(" AND ")
}

/// Whether an expression uses a name, quoted or not.
fn mentions(expression: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    expression.split(|c: char| !is_word(c)).any(|word| word.eq_ignore_ascii_case(name))
        || expression.contains(&identifier(name))
}
