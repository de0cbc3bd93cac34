use crate::rule::{Detector, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP207",
    name: "unquoted-split-key",
    severity: Severity::Error,
    summary: "A split key is written without quotes.",
    why: "\
YAML parsers disagree about `001`: text, the number 1, or octal. `016` is 14 in YAML 1.1. In quotes it is text for all
of them. Reported by the loader: no command accepts such a file.",
    learned: "YAML 1.1, the type int: a leading zero makes a number octal",
    fires: "\
key:
  fields:
    - { name: id, type: string, width: 8, chars: digits }
regions:
  explicit: [»001«]
",
    corrected: "\
key:
  fields:
    - { name: id, type: string, width: 8, chars: digits }
regions:
  explicit: ['001']
",
    check: Detector::Loader,
};
