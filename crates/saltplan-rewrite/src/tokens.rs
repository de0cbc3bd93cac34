//! Splits HiveQL scripts into tokens with their places.
//!
//! The lexer of saltplan-core reads predicates and refuses everything else. A script has more: `${…}`,
//! placeholders, settings, characters of other dialects. So this lexer accepts any character and only
//! recognises what delimits a condition: quotes, comments, names and brackets. Core decides what a condition
//! means.

use std::ops::Range;

use saltplan_core::messages::Span;
use saltplan_sql::scanner::{OpenComment, Scanner, is_name_part};

/// Longer operators first.
const SIGNS: [&str; 7] = ["<=>", "<=", ">=", "<>", "!=", "==", "||"];

/// Letters after a number that give it a type.
const NUMBER_TYPES: [&str; 6] = ["", "l", "s", "y", "d", "bd"];

/// First words of commands that Hive's clients run without parsing them as HiveQL.
const COMMANDS: [&str; 9] = ["set", "add", "list", "dfs", "reset", "source", "reload", "compile", "!"];

/// The maximum length of `${…}` in characters.
const MAX_VARIABLE: usize = 128;

/// What `DELETE` removes if it is a command.
const RESOURCES: [&str; 6] = ["jar", "jars", "file", "files", "archive", "archives"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A keyword or a name.
    Word,
    /// A name in backquotes.
    Quoted,
    /// One literal in quotes; adjacent literals are separate tokens.
    Text,
    Number,
    /// `${…}`.
    Variable,
    Sign,
    /// A whole command of a client, such as `SET a=b`.
    Command,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub kind: Kind,
    pub span: Span,
}

/// A text that cannot be split into tokens, or whose brackets do not match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub span: Span,
    pub message: &'static str,
    pub help: &'static str,
}

/// The tokens of a text, without comments and hints.
#[derive(Debug)]
pub struct Tokens<'t> {
    pub text: &'t str,
    list: Vec<Token>,
    /// For a bracket, the index of its counterpart.
    partners: Vec<usize>,
    /// For an opening bracket, the first token after it that is not one; for other tokens, the token itself.
    firsts: Vec<usize>,
}

impl<'t> Tokens<'t> {
    /// # Errors
    /// A quote, a comment or a bracket is not closed.
    pub fn new(text: &'t str) -> Result<Self, Fault> {
        let list = Lexer { scanner: Scanner::new(text) }.all()?;
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
                _ if tokens.list[index].kind != Kind::Sign => {}
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

    fn unmatched(&self, index: usize) -> Fault {
        Fault {
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
        self.list.get(index).map(|token| token.kind)
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
            Some(Kind::Quoted) => raw[1..raw.len() - 1].replace("``", "`").to_lowercase(),
            _ => raw.to_lowercase(),
        }
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

struct Lexer<'t> {
    scanner: Scanner<'t>,
}

impl Lexer<'_> {
    fn all(mut self) -> Result<Vec<Token>, Fault> {
        let mut list: Vec<Token> = Vec::new();
        while self.skip_blanks()? {
            let start = self.scanner.at;
            let begins = list.last().is_none_or(|last| {
                last.kind == Kind::Command || &self.scanner.text[last.span.start..last.span.end] == ";"
            });
            let kind = match begins && self.is_command() {
                true => self.command(),
                false => {
                    let behind_name = list.last().is_some_and(|last| {
                        last.span.end == start && matches!(last.kind, Kind::Word | Kind::Quoted)
                    });
                    self.token(behind_name)?
                }
            };
            list.push(Token { kind, span: Span::new(start, self.scanner.at) });
        }
        Ok(list)
    }

    fn skip_blanks(&mut self) -> Result<bool, Fault> {
        self.scanner.skip_blanks(|c| c.is_whitespace() || c == '\u{feff}').map_err(|OpenComment(start)| {
            open(start, start + 2, "this comment is not closed", "close it with `*/`")
        })
    }

    fn is_command(&self) -> bool {
        let rest = self.scanner.rest();
        let end = rest.find(|c: char| !is_name_part(c)).unwrap_or(rest.len());
        let word = if rest.starts_with('!') { "!" } else { &rest[..end] };
        if word.eq_ignore_ascii_case("delete") {
            let next = rest[end..].trim_start();
            let next = &next[..next.find(|c: char| !is_name_part(c)).unwrap_or(next.len())];
            return RESOURCES.iter().any(|resource| next.eq_ignore_ascii_case(resource));
        }
        COMMANDS.iter().any(|command| word.eq_ignore_ascii_case(command))
    }

    /// Up to the semicolon. A semicolon in quotes that are closed on the same line does not end a command. A command of
    /// Beeline, such as `!run x.hql`, ends with its line.
    fn command(&mut self) -> Kind {
        if self.scanner.rest().starts_with('!') {
            let rest = self.scanner.rest();
            let line = &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())];
            self.scanner.at += line.find(';').unwrap_or(line.len());
            return Kind::Command;
        }
        let mut line_end = 0;
        while let Some(next) = self.scanner.rest().find([';', '\'', '"']) {
            self.scanner.at += next;
            let quote = self.scanner.rest().chars().next().filter(|c| *c != ';');
            let Some(quote) = quote else { return Kind::Command };
            self.scanner.at += 1;
            if line_end < self.scanner.at {
                line_end = self
                    .scanner
                    .rest()
                    .find(['\n', '\r'])
                    .map_or(self.scanner.text.len(), |end| self.scanner.at + end);
            }
            let line = &self.scanner.text[self.scanner.at..line_end];
            self.scanner.at += line.find(quote).map_or(0, |close| close + 1);
        }
        self.scanner.at = self.scanner.text.len();
        Kind::Command
    }

    fn token(&mut self, behind_name: bool) -> Result<Kind, Fault> {
        let rest = self.scanner.rest();
        let mut chars = rest.chars();
        let (first, second) = (chars.next().unwrap_or_default(), chars.next().unwrap_or_default());
        match first {
            '\'' | '"' => self.quoted(first).map(|()| Kind::Text),
            '`' => self.quoted(first).map(|()| Kind::Quoted),
            '$' if second == '{' => Ok(self.variable()),
            '.' if second.is_ascii_digit() && !behind_name => {
                self.scanner.at += 1;
                self.number();
                Ok(Kind::Number)
            }
            _ if first.is_ascii_digit() => Ok(self.number()),
            _ if is_name_part(first) => {
                self.scanner.run(is_name_part);
                Ok(Kind::Word)
            }
            _ => {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
                self.scanner.at += sign.map_or(first.len_utf8(), |sign| sign.len());
                Ok(Kind::Sign)
            }
        }
    }

    /// A backslash escapes in literals, a doubled backquote in names. A doubled quote ends one literal and
    /// starts another.
    fn quoted(&mut self, quote: char) -> Result<(), Fault> {
        let start = self.scanner.at;
        let mut chars = self.scanner.rest().char_indices().skip(1).peekable();
        while let Some((index, c)) = chars.next() {
            if c == '\\' && quote != '`' {
                chars.next();
            } else if c == quote && !(quote == '`' && chars.next_if(|(_, next)| *next == '`').is_some()) {
                self.scanner.at += index + 1;
                return Ok(());
            }
        }
        Err(open(start, start + 1, "this quote is not closed", "close it with the same character"))
    }

    fn variable(&mut self) -> Kind {
        let mut depth = 0;
        // Not searched further; otherwise a text of many openings would take quadratic time.
        for (index, c) in self.scanner.rest().char_indices().take(MAX_VARIABLE) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => continue,
            }
            if depth == 0 {
                self.scanner.at += index + 1;
                return Kind::Variable;
            }
        }
        self.scanner.at += 1;
        Kind::Sign
    }

    /// A number, or a name that starts with a digit.
    fn number(&mut self) -> Kind {
        let digits = |c: char| c.is_ascii_digit();
        self.scanner.run(digits);
        let mut chars = self.scanner.rest().chars();
        if chars.next() == Some('.') && chars.next().is_some_and(digits) {
            self.scanner.at += 1;
            self.scanner.run(digits);
        }
        let letters = self.scanner.run(is_name_part);
        let (exponent, sign) = match letters.strip_prefix(['e', 'E']) {
            Some("") => (true, self.scanner.rest().starts_with(['+', '-'])),
            Some(rest) if rest.chars().all(digits) => return Kind::Number,
            _ => (false, false),
        };
        if exponent && sign && self.scanner.rest()[1..].starts_with(digits) {
            self.scanner.at += 1;
            self.scanner.run(is_name_part);
            return Kind::Number;
        }
        match NUMBER_TYPES.iter().any(|name| letters.eq_ignore_ascii_case(name)) {
            true => Kind::Number,
            false => Kind::Word,
        }
    }
}

fn open(start: usize, end: usize, message: &'static str, help: &'static str) -> Fault {
    Fault { span: Span::new(start, end), message, help }
}
