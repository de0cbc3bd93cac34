//! The unit of a chart's values, and how they are written.

use super::merge::Merged;
use super::scale::{byte_unit, bytes, figure, grouped, ticks, whole_ticks};

/// What the values of the bars are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Measure {
    /// Counted things, such as `puts`.
    Count(String),
    /// Bytes of something, such as `stored in files`.
    Bytes(String),
}

/// The values of one axis have the same unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// One of it.
    size: f64,
    /// The largest value.
    most: f64,
    pub unit: String,
}

impl Default for Measure {
    fn default() -> Self {
        Measure::Count(String::new())
    }
}

impl Measure {
    /// The axis for values up to `most`.
    pub fn axis(&self, most: f64) -> Axis {
        match self {
            Measure::Count(things) => Axis { size: 1.0, most, unit: things.clone() },
            Measure::Bytes(_) => {
                let (size, unit) = byte_unit(most);
                Axis { size, most, unit: unit.into() }
            }
        }
    }

    /// Such as `Puts` or `GiB stored in files`, at the start of a title.
    pub fn title(&self, axis: &Axis) -> String {
        match self {
            Measure::Count(things) => capitalized(things),
            Measure::Bytes(of) => format!("{} {of}", axis.unit),
        }
    }

    /// A value with its unit: `62,675`, `10.4 GiB`.
    pub fn text(&self, value: f64) -> String {
        match self {
            Measure::Count(_) => grouped(value.round() as u64),
            Measure::Bytes(_) => bytes(value),
        }
    }

    /// Whether a value is more than chance explains: more than 10 % above the mean, and for counts also more
    /// than four standard deviations of random counts.
    pub fn stands_out(&self, most: f64, mean: f64) -> bool {
        let by_chance = match self {
            Measure::Count(_) => 4.0 * mean.max(0.0).sqrt(),
            Measure::Bytes(_) => 0.0,
        };
        mean > 0.0 && most > 1.1 * mean && most > mean + by_chance
    }
}

impl Axis {
    /// Round values up to the largest one or slightly more, in at most `count` steps.
    pub fn ticks(&self, count: usize) -> Vec<f64> {
        let most = self.most / self.size;
        let ticks = if self.size == 1.0 { whole_ticks(most, count) } else { ticks(most, count) };
        ticks.into_iter().map(|tick| tick * self.size).collect()
    }

    /// A value on the axis, without the unit.
    pub fn figure(&self, value: f64) -> String {
        figure(value / self.size, self.most / self.size)
    }
}

/// The rows that are above an even share.
pub fn hot(rows: &[Merged], measure: &Measure) -> Vec<bool> {
    let regions: usize = rows.iter().map(|row| row.regions).sum();
    let mean = rows.iter().map(|row| row.sum as f64).sum::<f64>() / regions.max(1) as f64;
    rows.iter().map(|row| measure.stands_out(row.mean, mean)).collect()
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_sizes() {
        let puts = Measure::Count("puts".into());
        let axis = puts.axis(62_918.0);
        assert_eq!((puts.title(&axis).as_str(), axis.figure(20_000.0).as_str()), ("Puts", "20,000"));
        assert_eq!(puts.text(62_675.4), "62,675");
        let stored = Measure::Bytes("stored in files".into());
        let gib = f64::from(1 << 30);
        let axis = stored.axis(3.38 * gib);
        assert_eq!(stored.title(&axis), "GiB stored in files");
        assert_eq!((axis.figure(2.0 * gib).as_str(), stored.text(3.38 * gib).as_str()), ("2", "3.38 GiB"));
    }

    #[test]
    fn values_above_chance() {
        let puts = Measure::Count("puts".into());
        // 418 of 62,500 can be chance, and so can a fifth of a hundred.
        assert!(!puts.stands_out(62_918.0, 62_500.0));
        assert!(!puts.stands_out(120.0, 100.0));
        assert!(puts.stands_out(150.0, 100.0));
        assert!(puts.stands_out(70_000.0, 62_500.0));
        assert!(!puts.stands_out(0.0, 0.0));
        let stored = Measure::Bytes(String::new());
        assert!(stored.stands_out(1.2, 1.0) && !stored.stands_out(1.05, 1.0));
    }
}
