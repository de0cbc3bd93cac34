//! Rules about the file itself, and about comments that suppress findings.

pub mod sp901_invalid_file;
pub mod sp902_unknown_key;
pub mod sp903_duplicate_key;
pub mod sp904_unused_suppression;
pub mod sp905_unknown_rule_code;
pub mod sp906_suppression_without_reason;
pub mod sp907_doubtful_value;
pub mod sp908_text_read_otherwise;
pub mod sp909_comma_in_braces;
