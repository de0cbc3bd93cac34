//! Dates and times, and their plausible values, as text for people.

use super::field::{Field, FieldKind};
use saltplan_sql::time::zone::Zone;

/// The plausible values as text, `20150101 to 20351231`, in the form of [`number`]; `None` if unbounded.
pub fn window(field: &Field, time_zone: Option<Zone>) -> Option<String> {
    let shown = |value| number(&field.kind, time_zone, value);
    match (field.window.first, field.window.last) {
        (None, None) => None,
        (Some(first), None) => Some(format!("from {} on", shown(first))),
        (None, Some(last)) => Some(format!("up to {}", shown(last))),
        (Some(first), Some(last)) => Some(format!("{} to {}", shown(first), shown(last))),
    }
}

/// The number of a date or a time as text: the stored text, or for an instant the local time if the zone is
/// known.
pub fn number(kind: &FieldKind, time_zone: Option<Zone>, number: i64) -> String {
    let text = match (kind, time_zone) {
        (FieldKind::Calendar(calendar), _) => calendar.format.format(number),
        (FieldKind::Epoch(epoch), Some(time_zone)) => number
            .checked_mul(epoch.unit.milliseconds())
            .and_then(|milliseconds| time_zone.local_time(milliseconds))
            .map(|local| local.to_string()),
        _ => None,
    };
    text.unwrap_or_else(|| number.to_string())
}
