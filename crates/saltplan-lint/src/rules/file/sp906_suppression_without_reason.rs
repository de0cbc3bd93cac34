use crate::rule::{Detector, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp906_suppression_without_reason.md"), Detector::Engine);
