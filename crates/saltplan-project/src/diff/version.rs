//! One side of a comparison.

use std::sync::Arc;

use saltplan_core::schema::Places;
use saltplan_core::schema::model::Schema;
use saltplan_core::table::Table;
use saltplan_document::diag::{Diagnostic, Source};

/// A version of a schema, with derived data for the comparison.
#[derive(Debug, Clone, Copy)]
pub struct Version<'a> {
    pub(super) table: &'a Table,
    pub(super) schema: &'a Schema,
    pub(super) source: &'a Arc<Source>,
    pub(super) places: &'a Places,
    /// The split keys in byte order; `None` if the schema does not say how the table is split.
    pub(super) split_keys: Option<&'a [Vec<u8>]>,
}

impl<'a> Version<'a> {
    /// # Errors
    /// The schema says how the table is split, but the split keys cannot be computed, see
    /// [`Table::split_keys`].
    pub fn of(table: &'a Table) -> Result<Self, Diagnostic> {
        Ok(Version {
            table,
            schema: table.schema(),
            source: table.source(),
            places: table.places(),
            split_keys: table.split_keys()?,
        })
    }
}
