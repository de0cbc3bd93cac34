//! Regions as bars, one below the other in key order, with their start rows and salts.

use super::canvas::{Anchor, Canvas, Font, TextStyle, fitted, text_width};
use super::measure::{Axis, Measure, hot};
use super::merge::{Merged, merged};
use super::{Bar, LABEL_SIZE, MARGIN, faint, palette, scale, text};
use saltplan_document::diag::counted;

/// With more regions than this, neighbours share a bar.
const MOST_ROWS: usize = 1024;
const WIDEST_LABEL: f64 = 230.0;
const WIDEST_SALT: f64 = 110.0;
const VALUE_ROOM: f64 = 92.0;
const GAP: f64 = 12.0;

/// The positions of the parts of a chart with one row per region.
#[derive(Debug, Clone, Copy)]
pub struct Rows {
    pub label_width: f64,
    pub salt: f64,
    pub salt_width: f64,
    pub plot: f64,
    pub plot_width: f64,
    pub top: f64,
    pub height: f64,
    /// One of this many rows has a label.
    pub step: usize,
}

impl Rows {
    pub fn new(canvas: &Canvas, rows: &[Merged], top: f64, height: f64, right: f64) -> Self {
        let widest = |texts: &mut dyn Iterator<Item = &str>, font, most: f64| {
            texts.map(|text| text_width(text, LABEL_SIZE, font)).fold(0.0, f64::max).min(most)
        };
        let head = text_width("start row", LABEL_SIZE, Font::Sans);
        let label_width =
            widest(&mut rows.iter().map(|row| region_label(&row.start)), Font::Mono, WIDEST_LABEL).max(head);
        let has_salts = rows.iter().any(|row| !row.salts.is_empty());
        let salt_head = if has_salts { text_width("salt", LABEL_SIZE, Font::Sans) } else { 0.0 };
        let salt_width =
            widest(&mut rows.iter().map(|row| row.salts.as_str()), Font::Mono, WIDEST_SALT).max(salt_head);
        let salt = MARGIN + label_width + GAP;
        let plot = if has_salts { salt + salt_width + GAP } else { salt };
        Rows {
            label_width,
            salt,
            salt_width,
            plot,
            plot_width: canvas.width() - MARGIN - right - plot,
            top,
            height,
            step: ((LABEL_SIZE + 3.0) / height).ceil().max(1.0) as usize,
        }
    }

    pub fn y(&self, row: usize) -> f64 {
        self.top + row as f64 * self.height
    }

    /// The baseline of the text in a row.
    fn base(&self, row: usize) -> f64 {
        self.y(row) + self.height / 2.0 + LABEL_SIZE * 0.35
    }

    pub fn has_label(&self, row: usize) -> bool {
        row.is_multiple_of(self.step)
    }

    /// The bands of the salts, the column heads, the start rows and the salts.
    pub fn draw(&self, canvas: &mut Canvas, rows: &[Merged]) {
        let faint = faint(Anchor::Start);
        canvas.text(MARGIN, self.top - 8.0, "start row", faint);
        let key = text(LABEL_SIZE, Font::Mono, Anchor::Start, palette::INK);
        for (index, row) in rows.iter().enumerate().filter(|(index, _)| self.has_label(*index)) {
            let label = fitted(region_label(&row.start), self.label_width, LABEL_SIZE, Font::Mono);
            let style = if row.start.is_empty() { faint } else { key };
            canvas.text(MARGIN, self.base(index), &label, style);
        }
        if self.salt_width > 0.0 {
            canvas.text(self.salt, self.top - 8.0, "salt", faint);
            self.draw_salts(canvas, rows, key);
        }
    }

    fn has_bands(&self, rows: &[Merged]) -> bool {
        let mut groups = rows.chunk_by(|left, right| left.salts == right.salts);
        let salts = groups.clone().count();
        // One row per salt would only make stripes.
        let has_wide = salts > 1 && groups.any(|group| group.len() > 1);
        has_wide && self.salt_width > 0.0 && self.y(rows.len()) - self.y(0) >= LABEL_SIZE * salts as f64
    }

    /// Every second salt has a background band, if it is high enough to be visible; the labels are drawn over
    /// all bands.
    fn draw_salts(&self, canvas: &mut Canvas, rows: &[Merged], style: TextStyle) {
        let mut begin = 0;
        let groups: Vec<(&Merged, f64, f64, bool)> = rows
            .chunk_by(|left, right| left.salts == right.salts)
            .filter_map(|group| {
                let (top, is_labelled) = (self.y(begin), group.len() > 1 || self.has_label(begin));
                begin += group.len();
                Some((group.first()?, top, self.y(begin), is_labelled))
            })
            .collect();
        let banded = if self.has_bands(rows) { groups.as_slice() } else { &[] };
        for (_, top, bottom, _) in banded.iter().skip(1).step_by(2) {
            let band = [self.salt - 4.0, *top, self.plot - GAP / 2.0 - self.salt + 4.0, bottom - top];
            canvas.rect(band, palette::BAND, None);
        }
        let mut free_from = f64::NEG_INFINITY;
        // The salt of a single row is next to its start row.
        for (row, top, bottom, _) in groups.into_iter().filter(|(.., is_labelled)| *is_labelled) {
            let base = f64::midpoint(top, bottom) + LABEL_SIZE * 0.35;
            if base - LABEL_SIZE >= free_from {
                let salts = fitted(&row.salts, self.salt_width, LABEL_SIZE, Font::Mono);
                canvas.text(self.salt, base, &salts, style);
                free_from = base + 2.0;
            }
        }
    }
}

/// The first region has no start row.
pub fn region_label(start: &str) -> &str {
    if start.is_empty() { "(first)" } else { start }
}

/// Draws the chart from `top` down and returns where it ends.
pub fn draw(canvas: &mut Canvas, top: f64, bars: &[Bar], measure: &Measure) -> f64 {
    let rows = merged(bars, MOST_ROWS);
    let most = rows.iter().map(|row| row.mean).fold(0.0, f64::max);
    let axis = measure.axis(most);
    canvas.text(
        MARGIN,
        top + 15.0,
        &title(bars, &rows, &measure.title(&axis)),
        text(14.0, Font::Bold, Anchor::Start, palette::INK),
    );
    let height = match rows.len() {
        0..=40 => 20.0,
        41..=100 => 12.0,
        101..=300 => 5.0,
        count => (1500.0 / count as f64).max(1.4),
    };
    let layout = Rows::new(canvas, &rows, top + 66.0, height, VALUE_ROOM);
    layout.draw(canvas, &rows);
    let ticks = axis.ticks(5);
    let end = if most > 0.0 { most * 1.02 } else { ticks.last().copied().unwrap_or(1.0) };
    let x = |value: f64| layout.plot + value / end * layout.plot_width;
    let ticks: Vec<f64> = ticks.into_iter().filter(|tick| *tick <= end).collect();
    draw_grid(canvas, &layout, rows.len(), &ticks, &axis, x);
    canvas.text(canvas.width() - MARGIN, layout.top - 8.0, &axis.unit, faint(Anchor::End));
    let bottom = layout.y(rows.len());
    let strong = hot(&rows, measure);
    for (index, row) in rows.iter().enumerate() {
        draw_bar(canvas, &layout, index, row, strong[index], measure, x);
    }
    let mean = bars.iter().map(|bar| bar.value as f64).sum::<f64>() / bars.len().max(1) as f64;
    canvas.line([x(mean), layout.top - 4.0, x(mean), bottom + 4.0], palette::MEAN, 1.5, Some("5 3"));
    let label = format!("mean {}", measure.text(mean));
    canvas.text(
        x(mean),
        layout.top - 26.0,
        &label,
        text(LABEL_SIZE, Font::Sans, Anchor::Middle, palette::INK),
    );
    let count = strong.iter().filter(|is_strong| **is_strong).count();
    let above = (count > 0).then(|| above(count, most, mean));
    legend(canvas, &layout, bottom + 40.0, &rows, above.as_deref());
    bottom + 52.0
}

/// How far the largest is above the mean, for the legend.
fn above(count: usize, most: f64, mean: f64) -> String {
    let factor = if most < 2.0 * mean {
        format!("{:.0} % above the mean", (most / mean - 1.0) * 100.0)
    } else {
        format!("{} times the mean", scale::compact(most / mean))
    };
    if count == 1 {
        format!("largest, {factor}")
    } else {
        format!("more than an even share, at most {factor}")
    }
}

fn title(bars: &[Bar], rows: &[Merged], what: &str) -> String {
    let regions = counted(bars.len() as u128, "region", "regions");
    let merged = bars.len().div_ceil(rows.len().max(1));
    let note = if merged > 1 { format!(", each bar the mean of {merged} regions") } else { String::new() };
    format!("{what} per region, {regions}{note}")
}

fn draw_grid(
    canvas: &mut Canvas,
    layout: &Rows,
    rows: usize,
    ticks: &[f64],
    axis: &Axis,
    x: impl Fn(f64) -> f64,
) {
    let bottom = layout.y(rows);
    let style = faint(Anchor::Middle);
    for &tick in ticks {
        canvas.line([x(tick), layout.top - 4.0, x(tick), bottom], palette::GRID, 1.0, None);
        canvas.text(x(tick), layout.top - 8.0, &axis.figure(tick), style);
        // Repeated at the bottom, because the axis of a long chart may be scrolled away.
        if bottom - layout.top > 500.0 {
            canvas.text(x(tick), bottom + 14.0, &axis.figure(tick), style);
        }
    }
}

fn draw_bar(
    canvas: &mut Canvas,
    layout: &Rows,
    index: usize,
    row: &Merged,
    strong: bool,
    measure: &Measure,
    x: impl Fn(f64) -> f64,
) {
    let gap = if layout.height >= 8.0 { layout.height * 0.15 } else { layout.height * 0.1 };
    let (y, height) = (layout.y(index) + gap, layout.height - 2.0 * gap);
    let value = measure.text(row.mean);
    let mut note = format!("{}: {value}", region_label(&row.start));
    if !row.salts.is_empty() {
        note += &format!(", salt {}", row.salts);
    }
    let empty = row.mean <= 0.0;
    let fill = if strong { palette::STRONG } else { palette::BAR };
    let end = if empty { layout.plot } else { x(row.mean).max(layout.plot + 0.5) };
    if empty {
        canvas.rect([layout.plot, y, 3.0, height], "#999999", Some(&note));
    } else {
        canvas.rect([layout.plot, y, end - layout.plot, height], fill, Some(&note));
    }
    if layout.has_label(index) {
        let style = text(LABEL_SIZE, Font::Sans, Anchor::End, palette::INK);
        canvas.text(canvas.width() - MARGIN, layout.base(index), if empty { "empty" } else { &value }, style);
    }
}

fn legend(canvas: &mut Canvas, layout: &Rows, y: f64, rows: &[Merged], largest: Option<&str>) {
    let mut x = layout.plot;
    let mut entry = |canvas: &mut Canvas, label: &str, draw: &dyn Fn(&mut Canvas, f64)| {
        draw(canvas, x);
        canvas.text(x + 18.0, y, label, faint(Anchor::Start));
        x += 18.0 + text_width(label, LABEL_SIZE, Font::Sans) + 20.0;
    };
    let square = |color: &'static str| {
        move |canvas: &mut Canvas, x: f64| canvas.rect([x, y - 9.0, 11.0, 11.0], color, None)
    };
    entry(canvas, "region", &square(palette::BAR));
    if let Some(largest) = largest {
        entry(canvas, largest, &square(palette::STRONG));
    }
    if rows.iter().any(|row| row.mean <= 0.0) {
        entry(canvas, "empty", &|canvas, x| canvas.rect([x + 4.0, y - 9.0, 3.0, 11.0], "#999999", None));
    }
    entry(canvas, "mean", &|canvas, x| {
        canvas.line([x + 6.0, y - 11.0, x + 6.0, y + 3.0], palette::MEAN, 1.5, Some("5 3"));
    });
    if layout.has_bands(rows) {
        entry(canvas, "regions of one salt", &square(palette::BAND));
    }
}
