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

use std::collections::BTreeMap;

use super::super::context::Context;
use super::super::edit::without_items;
use super::super::rule::Finding;
use saltplan_core::key::range::to_string_binary;
use saltplan_core::schema::model::Regions;
use saltplan_document::diag::{Edit, Span};
use saltplan_document::yaml::Node;

/// The place of a split key in the file, otherwise all of `regions`.
fn split_span(context: &Context<'_>, split: &[u8]) -> Option<Span> {
    let regions = context.schema.regions.as_ref()?;
    let listed = match regions {
        Regions::Explicit(keys) => keys.iter().position(|key| key == split),
        _ => None,
    };
    Some(match listed {
        Some(index) => context.places.split_key(index),
        None => context.places.entry_near(&["regions"]),
    })
}

/// The positions, in byte order, of the split keys whose regions no row can reach.
fn unreachable(context: &Context<'_>) -> Vec<usize> {
    let splits = context.splits.unwrap_or_default();
    let stop = |index: usize| splits.get(index + 1).map(Vec::as_slice);
    (0..splits.len()).filter(|&index| !context.space.reaches(&splits[index], stop(index))).collect()
}

/// Whether no row can be below the first split key.
fn is_first_empty(context: &Context<'_>) -> bool {
    let first = context.splits.as_ref().and_then(|splits| splits.first());
    first.is_some_and(|first| !context.space.reaches(b"", Some(first)))
}

/// Where the file lists the split keys, for edits that remove some of them.
struct ListedSplits<'a> {
    list: &'a Node,
    /// Positions in the list, by the bytes of the keys.
    positions: BTreeMap<&'a [u8], usize>,
}

impl<'a> ListedSplits<'a> {
    /// `None` if the file does not list the keys, or if no key would be left without the useless ones.
    fn new(context: &'a Context<'_>) -> Option<Self> {
        let Some(Regions::Explicit(keys)) = &context.schema.regions else { return None };
        let useless = unreachable(context);
        let first = usize::from(is_first_empty(context) && useless.first() != Some(&0));
        if useless.len() + first >= keys.len() {
            return None;
        }
        let positions = keys.iter().enumerate().map(|(index, key)| (key.as_slice(), index)).collect();
        Some(ListedSplits { list: context.node(&["regions", "explicit"])?, positions })
    }

    fn without(&self, context: &Context<'_>, keys: &[Vec<u8>]) -> Option<Vec<Edit>> {
        let mut removed: Vec<usize> =
            keys.iter().map(|key| self.positions.get(key.as_slice()).copied()).collect::<Option<_>>()?;
        removed.sort_unstable();
        without_items(context, self.list, &removed)
    }
}

/// A split key in a message. Keys of a sample are data of the table and must not be published, so they are
/// only counted.
fn split_name(context: &Context<'_>, index: usize) -> String {
    match context.splits.as_ref().and_then(|splits| splits.get(index)) {
        Some(split) if !is_sampled(context) => quoted_key(split),
        _ => format!("split key {}", index + 1),
    }
}

fn is_sampled(context: &Context<'_>) -> bool {
    matches!(context.schema.regions, Some(Regions::Sampled(_)))
}

/// The help for split keys of a sample that no row can have.
const OTHER_SAMPLE: &str =
    "the sample contains keys that this schema cannot produce: take a new sample from the table";

/// A split key of the file, or a salt, in a message.
fn quoted_key(bytes: &[u8]) -> String {
    format!("`{}`", to_string_binary(bytes))
}

/// Marks what determines the leading bytes of every key: the salt, or the first field.
fn with_leading_part(context: &Context<'_>, finding: Finding) -> Finding {
    match (&context.schema.key.salt, context.salts()) {
        (Some(_), Some([first, .., last])) => finding
            .cause(context.places.salt(), format!("gives {} to {}", quoted_key(first), quoted_key(last))),
        (Some(_), _) => finding.cause(context.places.salt(), "every key starts with this salt"),
        (None, _) => match context.stored_fields().next() {
            Some((id, _)) => finding.cause(context.places.field(id), "every key starts with this field"),
            None => finding,
        },
    }
}
