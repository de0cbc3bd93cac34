//! The Java classes that operators and casts are in Hive. Those of functions are in the catalogue.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::tree::Operator;
use saltplan_sql::ast::BinaryOperator;
use saltplan_sql::hive_type::Type;
use saltplan_sql::version::HiveVersion;

pub(super) const GENERIC: &str = "org.apache.hadoop.hive.ql.udf.generic.GenericUDF";
pub(super) const PLAIN: &str = "org.apache.hadoop.hive.ql.udf.UDF";

/// What a class of Hive is in a bound tree, if it is no function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassOf {
    /// An operator. The first argument of BETWEEN says whether it is negated.
    Operator(Operator),
    /// To the type of the call.
    Cast,
    /// `CASE operand WHEN …`
    Case,
    /// `CASE WHEN …`
    When,
    /// A row of values.
    Row,
}

/// The operators with a class of their own.
const OPERATORS: [Operator; 32] = [
    Operator::And,
    Operator::Or,
    Operator::Not,
    Operator::Minus,
    Operator::BitwiseNot,
    Operator::Binary(BinaryOperator::Eq),
    Operator::Binary(BinaryOperator::NotEq),
    Operator::Binary(BinaryOperator::NullSafeEq),
    Operator::Binary(BinaryOperator::Lt),
    Operator::Binary(BinaryOperator::LtEq),
    Operator::Binary(BinaryOperator::Gt),
    Operator::Binary(BinaryOperator::GtEq),
    Operator::Binary(BinaryOperator::BitwiseOr),
    Operator::Binary(BinaryOperator::BitwiseAnd),
    Operator::Binary(BinaryOperator::BitwiseXor),
    Operator::Binary(BinaryOperator::Plus),
    Operator::Binary(BinaryOperator::Minus),
    Operator::Binary(BinaryOperator::Multiply),
    Operator::Binary(BinaryOperator::Divide),
    Operator::Binary(BinaryOperator::IntegerDivide),
    Operator::Binary(BinaryOperator::Modulo),
    Operator::Is { value: None, negated: false },
    Operator::Is { value: None, negated: true },
    Operator::Is { value: Some(true), negated: false },
    Operator::Is { value: Some(true), negated: true },
    Operator::Is { value: Some(false), negated: false },
    Operator::Is { value: Some(false), negated: true },
    Operator::In { negated: false },
    Operator::Between { negated: false },
    Operator::Like { negated: false },
    Operator::RLike { negated: false },
    Operator::Element,
];

static OPERATOR_OF: LazyLock<HashMap<String, Operator>> =
    LazyLock::new(|| OPERATORS.into_iter().map(|operator| (operator_class(operator).0, operator)).collect());

/// What a class is that a version of Hive has for an operator or for a cast to `to`; `None` of all others.
pub fn class_of(class: &str, to: Option<Type>, version: HiveVersion) -> Option<ClassOf> {
    match class.strip_prefix(GENERIC) {
        // Hive 4 has no such class: a CASE with an operand is one of conditions there.
        Some("Case") => return (version != HiveVersion::Hive4).then_some(ClassOf::Case),
        Some("When") => return Some(ClassOf::When),
        Some("Struct") => return Some(ClassOf::Row),
        _ => {}
    }
    if to.is_some() && cast_class(to, version) == class {
        return Some(ClassOf::Cast);
    }
    OPERATOR_OF.get(class).copied().map(ClassOf::Operator)
}

/// The class of a cast to a type; no class for other types.
pub(super) fn cast_class(to: Option<Type>, version: HiveVersion) -> String {
    match to {
        Some(Type::TinyInt) => format!("{PLAIN}ToByte"),
        Some(Type::SmallInt) => format!("{PLAIN}ToShort"),
        Some(Type::Int) => format!("{PLAIN}ToInteger"),
        Some(Type::BigInt) => format!("{PLAIN}ToLong"),
        Some(Type::Float) => format!("{PLAIN}ToFloat"),
        Some(Type::Double) => format!("{PLAIN}ToDouble"),
        Some(Type::Boolean) => format!("{PLAIN}ToBoolean"),
        Some(Type::String) if version == HiveVersion::Hive4 => format!("{GENERIC}ToString"),
        Some(Type::String) => format!("{PLAIN}ToString"),
        Some(Type::Decimal { .. }) => format!("{GENERIC}ToDecimal"),
        Some(Type::Varchar(_)) => format!("{GENERIC}ToVarchar"),
        Some(Type::Char(_)) => format!("{GENERIC}ToChar"),
        Some(Type::Date) => format!("{GENERIC}ToDate"),
        Some(Type::Timestamp) => format!("{GENERIC}Timestamp"),
        Some(Type::Binary) => format!("{GENERIC}ToBinary"),
        other => format!("{other:?}"),
    }
}

/// The class of an operator, and whether Hive has it under a NOT. Negated lists, ranges and patterns have the class of the others.
pub(super) fn operator_class(operator: Operator) -> (String, bool) {
    let (name, negated) = match operator {
        Operator::And => ("OPAnd", false),
        Operator::Or => ("OPOr", false),
        Operator::Not => ("OPNot", false),
        Operator::Minus => ("OPNegative", false),
        // Hive leaves the sign out.
        Operator::Plus => ("OPPositive", false),
        Operator::Is { value: None, negated: false } => ("OPNull", false),
        Operator::Is { value: None, negated: true } => ("OPNotNull", false),
        Operator::Is { value: Some(true), negated: false } => ("OPTrue", false),
        Operator::Is { value: Some(true), negated: true } => ("OPNotTrue", false),
        Operator::Is { value: Some(false), negated: false } => ("OPFalse", false),
        Operator::Is { value: Some(false), negated: true } => ("OPNotFalse", false),
        Operator::In { .. } => ("In", false),
        Operator::Between { .. } => ("Between", false),
        Operator::RLike { .. } => ("RegExp", false),
        Operator::Like { .. } => return (format!("{PLAIN}Like"), false),
        Operator::Element => ("Index", false),
        Operator::BitwiseNot => return (format!("{PLAIN}OPBitNot"), false),
        Operator::Binary(op) => match op {
            BinaryOperator::Eq => ("OPEqual", false),
            BinaryOperator::NotEq => ("OPNotEqual", false),
            BinaryOperator::NullSafeEq | BinaryOperator::NotDistinctFrom => ("OPEqualNS", false),
            BinaryOperator::DistinctFrom => ("OPEqualNS", true),
            BinaryOperator::Lt => ("OPLessThan", false),
            BinaryOperator::LtEq => ("OPEqualOrLessThan", false),
            BinaryOperator::Gt => ("OPGreaterThan", false),
            BinaryOperator::GtEq => ("OPEqualOrGreaterThan", false),
            BinaryOperator::Concat => ("Concat", false),
            BinaryOperator::Plus => ("OPPlus", false),
            BinaryOperator::Minus => ("OPMinus", false),
            BinaryOperator::Multiply => ("OPMultiply", false),
            BinaryOperator::Divide => ("OPDivide", false),
            BinaryOperator::Modulo => ("OPMod", false),
            BinaryOperator::BitwiseOr => return (format!("{PLAIN}OPBitOr"), false),
            BinaryOperator::BitwiseAnd => return (format!("{PLAIN}OPBitAnd"), false),
            BinaryOperator::BitwiseXor => return (format!("{PLAIN}OPBitXor"), false),
            BinaryOperator::IntegerDivide => return (format!("{PLAIN}OPLongDivide"), false),
        },
    };
    (format!("{GENERIC}{name}"), negated)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_those_of_operators() {
        for version in HiveVersion::ALL {
            for operator in OPERATORS {
                let (class, negated) = operator_class(operator);
                let found = class_of(&class, None, version);
                assert!(!negated);
                assert_eq!(found, Some(ClassOf::Operator(operator)));
            }
            let cast = |class: &str, to| class_of(&format!("{PLAIN}{class}"), Some(to), version);
            assert_eq!(cast("ToLong", Type::BigInt), Some(ClassOf::Cast));
            assert_eq!(cast("ToLong", Type::Int), None);
            assert_eq!(class_of("com.acme.ToLong", Some(Type::BigInt), version), None);
        }
        let case = format!("{GENERIC}Case");
        assert_eq!(class_of(&case, None, HiveVersion::Hive3), Some(ClassOf::Case));
        assert_eq!(class_of(&case, None, HiveVersion::Hive4), None);
    }
}
