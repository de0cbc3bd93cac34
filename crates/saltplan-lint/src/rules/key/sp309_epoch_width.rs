use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::field::{EpochUnit, Field, FieldId, FieldKind};

pub static RULE: Rule = Rule::new(include_str!("sp309_epoch_width.md"), Detector::Field(check));

fn check(context: &Context<'_>, id: FieldId, field: &Field) -> Option<Finding> {
    let FieldKind::Epoch(epoch) = &field.kind else { return None };
    let (needed, places) = match (epoch.unit, epoch.number.is_text()) {
        (EpochUnit::Milliseconds, true) => (13, "digits"),
        (EpochUnit::Seconds, true) => (10, "digits"),
        (EpochUnit::Milliseconds, false) => (6, "bytes"),
        (EpochUnit::Seconds, false) => (4, "bytes"),
    };
    let (entry, message, label) = match epoch.number.fixed_width() {
        None => ("encoding", format!("the width of `{}` depends on the time", field.name), "no `width`"),
        Some(width) if width < needed => (
            "width",
            format!("the present time does not fit `{}`: it has {needed} {places}", field.name),
            "too narrow",
        ),
        Some(_) => return None,
    };
    let finding = RULE.at(context, context.field_entry(id, entry), message, label);
    Some(finding.help(format!("write `width: {needed}`, or `encoding: be`")))
}
