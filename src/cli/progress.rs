//! Progress of long work: a line on stderr after one second, and Ctrl-C, which stops the work and keeps its
//! results.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use super::reporter::Reporter;
use saltplan_simulate::picture::grouped;
use saltplan_simulate::watch::Watch;

const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(50);

/// The exit code of a program that is ended by Ctrl-C: 128 plus the number of the signal.
const INTERRUPTED: i32 = 130;

/// The work that Ctrl-C stops.
static BREAKABLE: Mutex<Option<Arc<Watch>>> = Mutex::new(None);

/// Runs some work on `total` things of a unit that can be stopped, and shows its progress on a terminal. The
/// first Ctrl-C sets the watch to stop, and the work returns what it has. A second Ctrl-C, and any before or
/// after the work, ends the program at once.
pub fn breakable<T>(
    total: Option<u64>,
    unit: &str,
    reporter: &Reporter,
    work: impl FnOnce(&Watch) -> T,
) -> T {
    let watch = Arc::new(Watch::default());
    let _registered = Registered::new(&watch);
    with_watch(&watch, (total, unit), reporter, work)
}

/// Runs some work and shows its progress on a terminal. Ctrl-C ends the program.
pub fn with_progress<T>(
    total: Option<u64>,
    unit: &str,
    reporter: &Reporter,
    work: impl FnOnce(&Watch) -> T,
) -> T {
    with_watch(&Watch::default(), (total, unit), reporter, work)
}

/// While this value exists, Ctrl-C stops its work.
struct Registered;

impl Registered {
    fn new(watch: &Arc<Watch>) -> Self {
        static HANDLER: Once = Once::new();
        // Without a handler Ctrl-C simply ends the program.
        HANDLER.call_once(|| drop(ctrlc::set_handler(interrupted)));
        set_breakable(Some(Arc::clone(watch)));
        Registered
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        set_breakable(None);
    }
}

fn set_breakable(watch: Option<Arc<Watch>>) {
    *BREAKABLE.lock().unwrap_or_else(PoisonError::into_inner) = watch;
}

#[allow(clippy::exit, reason = "Ctrl-C ends the program unless a running count can be stopped")]
fn interrupted() {
    let breakable = BREAKABLE.lock().unwrap_or_else(PoisonError::into_inner);
    let is_told = breakable.as_ref().is_some_and(|watch| !watch.stop.swap(true, Ordering::Relaxed));
    if !is_told {
        std::process::exit(INTERRUPTED);
    }
}

/// The total number, and the unit.
type Total<'a> = (Option<u64>, &'a str);

fn with_watch<T>(watch: &Watch, total: Total<'_>, reporter: &Reporter, work: impl FnOnce(&Watch) -> T) -> T {
    if reporter.is_quiet() || !std::io::stderr().is_terminal() {
        return work(watch);
    }
    let finished = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| draw(watch, total, &finished));
        let _end = Finish(&finished);
        work(watch)
    })
}

/// Stops drawing even if the work panics.
struct Finish<'a>(&'a AtomicBool);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn draw(watch: &Watch, total: Total<'_>, finished: &AtomicBool) {
    let begin = Instant::now();
    let mut bar: Option<ProgressBar> = None;
    while !finished.load(Ordering::Relaxed) {
        std::thread::sleep(TICK);
        if begin.elapsed() < PATIENCE {
            continue;
        }
        let bar = bar.get_or_insert_with(|| new_bar(total.0));
        let done = watch.done.load(Ordering::Relaxed);
        bar.set_message(message(done, total, begin.elapsed()));
        bar.set_position(done);
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

fn new_bar(total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (ProgressBar::new(total), "{msg}  {wide_bar}"),
        None => (ProgressBar::no_length(), "{msg}"),
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// The progress, the average speed, and the remaining time at that speed.
fn message(done: u64, (total, unit): Total<'_>, elapsed: Duration) -> String {
    let of_total = total.map(|total| format!(" of {}", grouped(total))).unwrap_or_default();
    let rate = done as f64 / elapsed.as_secs_f64();
    let mut text = format!("{}{of_total} {unit}", grouped(done));
    if rate >= 1.0 {
        text += &format!(", {} {unit}/s", grouped(rate as u64));
        if let Some(total) = total {
            let seconds = (total.saturating_sub(done) as f64 / rate).ceil();
            text += &format!(", {} left", HumanDuration(Duration::from_secs(seconds as u64)));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages() {
        let after = Duration::from_secs(2);
        assert_eq!(message(0, (Some(400_000), "keys"), after), "0 of 400,000 keys");
        assert_eq!(
            message(100_000, (Some(400_000), "keys"), after),
            "100,000 of 400,000 keys, 50,000 keys/s, 6 seconds left"
        );
        assert_eq!(message(100_000, (None, "files"), after), "100,000 files, 50,000 files/s");
    }
}
