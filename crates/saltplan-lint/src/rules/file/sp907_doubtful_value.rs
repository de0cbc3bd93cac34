use crate::rule::{Detector, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP907",
    name: "doubtful-value",
    severity: Severity::Warning,
    summary: "A value is allowed but probably not intended.",
    why: "\
The loader accepts the file and warns: the number of a salt is truncated to the width in which it is stored, as by a
Java cast. Rows that differ only in the lost bytes share a salt.",
    learned: "JLS 5.1.3, narrowing primitive conversion",
    fires: "\
key:
  salt:
    java_hash: { of: [id], mask: 0x7FFFFFFF, write: »be16« }
  fields:
    - { name: id, type: string, width: 8, chars: digits }
",
    corrected: "\
key:
  salt:
    java_hash: { of: [id], mask: 0x7FFF, write: be16 }
  fields:
    - { name: id, type: string, width: 8, chars: digits }
",
    check: Detector::Loader,
};
