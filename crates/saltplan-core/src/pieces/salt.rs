//! Conditions on the salt.

use super::layout::{KeyText, Layout, Part, Slice, WrittenIn};
use crate::analyze::compare::Comparison;
use crate::analyze::constant::Constant;
use saltplan_sql::ast::Expr;

impl Layout<'_> {
    pub fn has_salt(&self, text: &KeyText) -> bool {
        text.slices.iter().any(|slice| self.is_of_salt(slice))
    }

    fn is_of_salt(&self, slice: &Slice) -> bool {
        matches!(slice, Slice::OfPart { part, .. } if *self.part(*part) == Part::Salt)
    }

    /// The keys that start with a salt whose characters between two places satisfy a condition: false if there is none, and `None` if
    /// that is no condition on the start of the key.
    pub fn salt_where(&self, from: usize, to: Option<usize>, holds: &dyn Fn(&str) -> bool) -> Option<Expr> {
        let schema = self.schema;
        let salts = self.salts()?;
        let count = to.map_or(usize::MAX, |to| to.saturating_sub(from));
        let is_meant = |salt: &&&str| holds(&salt.chars().skip(from).take(count).collect::<String>());
        let meant: Vec<&str> = salts.iter().filter(is_meant).copied().collect();
        if meant.is_empty() || meant.len() == salts.len() {
            return Some(Expr::truth(!meant.is_empty()));
        }
        let width = schema.key.salt.as_ref()?.width_in_characters(&schema.key.fields)?;
        let is_ascii = salts.iter().all(|salt| salt.is_ascii());
        let column = Expr::column(&schema.mapping()?.key_column);
        let listed = meant.iter().map(|salt| Expr::text(*salt)).collect();
        is_ascii.then(|| column.substr(1, width).is_one_of(listed))
    }

    /// The number in the digits of a salt compared with numbers, each of which must hold.
    pub fn salt_number(&self, text: &KeyText, values: &[(Comparison, Constant)]) -> Option<Expr> {
        let [slice @ Slice::OfPart { from, to, .. }] = text.slices.as_slice() else { return None };
        (self.is_of_salt(slice) && text.written_in == WrittenIn::Characters).then_some(())?;
        let values: Vec<(Comparison, i64)> = values
            .iter()
            .map(|(comparison, value)| match value {
                Constant::Number(_) => Some((*comparison, value.integer()?)),
                _ => None,
            })
            .collect::<Option<_>>()?;
        self.salts()?.iter().all(|salt| is_short_number(salt)).then_some(())?;
        self.salt_where(*from, *to, &|salt| {
            let number: i64 = salt.parse().unwrap_or_default();
            values.iter().all(|(comparison, value)| comparison.holds(number.cmp(value)))
        })
    }
}

/// Whether a text is digits of a number that every type of whole numbers holds.
fn is_short_number(text: &str) -> bool {
    (1..=9).contains(&text.len()) && text.bytes().all(|c| c.is_ascii_digit())
}
