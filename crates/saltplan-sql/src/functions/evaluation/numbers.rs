//! The values of functions of numbers.

use crate::value::{Constant, Decimal, NumberType, Typed};

/// An exact number; `None` of doubles and of other values.
fn exact(argument: &Typed) -> Option<(Decimal, NumberType)> {
    match argument.constant {
        Constant::Number(number) if argument.of != NumberType::Double => Some((number, argument.of)),
        _ => None,
    }
}

fn one(arguments: &[Typed]) -> Option<(Decimal, NumberType)> {
    match arguments {
        [number] => exact(number),
        _ => None,
    }
}

/// `abs(number)`
pub fn abs(arguments: &[Typed]) -> Option<Typed> {
    let (number, of) = one(arguments)?;
    Typed::number(if number.digits < 0 { number.negated()? } else { number }, of)
}

/// `ceil(number)`
pub fn ceil(arguments: &[Typed]) -> Option<Typed> {
    let (number, of) = one(arguments)?;
    rounded(of, number.ceiling().0)
}

/// `floor(number)`
pub fn floor(arguments: &[Typed]) -> Option<Typed> {
    let (number, of) = one(arguments)?;
    let (ceiling, exact) = number.ceiling();
    rounded(of, ceiling - i128::from(!exact))
}

/// The floor or the ceiling as a value. Hive computes those of whole numbers as doubles, so `None` if a double is not exact.
fn rounded(of: NumberType, number: i128) -> Option<Typed> {
    let number = Decimal::integer(number);
    let is_kept = !of.is_whole() || number.is_exact_as_double();
    is_kept.then(|| Typed::number(number, NumberType::BIGINT)).flatten()
}

/// `pmod(number, by)`
pub fn pmod(arguments: &[Typed]) -> Option<Typed> {
    let [number, by] = arguments else { return None };
    let ((number, of), (by, of_by)) = (exact(number)?, exact(by)?);
    if !of.is_whole() || !of_by.is_whole() {
        return None;
    }
    let (number, by) = (number.digits, by.digits);
    if by == 0 {
        return Some(Typed::plain(Constant::Null));
    }
    // Hive adds in the type of the result, in which the sum may not fit.
    let wider = of.max(of_by);
    Typed::number(Decimal::integer(number % by + by), wider)?;
    Typed::number(Decimal::integer((number % by + by) % by), wider)
}
