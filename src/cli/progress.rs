//! How long work goes on: a line on stderr after a second, and Ctrl-C that ends it with what is there.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use super::talk::Talk;
use saltplan_simulate::engine::Watch;
use saltplan_simulate::picture::grouped;

const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(50);

/// Lets Ctrl-C break the work off; a second one ends the program. Without a handler Ctrl-C just ends it.
pub fn stop_on_interrupt(watch: &Arc<Watch>) {
    let watch = Arc::clone(watch);
    // The handler can only be set once: a second run in one process keeps the first one's.
    let _ = ctrlc::set_handler(move || {
        if watch.stop.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

/// Does some work and shows on a terminal how far it is.
pub fn shown<T>(watch: &Watch, total: Option<u64>, talk: &Talk, work: impl FnOnce() -> T) -> T {
    if talk.is_quiet() || !std::io::stderr().is_terminal() {
        return work();
    }
    let finished = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| draw(watch, total, &finished));
        let _end = Finish(&finished);
        work()
    })
}

/// Ends the drawing also when the work panics.
struct Finish<'a>(&'a AtomicBool);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn draw(watch: &Watch, total: Option<u64>, finished: &AtomicBool) {
    let begin = Instant::now();
    let mut bar: Option<ProgressBar> = None;
    while !finished.load(Ordering::Relaxed) {
        std::thread::sleep(TICK);
        if begin.elapsed() < PATIENCE {
            continue;
        }
        let bar = bar.get_or_insert_with(|| new_bar(total));
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

/// How far the work is, how fast since it began, and how long the rest will take at that rate.
fn message(done: u64, total: Option<u64>, elapsed: Duration) -> String {
    let of_total = total.map(|total| format!(" of {}", grouped(total))).unwrap_or_default();
    let rate = done as f64 / elapsed.as_secs_f64();
    let mut text = format!("{}{of_total} keys", grouped(done));
    if rate >= 1.0 {
        text += &format!(", {} keys/s", grouped(rate as u64));
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
        assert_eq!(message(0, Some(400_000), after), "0 of 400,000 keys");
        assert_eq!(
            message(100_000, Some(400_000), after),
            "100,000 of 400,000 keys, 50,000 keys/s, 6 seconds left"
        );
        assert_eq!(message(100_000, None, after), "100,000 keys, 50,000 keys/s");
    }
}
