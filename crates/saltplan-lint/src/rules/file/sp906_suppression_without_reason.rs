use crate::rule::{Detector, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP906",
    name: "suppression-without-reason",
    severity: Severity::Warning,
    summary: "A suppression has no reason, or not the form of a suppression.",
    why: "\
The form is `# saltplan: ignore[SP107] why this is right here`; without a reason nothing is suppressed. The reason is
for the next reader, who otherwise cannot tell a decision from a shortcut.",
    learned: "clippy's `allow_attributes_without_reason`",
    fires: "\
key:
  salt:
    random: { below: 10, write: decimal }    »# saltplan: ignore[SP107]«
  fields:
    - { name: id, type: string, width: 8, chars: digits }
",
    corrected: "\
key:
  salt:
    random: { below: 10, write: decimal }    # saltplan: ignore[SP107] written by a system that cannot be changed
  fields:
    - { name: id, type: string, width: 8, chars: digits }
",
    check: Detector::Engine,
};
