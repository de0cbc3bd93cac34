//! Hive's column types, as far as a schema needs them.

/// Nested `array<…>`, `map<…>` and `struct<…>` beyond this are refused.
const MAX_DEPTH: usize = 16;

/// All words with which a type can start. Some stand for a type, the others need arguments.
const TYPES: [(&str, Option<HiveType>); 20] = [
    ("tinyint", Some(HiveType::Tinyint)),
    ("smallint", Some(HiveType::Smallint)),
    ("int", Some(HiveType::Int)),
    ("integer", Some(HiveType::Int)),
    ("bigint", Some(HiveType::Bigint)),
    ("float", Some(HiveType::Float)),
    ("double", Some(HiveType::Double)),
    ("decimal", None),
    ("numeric", None),
    ("string", Some(HiveType::String)),
    ("varchar", None),
    ("char", None),
    ("boolean", Some(HiveType::Boolean)),
    ("binary", Some(HiveType::Binary)),
    ("date", Some(HiveType::Date)),
    ("timestamp", Some(HiveType::Timestamp)),
    ("array", None),
    ("map", None),
    ("struct", None),
    ("uniontype", None),
];

/// All words with which a type can start.
pub fn words() -> impl Iterator<Item = &'static str> {
    TYPES.iter().map(|(word, _)| *word)
}

/// A column type. Nested types are one of four kinds, whatever they contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HiveType {
    Tinyint,
    Smallint,
    Int,
    Bigint,
    Float,
    Double,
    /// The number of digits, and of digits after the decimal point.
    Decimal(u32, u32),
    String,
    /// The maximum number of characters.
    Varchar(u32),
    /// The number of characters; values are padded with blanks.
    Char(u32),
    Boolean,
    Binary,
    Date,
    Timestamp,
    Nested,
}

impl HiveType {
    /// Whether Hive can read the type from the bytes of HBase's `Bytes.toBytes`.
    pub fn has_bytes(self) -> bool {
        use HiveType::{Bigint, Boolean, Double, Float, Int, Smallint, Tinyint};
        matches!(self, Tinyint | Smallint | Int | Bigint | Float | Double | Boolean)
    }

    /// The smallest and the greatest number of a whole-number type, including decimals without decimal
    /// places.
    pub(crate) fn whole_numbers(self) -> Option<(i128, i128)> {
        let decimal = |digits: u32| 10i128.checked_pow(digits).map_or(i128::MAX, |limit| limit - 1);
        Some(match self {
            HiveType::Tinyint => (i8::MIN.into(), i8::MAX.into()),
            HiveType::Smallint => (i16::MIN.into(), i16::MAX.into()),
            HiveType::Int => (i32::MIN.into(), i32::MAX.into()),
            HiveType::Bigint => (i64::MIN.into(), i64::MAX.into()),
            HiveType::Decimal(digits, 0) => (-decimal(digits), decimal(digits)),
            _ => return None,
        })
    }

    /// The maximum number of characters of a text type.
    pub fn characters(self) -> Option<usize> {
        match self {
            HiveType::String => Some(usize::MAX),
            HiveType::Varchar(most) | HiveType::Char(most) => usize::try_from(most).ok(),
            _ => None,
        }
    }
}

/// Why a text is not a type.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TypeFault {
    pub reason: String,
    /// The word that is not a type.
    pub unknown: Option<String>,
}

impl From<String> for TypeFault {
    fn from(reason: String) -> Self {
        TypeFault { reason, unknown: None }
    }
}

/// Parses a Hive type, with Hive's limits for lengths and digits.
///
/// # Errors
/// The text is not a type.
pub fn parse(text: &str) -> Result<HiveType, TypeFault> {
    let mut parser = TypeParser { rest: text.trim() };
    let hive_type = parser.any(0)?;
    match parser.rest.trim_start() {
        "" => Ok(hive_type),
        rest => Err(format!("unexpected `{rest}` after the type").into()),
    }
}

/// Whether the type is a map, the only type for a whole column family.
pub(crate) fn is_map(text: &str) -> bool {
    text.trim().to_ascii_lowercase().starts_with("map")
}

struct TypeParser<'t> {
    rest: &'t str,
}

impl<'t> TypeParser<'t> {
    fn any(&mut self, depth: usize) -> Result<HiveType, TypeFault> {
        if depth > MAX_DEPTH {
            return Err(format!("the type is nested more than {MAX_DEPTH} levels deep").into());
        }
        let word = self.word();
        Ok(match word.to_ascii_lowercase().as_str() {
            "array" => self.arguments(1..=1, depth)?,
            "map" => self.arguments(2..=2, depth)?,
            "uniontype" => self.arguments(1..=usize::MAX, depth)?,
            "struct" => self.members(depth)?,
            "decimal" | "numeric" => self.decimal()?,
            "varchar" => HiveType::Varchar(self.length(65_535, word)?),
            "char" => HiveType::Char(self.length(255, word)?),
            "" => return Err("a type is missing".to_string().into()),
            lower => match TYPES.iter().find(|(known, _)| *known == lower) {
                Some((_, Some(simple))) => *simple,
                _ => {
                    let reason = format!("`{word}` is unknown");
                    return Err(TypeFault { reason, unknown: Some(word.to_string()) });
                }
            },
        })
    }

    fn word(&mut self) -> &'t str {
        self.rest = self.rest.trim_start();
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn take(&mut self, sign: char) -> bool {
        let rest = self.rest.trim_start().strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, sign: char) -> Result<(), TypeFault> {
        if self.take(sign) { Ok(()) } else { Err(format!("`{sign}` is missing").into()) }
    }

    fn arguments(
        &mut self,
        count: std::ops::RangeInclusive<usize>,
        depth: usize,
    ) -> Result<HiveType, TypeFault> {
        self.expect('<')?;
        let mut given = 0;
        loop {
            self.any(depth + 1)?;
            given += 1;
            if !self.take(',') {
                break;
            }
        }
        self.expect('>')?;
        if count.contains(&given) {
            Ok(HiveType::Nested)
        } else {
            Err(format!("there are {given} types between `<` and `>`").into())
        }
    }

    fn members(&mut self, depth: usize) -> Result<HiveType, TypeFault> {
        self.expect('<')?;
        loop {
            if self.word().is_empty() {
                return Err("the name of a struct member is missing".to_string().into());
            }
            self.expect(':')?;
            self.any(depth + 1)?;
            if !self.take(',') {
                break;
            }
        }
        self.expect('>')?;
        Ok(HiveType::Nested)
    }

    fn decimal(&mut self) -> Result<HiveType, TypeFault> {
        if !self.take('(') {
            return Ok(HiveType::Decimal(10, 0));
        }
        let digits = self.number(1, 38)?;
        let behind_the_point = if self.take(',') { self.number(0, digits)? } else { 0 };
        self.expect(')')?;
        Ok(HiveType::Decimal(digits, behind_the_point))
    }

    fn length(&mut self, limit: u32, word: &str) -> Result<u32, TypeFault> {
        if !self.take('(') {
            return Err(format!("`{word}` needs a length, as in `{word}(10)`").into());
        }
        let length = self.number(1, limit)?;
        self.expect(')')?;
        Ok(length)
    }

    fn number(&mut self, least: u32, most: u32) -> Result<u32, TypeFault> {
        let word = self.word();
        match word.parse() {
            Ok(number) if (least..=most).contains(&number) => Ok(number),
            _ => Err(format!("`{word}` should be a number from {least} to {most}").into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types() {
        for right in [
            "string",
            "BIGINT",
            "decimal",
            "decimal(18,2)",
            "decimal( 18 , 2 )",
            "varchar(10)",
            "array<int>",
            "map<string,array<int>>",
            "struct<a:int,b:map<string,string>>",
            "uniontype<int,string>",
        ] {
            assert!(parse(right).is_ok(), "{right}");
        }
        for wrong in [
            "",
            "text",
            "string; drop table x",
            "decimal(39)",
            "decimal(5,6)",
            "varchar",
            "char(256)",
            "array<>",
            "map<int>",
            "array<int",
            "struct<int>",
            "int int",
            "int)",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert!(parse(&"array<".repeat(100_000)).is_err());
        assert!(is_map("map<string,string>") && !is_map("string"));
    }
}
