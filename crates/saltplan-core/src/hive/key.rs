//! Key fields as HiveQL expressions on the row key column.

use crate::hive::field::typed_value;
use crate::key::field::{Field, FieldId, FieldKind};
use crate::key::number::{NumberForm, StoredBits, StoredNumber};
use crate::key::salt::SaltWrite;
use crate::key::text_form::{TextForm, TextLayout};
use crate::schema::model::{ColumnId, Schema};
use saltplan_sql::ast::{BinaryOperator, Expr};
use saltplan_sql::functions::{
    CONCAT, CONV, HEX, INSTR, LOWER, REGEXP_REPLACE, RTRIM, SUBSTRING_INDEX, TRANSLATE, UNHEX,
};

use crate::hive::date::iso_text;
use crate::hive::not_in_hive::NotInHive;
use crate::hive::pattern::{Before, Characters, HexDigits, Length};
use saltplan_sql::hive_type::Type;

/// Cuts key fields out of a row key that Hive reads as a string.
#[derive(Debug)]
pub struct KeyColumn<'a> {
    pub(super) schema: &'a Schema,
    name: String,
    column: Expr,
}

impl<'a> KeyColumn<'a> {
    /// `column` is the plain name of the mapping table's key column.
    pub fn new(schema: &'a Schema, column: &str) -> Self {
        KeyColumn { schema, name: column.to_string(), column: Expr::column(column) }
    }

    /// The plain name of the key column.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The key column as an expression.
    pub fn bare(&self) -> &Expr {
        &self.column
    }

    /// The key as a value, never as the bare column: Hive's HBase handler removes comparisons of the bare key column from a query, and
    /// ignores all of them if there are more than two.
    pub fn value(&self) -> Expr {
        Expr::call(&CONCAT, [self.column.clone(), Expr::text("")])
    }

    /// The field's value as its Hive type.
    ///
    /// # Errors
    /// Why HiveQL cannot compute the field from the row key.
    pub fn typed(&self, field: FieldId) -> Result<Expr, NotInHive> {
        let declared = &self.schema.key.fields[field];
        if !declared.stored {
            return self.column_of(declared);
        }
        let stored = self.stored_text(field)?;
        Ok(typed_value(&declared.kind, stored))
    }

    /// A calendar field as DATE or TIMESTAMP.
    ///
    /// # Errors
    /// Why HiveQL cannot compute the field from the row key.
    pub fn dated(&self, field: FieldId) -> Result<Expr, NotInHive> {
        let FieldKind::Calendar(calendar) = &self.schema.key.fields[field].kind else {
            return self.typed(field);
        };
        if !self.schema.key.fields[field].stored {
            return self.column_of(&self.schema.key.fields[field]);
        }
        let hive_type = if calendar.time_of_day { Type::Timestamp } else { Type::Date };
        Ok(iso_text(&calendar.format, &self.stored_text(field)?).cast(hive_type))
    }

    /// A field that is not stored has its value in the column of the same name, if there is one.
    fn column_of(&self, field: &Field) -> Result<Expr, NotInHive> {
        match self.schema.column(&field.name) {
            Some(column) => Ok(self.column(column)),
            None => Err(NotInHive::NowhereStored { field: field.name.clone() }),
        }
    }

    /// A column other than the key.
    pub fn column(&self, id: ColumnId) -> Expr {
        Expr::column(&self.schema.columns[id].name)
    }

    /// The characters that the key stores for a field.
    ///
    /// # Errors
    /// Why HiveQL cannot cut them out.
    pub fn stored_text(&self, field: FieldId) -> Result<Expr, NotInHive> {
        if !self.schema.key.fields[field].stored {
            return self.column_of(&self.schema.key.fields[field]);
        }
        if self.is_behind_bytes(field) {
            return self.of_bytes(field);
        }
        let mut rest = self.behind_salt()?;
        let stored: Vec<FieldId> = self.schema.key.stored().collect();
        for id in &stored {
            let part = &self.schema.key.fields[*id];
            if *id == field {
                return self.cut(part, &rest, stored.last() == Some(id));
            }
            self.skip(part, &mut rest)?;
        }
        Err(NotInHive::NotStored { field: self.schema.key.fields[field].name.clone() })
    }

    fn behind_salt(&self) -> Result<KeyRest, NotInHive> {
        let mut rest = KeyRest { start: 1, before: Before::default(), is_narrow: true };
        let Some(salt) = &self.schema.key.salt else { return Ok(rest) };
        let separator = std::str::from_utf8(&salt.separator).map_err(|_| NotInHive::SaltSeparator)?;
        if salt.write.is_binary() {
            return Err(NotInHive::BinarySalt);
        }
        let fields = &self.schema.key.fields;
        match salt.width_in_characters(fields) {
            Some(width) => rest.skip(width, separator),
            None if separator.is_empty() => return Err(NotInHive::SaltWithoutEnd),
            None if !salt.ends_at_separator(fields) => return Err(NotInHive::SeparatorInsideSalt),
            None => {
                let is_narrow =
                    salt.write != SaltWrite::Text || fields.iter().all(|field| is_narrow(&field.kind));
                rest.skip_until(separator, is_narrow);
            }
        }
        Ok(rest)
    }

    /// Goes on behind a part.
    fn skip(&self, part: &Field, rest: &mut KeyRest) -> Result<(), NotInHive> {
        let separator = self.separator(part)?;
        match part.kind.fixed_width() {
            Some(width) => {
                self.check_width_in_characters(part)?;
                rest.skip(width, separator);
            }
            None => {
                self.check_separator(part)?;
                rest.skip_until(separator, is_narrow(&part.kind));
            }
        }
        Ok(())
    }

    fn cut(&self, part: &Field, rest: &KeyRest, is_last: bool) -> Result<Expr, NotInHive> {
        if !part.kind.is_text_in_key() {
            return Err(NotInHive::BinaryField { field: part.name.clone() });
        }
        let length = match part.kind.fixed_width() {
            _ if is_last && part.separator.is_empty() => Length::Rest,
            Some(width) => {
                self.check_width_in_characters(part)?;
                Length::Fixed(width)
            }
            None => {
                self.check_separator(part)?;
                Length::Until(self.separator(part)?.as_bytes().to_vec())
            }
        };
        Ok(rest.cut(self, &length))
    }

    /// Whether the field or a part before it is binary, so that a character of the key need not be one byte.
    fn is_behind_bytes(&self, field: FieldId) -> bool {
        let key = &self.schema.key;
        key.salt.as_ref().is_some_and(|salt| salt.write.is_binary())
            || key.stored().any(|id| id <= field && !key.fields[id].kind.is_text_in_key())
    }

    /// The value of a field, taken from the hex digits of the key: its text, or a number.
    fn of_bytes(&self, field: FieldId) -> Result<Expr, NotInHive> {
        let part = &self.schema.key.fields[field];
        let digits = self.hex_digits(field)?;
        match &part.kind {
            FieldKind::Text(text) => Ok(formed_text(digits, text.form)),
            kind => match kind.number().map(|form| (form, form.stored())) {
                Some((form, StoredNumber::Bits(bits))) => Ok(stored_number(&digits, bits, form)),
                _ => Ok(unhexed(digits)),
            },
        }
    }

    /// The hex digits of what the key stores for a field, without the byte that ends it.
    fn hex_digits(&self, field: FieldId) -> Result<Expr, NotInHive> {
        let key = &self.schema.key;
        let hex = Expr::call(&HEX, [self.column.clone()]);
        let mut before = Before::default();
        if let Some(salt) = &key.salt {
            before
                .skip(salt.fixed_width(&key.fields).ok_or(NotInHive::SaltWithoutEnd)? + salt.separator.len());
        }
        for id in key.stored().take_while(|id| *id != field) {
            let part = &key.fields[id];
            match part.kind.fixed_width() {
                Some(width) => before.skip(width + part.separator.len()),
                None => before.skip_until(&self.end_of(part)?),
            }
        }
        let part = &key.fields[field];
        let is_last = key.stored().next_back() == Some(field);
        let own = match part.kind.fixed_width() {
            Some(width) => Length::Fixed(width),
            None if is_last && part.separator.is_empty() && !part.kind.is_terminated() => Length::Rest,
            None => Length::Until(self.end_of(part)?),
        };
        Ok(digits_of(&hex, &before, &own))
    }

    /// The bytes that end a field without a fixed width.
    fn end_of(&self, part: &Field) -> Result<Vec<u8>, NotInHive> {
        if let FieldKind::Text(text) = &part.kind
            && text.form.is_terminated()
        {
            return Ok(vec![TextForm::DESCENDING_END]);
        }
        self.check_separator(part)?;
        Ok(part.separator.clone())
    }

    fn separator<'b>(&self, part: &'b Field) -> Result<&'b str, NotInHive> {
        std::str::from_utf8(&part.separator).map_err(|_| NotInHive::Separator { field: part.name.clone() })
    }

    /// Checks that the width in bytes is also the width in characters, as Hive counts.
    fn check_width_in_characters(&self, part: &Field) -> Result<(), NotInHive> {
        if part.kind.is_ascii_in_key() {
            return Ok(());
        }
        let field = part.name.clone();
        Err(match part.kind.is_text_in_key() {
            true => NotInHive::WideCharacters { field },
            false => NotInHive::BinaryWidth { field },
        })
    }

    fn check_separator(&self, part: &Field) -> Result<(), NotInHive> {
        if part.separator.is_empty() {
            return Err(NotInHive::FieldWithoutEnd { field: part.name.clone() });
        }
        if part.kind.may_hold_part_of(&part.separator) {
            return Err(NotInHive::SeparatorInside { field: part.name.clone() });
        }
        Ok(())
    }
}

/// The last character of one UTF-16 unit. Measured on 2.3.9 and 3.1.3: `instr` counts a later character as one, `substr` as two.
const LAST_NARROW: char = '\u{FFFF}';

/// Whether `instr` and `substr` count the characters of a field alike.
fn is_narrow(kind: &FieldKind) -> bool {
    match kind {
        FieldKind::Text(text) => match &text.values {
            Some(values) => values.iter().all(|value| value.chars().all(|c| c <= LAST_NARROW)),
            None => text.chars.greatest() <= LAST_NARROW,
        },
        _ => true,
    }
}

/// The key behind some of its parts, in characters.
struct KeyRest {
    /// The first character that is not skipped by its place, counted from 1.
    start: usize,
    /// What is skipped from there on.
    before: Before,
    /// Whether `instr` and `substr` agree on where the parts in `before` end.
    is_narrow: bool,
}

impl KeyRest {
    fn skip(&mut self, width: usize, separator: &str) {
        let characters = width + separator.chars().count();
        self.is_narrow &= separator.chars().all(|c| c <= LAST_NARROW);
        match self.before.count_ended() {
            0 if self.is_narrow => self.start += characters,
            _ => self.before.skip(characters),
        }
    }

    fn skip_until(&mut self, separator: &str, is_narrow: bool) {
        self.is_narrow &= is_narrow && separator.chars().all(|c| c <= LAST_NARROW);
        self.before.skip_until(separator.as_bytes());
    }

    /// A part that begins here. Each form uses the text of the key once or twice, however many parts are skipped.
    fn cut(&self, key: &KeyColumn<'_>, length: &Length) -> Expr {
        let is_simple = self.is_narrow && self.before.count_ended() <= 1;
        let text = match (self.start, self.before.only_end(), length) {
            (start, None, Length::Fixed(width)) if is_simple => return key.column.substr(start, *width),
            (1, _, _) => key.value(),
            (start, _, _) => key.column.substr_from(start),
        };
        if !is_simple {
            return self.before.cut::<Characters>(&text, length);
        }
        let rest = match self.before.only_end() {
            None => text,
            Some(end) => {
                let end = String::from_utf8_lossy(end);
                let at = Expr::call(&INSTR, [text.clone(), Expr::text(&*end)]);
                text.substr_from(at.binary(BinaryOperator::Plus, &end.chars().count().into()))
            }
        };
        let bytes = self.before.bytes;
        match length {
            Length::Fixed(width) => rest.substr(1 + bytes, *width),
            Length::Rest if bytes == 0 => rest,
            Length::Rest => rest.substr_from(1 + bytes),
            Length::Until(end) => {
                let rest = if bytes == 0 { rest } else { rest.substr_from(1 + bytes) };
                Expr::call(&SUBSTRING_INDEX, [rest, Expr::text(String::from_utf8_lossy(end)), 1.into()])
            }
        }
    }
}

/// The hex digits of a part.
fn digits_of(hex: &Expr, before: &Before, length: &Length) -> Expr {
    let start = 2 * before.bytes + 1;
    match length {
        Length::Fixed(bytes) if before.count_ended() == 0 => hex.substr(start, 2 * bytes),
        Length::Rest if before.count_ended() == 0 => hex.substr_from(start),
        _ => before.cut::<HexDigits>(hex, length),
    }
}

fn unhexed(digits: Expr) -> Expr {
    Expr::call(&UNHEX, [digits]).cast(Type::String)
}

/// The text that a form stores in these hex digits.
fn formed_text(digits: Expr, form: TextForm) -> Expr {
    let digits = match form.descending {
        // The digits of inverted bytes.
        true => {
            Expr::call(&TRANSLATE, [digits, Expr::text("0123456789ABCDEF"), Expr::text("FEDCBA9876543210")])
        }
        false => digits,
    };
    match form.layout {
        TextLayout::Hex => Expr::call(&LOWER, [digits]),
        TextLayout::Padded { byte: b' ', .. } => Expr::call(&RTRIM, [unhexed(digits)]),
        TextLayout::Padded { byte, .. } => {
            let end = Expr::text(format!(r"\x{byte:02X}+\z"));
            Expr::call(&REGEXP_REPLACE, [unhexed(digits), end, Expr::text("")])
        }
        TextLayout::Plain | TextLayout::Terminated => unhexed(digits),
    }
}

/// The number in some stored bytes; the number of a descending field must still be subtracted from its
/// maximum. Measured on 2.3.9 and 3.1.3: `conv(…, 16, -10)` of sixteen digits is the signed number.
fn stored_number(
    digits: &Expr,
    StoredBits { bytes, inverted, signed }: StoredBits,
    form: &NumberForm,
) -> Expr {
    let bits = Expr::call(&CONV, [digits.clone(), 16.into(), Expr::number(-10)]).cast(Type::BigInt);
    // Subtracting inverts bits, too, and subtracting a negative number from the maximum needs all bits.
    let minuend = form.minuend();
    let inverted = inverted ^ minuend.unwrap_or(0).cast_unsigned();
    let sign = 1_u64 << (8 * bytes - 1);
    let extends = signed && minuend.is_none() && bytes < 8;
    let flipped = if extends { inverted ^ sign } else { inverted };
    let bits = if flipped == 0 {
        bits
    } else {
        bits.binary(BinaryOperator::BitwiseXor, &bigint(flipped.cast_signed())).bracketed()
    };
    if extends { bits.binary(BinaryOperator::Minus, &Expr::number(sign)).bracketed() } else { bits }
}

/// A number as a literal. `i64::MIN` has none, since its digits without the sign are too large.
fn bigint(number: i64) -> Expr {
    match number {
        i64::MIN => Expr::text(number.to_string()).cast(Type::BigInt),
        number => Expr::number(number),
    }
}
