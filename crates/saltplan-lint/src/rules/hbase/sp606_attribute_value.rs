use crate::rule::{Detector, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp606_attribute_value.md"), Detector::Loader);
