use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::schema::model::{TargetColumn, TargetValue};
use saltplan_document::diag::Span;
use saltplan_document::wording::with_article;
use saltplan_sql::hive_type::{DeclaredType, HiveType, Type};

pub static RULE: Rule = Rule::new(include_str!("sp502_target_types.md"), Detector::Several(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let target = context.schema.target();
    let columns = target.map(|target| target.columns.as_slice()).unwrap_or_default();
    columns.iter().enumerate().filter_map(|(index, column)| finding(context, index, column)).collect()
}

fn finding(context: &Context<'_>, index: usize, column: &TargetColumn) -> Option<Finding> {
    let entry = |key| context.entry(&["hive", "target", "columns", &index.to_string(), key]);
    let (source, cause): (&DeclaredType, Span) = match &column.value {
        TargetValue::Expression(_) if column.hive_type.is_none() => {
            let message = format!("the type of `{}` is not known", column.name);
            let finding = RULE.at(context, entry("expr")?, message, "an expression without a `type`");
            return Some(finding.help("add a `type`, such as `type: 'decimal(18,2)'`"));
        }
        TargetValue::Expression(_) => return None,
        TargetValue::Column(index) => {
            let column = context.schema.columns.get(*index)?;
            (&column.hive_type, context.places.column(*index))
        }
        // The reader already refuses types that change the value of a key field.
        TargetValue::KeyField(_) => return None,
    };
    let given = column.hive_type.as_ref()?;
    if holds(given, source) {
        return None;
    }
    let message = format!(
        "`{}` is declared as {given}, but its value is {}",
        column.name,
        with_article(&source.to_string())
    );
    let finding =
        RULE.at(context, entry("type")?, message, "the conversion loses values").cause(cause, "the value");
    Some(finding.help(format!("write `type: {source}`, or convert with an `expr`")))
}

/// Whether every value of one type is unchanged in another.
fn holds(target: &HiveType, source: &HiveType) -> bool {
    let integers = target.is_integer() && source.is_integer();
    match (target.primitive(), source.primitive()) {
        _ if target == source => true,
        (Some(Type::String), Some(_)) | (Some(Type::Double), Some(Type::Float)) => true,
        _ => integers && greatest(source) <= greatest(target),
    }
}

fn greatest(hive_type: &HiveType) -> Option<i128> {
    hive_type.whole_numbers().map(|(_, greatest)| greatest)
}
