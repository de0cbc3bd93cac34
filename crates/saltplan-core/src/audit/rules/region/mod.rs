//! Rules about split keys.

pub mod sp201_unreachable_region;
pub mod sp202_empty_first_region;
pub mod sp203_salts_against_regions;
pub mod sp204_skewed_regions;
pub mod sp205_order_of_split_keys;
pub mod sp206_count_in_comment;
pub mod sp207_unquoted_split_key;
pub mod sp208_sample_missing;
pub mod sp209_many_regions;
pub mod sp210_salt_without_regions;

use super::super::context::Context;
use super::super::finding::Finding;
use crate::diag::Span;
use crate::key::range::to_string_binary;
use crate::schema::model::Regions;

/// The place of a split key: where the file lists it, else all of `regions`.
fn split_span(context: &Context<'_>, split: &[u8]) -> Option<Span> {
    let regions = context.schema.regions.as_ref()?;
    let listed = match &regions.value {
        Regions::Explicit(keys) => keys.iter().find(|key| key.value == split).map(|key| key.span),
        _ => None,
    };
    Some(listed.or(context.entry(&["regions"])).unwrap_or(regions.span))
}

/// A split key in a message. Keys of a sample are data of the table, which a finding is not to spread: they are counted.
fn split_name(context: &Context<'_>, index: usize) -> String {
    match context.splits.as_ref().and_then(|splits| splits.get(index)) {
        Some(split) if !is_sampled(context) => shown(split),
        _ => format!("split key {}", index + 1),
    }
}

fn is_sampled(context: &Context<'_>) -> bool {
    let regions = context.schema.regions.as_ref();
    regions.is_some_and(|regions| matches!(regions.value, Regions::Sampled { .. }))
}

/// What to do about split keys of a sample that no row can have.
const OTHER_SAMPLE: &str = "the sample holds keys that this schema cannot make: take it again from the table";

/// A split key of the file or a salt in a message.
fn shown(bytes: &[u8]) -> String {
    format!("`{}`", to_string_binary(bytes))
}

/// Points at what decides the leading bytes of every key: the salt, or the first field.
fn with_leading_part(context: &Context<'_>, finding: Finding) -> Finding {
    match (&context.schema.key.salt, context.salts()) {
        (Some(salt), Some([first, .., last])) => {
            finding.cause(salt.span, format!("gives {} to {}", shown(first), shown(last)))
        }
        (Some(salt), _) => finding.cause(salt.span, "every key starts with this salt"),
        (None, _) => match context.stored_fields().next() {
            Some((_, field)) => finding.cause(field.span, "every key starts with this field"),
            None => finding,
        },
    }
}
