//! A cursor over tokens, and the errors for unexpected ones.

use super::Subject;
use super::foreign;
use super::grammar::Parser;
use super::operand::is_reserved;
use super::token::{Token, unquoted};
use saltplan_document::diag::{Diagnostic, Span};

/// Words that follow a condition in a statement.
const STATEMENT_WORDS: [&str; 9] =
    ["CLUSTER", "DISTRIBUTE", "GROUP", "HAVING", "LIMIT", "ORDER", "SORT", "UNION", "WINDOW"];

impl Parser<'_> {
    fn token(&self, ahead: usize) -> Option<&Token<'_>> {
        self.tokens.get(self.at + ahead).map(|placed| &placed.token)
    }

    /// The word `ahead` tokens from here, in upper case; `None` for a quoted name.
    pub(super) fn word(&self, ahead: usize) -> Option<String> {
        match self.token(ahead)? {
            Token::Word(word) => Some(word.to_ascii_uppercase()),
            _ => None,
        }
    }

    pub(super) fn word_at(&self, ahead: usize, wanted: &str) -> bool {
        matches!(self.token(ahead), Some(Token::Word(word)) if word.eq_ignore_ascii_case(wanted))
    }

    pub(super) fn at_word(&self, wanted: &str) -> bool {
        self.word_at(0, wanted)
    }

    pub(super) fn take_word(&mut self, wanted: &str) -> bool {
        let found = self.at_word(wanted);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect_word(&mut self, wanted: &str) -> Result<(), Diagnostic> {
        if self.take_word(wanted) { Ok(()) } else { Err(self.expected(&format!("`{wanted}`"))) }
    }

    pub(super) fn sign_at(&self, ahead: usize, wanted: &str) -> bool {
        matches!(self.token(ahead), Some(Token::Sign(sign)) if *sign == wanted)
    }

    pub(super) fn at_sign(&self, wanted: &str) -> bool {
        self.sign_at(0, wanted)
    }

    pub(super) fn take_sign(&mut self, wanted: &str) -> bool {
        let found = self.at_sign(wanted);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect_sign(&mut self, wanted: &str) -> Result<(), Diagnostic> {
        if self.take_sign(wanted) { Ok(()) } else { Err(self.expected(&format!("`{wanted}`"))) }
    }

    pub(super) fn expect_name(&mut self) -> Result<String, Diagnostic> {
        let name = match self.token(0) {
            Some(Token::Word(name)) => name.to_string(),
            Some(Token::Quoted(raw)) => unquoted(raw).into_owned(),
            _ => return Err(self.expected("a name")),
        };
        self.at += 1;
        Ok(name)
    }

    /// The name of a function or column that does not exist, which may explain the characters that follow it.
    pub(super) fn expect_plain_name(&mut self) -> Result<String, Diagnostic> {
        let name = self.expect_name()?;
        if name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        {
            return Ok(name);
        }
        let span = self.tokens[self.at - 1].span;
        Err(Diagnostic::error(format!("no function has the name `{}`", name.escape_debug()))
            .at(self.source, span, "letters, digits and `_` only")
            .with_help("only columns of the schema may have other characters in their names"))
    }

    fn span_here(&self) -> Span {
        let end = match self.subject {
            Subject::Script => self.tokens.last().map_or(0, |last| last.span.end),
            _ => self.source.text.trim_end().len(),
        };
        self.tokens.get(self.at).map_or(Span::new(end, end), |placed| placed.span)
    }

    /// An unexpected token, or the end of the predicate.
    pub(super) fn expected(&self, what: &str) -> Diagnostic {
        let message = match self.token(0) {
            None => format!("{} ends too early", self.subject.the()),
            Some(_) => format!("{} has a syntax error", self.subject.the()),
        };
        let error = Diagnostic::error(message).at(self.source, self.span_here(), format!("expected {what}"));
        match self.token(0) {
            Some(Token::Parameter(_) | Token::Runtime(_)) => {
                error.with_help(foreign::parameter_help(self.subject))
            }
            Some(Token::Word(word)) if word.eq_ignore_ascii_case("NOT") => {
                error.with_help("put parentheses around `NOT` and its operand")
            }
            Some(Token::Word(word)) if is_reserved(word) => {
                error.with_help(format!("write a column named `{word}` in backquotes"))
            }
            _ => error,
        }
    }

    /// A token after the end of the predicate.
    pub(super) fn goes_on(&self) -> Diagnostic {
        if self.tokens[self.start..self.at].iter().any(|placed| placed.token == Token::Sign("||")) {
            return self.joins_texts(self.at.saturating_sub(1));
        }
        if self.at_word("ESCAPE") {
            return self.expected("`LIKE` before it");
        }
        let help = match self.subject {
            Subject::Predicate if STATEMENT_WORDS.iter().any(|word| self.at_word(word)) => {
                "a predicate is only the condition after WHERE; remove what follows it in the statement"
            }
            Subject::Predicate | Subject::Script => "join conditions with `AND` or `OR`",
            Subject::Expression => "write one value; the name of the column comes from `name`",
        };
        Diagnostic::error(format!("{} continues after its end", self.subject.the()))
            .at(self.source, self.span_here(), "unexpected here")
            .with_help(help)
    }

    /// `||` used as a condition that started at the token `start`.
    pub(super) fn joins_texts(&self, start: usize) -> Diagnostic {
        let sign = self.tokens[start.min(self.at)..]
            .iter()
            .chain(&self.tokens[self.start..])
            .find(|placed| placed.token == Token::Sign("||"))
            .map_or(self.span_here(), |placed| placed.span);
        Diagnostic::error("`||` joins texts in Hive, it is not a condition")
            .at(self.source, sign, "joins two texts")
            .with_help("write `OR`")
    }

    /// `a IN (1) IS NULL`, a chain that Hive does not accept.
    pub(super) fn brackets_before_test(&self) -> Diagnostic {
        Diagnostic::error("parentheses are missing")
            .at(self.source, self.span_here(), "Hive does not accept `IS` here")
            .with_help("put parentheses around the condition before `IS`")
    }

    pub(super) fn subquery(&self) -> Diagnostic {
        let what = self.subject.a();
        Diagnostic::error(format!("{what} cannot contain a subquery: it is about one row of the table"))
            .at(self.source, self.span_here(), "begins here")
            .with_help(match self.subject {
                Subject::Predicate | Subject::Script => {
                    "list its values, such as `id IN (1, 2)`, join the other table to the result, or write the whole query and \
                     let `saltplan rewrite` add the key ranges to it"
                }
                Subject::Expression => "join the target table with the other table after it is filled",
            })
    }

    /// A function over many rows, whose name is at `start`.
    pub(super) fn of_many_rows(&self, name: &str, start: usize) -> Diagnostic {
        let what = self.subject.a();
        Diagnostic::error(format!(
            "`{name}` is computed over many rows, but {what} is about one row of the table"
        ))
        .at(self.source, self.span(&(start..start + 1)), "not a function of a single row")
        .with_help(
            "compute it in another query over the rows, with the output of `plan --select` in its FROM",
        )
    }

    /// A prefix of a literal, such as the N of `N'…'`.
    pub(super) fn literal_prefix(&self) -> Diagnostic {
        let literal = self.tokens.get(self.at + 1).map_or(self.span_here(), |placed| placed.span);
        foreign::literal(self.source, self.span_here().to(literal))
    }
}
