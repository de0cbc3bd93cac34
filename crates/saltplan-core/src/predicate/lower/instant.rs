//! Functions of instants and local times in what the engine checks: they mean the clock of the schema's zone, not that of a session.

use std::collections::BTreeMap;

use super::meaning::may_be_local_time;
use crate::hiveql::ast::Expr;
use crate::hiveql::{OF_DATES, Parsed, TimeCall};
use crate::key::field::{FieldId, FieldKind};
use crate::predicate::constant::{Constant, fold};
use crate::predicate::reading::{ClockReading, Shown, Truncation, Unclear, runs};
use crate::predicate::term::{View, epoch_seconds, recognise};
use crate::predicate::{SqlPiece, SqlText};
use crate::schema::model::Schema;

/// What stands for tokens, by the first one: where they end, and the reading or why there is none.
pub(super) type Readings = BTreeMap<usize, (usize, Result<ClockReading, Unclear>)>;

pub(super) fn readings(schema: &Schema, parsed: &Parsed) -> Readings {
    let mut found = Readings::new();
    for call in parsed.time_calls() {
        Finder { schema, parsed, call }.find(&mut found);
    }
    found
}

struct Finder<'a> {
    schema: &'a Schema,
    parsed: &'a Parsed,
    call: &'a TimeCall,
}

impl Finder<'_> {
    fn find(&self, found: &mut Readings) {
        let TimeCall { name, tokens, arguments } = self.call;
        let Some((_, first)) = arguments.first() else { return };
        let whole = |shown: Result<Shown, Unclear>, cut: Truncation, field: FieldId| {
            (tokens.end, shown.and_then(|shown| self.reading(field, cut, shown)))
        };
        let shown = match (name.as_str(), arguments.len()) {
            ("hour", 1) => Ok(Shown::Hour),
            ("minute", 1) => Ok(Shown::Minute),
            ("second", 1) => Ok(Shown::Second),
            ("cast date", 1) => Ok(Shown::Date),
            ("date_format", 2) => pattern(&arguments[1].1),
            ("from_unixtime", 1 | 2) => {
                let shown = arguments
                    .get(1)
                    .map_or_else(|| printed("yyyy-MM-dd HH:mm:ss"), |(_, text)| pattern(text));
                if let Some((field, towards_zero)) = epoch_seconds(self.schema, first) {
                    let cut = if towards_zero { Truncation::TowardsZero } else { Truncation::Down };
                    found.insert(tokens.start, whole(shown, cut, field));
                } else if self.has_instant() {
                    found.insert(tokens.start, (tokens.end, Err(Unclear::NotWholeSeconds)));
                }
                return;
            }
            (name, _) if OF_DATES.contains(&name) => {
                for (tokens, argument) in arguments {
                    if let Some(field) = self.field(argument) {
                        let reading = self.reading(field, Truncation::None, Shown::Date);
                        found.insert(tokens.start, (tokens.end, reading));
                    }
                }
                return;
            }
            _ => Err(Unclear::ZoneOfSession),
        };
        let instant = arguments.iter().find_map(|(_, argument)| {
            self.field(argument).filter(|field| shown.is_ok() || self.is_instant(*field))
        });
        if let Some(field) = instant {
            found.insert(tokens.start, whole(shown, Truncation::None, field));
        }
    }

    fn reading(&self, field: FieldId, cut: Truncation, shown: Shown) -> Result<ClockReading, Unclear> {
        if self.is_instant(field) && self.schema.time_zone.is_none() {
            return Err(Unclear::NoTimeZone { field: self.schema.key.fields[field].name.clone() });
        }
        Ok(ClockReading { field, cut, shown })
    }

    /// An instant or a local time, nothing done to it.
    fn field(&self, expr: &Expr) -> Option<FieldId> {
        let term = recognise(self.schema, expr).filter(|term| term.view == View::Whole)?;
        let has_clock = match &self.schema.key.fields[term.field].kind {
            FieldKind::Epoch(_) => true,
            FieldKind::Calendar(calendar) => calendar.time_of_day,
            _ => false,
        };
        has_clock.then_some(term.field)
    }

    fn is_instant(&self, field: FieldId) -> bool {
        matches!(self.schema.key.fields[field].kind, FieldKind::Epoch(_))
    }

    fn has_instant(&self) -> bool {
        let mut names = self.parsed.names(&self.call.tokens);
        names.any(|(name, _)| self.schema.field(name).is_some_and(|field| self.is_instant(field)))
    }
}

/// A condition that is not written.
pub(super) fn unclear(text: &SqlText, why: Unclear) -> SqlText {
    SqlText(vec![SqlPiece::Unclear { why, spelled: text.to_string() }])
}

fn pattern(expr: &Expr) -> Result<Shown, Unclear> {
    match fold(expr) {
        Some(Constant::Text(text)) => printed(&text),
        _ => Err(Unclear::PatternNotConstant),
    }
}

fn printed(pattern: &str) -> Result<Shown, Unclear> {
    runs(pattern).map(Shown::Printed)
}

/// Why a condition that compares an instant with a local time row by row is none for Hive, which has the number alone.
pub(super) fn local_time_of_instant(schema: &Schema, operands: &[&Expr]) -> Option<Unclear> {
    let field = operands.iter().find_map(|operand| {
        let term = recognise(schema, operand).filter(|term| term.view == View::Whole)?;
        let field = &schema.key.fields[term.field];
        matches!(field.kind, FieldKind::Epoch(_)).then(|| field.name.clone())
    })?;
    if !operands.iter().any(|operand| may_be_local_time(schema, operand)) {
        return None;
    }
    Some(match schema.time_zone {
        None => Unclear::NoTimeZone { field },
        Some(_) => Unclear::MixedWithLocalTime { field },
    })
}
