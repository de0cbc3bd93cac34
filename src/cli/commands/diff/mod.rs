//! `diff`: two versions of a schema.

mod folders;
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

/// The maximum size of an accept list in bytes.
const MAX_ACCEPT_BYTES: u64 = 1 << 20;

pub fn diff(args: &DiffArgs, talk: &Talk) -> Result<Outcome, Failure> {
    talk.inputs.differ([Path::new(&args.old), Path::new(&args.new)])?;
    let accept = match &args.accept {
        Some(path) => {
            let text = talk.inputs.text(path, MAX_ACCEPT_BYTES)?;
            Some(AcceptList::parse(&Source::new(name_of(path), text)))
        }
        None => None,
    };
    if folders::are_folders(&args.old, &args.new)? {
        let report = folders::compare(&args.old, &args.new, accept.as_ref(), talk)?;
        talk.remarks(&report.unused);
        let text = match args.output_format {
            DiffFormat::Text => report.text(),
            DiffFormat::Markdown => report.markdown(),
            DiffFormat::Json => pretty(&report.json()),
        };
        let delivered = deliver(&text, &args.output, talk)?;
        return Ok(outcome(report.worst_unaccepted(), args.fail_on, delivered));
    }
    let (old, new) = (load_version(&args.old, talk)?, load_version(&args.new, talk)?);
    let comparison = diff::compare(Version::of(&old)?, Version::of(&new)?);
    let (accepted, unused) = match &accept {
        Some(accept) => accept.apply(&comparison),
        None => (vec![false; comparison.changes.len()], Vec::new()),
    };
    talk.remarks(&unused);
    let report = DiffReport::of(&old, &new, &comparison, &accepted);
    let text = match args.output_format {
        DiffFormat::Text => text::text(&report),
        DiffFormat::Markdown => markdown::markdown(&report),
        DiffFormat::Json => pretty(&json::json(&report, &unused)),
    };
    let delivered = deliver(&text, &args.output, talk)?;
    Ok(outcome(report.worst_unaccepted(), args.fail_on, delivered))
}

fn outcome(worst: Option<Class>, fail_on: ClassChoice, delivered: Outcome) -> Outcome {
    let limit = match fail_on {
        ClassChoice::Key => Class::Key,
        ClassChoice::DataLoss => Class::DataLoss,
        ClassChoice::Region => Class::Region,
        ClassChoice::Mapping => Class::Mapping,
        ClassChoice::Query => Class::Query,
        ClassChoice::Cosmetic => Class::Cosmetic,
        ClassChoice::Never => return delivered,
    };
    if worst.is_some_and(|worst| worst >= limit) { Outcome::Findings } else { delivered }
}
