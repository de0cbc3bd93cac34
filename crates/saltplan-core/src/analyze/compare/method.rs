//! How a comparison of a chain with a constant is solved.

use super::printed::Printed;
use crate::analyze::chain::parts::{Part, Parts};
use crate::analyze::chain::{Chain, Shape, Step, TimeOfDay, TimeStep};

/// The way from a constant to values of the field.
pub(super) enum Method<'c> {
    // The steps have inverses: the values of the field follow from the constant.
    /// The constant is a value of the field.
    Field,
    /// Steps of a text, or of a number as its text.
    Text(&'c [Step]),
    Printed(Printed<'c>),
    Day,
    /// Days that are added to the day of the field, and the days from there to another day.
    CountedDays {
        plus_days: i64,
        distance: Option<&'c TimeStep>,
    },
    // The results recur: those for which the comparison holds are numbers of a cycle.
    MonthOrDay(Part),
    TimeOfDay(&'c TimeOfDay),
    // The steps keep or turn the order: bisection over what they evaluate to finds a cut.
    /// If the parts have no year, the results recur, too.
    Parts(&'c Parts),
    Arithmetic,
    MovedDay,
}

impl<'c> Method<'c> {
    pub fn of_chain(chain: &'c Chain) -> Self {
        let is_of_text = |step: &Step| matches!(step, Step::Text(_) | Step::NumberText);
        match (chain.steps.as_slice(), chain.shape) {
            ([], Shape::Own) => Method::Field,
            ([Step::Time(TimeStep::Part(part))], _) => Method::MonthOrDay(*part),
            ([Step::Time(TimeStep::TimeOfDay(time))], _) => Method::TimeOfDay(time),
            ([Step::Time(TimeStep::Parts(parts))], _) => Method::Parts(parts),
            ([Step::Time(TimeStep::Day)], Shape::Date) => Method::Day,
            ([Step::Time(TimeStep::Day), Step::Time(TimeStep::AddDays(days))], Shape::Date) => {
                Method::CountedDays { plus_days: *days, distance: None }
            }
            (
                [
                    Step::Time(TimeStep::Day),
                    Step::Time(TimeStep::AddDays(days)),
                    Step::Time(distance @ (TimeStep::DaysSince(_) | TimeStep::DaysUntil(_))),
                ],
                _,
            ) => Method::CountedDays { plus_days: *days, distance: Some(distance) },
            (steps @ [first, ..], _) if is_of_text(first) => Method::Text(steps),
            (steps, shape) => match (Printed::of_steps(steps), shape) {
                (Some(printed), _) => Method::Printed(printed),
                (None, Shape::Date | Shape::Timestamp | Shape::Text) => Method::MovedDay,
                (None, _) => Method::Arithmetic,
            },
        }
    }

    /// Whether the values of the field follow from the constant itself.
    pub fn is_inverse(&self) -> bool {
        !matches!(self, Method::TimeOfDay(_) | Method::Parts(_) | Method::Arithmetic | Method::MovedDay)
    }
}
