//! Reads one request on standard input, and writes its answer on standard output.

use std::process::ExitCode;

use saltplan_document::program;
use saltplan_pushdown::{MAX_REQUEST_BYTES, answer};

fn main() -> ExitCode {
    program::run(MAX_REQUEST_BYTES, answer)
}
