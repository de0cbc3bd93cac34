//! `diff`: two versions of a schema.

mod json;
mod markdown;
mod report;
mod text;

use std::path::Path;

use report::DiffReport;

use super::pretty;
use crate::cli::args::{ClassChoice, DiffArgs, DiffFormat};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::input::load_version;
use crate::cli::inputs::name_of;
use crate::cli::output::deliver;
use crate::cli::talk::Talk;
use saltplan_core::diag::Source;
use saltplan_project::diff::accept::AcceptList;
use saltplan_project::diff::{self, Class, Version};

/// Most bytes of an accept list.
const MAX_ACCEPT_BYTES: u64 = 1 << 20;

pub fn diff(args: &DiffArgs, talk: &Talk) -> Result<Outcome, Failure> {
    talk.inputs.differ([Path::new(&args.old), Path::new(&args.new)])?;
    let (old, new) = (load_version(&args.old, talk)?, load_version(&args.new, talk)?);
    let comparison = diff::compare(Version::of(&old)?, Version::of(&new)?);
    let (accepted, unused) = match &args.accept {
        Some(path) => {
            let text = talk.inputs.text(path, MAX_ACCEPT_BYTES)?;
            AcceptList::parse(&Source::new(name_of(path), text)).apply(&comparison)
        }
        None => (vec![false; comparison.changes.len()], Vec::new()),
    };
    talk.remarks(&unused);
    let tables = (old.schema().hbase.full_name(), new.schema().hbase.full_name());
    let report = DiffReport {
        old: old.source(),
        new: new.source(),
        tables: (tables.0 != tables.1).then_some(tables),
        comparison: &comparison,
        accepted: &accepted,
    };
    let text = match args.output_format {
        DiffFormat::Text => text::text(&report),
        DiffFormat::Markdown => markdown::markdown(&report),
        DiffFormat::Json => pretty(&json::json(&report, &unused)),
    };
    let delivered = deliver(&text, &args.output, talk)?;
    let limit = match args.fail_on {
        ClassChoice::Key => Class::Key,
        ClassChoice::Region => Class::Region,
        ClassChoice::Mapping => Class::Mapping,
        ClassChoice::Query => Class::Query,
        ClassChoice::Cosmetic => Class::Cosmetic,
        ClassChoice::Never => return Ok(delivered),
    };
    Ok(if report.worst_unaccepted().is_some_and(|worst| worst >= limit) {
        Outcome::Findings
    } else {
        delivered
    })
}
