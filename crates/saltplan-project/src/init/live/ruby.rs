//! The literals of Ruby that commands of the HBase shell are written in.

/// A literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A text in quotes, with its escapes resolved.
    Text(String),
    /// A number, `true`, or a constant such as `NAME`.
    Word(String),
    List(Vec<Value>),
    /// The names are texts or constants.
    Hash(Vec<(String, Value)>),
}

/// The deepest nesting of lists and hashes.
const MAX_DEPTH: usize = 8;

/// Reads literals. An error is the byte at which something else begins.
pub struct Code<'t> {
    text: &'t str,
    at: usize,
}

type Read<T> = Result<T, usize>;

/// The end of the comment `=begin … =end` that begins at this offset, which both are lines of their own; `Some(None)` if it does
/// not end.
pub fn comment_block(text: &str, at: usize) -> Option<Option<usize>> {
    let is_line = |rest: &str, word: &str| {
        rest.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
    };
    let begins = (at == 0 || text[..at].ends_with('\n')) && is_line(&text[at..], "=begin");
    begins.then(|| {
        let mut end = at;
        for line in text[at..].split_inclusive('\n') {
            end += line.len();
            if is_line(line, "=end") {
                return Some(end);
            }
        }
        None
    })
}

impl<'t> Code<'t> {
    pub fn new(text: &'t str, at: usize) -> Self {
        Code { text, at }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The first argument of a command.
    ///
    /// # Errors
    /// It is no literal.
    pub fn first_argument(&mut self) -> Read<Value> {
        self.skip_blanks();
        self.take("(");
        self.skip();
        self.value(0)
    }

    /// The arguments of a command, up to the end of its line. `NAME => value` without braces are one hash.
    ///
    /// # Errors
    /// Something is no literal.
    pub fn arguments(&mut self) -> Read<Vec<Value>> {
        self.skip_blanks();
        let is_bracketed = self.take("(");
        let mut values = Vec::new();
        let mut loose = Vec::new();
        loop {
            self.skip();
            let start = self.at;
            let value = self.value(0)?;
            self.skip_blanks();
            match (self.take("=>"), value) {
                (true, Value::Text(name) | Value::Word(name)) => {
                    self.skip();
                    loose.push((name, self.value(0)?));
                }
                (true, _) => return Err(start),
                (false, value) => values.push(value),
            }
            self.skip_blanks();
            if !self.take(",") {
                break;
            }
        }
        if is_bracketed {
            self.skip();
            self.expect(")")?;
        }
        if !loose.is_empty() {
            values.push(Value::Hash(loose));
        }
        self.skip_blanks();
        let ends = |sign: char| matches!(sign, '\n' | '\r' | ';' | '#');
        if self.rest().chars().next().is_none_or(ends) { Ok(values) } else { Err(self.at) }
    }

    fn value(&mut self, depth: usize) -> Read<Value> {
        if depth > MAX_DEPTH {
            return Err(self.at);
        }
        match self.rest().chars().next() {
            Some('\'' | '"') => Ok(Value::Text(self.text_in_quotes()?)),
            Some('[') => self.list(depth),
            Some('{') => self.hash(depth),
            Some(sign) if sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-') => {
                Ok(Value::Word(self.word()))
            }
            _ => Err(self.at),
        }
    }

    fn list(&mut self, depth: usize) -> Read<Value> {
        self.expect("[")?;
        let mut items = Vec::new();
        loop {
            self.skip();
            if self.take("]") {
                return Ok(Value::List(items));
            }
            items.push(self.value(depth + 1)?);
            self.skip();
            if !self.take(",") {
                self.expect("]")?;
                return Ok(Value::List(items));
            }
        }
    }

    fn hash(&mut self, depth: usize) -> Read<Value> {
        self.expect("{")?;
        let mut entries = Vec::new();
        loop {
            self.skip();
            if self.take("}") {
                return Ok(Value::Hash(entries));
            }
            let start = self.at;
            let (Value::Text(name) | Value::Word(name)) = self.value(depth + 1)? else { return Err(start) };
            self.skip();
            self.expect("=>")?;
            self.skip();
            entries.push((name, self.value(depth + 1)?));
            self.skip();
            if !self.take(",") {
                self.expect("}")?;
                return Ok(Value::Hash(entries));
            }
        }
    }

    /// A number or a constant, such as `org.apache.hadoop.hbase.HConstants::FOREVER`.
    fn word(&mut self) -> String {
        let is_part = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-' | '.' | ':');
        let end = self.rest().find(|sign| !is_part(sign)).unwrap_or(self.rest().len());
        let word = &self.rest()[..end];
        self.at += end;
        let is_number = word.starts_with(|sign: char| sign.is_ascii_digit());
        if is_number { word.replace('_', "") } else { word.to_string() }
    }

    fn text_in_quotes(&mut self) -> Read<String> {
        let start = self.at;
        let quote = self.rest().chars().next().ok_or(start)?;
        self.at += 1;
        let mut value = String::new();
        loop {
            let sign = self.next().ok_or(start)?;
            match sign {
                _ if sign == quote => return Ok(value),
                '\\' if quote == '\'' => match self.next().ok_or(start)? {
                    escaped @ ('\\' | '\'') => value.push(escaped),
                    other => value.extend(['\\', other]),
                },
                '\\' => value.push(self.escaped().ok_or(start)?),
                '#' if quote == '"' && self.rest().starts_with(['{', '$', '@']) => return Err(start),
                _ => value.push(sign),
            }
        }
    }

    /// The character behind a backslash in double quotes. Bytes from `\x80` on are not characters, and become U+FFFD as in the shell.
    fn escaped(&mut self) -> Option<char> {
        let digits = |code: &mut Self, radix: u32, most: usize| {
            let rest = code.rest();
            let end = rest.find(|sign: char| !sign.is_digit(radix)).unwrap_or(rest.len()).min(most);
            let number = u32::from_str_radix(&rest[..end], radix).ok()?;
            code.at += end;
            Some(number)
        };
        let byte = |number: u32| {
            if number < 0x80 { char::from_u32(number) } else { Some(char::REPLACEMENT_CHARACTER) }
        };
        match self.next()? {
            'x' => byte(digits(self, 16, 2)?),
            'u' if self.take("{") => {
                let number = digits(self, 16, 6)?;
                self.take("}").then(|| char::from_u32(number))?
            }
            'u' => char::from_u32(digits(self, 16, 4)?),
            first @ '0'..='7' => {
                self.at -= first.len_utf8();
                byte(digits(self, 8, 3)?)
            }
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            'e' => Some('\u{1B}'),
            's' => Some(' '),
            'a' => Some('\u{7}'),
            'b' => Some('\u{8}'),
            'f' => Some('\u{C}'),
            'v' => Some('\u{B}'),
            // `\c`, `\C-` and `\M-` are other keys of a keyboard.
            'c' | 'C' | 'M' => None,
            other => Some(other),
        }
    }

    fn next(&mut self) -> Option<char> {
        let sign = self.rest().chars().next()?;
        self.at += sign.len_utf8();
        Some(sign)
    }

    fn take(&mut self, sign: &str) -> bool {
        let is_there = self.rest().starts_with(sign);
        if is_there {
            self.at += sign.len();
        }
        is_there
    }

    fn expect(&mut self, sign: &str) -> Read<()> {
        if self.take(sign) { Ok(()) } else { Err(self.at) }
    }

    /// Skips blanks, and a backslash that continues the line.
    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            self.at += blanks;
            if !(self.take("\\\n") || self.take("\\\r\n")) {
                return;
            }
        }
    }

    /// Skips blanks, ends of lines, and comments: where a literal or a sign must follow, Ruby reads on.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            if self.take("\\\n") || self.take("\\\r\n") {
                continue;
            }
            if let Some(Some(end)) = comment_block(self.text, self.at) {
                self.at = end;
                continue;
            }
            let rest = self.rest();
            if !rest.starts_with('#') {
                return;
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        match Code::new(text, 0).arguments() {
            Ok(values) => values.iter().map(value_text).collect::<Vec<_>>().join(" "),
            Err(at) => format!("not a literal: {}", &text[at..]),
        }
    }

    fn value_text(value: &Value) -> String {
        match value {
            Value::Text(text) => format!("{text:?}"),
            Value::Word(word) => word.clone(),
            Value::List(items) => format!("[{}]", items.iter().map(value_text).collect::<Vec<_>>().join(" ")),
            Value::Hash(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(name, value)| format!("{name}={}", value_text(value))).collect();
                format!("{{{}}}", entries.join(" "))
            }
        }
    }

    #[test]
    fn literals_of_ruby() {
        for (text, expected) in [
            ("'t', 'f'", r#""t" "f""#),
            ("('t',\n 'f') # a comment", r#""t" "f""#),
            (
                "'t', {NAME => 'f', # one\n VERSIONS => 1_000}, SPLITS => ['a','b',], N => 2",
                r#""t" {NAME="f" VERSIONS=1000} {SPLITS=["a" "b"] N=2}"#,
            ),
            (r"'it\'s \x01 \\ \n'", r#""it's \\x01 \\ \\n""#),
            (r#""\x01\u00e9\u{1F600}\101\e\"\#{a}""#, "\"\\u{1}é😀A\\u{1b}\\\"#{a}\""),
            ("'t', {\"a\" => {'b' => true}}", r#""t" {a={b=true}}"#),
            ("'t', \\\n  'f'", r#""t" "f""#),
            ("'t', :f", "not a literal: :f"),
            (r#""a#{b}""#, r#"not a literal: "a#{b}""#),
            ("'t', SPLITS => (1..3).map {|i| i}", "not a literal: (1..3).map {|i| i}"),
            ("'t', SPLITS => %w(a b)", "not a literal: %w(a b)"),
            ("'t', 'f' if true", "not a literal: if true"),
            ("'t', ['a'].map { |a| a }", "not a literal: .map { |a| a }"),
            ("'t", "not a literal: 't"),
            ("'t', {NAME", "not a literal: "),
            ("", "not a literal: "),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        let deep = "[".repeat(100_000);
        assert!(read(&deep).starts_with("not a literal"));
    }
}
