//! Constants as numbers.

use super::Comparer;
use super::date_text::is_iso_day;
use super::lists::check_texts_and_times;
use super::truth::{NotUsed, not_used};
use crate::analyze::chain::{Chain, Shape, Step, TextStep, TimeStep};
use crate::analyze::constant::{BEYOND_LONG, Constant, Decimal};
use crate::key::field::{CalendarType, FieldKind};

impl Comparer<'_> {
    /// A constant as a number; `None` for a text that is not a number, so that the comparison is NULL.
    pub(crate) fn number(&mut self, constant: &Constant) -> Result<Option<Decimal>, NotUsed> {
        match constant {
            Constant::Number(number) => Ok(Some(*number)),
            Constant::Text(text) => {
                let number = Decimal::parse(text);
                if number.is_none() && looks_like_a_number(text) {
                    return not_used(format!("`{text}` has more digits than are computed with"));
                }
                if number.is_none() {
                    self.reject_no_number(text);
                }
                Ok(number)
            }
            _ => not_used(format!("`{}` is a number", self.field.name)),
        }
    }

    /// With a text that is not a number, some versions of Hive say FALSE and some NULL, so that the negation is ambiguous too.
    fn reject_no_number(&mut self, text: &str) {
        self.remarks.no_row(format!("`{text}` is not a number, the condition is true for no row"));
        let name = &self.field.name;
        let remedy = match text.trim() {
            trimmed if trimmed != text && Decimal::parse(trimmed).is_some() => format!(": write {trimmed}"),
            _ => String::new(),
        };
        self.remarks.rejected.push(format!("`{text}` is not a number, and `{name}` is one{remedy}"));
    }

    /// Whether a result is a text in Hive.
    fn is_text(&self, chain: &Chain) -> bool {
        match (chain.shape, self.kind()) {
            (Shape::Own, FieldKind::Text(_)) => true,
            (Shape::Own, FieldKind::Calendar(calendar)) => calendar.hive_type == CalendarType::String,
            (shape, _) => shape == Shape::Text,
        }
    }

    /// A list of a number and texts is compared as numbers by one Hive, as texts by the other.
    ///
    /// # Errors
    /// The two differ for these constants.
    pub(super) fn check_listed(&mut self, chain: &Chain, constants: &[&Constant]) -> Result<(), NotUsed> {
        let name = &self.field.name;
        match (self.kind(), chain.steps.as_slice()) {
            (FieldKind::Integer(_) | FieldKind::Epoch(_), [])
            | (_, [.., Step::Text(TextStep::Digits) | Step::Time(TimeStep::Part(_))]) => {
                let odd = constants.iter().find_map(|constant| match constant {
                    Constant::Text(text) => {
                        let number = Decimal::parse(text)?;
                        let is_odd = number.to_string() != *text || is_blurred(number);
                        is_odd.then_some((text, number))
                    }
                    _ => None,
                });
                let Some((text, number)) = odd else { return Ok(()) };
                let reason = format!(
                    "in a list Hive 2 compares `{name}` with '{text}' as texts and Hive 3 as numbers: write {number}"
                );
                self.remarks.rejected.push(reason.clone());
                not_used(reason)
            }
            (FieldKind::Text(text), []) if text.chars.is_digits() => {
                let odd = constants.iter().find_map(|constant| match constant {
                    Constant::Number(number) if text.width != Some(number.to_string().len()) => Some(number),
                    _ => None,
                });
                odd.map_or(Ok(()), |odd| {
                    not_used(format!(
                        "in a list Hive 2 compares `{name}` with {odd} as texts and Hive 3 as numbers; write texts in quotes"
                    ))
                })
            }
            (_, [.., Step::Time(TimeStep::Day | TimeStep::AddDays(_))]) => {
                let odd = constants.iter().find_map(|constant| match constant {
                    Constant::Text(text) if !is_iso_day(text) => Some(text),
                    _ => None,
                });
                odd.map_or(Ok(()), |odd| {
                    not_used(format!(
                        "in a list Hive 2 compares the date with '{odd}' as texts and Hive 3 as dates: write it as in '2020-04-06'"
                    ))
                })
            }
            (FieldKind::Calendar(calendar), []) if !calendar.hive_type.is_stored_form() => {
                check_texts_and_times(constants)
            }
            _ => Ok(()),
        }
    }

    /// `BETWEEN` compares a number and a text as doubles, `>=` compares them as decimals. If one bound is a number and one a text, Hive 3
    /// compares a text with both as numbers, Hive 2 with each as what it is. Measured on 2.3.9 and 3.1.3.
    ///
    /// # Errors
    /// A text bound is not exact as a double, or the bounds are a number and a text.
    pub(crate) fn check_bounds(&self, chain: &Chain, bounds: &[&Constant]) -> Result<(), NotUsed> {
        if is_mixed(bounds) && self.is_text(chain) {
            return not_used("Hive 2 and Hive 3 compare a text differently with a number and a text at once");
        }
        if !matches!(self.kind(), FieldKind::Integer(_) | FieldKind::Epoch(_)) || !chain.is_bare() {
            return Ok(());
        }
        let texts = bounds.iter().filter_map(|bound| match bound {
            Constant::Text(text) => Some((text, Decimal::parse(text))),
            _ => None,
        });
        let texts: Vec<_> = texts.collect();
        // A text that is not a number is refused by the comparison.
        if texts.iter().any(|(_, number)| number.is_none()) {
            return Ok(());
        }
        match texts.into_iter().find(|(_, number)| number.is_some_and(is_blurred)) {
            Some((text, _)) => not_used(format!(
                "Hive compares `{}` and the text `{text}` as doubles in BETWEEN, to which other numbers are equal, too; write it without quotes",
                self.field.name
            )),
            None => Ok(()),
        }
    }
}

/// Whether there are numbers and texts.
pub(crate) fn is_mixed(constants: &[&Constant]) -> bool {
    constants.iter().any(|constant| matches!(constant, Constant::Number(_)))
        && constants.iter().any(|constant| matches!(constant, Constant::Text(_)))
}

/// Whether a comparison with some whole number of Hive gives another result if both are doubles.
fn is_blurred(number: Decimal) -> bool {
    !number.is_exact_as_double() && number.ceiling().0.abs() < BEYOND_LONG
}

/// Whether a text is written like a number, of whatever size.
pub(super) fn looks_like_a_number(text: &str) -> bool {
    let unsigned = |text: &str| text.strip_prefix(['+', '-']).unwrap_or(text).to_string();
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let text = unsigned(text);
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent = unsigned(exponent);
    let is_empty = exponent.is_empty() || whole.is_empty() && fraction.is_empty();
    !is_empty && digits(whole) && digits(fraction) && digits(&exponent)
}
