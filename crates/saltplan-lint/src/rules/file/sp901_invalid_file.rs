use crate::rule::{Detector, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP901",
    name: "invalid-file",
    severity: Severity::Error,
    summary: "The file is not a valid schema.",
    why: "\
No command accepts the file, and no other rule can check it. This code stands for every error of the loader that has no
code of its own; the message says what is wrong. It cannot be ignored or suppressed.",
    learned: "docs/schema.md",
    fires: "\
key:
  fields:
    - { name: day, type: date, format: »yyyymmdd« }
",
    corrected: "\
key:
  fields:
    - { name: day, type: date, format: yyyyMMdd }
",
    check: Detector::Loader,
};
