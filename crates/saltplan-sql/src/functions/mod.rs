//! The functions of Hive 2.3.9, 3.1.3 and 4.1.0, a record each: what is known of a function is stated here and nowhere else.
//!
//! The names, classes and annotations (deterministic, constant while a query runs) are those of `FunctionRegistry`. A record with
//! names and classes alone is a function for which no code has a rule: the planner leaves it to Hive.
//!
//! Code asks for what a function does, such as [`Operation::Reverse`], or for a record, such as [`SUBSTR`]; never for a name.

mod collections;
mod conditions;
mod conversions;
mod dates;
pub mod evaluation;
mod geometry;
mod many_rows;
mod numbers;
mod operators;
mod other;
mod record;
mod sketches;
mod text;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::version::HiveVersion;

pub use collections::ARRAY;
pub use conditions::{ASSERT_TRUE, COALESCE, IF, NULLIF};
pub use dates::{
    ADD_MONTHS, CURRENT_DATE, CURRENT_TIMESTAMP, DATE_ADD, DATE_FORMAT, DATEDIFF, DAY, DAYOFWEEK,
    FROM_UNIXTIME, HOUR, MINUTE, MONTH, QUARTER, SECOND, TO_DATE, UNIX_TIMESTAMP, WEEKOFYEAR, YEAR,
    part_of_time,
};
pub use many_rows::{COUNT, EXPLODE, MAX, MIN, NTILE, SUM};
pub use numbers::{ABS, CEIL, CONV, FLOOR, GREATEST, PMOD, RAND};
pub use other::{CRC32, HASH, MD5, MURMUR_HASH, SHA1, SHA2};
pub use record::{
    Arguments, Classes, Difference, Function, FunctionZone, Inverse, Kind, Nulls, Operation, Order,
    ResultType, Rows, Volatility,
};
pub use text::{
    CONCAT, CONCAT_WS, ENCODE, HEX, INSTR, LEFT, LENGTH, LIKEALL, LIKEANY, LOWER, LPAD, OCTET_LENGTH, PRINTF,
    REGEXP_EXTRACT, REGEXP_REPLACE, REVERSE, RIGHT, RPAD, RTRIM, SPLIT, SUBSTR, SUBSTRING_INDEX, TRANSLATE,
    TRIM, UNHEX,
};

static FAMILIES: [&[&Function]; 11] = [
    text::ALL,
    dates::ALL,
    numbers::ALL,
    conditions::ALL,
    conversions::ALL,
    collections::ALL,
    other::ALL,
    many_rows::ALL,
    operators::ALL,
    geometry::ALL,
    sketches::ALL,
];

static BY_NAME: LazyLock<HashMap<&'static str, &'static Function>> = LazyLock::new(|| {
    all().flat_map(|function| function.names.iter().map(move |name| (*name, function))).collect()
});

/// For each version the records by their classes as [`Classes`] writes them.
static BY_CLASS: LazyLock<[HashMap<&'static str, &'static Function>; 3]> = LazyLock::new(|| {
    HiveVersion::ALL.map(|version| {
        let mut records: HashMap<&'static str, &'static Function> = HashMap::new();
        for function in all() {
            let Some(class) = function.classes.0[version as usize] else { continue };
            let known = records.entry(class).or_insert(function);
            if known.classes.versions() < function.classes.versions() {
                *known = function;
            }
        }
        records
    })
});

/// All records.
pub fn all() -> impl Iterator<Item = &'static Function> {
    FAMILIES.iter().flat_map(|family| family.iter().copied())
}

impl Function {
    /// The function of a name in lower case; `None` of a name that no Hive has and saltplan does not replace.
    pub fn named(name: &str) -> Option<&'static Function> {
        BY_NAME.get(name).copied()
    }

    /// The function that a class with its full name is in a version of Hive. Some names with records of their own have one class, such as
    /// `nvl` and `coalesce` in Hive 4: then it is the record of the name that the most versions have.
    pub fn of_class(class: &str, version: HiveVersion) -> Option<&'static Function> {
        let short = class.strip_prefix(record::PACKAGE).unwrap_or(class);
        BY_CLASS[version as usize].get(short).copied()
    }

    /// The function that a name in lower case means whatever the version of Hive.
    pub fn everywhere(name: &str) -> Option<&'static Function> {
        Function::named(name).filter(|function| function.is_everywhere())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_one_record() {
        let names: Vec<&str> = all().flat_map(|function| function.names.iter().copied()).collect();
        assert_eq!(BY_NAME.len(), names.len(), "a name stands twice");
        for name in names {
            assert_eq!(name, name.to_ascii_lowercase());
            assert!(Function::named(name).is_some_and(|function| function.names.contains(&name)));
        }
        assert!(all().all(|function| !function.names.is_empty()));
    }

    #[test]
    fn inverses_have_records() {
        for function in all() {
            if let Inverse::Named(inverse) | Inverse::NamedOfText(inverse) = function.inverse {
                assert!(Function::named(inverse).is_some(), "{function:?}: {inverse}");
            }
        }
    }

    #[test]
    fn arguments_are_counted() {
        let takes = |name: &str, count| Function::named(name).is_some_and(|it| it.arguments.takes(count));
        assert!(takes("substr", 2) && takes("substr", 3) && !takes("substr", 1) && !takes("substr", 4));
        assert!(takes("concat", 9) && !takes("concat", 0) && takes("unix_timestamp", 0));
        assert_eq!(SUBSTR.arguments.kind(2), Some(Kind::Whole));
        assert_eq!(CONCAT.arguments.kind(7), Some(Kind::Text));
        assert_eq!(SUBSTR.arguments.kind(3), None);
    }

    #[test]
    fn functions_are_found_by_their_classes() {
        for version in HiveVersion::ALL {
            for function in all() {
                let Some(class) = function.classes.full_name(version) else { continue };
                let found =
                    Function::of_class(&class, version).and_then(|found| found.classes.full_name(version));
                assert_eq!(found.as_ref(), Some(&class), "{function:?}");
            }
        }
        let found = |class: &str, version| {
            Function::of_class(&format!("org.apache.hadoop.hive.ql.udf.{class}"), version).map(Function::name)
        };
        assert_eq!(found("generic.GenericUDFCoalesce", HiveVersion::Hive4), Some("coalesce"));
        assert_eq!(found("generic.GenericUDFNvl", HiveVersion::Hive3), Some("nvl"));
        assert_eq!(found("UDFSubstr", HiveVersion::Hive4), Some("substr"));
        assert_eq!(found("UDFToLong", HiveVersion::Hive4), Some("bigint"));
        assert_eq!(found("generic.GenericUDFToString", HiveVersion::Hive3), None);
    }

    #[test]
    fn classes_are_full_names() {
        let class = |name: &str, version| Function::named(name).and_then(|it| it.classes.full_name(version));
        assert_eq!(class("lcase", HiveVersion::Hive2), class("lower", HiveVersion::Hive4));
        assert_eq!(class("left", HiveVersion::Hive3), None);
        assert_eq!(
            class("nvl", HiveVersion::Hive4).as_deref(),
            Some("org.apache.hadoop.hive.ql.udf.generic.GenericUDFCoalesce")
        );
    }
}
