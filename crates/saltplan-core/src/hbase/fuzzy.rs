//! Patterns for HBase's `FuzzyRowFilter`. They skip rows by inner key fields when a range cannot, since a field before them has no
//! condition.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use crate::analyze::Constraint;
use crate::hbase::shell::ruby_bytes;
use crate::key::field::FieldId;
use crate::key::range::{KeyRange, to_hex, to_string_binary};
use crate::key::salt::SaltDomain;
use crate::plan::{Plan, PlanKind};
use crate::schema::model::Schema;

/// The maximum number of patterns of a filter, which tries each of them on every row.
const MAX_PATTERNS: usize = 64;

/// The start of a row key, with free places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FuzzyPattern {
    /// A byte for each place; 0 at free places.
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

/// More ranges than these are also offered as one scan.
const FEW_RANGES: usize = 16;

/// One scan over all ranges of a plan, in which a filter seeks from one to the next.
#[derive(Debug)]
pub struct FuzzyScan {
    pub patterns: Vec<FuzzyPattern>,
    pub range: KeyRange,
    /// The number of ranges that cover what the patterns match.
    pub ranges: u128,
}

/// Patterns that together match every row of the plan. Empty if the ranges are as narrow, or if the fields have no fixed place.
pub fn patterns(schema: &Schema, plan: &Plan) -> Vec<FuzzyPattern> {
    let unproved = fields_to_check(plan);
    patterns_up_to(schema, plan, |id| unproved.contains(&id)).map_or_else(Vec::new, |found| found.patterns)
}

/// A single scan in place of the ranges of a plan, if these are many or would be too many for a plan.
pub fn one_scan(schema: &Schema, salt_domain: Option<&SaltDomain>, plan: &Plan) -> Option<FuzzyScan> {
    let Found { patterns, leading_free } = patterns_up_to(schema, plan, |_| true)?;
    let salts: Option<BTreeSet<&Vec<u8>>> = plan.branches.iter().map(|branch| branch.salt.as_ref()).collect();
    let salts = match (&schema.key.salt, salts, salt_domain) {
        (None, ..) => 1,
        (_, Some(salts), _) => salts.len() as u128,
        (_, None, Some(salt_domain)) => salt_domain.count(),
        (_, None, None) => return None,
    };
    let ranges = salts.saturating_mul(patterns.len() as u128);
    let branches = plan.branches.len() as u128;
    let is_useful = match plan.kind {
        PlanKind::FullScan => ranges > 1,
        // If each value has its own salt, the patterns cover far more ranges than the plan has.
        _ => plan.branches.len() > FEW_RANGES && (ranges <= branches || plan.merging().is_some()),
    };
    let (first, last) = (plan.branches.first()?, plan.branches.last()?);
    let range = KeyRange { start: first.range.start.clone(), stop: last.range.stop.clone() };
    (is_useful && !leading_free).then_some(FuzzyScan { patterns, range, ranges })
}

struct Found {
    patterns: Vec<FuzzyPattern>,
    /// The ranges cannot be counted: a field before the last bound one is free.
    leading_free: bool,
}

/// Patterns up to the last of the fields that are `wanted` and bound to single values.
fn patterns_up_to(schema: &Schema, plan: &Plan, wanted: impl Fn(FieldId) -> bool) -> Option<Found> {
    let key = &schema.key;
    let mut patterns = vec![FuzzyPattern { key: Vec::new(), mask: Vec::new() }];
    if let Some(salt) = &key.salt {
        let width = salt.fixed_width(&key.fields)?;
        patterns[0].push_free(width + salt.separator.len());
    }
    // After the last such field every byte is free.
    let mut useful = None;
    let mut is_free = false;
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
                if wanted(id) {
                    useful = Some(Found { patterns: patterns.clone(), leading_free: is_free });
                }
            }
            None => {
                is_free = true;
                patterns.iter_mut().for_each(|pattern| pattern.push_free(width));
            }
        }
        patterns.iter_mut().for_each(|pattern| pattern.push_free(field.separator.len()));
    }
    useful
}

/// Fields with a condition that some branch must check on each row.
fn fields_to_check(plan: &Plan) -> BTreeSet<FieldId> {
    fn collect(constraint: &Constraint, fields: &mut BTreeSet<FieldId>) {
        match constraint {
            Constraint::All(arms) | Constraint::Any(arms) => arms.iter().for_each(|arm| collect(arm, fields)),
            Constraint::Condition(condition) => fields.extend(condition.tight().map(|(field, _)| field)),
        }
    }
    let mut fields = BTreeSet::new();
    for residual in &plan.residuals {
        collect(&residual.constraint, &mut fields);
    }
    fields
}

fn extended(start: &FuzzyPattern, bytes: &[u8]) -> FuzzyPattern {
    let mut pattern = start.clone();
    pattern.push_fixed(bytes);
    pattern
}

/// The filter as an expression of the HBase shell.
pub(crate) fn shell_filter(patterns: &[FuzzyPattern]) -> String {
    let pairs = patterns.iter().map(|pattern| {
        format!(
            "org.apache.hadoop.hbase.util.Pair.new({}.to_java_bytes, {}.to_java_bytes)",
            ruby_bytes(&pattern.key),
            ruby_bytes(&pattern.mask)
        )
    });
    format!("org.apache.hadoop.hbase.filter.FuzzyRowFilter.new([{}])", pairs.collect::<Vec<_>>().join(", "))
}

impl FuzzyScan {
    /// The JSON form.
    pub fn to_json(&self) -> Json {
        let bound = |bytes: &[u8]| json!({ "text": to_string_binary(bytes), "hex": to_hex(bytes) });
        json!({
            "start": bound(&self.range.start),
            "stop": self.range.stop.as_deref().map(bound),
            "fuzzy_row_filter": to_json(&self.patterns),
            "ranges": u64::try_from(self.ranges).ok(),
        })
    }
}

pub fn to_json(patterns: &[FuzzyPattern]) -> Json {
    patterns
        .iter()
        .map(|pattern| json!({ "key": to_hex(&pattern.key), "mask": to_hex(&pattern.mask) }))
        .collect()
}
