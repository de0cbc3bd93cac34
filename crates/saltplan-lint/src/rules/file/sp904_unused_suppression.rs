use crate::rule::{Detector, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP904",
    name: "unused-suppression",
    severity: Severity::Warning,
    summary: "A comment suppresses a rule that finds nothing there.",
    why: "\
The problem is gone, or the comment is in the wrong place and will hide the next finding of this kind. A comment at the
end of a line covers what starts on this line; one on a line of its own covers the key or list item below it, with
everything in it. The fix removes the code, or the whole comment if no code is left.",
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
