//! How the values of a field are stored, ignoring limits on the values.

use chrono::{NaiveDate, NaiveDateTime};

use saltplan_core::key::chars::Chars;
use saltplan_core::key::field::{CalendarField, CalendarType, EpochField, FieldKind, TextField};
use saltplan_sql::time::format::TimeFormat;

/// The stored form of a kind: without limits, and the same for all kinds with the same bytes.
pub(crate) fn stored_form(kind: &FieldKind) -> FieldKind {
    match kind.clone() {
        FieldKind::Text(text) => FieldKind::Text(TextField {
            width: None,
            chars: Chars::utf8(),
            values: None,
            reverse: text.reverse,
            nullable: false,
            form: text.form,
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

/// A pattern without unnecessary quotes. Formats that print the same text are equal.
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
