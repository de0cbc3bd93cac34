//! Steps of numbers, as Hive computes them in each row: whole numbers of one size, decimals and doubles.

use super::value::{Number, OutOfRange, double, order_of_doubles};
use crate::analyze::constant::Decimal;
use crate::key::number::IntegerSize;

/// How many digits a decimal has room for, on either side of the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DigitCounts {
    pub whole: u32,
    pub fraction: u32,
}

/// Digits of a decimal; with more, Hive cuts the fraction.
pub(super) const MAX_DIGITS: u32 = 38;

impl DigitCounts {
    pub fn of(number: Decimal) -> Self {
        let text = number.digits.unsigned_abs().to_string();
        let count = u32::try_from(text.len()).unwrap_or(MAX_DIGITS);
        DigitCounts { whole: count.saturating_sub(number.scale), fraction: number.scale }
    }

    pub fn of_size(size: IntegerSize) -> Self {
        DigitCounts { whole: if size == IntegerSize::Bigint { 19 } else { 10 }, fraction: 0 }
    }

    pub fn sum(self, other: Self) -> Self {
        DigitCounts { whole: self.whole.max(other.whole) + 1, fraction: self.fraction.max(other.fraction) }
    }

    pub fn product(self, other: Self) -> Self {
        DigitCounts { whole: self.whole + other.whole + 1, fraction: self.fraction + other.fraction }
    }
}

/// Whether a whole number of this size holds a result.
fn check(size: IntegerSize, number: i128) -> Result<(), OutOfRange> {
    let (least, greatest) = size.bounds();
    match number {
        _ if number < least.into() => Err(OutOfRange::Below),
        _ if number > greatest.into() => Err(OutOfRange::Above),
        _ => Ok(()),
    }
}

/// A step of a number. Each keeps or turns the order, `Absolute` on each side of 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum NumberStep {
    /// `x * factor + plus`, where the factor is 1 or -1, or `plus` is 0.
    Linear {
        factor: Decimal,
        plus: Decimal,
        /// `None` for a decimal, which has room.
        size: Option<IntegerSize>,
    },
    /// `|x|`: `x` for values from 0 on and `-x` for those below, which a comparison solves apart.
    Absolute(IntegerSize),
    /// `x / by`, a double.
    Divide(i128),
    /// `x DIV by`, cut towards zero.
    DivideWhole(i128),
    ToDouble,
    /// A cast to a decimal, of numbers whose absolute value is below the limit.
    ToDecimal {
        limit: i128,
    },
    /// -1, 0 or 1, a double.
    Sign,
    /// To the next multiple of the unit, and from the middle away from zero.
    Round {
        unit: i128,
        size: IntegerSize,
    },
    AtLeast(i128),
    AtMost(i128),
    /// A cast to a whole number, which cuts a double towards zero.
    ToWhole(IntegerSize),
    Floor,
    Ceiling,
}

impl NumberStep {
    pub fn is_falling(self) -> bool {
        match self {
            NumberStep::Divide(by) | NumberStep::DivideWhole(by) => by < 0,
            NumberStep::Linear { factor, .. } => factor.digits < 0,
            _ => false,
        }
    }

    pub fn apply(self, number: Number) -> Result<Number, OutOfRange> {
        Ok(match (self, number) {
            (NumberStep::Linear { factor, plus, size: Some(size) }, Number::Whole(x)) => {
                let result = x * factor.digits + plus.digits;
                check(size, result)?;
                Number::Whole(result)
            }
            // A double is never computed with a decimal.
            (NumberStep::Linear { factor, plus, .. }, Number::Double(x)) => {
                let plus = double(plus.digits);
                Number::Double(match factor.digits {
                    1 => x + plus,
                    -1 => plus - x,
                    factor => x * double(factor),
                })
            }
            (NumberStep::Linear { factor, plus, size: None }, Number::Whole(x)) => {
                Number::Decimal(Decimal::integer(x).times_plus(factor, plus))
            }
            (NumberStep::Linear { factor, plus, .. }, Number::Decimal(x)) => {
                Number::Decimal(x.times_plus(factor, plus))
            }
            (NumberStep::Absolute(size), Number::Whole(x)) => {
                check(size, x.abs())?;
                Number::Whole(x.abs())
            }
            (NumberStep::Absolute(_), Number::Double(x)) => Number::Double(x.abs()),
            (NumberStep::Absolute(_), Number::Decimal(x)) => {
                Number::Decimal(Decimal { digits: x.digits.abs(), ..x })
            }
            (NumberStep::Divide(by), x) => Number::Double(x.double() / double(by)),
            (NumberStep::DivideWhole(by), Number::Whole(x)) => {
                let result = x / by;
                check(IntegerSize::Bigint, result)?;
                Number::Whole(result)
            }
            (NumberStep::ToDouble, x) => Number::Double(x.double()),
            (NumberStep::ToWhole(size), Number::Whole(x)) => {
                check(size, x)?;
                Number::Whole(x)
            }
            (NumberStep::ToWhole(size), Number::Double(x)) => whole_of(x, size)?,
            (NumberStep::ToDecimal { limit }, Number::Whole(x)) => match x {
                _ if x <= -limit => return Err(OutOfRange::Below),
                _ if x >= limit => return Err(OutOfRange::Above),
                _ => Number::Decimal(Decimal::integer(x)),
            },
            (NumberStep::Sign, Number::Whole(x)) => Number::Double(double(x.signum())),
            (NumberStep::Sign, x) => Number::Double(f64::from(order_of_doubles(x.double(), 0.0) as i8)),
            (NumberStep::Round { unit, size }, Number::Whole(x)) => {
                let half = unit / 2 * x.signum();
                let result = (x + half) / unit * unit;
                check(size, result)?;
                Number::Whole(result)
            }
            (NumberStep::Round { .. }, Number::Double(x)) => Number::Double(x.round()),
            (NumberStep::AtLeast(bound), Number::Whole(x)) => Number::Whole(x.max(bound)),
            (NumberStep::AtMost(bound), Number::Whole(x)) => Number::Whole(x.min(bound)),
            (NumberStep::Floor, Number::Double(x)) => whole_of(x.floor(), IntegerSize::Bigint)?,
            (NumberStep::Ceiling, Number::Double(x)) => whole_of(x.ceil(), IntegerSize::Bigint)?,
            (NumberStep::Floor | NumberStep::Ceiling, x) => x,
            // A chain has no such step after a double or a decimal.
            (NumberStep::DivideWhole(by), x) => Number::Double(x.double() / double(by)),
            (
                NumberStep::ToWhole(_)
                | NumberStep::ToDecimal { .. }
                | NumberStep::Round { .. }
                | NumberStep::AtLeast(_)
                | NumberStep::AtMost(_),
                x,
            ) => x,
        })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "what is beyond is so as an i128, too")]
fn whole_of(x: f64, size: IntegerSize) -> Result<Number, OutOfRange> {
    let number = x as i128;
    check(size, number)?;
    Ok(Number::Whole(number))
}
