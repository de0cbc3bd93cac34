//! Replaces parameters `:name` and the functions of the clock with their values.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::NaiveDateTime;

use super::ast::{Expr, Node, Type};
use super::foreign;
use super::functions::{Function, Operation, ResultType};
use super::rewrite::replace;
use super::runtime::Runtime;
use super::token::{PlacedToken, Token};
use crate::time::format::{TimeFormat, parse_timestamp};
use crate::time::pattern::Granularity;
use saltplan_document::diag::{Diagnostic, PredicateFault, Source, Span};

/// The values for a predicate: those of its parameters (`:day`) by name, and the time for `current_date` and
/// similar functions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parameters {
    values: BTreeMap<String, Parameter>,
    pub(super) now: Option<NaiveDateTime>,
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parameter {
    /// One value. In an `IN` list it is split at commas; `\,` is a comma inside a value.
    Value(String),
    /// Several values for an `IN` list, commas included.
    List(Vec<String>),
    /// `TRUE` or `FALSE`. Unlike a text, Hive can compare it with a boolean column.
    Flag(bool),
    /// A value that is known only when the statement runs, see [`Parameter::runtime`].
    #[doc(hidden)]
    Runtime(Runtime),
}

impl Parameter {
    /// A value that is filled in when the statement runs: the text of a scheduler such as `{{ ds_nodash }}`, or a preset such as
    /// `hivevar:day`. `format` is a date pattern; without one, the value has the format in which the field is stored.
    ///
    /// # Errors
    /// Nothing fills the text in, or the format is no date pattern.
    pub fn runtime(text: &str, format: Option<&str>) -> Result<Self, Diagnostic> {
        let value = Runtime::new(text, format);
        value
            .map(Parameter::Runtime)
            .map_err(|fault| Diagnostic::error(fault.to_string()).with_help(fault.help()))
    }
}

impl From<Runtime> for Parameter {
    fn from(value: Runtime) -> Self {
        Parameter::Runtime(value)
    }
}

impl From<&str> for Parameter {
    fn from(value: &str) -> Self {
        Parameter::Value(value.into())
    }
}

impl From<String> for Parameter {
    fn from(value: String) -> Self {
        Parameter::Value(value)
    }
}

impl<const COUNT: usize> From<[(String, Parameter); COUNT]> for Parameters {
    fn from(values: [(String, Parameter); COUNT]) -> Self {
        Parameters { values: values.into(), now: None }
    }
}

impl Parameters {
    pub fn new() -> Self {
        Parameters::default()
    }

    /// Sets the value of a parameter and returns its previous value.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<Parameter>) -> Option<Parameter> {
        self.values.insert(name.into(), value.into())
    }

    pub fn get(&self, name: &str) -> Option<&Parameter> {
        self.values.get(name)
    }

    /// The parameters in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Parameter)> {
        self.values.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Removes the parameters for which `keep` is false.
    pub fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        self.values.retain(|name, _| keep(name));
    }

    /// Adds the values of others, overriding existing ones.
    pub fn extend(&mut self, others: Parameters) {
        self.values.extend(others.values);
        self.now = others.now.or(self.now);
    }

    /// The parameters that are known only when the statement runs.
    pub(super) fn runtime(&self) -> BTreeMap<String, Runtime> {
        let runtime = self.values.iter().filter_map(|(name, value)| match value {
            Parameter::Runtime(runtime) => Some((name.clone(), runtime.clone())),
            _ => None,
        });
        runtime.collect()
    }

    /// The time for `current_date` and `current_timestamp`, as `2020-04-06 10:00:00`.
    pub fn now(&self) -> Option<String> {
        self.now.map(|now| now.format("%F %T").to_string())
    }

    /// Sets the time for `current_date` and `current_timestamp`, such as `2020-04-06` or `2020-04-06
    /// 10:00:00`. `None` if the text is not a time.
    #[must_use]
    pub fn at(self, now: &str) -> Option<Self> {
        Some(Parameters { now: Some(parse_timestamp(now)?), ..self })
    }
}

/// Whether this is a valid name for a parameter.
pub fn is_parameter_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Replaces `:name` with values as string literals: a value is always data, whatever it contains.
pub(super) fn bind_parameters(
    source: &Arc<Source>,
    tokens: &mut Vec<PlacedToken<'_>>,
    parameters: &Parameters,
    formats: &[&TimeFormat],
) -> Result<(), Diagnostic> {
    let places = Places::of(tokens);
    let mut missing: BTreeMap<String, Span> = BTreeMap::new();
    let mut known = BTreeSet::new();
    let mut bound = Vec::with_capacity(tokens.len());
    for (at, placed) in std::mem::take(tokens).into_iter().enumerate() {
        let PlacedToken { token: Token::Parameter(name), span } = placed else {
            bound.push(placed);
            continue;
        };
        let given = GivenParameter { source, name, span };
        let (is_item, is_date) = (places.items.contains(&at), places.dates.contains(&at));
        match parameters.get(name) {
            Some(Parameter::Runtime(_)) => {
                bound.push(PlacedToken { token: Token::Runtime(name), span });
            }
            Some(Parameter::Flag(flag)) => {
                let word = if *flag { "TRUE" } else { "FALSE" };
                bound.push(PlacedToken { token: Token::Word(word), span });
            }
            Some(Parameter::Value(text)) if is_item => {
                let items = cut_at_commas(given.filled_in(text)?);
                if let [_, _, ..] = items[..]
                    && let Some(item) = items.iter().find(|item| has_blank_at_end(item))
                {
                    let fault = BlankAtEnd { line: 1, value: item.clone() };
                    return Err(given.fault(fault.to_string(), "in this list").with_help(BlankAtEnd::HELP));
                }
                given.push_list(items, &mut bound)?;
            }
            Some(Parameter::List(items)) if is_item => {
                let items = items.iter().map(|item| given.filled_in(item).map(str::to_string));
                given.push_list(items.collect::<Result<_, _>>()?, &mut bound)?;
            }
            Some(Parameter::Value(text)) => bound.push(given.text(text, is_date, formats)?),
            Some(Parameter::List(items)) => bound.push(given.text(given.only(items)?, is_date, formats)?),
            None => {
                missing.entry(name.to_string()).or_insert(span);
            }
        }
        known.insert(name);
    }
    if let Some((first, span)) = missing.first_key_value() {
        let list = missing.keys().map(|name| format!("`:{name}`")).collect::<Vec<_>>().join(", ");
        return Err(Diagnostic::error(format!("no value for {list}"))
            .at(source, *span, "this parameter")
            .with_help(format!(
                "add `--param {first}=VALUE`, or for `plan` `--runtime {first}=TEXT` if the scheduler fills it in"
            ))
            .with_fault(PredicateFault::Parameter));
    }
    if let Some(unused) = parameters.values.keys().find(|name| !known.contains(name.as_str())) {
        return Err(Diagnostic::error(format!("the predicate has no parameter `:{unused}`"))
            .at(source, Span::new(0, source.text.trim_end().len()), "in this predicate")
            .with_suggestion(unused, known.iter().copied())
            .with_fault(PredicateFault::Parameter));
    }
    *tokens = bound;
    Ok(())
}

/// Where parameters stand alone between brackets and commas.
#[derive(Default)]
struct Places {
    /// Items of an `IN` list.
    items: BTreeSet<usize>,
    /// Whole arguments of functions that expect a date.
    dates: BTreeSet<usize>,
}

impl Places {
    fn of(tokens: &[PlacedToken<'_>]) -> Self {
        let token = |at: usize| tokens.get(at).map(|placed| &placed.token);
        let mut places = Places::default();
        // For each open bracket, the word before it and the number of commas after it.
        let mut open: Vec<(&str, usize)> = Vec::new();
        for (at, placed) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).and_then(token);
            match (&placed.token, open.last_mut()) {
                (Token::Sign("("), _) => match before {
                    Some(Token::Word(name)) => open.push((name, 0)),
                    _ => open.push(("", 0)),
                },
                (Token::Sign(")"), _) => drop(open.pop()),
                (Token::Sign(","), Some((_, index))) => *index += 1,
                (Token::Parameter(_), Some((name, index)))
                    if matches!(before, Some(Token::Sign("(" | ",")))
                        && matches!(token(at + 1), Some(Token::Sign(")" | ","))) =>
                {
                    let name = name.to_ascii_lowercase();
                    if name == "in" {
                        places.items.insert(at);
                    } else if Function::everywhere(&name).is_some_and(|function| {
                        function.takes_time(*index) && function.operation != Operation::ReadSeconds
                    }) {
                        places.dates.insert(at);
                    }
                }
                _ => {}
            }
        }
        places
    }
}

/// A day or a time in one of the formats, as Hive's date functions expect it.
fn iso_text(value: &str, formats: &[&TimeFormat]) -> Option<String> {
    if parse_timestamp(value).is_some() {
        return None;
    }
    let format = formats.iter().find(|format| format.parse_text(value).is_some())?;
    let at = format.granularity().start_of(format.parse_text(value)?)?;
    Some(match format.granularity() {
        Granularity::Year | Granularity::Month | Granularity::Day => at.format("%Y-%m-%d").to_string(),
        _ => at.format("%Y-%m-%d %H:%M:%S%.f").to_string(),
    })
}

/// A parameter and its place.
struct GivenParameter<'a> {
    source: &'a Arc<Source>,
    name: &'a str,
    span: Span,
}

impl GivenParameter<'_> {
    /// The only value of a list.
    fn only<'v>(&self, items: &'v [String]) -> Result<&'v str, Diagnostic> {
        match items {
            [item] => Ok(item),
            [] => Err(self.empty_list()),
            _ => Err(self
                .fault(format!("`:{}` has several values, but one is expected", self.name), "not in a list")
                .with_help(format!("write `IN (:{})`, or give the parameter once", self.name))),
        }
    }

    fn empty_list(&self) -> Diagnostic {
        self.fault(format!("the list `:{}` is empty", self.name), "no value").with_help(
            "give it at least one value, or do not run the job: an empty list matches no row; write an empty text as `''`",
        )
    }

    fn filled_in<'v>(&self, value: &'v str) -> Result<&'v str, Diagnostic> {
        match foreign::template_in(value) {
            None => Ok(value),
            Some(template) => Err(self
                .fault(
                    format!(
                        "the value of `:{}` is not filled in: it contains `{}`",
                        self.name,
                        foreign::shortened(template)
                    ),
                    "this parameter",
                )
                .with_help(foreign::UNFILLED_HELP)),
        }
    }

    fn fault(&self, message: String, label: &str) -> Diagnostic {
        Diagnostic::error(message).at(self.source, self.span, label).with_fault(PredicateFault::Parameter)
    }

    /// A literal of the value; `is_date` says that a function expects a date here.
    fn text(
        &self,
        value: &str,
        is_date: bool,
        formats: &[&TimeFormat],
    ) -> Result<PlacedToken<'static>, Diagnostic> {
        let value = self.filled_in(value)?;
        let day = is_date.then(|| iso_text(value, formats)).flatten();
        let value = day.unwrap_or_else(|| value.to_string());
        Ok(PlacedToken { token: Token::Value(value.into()), span: self.span })
    }

    /// A literal for each value, separated by commas that have no place in the predicate.
    fn push_list(&self, items: Vec<String>, bound: &mut Vec<PlacedToken<'_>>) -> Result<(), Diagnostic> {
        if items.iter().all(String::is_empty) {
            return Err(self.empty_list());
        }
        if let Some(at) = items.iter().position(String::is_empty) {
            let message = format!("value {} of the list `:{}` is empty", at + 1, self.name);
            return Err(self.fault(message, "in this list").with_help(
                "remove the comma; write a comma inside a value as `\\,`, and an empty text as `''` in the predicate",
            ));
        }
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                let end = Span::new(self.span.end, self.span.end);
                bound.push(PlacedToken { token: Token::Sign(","), span: end });
            }
            bound.push(PlacedToken { token: Token::Value(item.into()), span: self.span });
        }
        Ok(())
    }
}

/// The values of a list in a file with one value per line. Empty lines are skipped.
///
/// # Errors
/// A value has a blank at an end, with which it would be compared: hardly anyone means that, and rows would be missed.
pub fn values_of_lines(text: &str) -> Result<Vec<String>, BlankAtEnd> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty());
    lines
        .map(|(line, value)| match has_blank_at_end(value) {
            true => Err(BlankAtEnd { line, value: value.to_string() }),
            false => Ok(value.to_string()),
        })
        .collect()
}

/// A value that begins or ends with a blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlankAtEnd {
    /// Counted from 1.
    pub line: usize,
    pub value: String,
}

impl BlankAtEnd {
    pub const HELP: &str = "remove the blank; a value that really has it is given in the JSON form of `--params-file`, or in \
                            quotes in the `params` of a job";
}

impl std::fmt::Display for BlankAtEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the value `{}` begins or ends with a blank", self.value.escape_debug())
    }
}

#[must_use]
pub fn has_blank_at_end(value: &str) -> bool {
    value.starts_with(char::is_whitespace) || value.ends_with(char::is_whitespace)
}

fn cut_at_commas(text: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, items.last_mut()) {
            (',', _) => items.push(String::new()),
            ('\\', Some(item)) if rest.peek() == Some(&',') => {
                item.push(',');
                rest.next();
            }
            (c, Some(item)) => item.push(c),
            (_, None) => {}
        }
    }
    items
}

/// Puts literals of a time in the place of the functions of the clock.
pub(super) fn set_clock(tree: &mut Node, now: NaiveDateTime) {
    let literal = |data_type, pattern| Expr::TypedText { data_type, text: now.format(pattern).to_string() };
    replace(tree, &mut |node| {
        let Expr::Call(call) = &node.expr else { return None };
        let function = call.function.filter(|_| call.is_clock())?;
        let timestamp = literal(Type::Timestamp, "%Y-%m-%d %H:%M:%S%.f");
        Some(match function.result {
            ResultType::Is(Type::Date) => literal(Type::Date, "%Y-%m-%d"),
            ResultType::Is(Type::Timestamp) => timestamp,
            _ => Expr::call(function, [timestamp]),
        })
    });
}
#[cfg(test)]
mod tests {
    use super::{cut_at_commas, values_of_lines};

    #[test]
    fn a_blank_at_the_end_of_a_value_is_refused() {
        assert_eq!(values_of_lines("a b\n\nc"), Ok(vec!["a b".into(), "c".into()]));
        let fault = values_of_lines("u1\n u3\n").unwrap_err();
        assert_eq!((fault.line, fault.value.as_str()), (2, " u3"));
        assert!(values_of_lines("u1\t").is_err() && values_of_lines("\u{a0}u1").is_err());
    }

    #[test]
    fn lists_are_cut_at_bare_commas() {
        let cut = |text: &str| cut_at_commas(text).join("|");
        assert_eq!(cut("a,b"), "a|b");
        assert_eq!(cut("a\\,b,c"), "a,b|c");
        assert_eq!(cut("a\\b,c\\"), "a\\b|c\\");
        assert_eq!(cut(",a,"), "|a|");
    }
}
