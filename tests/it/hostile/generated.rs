//! Random malicious names, values and comments. The output is parsed by independent readers: values are
//! inside their literals, comments on their lines, and the statements are the same as for harmless values.

use super::{Run, saltplan, write};

const TURNS: u64 = 12;

/// Ends or starts of quotes, comments, statements, templates and terminal escapes.
const PARTS: [&str; 44] = [
    "'",
    "\"",
    "`",
    "\\",
    "\\\\",
    "''",
    "\\'",
    ";",
    "--",
    "-- ",
    "/*",
    "*/",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "\u{1}",
    "\u{1B}[31m",
    "\u{7F}",
    "\u{85}",
    "\u{9B}2J",
    "\u{2028}",
    "\u{202E}",
    "\u{FEFF}",
    "${hivevar:x}",
    "${x}",
    "#{1}",
    "#$0",
    "$$",
    "{{ x }}",
    "{% x %}",
    "\nDROP TABLE x;\n",
    "'; DROP TABLE x; --",
    "%",
    "_",
    ")",
    ",",
    "|",
    "\\|",
    "<b>",
    "](x)",
    "漢",
    "😀",
    "\u{10FFFF}",
];

/// SplitMix64.
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) as usize % count
    }

    fn text(&mut self) -> String {
        let count = 1 + self.below(6);
        // A letter at both ends, because shells remove blanks around a parameter.
        (0..count).fold(String::from("x"), |text, _| text + PARTS[self.below(PARTS.len())]) + "x"
    }
}

/// A parameter value without placeholders of a scheduler, which would be refused.
fn filled_in(text: &str) -> String {
    text.replace("{{", "{ {").replace("${", "$").replace("{%", "{").replace("#{", "#").replace("$[", "$")
}

/// The texts of one round.
struct Texts {
    file: String,
    key: String,
    value: String,
    qualifier: String,
    policy: String,
    splits: [String; 2],
    comment: String,
}

impl Texts {
    fn harmless() -> Self {
        Texts::plain("xx")
    }

    fn plain(word: &str) -> Self {
        let text = || String::from(word);
        Texts {
            file: text(),
            key: filled_in(&text()),
            value: filled_in(&text()),
            qualifier: text(),
            policy: text(),
            splits: [format!("a{word}"), format!("b{word}")],
            comment: text(),
        }
    }

    fn hostile(chance: &mut Chance) -> Self {
        Texts {
            file: chance.text().replace('/', "-"),
            key: filled_in(&chance.text()),
            value: filled_in(&chance.text()),
            // Hive's mapping cannot contain a blank, a comma, a colon or a `#`.
            qualifier: chance
                .text()
                .replace(|c: char| c.is_whitespace() || c.is_control() || ",:#".contains(c), "-"),
            policy: chance.text(),
            splits: [format!("a{}", chance.text()), format!("b{}", chance.text())],
            comment: chance.text().replace("*/", "* /").replace("/*", "/ *"),
        }
    }

    fn schema(&self) -> String {
        format!(
            "saltplan: 1\n\
             hbase: {{ table: t, families: {{ f: {{ storage_policy: {} }} }} }}\n\
             key: {{ fields: [{{ name: id, type: string }}] }}\n\
             regions: {{ explicit: [{}, {}] }}\n\
             columns: [{{ name: c, type: string, hbase: {} }}]\n\
             hive: {{ mapping: {{ table: m, key_column: rowkey }}, target: {{ table: target, columns: [c] }} }}\n",
            yaml(&format!("{}\u{1}\"#'", self.policy)),
            yaml(&binary(self.splits[0].as_bytes())),
            yaml(&binary(self.splits[1].as_bytes())),
            yaml(&format!("f:{}", self.qualifier)),
        )
    }

    /// The output of every command, in order.
    fn printed(&self) -> Vec<(&'static str, Run)> {
        let folder = tempfile::tempdir().expect("a folder");
        let name = format!("{}.yaml", self.file);
        write(folder.path(), &name, self.schema());
        let predicate = format!("id = :key AND (c /* {} */ = :value OR c IS NULL)", self.comment);
        let (key, value) = (format!("key={}", self.key), format!("value={}", self.value));
        let asked = [predicate.as_str(), "--param", &key, "--param", &value];
        let run = |words: &[&str]| {
            let (command, rest) = words.split_first().expect("a command");
            let arguments: Vec<&str> = [*command, &name].into_iter().chain(rest.iter().copied()).collect();
            saltplan(folder.path(), &arguments)
        };
        let with = |command: &'static str, more: &[&'static str]| {
            run(&[command].into_iter().chain(asked).chain(more.iter().copied()).collect::<Vec<_>>())
        };
        vec![
            ("sql", with("plan", &["--allow-partial"])),
            ("sql", with("plan", &["--select", "--engine", "mr"])),
            ("sql", run(&["load", "--from", "a.b"])),
            ("sql", run(&["verify"])),
            ("sql", run(&["splits", "--emit-sql", "--regions", "3"])),
            ("sql", run(&["ddl", "--only", "mapping,target"])),
            ("ruby", run(&["ddl", "--only", "hbase"])),
            ("ruby", with("scan", &[])),
            ("text", with("explain", &[])),
            ("json", with("explain", &["--output-format", "json"])),
            ("json", with("plan", &["--output-format", "json", "--allow-partial"])),
        ]
    }
}

/// A double-quoted YAML text.
fn yaml(text: &str) -> String {
    let shown = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        ' '..='~' => c.to_string(),
        _ => format!("\\U{:08X}", u32::from(c)),
    };
    format!("\"{}\"", text.chars().map(shown).collect::<String>())
}

/// Bytes as the HBase shell prints them.
fn binary(bytes: &[u8]) -> String {
    let shown = |byte: &u8| match byte {
        b'\\' => "\\x5C".to_string(),
        b' '..=b'~' => char::from(*byte).to_string(),
        _ => format!("\\x{byte:02X}"),
    };
    bytes.iter().map(shown).collect()
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Comment,
    Literal(Vec<u8>),
    Name(String),
    Plain(char),
}

/// The characters of a text, from left to right.
struct Reader<'a>(std::iter::Peekable<std::str::Chars<'a>>);

impl Reader<'_> {
    fn number(&mut self, digits: usize, base: u32) -> u32 {
        let digits: String = (0..digits).map(|_| self.0.next().expect("a digit")).collect();
        u32::from_str_radix(&digits, base).expect("a number")
    }

    fn line(&mut self) {
        while self.0.next_if(|c| *c != '\n' && *c != '\r').is_some() {}
    }

    /// A Hive literal after its first quote, as `unescapeSQLString` reads it: `\uXXXX` is a half of a character above U+FFFF, too.
    fn hive(&mut self, quote: char) -> Vec<u8> {
        let mut units: Vec<u16> = Vec::new();
        loop {
            let c = match self.0.next().expect("the end of a literal") {
                '\\' => match *self.0.peek().expect("an escape") {
                    '0'..='3' => char::from_u32(self.number(3, 8)).expect("a character"),
                    'u' => {
                        self.0.next();
                        units.extend(u16::try_from(self.number(4, 16)));
                        continue;
                    }
                    _ => self.0.next().expect("an escape"),
                },
                c if c == quote => return String::from_utf16(&units).expect("characters").into_bytes(),
                c => c,
            };
            units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
        }
    }

    /// A Ruby string after its first quote.
    fn ruby(&mut self, quote: char) -> Vec<u8> {
        let mut bytes = Vec::new();
        loop {
            match self.0.next().expect("the end of a string") {
                '\\' if quote == '\'' => match self.0.next_if(|c| matches!(c, '\\' | '\'')) {
                    Some(c) => push(&mut bytes, c),
                    None => push(&mut bytes, '\\'),
                },
                '\\' => match self.0.next().expect("an escape") {
                    'x' => {
                        let byte = self.number(2, 16);
                        bytes.push(u8::try_from(byte).expect("a byte"));
                    }
                    'u' => {
                        assert_eq!(self.0.next(), Some('{'));
                        let mut digits = String::new();
                        while let Some(digit) = self.0.next_if(|c| *c != '}') {
                            digits.push(digit);
                        }
                        self.0.next();
                        let code = u32::from_str_radix(&digits, 16).expect("a number");
                        push(&mut bytes, char::from_u32(code).expect("a character"));
                    }
                    'n' => push(&mut bytes, '\n'),
                    'r' => push(&mut bytes, '\r'),
                    't' => push(&mut bytes, '\t'),
                    'e' => push(&mut bytes, '\u{1B}'),
                    c @ ('"' | '\\' | '#') => push(&mut bytes, c),
                    other => panic!("the escape {other}"),
                },
                '#' if quote == '"' => {
                    let next = self.0.peek().copied();
                    assert!(!matches!(next, Some('{' | '$' | '@')), "Ruby would run this part of a string");
                    push(&mut bytes, '#');
                }
                c if c == quote => return bytes,
                c => push(&mut bytes, c),
            }
        }
    }
}

/// Adds the UTF-8 form of a character.
fn push(bytes: &mut Vec<u8>, c: char) {
    bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

fn tokens(form: &str, text: &str) -> Vec<Token> {
    let mut reader = Reader(text.chars().peekable());
    let mut tokens = Vec::new();
    while let Some(c) = reader.0.next() {
        let token = match (form, c) {
            ("sql", '-') if reader.0.next_if_eq(&'-').is_some() => {
                reader.line();
                Token::Comment
            }
            ("sql", '\'' | '"') => Token::Literal(reader.hive(c)),
            ("sql", '`') => {
                let mut name = String::new();
                while let Some(c) = reader.0.next_if(|c| *c != '`') {
                    name.push(c);
                }
                reader.0.next();
                Token::Name(name)
            }
            ("ruby", '#') => {
                reader.line();
                Token::Comment
            }
            ("ruby", '\'' | '"') => Token::Literal(reader.ruby(c)),
            (_, ' ' | '\n') => continue,
            (_, c) => {
                assert!(c.is_ascii_graphic(), "{c:?} outside of a literal:\n{text}");
                Token::Plain(c)
            }
        };
        tokens.push(token);
    }
    tokens
}

/// Tokens without the content of their literals.
fn skeleton(tokens: &[Token]) -> Vec<Token> {
    let bare = |token: &Token| match token {
        Token::Literal(_) => Token::Literal(Vec::new()),
        other => other.clone(),
    };
    tokens.iter().map(bare).collect()
}

/// Only line feeds, and no other characters with an effect on a terminal, a log or a script.
fn assert_shown(text: &str) {
    let bad = |c: &char| {
        c.is_control() && *c != '\n'
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    assert_eq!(text.chars().find(bad), None, "{text:?}");
}

fn check(texts: &Texts, harmless: &[(&str, Run)]) {
    let mut literals = Vec::new();
    for ((form, run), (_, plain)) in texts.printed().iter().zip(harmless) {
        assert_eq!(run.code, plain.code, "{}\n{}", texts.schema(), run.said());
        assert_shown(&run.stdout);
        assert_shown(&run.stderr);
        if *form == "json" {
            let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
            if let Some(sql) = json["sql"].as_str() {
                literals.extend(tokens("sql", sql));
            }
        } else if *form != "text" {
            let found = tokens(form, &run.stdout);
            let wanted = tokens(form, &plain.stdout);
            assert_eq!(skeleton(&found), skeleton(&wanted), "{}\n{}", texts.schema(), run.stdout);
            literals.extend(found);
        }
    }
    let holds = |bytes: &[u8]| literals.contains(&Token::Literal(bytes.to_vec()));
    for text in [&texts.key, &texts.value] {
        assert!(holds(text.as_bytes()), "{text:?} is in no literal");
    }
    assert!(holds(format!(":key,f:{}", texts.qualifier).as_bytes()), "{:?}", texts.qualifier);
    assert!(holds(format!("{}\u{1}\"#'", texts.policy).as_bytes()), "{:?}", texts.policy);
    for split in &texts.splits {
        // The HBase shell commands give the right bytes.
        let quoted = binary(split.as_bytes()).replace('\'', "\\x27");
        assert!(holds(quoted.as_bytes()), "{split:?}");
    }
}

#[cfg(unix)]
#[test]
fn printed_texts_keep_hostile_values_in_literals() {
    let harmless = Texts::harmless().printed();
    for (form, run) in &harmless {
        assert_eq!(run.code, Some(0), "{form}: {}", run.said());
    }
    check(&Texts::harmless(), &harmless);
    let mut chance = Chance(0x5A17);
    for _ in 0..TURNS {
        check(&Texts::hostile(&mut chance), &harmless);
    }
}

impl Texts {
    /// Messages about two schemas, about a live table, and about a rule that does not exist.
    fn compared(&self) -> Vec<(&'static str, Run)> {
        let folder = tempfile::tempdir().expect("a folder");
        let name = format!("{}.yaml", self.file);
        write(folder.path(), "old.yaml", Texts::plain("yy").schema());
        write(folder.path(), &name, self.schema());
        let [first, second] = self.splits.each_ref().map(|key| binary(key.as_bytes()));
        let dump = format!("hbase> get_splits 't'\nTotal number of splits = 2\n{first}\n{second}\n");
        write(folder.path(), &format!("{name}.txt"), dump);
        let dump = format!("{name}.txt");
        let run = |words: &[&str]| saltplan(folder.path(), words);
        vec![
            ("lines", run(&["diff", "old.yaml", &name])),
            ("lines", run(&["diff", &name, "old.yaml"])),
            ("markdown", run(&["diff", "old.yaml", &name, "--output-format", "markdown"])),
            ("json", run(&["diff", "old.yaml", &name, "--output-format", "json"])),
            ("ruby", run(&["drift", "old.yaml", "--from-splits", &dump])),
            ("json", run(&["drift", "old.yaml", "--from-splits", &dump, "--output-format", "json"])),
            ("lines", run(&["rule", &self.value])),
            ("lines", run(&["audit", "old.yaml", "--rules", &self.value])),
        ]
    }
}

/// The cells of a row of a Markdown table. A bar also separates cells inside code, unless a backslash
/// precedes it.
fn cells(row: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut chars = row.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, cells.last_mut()) {
            ('\\', Some(cell)) if chars.next_if_eq(&'|').is_some() => cell.push('|'),
            ('|', _) => cells.push(String::new()),
            (c, Some(cell)) => cell.push(c),
            (_, None) => {}
        }
    }
    cells
}

/// The text outside code, whose ends are runs of equally many backquotes.
fn outside_code(text: &str) -> String {
    let mut outside = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('`') {
        outside.push_str(&rest[..start]);
        let ticks = rest[start..].chars().take_while(|c| *c == '`').count();
        let body = &rest[start + ticks..];
        let run = |from: usize| body[from..].chars().take_while(|c| *c == '`').count();
        let mut at = 0;
        let end = loop {
            let next = at + body[at..].find('`').unwrap_or_else(|| panic!("code without an end: {text}"));
            match run(next) {
                same if same == ticks => break next + ticks,
                other => at = next + other,
            }
        };
        rest = &body[end..];
    }
    outside + rest
}

fn check_compared(texts: &Texts, harmless: &[(&str, Run)]) {
    for ((form, run), (_, plain)) in texts.compared().iter().zip(harmless) {
        let said = || format!("{}\n{}", texts.schema(), run.said());
        assert_eq!(run.code, plain.code, "{}", said());
        assert_shown(&run.stdout);
        assert_shown(&run.stderr);
        match *form {
            "json" => {
                let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
                let (found, wanted) = (read(&run.stdout), read(&plain.stdout));
                for list in ["changes", "differences", "commands"] {
                    let count = |json: &serde_json::Value| json[list].as_array().map(Vec::len);
                    assert_eq!(count(&found), count(&wanted), "{}", said());
                }
            }
            "ruby" => {
                let (found, wanted) = (tokens(form, &run.stdout), tokens(form, &plain.stdout));
                assert_eq!(skeleton(&found), skeleton(&wanted), "{}", said());
            }
            "markdown" => {
                assert_eq!(run.stdout.lines().count(), plain.stdout.lines().count(), "{}", said());
                for (row, harmless) in run.stdout.lines().zip(plain.stdout.lines()) {
                    let (found, wanted) = (cells(row), cells(harmless));
                    assert_eq!(found.len(), wanted.len(), "{row}");
                    for (found, wanted) in found.iter().zip(&wanted) {
                        assert_eq!(outside_code(found), outside_code(wanted), "{row}");
                    }
                }
            }
            _ => assert_eq!(run.stdout.lines().count(), plain.stdout.lines().count(), "{}", said()),
        }
    }
}

#[cfg(unix)]
#[test]
fn comparisons_keep_hostile_values_in_their_cells() {
    let harmless = Texts::harmless().compared();
    let codes: Vec<Option<i32>> = harmless.iter().map(|(_, run)| run.code).collect();
    let found: Vec<&str> = harmless.iter().map(|(_, run)| run.stderr.as_str()).collect();
    assert_eq!(codes, [1, 1, 1, 1, 1, 1, 2, 2].map(Some), "{found:?}");
    check_compared(&Texts::harmless(), &harmless);
    let mut chance = Chance(0x0D1F);
    for _ in 0..TURNS {
        check_compared(&Texts::hostile(&mut chance), &harmless);
    }
}
