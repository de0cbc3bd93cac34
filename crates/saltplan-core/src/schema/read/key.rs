//! Reads `key:`, the salt, the separator and the fields of the row key.

use super::value::hive_name;
use super::window::{Zone, window};
use crate::diag::{DiagnosticKind, Span, Spanned};
use crate::document::names::Names;
use crate::document::reader::{Fields, optional};
use crate::document::reader::{FileValue, Reader};
use crate::document::wording::MAX_REASON;
use crate::document::wording::{excerpt, plural, shorten};
use crate::key::chars::Chars;
use crate::key::field::{
    CalendarField, CalendarType, EpochField, Field, FieldId, FieldKind, FieldVec, TextField,
};
use crate::key::layout::RowKey;
use crate::key::listed::ListedValues;
use crate::key::number::{ENCODINGS, IntegerSize, NumberForm};
use crate::key::range::{MAX_KEY_BYTES, to_string_binary};
use crate::key::read::{bytes, time_format};
use crate::key::salt::Salt;
use crate::key::salt::file::write::check_write;
use crate::key::salt::file::{self as salt_file, KeyFields, ReadSalt};
use crate::key::salt::spread;
use crate::key::text_form::{TextForm, TextLayout};
use crate::key::time_format::TimeFormat;
use crate::key::time_pattern::Granularity;
use crate::schema::format::field::{self, FieldType};
use crate::schema::format::key as format;

/// The parts of the row key that could be read, and the names of all its fields.
pub(crate) struct ReadKey {
    pub row_key: Option<RowKey>,
    pub names: Names<FieldId>,
}

pub fn key(reader: &mut Reader<'_>, value: Option<&FileValue<'_>>, zone: Zone) -> ReadKey {
    let mut names = Names::new("key field");
    let row_key = value
        .and_then(|value| value.mapping(reader, |reader, fields| row_key(reader, fields, zone, &mut names)));
    if row_key.is_none() {
        names.add_nameless();
    }
    ReadKey { row_key, names }
}

fn row_key(
    reader: &mut Reader<'_>,
    entries: &mut Fields<'_>,
    zone: Zone,
    names: &mut Names<FieldId>,
) -> Option<RowKey> {
    let salt = entries.get(&format::SALT);
    let separator = entries.get(&format::SEPARATOR);
    let list = entries.get(&format::FIELDS);

    let separator = optional(separator, |value| bytes(reader, value));
    let list = list.and_then(|value| list_of_parts(reader, &value, zone, names));
    if list.is_none() {
        names.add_nameless();
    }
    let Parts { parts, complete } = list.unwrap_or_default();
    let fields: FieldVec<Field> = parts.iter().map(|part| part.field.clone()).collect();
    let zoned = zone.is_written;
    let salt =
        optional(salt, |value| salt_file::salt(reader, value, &KeyFields { fields: &fields, names, zoned }));
    let (salt, separator) = (salt?, separator?);
    if !complete {
        return None;
    }
    let separator = separator.map(|separator| separator.value).unwrap_or_default();
    let (plus, write) = salt.as_ref().map_or((None, None), |salt| (salt.plus, salt.write));
    let row_key = join(reader, salt, parts, &separator, &entries.owner())?;
    if let (Some(salt), Some(plus)) = (&row_key.salt, plus) {
        spread::check(reader, &salt.scheme.numbers(&row_key.fields), plus)?;
    }
    if let (Some(salt), Some(write)) = (&row_key.salt, write) {
        check_write(reader, &salt.numbers(&row_key.fields), salt.write, write)?;
    }
    check_length(reader, &row_key, entries.owner().key_span());
    Some(row_key)
}

/// A field, with the separator that the file sets for it.
struct ReadField {
    field: Field,
    separator: Option<Spanned<Vec<u8>>>,
    /// Whether its text may contain the zero byte that ends it.
    may_hold: bool,
    /// Where `nullable` is written.
    nullable_at: Option<Span>,
}

#[derive(Default)]
struct Parts {
    parts: FieldVec<ReadField>,
    /// All items of the list could be read.
    complete: bool,
}

fn list_of_parts(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    zone: Zone,
    names: &mut Names<FieldId>,
) -> Option<Parts> {
    let items = value.some_items(reader, "add a field, such as `{ name: id, type: string }`")?;
    let mut parts = FieldVec::new();
    for item in &items {
        let mut name = None;
        let part = part(reader, item, zone, &mut name);
        let id = part.map(|part| parts.push(part));
        names.add(reader, name, id, item.span());
    }
    let complete = parts.len() == items.len();
    Some(Parts { parts, complete })
}

/// Sets the separator of every part of the key. The last stored part has none.
fn join(
    reader: &mut Reader<'_>,
    salt: Option<ReadSalt>,
    parts: FieldVec<ReadField>,
    separator: &[u8],
    owner: &FileValue<'_>,
) -> Option<RowKey> {
    let last = parts.entries().rfind(|(_, part)| part.field.stored).map(|(id, _)| id);
    if last.is_none() && salt.is_none() {
        reader.error(
            owner.key_span(),
            "the row key is empty",
            "no salt, and no field is stored",
            "remove `stored: false` from a field, or add a salt",
        );
        return None;
    }
    let separator_of = |reader: &mut Reader<'_>, own: Option<Spanned<Vec<u8>>>, written: bool| match own {
        Some(own) if !written => {
            reader.error(
                own.span,
                "a separator after the last stored part",
                "never written",
                "remove `then`: separators go between the stored parts",
            );
            None
        }
        Some(own) => Some(own.value),
        None if written => Some(separator.to_vec()),
        None => Some(Vec::new()),
    };
    let salt = match salt {
        Some(salted) => {
            let separator = separator_of(reader, salted.separator, last.is_some())?;
            Some(Salt { separator, ..salted.salt })
        }
        None => None,
    };
    let mut fields = FieldVec::new();
    for (id, part) in parts.into_entries() {
        let written = part.field.stored && Some(id) != last;
        let separator = if part.field.kind.is_terminated() {
            check_end(reader, part.separator.as_ref())?;
            Vec::new()
        } else {
            separator_of(reader, part.separator, written)?
        };
        if part.field.kind.is_nullable() && written && separator.is_empty() {
            reader.error(
                part.nullable_at?,
                format!("`{}` may be NULL, and nothing shows where it ends", part.field.name),
                "an empty text in front of the next field",
                "give it a separator, such as `then: '_'`, or remove `nullable`",
            );
            return None;
        }
        let kind = match part.field.kind {
            // A text that ends with a zero byte must not contain one.
            FieldKind::Text(text)
                if text.form.is_plain()
                    && separator.contains(&0)
                    && !part.may_hold
                    && text.chars.contains('\0') =>
            {
                FieldKind::Text(TextField { chars: text.chars.without('\0'), ..text })
            }
            kind => kind,
        };
        fields.push(Field { kind, separator, ..part.field });
    }
    Some(RowKey { salt, fields })
}

/// A descending text without width has its own end, also where it is the last field.
fn check_end(reader: &mut Reader<'_>, written: Option<&Spanned<Vec<u8>>>) -> Option<()> {
    match written {
        Some(written) if written.value != [TextForm::DESCENDING_END] => {
            reader.error(
                written.span,
                "a descending text without a width ends with the byte 0xFF",
                "another separator",
                "write `then: '\\xFF'` or remove `then`, or give the text a `width`",
            );
            None
        }
        _ => Some(()),
    }
}

fn check_length(reader: &mut Reader<'_>, key: &RowKey, place: Span) {
    let least: usize = key
        .stored()
        .map(|index| &key.fields[index])
        .map(|field| least_width(field) + field.separator.len())
        .sum();
    if least > MAX_KEY_BYTES {
        let message =
            format!("every row key has at least {least} bytes, but HBase accepts at most {MAX_KEY_BYTES}");
        reader.error(place, message, "too long", "shorten the fields: even 100 bytes are long for a row key");
    }
}

fn least_width(field: &Field) -> usize {
    match &field.kind {
        FieldKind::Text(_) => field.kind.fixed_width().unwrap_or(0),
        kind => kind.fixed_width().unwrap_or(1),
    }
}

/// The keys that describe how a field is stored; which of them are allowed depends on the type.
struct Layout<'n> {
    format: Option<FileValue<'n>>,
    hive_type: Option<FileValue<'n>>,
    epoch: Option<FileValue<'n>>,
    encoding: Option<FileValue<'n>>,
    descending: Option<FileValue<'n>>,
    width: Option<FileValue<'n>>,
    min: Option<FileValue<'n>>,
    max: Option<FileValue<'n>>,
    chars: Option<FileValue<'n>>,
    values: Option<FileValue<'n>>,
    reverse: Option<FileValue<'n>>,
    nullable: Option<FileValue<'n>>,
    pad: Option<FileValue<'n>>,
}

/// Reads a field; registers its name even if the rest is wrong.
fn part(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    zone: Zone,
    name_found: &mut Option<Spanned<String>>,
) -> Option<ReadField> {
    value.mapping(reader, |reader, fields| {
        let name = fields.get(&field::NAME);
        let type_name = fields.get(&field::TYPE);
        let layout = Layout {
            format: fields.get(&field::FORMAT),
            hive_type: fields.get(&field::HIVE_TYPE),
            epoch: fields.get(&field::EPOCH),
            encoding: fields.get(&field::ENCODING),
            descending: fields.get(&field::DESCENDING),
            width: fields.get(&field::WIDTH),
            min: fields.get(&field::MIN),
            max: fields.get(&field::MAX),
            chars: fields.get(&field::CHARS),
            values: fields.get(&field::VALUES),
            reverse: fields.get(&field::REVERSE),
            nullable: fields.get(&field::NULLABLE),
            pad: fields.get(&field::PAD),
        };
        let stored = fields.get(&field::STORED);
        let separator = fields.get(&field::THEN);
        let may_hold = fields.get(&field::MAY_HOLD);

        *name_found = name.and_then(|value| hive_name(reader, &value));
        let kind = type_name.and_then(|value| value.word(reader, &field::TYPES));
        let refused = kind.and_then(|_| fields.refuse(reader));
        let kind = kind.filter(|_| refused.is_some()).and_then(|kind| layout.kind(reader, kind, value));
        let bounds = [layout.min.as_ref(), layout.max.as_ref()];
        let window = kind.as_ref().map(|kind| window(reader, bounds, kind, zone));
        let stored = optional(stored, |value| value.flag(reader));
        let separator = optional(separator, |value| bytes(reader, value))?;
        let may_hold = optional(may_hold, |value| value.flag(reader))?;
        let name = name_found.as_ref()?.value.clone();
        let field = Field {
            name,
            kind: kind?,
            stored: stored?.unwrap_or_else(|| field::STORED.default_flag()),
            window: window??,
            separator: Vec::new(),
        };
        if let (false, Some(separator)) = (field.stored, &separator) {
            reader.error(
                separator.span,
                "a separator after a field that is not stored",
                "never written",
                "remove `then`",
            );
            return None;
        }
        let may_hold = may_hold.unwrap_or_else(|| field::MAY_HOLD.default_flag());
        let nullable_at = layout.nullable.as_ref().map(FileValue::key_span);
        Some(ReadField { field, separator, may_hold, nullable_at })
    })
}

impl Layout<'_> {
    fn kind(&self, reader: &mut Reader<'_>, kind: FieldType, field: &FileValue<'_>) -> Option<FieldKind> {
        match (kind, &self.epoch) {
            (FieldType::Text, _) => self.text(reader).map(FieldKind::Text),
            (FieldType::Bytes, _) => self.bytes(reader, field).map(FieldKind::Text),
            (FieldType::Integer(size), _) => self.integer(reader, size, field),
            (FieldType::Date, _) => self.calendar(reader, false, field).map(FieldKind::Calendar),
            (FieldType::Timestamp, Some(unit)) => self.epoch(reader, unit, field).map(FieldKind::Epoch),
            (FieldType::Timestamp, None) => self.calendar(reader, true, field).map(FieldKind::Calendar),
        }
    }

    fn text(&self, reader: &mut Reader<'_>) -> Option<TextField> {
        let width = optional(self.width, |value| value.number(reader));
        let chars = optional(self.chars, |value| chars(reader, value));
        let reverse = optional(self.reverse, |value| value.flag(reader));
        let nullable = optional(self.nullable, |value| value.flag(reader));
        let pad = optional(self.pad, |value| padding(reader, value));
        let (width, chars, descending) = (width?, chars?, self.descending(reader)?);
        if let (Some(pad), None) = (&self.pad, width) {
            let help = "add the number of bytes to which the text is filled up, such as `width: 24`";
            reader.error(pad.key_span(), "`pad` needs a `width`", "without an end", help);
            return None;
        }
        let layout = match (pad?, width) {
            (Some(byte), Some(width)) => TextLayout::Padded { width, byte },
            (_, None) if descending => TextLayout::Terminated,
            _ => TextLayout::Plain,
        };
        let form = TextForm { layout, descending };
        let field = TextField {
            width: if form.padding().is_some() { None } else { width },
            chars: form.allowed(chars.unwrap_or_else(Chars::utf8)),
            values: None,
            reverse: reverse?.unwrap_or_else(|| field::REVERSE.default_flag()),
            nullable: nullable?.unwrap_or_else(|| field::NULLABLE.default_flag()),
            form,
        };
        let values = optional(self.values, |value| values(reader, value, &field))?;
        let values = values.map(|values| ListedValues::new(values, field.reverse));
        Some(TextField { values, ..field })
    }

    /// Bytes are read and compared as their hex digits.
    fn bytes(&self, reader: &mut Reader<'_>, field: &FileValue<'_>) -> Option<TextField> {
        let width: Option<usize> = optional(self.width, |value| value.number(reader))?;
        if width.is_none() {
            reader.error(
                field.key_span(),
                "`type: bytes` needs a `width`",
                "incomplete",
                "add the number of bytes, such as `width: 3`",
            );
            return None;
        }
        let descending = self.descending(reader)?;
        Some(TextField {
            width: width.map(|bytes| 2 * bytes),
            chars: Chars::hex(),
            values: None,
            reverse: false,
            nullable: false,
            form: TextForm { layout: TextLayout::Hex, descending },
        })
    }

    fn descending(&self, reader: &mut Reader<'_>) -> Option<bool> {
        let descending = optional(self.descending, |value| value.flag(reader))?;
        Some(descending.unwrap_or_else(|| field::DESCENDING.default_flag()))
    }

    fn integer(
        &self,
        reader: &mut Reader<'_>,
        size: IntegerSize,
        field: &FileValue<'_>,
    ) -> Option<FieldKind> {
        let free = self.number(reader, size, field)?;
        self.bounded(reader, free).map(FieldKind::Integer)
    }

    /// Checks that `min` and `max` are numbers that the encoding can represent.
    fn bounded(&self, reader: &mut Reader<'_>, form: NumberForm) -> Option<NumberForm> {
        let stored = form.holds();
        let greatest = stored.stop.map_or(i128::MAX, |stop| stop - 1).min(i64::MAX.into());
        let least = stored.start;
        let min = optional(self.min, |value| value.number_within(reader, least..=greatest));
        let max = optional(self.max, |value| value.number_within(reader, least..=greatest));
        let (min, max) = (min?, max?);
        if let (Some(least), Some(greatest), Some(place)) = (min, max, &self.max)
            && least > greatest
        {
            let message = format!("`max` is {greatest}, and `min` is {least}");
            reader.error(place.span(), message, "no number satisfies both", "write the smaller one as `min`");
            return None;
        }
        Some(NumberForm { min, max, ..form })
    }

    fn epoch(
        &self,
        reader: &mut Reader<'_>,
        unit: &FileValue<'_>,
        field: &FileValue<'_>,
    ) -> Option<EpochField> {
        let unit = unit.word(reader, &field::EPOCH_UNITS);
        let number = self.number(reader, IntegerSize::Bigint, field);
        Some(EpochField { unit: unit?, number: number? })
    }

    /// Reads how a number is stored.
    fn number(
        &self,
        reader: &mut Reader<'_>,
        size: IntegerSize,
        field: &FileValue<'_>,
    ) -> Option<NumberForm> {
        let form = self.encoded(reader, size, field);
        let descending = self.descending(reader)?;
        let form = NumberForm { descending, ..form? };
        if form.descending && !form.can_descend() {
            return self.cannot_descend(reader, size);
        }
        Some(form)
    }

    fn encoded(
        &self,
        reader: &mut Reader<'_>,
        size: IntegerSize,
        field: &FileValue<'_>,
    ) -> Option<NumberForm> {
        let Some(value) = &self.encoding else {
            reader.error(
                field.key_span(),
                "a number needs an `encoding`",
                "incomplete",
                "add `encoding: decimal` for text, `encoding: be` for the bytes of the type (8 of a `bigint`, 4 of an `int`)",
            );
            return None;
        };
        let encoding = value.word(reader, &ENCODINGS)?;
        let width = match encoding.widths() {
            Some(widths) => {
                let range = *widths.start() as i128..=*widths.end() as i128;
                optional(self.width, |value| value.number_within(reader, range))?
            }
            None => None,
        };
        Some(NumberForm { width, ..NumberForm::new(size, encoding) })
    }

    fn cannot_descend<T>(&self, reader: &mut Reader<'_>, size: IntegerSize) -> Option<T> {
        let digits = size.digits();
        let place = self.descending.as_ref()?.key_span();
        reader.error(
            place,
            "`descending` does not fit this encoding",
            "stores the maximum minus the value",
            format!("write `encoding: be`, or `encoding: decimal` with `width: {digits}`"),
        );
        None
    }

    fn calendar(
        &self,
        reader: &mut Reader<'_>,
        time_of_day: bool,
        field: &FileValue<'_>,
    ) -> Option<CalendarField> {
        let Some(value) = &self.format else {
            let what = if time_of_day {
                "a timestamp needs a `format` or an `epoch`"
            } else {
                "a date needs a `format`"
            };
            let help = if time_of_day {
                "add `format: yyyyMMddHHmmss`, or `epoch: ms`"
            } else {
                "add `format: yyyyMMdd`"
            };
            reader.error(field.key_span(), what, "incomplete", help);
            return None;
        };
        let format = time_format(reader, value)?;
        if !time_of_day && format.granularity() > Granularity::Day {
            reader.error(value.span(), "a date has no time of day", "prints one", "write `type: timestamp`");
            return None;
        }
        let hive_type = optional(self.hive_type, |value| calendar_type(reader, value, &format))?;
        let hive_type = hive_type.unwrap_or_else(|| CalendarType::default_of(&format));
        Some(CalendarField { format, time_of_day, hive_type })
    }
}

/// The `hive_type` of a calendar field, if it preserves everything that the field stores.
fn calendar_type(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    format: &TimeFormat,
) -> Option<CalendarType> {
    let hive_type = value.word(reader, &field::HIVE_TYPES)?;
    let digits = format.printed().number_digits();
    let reason = match hive_type {
        CalendarType::Int if digits.is_none_or(|digits| digits > 9) => {
            "an int holds formats of up to nine digits that start with the year"
        }
        CalendarType::Bigint if digits.is_none_or(|digits| digits > 18) => {
            "a bigint holds formats of up to eighteen digits that start with the year"
        }
        CalendarType::Date if format.granularity() > Granularity::Day => "a DATE has no time of day",
        _ => return Some(hive_type),
    };
    let message = format!("{} cannot represent the values of `{}`", hive_type.name(), format.pattern());
    let help = format!("write `hive_type: {}`", CalendarType::default_of(format).name());
    reader.error(value.span(), message, reason, help);
    None
}

/// A blank or the zero byte.
fn padding(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<u8> {
    let read = bytes(reader, value)?;
    match read.value.as_slice() {
        [byte @ (b' ' | 0)] => Some(*byte),
        _ => {
            let message =
                format!("a text cannot be padded with `{}`", excerpt(&to_string_binary(&read.value)));
            reader.error(
                read.span,
                message,
                "neither a blank nor a zero byte",
                "write `pad: ' '` or `pad: '\\x00'`",
            );
            None
        }
    }
}

fn chars(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Chars> {
    if value.is_list() {
        return value.mismatch(reader, "a word, or a class in quotes", "write a class as `chars: '[a-z]'`");
    }
    let text = value.text(reader)?;
    match Chars::parse(&text.value) {
        Ok(chars) => Some(chars),
        Err(reason) => {
            let fault = reader.fault(
                text.span,
                format!("`{}` is not a set of characters", excerpt(&text.value)),
                shorten(&reason.to_string(), MAX_REASON),
            );
            let fault = fault
                .with_help("write `digits`, `hex`, `alnum`, `ascii`, `utf8`, or a class such as `'[a-z-]'`");
            let fault = reader.suggesting(fault, &text.value, Chars::NAMES);
            reader.report(fault);
            None
        }
    }
}

/// The finite domain of a text field: distinct values that fit its width and characters.
fn values(reader: &mut Reader<'_>, value: &FileValue<'_>, field: &TextField) -> Option<Vec<String>> {
    let items = value.some_items(reader, "add the values, or remove this key to allow any text")?;
    let mut seen = std::collections::BTreeMap::new();
    let mut values = Vec::with_capacity(items.len());
    for item in &items {
        let text = item.text(reader)?;
        if let Some(reason) = misfit(&text.value, field) {
            let message = format!("the value `{}` does not fit its field", excerpt(&text.value));
            reader.error(text.span, message, reason, "remove it, or change `width` or `chars`");
        }
        if let Some(first) = seen.insert(text.value.clone(), text.span) {
            let message = format!("the value `{}` is listed twice", excerpt(&text.value));
            let fault = reader.fault(text.span, message, "again here").with_label(first, "first here");
            reader.report(fault.with_help("remove one of them").with_kind(DiagnosticKind::Duplicate));
        }
        values.push(text.value);
    }
    Some(values)
}

fn misfit(text: &str, field: &TextField) -> Option<String> {
    if let Some(width) = field.width.filter(|width| *width != text.len()) {
        return Some(format!("{}, the width is {width}", plural(text.len(), "byte")));
    }
    let foreign = text.chars().find(|c| !field.chars.contains(*c))?;
    Some(format!("`{}` is not in `{}`", foreign.escape_debug(), excerpt(field.chars.name())))
}
