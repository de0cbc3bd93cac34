//! Constant expressions: literals, casts of them, arithmetic and functions. What is computed here is what every Hive computes;
//! where they differ, or saltplan does not know, the expression is no constant and left to Hive.

use std::fmt;

use chrono::{Duration, Months, NaiveDate, NaiveDateTime, NaiveTime};

use super::constant_call::call;
use super::constant_cast::{cast, typed_text};
use crate::hiveql::ast::{BinaryOperator, Call, Expr, Literal, TimeUnit, UnaryOperator};
use crate::key::time_format::parse_timestamp;

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

    /// Reads `-12.50` or `1e3`; `None` when it is no number or has more than 37 digits.
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
    pub(super) fn reduced(mut self) -> Self {
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

    pub(super) fn negated(self) -> Option<Self> {
        Some(Decimal { digits: self.digits.checked_neg()?, ..self })
    }

    fn arithmetic(op: BinaryOperator, a: Decimal, b: Decimal) -> Option<Decimal> {
        let scale = a.scale.max(b.scale);
        let align = |d: Decimal| d.digits.checked_mul(10i128.checked_pow(scale - d.scale)?);
        match op {
            BinaryOperator::Plus => {
                Some(Decimal { digits: align(a)?.checked_add(align(b)?)?, scale }.reduced())
            }
            BinaryOperator::Minus => {
                Some(Decimal { digits: align(a)?.checked_sub(align(b)?)?, scale }.reduced())
            }
            BinaryOperator::Multiply => Some(
                Decimal { digits: a.digits.checked_mul(b.digits)?, scale: a.scale.checked_add(b.scale)? }
                    .reduced(),
            ),
            // Java's sign: the remainder has that of the dividend.
            BinaryOperator::Modulo => {
                Some(Decimal { digits: align(a)?.checked_rem(align(b)?)?, scale }.reduced())
            }
            // Hive divides to a double or to a decimal that it cuts: only a whole quotient is the same everywhere.
            BinaryOperator::Divide => {
                let (dividend, divisor) = (align(a)?, align(b)?);
                (dividend.checked_rem(divisor)? == 0).then_some(Decimal::integer(dividend / divisor))
            }
            BinaryOperator::IntegerDivide => Some(Decimal::integer(align(a)?.checked_div(align(b)?)?)),
            _ => None,
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

/// What Hive computes a number in; of two whole numbers in the wider one, and without a word about an overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NumberType {
    Byte,
    Short,
    Int,
    Long,
    Decimal,
    Double,
}

/// Whole numbers up to this one are the same as doubles.
const MAX_EXACT_DOUBLE: i128 = 1 << 53;
/// Beyond all whole numbers of Hive a double is greater or less than they are, whatever its last digits.
const BEYOND_LONG: i128 = 10_i128.pow(19);

impl NumberType {
    pub(super) fn is_whole(self) -> bool {
        self <= NumberType::Long
    }

    /// The least and the greatest whole number of the type.
    fn range(self) -> Option<(i128, i128)> {
        match self {
            NumberType::Byte => Some((i8::MIN.into(), i8::MAX.into())),
            NumberType::Short => Some((i16::MIN.into(), i16::MAX.into())),
            NumberType::Int => Some((i32::MIN.into(), i32::MAX.into())),
            NumberType::Long => Some((i64::MIN.into(), i64::MAX.into())),
            NumberType::Decimal | NumberType::Double => None,
        }
    }

    /// Whether Hive has the number as it stands here.
    pub(super) fn holds(self, number: Decimal) -> bool {
        match self.range() {
            Some((least, greatest)) => number.scale == 0 && (least..=greatest).contains(&number.digits),
            None if self == NumberType::Decimal => true,
            None => {
                let size = number.ceiling().0.abs();
                size <= MAX_EXACT_DOUBLE || size >= BEYOND_LONG
            }
        }
    }
}

/// A constant, and the type of it if it is a number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Typed {
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

/// The value of an expression without columns; `None` when it has columns or is of a kind that is not computed here.
pub fn fold(expr: &Expr) -> Option<Constant> {
    typed(expr).map(|typed| typed.constant)
}

pub(super) fn typed(expr: &Expr) -> Option<Typed> {
    match expr {
        Expr::Literal(value) => literal(value),
        Expr::Nested(inner) => typed(inner),
        Expr::UnaryOp { op, expr } => {
            let operand = typed(expr)?;
            match (op, operand.constant) {
                (UnaryOperator::Minus, Constant::Number(n)) => Typed::number(n.negated()?, operand.of),
                (UnaryOperator::Plus, number @ Constant::Number(_)) => {
                    Some(Typed { constant: number, of: operand.of })
                }
                (UnaryOperator::Minus | UnaryOperator::Plus, Constant::Null) => {
                    Some(Typed::plain(Constant::Null))
                }
                _ => None,
            }
        }
        Expr::TypedText { data_type, text } => typed_text(text, *data_type).map(Typed::plain),
        Expr::Cast { expr, data_type } => cast(typed(expr)?, *data_type),
        Expr::BinaryOp { left, op: BinaryOperator::Concat, right } => {
            let arguments = vec![left.as_ref().clone(), right.as_ref().clone()];
            call(&Call { name: "concat".into(), arguments })
        }
        Expr::BinaryOp { left, op, right } => binary(left, *op, right),
        Expr::Call(function) => call(function),
        _ => None,
    }
}

fn literal(value: &Literal) -> Option<Typed> {
    match value {
        Literal::Number(text) => {
            let number = Decimal::parse(text)?;
            let of = match text {
                text if text.contains(['e', 'E']) => NumberType::Double,
                text if text.contains('.') => NumberType::Decimal,
                _ if NumberType::Int.holds(number) => NumberType::Int,
                _ if NumberType::Long.holds(number) => NumberType::Long,
                _ => NumberType::Decimal,
            };
            Typed::number(number, of)
        }
        Literal::Bool(value) => Some(Typed::plain(Constant::Bool(*value))),
        Literal::Null => Some(Typed::plain(Constant::Null)),
        Literal::Text(text) => Some(Typed::plain(Constant::Text(text.clone()))),
    }
}

fn binary(left: &Expr, op: BinaryOperator, right: &Expr) -> Option<Typed> {
    if let Expr::Interval { amount, unit, last: None } = right {
        let sign = match op {
            BinaryOperator::Plus => 1,
            BinaryOperator::Minus => -1,
            _ => return None,
        };
        let Constant::Number(amount) = as_number(typed(amount)?)?.constant else { return None };
        let (count, exact) = amount.ceiling();
        let count = i64::try_from(count).ok().filter(|_| exact)?.checked_mul(sign)?;
        return add_interval(fold(left)?, count, *unit).map(Typed::plain);
    }
    let (a, b) = (as_number(typed(left)?)?, as_number(typed(right)?)?);
    let (Constant::Number(x), Constant::Number(y)) = (&a.constant, &b.constant) else {
        return Some(Typed::plain(Constant::Null));
    };
    let wider = a.of.max(b.of);
    let of = match op {
        BinaryOperator::IntegerDivide if wider.is_whole() => NumberType::Long,
        BinaryOperator::IntegerDivide => return None,
        BinaryOperator::Divide if wider != NumberType::Decimal => NumberType::Double,
        _ => wider,
    };
    let result = Decimal::arithmetic(op, *x, *y)?.reduced();
    // A sum of doubles is seldom what its decimals say.
    (of != NumberType::Double || result.scale == 0).then_some(())?;
    Typed::number(result, of)
}

/// Text in arithmetic is read as a double.
fn as_number(typed: Typed) -> Option<Typed> {
    match typed.constant {
        Constant::Text(text) => Typed::number(Decimal::parse(text.trim())?, NumberType::Double),
        Constant::Number(_) | Constant::Null => Some(typed),
        _ => None,
    }
}

fn add_interval(constant: Constant, count: i64, unit: TimeUnit) -> Option<Constant> {
    let start = match &constant {
        Constant::Null => return Some(Constant::Null),
        Constant::Date(date) => date.and_time(NaiveTime::MIN),
        Constant::Timestamp(at) => *at,
        Constant::Text(text) => parse_timestamp(text)?,
        _ => return None,
    };
    let months = |per_unit: i64| -> Option<NaiveDateTime> {
        let months = count.checked_mul(per_unit)?;
        let distance = Months::new(u32::try_from(months.unsigned_abs()).ok()?);
        if months >= 0 { start.checked_add_months(distance) } else { start.checked_sub_months(distance) }
    };
    let plus = |duration: Option<Duration>| start.checked_add_signed(duration?);
    let moved = match unit {
        TimeUnit::Year => months(12),
        TimeUnit::Month => months(1),
        TimeUnit::Day => plus(Duration::try_days(count)),
        TimeUnit::Hour => plus(Duration::try_hours(count)),
        TimeUnit::Minute => plus(Duration::try_minutes(count)),
        TimeUnit::Second => plus(Duration::try_seconds(count)),
        _ => None,
    }?;
    match constant {
        Constant::Date(_) if moved.time() == NaiveTime::MIN => Some(Constant::Date(moved.date())),
        _ => Some(Constant::Timestamp(moved)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Source;
    use crate::hiveql::{Parameters, Tree, parse};

    fn value(text: &str) -> Option<Constant> {
        let source = Source::new("predicate", format!("{text} = 0"));
        let Ok(Tree::Leaf(leaf)) = parse(&source, &Parameters::new()).map(|parsed| parsed.tree) else {
            panic!("no condition: {text}")
        };
        let Expr::BinaryOp { left, .. } = &*leaf.expr else { panic!("no comparison: {text}") };
        fold(left)
    }

    fn number(text: &str) -> Option<Constant> {
        Decimal::parse(text).map(Constant::Number)
    }

    #[test]
    fn arithmetic_is_exact() {
        assert_eq!(value("20200406 + 1"), number("20200407"));
        assert_eq!(value("-(3 - 5) * 2.50"), number("5"));
        assert_eq!(value("7 / 2"), None);
        assert_eq!(value("8 / 2"), number("4"));
        assert_eq!(value("-7 % 3"), number("-1"));
        assert_eq!(value("1 / 0"), None);
        assert_eq!(value("1 + NULL"), Some(Constant::Null));
        assert_eq!(value("9223372036854775807 * 9223372036854775807 * 9223372036854775807"), None);
        assert_eq!(value("1e3"), number("1000"));
    }

    #[test]
    fn ceilings() {
        for (text, ceiling) in
            [("1.5", (2, false)), ("-1.5", (-1, false)), ("2.0", (2, true)), ("1e-50", (1, false))]
        {
            assert_eq!(Decimal::parse(text).unwrap().ceiling(), ceiling, "{text}");
        }
        assert_eq!(Decimal::parse("12a"), None);
        assert_eq!(Decimal::parse(""), None);
        assert_eq!(Decimal::parse("."), None);
    }

    #[test]
    fn dates() {
        let day = |text: &str| Some(Constant::Date(text.parse().unwrap()));
        assert_eq!(value("DATE '2020-04-06'"), day("2020-04-06"));
        assert_eq!(value("cast('2020-02-28' as date) + INTERVAL '2' DAY"), day("2020-03-01"));
        assert_eq!(value("date_sub('2020-03-01', 1)"), day("2020-02-29"));
        assert_eq!(value("DATE '2020-01-31' + INTERVAL '1' MONTH"), day("2020-02-29"));
        assert_eq!(value("DATE '2020-02-31'"), None);
        assert_eq!(
            value("TIMESTAMP '2020-04-06 10:00:00'"),
            Some(Constant::Timestamp("2020-04-06T10:00:00".parse().unwrap()))
        );
    }
}
