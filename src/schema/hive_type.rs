//! Hive's column types, as far as a schema needs them: is this one, and is it a map?

/// Nested `array<…>`, `map<…>` and `struct<…>` beyond this are refused.
const MAX_DEPTH: usize = 16;

pub const PRIMITIVES: [&str; 16] = [
    "tinyint", "smallint", "int", "integer", "bigint", "float", "double", "decimal", "numeric", "string", "varchar",
    "char", "boolean", "binary", "date", "timestamp",
];

/// Checks that a text is a Hive type, with Hive's limits for lengths and digits.
pub fn check(text: &str) -> Result<(), String> {
    let mut parser = Parser { rest: text.trim() };
    parser.any(0)?;
    match parser.rest.trim_start() {
        "" => Ok(()),
        rest => Err(format!("`{rest}` follows the type")),
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
    fn any(&mut self, depth: usize) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Err(format!("the type nests more than {MAX_DEPTH} levels deep"));
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
            primitive if PRIMITIVES.contains(&primitive) => Ok(()),
            "" => Err("a type is missing".into()),
            _ => Err(format!("`{word}` is not a type of Hive")),
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

    fn expect(&mut self, sign: char) -> Result<(), String> {
        if self.take(sign) { Ok(()) } else { Err(format!("`{sign}` is missing")) }
    }

    fn arguments(&mut self, count: std::ops::RangeInclusive<usize>, depth: usize) -> Result<(), String> {
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
        if count.contains(&given) { Ok(()) } else { Err(format!("{given} types stand between `<` and `>`")) }
    }

    fn members(&mut self, depth: usize) -> Result<(), String> {
        self.expect('<')?;
        loop {
            if self.word().is_empty() {
                return Err("the name of a struct member is missing".into());
            }
            self.expect(':')?;
            self.any(depth + 1)?;
            if !self.take(',') {
                break;
            }
        }
        self.expect('>')
    }

    fn decimal(&mut self) -> Result<(), String> {
        if !self.take('(') {
            return Ok(());
        }
        let precision = self.number(1, 38)?;
        if self.take(',') {
            self.number(0, precision)?;
        }
        self.expect(')')
    }

    fn length(&mut self, limit: u32, word: &str) -> Result<(), String> {
        if !self.take('(') {
            return Err(format!("`{word}` needs a length, as in `{word}(10)`"));
        }
        self.number(1, limit)?;
        self.expect(')')
    }

    fn number(&mut self, least: u32, most: u32) -> Result<u32, String> {
        let word = self.word();
        match word.parse() {
            Ok(number) if (least..=most).contains(&number) => Ok(number),
            _ => Err(format!("`{word}` should be a number from {least} to {most}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types() {
        for right in [
            "string", "BIGINT", "decimal", "decimal(18,2)", "decimal( 18 , 2 )", "varchar(10)", "array<int>",
            "map<string,array<int>>", "struct<a:int,b:map<string,string>>", "uniontype<int,string>",
        ] {
            assert_eq!(check(right), Ok(()), "{right}");
        }
        for wrong in [
            "", "text", "string; drop table x", "decimal(39)", "decimal(5,6)", "varchar", "char(256)", "array<>",
            "map<int>", "array<int", "struct<int>", "int int", "int)",
        ] {
            assert!(check(wrong).is_err(), "{wrong}");
        }
        assert!(check(&"array<".repeat(100_000)).is_err());
        assert!(is_map("map<string,string>") && !is_map("string"));
    }
}
