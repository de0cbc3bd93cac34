//! Numbers as Java writes them.

/// `Double.toString`
pub(super) fn double(number: f64) -> String {
    shortest(number == 0.0, number.abs(), format!("{number:e}"))
}

/// `Float.toString`
pub(super) fn float(number: f32) -> String {
    shortest(number == 0.0, f64::from(number.abs()), format!("{number:e}"))
}

/// `scientific` has the digits and the exponent: `1.5e3`.
fn shortest(is_zero: bool, size: f64, scientific: String) -> String {
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    if is_zero {
        return format!("{sign}0.0");
    }
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(1e-3..1e7).contains(&size) {
        let (first, rest) = digits.split_at(1);
        let rest = if rest.is_empty() { "0" } else { rest };
        return format!("{sign}{first}.{rest}E{exponent}");
    }
    let point = usize::try_from(exponent + 1).unwrap_or(0);
    let zeros = "0".repeat(usize::try_from(-exponent - 1).unwrap_or(0));
    let whole = format!("{digits:0<point$}");
    match exponent {
        ..0 => format!("{sign}0.{zeros}{digits}"),
        _ if whole.len() == point => format!("{sign}{whole}.0"),
        _ => format!("{sign}{}.{}", &whole[..point], &whole[point..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles() {
        for (number, text) in [
            (0.0, "0.0"),
            (-5.0, "-5.0"),
            (100.0, "100.0"),
            (1.5, "1.5"),
            (1_234_567.0, "1234567.0"),
            (1e7, "1.0E7"),
            (1.25e10, "1.25E10"),
            (0.001, "0.001"),
            (0.01, "0.01"),
            (0.00012, "1.2E-4"),
        ] {
            assert_eq!(double(number), text);
        }
        assert_eq!(float(0.1), "0.1");
    }
}
