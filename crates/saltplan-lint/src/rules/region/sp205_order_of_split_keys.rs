use super::quoted_key;
use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::schema::model::Regions;
use saltplan_document::diag::{Edit, Span};

pub static RULE: Rule = Rule::new(include_str!("sp205_order_of_split_keys.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let regions = context.schema.regions.as_ref()?;
    let Regions::Explicit(keys) = regions else { return None };
    let keys: Vec<(&[u8], Span)> = keys
        .iter()
        .enumerate()
        .map(|(index, key)| (key.as_slice(), context.places.split_key(index)))
        .collect();
    let mut neighbours = keys.iter().zip(keys.iter().skip(1));
    let (&(before, before_place), &(key, place)) = neighbours.find(|((a, _), (b, _))| a > b)?;
    let message =
        format!("the split key {} comes after {}, which is greater", quoted_key(key), quoted_key(before));
    let finding =
        RULE.at(context, place, message, "out of order").cause(before_place, "greater in byte order");
    Some(
        finding
            .help("list the keys in byte order")
            .fix("put the split keys in byte order", Some(sorted(context, &keys))),
    )
}

/// The written keys in byte order; the text between them stays in place.
fn sorted(context: &Context<'_>, keys: &[(&[u8], Span)]) -> Vec<Edit> {
    let (Some((_, first)), Some((_, last))) = (keys.first(), keys.last()) else { return Vec::new() };
    let mut ordered = keys.to_vec();
    ordered.sort_by_key(|(key, _)| *key);
    let mut text = String::new();
    let mut at = first.start;
    for ((_, place), (_, key)) in keys.iter().zip(ordered) {
        text.push_str(context.text(Span::new(at, place.start)));
        text.push_str(context.text(key));
        at = place.end;
    }
    vec![Edit { span: first.to(*last), text }]
}
