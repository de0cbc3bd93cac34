use crate::rule::{Detector, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp909_comma_in_braces.md"), Detector::Loader);
