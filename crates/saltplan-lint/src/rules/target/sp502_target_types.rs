use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::schema::model::{TargetColumn, TargetValue};
use saltplan_document::diag::Span;
use saltplan_document::wording::with_article;

pub static RULE: Rule = Rule::new(include_str!("sp502_target_types.md"), Detector::Several(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let target = context.schema.target();
    let columns = target.map(|target| target.columns.as_slice()).unwrap_or_default();
    columns.iter().enumerate().filter_map(|(index, column)| finding(context, index, column)).collect()
}

fn finding(context: &Context<'_>, index: usize, column: &TargetColumn) -> Option<Finding> {
    let entry = |key| context.entry(&["hive", "target", "columns", &index.to_string(), key]);
    let (source, cause): (&str, Span) = match &column.value {
        TargetValue::Expression(_) if column.hive_type.is_none() => {
            let message = format!("the type of `{}` is not known", column.name);
            let finding = RULE.at(context, entry("expr")?, message, "an expression without a `type`");
            return Some(finding.help("add a `type`, such as `type: 'decimal(18,2)'`"));
        }
        TargetValue::Expression(_) => return None,
        TargetValue::Column(index) => {
            let column = context.schema.columns.get(*index)?;
            (column.hive_type.as_str(), context.places.column(*index))
        }
        // The reader already refuses types that change the value of a key field.
        TargetValue::KeyField(_) => return None,
    };
    let given = column.hive_type.as_deref()?;
    if holds(given, source) {
        return None;
    }
    let message =
        format!("`{}` is declared as {given}, but its value is {}", column.name, with_article(source));
    let finding =
        RULE.at(context, entry("type")?, message, "the conversion loses values").cause(cause, "the value");
    Some(finding.help(format!("write `type: {source}`, or convert with an `expr`")))
}

/// Whether every value of one type is unchanged in another.
fn holds(target: &str, source: &str) -> bool {
    let (target, source) = (normal(target), normal(source));
    const NUMBERS: [&str; 4] = ["tinyint", "smallint", "int", "bigint"];
    let place = |name: &str| NUMBERS.iter().position(|number| *number == name);
    let widens = match (place(&target), place(&source)) {
        (Some(target), Some(source)) => source <= target,
        _ => false,
    };
    let is_scalar = !source.contains('<');
    target == source
        || (target == "string" && is_scalar)
        || widens
        || (target == "double" && source == "float")
}

fn normal(hive_type: &str) -> String {
    let text: String = hive_type.chars().filter(|c| !c.is_whitespace()).collect();
    match text.to_ascii_lowercase() {
        integer if integer == "integer" => "int".into(),
        other => other.replace("numeric", "decimal"),
    }
}
