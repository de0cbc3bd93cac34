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
    let (number, _) = one(arguments)?;
    Typed::number(Decimal::integer(number.ceiling().0), NumberType::BIGINT)
}

/// `floor(number)`
pub fn floor(arguments: &[Typed]) -> Option<Typed> {
    let (ceiling, exact) = one(arguments)?.0.ceiling();
    Typed::number(Decimal::integer(ceiling - i128::from(!exact)), NumberType::BIGINT)
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
    Typed::number(Decimal::integer(((number % by) + by) % by), of.max(of_by))
}
