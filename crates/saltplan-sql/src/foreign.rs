//! Syntax of other programs that predicates and Hive's conditions do not have. Errors name it, with what to
//! write instead.

use std::sync::Arc;

use super::Subject;
use super::lexer::unescaped;
use super::token::{PlacedToken, Token};
use saltplan_document::diag::{Diagnostic, DiagnosticKind, Source, Span};

/// How schedulers mark what they fill in before a statement runs.
const TEMPLATES: [(&str, &str); 5] = [("${", "}"), ("$[", "]"), ("#{", "}"), ("{{", "}}"), ("{%", "%}")];

/// The maximum number of characters of a text that a message quotes.
const MAX_SHOWN: usize = 60;

/// A character that does not occur in conditions.
pub(super) fn sign(source: &Arc<Source>, subject: Subject, at: usize) -> Diagnostic {
    let what_it_is = match subject {
        Subject::Predicate => "a predicate is one condition",
        Subject::Expression => "an expression is one value",
        Subject::Script => "this is one condition",
    };
    let rest = &source.text[at..];
    let marked = |length: usize| Span::new(at, at + length);
    if let Some(template) = template_at(rest) {
        let message = format!("`{}` is filled in by another program", shortened(template));
        return Diagnostic::error(message)
            .at(source, marked(template.len()), "not filled in yet")
            .with_help(parameter_help(subject));
    }
    let c = rest.chars().next().unwrap_or_default();
    let (length, help) = match c {
        '&' => (2, "write `AND`".to_string()),
        ';' if rest[1..].trim().is_empty() => (1, format!("remove it: {what_it_is}")),
        ';' => (1, format!("{what_it_is}: remove what follows it")),
        '$' | '?' | ':' => (1, parameter_help(subject).to_string()),
        '\\' => (1, "a backslash is allowed only in literals".to_string()),
        _ => {
            (c.len_utf8(), "write text in quotes, and a name with other characters in backquotes".to_string())
        }
    };
    let what = &rest[..length];
    let (message, help) = match what {
        ":" if rest.starts_with("::") => {
            (format!("{} has no `::`", subject.part()), "write a cast as `cast(x AS type)`".to_string())
        }
        _ => (format!("{} has no `{}`", subject.part(), what.escape_debug()), help),
    };
    Diagnostic::error(message).at(source, marked(length), "not understood").with_help(help)
}

/// `N'…'` and similar prefixes.
pub(super) fn literal(source: &Arc<Source>, span: Span) -> Diagnostic {
    Diagnostic::error("Hive has no such literal")
        .at(source, span, "not understood")
        .with_help("write text as `'…'`, with `\\u00fc` or `\\101` for character codes")
}

/// How to pass a value from outside.
pub(super) fn parameter_help(subject: Subject) -> &'static str {
    match subject {
        Subject::Predicate | Subject::Script => PARAMETER_HELP,
        Subject::Expression => "a schema has no parameters: write the value itself",
    }
}

/// What to do about a value that a scheduler has not filled in.
pub(super) const UNFILLED_HELP: &str =
    "let the scheduler fill it in before saltplan runs, or give its text to `plan` as `--runtime NAME=TEXT`";

pub(super) const PARAMETER_HELP: &str = "write a parameter as `:name`, and give its value with `--param name=VALUE`, or with `--runtime name=TEXT` if it is known only when \
     the statement runs";

/// The placeholder of a scheduler at the start of a text.
fn template_at(text: &str) -> Option<&str> {
    let (open, close) = TEMPLATES.iter().find(|(open, _)| text.starts_with(open))?;
    let end = text[open.len()..].find(close).map(|end| open.len() + end + close.len());
    Some(&text[..end.unwrap_or(open.len())])
}

/// The first placeholder of a scheduler in a text.
pub(super) fn template_in(text: &str) -> Option<&str> {
    let starts = text.char_indices().filter(|(_, c)| ['$', '#', '{'].contains(c));
    starts.map(|(at, _)| &text[at..]).find_map(|rest| {
        let template = template_at(rest)?;
        TEMPLATES.iter().any(|(_, close)| template.ends_with(close)).then_some(template)
    })
}

pub(super) fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(MAX_SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// Words of a statement around a condition.
pub(super) fn statement_word(source: &Arc<Source>, first: &PlacedToken<'_>) -> Option<Diagnostic> {
    let Token::Word(word) = &first.token else { return None };
    let help = match word.to_ascii_uppercase().as_str() {
        "WHERE" => "remove the word: a predicate is what follows it",
        "SELECT" | "INSERT" | "WITH" | "FROM" => "give only the condition after `WHERE`",
        _ => return None,
    };
    let message = format!("a predicate does not start with `{word}`");
    Some(Diagnostic::error(message).at(source, first.span, "not part of the condition").with_help(help))
}

/// Literals that look as if a scheduler should have filled them in; they are compared as text.
pub(super) fn unfilled(source: &Arc<Source>, tokens: &[PlacedToken<'_>]) -> Vec<Diagnostic> {
    let found = tokens.iter().filter_map(|placed| match &placed.token {
        Token::Text(raw) => template_in(&unescaped(raw)).map(|template| (shortened(template), placed.span)),
        Token::Value(text) => template_in(text).map(|template| (shortened(template), placed.span)),
        _ => None,
    });
    found
        .map(|(template, span)| {
            let message = format!("`{template}` is compared literally: nothing has filled it in");
            Diagnostic::warning(message)
                .at(source, span, "in this literal")
                .with_help(PARAMETER_HELP)
                .with_kind(DiagnosticKind::Unfilled)
        })
        .collect()
}
