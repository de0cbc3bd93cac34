//! How long work goes on: a line on stderr after a second, and Ctrl-C that ends it with what is there.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::talk::Talk;
use crate::simulate::engine::Watch;

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
        let bar = bar.get_or_insert_with(|| new_bar(total).with_elapsed(begin.elapsed()));
        bar.set_position(watch.done.load(Ordering::Relaxed));
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

fn new_bar(total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => {
            let template = "{bar:30} {human_pos} of {human_len} keys, {per_sec}, {eta} left";
            (ProgressBar::new(total), template)
        }
        None => (ProgressBar::no_length(), "{human_pos} keys, {per_sec}"),
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
