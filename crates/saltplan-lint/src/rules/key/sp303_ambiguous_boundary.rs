use super::is_variable;
use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP303",
    name: "ambiguous-boundary",
    severity: Severity::Error,
    summary: "A field of variable length is followed by another one without a separator.",
    why: "\
`ab` + `c` and `a` + `bc` are the same key: one of the two rows overwrites the other, and no reader can decode the key.
Give the field a fixed `width`, put a `separator` between the parts, or move the field to the end.",
    learned: "the published designs that join columns by nothing",
    fires: "\
key:
  fields:
    - »{ name: customer, type: string, chars: alnum }«
    - { name: contract, type: string, chars: alnum }
",
    corrected: "\
key:
  separator: '_'
  fields:
    - { name: customer, type: string, chars: alnum }
    - { name: contract, type: string, chars: alnum }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let stored: Vec<_> = context.stored_fields().collect();
    let pairs = stored.iter().zip(stored.iter().skip(1));
    pairs
        .filter(|((_, field), _)| is_variable(field) && field.separator.is_empty())
        .map(|((id, field), (behind, next))| {
            let message = format!("nothing marks where `{}` ends and `{}` begins", field.name, next.name);
            let finding = RULE.at(
                context,
                context.places.field(*id),
                message,
                "of variable length, without a separator",
            );
            let help = format!("give `{}` a `width` or a separator: `then: '_'`", field.name);
            finding.cause(context.places.field(*behind), "follows directly").help(help)
        })
        .collect()
}
