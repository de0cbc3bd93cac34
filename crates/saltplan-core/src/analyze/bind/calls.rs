//! The types of what functions return, where it takes more than the catalogue says.

use super::constants;
use super::tree::{BoundNode, ConstantValue};
use super::types;
use crate::analyze::constant::Constant;
use saltplan_sql::functions::{Function, Operation, ResultType};
use saltplan_sql::hive_type::{HiveType, Type};
use saltplan_sql::version::HiveVersion;

/// The type of a function's result; `None` where it is not known.
///
/// # Errors
/// Why Hive refuses the arguments.
pub(super) fn result(
    version: HiveVersion,
    function: &Function,
    arguments: &[BoundNode],
) -> Result<Option<HiveType>, String> {
    let primitive = |index: usize| arguments.get(index).and_then(BoundNode::primitive);
    let all = || arguments.iter().map(BoundNode::primitive).collect::<Option<Vec<Type>>>();
    let of = match function.operation {
        Operation::Greatest | Operation::Least => all().and_then(|types| {
            let mut types = types.into_iter();
            let first = types.next()?;
            types.try_fold(first, types::comparison)
        }),
        Operation::Floor | Operation::Ceiling => primitive(0).map(types::whole_number),
        Operation::Absolute => primitive(0).map(types::absolute),
        Operation::Sign => primitive(0).map(types::sign),
        Operation::Concatenate => all().map(|types| types::concatenated(&types)),
        Operation::Substring if primitive(0) == Some(Type::Binary) => Some(Type::Binary),
        Operation::PositiveRemainder => match arguments {
            [a, b] => number(version, a)
                .zip(number(version, b))
                .and_then(|(a, b)| types::positive_remainder(version, a, b)),
            _ => None,
        },
        Operation::Negate if primitive(0).is_some_and(Type::is_text) => Some(Type::Double),
        _ => return declared(version, function, arguments),
    };
    Ok(of.map(HiveType::from))
}

/// What the catalogue says.
fn declared(
    version: HiveVersion,
    function: &Function,
    arguments: &[BoundNode],
) -> Result<Option<HiveType>, String> {
    match function.result {
        ResultType::Unknown => Ok(None),
        ResultType::Is(of) => Ok(Some(of.into())),
        ResultType::ArrayOf(of) => Ok(Some(HiveType::Array(Box::new(of.into())))),
        ResultType::ArrayOfCommon => {
            Ok(common(version, arguments.iter())?.map(|of| HiveType::Array(Box::new(of))))
        }
        ResultType::MapOf(key, value) => {
            Ok(Some(HiveType::Map(Box::new(key.into()), Box::new(value.into()))))
        }
        ResultType::MapOfCommon => {
            let key = common(version, arguments.iter().step_by(2))?;
            let value = common(version, arguments.iter().skip(1).step_by(2))?;
            Ok(key.zip(value).map(|(key, value)| HiveType::Map(Box::new(key), Box::new(value))))
        }
        ResultType::Rounded => {
            let of = arguments.first().and_then(BoundNode::primitive);
            Ok(of.and_then(|of| types::rounded(of, digits(arguments.get(1)))).map(HiveType::from))
        }
        ResultType::IntOrBigInt => {
            let of = arguments.first().and_then(BoundNode::primitive).filter(|of| of.is_integer());
            Ok(of.map(|of| if of == Type::BigInt { of.into() } else { Type::Int.into() }))
        }
        ResultType::IsoDay => Ok(Some(Type::String.into())),
        ResultType::OfArgument(index) => Ok(arguments.get(index).and_then(|argument| argument.of.clone())),
        ResultType::TextOfArgument(index) => {
            let text = arguments.get(index).and_then(BoundNode::primitive).filter(|of| of.is_text());
            Ok(Some(text.unwrap_or(Type::String).into()))
        }
        ResultType::CommonFrom(index) => common(version, arguments.get(index..).unwrap_or_default().iter()),
    }
}

/// The common type of values; `None` if one of the types is not known.
pub(super) fn common<'n>(
    version: HiveVersion,
    values: impl Iterator<Item = &'n BoundNode>,
) -> Result<Option<HiveType>, String> {
    let mut common: Option<HiveType> = None;
    for value in values {
        let Some(of) = &value.of else { return Ok(None) };
        common = Some(match common {
            None => of.clone(),
            Some(before) => types::common(version, &before, of)
                .ok_or_else(|| format!("{before} and {of} have no common type"))?,
        });
    }
    Ok(common)
}

/// An operand of arithmetic. Hive takes a constant for a number of as many digits as it has.
pub(super) fn number(version: HiveVersion, node: &BoundNode) -> Option<types::Number> {
    let is_function = version != HiveVersion::Hive4 && super::negations(node) > 0;
    let digits = node.constant().filter(|_| !is_function).and_then(|constant| match &constant.value {
        Some(ConstantValue::Plain(Constant::Number(number))) => match constants::decimal_type(*number) {
            Some(Type::Decimal { precision, .. }) => Some(precision),
            _ => None,
        },
        _ => None,
    });
    Some(types::Number { of: node.primitive()?, digits })
}

/// The number of digits after the point to which `round` rounds, negative before it: 0 if it has no second argument.
fn digits(argument: Option<&BoundNode>) -> Option<i64> {
    let Some(argument) = argument else { return Some(0) };
    match &argument.constant()?.value {
        Some(ConstantValue::Plain(Constant::Number(number))) => i64::try_from(number.ceiling().0).ok(),
        _ => None,
    }
}
