use chrono::NaiveDate;

use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::field::{Field, FieldId, FieldKind};
use saltplan_sql::time::pattern::Granularity;
use saltplan_sql::time::zone::Zone;

pub static RULE: Rule = Rule::new(include_str!("sp311_repeated_hour.md"), Detector::Field(check));

fn check(context: &Context<'_>, id: FieldId, field: &Field) -> Option<Finding> {
    let FieldKind::Calendar(calendar) = &field.kind else { return None };
    if calendar.format.granularity() < Granularity::Hour
        || !context.schema.time_zone.is_some_and(changes_clocks)
    {
        return None;
    }
    let message = format!("an hour of `{}` occurs twice in autumn, and one is missing in spring", field.name);
    let finding = RULE.at(context, context.field_entry(id, "format"), message, "local time as text");
    let finding = finding.cause_at(context.entry(&["time_zone"]), "this zone has daylight saving time");
    Some(finding.help("store an instant, `epoch: ms`, or write `time_zone: UTC` if the text is UTC"))
}

/// Whether the zone has had two offsets within one of the last years. The years are fixed, so that the result
/// does not depend on the host's clock.
fn changes_clocks(zone: Zone) -> bool {
    let offset = |year, month| {
        let noon = NaiveDate::from_ymd_opt(year, month, 15).and_then(|day| day.and_hms_opt(12, 0, 0))?;
        Some(zone.offset_at(noon.and_utc().timestamp()))
    };
    (2020..=2025).any(|year| offset(year, 1) != offset(year, 7))
}
