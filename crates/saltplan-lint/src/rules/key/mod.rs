//! Rules about the fields of the row key.

pub mod sp301_key_length;
pub mod sp302_monotonic_key;
pub mod sp303_ambiguous_boundary;
pub mod sp304_separator_in_field;
pub mod sp305_unpadded_number;
pub mod sp306_twos_complement;
pub mod sp307_key_not_unique;
pub mod sp308_date_out_of_order;
pub mod sp309_epoch_width;
pub mod sp310_key_in_every_cell;
pub mod sp311_repeated_hour;

use saltplan_core::key::field::Field;
use saltplan_core::key::layout::RowKey;

/// The minimum length of a row key in bytes, and whether every key has it. A salt without a fixed width
/// counts as one byte.
fn length(key: &RowKey) -> (usize, bool) {
    let salt = key.salt.as_ref().map(|salt| (salt.fixed_width(&key.fields), salt.separator.len()));
    let (mut least, mut exact) = match salt {
        Some((width, then)) => (width.unwrap_or(1) + then, width.is_some()),
        None => (0, true),
    };
    for id in key.stored() {
        let field = &key.fields[id];
        let width = field.kind.fixed_width();
        least += width.unwrap_or(0) + field.separator.len();
        exact &= width.is_some();
    }
    (least, exact)
}

/// Whether values of the field have different lengths.
fn is_variable(field: &Field) -> bool {
    field.kind.fixed_width().is_none() && !field.kind.is_terminated()
}
