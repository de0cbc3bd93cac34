use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::salt::{RandomSalt, SaltScheme};

pub static RULE: Rule = Rule {
    code: "SP107",
    name: "random-salt",
    severity: Severity::Warning,
    summary: "A random salt cannot be computed from a row.",
    why: "\
Nobody can compute which salt a row got. No row can be read by its key, every query reads all salts, and a row that is
written again after a failure is stored a second time with another salt. A digit of a hash of the key spreads the writes
as well and can be computed.",
    learned: "HBase reference guide, section on salting; the articles on random digits that two examples follow",
    fires: "\
key:
  salt:
    »random: { below: 10, write: decimal }«
  fields:
    - { name: id, type: string, width: 8, chars: digits }
",
    corrected: "\
key:
  salt:
    md5: { of: key, first_hex_digits: 1, write: hex }
  fields:
    - { name: id, type: string, width: 8, chars: digits }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let Some(salt) = &context.schema.key.salt else { return Vec::new() };
    let SaltScheme::Random(RandomSalt { below }) = salt.scheme else { return Vec::new() };
    let span = context.places.entry_near(&["key", "salt", "random"]);
    let message = format!("no row can be read by its key: its salt is one of {below} random ones");
    let finding = RULE.at(context, span, message, "not computable");
    vec![finding.help("compute the salt: `md5: { of: key, first_hex_digits: 1, write: hex }`")]
}
