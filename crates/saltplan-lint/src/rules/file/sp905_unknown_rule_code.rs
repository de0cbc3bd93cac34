use crate::rule::{Detector, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp905_unknown_rule_code.md"), Detector::Engine);
