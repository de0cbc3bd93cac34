use crate::rule::{Detector, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP909",
    name: "comma-in-braces",
    severity: Severity::Error,
    summary: "Inside braces, a comma ends a value too early.",
    why: "\
Between `{` and `}` a comma separates entries, so text that contains a comma needs quotes there: a type such as
`decimal(18,2)`, an expression, a format. On a line of its own, outside braces, it does not. Reported by the loader; the
fix adds the quotes.",
    learned: "YAML 1.2, 7.3.3: plain scalars in flow collections",
    fires: "\
columns:
  - { name: amount, type: »decimal(18,2)«, hbase: 'f:amount' }
",
    corrected: "\
columns:
  - { name: amount, type: 'decimal(18,2)', hbase: 'f:amount' }
",
    check: Detector::Loader,
};
