//! Commands of the HBase shell, filters, and views of Phoenix.

pub(crate) mod fuzzy;
pub(crate) mod phoenix;
pub mod row_counter;
pub mod shell;
