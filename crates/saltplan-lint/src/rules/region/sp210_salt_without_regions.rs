use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP210",
    name: "salt-without-regions",
    severity: Severity::Warning,
    summary: "The keys are salted, but the table is not split.",
    why: "\
A new table has one region on one server, whatever its keys look like: until it is large enough to be split, the salt
spreads nothing and every read pays for it. When HBase finally splits it, it cuts where the data is, not between the
salts.",
    learned: "HBase reference guide, \"Table Creation: Pre-Creating Regions\"",
    fires: "\
key:
  »salt:
    md5: { of: key, first_hex_digits: 1, write: hex }«
  fields:
    - { name: id, type: string, width: 8, chars: digits }
",
    corrected: "\
key:
  salt:
    md5: { of: key, first_hex_digits: 1, write: hex }
  fields:
    - { name: id, type: string, width: 8, chars: digits }
regions:
  per_salt: {}
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    if context.schema.key.salt.is_none() || context.schema.regions.is_some() {
        return Vec::new();
    }
    let span = context.places.entry_near(&["key", "salt"]);
    let finding = RULE.at(
        context,
        span,
        "the keys are salted, but the table starts with one region",
        "spreads nothing yet",
    );
    vec![
        finding
            .help("add `regions: { per_salt: {} }`, or `regions: { hex_string: n }` for a long MD5 prefix"),
    ]
}
