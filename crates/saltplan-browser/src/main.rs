//! Reads one request on standard input, and writes its answer on standard output.

use std::io::{Read as _, Write as _};
use std::process::ExitCode;

use saltplan_browser::{MAX_REQUEST_BYTES, answer};

fn main() -> ExitCode {
    let mut request = Vec::new();
    let read = std::io::stdin().lock().take(MAX_REQUEST_BYTES as u64 + 1).read_to_end(&mut request);
    let answered = match read {
        Ok(_) => answer(&request),
        Err(error) => Err(format!("cannot read the request: {error}")),
    };
    let written = answered.and_then(|answer| {
        let mut out = std::io::stdout().lock();
        let written = out.write_all(answer.as_bytes()).and_then(|()| out.flush());
        written.map_err(|error| format!("cannot write the answer: {error}"))
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            let _ = writeln!(std::io::stderr(), "error: {message}");
            ExitCode::from(2)
        }
    }
}
