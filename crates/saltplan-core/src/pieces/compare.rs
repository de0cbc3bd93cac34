//! Comparisons of pieces of the key with constant texts, as conditions on fields.
//!
//! Each condition is true for the keys that fit the layout for which the comparison is true, and false for the others.

use super::express::{printed, sorted_format};
use super::layout::{KeyText, Layout, Part, Slice, WrittenIn};
use crate::analyze::compare::Comparison;
use crate::key::Value;
use crate::key::field::{FieldId, FieldKind};
use crate::key::number::StoredNumber;
use crate::key::range::{from_hex, prefix_successor};
use saltplan_sql::ast::{BinaryOperator, Expr, Literal};
use saltplan_sql::hive_type::Type;
use saltplan_sql::time::bisect::first_where;

impl Layout<'_> {
    /// A text of the key compared with a constant; `None` where that is no condition on fields.
    pub fn compared(&self, text: &KeyText, comparison: Comparison, constant: &str) -> Option<Expr> {
        if text.written_in == WrittenIn::HexDigits {
            return self.compared_digits(text, comparison, constant);
        }
        self.compared_slices(&text.slices, comparison, constant)
    }

    /// Hex digits compared with others. Their order is that of the bytes.
    fn compared_digits(&self, text: &KeyText, comparison: Comparison, constant: &str) -> Option<Expr> {
        let is_digits = constant.bytes().all(|c| matches!(c, b'0'..=b'9' | b'A'..=b'F'));
        let bytes = from_hex(&constant.to_ascii_lowercase()).filter(|_| is_digits)?;
        if let ([slice], Comparison::Equal) = (text.slices.as_slice(), comparison)
            && let Some((id, 0, None)) = self.field_of(slice)
            && !self.field(id).kind.is_text_in_key()
        {
            return self.is_stored_as(id, &bytes);
        }
        self.counts_bytes_as_characters(&text.slices).then_some(())?;
        let constant = String::from_utf8(bytes).ok()?;
        self.compared_slices(&text.slices, comparison, &constant)
    }

    fn is_stored_as(&self, id: FieldId, bytes: &[u8]) -> Option<Expr> {
        let field = self.field(id);
        let value = match field.kind.decode(bytes) {
            Ok(Value::Number(number)) => Expr::number(number),
            Ok(Value::Text(text)) => Expr::text(text),
            // No key that fits the layout has these bytes.
            Err(_) => return Some(Expr::truth(false)),
        };
        let is_known = !matches!(field.kind, FieldKind::Calendar(_)) && !field.kind.is_nullable();
        is_known.then(|| Expr::column(&field.name).binary(BinaryOperator::Eq, &value))
    }

    fn compared_slices(&self, slices: &[Slice], comparison: Comparison, constant: &str) -> Option<Expr> {
        // Parts of one date with signs between them.
        if slices.len() > 1
            && let Some(printed) = self.printed(slices)
        {
            return Some(printed.binary(operator(comparison), &Expr::text(constant)));
        }
        match (comparison, slices) {
            (Comparison::Equal, _) => self.equal(slices, constant),
            (_, [only]) => self.slice(only, comparison, constant),
            (Comparison::GreaterOrEqual, _) => self.ordered(slices, constant, true),
            (Comparison::Greater, _) => self.ordered(slices, constant, false),
            (Comparison::Less, _) => Some(not(self.ordered(slices, constant, true)?)),
            (Comparison::LessOrEqual, _) => Some(not(self.ordered(slices, constant, false)?)),
        }
    }

    fn equal(&self, slices: &[Slice], constant: &str) -> Option<Expr> {
        let Some((first, rest)) = slices.split_first() else { return Some(Expr::truth(constant.is_empty())) };
        let split = |at: usize| Some((constant.get(..at)?, constant.get(at..)?));
        if let Some(text) = self.constant_of(first) {
            return match constant.strip_prefix(text.as_str()) {
                Some(behind) => self.equal(rest, behind),
                None => Some(Expr::truth(false)),
            };
        }
        let (own, behind) = match self.length(first, WrittenIn::Characters) {
            // All its characters are ASCII, so that others are different anyway.
            Some(length) => match split(length) {
                Some((own, behind)) => (own, behind),
                None => return Some(Expr::truth(false)),
            },
            None if rest.is_empty() => (constant, ""),
            None => {
                let next = self.constant_of(rest.first()?)?.chars().next()?;
                let Slice::OfPart { part, .. } = first else { return None };
                if self.may_hold(*part, next) {
                    return None;
                }
                match constant.find(next).and_then(split) {
                    Some((own, behind)) => (own, behind),
                    None => return Some(Expr::truth(false)),
                }
            }
        };
        Some(and(vec![self.slice(first, Comparison::Equal, own)?, self.equal(rest, behind)?]))
    }

    /// Whether texts one after the other are greater than a constant, or as great.
    fn ordered(&self, slices: &[Slice], constant: &str, or_equal: bool) -> Option<Expr> {
        let Some((first, rest)) = slices.split_first() else {
            return Some(Expr::truth(or_equal && constant.is_empty()));
        };
        if or_equal && constant.is_empty() {
            return Some(Expr::truth(true));
        }
        if let Some(text) = self.constant_of(first) {
            let shorter = text.len().min(constant.len());
            let order = text.as_bytes()[..shorter].cmp(&constant.as_bytes()[..shorter]);
            return match (order, text.len() > constant.len()) {
                (std::cmp::Ordering::Greater, _) | (std::cmp::Ordering::Equal, true) => {
                    Some(Expr::truth(true))
                }
                (std::cmp::Ordering::Less, _) => Some(Expr::truth(false)),
                (std::cmp::Ordering::Equal, false) => {
                    self.ordered(rest, constant.get(text.len()..)?, or_equal)
                }
            };
        }
        if rest.is_empty() {
            let comparison = if or_equal { Comparison::GreaterOrEqual } else { Comparison::Greater };
            return self.slice(first, comparison, constant);
        }
        let length = self.length(first, WrittenIn::Characters).filter(|_| constant.is_ascii())?;
        if constant.len() < length {
            return self.slice(first, Comparison::GreaterOrEqual, constant);
        }
        let (own, behind) = constant.split_at(length);
        let equal =
            and(vec![self.slice(first, Comparison::Equal, own)?, self.ordered(rest, behind, or_equal)?]);
        Some(or(vec![self.slice(first, Comparison::Greater, own)?, equal]))
    }

    /// One slice compared with a constant.
    fn slice(&self, slice: &Slice, comparison: Comparison, constant: &str) -> Option<Expr> {
        if let Some(text) = self.constant_of(slice) {
            return Some(Expr::truth(comparison.holds(text.as_bytes().cmp(constant.as_bytes()))));
        }
        let Slice::OfPart { part, from, to } = slice else { return None };
        let (id, from, to) = match self.part(*part) {
            Part::Field(id) => (*id, *from, *to),
            Part::Salt => {
                let holds = |cut: &str| comparison.holds(cut.as_bytes().cmp(constant.as_bytes()));
                return self.salt_where(*from, *to, &holds);
            }
            Part::Between(_) | Part::Bytes => return None,
        };
        let field = self.field(id);
        match &field.kind {
            FieldKind::Text(text) if text.form.is_plain() => {
                let value = self.slice_value(slice)?;
                if !text.nullable {
                    return Some(value.binary(operator(comparison), &Expr::text(constant)));
                }
                Some(self.nullable(id, slice, comparison, constant))
            }
            FieldKind::Text(_) => None,
            FieldKind::Calendar(calendar) => {
                if super::express::cut_pattern(calendar.format.printed(), from, to).is_some() {
                    return Some(
                        self.slice_value(slice)?.binary(operator(comparison), &Expr::text(constant)),
                    );
                }
                let format = sorted_format(calendar)?;
                let not_below = |bound: &str| {
                    Some(printed(field, format.pattern()).binary(BinaryOperator::GtEq, &Expr::text(bound)))
                };
                (from == 0).then_some(())?;
                start_compared(to.unwrap_or(format.width()), comparison, constant, &not_below)
            }
            kind => {
                let StoredNumber::Digits { width, .. } = kind.number()?.stored() else { return None };
                let column = Expr::column(&field.name);
                if width == 0 {
                    let text = column.cast(Type::String);
                    return ((from, to) == (0, None))
                        .then(|| text.binary(operator(comparison), &Expr::text(constant)));
                }
                (from == 0).then_some(())?;
                if to.is_none() && comparison == Comparison::Equal {
                    return Some(match kind.decode(constant.as_bytes()) {
                        Ok(Value::Number(number)) => column.binary(BinaryOperator::Eq, &Expr::number(number)),
                        _ => Expr::truth(false),
                    });
                }
                let not_below = |bound: &str| digits_not_below(kind, &column, bound);
                start_compared(to.unwrap_or(width), comparison, constant, &not_below)
            }
        }
    }

    /// A text that is the empty one for NULL.
    fn nullable(&self, id: FieldId, slice: &Slice, comparison: Comparison, constant: &str) -> Expr {
        let field = self.field(id);
        let column = Expr::column(&field.name);
        let is_reversed = matches!(&field.kind, FieldKind::Text(text) if text.reverse);
        let value = match is_reversed {
            true => Expr::call(&saltplan_sql::functions::REVERSE, [column.clone()]),
            false => column.clone(),
        };
        let value = match slice {
            Slice::OfPart { from, to: Some(to), .. } => value.substr(from + 1, to.saturating_sub(*from)),
            Slice::OfPart { from, to: None, .. } if *from > 0 => value.substr_from(from + 1),
            _ => value,
        };
        let condition = value.binary(operator(comparison), &Expr::text(constant));
        match comparison.holds(b"".as_slice().cmp(constant.as_bytes())) {
            true => or(vec![condition, column.is_null()]),
            false => and(vec![condition, column.is_not_null()]),
        }
    }
}

/// Texts of digits and dates are less than it.
const LAST_ASCII: char = '\x7F';

/// The start of a text of digits or of a date, compared with a constant. `not_below` is the condition that the whole text is not below
/// another one.
fn start_compared(
    length: usize,
    comparison: Comparison,
    constant: &str,
    not_below: &dyn Fn(&str) -> Option<Expr>,
) -> Option<Expr> {
    constant.is_ascii().then_some(())?;
    let behind = |start: &str| match start.trim_end_matches(LAST_ASCII).as_bytes() {
        // All of a key is less.
        [] => Some(Expr::truth(false)),
        start => not_below(&String::from_utf8(prefix_successor(start)?).ok()?),
    };
    let start = &constant[..constant.len().min(length)];
    let greater_or_equal = || if constant.len() > length { behind(start) } else { not_below(constant) };
    let greater = || if constant.len() < length { not_below(constant) } else { behind(start) };
    match comparison {
        Comparison::Equal if constant.len() == length => {
            Some(and(vec![not_below(constant)?, not(behind(constant)?)]))
        }
        Comparison::Equal => Some(Expr::truth(false)),
        Comparison::GreaterOrEqual => greater_or_equal(),
        Comparison::Greater => greater(),
        Comparison::Less => Some(not(greater_or_equal()?)),
        Comparison::LessOrEqual => Some(not(greater()?)),
    }
}

/// The numbers whose padded digits are not below a text.
fn digits_not_below(kind: &FieldKind, column: &Expr, bound: &str) -> Option<Expr> {
    let domain = kind.domain()?;
    let (start, stop) = (domain.start, domain.stop?);
    let is_not_below = |number: i128| {
        let number = i64::try_from(number).ok().map(Value::Number);
        let digits = number.and_then(|number| kind.encode(&number).ok()).unwrap_or_default();
        digits.as_slice() >= bound.as_bytes()
    };
    let truth = |value: bool| Some(Expr::truth(value));
    if kind.number()?.descending {
        return match first_where(start..stop, |number| !is_not_below(number)) {
            first if first == start => truth(false),
            first if first == stop => truth(true),
            first => Some(column.binary(BinaryOperator::Lt, &Expr::number(first))),
        };
    }
    match first_where(start..stop, is_not_below) {
        first if first == start => truth(true),
        first if first == stop => truth(false),
        first => Some(column.binary(BinaryOperator::GtEq, &Expr::number(first))),
    }
}

pub(super) fn operator(comparison: Comparison) -> BinaryOperator {
    match comparison {
        Comparison::Equal => BinaryOperator::Eq,
        Comparison::Less => BinaryOperator::Lt,
        Comparison::LessOrEqual => BinaryOperator::LtEq,
        Comparison::Greater => BinaryOperator::Gt,
        Comparison::GreaterOrEqual => BinaryOperator::GtEq,
    }
}

/// The truth of a condition that is the same for all keys that fit the layout.
pub(super) fn truth(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::Literal(Literal::Bool(value)) => Some(*value),
        _ => None,
    }
}

pub(super) fn and(mut conditions: Vec<Expr>) -> Expr {
    if conditions.iter().any(|condition| truth(condition) == Some(false)) {
        return Expr::truth(false);
    }
    conditions.retain(|condition| truth(condition) != Some(true));
    Expr::all(conditions)
}

pub(super) fn or(mut conditions: Vec<Expr>) -> Expr {
    if conditions.iter().any(|condition| truth(condition) == Some(true)) {
        return Expr::truth(true);
    }
    conditions.retain(|condition| truth(condition) != Some(false));
    Expr::any(conditions)
}

pub(super) fn not(condition: Expr) -> Expr {
    match truth(&condition) {
        Some(value) => Expr::truth(!value),
        None => condition.bracketed().negated(),
    }
}
