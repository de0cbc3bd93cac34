//! The tokens of a script, with their brackets matched.

use std::ops::Range;
use std::sync::Arc;

use super::super::Subject;
use super::super::lexer::{self, Fault};
use super::super::token::{PlacedToken, Token, unquoted};
use saltplan_document::diag::{Diagnostic, Source, Span};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A keyword or a name.
    Word,
    /// A name in backquotes.
    Quoted,
    /// One literal in quotes; adjacent literals are separate tokens.
    Text,
    Number,
    /// `${…}`, `$[…]` or `{{ … }}`.
    Variable,
    Sign,
    /// A whole command of a client, such as `SET a=b`.
    Command,
}

/// Why a script cannot be read at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScriptFault {
    pub span: Span,
    pub message: &'static str,
    pub help: &'static str,
}

impl ScriptFault {
    /// The error at its place.
    pub fn diagnostic(self, source: &Arc<Source>) -> Diagnostic {
        Diagnostic::error(self.message).at(source, self.span, "here").with_help(self.help)
    }
}

impl From<Fault> for ScriptFault {
    fn from(fault: Fault) -> Self {
        let (span, message, help) = match fault {
            Fault::OpenComment(at) => {
                (Span::new(at, at + 2), "this comment is not closed", "close it with `*/`")
            }
            Fault::OpenQuote(at) => {
                (Span::new(at, at + 1), "this quote is not closed", "close it with the same character")
            }
            // A script may have any other character.
            Fault::Escape { span, .. } | Fault::Number(span) | Fault::Literal(span) => {
                (span, "this is not understood", "remove it")
            }
            Fault::Sign(at) => (Span::new(at, at), "this is not understood", "remove it"),
        };
        ScriptFault { span, message, help }
    }
}

/// The tokens of a text, without comments and hints.
#[derive(Debug)]
pub struct Tokens<'t> {
    pub text: &'t str,
    pub(in super::super) list: Vec<PlacedToken<'t>>,
    /// For a bracket, the index of its counterpart.
    partners: Vec<usize>,
    /// For an opening bracket, the first token after it that is not one; for other tokens, the token itself.
    firsts: Vec<usize>,
}

impl<'t> Tokens<'t> {
    /// # Errors
    /// A quote, a comment or a bracket is not closed.
    pub fn new(text: &'t str) -> Result<Self, ScriptFault> {
        let list = lexer::tokens(text, Subject::Script)?;
        let mut tokens = Tokens { text, partners: vec![usize::MAX; list.len()], firsts: Vec::new(), list };
        tokens.firsts = (0..tokens.len()).collect();
        for index in (1..tokens.len()).rev() {
            if tokens.is_sign(index - 1, "(") {
                tokens.firsts[index - 1] = tokens.firsts[index];
            }
        }
        let mut open: Vec<usize> = Vec::new();
        for index in 0..tokens.len() {
            match tokens.raw(index) {
                _ if tokens.kind(index) != Some(Kind::Sign) => {}
                "(" => open.push(index),
                ")" => {
                    let partner = open.pop().ok_or_else(|| tokens.unmatched(index))?;
                    tokens.partners[partner] = index;
                    tokens.partners[index] = partner;
                }
                // A bracket cannot extend into the next statement.
                ";" => {
                    if let Some(last) = open.last() {
                        return Err(tokens.unmatched(*last));
                    }
                }
                _ => {}
            }
        }
        match open.last() {
            Some(last) => Err(tokens.unmatched(*last)),
            None => Ok(tokens),
        }
    }

    fn unmatched(&self, index: usize) -> ScriptFault {
        ScriptFault {
            span: self.list[index].span,
            message: "this bracket has no matching bracket in its statement",
            help: "add the missing bracket, or remove this one",
        }
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn kind(&self, index: usize) -> Option<Kind> {
        Some(match self.list.get(index)?.token {
            Token::Word(_) => Kind::Word,
            Token::Quoted(_) => Kind::Quoted,
            Token::Text(_) | Token::Value(_) => Kind::Text,
            Token::Number(_) => Kind::Number,
            Token::Variable(_) => Kind::Variable,
            Token::Command(_) => Kind::Command,
            Token::Sign(_) | Token::Parameter(_) | Token::Runtime(_) => Kind::Sign,
        })
    }

    /// The name and the value of a command `SET name=value`, as they are written.
    pub fn assignment(&self, index: usize) -> Option<(&'t str, &'t str)> {
        let command = self.raw(index);
        let (word, assignment) = command.split_once(char::is_whitespace)?;
        let is_set = self.kind(index) == Some(Kind::Command) && word.eq_ignore_ascii_case("set");
        let (name, value) = assignment.split_once('=').filter(|_| is_set)?;
        Some((name.trim(), value.trim()))
    }

    /// What the token at a byte of the text is.
    pub fn kind_at(&self, byte: usize) -> Option<Kind> {
        let index = self.list.partition_point(|placed| placed.span.end <= byte);
        self.kind(index).filter(|_| self.span(index).start <= byte)
    }

    /// The place of a token; after the last one, the end of the text.
    pub fn span(&self, index: usize) -> Span {
        self.list.get(index).map_or(Span::new(self.text.len(), self.text.len()), |token| token.span)
    }

    /// The text of a token as written, including quotes.
    pub fn raw(&self, index: usize) -> &'t str {
        let span = self.span(index);
        &self.text[span.start..span.end]
    }

    /// From the first to the last token of a non-empty range.
    pub fn place(&self, range: &Range<usize>) -> Span {
        match range.is_empty() {
            true => self.span(range.start),
            false => self.span(range.start).to(self.span(range.end - 1)),
        }
    }

    /// A part of the text without its comments, with single blanks where there were some.
    pub fn without_comments(&self, place: Span) -> String {
        let mut text = String::new();
        let mut end = None;
        let first = self.list.partition_point(|placed| placed.span.start < place.start);
        for placed in self.list[first..].iter().take_while(|placed| placed.span.end <= place.end) {
            if end.is_some_and(|end| end < placed.span.start) {
                text.push(' ');
            }
            text.push_str(&self.text[placed.span.start..placed.span.end]);
            end = Some(placed.span.end);
        }
        text
    }

    /// Whether a token is this operator or punctuation.
    pub fn is_sign(&self, index: usize, sign: &str) -> bool {
        self.kind(index) == Some(Kind::Sign) && self.raw(index) == sign
    }

    /// Whether a token is this keyword. A word after a dot is a name.
    pub fn is_word(&self, index: usize, word: &str) -> bool {
        self.kind(index) == Some(Kind::Word)
            && self.raw(index).eq_ignore_ascii_case(word)
            && !(index > 0 && self.is_sign(index - 1, "."))
    }

    pub fn is_any(&self, index: usize, words: &[&str]) -> bool {
        words.iter().any(|word| self.is_word(index, word))
    }

    /// Whether a token can be a name.
    pub fn is_name(&self, index: usize) -> bool {
        matches!(self.kind(index), Some(Kind::Word | Kind::Quoted))
    }

    /// A name without its quotes, in lower case as Hive compares it.
    pub fn name(&self, index: usize) -> String {
        let raw = self.raw(index);
        match self.kind(index) {
            Some(Kind::Quoted) => unquoted(raw).to_lowercase(),
            _ => raw.to_lowercase(),
        }
    }

    /// The value of a string literal; `None` of other tokens.
    pub fn literal(&self, index: usize) -> Option<String> {
        (self.kind(index) == Some(Kind::Text)).then(|| lexer::unescaped(self.raw(index)))
    }

    /// The counterpart of a bracket.
    pub fn partner(&self, index: usize) -> Option<usize> {
        self.partners.get(index).copied().filter(|partner| *partner != usize::MAX)
    }

    /// The tokens between an opening bracket and its counterpart.
    pub fn inside(&self, open: usize) -> Option<Range<usize>> {
        (self.is_sign(open, "(")).then(|| self.partner(open)).flatten().map(|close| open + 1..close)
    }

    /// After consecutive opening brackets, starting with this one, the first token that is not one.
    pub fn first_inside(&self, open: usize) -> usize {
        self.firsts.get(open).copied().unwrap_or(open)
    }

    /// The token after this one; brackets are taken as a whole.
    pub fn after(&self, index: usize) -> usize {
        match self.is_sign(index, "(") {
            true => self.partner(index).unwrap_or(index) + 1,
            false => index + 1,
        }
    }

    /// The tokens of a range that are not inside its brackets.
    pub fn outside(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let after = |at: &usize| Some(self.after(*at));
        std::iter::successors(Some(range.start), after).take_while(move |at| *at < range.end)
    }

    /// The first of those tokens that passes a test, or the end of the range.
    pub fn until(&self, range: Range<usize>, test: impl Fn(usize) -> bool) -> usize {
        let end = range.end;
        self.outside(range).find(|at| test(*at)).unwrap_or(end)
    }

    /// Whether nothing is between two consecutive tokens.
    pub fn touch(&self, first: usize) -> bool {
        first + 1 < self.len() && self.span(first).end == self.span(first + 1).start
    }
}
