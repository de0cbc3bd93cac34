//! Regions against time: the load of each region in each time slice, as shades.

use super::bars::Rows;
use super::canvas::{Anchor, Canvas, Font, text_width};
use super::measure::Measure;
use super::merge::merged;
use super::{Bar, HeatMap, LABEL_SIZE, MARGIN, faint, frame, palette, text};

const MOST_ROWS: usize = 512;
const MOST_COLUMNS: usize = 366;

/// Draws the chart from `top` down and returns where it ends.
pub fn draw(canvas: &mut Canvas, top: f64, map: &HeatMap, bars: &[Bar], measure: &Measure) -> f64 {
    let rows = merged(bars, MOST_ROWS);
    let columns = map.slices.len().div_ceil(MOST_COLUMNS).max(1);
    let cells = cells(map, bars.len().div_ceil(rows.len().max(1)).max(1), columns);
    let shades = Shades::new(&cells, measure);
    let axis = measure.axis(cells.iter().flatten().copied().fold(0.0, f64::max));
    let what = format!("{} per region and {}", measure.title(&axis), map.slice_name);
    let heading = format!("{what}{}", each_column(columns, map));
    canvas.text(MARGIN, top + 15.0, &heading, text(14.0, Font::Bold, Anchor::Start, palette::INK));
    let height = (560.0 / rows.len().max(1) as f64).clamp(2.0, 18.0);
    let layout = Rows::new(canvas, &rows, top + 48.0, height, 8.0);
    layout.draw(canvas, &rows);
    let width = layout.plot_width / cells.len().max(1) as f64;
    let bottom = layout.y(rows.len());
    canvas.rect([layout.plot, layout.top, layout.plot_width, bottom - layout.top], palette::NOTHING, None);
    for (row, _) in rows.iter().enumerate() {
        draw_row(canvas, &layout, &cells, row, width, &shades);
    }
    frame(canvas, [layout.plot, layout.top, layout.plot + layout.plot_width, bottom]);
    draw_slices(canvas, &layout, map, columns, width);
    draw_scale(canvas, &layout, bottom + 22.0, &shades);
    bottom + 58.0
}

fn each_column(columns: usize, map: &HeatMap) -> String {
    if columns > 1 { format!(" (each column is {columns} {}s)", map.slice_name) } else { String::new() }
}

/// Means over the regions of a row and the slices of a column: `[column][row]`.
fn cells(map: &HeatMap, rows: usize, columns: usize) -> Vec<Vec<f64>> {
    let values = map.values.chunks(columns);
    let column = |slices: &[Vec<u64>]| {
        let regions = slices.iter().map(Vec::len).max().unwrap_or(0);
        let sums: Vec<f64> = (0..regions)
            .map(|region| {
                slices.iter().filter_map(|slice| slice.get(region)).map(|value| *value as f64).sum()
            })
            .collect();
        let mean = |part: &[f64]| part.iter().sum::<f64>() / (part.len() * slices.len()).max(1) as f64;
        sums.chunks(rows).map(mean).collect()
    };
    values.map(column).collect()
}

/// The meaning of a cell's colour: its ratio to an even share.
struct Shades<'a> {
    measure: &'a Measure,
    /// The even share of each column; if that is below the mean of all columns, the mean.
    shares: Vec<f64>,
    /// The largest ratio of any cell, but at least [`FEWEST_TIMES`].
    most: f64,
    /// Whether any cell is above its share.
    is_uneven: bool,
}

/// Small differences are not drawn in the darkest colour.
const FEWEST_TIMES: f64 = 4.0;

impl<'a> Shades<'a> {
    fn new(cells: &[Vec<f64>], measure: &'a Measure) -> Self {
        let mean = |sum: f64, count: usize| sum / count.max(1) as f64;
        let sums = cells.iter().map(|column| (column.iter().sum::<f64>(), column.len()));
        let all = sums.clone().fold((0.0, 0), |all, column| (all.0 + column.0, all.1 + column.1));
        let overall = mean(all.0, all.1);
        let shares: Vec<f64> = sums.map(|(sum, count)| mean(sum, count).max(overall)).collect();
        let mut shades = Shades { measure, shares, most: FEWEST_TIMES, is_uneven: false };
        for (column, values) in cells.iter().enumerate() {
            for &value in values {
                if shades.is_warm(column, value) {
                    shades.most = shades.most.max(value / shades.shares[column]);
                    shades.is_uneven = true;
                }
            }
        }
        shades
    }

    fn is_warm(&self, column: usize, value: f64) -> bool {
        self.measure.stands_out(value, self.shares[column])
    }

    fn color(&self, column: usize, value: f64) -> String {
        let times = value / self.shares[column];
        if self.is_warm(column, value) {
            palette::warm(times.ln() / self.most.ln())
        } else {
            palette::calm(times)
        }
    }
}

/// Neighbours with the same shade are one rectangle.
fn draw_row(
    canvas: &mut Canvas,
    layout: &Rows,
    cells: &[Vec<f64>],
    row: usize,
    width: f64,
    shades: &Shades<'_>,
) {
    let shade = |(column, cells): (usize, &Vec<f64>)| {
        let value = cells.get(row).copied().unwrap_or(0.0);
        (value > 0.0).then(|| shades.color(column, value))
    };
    let colors: Vec<Option<String>> = cells.iter().enumerate().map(shade).collect();
    let mut begin = 0;
    for group in colors.chunk_by(PartialEq::eq) {
        if let Some(Some(color)) = group.first() {
            let x = layout.plot + begin as f64 * width;
            // Slightly larger, so that there are no white gaps between neighbours.
            let size = (group.len() as f64 * width + 0.3, layout.height + 0.3);
            canvas.rect([x, layout.y(row), size.0, size.1], color, None);
        }
        begin += group.len();
    }
}

/// The names of as many slices as fit, above their columns.
fn draw_slices(canvas: &mut Canvas, layout: &Rows, map: &HeatMap, columns: usize, width: f64) {
    let names: Vec<&String> = map.slices.iter().step_by(columns).collect();
    let widest = names.iter().map(|name| text_width(name, LABEL_SIZE, Font::Sans)).fold(0.0, f64::max) + 10.0;
    let step = ((widest / width).ceil() as usize).max(1);
    for (index, name) in names.iter().enumerate().step_by(step) {
        let x = layout.plot + index as f64 * width;
        if x + widest <= canvas.width() {
            canvas.line([x, layout.top - 5.0, x, layout.top], "#999999", 1.0, None);
            canvas.text(x, layout.top - 8.0, name, faint(Anchor::Start));
        }
    }
}

/// The legend of the shades.
fn draw_scale(canvas: &mut Canvas, layout: &Rows, y: f64, shades: &Shades<'_>) {
    const STEPS: usize = 60;
    canvas.rect([layout.plot, y, 12.0, 12.0], palette::NOTHING, None);
    frame(canvas, [layout.plot, y, layout.plot + 12.0, y + 12.0]);
    canvas.text(layout.plot, y + 25.0, "none", faint(Anchor::Start));
    let strip = |canvas: &mut Canvas, left: f64, width: f64, color: &dyn Fn(f64) -> String| {
        for step in 0..STEPS {
            let x = left + width * step as f64 / STEPS as f64;
            let color = color(step as f64 / (STEPS - 1) as f64);
            canvas.rect([x, y, width / STEPS as f64 + 0.4, 12.0], &color, None);
        }
    };
    let calm = [layout.plot + 52.0, 150.0];
    strip(canvas, calm[0], calm[1], &palette::calm);
    canvas.text(calm[0], y + 25.0, "up to an even share", faint(Anchor::Start));
    if shades.is_uneven {
        let warm = [calm[0] + calm[1] + 12.0, 240.0];
        strip(canvas, warm[0], warm[1], &palette::warm);
        canvas.text(warm[0], y + 25.0, "more", faint(Anchor::Start));
        let most = format!("{} times an even share", super::scale::compact(shades.most));
        canvas.text(warm[0] + warm[1], y + 25.0, &most, faint(Anchor::End));
    }
}
