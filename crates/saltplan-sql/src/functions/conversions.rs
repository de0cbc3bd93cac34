//! Functions that convert a value to a type.

use super::record::Kind::Any;
use super::record::{Arguments, Classes, Function, Nulls, Operation, ResultType};
use crate::ast::Type;

pub(super) static ALL: &[&Function] = &[
    &Function {
        names: &["boolean"],
        classes: Classes::all("udf.UDFToBoolean"),
        arguments: Arguments::of(&[Any]),
        result: ResultType::Is(Type::Boolean),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function {
        names: &["tinyint"],
        classes: Classes::all("udf.UDFToByte"),
        arguments: Arguments::of(&[Any]),
        result: ResultType::Is(Type::TinyInt),
        nulls: Nulls::AnyArgument,
        operation: Operation::Cast(Type::TinyInt),
        ..Function::ROW
    },
    &Function {
        names: &["smallint"],
        classes: Classes::all("udf.UDFToShort"),
        arguments: Arguments::of(&[Any]),
        result: ResultType::Is(Type::SmallInt),
        nulls: Nulls::AnyArgument,
        operation: Operation::Cast(Type::SmallInt),
        ..Function::ROW
    },
    &Function {
        names: &["int"],
        classes: Classes::all("udf.UDFToInteger"),
        arguments: Arguments::of(&[Any]),
        result: ResultType::Is(Type::Int),
        nulls: Nulls::AnyArgument,
        operation: Operation::Cast(Type::Int),
        ..Function::ROW
    },
    &Function {
        names: &["bigint"],
        classes: Classes::all("udf.UDFToLong"),
        arguments: Arguments::of(&[Any]),
        result: ResultType::Is(Type::BigInt),
        nulls: Nulls::AnyArgument,
        operation: Operation::Cast(Type::BigInt),
        ..Function::ROW
    },
    &Function {
        names: &["float"],
        classes: Classes::all("udf.UDFToFloat"),
        arguments: Arguments::of(&[Any]),
        result: ResultType::Is(Type::Float),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function {
        names: &["double"],
        classes: Classes::all("udf.UDFToDouble"),
        arguments: Arguments::of(&[Any]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::AnyArgument,
        operation: Operation::Cast(Type::Double),
        ..Function::ROW
    },
    &Function {
        names: &["string"],
        classes: Classes([
            Some("udf.UDFToString"),
            Some("udf.UDFToString"),
            Some("udf.generic.GenericUDFToString"),
        ]),
        arguments: Arguments::of(&[Any]),
        result: ResultType::Is(Type::String),
        nulls: Nulls::AnyArgument,
        operation: Operation::Cast(Type::String),
        ..Function::ROW
    },
    &Function {
        names: &["binary"],
        classes: Classes::all("udf.generic.GenericUDFToBinary"),
        arguments: Arguments::of(&[Any]),
        result: ResultType::Is(Type::Binary),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function {
        names: &["decimal"],
        classes: Classes::all("udf.generic.GenericUDFToDecimal"),
        arguments: Arguments::of(&[Any]),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function::row(&["cast_format"], Classes::since_hive4("udf.generic.GenericUDFCastFormat")),
    &Function::row(&["char"], Classes::all("udf.generic.GenericUDFToChar")),
    &Function::row(&["interval_day_time"], Classes::all("udf.generic.GenericUDFToIntervalDayTime")),
    &Function::row(&["interval_year_month"], Classes::all("udf.generic.GenericUDFToIntervalYearMonth")),
    &Function::row(
        &["timestamp with local time zone"],
        Classes::since_hive3("udf.generic.GenericUDFToTimestampLocalTZ"),
    ),
    &Function::row(&["udftoboolean"], Classes::since_hive3("udf.UDFToBoolean")),
    &Function::row(&["udftobyte"], Classes::since_hive3("udf.UDFToByte")),
    &Function::row(&["udftodouble"], Classes::since_hive3("udf.UDFToDouble")),
    &Function::row(&["udftofloat"], Classes::since_hive3("udf.UDFToFloat")),
    &Function::row(&["udftointeger"], Classes::since_hive3("udf.UDFToInteger")),
    &Function::row(&["udftolong"], Classes::since_hive3("udf.UDFToLong")),
    &Function::row(&["udftoshort"], Classes::since_hive3("udf.UDFToShort")),
    &Function::row(&["udftostring"], Classes([None, Some("udf.UDFToString"), None])),
    &Function::row(&["varchar"], Classes::all("udf.generic.GenericUDFToVarchar")),
];
