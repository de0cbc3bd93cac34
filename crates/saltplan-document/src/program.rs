//! Programs that read one request on standard input, and write its answer on standard output.

use std::fmt::Display;
use std::io::{Read as _, Write as _};
use std::process::ExitCode;

/// Reads a request of at most `max_bytes` bytes and writes its answer. A longer one is passed with one byte more, so that `answer` can
/// refuse it. After an error, whose text is written on standard error, the exit code is 2.
pub fn run<E: Display>(max_bytes: usize, answer: impl FnOnce(&[u8]) -> Result<String, E>) -> ExitCode {
    let mut request = Vec::new();
    let read = std::io::stdin().lock().take(max_bytes as u64 + 1).read_to_end(&mut request);
    let answered = match read {
        Ok(_) => answer(&request).map_err(|error| error.to_string()),
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
