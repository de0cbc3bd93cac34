//! What is done to a number, step by step, as Hive computes it.

use std::cmp::Ordering;

use crate::analyze::constant::Decimal;
use crate::key::number::IntegerSize;

/// How many digits a decimal has room for, on either side of the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DigitCounts {
    pub whole: u32,
    pub fraction: u32,
}

/// Digits of a decimal; with more, Hive cuts the fraction.
pub(super) const MAX_DIGITS: u32 = 38;

impl DigitCounts {
    pub(super) fn of(number: Decimal) -> Self {
        let text = number.digits.unsigned_abs().to_string();
        let count = u32::try_from(text.len()).unwrap_or(MAX_DIGITS);
        DigitCounts { whole: count.saturating_sub(number.scale), fraction: number.scale }
    }

    pub(super) fn of_width(width: IntegerSize) -> Self {
        DigitCounts { whole: if width == IntegerSize::Bigint { 19 } else { 10 }, fraction: 0 }
    }

    pub(super) fn sum(self, other: Self) -> Self {
        DigitCounts { whole: self.whole.max(other.whole) + 1, fraction: self.fraction.max(other.fraction) }
    }

    pub(super) fn product(self, other: Self) -> Self {
        DigitCounts { whole: self.whole + other.whole + 1, fraction: self.fraction + other.fraction }
    }
}

/// Whether a whole number of this size holds a result.
fn check(width: IntegerSize, number: i128) -> Result<(), Overflow> {
    let (least, greatest) = width.bounds();
    match number {
        _ if number < least.into() => Err(Overflow::Below),
        _ if number > greatest.into() => Err(Overflow::Above),
        _ => Ok(()),
    }
}

/// A result that does not fit the width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overflow {
    Below,
    Above,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// `x * factor + plus`, where the factor is 1 or -1, or `plus` is 0.
    Linear {
        factor: Decimal,
        plus: Decimal,
        /// `None` for a decimal, which has room.
        width: Option<IntegerSize>,
    },
    /// `|x|`; a comparison takes it for one of the sides of 0.
    Size(IntegerSize),
    /// `x / by`, a double.
    Divide(i128),
    /// `x DIV by`, cut towards zero.
    DivideWhole(i128),
    ToDouble,
    /// A cast to a decimal, of numbers whose size is below the limit.
    ToDecimal {
        limit: i128,
    },
    /// -1, 0 or 1, a double.
    Sign,
    /// To the next multiple of the unit, and from the middle away from zero.
    Round {
        unit: i128,
        width: IntegerSize,
    },
    AtLeast(i128),
    AtMost(i128),
    /// A cast to a whole number, which cuts a double towards zero.
    ToWhole(IntegerSize),
    Floor,
    Ceiling,
}

impl Step {
    pub(super) fn is_falling(self) -> bool {
        match self {
            Step::Divide(by) | Step::DivideWhole(by) => by < 0,
            Step::Linear { factor, .. } => factor.digits < 0,
            _ => false,
        }
    }

    /// What the step makes of a number.
    pub(super) fn apply(self, number: StepNumber) -> Result<StepNumber, Overflow> {
        Ok(match (self, number) {
            (Step::Linear { factor, plus, width: Some(width) }, StepNumber::Whole(x)) => {
                let result = x * factor.digits + plus.digits;
                check(width, result)?;
                StepNumber::Whole(result)
            }
            // A double is never computed with a decimal.
            (Step::Linear { factor, plus, .. }, StepNumber::Double(x)) => {
                let plus = double(plus.digits);
                StepNumber::Double(match factor.digits {
                    1 => x + plus,
                    -1 => plus - x,
                    factor => x * double(factor),
                })
            }
            (Step::Linear { factor, plus, width: None }, StepNumber::Whole(x)) => {
                StepNumber::Decimal(Decimal::integer(x).times_plus(factor, plus))
            }
            (Step::Linear { factor, plus, .. }, StepNumber::Decimal(x)) => {
                StepNumber::Decimal(x.times_plus(factor, plus))
            }
            (Step::Size(width), StepNumber::Whole(x)) => {
                check(width, x.abs())?;
                StepNumber::Whole(x.abs())
            }
            (Step::Size(_), StepNumber::Double(x)) => StepNumber::Double(x.abs()),
            (Step::Size(_), StepNumber::Decimal(x)) => {
                StepNumber::Decimal(Decimal { digits: x.digits.abs(), ..x })
            }
            (Step::Divide(by), x) => StepNumber::Double(x.double() / double(by)),
            (Step::DivideWhole(by), StepNumber::Whole(x)) => {
                let result = x / by;
                check(IntegerSize::Bigint, result)?;
                StepNumber::Whole(result)
            }
            (Step::ToDouble, x) => StepNumber::Double(x.double()),
            (Step::ToWhole(width), StepNumber::Whole(x)) => {
                check(width, x)?;
                StepNumber::Whole(x)
            }
            (Step::ToWhole(width), StepNumber::Double(x)) => whole_of(x, width)?,
            (Step::ToDecimal { limit }, StepNumber::Whole(x)) => match x {
                _ if x <= -limit => return Err(Overflow::Below),
                _ if x >= limit => return Err(Overflow::Above),
                _ => StepNumber::Decimal(Decimal::integer(x)),
            },
            (Step::Sign, StepNumber::Whole(x)) => StepNumber::Double(double(x.signum())),
            (Step::Sign, x) => StepNumber::Double(f64::from(order(x.double(), 0.0) as i8)),
            (Step::Round { unit, width }, StepNumber::Whole(x)) => {
                let half = unit / 2 * x.signum();
                let result = (x + half) / unit * unit;
                check(width, result)?;
                StepNumber::Whole(result)
            }
            (Step::Round { .. }, StepNumber::Double(x)) => StepNumber::Double(x.round()),
            (Step::AtLeast(bound), StepNumber::Whole(x)) => StepNumber::Whole(x.max(bound)),
            (Step::AtMost(bound), StepNumber::Whole(x)) => StepNumber::Whole(x.min(bound)),
            (Step::Floor, StepNumber::Double(x)) => whole_of(x.floor(), IntegerSize::Bigint)?,
            (Step::Ceiling, StepNumber::Double(x)) => whole_of(x.ceil(), IntegerSize::Bigint)?,
            (Step::Floor | Step::Ceiling, x) => x,
            // A formula has no such step after a double or a decimal.
            (Step::DivideWhole(by), x) => StepNumber::Double(x.double() / double(by)),
            (
                Step::ToWhole(_)
                | Step::ToDecimal { .. }
                | Step::Round { .. }
                | Step::AtLeast(_)
                | Step::AtMost(_),
                x,
            ) => x,
        })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "what is beyond is so as an i128, too")]
pub(super) fn whole_of(x: f64, width: IntegerSize) -> Result<StepNumber, Overflow> {
    let number = x as i128;
    check(width, number)?;
    Ok(StepNumber::Whole(number))
}

#[expect(clippy::cast_precision_loss, reason = "as Hive does")]
pub(super) fn double(number: i128) -> f64 {
    number as f64
}

#[derive(Debug, Clone, Copy)]
pub(super) enum StepNumber {
    Whole(i128),
    Decimal(Decimal),
    Double(f64),
}

impl StepNumber {
    pub(super) fn is_negative(self) -> bool {
        match self {
            StepNumber::Whole(number) => number < 0,
            StepNumber::Decimal(number) => number.digits < 0,
            StepNumber::Double(number) => number < 0.0,
        }
    }

    fn double(self) -> f64 {
        match self {
            StepNumber::Whole(number) => double(number),
            // Steps and comparisons after a decimal never use doubles.
            StepNumber::Decimal(number) => double(number.ceiling().0),
            StepNumber::Double(number) => number,
        }
    }
}

/// A constant as the results of a formula are compared with it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Bound {
    Exact(Decimal),
    Double(f64),
}

impl Bound {
    /// The order of a number and the bound.
    pub(super) fn order(self, number: StepNumber) -> Ordering {
        match (self, number) {
            (Bound::Exact(bound), StepNumber::Decimal(number)) => number.order(bound),
            (Bound::Exact(bound), StepNumber::Whole(number)) => Decimal::integer(number).order(bound),
            (Bound::Exact(bound), StepNumber::Double(number)) => order(number, double(bound.ceiling().0)),
            (Bound::Double(bound), number) => order(number.double(), bound),
        }
    }
}

/// No number here is NaN.
pub(super) fn order(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}
