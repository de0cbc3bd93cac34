//! The characters that a text field may contain.

use std::fmt;

/// A set of characters: sorted, disjoint, inclusive ranges.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Chars {
    /// As written in the schema file: `digits`, `[a-z-]`.
    name: String,
    ranges: Vec<(char, char)>,
    /// The ASCII characters of the set, one bit each.
    ascii: [u64; 2],
    /// The ASCII ranges, for checking eight bytes at a time; empty if there are too many ranges for that.
    spans: Vec<ByteSpan>,
}

/// A range of ASCII characters as two addends for eight bytes at once. After the additions, the highest bit
/// of a byte says whether it is at least the first character, or greater than the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct ByteSpan {
    from_first: u64,
    past_last: u64,
}

/// With more ranges, checking each byte is faster.
const MOST_SPANS: usize = 8;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHEST_BITS: u64 = 0x80 * ONES;

impl ByteSpan {
    fn new(first: u8, last: u8) -> Self {
        ByteSpan { from_first: u64::from(0x80 - first) * ONES, past_last: u64::from(0x7F - last) * ONES }
    }

    /// The highest bit of each byte that is inside the range; the input bytes must not have that bit.
    fn inside(self, word: u64) -> u64 {
        (word + self.from_first) & !(word + self.past_last)
    }
}

impl fmt::Debug for Chars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Chars({})", self.name)
    }
}

impl Chars {
    /// The words that name a set; a class in brackets is the other form.
    pub const NAMES: [&'static str; 5] = ["digits", "hex", "alnum", "ascii", "utf8"];

    /// Any text.
    pub fn utf8() -> Self {
        Chars::new("utf8", vec![('\0', char::MAX)])
    }

    /// Lower-case hex digits.
    pub(crate) fn hex() -> Self {
        Chars::new("hex", vec![('0', '9'), ('a', 'f')])
    }

    /// Parses one of [`Chars::NAMES`] or a class such as `[a-z0-9_-]`: literal characters and ranges. A `\`
    /// makes the next character literal, and a `-` at either end is a literal.
    ///
    /// `hex` is lower case, as HBase and Hive print it; `ascii` is the printable part, 0x20 to 0x7E.
    ///
    /// # Errors
    /// The name is unknown, or the class is not closed, is empty or has a reversed range.
    pub fn parse(text: &str) -> Result<Self, CharsError> {
        let ranges = match text {
            "digits" => vec![('0', '9')],
            "hex" => return Ok(Self::hex()),
            "alnum" => vec![('0', '9'), ('A', 'Z'), ('a', 'z')],
            "ascii" => vec![(' ', '~')],
            "utf8" => return Ok(Self::utf8()),
            _ => match text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                Some(class) => parse_class(class)?,
                None => return Err(CharsError::Unknown(text.to_string())),
            },
        };
        Ok(Chars::new(text, ranges))
    }

    /// `ranges` must be sorted and disjoint.
    fn new(name: &str, ranges: Vec<(char, char)>) -> Self {
        let mut ascii = [0; 2];
        for &(first, last) in &ranges {
            (first..=last.min('\x7F')).for_each(|c| ascii[c as usize / 64] |= 1 << (c as u32 % 64));
        }
        let byte = |c: char| c.min('\x7F') as u8;
        let one_byte = ranges.iter().filter(|(first, _)| first.is_ascii());
        let mut spans: Vec<ByteSpan> =
            one_byte.map(|&(first, last)| ByteSpan::new(byte(first), byte(last))).collect();
        if spans.len() > MOST_SPANS {
            spans.clear();
        }
        Chars { name: name.to_string(), ranges, ascii, spans }
    }

    /// The set without one of its characters.
    #[must_use]
    pub fn without(&self, c: char) -> Self {
        let mut ranges = Vec::with_capacity(self.ranges.len() + 1);
        for &(first, last) in &self.ranges {
            if !(first..=last).contains(&c) {
                ranges.push((first, last));
                continue;
            }
            // The ends of a range of characters skip the surrogates.
            ranges.extend((first..=last).take_while(|one| *one < c).last().map(|before| (first, before)));
            ranges.extend((c..=last).nth(1).map(|after| (after, last)));
        }
        Chars::new(&format!("{} without {}", self.name, c.escape_default()), ranges)
    }

    /// The set without the characters below one.
    #[must_use]
    pub(crate) fn not_below(&self, least: char) -> Self {
        if self.ranges.first().is_none_or(|&(first, _)| first >= least) {
            return self.clone();
        }
        let above = self.ranges.iter().filter(|&&(_, last)| last >= least);
        let ranges = above.map(|&(first, last)| (first.max(least), last)).collect();
        Chars::new(&format!("{} from {least:?} on", self.name), ranges)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Sorted, disjoint, inclusive ranges.
    pub fn ranges(&self) -> &[(char, char)] {
        &self.ranges
    }

    pub fn contains(&self, c: char) -> bool {
        if let Ok(byte) = u8::try_from(c)
            && byte.is_ascii()
        {
            return self.contains_byte(byte);
        }
        let behind = self.ranges.partition_point(|&(first, _)| first <= c);
        behind > 0 && c <= self.ranges[behind - 1].1
    }

    pub(crate) fn contains_all(&self, text: &str) -> bool {
        self.first_foreign(text).is_none()
    }

    /// The first character of a text that is not in the set.
    pub(crate) fn first_foreign(&self, text: &str) -> Option<char> {
        if self.contains_bytes(text.as_bytes()) {
            return None;
        }
        text.chars().find(|c| !self.contains(*c))
    }

    /// Whether all characters are ASCII and in the set.
    pub(super) fn contains_bytes(&self, bytes: &[u8]) -> bool {
        match bytes.last_chunk() {
            Some(last) if !self.spans.is_empty() => {
                let (words, _) = bytes.as_chunks();
                words.iter().chain([last]).all(|word| self.contains_word(u64::from_ne_bytes(*word)))
            }
            _ => bytes.iter().all(|byte| byte.is_ascii() && self.contains_byte(*byte)),
        }
    }

    /// Whether all eight bytes are ASCII characters of the set.
    fn contains_word(&self, bytes: u64) -> bool {
        let word = bytes & !HIGHEST_BITS;
        let inside = self.spans.iter().fold(0, |inside, span| inside | span.inside(word));
        inside & !bytes & HIGHEST_BITS == HIGHEST_BITS
    }

    /// Whether an ASCII character is in the set.
    fn contains_byte(&self, ascii: u8) -> bool {
        self.ascii[usize::from(ascii >> 6 & 1)] >> (ascii & 63) & 1 == 1
    }

    /// Whether every character of the set takes one byte.
    pub fn is_ascii(&self) -> bool {
        self.ranges.last().is_some_and(|&(_, last)| last.is_ascii())
    }

    pub fn is_digits(&self) -> bool {
        self.ranges == [('0', '9')]
    }

    pub fn greatest(&self) -> char {
        self.ranges.last().map_or('\0', |&(_, last)| last)
    }

    /// The number of characters in the set (an upper bound if it includes the surrogates).
    pub fn count(&self) -> usize {
        self.ranges.iter().map(|&(first, last)| last as usize - first as usize + 1).sum()
    }

    /// All characters, ascending.
    pub fn iter(&self) -> impl Iterator<Item = char> + '_ {
        self.ranges.iter().flat_map(|&(first, last)| first..=last)
    }
}

/// Why a text does not describe a set of characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CharsError {
    #[error("`{0}` is neither a known set of characters nor a class in brackets")]
    Unknown(String),
    #[error("the range `{first}-{last}` is reversed")]
    Backwards { first: char, last: char },
    #[error("the class contains no character")]
    Empty,
    #[error("a `\\` at the end of the class escapes nothing")]
    OpenEscape,
}

fn parse_class(class: &str) -> Result<Vec<(char, char)>, CharsError> {
    let mut ranges = Vec::new();
    let mut chars = class.chars().peekable();
    while let Some(first) = next_literal(&mut chars)? {
        let mut rest = chars.clone();
        let mut last = first;
        if rest.next() == Some('-')
            && let Some(end) = next_literal(&mut rest)?
        {
            chars = rest;
            last = end;
        }
        if last < first {
            return Err(CharsError::Backwards { first, last });
        }
        ranges.push((first, last));
    }
    if ranges.is_empty() {
        return Err(CharsError::Empty);
    }
    ranges.sort_unstable();
    Ok(join(ranges))
}

fn next_literal(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<Option<char>, CharsError> {
    match chars.next() {
        Some('\\') => chars.next().map(Some).ok_or(CharsError::OpenEscape),
        other => Ok(other),
    }
}

/// Joins overlapping and neighbouring ranges of a sorted list.
fn join(ranges: Vec<(char, char)>) -> Vec<(char, char)> {
    let mut joined: Vec<(char, char)> = Vec::with_capacity(ranges.len());
    for (first, last) in ranges {
        match joined.last_mut() {
            Some(previous) if first as u32 <= previous.1 as u32 + 1 => previous.1 = previous.1.max(last),
            _ => joined.push((first, last)),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Checks eight bytes at a time and one by one: sets of few and of many ranges, their bounds, and
        /// non-ASCII text.
        #[test]
        fn bytes_are_those_of_the_characters(
            ends in prop::collection::btree_set(0u8..=0x7F, 1..40),
            picked in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
            changed in prop::option::of((any::<prop::sample::Index>(), any::<u8>())),
        ) {
            let ends: Vec<u8> = ends.into_iter().collect();
            let range = |ends: &[u8]| (char::from(ends[0]), char::from(ends[ends.len() - 1]));
            let chars = Chars::new("ranges", ends.chunks(2).map(range).collect());
            let members: Vec<char> = chars.iter().collect();
            let mut bytes: Vec<u8> = picked.iter().map(|index| *index.get(&members) as u8).collect();
            if let Some((place, byte)) = changed && !bytes.is_empty() {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
            let expected = bytes.iter().all(|byte| members.contains(&char::from(*byte)));
            prop_assert_eq!(chars.contains_bytes(&bytes), expected);
        }
    }

    #[test]
    fn classes() {
        let class = Chars::parse("[a-c_-]").unwrap();
        assert_eq!(class.iter().collect::<String>(), "-_abc");
        assert_eq!(Chars::parse(r"[\]\\]").unwrap().iter().collect::<String>(), r"\]");
        assert_eq!(Chars::parse("[b-da-c]").unwrap().count(), 4);
        assert!(Chars::parse("[z-a]").is_err());
        assert!(Chars::parse("[]").is_err());
        assert!(Chars::parse("letters").is_err());
        assert!(Chars::utf8().contains_all("ü€😀"));
    }
}
