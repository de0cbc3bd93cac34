//! Reads one request on standard input, and writes its answer on standard output.

use std::process::ExitCode;

use saltplan_browser::{MAX_REQUEST_BYTES, answer};
use saltplan_document::program;

fn main() -> ExitCode {
    program::run(MAX_REQUEST_BYTES, answer)
}
