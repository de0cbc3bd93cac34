use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::field::{Field, FieldId, FieldKind};
use saltplan_core::key::salt::{Cut, Salt, SaltInput, SaltInputs, SaltScheme};
use saltplan_core::plan::DEFAULT_MAX_BRANCHES;
use saltplan_core::schema::model::TargetTable;
use saltplan_document::diag::Severity;
use saltplan_sql::time::format::TimeFormat;
use saltplan_sql::time::pattern::Granularity;

pub static RULE: Rule = Rule::new(include_str!("sp106_salt_over_a_range.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let key = &context.schema.key;
    let (Some(salt), Some(salt_domain)) = (&key.salt, &context.salt_domain) else { return None };
    if salt_domain.count() < 2 {
        return None;
    }
    let inputs = salt.inputs(&key.fields);
    let input = inputs.iter().find(|input| is_fine_time(input, context.field(input.field)))?;
    let field = context.field(input.field);
    let leads = key.stored().next() == Some(input.field);
    let few = salt_domain.count() <= DEFAULT_MAX_BRANCHES as u128;
    let message = match few {
        true => format!("a query over a range of `{}` reads all {} salts", field.name, salt_domain.count()),
        false => format!("a query over a range of `{}` cannot compute the salt", field.name),
    };
    let finding = RULE
        .at(context, context.salt_entry(salt, "of"), message, format!("takes `{}` whole", field.name))
        .cause(context.places.field(input.field), "a time of day");
    let severity = if few || leads { Severity::Note } else { Severity::Warning };
    Some(finding.severity(severity).help(remedy(context, salt, input.field)))
}

/// What can be changed in a table without rows. The keys of stored rows cannot be changed.
fn remedy(context: &Context<'_>, salt: &Salt, id: FieldId) -> String {
    let field = &context.field(id).name;
    let new = match &salt.scheme {
        whole if whole.takes_whole_key() => {
            format!("list the inputs without `{field}`, as in `of: [a, b]`")
        }
        hash if matches!(hash.hashed_inputs(), Some(SaltInputs::KeyBytes { .. })) => {
            format!("hash bytes of the key that leave out `{field}`")
        }
        SaltScheme::Modulo(_) => "use the modulus of another field".into(),
        _ => format!("remove `{field}`, or use `{{ field: {field}, format: yyyyMM }}`"),
    };
    let is_open = |target: &TargetTable| target.partition.iter().all(|column| column.field() != Some(id));
    let partition = match context.schema.target() {
        Some(target) if is_open(target) => {
            format!("; partitions by day are possible anyway: `{}`", context.partition_by_day(id))
        }
        _ => String::new(),
    };
    format!(
        "in a new table {new}; in a table with rows keep the salt, because every key would change{partition}"
    )
}

fn is_fine_time(input: &SaltInput, field: &Field) -> bool {
    let fine = |format: &TimeFormat| format.granularity() > Granularity::Day;
    match (&input.cut, &field.kind) {
        (Cut::Format(format), _) => fine(format),
        (_, FieldKind::Epoch(_)) => true,
        (Cut::Whole, FieldKind::Calendar(calendar)) => fine(&calendar.format),
        _ => false,
    }
}
