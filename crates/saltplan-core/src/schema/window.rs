//! Reads `min` and `max` of a date or a time: the plausible values, with which predicates are compared.

use chrono::{NaiveDateTime, NaiveTime};

use crate::key::field::{EpochUnit, FieldKind, FieldTime};
use crate::key::shown;
use crate::key::window::Window;
use saltplan_document::reader::{FileValue, Reader, optional};
use saltplan_document::wording::excerpt;
use saltplan_sql::time::format::{TimeFormat, parse_timestamp};
use saltplan_sql::time::pattern::Granularity;
use saltplan_sql::time::zone::Zone;

/// The time zone of the schema, if it could be read.
#[derive(Debug, Clone, Copy)]
pub struct WrittenZone {
    pub(crate) is_written: bool,
    pub value: Option<Zone>,
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    First,
    Last,
}

/// The window of a date or a time; numbers and texts have none.
pub fn window(
    reader: &mut Reader<'_>,
    [min, max]: [Option<FileValue<'_>>; 2],
    kind: &FieldKind,
    zone: WrittenZone,
) -> Option<Window> {
    if kind.time().is_none() {
        return Some(Window::default());
    }
    let mut bound = |value, end| optional(value, |value| bound(reader, value, kind, zone, end));
    let (first, last) = (bound(min, End::First), bound(max, End::Last));
    let window = Window { first: first?, last: last? };
    if let (Some(first), Some(last), Some(place)) = (window.first, window.last, max)
        && first > last
    {
        let written = |number| shown::number(kind, zone.value, number);
        let message = format!("`max` is {}, and `min` is {}", written(last), written(first));
        return reader.reject(
            place.span(),
            message,
            "no value satisfies both",
            "write the smaller one as `min`",
        );
    }
    Some(window)
}

fn bound(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    kind: &FieldKind,
    zone: WrittenZone,
    end: End,
) -> Option<i64> {
    let text = value.text(reader)?;
    let found = match kind.time()? {
        FieldTime::Local(calendar) => calendar_bound(&text.value, &calendar.format, end),
        FieldTime::Instant(epoch) => {
            match (text.value.parse().ok(), local_bound(&text.value, end), zone.value) {
                (Some(number), ..) => Some(number),
                (None, None, _) => None,
                (None, Some(bound), Some(time_zone)) => instant_bound(bound, time_zone, epoch.unit),
                // An invalid zone was already reported.
                (None, Some(_), None) if zone.is_written => return None,
                (None, Some(_), None) => {
                    return reader.reject(
                        text.span,
                        "a day of an instant needs a `time_zone`",
                        "which day it is depends on the zone",
                        "add a line such as `time_zone: Asia/Shanghai` to the schema, or write the number of the unit",
                    );
                }
            }
        }
    };
    let found =
        found.filter(|number| kind.domain().is_some_and(|domain| domain.contains(&i128::from(*number))));
    if found.is_none() {
        let message = format!("{} cannot be `{}`", value.name(), excerpt(&text.value));
        let help = match kind {
            FieldKind::Calendar(calendar) if calendar.format.granularity() <= Granularity::Day => {
                format!("write a day such as 2015-01-01, or a value of the format `{}`", calendar.format.pattern())
            }
            FieldKind::Calendar(calendar) => format!(
                "write a day such as 2015-01-01, a time such as '2015-01-01 08:00:00', or a value of the format `{}`",
                calendar.format.pattern()
            ),
            _ => "write a day such as 2015-01-01, a time such as '2015-01-01 08:00:00', or a number of the unit".into(),
        };
        reader.error(text.span, message, "no value of the field", help);
    }
    found
}

fn calendar_bound(text: &str, format: &TimeFormat, end: End) -> Option<i64> {
    if let Some(ordinal) = format.parse_text(text) {
        return Some(ordinal);
    }
    let unit = format.granularity();
    match local_bound(text, end)? {
        WindowBound::At(at) if unit > Granularity::Day => Some(unit.ordinal_of(at)),
        WindowBound::At(_) => None,
        WindowBound::Day(day) => Some(unit.ordinal_of(day)),
        WindowBound::Before(next) if unit > Granularity::Day => Some(unit.ordinal_of(next) - 1),
        WindowBound::Before(next) => Some(unit.ordinal_of(next.checked_sub_days(chrono::Days::new(1))?)),
    }
}

fn instant_bound(bound: WindowBound, time_zone: Zone, unit: EpochUnit) -> Option<i64> {
    let first_not_before = |local| unit.ceiling(time_zone.instant(local).into());
    let number = match bound {
        WindowBound::At(local) | WindowBound::Day(local) => first_not_before(local),
        WindowBound::Before(local) => first_not_before(local) - 1,
    };
    i64::try_from(number).ok()
}

enum WindowBound {
    At(NaiveDateTime),
    /// The start of a day.
    Day(NaiveDateTime),
    /// The end of `max` is the end of that day.
    Before(NaiveDateTime),
}

fn local_bound(text: &str, end: End) -> Option<WindowBound> {
    let at = parse_timestamp(text)?;
    Some(match end {
        _ if text.trim().len() > 10 => WindowBound::At(at),
        End::First => WindowBound::Day(at),
        End::Last => WindowBound::Before(at.date().succ_opt()?.and_time(NaiveTime::MIN)),
    })
}
