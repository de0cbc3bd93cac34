//! The literal prefixes of a regular expression of Java: the texts after `^`.

use std::iter::Peekable;
use std::str::Chars;

/// The maximum number of prefixes of one expression.
const MAX_STARTS: usize = 64;
/// The maximum depth of brackets. Hive checks deeper patterns.
const MAX_DEPTH: usize = 50;
/// The maximum number of characters of a class that become prefixes.
const MAX_CLASS: u32 = 16;

/// The possible prefixes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Starts {
    pub texts: Vec<String>,
    /// Whether every text with such a prefix matches.
    pub is_exact: bool,
    /// Whether the caller may have to append more.
    is_open: bool,
}

impl Starts {
    /// `None` if the expression may match after the start of a text, or is not understood.
    pub fn of(pattern: &str) -> Option<Starts> {
        let mut reader = RegexReader { chars: pattern.chars().peekable(), depth: 0 };
        let starts = reader.alternatives(true)?;
        (reader.chars.next().is_none() && starts.texts.iter().all(|text| !text.is_empty())).then_some(starts)
    }

    fn nothing() -> Self {
        Starts { texts: vec![String::new()], is_exact: true, is_open: false }
    }

    /// One of several.
    fn or(mut self, other: Starts) -> Option<Self> {
        self.texts.extend(other.texts);
        let is_short = self.texts.len() <= MAX_STARTS;
        let (is_exact, is_open) = (self.is_exact && other.is_exact, self.is_open || other.is_open);
        is_short.then_some(Starts { is_exact, is_open, ..self })
    }

    /// Appends the next part.
    fn then(&mut self, atom: &Atom, count: Count) {
        match (atom, count) {
            (_, Count::Optional) => self.is_open = true,
            (Atom::Starts(next), Count::Once | Count::Several)
                if !self.is_open && self.texts.len() * next.texts.len() <= MAX_STARTS =>
            {
                let texts = self
                    .texts
                    .iter()
                    .flat_map(|text| next.texts.iter().map(move |next| format!("{text}{next}")));
                self.texts = texts.collect();
                self.is_exact &= next.is_exact;
                self.is_open |= next.is_open || count == Count::Several;
            }
            _ => {
                self.is_open = true;
                self.is_exact = false;
            }
        }
    }
}

/// One thing that an expression is made of.
enum Atom {
    Starts(Starts),
    Unknown,
    /// `$`, `\b` and their like, which must hold whatever follows them.
    Assertion,
}

/// How often a part is repeated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    Once,
    Several,
    Optional,
    Unknown,
}

struct RegexReader<'a> {
    chars: Peekable<Chars<'a>>,
    /// Brackets that are open.
    depth: usize,
}

impl RegexReader<'_> {
    /// Up to a closing bracket or the end.
    fn alternatives(&mut self, is_outer: bool) -> Option<Starts> {
        let mut all = self.sequence(is_outer)?;
        while self.chars.next_if_eq(&'|').is_some() {
            all = all.or(self.sequence(is_outer)?)?;
        }
        Some(all)
    }

    fn sequence(&mut self, is_outer: bool) -> Option<Starts> {
        if is_outer && self.chars.next_if_eq(&'^').is_none() {
            let is_start = self.chars.next() == Some('\\') && self.chars.next() == Some('A');
            is_start.then_some(())?;
        }
        let mut starts = Starts::nothing();
        while let Some(c) = self.chars.next_if(|c| !['|', ')'].contains(c)) {
            let atom = self.atom(c)?;
            let count = match atom {
                Atom::Assertion => Count::Once,
                _ => self.count(),
            };
            starts.then(&atom, count);
        }
        Some(starts)
    }

    fn atom(&mut self, c: char) -> Option<Atom> {
        let literal =
            |c: char| Some(Atom::Starts(Starts { texts: vec![c.to_string()], ..Starts::nothing() }));
        match c {
            '(' => {
                if self.chars.next_if_eq(&'?').is_some() {
                    self.chars.next_if_eq(&':')?;
                }
                self.depth += 1;
                let inner = (self.depth <= MAX_DEPTH).then(|| self.alternatives(false))??;
                self.depth -= 1;
                self.chars.next_if_eq(&')')?;
                Some(Atom::Starts(inner))
            }
            '[' => self.class(),
            '.' => Some(Atom::Unknown),
            '$' => Some(Atom::Assertion),
            '^' | '*' | '+' | '?' | '{' => None,
            '\\' => match self.chars.next()? {
                'd' | 'D' | 's' | 'S' | 'w' | 'W' => Some(Atom::Unknown),
                'b' | 'B' | 'z' | 'Z' => Some(Atom::Assertion),
                c if c.is_ascii_punctuation() => literal(c),
                _ => None,
            },
            c => literal(c),
        }
    }

    /// Behind the opening bracket. Characters and ranges of them are read, and nothing else.
    fn class(&mut self) -> Option<Atom> {
        if self.chars.next_if_eq(&'^').is_some() {
            self.members()?;
            return Some(Atom::Unknown);
        }
        let members = self.members()?;
        let count = members
            .iter()
            .map(|(first, last)| u32::from(*last) - u32::from(*first) + 1)
            .fold(0, u32::saturating_add);
        if count > MAX_CLASS {
            return Some(Atom::Unknown);
        }
        let texts = members.into_iter().flat_map(|(first, last)| first..=last).map(String::from).collect();
        Some(Atom::Starts(Starts { texts, ..Starts::nothing() }))
    }

    fn members(&mut self) -> Option<Vec<(char, char)>> {
        let mut members: Vec<(char, char)> = Vec::new();
        loop {
            match self.chars.next()? {
                ']' if !members.is_empty() => return Some(members),
                '[' | ']' | '&' | '^' | '\\' | '-' => return None,
                first if self.chars.next_if_eq(&'-').is_some() => {
                    let last =
                        self.chars.next().filter(|last| last.is_ascii_alphanumeric() && *last >= first)?;
                    members.push((first, last));
                }
                one => members.push((one, one)),
            }
        }
    }

    /// What says how often, with what makes it reluctant or possessive.
    fn count(&mut self) -> Count {
        let count = match self.chars.peek() {
            Some('*' | '?') => Count::Optional,
            Some('+') => Count::Several,
            Some('{') => {
                let inside: String = std::iter::from_fn(|| self.chars.next_if(|c| *c != '}')).collect();
                // `a{0}` is nothing, and so is optional.
                if inside.starts_with("{0") { Count::Optional } else { Count::Unknown }
            }
            _ => return Count::Once,
        };
        self.chars.next();
        // A possessive count may take characters that the rest of the pattern needs.
        if self.chars.next_if_eq(&'+').is_some() {
            return Count::Unknown;
        }
        self.chars.next_if_eq(&'?');
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts() {
        for (pattern, texts, is_exact) in [
            ("^foo", vec!["foo"], true),
            (r"\Afoo", vec!["foo"], true),
            ("^foo.*", vec!["foo"], true),
            ("^foo$", vec!["foo"], false),
            ("^fo+", vec!["fo"], true),
            ("^fo+x", vec!["fo"], false),
            ("^foo*", vec!["fo"], true),
            ("^foo?x", vec!["fo"], false),
            ("^fo{2}", vec!["f"], false),
            ("^fo{0,2}", vec!["f"], true),
            ("^(abx|aby|abz)", vec!["abx", "aby", "abz"], true),
            ("^(abx|aby)$", vec!["abx", "aby"], false),
            ("^a(?:b|c)d", vec!["abd", "acd"], true),
            ("^a(b|c.)d", vec!["ab", "ac"], false),
            ("^a(b|)d", vec!["abd", "ad"], true),
            ("^a(b|c)?d", vec!["a"], false),
            ("^ab|^cd.", vec!["ab", "cd"], false),
            ("^[ab]c", vec!["ac", "bc"], true),
            ("^x[0-9]", vec!["x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9"], true),
            ("^x[a-z]", vec!["x"], false),
            ("^x[^a]", vec!["x"], false),
            (r"^a\.b\d", vec!["a.b"], false),
            (r"^a\d*", vec!["a"], true),
            (r"^a\b", vec!["a"], false),
            ("^ü_-", vec!["ü_-"], true),
        ] {
            let starts = Starts::of(pattern).unwrap_or_else(|| panic!("{pattern}"));
            assert_eq!(
                (starts.texts, starts.is_exact),
                (texts.into_iter().map(String::from).collect(), is_exact),
                "{pattern}"
            );
        }
        for pattern in [
            "", "foo", "^", "^.a", "^a|b", "^a|^", "^(a|)", "(?i)^a", "^(?i)a", "^a(", "^a)", r"^\Qa", "a^b",
            "^a*", "^[a", "(^a)",
        ] {
            assert_eq!(Starts::of(pattern), None, "{pattern}");
        }
        let nested = |depth: usize| format!("^{}a{}", "(".repeat(depth), ")".repeat(depth));
        assert!(Starts::of(&nested(MAX_DEPTH)).is_some());
        assert_eq!(Starts::of(&nested(MAX_DEPTH + 1)), None);
        assert_eq!(Starts::of(&format!("^{}", "(".repeat(60_000))), None);
    }
}
