//! Texts with placeholders: `sql/{job}/{day}.sql`.

use saltplan_document::diag::{Span, Spanned};

/// Values by name.
pub(crate) type NamedValues = [(String, String)];

/// A text with names in braces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobPattern {
    /// As written.
    pub text: Spanned<String>,
    parts: Vec<JobPatternPart>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum JobPatternPart {
    Text(String),
    Name(String),
}

/// What is wrong with a pattern, with its byte range.
#[derive(Debug, PartialEq, Eq)]
pub struct PatternFault {
    pub span: Span,
    pub reason: &'static str,
}

impl JobPattern {
    /// # Errors
    /// A brace without its counterpart, or an invalid name.
    pub fn parse(text: Spanned<String>) -> Result<Self, PatternFault> {
        let mut parts = Vec::new();
        let written = text.value.as_str();
        let mut at = 0;
        while let Some(found) = written[at..].find(['{', '}']) {
            let open = at + found;
            if open > at {
                parts.push(JobPatternPart::Text(written[at..open].to_string()));
            }
            let fault = |end: usize, reason| Err(PatternFault { span: Span::new(open, end), reason });
            if written[open..].starts_with('}') {
                return fault(open + 1, "a closing brace without an opening one");
            }
            let Some(length) = written[open..].find('}') else {
                return fault(written.len(), "an opening brace without a closing one");
            };
            let (name, end) = (&written[open + 1..open + length], open + length + 1);
            if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
                return fault(end, "a name in braces has letters, digits and `_`");
            }
            parts.push(JobPatternPart::Name(name.to_string()));
            at = end;
        }
        if at < written.len() {
            parts.push(JobPatternPart::Text(written[at..].to_string()));
        }
        Ok(JobPattern { text, parts })
    }

    /// The pattern with a word at its end.
    #[must_use]
    pub fn followed_by(mut self, word: &str) -> Self {
        self.text.value.push_str(word);
        self.parts.push(JobPatternPart::Text(word.into()));
        self
    }

    /// The pattern of a path with a word at the end of its last part, before the extension.
    #[must_use]
    pub fn beside(mut self, word: &str) -> Self {
        let (name, dot) = match self.parts.pop() {
            Some(JobPatternPart::Text(text)) => {
                let start = text.rfind('/').map_or(0, |slash| slash + 1);
                let dot = text[start..].rfind('.').map_or(text.len(), |dot| start + dot);
                (JobPatternPart::Text(format!("{}{word}{}", &text[..dot], &text[dot..])), text.len() - dot)
            }
            Some(name) => {
                self.parts.push(name);
                (JobPatternPart::Text(word.into()), 0)
            }
            None => (JobPatternPart::Text(word.into()), 0),
        };
        self.text.value.insert_str(self.text.value.len() - dot, word);
        self.parts.push(name);
        self
    }

    /// The names in braces.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            JobPatternPart::Name(name) => Some(name.as_str()),
            JobPatternPart::Text(_) => None,
        })
    }

    /// The text with values for its names; a name without a value stays as it is.
    pub fn fill(&self, values: &NamedValues) -> String {
        let mut filled = String::with_capacity(self.text.value.len());
        for part in &self.parts {
            match part {
                JobPatternPart::Text(text) => filled.push_str(text),
                JobPatternPart::Name(name) => match values.iter().find(|(known, _)| known == name) {
                    Some((_, value)) => filled.push_str(value),
                    None => filled.push_str(&format!("{{{name}}}")),
                },
            }
        }
        filled
    }

    /// The text before the first name.
    pub fn start(&self) -> &str {
        match self.parts.first() {
            Some(JobPatternPart::Text(text)) => text,
            _ => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> Result<JobPattern, PatternFault> {
        JobPattern::parse(Spanned::new(text.to_string(), Span::default()))
    }

    #[test]
    fn names_become_values() {
        let values = [("day".to_string(), "20200406".to_string())];
        for (text, filled) in
            [("a/{day}.sql", "a/20200406.sql"), ("{day}{day}", "2020040620200406"), ("", ""), ("x", "x")]
        {
            assert_eq!(pattern(text).expect(text).fill(&values), filled);
        }
        let both = pattern("a/{job}_{day}.sql").expect("a pattern");
        assert_eq!(both.names().collect::<Vec<_>>(), ["job", "day"]);
        assert_eq!((both.fill(&values).as_str(), both.start()), ("a/{job}_20200406.sql", "a/"));
    }

    #[test]
    fn a_word_is_put_before_the_extension() {
        let values = [("day".to_string(), "1".to_string())];
        for (text, beside) in [
            ("a.b/{day}.sql", "a.b/1_check.sql"),
            ("a.b/{day}", "a.b/1_check"),
            ("a.b/x", "a.b/x_check"),
            ("x{day}y.tar.gz", "x1y.tar_check.gz"),
        ] {
            let pattern = pattern(text).expect("a pattern").beside("_check");
            assert_eq!(pattern.fill(&values), beside);
            assert_eq!(pattern.text.value.replace("{day}", "1"), beside);
        }
    }

    #[test]
    fn braces_have_partners_and_names() {
        for text in ["{", "a}", "{}", "{a b}", "{{day}}", "é{"] {
            assert!(pattern(text).is_err(), "{text}");
        }
        assert_eq!(pattern("a{b").expect_err("a fault").span, Span::new(1, 3));
    }
}
