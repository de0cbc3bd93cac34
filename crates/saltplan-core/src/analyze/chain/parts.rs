//! Numbers and texts that are made of the year, the quarter, the month and the day of a date: `year(d) * 100 + month(d)`,
//! `concat(year(d), '-', lpad(month(d), 2, '0'))`, `quarter(d)`.

use std::fmt::Write as _;

use chrono::{Datelike as _, NaiveDate};

use super::value::{Number, Value};
use saltplan_sql::ast::TimeUnit;
use saltplan_sql::functions::Operation;
use saltplan_sql::time::pattern::Granularity;

/// A number or a text that is made of the parts of a date.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Parts {
    Number(Sum),
    Text(Vec<Piece>),
}

impl Parts {
    /// The number or the text of a day.
    pub fn of_day(&self, day: NaiveDate) -> Value {
        match self {
            Parts::Number(sum) => Value::Number(Number::Whole(sum.at(day).into())),
            Parts::Text(pieces) => {
                let mut text = String::new();
                pieces.iter().for_each(|piece| piece.write(day, &mut text));
                Value::Text(text)
            }
        }
    }

    /// Whether the same values recur in every year.
    pub fn recurs(&self) -> bool {
        match self {
            Parts::Number(sum) => sum.factors[Part::Year.rank()] == 0,
            Parts::Text(pieces) => {
                !pieces.iter().any(|piece| matches!(piece, Piece::Part { part: Part::Year, .. }))
            }
        }
    }

    /// Whether results are no less on a later day: those of numbers in all years, those of texts in years of the same number of digits.
    pub fn rises(&self) -> bool {
        let pieces = match self {
            Parts::Number(sum) => return sum.rises(),
            Parts::Text(pieces) => pieces,
        };
        let parts = pieces.iter().filter_map(|piece| match piece {
            Piece::Part { part, .. } => Some(*part),
            Piece::Literal(_) => None,
        });
        let parts: Vec<Part> = parts.collect();
        // If a day follows a year without a month, it gets smaller when the next month begins.
        parts.is_sorted_by_key(|part| part.rank())
            && parts.first() == Some(&Part::Year)
            && (!parts.contains(&Part::Day) || parts.contains(&Part::Month))
            && pieces.iter().all(Piece::is_of_one_width)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Year,
    Quarter,
    Month,
    Day,
}

impl Part {
    /// By rank.
    const ALL: [Part; 4] = [Part::Year, Part::Quarter, Part::Month, Part::Day];

    pub fn at(self, day: NaiveDate) -> i64 {
        match self {
            Part::Year => day.year().into(),
            Part::Quarter => i64::from(day.month0() / 3) + 1,
            Part::Month => day.month().into(),
            Part::Day => day.day().into(),
        }
    }

    /// The part that a function of dates gives.
    pub fn of_operation(operation: Operation) -> Option<Self> {
        Some(match operation {
            Operation::Part(TimeUnit::Year) => Part::Year,
            Operation::Part(TimeUnit::Quarter) => Part::Quarter,
            Operation::Part(TimeUnit::Month) => Part::Month,
            Operation::Part(TimeUnit::Day) => Part::Day,
            _ => return None,
        })
    }

    pub fn of_unit(unit: Granularity) -> Option<Self> {
        match unit {
            Granularity::Year => Some(Part::Year),
            Granularity::Month => Some(Part::Month),
            Granularity::Day => Some(Part::Day),
            _ => None,
        }
    }

    /// What the field has to store for it.
    pub fn unit(self) -> Granularity {
        match self {
            Part::Year => Granularity::Year,
            Part::Quarter | Part::Month => Granularity::Month,
            Part::Day => Granularity::Day,
        }
    }

    pub fn greatest(self) -> i64 {
        match self {
            Part::Year => 9999,
            Part::Quarter => 4,
            Part::Month => 12,
            Part::Day => 31,
        }
    }

    /// Its place in the order of time; if two have the same place, the coarser unit is first.
    pub fn rank(self) -> usize {
        self as usize
    }
}

/// `year * a + quarter * b + month * c + day * d + plus`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    /// By the rank of the part.
    factors: [i64; 4],
    plus: i64,
}

impl Sum {
    pub fn one(part: Part) -> Self {
        let mut sum = Sum::default();
        sum.factors[part.rank()] = 1;
        sum
    }

    pub fn constant(plus: i64) -> Self {
        Sum { plus, ..Sum::default() }
    }

    fn summands(&self) -> impl Iterator<Item = (Part, i64)> {
        Part::ALL.into_iter().zip(self.factors)
    }

    /// `self + other * sign`, if Hive computes it without an overflow of an int.
    pub fn plus(self, other: Self, sign: i64) -> Option<Self> {
        let add = |a: i64, b: i64| a.checked_add(b.checked_mul(sign)?);
        let mut sum = Sum { plus: add(self.plus, other.plus)?, ..self };
        for (factor, other) in sum.factors.iter_mut().zip(other.factors) {
            *factor = add(*factor, other)?;
        }
        sum.within_int()
    }

    pub fn times(self, by: i64) -> Option<Self> {
        Sum::default().plus(self, by)
    }

    /// `None` if an intermediate result may leave `int`: none exceeds the sum of the absolute summands.
    pub fn within_int(self) -> Option<Self> {
        let mut sizes = self
            .summands()
            .map(|(part, factor)| factor.unsigned_abs().checked_mul(part.greatest().unsigned_abs()));
        let all = sizes.try_fold(self.plus.unsigned_abs(), |all, size| all.checked_add(size?))?;
        i32::try_from(all).is_ok().then_some(self)
    }

    fn at(&self, day: NaiveDate) -> i64 {
        self.summands().map(|(part, factor)| part.at(day) * factor).sum::<i64>() + self.plus
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
pub(crate) enum Piece {
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
                let _ = write!(text, "{:0digits$}", part.at(day), digits = *digits);
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

/// A text of digits as a number: the sum of the parts of a date, each times a power of ten. Right for all years to 9999.
pub(crate) fn number_of(pieces: &[Piece]) -> Option<Sum> {
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
