//! Pieces of the key as values of fields.

use super::layout::{KeyText, Layout, Part, Slice, WrittenIn};
use crate::key::field::{CalendarField, Field, FieldId, FieldKind};
use crate::key::number::{NumberForm, StoredNumber};
use saltplan_sql::ast::{BinaryOperator, Expr};
use saltplan_sql::functions::{COALESCE, DATE_FORMAT, FLOOR, LPAD, REVERSE};
use saltplan_sql::hive_type::Type;
use saltplan_sql::time::format::TimeFormat;
use saltplan_sql::time::pattern::{PatternPiece, TimePattern};

impl Layout<'_> {
    /// An expression over fields that has this text in every key that fits the layout.
    pub fn value(&self, text: &KeyText) -> Option<Expr> {
        (text.written_in == WrittenIn::Characters).then_some(())?;
        if let Some(printed) = self.printed(&text.slices) {
            return Some(printed);
        }
        let parts = text.slices.iter().map(|slice| self.slice_value(slice));
        Some(Expr::concatenated(parts.collect::<Option<Vec<_>>>()?))
    }

    /// The field that contains a slice, with the slice's start and end in the field.
    pub fn field_of(&self, slice: &Slice) -> Option<(FieldId, usize, Option<usize>)> {
        let Slice::OfPart { part, from, to } = slice else { return None };
        match self.part(*part) {
            Part::Field(id) => Some((*id, *from, *to)),
            _ => None,
        }
    }

    pub fn field(&self, id: FieldId) -> &Field {
        &self.schema.key.fields[id]
    }

    /// The text of a constant slice.
    pub fn constant_of(&self, slice: &Slice) -> Option<String> {
        match slice {
            Slice::Constant(text) => Some(text.clone()),
            Slice::OfPart { part, from, to } => match self.part(*part) {
                Part::Between(text) => {
                    let count = to.map_or(usize::MAX, |to| to.saturating_sub(*from));
                    Some(text.chars().skip(*from).take(count).collect())
                }
                _ => None,
            },
        }
    }

    pub fn slice_value(&self, slice: &Slice) -> Option<Expr> {
        if let Some(text) = self.constant_of(slice) {
            return Some(Expr::text(text));
        }
        let (id, from, to) = self.field_of(slice)?;
        if let FieldKind::Calendar(calendar) = &self.field(id).kind
            && let Some(pattern) = cut_pattern(calendar.format.printed(), from, to)
        {
            return Some(printed(self.field(id), &pattern));
        }
        let whole = self.stored_value(id)?;
        Some(match (from, to) {
            (0, None) => whole,
            (_, None) => whole.substr_from(from + 1),
            (_, Some(to)) => whole.substr(from + 1, to.saturating_sub(from)),
        })
    }

    /// What the key stores for a field, as a text.
    fn stored_value(&self, id: FieldId) -> Option<Expr> {
        let field = self.field(id);
        let column = Expr::column(&field.name);
        match &field.kind {
            FieldKind::Text(text) if text.form.is_plain() => {
                let value =
                    if text.nullable { Expr::call(&COALESCE, [column, Expr::text("")]) } else { column };
                Some(if text.reverse { Expr::call(&REVERSE, [value]) } else { value })
            }
            FieldKind::Text(_) => None,
            FieldKind::Calendar(calendar) => Some(printed(field, calendar.format.pattern())),
            kind => {
                let StoredNumber::Digits { minuend, width } = kind.number()?.stored() else { return None };
                let digits = stored_number(&column, minuend).cast(Type::String);
                Some(if width == 0 {
                    digits
                } else {
                    Expr::call(&LPAD, [digits, width.into(), Expr::text("0")])
                })
            }
        }
    }

    /// Parts of one calendar field with texts between them, as one printed date.
    pub fn printed(&self, slices: &[Slice]) -> Option<Expr> {
        let mut field = None;
        let mut pattern = String::new();
        for slice in slices {
            if let Some(constant) = self.constant_of(slice) {
                pattern += &quoted(&constant);
                continue;
            }
            let (id, from, to) = self.field_of(slice)?;
            (*field.get_or_insert(id) == id).then_some(())?;
            let FieldKind::Calendar(calendar) = &self.field(id).kind else { return None };
            pattern += &cut_pattern(calendar.format.printed(), from, to)?;
        }
        TimePattern::parse(&pattern).ok()?;
        Some(printed(self.field(field?), &pattern))
    }

    /// The number that Hive reads in a text, as an expression over fields; `None` if the type may not hold it.
    pub fn number(&self, text: &KeyText, holds: Holds) -> Option<Expr> {
        let [slice] = text.slices.as_slice() else { return None };
        let (id, from, to) = self.field_of(slice).filter(|_| text.written_in == WrittenIn::Characters)?;
        let field = self.field(id);
        let column = Expr::column(&field.name);
        let fits = || self.length(slice, text.written_in).is_some_and(|length| length <= holds.digits());
        match &field.kind {
            FieldKind::Integer(form) if (from, to) == (0, None) => own_number(form, &column, holds),
            FieldKind::Epoch(epoch) if (from, to) == (0, None) => own_number(&epoch.number, &column, holds),
            FieldKind::Integer(_) => None,
            FieldKind::Epoch(epoch) => {
                let StoredNumber::Digits { minuend: None, width } = epoch.number.stored() else {
                    return None;
                };
                // The seconds of milliseconds.
                let is_seconds = from == 0 && to.is_some_and(|to| to + 3 == width) && fits();
                is_seconds
                    .then(|| Expr::call(&FLOOR, [column.binary(BinaryOperator::Divide, &Expr::number(1000))]))
            }
            FieldKind::Calendar(calendar) => {
                let pattern = cut_pattern(calendar.format.printed(), from, to)?;
                let is_number = TimePattern::parse(&pattern).is_ok_and(|pattern| pattern.is_digits());
                (is_number && fits()).then(|| printed(field, &pattern).cast(holds.whole_type()))
            }
            FieldKind::Text(of_text) => {
                let is_digits = of_text.chars.is_digits() && of_text.form.is_plain() && !of_text.nullable;
                (is_digits && fits()).then_some(())?;
                Some(self.slice_value(slice)?.cast(holds.whole_type()))
            }
        }
    }
}

/// Which numbers a type holds exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    Int,
    BigInt,
    /// A double, in which Hive compares a text with a number.
    Double,
}

impl Holds {
    /// All numbers with this many digits are exact in the type.
    fn digits(self) -> usize {
        match self {
            Holds::Int => 9,
            Holds::BigInt => 18,
            Holds::Double => 15,
        }
    }

    fn greatest(self) -> i128 {
        match self {
            Holds::Int => i32::MAX.into(),
            Holds::BigInt => i64::MAX.into(),
            Holds::Double => 999_999_999_999_999,
        }
    }

    fn whole_type(self) -> Type {
        if self == Holds::Int { Type::Int } else { Type::BigInt }
    }

    /// Whether a number is one of these.
    pub fn has(self, number: i128) -> bool {
        let greatest = self.greatest();
        let least = if self == Holds::Double { -greatest } else { -greatest - 1 };
        (least..=greatest).contains(&number)
    }
}

/// The numbers that Hive reads in a text that is cast to a type.
pub(super) fn holds(of: Type) -> Option<Holds> {
    match of {
        Type::Int => Some(Holds::Int),
        Type::BigInt => Some(Holds::BigInt),
        Type::Double => Some(Holds::Double),
        _ => None,
    }
}

/// The number that is stored in digits for a value.
pub(super) fn stored_number(column: &Expr, minuend: Option<i64>) -> Expr {
    match minuend {
        Some(greatest) => Expr::number(greatest).binary(BinaryOperator::Minus, column).bracketed(),
        None => column.clone(),
    }
}

/// The number in the stored digits, if a type holds all of them.
fn own_number(form: &NumberForm, column: &Expr, holds: Holds) -> Option<Expr> {
    let StoredNumber::Digits { minuend, width } = form.stored() else { return None };
    let numbers = form.domain();
    let ends = [numbers.start, numbers.stop? - 1];
    let stored = ends.map(|end| minuend.map_or(end, |minuend| i128::from(minuend) - end));
    // Hive reads no number in more digits, even if they are zeros.
    (width <= 19 && stored.into_iter().all(|end| holds.has(end))).then(|| stored_number(column, minuend))
}

/// `date_format(field, 'yyyyMM')`
pub(super) fn printed(field: &Field, pattern: &str) -> Expr {
    Expr::call(&DATE_FORMAT, [Expr::column(&field.name), Expr::text(pattern)])
}

/// The pattern of the characters of a printed time between two places, if whole units are there.
pub(super) fn cut_pattern(pattern: &TimePattern, from: usize, to: Option<usize>) -> Option<String> {
    let mut cut = String::new();
    let mut at = 0;
    let end = to.unwrap_or(usize::MAX);
    let mut has_unit = false;
    for piece in pattern.pieces() {
        let next = at + if matches!(piece, PatternPiece::Unit(_)) { piece.width() } else { 1 };
        if at >= from && next <= end {
            match piece {
                PatternPiece::Unit(unit) => {
                    has_unit = true;
                    cut += unit.letters();
                }
                PatternPiece::Literal(c) => cut += &quoted(&c.to_string()),
            }
        } else if next > from && at < end {
            return None;
        }
        at = next;
    }
    has_unit.then_some(cut)
}

/// A text in a pattern of dates.
fn quoted(text: &str) -> String {
    if text.chars().any(|c| c.is_ascii_alphabetic() || c == '\'') {
        format!("'{}'", text.replace('\'', "''"))
    } else {
        text.to_string()
    }
}

/// The whole text of a calendar field.
pub(super) fn sorted_format(calendar: &CalendarField) -> Option<&TimeFormat> {
    Some(&calendar.format).filter(|format| format.sorts() && format.pattern().is_ascii())
}
