//! Curves over time, one below the other on the same time axis.

use super::canvas::{Anchor, Canvas, Font, text_width};
use super::{Curve, Curves, LABEL_SIZE, MARGIN, faint, palette, scale, text};

const PANEL: f64 = 118.0;
/// A title above, a time axis below.
const PITCH: f64 = PANEL + 58.0;
const AXIS_ROOM: f64 = 70.0;

/// Draws the panels from `top` down and returns where they end.
pub fn draw(canvas: &mut Canvas, top: f64, curves: &Curves) -> f64 {
    let left = MARGIN + AXIS_ROOM;
    let width = canvas.width() - MARGIN - 20.0 - left;
    let end = curves.times.last().copied().unwrap_or(1.0).max(f64::MIN_POSITIVE);
    let x = |time: f64| left + time / end * width;
    let mut y = top + 4.0;
    for curve in &curves.panels {
        panel(canvas, y, curve, &curves.times, [left, width], x);
        for (time, _) in &curves.marks {
            canvas.line([x(*time), y + 22.0, x(*time), y + 22.0 + PANEL], palette::STRONG, 1.5, Some("5 3"));
        }
        time_axis(canvas, y + 22.0 + PANEL, curves, end, x);
        y += PITCH;
    }
    marks(canvas, y + 14.0, curves, left);
    y + 26.0
}

fn panel(
    canvas: &mut Canvas,
    top: f64,
    curve: &Curve,
    times: &[f64],
    [left, width]: [f64; 2],
    x: impl Fn(f64) -> f64,
) {
    canvas.text(MARGIN, top + 12.0, &curve.title, text(13.0, Font::Bold, Anchor::Start, palette::INK));
    let top = top + 22.0;
    let most = curve.values.iter().copied().fold(0.0, f64::max);
    let ticks = if curve.whole { scale::whole_ticks(most, 4) } else { scale::ticks(most, 4) };
    let last = ticks.last().copied().unwrap_or(1.0);
    let y = |value: f64| top + PANEL - value / last * PANEL;
    for &tick in &ticks {
        canvas.line([left, y(tick), left + width, y(tick)], palette::GRID, 1.0, None);
        canvas.text(left - 6.0, y(tick) + 4.0, &scale::figure(tick, last), faint(Anchor::End));
    }
    let points: Vec<(f64, f64)> =
        times.iter().zip(&curve.values).map(|(time, value)| (x(*time), y(*value))).collect();
    if curve.steps {
        canvas.curve(&stairs(&points), palette::BAR);
    } else {
        canvas.curve(&points, palette::BAR);
    }
}

/// Counts change in steps.
fn stairs(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut stairs: Vec<(f64, f64)> = Vec::with_capacity(points.len() * 2);
    for &(x, y) in points {
        if let Some(&(_, before)) = stairs.last() {
            stairs.push((x, before));
        }
        stairs.push((x, y));
    }
    stairs
}

fn time_axis(canvas: &mut Canvas, y: f64, curves: &Curves, end: f64, x: impl Fn(f64) -> f64) {
    for tick in scale::ticks(end, 8).into_iter().filter(|tick| *tick <= end * 1.000_001) {
        canvas.line([x(tick), y, x(tick), y + 5.0], "#999999", 1.0, None);
        canvas.text(x(tick), y + 18.0, &scale::figure(tick, end), faint(Anchor::Middle));
    }
    canvas.text(x(0.0) - 12.0, y + 18.0, &curves.time_unit, faint(Anchor::End));
}

fn marks(canvas: &mut Canvas, y: f64, curves: &Curves, left: f64) {
    let mut x = left;
    for (_, label) in &curves.marks {
        canvas.line([x, y - 4.0, x + 22.0, y - 4.0], palette::STRONG, 1.5, Some("5 3"));
        canvas.text(x + 28.0, y, label, faint(Anchor::Start));
        x += 28.0 + text_width(label, LABEL_SIZE, Font::Sans) + 20.0;
    }
}
