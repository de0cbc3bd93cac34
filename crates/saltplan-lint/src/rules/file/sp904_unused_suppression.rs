use crate::rule::{Detector, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule =
    Rule::new(Severity::Warning, include_str!("sp904_unused_suppression.md"), Detector::Engine);
