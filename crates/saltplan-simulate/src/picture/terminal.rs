//! A bar chart for the terminal: one line per region, or per group of neighbours.

use super::Bar;
use super::bars::region_label;
use super::canvas::without_middle;
use super::measure::{Measure, hot};
use super::merge::{Merged, merged};

/// The capabilities of the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terminal {
    /// Columns of characters.
    pub width: usize,
    /// Unicode block characters; otherwise `#`.
    pub unicode: bool,
    pub color: bool,
    /// The maximum number of lines; regions are merged if there are more.
    pub lines: usize,
}

const HEAD: &str = "start row";
const NARROWEST: usize = 20;
const SHORTEST_BAR: usize = 8;
const LONGEST_BAR: usize = 60;
const STRONG: &str = "\u{1b}[33m";
const PLAIN: &str = "\u{1b}[0m";

/// The chart, with each line ended by a line feed. Lengths are relative to the largest. Bars above an even
/// share are coloured.
pub fn chart(bars: &[Bar], measure: &Measure, terminal: Terminal) -> String {
    let rows = merged(bars, terminal.lines);
    let Some(most) = rows.iter().map(|row| row.mean).max_by(f64::total_cmp) else { return String::new() };
    let each = rows.first().map_or(1, |row| row.regions);
    let width = terminal.width.max(NARROWEST);
    let values: Vec<String> = rows.iter().map(|row| measure.text(row.mean)).collect();
    let unit = match measure {
        Measure::Count(things) | Measure::Bytes(things) => things.as_str(),
    };
    let value_width = values.iter().map(String::len).chain([unit.len()]).max().unwrap_or(0);
    let free = width.saturating_sub(value_width + 4);
    let labels = rows.iter().map(|row| region_label(&row.start).chars().count());
    let label_width = labels.chain([HEAD.len()]).max().unwrap_or(0);
    let label_width = label_width.min(free.saturating_sub(SHORTEST_BAR)).min(40);
    let bar_width = free.saturating_sub(label_width).min(LONGEST_BAR);
    let mut text = String::new();
    if each > 1 {
        text += &format!("each line is {each} regions, with their mean\n");
    }
    text += &format!("{:label_width$}  {unit:>value_width$}\n", cut(HEAD, label_width, terminal.unicode));
    let strong = hot(&rows, measure);
    for (index, (row, value)) in rows.iter().zip(&values).enumerate() {
        let terminal = Terminal { color: terminal.color && strong[index], ..terminal };
        text += &line(row, value, most, [label_width, value_width, bar_width], terminal);
    }
    text
}

fn line(row: &Merged, value: &str, most: f64, widths: [usize; 3], terminal: Terminal) -> String {
    let [label_width, value_width, bar_width] = widths;
    let label = cut(region_label(&row.start), label_width, terminal.unicode);
    let share = if most > 0.0 { row.mean / most } else { 0.0 };
    let bar = if terminal.unicode { blocks(share, bar_width) } else { hashes(share, bar_width) };
    let bar = if terminal.color { format!("{STRONG}{bar}{PLAIN}") } else { bar };
    format!("{label:label_width$}  {value:>value_width$}  {bar}").trim_end().to_string() + "\n"
}

/// A bar in eighths of a character, at least one unless the value is zero.
fn blocks(share: f64, width: usize) -> String {
    let eighths = (share * (width * 8) as f64).round() as usize;
    let eighths = if share > 0.0 { eighths.max(1) } else { 0 };
    let last = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    "█".repeat(eighths / 8) + last.get(eighths % 8).unwrap_or(&"")
}

fn hashes(share: f64, width: usize) -> String {
    let count = (share * width as f64).round() as usize;
    if share > 0.0 && count == 0 { ".".into() } else { "#".repeat(count) }
}

fn cut(label: &str, width: usize, unicode: bool) -> String {
    let characters: Vec<char> = label.chars().collect();
    if characters.len() <= width {
        return label.to_string();
    }
    let mark = if unicode { "…" } else { ".." };
    without_middle(&characters, width.saturating_sub(mark.chars().count()), mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bars(values: &[u64]) -> Vec<Bar> {
        let bar = |(index, value): (usize, &u64)| Bar {
            start: if index == 0 { String::new() } else { format!("{index:03}") },
            value: *value,
            salts: String::new(),
        };
        values.iter().enumerate().map(bar).collect()
    }

    fn chart(bars: &[Bar], unit: &str, terminal: Terminal) -> String {
        super::chart(bars, &Measure::Count(unit.into()), terminal)
    }

    fn terminal(width: usize) -> Terminal {
        Terminal { width, unicode: true, color: false, lines: 40 }
    }

    #[test]
    fn a_small_chart() {
        let text = chart(&bars(&[80, 0, 40, 1]), "puts", terminal(36));
        assert_eq!(
            text,
            "start row  puts\n(first)      80  ███████████████████\n001           0\n002          40  █████████▌\n003           1  ▎\n"
        );
    }

    #[test]
    fn without_unicode() {
        let plain = Terminal { unicode: false, ..terminal(36) };
        let text = chart(&bars(&[80, 0, 40, 1]), "puts", plain);
        assert!(text.is_ascii());
        assert_eq!(text.lines().last(), Some("003           1  ."));
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let mut long = bars(&[5_000_000_000; 300]);
        for bar in &mut long {
            bar.start = bar.start.repeat(50);
        }
        for width in [0, 20, 40, 80, 200] {
            for unicode in [true, false] {
                let text = chart(&long, "puts", Terminal { unicode, ..terminal(width) });
                let lines = text.lines().skip(1);
                assert!(lines.clone().all(|line| line.chars().count() <= width.max(30)), "{width}\n{text}");
                assert!(lines.count() <= 41);
            }
        }
    }

    #[test]
    fn the_largest_in_colour() {
        let color = Terminal { color: true, ..terminal(40) };
        let text = chart(&bars(&[100, 100, 200]), "puts", color);
        assert_eq!(text.matches(STRONG).count(), 1);
        assert_eq!(chart(&bars(&[1, 2]), "puts", color).matches(STRONG).count(), 0);
        assert_eq!(chart(&[], "puts", terminal(40)), "");
        assert_eq!(chart(&bars(&[0]), "puts", terminal(40)), "start row  puts\n(first)       0\n");
    }
}
