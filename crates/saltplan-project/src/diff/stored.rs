//! How values of a field become bytes, whatever limits the values.

use chrono::{NaiveDate, NaiveDateTime};

use saltplan_core::key::chars::Chars;
use saltplan_core::key::field::{CalendarField, CalendarType, EpochField, FieldKind, TextField};
use saltplan_core::key::time_format::TimeFormat;

/// How values become bytes: a kind without what only limits its values, in the one form of all kinds that store alike.
pub(crate) fn stored_form(kind: &FieldKind) -> FieldKind {
    match kind.clone() {
        FieldKind::Text(text) => FieldKind::Text(TextField {
            width: None,
            chars: Chars::utf8(),
            values: None,
            reverse: text.reverse,
        }),
        FieldKind::Integer(number) => FieldKind::Integer(number.stored_form()),
        FieldKind::Calendar(field) => {
            let (format, hive_type) = (canonical(&field.format), CalendarType::String);
            FieldKind::Calendar(CalendarField { format, time_of_day: true, hive_type })
        }
        FieldKind::Epoch(epoch) => {
            FieldKind::Epoch(EpochField { number: epoch.number.stored_form(), ..epoch })
        }
    }
}

/// A pattern without needless quotes. Formats that print two telling times alike are the same.
pub(crate) fn canonical(format: &TimeFormat) -> TimeFormat {
    let plain = TimeFormat::parse(&format.pattern().replace('\'', "")).ok();
    let prints_the_same = |other: &TimeFormat| {
        telling_times().iter().all(|at| other.format_local(*at) == format.format_local(*at))
    };
    plain.filter(prints_the_same).unwrap_or_else(|| format.clone())
}

fn telling_times() -> Vec<NaiveDateTime> {
    let time = |year, month, day, hour, minute, second, milli| {
        NaiveDate::from_ymd_opt(year, month, day)?.and_hms_milli_opt(hour, minute, second, milli)
    };
    [time(1973, 2, 14, 5, 46, 58, 123), time(2020, 11, 9, 20, 37, 1, 680)].into_iter().flatten().collect()
}
