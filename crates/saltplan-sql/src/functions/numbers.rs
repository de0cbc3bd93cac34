//! Functions of numbers.

use super::evaluation::numbers;
use super::record::Kind::{Any, Number, Whole};
use super::record::{Arguments, Classes, Function, Inverse, Nulls, Operation, Order, ResultType, Volatility};
use crate::ast::Type;

pub static ABS: Function = Function {
    names: &["abs"],
    classes: Classes::all("udf.generic.GenericUDFAbs"),
    arguments: Arguments::of(&[Number]),
    result: ResultType::OfArgument(0),
    nulls: Nulls::AnyArgument,
    operation: Operation::Absolute,
    evaluate: Some(numbers::abs),
    ..Function::ROW
};

pub static CEIL: Function = Function {
    names: &["ceil", "ceiling"],
    classes: Classes::all("udf.generic.GenericUDFCeil"),
    arguments: Arguments::of(&[Number]),
    nulls: Nulls::AnyArgument,
    order: Order::Keeps,
    operation: Operation::Ceiling,
    evaluate: Some(numbers::ceil),
    ..Function::ROW
};

pub static FLOOR: Function = Function {
    names: &["floor"],
    classes: Classes::all("udf.generic.GenericUDFFloor"),
    arguments: Arguments::of(&[Number]),
    nulls: Nulls::AnyArgument,
    order: Order::Keeps,
    operation: Operation::Floor,
    evaluate: Some(numbers::floor),
    ..Function::ROW
};

pub static PMOD: Function = Function {
    names: &["pmod"],
    classes: Classes::all("udf.generic.GenericUDFPosMod"),
    arguments: Arguments::of(&[Number, Number]),
    result: ResultType::CommonFrom(0),
    nulls: Nulls::AnyArgument,
    operation: Operation::PositiveRemainder,
    evaluate: Some(numbers::pmod),
    ..Function::ROW
};

pub static GREATEST: Function = Function {
    names: &["greatest"],
    classes: Classes::all("udf.generic.GenericUDFGreatest"),
    arguments: Arguments::of(&[Any, Any]).more(Any),
    result: ResultType::CommonFrom(0),
    nulls: Nulls::AnyArgument,
    order: Order::Keeps,
    operation: Operation::Greatest,
    ..Function::ROW
};

pub static CONV: Function = Function {
    names: &["conv"],
    classes: Classes::all("udf.UDFConv"),
    arguments: Arguments::of(&[Any, Whole, Whole]),
    result: ResultType::Is(Type::String),
    nulls: Nulls::AnyArgument,
    ..Function::ROW
};

pub static RAND: Function = Function {
    names: &["rand"],
    classes: Classes::all("udf.UDFRand"),
    arguments: Arguments::of(&[]).then(&[Whole]),
    result: ResultType::Is(Type::Double),
    nulls: Nulls::Never,
    volatility: Volatility::Volatile,
    ..Function::ROW
};

pub(super) static ALL: &[&Function] = &[
    &ABS,
    &CEIL,
    &FLOOR,
    &Function {
        names: &["round"],
        classes: Classes::all("udf.generic.GenericUDFRound"),
        arguments: Arguments::of(&[Number]).then(&[Whole]),
        result: ResultType::Rounded,
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        operation: Operation::Round,
        ..Function::ROW
    },
    &Function {
        names: &["bround"],
        classes: Classes::all("udf.generic.GenericUDFBRound"),
        arguments: Arguments::of(&[Number]).then(&[Whole]),
        result: ResultType::Rounded,
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        ..Function::ROW
    },
    &Function {
        names: &["negative"],
        classes: Classes::all("udf.generic.GenericUDFOPNegative"),
        arguments: Arguments::of(&[Number]),
        result: ResultType::OfArgument(0),
        nulls: Nulls::AnyArgument,
        order: Order::Turns,
        inverse: Inverse::Itself,
        operation: Operation::Negate,
        ..Function::ROW
    },
    &Function {
        names: &["positive"],
        classes: Classes::all("udf.generic.GenericUDFOPPositive"),
        arguments: Arguments::of(&[Number]),
        result: ResultType::OfArgument(0),
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        inverse: Inverse::Itself,
        operation: Operation::Keep,
        ..Function::ROW
    },
    &Function {
        names: &["sign"],
        classes: Classes::all("udf.UDFSign"),
        arguments: Arguments::of(&[Number]),
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        operation: Operation::Sign,
        ..Function::ROW
    },
    &PMOD,
    &Function {
        names: &["mod"],
        classes: Classes::all("udf.generic.GenericUDFOPMod"),
        arguments: Arguments::of(&[Number, Number]),
        result: ResultType::CommonFrom(0),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &GREATEST,
    &Function {
        names: &["least"],
        classes: Classes::all("udf.generic.GenericUDFLeast"),
        arguments: Arguments::of(&[Any, Any]).more(Any),
        result: ResultType::CommonFrom(0),
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        operation: Operation::Least,
        ..Function::ROW
    },
    &Function {
        names: &["sqrt"],
        classes: Classes::all("udf.UDFSqrt"),
        arguments: Arguments::of(&[Number]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        ..Function::ROW
    },
    &Function {
        names: &["exp"],
        classes: Classes::all("udf.UDFExp"),
        arguments: Arguments::of(&[Number]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        ..Function::ROW
    },
    &Function {
        names: &["ln"],
        classes: Classes::all("udf.UDFLn"),
        arguments: Arguments::of(&[Number]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        ..Function::ROW
    },
    &Function {
        names: &["log10"],
        classes: Classes::all("udf.UDFLog10"),
        arguments: Arguments::of(&[Number]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        ..Function::ROW
    },
    &Function {
        names: &["log2"],
        classes: Classes::all("udf.UDFLog2"),
        arguments: Arguments::of(&[Number]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        ..Function::ROW
    },
    &Function {
        names: &["cbrt"],
        classes: Classes::all("udf.generic.GenericUDFCbrt"),
        arguments: Arguments::of(&[Number]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        ..Function::ROW
    },
    &Function {
        names: &["radians"],
        classes: Classes::all("udf.UDFRadians"),
        arguments: Arguments::of(&[Number]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        ..Function::ROW
    },
    &Function {
        names: &["degrees"],
        classes: Classes::all("udf.UDFDegrees"),
        arguments: Arguments::of(&[Number]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        ..Function::ROW
    },
    &Function {
        names: &["atan"],
        classes: Classes::all("udf.UDFAtan"),
        arguments: Arguments::of(&[Number]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        ..Function::ROW
    },
    &Function {
        names: &["asin"],
        classes: Classes::all("udf.UDFAsin"),
        arguments: Arguments::of(&[Number]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        ..Function::ROW
    },
    &Function {
        names: &["acos"],
        classes: Classes::all("udf.UDFAcos"),
        arguments: Arguments::of(&[Number]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::AnyArgument,
        order: Order::Turns,
        ..Function::ROW
    },
    &Function {
        names: &["sin"],
        classes: Classes::all("udf.UDFSin"),
        arguments: Arguments::of(&[Number]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function {
        names: &["cos"],
        classes: Classes::all("udf.UDFCos"),
        arguments: Arguments::of(&[Number]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function {
        names: &["tan"],
        classes: Classes::all("udf.UDFTan"),
        arguments: Arguments::of(&[Number]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function {
        names: &["log"],
        classes: Classes::all("udf.UDFLog"),
        arguments: Arguments::of(&[Number]).then(&[Number]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function {
        names: &["power", "pow"],
        classes: Classes::all("udf.generic.GenericUDFPower"),
        arguments: Arguments::of(&[Number, Number]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function {
        names: &["factorial"],
        classes: Classes::all("udf.generic.GenericUDFFactorial"),
        arguments: Arguments::of(&[Whole]),
        result: ResultType::Is(Type::BigInt),
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        ..Function::ROW
    },
    &Function {
        names: &["e"],
        classes: Classes::all("udf.UDFE"),
        arguments: Arguments::of(&[]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::Never,
        ..Function::ROW
    },
    &Function {
        names: &["pi"],
        classes: Classes::all("udf.UDFPI"),
        arguments: Arguments::of(&[]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::Never,
        ..Function::ROW
    },
    &Function {
        names: &["bin"],
        classes: Classes::all("udf.UDFBin"),
        arguments: Arguments::of(&[Whole]),
        result: ResultType::Is(Type::String),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &CONV,
    &Function {
        names: &["width_bucket"],
        classes: Classes::since_hive3("udf.generic.GenericUDFWidthBucket"),
        arguments: Arguments::of(&[Number, Number, Number, Whole]),
        result: ResultType::Is(Type::Int),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function {
        names: &["shiftleft"],
        classes: Classes::all("udf.UDFOPBitShiftLeft"),
        arguments: Arguments::of(&[Whole, Whole]),
        result: ResultType::IntOrBigInt,
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function {
        names: &["shiftright"],
        classes: Classes::all("udf.UDFOPBitShiftRight"),
        arguments: Arguments::of(&[Whole, Whole]),
        result: ResultType::IntOrBigInt,
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function {
        names: &["shiftrightunsigned"],
        classes: Classes::all("udf.UDFOPBitShiftRightUnsigned"),
        arguments: Arguments::of(&[Whole, Whole]),
        result: ResultType::IntOrBigInt,
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &RAND,
    &Function::row(&["cosh"], Classes::since_hive4("udf.UDFCosh")),
    &Function::row(&["sinh"], Classes::since_hive4("udf.UDFSinh")),
    &Function::row(&["tanh"], Classes::since_hive4("udf.UDFTanh")),
];
