use crate::rule::{Detector, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP904",
    name: "unused-suppression",
    severity: Severity::Warning,
    summary: "A comment suppresses a rule that finds nothing there.",
    why: "\
The fault is gone, or the comment stands at the wrong place and the next fault of this kind will be hidden. A comment at the
end of a line covers what starts on this line; one on a line of its own covers the key or the list item below it with all it
holds. The fix removes the code, or the comment when no code is left.",
    learned: "linters for Rust and Python, whose unused suppressions outlive their reason",
    fires: "\
key:
  fields:
    - { name: id, type: string, width: 8, chars: digits }    »# saltplan: ignore[SP305] written before padding was agreed«
",
    corrected: "\
key:
  fields:
    - { name: id, type: string, width: 8, chars: digits }
",
    check: Detector::Engine,
};
