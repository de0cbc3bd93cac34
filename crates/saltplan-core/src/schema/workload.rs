//! Reads `workload:`, the distributions for simulated rows.

use std::collections::BTreeMap;

use crate::key::field::FieldId;
use crate::schema::model::FieldLoad;
use saltplan_document::diag::{DiagnosticKind, Spanned};
use saltplan_document::format::{Text, ValueType};
use saltplan_document::names::Names;
use saltplan_document::reader::{FileValue, Reader};

/// Reads a mapping from key fields to their distributions, in key order. The simulator checks whether a
/// distribution suits its field.
pub fn workload(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    names: &Names<FieldId>,
) -> Option<Vec<FieldLoad>> {
    let entries = value.entries(reader)?;
    let mut loads: BTreeMap<FieldId, Spanned<String>> = BTreeMap::new();
    for entry in entries {
        let field = names.resolve(reader, &entry.key);
        let values = value.of_entry(entry, ValueType::Text(Text::Any)).text(reader);
        let (Some(field), Some(values)) = (field, values) else { continue };
        if let Some(first) = loads.get(&field) {
            let fault = reader
                .fault(entry.key.span, "the values of a key field are given twice", "given again here")
                .with_label(first.span, "first given here");
            let fault = fault.with_help("names are not case-sensitive: keep one of the two");
            reader.report(fault.with_kind(DiagnosticKind::Duplicate));
            continue;
        }
        loads.insert(field, values);
    }
    Some(loads.into_iter().map(|(field, values)| FieldLoad { field, values: values.value }).collect())
}
