use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::schema::attributes::{
    AttributesOf, KnownAttribute, attribute, conflicts, known, known_attributes,
};
use saltplan_core::schema::model::{AttributeValue, Family};
use saltplan_document::diag::{Edit, did_you_mean};
use saltplan_document::yaml;

pub static RULE: Rule = Rule::new(include_str!("sp604_unknown_attribute.md"), Detector::Several(check));

/// The attributes of the table, or of one family.
struct Owner<'a> {
    of: AttributesOf,
    /// Where they are in the file.
    path: Vec<&'a str>,
    attributes: &'a [(String, AttributeValue)],
}

fn check(context: &Context<'_>) -> Vec<Finding> {
    let hbase = &context.schema.hbase;
    let table =
        Owner { of: AttributesOf::Table, path: vec!["hbase", "attributes"], attributes: &hbase.attributes };
    let families = hbase.families.iter().map(|family| Owner {
        of: AttributesOf::Family,
        path: vec!["hbase", "families", &family.name],
        attributes: &family.attributes,
    });
    let mut findings = Vec::new();
    for owner in [table].into_iter().chain(families) {
        for (name, _) in owner.attributes {
            let is_setting = name.contains('.');
            if !is_setting && known(owner.of, name).is_none() {
                findings.extend(unknown(context, &owner, name));
            }
        }
    }
    findings
}

fn unknown(context: &Context<'_>, owner: &Owner<'_>, name: &str) -> Option<Finding> {
    let path: Vec<&str> = owner.path.iter().copied().chain([name]).collect();
    let span = context.entry(&path)?;
    let (what, setting) = match owner.of {
        AttributesOf::Family => ("a family", "hbase.hstore.blockingStoreFiles"),
        AttributesOf::Table => ("a table", "hbase.hregion.majorcompaction"),
    };
    let message = format!("the HBase shell knows no attribute `{name}` of {what}");
    let finding = RULE.at(context, span, message, "not set");
    // An attribute that is already there cannot have been intended.
    let absent = known_attributes(owner.of).iter().filter(|known| {
        !known.is_setting() && attribute(owner.of, owner.attributes, known.constant).is_none()
    });
    let names: Vec<String> = absent.flat_map(KnownAttribute::names).collect();
    let Some(meant) = did_you_mean(name, names.iter().map(String::as_str)) else {
        let help = format!("remove it; write an HBase setting by its full name, such as `{setting}`");
        return Some(finding.help(help));
    };
    let finding = finding.help(format!("did you mean `{meant}`?"));
    let written = context.node(&owner.path)?.entry(name)?.key.span;
    let text = yaml::replacement(context.text(written), name, meant);
    let edits = text.filter(|_| is_taken(owner, name, meant)).map(|text| vec![Edit::new(written, text)]);
    Some(finding.unsafe_fix(format!("write `{meant}`"), edits))
}

/// Whether HBase accepts the family or the table if the attribute has its correct name.
fn is_taken(owner: &Owner<'_>, name: &str, meant: &str) -> bool {
    let mut renamed = owner.attributes.to_vec();
    let Some((written, value)) = renamed.iter_mut().find(|(written, _)| written == name) else {
        return false;
    };
    *written = meant.to_string();
    let is_accepted = known(owner.of, meant).is_some_and(|known| known.values.doubt(value).is_none());
    let goes_together = match owner.of {
        AttributesOf::Family => conflicts(&Family { name: String::new(), attributes: renamed }).is_empty(),
        AttributesOf::Table => true,
    };
    is_accepted && goes_together
}
