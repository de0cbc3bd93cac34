use std::process::ExitCode;

fn main() -> ExitCode {
    saltplan::cli::run(std::env::args_os())
}
