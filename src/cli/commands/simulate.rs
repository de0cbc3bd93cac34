//! `simulate`: how the rows of a schema spread over its regions.

use crate::cli::args::SimulateArgs;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::talk::Talk;

pub fn simulate(args: &SimulateArgs, talk: &Talk) -> Result<Outcome, Failure> {
    super::grow::grow_table(args, talk)
}
