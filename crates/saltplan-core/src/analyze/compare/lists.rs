//! Constants of one list, which Hive 2 may compare as texts where Hive 3 compares numbers or dates.

use super::date_text::is_iso_day;
use super::truth::{NotUsed, not_used};
use crate::analyze::chain::Shape;
use crate::analyze::constant::{Constant, Decimal};

/// # Errors
/// Hive compares a constant of a list as a date in one version and as a text in another, or constants of two kinds.
pub(super) fn check_days(shape: Shape, is_list: bool, constants: &[&Constant]) -> Result<(), NotUsed> {
    let is_alike = |constant: &Constant| match (shape, constant) {
        (Shape::Date, Constant::Text(text)) => is_iso_day(text),
        (Shape::Timestamp, Constant::Text(_)) => false,
        _ => true,
    };
    check_listed_alike(if is_list { constants } else { &[] }, is_alike)?;
    check_texts_and_times(constants)
}

/// # Errors
/// There are texts and dates or times: Hive compares all of them as texts.
pub(super) fn check_texts_and_times(constants: &[&Constant]) -> Result<(), NotUsed> {
    let known = constants.iter().filter(|constant| ***constant != Constant::Null);
    let (texts, others): (Vec<&Constant>, Vec<&Constant>) =
        known.partition(|constant| matches!(constant, Constant::Text(_)));
    if texts.is_empty() || others.is_empty() {
        return Ok(());
    }
    not_used("texts and dates are compared with it at once")
}

/// # Errors
/// Hive 2 compares texts where Hive 3 compares numbers or dates, and one of them does not find the same rows.
fn check_listed_alike(constants: &[&Constant], is_alike: impl Fn(&Constant) -> bool) -> Result<(), NotUsed> {
    if constants.iter().all(|constant| is_alike(constant)) {
        return Ok(());
    }
    not_used("in a list Hive 2 and Hive 3 compare it with this constant differently")
}

/// # Errors
/// Hive compares a constant of a list as a number in one version and as a text in another.
pub(super) fn check_numbers_and_texts(shape: Shape, constants: &[&Constant]) -> Result<(), NotUsed> {
    check_listed_alike(constants, |constant| match (shape, constant) {
        (Shape::Text, constant) => !matches!(constant, Constant::Number(_)),
        (_, Constant::Text(text)) => Decimal::parse(text).is_some_and(|number| number.to_string() == *text),
        _ => true,
    })
}
