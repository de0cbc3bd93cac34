//! Patterns for pieces of the key: `rowkey LIKE '___20200406%'`, `rowkey RLIKE '^.{3}20200406'`.

use super::compare::and;
use super::layout::{KeyText, Layout, Slice, WrittenIn};
use crate::analyze::compare::Comparison;
use crate::analyze::like::{PatternPart, parts};
use saltplan_sql::ast::Expr;

/// What a pattern says of the fields.
pub(super) struct Matched {
    /// True for every key that fits the layout and matches.
    pub condition: Expr,
    /// Whether it is false for all others.
    pub is_exact: bool,
    /// What it is about.
    pub slices: Vec<Slice>,
}

impl Layout<'_> {
    /// The fields of the keys whose text matches a pattern of LIKE.
    pub fn like(&self, text: &KeyText, pattern: &str, escape: Option<char>) -> Option<Matched> {
        self.matched(text, &parts(pattern, escape), true)
    }

    /// The fields of the keys in whose text a regular expression is found that begins with `^`.
    pub fn rlike(&self, text: &KeyText, pattern: &str) -> Option<Matched> {
        self.matched(text, &start_of_regex(pattern)?, false)
    }

    fn matched(&self, text: &KeyText, pattern: &[PatternPart], is_exact: bool) -> Option<Matched> {
        (text.written_in == WrittenIn::Characters).then_some(())?;
        let mut found = Conditions { layout: self, conditions: Vec::new(), is_exact, slices: Vec::new() };
        let mut rest = pattern;
        for (index, slice) in text.slices.iter().enumerate() {
            if let [PatternPart::AnyText, behind @ ..] = rest {
                return Some(found.done(behind.is_empty()));
            }
            let known = rest.iter().take_while(|part| **part != PatternPart::AnyText).count();
            match self.length(slice, text.written_in) {
                Some(length) => {
                    let own = &rest[..known.min(length)];
                    runs(own).iter().for_each(|(at, run)| found.equal(slice, *at, run));
                    rest = &rest[own.len()..];
                    if own.len() < length {
                        // The text goes on behind the pattern, or only `%` can follow.
                        return Some(match rest {
                            [] => found.never(),
                            [_, behind @ ..] => found.done(behind.is_empty()),
                        });
                    }
                }
                None => {
                    let literal: String = rest[..known]
                        .iter()
                        .map_while(|part| match part {
                            PatternPart::Literal(c) => Some(*c),
                            _ => None,
                        })
                        .collect();
                    let count = literal.chars().count();
                    if index + 1 == text.slices.len() {
                        let behind = &rest[count..];
                        match behind {
                            [] => found.whole(slice, &literal),
                            _ if count == 0 => {}
                            _ => found.equal(slice, 0, &literal),
                        }
                        return Some(found.done(matches!(behind, [] | [PatternPart::AnyText])));
                    }
                    // It ends where the separator behind it begins.
                    let next =
                        text.slices.get(index + 1).and_then(|next| self.constant_of(next)?.chars().next());
                    let Slice::OfPart { part, .. } = slice else { return Some(found.done(false)) };
                    let Some(next) = next.filter(|next| !self.may_hold(*part, *next)) else {
                        return Some(found.done(false));
                    };
                    let Some((own, _)) = literal.split_once(next) else {
                        if count > 0 {
                            found.equal(slice, 0, &literal);
                        }
                        return Some(found.done(false));
                    };
                    found.whole(slice, own);
                    rest = &rest[own.chars().count()..];
                }
            }
        }
        Some(match rest {
            [] | [PatternPart::AnyText] => found.done(true),
            _ => found.done(false),
        })
    }
}

/// The conditions of a pattern so far.
struct Conditions<'l, 's> {
    layout: &'l Layout<'s>,
    conditions: Vec<Expr>,
    is_exact: bool,
    slices: Vec<Slice>,
}

impl Conditions<'_, '_> {
    fn add(&mut self, piece: Option<KeyText>, text: &str) {
        let condition = piece.as_ref().and_then(|piece| self.layout.compared(piece, Comparison::Equal, text));
        match (condition, piece) {
            (Some(condition), Some(piece)) => {
                self.conditions.push(condition);
                self.slices.extend(piece.slices);
            }
            _ => self.is_exact = false,
        }
    }

    /// All of a slice.
    fn whole(&mut self, slice: &Slice, text: &str) {
        self.add(Some(alone(slice)), text);
    }

    /// The characters of a slice from a place on.
    fn equal(&mut self, slice: &Slice, at: usize, text: &str) {
        // LIKE counts a character of two UTF-16 units as one, `substr` as two.
        let is_narrow = self.layout.is_narrow(&KeyText::constant(text));
        let piece = self.layout.cut(&alone(slice), at, Some(text.chars().count()));
        self.add(piece.filter(|_| is_narrow), text);
    }

    fn done(self, is_exact: bool) -> Matched {
        let is_exact = self.is_exact && is_exact;
        Matched { condition: and(self.conditions), is_exact, slices: self.slices }
    }

    fn never(self) -> Matched {
        Matched { condition: Expr::truth(false), is_exact: self.is_exact, slices: self.slices }
    }
}

fn alone(slice: &Slice) -> KeyText {
    KeyText { slices: vec![slice.clone()], written_in: WrittenIn::Characters }
}

/// The literal texts among the parts of a pattern, with their places.
fn runs(parts: &[PatternPart]) -> Vec<(usize, String)> {
    let mut runs: Vec<(usize, String)> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let PatternPart::Literal(c) = part else { continue };
        match runs.last_mut() {
            Some((start, run)) if *start + run.chars().count() == at => run.push(*c),
            _ => runs.push((at, c.to_string())),
        }
    }
    runs
}

/// The longest run that a number in braces makes.
const MAX_REPEATED: usize = 1_000;

/// The start of a regular expression of Java, as far as each of its items is one character; `None` if it need not match at the start.
/// Characters of a class count as any ones.
fn start_of_regex(pattern: &str) -> Option<Vec<PatternPart>> {
    if pattern.contains('|') {
        return None;
    }
    let mut rest = pattern.strip_prefix('^').or_else(|| pattern.strip_prefix("\\A"))?;
    let mut found = Vec::new();
    while let Some(c) = rest.chars().next() {
        let behind = &rest[c.len_utf8()..];
        let (item, behind) = match c {
            '.' => (PatternPart::AnyCharacter, behind),
            '[' => match behind.find(']') {
                Some(end)
                    if end > 0 && !behind[..end].contains(['[', '\\', '&']) && &behind[..end] != "^" =>
                {
                    (PatternPart::AnyCharacter, &behind[end + 1..])
                }
                _ => break,
            },
            '\\' => match behind.chars().next() {
                Some('d') => (PatternPart::AnyCharacter, &behind[1..]),
                Some(sign) if sign.is_ascii_punctuation() => (PatternPart::Literal(sign), &behind[1..]),
                _ => break,
            },
            '(' | ')' | '$' | '^' | '*' | '+' | '?' | '{' | '}' | ']' | '|' => break,
            c => (PatternPart::Literal(c), behind),
        };
        rest = behind;
        let mut count = 1;
        if let Some(braced) = rest.strip_prefix('{') {
            let Some(end) = braced.find('}') else { break };
            let Ok(number) = braced[..end].parse::<usize>() else { break };
            count = number;
            rest = &braced[end + 1..];
        }
        if rest.starts_with(['*', '+', '?', '{']) || found.len() + count > MAX_REPEATED {
            break;
        }
        found.extend(std::iter::repeat_n(item, count));
    }
    found.push(PatternPart::AnyText);
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern_text(pattern: &str) -> Option<String> {
        let part = |part: PatternPart| match part {
            PatternPart::AnyText => '%',
            PatternPart::AnyCharacter => '_',
            PatternPart::Literal(c) => c,
        };
        Some(start_of_regex(pattern)?.into_iter().map(part).collect())
    }

    #[test]
    fn starts_of_regular_expressions() {
        for (pattern, found) in [
            ("^.{3}20200406", Some("___20200406%")),
            (r"^\d{3}2020.*", Some("___2020%")),
            ("^[0-9]{2}a_?", Some("__a%")),
            ("^[0-9a-f]{2}x$", Some("__x%")),
            (r"\A005\_a+", Some("005_%")),
            ("^ab*c", Some("a%")),
            ("^a{2,3}b", Some("%")),
            ("^(a)b", Some("%")),
            ("2020", None),
            ("^[^]x]a", Some("%")),
            ("^a|b", None),
        ] {
            assert_eq!(pattern_text(pattern).as_deref(), found, "{pattern}");
        }
    }
}
