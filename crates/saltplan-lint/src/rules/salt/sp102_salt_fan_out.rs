use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::field::FieldId;
use saltplan_core::key::salt::SaltScheme;
use saltplan_core::plan::DEFAULT_MAX_BRANCHES;
use saltplan_document::diag::Severity;

pub static RULE: Rule = Rule::new(include_str!("sp102_salt_fan_out.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let key = &context.schema.key;
    let (Some(salt), Some(salt_domain)) = (&key.salt, &context.salt_domain) else { return None };
    let count = salt_domain.count();
    if count <= DEFAULT_MAX_BRANCHES as u128 {
        return None;
    }
    if !salt.is_computable() {
        let is_random = matches!(salt.scheme, SaltScheme::Random(_));
        let (kind, key, help) = match is_random {
            true => ("random", "below", "write a smaller `below`, or compute the salt from the key"),
            false => ("unknown", "width", "list the salts that occur: `values: […]`"),
        };
        let message = format!("{count} {kind} salts: every query needs one range per salt");
        let span = context.salt_entry(salt, key);
        let finding = RULE.at(context, span, message, format!("more than {DEFAULT_MAX_BRANCHES}"));
        return Some(finding.help(help));
    }
    let mut inputs: Vec<FieldId> = salt.inputs(&key.fields).iter().map(|input| input.field).collect();
    inputs.sort_unstable();
    inputs.dedup();
    let names: Vec<String> = inputs.iter().map(|&field| format!("`{}`", context.field(field).name)).collect();
    let message = format!(
        "the salt has {} values: only a query that binds {} can use the key",
        count_text(count, salt.hex_digits(&key.fields)),
        names.join(", ")
    );
    let finding =
        RULE.at(context, context.places.salt(), message, format!("more than {DEFAULT_MAX_BRANCHES} ranges"));
    let help = "use fewer digits or a smaller modulus if the table has to be read by ranges";
    Some(finding.severity(Severity::Note).help(help))
}

/// Powers of two are easier to read than many digits.
fn count_text(count: u128, hex_digits: Option<usize>) -> String {
    match count {
        // A digest of 128 bits or more.
        u128::MAX => format!("2^{}", 4 * hex_digits.unwrap_or(32)),
        count if count.is_power_of_two() && count > 1 << 20 => format!("2^{}", count.trailing_zeros()),
        count => count.to_string(),
    }
}
