use super::length;
use crate::audit::context::Context;
use crate::audit::finding::Finding;
use crate::audit::rule::{Check, Rule};
use crate::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP301",
    name: "key-length",
    severity: Severity::Warning,
    summary: "The row key is longer than 100 bytes, or (a note) than 16.",
    why: "\
HBase stores the row key with every cell, in the memory store, in the block index and on the wire. Keys above 100 bytes cost
more than most values; the usual advice is 16 bytes. Binary numbers, short codes and a digest of long columns shorten a key.",
    learned: "HBase reference guide, \"Try to minimize row and column sizes\"; the length rule of the published designs",
    fires: "\
»key«:
  fields:
    - { name: url, type: string, width: 120, chars: ascii }
",
    corrected: "\
key:
  fields:
    - { name: site, type: string, width: 8, chars: hex }
    - { name: page, type: bigint, encoding: be_sortable }
",
    check: Check::Schema(check),
};

const MOST: usize = 100;
const BEST: usize = 16;

fn check(context: &Context<'_>) -> Vec<Finding> {
    let (least, exact) = length(&context.schema.key);
    if least <= BEST {
        return Vec::new();
    }
    let span = context.node(&[]).and_then(|root| root.entry("key")).map(|entry| entry.key.span);
    let span = span.unwrap_or(context.schema.key.span);
    let at_least = if exact { "" } else { "at least " };
    let message = format!("every row key takes {at_least}{least} bytes");
    let widest = context.stored_fields().max_by_key(|(_, field)| field.kind.fixed_width());
    let label = if least > MOST { format!("more than {MOST}") } else { format!("{BEST} are best") };
    let finding = context.at(&RULE, span, message, label);
    let finding = match widest {
        Some((_, field)) if field.kind.fixed_width().is_some() => {
            finding.cause(field.span, format!("{} bytes", field.kind.fixed_width().unwrap_or(0)))
        }
        _ => finding,
    };
    let severity = if least > MOST { Severity::Warning } else { Severity::Note };
    let help = "store numbers as binary, use short codes, or a digest of long columns";
    vec![finding.severity(severity).help(help)]
}
