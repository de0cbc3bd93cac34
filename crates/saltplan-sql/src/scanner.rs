//! Reads a text from left to right, for lexers of HiveQL.

/// A position in a text.
#[derive(Debug)]
pub struct Scanner<'t> {
    pub text: &'t str,
    /// A byte offset.
    pub at: usize,
}

/// Where a comment starts that is not closed, as a byte offset.
#[derive(Debug)]
pub struct OpenComment(pub usize);

impl<'t> Scanner<'t> {
    /// At the start of a text.
    pub fn new(text: &'t str) -> Self {
        Scanner { text, at: 0 }
    }

    /// The text from here on.
    pub fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Consumes characters while they match.
    pub fn run(&mut self, fits: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Skips blanks and comments. Returns whether anything follows.
    ///
    /// # Errors
    /// A comment is not closed.
    pub fn skip_blanks(&mut self, is_blank: impl Fn(char) -> bool) -> Result<bool, OpenComment> {
        loop {
            self.run(&is_blank);
            if self.rest().starts_with("--") {
                self.run(|c| c != '\n' && c != '\r');
            } else if self.rest().starts_with("/*") {
                self.comment()?;
            } else {
                return Ok(!self.rest().is_empty());
            }
        }
    }

    /// Comments can be nested, as in Hive.
    fn comment(&mut self) -> Result<(), OpenComment> {
        let start = self.at;
        let mut depth = 0;
        while let Some(next) = self.rest().find(['/', '*']) {
            self.at += next;
            match self.rest().get(..2) {
                Some("/*") => depth += 1,
                Some("*/") => depth -= 1,
                _ => {
                    self.at += 1;
                    continue;
                }
            }
            self.at += 2;
            if depth == 0 {
                return Ok(());
            }
        }
        Err(OpenComment(start))
    }
}

/// Whether a character may be part of a name without quotes.
pub fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
