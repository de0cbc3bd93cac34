use crate::rule::{Detector, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp904_unused_suppression.md"), Detector::Engine);
