//! What differs between the languages: literals, names and comments.

use std::collections::BTreeSet;

use saltplan_document::diag::visible::is_sign;

/// A programming language in which a writer can be printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// Java 8 and later; Scala uses the same class.
    Java,
    /// Python 3.8 and later.
    Python,
}

/// Words that cannot be names in Java (Java Language Specification, 3.9), and `java`, which would hide the package.
const JAVA_WORDS: &str = "_ abstract assert boolean break byte case catch char class const continue default do double else \
    enum extends false final finally float for goto if implements import instanceof int interface long native new null \
    package private protected public return short static strictfp super switch synchronized this throw throws transient true \
    try void volatile while java";

/// Words that cannot be names in Python (`keyword.kwlist`).
const PYTHON_WORDS: &str = "False None True and as assert async await break class continue def del elif else except finally \
    for from global if import in is lambda nonlocal not or pass raise return try while with yield";

/// Words that cannot be names of classes, and names that classes use: a class must not hide them.
const JAVA_CLASSES: &str = "record sealed permits var yield \
    String Object Long Integer Character Arrays List ArrayList Math System";
const PYTHON_CLASSES: &str = "_ match case type encode decode cls self \
    bytes int str len range datetime dataclass re hashlib zlib bisect unicodedata Optional ValueError";

/// The methods of a class, which Python looks up like its members.
const PYTHON_METHODS: [&str; 2] = ["encode", "decode"];

impl Language {
    pub const ALL: [Language; 2] = [Language::Java, Language::Python];

    /// One of two values for the languages.
    pub(crate) fn pick<T>(self, java: T, python: T) -> T {
        match self {
            Language::Java => java,
            Language::Python => python,
        }
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.pick("java", "python")
    }

    /// The template of the class, or of its test.
    pub(crate) fn template(self, is_test: bool) -> &'static str {
        match is_test {
            false => self.pick("writer/class.java", "writer/class.py"),
            true => self.pick("writer/test.java", "writer/test.py"),
        }
    }

    /// The words of the language that cannot be names.
    fn words(self) -> impl Iterator<Item = &'static str> {
        self.pick(JAVA_WORDS, PYTHON_WORDS).split_whitespace()
    }

    /// Whether a member of this name would hide something that the text of a class uses. In Java those are classes and
    /// constants, because methods and local variables have other names; in Python the names of the module, because
    /// everything else is an attribute or the argument of a function.
    fn hides(self, name: &str) -> bool {
        match self {
            Language::Java => name.starts_with(|c: char| c.is_ascii_uppercase()),
            Language::Python => name.starts_with('_') || PYTHON_METHODS.contains(&name),
        }
    }

    /// Whether a text can be the name of a class.
    pub(crate) fn is_name(self, text: &str) -> bool {
        let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let classes = self.pick(JAVA_CLASSES, PYTHON_CLASSES).split_whitespace();
        starts
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !self.words().chain(classes).any(|word| word == text)
    }

    pub(crate) fn null(self) -> &'static str {
        self.pick("null", "None")
    }

    /// The name of a constant of a field.
    pub(crate) fn constant(self, what: &str, field: &str) -> String {
        format!("{}{what}_OF_{}", self.pick("", "_"), field.to_uppercase())
    }

    /// A string literal.
    pub(crate) fn string(self, text: &str) -> String {
        format!("\"{}\"", self.escaped(text, false))
    }

    /// The text between the quotes of a literal. In a Python f-string, braces are doubled.
    fn escaped(self, text: &str, formatted: bool) -> String {
        let mut out = String::new();
        for c in text.chars() {
            match (self, c) {
                (_, '\\' | '"') => out.extend(['\\', c]),
                (Language::Python, '{' | '}') if formatted => out.extend([c, c]),
                // Java reads `\uXXXX` before it reads literals, so control characters are octal.
                (Language::Java, '\0'..='\x1F') => out.push_str(&format!("\\{:03o}", c as u32)),
                (Language::Java, _) if c.is_ascii() => out.push(c),
                (Language::Java, _) => out.push_str(&java_escape(c)),
                (Language::Python, ' '..='~') => out.push(c),
                (Language::Python, _) if c.is_alphanumeric() => out.push(c),
                (Language::Python, _) => out.push_str(&python_escape(c)),
            }
        }
        out
    }

    /// A literal of bytes.
    pub(crate) fn bytes(self, bytes: &[u8]) -> String {
        match self {
            Language::Java => {
                let items: Vec<String> = bytes.iter().map(|byte| java_byte(*byte)).collect();
                format!("new byte[] {{{}}}", items.join(", "))
            }
            Language::Python => {
                let text = bytes.iter().map(|byte| match byte {
                    b'"' | b'\\' => format!("\\{}", char::from(*byte)),
                    b' '..=b'~' => char::from(*byte).to_string(),
                    _ => format!("\\x{byte:02x}"),
                });
                format!("b\"{}\"", text.collect::<String>())
            }
        }
    }

    /// A literal of a whole number of 64 bits.
    pub(crate) fn number(self, number: i64) -> String {
        self.pick(format!("{number}L"), number.to_string())
    }

    /// A literal of 64 bits.
    pub(crate) fn bits(self, bits: u64) -> String {
        self.pick(format!("0x{bits:X}L"), format!("0x{bits:X}"))
    }

    /// Text for a comment or a docstring.
    pub(crate) fn comment(self, text: &str) -> String {
        let mut out = String::new();
        for c in text.chars() {
            match (self, c) {
                (Language::Java, '\\' | '<' | '>' | '&' | '@' | '*' | '/') => {
                    out.push_str(&format!("&#{};", c as u32));
                }
                (Language::Python, '\\' | '"') => out.extend(['\\', c]),
                _ if is_sign(c) => out.push_str(&format!("U+{:04X}", c as u32)),
                _ => out.push(c),
            }
        }
        out
    }

    /// An expression for a message, a text with `{holes}`. `None` if a hole has nothing to be filled with.
    pub(crate) fn message(self, template: &str, fill: impl Fn(&str) -> Option<Fill>) -> Option<String> {
        let mut pieces: Vec<Fill> = Vec::new();
        // Every second part is the name of a hole.
        for (index, part) in template.split(['{', '}']).enumerate() {
            let piece = if index % 2 == 0 { Fill::Text(part.into()) } else { fill(part)? };
            match (pieces.last_mut(), piece) {
                (Some(Fill::Text(before)), Fill::Text(text)) => before.push_str(&text),
                (_, Fill::Text(text)) if text.is_empty() => {}
                (_, piece) => pieces.push(piece),
            }
        }
        let has_holes = pieces.iter().any(|piece| matches!(piece, Fill::Expression(_)));
        let written: Vec<String> = pieces
            .into_iter()
            .map(|piece| match (self, piece) {
                (Language::Java, Fill::Text(text)) => self.string(&text),
                (Language::Java, Fill::Expression(code)) => code,
                (Language::Python, Fill::Text(text)) => self.escaped(&text, has_holes),
                (Language::Python, Fill::Expression(code)) => format!("{{{code}}}"),
            })
            .collect();
        Some(match self {
            Language::Java => written.join(" + "),
            Language::Python => format!("{}\"{}\"", if has_holes { "f" } else { "" }, written.concat()),
        })
    }

    /// The file as it is printed. Java reads sources in the encoding of the machine, so the text is ASCII: an
    /// escape is a character anywhere in Java.
    pub(crate) fn file(self, text: String) -> String {
        match self {
            Language::Python => text,
            Language::Java => {
                let escaped = |c: char| if c.is_ascii() { c.to_string() } else { java_escape(c) };
                text.chars().map(escaped).collect()
            }
        }
    }
}

/// What a hole of a message is filled with.
#[derive(Debug)]
pub(crate) enum Fill {
    /// A constant.
    Text(String),
    /// Code.
    Expression(String),
}

/// An escape that is a character anywhere in Java.
fn java_escape(c: char) -> String {
    c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04X}")).collect()
}

fn java_byte(byte: u8) -> String {
    match byte {
        b'\'' | b'\\' => format!("'\\{}'", char::from(byte)),
        b' '..=b'~' => format!("'{}'", char::from(byte)),
        0..=0x7F => byte.to_string(),
        _ => format!("(byte) 0x{byte:02X}"),
    }
}

/// An escape that both string literals and regular expressions of Python know.
pub(crate) fn python_escape(c: char) -> String {
    match c as u32 {
        code @ 0..=0xFF => format!("\\x{code:02x}"),
        code @ 0x100..=0xFFFF => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    }
}

/// Gives each thing of a class its own name.
#[derive(Debug)]
pub(crate) struct Names {
    language: Language,
    /// The names in the text of the template.
    of_template: BTreeSet<String>,
    used: BTreeSet<String>,
}

impl Names {
    /// Names for a class that a template prints.
    pub(crate) fn new(language: Language, template: &str) -> Self {
        let of_template = template.split(|c: char| !is_letter_or_digit(c)).map(String::from).collect();
        Names { language, of_template, used: language.words().map(String::from).collect() }
    }

    /// Takes a name that is fixed.
    pub(crate) fn take(&mut self, name: &str) {
        self.used.insert(name.to_string());
    }

    /// The name of a member like `wanted`, which callers use: it changes only if the language or the class
    /// demands it. Members are named before anything else.
    pub(crate) fn member(&mut self, wanted: &str) -> String {
        let language = self.language;
        self.unlike(wanted, |names, name| language.hides(name) && names.of_template.contains(name))
    }

    /// A name like `wanted` that only the class uses.
    pub(crate) fn fresh(&mut self, wanted: &str) -> String {
        self.unlike(wanted, |names, name| names.of_template.contains(name))
    }

    /// Other characters than letters and digits become `_`, and `_` is appended to a name that is already used.
    fn unlike(&mut self, wanted: &str, is_taken: impl Fn(&Self, &str) -> bool) -> String {
        let mut name: String = wanted.chars().map(|c| if is_letter_or_digit(c) { c } else { '_' }).collect();
        // Python changes names that start with two underscores.
        let is_changed = name.starts_with("__") && self.language == Language::Python;
        if name.starts_with(|c: char| c.is_ascii_digit()) || is_changed || name.is_empty() {
            name.insert(0, 'f');
        }
        while self.used.contains(&name) || is_taken(self, &name) {
            name.push('_');
        }
        self.used.insert(name.clone());
        name
    }
}

/// Characters of names in both languages, which Python's normalisation (NFKC) leaves alone.
fn is_letter_or_digit(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '_' | 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ÿ' | 'А'..='я' | 'ぁ'..='ゖ' | 'ァ'..='ヺ' | '一'..='鿿' | '가'..='힣')
}

/// `opera_day` as `OperaDay`.
pub(crate) fn pascal(name: &str) -> String {
    let mut out = String::new();
    let mut starts = true;
    for c in name.chars() {
        if !is_letter_or_digit(c) || c == '_' {
            starts = true;
        } else if starts {
            out.extend(c.to_uppercase().take(1));
            starts = false;
        } else {
            out.push(c);
        }
    }
    out
}

/// A name for a class: it must not start with a digit.
pub(crate) fn type_name(name: &str) -> String {
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("T{name}") } else { name.into() }
}

/// `OperaDayKey` as `opera_day_key`.
pub(crate) fn snake(name: &str) -> String {
    let mut out = String::new();
    let mut before = '_';
    for c in name.chars() {
        if c.is_ascii_uppercase() && before != '_' && !before.is_ascii_uppercase() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid_and_unique() {
        let mut names = Names::new(Language::Java, "Arrays.copyOf(key, at); // Class");
        let named: Vec<String> =
            ["class", "a-b", "a_b", "1st", "日期", "", "__x", "Class", "Arrays", "at", "record"]
                .map(|name| names.member(name))
                .into();
        assert_eq!(
            named,
            ["class_", "a_b", "a_b_", "f1st", "日期", "f", "__x", "Class_", "Arrays_", "at", "record"]
        );
        assert_eq!(
            (names.fresh("key"), names.fresh("record"), names.fresh("end")),
            ("key_".into(), "record_".into(), "end".into())
        );
        let mut names = Names::new(Language::Python, "def _salt(text):");
        let named = ["lambda", "text", "_salt", "_other", "decode", "len"].map(|name| names.member(name));
        assert_eq!(named, ["lambda_", "text", "_salt_", "_other", "decode", "len"]);
        assert_eq!((pascal("t_wx-log.v2"), snake("TWxLogKey")), ("TWxLogV2".into(), "twx_log_key".into()));
    }

    #[test]
    fn literals_keep_their_text() {
        let text = "a\"\\\n{日}\u{301}";
        assert_eq!(Language::Java.string(text), "\"a\\\"\\\\\\012{\\u65E5}\\u0301\"");
        assert_eq!(Language::Java.file("日😀".into()), "\\u65E5\\uD83D\\uDE00");
        assert_eq!(Language::Python.string(text), "\"a\\\"\\\\\\x0a{日}\\u0301\"");
        assert_eq!(Language::Java.bytes(b"'_\xFF\0"), "new byte[] {'\\'', '_', (byte) 0xFF, 0}");
        assert_eq!(Language::Python.bytes(b"\"_\xFF\0"), "b\"\\\"_\\xff\\x00\"");
        assert_eq!(Language::Java.comment("*/ \\u0041"), "&#42;&#47; &#92;u0041");
    }
}
