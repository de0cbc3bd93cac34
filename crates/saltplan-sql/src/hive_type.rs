//! Hive's types: of columns, of casts and of values.

use std::fmt;
use std::ops::Deref;

/// Nested `array<…>`, `map<…>` and `struct<…>` beyond this are refused.
const MAX_DEPTH: usize = 16;

/// The greatest length of a `varchar`.
pub const MAX_VARCHAR: u32 = 65_535;
/// The greatest length of a `char`.
pub const MAX_CHAR: u32 = 255;
/// The greatest number of digits of a decimal.
pub const MAX_PRECISION: u32 = 38;

/// All words with which a type can start. Some stand for a type, the others need arguments.
const TYPES: [(&str, Option<Type>); 20] = [
    ("tinyint", Some(Type::TinyInt)),
    ("smallint", Some(Type::SmallInt)),
    ("int", Some(Type::Int)),
    ("integer", Some(Type::Int)),
    ("bigint", Some(Type::BigInt)),
    ("float", Some(Type::Float)),
    ("double", Some(Type::Double)),
    ("decimal", None),
    ("numeric", None),
    ("string", Some(Type::String)),
    ("varchar", None),
    ("char", None),
    ("boolean", Some(Type::Boolean)),
    ("binary", Some(Type::Binary)),
    ("date", Some(Type::Date)),
    ("timestamp", Some(Type::Timestamp)),
    ("array", None),
    ("map", None),
    ("struct", None),
    ("uniontype", None),
];

/// All words with which the type of a column can start.
pub fn type_words() -> impl Iterator<Item = &'static str> {
    TYPES.iter().map(|(word, _)| *word)
}

/// A type without parts. Casts have such a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// The type of a plain NULL.
    Void,
    TinyInt,
    SmallInt,
    Int,
    BigInt,
    Float,
    Double,
    /// The number of digits, and of those after the decimal point.
    Decimal {
        precision: u32,
        scale: u32,
    },
    String,
    /// The maximum number of characters.
    Varchar(u32),
    /// The number of characters; values are padded with blanks.
    Char(u32),
    Boolean,
    Binary,
    Date,
    Timestamp,
    /// Years and months.
    IntervalYearMonth,
    /// Days and parts of a day.
    IntervalDayTime,
}

impl Type {
    /// The type with this name in any case, if the name alone is a type.
    pub fn named(word: &str) -> Option<Self> {
        let found = TYPES.iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
        found.and_then(|(_, simple)| *simple)
    }

    /// Whether Hive can read the type from the bytes of HBase's `Bytes.toBytes`.
    pub fn has_bytes(self) -> bool {
        self.is_integer() || matches!(self, Type::Float | Type::Double | Type::Boolean)
    }

    /// The smallest and the greatest number of a whole-number type, including decimals without decimal places.
    pub fn whole_numbers(self) -> Option<(i128, i128)> {
        let decimal = |digits: u32| 10i128.checked_pow(digits).map_or(i128::MAX, |limit| limit - 1);
        Some(match self {
            Type::TinyInt => (i8::MIN.into(), i8::MAX.into()),
            Type::SmallInt => (i16::MIN.into(), i16::MAX.into()),
            Type::Int => (i32::MIN.into(), i32::MAX.into()),
            Type::BigInt => (i64::MIN.into(), i64::MAX.into()),
            Type::Decimal { precision, scale: 0 } => (-decimal(precision), decimal(precision)),
            _ => return None,
        })
    }

    /// Whether it is `tinyint`, `smallint`, `int` or `bigint`.
    pub fn is_integer(self) -> bool {
        matches!(self, Type::TinyInt | Type::SmallInt | Type::Int | Type::BigInt)
    }

    /// Whether it is a type of numbers.
    pub fn is_number(self) -> bool {
        self.is_integer() || matches!(self, Type::Float | Type::Double | Type::Decimal { .. })
    }

    /// Whether it is `string`, `varchar` or `char`.
    pub fn is_text(self) -> bool {
        self.characters().is_some()
    }

    /// Whether it is `date` or `timestamp`.
    pub fn is_time(self) -> bool {
        matches!(self, Type::Date | Type::Timestamp)
    }

    /// The maximum number of characters of a text type.
    pub fn characters(self) -> Option<usize> {
        match self {
            Type::String => Some(usize::MAX),
            Type::Varchar(most) | Type::Char(most) => usize::try_from(most).ok(),
            _ => None,
        }
    }
}

/// As Hive prints it.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Void => "void",
            Type::TinyInt => "tinyint",
            Type::SmallInt => "smallint",
            Type::Int => "int",
            Type::BigInt => "bigint",
            Type::Float => "float",
            Type::Double => "double",
            Type::String => "string",
            Type::Boolean => "boolean",
            Type::Binary => "binary",
            Type::Date => "date",
            Type::Timestamp => "timestamp",
            Type::IntervalYearMonth => "interval_year_month",
            Type::IntervalDayTime => "interval_day_time",
            Type::Decimal { precision, scale } => return write!(f, "decimal({precision},{scale})"),
            Type::Varchar(most) => return write!(f, "varchar({most})"),
            Type::Char(most) => return write!(f, "char({most})"),
        })
    }
}

/// A type of columns and values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum HiveType {
    Primitive(Type),
    Array(Box<HiveType>),
    Map(Box<HiveType>, Box<HiveType>),
    /// Names, in lower case, and types of the members.
    Struct(Vec<(String, HiveType)>),
    Union(Vec<HiveType>),
}

impl HiveType {
    /// Parses the type of a column, with Hive's limits for lengths and digits.
    ///
    /// # Errors
    /// The text is not a type.
    pub fn parse(text: &str) -> Result<Self, TypeFault> {
        let mut parser = TypeParser { rest: text.trim() };
        let hive_type = parser.any(0)?;
        match parser.rest.trim_start() {
            "" => Ok(hive_type),
            rest => Err(format!("unexpected `{rest}` after the type").into()),
        }
    }

    /// The type, if it has no parts.
    pub fn primitive(&self) -> Option<Type> {
        match self {
            HiveType::Primitive(of) => Some(*of),
            _ => None,
        }
    }

    /// Whether it is `array`, `map`, `struct` or `uniontype`.
    pub fn is_nested(&self) -> bool {
        self.primitive().is_none()
    }

    /// [`Type::has_bytes`]
    pub fn has_bytes(&self) -> bool {
        self.primitive().is_some_and(Type::has_bytes)
    }

    /// [`Type::whole_numbers`]
    pub fn whole_numbers(&self) -> Option<(i128, i128)> {
        self.primitive()?.whole_numbers()
    }

    /// [`Type::is_integer`]
    pub fn is_integer(&self) -> bool {
        self.primitive().is_some_and(Type::is_integer)
    }

    /// [`Type::is_number`]
    pub fn is_number(&self) -> bool {
        self.primitive().is_some_and(Type::is_number)
    }

    /// [`Type::is_text`]
    pub fn is_text(&self) -> bool {
        self.primitive().is_some_and(Type::is_text)
    }

    /// [`Type::characters`]
    pub fn characters(&self) -> Option<usize> {
        self.primitive()?.characters()
    }
}

impl From<Type> for HiveType {
    fn from(of: Type) -> Self {
        HiveType::Primitive(of)
    }
}

impl PartialEq<Type> for HiveType {
    fn eq(&self, other: &Type) -> bool {
        self.primitive() == Some(*other)
    }
}

/// As Hive prints it.
impl fmt::Display for HiveType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HiveType::Primitive(of) => of.fmt(f),
            HiveType::Array(of) => write!(f, "array<{of}>"),
            HiveType::Map(key, value) => write!(f, "map<{key},{value}>"),
            HiveType::Union(types) => write!(f, "uniontype<{}>", separated(types)),
            HiveType::Struct(members) => {
                let members = members.iter().map(|(name, of)| format!("{name}:{of}"));
                write!(f, "struct<{}>", members.collect::<Vec<_>>().join(","))
            }
        }
    }
}

fn separated(types: &[HiveType]) -> String {
    types.iter().map(HiveType::to_string).collect::<Vec<_>>().join(",")
}

/// A type and how it was written, which is how it is printed. Two spellings of one type are equal.
#[derive(Debug, Clone)]
pub struct DeclaredType {
    hive_type: HiveType,
    written: String,
}

impl DeclaredType {
    /// Parses the type of a column.
    ///
    /// # Errors
    /// The text is not a type.
    pub fn parse(text: impl Into<String>) -> Result<Self, TypeFault> {
        let written = text.into();
        Ok(DeclaredType { hive_type: HiveType::parse(&written)?, written })
    }

    pub fn written(&self) -> &str {
        &self.written
    }

    pub fn hive_type(&self) -> &HiveType {
        &self.hive_type
    }
}

impl Deref for DeclaredType {
    type Target = HiveType;

    fn deref(&self) -> &HiveType {
        &self.hive_type
    }
}

impl PartialEq for DeclaredType {
    fn eq(&self, other: &Self) -> bool {
        self.hive_type == other.hive_type
    }
}

impl PartialEq<Type> for DeclaredType {
    fn eq(&self, other: &Type) -> bool {
        self.hive_type == *other
    }
}

impl From<Type> for DeclaredType {
    fn from(of: Type) -> Self {
        DeclaredType { written: of.to_string(), hive_type: of.into() }
    }
}

impl From<&DeclaredType> for DeclaredType {
    fn from(declared: &DeclaredType) -> Self {
        declared.clone()
    }
}

impl fmt::Display for DeclaredType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

/// Why a text is not a type.
#[derive(Debug, PartialEq, Eq)]
pub struct TypeFault {
    pub reason: String,
    /// The word that is not a type.
    pub unknown: Option<String>,
}

impl From<String> for TypeFault {
    fn from(reason: String) -> Self {
        TypeFault { reason, unknown: None }
    }
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
            "array" => {
                let [of] = self.arguments(depth)?;
                HiveType::Array(Box::new(of))
            }
            "map" => {
                let [key, value] = self.arguments(depth)?;
                HiveType::Map(Box::new(key), Box::new(value))
            }
            "uniontype" => HiveType::Union(self.types(depth)?),
            "struct" => HiveType::Struct(self.members(depth)?),
            "decimal" | "numeric" => self.decimal()?.into(),
            "varchar" => Type::Varchar(self.length(MAX_VARCHAR, word)?).into(),
            "char" => Type::Char(self.length(MAX_CHAR, word)?).into(),
            "" => return Err("a type is missing".to_string().into()),
            _ => match Type::named(word) {
                Some(simple) => simple.into(),
                None => {
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

    /// Types between `<` and `>`.
    fn types(&mut self, depth: usize) -> Result<Vec<HiveType>, TypeFault> {
        self.expect('<')?;
        let mut types = vec![self.any(depth + 1)?];
        while self.take(',') {
            types.push(self.any(depth + 1)?);
        }
        self.expect('>')?;
        Ok(types)
    }

    fn arguments<const COUNT: usize>(&mut self, depth: usize) -> Result<[HiveType; COUNT], TypeFault> {
        self.types(depth)?.try_into().map_err(|types: Vec<_>| {
            TypeFault::from(format!("there are {} types between `<` and `>`", types.len()))
        })
    }

    fn members(&mut self, depth: usize) -> Result<Vec<(String, HiveType)>, TypeFault> {
        self.expect('<')?;
        let mut members = Vec::new();
        loop {
            let name = self.word();
            if name.is_empty() {
                return Err("the name of a struct member is missing".to_string().into());
            }
            self.expect(':')?;
            members.push((name.to_lowercase(), self.any(depth + 1)?));
            if !self.take(',') {
                break;
            }
        }
        self.expect('>')?;
        Ok(members)
    }

    fn decimal(&mut self) -> Result<Type, TypeFault> {
        if !self.take('(') {
            return Ok(Type::Decimal { precision: 10, scale: 0 });
        }
        let precision = self.number(1, MAX_PRECISION)?;
        let scale = if self.take(',') { self.number(0, precision)? } else { 0 };
        self.expect(')')?;
        Ok(Type::Decimal { precision, scale })
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
        for (text, shown) in [
            ("string", "string"),
            ("BIGINT", "bigint"),
            ("integer", "int"),
            ("decimal", "decimal(10,0)"),
            ("numeric(5)", "decimal(5,0)"),
            ("decimal( 18 , 2 )", "decimal(18,2)"),
            ("varchar(10)", "varchar(10)"),
            ("array<int>", "array<int>"),
            ("map<string, array<integer>>", "map<string,array<int>>"),
            ("struct<A:int,b:map<string,string>>", "struct<a:int,b:map<string,string>>"),
            ("uniontype<int,string>", "uniontype<int,string>"),
        ] {
            let parsed = HiveType::parse(text).unwrap_or_else(|fault| panic!("{text}: {}", fault.reason));
            assert_eq!(parsed.to_string(), shown);
            assert_eq!(HiveType::parse(shown), Ok(parsed), "{shown}");
        }
        for wrong in [
            "",
            "text",
            "void",
            "string; drop table x",
            "decimal(39)",
            "decimal(5,6)",
            "varchar",
            "char(256)",
            "array<>",
            "array<int,int>",
            "map<int>",
            "array<int",
            "struct<int>",
            "int int",
            "int)",
        ] {
            assert!(HiveType::parse(wrong).is_err(), "{wrong}");
        }
        assert!(HiveType::parse(&"array<".repeat(100_000)).is_err());
    }

    #[test]
    fn spellings_of_one_type_are_equal() {
        let declared = |text: &str| DeclaredType::parse(text).unwrap();
        assert_eq!(declared("INTEGER"), declared("int"));
        assert_eq!(declared("INTEGER").to_string(), "INTEGER");
        assert_ne!(declared("varchar(3)"), declared("varchar(4)"));
    }
}
