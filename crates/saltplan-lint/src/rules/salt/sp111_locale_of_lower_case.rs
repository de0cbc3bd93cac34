use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP111",
    name: "locale-of-lower-case",
    severity: Severity::Note,
    summary: "Lower-casing depends on the locale of the program that writes the keys.",
    why: "\
`String.toLowerCase()` without a locale uses that of the machine: in a Turkish or Azeri one `I` becomes `ı`. Then two
writers give the same row different salts. saltplan lower-cases like `toLowerCase(Locale.ROOT)`; make sure that the code
that writes the keys passes the locale.",
    learned: "java.lang.String#toLowerCase, note on the Turkish locale",
    fires: "\
key:
  salt:
    md5: { »of: [{ field: name, case: lower }]«, first_hex_digits: 1, write: hex }
  fields:
    - { name: name, type: string, chars: alnum }
",
    corrected: "\
key:
  salt:
    md5: { of: [name], first_hex_digits: 1, write: hex }
  fields:
    - { name: name, type: string, chars: alnum }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let key = &context.schema.key;
    let Some(salt) = &key.salt else { return Vec::new() };
    let Some(input) = salt.inputs(&key.fields).into_iter().find(|input| input.lower) else {
        return Vec::new();
    };
    let name = &context.field(input.field).name;
    let message = format!("the lower case of `{name}` depends on the locale of the program that writes");
    let finding = RULE.at(context, context.salt_entry(salt, "of"), message, "lower-cased here");
    vec![finding.help("use `toLowerCase(Locale.ROOT)` in the code that writes the keys")]
}
