use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::document::wording::excerpt;
use saltplan_core::schema::model::Regions;

pub static RULE: Rule = Rule {
    code: "SP208",
    name: "sample-missing",
    severity: Severity::Error,
    summary: "The sample keys for the split keys cannot be read, or are too few.",
    why: "\
Quantiles need the keys: without the file no command can compute the split keys, and with fewer keys than regions there
are fewer regions than the schema says. Commit the sample next to the schema, or list the split keys. The file must be
below the folder of the schema or in its git repository, and not hidden: otherwise a schema of a stranger could make a
command read any file. Of a sample the audit shows only counts, never a key.",
    learned: "`splits --from-keys`, which cannot cut fewer keys than regions",
    fires: "\
key:
  fields:
    - { name: id, type: string, width: 8, chars: digits }
regions:
  sampled: { »keys: no-such-file.txt«, regions: 4 }
",
    corrected: "\
key:
  fields:
    - { name: id, type: string, width: 8, chars: digits }
regions:
  explicit: ['2', '4', '6']
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let Some(Regions::Sampled { keys, regions: wanted }) = &context.schema.regions else { return Vec::new() };
    let span = |key| context.places.entry_near(&["regions", "sampled", key]);
    if let Err(error) = context.table.sample() {
        let message = format!("no sample keys from `{}`: {error}", excerpt(keys));
        let finding = RULE.at(context, span("keys"), message, "searched for next to the schema file");
        return vec![finding.help(error.help())];
    }
    let Some(splits) = &context.splits else { return Vec::new() };
    if splits.len() + 1 >= *wanted as usize {
        return Vec::new();
    }
    let message = format!("the sample gives {} regions, not {wanted}", splits.len() + 1);
    let finding = RULE
        .at(context, span("regions"), message, "more than the sample has keys for")
        .cause(span("keys"), "has too few different keys");
    vec![finding.severity(Severity::Warning).help("take a larger sample, or use fewer regions")]
}
