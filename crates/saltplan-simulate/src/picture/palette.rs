//! Colours that people with any colour vision can tell apart: those of Okabe and Ito, and a scale from light to dark
//! whose lightness alone tells the order (after Cividis).

pub const INK: &str = "#222222";
pub const FAINT_INK: &str = "#555555";
pub const GRID: &str = "#d9d9d9";
pub const BAR: &str = "#0072b2";
pub const STRONG: &str = "#d55e00";
pub const MEAN: &str = "#222222";
pub const NOTHING: &str = "#fbfbfb";
/// Behind the regions of every second salt.
pub const BAND: &str = "#e6e6e6";

const STOPS: [(u8, u8, u8); 6] =
    [(253, 240, 168), (226, 205, 94), (176, 163, 99), (124, 123, 120), (65, 87, 118), (0, 32, 77)];

/// The colour for a share of the greatest value, from 0 to 1.
pub fn heat(share: f64) -> String {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    let place = share * (STOPS.len() - 1) as f64;
    let index = (place as usize).min(STOPS.len() - 2);
    let (low, high) = (STOPS[index], STOPS[index + 1]);
    let part = place - index as f64;
    let mix = |low: u8, high: u8| (f64::from(low) + (f64::from(high) - f64::from(low)) * part).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(low.0, high.0), mix(low.1, high.1), mix(low.2, high.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn darker_is_more() {
        let lightness = |share: f64| {
            let color = heat(share);
            let part = |at: usize| f64::from(u8::from_str_radix(&color[at..at + 2], 16).unwrap());
            0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
        };
        for step in 0..100 {
            let share = f64::from(step) / 100.0;
            assert!(lightness(share) > lightness(share + 0.01), "{share}");
        }
        assert_eq!(heat(f64::NAN), heat(0.0));
        assert_eq!(heat(7.0), "#00204d");
    }
}
