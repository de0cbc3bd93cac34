use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::field::FieldId;
use saltplan_core::plan::DEFAULT_MAX_BRANCHES;

pub static RULE: Rule = Rule {
    code: "SP102",
    name: "salt-fan-out",
    severity: Severity::Warning,
    summary: "A query that does not bind the salt would need more key ranges than a plan may have.",
    why: "\
If a condition leaves an input of the salt open, it needs one range per salt. With more salts than `--max-branches` (256
by default) such a plan is refused, so only queries that bind all inputs can use the key. For a table that is read by
whole keys this is intended, and the finding is a note. For a random salt, which no query can bind, it is a warning: no
query can use the key at all. Sixteen to a few hundred salts spread the writes of most clusters.",
    learned: "docs/engines.md: every range is a scan of its own, on MapReduce a job of its own",
    fires: "\
key:
  salt:
    random: { »below: 1000«, write: { decimal: 3 } }
  fields:
    - { name: day, type: date, format: yyyyMMdd }
",
    corrected: "\
key:
  salt:
    random: { below: 100, write: { decimal: 2 } }
  fields:
    - { name: day, type: date, format: yyyyMMdd }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let key = &context.schema.key;
    let (Some(salt), Some(image)) = (&key.salt, &context.image) else { return Vec::new() };
    let count = image.count();
    if count <= DEFAULT_MAX_BRANCHES as u128 {
        return Vec::new();
    }
    if !salt.is_computable() {
        let message = format!("{count} random salts: every query needs one range per salt");
        let span = context.salt_entry(salt, "below");
        let finding = RULE.at(context, span, message, format!("more than {DEFAULT_MAX_BRANCHES}"));
        return vec![finding.help("write a smaller `below`, or compute the salt from the key")];
    }
    let mut inputs: Vec<FieldId> = salt.inputs(&key.fields).iter().map(|input| input.field).collect();
    inputs.sort_unstable();
    inputs.dedup();
    let names: Vec<String> = inputs.iter().map(|&field| format!("`{}`", context.field(field).name)).collect();
    let message = format!(
        "the salt has {} values: only a query that binds {} can use the key",
        shown(count),
        names.join(", ")
    );
    let finding =
        RULE.at(context, context.places.salt(), message, format!("more than {DEFAULT_MAX_BRANCHES} ranges"));
    let help = "use fewer digits or a smaller modulus if the table has to be read by ranges";
    vec![finding.severity(Severity::Note).help(help)]
}

/// Powers of two are easier to read than their digits.
fn shown(count: u128) -> String {
    match count {
        u128::MAX => "2^128".into(),
        count if count.is_power_of_two() && count > 1 << 20 => format!("2^{}", count.trailing_zeros()),
        count => count.to_string(),
    }
}
