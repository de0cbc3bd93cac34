//! Constant expressions: literals, casts of them, and arithmetic.

use crate::hiveql::ast::{BinaryOperator, Expr, Literal, TimeUnit, Type, UnaryOperator};
use chrono::{Duration, Months, NaiveDate, NaiveDateTime, NaiveTime};

use super::constant_call::call;
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
    fn reduced(mut self) -> Self {
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
            // Hive divides to a double: only a quotient without remainder is the same everywhere.
            BinaryOperator::Divide => {
                let (dividend, divisor) = (align(a)?, align(b)?);
                (dividend.checked_rem(divisor)? == 0).then_some(Decimal::integer(dividend / divisor))
            }
            _ => None,
        }
    }
}

/// The value of an expression without columns; `None` when it has columns or is of a kind that is not computed here.
pub fn fold(expr: &Expr) -> Option<Constant> {
    match expr {
        Expr::Literal(value) => literal(value),
        Expr::Nested(inner) => fold(inner),
        Expr::UnaryOp { op, expr } => match (op, fold(expr)?) {
            (UnaryOperator::Minus, Constant::Number(n)) => {
                Some(Constant::Number(Decimal { digits: n.digits.checked_neg()?, scale: n.scale }))
            }
            (UnaryOperator::Plus, number @ Constant::Number(_)) => Some(number),
            (UnaryOperator::Minus | UnaryOperator::Plus, Constant::Null) => Some(Constant::Null),
            _ => None,
        },
        Expr::TypedText { data_type, text } => convert(Constant::Text(text.clone()), *data_type),
        Expr::Cast { expr, data_type } => convert(fold(expr)?, *data_type),
        Expr::BinaryOp { left, op, right } => binary(left, *op, right),
        Expr::Call(function) => call(function),
        _ => None,
    }
}

fn literal(value: &Literal) -> Option<Constant> {
    match value {
        Literal::Number(text) => Decimal::parse(text).map(Constant::Number),
        Literal::Bool(value) => Some(Constant::Bool(*value)),
        Literal::Null => Some(Constant::Null),
        Literal::Text(text) => Some(Constant::Text(text.clone())),
    }
}

pub(super) fn convert(constant: Constant, data_type: Type) -> Option<Constant> {
    match (data_type, constant) {
        (_, Constant::Null) => Some(Constant::Null),
        (Type::Date, Constant::Text(text)) => {
            Some(parse_timestamp(&text).map_or(Constant::Null, |at| Constant::Date(at.date())))
        }
        (Type::Date, Constant::Timestamp(at)) => Some(Constant::Date(at.date())),
        (Type::Date, date @ Constant::Date(_)) => Some(date),
        (Type::Timestamp, Constant::Text(text)) => {
            Some(parse_timestamp(&text).map_or(Constant::Null, Constant::Timestamp))
        }
        (Type::Timestamp, Constant::Date(date)) => Some(Constant::Timestamp(date.and_time(NaiveTime::MIN))),
        (Type::Timestamp, at @ Constant::Timestamp(_)) => Some(at),
        (Type::String | Type::Varchar(_), Constant::Number(number)) if number.scale == 0 => {
            let text = number.digits.to_string();
            let most = if let Type::Varchar(most) = data_type { most } else { None };
            most.is_none_or(|most| text.len() as u64 <= most).then_some(Constant::Text(text))
        }
        (Type::String, text @ Constant::Text(_)) => Some(text),
        (Type::String, Constant::Date(date)) => Some(Constant::Text(date.to_string())),
        (Type::Int | Type::BigInt, Constant::Number(number)) => {
            // Casts to integers cut towards zero.
            let whole = number.digits / 10i128.checked_pow(number.scale)?;
            let fits = match data_type {
                Type::BigInt => i64::try_from(whole).is_ok(),
                _ => i32::try_from(whole).is_ok(),
            };
            fits.then_some(Constant::Number(Decimal::integer(whole)))
        }
        (Type::Int | Type::BigInt, Constant::Text(text)) => {
            let number = Decimal::parse(text.trim()).map_or(Constant::Null, Constant::Number);
            match number {
                Constant::Null => Some(Constant::Null),
                number => convert(number, data_type),
            }
        }
        _ => None,
    }
}

fn binary(left: &Expr, op: BinaryOperator, right: &Expr) -> Option<Constant> {
    if let Expr::Interval { amount, unit, last: None } = right {
        let sign = match op {
            BinaryOperator::Plus => 1,
            BinaryOperator::Minus => -1,
            _ => return None,
        };
        let Constant::Number(amount) = as_number(fold(amount)?)? else { return None };
        let (count, exact) = amount.ceiling();
        let count = i64::try_from(count).ok().filter(|_| exact)?.checked_mul(sign)?;
        return add_interval(fold(left)?, count, *unit);
    }
    match (as_number(fold(left)?)?, as_number(fold(right)?)?) {
        (Constant::Null, _) | (_, Constant::Null) => Some(Constant::Null),
        (Constant::Number(a), Constant::Number(b)) => Decimal::arithmetic(op, a, b).map(Constant::Number),
        _ => None,
    }
}

/// Text in arithmetic is read as a number.
fn as_number(constant: Constant) -> Option<Constant> {
    match constant {
        Constant::Text(text) => Decimal::parse(text.trim()).map(Constant::Number),
        Constant::Number(_) | Constant::Null => Some(constant),
        _ => None,
    }
}

pub(super) fn add_interval(constant: Constant, count: i64, unit: TimeUnit) -> Option<Constant> {
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
        assert_eq!(value("DATE '2020-02-31'"), Some(Constant::Null));
        for (call, text) in [
            ("add_months('2020-02-29', 1)", "2020-03-31"),
            ("add_months('2020-01-31', 1)", "2020-02-29"),
            ("last_day('2020-02-03')", "2020-02-29"),
            ("trunc(DATE '2020-04-06', 'MM')", "2020-04-01"),
            ("date_format(date_sub('2020-04-06', 1), 'yyyyMMdd')", "20200405"),
            ("regexp_replace(date_sub('2020-04-06', 1), '-', '')", "20200405"),
            ("from_unixtime(unix_timestamp('20200406', 'yyyyMMdd'), 'yyyy-MM-dd')", "2020-04-06"),
        ] {
            assert_eq!(value(call), Some(Constant::Text(text.into())), "{call}");
        }
        assert_eq!(value("last_day('20200406')"), Some(Constant::Null));
        assert_eq!(value("trunc('2020-04-06', 'mm')"), None);
        assert_eq!(value("regexp_replace('2020', '.', '')"), None);
        assert_eq!(value("from_unixtime(unix_timestamp('20200406', 'yyyyMMdd'), 'yyyyMMddHH')"), None);
        assert_eq!(
            value("TIMESTAMP '2020-04-06 10:00:00'"),
            Some(Constant::Timestamp("2020-04-06T10:00:00".parse().unwrap()))
        );
    }
}
