//! What constants are: exact decimals, texts, times; and the type in which Hive computes a number.

use std::cmp::Ordering;
use std::fmt;

use chrono::{NaiveDate, NaiveDateTime};

use crate::ast::BinaryOperator;
use crate::hive_type::Type;

/// The value of a constant expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant {
    Null,
    Bool(bool),
    Number(Decimal),
    Text(String),
    Date(NaiveDate),
    Timestamp(NaiveDateTime),
}

impl Constant {
    /// The value of a number without a fraction.
    pub fn integer(&self) -> Option<i64> {
        let Constant::Number(number) = self else { return None };
        let (whole, is_exact) = number.ceiling();
        i64::try_from(whole).ok().filter(|_| is_exact)
    }
}

/// An exact decimal number: `digits / 10^scale`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    pub digits: i128,
    pub scale: u32,
}

impl Decimal {
    pub fn integer(digits: i128) -> Self {
        Decimal { digits, scale: 0 }
    }

    /// Reads `-12.50` or `1e3`; `None` when it is not a number or has more than 37 digits.
    pub fn parse(text: &str) -> Option<Self> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let unsigned = whole.strip_prefix(['-', '+']).unwrap_or(whole);
        let all_digits = unsigned.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit());
        if !all_digits || unsigned.len() + fraction.len() == 0 {
            return None;
        }
        let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
        let scale = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
        if scale >= 0 {
            return Some(Decimal { digits, scale: u32::try_from(scale).ok()? }.reduced());
        }
        let factor = 10i128.checked_pow(u32::try_from(-scale).ok()?)?;
        Some(Decimal::integer(digits.checked_mul(factor)?))
    }

    /// Without trailing zeros after the point.
    #[must_use]
    pub fn reduced(mut self) -> Self {
        while self.scale > 0 && self.digits % 10 == 0 {
            self.digits /= 10;
            self.scale -= 1;
        }
        self
    }

    /// The smallest integer that is not below, and whether it is equal.
    pub fn ceiling(self) -> (i128, bool) {
        let Some(unit) = 10i128.checked_pow(self.scale) else {
            // More decimals than an i128 has: the number lies strictly between two integers.
            return (i128::from(self.digits > 0), self.digits == 0);
        };
        let floor = self.digits.div_euclid(unit);
        let exact = self.digits.rem_euclid(unit) == 0;
        (if exact { floor } else { floor + 1 }, exact)
    }

    /// The order of two numbers.
    pub fn order(self, other: Decimal) -> Ordering {
        // Far from each other they may have no common scale. A whole number is above all others with its ceiling.
        self.ceiling().cmp(&other.ceiling()).then_with(|| {
            let distance = Decimal::arithmetic(BinaryOperator::Minus, self, other);
            distance.map_or(Ordering::Equal, |distance| distance.digits.cmp(&0))
        })
    }

    /// `self * factor + plus`, of numbers that have room together.
    #[must_use]
    pub fn times_plus(self, factor: Decimal, plus: Decimal) -> Self {
        let product = Decimal::arithmetic(BinaryOperator::Multiply, self, factor);
        product.and_then(|product| Decimal::arithmetic(BinaryOperator::Plus, product, plus)).unwrap_or(self)
    }

    pub fn negated(self) -> Option<Self> {
        Some(Decimal { digits: self.digits.checked_neg()?, ..self })
    }

    pub fn arithmetic(op: BinaryOperator, a: Decimal, b: Decimal) -> Option<Decimal> {
        let scale = a.scale.max(b.scale);
        let align = |d: Decimal| d.digits.checked_mul(10i128.checked_pow(scale - d.scale)?);
        let aligned = |compute: fn(i128, i128) -> Option<i128>| {
            Some(Decimal { digits: compute(align(a)?, align(b)?)?, scale }.reduced())
        };
        match op {
            BinaryOperator::Plus => aligned(i128::checked_add),
            BinaryOperator::Minus => aligned(i128::checked_sub),
            BinaryOperator::Multiply => Some(
                Decimal { digits: a.digits.checked_mul(b.digits)?, scale: a.scale.checked_add(b.scale)? }
                    .reduced(),
            ),
            // Java's sign: the remainder has that of the dividend.
            BinaryOperator::Modulo => aligned(i128::checked_rem),
            // Hive divides to a double or to a decimal that it cuts: only a whole quotient is the same everywhere.
            BinaryOperator::Divide => {
                let (dividend, divisor) = (align(a)?, align(b)?);
                (dividend.checked_rem(divisor)? == 0).then_some(Decimal::integer(dividend / divisor))
            }
            BinaryOperator::IntegerDivide => Some(Decimal::integer(align(a)?.checked_div(align(b)?)?)),
            _ => None,
        }
    }

    /// Whether no other number becomes the same double. Doubles hold fifteen digits, and all whole numbers below 2^53.
    pub fn is_exact_as_double(self) -> bool {
        let number = self.reduced();
        match number.scale {
            0 => number.digits.abs() < MAX_EXACT_DOUBLE,
            _ => number.digits.abs() < 10_i128.pow(15),
        }
    }
}

impl fmt::Display for Decimal {
    /// All digits, without an exponent.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Decimal { digits, scale } = self.reduced();
        if scale == 0 {
            return write!(f, "{digits}");
        }
        let scale = scale as usize;
        let padded = format!("{:0width$}", digits.unsigned_abs(), width = scale + 1);
        let (whole, fraction) = padded.split_at(padded.len() - scale);
        write!(f, "{}{whole}.{fraction}", if digits < 0 { "-" } else { "" })
    }
}

/// The type of a whole number in Hive and in Java.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum IntegerSize {
    /// 1 byte.
    Tinyint,
    /// 2 bytes.
    Smallint,
    /// 4 bytes.
    Int,
    /// 8 bytes.
    Bigint,
}

impl IntegerSize {
    pub fn bytes(self) -> usize {
        match self {
            IntegerSize::Tinyint => 1,
            IntegerSize::Smallint => 2,
            IntegerSize::Int => 4,
            IntegerSize::Bigint => 8,
        }
    }

    /// The smallest and the greatest number.
    pub fn bounds(self) -> (i64, i64) {
        let unused = i64::BITS - 8 * self.bytes() as u32;
        (i64::MIN >> unused, i64::MAX >> unused)
    }

    /// The number of digits of the greatest number.
    pub fn digits(self) -> usize {
        self.bounds().1.ilog10() as usize + 1
    }

    /// The name of the type in Hive and in schema files.
    pub fn name(self) -> &'static str {
        match self {
            IntegerSize::Tinyint => "tinyint",
            IntegerSize::Smallint => "smallint",
            IntegerSize::Int => "int",
            IntegerSize::Bigint => "bigint",
        }
    }

    pub fn hive_type(self) -> Type {
        match self {
            IntegerSize::Tinyint => Type::TinyInt,
            IntegerSize::Smallint => Type::SmallInt,
            IntegerSize::Int => Type::Int,
            IntegerSize::Bigint => Type::BigInt,
        }
    }
}

/// The type Hive computes a number in: of two whole numbers the wider one. An overflow wraps around.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NumberType {
    Whole(IntegerSize),
    Decimal,
    Double,
}

/// Whole numbers up to this one are the same as doubles; the next one is this one, too.
const MAX_EXACT_DOUBLE: i128 = 1 << 53;
/// Outside BIGINT, so the order of a double and any whole number is certain.
pub const BEYOND_LONG: i128 = 10_i128.pow(19);

impl NumberType {
    pub const INT: Self = NumberType::Whole(IntegerSize::Int);
    pub const BIGINT: Self = NumberType::Whole(IntegerSize::Bigint);

    pub fn is_whole(self) -> bool {
        self <= NumberType::BIGINT
    }

    /// Whether a value of this type has exactly this number.
    pub fn holds(self, number: Decimal) -> bool {
        match self {
            NumberType::Whole(size) => {
                let (least, greatest) = size.bounds();
                number.scale == 0 && (least.into()..=greatest.into()).contains(&number.digits)
            }
            NumberType::Decimal => true,
            NumberType::Double => {
                let size = number.ceiling().0.abs();
                size <= MAX_EXACT_DOUBLE || size >= BEYOND_LONG
            }
        }
    }
}

/// A constant, and the type of it if it is a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Typed {
    pub constant: Constant,
    pub of: NumberType,
}

impl Typed {
    /// A value that is no number.
    pub fn plain(constant: Constant) -> Self {
        Typed { constant, of: NumberType::Double }
    }

    /// A number, if Hive has it so.
    pub fn number(number: Decimal, of: NumberType) -> Option<Self> {
        let number = number.reduced();
        of.holds(number).then_some(Typed { constant: Constant::Number(number), of })
    }
}
