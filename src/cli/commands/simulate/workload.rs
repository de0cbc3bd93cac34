//! The description of simulated rows: the schema's `workload`, the arguments, and defaults by the kind of a
//! field.

use super::RowArgs;
use crate::cli::{Failure, Reporter};
use saltplan_core::Table;
use saltplan_core::key::field::{FieldId, FieldVec};
use saltplan_core::plan::FieldBounds;
use saltplan_core::schema::model::Schema;
use saltplan_document::diag::{Diagnostic, did_you_mean};
use saltplan_simulate::generator::Generator;
use saltplan_simulate::workload::{Values, Workload};
use saltplan_simulate::{FORMS, WorkloadError, defaults, spec};

pub fn unusable(reason: WorkloadError) -> Failure {
    let help = match reason {
        WorkloadError::HashOfFields { .. } => "give real row keys with `--from-keys FILE`",
        _ => "describe the values with `--workload 'NAME=VALUES'`",
    };
    Diagnostic::error(format!("rows cannot be generated: {reason}")).with_help(help).into()
}

/// The schema's descriptions, overridden by the arguments; other fields get defaults, within the requested
/// time.
pub fn workload(
    table: &Table,
    args: &RowArgs,
    asked: Option<&FieldBounds>,
    reporter: &Reporter,
) -> Result<Workload, Failure> {
    let (workload, by_default) = described(table, args, asked)?;
    if !by_default.is_empty() {
        reporter.note(format!("values by default: {}", by_default.join("; ")));
    }
    Ok(workload)
}

/// The row key of the first generated row; `None` if rows cannot be generated.
pub fn first_key(table: &Table, args: &RowArgs) -> Option<Vec<u8>> {
    let (workload, _) = described(table, args, None).ok()?;
    Generator::new(table.schema(), &workload).ok()?.key(0).ok()
}

/// A workload, and the fields with default values.
fn described(
    table: &Table,
    args: &RowArgs,
    asked: Option<&FieldBounds>,
) -> Result<(Workload, Vec<String>), Failure> {
    let schema = table.schema();
    let mut given: FieldVec<Option<Values>> = schema.key.fields.iter().map(|_| None).collect();
    for text in &args.workload {
        let (id, values) = field_values(schema, text)?;
        if given[id].replace(values).is_some() {
            return Err(
                Diagnostic::error(format!("`--workload {text}`: the field is described twice")).into()
            );
        }
    }
    for load in &schema.workload {
        let (Some(field), Some(slot @ None)) = (schema.key.fields.get(load.field), given.get_mut(load.field))
        else {
            continue;
        };
        let values = spec::parse(schema, field, &load.values).map_err(|reason| {
            Diagnostic::error(format!("values of `{}` that cannot be generated", field.name))
                .at(table.source(), table.places().workload(&field.name), reason.to_string())
                .with_help(format!("the forms are {FORMS}"))
        })?;
        *slot = Some(values);
    }
    let mut by_default = Vec::new();
    let mut fields = FieldVec::new();
    for (id, values) in given.into_entries() {
        let field = &schema.key.fields[id];
        let values = match values {
            Some(values) => values,
            None => {
                let values = defaults::values(schema, field, asked.and_then(|bound| bound.fields.get(&id)))
                    .map_err(unusable)?;
                by_default.push(format!("`{}` {}", field.name, defaults::describe(schema, field, &values)));
                values
            }
        };
        fields.push(values);
    }
    Ok((Workload { fields, rows: args.keys, seed: args.seed }, by_default))
}

fn field_values(schema: &Schema, text: &str) -> Result<(FieldId, Values), Failure> {
    let fault = |reason: String, help: String| {
        Failure::from(Diagnostic::error(format!("`--workload {text}`: {reason}")).with_help(help))
    };
    let example = || "write for example `--workload 'tel=zipf(1.1, 1000000)'`".to_string();
    let (name, values) =
        text.split_once('=').ok_or_else(|| fault("not of the form `NAME=VALUES`".into(), example()))?;
    let names = || schema.key.fields.iter().map(|field| field.name.as_str());
    let id = schema.field(name.trim()).ok_or_else(|| {
        let help = match did_you_mean(name.trim(), names()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("the key has the fields `{}`", names().collect::<Vec<_>>().join("`, `")),
        };
        fault(format!("`{}` is not a key field", name.trim()), help)
    })?;
    let field = &schema.key.fields[id];
    let values = spec::parse(schema, field, values).map_err(|reason| fault(reason.to_string(), example()))?;
    Ok((id, values))
}
