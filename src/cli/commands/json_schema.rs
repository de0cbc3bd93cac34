//! `generate json-schema`

use crate::cli::args::{FileKind, OutputArgs};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::output::deliver;
use crate::cli::talk::Talk;
use saltplan_core::schema::json_schema;
use saltplan_project::jobs;
use saltplan_project::settings;

pub fn json_schema(of: FileKind, output: &OutputArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let text = match of {
        FileKind::Schema => json_schema::text(),
        FileKind::Jobs => jobs::json_schema_text(),
        FileKind::Settings => settings::json_schema_text(),
    };
    deliver(&text, output, talk)
}
