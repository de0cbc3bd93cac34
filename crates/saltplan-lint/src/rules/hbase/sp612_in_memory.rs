use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::schema::model::AttributeValue;

pub static RULE: Rule =
    Rule::new(Severity::Note, include_str!("sp612_in_memory.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let partition = context.schema.target().map(|target| target.partition.as_slice()).unwrap_or_default();
    let Some(index) = partition.iter().position(|column| column.field().is_some()) else { return Vec::new() };
    let mut findings = Vec::new();
    for family in &context.schema.hbase.families {
        let Some((span, value)) = context.attribute(family, "IN_MEMORY") else { continue };
        if !matches!(value, AttributeValue::Bool(true)) && !value.text().eq_ignore_ascii_case("true") {
            continue;
        }
        let message =
            format!("the family `{}` has priority in the block cache, and jobs scan it", family.name);
        let finding = RULE.at(context, span, message, "a scan pushes out blocks of other tables");
        let finding = finding.cause(context.places.partition_column(index), "filled by scans");
        findings.push(finding.help("remove `in_memory`: it is for small tables that are read all the time"));
    }
    findings
}
