use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP602",
    name: "many-families",
    severity: Severity::Warning,
    summary: "The table has more than three column families.",
    why: "\
Flushes and compactions work on a region with all its families: when one family fills up, the others write small files
too. One family is right for most tables, and a second one for columns that are read separately.",
    learned: "HBase reference guide, \"On the number of column families\"",
    fires: "\
hbase:
  table: 't'
  »families: { a: {}, b: {}, c: {}, d: {} }«
columns:
  - { name: a, type: string, hbase: 'a:a' }
  - { name: b, type: string, hbase: 'b:b' }
  - { name: c, type: string, hbase: 'c:c' }
  - { name: d, type: string, hbase: 'd:d' }
",
    corrected: "\
hbase:
  table: 't'
  families: { a: {} }
columns:
  - { name: a, type: string, hbase: 'a:a' }
",
    check: Detector::Schema(check),
};

const MOST: usize = 3;

fn check(context: &Context<'_>) -> Vec<Finding> {
    let families = context.schema.hbase.families.len();
    let Some(span) = context.entry(&["hbase", "families"]).filter(|_| families > MOST) else {
        return Vec::new();
    };
    let message = format!("{families} column families are flushed and compacted together");
    vec![
        RULE.at(context, span, message, format!("more than {MOST}"))
            .help("put columns that are read together into one family"),
    ]
}
