//! Arithmetic of one number of the key with constants: for which numbers the result is less than a constant, equal or greater.
//!
//! Every step keeps the order or turns it round, so a comparison is one cut, found by bisection with what Hive computes: whole
//! numbers, whose overflow wraps around, and doubles. Where Hive itself has two answers (an `int` that overflows in vectors or
//! row by row, a narrowing cast) the numbers are left to it.

use std::cmp::Ordering;

use super::compare::{Comparison, Truth};
use super::constant::{Constant, Decimal, WholeNumber, whole};
use super::term::{View, recognise};
use super::values::ValueSet;
use crate::hiveql::ast::{BinaryOperator, Call, Expr, Type, UnaryOperator};
use crate::key::bisect::first_where;
use crate::key::interval::{Interval, IntervalSet};
use crate::schema::model::{EpochField, FieldId, FieldKind, IntegerSize, Schema};

/// Digits of a constant that a double has exactly.
const EXACT_DIGITS: usize = 15;

/// A number field and what is done to it.
#[derive(Debug, Clone)]
pub(super) struct Formula {
    pub field: FieldId,
    width: Width,
    steps: Vec<Step>,
}

/// What Hive computes a whole number in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Width {
    Byte,
    Short,
    Int,
    Long,
}

impl Width {
    /// What a constant is computed in beside numbers of the key, which are no narrower than an int.
    fn of(constant: WholeNumber) -> Self {
        if constant.is_bigint { Width::Long } else { Width::Int }
    }

    fn holds(self, number: i128) -> Result<(), Overflow> {
        let (least, greatest) = match self {
            Width::Byte => (i8::MIN.into(), i8::MAX.into()),
            Width::Short => (i16::MIN.into(), i16::MAX.into()),
            Width::Int => (i32::MIN.into(), i32::MAX.into()),
            Width::Long => (i64::MIN.into(), i64::MAX.into()),
        };
        match number {
            _ if number < least => Err(Overflow::Below),
            _ if number > greatest => Err(Overflow::Above),
            _ => Ok(()),
        }
    }
}

/// A result beyond what the width holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Overflow {
    Below,
    Above,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    /// `x * factor + plus`, of which one does nothing: the factor is 1 or -1, or `plus` is 0.
    Affine {
        factor: i128,
        plus: i128,
        width: Width,
    },
    /// `x / by`, a double.
    Divide(i128),
    /// `x DIV by`, cut towards zero.
    DivideWhole(i128),
    ToDouble,
    /// A cast to a whole number, which cuts a double towards zero.
    ToWhole(Width),
    Floor,
    Ceiling,
}

impl Step {
    fn is_falling(self) -> bool {
        match self {
            Step::Affine { factor: by, .. } | Step::Divide(by) | Step::DivideWhole(by) => by < 0,
            _ => false,
        }
    }

    /// What the step makes of a number.
    fn apply(self, number: Number) -> Result<Number, Overflow> {
        Ok(match (self, number) {
            (Step::Affine { factor, plus, width }, Number::Whole(x)) => {
                let result = x * factor + plus;
                width.holds(result)?;
                Number::Whole(result)
            }
            (Step::Affine { factor, plus, .. }, Number::Double(x)) => Number::Double(match factor {
                1 => x + double(plus),
                -1 => double(plus) - x,
                factor => x * double(factor),
            }),
            (Step::Divide(by), x) => Number::Double(x.double() / double(by)),
            (Step::DivideWhole(by), Number::Whole(x)) => {
                let result = x / by;
                Width::Long.holds(result)?;
                Number::Whole(result)
            }
            (Step::ToDouble, x) => Number::Double(x.double()),
            (Step::ToWhole(width), Number::Whole(x)) => {
                width.holds(x)?;
                Number::Whole(x)
            }
            (Step::ToWhole(width), Number::Double(x)) => whole_of(x, width)?,
            (Step::Floor, Number::Double(x)) => whole_of(x.floor(), Width::Long)?,
            (Step::Ceiling, Number::Double(x)) => whole_of(x.ceil(), Width::Long)?,
            (Step::Floor | Step::Ceiling, x) => x,
            // The formula has no such step behind a double.
            (Step::DivideWhole(by), Number::Double(x)) => Number::Double(x / double(by)),
        })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "what is beyond is so as an i128, too")]
fn whole_of(x: f64, width: Width) -> Result<Number, Overflow> {
    let number = x as i128;
    width.holds(number)?;
    Ok(Number::Whole(number))
}

#[expect(clippy::cast_precision_loss, reason = "as Hive does")]
fn double(number: i128) -> f64 {
    number as f64
}

#[derive(Debug, Clone, Copy)]
enum Number {
    Whole(i128),
    Double(f64),
}

impl Number {
    fn double(self) -> f64 {
        match self {
            Number::Whole(number) => double(number),
            Number::Double(number) => number,
        }
    }
}

/// A constant as the results of a formula are compared with it.
#[derive(Debug, Clone, Copy)]
enum Bound {
    /// The first whole number that is not below, and whether it is the constant.
    Whole(i128, bool),
    Double(f64),
}

impl Bound {
    /// How a number stands to it.
    fn order(self, number: Number) -> Ordering {
        match (self, number) {
            (Bound::Whole(ceiling, is_equal), Number::Whole(number)) => match number.cmp(&ceiling) {
                Ordering::Equal if !is_equal => Ordering::Greater,
                order => order,
            },
            (Bound::Whole(ceiling, _), Number::Double(number)) => order(number, double(ceiling)),
            (Bound::Double(bound), number) => order(number.double(), bound),
        }
    }
}

/// No number here is NaN.
fn order(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// The numbers of a field by how the formula compares with a constant.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ordered {
    pub less: IntervalSet<i128>,
    pub equal: IntervalSet<i128>,
    pub greater: IntervalSet<i128>,
}

impl Ordered {
    pub(super) fn truth(&self, comparison: Comparison) -> Truth {
        let that = |wanted: bool| {
            let by_order = [
                (Ordering::Less, &self.less),
                (Ordering::Equal, &self.equal),
                (Ordering::Greater, &self.greater),
            ];
            let met = by_order.iter().filter(|(order, _)| comparison.holds(*order) == wanted);
            ValueSet::Numbers(met.fold(IntervalSet::empty(), |all, (_, set)| all.union(set)))
        };
        Truth { when_true: that(true), when_false: that(false) }
    }

    /// The numbers of which the order is known.
    pub(super) fn all(&self) -> IntervalSet<i128> {
        self.less.union(&self.equal).union(&self.greater)
    }
}

impl Formula {
    /// Reads an expression; `None` for every other one.
    pub(super) fn of(schema: &Schema, expr: &Expr) -> Option<Formula> {
        if let Some(term) = recognise(schema, expr).filter(|_| is_plain(expr)) {
            let (FieldKind::Integer(number) | FieldKind::Epoch(EpochField { number, .. })) =
                &schema.key.fields[term.field].kind
            else {
                return None;
            };
            let width = if number.size == IntegerSize::Int { Width::Int } else { Width::Long };
            let is_whole = term.view == View::Whole;
            return is_whole.then(|| Formula { field: term.field, width, steps: Vec::new() });
        }
        match expr {
            Expr::Nested(inner) | Expr::UnaryOp { op: UnaryOperator::Plus, expr: inner } => {
                Formula::of(schema, inner)
            }
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } => {
                Formula::of(schema, expr)?.affine(-1, 0, Width::Byte)
            }
            Expr::BinaryOp { left, op, right } => match (whole(left), whole(right)) {
                (None, Some(by)) => Formula::of(schema, left)?.with_constant(*op, by),
                (Some(by), None) => Formula::of(schema, right)?.of_constant(by, *op),
                _ => None,
            },
            Expr::Cast { expr, data_type } => Formula::of(schema, expr)?.cast(*data_type),
            Expr::Call(Call { name, arguments }) => match (name.as_str(), arguments.as_slice()) {
                ("floor", [expr]) => Some(Formula::of(schema, expr)?.then(Step::Floor, Width::Long)),
                ("ceil" | "ceiling", [expr]) => {
                    Some(Formula::of(schema, expr)?.then(Step::Ceiling, Width::Long))
                }
                // A number of the key is never NULL.
                ("coalesce" | "nvl", [expr, others @ ..]) => {
                    let formula = Formula::of(schema, expr)?;
                    let mut width = formula.width;
                    for other in others {
                        width = width.max(Width::of(whole(other)?));
                    }
                    Some(Formula { width, ..formula })
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn then(mut self, step: Step, width: Width) -> Self {
        self.steps.push(step);
        Formula { width, ..self }
    }

    fn is_double(&self) -> bool {
        let last = self.steps.iter().rev().find(|step| !matches!(step, Step::Affine { .. }));
        matches!(last, Some(Step::Divide(_) | Step::ToDouble))
    }

    fn affine(self, factor: i128, plus: i128, of_constant: Width) -> Option<Self> {
        let width = self.width.max(of_constant);
        (factor != 0).then(|| self.then(Step::Affine { factor, plus, width }, width))
    }

    /// `x op by`.
    fn with_constant(self, op: BinaryOperator, constant: WholeNumber) -> Option<Self> {
        let (by, width) = (constant.number, Width::of(constant));
        match op {
            BinaryOperator::Plus => self.affine(1, by, width),
            BinaryOperator::Minus => self.affine(1, -by, width),
            BinaryOperator::Multiply => self.affine(by, 0, width),
            BinaryOperator::Divide if by != 0 => Some(self.then(Step::Divide(by), Width::Long)),
            BinaryOperator::IntegerDivide if by != 0 && !self.is_double() => {
                Some(self.then(Step::DivideWhole(by), Width::Long))
            }
            _ => None,
        }
    }

    /// `by op x`.
    fn of_constant(self, constant: WholeNumber, op: BinaryOperator) -> Option<Self> {
        match op {
            BinaryOperator::Plus | BinaryOperator::Multiply => self.with_constant(op, constant),
            BinaryOperator::Minus => self.affine(-1, constant.number, Width::of(constant)),
            _ => None,
        }
    }

    fn cast(self, data_type: Type) -> Option<Self> {
        let width = match data_type {
            Type::TinyInt => Width::Byte,
            Type::SmallInt => Width::Short,
            Type::Int => Width::Int,
            Type::BigInt => Width::Long,
            Type::Double => return Some(self.then(Step::ToDouble, Width::Long)),
            _ => return None,
        };
        Some(self.then(Step::ToWhole(width), width))
    }

    /// The result for a number of the field, or on which side of its numbers Hive's results are left to it.
    fn at(&self, number: i128) -> Result<Number, Overflow> {
        let mut result = Number::Whole(number);
        let mut is_falling = false;
        for step in &self.steps {
            is_falling ^= step.is_falling();
            result = step.apply(result).map_err(|overflow| match (overflow, is_falling) {
                (overflow, false) => overflow,
                (Overflow::Above, true) => Overflow::Below,
                (Overflow::Below, true) => Overflow::Above,
            })?;
        }
        Ok(result)
    }

    /// The numbers of a domain by how their results compare with a constant; those in none of the sets are left to Hive. `None`
    /// where the constant is not compared as a number.
    pub(super) fn compare(&self, domain: &Interval<i128>, constant: &Constant) -> Option<Ordered> {
        let Constant::Number(number) = constant else { return None };
        let bound = self.bound(*number)?;
        let (first, stop) = (domain.start, domain.stop?);
        let overflow = |x: i128| self.at(x).err();
        let from = first_where(first..stop, |x| overflow(x) != Some(Overflow::Below));
        let to = first_where(from..stop, |x| overflow(x) == Some(Overflow::Above));
        let mut ordered = Ordered {
            less: IntervalSet::empty(),
            equal: IntervalSet::empty(),
            greater: IntervalSet::empty(),
        };
        let order = |x: i128| self.at(x).map_or(Ordering::Equal, |number| bound.order(number));
        self.cut(from, to, order, &mut ordered);
        // A sum of bigints wraps around, and each side of the others is a run of its own.
        if let [Step::Affine { factor: factor @ (1 | -1), plus, width: Width::Long }] = *self.steps.as_slice()
        {
            #[expect(clippy::cast_possible_truncation, reason = "that is the wrapping around")]
            let order = |x: i128| bound.order(Number::Whole(i128::from((x * factor + plus) as i64)));
            self.cut(first, from, order, &mut ordered);
            self.cut(to, stop, order, &mut ordered);
        }
        Some(ordered)
    }

    fn bound(&self, number: Decimal) -> Option<Bound> {
        let (ceiling, is_equal) = number.ceiling();
        if !self.is_double() {
            return Some(Bound::Whole(ceiling, is_equal));
        }
        let text = number.to_string();
        let is_exact = text.bytes().filter(u8::is_ascii_digit).count() <= EXACT_DIGITS;
        if is_exact { text.parse().ok().map(Bound::Double) } else { None }
    }

    /// Cuts a run of numbers whose results rise, or fall.
    fn cut(&self, start: i128, stop: i128, order: impl Fn(i128) -> Ordering, ordered: &mut Ordered) {
        let is_falling = self.steps.iter().filter(|step| step.is_falling()).count() % 2 == 1;
        let order = |x: i128| if is_falling { order(x).reverse() } else { order(x) };
        let equal = first_where(start..stop, |x| order(x) != Ordering::Less);
        let above = first_where(equal..stop, |x| order(x) == Ordering::Greater);
        let add = |set: &mut IntervalSet<i128>, start, stop| {
            if start < stop {
                *set = set.union(&IntervalSet::range(start, Some(stop)));
            }
        };
        let (low, high) = if is_falling {
            (&mut ordered.greater, &mut ordered.less)
        } else {
            (&mut ordered.less, &mut ordered.greater)
        };
        add(low, start, equal);
        add(high, above, stop);
        add(&mut ordered.equal, equal, above);
    }
}

/// A field, perhaps cast to what it is.
fn is_plain(expr: &Expr) -> bool {
    match expr {
        Expr::Column(_) => true,
        Expr::Nested(inner) | Expr::Cast { expr: inner, data_type: Type::BigInt } => is_plain(inner),
        _ => false,
    }
}
