//! Strings of a fixed width over a small alphabet, in byte order.

use super::chars::Chars;

/// All strings of `width` characters of an alphabet of one-byte characters.
#[derive(Debug)]
pub struct Strings {
    /// Sorted and distinct.
    alphabet: Vec<u8>,
    pub width: usize,
}

impl Strings {
    /// `None` if a character takes more than one byte.
    pub fn new(chars: &Chars, width: usize) -> Option<Self> {
        let byte = |c| u8::try_from(c).ok();
        let alphabet = if chars.is_ascii() {
            chars.iter().map(byte).collect::<Option<Vec<u8>>>()?
        } else {
            return None;
        };
        Some(Strings { alphabet, width })
    }

    /// The smallest string that is at least `bound` in byte order.
    pub(crate) fn not_below(&self, bound: &[u8]) -> Option<Vec<u8>> {
        let least = *self.alphabet.first()?;
        let mut string = Vec::with_capacity(self.width);
        for wanted in bound.iter().copied().take(self.width) {
            match self.alphabet.iter().copied().find(|byte| *byte >= wanted) {
                Some(byte) if byte == wanted => string.push(byte),
                Some(byte) => {
                    string.push(byte);
                    return Some(self.filled(string, least));
                }
                None => return self.after_start(string),
            }
        }
        if bound.len() > self.width { self.after_start(string) } else { Some(self.filled(string, least)) }
    }

    /// The next string.
    pub fn next(&self, string: &[u8]) -> Option<Vec<u8>> {
        self.after_start(string.to_vec())
    }

    /// The smallest string above all strings with the prefix `start`.
    fn after_start(&self, mut start: Vec<u8>) -> Option<Vec<u8>> {
        let least = *self.alphabet.first()?;
        while let Some(last) = start.pop() {
            if let Some(next) = self.alphabet.iter().copied().find(|byte| *byte > last) {
                start.push(next);
                return Some(self.filled(start, least));
            }
        }
        None
    }

    fn filled(&self, mut string: Vec<u8>, least: u8) -> Vec<u8> {
        string.resize(self.width, least);
        string
    }

    /// The greatest string below `bound` in byte order.
    pub fn below(&self, bound: &[u8]) -> Option<Vec<u8>> {
        let greatest = *self.alphabet.last()?;
        let start = &bound[..bound.len().min(self.width)];
        let known = start.iter().take_while(|byte| self.alphabet.binary_search(byte).is_ok()).count();
        if known == self.width && bound.len() > self.width {
            return Some(start.to_vec());
        }
        // The longest prefix of the bound after which a smaller byte is possible.
        let places = (0..=known.min(start.len().checked_sub(1)?)).rev();
        let mut lesser = places.filter_map(|place| {
            let byte = self.alphabet.iter().rev().find(|byte| **byte < start[place])?;
            Some([&start[..place], &[*byte]].concat())
        });
        lesser.next().map(|string| self.filled(string, greatest))
    }
}

/// The smallest text of any length, over a set of one-byte characters, that is at least `bound` in byte
/// order. `None` if there is none, or if a character takes more than one byte.
pub(crate) fn least_text(chars: &Chars, bound: &[u8]) -> Option<Vec<u8>> {
    let is_known = |byte: &u8| byte.is_ascii() && chars.contains(char::from(*byte));
    let Some(unknown) = bound.iter().position(|byte| !is_known(byte)) else { return Some(bound.to_vec()) };
    let places = (0..=unknown).rev();
    let mut greater = places.filter_map(|place| {
        let byte = chars.iter().filter_map(|c| u8::try_from(c).ok()).find(|byte| *byte > bound[place])?;
        Some([&bound[..place], &[byte]].concat())
    });
    if chars.is_ascii() { greater.next() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_bounds() {
        let strings = Strings::new(&Chars::parse("[ac]").unwrap(), 2).unwrap();
        let all = ["aa", "ac", "ca", "cc"];
        let listed = std::iter::successors(strings.not_below(b""), |string| strings.next(string));
        assert_eq!(listed.collect::<Vec<_>>(), all.map(|text| text.as_bytes().to_vec()));
        for bound in
            ["", "a", "aa", "aaa", "ab", "abz", "ac", "aca", "b", "c", "cb", "cc", "cca", "d", "cz", "\u{1}"]
        {
            let expected = all.iter().find(|text| **text >= bound).map(|text| text.as_bytes().to_vec());
            assert_eq!(strings.not_below(bound.as_bytes()), expected, "{bound}");
            let expected = all.iter().rev().find(|text| **text < bound).map(|text| text.as_bytes().to_vec());
            assert_eq!(strings.below(bound.as_bytes()), expected, "below {bound}");
        }
        assert!(Strings::new(&Chars::utf8(), 2).is_none());
    }

    #[test]
    fn least_texts_of_any_length() {
        let chars = Chars::parse("[ac]").unwrap();
        let least =
            |bound: &str| least_text(&chars, bound.as_bytes()).map(|text| String::from_utf8(text).unwrap());
        for (bound, expected) in [
            ("", Some("")),
            ("a", Some("a")),
            ("ab", Some("ac")),
            ("abz", Some("ac")),
            ("aa\0", Some("aaa")),
            ("ad", Some("c")),
            ("B", Some("a")),
            ("cd", None),
            ("é", None),
        ] {
            assert_eq!(least(bound).as_deref(), expected, "{bound}");
        }
    }
}
