//! Hive's column types, as far as a schema needs them: is this one, and is it a map?

/// Nested `array<…>`, `map<…>` and `struct<…>` beyond this are refused.
const MAX_DEPTH: usize = 16;

/// All the words that a type can start with.
pub const TYPES: [&str; 20] = [
    "tinyint",
    "smallint",
    "int",
    "integer",
    "bigint",
    "float",
    "double",
    "decimal",
    "numeric",
    "string",
    "varchar",
    "char",
    "boolean",
    "binary",
    "date",
    "timestamp",
    "array",
    "map",
    "struct",
    "uniontype",
];

/// Why a text is no type.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    pub reason: String,
    /// The word that is not a type.
    pub unknown: Option<String>,
}

impl From<String> for Fault {
    fn from(reason: String) -> Self {
        Fault { reason, unknown: None }
    }
}

/// Checks that a text is a Hive type, with Hive's limits for lengths and digits.
pub fn check(text: &str) -> Result<(), Fault> {
    let mut parser = Parser { rest: text.trim() };
    parser.any(0)?;
    match parser.rest.trim_start() {
        "" => Ok(()),
        rest => Err(format!("`{rest}` follows the type").into()),
    }
}

/// Whether the type is a map, the only one that a whole column family can be read as.
pub fn is_map(text: &str) -> bool {
    text.trim().to_ascii_lowercase().starts_with("map")
}

struct Parser<'t> {
    rest: &'t str,
}

impl<'t> Parser<'t> {
    fn any(&mut self, depth: usize) -> Result<(), Fault> {
        if depth > MAX_DEPTH {
            return Err(format!("the type nests more than {MAX_DEPTH} levels deep").into());
        }
        let word = self.word();
        match word.to_ascii_lowercase().as_str() {
            "array" => self.arguments(1..=1, depth),
            "map" => self.arguments(2..=2, depth),
            "uniontype" => self.arguments(1..=usize::MAX, depth),
            "struct" => self.members(depth),
            "decimal" | "numeric" => self.decimal(),
            "varchar" => self.length(65_535, word),
            "char" => self.length(255, word),
            primitive if TYPES.contains(&primitive) => Ok(()),
            "" => Err("a type is missing".to_string().into()),
            _ => Err(Fault { reason: format!("`{word}` is unknown"), unknown: Some(word.to_string()) }),
        }
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

    fn expect(&mut self, sign: char) -> Result<(), Fault> {
        if self.take(sign) { Ok(()) } else { Err(format!("`{sign}` is missing").into()) }
    }

    fn arguments(&mut self, count: std::ops::RangeInclusive<usize>, depth: usize) -> Result<(), Fault> {
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
            Ok(())
        } else {
            Err(format!("{given} types stand between `<` and `>`").into())
        }
    }

    fn members(&mut self, depth: usize) -> Result<(), Fault> {
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
        self.expect('>')
    }

    fn decimal(&mut self) -> Result<(), Fault> {
        if !self.take('(') {
            return Ok(());
        }
        let precision = self.number(1, 38)?;
        if self.take(',') {
            self.number(0, precision)?;
        }
        self.expect(')')
    }

    fn length(&mut self, limit: u32, word: &str) -> Result<(), Fault> {
        if !self.take('(') {
            return Err(format!("`{word}` needs a length, as in `{word}(10)`").into());
        }
        self.number(1, limit)?;
        self.expect(')')
    }

    fn number(&mut self, least: u32, most: u32) -> Result<u32, Fault> {
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
            assert_eq!(check(right), Ok(()), "{right}");
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
            assert!(check(wrong).is_err(), "{wrong}");
        }
        assert!(check(&"array<".repeat(100_000)).is_err());
        assert!(is_map("map<string,string>") && !is_map("string"));
    }
}
