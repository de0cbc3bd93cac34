//! Days counted from the day of a date or a time: `date_add`, `date_sub` and `datediff`.

use chrono::{Datelike as _, NaiveDate, NaiveDateTime, NaiveTime};
use chrono_tz::Tz;

use super::cut::{Position, from_cut_sets};
use super::instant::zone_of;
use super::number::number;
use super::printed::values_not_before;
use super::remarks::Remarks;
use super::truth::{Comparison, NotUsed, Truth, not_used};
use crate::analyze::constant::{Constant, read_time};
use crate::analyze::sargable::{Counted, Distance};
use crate::analyze::values::ValueSet;
use crate::key::field::{Field, FieldKind};

/// Before this day some Hives count in Julian days; a month from the change of the calendars they are less apart.
const FIRST_DAY: (i32, u32, u32) = (1583, 1, 1);

/// The values of a field that compare so with a constant when days are counted from theirs.
pub(super) fn compare(
    field: &Field,
    time_zone: Option<Tz>,
    Counted { plus_days, from }: Counted,
    (comparison, constant): (Comparison, &Constant),
    remarks: &mut Remarks,
) -> Result<Truth, NotUsed> {
    let kind = &field.kind;
    let time_zone = if matches!(kind, FieldKind::Epoch(_)) { Some(zone_of(field, time_zone)?) } else { None };
    // The constant as days since the year 1.
    let since = |day: NaiveDate| i128::from(day.num_days_from_ce());
    let (mut first, mut comparison) = (None, comparison);
    let Position { position, exact } = match from {
        None => match day_position(constant, remarks)? {
            Some(position) => position,
            None => return Ok(Truth::unknown(kind)),
        },
        Some(distance) => {
            let Constant::Number(_) = constant else {
                return not_used("the constant is not a number of days");
            };
            let Some(number) = number(field, constant, remarks)? else { return Ok(Truth::unknown(kind)) };
            let Position { position: days, exact } = Position::of(number);
            let (Distance::Since(day) | Distance::Until(day)) = distance;
            first = Some(day);
            let position = match distance {
                Distance::Since(_) => since(day).saturating_add(days),
                Distance::Until(_) => {
                    comparison = comparison.flipped();
                    // The first day whose distance is not above: one later where the constant is no whole number.
                    since(day).saturating_sub(days).saturating_add(i128::from(!exact))
                }
            };
            Position { position, exact }
        }
    };
    let target = position.saturating_sub(i128::from(plus_days));
    let first_day = NaiveDate::from_ymd_opt(FIRST_DAY.0, FIRST_DAY.1, FIRST_DAY.2).map_or(0, since);
    if [Some(position), Some(target), first.map(since)].into_iter().flatten().any(|day| day < first_day) {
        return not_used("some versions of Hive count days before 1583 differently");
    }
    let not_before = |day: i128| match start_of(day) {
        Some(start) => values_not_before(kind, time_zone, start, false),
        None => ValueSet::none(kind),
    };
    Ok(from_cut_sets(kind, comparison, not_before(target), not_before(target + i128::from(exact))))
}

/// The position of a constant among days; `None` if the comparison is NULL.
fn day_position(constant: &Constant, remarks: &mut Remarks) -> Result<Option<Position>, NotUsed> {
    let at = match constant {
        Constant::Date(day) => day.and_time(NaiveTime::MIN),
        Constant::Timestamp(at) => *at,
        // Hive casts the text to a date.
        Constant::Text(text) => match read_time(text.trim()) {
            Some(Some(at)) => at.date().and_time(NaiveTime::MIN),
            Some(None) => {
                remarks.no_row(format!("`{text}` is not a date, the condition is true for no row"));
                return Ok(None);
            }
            None => return not_used(format!("`{text}` is not a date that all Hives read alike")),
        },
        _ => return not_used("the constant is not a date"),
    };
    let exact = at.time() == NaiveTime::MIN;
    Ok(Some(Position { position: i128::from(at.num_days_from_ce()) + i128::from(!exact), exact }))
}

/// The first moment of a day, counted from the year 1; `None` beyond every calendar.
fn start_of(day: i128) -> Option<NaiveDateTime> {
    let day = NaiveDate::from_num_days_from_ce_opt(i32::try_from(day).ok()?)?;
    Some(day.and_time(NaiveTime::MIN))
}
