//! Key fields as the types of target columns and partitions, always by an explicit conversion.

use crate::hive::date::iso_text;
use crate::hive::field::{self, number, text_value};
use crate::hive::instant::Clock;
use crate::hive::key::KeyColumn;
use crate::hive::not_in_hive::NotInHive;
use crate::key::field::{FieldId, FieldKind};
use crate::key::interval::Interval;
use crate::schema::conversion::{TypeUse, WrittenForm, conversion, units_conversion};
use saltplan_sql::ast::Expr;
use saltplan_sql::hive_type::{DeclaredType, Type};
use saltplan_sql::time::pattern::TimePattern;

impl KeyColumn<'_> {
    /// The number of the unit of a field's instants.
    ///
    /// # Errors
    /// Why HiveQL cannot compute the field from the row key.
    pub fn instant(&self, id: FieldId) -> Result<Expr, NotInHive> {
        Ok(number(&self.schema.key.fields[id].kind, &self.text_of(id)?, &Type::BigInt.into()))
    }

    /// The clock of a key field of instants; `instant` is the expression of an instant, and only instants in `within` occur.
    ///
    /// # Errors
    /// The field holds no instants, or the schema has no time zone.
    pub fn clock(
        &self,
        id: FieldId,
        instant: &Expr,
        within: Option<Interval<i128>>,
    ) -> Result<Clock, NotInHive> {
        let field = &self.schema.key.fields[id];
        let FieldKind::Epoch(epoch) = &field.kind else {
            return Err(NotInHive::NoInstants { field: field.name.clone() });
        };
        let zone = self.schema.time_zone.ok_or(NotInHive::NoTimeZone)?;
        let domain = || field.kind.domain().unwrap_or_else(|| Interval::new(0, None));
        Ok(Clock::new(instant, epoch.unit, zone, within.unwrap_or_else(domain)))
    }

    /// The text that the key stores for a field, or would store.
    fn text_of(&self, id: FieldId) -> Result<Expr, NotInHive> {
        let field = &self.schema.key.fields[id];
        let text = self.stored_text(id)?;
        // The column with the field's name may have any type that `load` accepts.
        Ok(if field.stored { text } else { field::stored_text(self.schema, id, &text) })
    }

    /// The value of a key field as a Hive type; for an instant, the time that `clock` shows.
    ///
    /// # Errors
    /// Why HiveQL cannot compute the field from the row key, or why the type does not hold its values.
    pub(crate) fn converted(
        &self,
        id: FieldId,
        hive_type: &DeclaredType,
        place: TypeUse,
        clock: Option<&Clock>,
    ) -> Result<Expr, NotInHive> {
        let field = &self.schema.key.fields[id];
        let form = conversion(field, hive_type, place)?;
        let text = self.text_of(id)?;
        let cast = |expression: Expr| expression.cast_as(hive_type);
        Ok(match (form, &field.kind) {
            (WrittenForm::Text, kind) => {
                let text = match kind {
                    FieldKind::Text(field) => text_value(field, text),
                    _ => text,
                };
                if *hive_type == Type::String { text } else { cast(text) }
            }
            (WrittenForm::Date, FieldKind::Calendar(calendar)) => cast(iso_text(&calendar.format, &text)),
            (WrittenForm::Timestamp, FieldKind::Calendar(calendar)) => {
                let iso = iso_text(&calendar.format, &text);
                cast(if calendar.time_of_day { iso } else { iso.cast(Type::Date) })
            }
            _ if form.is_clock() => {
                let clock = clock.ok_or_else(|| NotInHive::NoClock { field: field.name.clone() })?;
                match (form, hive_type.primitive()) {
                    (WrittenForm::ClockDate, _) => clock.date(),
                    (WrittenForm::ClockTimestamp, _) => clock.timestamp(),
                    (_, Some(Type::String)) => clock.text(),
                    _ => cast(clock.text()),
                }
            }
            (_, kind) => number(kind, &text, hive_type),
        })
    }
}

impl KeyColumn<'_> {
    /// Units of the time in a key field (such as its month) as the type of a partition; for an instant, of the time that `clock` shows.
    ///
    /// # Errors
    /// Why HiveQL cannot compute the field from the row key, or why the type does not hold the units.
    pub fn units(
        &self,
        id: FieldId,
        pattern: &TimePattern,
        hive_type: &DeclaredType,
        clock: Option<&Clock>,
    ) -> Result<Expr, NotInHive> {
        let field = &self.schema.key.fields[id];
        units_conversion(pattern, hive_type)?;
        let text = match &field.kind {
            FieldKind::Calendar(calendar) => {
                let stored = self.text_of(id)?;
                match calendar.format.printed().place_of_text(pattern) {
                    Some((start, width)) => stored.substr(start + 1, width),
                    None => field::reprinted(calendar, &stored, pattern)?,
                }
            }
            _ => clock.ok_or_else(|| NotInHive::NoClock { field: field.name.clone() })?.printed(pattern),
        };
        Ok(if *hive_type == Type::String { text } else { text.cast_as(hive_type) })
    }
}
