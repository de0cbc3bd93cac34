use crate::rule::{Detector, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp503_partition_type.md"), Detector::Loader);
