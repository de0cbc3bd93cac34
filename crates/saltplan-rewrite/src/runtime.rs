//! Values that are filled in when the query runs. The query keeps their text, such as `${day}`, and the ranges have the same text, so
//! that both have the same value.

use std::cell::RefCell;
use std::collections::BTreeMap;

use saltplan_sql::Runtime;
use saltplan_sql::ast::Expr;
use saltplan_sql::rewrite::runtime_names;

/// Why a text that a query has declares no format: only then has a value the same order in the query and in the ranges.
pub const VALUE_IN_QUERY: &str = "a value in a query has the form of the key";

/// The texts that are filled in later, each with the name of its parameter in a predicate.
#[derive(Debug, Default)]
pub struct RuntimeTexts {
    /// The values that the caller gave, each with the name of its parameter.
    given: Vec<(String, String)>,
    /// The values that were found in the queries, by the name of their parameter.
    found: RefCell<BTreeMap<String, (Runtime, OfValue)>>,
}

/// What Hive takes a value for that was found in a query. A value without quotes may be anything.
#[derive(Debug, Clone, Copy)]
pub struct OfValue {
    /// Whether it is known to be a text.
    pub is_text: bool,
    /// Whether it is known to be a date or a time.
    pub is_time: bool,
}

/// A query in which the given texts have double quotes, as their `Runtime`s do. Single quotes, which are the same to Jinja, would end
/// the literals around them. No place moves.
pub fn with_double_quotes(query: String, given: &[Runtime]) -> String {
    let texts = given.iter().map(Runtime::text).filter(|text| text.contains('"'));
    texts.fold(query, |query, text| query.replace(&text.replace('"', "'"), text))
}

/// Whether a query has a text that is filled in, in one of the ways in which it can be written.
pub fn has_runtime(query: &str, given: &Runtime) -> bool {
    let text = given.text();
    let short = text.strip_prefix("${hivevar:").map(|name| format!("${{{name}"));
    query.contains(text)
        || query.contains(&text.replace('"', "'"))
        || short.is_some_and(|short| query.contains(&short))
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
        if self.given.iter().any(|(known, _)| *known == text) {
            return;
        }
        let last = text.rsplit(':').next().unwrap_or_default();
        let word: String = last.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let is_taken = word.is_empty() || self.given.iter().any(|(_, name)| *name == word);
        let name = if is_taken { format!("{word}_{}", self.given.len()) } else { word };
        self.given.push((text, name));
    }

    /// Each text with the name of its parameter.
    pub fn names(&self) -> impl Iterator<Item = (String, String)> {
        self.given.iter().cloned()
    }

    /// Adds a value that was found in a query. The name of its parameter shows it to people.
    pub fn insert(&self, name: &str, value: Runtime, of_value: OfValue) {
        self.found.borrow_mut().insert(name.to_string(), (value, of_value));
    }

    /// Whether a parameter stands for a value that was found in a query.
    pub fn is_found(&self, name: &str) -> bool {
        self.found.borrow().contains_key(name)
    }

    /// What Hive takes the value of a parameter for, if it was found in a query.
    pub fn found_value(&self, name: &str) -> Option<OfValue> {
        self.found.borrow().get(name).map(|(_, of_value)| *of_value)
    }

    /// The values of the parameters that an expression has, in the format of the key: [`VALUE_IN_QUERY`].
    pub fn values(&self, expr: &Expr) -> BTreeMap<String, Runtime> {
        let mut values = BTreeMap::new();
        for name in runtime_names(expr) {
            if let Some((found, _)) = self.found.borrow().get(name) {
                values.insert(name.to_string(), found.clone());
                continue;
            }
            let text = self.given.iter().find(|(_, own)| own == name).map(|(text, _)| text);
            if let Some(runtime) = text.and_then(|text| Runtime::new(text, None).ok()) {
                values.insert(name.to_string(), runtime);
            }
        }
        values
    }
}
