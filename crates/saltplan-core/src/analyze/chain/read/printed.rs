//! Times that are printed: in parts, from seconds since 1970, or read from a day as text and printed again.

use crate::analyze::bind::BoundNode;
use crate::analyze::chain::{Chain, Step, TimeStep};
use crate::analyze::constant::{Term, Tree as _, integer, text};
use crate::key::field::{CalendarType, EpochUnit, FieldId, FieldKind};
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, Type};
use saltplan_sql::functions::Operation;
use saltplan_sql::time::format::{ISO_DAY, TimeFormat};
use saltplan_sql::time::pattern::{Granularity, PatternPiece, TimePattern};

use super::functions::bare_field;

/// `concat(date_format(t, 'yyyyMMdd'), date_format(t, 'HH'))`: a time that is printed in parts, down to the hour or finer.
pub(super) fn printed_in_parts<'e>(
    schema: &Schema,
    parts: impl IntoIterator<Item = &'e BoundNode>,
) -> Option<Chain> {
    let mut found = PrintedParts { pieces: Vec::new(), field: None };
    for part in parts {
        found.add(schema, part)?;
    }
    let pattern = TimePattern::of_parts(&found.pieces).ok()?;
    let format = TimeFormat::parse(pattern.text()).ok()?;
    let is_of_hours = format.granularity() > Granularity::Day;
    found.field.filter(|_| is_of_hours).map(|field| Chain::bare(field).print(format))
}

/// Parts of one printed time. Each pattern is read by itself: as one text, `H` and `H` would be the unit `HH`, and the quotes of two texts
/// one quote sign.
struct PrintedParts {
    pieces: Vec<PatternPiece>,
    field: Option<FieldId>,
}

impl PrintedParts {
    fn add(&mut self, schema: &Schema, part: &BoundNode) -> Option<()> {
        if let Some(between) = text(part) {
            self.pieces.extend(between.chars().map(PatternPiece::Literal));
            return Some(());
        }
        match part.term() {
            Term::Binary(left, BinaryOperator::Concat, right) => {
                self.add(schema, left)?;
                self.add(schema, right)
            }
            Term::Call(call) if call.operation() == Operation::Print => {
                let [time, format] = call.arguments else { return None };
                let field = bare_field(schema, time)?;
                schema.key.fields[field].kind.time()?;
                self.pieces.extend(TimePattern::parse(&text(format)?).ok()?.pieces());
                (*self.field.get_or_insert(field) == field).then_some(())
            }
            _ => None,
        }
    }
}

/// The field that `unix_timestamp(day, 'yyyyMMdd')` reads in the format that it is stored in. Whatever zone the server has, the
/// day that its seconds are shown as again is the same.
fn day_as_seconds(schema: &Schema, seconds: &BoundNode) -> Option<FieldId> {
    let Term::Call(call) = seconds.term() else { return None };
    let (Operation::ReadSeconds, [day, pattern]) = (call.operation(), call.arguments) else {
        return None;
    };
    let (chain, pattern) = (Chain::of(schema, day)?, text(pattern)?);
    let FieldKind::Calendar(calendar) = &schema.key.fields[chain.field].kind else { return None };
    let read = match chain.steps.as_slice() {
        [] if calendar.hive_type == CalendarType::Date => None,
        [] if calendar.hive_type.is_stored_form() => Some(&calendar.format),
        [.., Step::Time(TimeStep::Print(format))] => Some(format),
        _ => return None,
    };
    let is_whole = calendar.format.granularity() <= Granularity::Day
        && read.is_none_or(|read| {
            read.pattern() == pattern && read.granularity() == calendar.format.granularity()
        });
    is_whole.then_some(chain.field)
}

/// A day as text of any format that begins with the date, as functions of dates read it.
pub(super) fn day_in_text(schema: &Schema, node: &BoundNode) -> Option<FieldId> {
    let Term::Call(call) = node.term() else { return None };
    let (seconds, is_read) = match (call.operation(), call.arguments) {
        (Operation::ShowSeconds, [seconds]) => (seconds, true),
        (Operation::ShowSeconds, [seconds, pattern]) => (seconds, text(pattern)?.starts_with(ISO_DAY)),
        _ => return None,
    };
    if is_read { day_as_seconds(schema, seconds) } else { None }
}

pub(super) fn from_unixtime(schema: &Schema, seconds: &BoundNode, pattern: &str) -> Option<Chain> {
    if let Some(field) = day_as_seconds(schema, seconds) {
        let format = TimeFormat::parse(pattern).ok()?;
        let is_of_day = format.granularity() <= Granularity::Day;
        return is_of_day.then(|| Chain::bare(field).print(format));
    }
    let (field, towards_zero) = epoch_seconds(schema, seconds)?;
    let format =
        TimeFormat::parse(pattern).ok().filter(|format| format.granularity() <= Granularity::Second)?;
    let mut chain = Chain::bare(field);
    if towards_zero {
        chain.steps.push(Step::Time(TimeStep::WholeSecondsTowardsZero));
    }
    Some(chain.print(format))
}

/// An epoch field as seconds: itself, or milliseconds divided by 1000 and cut to a whole number. The field, and
/// whether the cut goes towards zero.
pub(crate) fn epoch_seconds(schema: &Schema, node: &BoundNode) -> Option<(FieldId, bool)> {
    match node.term() {
        Term::Cast(operand, Type::BigInt | Type::Int) => epoch_seconds(schema, operand),
        Term::Call(call) if call.operation() == Operation::Floor => {
            let [operand] = call.arguments else { return None };
            epoch_seconds(schema, operand).map(|(field, _)| (field, false))
        }
        Term::Binary(left, BinaryOperator::Divide | BinaryOperator::IntegerDivide, right) => {
            let is_thousand = integer(right)? == 1_000;
            epoch_field(schema, left, EpochUnit::Milliseconds)
                .filter(|_| is_thousand)
                .map(|field| (field, true))
        }
        _ => epoch_field(schema, node, EpochUnit::Seconds).map(|field| (field, false)),
    }
}

fn epoch_field(schema: &Schema, node: &BoundNode, unit: EpochUnit) -> Option<FieldId> {
    let field = bare_field(schema, node)?;
    match &schema.key.fields[field].kind {
        FieldKind::Epoch(epoch) if epoch.unit == unit => Some(field),
        _ => None,
    }
}
