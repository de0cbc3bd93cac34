//! The table of speeds and ratios.

use std::fmt::Write;
use std::time::Duration;

use saltplan_lanes::Level;

use crate::job::Job;

/// The fastest of several runs, in million rows per second.
#[derive(Debug, Clone, Copy, Default)]
pub struct Best(f64);

impl Best {
    pub fn add(&mut self, rows: u64, time: Duration) {
        self.0 = self.0.max(rows as f64 / time.as_secs_f64() / 1e6);
    }

    fn text(self) -> String {
        if self.0 > 0.0 { format!("{:.1}", self.0) } else { String::new() }
    }

    fn ratio(self, to: Best, unit: &str) -> String {
        if self.0 > 0.0 && to.0 > 0.0 { format!("{:.2}{unit}", self.0 / to.0) } else { String::new() }
    }
}

/// The measurements of one scheme.
pub struct Line {
    name: &'static str,
    /// By level, on one thread and on two.
    pub lanes: Vec<[Best; 2]>,
    pub rows: Best,
    pub tuned: Best,
    pub tuned_two: Best,
    pub plain: Best,
}

impl Line {
    pub fn new(name: &'static str, levels: usize) -> Self {
        let none = Best::default();
        Line { name, lanes: vec![[none; 2]; levels], rows: none, tuned: none, tuned_two: none, plain: none }
    }
}

pub fn text(levels: &[Level], kernels: &[[Best; 2]], digest: Best, lines: &[Line], jobs: &[Job]) -> String {
    let mut text = String::from("MD5 alone, one thread, million digests a second:\n\n");
    text.push_str("| what | first word | whole digest |\n|---|---|---|\n");
    for (level, [first, whole]) in levels.iter().zip(kernels) {
        let _ = writeln!(text, "| kernel {} | {} | {} |", level.name(), first.text(), whole.text());
    }
    let _ = writeln!(text, "| md-5 crate, one by one | | {} |\n", digest.text());
    text.push_str("Whole job, million keys a second; ratios to tuned Java on as many threads:\n\n");
    text.push_str(
        "| scheme | what | one thread | two | two / one | × tuned Java | on two | of the kernel |\n",
    );
    text.push_str("|---|---|---|---|---|---|---|---|\n");
    for (line, job) in lines.iter().zip(jobs) {
        let plain =
            [("Java, plain", line.plain, Best::default()), ("Java, tuned", line.tuned, line.tuned_two)];
        for (what, one, two) in plain.into_iter().filter(|_| job.has_peer) {
            row(&mut text, line, what, [one, two], None);
        }
        row(&mut text, line, "row engine", [line.rows, Best::default()], None);
        for ((level, both), kernel) in levels.iter().zip(&line.lanes).zip(kernels) {
            row(
                &mut text,
                line,
                level.name(),
                *both,
                job.kernel.and_then(|index| kernel.get(index)).copied(),
            );
        }
    }
    text
}

fn row(text: &mut String, line: &Line, what: &str, [one, two]: [Best; 2], kernel: Option<Best>) {
    let cells = [
        line.name.to_string(),
        what.to_string(),
        one.text(),
        two.text(),
        two.ratio(one, ""),
        one.ratio(line.tuned, " ×"),
        two.ratio(line.tuned_two, " ×"),
        kernel.map(|kernel| one.ratio(kernel, "")).unwrap_or_default(),
    ];
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}
