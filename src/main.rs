//! The command `saltplan`.

mod cli;

use std::process::ExitCode;

// With musl's own allocator a plan with many ranges takes two to three times as long.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    cli::run(std::env::args_os())
}
