use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::schema::model::Family;
use saltplan_document::diag::Severity;

pub static RULE: Rule = Rule::new(include_str!("sp610_compression.md"), Detector::Several(check));

/// The attributes with a codec.
const CODECS: [&str; 4] =
    ["COMPRESSION", "COMPRESSION_COMPACT", "COMPRESSION_COMPACT_MAJOR", "COMPRESSION_COMPACT_MINOR"];

fn check(context: &Context<'_>) -> Vec<Finding> {
    context.schema.hbase.families.iter().flat_map(|family| of_family(context, family)).collect()
}

fn of_family(context: &Context<'_>, family: &Family) -> Vec<Finding> {
    let mut findings: Vec<Finding> = CODECS
        .iter()
        .filter_map(|constant| context.attribute_is(family, constant, "lzo"))
        .map(|span| {
            let message =
                format!("the family `{}` needs LZO, which Apache HBase does not contain", family.name);
            RULE.at(context, span, message, "its regions do not open on a server without it")
                .help("use SNAPPY, LZ4 or ZSTD, or install hadoop-lzo on every server first")
        })
        .collect();
    findings.extend(uncompressed(context, family));
    findings
}

/// A family that has attributes, but no compression. A family without any attribute is not reported, because
/// the file does not describe it.
fn uncompressed(context: &Context<'_>, family: &Family) -> Option<Finding> {
    let span = match context.attribute(family, "COMPRESSION") {
        Some((span, value)) => value.text().eq_ignore_ascii_case("none").then_some(span)?,
        None if family.attributes.is_empty() => return None,
        None => context.family(family)?,
    };
    let message = format!("the family `{}` is stored without compression", family.name);
    let finding = RULE.at(context, span, message, "files are as large as the cells").severity(Severity::Note);
    Some(finding.help("add a codec that your servers have, such as `compression: SNAPPY`"))
}
