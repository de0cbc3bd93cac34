//! `workload:`: what the rows of a simulation look like.

use super::refer::Names;
use super::{Reader, Value};
use crate::diag::DiagnosticKind;
use crate::schema::format::{Text, Type};
use crate::schema::model::FieldLoad;

/// Reads a mapping from key fields to their values. Whether the values suit a field, the simulator tells.
pub fn workload(reader: &mut Reader<'_>, value: &Value<'_>, names: &Names) -> Option<Vec<FieldLoad>> {
    let entries = value.entries(reader)?;
    let mut loads: Vec<FieldLoad> = Vec::with_capacity(entries.len());
    for entry in entries {
        let field = names.resolve(reader, &entry.key);
        let values = Value::of(entry, Type::Text(Text::Any)).text(reader);
        let (Some(field), Some(values)) = (field, values) else { continue };
        if let Some(first) = loads.iter().find(|load| load.field == field) {
            let fault = reader
                .fault(entry.key.span, "the values of a key field are given twice", "given again here")
                .with_label(first.values.span, "first given here");
            let fault = fault.with_help("names compare without regard to case: keep one of the two");
            reader.report(fault.with_kind(DiagnosticKind::Duplicate));
            continue;
        }
        loads.push(FieldLoad { field, values });
    }
    Some(loads)
}
