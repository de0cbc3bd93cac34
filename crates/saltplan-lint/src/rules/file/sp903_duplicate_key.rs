use crate::rule::{Detector, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp903_duplicate_key.md"), Detector::Loader);
