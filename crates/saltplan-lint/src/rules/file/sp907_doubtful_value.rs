use crate::rule::{Detector, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule =
    Rule::new(Severity::Warning, include_str!("sp907_doubtful_value.md"), Detector::Loader);
