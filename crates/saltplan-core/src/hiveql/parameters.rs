//! Values in place of `:name`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Parameters;
use super::token::{PlacedToken, Token};
use crate::diag::{Diagnostic, PredicateFault, Source, Span};

/// Puts parameter values in place of `:name`, as string literals: a value is data whatever it holds.
pub(super) fn bind_parameters(
    source: &Arc<Source>,
    tokens: &mut [PlacedToken],
    parameters: &Parameters,
) -> Result<(), Diagnostic> {
    let mut missing: BTreeMap<String, Span> = BTreeMap::new();
    let mut known = BTreeSet::new();
    for PlacedToken { token, span } in tokens {
        let Token::Parameter(name) = token else { continue };
        let name = std::mem::take(name);
        match parameters.get(&name) {
            Some(value) => *token = Token::Text(value.clone()),
            None => {
                missing.entry(name.clone()).or_insert(*span);
            }
        }
        known.insert(name);
    }
    if let Some((first, span)) = missing.first_key_value() {
        let list = missing.keys().map(|name| format!("`:{name}`")).collect::<Vec<_>>().join(", ");
        return Err(Diagnostic::error(format!("no value for {list}"))
            .at(source, *span, "this parameter")
            .with_help(format!("add `--param {first}=VALUE`"))
            .with_fault(PredicateFault::Parameter));
    }
    match parameters.keys().find(|name| !known.contains(*name)) {
        Some(unused) => Err(Diagnostic::error(format!("the predicate has no parameter `:{unused}`"))
            .at(source, Span::new(0, source.text.trim_end().len()), "in this predicate")
            .with_suggestion(unused, known.iter().map(String::as_str))
            .with_fault(PredicateFault::Parameter)),
        None => Ok(()),
    }
}
