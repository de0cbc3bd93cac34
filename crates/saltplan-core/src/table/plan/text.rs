//! Plans whose ranges end before the first binary field of the key, for Hive statements without one scan.

use std::borrow::Cow;

use super::{PlanOptions, Planned, needs_value, warnings_of_ranges};
use crate::hive::query::{QueryShape, text_bounds};
use crate::plan::{Plan, PlanKind};
use crate::schema::model::MappingTable;
use crate::table::Table;

impl Table {
    /// The plan with text ranges, if those of `plan` have binary parts and text ranges narrow the table, too.
    pub(super) fn plan_of_text(
        &self,
        plan: &Plan,
        options: &PlanOptions,
        of_text: impl FnOnce() -> Plan,
    ) -> Option<Box<Plan>> {
        self.inner.schema.mapping()?;
        let key = &self.inner.schema.key;
        // A salt alone narrows too little.
        if !key.stored().next().is_some_and(|first| key.fields[first].kind.is_text_in_key()) {
            return None;
        }
        if text_bounds(&self.inner.schema, plan).is_ok() {
            return None;
        }
        let plan = of_text();
        let is_refused = needs_value(&self.inner.schema, &plan, options.max_branches).is_some()
            || plan.kind == PlanKind::FullScan
            || plan.widening().is_some_and(|widening| widening.exceeds(options.max_widening));
        (!is_refused && text_bounds(&self.inner.schema, &plan).is_ok()).then(|| Box::new(plan))
    }
}

impl Planned {
    /// The plan that a Hive statement of a shape reads: its ranges are text unless it has one scan.
    #[doc(hidden)]
    pub fn for_statement(&self, shape: Option<QueryShape>) -> Cow<'_, Self> {
        let one_scan = self.table.inner.schema.mapping().is_some_and(MappingTable::has_jar);
        match &self.for_text {
            Some(plan) if !shape.map_or(one_scan, |shape| shape == QueryShape::OneScan) => {
                let plan = plan.as_ref().clone();
                let of_ranges = warnings_of_ranges(&plan);
                Cow::Owned(Planned { plan, for_text: None, of_ranges, ..self.clone() })
            }
            _ => Cow::Borrowed(self),
        }
    }

    /// The line above a statement that says what its ranges leave out.
    pub(super) fn note_of_text(&self) -> Option<String> {
        let key = &self.table.inner.schema.key;
        let binary = key.stored().find(|id| !key.fields[*id].kind.is_text_in_key());
        let name = &key.fields[binary.filter(|_| self.plan.is_text_only)?].name;
        Some(format!(
            "`{name}` is stored as binary: it is checked on each row, and only saltplan-hive.jar reads its ranges"
        ))
    }
}
