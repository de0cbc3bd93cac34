//! Patterns for HBase's `FuzzyRowFilter`: they let a scan skip over rows whose inner key fields do not match, where
//! a range cannot, since a field before them is not bound.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::hbase_shell::ruby_bytes;
use crate::key::field::FieldId;
use crate::key::range::to_hex;
use crate::plan::Plan;
use crate::predicate::{Meaning, Predicate};
use crate::schema::model::Schema;

/// Patterns of one filter, at most: the filter tries each of them on every row it looks at.
const MAX_PATTERNS: usize = 64;

/// The start of a row key, with free places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FuzzyPattern {
    /// One byte a place; zero at free ones.
    pub key: Vec<u8>,
    /// 0: the byte must be equal, 1: any byte.
    pub mask: Vec<u8>,
}

impl FuzzyPattern {
    fn push_free(&mut self, width: usize) {
        self.key.extend(std::iter::repeat_n(0, width));
        self.mask.extend(std::iter::repeat_n(1, width));
    }

    fn push_fixed(&mut self, bytes: &[u8]) {
        self.key.extend_from_slice(bytes);
        self.mask.extend(std::iter::repeat_n(0, bytes.len()));
    }
}

/// Patterns of which every row of the plan matches one; none where the ranges already say as much, or where the
/// fields have no fixed place.
pub fn patterns(schema: &Schema, plan: &Plan) -> Vec<FuzzyPattern> {
    let unproved = fields_to_check(plan);
    let key = &schema.key;
    let mut patterns = vec![FuzzyPattern { key: Vec::new(), mask: Vec::new() }];
    if let Some(salt) = &key.salt {
        let Some(width) = salt.fixed_width(&key.fields) else { return Vec::new() };
        patterns[0].push_free(width + salt.separator.len());
    }
    // Patterns up to the last field that the ranges do not tell; behind it they say nothing more.
    let mut useful = Vec::new();
    for id in key.stored() {
        let field = &key.fields[id];
        let Some(width) = field.kind.fixed_width() else { break };
        let points =
            plan.bound.fields.get(&id).and_then(|set| set.points(&field.kind, MAX_PATTERNS / patterns.len()));
        let values: Option<Vec<Vec<u8>>> =
            points.map(|points| points.iter().filter_map(|value| field.kind.encode(value).ok()).collect());
        match values.filter(|values| !values.is_empty()) {
            Some(values) => {
                patterns = patterns
                    .iter()
                    .flat_map(|start| values.iter().map(|bytes| extended(start, bytes)))
                    .collect();
                if unproved.contains(&id) {
                    useful.clone_from(&patterns);
                }
            }
            None => patterns.iter_mut().for_each(|pattern| pattern.push_free(width)),
        }
        patterns.iter_mut().for_each(|pattern| pattern.push_free(field.separator.len()));
    }
    useful
}

/// Fields with a condition that some branch must check on each row.
fn fields_to_check(plan: &Plan) -> BTreeSet<FieldId> {
    fn collect(predicate: &Predicate, fields: &mut BTreeSet<FieldId>) {
        match predicate {
            Predicate::All(arms) | Predicate::Any(arms) => arms.iter().for_each(|arm| collect(arm, fields)),
            Predicate::Condition(condition) => {
                if let Meaning::Field { field, .. } = condition.meaning {
                    fields.insert(field);
                }
            }
        }
    }
    let mut fields = BTreeSet::new();
    for residual in &plan.residuals {
        collect(&residual.predicate, &mut fields);
    }
    fields
}

fn extended(start: &FuzzyPattern, bytes: &[u8]) -> FuzzyPattern {
    let mut pattern = start.clone();
    pattern.push_fixed(bytes);
    pattern
}

/// The filter as an expression of the HBase shell.
pub fn shell_filter(patterns: &[FuzzyPattern]) -> String {
    let pairs = patterns.iter().map(|pattern| {
        format!(
            "org.apache.hadoop.hbase.util.Pair.new({}.to_java_bytes, {}.to_java_bytes)",
            ruby_bytes(&pattern.key),
            ruby_bytes(&pattern.mask)
        )
    });
    format!("org.apache.hadoop.hbase.filter.FuzzyRowFilter.new([{}])", pairs.collect::<Vec<_>>().join(", "))
}

pub fn to_json(patterns: &[FuzzyPattern]) -> Json {
    patterns
        .iter()
        .map(|pattern| json!({ "key": to_hex(&pattern.key), "mask": to_hex(&pattern.mask) }))
        .collect()
}
