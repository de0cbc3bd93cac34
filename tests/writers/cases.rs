//! Rows, bad values and damaged keys, each with what core does with it.

use std::fmt;

use saltplan_core::Table;
use saltplan_core::key::Value;
use saltplan_core::key::field::FieldKind;
use saltplan_core::key::range::to_string_binary;
use saltplan_core::key::salt::SaltScheme;
use saltplan_core::row::{RowCodec, RowError, SALT_MEMBER};
use saltplan_generate::sample::{self, GivenSalt, Random, Row};
use serde_json::{Map, Value as Json};

/// A call of a class.
pub struct Case {
    /// What the driver reads.
    pub line: String,
    /// What it prints.
    expected: String,
    /// Whether any message of a refusal is accepted.
    words_differ: bool,
    /// Whether Java cannot make this call, because its compiler refuses the type.
    pub is_python_only: bool,
}

impl Case {
    pub fn accepts(&self, line: &str) -> bool {
        line == self.expected || self.words_differ && line.starts_with('!')
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tokens: Vec<String> = self.line.split(' ').map(shown).collect();
        write!(f, "{}\n  expected {}", tokens.join(" "), shown(&self.expected))
    }
}

/// A token with its text.
pub fn shown(token: &str) -> String {
    match token.chars().next() {
        Some(kind @ ('s' | '!')) => {
            let bytes: Vec<u8> = (1..token.len())
                .step_by(2)
                .filter_map(|at| u8::from_str_radix(token.get(at..at + 2)?, 16).ok())
                .collect();
            format!("{kind}{:?}", String::from_utf8_lossy(&bytes))
        }
        _ => token.to_string(),
    }
}

/// Without `format!`, which takes most of the time of a test that is not optimised.
fn hex(bytes: &[u8]) -> String {
    let digit = |digit: u8| char::from(b"0123456789abcdef"[usize::from(digit)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// A value as a program passes it: the token of the driver, and the member of the row.
#[derive(Clone)]
struct Passed {
    token: String,
    json: Json,
    is_python_only: bool,
}

impl Passed {
    fn new(token: String, json: Json) -> Self {
        Passed { token, json, is_python_only: false }
    }

    fn null() -> Self {
        Passed::new("-".into(), Json::Null)
    }

    fn text(text: &str) -> Self {
        Passed::new(format!("s{}", hex(text.as_bytes())), text.into())
    }

    fn number(number: i64) -> Self {
        Passed::new(format!("n{number}"), number.into())
    }

    /// A value of a type that Java's compiler refuses.
    fn in_python(self) -> Self {
        Passed { is_python_only: true, ..self }
    }
}

pub struct Cases<'a> {
    table: &'a Table,
    codec: RowCodec<'a>,
    random: Random,
}

impl<'a> Cases<'a> {
    pub fn new(table: &'a Table) -> Self {
        Cases { table, codec: table.row_codec(), random: Random(7) }
    }

    pub fn make(mut self, rows: usize) -> Vec<Case> {
        let mut cases = Vec::new();
        for place in 0..rows {
            let row = sample::row(self.table, &mut self.random).expect("a row");
            let passed = self.passed(&row);
            let case = self.encode(&passed);
            if let Some(key) = case.expected.strip_prefix('k') {
                let key: Vec<u8> = (0..key.len())
                    .step_by(2)
                    .map(|at| u8::from_str_radix(&key[at..at + 2], 16).expect("hex"))
                    .collect();
                cases.push(self.decode(&key));
                if place % 5 == 0 {
                    for damaged in self.damaged(&key) {
                        cases.push(self.decode(&damaged));
                    }
                }
            }
            cases.push(case);
            if place % 20 == 0 {
                for at in 0..passed.len() {
                    let mut bad_values = self.bad_values(at, &passed[at]);
                    if place == 0 {
                        bad_values.extend(self.too_long(at));
                    }
                    for bad in bad_values {
                        let mut values = passed.clone();
                        values[at] = bad;
                        cases.push(self.encode(&values));
                    }
                }
            }
        }
        cases
    }

    /// The salt, if it is given, and the values.
    fn passed(&self, row: &Row) -> Vec<Passed> {
        let key = &self.table.schema().key;
        let salt = key.salt.as_ref().zip(row.salt.as_ref()).map(|(salt, given)| {
            let token = match given {
                GivenSalt::Number(number) => format!("n{number}"),
                GivenSalt::Bytes(bytes) => format!("b{}", hex(bytes)),
            };
            Passed::new(token, to_string_binary(&given.bytes(salt)).into())
        });
        let values = row.values.entries().map(|(id, value)| match (&key.fields[id].kind, value) {
            (kind, Value::Text(text)) if text.is_empty() && kind.is_nullable() => Passed::null(),
            (_, Value::Text(text)) => Passed::text(text),
            (FieldKind::Calendar(calendar), Value::Number(number)) => {
                Passed::text(&calendar.format.format(*number).expect("a date"))
            }
            (_, Value::Number(number)) => Passed::number(*number),
        });
        salt.into_iter().chain(values).collect()
    }

    fn encode(&self, values: &[Passed]) -> Case {
        let fields = &self.table.schema().key.fields;
        let names = (values.len() > fields.len()).then_some(SALT_MEMBER).into_iter();
        let names = names.chain(fields.iter().map(|field| field.name.as_str()));
        let row: Map<String, Json> =
            names.map(str::to_string).zip(values.iter().map(|value| value.json.clone())).collect();
        let tokens: Vec<&str> = values.iter().map(|value| value.token.as_str()).collect();
        Case {
            line: format!("E {}", tokens.join(" ")),
            expected: match self.codec.encode(&row) {
                Ok(key) => format!("k{}", hex(&key)),
                Err(error) => refused(&error.to_string()),
            },
            words_differ: false,
            is_python_only: values.iter().any(|value| value.is_python_only),
        }
    }

    fn decode(&self, key: &[u8]) -> Case {
        let mut words_differ = false;
        let expected = match self.codec.decode(key) {
            Ok(read) => match &read.expected_salt {
                Some(expected) => refused(&format!(
                    "the salt is `{}`, but the fields give `{}`",
                    to_string_binary(read.salt.as_deref().unwrap_or_default()),
                    to_string_binary(expected)
                )),
                None => {
                    let row = self.codec.to_json(&read);
                    // A class also refuses a key that no row has.
                    match self.codec.encode(&fields_of(&row)) {
                        Err(RowError::SaltInput(error)) => refused(&error.to_string()),
                        _ => self.read(read.salt.as_deref(), row),
                    }
                }
            },
            Err(error) => {
                // A class that computes the salt does not list all salts: it reads the fields and compares the salt.
                words_differ = matches!(error, RowError::NoSaltInKey);
                refused(&error.to_string())
            }
        };
        let line = format!("D {}", hex(key)).trim_end().to_string();
        Case { line, expected, words_differ, is_python_only: false }
    }

    fn read(&self, salt: Option<&[u8]>, row: Map<String, Json>) -> String {
        let key = &self.table.schema().key;
        let is_member = key.salt.as_ref().is_some_and(|salt| {
            !salt.is_computable()
                || salt.inputs(&key.fields).iter().any(|input| !key.fields[input.field].stored)
        });
        let mut tokens = vec!["v".to_string()];
        if let (true, Some(bytes)) = (is_member, salt) {
            let scheme = key.salt.as_ref().filter(|salt| matches!(salt.scheme, SaltScheme::Random(_)));
            tokens.push(match scheme {
                Some(salt) => {
                    let number = (0..10_000).find(|number| salt.write.number(*number) == bytes);
                    format!("n{}", number.expect("a random number"))
                }
                None => format!("b{}", hex(bytes)),
            });
        }
        let values = row.iter().filter(|(name, _)| *name != SALT_MEMBER).map(|(_, value)| match value {
            Json::String(text) => format!("s{}", hex(text.as_bytes())),
            Json::Null => Passed::null().token,
            number => format!("n{number}"),
        });
        tokens.extend(values);
        tokens.join(" ")
    }

    fn damaged(&mut self, key: &[u8]) -> Vec<Vec<u8>> {
        let at = self.random.below(key.len());
        let mut changed = key.to_vec();
        changed[at] = [b'0', b'9', b'-', b'a', b'_', 0, 0xFF, 0xC3][self.random.below(8)];
        vec![changed, key[..at].to_vec(), [key, b"1"].concat(), [&key[..at], b"_", &key[at..]].concat()]
    }

    /// A text that no key has room for. Once per field is enough: it is longer than all other cases together.
    fn too_long(&self, at: usize) -> Option<Passed> {
        let key = &self.table.schema().key;
        let has_salt = key.salt.as_ref().is_some_and(|salt| !salt.is_computable());
        let field = key.fields.iter().nth(at.checked_sub(usize::from(has_salt))?)?;
        matches!(field.kind, FieldKind::Text(_)).then(|| Passed::text(&"x".repeat(32_767)))
    }

    /// Values that the field may not allow.
    fn bad_values(&self, at: usize, good: &Passed) -> Vec<Passed> {
        let fields = &self.table.schema().key.fields;
        let null = Passed::null();
        let float = Passed::new("f1.5".into(), 1.5.into()).in_python();
        let boolean = Passed::new("t".into(), true.into()).in_python();
        let has_salt = self.table.schema().key.salt.as_ref().is_some_and(|salt| !salt.is_computable());
        let Some(place) = at.checked_sub(usize::from(has_salt)) else {
            return match good.token.starts_with('n') {
                true => [-1, 1_000_000].map(Passed::number).to_vec(),
                false => vec![Passed::new("b7a7a".into(), "zz".into())],
            };
        };
        let Some(field) = fields.iter().nth(place) else { return Vec::new() };
        let mut bad = Vec::new();
        match &field.kind {
            FieldKind::Text(_) => {
                let text = good.json.as_str().unwrap_or_default();
                for one in [
                    "", "zz", "é", "\n", "€", "\u{301}", "'", "😀", "\\", "\u{a0}", "\u{200d}", "\0",
                    "\u{7f}", "日",
                ] {
                    bad.push(Passed::text(one));
                    bad.push(Passed::text(&format!("{text}{one}")));
                    bad.push(Passed::text(&format!("{one}{}", text.chars().skip(1).collect::<String>())));
                }
                bad.extend([null, Passed::number(5).in_python(), float, boolean]);
            }
            FieldKind::Calendar(calendar) => {
                let text = good.json.as_str().unwrap_or_default().to_string();
                let digits = text.replace(|c: char| c.is_ascii_digit(), "9");
                let zeros = text.replace(|c: char| c.is_ascii_digit(), "0");
                let arabic = text.replace('2', "٢");
                for one in [
                    String::new(),
                    digits,
                    zeros,
                    text.clone() + "0",
                    text.clone() + "\n",
                    arabic,
                    "x".into(),
                ] {
                    bad.push(Passed::text(&one));
                }
                for (from, to) in [("1", "3"), ("0", "9"), ("2", "6")] {
                    bad.push(Passed::text(&text.replace(from, to)));
                }
                // The encoder reads other ways to write a time; a class takes the stored form.
                bad.retain(|one| {
                    let text = one.json.as_str().unwrap_or_default();
                    let row = [(field.name.clone(), one.json.clone())].into_iter().collect();
                    let words = self.codec.encode(&row).map_err(|error| error.to_string());
                    let other_reading = !matches!(&words, Err(words) if words.contains("is not a date"));
                    calendar.format.parse_text(text).is_some() || !other_reading
                });
                bad.extend([null, boolean]);
            }
            FieldKind::Integer(form)
            | FieldKind::Epoch(saltplan_core::key::field::EpochField { number: form, .. }) => {
                let domain = form.domain();
                let ends = [domain.start, domain.stop.unwrap_or(i128::from(i64::MAX) + 1)];
                let near = ends.into_iter().flat_map(|end| [end - 1, end, end + 1]);
                let near = near.filter_map(|number| i64::try_from(number).ok());
                bad.extend(
                    near.chain([i64::MIN, i64::MAX, -1, 0, i64::from(i32::MAX) + 1]).map(Passed::number),
                );
                bad.extend(
                    [8_210_266_876_799_999, 8_210_266_876_800_000, -8_334_601_228_800_001]
                        .map(Passed::number),
                );
                bad.extend([null.in_python(), float, boolean]);
            }
        }
        bad
    }
}

/// A row without its salt.
fn fields_of(row: &Map<String, Json>) -> Map<String, Json> {
    row.clone().into_iter().filter(|(name, _)| name != SALT_MEMBER).collect()
}

fn refused(words: &str) -> String {
    format!("!{}", hex(words.as_bytes()))
}
