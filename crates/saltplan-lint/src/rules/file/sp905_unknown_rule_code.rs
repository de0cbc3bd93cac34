use crate::rule::{Detector, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP905",
    name: "unknown-rule-code",
    severity: Severity::Warning,
    summary: "A comment suppresses a rule that does not exist.",
    why: "A misspelt code suppresses nothing, although its author believes that it does. `saltplan rule` lists the codes.",
    learned: "linters for Rust and Python",
    fires: "\
key:
  »# saltplan: ignore[SP999] the day is the query«
  fields:
    - { name: id, type: string, width: 8, chars: digits }
",
    corrected: "\
key:
  fields:
    - { name: id, type: string, width: 8, chars: digits }
",
    check: Detector::Engine,
};
