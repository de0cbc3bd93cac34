//! Axes: round ticks, and short numbers.

/// Ticks at round numbers from 0 up to at least `most`, in at most `count` steps (and at least one).
pub fn ticks(most: f64, count: usize) -> Vec<f64> {
    round_ticks(most, count, |_| true)
}

fn round_ticks(most: f64, count: usize, is_step: impl Fn(f64) -> bool) -> Vec<f64> {
    let most = if most.is_finite() && most > 0.0 { most } else { 1.0 };
    let rough = most / count.max(1) as f64;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= rough * 0.999_999 && is_step(*step));
    let step = step.unwrap_or(power * 10.0);
    let last = (most / step - 1e-9).ceil().max(1.0) as usize;
    (0..=last).map(|index| index as f64 * step).collect()
}

/// Ticks for counts: no halves.
pub fn whole_ticks(most: f64, count: usize) -> Vec<f64> {
    if most <= count as f64 {
        let last = most.ceil().max(1.0) as usize;
        return (0..=last).map(|index| index as f64).collect();
    }
    round_ticks(most, count, |step| step.fract() == 0.0)
}

/// A number on an axis up to `most`: `20,000`, `2.5`; from a hundred million on all numbers are short, `250
/// M`.
pub fn figure(number: f64, most: f64) -> String {
    if most >= 1e8 || (most < 1000.0 && number.fract() != 0.0) {
        return compact(number);
    }
    grouped(number.round() as u64)
}

/// `1.5 M`, `20 k`, `7`: three digits and a power of a thousand.
pub fn compact(number: f64) -> String {
    let units = [(1e18, " E"), (1e15, " P"), (1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")];
    let unit = units.into_iter().find(|(size, _)| number.abs() >= *size * 0.9995);
    let (scaled, suffix) = unit.map_or((number, ""), |(size, suffix)| (number / size, suffix));
    let digits = decimals(scaled.abs());
    let text = format!("{scaled:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{suffix}")
}

/// Digits in groups of three: `5,000,000`.
pub fn grouped(number: u64) -> String {
    saltplan_document::diag::grouped(number.into())
}

/// Bytes in the units of HBase: `1.5 GiB`.
pub fn bytes(number: f64) -> String {
    // The sum of no numbers is -0.
    let number = if number > 0.0 { number } else { 0.0 };
    let (size, unit) = byte_unit(number);
    format!("{} {unit}", compact_below(number / size))
}

/// The unit for a number of bytes.
pub fn byte_unit(number: f64) -> (f64, &'static str) {
    const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut size = 1.0;
    for unit in UNITS {
        if number < size * 1023.5 || unit == "EiB" {
            return (size, unit);
        }
        size *= 1024.0;
    }
    (1.0, "B")
}

fn compact_below(number: f64) -> String {
    let digits = if number.fract() == 0.0 { 0 } else { decimals(number) };
    format!("{number:.digits$}")
}

/// The decimal places of a number below 1,000 with three digits.
fn decimals(number: f64) -> usize {
    match number {
        99.95.. => 0,
        9.995.. => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(10.0, 5), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks(10_063_022.0, 5).last(), Some(&12_500_000.0));
        assert_eq!(ticks(0.0, 5).len(), 6);
        assert_eq!(ticks(f64::NAN, 0).len(), 2);
        assert_eq!(whole_ticks(2.0, 5), [0.0, 1.0, 2.0]);
        assert_eq!(whole_ticks(7.0, 4), [0.0, 2.0, 4.0, 6.0, 8.0]);
        assert_eq!(whole_ticks(11.0, 5), [0.0, 5.0, 10.0, 15.0]);
    }

    #[test]
    fn numbers_for_reading() {
        let texts: Vec<String> =
            [0.0, 7.0, 999.0, 999.9, 1000.0, 1234.0, 5e6, 1.5e9, 0.25].into_iter().map(compact).collect();
        assert_eq!(texts, ["0", "7", "999", "1 k", "1 k", "1.23 k", "5 M", "1.5 G", "0.25"]);
        assert_eq!(
            [grouped(0), grouped(999), grouped(1000), grouped(5_000_000)],
            ["0", "999", "1,000", "5,000,000"]
        );
        let figures = [(0.0, 5.0), (2.5, 5.0), (2.5e3, 1e4), (62_500.4, 1e5), (1e7, 1e7), (5e7, 1e8)];
        let figures = figures.map(|(number, most)| figure(number, most));
        assert_eq!(figures, ["0", "2.5", "2,500", "62,500", "10,000,000", "50 M"]);
        assert_eq!(
            [bytes(-0.0), bytes(1536.0), bytes(10.0 * 1024f64.powi(3))],
            ["0 B", "1.50 KiB", "10 GiB"]
        );
    }
}
