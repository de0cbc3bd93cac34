//! Arithmetic of a number of the key: for which numbers the result is less than a constant, equal or greater.
//!
//! Every step keeps or turns the order, so a comparison is one cut. Bisection finds it with the results of Hive: whole numbers that
//! wrap around on overflow, and doubles. Hive checks the numbers for which it has two answers (an `int` that overflows in vectorized
//! or row-by-row execution, a narrowing cast).

use std::cmp::Ordering;

use super::comparand::Comparand;
use super::truth::{NotUsed, Truth, not_used};
use super::{Compared, Comparer};
use crate::analyze::chain::{Chain, DigitCounts, Number, NumberStep, OutOfRange, Shape, Step, Value};
use crate::analyze::constant::{Constant, Decimal};
use crate::analyze::values::ValueSet;
use crate::key::interval::{Interval, IntervalSet};
use crate::key::number::IntegerSize;
use saltplan_sql::time::bisect::first_where;

/// The maximum number of digits that a double represents exactly.
const EXACT_DIGITS: usize = 15;

/// Numbers of a field by how the result compares with a constant.
type Runs = Vec<(Ordering, Interval<i128>)>;

impl Comparer<'_> {
    /// The truth of a comparison with a constant, and the numbers for which it is left to Hive.
    ///
    /// # Errors
    /// The constant is not compared as a number.
    pub(crate) fn arithmetic(
        &self,
        chain: &Chain,
        (comparison, constant): Compared<'_>,
    ) -> Result<(Truth, ValueSet), NotUsed> {
        let kind = self.kind();
        let (number, domain) = match (constant, kind.domain()) {
            (Constant::Null, _) => return Ok((Truth::unknown(kind), ValueSet::none(kind))),
            (Constant::Number(number), Some(Interval { start, stop: Some(stop) })) => (number, start..stop),
            _ => return not_a_number(),
        };
        let Some(bound) = bound_of(chain.shape, *number) else { return not_a_number() };
        let mut runs = Runs::new();
        compare_run(chain, domain.start, domain.end, &bound, &mut runs);
        let that_are = |wanted: &dyn Fn(Ordering) -> bool| {
            let runs = runs.iter().filter(|(order, _)| wanted(*order)).map(|(_, run)| run.clone());
            ValueSet::Numbers(IntervalSet::from_intervals(runs.collect()))
        };
        let truth = Truth {
            when_true: that_are(&|order| comparison.holds(order)),
            when_false: that_are(&|order| !comparison.holds(order)),
        };
        Ok((truth, that_are(&|_| true).complement(kind)))
    }
}

fn not_a_number<T>() -> Result<T, NotUsed> {
    not_used("compare the result with a number")
}

fn at(chain: &Chain, number: i128) -> Result<Value, OutOfRange> {
    chain.evaluate(Value::Number(Number::Whole(number)))
}

/// The numbers of a run, up to one that is not in it.
fn compare_run(chain: &Chain, first: i128, stop: i128, bound: &Comparand, runs: &mut Runs) {
    let is_absolute = |step: &Step| matches!(step, Step::Number(NumberStep::Absolute(_)));
    if let Some(place) = chain.steps.iter().position(is_absolute) {
        for (side, first, stop) in sides(chain, place, first, stop) {
            compare_run(&side, first, stop, bound, runs);
        }
        return;
    }
    let overflow = |x: i128| at(chain, x).err();
    let from = first_where(first..stop, |x| overflow(x) != Some(OutOfRange::Below));
    let to = first_where(from..stop, |x| overflow(x) == Some(OutOfRange::Above));
    let order = |x: i128| at(chain, x).map_or(Ordering::Equal, |value| bound.order(&value));
    let is_falling = chain.is_falling();
    cut(from, to, is_falling, order, runs);
    // A sum of bigints wraps around, and each side of the others is a run of its own.
    if let [Step::Number(NumberStep::Linear { factor, plus, size: Some(IntegerSize::Bigint) })] =
        *chain.steps.as_slice()
        && factor.digits.abs() == 1
    {
        #[expect(clippy::cast_possible_truncation, reason = "that is the wrapping around")]
        let order = |x: i128| {
            let wrapped = Number::Whole(i128::from((x * factor.digits + plus.digits) as i64));
            bound.order(&Value::Number(wrapped))
        };
        cut(first, from, is_falling, order, runs);
        cut(to, stop, is_falling, order, runs);
    }
}

/// Splits a run at the zero of an `Absolute`: each side with the chain that has no `Absolute` there.
fn sides(chain: &Chain, place: usize, first: i128, stop: i128) -> [(Chain, i128, i128); 2] {
    let before = Chain { steps: chain.steps[..place].to_vec(), ..chain.clone() };
    let is_falling = before.is_falling();
    let is_second = |x: i128| match at(&before, x) {
        Ok(value) => matches!(value, Value::Number(number) if number.is_negative()) == is_falling,
        Err(side) => side == OutOfRange::Above,
    };
    let middle = first_where(first..stop, is_second);
    let with = |is_negative: bool| {
        let mut chain = chain.clone();
        let factor = Decimal::integer(if is_negative { -1 } else { 1 });
        if let Step::Number(NumberStep::Absolute(size)) = chain.steps[place] {
            let plus = Decimal::integer(0);
            chain.steps[place] = Step::Number(NumberStep::Linear { factor, plus, size: Some(size) });
        }
        chain
    };
    [(with(!is_falling), first, middle), (with(is_falling), middle, stop)]
}

/// Cuts a run of numbers whose results rise, or fall.
fn cut(start: i128, stop: i128, is_falling: bool, order: impl Fn(i128) -> Ordering, runs: &mut Runs) {
    let order = |x: i128| if is_falling { order(x).reverse() } else { order(x) };
    let equal = first_where(start..stop, |x| order(x) != Ordering::Less);
    let above = first_where(equal..stop, |x| order(x) == Ordering::Greater);
    let (low, high) =
        if is_falling { (Ordering::Greater, Ordering::Less) } else { (Ordering::Less, Ordering::Greater) };
    for (order, start, stop) in [(low, start, equal), (Ordering::Equal, equal, above), (high, above, stop)] {
        runs.push((order, Interval::new(start, Some(stop))));
    }
}

/// What results are compared with; `None` where it is not known how Hive compares the constant with them.
fn bound_of(shape: Shape, number: Decimal) -> Option<Comparand> {
    match shape {
        Shape::Decimal(digits) => {
            // A double and a decimal are compared as doubles, which represent this many digits exactly.
            let DigitCounts { whole, .. } = DigitCounts::of(number);
            let count = whole + number.scale.max(digits.fraction);
            (count as usize <= EXACT_DIGITS).then_some(Comparand::Number(number))
        }
        Shape::Double => {
            let text = number.to_string();
            let is_exact = text.bytes().filter(u8::is_ascii_digit).count() <= EXACT_DIGITS;
            if is_exact { text.parse().ok().map(Comparand::Double) } else { None }
        }
        _ => Some(Comparand::Number(number)),
    }
}
