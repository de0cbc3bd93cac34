//! A value of a run-time condition, as the statement computes it.

use chrono::{NaiveDate, NaiveTime};

use super::With;
use super::operand::Operand;
use crate::analyze::bind::{Bound, BoundNode};
use crate::analyze::chain::has_day;
use crate::analyze::constant::{Term, Tree as _, integer, text};
use crate::analyze::runtime::RuntimeValue;
use crate::key::field::FieldKind;
use saltplan_document::diag::Diagnostic;
use saltplan_sql::ast::{BinaryOperator, TimeUnit, Type};
use saltplan_sql::functions::Operation;
use saltplan_sql::time::format::{ISO_DAY, TimeFormat, parse_timestamp};
use saltplan_sql::time::pattern::Granularity;

/// Units that a value may be moved by.
pub(super) const MAX_MOVED: i64 = 100_000;

impl With<'_> {
    /// A parameter of run time, moved by days or months of the field.
    pub(super) fn value(&self, node: &BoundNode) -> Result<RuntimeValue, Diagnostic> {
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

    /// A day and its time: `concat(:day, '100000')`.
    pub(super) fn time(
        &self,
        kind: &FieldKind,
        of: &BoundNode,
        time: &BoundNode,
    ) -> Result<RuntimeValue, Diagnostic> {
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
    pub(super) fn within(
        &self,
        operand: &Operand,
        kind: &FieldKind,
        value: &BoundNode,
    ) -> Result<RuntimeValue, Diagnostic> {
        let Some(start) = &operand.given else { return Err(self.unknown()) };
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
}

/// A value in a form where its own is not given.
pub(super) fn in_format(value: RuntimeValue, format: Option<&TimeFormat>) -> RuntimeValue {
    match (value.given.format(), format) {
        (None, Some(format)) => RuntimeValue { given: value.given.in_format(format.clone()), ..value },
        _ => value,
    }
}

/// The unit that a field of times counts.
pub(super) fn milliseconds(kind: &FieldKind) -> i64 {
    match kind {
        FieldKind::Epoch(epoch) => epoch.unit.milliseconds(),
        FieldKind::Calendar(calendar) => calendar.format.granularity().milliseconds().unwrap_or(1),
        _ => 1,
    }
}
