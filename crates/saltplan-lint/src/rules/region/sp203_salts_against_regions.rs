use super::{is_sampled, quoted_key, split_name, split_span};
use crate::distribution::SaltRegions;
use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_document::diag::Severity;

pub static RULE: Rule = Rule::new(include_str!("sp203_salts_against_regions.md"), Detector::Schema(check));

/// Above this number, salts are not intended to have one region each.
const MAX_SALTS: usize = 4_096;

fn check(context: &Context<'_>) -> Option<Finding> {
    let splits = context.splits.as_ref()?;
    if context.salts().is_none_or(|salts| salts.len() > MAX_SALTS) {
        return None;
    }
    let places = context.salt_places()?;
    cut_salt(context, splits, places).or_else(|| shared_region(context, splits, places))
}

/// A salt that is spread over more regions than another one.
fn cut_salt(context: &Context<'_>, splits: &[Vec<u8>], places: &[SaltRegions]) -> Option<Finding> {
    let pieces = |place: &SaltRegions| place.last - place.first;
    let least = places.iter().map(pieces).min()?;
    let place = places.iter().find(|place| pieces(place) > least)?;
    let salt = context.salts()?.get(place.salt)?;
    let split = splits.get(place.first)?;
    let name = split_name(context, place.first);
    let key = if is_sampled(context) { name } else { format!("the split key {name}") };
    let message = format!("{key} cuts the rows of the salt {} in two", quoted_key(salt));
    let finding = RULE.at(
        context,
        split_span(context, split)?,
        message,
        "inside a salt, while other salts are not cut",
    );
    let finding = finding.cause(context.places.salt(), "the salts");
    Some(finding.help("split between the salts: `per_salt: {}`"))
}

fn shared_region(context: &Context<'_>, splits: &[Vec<u8>], places: &[SaltRegions]) -> Option<Finding> {
    let regions = splits.len() + 1;
    let mut by_region: Vec<Vec<&[u8]>> = vec![Vec::new(); regions];
    for place in places {
        by_region.get_mut(place.first)?.push(context.salts()?.get(place.salt)?);
    }
    let (index, shared) = by_region.iter().enumerate().find(|(_, salts)| salts.len() > 1)?;
    let span = split_span(context, splits.get(index.saturating_sub(1))?)?;
    if regions < places.len() {
        let message = format!("{} salts share {regions} regions", places.len());
        let finding = RULE.at(context, span, message, format!("{} salts in this region", shared.len()));
        let help = "a query needs one scan per salt, not per region; a smaller modulus needs fewer scans";
        return Some(finding.severity(Severity::Note).cause(context.places.salt(), "the salts").help(help));
    }
    let message = format!("the salts {} and {} share a region", quoted_key(shared[0]), quoted_key(shared[1]));
    let finding = RULE.at(context, span, message, format!("{regions} regions for {} salts", places.len()));
    Some(
        finding
            .cause(context.places.salt(), "the salts")
            .help("split between the salts: `per_salt: {}`, and give them a fixed width"),
    )
}
