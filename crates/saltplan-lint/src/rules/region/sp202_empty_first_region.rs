use super::{
    ListedSplits, OTHER_SAMPLE, is_first_empty, is_sampled, quoted_key, split_span, with_leading_part,
};
use crate::rule::{Context, Detector, Finding, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp202_empty_first_region.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let first = context.splits.as_ref().and_then(|splits| splits.first())?;
    if !is_first_empty(context) {
        return None;
    }
    let span = split_span(context, first)?;
    let (key, help) = if is_sampled(context) {
        (String::new(), OTHER_SAMPLE.to_string())
    } else {
        let key = quoted_key(first);
        (format!(" {key}"), format!("remove {key}: the first region always starts at the empty key"))
    };
    let message = format!("no row sorts below the first split key{key}");
    let finding = RULE.at(context, span, message, "the region below it stays empty");
    let finding = with_leading_part(context, finding).help(help);
    let edits =
        ListedSplits::new(context).and_then(|listed| listed.without(context, std::slice::from_ref(first)));
    Some(finding.unsafe_fix("remove the first split key", edits))
}
