use super::is_variable;
use crate::rule::{Context, Detector, Finding, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp303_ambiguous_boundary.md"), Detector::Several(check));

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
