use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule =
    Rule::new(Severity::Warning, include_str!("sp611_block_size.md"), Detector::Schema(check));

/// The sizes in bytes that HBase's own documentation calls general and sequential use.
const USUAL: std::ops::RangeInclusive<i64> = 8 << 10..=1 << 20;

fn check(context: &Context<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for family in &context.schema.hbase.families {
        let Some(size) = family.number("BLOCKSIZE").filter(|size| !USUAL.contains(size)) else { continue };
        let Some((span, _)) = context.attribute(family, "BLOCKSIZE") else { continue };
        let (message, label) = match size < *USUAL.start() {
            true => (format!("blocks of {size} bytes make a large index"), "below 8 KB"),
            false => (format!("each read of a row loads a block of {size} bytes"), "above 1 MB"),
        };
        let finding = RULE.at(context, span, message, label);
        findings
            .push(finding.help("remove it: 65536 is the default; smaller for point reads, larger for scans"));
    }
    findings
}
