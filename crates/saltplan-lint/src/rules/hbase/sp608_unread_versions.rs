use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::schema::model::Family;
use saltplan_document::diag::Severity;

pub static RULE: Rule = Rule::new(include_str!("sp608_unread_versions.md"), Detector::Several(check));

/// The number of versions that the HBase reference guide advises against.
const MANY: i64 = 100;

fn check(context: &Context<'_>) -> Vec<Finding> {
    if context.schema.mapping().is_none() {
        return Vec::new();
    }
    let families = context.schema.hbase.families.iter();
    families
        .flat_map(|family| [versions(context, family), deleted(context, family)].into_iter().flatten())
        .collect()
}

fn versions(context: &Context<'_>, family: &Family) -> Option<Finding> {
    let kept = family.number("VERSIONS").filter(|kept| *kept > 1)?;
    let (span, _) = context.attribute(family, "VERSIONS")?;
    let message = format!("the family `{}` keeps {kept} versions of each cell", family.name);
    let finding = RULE.at(context, span, message, "Hive reads only the newest");
    let severity = if kept >= MANY { Severity::Warning } else { Severity::Note };
    Some(finding.severity(severity).help("write `versions: 1`, unless another program reads the older ones"))
}

fn deleted(context: &Context<'_>, family: &Family) -> Option<Finding> {
    let (span, value) = context.attribute(family, "KEEP_DELETED_CELLS")?;
    if value.text().eq_ignore_ascii_case("false") {
        return None;
    }
    let message = format!("the family `{}` keeps deleted cells", family.name);
    let finding = RULE.at(context, span, message, "Hive cannot read them");
    let finding = finding.severity(Severity::Note);
    Some(finding.help("remove it, unless another program reads the table as of an earlier time"))
}
