//! Conditions on run-time values, which are known when the statement runs. They become ranges of one key field.
//!
//! For the other conditions these values are constants without a value, of which nothing is inferred. Here they are read apart, because
//! what is wanted is not a set of values but bounds that Hive can compute in the statement, and because a condition of which it cannot
//! must be refused: a plan without it would read the whole table.

mod form;
mod hour;
mod operand;
mod value;

use super::Origin;
use crate::analyze::bind::{Bound, BoundNode, Operator};
use crate::analyze::runtime::{
    RuntimeCondition, RuntimeRange, RuntimeValue, greatest_behind, has_time_of_day,
};
use crate::key::field::{Field, FieldId, FieldKind};
use crate::schema::model::Schema;
use hour::Hour;
use operand::{Operand, Part};
use saltplan_document::diag::{Diagnostic, PredicateFault};
use saltplan_sql::ValueForm;
use saltplan_sql::ast::BinaryOperator;
use saltplan_sql::functions::Operation;
use saltplan_sql::time::pattern::Granularity;
use value::{MAX_MOVED, in_format, milliseconds};

/// The maximum length of a list of run-time values: each pair is compared before the statement runs.
const MAX_ITEMS: usize = 16;

/// The conditions on run-time values, as the walk over a predicate meets them.
#[derive(Default)]
pub(super) struct RuntimeConditions<'a> {
    condition: Option<RuntimeCondition>,
    /// Hours of a day that another condition has.
    hours: Vec<(With<'a>, Hour)>,
    last: Option<With<'a>>,
}

impl<'a> RuntimeConditions<'a> {
    /// Adds a condition; `is_conjunct` says that the whole predicate is only true where it is.
    ///
    /// # Errors
    /// It makes no range whose bounds Hive can compute.
    pub fn add(&mut self, with: With<'a>, is_conjunct: bool) -> Result<(), Diagnostic> {
        if !is_conjunct {
            return Err(with.refused("it stands below OR or NOT", "not joined by AND alone"));
        }
        self.last = Some(with);
        if let Some(hour) = with.hour() {
            self.hours.push((with, hour));
            return Ok(());
        }
        let one = with.condition()?;
        self.condition = Some(match self.condition.take() {
            None => one,
            Some(before) => with.both(before, one)?,
        });
        Ok(())
    }

    /// All of them as one condition, with warnings.
    ///
    /// # Errors
    /// An hour has no day, or a value has another form than the key.
    pub fn together(self) -> Result<(Option<RuntimeCondition>, Vec<Diagnostic>), Diagnostic> {
        let mut condition = self.condition;
        for (with, hour) in self.hours {
            condition = Some(with.hour_of_day(condition, hour)?);
        }
        let mut warnings = Vec::new();
        if let (Some(condition), Some(with)) = (&condition, self.last) {
            with.check_forms(condition)?;
            warnings = with.remarks(condition);
        }
        Ok((condition, warnings))
    }
}

fn runtime_names(node: &BoundNode) -> Vec<&str> {
    let mut names = Vec::new();
    node.walk(&mut |part| {
        if let Bound::Runtime(name) = &part.what {
            names.push(name.as_str());
        }
    });
    names
}

/// A condition with a value that is not known yet.
#[derive(Clone, Copy)]
pub(super) struct With<'a> {
    pub schema: &'a Schema,
    pub origin: Origin<'a>,
    pub leaf: &'a BoundNode,
}

impl With<'_> {
    /// Whether the condition has such a value.
    pub fn is_needed(&self) -> bool {
        !self.origin.runtime.is_empty() && !runtime_names(self.leaf).is_empty()
    }

    fn refused(&self, reason: &str, label: &str) -> Diagnostic {
        let names = runtime_names(self.leaf).into_iter().map(|name| format!("`:{name}`"));
        let names = names.collect::<Vec<_>>().join(", ");
        let about = format!("{names} must be known when the statement is printed");
        Diagnostic::error_because(&about, reason)
            .at(self.origin.source, self.leaf.span, label)
            .with_help(
                "give the value with `--param`, and run saltplan when it is known; a run-time value can only be compared with \
                 a key field by `=`, `<`, `<=`, `>`, `>=`, BETWEEN and IN, joined to other conditions by AND",
            )
            .with_fault(PredicateFault::Parameter)
    }

    fn unknown(&self) -> Diagnostic {
        self.refused("saltplan does not know this form", "not a comparison with a key field")
    }

    fn condition(&self) -> Result<RuntimeCondition, Diagnostic> {
        let (operand, compared) = match self.leaf.operation() {
            Some((Operator::Binary(op), [left, right])) if runtime_names(left).is_empty() => {
                (left, vec![(op, right)])
            }
            Some((Operator::Binary(op), [left, right])) if runtime_names(right).is_empty() => {
                (right, vec![(op.flipped(), left)])
            }
            Some((Operator::Between { negated: false }, [operand, low, high])) => {
                (operand, vec![(BinaryOperator::GtEq, low), (BinaryOperator::LtEq, high)])
            }
            Some((Operator::In { negated: false }, [operand, list @ ..])) if list.len() <= MAX_ITEMS => {
                (operand, list.iter().map(|item| (BinaryOperator::Eq, item)).collect())
            }
            _ => return Err(self.unknown()),
        };
        let operand = self.operand(operand)?;
        let ranges = compared.into_iter().map(|(op, value)| self.range(&operand, op, value));
        let mut ranges = ranges.collect::<Result<Vec<_>, _>>()?;
        let is_of_hours = matches!(operand.part, Part::Within(Granularity::Hour));
        if let (Some((Operator::Between { .. }, _)), [from, until]) =
            (self.leaf.operation(), ranges.as_slice())
        {
            ranges = vec![joined(from, until).ok_or_else(|| self.unknown())?];
        }
        let Operand { field, clock, .. } = operand;
        let declared = &self.schema.key.fields[field];
        match &declared.kind {
            FieldKind::Text(_) => return self.texts(field, declared, &ranges),
            FieldKind::Integer(number) if number.fixed_width().is_none() => {
                return self.texts(field, declared, &ranges);
            }
            FieldKind::Integer(_) => {}
            FieldKind::Calendar(_) | FieldKind::Epoch(_) => self.check_times(declared, &ranges)?,
        }
        let mut condition = RuntimeCondition { field, ranges, clock };
        if is_of_hours {
            for index in 0..condition.ranges.len() {
                if let RuntimeRange::Within { value, .. } = condition.ranges[index].clone() {
                    condition.ranges[index] = self.within_hour(&condition, value)?;
                }
            }
        }
        Ok(condition)
    }

    /// The range of a comparison with one value.
    fn range(
        &self,
        operand: &Operand,
        op: BinaryOperator,
        value: &BoundNode,
    ) -> Result<RuntimeRange, Diagnostic> {
        let kind = &self.schema.key.fields[operand.field].kind;
        if let Part::Within(unit) = operand.part {
            let value = self.within(operand, kind, value)?;
            return match op {
                BinaryOperator::Eq => Ok(RuntimeRange::Within { value, unit }),
                _ => Err(self.unknown()),
            };
        }
        let value = match (operand.part, value.call()) {
            (Part::Time, Some(call)) if call.operation() == Operation::Concatenate => {
                let [of, time] = call.arguments.as_slice() else { return Err(self.unknown()) };
                self.time(kind, of, time)?
            }
            _ => in_format(self.value(value)?, operand.given.as_ref()),
        };
        let next = match operand.part {
            Part::Time => value.later_by(milliseconds(kind)),
            _ => value.moved_by(1),
        };
        let (from, until) = match op {
            BinaryOperator::Eq => (Some(value), Some(next)),
            BinaryOperator::GtEq => (Some(value), None),
            BinaryOperator::Gt => (Some(next), None),
            BinaryOperator::Lt => (None, Some(value)),
            BinaryOperator::LtEq => (None, Some(next)),
            _ => return Err(self.unknown()),
        };
        Ok(RuntimeRange::Between { from, until })
    }

    fn check_times(&self, declared: &Field, ranges: &[RuntimeRange]) -> Result<(), Diagnostic> {
        let values = || ranges.iter().flat_map(RuntimeRange::values);
        if values().any(|value| value.moved.abs() > MAX_MOVED) {
            return Err(self.refused("it is moved too far", "more than 100,000"));
        }
        if ranges.iter().any(|range| matches!(range, RuntimeRange::Within { .. })) {
            return Ok(());
        }
        if self.compares_numbers(declared) {
            return Ok(());
        }
        if values().any(|value| value.given.is_instant()) {
            let is_alone = values().all(|value| value.given.is_instant());
            let instants = values().find(|value| value.given.is_instant());
            if let (FieldKind::Calendar(calendar), Some(value)) = (&declared.kind, instants) {
                let wanted = calendar.format.pattern();
                return Err(self.wrong_form(&value.name, &value.given, &ValueForm::WithOffset, wanted));
            }
            if !matches!(declared.kind, FieldKind::Epoch(_)) || !is_alone {
                return Err(self.refused(
                    "a time with an offset is compared with an instant (`epoch`) of the key alone",
                    "with a time with an offset",
                ));
            }
            return Ok(());
        }
        if has_time_of_day(declared) {
            if values().any(|value| value.given.format().is_none()) {
                return Err(self.refused(
                    "a day is compared with a field that has a time of day; say which form the day has, as in `--runtime day:iso=TEXT`",
                    "a day of unknown form",
                ));
            }
            let is_day = |value: &RuntimeValue| {
                value.given.format().is_some_and(|format| format.granularity() == Granularity::Day)
            };
            if !values().all(is_day) {
                return Err(self.refused("its form is not that of a day", "with this form"));
            }
            return Ok(());
        }
        let FieldKind::Calendar(calendar) = &declared.kind else { return Ok(()) };
        let granularity = calendar.format.granularity();
        let is_alike = |value: &RuntimeValue| {
            value.given.format().is_none_or(|format| format.granularity() == granularity)
        };
        if !values().all(is_alike) {
            return Err(self.refused("its form is not that of the field's days or months", "with this form"));
        }
        Ok(())
    }

    /// Whole texts: each ends at a separator or at the end of the key.
    fn texts(
        &self,
        field: FieldId,
        declared: &Field,
        ranges: &[RuntimeRange],
    ) -> Result<RuntimeCondition, Diagnostic> {
        let values = ranges.iter().map(|range| range.only().filter(|value| value.moved == 0));
        let Some(values) = values.collect::<Option<Vec<_>>>() else {
            return Err(self.refused(
                "for a text, or a number without a fixed width, only `=` and `IN` make ranges of keys",
                "not one value",
            ));
        };
        if values.iter().any(|value| value.given.format().is_some()) {
            return Err(self.refused("a text has no form of a day", "with a form"));
        }
        self.check_ends(field, declared)?;
        let ranges = values.into_iter().cloned().map(RuntimeRange::Is).collect();
        Ok(RuntimeCondition { field, ranges, clock: None })
    }

    /// # Errors
    /// It is not known where the value of a field ends in its keys.
    fn check_ends(&self, field: FieldId, declared: &Field) -> Result<(), Diagnostic> {
        let is_last = self.schema.key.stored().last() == Some(field);
        let ends_by_width = declared.kind.fixed_width().is_some()
            && greatest_behind(self.schema, field).is_some_and(|greatest| greatest < char::MAX);
        if declared.separator.is_empty() && !is_last && !ends_by_width {
            return Err(self.refused(
                "the text ends where the next field begins, and nothing stands between them",
                "no separator behind it",
            ));
        }
        if declared.kind.may_hold_part_of(&declared.separator) {
            return Err(self.refused(
                "the text may contain the separator behind it, so rows of other values lie in its range; declare with `chars` \
                 that it does not",
                "not told from longer texts",
            ));
        }
        Ok(())
    }

    /// A lower and an upper bound on one field are one range.
    fn both(&self, a: RuntimeCondition, b: RuntimeCondition) -> Result<RuntimeCondition, Diagnostic> {
        let both = match (a.ranges.as_slice(), b.ranges.as_slice()) {
            ([one], [other]) if a.field == b.field => joined(one, other),
            _ => None,
        };
        match both {
            Some(range) => Ok(RuntimeCondition { ranges: vec![range], ..a }),
            None => Err(self.refused(
                "with the condition before it, the field has more than one lower and one upper bound",
                "a further condition",
            )),
        }
    }
}

/// A lower and an upper bound as one range.
fn joined(one: &RuntimeRange, other: &RuntimeRange) -> Option<RuntimeRange> {
    use RuntimeRange::Between;
    match (one, other) {
        (Between { from, until: None }, Between { from: None, until })
        | (Between { from: None, until }, Between { from, until: None }) => {
            Some(Between { from: from.clone(), until: until.clone() })
        }
        _ => None,
    }
}
