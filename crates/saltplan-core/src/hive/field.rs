//! The text that a key field stores, as HiveQL: made from a source column, and checked.
//!
//! Regular expressions end in `\z`: `$` would let a line feed at the end pass.

use saltplan_sql::ast::{BinaryOperator, Expr};
use saltplan_sql::build::Case;
use saltplan_sql::functions::{CONCAT, ENCODE, NULLIF, REGEXP_EXTRACT, REGEXP_REPLACE, REVERSE};

use crate::hive::date::{REAL_DATE, iso_place, iso_text, printed};
use crate::hive::instant::LocalInstant;
use crate::hive::not_in_hive::NotInHive;
use crate::key::chars::Chars;
use crate::key::field::{CalendarField, CalendarType, EpochField, Field, FieldId, FieldKind, TextField};
use crate::key::interval::Interval;
use crate::key::number::NumberForm;
use crate::schema::conversion::{TypeUse, WrittenForm, conversion};
use crate::schema::model::{Schema, TargetValue};
use saltplan_sql::hive_type::{DeclaredType, Type};
use saltplan_sql::time::format::{ISO_DAY, TimeFormat};
use saltplan_sql::time::pattern::PatternPiece;
use saltplan_sql::time::pattern::{Granularity, TimePattern};
use saltplan_sql::time::zone::Zone;

/// Fills a date up to a full local time.
const MIDNIGHT: &str = "0000-00-00 00:00:00.000";

/// What can be wrong with a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowFault {
    Width,
    Characters,
    Value,
    Salt,
    /// Cannot be checked, because Hive cannot compute what Java computes.
    Unchecked,
}

impl RowFault {
    /// The word that a problem's text starts with.
    pub fn word(self) -> &'static str {
        match self {
            RowFault::Width => "width",
            RowFault::Characters => "characters",
            RowFault::Value => "value",
            RowFault::Salt => "salt",
            RowFault::Unchecked => "unchecked",
        }
    }
}

/// A condition that is true for every valid row.
#[derive(Debug, Clone, PartialEq)]
pub struct RowCheck {
    pub condition: Expr,
    pub fault: RowFault,
    /// What is wrong when it does not hold.
    pub message: String,
}

impl RowCheck {
    pub fn new(fault: RowFault, condition: Expr, message: impl Into<String>) -> Self {
        RowCheck { condition, fault, message: message.into() }
    }

    /// `width: …`
    pub(crate) fn problem(&self) -> String {
        format!("{}: {}", self.fault.word(), self.message)
    }
}

/// Matches a text as a whole.
pub fn matches(text: &Expr, pattern: &str) -> Expr {
    text.rlike(&format!(r"\A{pattern}\z"))
}

/// A set of characters as a class of Java's regular expressions.
pub fn class(chars: &Chars) -> String {
    let one = |c: char| {
        if c.is_ascii_alphanumeric() { c.to_string() } else { format!("\\x{{{:X}}}", u32::from(c)) }
    };
    let ranges = chars.ranges().iter().map(|&(first, last)| {
        if first == last { one(first) } else { format!("{}-{}", one(first), one(last)) }
    });
    format!("[{}]", ranges.collect::<String>())
}

/// The text that a field stores for the value in a column. NULL, or a text that [`checks`] refuses, if the column does
/// not hold a value of the field.
///
/// Accepts what `key encode` accepts: text unchanged, whole numbers, dates in the field's own format or as Hive prints
/// a DATE or a TIMESTAMP, instants as a count of their unit. If the target table has local times in the column with the
/// field's name, local times are accepted for an instant, too. A local time that occurs twice or never is refused: `key
/// encode` would choose one of the instants, which may not be the original one.
pub fn stored_text(schema: &Schema, id: FieldId, column: &Expr) -> Expr {
    let field = &schema.key.fields[id];
    let text = column.cast(Type::String);
    match &field.kind {
        FieldKind::Text(of_text) => {
            let text = match of_text.nullable {
                true => nullable_text(text),
                false => text,
            };
            if of_text.reverse { Expr::call(&REVERSE, [text]) } else { text }
        }
        FieldKind::Calendar(calendar) => stored_date(&calendar.format, &text),
        FieldKind::Integer(number) => stored_number(number, &text).or_null(),
        FieldKind::Epoch(EpochField { number, unit }) => {
            let of_number = stored_number(number, &text);
            let Some(zone) = zone_of_readings(schema, id) else { return of_number.or_null() };
            let reading = LocalInstant::new(&text, *unit, zone, number.domain());
            // The long expression of the instant is printed only once: the checks of the text find NULL and numbers out
            // of range.
            let written = written(&reading.instant, number);
            of_number.or_when(&reading.condition, &written).or_null()
        }
    }
}

/// The value that a field has in Hive, from what the key stores.
pub fn typed_value(kind: &FieldKind, stored: Expr) -> Expr {
    match kind {
        FieldKind::Text(text) => text_value(text, stored),
        FieldKind::Calendar(calendar) => match calendar.hive_type {
            CalendarType::String => stored,
            CalendarType::Int | CalendarType::Bigint => stored.cast(calendar.hive_type.hive_type()),
            CalendarType::Date | CalendarType::Timestamp => {
                iso_text(&calendar.format, &stored).cast(calendar.hive_type.hive_type())
            }
        },
        FieldKind::Integer(_) | FieldKind::Epoch(_) => number(kind, &stored, &kind.hive_type().into()),
    }
}

/// The value of a text field from its stored text. NULL is not written as a CASE, which Hive 3 cannot compare
/// by `<=>`.
pub fn text_value(field: &TextField, stored: Expr) -> Expr {
    let text = if field.reverse { Expr::call(&REVERSE, [stored]) } else { stored };
    let text = match &text {
        _ if !field.nullable => return text,
        // Measured on Hive 2.3.9: `nullif` fails at the kind of text that `regexp_extract` returns.
        Expr::Call(call) if call.function == Some(&REGEXP_EXTRACT) => {
            Expr::call(&CONCAT, [text, Expr::text("")])
        }
        _ => text,
    };
    Expr::call(&NULLIF, [text, Expr::text("")])
}

/// The number of a stored text as a type of numbers, or as text without leading zeros.
pub fn number(kind: &FieldKind, stored: &Expr, hive_type: &DeclaredType) -> Expr {
    let number = match kind.number().and_then(NumberForm::minuend) {
        Some(greatest) => Expr::number(greatest).binary(BinaryOperator::Minus, &stored.cast(Type::BigInt)),
        None if !hive_type.is_text() => stored.clone(),
        None => stored.cast(Type::BigInt),
    };
    // Measured on Hive 3.1.3: vectorised, a cast of a bigint that is computed to a smaller type gives 0, or the value of another
    // expression. By way of a text it does not.
    let is_smaller = matches!(hive_type.primitive(), Some(Type::TinyInt | Type::SmallInt | Type::Int));
    let is_computed =
        matches!(number.unnested(), Expr::BinaryOp { .. } | Expr::Cast { data_type: Type::BigInt, .. });
    match is_smaller && is_computed {
        true => number.cast(Type::String).cast_as(hive_type),
        false => number.cast_as(hive_type),
    }
}

/// NULL is stored as the empty text, which is not a value itself.
fn nullable_text(text: Expr) -> Expr {
    let is_empty = text.binary(BinaryOperator::Eq, &Expr::text(""));
    let missing = text.is_null();
    Case::when(&missing, &Expr::text("")).or_when(&is_empty, &Expr::null()).or_else(&text)
}

/// The zone of the local times that the target table has in place of the field's instants.
fn zone_of_readings(schema: &Schema, id: FieldId) -> Option<Zone> {
    let target = schema.hive.as_ref()?.target.as_ref()?;
    let field = &schema.key.fields[id];
    let column = target.columns.iter().find(|column| column.name.eq_ignore_ascii_case(&field.name))?;
    let hive_type = column.hive_type.as_ref()?;
    let form = conversion(field, hive_type, TypeUse::Column).ok()?;
    let is_reading = matches!(form, WrittenForm::ClockText | WrittenForm::ClockTimestamp);
    if is_reading && column.value == TargetValue::KeyField(id) { schema.time_zone } else { None }
}

/// The case of a text that is a whole number of the field.
fn stored_number(form: &NumberForm, text: &Expr) -> Case {
    // Through the text: Hive does not compile a cast of a DATE to BIGINT, and silently truncates a fraction.
    let number = text.cast(Type::BigInt);
    let whole = matches(text, "-?[0-9]{1,19}");
    let range = in_range(&form.domain(), &number);
    Case::when(&Expr::all(vec![whole, range]), &written(&number, form))
}

/// A number as the text that is stored.
pub(super) fn written(number: &Expr, form: &NumberForm) -> Expr {
    let stored = form
        .minuend()
        .map_or_else(|| number.clone(), |max| Expr::number(max).binary(BinaryOperator::Minus, number));
    match padding(form) {
        Some(width) => stored.zero_filled(width),
        None => stored.cast(Type::String),
    }
}

/// The number of digits to which a text is padded; `None` for binary numbers, which a column contains as
/// plain digits.
fn padding(form: &NumberForm) -> Option<usize> {
    form.fixed_width().filter(|_| form.is_text())
}

/// The stored numbers for the values of a field: the greatest number minus the value if the field is descending.
fn stored_domain(form: &NumberForm) -> Interval<i128> {
    let domain = form.domain();
    let Some(greatest) = form.minuend().map(i128::from) else { return domain };
    let last = domain.stop.map_or(greatest, |stop| stop - 1);
    Interval::new(greatest - last, Some(greatest - domain.start + 1))
}

fn in_range(domain: &Interval<i128>, number: &Expr) -> Expr {
    let last = domain.stop.map_or(i128::MAX, |stop| stop - 1);
    let mut bounds = Vec::new();
    if domain.start > i128::from(i64::MIN) {
        bounds.push(number.binary(BinaryOperator::GtEq, &Expr::number(domain.start)));
    }
    if last < i128::from(i64::MAX) {
        bounds.push(number.binary(BinaryOperator::LtEq, &Expr::number(last)));
    }
    if bounds.is_empty() { number.is_not_null() } else { Expr::all(bounds) }
}

fn stored_date(format: &TimeFormat, text: &Expr) -> Expr {
    let own = matches(text, &format_pattern(format));
    let iso = matches(text, &iso_pattern(format.granularity()));
    if format.pattern() == ISO_DAY {
        return text.substr(1, Case::when(&iso, &10.into()).or_else(&99.into()));
    }
    let rest = Expr::text(MIDNIGHT).substr_from(text.length().binary(BinaryOperator::Plus, &1.into()));
    let full = Expr::call(&CONCAT, [text.clone(), rest]);
    let printed = if format.is_digits() && format.sorts() {
        let digits = Expr::call(&REGEXP_REPLACE, [full, Expr::text("[^0-9]"), Expr::text("")]);
        digits.substr(1, format.width())
    } else {
        printed(format.printed(), |unit| {
            let (start, width) = iso_place(unit);
            full.substr(start, width)
        })
    };
    Case::when(&own, text).or_when(&iso, &printed).or_null()
}

/// What Hive prints of a DATE or a TIMESTAMP that is not finer than a unit.
fn iso_pattern(finest: Granularity) -> String {
    let at = |unit: Granularity, zero: &str| -> String {
        if unit <= finest { "[0-9]{2}".into() } else { zero.to_string() }
    };
    let fraction = if finest == Granularity::Millisecond { "[0-9]{1,3}0{0,6}" } else { "0{1,9}" };
    format!(
        "[0-9]{{4}}-{}-{}( {}:{}:{}([.]{fraction})?)?",
        at(Granularity::Month, "01"),
        at(Granularity::Day, "01"),
        at(Granularity::Hour, "00"),
        at(Granularity::Minute, "00"),
        at(Granularity::Second, "00"),
    )
}

/// A date that a calendar field stores, printed in a format that is not finer.
pub fn reprinted(field: &CalendarField, stored: &Expr, format: &TimePattern) -> Result<Expr, NotInHive> {
    if format.units().any(|unit| field.format.place_of(unit).is_none()) {
        return Err(NotInHive::FinerFormat { format: format.text().to_string() });
    }
    Ok(printed(format, |unit| match field.format.place_of(unit) {
        Some((start, width)) => stored.substr(start + 1, width),
        None => Expr::null(),
    }))
}

fn format_pattern(format: &TimeFormat) -> String {
    let parts = format.printed().pieces().iter().map(|piece| match piece {
        PatternPiece::Unit(_) => format!("[0-9]{{{}}}", piece.width()),
        PatternPiece::Literal(c) => format!("\\x{{{:X}}}", u32::from(*c)),
    });
    parts.collect()
}

/// The checks that every stored text of the field must pass.
pub fn checks(field: &Field, stored: &Expr) -> Vec<RowCheck> {
    let name = &field.name;
    let missing = match &field.kind {
        FieldKind::Epoch(_) => "is missing, cannot be read, or is a local time that occurs twice or never",
        kind if kind.is_nullable() => "is the empty text, which stands for NULL in the key",
        _ => "is missing or cannot be read",
    };
    let mut checks = vec![RowCheck::new(RowFault::Value, stored.is_not_null(), format!("{name} {missing}"))];
    match &field.kind {
        FieldKind::Text(text) => checks.extend(text_checks(name, text, stored)),
        FieldKind::Calendar(calendar) => {
            let format = &calendar.format;
            let shape = matches(stored, &format_pattern(format));
            checks.push(RowCheck::new(
                RowFault::Characters,
                shape,
                format!("{name} is not in the format {}", format.pattern()),
            ));
            let real = iso_text(format, stored).rlike(REAL_DATE);
            checks.push(RowCheck::new(RowFault::Value, real, format!("{name} is not a calendar date")));
        }
        FieldKind::Integer(form) | FieldKind::Epoch(EpochField { number: form, .. }) => {
            let (shape, digits) = match padding(form) {
                Some(width) => (format!("[0-9]{{{width}}}"), None),
                None => ("-?[0-9]+".to_string(), Some("(0|-?[1-9][0-9]{0,18})")),
            };
            checks.push(RowCheck::new(
                RowFault::Characters,
                matches(stored, &shape),
                format!("{name} is not written as a number of its width"),
            ));
            if let Some(digits) = digits {
                let message = format!("{name} has leading zeros or is too long");
                checks.push(RowCheck::new(RowFault::Value, matches(stored, digits), message));
            }
            let range = in_range(&stored_domain(form), &stored.cast(Type::BigInt));
            checks.push(RowCheck::new(RowFault::Value, range, format!("{name} is out of range")));
        }
    }
    checks
}

fn text_checks(name: &str, text: &TextField, stored: &Expr) -> Vec<RowCheck> {
    let mut checks = Vec::new();
    if text.chars != Chars::utf8() {
        let condition = matches(stored, &format!("{}*", class(&text.chars)));
        let message = format!("{name} has characters outside {}", text.chars.name());
        checks.push(RowCheck::new(RowFault::Characters, condition, message));
    }
    if let Some(width) = text.width {
        let bytes = if text.chars.is_ascii() {
            stored.length()
        } else {
            Expr::call(&ENCODE, [stored.clone(), Expr::text("UTF-8")]).length()
        };
        checks.push(RowCheck::new(
            RowFault::Width,
            bytes.binary(BinaryOperator::Eq, &width.into()),
            format!("{name} is not {width} bytes wide"),
        ));
    }
    if let Some(values) = &text.values {
        let stored_value =
            |value: &String| if text.reverse { value.chars().rev().collect() } else { value.clone() };
        let listed = values.iter().map(|value| Expr::text(stored_value(value))).collect();
        let condition = stored.is_in(listed);
        checks.push(RowCheck::new(RowFault::Value, condition, format!("{name} is not one of its values")));
    }
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_hold_any_character() {
        assert_eq!(class(&Chars::parse("hex").unwrap()), "[0-9a-f]");
        assert_eq!(class(&Chars::parse(r"[a-z\]^😀-]").unwrap()), r"[\x{2D}\x{5D}-\x{5E}a-z\x{1F600}]");
    }

    #[test]
    fn formats_as_patterns() {
        let format = TimeFormat::parse("yyyy/MM/dd").unwrap();
        assert_eq!(format_pattern(&format), r"[0-9]{4}\x{2F}[0-9]{2}\x{2F}[0-9]{2}");
        assert_eq!(iso_pattern(Granularity::Day), "[0-9]{4}-[0-9]{2}-[0-9]{2}( 00:00:00([.]0{1,9})?)?");
        let month = TimeFormat::parse("yyyyMM").unwrap();
        let field = CalendarField { format, time_of_day: false, hive_type: CalendarType::String };
        let reprinted = reprinted(&field, &Expr::column("d"), month.printed()).unwrap();
        assert_eq!(reprinted.to_string(), "concat(substr(`d`, 1, 4), substr(`d`, 6, 2))");
    }
}
