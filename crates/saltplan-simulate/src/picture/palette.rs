//! Colours that people with any colour vision can distinguish. Blue means an even share or less, orange and
//! red mean more than an even share, and darker means more.

pub const INK: &str = "#222222";
pub const FAINT_INK: &str = "#555555";
pub const GRID: &str = "#d9d9d9";
pub const BAR: &str = "#7fb0d6";
pub const STRONG: &str = "#d55e00";
pub const MEAN: &str = "#222222";
pub const NOTHING: &str = "#fbfbfb";
/// Behind the regions of every second salt.
pub const BAND: &str = "#e6e6e6";

/// From nothing to an even share: pale, so that an even load is not prominent.
const CALM: [(u8, u8, u8); 2] = [(238, 244, 250), (178, 205, 229)];
/// From slightly more than an even share to many times as much.
const WARM: [(u8, u8, u8); 4] = [(253, 208, 132), (244, 141, 60), (213, 76, 20), (127, 28, 6)];

/// The colour of at most an even share, from 0 to 1.
pub fn calm(share: f64) -> String {
    mixed(&CALM, share)
}

/// The colour of more than an even share, from 0 for slightly more to 1 for the most.
pub fn warm(part: f64) -> String {
    mixed(&WARM, part)
}

fn mixed(stops: &[(u8, u8, u8)], share: f64) -> String {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    let place = share * (stops.len() - 1) as f64;
    let index = (place as usize).min(stops.len() - 2);
    let (low, high) = (stops[index], stops[index + 1]);
    let part = place - index as f64;
    let mix = |low: u8, high: u8| (f64::from(low) + (f64::from(high) - f64::from(low)) * part).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(low.0, high.0), mix(low.1, high.1), mix(low.2, high.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn darker_is_more() {
        let lightness = |color: String| {
            let part = |at: usize| f64::from(u8::from_str_radix(&color[at..at + 2], 16).unwrap());
            0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
        };
        for step in 0..50 {
            let share = f64::from(step) / 50.0;
            for color in [calm, warm] {
                assert!(lightness(color(share)) > lightness(color(share + 0.02)), "{share}");
            }
        }
        assert_eq!(calm(f64::NAN), calm(0.0));
        assert_eq!(warm(7.0), "#7f1c06");
    }
}
