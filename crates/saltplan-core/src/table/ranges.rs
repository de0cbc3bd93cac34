//! The ranges of a plan, for programs that read HBase themselves.

use super::{Error, PlanFault, Planned};
use crate::key::range::KeyRange;
use crate::plan::{Branch, Plan, RowCheck, Session};
use crate::schema::model::Schema;

/// A range of row keys that a plan reads.
#[derive(Debug, Clone, Copy)]
pub struct PlannedRange<'p> {
    schema: &'p Schema,
    plan: &'p Plan,
    branch: &'p Branch,
}

impl Planned {
    /// The ranges of row keys that the plan reads, ascending. No two have a common key, and every row of the predicate is in one of
    /// them. A plan that reads nothing has none, and one that reads the whole table has the range of all keys.
    ///
    /// ```
    /// # let yaml = "saltplan: 1
    /// # hbase: { table: visits, families: { f: {} } }
    /// # key:
    /// #   salt: { md5: { of: key, first_hex_digits: 1, write: hex } }
    /// #   fields: [{ name: day, type: date, format: yyyyMMdd }, { name: id, type: string, chars: alnum }]
    /// # columns: [{ name: status, type: string, hbase: 'f:status' }]
    /// # ";
    /// let table = saltplan_core::Table::from_yaml(yaml)?;
    /// let plan = table.plan("day = 20200406 AND id = 'x7' AND status <> 'ok'", &Default::default())?;
    /// for range in plan.ranges()? {
    ///     assert_eq!(range.keys().start, b"720200406x7");
    ///     assert!(range.is_point()); // one get instead of a scan
    ///     assert_eq!(range.condition().as_deref(), Some("status <> 'ok'"));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The keys are known only when the statement runs, because a parameter of the predicate is filled in then.
    pub fn ranges(&self) -> Result<impl ExactSizeIterator<Item = PlannedRange<'_>>, Error> {
        self.check_known("ranges are row keys").map_err(PlanFault::from)?;
        let (schema, plan) = (self.table.schema(), self.plan());
        Ok(plan.branches.iter().map(move |branch| PlannedRange { schema, plan, branch }))
    }
}

impl<'p> PlannedRange<'p> {
    /// The keys from `start` up to, but not including, `stop`; without `stop` the range ends with the table.
    pub fn keys(&self) -> &'p KeyRange {
        &self.branch.range
    }

    /// Whether it is a single key.
    pub fn is_point(&self) -> bool {
        self.branch.range.is_point()
    }

    /// The bytes of the salt without its separator; `None` of a table without a salt, and of the range of all keys.
    pub fn salt(&self) -> Option<&'p [u8]> {
        self.branch.salt.as_deref()
    }

    /// The residual as text: the condition that the rows of the range must be checked against. `None` if all of them satisfy the
    /// predicate.
    pub fn condition(&self) -> Option<String> {
        self.plan.condition_of(self.branch)
    }

    /// The residual, ready to be evaluated over rows; `None` if there is none. All ranges of a plan may share one.
    ///
    /// ```
    /// # let yaml = "saltplan: 1
    /// # hbase: { table: visits, families: { f: {} } }
    /// # key:
    /// #   fields: [{ name: day, type: date, format: yyyyMMdd }, { name: id, type: string, chars: alnum }]
    /// # columns: [{ name: status, type: string, hbase: 'f:status' }]
    /// # ";
    /// use saltplan_core::plans::{Session, Truth};
    /// use saltplan_core::queries::HiveVersion;
    ///
    /// let table = saltplan_core::Table::from_yaml(yaml)?;
    /// let plan = table.plan("day = 20200406 AND (status <> 'ok' OR soundex(status) = 'X100')", &Default::default())?;
    /// let range = plan.ranges()?.next().expect("a range");
    /// let check = range.check(&Session::new(HiveVersion::Hive3)).expect("a residual");
    /// let says = |status: serde_json::Value| {
    ///     let row = serde_json::json!({ "day": "20200406", "id": "x7", "status": status });
    ///     check.check(row.as_object().expect("an object"))
    /// };
    /// assert_eq!(says("bad".into()), Truth::True);
    /// assert_eq!(says("ok".into()), Truth::Unknown); // `soundex` is not evaluated
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self, session: &Session) -> Option<RowCheck<'p>> {
        self.plan.residual_of(self.branch).map(|residual| RowCheck::new(self.schema, residual, session))
    }
}
