use crate::rule::{Detector, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule =
    Rule::new(Severity::Error, include_str!("sp207_unquoted_split_key.md"), Detector::Loader);
