//! Recognises fields in a column of key parts: dates, instants, numbers, text.

use super::draft::{DraftChars, DraftField, DraftKind, TextForm, fresh_name};
use saltplan_core::key::field::EpochUnit;
use saltplan_core::key::number::{IntegerSize, NumberEncoding, NumberForm};
use saltplan_core::key::range::to_string_binary;
use saltplan_document::diag::grouped;
use saltplan_sql::time::format::TimeFormat;
use saltplan_sql::time::pattern::Granularity;

/// Characters that usually separate parts.
pub const SEPARATORS: &[u8] = b"_|:-,;#/~. @";

/// Formats that are searched for, longest first.
const FORMATS: [&str; 12] = [
    "yyyy-MM-dd HH:mm:ss",
    "yyyyMMddHHmmssSSS",
    "yyyyMMddHHmmss",
    "yyyy-MM-ddHH",
    "yyyyMMddHHmm",
    "yyyy-MM-dd",
    "yyyy/MM/dd",
    "yyyy.MM.dd",
    "yyyyMMddHH",
    "yyyyMMdd",
    "yyyy-MM",
    "yyyyMM",
];

/// The years in which a date in a row key is expected.
const YEARS: std::ops::RangeInclusive<i32> = 1990..=2100;

/// Milliseconds since 1970 of the years 2001 to 2033.
const MILLISECONDS: std::ops::Range<i64> = 1_000_000_000_000..2_000_000_000_000;

/// Splits one part of all keys into fields, which are added to `fields`. `None` if some bytes cannot be
/// explained.
pub(crate) fn segment(column: &[&[u8]], fields: &mut Vec<DraftField>) -> Option<()> {
    let width = column.first()?.len();
    let shortest = column.iter().map(|part| part.len()).min()?;
    let fixed = column.iter().all(|part| part.len() == width);
    if fixed && width == 0 {
        return Some(());
    }
    if let Some((start, end, format)) = date(column, shortest) {
        segment(&cut(column, 0, start), fields)?;
        let remark = not_finer(column, start, &format);
        push_date(fields, format, remark);
        let rests: Vec<&[u8]> = column.iter().filter_map(|part| part.get(end..)).collect();
        return segment(&behind_sign(rests, fields), fields);
    }
    if column.iter().all(|part| is_text(part)) {
        push_text(column, fixed.then_some(width), fields);
        return Some(());
    }
    if !fixed {
        return None;
    }
    binary(column, width, fields)
}

/// The text after the separator that ends the preceding field, if all keys have the same separator.
fn behind_sign<'a>(rests: Vec<&'a [u8]>, fields: &mut [DraftField]) -> Vec<&'a [u8]> {
    let sign = rests.first().and_then(|rest| rest.first()).filter(|sign| SEPARATORS.contains(sign));
    let (Some(sign), Some(field)) = (sign, fields.last_mut()) else { return rests };
    let behind: Option<Vec<&[u8]>> = rests.iter().map(|rest| rest.strip_prefix(&[*sign])).collect();
    match behind {
        Some(behind) if behind.iter().all(|rest| !rest.is_empty()) => {
            field.separator = Some(to_string_binary(&[*sign]));
            behind
        }
        _ => rests,
    }
}

/// Whether a character is inside the dates of all keys, and separates nothing there.
pub(crate) fn is_in_dates(keys: &[&[u8]], sign: u8) -> bool {
    let shortest = keys.iter().map(|key| key.len()).min().unwrap_or(0);
    date(keys, shortest).is_some_and(|(_, _, format)| format.pattern().as_bytes().contains(&sign))
}

fn cut<'a>(column: &[&'a [u8]], start: usize, end: usize) -> Vec<&'a [u8]> {
    column.iter().map(|part| &part[start..end]).collect()
}

pub(super) fn is_text(part: &[u8]) -> bool {
    std::str::from_utf8(part).is_ok_and(|text| !text.chars().any(char::is_control))
}

fn formats() -> impl Iterator<Item = TimeFormat> {
    FORMATS.into_iter().filter_map(|pattern| TimeFormat::parse(pattern).ok())
}

/// The first position at which all parts have a date, with the longest matching format.
fn date(column: &[&[u8]], shortest: usize) -> Option<(usize, usize, TimeFormat)> {
    (0..shortest).find_map(|start| {
        formats().find_map(|format| {
            let end = start + format.width();
            let is_date = |part: &&[u8]| {
                let text = std::str::from_utf8(&part[start..end]).ok()?;
                let at = format.granularity().start_of(format.parse_text(text)?)?;
                YEARS.contains(&chrono::Datelike::year(&at)).then_some(())
            };
            // Six digits that look like a month may be anything, so a month must be the whole part or follow
            // a separator.
            let is_month =
                format.pattern() == "yyyyMM" && (start > 0 || column.iter().any(|part| part.len() > end));
            let all = end <= shortest && !is_month && column.iter().all(|part| is_date(part).is_some());
            (all && times_vary(&cut(column, start, end), &format)).then_some((start, end, format))
        })
    })
}

/// Hours, minutes and seconds of real times vary; random digits after a date may not.
fn times_vary(dates: &[&[u8]], format: &TimeFormat) -> bool {
    const LEAST: usize = 3;
    let units = [Granularity::Hour, Granularity::Minute, Granularity::Second, Granularity::Millisecond];
    units.into_iter().filter_map(|unit| format.place_of(unit)).all(|(at, width)| {
        let mut seen: Vec<&[u8]> = dates.iter().filter_map(|date| date.get(at..at + width)).collect();
        seen.sort_unstable();
        seen.dedup();
        seen.len() >= LEAST
    })
}

/// Why a date is not extended to the next unit, although many keys would allow it.
fn not_finer(column: &[&[u8]], start: usize, found: &TimeFormat) -> Option<String> {
    let finer = formats().filter(|finer| finer != found && finer.continues(found));
    let finer = finer.min_by_key(TimeFormat::width)?;
    let fits = |part: &&&[u8]| {
        let text = part.get(start..start + finer.width()).and_then(|text| std::str::from_utf8(text).ok());
        text.is_some_and(|text| finer.parse_text(text).is_some())
    };
    let (some, all) = (column.iter().filter(fits).count(), column.len());
    let (fitting, all) = (grouped(some as u128), grouped(all as u128));
    // A quarter of random digits are valid hours, and more than half are valid minutes.
    (some < column.len() && 3 * some >= column.len()).then(|| {
        format!("`{}` fits only {fitting} of {all} keys, so the rest is read as text", finer.pattern())
    })
}

fn push_date(fields: &mut Vec<DraftField>, format: TimeFormat, remark: Option<String>) {
    let (first, last, pattern) = (YEARS.start(), YEARS.end(), format.pattern());
    let comment = format!("every sample key has a date here ({pattern}, years {first} to {last})");
    let (base, kind) = match format.granularity() {
        Granularity::Year | Granularity::Month => ("month", DraftKind::Date { format }),
        Granularity::Day => ("day", DraftKind::Date { format }),
        _ => ("at", DraftKind::Timestamp { format }),
    };
    let field = DraftField::new(fresh_name(base, fields), kind).with_comment(comment);
    fields.push(DraftField { remark, ..field });
}

fn push_text(column: &[&[u8]], width: Option<usize>, fields: &mut Vec<DraftField>) {
    let field = instant(column, width, fields).unwrap_or_else(|| text(column, width, fields));
    fields.push(field);
}

/// The digits of an instant.
fn instant(column: &[&[u8]], width: Option<usize>, fields: &[DraftField]) -> Option<DraftField> {
    let number = |part: &&[u8]| std::str::from_utf8(part).ok()?.parse::<i64>().ok();
    let all_digits = column.iter().all(|part| part.iter().all(u8::is_ascii_digit));
    let numbers: Vec<i64> = column.iter().map(number).collect::<Option<_>>().filter(|_| all_digits)?;
    let descending = is_descending(&numbers)?;
    let comment = match (width?, descending) {
        (13, false) => "13 digits that are milliseconds of the years 2001 to 2033",
        (19, true) => "Long.MAX_VALUE minus milliseconds of the years 2001 to 2033",
        _ => return None,
    };
    let number = NumberForm::new(IntegerSize::Bigint, NumberEncoding::Decimal);
    let number = NumberForm { width, descending, ..number };
    let kind = DraftKind::Epoch { unit: EpochUnit::Milliseconds, number };
    Some(DraftField::new(fresh_name("at", fields), kind).with_comment(comment))
}

/// Whether times are stored as differences; `None` if the numbers are no milliseconds.
fn is_descending(numbers: &[i64]) -> Option<bool> {
    let all_in = |milliseconds: fn(i64) -> i64| {
        numbers.iter().all(|number| MILLISECONDS.contains(&milliseconds(*number)))
    };
    let is_difference = all_in(|number| i64::MAX.saturating_sub(number));
    (is_difference || all_in(|number| number)).then_some(is_difference)
}

fn text(column: &[&[u8]], width: Option<usize>, fields: &[DraftField]) -> DraftField {
    let chars = chars(column);
    let length = match width {
        Some(1) => "always 1 byte".to_string(),
        Some(width) => format!("always {width} bytes"),
        None => "of variable length".to_string(),
    };
    let check = if chars.is_none() { "check the length" } else { "no other characters were seen: check" };
    let is_md5 = width == Some(MD5_DIGITS) && chars == Some(DraftChars::Named("hex"));
    let form = TextForm { width, chars, ..TextForm::default() };
    let field = DraftField::new(fresh_name("part", fields), DraftKind::Text(form));
    let mut field = field.with_comment(format!("{length}; {check}"));
    if is_md5 {
        field.comment.extend(WHOLE_MD5.map(str::to_string));
    }
    field
}

/// The hex digits of a whole MD5.
const MD5_DIGITS: usize = 32;

const WHOLE_MD5: [&str; 2] = [
    "perhaps the MD5 of columns that are not in the key. Then write it as a salt, `first_hex_digits: 32`, of",
    "fields with `stored: false`, which makes point reads possible",
];

/// This many different hex digits and no other letters make any other set unlikely.
const TELLING_HEX_DIGITS: usize = 14;

/// The smallest usual set of characters that contains all that were seen; `None` for any text.
fn chars(column: &[&[u8]]) -> Option<DraftChars> {
    let mut seen: Vec<u8> = column.concat();
    seen.sort_unstable();
    seen.dedup();
    if seen.iter().any(|byte| !byte.is_ascii()) {
        return None;
    }
    let has = |test: fn(&u8) -> bool| seen.iter().any(test);
    let (digits, lower, upper) =
        (has(u8::is_ascii_digit), has(u8::is_ascii_lowercase), has(u8::is_ascii_uppercase));
    let others: Vec<u8> = seen.iter().copied().filter(|byte| !byte.is_ascii_alphanumeric()).collect();
    if others.is_empty() {
        match (digits, lower, upper) {
            (true, false, false) => return Some(DraftChars::Named("digits")),
            (true, true, true) => return Some(DraftChars::Named("alnum")),
            (true, true, false)
                if seen.len() >= TELLING_HEX_DIGITS && seen.iter().all(u8::is_ascii_hexdigit) =>
            {
                return Some(DraftChars::Named("hex"));
            }
            _ => {}
        }
    }
    let mut class = String::new();
    for (there, range) in [(digits, "0-9"), (upper, "A-Z"), (lower, "a-z")] {
        class.push_str(if there { range } else { "" });
    }
    for byte in others {
        if b"\\]-[^".contains(&byte) {
            class.push('\\');
        }
        class.push(char::from(byte));
    }
    (!class.is_empty()).then(|| DraftChars::Class(format!("[{class}]")))
}

/// Text followed by one number of 4 bytes, or one or two of 8 bytes.
fn binary(column: &[&[u8]], width: usize, fields: &mut Vec<DraftField>) -> Option<()> {
    let printable = |at: usize| column.iter().all(|part| (b' '..=b'~').contains(&part[at]));
    let first = (0..width).find(|at| !printable(*at))?;
    let tail = [8, 16, 4]
        .into_iter()
        .find(|tail| width >= *tail && first >= width - tail && first < width - tail + 8)?;
    segment(&cut(column, 0, width - tail), fields)?;
    if tail == 4 {
        push_number(
            fields,
            "id",
            DraftKind::Integer(NumberForm::new(IntegerSize::Int, NumberEncoding::BigEndian)),
            "4 bytes",
        );
        return Some(());
    }
    for start in (width - tail..width).step_by(8) {
        let numbers: Vec<i64> = cut(column, start, start + 8).iter().filter_map(|part| long(part)).collect();
        let (name, kind, comment) = eight_bytes(&numbers);
        push_number(fields, name, kind, comment);
    }
    Some(())
}

/// The meaning of eight bytes of every key.
fn eight_bytes(numbers: &[i64]) -> (&'static str, DraftKind, &'static str) {
    let number = |encoding| NumberForm::new(IntegerSize::Bigint, encoding);
    let instant = |descending| DraftKind::Epoch {
        unit: EpochUnit::Milliseconds,
        number: NumberForm { descending, ..number(NumberEncoding::BigEndian) },
    };
    let id = |encoding| DraftKind::Integer(number(encoding));
    match is_descending(numbers) {
        Some(false) => ("at", instant(false), "milliseconds, 8 bytes"),
        Some(true) => ("at", instant(true), "Long.MAX_VALUE minus milliseconds, 8 bytes"),
        None if numbers.iter().all(|number| *number < 0) => {
            ("id", id(NumberEncoding::BigEndianSortable), "8 bytes, the sign bit flipped")
        }
        None => ("id", id(NumberEncoding::BigEndian), "8 bytes, two's complement"),
    }
}

fn push_number(fields: &mut Vec<DraftField>, base: &str, kind: DraftKind, comment: &str) {
    let field = DraftField::new(fresh_name(base, fields), kind);
    fields.push(field.with_comment(format!("{comment}; check the type")));
}

/// Eight bytes, big endian.
fn long(part: &[u8]) -> Option<i64> {
    Some(i64::from_be_bytes(part.try_into().ok()?))
}

/// The column as numbers: decimal digits, or eight or four bytes.
pub(super) fn numbers(column: &[&[u8]]) -> Option<Vec<i64>> {
    let digits = |part: &&[u8]| {
        let is_number = !part.is_empty() && part.iter().all(u8::is_ascii_digit);
        std::str::from_utf8(part).ok().filter(|_| is_number)?.parse().ok()
    };
    let int = |part: &&[u8]| Some(i32::from_be_bytes((*part).try_into().ok()?).into());
    column
        .iter()
        .map(digits)
        .collect::<Option<Vec<i64>>>()
        .or_else(|| column.iter().map(|part| long(part)).collect())
        .or_else(|| column.iter().map(int).collect())
}
