use crate::rule::{Detector, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp907_doubtful_value.md"), Detector::Loader);
