use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP209",
    name: "many-regions",
    severity: Severity::Note,
    summary: "The table starts with more than a thousand regions for each column family.",
    why: "\
Every region keeps a memory store for each column family, with buffers of 2 MB by default, and every one is opened, balanced
and flushed on its own. Some tens to two hundred regions a server are usual, for all tables together. HBase splits regions
that grow; start with a few for each server.",
    learned: "HBase reference guide, \"Why should I keep my region count low?\"",
    fires: "\
key:
  fields:
    - { name: id, type: string, width: 8, chars: hex }
»regions:
  hex_string: 5000«
",
    corrected: "\
key:
  fields:
    - { name: id, type: string, width: 8, chars: hex }
regions:
  hex_string: 64
",
    check: Detector::Schema(check),
};

const MANY: usize = 1_000;

fn check(context: &Context<'_>) -> Vec<Finding> {
    let (Some(splits), Some(span)) = (&context.splits, context.entry(&["regions"])) else {
        return Vec::new();
    };
    let stores = (splits.len() + 1).saturating_mul(context.schema.hbase.families.len());
    if stores <= MANY {
        return Vec::new();
    }
    let message = format!("the table starts with {} regions, {stores} memory stores", splits.len() + 1);
    let finding = RULE.at(context, span, message, "many for a new table");
    vec![finding.help("start with a few regions for each server: HBase splits those that grow")]
}
