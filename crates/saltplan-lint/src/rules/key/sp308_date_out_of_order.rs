use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::field::{Field, FieldId, FieldKind};

pub static RULE: Rule = Rule::new(include_str!("sp308_date_out_of_order.md"), Detector::Field(check));

fn check(context: &Context<'_>, id: FieldId, field: &Field) -> Option<Finding> {
    let FieldKind::Calendar(calendar) = &field.kind else { return None };
    if calendar.format.sorts() {
        return None;
    }
    let message = format!("the text of `{}` does not sort by time", field.name);
    let finding = RULE.at(context, context.field_entry(id, "format"), message, "not from coarse to fine");
    Some(finding.help("write the units from coarse to fine, such as `yyyyMMdd`"))
}
