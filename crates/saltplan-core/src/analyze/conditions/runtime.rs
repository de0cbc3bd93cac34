//! Conditions on run-time values, which are known when the statement runs. They become ranges of one key field.
//!
//! For the other conditions these values are constants without a value, of which nothing is inferred. Here they are read apart, because
//! what is wanted is not a set of values but bounds that Hive can compute in the statement, and because a condition of which it cannot
//! must be refused: a plan without it would read the whole table.

mod form;
mod hour;

use chrono::{DateTime, Days, NaiveDate, NaiveTime};
use hour::Hour;

use super::Origin;
use crate::analyze::bind::{Bound, BoundNode, Operator};
use crate::analyze::chain::{Chain, Step, TextStep, TimeStep, has_day};
use crate::analyze::constant::{Term, Tree as _, integer, text};
use crate::analyze::runtime::{
    RuntimeCondition, RuntimeRange, RuntimeValue, greatest_behind, has_time_of_day, is_number_of_instant,
};
use crate::key::field::{EpochField, Field, FieldId, FieldKind};
use crate::key::number::{NumberForm, Order};
use crate::key::zone::DayClock;
use crate::schema::model::Schema;
use saltplan_document::diag::{Diagnostic, PredicateFault};
use saltplan_sql::ast::{BinaryOperator, TimeUnit, Type};
use saltplan_sql::functions::Operation;
use saltplan_sql::time::format::{ISO_DAY, TimeFormat, parse_timestamp};
use saltplan_sql::time::pattern::Granularity;
use saltplan_sql::time::zone::Zone;
use saltplan_sql::{Runtime, ValueForm};

/// The maximum length of a list of run-time values: each pair is compared before the statement runs.
const MAX_ITEMS: usize = 16;

/// The maximum number of clock changes of a zone in one statement: 32 years of summer time.
const MAX_CHANGES: usize = 64;

/// The end of the year 8999.
const LAST_MILLISECOND: i64 = 221_845_391_999_999;

/// Units that a value may be moved by.
const MAX_MOVED: i64 = 100_000;

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
        let shown = self.shown(operand)?;
        let ranges = compared.into_iter().map(|(op, value)| self.range(&shown, op, value));
        let mut ranges = ranges.collect::<Result<Vec<_>, _>>()?;
        let is_of_hours = matches!(shown.part, ComparedPart::Within(Granularity::Hour));
        if let (Some((Operator::Between { .. }, _)), [from, until]) =
            (self.leaf.operation(), ranges.as_slice())
        {
            ranges = vec![joined(from, until).ok_or_else(|| self.unknown())?];
        }
        let Shown { field, clock, .. } = shown;
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

    /// What is compared: a key field whose bounds Hive can compute, or a function of one.
    fn shown(&self, operand: &BoundNode) -> Result<Shown, Diagnostic> {
        let unknown = || self.unknown();
        let not_sargable = || match operand.uncast().column() {
            Some(_) => self.refused("it is compared with what is not a key field", "not a key field"),
            None => self.unknown(),
        };
        let chain = Chain::of(self.schema, operand).ok_or_else(not_sargable)?;
        let field = chain.field;
        let declared = &self.schema.key.fields[field];
        if !declared.stored {
            return Err(self.refused("the key does not store the field", "only in the salt"));
        }
        let no_bounds = || {
            self.refused(
                "only days, months, times, numbers and texts that the key stores in their order have bounds that Hive can \
                 compute",
                "not such a field",
            )
        };
        let clock = match &declared.kind {
            FieldKind::Text(text) if text.form.is_plain() => None,
            FieldKind::Calendar(calendar) if calendar.format.sorts() => {
                let finest = calendar.format.granularity();
                let has_bounds = finest >= Granularity::Month
                    && (finest <= Granularity::Day || calendar.format.down_to(Granularity::Day).is_some());
                if !has_bounds {
                    return Err(no_bounds());
                }
                None
            }
            // Digits without padding are compared as texts.
            FieldKind::Integer(number)
                if number.is_text() && (has_bounds(number) || number.fixed_width().is_none()) =>
            {
                None
            }
            FieldKind::Epoch(epoch) if has_bounds(&epoch.number) && self.is_of_numbers() => None,
            FieldKind::Epoch(epoch) if has_bounds(&epoch.number) => Some(self.clock(declared, epoch)?),
            _ => return Err(no_bounds()),
        };
        let of_day = |format: TimeFormat| (ComparedPart::Day, Some(format));
        let iso = || TimeFormat::parse(ISO_DAY).map_err(|_| unknown());
        let (part, given) = match chain.steps.as_slice() {
            [_, ..] if self.compares_numbers(declared) => return Err(unknown()),
            // A field of hours, and a value that is an hour.
            [] if self.is_of_hours(&declared.kind) => {
                let FieldKind::Calendar(calendar) = &declared.kind else { return Err(unknown()) };
                (ComparedPart::Within(Granularity::Hour), Some(calendar.format.clone()))
            }
            [] if has_time_of_day(declared) && !self.compares_numbers(declared) => (ComparedPart::Time, None),
            [] => (ComparedPart::Whole, None),
            [Step::Text(TextStep::Start(count))] => {
                let FieldKind::Calendar(calendar) = &declared.kind else { return Err(unknown()) };
                let starts =
                    Granularity::ALL.into_iter().filter(|unit| *unit < calendar.format.granularity());
                let mut starts = starts.filter_map(|unit| Some((unit, calendar.format.down_to(unit)?)));
                let start = starts.find(|(_, start)| start.printed().characters() == *count);
                let (unit, start) =
                    start.filter(|(unit, _)| *unit <= Granularity::Day).ok_or_else(unknown)?;
                (ComparedPart::Within(unit), Some(start))
            }
            [Step::Time(TimeStep::Day)] => of_day(iso()?),
            [Step::Time(TimeStep::Print(format))]
            | [Step::Time(TimeStep::Print(format)), Step::Text(TextStep::Digits)]
                if format.sorts() =>
            {
                match (format.granularity(), &declared.kind) {
                    (Granularity::Day, _) => of_day(format.clone()),
                    (Granularity::Hour, FieldKind::Epoch(_)) => {
                        (ComparedPart::Within(Granularity::Hour), Some(format.clone()))
                    }
                    (Granularity::Hour, FieldKind::Calendar(calendar))
                        if calendar.format.down_to(Granularity::Hour).is_some() =>
                    {
                        (ComparedPart::Within(Granularity::Hour), Some(format.clone()))
                    }
                    (unit @ (Granularity::Year | Granularity::Month), FieldKind::Calendar(calendar))
                        if calendar.format.down_to(unit).is_some() =>
                    {
                        (ComparedPart::Within(unit), Some(format.clone()))
                    }
                    _ => return Err(unknown()),
                }
            }
            [Step::Time(TimeStep::Day), Step::Time(TimeStep::AddDays(0))] => of_day(iso()?),
            _ => return Err(unknown()),
        };
        if let (ComparedPart::Day, Some(clock)) = (part, &clock)
            && !clock.has_whole_days()
        {
            return Err(self.refused(
                "the clock of the schema's `time_zone` shows some day in two pieces, or begins it late",
                "a day of this zone",
            ));
        }
        Ok(Shown { field, part, given, clock })
    }

    /// Whether an instant is compared with numbers of its unit. For them, no clock matters.
    fn compares_numbers(&self, declared: &Field) -> bool {
        matches!(declared.kind, FieldKind::Epoch(_)) && self.is_of_numbers()
    }

    /// Whether all values are numbers, if the field is an instant.
    fn is_of_numbers(&self) -> bool {
        let is_number = |name: &&str| self.origin.runtime.get(*name).is_some_and(is_number_of_instant);
        runtime_names(self.leaf).iter().all(is_number)
    }

    /// The days whose instants a statement can compute.
    fn clock(&self, declared: &Field, epoch: &EpochField) -> Result<DayClock, Diagnostic> {
        let is_instant = |name: &&str| self.origin.runtime.get(*name).is_some_and(Runtime::is_instant);
        // An instant with its offset needs no zone.
        let zone = if runtime_names(self.leaf).iter().all(is_instant) {
            Some(Zone::utc())
        } else {
            self.schema.time_zone
        };
        let Some(zone) = zone else {
            return Err(self.refused("the schema has no `time_zone`", "a day of no zone"));
        };
        let day = |number: i128| {
            let milliseconds = number.saturating_mul(i128::from(epoch.unit.milliseconds()));
            let milliseconds = milliseconds.clamp(0, i128::from(LAST_MILLISECOND));
            DateTime::from_timestamp_millis(i64::try_from(milliseconds).unwrap_or_default())
                .unwrap_or_default()
                .date_naive()
        };
        let domain = epoch.number.domain();
        let last = domain.stop.map_or(i128::MAX, |stop| stop - 1);
        // The bounds of a day and of the next day are numbers of the field in every zone.
        let (mut first, mut last) = (day(domain.start) + Days::new(2), day(last) - Days::new(3));
        if let Some(plausible) = declared.window.first {
            first = first.max(day(plausible.into()));
        }
        if let Some(plausible) = declared.window.last {
            last = last.min(day(plausible.into()) + Days::new(2));
        }
        let clock = DayClock::new(zone, (first, last));
        if clock.change_count() > MAX_CHANGES {
            return Err(self.refused(
                &format!(
                    "the clock of {zone} changes {} times between {first} and {last}, and a statement has room for \
                     {MAX_CHANGES}; with a plausible `min` and `max` of the field in the schema they are fewer",
                    clock.change_count()
                ),
                "a day of this zone",
            ));
        }
        Ok(clock)
    }

    /// The range of a comparison with one value.
    fn range(
        &self,
        shown: &Shown,
        op: BinaryOperator,
        value: &BoundNode,
    ) -> Result<RuntimeRange, Diagnostic> {
        let kind = &self.schema.key.fields[shown.field].kind;
        if let ComparedPart::Within(unit) = shown.part {
            let value = self.within(shown, kind, value)?;
            return match op {
                BinaryOperator::Eq => Ok(RuntimeRange::Within { value, unit }),
                _ => Err(self.unknown()),
            };
        }
        let value = match (shown.part, value.call()) {
            (ComparedPart::Time, Some(call)) if call.operation() == Operation::Concatenate => {
                let [of, time] = call.arguments.as_slice() else { return Err(self.unknown()) };
                self.time(kind, of, time)?
            }
            _ => in_format(self.value(value)?, shown.given.as_ref()),
        };
        let next = match shown.part {
            ComparedPart::Time => value.later_by(milliseconds(kind)),
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

    /// A day and its time: `concat(:day, '100000')`.
    fn time(&self, kind: &FieldKind, of: &BoundNode, time: &BoundNode) -> Result<RuntimeValue, Diagnostic> {
        let value = self.value(of)?;
        let behind = text(time).ok_or_else(|| self.unknown())?;
        let own = match kind {
            FieldKind::Calendar(calendar) => Some(&calendar.format),
            _ => None,
        };
        let form = match (value.given.format(), own) {
            (Some(given), _) => Some(given.clone()),
            (None, Some(own)) => own.down_to(Granularity::Day),
            (None, None) => TimeFormat::parse(ISO_DAY).ok(),
        };
        let day = NaiveDate::from_ymd_opt(2020, 4, 6).unwrap_or_default();
        let at = form.as_ref().and_then(|form| {
            let text = format!("{}{behind}", form.format_local(day.and_time(NaiveTime::MIN)));
            let own = own.and_then(|own| own.granularity().start_of(own.parse_text(&text)?));
            own.or_else(|| parse_timestamp(&text))
        });
        let Some((at, form)) = at.zip(form).filter(|(at, _)| at.date() == day && value.moved == 0) else {
            return Err(self.refused("its text is no time of the field", "not a day and its time"));
        };
        let time = (at - day.and_time(NaiveTime::MIN)).num_milliseconds();
        if time % milliseconds(kind) != 0 {
            return Err(self.refused("the field has no such fraction", "finer than the field"));
        }
        Ok(RuntimeValue { time, ..in_format(value, Some(&form)) })
    }

    /// A value whose month or year is compared: `substr(:day, 1, 6)`, `date_format(:day, 'yyyyMM')`, or the month itself.
    fn within(&self, shown: &Shown, kind: &FieldKind, value: &BoundNode) -> Result<RuntimeValue, Diagnostic> {
        let Some(start) = &shown.given else { return Err(self.unknown()) };
        let other_form = || self.refused("its form is not that of the compared text", "with another form");
        let Some(call) = value.call() else {
            let value = in_format(self.value(value)?, Some(start));
            // Hours are computed from any form.
            let is_hour = |format: &TimeFormat| {
                start.granularity() == Granularity::Hour && format.granularity() >= Granularity::Hour
            };
            let is_alike = value.moved == 0
                && value.given.format().is_some_and(|format| format == start || is_hour(format));
            return if is_alike { Ok(value) } else { Err(other_form()) };
        };
        let FieldKind::Calendar(calendar) = kind else { return Err(self.unknown()) };
        let is_cut = call.operation() != Operation::Print;
        let (of, is_alike, form) = match (call.operation(), call.arguments.as_slice()) {
            (Operation::Substring, [of, from, count]) => {
                let characters = i64::try_from(start.printed().characters()).ok();
                let is_alike = matches!(integer(from), Some(0 | 1)) && integer(count) == characters;
                (of, is_alike, calendar.format.down_to(Granularity::Day))
            }
            (Operation::Print, [of, pattern]) => {
                let is_alike = text(pattern).as_deref() == Some(start.pattern());
                (of, is_alike, TimeFormat::parse(ISO_DAY).ok())
            }
            _ => return Err(self.unknown()),
        };
        let value = in_format(self.value(of)?, form.as_ref());
        let begins = |format: &TimeFormat| {
            format.granularity() == Granularity::Day && (!is_cut || format.continues(start))
        };
        if !is_alike || (is_cut && value.moved != 0) || !value.given.format().is_some_and(begins) {
            return Err(other_form());
        }
        Ok(value)
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

    /// Whether a field stores hours, and the condition compares it with an hour.
    fn is_of_hours(&self, kind: &FieldKind) -> bool {
        let is_hour = |name: &&str| {
            let format = self.origin.runtime.get(*name).and_then(Runtime::format);
            format.is_some_and(|format| format.granularity() >= Granularity::Hour)
        };
        matches!(kind, FieldKind::Calendar(calendar) if calendar.format.granularity() == Granularity::Hour)
            && runtime_names(self.leaf).iter().all(is_hour)
    }

    /// A parameter of run time, moved by days or months of the field.
    fn value(&self, node: &BoundNode) -> Result<RuntimeValue, Diagnostic> {
        if let Bound::Runtime(name) = &node.uncast().what {
            return match self.origin.runtime.get(name) {
                Some(given) => Ok(RuntimeValue::new(name, given)),
                None => Err(self.unknown()),
            };
        }
        match node.term() {
            Term::Call(call) => match (call.operation(), call.arguments) {
                (Operation::AddDays { sign }, [of, by]) => self.moved(of, by, sign),
                (Operation::ToDate, [of]) => self.value(of),
                _ => Err(self.unknown()),
            },
            Term::Binary(left, op, right) => match (op, right.term()) {
                (BinaryOperator::Plus, Term::Interval(amount, TimeUnit::Day)) => self.moved(left, amount, 1),
                (BinaryOperator::Minus, Term::Interval(amount, TimeUnit::Day)) => {
                    self.moved(left, amount, -1)
                }
                _ => Err(self.unknown()),
            },
            Term::Cast(operand, Type::Date) => self.value(operand),
            _ => Err(self.unknown()),
        }
    }

    fn moved(&self, of: &BoundNode, by: &BoundNode, sign: i64) -> Result<RuntimeValue, Diagnostic> {
        let value = self.value(of)?;
        let units = text(by).map_or_else(|| integer(by), |text| text.parse().ok());
        let Some(units) = units.filter(|units| (-MAX_MOVED..=MAX_MOVED).contains(units)) else {
            return Err(self.refused("it is moved by no number of days", "not a number of days"));
        };
        let is_no_day = |part: &BoundNode| {
            let is_day = |field| has_day(&self.schema.key.fields[field].kind);
            part.column().is_some() && !part.field().is_some_and(is_day)
        };
        if self.leaf.has(&is_no_day) {
            return Err(self.refused("days are added, but the field is not a day", "not a day"));
        }
        Ok(value.moved_by(units * sign))
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

/// What a condition compares of a field.
struct Shown {
    field: FieldId,
    part: ComparedPart,
    /// The form of a day or a month for which no other is given.
    given: Option<TimeFormat>,
    clock: Option<DayClock>,
}

#[derive(Clone, Copy)]
enum ComparedPart {
    /// The value of a field without a time of day.
    Whole,
    /// The value of a field with one.
    Time,
    /// The day of a field.
    Day,
    /// The unit that a time lies in.
    Within(Granularity),
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

/// A value in a form where its own is not given.
fn in_format(value: RuntimeValue, format: Option<&TimeFormat>) -> RuntimeValue {
    match (value.given.format(), format) {
        (None, Some(format)) => RuntimeValue { given: value.given.in_format(format.clone()), ..value },
        _ => value,
    }
}

/// The unit that a field of times counts.
fn milliseconds(kind: &FieldKind) -> i64 {
    match kind {
        FieldKind::Epoch(epoch) => epoch.unit.milliseconds(),
        FieldKind::Calendar(calendar) => calendar.format.granularity().milliseconds().unwrap_or(1),
        _ => 1,
    }
}

/// Whether a range of numbers is one of bytes.
fn has_bounds(number: &NumberForm) -> bool {
    match number.order() {
        Order::Rising | Order::Falling => true,
        Order::NegativesLast => number.domain().start >= 0,
        Order::None => false,
    }
}
