use crate::rule::{Detector, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule::new(Severity::Error, include_str!("sp902_unknown_key.md"), Detector::Loader);
