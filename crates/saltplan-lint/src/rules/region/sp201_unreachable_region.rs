use super::{ListedSplits, OTHER_SAMPLE, is_sampled, split_name, split_span, unreachable, with_leading_part};
use crate::limit::MAX_FINDINGS;
use crate::rule::{Context, Detector, Finding, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp201_unreachable_region.md"), Detector::Several(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let Some(splits) = &context.splits else { return Vec::new() };
    let empty = unreachable(context);
    let listed = ListedSplits::new(context);
    let finding = |run| finding(context, splits, run, listed.as_ref());
    runs(&empty).take(MAX_FINDINGS + 1).filter_map(finding).collect()
}

/// Consecutive split keys are one finding.
fn runs(indices: &[usize]) -> impl Iterator<Item = &[usize]> {
    indices.chunk_by(|a, b| a + 1 == *b)
}

fn finding(
    context: &Context<'_>,
    splits: &[Vec<u8>],
    run: &[usize],
    listed: Option<&ListedSplits<'_>>,
) -> Option<Finding> {
    let (&first, &last) = (run.first()?, run.last()?);
    let key = split_name(context, first);
    let next = splits.get(last + 1).map(|_| split_name(context, last + 1));
    let message = match (run.len(), next) {
        (1, None) => format!("no row can reach the last region, from {key} on"),
        (1, Some(next)) => format!("no row can reach the region from {key} to {next}"),
        (count, None) => format!("no row can reach the last {count} regions, from {key} on"),
        (count, Some(next)) => format!("no row can reach the {count} regions from {key} to {next}"),
    };
    let finding = RULE.at(context, split_span(context, &splits[first])?, message, "stays empty");
    let finding = with_leading_part(context, finding);
    let help = match run.len() {
        _ if is_sampled(context) => OTHER_SAMPLE.to_string(),
        1 => format!("remove the split key {key}; for a table that exists, merge the region away first"),
        count => {
            format!("remove these {count} split keys; for a table that exists, merge the regions away first")
        }
    };
    let finding = finding.help(help);
    let edits = listed.and_then(|listed| listed.without(context, splits.get(first..=last)?));
    Some(finding.unsafe_fix("remove the split keys of the empty regions", edits))
}
