//! The characters that a text field may hold.

use std::fmt;

/// A set of characters: sorted, disjoint, inclusive ranges.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Chars {
    /// As the schema file spells it: `digits`, `[a-z-]`.
    name: String,
    ranges: Vec<(char, char)>,
    /// Those of one byte, a bit each.
    ascii: [u64; 2],
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

    /// Reads one of [`Chars::NAMES`] or a class such as `[a-z0-9_-]`: literal characters and ranges, `\` before
    /// a character takes it literally, a `-` at either end is itself.
    ///
    /// `hex` is lower case, as HBase and Hive print it; `ascii` is the printable part, 0x20 to 0x7E.
    ///
    /// # Errors
    /// No such name, or a class that is not closed, is empty or has a range from high to low.
    pub fn parse(text: &str) -> Result<Self, CharsError> {
        let ranges = match text {
            "digits" => vec![('0', '9')],
            "hex" => vec![('0', '9'), ('a', 'f')],
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

    /// `ranges` are sorted and disjoint.
    fn new(name: &str, ranges: Vec<(char, char)>) -> Self {
        let mut ascii = [0; 2];
        for &(first, last) in &ranges {
            (first..=last.min('\x7F')).for_each(|c| ascii[c as usize / 64] |= 1 << (c as u32 % 64));
        }
        Chars { name: name.to_string(), ranges, ascii }
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

    pub fn contains_all(&self, text: &str) -> bool {
        self.first_foreign(text).is_none()
    }

    /// The first character of a text that is none of them.
    pub fn first_foreign(&self, text: &str) -> Option<char> {
        if text.bytes().all(|byte| byte.is_ascii() && self.contains_byte(byte)) {
            return None;
        }
        text.chars().find(|c| !self.contains(*c))
    }

    /// Whether an ASCII character is one of them.
    fn contains_byte(&self, ascii: u8) -> bool {
        self.ascii[usize::from(ascii >> 6 & 1)] >> (ascii & 63) & 1 == 1
    }

    /// Whether every character takes one byte.
    pub fn is_ascii(&self) -> bool {
        self.ranges.last().is_some_and(|&(_, last)| last.is_ascii())
    }

    pub fn is_digits(&self) -> bool {
        self.ranges == [('0', '9')]
    }

    pub fn greatest(&self) -> char {
        self.ranges.last().map_or('\0', |&(_, last)| last)
    }

    /// Number of characters in the set (an upper bound where the surrogates lie inside).
    pub fn count(&self) -> usize {
        self.ranges.iter().map(|&(first, last)| last as usize - first as usize + 1).sum()
    }

    /// All characters, ascending.
    pub fn iter(&self) -> impl Iterator<Item = char> + '_ {
        self.ranges.iter().flat_map(|&(first, last)| first..=last)
    }
}

/// Why a text is no set of characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CharsError {
    #[error("`{0}` is neither a known set of characters nor a class in brackets")]
    Unknown(String),
    #[error("the range `{first}-{last}` runs backwards")]
    Backwards { first: char, last: char },
    #[error("the class holds no character")]
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
    use super::*;

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
