use crate::rule::{Detector, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp207_unquoted_split_key.md"), Detector::Loader);
