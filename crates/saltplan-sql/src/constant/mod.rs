//! Constant expressions: literals, casts of them, arithmetic and functions. The results are those of every version of Hive. Where
//! versions differ, or the result is not known, an expression is not a constant, and Hive evaluates it.

mod cast;
mod remedy;
mod seconds;
mod term;

use chrono::{Duration, Months, NaiveDate, NaiveDateTime, NaiveTime};

pub use cast::{cast, read_time, size_of, text_of};
pub use remedy::{leaves_calendar, remedy};
pub use term::{CallTerm, Term, Tree};

use crate::ast::{BinaryOperator, TimeUnit, UnaryOperator};
use crate::functions::Operation;
use crate::functions::evaluation::dates::in_calendar;
pub use crate::functions::evaluation::dates::{
    FIRST_YEAR, TruncUnit, add_months, last_day, next_day, weekday,
};
use crate::functions::evaluation::text::concat;
use crate::time::format::parse_timestamp;
pub use crate::value::{BEYOND_LONG, Constant, Decimal};
use crate::value::{IntegerSize, NumberType, Typed};

/// The value of an expression without columns; `None` when it has columns or is of a kind that is not computed here.
pub fn fold(expr: &impl Tree) -> Option<Constant> {
    typed(expr).map(|typed| typed.constant)
}

/// The text of an expression without columns, as Hive casts it to a string; `None` where versions differ.
pub fn constant_text(expr: &impl Tree) -> Option<String> {
    text_of(&typed(expr)?)
}

/// The day of a constant date or time, as Hive's date functions read it; `None` if it is not a date or versions differ.
pub fn read_day(constant: &Constant) -> Option<NaiveDate> {
    match constant {
        Constant::Date(date) => Some(*date),
        Constant::Timestamp(at) => Some(at.date()),
        Constant::Text(text) => read_time(text)?.map(|at| at.date()),
        _ => None,
    }
}

/// A whole number, and the type that it has for Hive.
#[derive(Debug, Clone, Copy)]
pub struct WholeNumber {
    pub number: i128,
    pub size: IntegerSize,
}

/// The value of an expression without columns whose type is one of whole numbers.
pub fn whole(expr: &impl Tree) -> Option<WholeNumber> {
    match typed(expr)? {
        Typed { constant: Constant::Number(number), of: NumberType::Whole(size) } => {
            Some(WholeNumber { number: number.digits, size })
        }
        _ => None,
    }
}

/// The value of a constant text.
pub fn text(expr: &impl Tree) -> Option<String> {
    match fold(expr)? {
        Constant::Text(text) => Some(text),
        _ => None,
    }
}

/// The value of a constant number without a fraction.
pub fn integer(expr: &impl Tree) -> Option<i64> {
    fold(expr)?.integer()
}

/// The value of an expression without columns whose type is a decimal.
pub fn decimal(expr: &impl Tree) -> Option<Decimal> {
    match typed(expr)? {
        Typed { constant: Constant::Number(number), of: NumberType::Decimal } => Some(number.reduced()),
        _ => None,
    }
}

/// The value of an expression without columns, with the type in which Hive computes a number.
pub fn typed(expr: &impl Tree) -> Option<Typed> {
    match expr.term() {
        Term::Constant => expr.value(),
        Term::Sign(op, operand) => {
            let operand = typed(operand)?;
            match (op, &operand.constant) {
                (UnaryOperator::Minus, Constant::Number(n)) => Typed::number(n.negated()?, operand.of),
                (UnaryOperator::Minus, Constant::Null)
                | (UnaryOperator::Plus, Constant::Number(_) | Constant::Null) => Some(operand),
                _ => None,
            }
        }
        Term::Cast(operand, to) => cast(typed(operand)?, to),
        Term::Binary(left, BinaryOperator::Concat, right) => concat(&[typed(left)?, typed(right)?]),
        Term::Binary(left, op, right) => binary(left, op, right),
        Term::Call(of) => call(&of),
        Term::Interval(..) | Term::Other => None,
    }
}

/// The value of a call, where all versions of Hive give one value; `tests/engines/constants.rs` asks them.
fn call<P: Tree<Part = P>>(call: &CallTerm<'_, P>) -> Option<Typed> {
    if call.operation() == Operation::ShowSeconds {
        return seconds::date_in_another_format(call);
    }
    if let Some(day) = seconds::day_of_seconds(call) {
        return Some(day);
    }
    let evaluate = call.function?.evaluate?;
    let arguments = call.arguments.iter().map(typed).collect::<Option<Vec<_>>>()?;
    evaluate(&arguments)
}

fn binary<P: Tree<Part = P>>(left: &P, op: BinaryOperator, right: &P) -> Option<Typed> {
    if matches!(right.term(), Term::Interval(..)) {
        let (count, unit) = interval_of(right, op)?;
        return add_interval(fold(left)?, count, unit).map(Typed::plain);
    }
    // It is never NULL.
    if op.is_null_safe() {
        return None;
    }
    arithmetic(op, typed(left)?, typed(right)?)
}

/// The result of an arithmetic operator, the same in every Hive; `None` where it is not computed here.
pub fn arithmetic(op: BinaryOperator, left: Typed, right: Typed) -> Option<Typed> {
    let (a, b) = (as_number(left)?, as_number(right)?);
    let (Constant::Number(x), Constant::Number(y)) = (&a.constant, &b.constant) else {
        return Some(Typed::plain(Constant::Null));
    };
    let wider = a.of.max(b.of);
    let of = match op {
        BinaryOperator::IntegerDivide if wider.is_whole() => NumberType::BIGINT,
        BinaryOperator::IntegerDivide => return None,
        BinaryOperator::Divide if wider != NumberType::Decimal => NumberType::Double,
        _ => wider,
    };
    let result = Decimal::arithmetic(op, *x, *y)?.reduced();
    // A sum of doubles usually differs from the sum of their decimals, and the remainder of a whole number by 0.1 is not 0.
    let is_whole = [result, *x, *y].iter().all(|number| number.reduced().scale == 0);
    let is_exact = if op == BinaryOperator::Modulo { is_whole } else { result.scale == 0 };
    (of != NumberType::Double || is_exact).then_some(())?;
    Typed::number(result, of)
}

/// What `+ INTERVAL …` or `- INTERVAL …` adds: a number of units. `None` for other expressions.
pub fn interval_of(expr: &impl Tree, op: BinaryOperator) -> Option<(i64, TimeUnit)> {
    let Term::Interval(amount, unit) = expr.term() else { return None };
    let sign = match op {
        BinaryOperator::Plus => 1,
        BinaryOperator::Minus => -1,
        _ => return None,
    };
    let Constant::Number(amount) = as_number(typed(amount)?)?.constant else { return None };
    let (count, exact) = amount.ceiling();
    let count = i64::try_from(count).ok().filter(|_| exact)?.checked_mul(sign)?;
    Some((count, unit))
}

/// Text in arithmetic is read as a double.
fn as_number(typed: Typed) -> Option<Typed> {
    match typed.constant {
        Constant::Text(text) => Typed::number(Decimal::parse(text.trim())?, NumberType::Double),
        Constant::Number(_) | Constant::Null => Some(typed),
        _ => None,
    }
}

/// A date plus an interval. With days or shorter units Hive makes a timestamp of it; `None` before 1583, where Hive has another calendar.
fn add_interval(constant: Constant, count: i64, unit: TimeUnit) -> Option<Constant> {
    let start = match &constant {
        Constant::Null => return Some(Constant::Null),
        Constant::Date(date) => date.and_time(NaiveTime::MIN),
        Constant::Timestamp(at) => *at,
        Constant::Text(text) => parse_timestamp(text)?,
        _ => return None,
    };
    in_calendar(start.date())?;
    let moved = moved_by(start, count, unit)?;
    in_calendar(moved.date())?;
    match constant {
        Constant::Date(_) if matches!(unit, TimeUnit::Year | TimeUnit::Month) => {
            Some(Constant::Date(moved.date()))
        }
        _ => Some(Constant::Timestamp(moved)),
    }
}

/// A time plus a number of units. A day that the month does not have becomes its last day.
pub fn moved_by(start: NaiveDateTime, count: i64, unit: TimeUnit) -> Option<NaiveDateTime> {
    let months = |per_unit: i64| -> Option<NaiveDateTime> {
        let months = count.checked_mul(per_unit)?;
        let distance = Months::new(u32::try_from(months.unsigned_abs()).ok()?);
        if months >= 0 { start.checked_add_months(distance) } else { start.checked_sub_months(distance) }
    };
    let plus = |duration: Option<Duration>| start.checked_add_signed(duration?);
    match unit {
        TimeUnit::Year => months(12),
        TimeUnit::Month => months(1),
        TimeUnit::Day => plus(Duration::try_days(count)),
        TimeUnit::Hour => plus(Duration::try_hours(count)),
        TimeUnit::Minute => plus(Duration::try_minutes(count)),
        TimeUnit::Second => plus(Duration::try_seconds(count)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Expr;
    use crate::{Parameters, parse};
    use saltplan_document::diag::Source;

    fn value(text: &str) -> Option<Constant> {
        let source = Source::new("predicate", format!("{text} = 0"));
        let parsed = parse(&source, &Parameters::new());
        let Ok(Expr::BinaryOp { left, .. }) = parsed.map(|parsed| parsed.tree.expr) else {
            panic!("no comparison: {text}")
        };
        fold(&left)
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
        assert_eq!(value("1200 % '1E-3'"), None);
        assert_eq!(value("1 / 0"), None);
        assert_eq!(value("1 + NULL"), Some(Constant::Null));
        assert_eq!(value("9223372036854775807 * 9223372036854775807 * 9223372036854775807"), None);
        assert_eq!(value("1e3"), number("1000"));
        assert_eq!(value("pmod(-10, 3)"), number("2"));
        assert_eq!(value("pmod(10, 2147483647)"), None);
        assert_eq!(value("floor(-9007199254740993)"), None);
        assert_eq!(value("floor(-5)"), number("-5"));
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
        let midnight = |text: &str| Some(Constant::Timestamp(format!("{text}T00:00:00").parse().unwrap()));
        assert_eq!(value("cast('2020-02-28' as date) + INTERVAL '2' DAY"), midnight("2020-03-01"));
        assert_eq!(value("DATE '1500-02-28' + INTERVAL '1' YEAR"), None);
        assert_eq!(value("DATE '9999-12-31' + INTERVAL '1' MONTH"), None);
        assert_eq!(value("DATE '1582-10-10'"), None);
        assert_eq!(value("date_sub(' 2020-01-01', 365)"), None);
        assert_eq!(value("hour('2020-04-06')"), None);
        assert_eq!(value("hour(TIMESTAMP '2020-04-06 10:00:00')"), number("10"));
        assert_eq!(value("date_sub('2020-03-01', 1)"), day("2020-02-29"));
        assert_eq!(value("DATE '2020-01-31' + INTERVAL '1' MONTH"), day("2020-02-29"));
        assert_eq!(value("DATE '2020-02-31'"), None);
        assert_eq!(
            value("TIMESTAMP '2020-04-06 10:00:00'"),
            Some(Constant::Timestamp("2020-04-06T10:00:00".parse().unwrap()))
        );
    }
}
