//! The schemas of the jobs: each file is read once, and dropped when no job needs it any more.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use saltplan_core::table::Table;
use saltplan_document::diag::Diagnostics;

/// What is read of schemas, by the paths that the jobs file gives them.
#[derive(Debug)]
pub struct Tables<T = Table>(BTreeMap<String, Mutex<Slot<T>>>);

#[derive(Debug)]
struct Slot<T> {
    table: Option<Arc<Result<T, Diagnostics>>>,
    /// The number of files that still need it.
    left: usize,
}

impl<T> Default for Tables<T> {
    fn default() -> Self {
        Tables(BTreeMap::new())
    }
}

impl<T> Tables<T> {
    /// One entry for each schema of some files.
    pub(crate) fn for_files(schemas: impl Iterator<Item = String>) -> Self {
        let mut slots: BTreeMap<String, Mutex<Slot<T>>> = BTreeMap::new();
        for schema in schemas {
            let slot = slots.entry(schema).or_insert_with(|| Mutex::new(Slot { table: None, left: 0 }));
            slot.get_mut().unwrap_or_else(PoisonError::into_inner).left += 1;
        }
        Tables(slots)
    }

    /// Generates a file with the table of a schema, which `read` loads if it is not loaded yet.
    pub fn with<M>(
        &self,
        schema: &str,
        read: impl FnOnce() -> Result<T, Diagnostics>,
        make: impl FnOnce(&Result<T, Diagnostics>) -> M,
    ) -> M {
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
