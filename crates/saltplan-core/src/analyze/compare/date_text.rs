//! Constants among the texts that a format prints.

use chrono::NaiveDate;

use super::cut::Position;
use super::remarks::Remarks;
use super::truth::{NotUsed, not_used};
use crate::analyze::constant::Decimal;
use saltplan_document::diag::counted;
use saltplan_sql::time::format::TimeFormat;
use saltplan_sql::time::pattern::Granularity;

/// Whether a text is a date as Hive prints it.
pub fn is_iso_day(text: &str) -> bool {
    NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok_and(|day| day.to_string() == text)
}

/// Where a text sorts among the texts of a format.
pub(super) fn text_cut(format: &TimeFormat, text: &str, remarks: &mut Remarks) -> Result<Position, NotUsed> {
    if let Some(ordinal) = format.parse_text(text) {
        return Ok(Position { position: ordinal.into(), exact: true });
    }
    if !format.sorts() {
        return not_used(format!("`{text}` is not a date in the format `{}`", format.pattern()));
    }
    warn_no_date(text, format, remarks);
    Ok(Position { position: format.first_not_below(text.as_bytes()).into(), exact: false })
}

/// The cut of a number among the texts of a format that prints only digits, read as numbers.
pub(super) fn digits_cut(format: &TimeFormat, number: Decimal, remarks: &mut Remarks) -> Position {
    let (ceiling, exact) = number.ceiling();
    let (first, last) = format.domain();
    let text = format!("{:0width$}", ceiling.max(0), width = format.width());
    if text.len() > format.width() {
        warn_no_date(&ceiling.to_string(), format, remarks);
        return Position { position: i128::from(last) + 1, exact: false };
    }
    match format.parse_text(&text) {
        Some(ordinal) if ceiling > 0 => {
            reject_short_year(ceiling, format, remarks);
            Position { position: ordinal.into(), exact }
        }
        _ => {
            warn_no_date(&ceiling.to_string(), format, remarks);
            let position = if ceiling <= 0 { first } else { format.first_not_below(text.as_bytes()) };
            Position { position: position.into(), exact: false }
        }
    }
}

/// `200406` for `yyyyMMdd`: as a number it is a day of the year 20, which is implausible.
fn reject_short_year(number: i128, format: &TimeFormat, remarks: &mut Remarks) {
    let digits = number.to_string();
    // A year alone is usually written as a number.
    if digits.len() >= format.width() || format.granularity() == Granularity::Year {
        return;
    }
    let full = format!("20{digits}");
    let meant = format.parse_text(&full).map_or_else(
        || format!("write `'{digits:0>width$}'` if it is meant", width = format.width()),
        |_| format!("did you mean `{full}`?"),
    );
    remarks.rejected.push(format!(
        "`{digits}` has {}, `{}` has {}: {meant}",
        counted(digits.len() as u128, "digit", "digits"),
        format.pattern(),
        format.width()
    ));
}

fn warn_no_date(text: &str, format: &TimeFormat, remarks: &mut Remarks) {
    let meant = meant_date(text)
        .filter(|date| date != text)
        .map(|date| format!(" (did you mean `{date}`?)"))
        .unwrap_or_default();
    remarks.as_text(format!(
        "`{text}` is not a date in the format `{}`{meant}; it is compared in the order of the text",
        format.pattern()
    ));
}

/// The day that a text such as `2020/04/06`, `2020-4-6` or `2020.04.06` probably means, as Hive writes it.
pub(super) fn meant_date(text: &str) -> Option<String> {
    let mut parts = text.trim().split(['-', '/', '.']);
    let mut number = |digits: std::ops::RangeInclusive<usize>| {
        let part = parts.next()?;
        let is_number = digits.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<u32>().ok())?
    };
    let (year, month, day) = (number(4..=4)?, number(1..=2)?, number(1..=2)?);
    let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
    parts.next().is_none().then(|| date.format("%Y-%m-%d").to_string())
}
