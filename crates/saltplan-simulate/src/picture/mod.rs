//! Charts: regions as bars, regions against time as shades, growth as curves; as SVG and in the terminal.
//!
//! A picture is made of plain numbers and texts; the caller decides what they mean.

mod bars;
pub mod canvas;
mod curves;
mod heat;
mod measure;
mod merge;
mod palette;
mod scale;
mod terminal;
#[cfg(test)]
mod tests;

use canvas::{Anchor, Canvas, Font, TextStyle, fitted};
pub use measure::Measure;
pub use scale::{byte_unit, bytes, compact, grouped};
pub use terminal::{Terminal, chart};

const WIDTH: f64 = 1000.0;
const MARGIN: f64 = 24.0;
const LABEL_SIZE: f64 = 11.0;

/// A region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    /// The start row in HBase's text form; empty for the first region.
    pub start: String,
    pub value: u64,
    /// The salts whose rows are in the region, such as `003` or `003–007`; empty without salts.
    pub salts: String,
}

/// The load of each region in each slice of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeatMap {
    /// The unit of a slice, such as `day`.
    pub slice_name: String,
    pub slices: Vec<String>,
    /// `[slice][region]`, with the regions in the order of the bars.
    pub values: Vec<Vec<u64>>,
}

/// A curve in its own panel.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// With the unit.
    pub title: String,
    pub values: Vec<f64>,
    /// Ticks are whole numbers.
    pub whole: bool,
    /// The curve changes in steps.
    pub steps: bool,
}

/// Curves over the same time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Curves {
    /// Ascending, in the unit.
    pub times: Vec<f64>,
    /// Such as `days`.
    pub time_unit: String,
    pub panels: Vec<Curve>,
    /// Times to mark, with their labels.
    pub marks: Vec<(f64, String)>,
}

/// The content of an SVG file, from top to bottom.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Picture {
    pub title: String,
    /// Lines below the title.
    pub remarks: Vec<String>,
    pub measure: Measure,
    pub bars: Vec<Bar>,
    pub heat_map: Option<HeatMap>,
    pub curves: Option<Curves>,
}

/// The picture as an SVG document: dark on white, without scripts, external fonts or images.
pub fn svg(picture: &Picture) -> String {
    paint(picture).finish(&picture.title)
}

fn paint(picture: &Picture) -> Canvas {
    let mut canvas = Canvas::new(WIDTH);
    let room = WIDTH - 2.0 * MARGIN;
    let title = fitted(&picture.title, room, 18.0, Font::Bold);
    canvas.text(MARGIN, 34.0, &title, text(18.0, Font::Bold, Anchor::Start, palette::INK));
    let mut y = 54.0;
    for remark in &picture.remarks {
        let remark = fitted(remark, room, 12.0, Font::Sans);
        canvas.text(MARGIN, y, &remark, text(12.0, Font::Sans, Anchor::Start, palette::FAINT_INK));
        y += 17.0;
    }
    y += 8.0;
    if !picture.bars.is_empty() {
        y = bars::draw(&mut canvas, y, &picture.bars, &picture.measure) + 24.0;
    }
    if let Some(map) = picture.heat_map.as_ref().filter(|map| !map.values.is_empty()) {
        y = heat::draw(&mut canvas, y, map, &picture.bars, &picture.measure) + 24.0;
    }
    if let Some(curves) = picture.curves.as_ref().filter(|curves| !curves.times.is_empty()) {
        y = curves::draw(&mut canvas, y, curves) + 24.0;
    }
    canvas.reach(y);
    canvas
}

fn text(size: f64, font: Font, anchor: Anchor, color: &'static str) -> TextStyle {
    TextStyle { size, font, anchor, color }
}

/// The style of labels.
fn faint(anchor: Anchor) -> TextStyle {
    text(LABEL_SIZE, Font::Sans, anchor, palette::FAINT_INK)
}

/// The lines around a rectangle.
fn frame(canvas: &mut Canvas, [left, top, right, bottom]: [f64; 4]) {
    for line in [
        [left, top, right, top],
        [left, bottom, right, bottom],
        [left, top, left, bottom],
        [right, top, right, bottom],
    ] {
        canvas.line(line, "#999999", 1.0, None);
    }
}
