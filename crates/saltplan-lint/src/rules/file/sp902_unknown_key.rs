use crate::rule::{Detector, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP902",
    name: "unknown-key",
    severity: Severity::Error,
    summary: "The schema has a key that does not exist at this place.",
    why: "\
A misspelt key would be a setting that is silently ignored. Reported by the loader, with the keys that are allowed at
this place. The JSON schema in schemas/saltplan.schema.json shows the same in an editor.",
    learned: "the HBase shell, which prints `Unknown argument ignored` and goes on",
    fires: "\
key:
  »seperator«: '_'
  fields:
    - { name: id, type: string, width: 8, chars: digits }
",
    corrected: "\
key:
  separator: '_'
  fields:
    - { name: id, type: string, width: 8, chars: digits }
",
    check: Detector::Loader,
};
