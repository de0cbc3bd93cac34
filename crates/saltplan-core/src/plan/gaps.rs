//! Gaps between ranges in which no key can lie, because of how the fields are stored: after the keys that start with
//! `20200430|`, the next ones start with `20200501|`.

use super::ranges::KeyParts;
use super::stored_field::StoredField;
use crate::key::range::{KeyRange, key_successor, prefix_successor};

impl KeyParts<'_> {
    /// Whether no row has a key from `from` up to, but not including, `to`. Both are relative to the end of the salt.
    pub(super) fn is_gap(&self, from: &[u8], to: &[u8]) -> bool {
        self.not_below(0, from).is_none_or(|least| least.as_slice() >= to)
    }

    /// Whether a range, relative to the end of the salt, contains every possible key.
    pub(super) fn are_all(&self, range: &KeyRange) -> bool {
        let is_last = |stop: &Vec<u8>| self.not_below(0, stop).is_none();
        self.is_gap(&[], &range.start) && range.stop.as_ref().is_none_or(is_last)
    }

    /// A bound that is not above any key from `bound` on and not below `bound`; `None` if there is no such key. Keys begin
    /// with the field at `index` here.
    fn not_below(&self, index: usize, bound: &[u8]) -> Option<Vec<u8>> {
        let Some(part) = self.at(index) else { return bound.is_empty().then(Vec::new) };
        if let Some(end) = part.end_in(bound) {
            let (value, rest) = bound.split_at(end);
            if part.least_stored(value).is_none_or(|least| least.as_deref() == Some(value))
                && let Some(behind) = self.behind_value(index, rest)
            {
                return Some([value, &behind].concat());
            }
            // No key with this value is left.
            return match part.least_stored(&key_successor(value)) {
                Some(next) => self.least_with(index, next?),
                None => prefix_successor(&[value, part.separator].concat()),
            };
        }
        match part.least_stored(bound) {
            Some(least) => self.least_with(index, least?),
            None => Some(bound.to_vec()),
        }
    }

    /// The least key with a value of the field at `index`.
    fn least_with(&self, index: usize, value: Vec<u8>) -> Option<Vec<u8>> {
        Some([value, self.behind_value(index, &[])?].concat())
    }

    /// What follows the value of a field, from `bound` on.
    fn behind_value(&self, index: usize, bound: &[u8]) -> Option<Vec<u8>> {
        let separator = self.at(index)?.separator;
        let rest = match bound.strip_prefix(separator) {
            Some(rest) => rest,
            None if bound < separator => &[],
            None => return None,
        };
        Some([separator, &self.not_below(index + 1, rest)?].concat())
    }
}

impl StoredField<'_> {
    /// Where the value ends that a bound begins with; `None` if the bound does not show it.
    fn end_in(&self, bound: &[u8]) -> Option<usize> {
        match self.kind.fixed_width() {
            // NULL is stored as an empty text.
            Some(_) if self.kind.is_nullable() => None,
            Some(width) => (width <= bound.len()).then_some(width),
            None if self.ends_at_separator => {
                bound.windows(self.separator.len()).position(|part| part == self.separator)
            }
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::ValueSet;
    use crate::schema::load;
    use saltplan_document::diag::Source;

    /// Every key of a table with few values in each field.
    fn keys(key: &crate::key::layout::RowKey) -> Vec<Vec<u8>> {
        let mut keys = vec![Vec::new()];
        for id in key.stored() {
            let field = &key.fields[id];
            let values = ValueSet::all(&field.kind).points(&field.kind, 100).expect("few values");
            let stored: Vec<Vec<u8>> =
                values.iter().map(|value| field.kind.encode(value).expect("a value")).collect();
            keys = keys
                .iter()
                .flat_map(|key| {
                    stored.iter().map(move |value| [key, value, &field.separator].map(Vec::as_slice).concat())
                })
                .collect();
        }
        keys.sort();
        keys
    }

    /// Bounds are the keys, their starts, and these with another byte.
    #[test]
    fn a_gap_is_where_no_key_lies() {
        let digit = |name: &str, then: &str| {
            format!("{{ name: {name}, type: string, width: 1, chars: '[1-3]', then: '{then}' }}")
        };
        let number = |encoding: &str| format!("{{ name: n, type: tinyint, {encoding}, then: '_' }}");
        let listed = "{ name: l, type: string, values: ['ab', 'cd', 'x_'], then: '_' }";
        let last = "{ name: z, type: string, width: 2, chars: '[ac]' }";
        for (fields, is_exact) in [
            (format!("{}, {}, {last}", digit("a", "|"), digit("b", "")), true),
            (format!("{}, {last}", number("encoding: decimal, width: 1, min: 2, max: 4")), true),
            (format!("{}, {last}", number("encoding: be, min: -2, max: 1")), true),
            (format!("{}, {last}", number("encoding: be_sortable, descending: true, min: -2, max: 1")), true),
            (format!("{listed}, {last}"), true),
            // The order of these is not known, but where they end.
            (format!("{}, {last}", number("encoding: decimal, min: 8, max: 11")), false),
            (format!("{{ name: v, type: string, values: ['a', 'bcd'], then: '|' }}, {last}"), false),
        ] {
            let yaml = format!(
                "saltplan: 1\nhbase: {{ table: t, families: {{ f: {{}} }} }}\nkey: {{ fields: [{fields}] }}\n"
            );
            let schema = load(&Source::new("t.yaml", yaml)).expect(&fields).schema;
            let (keys, parts) = (keys(&schema.key), KeyParts::new(&schema.key));
            let mut bounds: Vec<Vec<u8>> = vec![Vec::new()];
            for key in &keys {
                for length in 1..=key.len() {
                    let start = &key[..length];
                    bounds.extend([start.to_vec(), key_successor(start), [start, b"~"].concat()]);
                    bounds.extend(prefix_successor(start));
                }
            }
            bounds.sort();
            bounds.dedup();
            let mut gaps = 0;
            for (at, from) in bounds.iter().enumerate() {
                for to in bounds[at + 1..].iter().take(20) {
                    let is_empty = !keys.iter().any(|key| from <= key && key < to);
                    let is_gap = parts.is_gap(from, to);
                    assert!(is_empty || !is_gap, "{fields}: a key from {from:?} to {to:?}");
                    assert!(is_gap == is_empty || !is_exact, "{fields}: no key from {from:?} to {to:?}");
                    gaps += usize::from(is_gap);
                }
            }
            assert!(gaps > 10, "{fields}: {gaps} gaps");
        }
    }
}
