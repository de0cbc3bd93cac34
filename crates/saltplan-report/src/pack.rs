//! Compresses lists of texts: a common prefix and suffix is stored once, and so is a list that several plans
//! share.
//!
//! The bounds of 256 ranges differ only in their salts, and the next plan has the same salts. A packed list
//! is `{ "p": prefix, "s": suffix, "l": number of the list }`; with two lists `a` and `b` it is the first `n`
//! of all pairs, such as every day after every salt. The lists of a page are texts whose first character
//! separates the others. The script unpacks them.

use std::collections::HashMap;

use serde_json::{Value as Json, json};

/// The lists of a page.
#[derive(Debug, Default)]
pub struct Lists {
    known: HashMap<String, usize>,
    lists: Vec<String>,
}

/// The separator of texts: the first candidate that occurs in none of them.
const SEPARATORS: [char; 6] = [' ', ',', ';', '|', '~', '\n'];

impl Lists {
    /// Packs texts.
    pub fn pack<T: AsRef<str>>(&mut self, texts: &[T]) -> Json {
        let (prefix, suffix) = common(texts);
        let middle = |text: &T| {
            let text = text.as_ref();
            text[prefix..text.len() - suffix].to_string()
        };
        let middles: Vec<String> = texts.iter().map(middle).collect();
        let Some(mut packed) = self.pack_middles(&middles) else {
            return json!(texts.iter().map(AsRef::as_ref).collect::<Vec<&str>>());
        };
        let first = texts.first().map_or("", AsRef::as_ref);
        for (name, part) in [("p", &first[..prefix]), ("s", &first[first.len() - suffix..])] {
            if !part.is_empty() {
                packed[name] = part.into();
            }
        }
        packed
    }

    fn pack_middles(&mut self, middles: &[String]) -> Option<Json> {
        if let Some((outer, inner)) = factors(middles) {
            let (outer, inner) = (joined(&outer)?, joined(&inner)?);
            return Some(json!({ "a": self.number(outer), "b": self.number(inner), "n": middles.len() }));
        }
        Some(json!({ "l": self.number(joined(middles)?) }))
    }

    fn number(&mut self, list: String) -> usize {
        let next = self.lists.len();
        *self.known.entry(list).or_insert_with_key(|list| {
            self.lists.push(list.clone());
            next
        })
    }

    /// The lists by their number.
    pub fn json(self) -> Json {
        self.lists.into()
    }
}

/// Two lists whose joined pairs are the texts in order; the texts of the last pairs may be missing.
fn factors(texts: &[String]) -> Option<(Vec<String>, Vec<String>)> {
    let first = texts.first()?.as_str();
    let mut begin = first.len();
    (1..=texts.len() / 2).find_map(|period| {
        // The common prefix of the first group.
        let last = texts[period - 1].as_bytes();
        begin = begin.min(first.bytes().zip(last).take_while(|(one, other)| one == *other).count());
        while !first.is_char_boundary(begin) {
            begin -= 1;
        }
        let inner = &first[begin..];
        if period < 2 || !texts[period].ends_with(inner) {
            return None;
        }
        let inner: Vec<&str> = texts[..period].iter().map(|text| &text[begin..]).collect();
        let mut outer = Vec::new();
        for group in texts.chunks(period) {
            let begin = group[0].strip_suffix(inner[0])?;
            let fits = group.iter().zip(&inner).all(|(text, inner)| text.strip_prefix(begin) == Some(*inner));
            if !fits {
                return None;
            }
            outer.push(begin.to_string());
        }
        Some((outer, inner.into_iter().map(str::to_string).collect()))
    })
}

/// `None` if every separator occurs in one of the texts.
fn joined(texts: &[String]) -> Option<String> {
    let separator = SEPARATORS.into_iter().find(|c| !texts.iter().any(|text| text.contains(*c)))?;
    let mut list = String::new();
    for text in texts {
        list.push(separator);
        list.push_str(text);
    }
    Some(list)
}

/// The lengths of a common prefix and a common suffix that do not overlap in any text.
fn common<T: AsRef<str>>(texts: &[T]) -> (usize, usize) {
    let Some(first) = texts.first().map(AsRef::as_ref) else { return (0, 0) };
    let shortest = texts.iter().map(|text| text.as_ref().len()).min().unwrap_or(0);
    let same = |one: &mut dyn Iterator<Item = u8>, other: &mut dyn Iterator<Item = u8>| {
        one.zip(other).take_while(|(one, other)| one == other).count()
    };
    let (mut prefix, mut suffix) = (shortest, shortest);
    for text in texts.iter().map(AsRef::as_ref) {
        prefix = prefix.min(same(&mut first.bytes(), &mut text.bytes()));
        suffix = suffix.min(same(&mut first.bytes().rev(), &mut text.bytes().rev()));
    }
    while !first.is_char_boundary(prefix) {
        prefix -= 1;
    }
    suffix = suffix.min(shortest - prefix);
    while !first.is_char_boundary(first.len() - suffix) {
        suffix -= 1;
    }
    (prefix, suffix)
}

/// Run-length encoding: `[value, count, value, count, …]`.
pub fn runs<T: PartialEq + Copy + Into<Json>>(values: impl Iterator<Item = T>) -> Json {
    let mut runs: Vec<(T, u64)> = Vec::new();
    for value in values {
        match runs.last_mut() {
            Some((last, count)) if *last == value => *count += 1,
            _ => runs.push((value, 1)),
        }
    }
    runs.into_iter().flat_map(|(value, count)| [value.into(), count.into()]).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As in the script.
    pub fn unpacked(packed: &Json, lists: &Json) -> Vec<String> {
        if let Some(texts) = packed.as_array() {
            return texts.iter().map(|text| text.as_str().expect("a text").to_string()).collect();
        }
        let part = |name: &str| packed[name].as_str().unwrap_or_default();
        let list = |name: &str| -> Vec<String> {
            let Some(number) = packed[name].as_u64() else { return vec![String::new()] };
            let list = lists[number as usize].as_str().expect("a list");
            let Some(separator) = list.chars().next() else { return Vec::new() };
            list[separator.len_utf8()..].split(separator).map(str::to_string).collect()
        };
        let (outer, inner) =
            if packed["a"].is_u64() { (list("a"), list("b")) } else { (list("l"), list("b")) };
        let pairs = outer.iter().flat_map(|one| inner.iter().map(move |other| format!("{one}{other}")));
        let count = packed["n"].as_u64().map_or(usize::MAX, |count| count as usize);
        pairs.take(count).map(|middle| format!("{}{middle}{}", part("p"), part("s"))).collect()
    }

    #[test]
    fn pairs_are_two_lists() {
        let mut lists = Lists::default();
        let texts: Vec<String> = (0..255).map(|at| format!("'{:x}|2020{:02}01'", at / 16, at % 16)).collect();
        let packed = lists.pack(&texts);
        assert_eq!(packed, json!({ "p": "'", "s": "01'", "a": 0, "b": 1, "n": 255 }));
        let lists = lists.json();
        assert!(lists.to_string().len() < 200, "{lists}");
        assert_eq!(unpacked(&packed, &lists), texts);
    }

    #[test]
    fn common_parts_are_stored_once() {
        let mut lists = Lists::default();
        let starts: Vec<String> = (0..256).map(|salt| format!("{salt:02x}|20200406")).collect();
        let stops: Vec<String> = (0..256).map(|salt| format!("{salt:02x}|20200407")).collect();
        // Sixteen digits before sixteen digits.
        assert_eq!(lists.pack(&starts), json!({ "a": 0, "b": 0, "n": 256, "s": "|20200406" }));
        assert_eq!(lists.pack(&stops), json!({ "a": 0, "b": 0, "n": 256, "s": "|20200407" }));
        assert_eq!(lists.json(), json!([" 0 1 2 3 4 5 6 7 8 9 a b c d e f"]));
        let mut lists = Lists::default();
        assert_eq!(lists.pack(&[" ,;|~\n", "b"]), json!([" ,;|~\n", "b"]));
        assert_eq!(runs([1, 1, 2].into_iter()), json!([1, 2, 2, 1]));
    }

    proptest! {
        #[test]
        fn packed_lists_can_be_unpacked(texts in prop::collection::vec("[ab,; é漢\n]{0,5}", 0..6)) {
            let mut lists = Lists::default();
            let packed = lists.pack(&texts);
            prop_assert_eq!(unpacked(&packed, &lists.json()), texts);
        }
    }
}
