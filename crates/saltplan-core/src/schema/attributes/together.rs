//! HBase's requirements on combinations of family attributes.

use super::of_families::PREFIX_LENGTH;
use crate::schema::model::Family;
use saltplan_document::diag::Severity;

/// HBase's default for attributes that are not set.
const DEFAULT_VERSIONS: i64 = 1;

/// Two attributes that cannot be combined, or an attribute that requires another one.
#[derive(Debug, PartialEq, Eq)]
pub struct Conflict {
    pub severity: Severity,
    /// The constant of the attribute at fault.
    pub at: &'static str,
    /// The attribute that it conflicts with, if the family has it.
    pub against: Option<&'static str>,
    pub message: String,
    /// What HBase does about it.
    pub outcome: &'static str,
    pub help: String,
}

pub fn conflicts(family: &Family) -> Vec<Conflict> {
    [versions(family), bloom_prefix(family), key_of_no_cipher(family)].into_iter().flatten().collect()
}

fn versions(family: &Family) -> Option<Conflict> {
    let least = family.number("MIN_VERSIONS")?;
    let given = family.number("VERSIONS");
    let most = given.unwrap_or(DEFAULT_VERSIONS);
    let by_default = if given.is_some() { "" } else { " by default" };
    (least > most).then(|| Conflict {
        severity: Severity::Error,
        at: "MIN_VERSIONS",
        against: Some("VERSIONS"),
        message: format!("`min_versions` is {least}, `versions` is {most}{by_default}"),
        outcome: "HBase refuses more than `versions`",
        help: format!("write `versions: {least}`, or a smaller `min_versions`"),
    })
}

fn bloom_prefix(family: &Family) -> Option<Conflict> {
    let filter = family.attribute("BLOOMFILTER")?;
    let is_prefix = filter.text().eq_ignore_ascii_case("ROWPREFIX_FIXED_LENGTH");
    (is_prefix && family.attribute(PREFIX_LENGTH).is_none()).then(|| Conflict {
        severity: Severity::Error,
        at: "BLOOMFILTER",
        against: None,
        message: format!("a prefix Bloom filter without `{PREFIX_LENGTH}`"),
        outcome: "HBase refuses it",
        help: format!("add the length of the prefix in bytes, such as `{PREFIX_LENGTH}: 8`"),
    })
}

fn key_of_no_cipher(family: &Family) -> Option<Conflict> {
    let alone = family.attribute("ENCRYPTION_KEY").is_some() && family.attribute("ENCRYPTION").is_none();
    alone.then(|| Conflict {
        severity: Severity::Warning,
        at: "ENCRYPTION_KEY",
        against: None,
        message: "an encryption key without `encryption`".into(),
        outcome: "the shell ignores it",
        help: "add `encryption: AES`, or remove the key".into(),
    })
}
