//! Values in place of `:name`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sqlparser::tokenizer::Token;

use super::Parameters;
use super::tokens::PlacedToken;
use crate::diag::{Diagnostic, Source, Span};

/// Puts parameter values in place of `:name`, as string literals: a value is data whatever it holds.
pub(super) fn bind_parameters(
    source: &Arc<Source>,
    tokens: Vec<PlacedToken>,
    parameters: &Parameters,
) -> Result<Vec<PlacedToken>, Diagnostic> {
    let mut bound: Vec<PlacedToken> = Vec::with_capacity(tokens.len());
    let mut missing: BTreeMap<String, Span> = BTreeMap::new();
    let mut known = BTreeSet::new();
    for placed in tokens {
        let name = match (&placed.token, bound.last()) {
            (Token::Word(word), Some(PlacedToken { token: Token::Colon, span }))
                if span.end == placed.span.start && word.quote_style.is_none() =>
            {
                word.value.clone()
            }
            _ => {
                bound.push(placed);
                continue;
            }
        };
        let span = Span::new(placed.span.start - 1, placed.span.end);
        bound.pop();
        let value = parameters.get(&name).cloned().unwrap_or_default();
        if !parameters.contains_key(&name) {
            missing.entry(name.clone()).or_insert(span);
        }
        known.insert(name);
        bound.push(PlacedToken { token: Token::SingleQuotedString(value), span });
    }
    if let Some((first, span)) = missing.first_key_value() {
        let list = missing.keys().map(|name| format!("`:{name}`")).collect::<Vec<_>>().join(", ");
        return Err(Diagnostic::error(format!("no value for {list}"))
            .at(source, *span, "this parameter")
            .with_help(format!("add `--param {first}=VALUE`")));
    }
    match parameters.keys().find(|name| !known.contains(*name)) {
        Some(unused) => Err(Diagnostic::error(format!("the predicate has no parameter `:{unused}`"))
            .at(source, Span::new(0, source.text.trim_end().len()), "in this predicate")
            .with_suggestion(unused, known.iter().map(String::as_str))),
        None => Ok(bound),
    }
}
