//! Bounds from values that are filled in when the statement runs. Hive folds all of it to literals before it passes the bounds to the
//! storage handler.

mod check;
mod value;

use crate::analyze::runtime::{
    RuntimeCondition, RuntimeRange, RuntimeValue, greatest_behind, has_time_of_day,
};
use crate::hive::text::{KeyForm, least_text_from};
use crate::key::field::{Field, FieldKind};
use crate::key::range::{KeyRange, prefix_successor};
use crate::plan::RuntimeSalt;
use crate::refusal::Refusal;
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, Expr};
use saltplan_sql::functions::{HEX, IF, Operation, TRANSLATE};
use saltplan_sql::time::pattern::PatternPiece;
use value::{Shifted, literal};
pub use value::{as_printed, as_stored};

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

    /// Whether values of another form make the statement read all keys.
    pub fn reads_all_otherwise(self) -> bool {
        self.condition.given().any(|(_, given)| given.reads_all_otherwise())
    }

    /// Whether the field is the last one of the key.
    fn is_last(self) -> bool {
        self.schema.key.stored().last() == Some(self.condition.field)
    }
}

/// One of the ranges.
#[derive(Clone, Copy)]
pub(super) struct FilledRange<'a> {
    filled: Filled<'a>,
    range: &'a RuntimeRange,
    /// The place of the value in the list.
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

/// The character after another one.
fn after(c: char) -> char {
    (u32::from(c) + 1..=u32::from(char::MAX)).find_map(char::from_u32).unwrap_or(char::MAX)
}
