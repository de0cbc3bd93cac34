//! Where readers differ: the differences that are known, with their reasons, and what was found beside them.
//!
//! The file of known differences has blocks: a line `READERS: KIND: REASON`, and a line for each difference of it:
//! - `text …`: this text, in the form of [`line_of`];
//! - `words …`: every text with these words and signs in a row, outside of quotes, in any case of letters;
//! - `message …`: every text that saltplan refuses with a message that starts like this;
//! - `there …`: every text that the other reader refuses with a message that contains this.
//!
//! Kinds are `other tree`, `refused here` (by saltplan, and read by the other reader) and `refused there`.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

use super::form::CommonForm;
use super::hive::line_of;
use super::ours;

/// Differences that a failure shows.
const SHOWN: usize = 40;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    OtherTree,
    RefusedHere,
    RefusedThere,
}

#[derive(Debug)]
enum What {
    Text(String),
    Words(String),
    Message(String),
    There(String),
}

#[derive(Debug)]
struct Known {
    readers: String,
    kind: Kind,
    line: String,
    what: What,
    occurs: Cell<bool>,
}

/// The known differences of one reader, and how often texts were read.
#[derive(Debug)]
pub struct Differences {
    reader: String,
    known: Vec<Known>,
    found: Vec<String>,
    counts: BTreeMap<&'static str, usize>,
}

impl Differences {
    /// The known differences of a reader.
    ///
    /// # Panics
    /// A line of the file that has another form.
    pub fn of(reader: &str, file: &str) -> Self {
        let mut known = Vec::new();
        let mut header = None;
        for line in file.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (word, rest) = line.split_once(' ').unwrap_or_else(|| panic!("not understood: {line}"));
            let what = match word {
                "text" => What::Text(rest.to_string()),
                "words" => What::Words(format!(" {} ", rest.to_uppercase())),
                "message" => What::Message(rest.to_string()),
                "there" => What::There(rest.to_string()),
                _ => {
                    header = Some(read_header(line));
                    continue;
                }
            };
            let (readers, kind) = header.clone().unwrap_or_else(|| panic!("no header before {line}"));
            known.push(Known { readers, kind, line: line.to_string(), what, occurs: Cell::new(false) });
        }
        known.retain(|known| known.readers.split(' ').any(|name| name == reader));
        Differences { reader: reader.to_string(), known, found: Vec::new(), counts: BTreeMap::new() }
    }

    /// Holds what the other reader makes of a text against what saltplan makes of it.
    pub fn compare(&mut self, text: &str, theirs: &Result<CommonForm, String>) {
        self.compare_trees(text, &ours::read(text), theirs);
    }

    /// [`Differences::compare`] for trees that are compared as they are, such as bound trees.
    pub fn compare_trees<T: PartialEq + Display>(
        &mut self,
        text: &str,
        ours: &Result<T, String>,
        theirs: &Result<T, String>,
    ) {
        let (kind, what) = match (ours, theirs) {
            (Ok(a), Ok(b)) if a == b => return self.count("the same tree"),
            (Err(_), Err(_)) => return self.count("refused by both"),
            (Ok(a), Ok(b)) => (Kind::OtherTree, format!("other tree\n    here  {a}\n    there {b}")),
            (Err(message), Ok(b)) => (Kind::RefusedHere, format!("refused here: {message}\n    there {b}")),
            (Ok(a), Err(message)) => (Kind::RefusedThere, format!("refused there: {message}\n    here  {a}")),
        };
        self.count("known to differ");
        let line = line_of(text);
        let words = words(text);
        let is_it = |known: &&Known| {
            known.kind == kind
                && match &known.what {
                    What::Text(listed) => *listed == line,
                    What::Words(listed) => words.contains(listed.as_str()),
                    What::Message(start) => {
                        ours.as_ref().is_err_and(|message| message.starts_with(start.as_str()))
                    }
                    What::There(part) => {
                        theirs.as_ref().is_err_and(|message| message.contains(part.as_str()))
                    }
                }
        };
        let mut listed = self.known.iter().filter(is_it).peekable();
        if listed.peek().is_none() {
            self.found.push(format!("{line}\n  {what}"));
        }
        listed.for_each(|known| known.occurs.set(true));
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    /// What was counted.
    ///
    /// # Errors
    /// Differences that are not listed; and if all texts for which the file was written were read (`is_whole`), listed ones that did
    /// not occur.
    pub fn check(mut self, is_whole: bool) -> Result<String, String> {
        self.found.sort_by_key(String::len);
        let mut report = String::new();
        if !self.found.is_empty() {
            let _ = writeln!(report, "{}: {} differences are not listed", self.reader, self.found.len());
            self.found.iter().take(SHOWN).for_each(|found| report += &format!("{found}\n"));
        }
        for known in self.known.iter().filter(|known| is_whole && !known.occurs.get()) {
            let _ = writeln!(report, "{}: listed, but does not occur: {}", self.reader, known.line);
        }
        if report.is_empty() { Ok(format!("{}: {:?}", self.reader, self.counts)) } else { Err(report) }
    }
}

fn read_header(line: &str) -> (String, Kind) {
    let fail = || panic!("not understood: {line}");
    let mut parts = line.splitn(3, ": ");
    let (Some(readers), Some(kind), Some(_reason)) = (parts.next(), parts.next(), parts.next()) else {
        fail()
    };
    let kind = match kind {
        "other tree" => Kind::OtherTree,
        "refused here" => Kind::RefusedHere,
        "refused there" => Kind::RefusedThere,
        _ => fail(),
    };
    (readers.to_string(), kind)
}

/// The words and signs of a text in capital letters, a blank around each. A quoted part is `'`, and `''` right behind another one.
fn words(text: &str) -> String {
    let mut words = String::from(" ");
    let (mut quote, mut in_word) = (None, false);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (Some('\'' | '"'), '\\') => {
                chars.next();
            }
            (Some(_), _) => {}
            (None, c) => {
                let is_word = c.is_alphanumeric() || c == '_';
                let is_quote = matches!(c, '\'' | '"' | '`');
                let goes_on = (is_word && in_word) || (is_quote && words.ends_with('\''));
                if !goes_on && !words.ends_with(' ') {
                    words.push(' ');
                }
                in_word = is_word;
                if is_quote {
                    quote = Some(c);
                    words.push('\'');
                } else if !c.is_whitespace() {
                    words.extend(c.to_uppercase());
                } else if !words.ends_with(' ') {
                    words.push(' ');
                }
            }
        }
    }
    words + " "
}
