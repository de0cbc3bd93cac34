//! Plausible values of a date or a time.

use chrono_tz::Tz;

use super::layout::FieldKind;
use super::zone;

/// Numbers of a date or a time that are likely meant, both ends included. Others may be stored: a window narrows no range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Window {
    pub first: Option<i64>,
    pub last: Option<i64>,
}

impl Window {
    pub fn is_open(self) -> bool {
        self == Window::default()
    }

    pub fn contains(self, number: i128) -> bool {
        self.first.is_none_or(|first| i128::from(first) <= number)
            && self.last.is_none_or(|last| number <= i128::from(last))
    }

    /// `20150101 to 20351231`, in the form of [`written`]; `None` for an open window.
    pub fn text(self, kind: &FieldKind, time_zone: Option<Tz>) -> Option<String> {
        let written = |number| written(kind, time_zone, number);
        match (self.first, self.last) {
            (None, None) => None,
            (Some(first), None) => Some(format!("from {} on", written(first))),
            (None, Some(last)) => Some(format!("up to {}", written(last))),
            (Some(first), Some(last)) => Some(format!("{} to {}", written(first), written(last))),
        }
    }
}

/// A number of a date or a time for people: the stored text, of an instant the local time where the zone is known.
pub fn written(kind: &FieldKind, time_zone: Option<Tz>, number: i64) -> String {
    let text = match (kind, time_zone) {
        (FieldKind::Calendar(calendar), _) => calendar.format.format(number),
        (FieldKind::Epoch(epoch), Some(time_zone)) => number
            .checked_mul(epoch.unit.milliseconds())
            .and_then(|milliseconds| zone::local_time(time_zone, milliseconds))
            .map(|local| local.to_string()),
        _ => None,
    };
    text.unwrap_or_else(|| number.to_string())
}
