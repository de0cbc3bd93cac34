//! The schemas of the jobs: each file is read once, and dropped when no job needs it any more.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use saltplan_core::diag::Diagnostics;
use saltplan_core::table::Table;

type ReadTable = Arc<Result<Table, Diagnostics>>;

/// Tables by the schema paths in the jobs file.
#[derive(Debug, Default)]
pub struct Tables(BTreeMap<String, Mutex<Slot>>);

#[derive(Debug, Default)]
struct Slot {
    table: Option<ReadTable>,
    /// The number of files that still need it.
    left: usize,
}

impl Tables {
    /// One entry for each schema of some files.
    pub(crate) fn for_files<'s>(schemas: impl Iterator<Item = &'s str>) -> Self {
        let mut slots: BTreeMap<String, Mutex<Slot>> = BTreeMap::new();
        for schema in schemas {
            let slot = slots.entry(schema.to_string()).or_default();
            slot.get_mut().unwrap_or_else(PoisonError::into_inner).left += 1;
        }
        Tables(slots)
    }

    /// Generates a file with the table of a schema, which `read` loads if it is not loaded yet.
    pub fn with<T>(
        &self,
        schema: &str,
        read: impl FnOnce() -> Result<Table, Diagnostics>,
        make: impl FnOnce(&Result<Table, Diagnostics>) -> T,
    ) -> T {
        let Some(slot) = self.0.get(schema) else { return make(&read()) };
        let table = {
            // Others that need the same schema wait here.
            let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(slot.table.get_or_insert_with(|| Arc::new(read())))
        };
        let made = make(&table);
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        slot.left = slot.left.saturating_sub(1);
        if slot.left == 0 {
            slot.table = None;
        }
        made
    }
}
