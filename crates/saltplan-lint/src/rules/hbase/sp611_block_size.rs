use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::schema::model::Family;

pub static RULE: Rule = Rule::new(include_str!("sp611_block_size.md"), Detector::Family(check));

/// The sizes in bytes that HBase's own documentation calls general and sequential use.
const USUAL: std::ops::RangeInclusive<i64> = 8 << 10..=1 << 20;

fn check(context: &Context<'_>, family: &Family) -> Option<Finding> {
    let size = family.number("BLOCKSIZE").filter(|size| !USUAL.contains(size))?;
    let (span, _) = context.attribute(family, "BLOCKSIZE")?;
    let (message, label) = match size < *USUAL.start() {
        true => (format!("blocks of {size} bytes make a large index"), "below 8 KB"),
        false => (format!("each read of a row loads a block of {size} bytes"), "above 1 MB"),
    };
    let finding = RULE.at(context, span, message, label);
    Some(finding.help("remove it: 65536 is the default; smaller for point reads, larger for scans"))
}
