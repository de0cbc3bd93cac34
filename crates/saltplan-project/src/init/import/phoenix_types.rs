//! Phoenix's types in row keys and in cells (`org.apache.phoenix.schema.types`).

use saltplan_core::key::field::EpochUnit;
use saltplan_core::key::number::{IntegerSize, NumberEncoding, NumberForm};

use super::super::draft::{DraftKind, TextForm};

/// A type with its length, as declared: `CHAR(3)`.
#[derive(Debug, Clone)]
pub(super) struct PhoenixType {
    /// In capitals.
    pub name: String,
    pub length: Option<u64>,
    pub is_array: bool,
}

/// How a column of the key is stored.
#[derive(Debug)]
pub(super) struct InKey {
    pub kind: DraftKind,
    /// The bytes after it, unless it is the last column.
    pub separator: Option<&'static str>,
    /// A second field: the nanoseconds below a millisecond.
    pub nanoseconds: Option<DraftKind>,
}

impl PhoenixType {
    /// How the key stores it. All types but text and bytes have a fixed width, and sort as numbers; `DESC` inverts all bytes.
    ///
    /// # Errors
    /// Why no field of a schema file is stored like this.
    pub fn in_key(&self, descending: bool) -> Result<InKey, String> {
        if self.is_array {
            return Err("arrays have a variable number of elements".to_string());
        }
        let number = |size, signed: bool| {
            // Inverting all bytes of a number whose sign bit is flipped gives the greatest number minus it.
            let encoding = match (signed, descending) {
                (true, false) => NumberEncoding::BigEndianSortable,
                (true, true) => NumberEncoding::BigEndian,
                (false, _) => NumberEncoding::BigEndianUnsigned,
            };
            NumberForm { descending, ..NumberForm::new(size, encoding) }
        };
        let integer = |size, signed| Ok(fixed(DraftKind::Integer(number(size, signed))));
        let up_to = |max, size| DraftKind::Integer(NumberForm { max: Some(max), ..number(size, false) });
        let instant = |signed| {
            let number = number(IntegerSize::Bigint, signed);
            Ok(fixed(DraftKind::Epoch { unit: EpochUnit::Milliseconds, number }))
        };
        let text = |width| TextForm { width, descending, ..TextForm::default() };
        match self.name.as_str() {
            "TINYINT" => integer(IntegerSize::Tinyint, true),
            "SMALLINT" => integer(IntegerSize::Smallint, true),
            "INTEGER" | "INT" => integer(IntegerSize::Int, true),
            "BIGINT" | "LONG" => integer(IntegerSize::Bigint, true),
            "UNSIGNED_TINYINT" => integer(IntegerSize::Tinyint, false),
            "UNSIGNED_SMALLINT" => integer(IntegerSize::Smallint, false),
            "UNSIGNED_INT" => integer(IntegerSize::Int, false),
            "UNSIGNED_LONG" => integer(IntegerSize::Bigint, false),
            "DATE" | "TIME" => instant(true),
            "UNSIGNED_DATE" | "UNSIGNED_TIME" => instant(false),
            "VARCHAR" => {
                // A descending text ends with 0xFF, also at the end of the key.
                let separator = (!descending).then_some("\\x00");
                Ok(InKey { separator, ..fixed(DraftKind::Text(text(None))) })
            }
            "CHAR" => Ok(fixed(DraftKind::Text(TextForm { pad: Some(" "), ..text(self.width()) }))),
            "BINARY" => Ok(fixed(DraftKind::Text(TextForm { is_bytes: true, ..text(self.width()) }))),
            "BOOLEAN" => Ok(fixed(up_to(1, IntegerSize::Tinyint))),
            "TIMESTAMP" | "UNSIGNED_TIMESTAMP" => {
                let nanoseconds = Some(up_to(999_999, IntegerSize::Int));
                Ok(InKey { nanoseconds, ..instant(self.name == "TIMESTAMP")? })
            }
            "DECIMAL" | "NUMERIC" => Err("it is a number of variable length in base 100".to_string()),
            "FLOAT" | "DOUBLE" | "UNSIGNED_FLOAT" | "UNSIGNED_DOUBLE" => {
                Err("it is a floating-point number, with which Hive compares rounded numbers, not exact ones"
                    .to_string())
            }
            "VARBINARY" => Err("it holds any bytes, of no fixed width".to_string()),
            name => Err(format!("{name} is not known here")),
        }
    }

    fn width(&self) -> Option<usize> {
        usize::try_from(self.length.unwrap_or(1)).ok()
    }

    /// The Hive type of its cells, and whether they are binary.
    ///
    /// # Errors
    /// Why Hive would read other values.
    pub fn in_cells(&self) -> Result<(&'static str, bool), &'static str> {
        if self.is_array {
            return Err("arrays");
        }
        match self.name.as_str() {
            "VARCHAR" | "CHAR" => Ok(("string", false)),
            "BINARY" | "VARBINARY" => Ok(("binary", false)),
            "UNSIGNED_TINYINT" => Ok(("tinyint", true)),
            "UNSIGNED_SMALLINT" => Ok(("smallint", true)),
            "UNSIGNED_INT" => Ok(("int", true)),
            "UNSIGNED_LONG" => Ok(("bigint", true)),
            "UNSIGNED_FLOAT" => Ok(("float", true)),
            "UNSIGNED_DOUBLE" => Ok(("double", true)),
            "BOOLEAN" => Ok(("boolean", true)),
            "UNSIGNED_DATE" | "UNSIGNED_TIME" => Ok(("bigint", true)),
            "INTEGER" | "INT" | "BIGINT" | "LONG" | "SMALLINT" | "TINYINT" | "DATE" | "TIME" | "FLOAT"
            | "DOUBLE" => Err("Phoenix flips bits of its numbers, which Hive does not know"),
            _ => Err("Hive has no type that is stored like this"),
        }
    }
}

fn fixed(kind: DraftKind) -> InKey {
    InKey { kind, separator: None, nanoseconds: None }
}
