//! Functions that choose a value, and tests.

use super::evaluation::first_not_null;
use super::record::Kind::{Any, Boolean};
use super::record::{Arguments, Classes, Difference, Function, Nulls, Operation, ResultType};
use crate::ast::Type;

pub static IF: Function = Function {
    names: &["if"],
    classes: Classes::all("udf.generic.GenericUDFIf"),
    arguments: Arguments::of(&[Boolean, Any, Any]),
    result: ResultType::CommonFrom(1),
    operation: Operation::If,
    ..Function::ROW
};

pub static COALESCE: Function = Function {
    names: &["coalesce"],
    classes: Classes::all("udf.generic.GenericUDFCoalesce"),
    arguments: Arguments::of(&[Any]).more(Any),
    result: ResultType::CommonFrom(0),
    operation: Operation::FirstNotNull,
    evaluate: Some(first_not_null),
    differences: &[Difference { call: "coalesce(5, 1.5)", values: ["5", "5", "5.0"] }],
    ..Function::ROW
};

pub static NULLIF: Function = Function {
    names: &["nullif"],
    classes: Classes::all("udf.generic.GenericUDFNullif"),
    arguments: Arguments::of(&[Any, Any]),
    result: ResultType::OfArgument(0),
    nulls: Nulls::FirstArgument,
    operation: Operation::NullIf,
    ..Function::ROW
};

pub static ASSERT_TRUE: Function = Function {
    names: &["assert_true"],
    classes: Classes::all("udf.generic.GenericUDFAssertTrue"),
    arguments: Arguments::of(&[Any]),
    ..Function::ROW
};

pub(super) static ALL: &[&Function] = &[
    &IF,
    &COALESCE,
    &Function {
        names: &["nvl"],
        classes: Classes([
            Some("udf.generic.GenericUDFNvl"),
            Some("udf.generic.GenericUDFNvl"),
            Some("udf.generic.GenericUDFCoalesce"),
        ]),
        arguments: Arguments::of(&[Any, Any]),
        result: ResultType::CommonFrom(0),
        operation: Operation::FirstNotNull,
        evaluate: Some(first_not_null),
        ..Function::ROW
    },
    &NULLIF,
    &Function {
        names: &["isnull"],
        classes: Classes::all("udf.generic.GenericUDFOPNull"),
        arguments: Arguments::of(&[Any]),
        result: ResultType::Is(Type::Boolean),
        nulls: Nulls::Never,
        operation: Operation::IsNull,
        ..Function::ROW
    },
    &Function {
        names: &["isnotnull"],
        classes: Classes::all("udf.generic.GenericUDFOPNotNull"),
        arguments: Arguments::of(&[Any]),
        result: ResultType::Is(Type::Boolean),
        nulls: Nulls::Never,
        operation: Operation::IsNotNull,
        ..Function::ROW
    },
    &Function {
        names: &["istrue"],
        classes: Classes::since_hive3("udf.generic.GenericUDFOPTrue"),
        arguments: Arguments::of(&[Boolean]),
        result: ResultType::Is(Type::Boolean),
        nulls: Nulls::Never,
        ..Function::ROW
    },
    &Function {
        names: &["isnottrue"],
        classes: Classes::since_hive3("udf.generic.GenericUDFOPNotTrue"),
        arguments: Arguments::of(&[Boolean]),
        result: ResultType::Is(Type::Boolean),
        nulls: Nulls::Never,
        ..Function::ROW
    },
    &Function {
        names: &["isfalse"],
        classes: Classes::since_hive3("udf.generic.GenericUDFOPFalse"),
        arguments: Arguments::of(&[Boolean]),
        result: ResultType::Is(Type::Boolean),
        nulls: Nulls::Never,
        ..Function::ROW
    },
    &Function {
        names: &["isnotfalse"],
        classes: Classes::since_hive3("udf.generic.GenericUDFOPNotFalse"),
        arguments: Arguments::of(&[Boolean]),
        result: ResultType::Is(Type::Boolean),
        nulls: Nulls::Never,
        ..Function::ROW
    },
    &ASSERT_TRUE,
];
