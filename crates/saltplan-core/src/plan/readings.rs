//! In how many ways a row key can be cut into its fields.
//!
//! A field of free text may hold the separator behind it: the key `a_b_c` of two fields belongs to `a` and `b_c`, and to
//! `a_b` and `c`. The key `a_b` belongs to one row only, so reading it needs no look at the row.

use crate::key::field::FieldKind;

/// Cuts that are tried in all keys of a plan, at most; past that a key counts as one of several rows.
pub(crate) const MAX_CUTS: usize = 1 << 18;

/// Whether a key, without its salt, holds the values of one row only. `parts` are its fields, each with the separator
/// behind it; the cuts that were tried are taken from those left.
pub(crate) fn is_of_one_row(parts: &[(&FieldKind, &[u8])], key: &[u8], cuts_left: &mut usize) -> bool {
    // How often each place is reached, up to twice.
    let mut ways = vec![0u8; key.len() + 1];
    ways[0] = 1;
    for (index, (kind, separator)) in parts.iter().enumerate() {
        let is_last = index + 1 == parts.len();
        let mut next = vec![0u8; key.len() + 1];
        for start in (0..=key.len()).filter(|start| ways[*start] > 0) {
            let ends = match kind.fixed_width() {
                Some(width) => start + width..start + width + 1,
                None if is_last => key.len()..key.len() + 1,
                None => start..key.len() + 1,
            };
            for end in ends {
                let behind = if is_last { end } else { end + separator.len() };
                let is_cut = key.get(end..behind) == Some(if is_last { &[] } else { separator });
                if !is_cut || (is_last && end != key.len()) {
                    continue;
                }
                let Some(left) = cuts_left.checked_sub(1) else { return false };
                *cuts_left = left;
                if kind.decode(&key[start..end]).is_ok() {
                    next[behind] = (next[behind] + ways[start]).min(2);
                }
            }
        }
        ways = next;
    }
    ways[key.len()] == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::chars::Chars;
    use crate::key::field::TextField;

    fn text(width: Option<usize>, chars: &str) -> FieldKind {
        FieldKind::Text(TextField {
            width,
            chars: Chars::parse(chars).unwrap(),
            values: None,
            reverse: false,
        })
    }

    fn one(parts: &[(&FieldKind, &[u8])], key: &str) -> bool {
        is_of_one_row(parts, key.as_bytes(), &mut 1_000)
    }

    #[test]
    fn keys_of_one_row() {
        let (free, digits, pair) = (text(None, "utf8"), text(None, "digits"), text(Some(2), "utf8"));
        let two: [(&FieldKind, &[u8]); 2] = [(&free, b"_"), (&free, b"")];
        assert!(one(&two, "a_b"));
        assert!(one(&two, "_"));
        assert!(!one(&two, "a_b_c") && !one(&two, "__") && !one(&two, "ab"));
        let numbered: [(&FieldKind, &[u8]); 2] = [(&free, b"_"), (&digits, b"")];
        assert!(one(&numbered, "a_b_7"));
        assert!(one(&numbered, "a_b_") && !one(&numbered, "a_b_x"));
        let joined: [(&FieldKind, &[u8]); 2] = [(&digits, b""), (&pair, b"")];
        assert!(one(&joined, "12ab"));
        let bare: [(&FieldKind, &[u8]); 2] = [(&free, b""), (&free, b"")];
        assert!(!one(&bare, "ab"));
        assert!(!is_of_one_row(&two, b"a_b", &mut 0));
    }
}
