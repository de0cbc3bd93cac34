use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::schema::family::{KNOWN, KnownAttribute, conflicts, known};
use saltplan_core::schema::model::Family;
use saltplan_document::diag::{Edit, did_you_mean};
use saltplan_document::yaml;

pub static RULE: Rule = Rule::new(include_str!("sp604_unknown_attribute.md"), Detector::Several(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for family in &context.schema.hbase.families {
        for (name, _) in &family.attributes {
            let is_setting = name.contains('.');
            if is_setting || known(name).is_some() {
                continue;
            }
            findings.extend(unknown(context, family, name));
        }
    }
    findings
}

fn unknown(context: &Context<'_>, family: &Family, name: &str) -> Option<Finding> {
    let path = ["hbase", "families", &family.name, name];
    let span = context.entry(&path)?;
    let message = format!("the HBase shell knows no attribute `{name}` of a family");
    let finding = RULE.at(context, span, message, "not set");
    // An attribute that the family already has cannot have been intended.
    let absent =
        KNOWN.iter().filter(|known| !known.is_setting() && family.attribute(known.constant).is_none());
    let names: Vec<String> = absent.flat_map(KnownAttribute::names).collect();
    let Some(meant) = did_you_mean(name, names.iter().map(String::as_str)) else {
        let help =
            "remove it; write an HBase setting by its full name, such as `hbase.hstore.blockingStoreFiles`";
        return Some(finding.help(help));
    };
    let finding = finding.help(format!("did you mean `{meant}`?"));
    let written = context.node(&path[..3])?.entry(name)?.key.span;
    let text = yaml::replacement(context.text(written), name, meant);
    let edits = text.filter(|_| is_taken(family, name, meant)).map(|text| vec![Edit::new(written, text)]);
    Some(finding.unsafe_fix(format!("write `{meant}`"), edits))
}

/// Whether HBase accepts the family if the attribute has its correct name.
fn is_taken(family: &Family, name: &str, meant: &str) -> bool {
    let mut renamed = family.clone();
    let Some((written, value)) = renamed.attributes.iter_mut().find(|(written, _)| written == name) else {
        return false;
    };
    *written = meant.to_string();
    known(meant).is_some_and(|known| known.values.doubt(value).is_none()) && conflicts(&renamed).is_empty()
}
