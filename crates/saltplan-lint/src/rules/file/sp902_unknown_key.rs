use crate::rule::{Detector, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp902_unknown_key.md"), Detector::Loader);
