use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP209",
    name: "many-regions",
    severity: Severity::Note,
    summary: "The table starts with more than a thousand regions per column family.",
    why: "\
Every region has a memstore for each column family, with buffers of 2 MB by default, and each is opened, balanced and
flushed separately. Between some tens and two hundred regions per server are usual, for all tables together. HBase
splits regions that grow; start with a few per server.",
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
    let message = format!("the table starts with {} regions, {stores} memstores", splits.len() + 1);
    let finding = RULE.at(context, span, message, "many for a new table");
    vec![finding.help("start with a few regions per server: HBase splits those that grow")]
}
