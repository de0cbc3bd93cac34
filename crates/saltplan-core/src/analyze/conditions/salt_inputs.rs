//! What comparisons of the end of a text, or of a text in lower case, say about a salt that is computed from it.

use std::collections::BTreeSet;

use super::walk::Analyzer;
use crate::analyze::Implied;
use crate::analyze::bind::BoundNode;
use crate::analyze::chain::{Chain, Step, TextStep};
use crate::analyze::constant::{Constant, fold};
use crate::key::field::{FieldKind, TextField};
use crate::key::salt::{Cut, SaltInput};
use saltplan_sql::ast::Literal;

impl Analyzer<'_> {
    /// The salt inputs of texts with a suffix, if the salt is computed from the last characters.
    pub fn salt_of_end(&self, chain: &Chain, end: &str) -> Option<Implied> {
        let counts = self.salt_inputs.iter().filter_map(|input| match input.cut {
            Cut::Last(count) if input.field == chain.field => Some(count),
            _ => None,
        });
        let chars: Vec<char> = end.chars().collect();
        let longest = counts.filter(|count| *count <= chars.len()).max()?;
        let last: String = chars[chars.len() - longest..].iter().collect();
        let end = Chain::bare(chain.field).text(TextStep::End(longest));
        self.salt_input(&end, &[&BoundNode::literal(Literal::Text(last))])
    }

    /// The salt inputs that a comparison with constants leaves.
    pub fn salt_input(&self, chain: &Chain, constants: &[&BoundNode]) -> Option<Implied> {
        let field = &self.schema.key.fields[chain.field];
        // The salt sees the stored form.
        let is_reversed = matches!(field.kind, FieldKind::Text(TextField { reverse: true, .. }));
        let is_text = field.kind.is_text_in_key();
        // A descending number is stored as a difference, whose digits are others.
        let is_descending = field.kind.number().is_some_and(|number| number.descending);
        let (cut, lower) = match *chain.steps.as_slice() {
            [Step::Text(TextStep::End(count))] if !is_reversed && is_text && !is_descending => {
                (Cut::Last(count), false)
            }
            [Step::Text(TextStep::LowerCase)] => (Cut::Whole, true),
            _ => return None,
        };
        let wanted = SaltInput { field: chain.field, cut: cut.clone(), lower };
        let input = self.salt_inputs.find(|input| *input == wanted)?;
        let mut values = BTreeSet::new();
        for constant in constants {
            match fold(*constant)? {
                Constant::Text(text) => {
                    // Of a shorter text Hive takes the empty suffix where the salt takes all of it.
                    // It counts UTF-16 units, and puts `?` for half a character.
                    let is_plain = text.chars().all(|c| c.len_utf16() == 1) && !text.starts_with('?');
                    if matches!(cut, Cut::Last(count) if text.chars().count() != count || !is_plain) {
                        return None;
                    }
                    // Beyond ASCII, lower case may depend on the order of the characters.
                    if is_reversed && !text.is_ascii() {
                        return None;
                    }
                    let stored = if is_reversed { text.chars().rev().collect() } else { text };
                    values.insert(stored.into_bytes());
                }
                Constant::Null => {}
                _ => return None,
            }
        }
        Some(Implied::SaltInput { input, values })
    }
}
