use crate::rule::{Detector, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp901_invalid_file.md"), Detector::Loader);
