//! Whether keys that stand one per line are split keys of a table.

use std::collections::BTreeMap;

use crate::fault::{Fault, fault};
use saltplan_core::key::range::to_string_binary;
use saltplan_core::key::salt::starting;

/// Refuses keys that are no list of split keys: one that occurs twice, several keys in one line, or keys none of which begins
/// like a salt of the table. `salts` are ascending; an empty list means that they are not known. Keys in hex, `None`, are keys
/// whatever they look like.
///
/// # Errors
/// What is wrong with the list, and what to do.
pub fn check(keys: &[Vec<u8>], salts: Option<&[Vec<u8>]>) -> Result<(), Fault> {
    let mut places = BTreeMap::new();
    for (at, key) in keys.iter().enumerate() {
        if let Some(first) = places.insert(key, at + 1) {
            let (key, second) = (to_string_binary(key), at + 1);
            let message = format!("`{key}` is split key {first} and {second}, but a table has each key once");
            return fault(message, "is this a list of split keys? remove the second one");
        }
    }
    let Some(salts) = salts else { return Ok(()) };
    if let [only] = keys
        && are_keys(only)
    {
        let line = to_string_binary(only);
        return fault(
            format!("`{line}` is one line, and looks like a list of split keys"),
            "write one split key per line; a single key that looks like this is passed in hex, with `--key-form hex`",
        );
    }
    if salts.is_empty() || keys.iter().any(|key| begins_like_a_salt(key, salts)) {
        return Ok(());
    }
    let (first, last) = (&salts[0], &salts[salts.len() - 1]);
    fault(
        format!(
            "no line begins like a salt of the schema, which are `{}` to `{}`: the first one is `{}`",
            to_string_binary(first),
            to_string_binary(last),
            to_string_binary(&keys[0])
        ),
        "is this a list of split keys? save what `echo \"get_splits 'ns:table'\" | hbase shell -n` prints",
    )
}

fn begins_like_a_salt(key: &[u8], salts: &[Vec<u8>]) -> bool {
    let next = salts.partition_point(|salt| salt.as_slice() < key);
    salts.get(next).is_some_and(|salt| salt.starts_with(key)) || !starting(salts, key).is_empty()
}

/// `01,02,03`: signs between ascending parts of one length.
fn are_keys(line: &[u8]) -> bool {
    [b',', b';', b' '].into_iter().any(|sign| {
        let parts: Vec<&[u8]> = line.split(|byte| *byte == sign).map(<[u8]>::trim_ascii).collect();
        parts.len() > 1 && parts.windows(2).all(|pair| pair[0].len() == pair[1].len() && pair[0] < pair[1])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(keys: &[&str], salts: &[&str]) -> Result<(), String> {
        let bytes = |texts: &[&str]| -> Vec<Vec<u8>> { texts.iter().map(|text| (*text).into()).collect() };
        check(&bytes(keys), Some(&bytes(salts))).map_err(|(message, _)| message)
    }

    #[test]
    fn lists_of_something_else_are_refused() {
        assert!(checked(&["1", "2", "1"], &[]).unwrap_err().contains("split key 1 and 3"));
        for line in ["01,02", "01, 02, 03", "01 02", "a;b;c"] {
            assert!(checked(&[line], &[]).unwrap_err().contains("one line"), "{line}");
        }
        assert!(checked(&["x", "000"], &["00", "01"]).is_ok());
        assert!(checked(&["0"], &["00", "01"]).is_ok());
        assert!(checked(&["x", "1"], &["00", "01"]).unwrap_err().contains("`00` to `01`"));
    }

    #[test]
    fn odd_split_keys_stay() {
        for keys in [&["2", "1"][..], &["cn,20200406"], &["10,9"], &[","], &["a b "], &["b,a"]] {
            assert_eq!(checked(keys, &[]), Ok(()), "{keys:?}");
        }
    }
}
