//! The oracle: a brute-force evaluator of SQL conditions for one row, with three truth values. It shares only the
//! syntax tree with the planner; [`readers`](crate::readers) compares how texts become trees.

use std::cmp::Ordering;

use chrono::{Datelike, Duration, Months, NaiveDate, NaiveDateTime, NaiveTime, Timelike};
use chrono_tz::Tz;
use saltplan_document::diag::Source;
use saltplan_sql::ast::{BinaryOperator, Call, Expr, Literal, Node, Type, UnaryOperator};
use saltplan_sql::{self, Parameters};

use crate::calendar;
use crate::like::like;
use crate::regex::finds;

/// The number of decimal places of [`V::Number`].
const PLACES: u32 = 6;
const ONE: i128 = 10i128.pow(PLACES);
/// The smallest bigint.
const LEAST: i128 = i64::MIN as i128 * ONE;

#[derive(Debug, Clone, PartialEq)]
pub enum V {
    Null,
    Bool(bool),
    /// In millionths; distant values are replaced by one that is outside every field.
    Number(i128),
    /// A quotient, or a value cast to a double.
    Double(f64),
    Text(String),
    Date(NaiveDate),
    Timestamp(NaiveDateTime),
    /// A value of a calendar field, with the field's format.
    Calendar(NaiveDateTime, String),
    /// A value of an epoch field and the length of its unit in milliseconds.
    Instant(i64, i64),
    Tuple(Vec<V>),
}

impl V {
    pub fn integer(number: i64) -> V {
        V::Number(i128::from(number) * ONE)
    }

    /// The whole number that the value is.
    pub fn whole(&self) -> Option<i64> {
        match self {
            V::Number(number) if number % ONE == 0 => i64::try_from(number / ONE).ok(),
            _ => None,
        }
    }
}

/// The names and values of a row.
#[derive(Debug)]
pub struct Row<'a> {
    pub values: &'a [(String, V)],
    pub zone: Option<Tz>,
}

/// The tree of a condition.
pub fn parse(text: &str) -> Node {
    let parsed = saltplan_sql::parse(&Source::new("predicate", text), &Parameters::new());
    parsed.unwrap_or_else(|error| panic!("{text}: {error}")).tree
}

/// Whether the condition is true; false and NULL are not.
pub fn holds(expr: &Expr, row: &Row<'_>) -> bool {
    row.eval(expr) == V::Bool(true)
}

fn not(value: V) -> V {
    match value {
        V::Bool(value) => V::Bool(!value),
        _ => V::Null,
    }
}

fn and(a: V, b: V) -> V {
    match (a, b) {
        (V::Bool(false), _) | (_, V::Bool(false)) => V::Bool(false),
        (V::Bool(true), V::Bool(true)) => V::Bool(true),
        _ => V::Null,
    }
}

fn or(a: V, b: V) -> V {
    not(and(not(a), not(b)))
}

fn negate_if(negated: bool, value: V) -> V {
    if negated { not(value) } else { value }
}

impl Row<'_> {
    pub fn eval(&self, expr: &Expr) -> V {
        match expr {
            Expr::Column(column) => self.lookup(&column.name),
            Expr::Nested(inner) => self.eval(inner),
            Expr::Literal(value) => literal(value),
            Expr::Tuple(items) => V::Tuple(items.iter().map(|item| self.eval(item)).collect()),
            Expr::TypedText { data_type, text } => self.cast(V::Text(text.clone()), *data_type),
            Expr::Cast { expr, data_type, .. } => self.cast(self.eval(expr), *data_type),
            Expr::UnaryOp { op, expr } => unary(*op, self.eval(expr)),
            Expr::And(arms) => arms.iter().fold(V::Bool(true), |all, arm| and(all, self.eval(arm))),
            Expr::Or(arms) => arms.iter().fold(V::Bool(false), |any, arm| or(any, self.eval(arm))),
            Expr::BinaryOp { left, op, right } => self.binary(left, *op, right),
            Expr::Is { expr, value, negated } => {
                let value = value.map_or(V::Null, V::Bool);
                V::Bool((self.eval(expr) == value) != *negated)
            }
            Expr::Case { operand, conditions, else_result } => {
                let operand = operand.as_ref().map(|operand| self.eval(operand));
                let is_taken = |condition: &Expr| {
                    let value = self.eval(condition);
                    let truth = match &operand {
                        Some(operand) => self.compare(operand, &value, Ordering::is_eq),
                        None => value,
                    };
                    truth == V::Bool(true)
                };
                let taken = conditions.iter().find(|when| is_taken(&when.condition)).map(|when| &when.result);
                taken.or(else_result.as_deref()).map_or(V::Null, |result| self.eval(result))
            }
            Expr::Between { expr, negated, low, high } => {
                let (value, high) = (self.eval(expr), self.eval(high));
                let low = self.eval(low);
                // Here a constant text is not converted to a number, as it is in a comparison.
                let compare = |bound: &V, holds: fn(Ordering) -> bool, reversed: fn(Ordering) -> bool| match (
                    &value, bound,
                ) {
                    // The planner refuses it if it contains blanks.
                    (V::Number(_), V::Text(text)) if number(text).is_some() => {
                        self.compare(bound, &value, reversed)
                    }
                    _ => self.compare(&value, bound, holds),
                };
                let from = compare(&low, Ordering::is_ge, Ordering::is_le);
                // If the lower bound is NULL, Hive ignores the upper one. Rows of values are compared pair by
                // pair.
                let both = match from {
                    V::Null if !matches!(value, V::Tuple(_)) => V::Null,
                    from => and(from, compare(&high, Ordering::is_le, Ordering::is_ge)),
                };
                negate_if(*negated, both)
            }
            Expr::InList { expr, list, negated } => {
                let value = self.eval(expr);
                let equals = list.iter().map(|item| self.compare(&value, &self.eval(item), Ordering::is_eq));
                negate_if(*negated, equals.fold(V::Bool(false), or))
            }
            Expr::Like { negated, expr, pattern, escape_char } => {
                let escape = escape_char.as_ref().map(|escape| match self.eval(escape) {
                    V::Text(text) => text.chars().next().expect("an escape character"),
                    other => panic!("{other:?} is no escape"),
                });
                negate_if(*negated, self.like(&self.eval(expr), &self.eval(pattern), escape))
            }
            Expr::RLike { negated, expr, pattern } => {
                let found = match (as_text(&self.eval(expr)), self.eval(pattern)) {
                    (Some(text), V::Text(regex)) => V::Bool(finds(&text, &regex)),
                    _ => V::Null,
                };
                negate_if(*negated, found)
            }
            Expr::Call(Call { name, arguments, .. }) => {
                let arguments: Vec<V> = arguments.iter().map(|argument| self.eval(argument)).collect();
                self.function(name, &arguments).unwrap_or(V::Null)
            }
            Expr::Element { expr, index } => self.element(expr, index).unwrap_or(V::Null),
            other => panic!("the oracle does not know {other}"),
        }
    }

    /// `split(text, '_')[1]`, of a separator of one character: as it is, in brackets, or behind a backslash.
    fn element(&self, array: &Expr, index: &Expr) -> Option<V> {
        let Expr::Call(Call { arguments, .. }) = array.unnested() else { panic!("no list: {array}") };
        let [text, separator] = arguments.as_slice() else { panic!("no list: {array}") };
        let (text, separator) = (as_text(&self.eval(text))?, as_text(&self.eval(separator))?);
        let one = separator.trim_start_matches('[').trim_end_matches(']').chars().last()?;
        let index = usize::try_from(as_integer(&self.eval(index))?).ok()?;
        text.split(one).nth(index).map(|piece| V::Text(piece.to_string()))
    }

    fn lookup(&self, name: &str) -> V {
        let found = self.values.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.unwrap_or_else(|| panic!("no column {name}")).1.clone()
    }

    fn binary(&self, left: &Expr, op: BinaryOperator, right: &Expr) -> V {
        let (a, b) = (
            self.eval(left),
            if matches!(right, Expr::Interval { .. }) { V::Null } else { self.eval(right) },
        );
        // How a text and a date are compared depends on which of them is the column.
        let (a, b, op) = match flipped(op) {
            Some(flipped) if is_constant(left) && !is_constant(right) => (b, a, flipped),
            _ => (a, b, op),
        };
        match op {
            BinaryOperator::Eq => self.compare(&a, &b, Ordering::is_eq),
            BinaryOperator::NullSafeEq | BinaryOperator::NotDistinctFrom => self.same(&a, &b),
            BinaryOperator::DistinctFrom => not(self.same(&a, &b)),
            BinaryOperator::NotEq => not(self.compare(&a, &b, Ordering::is_eq)),
            BinaryOperator::Lt => self.compare(&a, &b, Ordering::is_lt),
            BinaryOperator::LtEq => self.compare(&a, &b, Ordering::is_le),
            BinaryOperator::Gt => self.compare(&a, &b, Ordering::is_gt),
            BinaryOperator::GtEq => self.compare(&a, &b, Ordering::is_ge),
            _ => arithmetic(&a, op, &b, !is_decimal(left) && !is_decimal(right)),
        }
    }

    /// `<=>` is NULL for values that are not NULL and cannot be compared. Rows of values are equal if their
    /// pairs are.
    fn same(&self, a: &V, b: &V) -> V {
        match (a, b) {
            (V::Tuple(a), V::Tuple(b)) => {
                a.iter().zip(b).fold(V::Bool(true), |all, (a, b)| and(all, self.same(a, b)))
            }
            (V::Null, _) | (_, V::Null) => V::Bool(a == b),
            // The order of the operands does not matter.
            (V::Text(_), V::Number(_)) => self.compare(b, a, Ordering::is_eq),
            _ => self.compare(a, b, Ordering::is_eq),
        }
    }

    /// Tuples are compared by the first pair that differs, in three-valued logic.
    fn compare(&self, a: &V, b: &V, wanted: fn(Ordering) -> bool) -> V {
        let (V::Tuple(a), V::Tuple(b)) = (a, b) else {
            return self.order(a, b).map_or(V::Null, |order| V::Bool(wanted(order)));
        };
        assert_eq!(a.len(), b.len());
        let is = |order: Ordering| V::Bool(wanted(order));
        let mut result = is(Ordering::Equal);
        for (a, b) in a.iter().zip(b).rev() {
            let (less, equal, greater) = (
                self.compare(a, b, Ordering::is_lt),
                self.compare(a, b, Ordering::is_eq),
                self.compare(a, b, Ordering::is_gt),
            );
            let decided = or(and(less, is(Ordering::Less)), and(greater, is(Ordering::Greater)));
            result = or(decided, and(equal, result));
        }
        result
    }

    /// `None` if the comparison is NULL.
    fn order(&self, a: &V, b: &V) -> Option<Ordering> {
        match (a, b) {
            (V::Text(a), V::Text(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
            (V::Number(a), V::Number(b)) => Some(a.cmp(b)),
            (V::Double(_), _) | (_, V::Double(_)) => as_double(a)?.partial_cmp(&as_double(b)?),
            (V::Bool(a), V::Bool(b)) => Some(a.cmp(b)),
            (V::Text(_), V::Number(b)) => Some(order_of_doubles(as_number(a)?, *b)),
            // Compared with a number, a text is a number without blanks, or NULL.
            (V::Number(a), V::Text(text)) => Some(a.cmp(&number(text)?)),
            (V::Calendar(at, pattern), other) => order_of_calendar(*at, pattern, other),
            (V::Instant(number, unit), other) => self.order_of_instant(*number, *unit, other),
            (V::Date(_) | V::Timestamp(_), V::Date(_) | V::Timestamp(_)) => {
                Some(local_of(a)?.cmp(&local_of(b)?))
            }
            // The text is converted to the type of the other operand.
            (V::Date(day), V::Text(text)) => Some(day.cmp(&calendar::read(text)?.date())),
            (V::Text(text), V::Date(day)) => Some(calendar::read(text)?.date().cmp(day)),
            (V::Text(text), V::Timestamp(at)) => Some(calendar::read(text)?.cmp(at)),
            (V::Timestamp(_), V::Text(_)) | (_, V::Calendar(..) | V::Instant(..)) => {
                self.order(b, a).map(Ordering::reverse)
            }
            _ => None,
        }
    }

    fn order_of_instant(&self, number: i64, unit: i64, other: &V) -> Option<Ordering> {
        let of_local = |at: NaiveDateTime| {
            let wanted = calendar::instant(self.zone?, at);
            Some((i128::from(number) * i128::from(unit)).cmp(&i128::from(wanted)))
        };
        match other {
            V::Number(other) => Some((i128::from(number) * ONE).cmp(other)),
            V::Instant(other, own) => {
                Some((i128::from(number) * i128::from(unit)).cmp(&(i128::from(*other) * i128::from(*own))))
            }
            V::Text(text) => match calendar::parse_iso(text) {
                Some(at) => of_local(at),
                None => Some((i128::from(number) * ONE).cmp(&self::number(text)?)),
            },
            V::Date(_) | V::Timestamp(_) => of_local(local_of(other)?),
            _ => None,
        }
    }

    fn local_of_instant(&self, number: i64, unit: i64) -> Option<NaiveDateTime> {
        calendar::local(self.zone?, number.checked_mul(unit)?).filter(|at| (1..=9999).contains(&at.year()))
    }

    fn like(&self, value: &V, pattern: &V, escape: Option<char>) -> V {
        match (as_text(value), pattern) {
            (Some(text), V::Text(pattern)) => {
                let (text, pattern): (Vec<char>, Vec<char>) =
                    (text.chars().collect(), pattern.chars().collect());
                V::Bool(like(&text, &pattern, escape))
            }
            _ => V::Null,
        }
    }

    fn cast(&self, value: V, data_type: Type) -> V {
        match (data_type, value) {
            (Type::String, value) => as_text(&value).map_or(V::Null, V::Text),
            (Type::Int | Type::BigInt, V::Instant(number, _)) => V::integer(number),
            (Type::Int | Type::BigInt, V::Calendar(at, pattern)) => {
                as_number(&V::Text(calendar::format(&pattern, at))).map_or(V::Null, V::Number)
            }
            (Type::Int | Type::BigInt, V::Text(text)) => whole_of_text(&text, data_type),
            (Type::Int | Type::BigInt, value) => {
                as_number(&value).map_or(V::Null, |number| V::Number(number / ONE * ONE))
            }
            (Type::Double, value) => as_double(&value).map_or(V::Null, V::Double),
            (Type::Date, value) => self.local(&value).map_or(V::Null, |at| V::Date(at.date())),
            (Type::Timestamp, value @ V::Instant(..)) => value,
            (Type::Timestamp, value) => self.local(&value).map_or(V::Null, V::Timestamp),
            (other, value) => panic!("the oracle does not cast {value:?} to {other:?}"),
        }
    }

    /// The local time that a value represents.
    fn local(&self, value: &V) -> Option<NaiveDateTime> {
        match value {
            V::Text(text) => calendar::read(text),
            V::Calendar(at, _) => Some(*at),
            V::Instant(number, unit) => self.local_of_instant(*number, *unit),
            other => local_of(other),
        }
    }

    /// The value of a function; `None` is NULL.
    fn function(&self, name: &str, arguments: &[V]) -> Option<V> {
        let local = |value: &V| self.local(value);
        Some(match (name, arguments) {
            ("substr" | "substring", [value, from]) => {
                V::Text(substr(&as_text(value)?, as_integer(from)?, i64::MAX))
            }
            ("substr" | "substring", [value, from, count]) => {
                V::Text(substr(&as_text(value)?, as_integer(from)?, as_integer(count)?))
            }
            ("left", [value, count]) => V::Text(substr(&as_text(value)?, 1, as_integer(count)?)),
            ("right", [value, count]) => {
                let (text, count) = (as_text(value)?, as_integer(count)?);
                V::Text(substr(&text, -count.min(text.encode_utf16().count() as i64), count))
            }
            ("repeat", [value, count]) => V::Text(as_text(value)?.repeat(as_integer(count)?.max(0) as usize)),
            ("reverse", [value]) => V::Text(as_text(value)?.chars().rev().collect()),
            ("lower", [value]) => V::Text(as_text(value)?.to_lowercase()),
            ("upper", [value]) => V::Text(as_text(value)?.to_uppercase()),
            ("length", [value]) => V::integer(as_text(value)?.chars().count() as i64),
            ("hex", [value]) => V::Text(as_text(value)?.bytes().map(|byte| format!("{byte:02X}")).collect()),
            ("trim", [value]) => V::Text(as_text(value)?.trim_matches(' ').to_string()),
            ("substring_index", [value, V::Text(separator), count]) => {
                let (text, count) = (as_text(value)?, as_integer(count)?);
                let pieces: Vec<&str> = text.split(separator.as_str()).collect();
                let most = pieces.len().min(count.unsigned_abs() as usize);
                let kept = if count > 0 { &pieces[..most] } else { &pieces[pieces.len() - most..] };
                V::Text(kept.join(separator))
            }
            ("concat", parts) => V::Text(parts.iter().map(as_text).collect::<Option<String>>()?),
            ("floor", [V::Instant(n, unit)]) => V::Instant(*n, *unit),
            ("ceil", [V::Double(n)]) => V::Number(n.ceil() as i128 * ONE),
            ("floor", [V::Double(n)]) => V::Number(n.floor() as i128 * ONE),
            ("ceil", [value]) => V::Number(-(-as_number(value)?).div_euclid(ONE) * ONE),
            ("floor", [value]) => V::Number(as_number(value)?.div_euclid(ONE) * ONE),
            ("coalesce" | "nvl", values) => values.iter().find(|value| **value != V::Null)?.clone(),
            ("if", [condition, yes, no]) => if *condition == V::Bool(true) { yes } else { no }.clone(),
            ("isnull", [value]) => V::Bool(*value == V::Null),
            ("isnotnull", [value]) => V::Bool(*value != V::Null),
            ("instr", [text, part]) | ("locate", [part, text]) => {
                let (text, part) = (as_text(text)?, as_text(part)?);
                V::integer(text.find(&part).map_or(0, |at| text[..at].chars().count() as i64 + 1))
            }
            ("abs", [V::Double(n)]) => V::Double(n.abs()),
            // The smallest bigint has no absolute value.
            ("abs", [value]) => match as_number(value)? {
                LEAST => V::Number(LEAST),
                number => V::Number(number.abs()),
            },
            ("pmod", [value, by]) => {
                let (value, by) = (as_number(value)?, as_number(by).filter(|by| *by != 0)?);
                V::Number(((value % by) + by) % by)
            }
            ("year", [value]) => V::integer(local(value)?.year().into()),
            ("month", [value]) => V::integer(local(value)?.month().into()),
            ("day" | "dayofmonth", [value]) => V::integer(local(value)?.day().into()),
            ("hour", [value]) => V::integer(local(value)?.hour().into()),
            ("minute", [value]) => V::integer(local(value)?.minute().into()),
            ("second", [value]) => V::integer(local(value)?.second().into()),
            ("quarter", [value]) => V::integer((local(value)?.month0() / 3 + 1).into()),
            ("dayofweek", [value]) => V::integer((local(value)?.weekday().num_days_from_sunday() + 1).into()),
            ("weekofyear", [value]) => V::integer(local(value)?.iso_week().week().into()),
            ("to_date", [value]) => V::Date(local(value)?.date()),
            ("date_format", [value, V::Text(pattern)]) => V::Text(calendar::format(pattern, local(value)?)),
            ("date_add" | "date_sub", [value, days]) => {
                let days = as_integer(days)? * if name == "date_add" { 1 } else { -1 };
                V::Date(local(value)?.date().checked_add_signed(Duration::try_days(days)?)?)
            }
            ("datediff", [to, from]) => V::integer((local(to)?.date() - local(from)?.date()).num_days()),
            ("from_unixtime", [value]) => self.unixtime(value, "yyyy-MM-dd HH:mm:ss")?,
            ("from_unixtime", [value, V::Text(pattern)]) => self.unixtime(value, pattern)?,
            _ => self.moved_or_rounded(name, arguments)?,
        })
    }

    /// Functions that shift days, and functions that round and bound numbers.
    fn moved_or_rounded(&self, name: &str, arguments: &[V]) -> Option<V> {
        let day_of = |value: &V| Some(self.local(value)?.date());
        Some(match (name, arguments) {
            ("last_day", [value]) => day_text(last_day(day_of(value)?)?),
            ("trunc", [value, V::Text(unit)]) => {
                let first = day_of(value)?.with_day(1)?;
                day_text(match unit.as_str() {
                    "MM" => first,
                    "Q" => first.with_month0(first.month0() / 3 * 3)?,
                    "YY" => first.with_month(1)?,
                    other => panic!("the oracle does not cut to {other}"),
                })
            }
            ("add_months", [value, months]) => {
                let (day, months) = (day_of(value)?, as_integer(months)?);
                let distance = Months::new(u32::try_from(months.unsigned_abs()).ok()?);
                let moved = if months < 0 {
                    day.checked_sub_months(distance)?
                } else {
                    day.checked_add_months(distance)?
                };
                day_text(if last_day(day)? == day { last_day(moved)? } else { moved })
            }
            ("next_day", [value, V::Text(name)]) => {
                let name = name.to_lowercase();
                let mut later = day_of(value)?.iter_days().skip(1);
                day_text(later.find(|day| day.weekday().to_string().to_lowercase().starts_with(&name))?)
            }
            ("lpad", [value, width, with]) => {
                let (text, width, with) = (as_text(value)?, as_integer(width)? as usize, as_text(with)?);
                let padding = with.chars().cycle().take(width.saturating_sub(text.len()));
                V::Text(padding.chain(text.chars()).take(width).collect())
            }
            ("sign", [value]) => V::Double(match as_double(value)? {
                0.0 => 0.0,
                number => number.signum(),
            }),
            ("negative", [value]) => unary(UnaryOperator::Minus, V::Number(as_number(value)?)),
            ("round", [V::Double(n)]) => V::Double(n.round()),
            ("round", [value]) => V::Number(rounded(as_number(value)?, ONE)),
            ("round", [value, digits]) => {
                let (number, digits) = (as_number(value)?, as_integer(digits)?);
                V::Number(match digits {
                    0.. => number,
                    _ => rounded(number, ONE * 10i128.pow(digits.unsigned_abs() as u32)),
                })
            }
            ("greatest" | "least", values) => {
                let numbers = values.iter().map(as_number).collect::<Option<Vec<_>>>()?.into_iter();
                V::Number(if name == "greatest" { numbers.max() } else { numbers.min() }?)
            }
            _ => panic!("the oracle does not know {name} of {arguments:?}"),
        })
    }

    fn unixtime(&self, seconds: &V, pattern: &str) -> Option<V> {
        let seconds = match seconds {
            V::Instant(n, 1_000) => *n,
            other => i64::try_from(as_number(other)? / ONE).ok()?,
        };
        self.local_of_instant(seconds, 1_000).map(|at| V::Text(calendar::format(pattern, at)))
    }
}

fn day_text(day: NaiveDate) -> V {
    V::Text(day.to_string())
}

fn last_day(day: NaiveDate) -> Option<NaiveDate> {
    day.with_day(1)?.checked_add_months(Months::new(1))?.pred_opt()
}

/// To the next multiple; a tie is rounded away from zero.
fn rounded(number: i128, unit: i128) -> i128 {
    (number + unit / 2 * number.signum()) / unit * unit
}

/// A date in a format compared with a constant: its own text, an ISO date, a number with the same digits, or
/// otherwise text.
fn order_of_calendar(at: NaiveDateTime, pattern: &str, other: &V) -> Option<Ordering> {
    match other {
        V::Calendar(..) | V::Date(_) | V::Timestamp(_) => Some(at.cmp(&local_of(other)?)),
        V::Text(text) => match calendar::parse(pattern, text).or_else(|| calendar::parse_iso(text)) {
            Some(constant) => Some(at.cmp(&constant)),
            None => Some(calendar::format(pattern, at).as_bytes().cmp(text.as_bytes())),
        },
        V::Number(number) if calendar::is_digits(pattern) && calendar::sorts(pattern) => {
            Some(as_number(&V::Text(calendar::format(pattern, at)))?.cmp(number))
        }
        V::Number(number) if calendar::is_digits(pattern) && number % ONE == 0 => {
            let text = format!("{:0width$}", number / ONE, width = pattern.len());
            Some(at.cmp(&calendar::parse(pattern, &text)?))
        }
        _ => None,
    }
}

fn local_of(value: &V) -> Option<NaiveDateTime> {
    match value {
        V::Date(day) => Some(day.and_time(NaiveTime::MIN)),
        V::Timestamp(at) | V::Calendar(at, _) => Some(*at),
        _ => None,
    }
}

fn unary(op: UnaryOperator, value: V) -> V {
    match (op, value) {
        (UnaryOperator::Not, value) => not(value),
        // The smallest bigint is its own negation.
        (UnaryOperator::Minus, V::Number(number)) if number == LEAST => V::Number(number),
        (UnaryOperator::Minus, V::Number(number)) => V::Number(-number),
        (UnaryOperator::Minus, V::Double(number)) => V::Double(-number),
        (UnaryOperator::Minus, V::Instant(number, _)) => V::integer(number.wrapping_neg()),
        (UnaryOperator::Plus, value) => value,
        _ => V::Null,
    }
}

fn arithmetic(a: &V, op: BinaryOperator, b: &V, may_wrap: bool) -> V {
    if matches!(a, V::Double(_)) || matches!(b, V::Double(_)) {
        return float(a, op, b);
    }
    let (Some(x), Some(y)) = (as_number(a), as_number(b)) else { return V::Null };
    let are_whole = x % ONE == 0 && y % ONE == 0;
    // Results of bigints stay bigints.
    let wrapped = |number: i128| {
        let is_bigint = |number: i128| i64::try_from(number / ONE).is_ok();
        let wraps = may_wrap && are_whole && is_bigint(x) && is_bigint(y);
        V::Number(if wraps { i128::from((number / ONE) as i64) * ONE } else { number })
    };
    match op {
        BinaryOperator::Plus => wrapped(x + y),
        BinaryOperator::Minus => wrapped(x - y),
        BinaryOperator::Multiply if are_whole => {
            wrapped((x / ONE).saturating_mul(y / ONE).saturating_mul(ONE))
        }
        BinaryOperator::Multiply => V::Number(x.saturating_mul(y) / ONE),
        BinaryOperator::Modulo if y != 0 => V::Number(x % y),
        BinaryOperator::IntegerDivide if y != 0 => V::Number(x / y * ONE),
        BinaryOperator::Divide if y != 0 && are_whole => float(&V::Number(x), op, &V::Number(y)),
        BinaryOperator::Divide if y != 0 => V::Number(x.saturating_mul(ONE) / y),
        _ => V::Null,
    }
}

/// Whether a number is a decimal, like a literal beyond the greatest bigint, even after a minus: both Hive
/// versions compute -18446744073709551616 for `2 * -9223372036854775808`.
fn is_decimal(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) | Expr::UnaryOp { expr: inner, .. } => is_decimal(inner),
        Expr::BinaryOp { left, right, .. } => is_decimal(left) || is_decimal(right),
        Expr::Literal(Literal::Number(digits)) => digits.parse::<i64>().is_err(),
        _ => false,
    }
}

fn literal(value: &Literal) -> V {
    match value {
        Literal::Null => V::Null,
        Literal::Bool(value) => V::Bool(*value),
        Literal::Number(digits) | Literal::TypedNumber { digits, .. } => {
            V::Number(number(digits).expect("a number"))
        }
        Literal::Text(text) => V::Text(text.clone()),
        Literal::FilledIn { .. } | Literal::Later(_) => panic!("the oracle does not know {value:?}"),
    }
}

fn as_double(value: &V) -> Option<f64> {
    match value {
        V::Double(number) => Some(*number),
        other => {
            let number = as_number(other)?;
            let (sign, size) = (if number < 0 { "-" } else { "" }, number.unsigned_abs());
            format!("{sign}{}.{:06}", size / ONE.unsigned_abs(), size % ONE.unsigned_abs()).parse().ok()
        }
    }
}

fn float(a: &V, op: BinaryOperator, b: &V) -> V {
    let (Some(a), Some(b)) = (as_double(a), as_double(b)) else { return V::Null };
    match op {
        BinaryOperator::Plus => V::Double(a + b),
        BinaryOperator::Minus => V::Double(a - b),
        BinaryOperator::Multiply => V::Double(a * b),
        BinaryOperator::Divide if b != 0.0 => V::Double(a / b),
        _ => V::Null,
    }
}

fn as_number(value: &V) -> Option<i128> {
    match value {
        V::Number(number) => Some(*number),
        V::Double(number) => Some(number.trunc() as i128 * ONE + (number.fract() * ONE as f64) as i128),
        V::Instant(number, _) => Some(i128::from(*number) * ONE),
        V::Text(text) => double(text),
        _ => None,
    }
}

fn as_integer(value: &V) -> Option<i64> {
    as_number(value).map(|number| i64::try_from(number / ONE).unwrap_or(i64::MAX))
}

/// Hive compares a non-constant text with a number as doubles, which are equal for close numbers from 2^53
/// on.
fn order_of_doubles(a: i128, b: i128) -> Ordering {
    let double = |number: i128| (number / ONE) as f64;
    match a.abs().min(b.abs()) / ONE < 1 << 53 {
        true => a.cmp(&b),
        false => double(a).total_cmp(&double(b)),
    }
}

/// A text as Java parses a double. For Hive, NaN is greater than all other values.
fn double(text: &str) -> Option<i128> {
    let text = text.trim_matches(|c| c <= ' ');
    let unsigned = text.trim_start_matches(['+', '-']);
    match unsigned {
        "NaN" if text == unsigned => Some(i128::MAX / 4),
        _ => number(text).or_else(|| number(text.strip_suffix(['d', 'D', 'f', 'F'])?)),
    }
}

/// Digits, with a fraction that is dropped; NULL if they do not fit.
fn whole_of_text(text: &str, of: Type) -> V {
    let is_digit = |c: char| c.is_ascii_digit() || ['+', '-', '.'].contains(&c);
    let Some(number) = Some(text).filter(|text| text.chars().all(is_digit)).and_then(number) else {
        return V::Null;
    };
    let whole = number / ONE;
    let fits = match of {
        Type::BigInt => i64::try_from(whole).is_ok(),
        _ => i32::try_from(whole).is_ok(),
    };
    if fits { V::Number(whole * ONE) } else { V::Null }
}

fn as_text(value: &V) -> Option<String> {
    match value {
        V::Text(text) => Some(text.clone()),
        V::Calendar(at, pattern) => Some(calendar::format(pattern, *at)),
        V::Number(number) if number % ONE == 0 => Some((number / ONE).to_string()),
        V::Date(day) => Some(day.to_string()),
        // Some text; which one depends on the engine and its zone.
        V::Instant(number, _) => Some(number.to_string()),
        _ => None,
    }
}

/// The comparison with its operands exchanged.
fn flipped(op: BinaryOperator) -> Option<BinaryOperator> {
    Some(match op {
        BinaryOperator::Eq => BinaryOperator::Eq,
        BinaryOperator::NotEq => BinaryOperator::NotEq,
        BinaryOperator::Lt => BinaryOperator::Gt,
        BinaryOperator::LtEq => BinaryOperator::GtEq,
        BinaryOperator::Gt => BinaryOperator::Lt,
        BinaryOperator::GtEq => BinaryOperator::LtEq,
        _ => return None,
    })
}

fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(_) | Expr::TypedText { .. } => true,
        Expr::Nested(inner) | Expr::UnaryOp { expr: inner, .. } | Expr::Cast { expr: inner, .. } => {
            is_constant(inner)
        }
        Expr::Tuple(items) | Expr::And(items) | Expr::Or(items) => items.iter().all(|item| is_constant(item)),
        Expr::BinaryOp { left, right, .. } => is_constant(left) && is_constant(right),
        Expr::Call(call) => call.arguments.iter().all(|argument| is_constant(argument)),
        _ => false,
    }
}

/// Parses a decimal number; a value that does not fit becomes one outside every field.
fn number(text: &str) -> Option<i128> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().ok()?;
    let (negative, unsigned) = match mantissa.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, mantissa.strip_prefix('+').unwrap_or(mantissa)),
    };
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let shift = exponent - i32::try_from(fraction.len()).ok()? + PLACES as i32;
    let far = i128::MAX / 4;
    let digits = digits.trim_start_matches('0');
    let magnitude = if digits.is_empty() {
        0
    } else if digits.len() as i32 + shift > 37 {
        far
    } else {
        let digits: i128 = digits.parse().ok()?;
        if shift >= 0 { digits * 10i128.pow(shift as u32) } else { digits / 10i128.pow((-shift) as u32) }
    };
    Some(if negative { -magnitude } else { magnitude })
}

/// Hive's `substr`: counts UTF-16 units from 1; 0 is 1; negative positions count from the end, and give the
/// empty text before the start. Half a character becomes `?`.
fn substr(text: &str, from: i64, count: i64) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    let length = units.len() as i64;
    let start = match from {
        0 => 0,
        1.. => from - 1,
        _ => length + from,
    };
    if start < 0 || start >= length || count <= 0 {
        return String::new();
    }
    let end = start.saturating_add(count).min(length);
    char::decode_utf16(units[start as usize..end as usize].iter().copied())
        .map(|c| c.unwrap_or('?'))
        .collect()
}
