//! Conditions as tokens: their conjuncts, the names in them, and whether they can be true for NULL.

use std::ops::Range;

use crate::tokens::{Kind, Tokens};
use crate::words::words;
use saltplan_sql::functions::{Function, IF};

/// Words in conditions that are not columns.
const KEYWORDS: [&str; 41] = words(
    "and or not in between like rlike regexp ilike is null true false unknown case when then else end \
    escape div exists any all some distinct from as interval select where group order by over partition \
    rows range having union mod",
);

const COMPARISONS: [&str; 8] = ["=", "==", "<>", "!=", "<", "<=", ">", ">="];

/// A name in a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Name {
    /// The tokens of its parts: `calls.day` has two.
    Column(Vec<usize>),
    /// A call, with the token of its opening parenthesis.
    Function { name: usize, open: usize },
}

/// The conjuncts of an AND, without enclosing parentheses. OR and NOT are not taken apart.
pub fn conjuncts(tokens: &Tokens<'_>, range: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut left = vec![range.clone()];
    while let Some(range) = left.pop() {
        let range = bare(tokens, range);
        let parts = match split(tokens, &range, "or").len() {
            1 => split(tokens, &range, "and"),
            _ => vec![range.clone()],
        };
        match parts.len() {
            1 => found.push(range),
            // The last one is processed first.
            _ => left.extend(parts.into_iter().rev()),
        }
    }
    found
}

/// Whether a condition is `x [NOT] IN (SELECT …)` or `[NOT] EXISTS (SELECT …)` and nothing else, with the query in this bracket.
pub fn is_simple_subquery(tokens: &Tokens<'_>, condition: &Range<usize>, open: usize) -> bool {
    let is_last = tokens.partner(open).is_some_and(|close| close + 1 == condition.end);
    let is_exists = tokens.is_word(open.saturating_sub(1), "exists") && condition.start + 2 >= open;
    let is_in = tokens.is_word(open.saturating_sub(1), "in") && !tokens.is_word(condition.start, "not");
    is_last && (is_exists || is_in) && split(tokens, condition, "or").len() == 1
}

/// Whether a range has a CASE or an `if` whose result may be a text: one that is not a number, TRUE, FALSE or NULL as written.
pub fn chooses_text(t: &Tokens<'_>, range: &Range<usize>) -> bool {
    let is_text = |at: usize, is_end: &dyn Fn(usize) -> bool| {
        let at = if t.is_sign(at, "-") { at + 1 } else { at };
        let is_plain = t.kind(at) == Some(Kind::Number) || t.is_any(at, &["null", "true", "false"]);
        !(is_plain && is_end(at + 1))
    };
    range.clone().any(|at| {
        if t.is_any(at, &["then", "else"]) {
            let is_merge = t.is_any(at + 1, &["update", "insert", "delete"]);
            return !is_merge && is_text(at + 1, &|at| t.is_any(at, &["when", "else", "end"]));
        }
        let Some(inside) = t.is_word(at, IF.name()).then(|| t.inside(at + 1)).flatten() else { return false };
        let mut commas = t.outside(inside).filter(|at| t.is_sign(*at, ","));
        commas.any(|comma| is_text(comma + 1, &|at| t.is_sign(at, ",") || t.is_sign(at, ")")))
    })
}

/// A condition without parentheses around the whole of it.
fn bare(tokens: &Tokens<'_>, mut range: Range<usize>) -> Range<usize> {
    while let Some(inside) = tokens.inside(range.start).filter(|inside| inside.end + 1 == range.end) {
        range = inside;
    }
    range
}

/// The parts between words of one kind; parentheses and CASE are taken as a whole. The AND of a BETWEEN is
/// skipped.
fn split(tokens: &Tokens<'_>, range: &Range<usize>, word: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = range.start;
    let mut cases = 0_usize;
    // For each open CASE, and for the outside: the number of BETWEENs without their AND.
    let mut betweens = vec![0_usize];
    for at in tokens.outside(range.clone()) {
        if tokens.is_word(at, "case") {
            cases += 1;
            betweens.push(0);
        } else if tokens.is_word(at, "end") && cases > 0 {
            cases -= 1;
            betweens.pop();
        } else if tokens.is_word(at, "between") {
            if let Some(open) = betweens.last_mut() {
                *open += 1;
            }
        } else if tokens.is_word(at, "and")
            && let Some(open) = betweens.last_mut().filter(|open| **open > 0)
        {
            *open -= 1;
        } else if cases == 0 && tokens.is_word(at, word) {
            parts.push(start..at);
            start = at + 1;
        }
    }
    parts.push(start..range.end);
    parts
}

/// The names in a condition, including those in parentheses, but not keywords, types after AS and units of
/// intervals.
pub fn names(tokens: &Tokens<'_>, range: &Range<usize>) -> Vec<Name> {
    let mut found = Vec::new();
    let mut at = range.start;
    while at < range.end {
        if !tokens.is_name(at) {
            at += 1;
            continue;
        }
        let mut parts = vec![at];
        while at + 2 < range.end && tokens.is_sign(at + 1, ".") && tokens.is_name(at + 2) {
            at += 2;
            parts.push(at);
        }
        at += 1;
        let first = parts[0];
        if first > 0 && tokens.is_word(first - 1, "as") {
            continue;
        }
        if parts.len() == 1 && tokens.is_sign(at, "(") && !tokens.is_any(first, &KEYWORDS) {
            found.push(Name::Function { name: first, open: at });
        } else if parts.len() > 1 || !is_no_column(tokens, first) {
            found.push(Name::Column(parts));
        }
    }
    found
}

fn is_no_column(tokens: &Tokens<'_>, at: usize) -> bool {
    if tokens.is_any(at, &KEYWORDS) {
        return true;
    }
    let is_unit = at > 1
        && tokens.is_word(at - 2, "interval")
        && matches!(tokens.kind(at - 1), Some(Kind::Text | Kind::Number));
    // `DATE '2020-04-06'`.
    let is_type = tokens.is_any(at, &["date", "timestamp"]) && tokens.kind(at + 1) == Some(Kind::Text);
    is_unit || is_type
}

/// Whether a name after a dot would have another meaning without the dot.
pub fn is_keyword(tokens: &Tokens<'_>, at: usize) -> bool {
    let raw = tokens.raw(at);
    KEYWORDS.iter().chain(&["date", "timestamp", "cast"]).any(|word| raw.eq_ignore_ascii_case(word))
}

/// Whether a condition whose columns are all NULL is FALSE or NULL, judged only by its form: a comparison,
/// BETWEEN, IN, LIKE or IS NOT NULL that tests a column, also through functions that return NULL for NULL.
/// Anything else may be true for NULL.
pub fn rejects_null(tokens: &Tokens<'_>, range: &Range<usize>) -> bool {
    // A condition with thousands of parentheses is not examined, to limit the recursion.
    rejects(tokens, range, 0)
}

fn rejects(tokens: &Tokens<'_>, range: &Range<usize>, depth: usize) -> bool {
    const MAX_DEPTH: usize = 50;
    let range = bare(tokens, range.clone());
    if depth == MAX_DEPTH {
        return false;
    }
    let below = |part: &Range<usize>| rejects(tokens, part, depth + 1);
    let alternatives = split(tokens, &range, "or");
    if alternatives.len() > 1 {
        return alternatives.iter().all(below);
    }
    let parts = split(tokens, &range, "and");
    match parts.len() {
        1 => is_strict_test(tokens, &range),
        _ => parts.iter().any(below),
    }
}

fn is_strict_test(tokens: &Tokens<'_>, range: &Range<usize>) -> bool {
    let is_operator = |at: &usize| {
        tokens.kind(*at) == Some(Kind::Sign)
            && (COMPARISONS.contains(&tokens.raw(*at)) || ["<=>", "!"].contains(&tokens.raw(*at)))
            || tokens.is_any(*at, &["not", "in", "between", "like", "rlike", "regexp", "is", "case", "or"])
    };
    let operators: Vec<usize> = tokens.outside(range.clone()).filter(is_operator).collect();
    let Some(&first) = operators.first() else { return false };
    let before = range.start..first;
    let is = |at: usize, words: &[&str]| tokens.is_any(at, words);
    match operators.len() {
        1 if COMPARISONS.contains(&tokens.raw(first)) && tokens.kind(first) == Some(Kind::Sign) => {
            is_strict_column(tokens, &before) || is_strict_column(tokens, &(first + 1..range.end))
        }
        1 if is(first, &["in", "between", "like", "rlike", "regexp"]) => is_strict_column(tokens, &before),
        2 if is(first, &["not"])
            && operators[1] == first + 1
            && is(first + 1, &["in", "between", "like", "rlike", "regexp"]) =>
        {
            is_strict_column(tokens, &before)
        }
        2 if is(first, &["is"])
            && is(first + 1, &["not"])
            && is(first + 2, &["null"])
            && first + 3 == range.end =>
        {
            is_strict_column(tokens, &before)
        }
        _ => false,
    }
}

/// Whether an operand is a column, or a strict function of a column and constants.
fn is_strict_column(tokens: &Tokens<'_>, range: &Range<usize>) -> bool {
    let mut range = bare(tokens, range.clone());
    loop {
        if is_column(tokens, &range) {
            return true;
        }
        let is_cast = tokens.is_word(range.start, "cast");
        let inside = tokens.inside(range.start + 1).filter(|inside| inside.end + 1 == range.end);
        let Some(inside) = inside.filter(|_| is_cast || is_strict(tokens, range.start)) else {
            return false;
        };
        let is_end = |at| tokens.is_sign(at, ",") || tokens.is_word(at, "as");
        let end = tokens.until(inside.clone(), is_end);
        if !is_cast {
            let is_constant = |at: usize| {
                matches!(tokens.kind(at), Some(Kind::Number | Kind::Text))
                    || tokens.is_sign(at, ",")
                    || tokens.is_sign(at, "-")
            };
            if !(end..inside.end).all(is_constant) {
                return false;
            }
        }
        range = bare(tokens, inside.start..end);
    }
}

/// Whether a token is a function that is NULL if its first argument is.
fn is_strict(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.kind(at) == Some(Kind::Word)
        && Function::everywhere(&tokens.name(at)).is_some_and(Function::is_null_of_null)
}

fn is_column(tokens: &Tokens<'_>, range: &Range<usize>) -> bool {
    match range.len() {
        1 => tokens.is_name(range.start) && !is_no_column(tokens, range.start),
        3 => {
            tokens.is_name(range.start)
                && tokens.is_sign(range.start + 1, ".")
                && tokens.is_name(range.start + 2)
        }
        _ => false,
    }
}
