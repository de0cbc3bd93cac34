use crate::rule::{Detector, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP903",
    name: "duplicate-key",
    severity: Severity::Error,
    summary: "A key, a name, a value or a split key is given twice.",
    why: "\
When a key is given twice, most YAML parsers silently use the last one. Names are not case-sensitive, as in Hive.
Reported by the loader.",
    learned: "YAML 1.2, 3.2.1.3: the keys of a mapping are unique",
    fires: "\
key:
  separator: '_'
  »separator«: '-'
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
