//! Conditions for the readers: those of all suites, and random ones.

use std::collections::BTreeSet;
use std::path::Path;

use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::check::{Case, Random};
use crate::predicate::shapes;
use crate::table::tables;

/// The predicates of the suites: the plan cases, the commands of the sessions and of the documentation, the cases of the engines.
/// Parameters are replaced by a text, because Hive has no parameters.
///
/// # Panics
/// A folder or a file that cannot be read.
pub fn of_suites(root: &Path) -> Vec<String> {
    let mut texts = BTreeSet::new();
    for file in files(&root.join("tests/testdata/plan"), "txt") {
        let mut lines = file.lines();
        while let Some(line) = lines.next() {
            if line.starts_with("plan ") {
                let predicate: Vec<&str> = lines.by_ref().take_while(|line| *line != "----").collect();
                texts.insert(predicate.join("\n"));
            }
        }
    }
    let sessions = [("tests/cmd", "trycmd"), ("docs", "md"), (".", "md")];
    for file in sessions.iter().flat_map(|(folder, ending)| files(&root.join(folder), ending)) {
        let joined = file.replace("\\\n", " ").replace("\n> ", "\n");
        for command in joined.lines().filter_map(|line| line.trim_start().strip_prefix("$ saltplan ")) {
            // Other texts than predicates do no harm.
            let has_condition = |word: &String| word.contains([' ', '=', '<', '>']) && !word.starts_with('-');
            texts.extend(words(command).into_iter().filter(has_condition));
        }
    }
    let cases = ["tests/engines/cases", "tests/engines/layouts"];
    for file in cases.iter().flat_map(|folder| files(&root.join(folder), "txt")) {
        let predicates = file.lines().filter_map(|line| line.trim_start().strip_prefix("predicate:"));
        texts.extend(predicates.map(|predicate| predicate.trim().to_string()));
    }
    texts.iter().map(|text| without_parameters(text)).collect()
}

/// The files of a folder with this ending.
fn files(folder: &Path, ending: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|own| own == ending)).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} has no file that ends with .{ending}", folder.display());
    paths.iter().map(|path| std::fs::read_to_string(path).expect("a file of text")).collect()
}

/// The words of a command line, as a shell takes them apart.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut chars = command.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None | Some('"'), '\\')
                if quote.is_none() || chars.peek().is_some_and(|c| "\"\\$`".contains(*c)) =>
            {
                word.get_or_insert_default().extend(chars.next());
            }
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The text with `'p'` for each `:name` outside of quotes.
fn without_parameters(text: &str) -> String {
    let (mut written, mut quote) = (String::new(), None);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None, ':') if chars.peek().is_some_and(|c| c.is_alphanumeric() || *c == '_') => {
                while chars.next_if(|c| c.is_alphanumeric() || *c == '_').is_some() {}
                written.push_str("'p'");
                continue;
            }
            (None, '\'' | '"' | '`') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (Some('\'' | '"'), '\\') => {
                written.push(c);
                written.extend(chars.next());
                continue;
            }
            _ => {}
        }
        written.push(c);
    }
    written
}

/// Predicates as the law asks for them.
pub fn of_law(seed: u64, count: usize) -> Vec<String> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), random);
    let cases = (tables(), shapes(), proptest::prelude::any::<u64>());
    let mut text = || {
        let (table, shape, seed) = cases.new_tree(&mut runner).expect("a case").current();
        let mut text = String::new();
        Case::new(table, seed, 1, |conditions| {
            text = conditions.sql(&shape).0.to_string();
            Vec::new()
        });
        text
    };
    (0..count).map(|_| text()).collect()
}

/// Random texts of all forms, with the fewest brackets, so that they show what binds tighter; one in four has a fault.
#[derive(Debug)]
pub struct Maker(Random);

const COLUMNS: [&str; 6] = ["a", "b", "c", "t.a", "`b`", "`x y`"];
const CONSTANTS: [&str; 24] = [
    "0",
    "1",
    "7",
    "1.5",
    "2.",
    "1e3",
    "10L",
    "3S",
    "4Y",
    "2BD",
    "2.5BD",
    "'x'",
    "\"y\"",
    "'it\\'s'",
    "'5\\%'",
    "'a' 'b'",
    "'\\u00e9\\101\\n'",
    "''",
    "NULL",
    "TRUE",
    "FALSE",
    "DATE '2020-04-06'",
    "TIMESTAMP '2020-04-06 10:00:00'",
    "INTERVAL '1' DAY",
];
const OPERATIONS: [&str; 12] = ["+", "-", "*", "/", "%", "DIV", "^", "|", "&", "||", "+", "-"];
const COMPARISONS: [&str; 12] =
    ["=", "==", "<>", "!=", "<=>", "<", "<=", ">", ">=", "LIKE", "RLIKE", "REGEXP"];
const FUNCTIONS: [&str; 8] = ["f", "upper", "concat", "nvl", "db.f", "year", "reverse", "if"];
const TYPES: [&str; 8] =
    ["int", "string", "decimal(10,2)", "varchar(3)", "date", "timestamp", "double", "bigint"];
const FAULTS: [&str; 20] = [
    "AND", "OR", "NOT", "(", ")", ",", "=", "<", "IS NULL", "IN", "BETWEEN", "a", "1", "'x'", "-", "+", "!",
    "~", "[", "]",
];

impl Maker {
    pub fn new(seed: u64) -> Self {
        Maker(Random(seed))
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    fn one_of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }

    /// A condition; without a fault, all of it is in the language.
    pub fn text(&mut self) -> String {
        let depth = 1 + self.below(3);
        let text = self.condition(depth);
        if self.below(4) > 0 {
            return text;
        }
        let mut words: Vec<&str> = text.split(' ').collect();
        let at = self.below(words.len());
        match self.below(3) {
            0 => {
                words.remove(at);
            }
            1 => words.insert(at, self.one_of(&FAULTS)),
            _ => words[at] = self.one_of(&FAULTS),
        }
        words.join(" ")
    }

    fn condition(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.comparison(0);
        }
        match self.below(9) {
            0 | 1 => format!("{} AND {}", self.condition(depth - 1), self.condition(depth - 1)),
            2 | 3 => format!("{} OR {}", self.condition(depth - 1), self.condition(depth - 1)),
            4 => format!("NOT {}", self.condition(depth - 1)),
            5 => format!("! {}", self.condition(depth - 1)),
            6 => format!("( {} )", self.condition(depth - 1)),
            _ => self.comparison(depth),
        }
    }

    fn comparison(&mut self, depth: usize) -> String {
        let a = self.value(depth);
        let not = self.one_of(&["", "NOT "]);
        match self.below(16) {
            0..=6 => format!("{a} {} {}", self.one_of(&COMPARISONS), self.value(depth)),
            7 => format!("{a} {not}{} {}", self.one_of(&["LIKE", "RLIKE", "REGEXP"]), self.value(depth)),
            8 => format!("{a} {not}IN ( {} , {} )", self.value(depth), self.value(depth)),
            9 => format!("{a} {not}IN ( {} )", self.value(depth)),
            10 => format!("{a} {not}BETWEEN {} AND {}", self.value(depth), self.value(depth)),
            11 => format!("{a} IS {not}NULL"),
            12 => format!(
                "( {a} , {} ) {not}IN ( ( {} , {} ) , ( 1 , 2 ) )",
                self.value(0),
                self.value(0),
                self.value(0)
            ),
            // Chains of comparisons.
            13 => {
                let (first, second) = (self.one_of(&COMPARISONS), self.one_of(&COMPARISONS));
                format!("{a} {first} {} {second} {}", self.value(0), self.value(0))
            }
            14 => format!("{a} IS {not}{}", self.one_of(&["TRUE", "FALSE"])),
            _ => a,
        }
    }

    fn value(&mut self, depth: usize) -> String {
        if depth == 0 {
            return if self.below(2) == 0 { self.one_of(&COLUMNS) } else { self.one_of(&CONSTANTS) }
                .to_string();
        }
        let depth = depth - 1;
        match self.below(16) {
            0..=5 => format!("{} {} {}", self.value(depth), self.one_of(&OPERATIONS), self.value(depth)),
            6 => format!("{} {}", self.one_of(&["-", "+", "~"]), self.value(depth)),
            7 => format!("{} ( {} , {} )", self.one_of(&FUNCTIONS), self.value(depth), self.value(depth)),
            8 => format!("cast ( {} AS {} )", self.value(depth), self.one_of(&TYPES)),
            9 => format!(
                "CASE WHEN {} THEN {} ELSE {} END",
                self.condition(depth),
                self.value(depth),
                self.value(depth)
            ),
            10 => format!(
                "CASE {} WHEN {} THEN {} END",
                self.value(depth),
                self.value(depth),
                self.value(depth)
            ),
            11 => format!("( {} )", self.condition(depth)),
            12 => format!("{} [ {} ]", self.one_of(&["a", "t.a", "f ( a )", "a [ 1 ]"]), self.value(depth)),
            13 => format!("f ( {} ).{}", self.value(depth), self.one_of(&["b", "c"])),
            14 => format!("floor ( {} )", self.value(depth)),
            _ => self.value(0),
        }
    }
}
