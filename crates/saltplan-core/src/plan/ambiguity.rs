//! In how many ways a row key can be split into its fields.
//!
//! A free-text field may contain the separator that follows it: with two fields, the key `a_b_c` is the row
//! `a`, `b_c` or the row `a_b`, `c`. The key `a_b` belongs to one row only, so its row need not be checked.

use crate::key::field::FieldKind;

/// The maximum number of ways to split that are tried for all keys of a plan. Beyond that a key counts as
/// ambiguous.
pub(crate) const MAX_CUTS: usize = 1 << 18;

/// Whether a key, without its salt, belongs to one row only. `parts` are its fields, each with its separator;
/// the number of tries is subtracted from those left.
pub(crate) fn is_of_one_row(parts: &[(&FieldKind, &[u8])], key: &[u8], cuts_left: &mut usize) -> bool {
    // How often each position is reached, counted up to two.
    let mut ways = vec![0u8; key.len() + 1];
    ways[0] = 1;
    for (index, (kind, separator)) in parts.iter().enumerate() {
        let is_last = index + 1 == parts.len();
        let mut next = vec![0u8; key.len() + 1];
        for start in (0..=key.len()).filter(|start| ways[*start] > 0) {
            let ends = match kind.fixed_width() {
                Some(width) => start + width..start + width + 1,
                None if is_last && separator.is_empty() => key.len()..key.len() + 1,
                None => start..key.len() + 1,
            };
            for end in ends {
                let behind = end + separator.len();
                let is_cut = key.get(end..behind) == Some(separator);
                if !is_cut || (is_last && behind != key.len()) {
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
    use crate::key::text_form::TextForm;

    fn text(width: Option<usize>, chars: &str) -> FieldKind {
        FieldKind::Text(TextField {
            width,
            chars: Chars::parse(chars).unwrap(),
            values: None,
            reverse: false,
            nullable: false,
            form: TextForm::default(),
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
