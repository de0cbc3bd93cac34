//! Table schemas: from the bytes of a YAML file to a checked [`model::Schema`].
//!
//! `source` reads the file, `yaml` parses it into nodes, `file` turns nodes into the model, with a module for
//! each section, and `check` checks the whole schema. After an error each step continues where it can. The model contains only values;
//! `places` finds their places in the file.

pub mod attributes;
mod check;
pub mod columns;
pub mod conversion;
pub mod field;
mod file;
pub mod hbase;
pub mod hive;
pub mod json_schema;
pub mod key;
pub mod model;
pub(crate) mod names;
pub mod partition;
mod places;
pub mod property;
pub mod regions;
mod scope;
mod source;
pub mod target;
#[cfg(test)]
mod tests;
mod value;
mod window;
mod workload;

use std::sync::Arc;

pub use file::{FILE, SchemaKeys, tables as format_tables};
pub use names::NameFault;
pub use places::Places;
use saltplan_document::diag::{Diagnostic, Diagnostics, Source, Span, has_error};
use saltplan_document::reader::Reader;
use saltplan_document::yaml::{self, Document};
pub use source::{MAX_BYTES, read_file, source_from_bytes};

/// A schema without errors, and the places of its values in the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    pub schema: model::Schema,
    pub places: Places,
    /// Warnings, which do not prevent the use of the schema.
    pub warnings: Vec<Diagnostic>,
}

/// The nodes of a schema file. If there is no document, there is at least one error.
pub fn parse(source: &Arc<Source>) -> (Option<Document>, Vec<Diagnostic>) {
    yaml::parse(&FILE, source)
}

/// Reads a schema.
///
/// # Errors
/// All errors (and warnings) that one pass finds, in the order of the file, each with its place.
pub fn load(source: &Arc<Source>) -> Result<Loaded, Diagnostics> {
    let (document, mut diagnostics) = parse(source);
    let places = document.map(Places::of);
    let mut schema = None;
    if let Some(places) = &places {
        let mut reader = Reader::new(source);
        schema = file::schema(&mut reader, places.root());
        if let Some(schema) = &schema {
            check::check(&mut reader, schema, places);
        }
        diagnostics.extend(reader.finish());
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.labels.first().map(|label| label.span));
    match (schema, places) {
        (Some(schema), Some(places)) if !has_error(&diagnostics) => {
            Ok(Loaded { schema, places, warnings: diagnostics })
        }
        _ => {
            if !has_error(&diagnostics) {
                diagnostics.push(Diagnostic::error(UNEXPLAINED).at(source, Span::default(), "named here"));
            }
            Err(Diagnostics(diagnostics))
        }
    }
}

/// A reader returned nothing without reporting an error, which is a bug of this program.
const UNEXPLAINED: &str = "internal error: this schema was refused without a reason; please report it";
