//! Values that are filled in when the query runs. The query keeps their text, such as `${day}`, and the ranges have the same text, so
//! that both have the same value.

use std::ops::Range;

use saltplan_core::Parameters;
use saltplan_sql::Runtime;

use crate::conditions::Name;
use crate::tokens::{Kind, Tokens};

/// The texts that are filled in later, each with the name of its parameter in a predicate.
#[derive(Debug, Default)]
pub struct RuntimeTexts(Vec<(String, String)>);

/// A query in which the given texts have double quotes, as their `Runtime`s do. Single quotes, which are the same to Jinja, would end
/// the literals around them. No place moves.
pub fn with_double_quotes(query: String, given: &[Runtime]) -> String {
    let texts = given.iter().map(Runtime::text).filter(|text| text.contains('"'));
    texts.fold(query, |query, text| query.replace(&text.replace('"', "'"), text))
}

impl RuntimeTexts {
    pub fn new(given: &[Runtime]) -> Self {
        let mut texts = RuntimeTexts::default();
        for runtime in given {
            let text = runtime.text();
            texts.add(text.to_string());
            // Hive reads both as the same variable.
            if let Some(name) = text.strip_prefix("${hivevar:") {
                texts.add(format!("${{{name}"));
            }
        }
        texts
    }

    fn add(&mut self, text: String) {
        if self.0.iter().any(|(known, _)| *known == text) {
            return;
        }
        let last = text.rsplit(':').next().unwrap_or_default();
        let word: String = last.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let is_taken = word.is_empty() || self.0.iter().any(|(_, name)| *name == word);
        let name = if is_taken { format!("{word}_{}", self.0.len()) } else { word };
        self.0.push((text, name));
    }

    /// The parameter for a token: a variable, or a literal that is nothing but such a text.
    pub fn parameter(&self, t: &Tokens<'_>, at: usize) -> Option<&str> {
        let raw = t.raw(at);
        let text = match t.kind(at) {
            Some(Kind::Variable) => raw,
            Some(Kind::Text) => raw.get(1..raw.len().saturating_sub(1))?,
            _ => return None,
        };
        self.0.iter().find(|(known, _)| known == text).map(|(_, name)| name.as_str())
    }

    /// The parameters that a predicate has. Their values are in the format of the key: only such a value has the same
    /// order in the query and in the ranges.
    pub fn parameters(&self, predicate: &str) -> Parameters {
        let mut parameters = Parameters::new();
        for (text, name) in &self.0 {
            if let Ok(runtime) = Runtime::new(text, None)
                && has_parameter(predicate, name)
            {
                parameters.insert(name.as_str(), runtime);
            }
        }
        parameters
    }

    pub fn is_in(&self, t: &Tokens<'_>, range: &Range<usize>) -> bool {
        range.clone().any(|at| self.parameter(t, at).is_some())
    }
}

fn has_parameter(predicate: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let parameter = format!(":{name}");
    predicate.match_indices(&parameter).any(|(at, found)| !predicate[at + found.len()..].starts_with(is_part))
}

/// Whether a token is compared as it is. Inside a function or a sum the planner and Hive can take it for different values: to Hive,
/// `date_sub('20200406', 1)` is NULL.
pub fn is_compared(t: &Tokens<'_>, range: &Range<usize>, names: &[Name], at: usize) -> bool {
    let is_argument = |name: &Name| match name {
        Name::Function { open, .. } => t.inside(*open).is_some_and(|inside| inside.contains(&at)),
        Name::Column(_) => false,
    };
    let is_edge = |at: usize, signs: &[&str], words: &[&str]| {
        !range.contains(&at) || signs.iter().any(|sign| t.is_sign(at, sign)) || t.is_any(at, words)
    };
    let comparisons = ["=", "==", "<", "<=", ">", ">=", "(", ","];
    !names.iter().any(is_argument)
        && (at == range.start || is_edge(at - 1, &comparisons, &["between", "and", "in"]))
        && is_edge(at + 1, &["=", "==", "<", "<=", ">", ">=", ")", ","], &["and", "between", "in", "or"])
}
