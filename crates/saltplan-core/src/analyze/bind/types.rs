//! The types of operations, as Hive's type check derives them. All rules were measured on Hive 2.3.9, 3.1.3 and 4.1.0 with every
//! pair of types.

use saltplan_sql::ast::BinaryOperator;
use saltplan_sql::hive_type::{HiveType, MAX_CHAR, MAX_PRECISION, MAX_VARCHAR, Type};
use saltplan_sql::version::HiveVersion;

/// A result whose last digits do not fit keeps at least so many after the point.
const MIN_SCALE: u32 = 6;

/// Whole digits and digits after the point.
#[derive(Clone, Copy)]
struct Digits {
    whole: u32,
    fraction: u32,
}

/// An operand of arithmetic: its type, and the digits of an integer that is a constant.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub of: Type,
    pub digits: Option<u32>,
}

impl Number {
    fn digits(self) -> Option<Digits> {
        match self.digits {
            Some(whole) if self.of.is_integer() => Some(Digits { whole, fraction: 0 }),
            _ => Digits::of(self.of),
        }
    }
}

impl Digits {
    /// The digits of a decimal type, or those that hold all numbers of an integer type.
    fn of(number: Type) -> Option<Self> {
        let whole = |whole| Some(Digits { whole, fraction: 0 });
        match number {
            Type::TinyInt => whole(3),
            Type::SmallInt => whole(5),
            Type::Int => whole(10),
            Type::BigInt => whole(19),
            Type::Decimal { precision, scale } => Some(Digits { whole: precision - scale, fraction: scale }),
            _ => None,
        }
    }

    fn precision(self) -> u32 {
        self.whole + self.fraction
    }

    /// The decimal of a result; of too many digits the last ones are dropped.
    fn result(precision: u32, scale: u32) -> Type {
        let excess = precision.saturating_sub(MAX_PRECISION);
        let scale = if excess == 0 { scale } else { scale.saturating_sub(excess).max(scale.min(MIN_SCALE)) };
        Type::Decimal { precision: precision.min(MAX_PRECISION), scale }
    }
}

/// The type of `left op right`; `None` where Hive refuses it.
pub(super) fn arithmetic(
    version: HiveVersion,
    op: BinaryOperator,
    left_number: Number,
    right_number: Number,
) -> Option<Type> {
    let (left, right) = (left_number.of, right_number.of);
    match op {
        BinaryOperator::Concat => return Some(concatenated(&[left, right])),
        BinaryOperator::BitwiseAnd | BinaryOperator::BitwiseOr | BinaryOperator::BitwiseXor => {
            return wider(left, right);
        }
        BinaryOperator::IntegerDivide => return wider(left, right).map(|_| Type::BigInt),
        BinaryOperator::Plus | BinaryOperator::Minus => {
            if let Some(of) = moved_time(version, op, left, right) {
                return Some(of);
            }
        }
        _ => {}
    }
    if left == Type::Void || right == Type::Void {
        let other = if left == Type::Void { right } else { left };
        return match other {
            _ if version == HiveVersion::Hive2 && (other.is_number() || other.is_text()) => {
                Some(Type::Double)
            }
            _ if op == BinaryOperator::Divide && other.is_integer() => Some(Type::Double),
            _ if other.is_integer() || other == Type::Float => Some(other),
            _ => (other.is_number() || other.is_text() || other == Type::Void).then_some(Type::Double),
        };
    }
    let number =
        |of: Type| if of.is_text() { Some(Type::Double) } else { Some(of).filter(|of| of.is_number()) };
    let (left, right) = (number(left)?, number(right)?);
    let exact = left_number.digits().zip(right_number.digits());
    if let (Some((a, b)), true) = (exact, is_decimal(left) || is_decimal(right)) {
        return Some(decimal_result(op, a, b));
    }
    if op == BinaryOperator::Divide {
        return Some(Type::Double);
    }
    wider(left, right).or_else(|| inexact(left, right))
}

fn is_decimal(of: Type) -> bool {
    matches!(of, Type::Decimal { .. })
}

/// The wider of two integer types.
fn wider(left: Type, right: Type) -> Option<Type> {
    let greatest = |of: Type| of.whole_numbers().filter(|_| of.is_integer()).map(|(_, greatest)| greatest);
    Some(if greatest(left)? >= greatest(right)? { left } else { right })
}

/// `double`, or `float` if the other one is no double.
fn inexact(left: Type, right: Type) -> Option<Type> {
    let either = |of| left == of || right == of;
    if either(Type::Double) { Some(Type::Double) } else { either(Type::Float).then_some(Type::Float) }
}

fn decimal_result(op: BinaryOperator, a: Digits, b: Digits) -> Type {
    let fraction = a.fraction.max(b.fraction);
    match op {
        BinaryOperator::Multiply => {
            Digits::result(a.precision() + b.precision() + 1, a.fraction + b.fraction)
        }
        BinaryOperator::Divide => {
            let scale = MIN_SCALE.max(a.fraction + b.precision() + 1);
            Digits::result(a.whole + b.fraction + scale, scale)
        }
        BinaryOperator::Modulo => Digits::result(a.whole.min(b.whole) + fraction, fraction),
        _ => Digits::result(a.whole.max(b.whole) + fraction + 1, fraction),
    }
}

/// The type of a date or a time and an interval, of two times, and in Hive 4 of a date and a number of days.
fn moved_time(version: HiveVersion, op: BinaryOperator, left: Type, right: Type) -> Option<Type> {
    let moved = |time: Type, interval: Type| match (time, interval) {
        (Type::Date, Type::IntervalYearMonth) => Some(Type::Date),
        (Type::Date, Type::IntervalDayTime) => Some(Type::Timestamp),
        (Type::Timestamp, Type::IntervalYearMonth | Type::IntervalDayTime) => Some(Type::Timestamp),
        (Type::IntervalYearMonth | Type::IntervalDayTime, _) => (time == interval).then_some(time),
        (Type::Date, Type::Int) if version == HiveVersion::Hive4 => Some(Type::Date),
        _ => None,
    };
    match op {
        BinaryOperator::Minus if left.is_time() && right.is_time() => Some(Type::IntervalDayTime),
        BinaryOperator::Minus => moved(left, right),
        _ => moved(left, right).or_else(|| {
            let is_interval = matches!(left, Type::IntervalYearMonth | Type::IntervalDayTime);
            is_interval.then(|| moved(right, left))?
        }),
    }
}

/// The type of the values of a CASE, `coalesce`, `if` and the like; `None` where Hive refuses them.
pub(super) fn common(version: HiveVersion, left: &HiveType, right: &HiveType) -> Option<HiveType> {
    if left == right || *right == Type::Void {
        return Some(left.clone());
    }
    if *left == Type::Void {
        return Some(right.clone());
    }
    common_primitive(version, left.primitive()?, right.primitive()?).map(HiveType::from)
}

fn common_primitive(version: HiveVersion, left: Type, right: Type) -> Option<Type> {
    let is_old = version == HiveVersion::Hive2;
    match (left, right) {
        // In Hive 2, texts of two lengths are strings.
        (Type::Varchar(a), Type::Varchar(b)) if a == b || !is_old => Some(Type::Varchar(a.max(b))),
        (Type::Char(a), Type::Char(b)) if a == b || !is_old => Some(Type::Char(a.max(b))),
        _ if left.is_text() && right.is_text() => Some(Type::String),
        (text, other) | (other, text) if text.is_text() => match other {
            Type::Boolean => (version == HiveVersion::Hive4).then_some(text),
            Type::Date | Type::Timestamp if is_old => Some(Type::String),
            _ if other.is_number() && is_old => (text == Type::String).then_some(text),
            _ => (other.is_number() || other.is_time()).then_some(text),
        },
        _ if left.is_time() && right.is_time() => (!is_old).then_some(Type::Timestamp),
        _ if left.is_number() && right.is_number() => match Digits::of(left).zip(Digits::of(right)) {
            Some((a, b)) if is_decimal(left) || is_decimal(right) => {
                let (whole, fraction) = (a.whole.max(b.whole), a.fraction.max(b.fraction));
                let precision = (whole + fraction).min(MAX_PRECISION);
                Some(Type::Decimal {
                    precision,
                    scale: fraction.min(MAX_PRECISION - whole.min(MAX_PRECISION)),
                })
            }
            _ => wider(left, right).or_else(|| inexact(left, right)),
        },
        _ => None,
    }
}

/// The type in which Hive compares two values, and the type of `greatest` and `least` of them; `None` if it compares no such values.
pub fn comparison(left: Type, right: Type) -> Option<Type> {
    match (left, right) {
        _ if left == right || right == Type::Void => Some(left),
        (Type::Void, other) => Some(other),
        _ if left.is_text() && right.is_text() || left.is_number() && right.is_number() => {
            common_primitive(HiveVersion::Hive3, left, right)
        }
        _ if left.is_time() && right.is_time() => Some(Type::Timestamp),
        (time, text) | (text, time) if time.is_time() && text.is_text() => Some(time),
        (Type::Date, number) | (number, Type::Date) if number.is_number() => Some(Type::String),
        _ => Some(Type::Double),
    }
}

/// The type of texts, or of bytes, one after the other. Lengths are kept if all have one.
pub(super) fn concatenated(parts: &[Type]) -> Type {
    if parts.iter().all(|part| *part == Type::Binary) {
        return Type::Binary;
    }
    let length = |part: &Type| part.characters().filter(|length| *length < usize::MAX);
    let total = parts.iter().map(length).sum::<Option<usize>>().and_then(|total| u32::try_from(total).ok());
    match total {
        Some(total) if parts.iter().all(|part| matches!(part, Type::Char(_))) && total <= MAX_CHAR => {
            Type::Char(total)
        }
        Some(total) if total <= MAX_VARCHAR => Type::Varchar(total),
        _ => Type::String,
    }
}

/// The type of `floor` and `ceil`.
pub(super) fn whole_number(of: Type) -> Type {
    match of {
        Type::Decimal { precision, scale } => {
            Type::Decimal { precision: (precision - scale + 1).min(MAX_PRECISION), scale: 0 }
        }
        _ => Type::BigInt,
    }
}

/// The type of `round` to a number of digits after the point; `None` where the number is not known.
pub(super) fn rounded(of: Type, digits: Option<i64>) -> Option<Type> {
    match of {
        Type::Decimal { precision, scale } => {
            let digits = digits?;
            let whole = precision - scale + u32::from(digits < i64::from(scale));
            let digits = u32::try_from(digits.max(0)).ok()?;
            let scale = digits.min(MAX_PRECISION - whole.min(MAX_PRECISION));
            Some(Type::Decimal { precision: (whole + scale).min(MAX_PRECISION), scale })
        }
        _ if of.is_text() => Some(Type::Double),
        _ => Some(of),
    }
}

/// The type of `pmod`; `None` where it is refused.
pub(super) fn positive_remainder(version: HiveVersion, left: Number, right: Number) -> Option<Type> {
    let plain = arithmetic(version, BinaryOperator::Modulo, left, right)?;
    let digits = left.digits().zip(right.digits()).filter(|_| is_decimal(plain));
    Some(match digits {
        Some((a, b)) => {
            let fraction = a.fraction.max(b.fraction);
            Digits::result(a.whole.max(b.whole) + fraction, fraction)
        }
        None => plain,
    })
}

/// The type of `sign`.
pub(super) fn sign(of: Type) -> Type {
    if is_decimal(of) { Type::Int } else { Type::Double }
}

/// The type of `abs`.
pub(super) fn absolute(of: Type) -> Type {
    match of {
        Type::TinyInt | Type::SmallInt => Type::Int,
        Type::Float => Type::Double,
        _ if of.is_text() => Type::Double,
        _ => of,
    }
}

/// Why Hive refuses to compare values of two types; `None` if it compares them.
pub(super) fn refused_comparison(version: HiveVersion, left: Type, right: Type) -> Option<String> {
    let pair =
        |a: &dyn Fn(Type) -> bool, b: &dyn Fn(Type) -> bool| a(left) && b(right) || a(right) && b(left);
    let is = |of: Type| move |other: Type| other == of;
    let is_unsafe = match version {
        HiveVersion::Hive4 => {
            pair(&is(Type::BigInt), &Type::is_text)
                || pair(&is_decimal, &Type::is_text)
                || pair(&is(Type::BigInt), &is(Type::Double))
                || pair(&is(Type::Timestamp), &Type::is_number)
                || pair(&Type::is_time, &is(Type::Boolean))
        }
        HiveVersion::Hive3 => pair(&is(Type::BigInt), &is(Type::String)),
        HiveVersion::Hive2 => {
            pair(&is(Type::BigInt), &is(Type::String)) || pair(&is(Type::BigInt), &is(Type::Double))
        }
    };
    is_unsafe.then(|| format!("it does not compare {left} with {right}"))
}
