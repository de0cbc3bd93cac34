use chrono::{NaiveDate, Offset, TimeZone};
use chrono_tz::Tz;

use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::field::FieldKind;
use saltplan_core::key::time_pattern::Granularity;

pub static RULE: Rule =
    Rule::new(Severity::Warning, include_str!("sp311_repeated_hour.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    if !context.schema.time_zone.is_some_and(changes_clocks) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (id, field) in context.stored_fields() {
        let FieldKind::Calendar(calendar) = &field.kind else { continue };
        if calendar.format.granularity() < Granularity::Hour {
            continue;
        }
        let message =
            format!("an hour of `{}` occurs twice in autumn, and one is missing in spring", field.name);
        let finding = RULE.at(context, context.field_entry(id, "format"), message, "local time as text");
        let finding = match context.entry(&["time_zone"]) {
            Some(span) => finding.cause(span, "this zone has daylight saving time"),
            None => finding,
        };
        findings.push(
            finding.help("store an instant, `epoch: ms`, or write `time_zone: UTC` if the text is UTC"),
        );
    }
    findings
}

/// Whether the zone has had two offsets within one of the last years. The years are fixed, so that the result
/// does not depend on the host's clock.
fn changes_clocks(zone: Tz) -> bool {
    let offset = |year, month| {
        let noon = NaiveDate::from_ymd_opt(year, month, 15).and_then(|day| day.and_hms_opt(12, 0, 0))?;
        Some(zone.offset_from_utc_datetime(&noon).fix().local_minus_utc())
    };
    (2020..=2025).any(|year| offset(year, 1) != offset(year, 7))
}
