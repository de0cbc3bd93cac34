//! `generate json-schema`

use crate::cli::args::OutputArgs;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::output::deliver;
use crate::cli::talk::Talk;
use saltplan_core::internals::schema::json_schema;

pub fn json_schema(output: &OutputArgs, talk: &Talk) -> Result<Outcome, Failure> {
    deliver(&json_schema::text(), output, talk)
}
