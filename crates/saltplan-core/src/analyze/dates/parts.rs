//! Numbers and texts that are made of the year, the quarter, the month and the day of a date: `year(d) * 100 + month(d)`,
//! `concat(year(d), '-', lpad(month(d), 2, '0'))`, `quarter(d)`.

use std::cmp::Ordering;
use std::fmt::Write as _;

use chrono::{Datelike as _, Months, NaiveDate, NaiveTime};

use super::{check_list, plain_day};
use crate::analyze::compare::{Compared, Comparer, Comparison, NotUsed, Truth, from_cut_sets, numbered};
use crate::analyze::constant::{Constant, Decimal, constant_text, fold, whole};
use crate::analyze::values::ValueSet;
use crate::key::field::{FieldId, FieldKind};
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, Call, Expr, TimeUnit, Type, UnaryOperator};
use saltplan_sql::functions::Operation;
use saltplan_sql::time::pattern::{Granularity, PatternPiece, TimePattern};

/// A number or a text that is made of the parts of a date.
#[derive(Debug, Clone)]
pub(crate) struct DateParts {
    pub field: FieldId,
    form: Form,
}

#[derive(Debug, Clone)]
enum Form {
    Number(Sum),
    Text(Vec<Piece>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Year,
    Quarter,
    Month,
    Day,
}

impl Part {
    /// By rank.
    const ALL: [Part; 4] = [Part::Year, Part::Quarter, Part::Month, Part::Day];

    fn of(self, day: NaiveDate) -> i64 {
        match self {
            Part::Year => day.year().into(),
            Part::Quarter => i64::from(day.month0() / 3) + 1,
            Part::Month => day.month().into(),
            Part::Day => day.day().into(),
        }
    }

    /// The part that a function of dates gives.
    fn of_operation(operation: Operation) -> Option<Self> {
        Some(match operation {
            Operation::Part(TimeUnit::Year) => Part::Year,
            Operation::Part(TimeUnit::Quarter) => Part::Quarter,
            Operation::Part(TimeUnit::Month) => Part::Month,
            Operation::Part(TimeUnit::Day) => Part::Day,
            _ => return None,
        })
    }

    fn of_unit(unit: Granularity) -> Option<Self> {
        match unit {
            Granularity::Year => Some(Part::Year),
            Granularity::Month => Some(Part::Month),
            Granularity::Day => Some(Part::Day),
            _ => None,
        }
    }

    /// What the field has to store for it.
    fn unit(self) -> Granularity {
        match self {
            Part::Year => Granularity::Year,
            Part::Quarter | Part::Month => Granularity::Month,
            Part::Day => Granularity::Day,
        }
    }

    fn greatest(self) -> i64 {
        match self {
            Part::Year => 9999,
            Part::Quarter => 4,
            Part::Month => 12,
            Part::Day => 31,
        }
    }

    /// Its place in the order of time, and of one place the coarser unit first.
    fn rank(self) -> usize {
        self as usize
    }
}

/// `year * a + quarter * b + month * c + day * d + plus`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Sum {
    /// By the rank of the part.
    factors: [i64; 4],
    plus: i64,
}

impl Sum {
    fn one(part: Part) -> Self {
        let mut sum = Sum::default();
        sum.factors[part.rank()] = 1;
        sum
    }

    fn summands(&self) -> impl Iterator<Item = (Part, i64)> {
        Part::ALL.into_iter().zip(self.factors)
    }

    /// `self + other * sign`, if Hive computes it without an overflow of an int.
    fn plus(self, other: Self, sign: i64) -> Option<Self> {
        let add = |a: i64, b: i64| a.checked_add(b.checked_mul(sign)?);
        let mut sum = Sum { plus: add(self.plus, other.plus)?, ..self };
        for (factor, other) in sum.factors.iter_mut().zip(other.factors) {
            *factor = add(*factor, other)?;
        }
        sum.within_int()
    }

    fn times(self, by: i64) -> Option<Self> {
        Sum::default().plus(self, by)
    }

    /// `None` if an intermediate result may leave `int`: none exceeds the sum of the absolute summands.
    fn within_int(self) -> Option<Self> {
        let mut sizes = self
            .summands()
            .map(|(part, factor)| factor.unsigned_abs().checked_mul(part.greatest().unsigned_abs()));
        let all = sizes.try_fold(self.plus.unsigned_abs(), |all, size| all.checked_add(size?))?;
        i32::try_from(all).is_ok().then_some(self)
    }

    fn of(&self, day: NaiveDate) -> i64 {
        self.summands().map(|(part, factor)| part.of(day) * factor).sum::<i64>() + self.plus
    }

    /// Whether it is no less on a later day: a step of a part outweighs all that the finer ones fall by.
    fn rises(&self) -> bool {
        let [year, quarter, month, day] = self.factors;
        self.factors.iter().all(|factor| *factor >= 0)
            && month >= 30 * day
            && year >= 11 * month + 3 * quarter + 30 * day
    }
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Literal(String),
    /// Padded with zeros to this many digits.
    Part {
        part: Part,
        digits: usize,
    },
}

impl Piece {
    fn write(&self, day: NaiveDate, text: &mut String) {
        match self {
            Piece::Literal(literal) => text.push_str(literal),
            Piece::Part { part, digits } => {
                let _ = write!(text, "{:0digits$}", part.of(day), digits = *digits);
            }
        }
    }

    /// Whether it has the same number of characters on all days of the years 1000 to 9999.
    fn is_of_one_width(&self) -> bool {
        match self {
            Piece::Literal(_) | Piece::Part { part: Part::Year | Part::Quarter, .. } => true,
            Piece::Part { digits, .. } => *digits >= 2,
        }
    }
}

impl DateParts {
    /// Reads an expression; `None` for every other one.
    pub fn of(schema: &Schema, expr: &Expr) -> Option<Self> {
        let mut reader = Reader { schema, field: None, finest: Granularity::Year };
        let form = reader.form(expr)?;
        let field = reader.field?;
        let is_stored = match &schema.key.fields[field].kind {
            FieldKind::Calendar(calendar) => calendar.format.granularity() >= reader.finest,
            _ => true,
        };
        is_stored.then_some(DateParts { field, form })
    }

    /// # Errors
    /// Hive compares a constant of a list as a number in one version and as a text in another.
    pub(crate) fn check_list(&self, constants: &[&Constant]) -> Result<(), NotUsed> {
        check_list(constants, |constant| match (&self.form, constant) {
            (Form::Number(_), Constant::Text(text)) => {
                Decimal::parse(text).is_some_and(|number| number.to_string() == *text)
            }
            (Form::Text(_), Constant::Number(_)) => false,
            _ => true,
        })
    }

    /// Whether the same values recur in every year.
    pub(crate) fn recurs(&self) -> bool {
        match &self.form {
            Form::Number(sum) => sum.factors[Part::Year.rank()] == 0,
            Form::Text(pieces) => {
                !pieces.iter().any(|piece| matches!(piece, Piece::Part { part: Part::Year, .. }))
            }
        }
    }

    /// Field values for which the comparison holds. Without a year: numbers of days within a year ([`day_number`]).
    ///
    /// # Errors
    /// The constant is of another kind, or the values do not lie together.
    pub fn compare(
        &self,
        comparer: &mut Comparer<'_>,
        (comparison, constant): Compared<'_>,
    ) -> Result<Truth, NotUsed> {
        let (kind, recurs) = (comparer.kind(), self.recurs());
        let unknown = || if recurs { numbered(0..=0, |_| None) } else { Truth::unknown(kind) };
        if *constant == Constant::Null {
            return Ok(unknown());
        }
        match (self.compared_as(constant)?, constant) {
            (Form::Number(sum), _) => {
                let Some(number) = comparer.number(constant)? else { return Ok(unknown()) };
                let order = |day: NaiveDate| Decimal::integer(sum.of(day).into()).order(number);
                if recurs {
                    return Ok(of_any_year(comparison, order));
                }
                if !sum.rises() {
                    return Err(NotUsed(NOT_IN_ORDER.into()));
                }
                let run = comparer.years(1, 10_000);
                let [not_below, above] = comparer.rising(&run, |start| order(start.date()));
                Ok(from_cut_sets(kind, comparison, not_below, above))
            }
            (Form::Text(pieces), Constant::Text(constant)) => {
                let order = |day: NaiveDate| text(&pieces, day).as_str().cmp(constant);
                if recurs {
                    return Ok(of_any_year(comparison, order));
                }
                let when_true = match comparison {
                    Comparison::Equal => days_of_text(comparer, &pieces, constant),
                    _ => ordered_text(comparer, &pieces, comparison, order)?,
                };
                Ok(Truth::two_valued(when_true, kind))
            }
            (Form::Text(_), _) => Err(NotUsed("the constant is not a text".into())),
        }
    }

    /// Hive compares a text and a number as numbers.
    fn compared_as(&self, constant: &Constant) -> Result<Form, NotUsed> {
        match (&self.form, constant) {
            (Form::Text(pieces), Constant::Number(_)) => {
                number_of(pieces).map(Form::Number).ok_or_else(|| {
                    NotUsed("the text is compared with a number: write the constant in quotes".into())
                })
            }
            (form, _) => Ok(form.clone()),
        }
    }
}

/// The number of a day in a year, whichever it is.
pub(crate) fn day_number(month: u32, day: u32) -> u32 {
    month * 32 + day
}

/// The days of a leap year whose result compares so, by their [`day_number`].
fn of_any_year(comparison: Comparison, order: impl Fn(NaiveDate) -> Ordering) -> Truth {
    numbered(0..=day_number(12, 31), |number| {
        let day = NaiveDate::from_ymd_opt(2000, number / 32, number % 32)?;
        Some(comparison.holds(order(day)))
    })
}

const NOT_IN_ORDER: &str =
    "the result does not rise with the date; compare year, month and day in this order";

fn text(pieces: &[Piece], day: NaiveDate) -> String {
    let mut text = String::new();
    pieces.iter().for_each(|piece| piece.write(day, &mut text));
    text
}

/// The number that a text of digits is for the days of the years 1000 to 9999, and for those before.
fn number_of(pieces: &[Piece]) -> Option<Sum> {
    let mut sum = Sum::default();
    for piece in pieces {
        match piece {
            Piece::Literal(digits) => {
                let is_number = digits.len() <= 9 && digits.bytes().all(|byte| byte.is_ascii_digit());
                let factor = 10_i64.checked_pow(u32::try_from(digits.len()).ok()?)?;
                sum = sum.times(is_number.then_some(factor)?)?;
                sum.plus += digits.parse::<i64>().ok()?;
            }
            Piece::Part { part, digits } => {
                let width = match part {
                    // Before the year 1000 it may have fewer digits, which the parts before it do not show.
                    Part::Year if sum == Sum::default() || *digits >= 4 => 4,
                    Part::Quarter if *digits <= 1 => 1,
                    Part::Month | Part::Day if *digits == 2 => 2,
                    _ => return None,
                };
                sum = sum.times(10_i64.checked_pow(width)?)?.plus(Sum::one(*part), 1)?;
            }
        }
    }
    sum.within_int()
}

/// The values whose text is a constant.
fn days_of_text(comparer: &Comparer<'_>, pieces: &[Piece], constant: &str) -> ValueSet {
    let kind = comparer.kind();
    let mut found = Vec::new();
    matches_of(pieces, constant, [None; 4], &mut found);
    let mut sets = Vec::new();
    for [year, quarter, month, day] in found {
        let Some(year) = year.and_then(|year| i32::try_from(year).ok()) else { continue };
        let first = u32::try_from(day.unwrap_or(1)).unwrap_or_default();
        let is_of = |start: &NaiveDate| {
            month.is_none_or(|month| month == Part::Month.of(*start))
                && quarter.is_none_or(|quarter| quarter == Part::Quarter.of(*start))
        };
        let starts = (1..=12).filter_map(|month| NaiveDate::from_ymd_opt(year, month, first)).filter(is_of);
        for start in starts {
            let end = match day {
                Some(_) => start.succ_opt(),
                None => start.checked_add_months(Months::new(1)),
            };
            let not_before = |day: NaiveDate| comparer.not_before(day.and_time(NaiveTime::MIN), false);
            let from = not_before(start);
            sets.push(match end {
                Some(end) => from.intersect(&not_before(end).complement(kind)),
                None => from,
            });
        }
    }
    ValueSet::union_of(&sets.iter().collect::<Vec<_>>()).unwrap_or_else(|| ValueSet::none(kind))
}

/// The parts of dates, by rank, with which pieces are a text.
fn matches_of(pieces: &[Piece], text: &str, parts: [Option<i64>; 4], found: &mut Vec<[Option<i64>; 4]>) {
    let Some((piece, rest)) = pieces.split_first() else {
        if text.is_empty() {
            found.push(parts);
        }
        return;
    };
    match piece {
        Piece::Literal(literal) => {
            if let Some(text) = text.strip_prefix(literal.as_str()) {
                matches_of(rest, text, parts, found);
            }
        }
        Piece::Part { part, digits } => {
            let run = text.bytes().take_while(u8::is_ascii_digit).count();
            for length in 1..=run.min(if *part == Part::Year { MAX_YEAR_DIGITS } else { 2 }) {
                let (head, tail) = text.split_at(length);
                let Ok(number) = head.parse::<i64>() else { continue };
                let is_alone = parts[part.rank()].is_none_or(|before| before == number);
                let is_possible = *part == Part::Year || (1..=part.greatest()).contains(&number);
                if is_alone && is_possible && format!("{number:0digits$}", digits = *digits) == head {
                    let mut parts = parts;
                    parts[part.rank()] = Some(number);
                    matches_of(rest, tail, parts, found);
                }
            }
        }
    }
}

/// Digits of the year of an instant.
const MAX_YEAR_DIGITS: usize = 6;

/// Field values whose printed text satisfies the comparison, in the order of texts.
fn ordered_text(
    comparer: &Comparer<'_>,
    pieces: &[Piece],
    comparison: Comparison,
    order: impl Fn(NaiveDate) -> Ordering,
) -> Result<ValueSet, NotUsed> {
    let parts = pieces.iter().filter_map(|piece| match piece {
        Piece::Part { part, .. } => Some(*part),
        Piece::Literal(_) => None,
    });
    let parts: Vec<Part> = parts.collect();
    // If a day follows a year without a month, it gets smaller when the next month begins.
    let rises = parts.is_sorted_by_key(|part| part.rank())
        && parts.first() == Some(&Part::Year)
        && (!parts.contains(&Part::Day) || parts.contains(&Part::Month));
    let kind = comparer.kind();
    let beyond = comparer.values_from_unit(comparer.years(10_000, 10_000).start);
    if !rises || !pieces.iter().all(Piece::is_of_one_width) || !beyond.is_empty() {
        return Err(NotUsed(NOT_IN_ORDER.into()));
    }
    // Years of fewer digits are runs of their own.
    let mut when_true = ValueSet::none(kind);
    for (first, end) in [(1, 10), (10, 100), (100, 1_000), (1_000, 10_000)] {
        let run = comparer.years(first, end);
        let [not_below, above] = comparer.rising(&run, |start| order(start.date()));
        let values = from_cut_sets(kind, comparison, not_below, above).when_true;
        let before_end = comparer.values_from_unit(run.end).complement(kind);
        let values = values.intersect(&comparer.values_from_unit(run.start)).intersect(&before_end);
        when_true = when_true.union(&values);
    }
    Ok(when_true)
}

/// Reads parts of one field.
struct Reader<'a> {
    schema: &'a Schema,
    field: Option<FieldId>,
    /// The finest unit that is read of the field.
    finest: Granularity,
}

impl Reader<'_> {
    fn form(&mut self, expr: &Expr) -> Option<Form> {
        if let Some(sum) = self.sum(expr) {
            return Some(Form::Number(sum));
        }
        self.text(expr).map(Form::Text)
    }

    fn part(&mut self, part: Part, day: &Expr) -> Option<Part> {
        let field = plain_day(self.schema, day)?;
        let is_same = *self.field.get_or_insert(field) == field;
        self.finest = self.finest.max(part.unit());
        is_same.then_some(part)
    }

    fn part_call(&mut self, call: &Call) -> Option<Part> {
        let [day] = call.arguments.as_slice() else { return None };
        self.part(Part::of_operation(call.operation())?, day)
    }

    fn sum(&mut self, expr: &Expr) -> Option<Sum> {
        if let Some(constant) = whole(expr) {
            let plus = i64::try_from(constant.number).ok()?;
            return Sum { plus, ..Sum::default() }.within_int();
        }
        match expr {
            Expr::Nested(inner) | Expr::UnaryOp { op: UnaryOperator::Plus, expr: inner } => self.sum(inner),
            Expr::Call(call) => self.part_call(call).map(Sum::one),
            Expr::Cast { expr, data_type: Type::Int | Type::BigInt, .. } => match self.sum(expr) {
                Some(sum) => Some(sum),
                None => number_of(&self.text(expr)?),
            },
            Expr::BinaryOp { left, op, right } => match op {
                BinaryOperator::Plus => self.sum(left)?.plus(self.sum(right)?, 1),
                BinaryOperator::Minus => self.sum(left)?.plus(self.sum(right)?, -1),
                BinaryOperator::Multiply => match (whole(left), whole(right)) {
                    (Some(by), _) => self.sum(right)?.times(i64::try_from(by.number).ok()?),
                    (_, Some(by)) => self.sum(left)?.times(i64::try_from(by.number).ok()?),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// What is a text for Hive.
    fn text(&mut self, expr: &Expr) -> Option<Vec<Piece>> {
        match expr.unnested() {
            Expr::Cast { expr, data_type: Type::String, .. } => self.pieces(expr),
            Expr::BinaryOp { left, op: BinaryOperator::Concat, right } => {
                self.joined([&left.expr, &right.expr])
            }
            Expr::Call(call) => match (call.operation(), call.arguments.as_slice()) {
                (Operation::Concatenate, arguments) => {
                    self.joined(arguments.iter().map(|argument| &argument.expr))
                }
                (Operation::PadStart, [padded, width, zero]) => {
                    let pieces = self.pieces(padded)?;
                    let [Piece::Part { part, digits: 0 }] = pieces.as_slice() else { return None };
                    let is_zero = matches!(fold(zero)?, Constant::Text(zero) if zero == "0");
                    let digits = usize::try_from(whole(width)?.number).ok()?;
                    let greatest = part.greatest().to_string().len();
                    let is_plain = is_zero && (greatest..=10).contains(&digits);
                    is_plain.then(|| vec![Piece::Part { part: *part, digits }])
                }
                (Operation::Print, [day, pattern]) => {
                    let Constant::Text(pattern) = fold(pattern)? else { return None };
                    let pattern = TimePattern::parse(&pattern).ok()?;
                    let pieces = pattern.pieces().iter().map(|piece| match piece {
                        PatternPiece::Literal(c) => Some(Piece::Literal(c.to_string())),
                        PatternPiece::Unit(unit) => {
                            let part = self.part(Part::of_unit(*unit)?, day)?;
                            Some(Piece::Part { part, digits: piece.width() })
                        }
                    });
                    pieces.collect()
                }
                _ => None,
            },
            _ => match fold(expr)? {
                Constant::Text(text) => Some(vec![Piece::Literal(text)]),
                _ => None,
            },
        }
    }

    /// What is written as a text.
    fn pieces(&mut self, expr: &Expr) -> Option<Vec<Piece>> {
        if let Expr::Call(call) = expr.unnested()
            && let Some(part) = self.part_call(call)
        {
            return Some(vec![Piece::Part { part, digits: 0 }]);
        }
        self.text(expr).or_else(|| Some(vec![Piece::Literal(constant_text(expr)?)]))
    }

    fn joined<'e>(&mut self, parts: impl IntoIterator<Item = &'e Expr>) -> Option<Vec<Piece>> {
        let mut all = Vec::new();
        for part in parts {
            all.extend(self.pieces(part)?);
        }
        Some(all)
    }
}
