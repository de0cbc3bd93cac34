//! Bounds from values that are filled in when the statement runs, and the check that fails before anything is written if such a value
//! is not valid. Hive folds all of it to literals before it passes the bounds to the storage handler.

use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeDelta};

use crate::analyze::runtime::{
    DAY, RuntimeCondition, RuntimeRange, RuntimeValue, greatest_behind, has_time_of_day, is_number_of_instant,
};
use crate::hive::date::{iso_place, iso_text, printed};
use crate::hive::field::{matches, written as written_number};
use crate::hive::instant::{FilledDay, FilledHour, instant_in_text, instant_of_day, instant_of_hour};
use crate::hive::salt;
use crate::hive::text::{KeyForm, least_text_from};
use crate::key::field::{Field, FieldKind, FieldVec};
use crate::key::interval::Interval;
use crate::key::number::{NumberForm, Order, StoredBits, StoredNumber};
use crate::key::range::{KeyRange, prefix_successor};
use crate::plan::RuntimeSalt;
use crate::refusal::Refusal;
use crate::schema::model::Schema;
use saltplan_sql::Runtime;
use saltplan_sql::ast::{BinaryOperator, Expr};
use saltplan_sql::functions::{
    ADD_MONTHS, COALESCE, CONCAT, DATE_ADD, HEX, IF, INSTR, OCTET_LENGTH, Operation, PRINTF, REGEXP_REPLACE,
    REVERSE, TRANSLATE,
};
use saltplan_sql::hive_type::Type;
use saltplan_sql::time::format::{ISO_DAY, TimeFormat};
use saltplan_sql::time::pattern::{Granularity, PatternPiece, TimePattern};

/// The beginnings of placeholders that nothing has filled in. They are printed as two literals, so that nothing fills them in here.
const UNFILLED: [(&str, &str); 4] = [("$", "{"), ("$", "["), ("{", "{"), ("#", "{")];

/// Values that are filled in when the statement runs, and their field.
#[derive(Clone, Copy)]
pub(super) struct Filled<'a> {
    schema: &'a Schema,
    field: &'a Field,
    condition: &'a RuntimeCondition,
    salt: Option<&'a RuntimeSalt>,
}

impl<'a> Filled<'a> {
    pub fn new(schema: &'a Schema, condition: &'a RuntimeCondition, salt: Option<&'a RuntimeSalt>) -> Self {
        Filled { schema, field: &schema.key.fields[condition.field], condition, salt }
    }

    pub fn range(self, index: usize) -> Option<FilledRange<'a>> {
        Some(FilledRange { filled: self, range: self.condition.ranges.get(index)?, index })
    }
}

/// One of the ranges.
#[derive(Clone, Copy)]
pub(super) struct FilledRange<'a> {
    filled: Filled<'a>,
    range: &'a RuntimeRange,
    /// Its place in the list.
    index: usize,
}

/// Keys from a start on and before a stop.
struct Bounds {
    start: Option<Expr>,
    stop: Option<Expr>,
}

/// The keys of a range.
enum Keys {
    One(Expr),
    Range(Bounds),
}

impl FilledRange<'_> {
    /// The bounds of the keys, whose bytes before the field are `prefix`. `key` is an expression of the row key in a form.
    ///
    /// # Errors
    /// Hive cannot compute the salt.
    pub fn bounds(self, key: &Expr, form: KeyForm, prefix: &[u8]) -> Result<Expr, Refusal> {
        let keys = self.keys(form, prefix)?;
        if !self.filled.reads_all_otherwise() {
            return Ok(match keys {
                Keys::One(value) => key.binary(BinaryOperator::Eq, &value),
                Keys::Range(bounds) => between(key, bounds),
            });
        }
        let bounds = match keys {
            Keys::One(value) => {
                let next = Expr::text(form.exact(LEAST.as_bytes()));
                Bounds { stop: Some(flat(vec![value.clone(), next])), start: Some(value) }
            }
            Keys::Range(bounds) => bounds,
        };
        // NULL, too, chooses the other bound.
        let valid = self.filled.are_valid()?;
        let share = self.share(form, prefix);
        let either = |bound: Option<Expr>, other: Option<Expr>, end: Expr| match (bound, other) {
            (bound, other) if bound == other => bound,
            (bound, other) => {
                let [bound, other] = [bound, other].map(|bound| bound.unwrap_or_else(|| end.clone()));
                Some(Expr::call(&IF, [valid.clone(), bound, other]))
            }
        };
        let start = either(bounds.start, share.start, Expr::text(""));
        let stop = either(bounds.stop, share.stop, Expr::text(greatest(form)));
        Ok(between(key, Bounds { start, stop }))
    }

    /// The bounds that keep the branches apart whatever Hive does with [`FilledRange::bounds`]; `None` for all keys.
    ///
    /// # Errors
    /// Hive cannot compute the salt.
    pub fn guard(self, key: &Expr, form: KeyForm, prefix: &[u8]) -> Result<Option<Expr>, Refusal> {
        if !self.filled.reads_all_otherwise() || self.filled.condition.ranges.len() > 1 {
            return self.bounds(key, form, prefix).map(Some);
        }
        let share = self.share(form, prefix);
        Ok((share.start.is_some() || share.stop.is_some()).then(|| between(key, share)))
    }

    /// The keys that the branch reads if a value is not valid. Together, the branches then read every key with one of their prefixes
    /// once: for each prefix, the first range reads all of them, and the others nothing.
    fn share(self, form: KeyForm, prefix: &[u8]) -> Bounds {
        let of_all = self.filled.salt.is_some();
        if self.index > 0 {
            let before = form.exact(if of_all { b"" } else { prefix });
            let nothing = Expr::text(if before.is_empty() { "0".into() } else { before });
            return Bounds { start: Some(nothing.clone()), stop: Some(nothing) };
        }
        if of_all || prefix.is_empty() {
            return Bounds { start: None, stop: None };
        }
        let stop = KeyRange::prefix(prefix.to_vec()).stop.and_then(|stop| form.least(&stop));
        Bounds { start: Some(Expr::text(form.exact(prefix))), stop: stop.map(Expr::text) }
    }

    /// The keys of the range, if its values are valid.
    fn keys(self, form: KeyForm, prefix: &[u8]) -> Result<Keys, Refusal> {
        let filled = self.filled;
        let is_hex = form == KeyForm::Hex;
        let salt = self.salt()?.map(|salt| if is_hex { Expr::call(&HEX, [salt]) } else { salt });
        let before = form.exact(prefix);
        let text = |part: &str| (!part.is_empty()).then(|| Expr::text(part));
        let put = |value: Expr, after: &str| {
            let parts = [
                salt.clone(),
                text(&before),
                Some(if is_hex { filled.hex(value) } else { value }),
                text(after),
            ];
            flat(parts.into_iter().flatten().collect())
        };
        let bound = |Shifted { value, by }: Shifted<'_>, after: &str| {
            if let Some(end) = self.end_of(value, form).filter(|_| by == 0 && after.is_empty()) {
                return put(end, "");
            }
            if is_hex || by != 0 || !filled.is_given(value) {
                return put(filled.shifted(Shifted { value, by }), after);
            }
            let after = filled.time_of_day(value) + after;
            match &salt {
                None => literal(&before, value, &after),
                Some(_) => put(literal("", value, &after), ""),
            }
        };
        let is = |value| Shifted { value, by: 0 };
        let bounds = match self.range {
            RuntimeRange::Is(value) if filled.field.separator.is_empty() && filled.is_last() => {
                return Ok(Keys::One(bound(is(value), "")));
            }
            RuntimeRange::Is(value) => {
                let (separator, next) = self.after_value(form);
                Bounds { start: Some(bound(is(value), &separator)), stop: Some(bound(is(value), &next)) }
            }
            RuntimeRange::Between { from, until } => {
                let (start, stop) = filled.in_order(from.as_ref(), until.as_ref());
                let least: Vec<Expr> = salt.iter().cloned().chain(text(&before)).collect();
                let least = (!least.is_empty()).then(|| Expr::concatenated(least));
                let end = KeyRange::prefix(prefix.to_vec()).stop.and_then(|stop| form.least(&stop));
                Bounds {
                    start: start.map(|start| bound(start, "")).or(least),
                    stop: stop.map(|stop| bound(stop, "")).or_else(|| end.map(Expr::text)),
                }
            }
            RuntimeRange::Within { value, unit } => {
                if let Some((start, stop)) = filled.instants_within(value) {
                    return Ok(Keys::Range(Bounds {
                        start: Some(put(start, "")),
                        stop: Some(put(stop, "")),
                    }));
                }
                let (start, next) = filled.within(value, *unit);
                let next = form.exact(next.to_string().as_bytes());
                Bounds { start: Some(put(start.clone(), "")), stop: Some(put(start, &next)) }
            }
        };
        Ok(Keys::Range(bounds))
    }

    /// What follows the value in its keys, and the end of what may follow it.
    fn after_value(self, form: KeyForm) -> (String, String) {
        let Filled { schema, field, condition, .. } = self.filled;
        let separator = &field.separator;
        let next = prefix_successor(separator);
        let next = match greatest_behind(schema, condition.field) {
            // `G` sorts after all hex digits.
            _ if form == KeyForm::Hex => next.map_or("G".into(), |next| form.exact(&next)),
            Some(greatest) if separator.is_empty() => after(greatest).to_string(),
            _ => next.and_then(|next| form.least(&next)).unwrap_or_default(),
        };
        (form.exact(separator), next)
    }

    /// For the end of the keys with a time of the field: a text behind them all. Unlike the next day, it needs no calendar, so it is
    /// right for every text in the form of the field.
    fn end_of(self, value: &RuntimeValue, form: KeyForm) -> Option<Expr> {
        let filled = self.filled;
        let FieldKind::Calendar(calendar) = &filled.field.kind else { return None };
        let given = RuntimeValue { moved: 0, ..value.clone() };
        let is_whole = value.moved == 1
            && value.given.reads_all_otherwise()
            && form == KeyForm::Text
            && !has_time_of_day(filled.field)
            && filled.is_given(&given);
        if !is_whole {
            return None;
        }
        let text = literal("", &given, "");
        let (_, next) = self.after_value(form);
        let is_last = filled.is_last() && filled.field.separator.is_empty();
        match (next.as_str(), calendar.format.printed().pieces().last()) {
            _ if is_last => Some(flat(vec![text, Expr::text(LEAST)])),
            (next, _) if !next.is_empty() && !next.starts_with(char::MAX) => {
                Some(flat(vec![text, Expr::text(next)]))
            }
            // Any character may follow, so the last digit is counted up.
            (_, Some(PatternPiece::Unit(_))) => {
                let characters = calendar.format.printed().characters();
                let last = text.substr(Expr::number(characters), Expr::number(1));
                let next = Expr::call(&TRANSLATE, [last, Expr::text("0123456789"), Expr::text("123456789:")]);
                Some(flat(vec![text.substr(Expr::number(1), Expr::number(characters - 1)), next]))
            }
            _ => None,
        }
    }

    /// Whether the bounds can be written as text after some bytes.
    pub fn are_text(self, prefix: &[u8]) -> bool {
        let field = self.filled.field;
        let separator = &field.separator;
        // The width of a time says where it ends.
        let ends_in_text = !matches!(self.range, RuntimeRange::Is(_))
            || separator.is_empty()
            || std::str::from_utf8(separator).is_ok()
                && prefix_successor(separator).is_some_and(|next| least_text_from(&next).is_some());
        field.kind.is_text_in_key() && std::str::from_utf8(prefix).is_ok() && ends_in_text
    }

    /// The salt of the keys and its separator, if the value determines it.
    fn salt(self) -> Result<Option<Expr>, Refusal> {
        let Some(known) = self.filled.salt else { return Ok(None) };
        let Some(value) = self.range.only() else { return Ok(None) };
        let salt = self.filled.salt_of(value, known)?;
        Ok(salt.map(|(salt, _)| salt))
    }
}

/// The concatenation of texts. Nested concatenations are flattened.
fn flat(parts: Vec<Expr>) -> Expr {
    let parts = parts.into_iter().flat_map(|part| match part {
        Expr::Call(call) if call.operation() == Operation::Concatenate => {
            call.arguments.into_iter().map(|argument| argument.expr).collect()
        }
        part => vec![part],
    });
    Expr::concatenated(parts.collect())
}

fn between(shown: &Expr, bounds: Bounds) -> Expr {
    let bounds = [(BinaryOperator::GtEq, bounds.start), (BinaryOperator::Lt, bounds.stop)];
    Expr::all(bounds.into_iter().filter_map(|(op, bound)| Some(shown.binary(op, &bound?))).collect())
}

/// A character below all others in texts of keys.
const LEAST: &str = "\u{1}";

/// A text behind all keys.
fn greatest(form: KeyForm) -> String {
    match form {
        KeyForm::Text => char::MAX.to_string(),
        KeyForm::Hex => "G".into(),
    }
}

/// A value and a number of units that is added to it.
#[derive(Clone, Copy)]
struct Shifted<'a> {
    value: &'a RuntimeValue,
    by: i64,
}

/// The character after another one.
fn after(c: char) -> char {
    (u32::from(c) + 1..=u32::from(char::MAX)).find_map(char::from_u32).unwrap_or(char::MAX)
}

impl Filled<'_> {
    /// Whether values of another form make the statement read all keys.
    pub fn reads_all_otherwise(self) -> bool {
        self.condition.given().any(|(_, given)| given.reads_all_otherwise())
    }

    /// Whether the field is the last one of the key.
    fn is_last(self) -> bool {
        self.schema.key.stored().last() == Some(self.condition.field)
    }

    /// The bounds of times or numbers in the order of the stored bytes, which is reversed for descending fields.
    fn in_order<'v>(
        self,
        from: Option<&'v RuntimeValue>,
        until: Option<&'v RuntimeValue>,
    ) -> (Option<Shifted<'v>>, Option<Shifted<'v>>) {
        let is_falling = self.field.kind.number().is_some_and(|number| number.order() == Order::Falling);
        let shifted = |value: Option<&'v RuntimeValue>, by| value.map(|value| Shifted { value, by });
        if is_falling {
            (shifted(until, -1), shifted(from, -1))
        } else {
            (shifted(from, 0), shifted(until, 0))
        }
    }

    /// Whether a value is filled in as the field stores it, apart from the time of day.
    fn is_given(self, value: &RuntimeValue) -> bool {
        match &self.field.kind {
            FieldKind::Calendar(calendar) if has_time_of_day(self.field) && !self.is_of_hour(value) => {
                value.moved == 0 && value.given.format() == calendar.format.down_to(Granularity::Day).as_ref()
            }
            FieldKind::Calendar(calendar) => {
                value.moved == 0 && value.given.format().is_none_or(|format| *format == calendar.format)
            }
            FieldKind::Text(text) => !text.reverse,
            FieldKind::Integer(_) | FieldKind::Epoch(_) => false,
        }
    }

    /// Whether the value tells the hour, too.
    fn is_of_hour(self, value: &RuntimeValue) -> bool {
        value.given.format().is_some_and(|format| format.granularity() > Granularity::Day)
    }

    /// The stored text of a value after its day.
    fn time_of_day(self, value: &RuntimeValue) -> String {
        if self.is_of_hour(value) {
            return String::new();
        }
        let FieldKind::Calendar(calendar) = &self.field.kind else { return String::new() };
        let Some(day) = calendar.format.down_to(Granularity::Day).filter(|_| has_time_of_day(self.field))
        else {
            return String::new();
        };
        let at = DateTime::from_timestamp_millis(value.time).unwrap_or_default().naive_utc();
        let characters = day.printed().format(at).chars().count();
        calendar.format.printed().format(at).chars().skip(characters).collect()
    }

    /// A value as the field stores it, with its time of day: a text, or the hex digits of a binary number.
    fn stored(self, value: &RuntimeValue) -> Expr {
        self.shifted(Shifted { value, by: 0 })
    }

    fn shifted(self, Shifted { value, by }: Shifted<'_>) -> Expr {
        if let Some((number, form)) = self.number(value, by) {
            return match form.stored() {
                StoredNumber::Digits { .. } => written_number(&number, form),
                StoredNumber::Bits(bits) => hex_of_bits(&number, bits),
            };
        }
        let time = self.time_of_day(value);
        if self.is_given(value) {
            return literal("", value, &time);
        }
        let day = match &self.field.kind {
            FieldKind::Calendar(calendar) if has_time_of_day(self.field) && !self.is_of_hour(value) => {
                calendar.format.down_to(Granularity::Day).map(|format| written(&self.iso(value), &format))
            }
            FieldKind::Calendar(calendar) => Some(written(&self.iso(value), &calendar.format)),
            FieldKind::Text(text) if text.reverse => Some(Expr::call(&REVERSE, [literal("", value, "")])),
            _ => None,
        };
        let day = day.unwrap_or_else(|| literal("", value, ""));
        if time.is_empty() { day } else { Expr::concatenated(vec![day, Expr::text(time)]) }
    }

    /// The hex digits of a result of [`Filled::stored`].
    fn hex(self, stored: Expr) -> Expr {
        if self.field.kind.is_text_in_key() { Expr::call(&HEX, [stored]) } else { stored }
    }

    /// A value plus `later` units as a number, for fields that store numbers.
    fn number(&self, value: &RuntimeValue, later: i64) -> Option<(Expr, &NumberForm)> {
        if let Some(form) = self.form_of_number(value) {
            let number = literal("", value, "").cast(Type::BigInt);
            return Some((plus(&number, value.moved + later), form));
        }
        match &self.field.kind {
            FieldKind::Epoch(epoch) => {
                let text = literal("", value, "");
                if value.given.is_instant() {
                    let milliseconds = value.moved * DAY + value.time;
                    let later = later + milliseconds / epoch.unit.milliseconds();
                    return Some((instant_in_text(&text, epoch.unit, later), &epoch.number));
                }
                let (clock, given) = (self.condition.clock.as_ref()?, self.given(value)?);
                let iso = iso_text(given, &text);
                let sorts = given.sorts();
                let show = |day: NaiveDate| match sorts {
                    true => given.format_local(day.into()),
                    false => day.to_string(),
                };
                let shown = if sorts { &text } else { &iso };
                let (moved, time) = (value.moved, value.time);
                let day = FilledDay { shown, show: &show, iso: &iso, moved, time };
                Some((instant_of_day(clock, &day, epoch.unit, later), &epoch.number))
            }
            FieldKind::Text(_) | FieldKind::Calendar(_) | FieldKind::Integer(_) => None,
        }
    }

    /// How the field stores a value that is filled in as a number.
    fn form_of_number(&self, value: &RuntimeValue) -> Option<&NumberForm> {
        match &self.field.kind {
            FieldKind::Integer(form) => Some(form),
            FieldKind::Epoch(epoch) if is_number_of_instant(&value.given) => Some(&epoch.number),
            _ => None,
        }
    }

    /// The format in which the day of a value is filled in.
    fn given<'f>(&'f self, value: &'f RuntimeValue) -> Option<&'f TimeFormat> {
        match &self.field.kind {
            FieldKind::Calendar(calendar) => Some(value.given.format().unwrap_or(&calendar.format)),
            _ => value.given.format(),
        }
    }

    /// The day of a value as `yyyy-MM-dd`, moved by the value's number of days or months.
    fn iso(self, value: &RuntimeValue) -> Expr {
        let text = literal("", value, "");
        let Some(given) = self.given(value) else { return text };
        moved(&iso_text(given, &text), given.granularity(), value.moved)
    }

    /// The first instant of an hour and that of the next one, as the field stores them, in the order of the stored bytes.
    fn instants_within(&self, value: &RuntimeValue) -> Option<(Expr, Expr)> {
        let FieldKind::Epoch(epoch) = &self.field.kind else { return None };
        let (clock, given) = (self.condition.clock.as_ref()?, self.given(value)?);
        let text = literal("", value, "");
        let iso = iso_text(given, &text);
        let shows = given.sorts();
        let show = |hour: NaiveDateTime| match shows {
            true => given.format_local(hour),
            false => hour.format("%F %T").to_string(),
        };
        let shown = if shows { &text } else { &iso };
        let hour = FilledHour { shown, show: &show, iso: &iso };
        let form = &epoch.number;
        let stored = |hours: i64, later: i64| {
            let number = instant_of_hour(clock, &hour, hours, epoch.unit, later);
            match form.stored() {
                StoredNumber::Digits { .. } => written_number(&number, form),
                StoredNumber::Bits(bits) => hex_of_bits(&number, bits),
            }
        };
        Some(match form.order() {
            Order::Falling => (stored(1, -1), stored(0, -1)),
            _ => (stored(0, 0), stored(1, 0)),
        })
    }

    /// The common prefix of the times within a unit, and the first character that cannot follow it.
    fn within(self, value: &RuntimeValue, unit: Granularity) -> (Expr, char) {
        let FieldKind::Calendar(calendar) = &self.field.kind else { return (literal("", value, ""), ':') };
        let start = calendar.format.down_to(unit);
        let next = start.as_ref().and_then(|start| {
            calendar.format.printed().pieces().get(start.printed().pieces().len()).copied()
        });
        let next = match next {
            Some(PatternPiece::Literal(c)) => after(c),
            _ => ':',
        };
        let text = match (start, self.given(value)) {
            (Some(start), Some(given)) if value.moved == 0 && start == *given => literal("", value, ""),
            (Some(start), Some(given)) if value.moved == 0 && given.continues(&start) => {
                literal("", value, "").substr(1, start.printed().characters())
            }
            (Some(start), _) => written(&self.iso(value), &start),
            (None, _) => literal("", value, ""),
        };
        (text, next)
    }

    /// The salt of a value and its separator as text, and the conditions under which it is right.
    fn salt_of(
        self,
        value: &RuntimeValue,
        known: &RuntimeSalt,
    ) -> Result<Option<(Expr, Vec<Expr>)>, Refusal> {
        let key = &self.schema.key;
        let Some(salt) = &key.salt else { return Ok(None) };
        let texts: Vec<Expr> = key
            .fields
            .ids()
            .map(|id| match known.get(&id) {
                Some(text) => Expr::text(text),
                None => self.stored(value),
            })
            .collect();
        let found = salt::salt(self.schema, salt, &FieldVec::from(texts))?;
        let separator = salt::separator(&salt.separator)?;
        let parts = std::iter::once(found.expression).chain(separator).collect();
        let exact_if = found.exact_if.into_iter().map(|check| check.condition).collect();
        Ok(Some((Expr::concatenated(parts), exact_if)))
    }

    /// The condition on the values before anything is written: each is valid for the field, and ranges are not empty and do not overlap.
    ///
    /// # Errors
    /// Hive cannot compute the salt.
    pub fn check(self) -> Result<Expr, Refusal> {
        Ok(Expr::call(&COALESCE, [self.are_valid()?, Expr::truth(false)]))
    }

    /// That condition, which is NULL or FALSE of values that are not valid.
    fn are_valid(self) -> Result<Expr, Refusal> {
        let mut checks: Vec<Expr> = Vec::new();
        let mut add = |check: Expr| {
            if !checks.contains(&check) {
                checks.push(check);
            }
        };
        for value in self.condition.values() {
            self.checks_of(value).into_iter().for_each(&mut add);
        }
        for range in &self.condition.ranges {
            if let RuntimeRange::Between { from: Some(from), until: Some(until) } = range
                && !(from.name == until.name && (from.moved, from.time) < (until.moved, until.time))
            {
                add(self.ordered(from).binary(BinaryOperator::Lt, &self.ordered(until)));
            }
            // An hour that the clock skips is an empty range, for which HBase would read the whole table.
            if let RuntimeRange::Within { value, .. } = range
                && self.condition.clock.as_ref().is_some_and(|clock| clock.change_count() > 0)
                && let Some((start, stop)) = self.instants_within(value)
            {
                add(start.binary(BinaryOperator::Lt, &stop));
            }
            if let (Some(known), Some(value)) = (self.salt, range.only()) {
                let exact_if = self.salt_of(value, known)?.map(|(_, exact_if)| exact_if);
                exact_if.into_iter().flatten().for_each(&mut add);
            }
        }
        for (index, one) in self.condition.ranges.iter().enumerate() {
            for other in &self.condition.ranges[index + 1..] {
                if let (Some(one), Some(other)) = (self.begin(one), self.begin(other)) {
                    add(one.binary(BinaryOperator::NotEq, &other));
                }
            }
        }
        Ok(Expr::all(checks))
    }

    /// The start of a range, which must differ from those of the other ranges.
    fn begin(self, range: &RuntimeRange) -> Option<Expr> {
        match range {
            RuntimeRange::Within { value, unit } => Some(self.within(value, *unit).0),
            _ => range.first().map(|value| self.ordered(value)),
        }
    }

    /// A value in a form that sorts like the values.
    fn ordered(self, value: &RuntimeValue) -> Expr {
        self.number(value, 0).map_or_else(|| self.stored(value), |(number, _)| number)
    }

    fn checks_of(self, value: &RuntimeValue) -> Vec<Expr> {
        let field = self.field;
        let text = literal("", value, "");
        if let Some(form) = self.form_of_number(value) {
            return checks_of_number(&text, form, &value.given);
        }
        match &field.kind {
            FieldKind::Calendar(_) | FieldKind::Epoch(_) => {
                if value.given.is_instant() {
                    return self.checks_of_instant(&text);
                }
                let Some(given) = self.given(value) else { return vec![Expr::truth(false)] };
                let is_of_key = match &field.kind {
                    FieldKind::Calendar(calendar) => calendar.format == *given && !has_time_of_day(field),
                    _ => false,
                };
                // Neither the text nor its end is computed, so every text of this form is right.
                if is_of_key && value.given.reads_all_otherwise() && (0..=1).contains(&value.moved) {
                    return vec![matches(&text, &digits_of(given))];
                }
                let again = written(&moved(&iso_text(given, &text), given.granularity(), 0), given);
                let (start, width) = given.place_of(Granularity::Year).unwrap_or((0, 4));
                let year = text.substr(Expr::number(start + 1), Expr::number(width));
                let range = match &self.condition.clock {
                    Some(clock) => {
                        let bound =
                            |day: NaiveDate| Expr::text((day - TimeDelta::days(value.moved)).to_string());
                        let iso = iso_text(given, &text);
                        let day =
                            if given.granularity() > Granularity::Day { iso.substr(1, 10) } else { iso };
                        day.between(bound(clock.days.0), bound(clock.days.1))
                    }
                    // A moved day must stay within the years of four digits.
                    None => year.between(Expr::text("1000"), Expr::text("8999")),
                };
                let times = [
                    (Granularity::Hour, "([01][0-9]|2[0-3])"),
                    (Granularity::Minute, "[0-5][0-9]"),
                    (Granularity::Second, "[0-5][0-9]"),
                    (Granularity::Millisecond, "[0-9]{3}"),
                ];
                let times = times.into_iter().filter_map(|(unit, digits)| {
                    let (start, width) = given.place_of(unit)?;
                    Some(matches(&text.substr(Expr::number(start + 1), Expr::number(width)), digits))
                });
                [again.binary(BinaryOperator::Eq, &text), range].into_iter().chain(times).collect()
            }
            FieldKind::Integer(_) => Vec::new(),
            FieldKind::Text(kind) => {
                let lacks = |text: &Expr, part: Expr| {
                    Expr::call(&INSTR, [text.clone(), part]).binary(BinaryOperator::Eq, &Expr::number(0))
                };
                let length = match kind.width {
                    Some(width) => Expr::call(&OCTET_LENGTH, [text.clone()])
                        .binary(BinaryOperator::Eq, &Expr::number(width)),
                    None => text.length().binary(BinaryOperator::Gt, &Expr::number(0)),
                };
                let unfilled = UNFILLED
                    .iter()
                    .map(|(a, b)| lacks(&text, Expr::concatenated(vec![Expr::text(*a), Expr::text(*b)])));
                // A text never contains bytes that are not text.
                let separator = std::str::from_utf8(&field.separator).ok().filter(|text| !text.is_empty());
                let separator = separator.map(|separator| lacks(&self.stored(value), Expr::text(separator)));
                std::iter::once(length).chain(unfilled).chain(separator).collect()
            }
        }
    }
}

impl Filled<'_> {
    /// A time of UTC in whole seconds.
    fn checks_of_instant(self, text: &Expr) -> Vec<Expr> {
        let day = text.substr(1, 10);
        let again = Expr::call(&DATE_ADD, [day.clone(), Expr::number(0)]).cast(Type::String);
        let bound = |day: NaiveDate| Expr::text(day.to_string());
        let days =
            self.condition.clock.as_ref().map(|clock| day.between(bound(clock.days.0), bound(clock.days.1)));
        let checks = [
            matches(
                text,
                "[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]([01][0-9]|2[0-3])(:[0-5][0-9]){2}([.]0+)?(Z|[+]00:00)",
            ),
            again.binary(BinaryOperator::Eq, &day),
        ];
        checks.into_iter().chain(days).collect()
    }
}

/// Whether a text is a whole number that a field stores, and the number after it, too.
fn checks_of_number(text: &Expr, form: &NumberForm, given: &Runtime) -> Vec<Expr> {
    let number = text.cast(Type::BigInt);
    let Interval { start, stop } = form.domain();
    let last = stop.map_or(i128::from(i64::MAX), |stop| stop - 1);
    // The number after this one must be valid, too: it is the stop of the range.
    let (first, last) = match form.order() {
        Order::Falling => (start + 1, last),
        _ => (start, last - 1),
    };
    // Hive compares a text with a whole number as doubles, which are exact up to 2^53.
    let is_exact = !given.reads_all_otherwise() || given.is_whole_number();
    vec![
        matches(text, if is_exact { "(0|-?[1-9][0-9]{0,18})" } else { "(0|-?[1-9][0-9]{0,14})" }),
        number.between(Expr::number(first), Expr::number(last)),
    ]
}

/// A regular expression for the times in a format. Each month may have 31 days.
fn digits_of(format: &TimeFormat) -> String {
    let piece = |piece: &PatternPiece| match piece {
        PatternPiece::Unit(Granularity::Year) => "[1-8][0-9]{3}".to_string(),
        PatternPiece::Unit(Granularity::Month) => "(0[1-9]|1[0-2])".into(),
        PatternPiece::Unit(Granularity::Day) => "(0[1-9]|[12][0-9]|3[01])".into(),
        PatternPiece::Unit(Granularity::Hour) => "([01][0-9]|2[0-3])".into(),
        PatternPiece::Unit(Granularity::Minute | Granularity::Second) => "[0-5][0-9]".into(),
        PatternPiece::Unit(Granularity::Millisecond) => "[0-9]{3}".into(),
        PatternPiece::Literal(c) if c.is_ascii_alphanumeric() || *c == '-' => c.to_string(),
        PatternPiece::Literal(c) => format!("\\x{{{:X}}}", u32::from(*c)),
    };
    format.printed().pieces().iter().map(piece).collect()
}

fn plus(number: &Expr, by: i64) -> Expr {
    if by == 0 { number.clone() } else { number.binary(BinaryOperator::Plus, &Expr::number(by)) }
}

/// The bytes of a number that is not negative, as hex digits.
fn hex_of_bits(number: &Expr, bits: StoredBits) -> Expr {
    let digits = bits.bytes * 2;
    let hex = |number: Expr| Expr::call(&PRINTF, [Expr::text("%016X"), number]);
    // Hive has no literal for the sign bit; the first hex digit of an instant is 0.
    if bits.inverted == 1 << 63 {
        return Expr::call(&CONCAT, [Expr::text("8"), hex(number.clone()).substr_from(Expr::number(2))]);
    }
    let stored = match bits.inverted {
        0 => number.clone(),
        inverted => number.binary(BinaryOperator::BitwiseXor, &Expr::number(inverted.cast_signed())),
    };
    if digits == 16 { hex(stored) } else { hex(stored).substr_from(Expr::number(17 - digits)) }
}

/// The value as it is filled in, if the field stores it like that.
pub(super) fn as_stored(field: &Field, value: &RuntimeValue) -> Option<Expr> {
    let is_same = match &field.kind {
        FieldKind::Calendar(calendar) => value.given.format().is_none_or(|format| *format == calendar.format),
        FieldKind::Text(_) | FieldKind::Integer(_) => true,
        FieldKind::Epoch(_) => false,
    };
    (value.moved == 0 && is_same).then(|| literal("", value, ""))
}

/// The value, or a part of it, as it is filled in, and its text, if a pattern prints it like that.
pub(super) fn as_printed(
    field: &Field,
    value: &RuntimeValue,
    pattern: &TimePattern,
) -> Option<(Expr, String)> {
    let mut parts = value.parts.iter().filter(|_| value.moved == 0 && value.time == 0);
    if let Some(part) = parts.find(|part| part.pattern.pieces() == pattern.pieces()) {
        let text = part.given.text();
        return Some((Expr::later(&part.given), text.to_string()));
    }
    let given = match &field.kind {
        FieldKind::Calendar(calendar) => value.given.format().unwrap_or(&calendar.format),
        _ => value.given.format()?,
    };
    let is_printed = value.moved == 0 && value.time == 0 && given.printed() == pattern;
    is_printed.then(|| (literal("", value, ""), value.given.text().to_string()))
}

/// A text with a value that is filled in. It is one literal if only letters and digits are around the value: other characters could
/// be read as a part of the placeholder.
fn literal(before: &str, value: &RuntimeValue, behind: &str) -> Expr {
    let is_plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric());
    if is_plain(before) && is_plain(behind) && !value.given.is_expression() {
        return Expr::filled_in(before, value.given.text(), behind);
    }
    let text = |part: &str| (!part.is_empty()).then(|| Expr::text(part));
    let parts = [text(before), Some(Expr::later(&value.given)), text(behind)];
    Expr::concatenated(parts.into_iter().flatten().collect())
}

/// A day `yyyy-MM-dd` moved by days or months; NULL if the text is not a day. An hour, `yyyy-MM-dd HH:00:00`, is not moved.
fn moved(iso: &Expr, unit: Granularity, by: i64) -> Expr {
    match unit {
        unit if unit > Granularity::Day => {
            let day = Expr::call(&DATE_ADD, [iso.substr(1, 10), Expr::number(0)]).cast(Type::String);
            Expr::concatenated(vec![day, iso.substr_from(Expr::number(11))])
        }
        Granularity::Month => Expr::call(&ADD_MONTHS, [iso.clone(), Expr::number(by)]),
        _ => Expr::call(&DATE_ADD, [iso.clone(), Expr::number(by)]).cast(Type::String),
    }
}

/// A day `yyyy-MM-dd` in a format.
fn written(iso: &Expr, format: &TimeFormat) -> Expr {
    if format.pattern() == ISO_DAY {
        return iso.clone();
    }
    if format.is_digits() {
        let digits = match format.granularity() {
            Granularity::Year => return iso.substr(Expr::number(1), Expr::number(4)),
            Granularity::Month => iso.substr(Expr::number(1), Expr::number(7)),
            Granularity::Hour => iso.substr(Expr::number(1), Expr::number(13)),
            Granularity::Minute => iso.substr(Expr::number(1), Expr::number(16)),
            _ => iso.clone(),
        };
        let signs = if format.granularity() > Granularity::Day { "[- :.]" } else { "-" };
        return Expr::call(&REGEXP_REPLACE, [digits, Expr::text(signs), Expr::text("")]);
    }
    printed(format.printed(), |unit| {
        let (start, width) = iso_place(unit);
        iso.substr(start, width)
    })
}
