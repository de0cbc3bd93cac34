//! Literals, and the constants that Hive's type check converts to the type of the column beside them.

use super::tree::{BoundConstant, ConstantValue};
use crate::analyze::constant::{Constant, Decimal, typed};
use saltplan_sql::ast::{Expr, Literal, UnaryOperator};
use saltplan_sql::hive_type::{HiveType, MAX_PRECISION, Type};
use saltplan_sql::value::{NumberType, Typed};
use saltplan_sql::version::HiveVersion;

/// The value of a number as Hive writes it, and its type: an int if it fits, a bigint, a decimal, else a double.
pub(super) fn number(digits: &str) -> (Option<ConstantValue>, Type) {
    let is_double = digits.contains(['e', 'E']);
    let exact = Decimal::parse(digits);
    let of = match exact {
        _ if is_double => Type::Double,
        Some(number) if !digits.contains('.') && i32::try_from(number.digits).is_ok() => Type::Int,
        Some(number) if !digits.contains('.') && i64::try_from(number.digits).is_ok() => Type::BigInt,
        Some(number) => decimal_type(rounded(number)).unwrap_or(Type::Double),
        None => Type::Double,
    };
    (number_value(digits), of)
}

fn number_value(text: &str) -> Option<ConstantValue> {
    match Decimal::parse(text) {
        Some(number) if !text.contains(['e', 'E']) => Some(plain(Constant::Number(rounded(number)))),
        Some(number) => Some(plain(Constant::Number(number))),
        None => text.parse().ok().filter(|double: &f64| double.is_finite()).map(ConstantValue::Double),
    }
}

pub(super) fn plain(constant: Constant) -> ConstantValue {
    ConstantValue::Plain(constant)
}

/// A number as a decimal: Hive rounds what is behind the last digit that it has.
fn rounded(number: Decimal) -> Decimal {
    let Some(excess) = number.scale.checked_sub(MAX_PRECISION).filter(|excess| *excess > 0) else {
        return number;
    };
    // Beyond all digits of an i128 nothing is left.
    let digits = 10_i128.checked_pow(excess).map_or(0, |unit| {
        let half = unit / 2 * number.digits.signum();
        number.digits.saturating_add(half) / unit
    });
    Decimal { digits, scale: MAX_PRECISION }.reduced()
}

/// The decimal type with exactly the digits of a number; `None` for more than Hive has.
pub(super) fn decimal_type(number: Decimal) -> Option<Type> {
    let number = number.reduced();
    let digits = number.digits.unsigned_abs().checked_ilog10().map_or(1, |more| more + 1);
    let precision = digits.max(number.scale);
    (precision <= MAX_PRECISION).then_some(Type::Decimal { precision, scale: number.scale })
}

/// The constant of a literal with its type.
pub(super) fn literal(literal: &Literal) -> (Option<ConstantValue>, HiveType) {
    let (value, of) = match literal {
        Literal::Null => (Some(plain(Constant::Null)), Type::Void),
        Literal::Bool(value) => (Some(plain(Constant::Bool(*value))), Type::Boolean),
        Literal::Text(text) => (Some(plain(Constant::Text(text.clone()))), Type::String),
        Literal::FilledIn { .. } | Literal::Later(_) => (None, Type::String),
        Literal::Number(digits) => number(digits),
        Literal::TypedNumber { digits, written } => {
            let value = number_value(digits);
            let exact = Decimal::parse(digits).and_then(decimal_type);
            match exact.filter(|_| written.ends_with("BD") || written.ends_with("bd")) {
                Some(decimal) => (value, decimal),
                None => (value, Type::Double),
            }
        }
    };
    (value, of.into())
}

/// The type of a value.
pub(super) fn type_of(value: &Typed) -> Type {
    match (&value.constant, value.of) {
        (Constant::Null, _) => Type::Void,
        (Constant::Bool(_), _) => Type::Boolean,
        (Constant::Text(_), _) => Type::String,
        (Constant::Date(_), _) => Type::Date,
        (Constant::Timestamp(_), _) => Type::Timestamp,
        (Constant::Number(_), NumberType::Whole(size)) => size.hive_type(),
        (Constant::Number(number), NumberType::Decimal) => decimal_type(*number).unwrap_or(Type::Double),
        (Constant::Number(_), NumberType::Double) => Type::Double,
    }
}

/// An expression that has this value, of the same type.
pub(super) fn spelled(value: &Typed) -> Expr {
    let typed_text = |data_type, text| Expr::TypedText { data_type, text };
    match &value.constant {
        Constant::Null => Expr::null(),
        Constant::Bool(truth) => Expr::truth(*truth),
        Constant::Text(text) => Expr::text(text),
        Constant::Date(date) => typed_text(Type::Date, date.to_string()),
        Constant::Timestamp(at) => typed_text(Type::Timestamp, at.format("%Y-%m-%d %H:%M:%S%.f").to_string()),
        Constant::Number(number) => {
            let is_negative = number.digits < 0;
            let digits = number.to_string();
            let digits = digits.strip_prefix('-').unwrap_or(&digits);
            // As a whole number or a decimal, as a decimal, as a double.
            let forms = ["", ".0", "E0"].map(|end| {
                let literal = Expr::number(format!("{digits}{end}"));
                let minus = UnaryOperator::Minus;
                if is_negative { Expr::UnaryOp { op: minus, expr: literal.into() } } else { literal }
            });
            let of_type = forms.iter().find(|form| typed(*form).as_ref() == Some(value)).cloned();
            of_type.unwrap_or_else(|| {
                let [plain, ..] = forms;
                plain.cast(type_of(value))
            })
        }
    }
}

/// What becomes of a constant beside a column.
#[derive(Debug, PartialEq)]
pub(super) enum Beside {
    /// It stays as it is, and Hive compares two types.
    Same,
    Converted(ConstantValue, HiveType),
    /// It is no value of the column's type. It stays as it is in a comparison; Hive 4 leaves it out of a list.
    NoValue,
    /// A text that is no number beside a number: Hive 2 and 3 take an equality for FALSE.
    NoNumber,
}

/// What Hive's type check makes of a constant that is compared with a column, from `interpretConstantAsPrimitive` of Hive 4 and the
/// same place in `TypeCheckProcFactory` of Hive 2 and 3.
pub(super) fn beside_column(
    version: HiveVersion,
    column: &HiveType,
    constant: &BoundConstant,
    of: &HiveType,
) -> Beside {
    let Some(target) = column.primitive() else { return Beside::Same };
    let value = match &constant.value {
        Some(ConstantValue::Plain(Constant::Null)) => {
            // Hive 2 and 3 leave the type of NULL as it is.
            return match version {
                HiveVersion::Hive4 => Beside::Converted(plain(Constant::Null), column.clone()),
                HiveVersion::Hive2 | HiveVersion::Hive3 => Beside::Same,
            };
        }
        Some(value) => value,
        None => return Beside::Same,
    };
    let strict = version == HiveVersion::Hive4;
    let is_decimal = matches!(of.primitive(), Some(Type::Decimal { .. }));
    // A decimal becomes a double or a float in Hive 4, and nothing else.
    if is_decimal && !(strict && matches!(target, Type::Float | Type::Double)) {
        return Beside::Same;
    }
    let Some(text) = written(value, of) else { return Beside::Same };
    let is_number = of.is_number();
    if !is_number && *of != Type::String {
        return Beside::Same;
    }
    let converted = match target {
        _ if target.is_integer() => match whole(&text, target, version) {
            Some(number) => Some(plain(Constant::Number(number))),
            None if strict => return Beside::NoValue,
            None if is_number || is_java_number(&text) => return Beside::Same,
            None => return Beside::NoNumber,
        },
        Type::Float | Type::Double => match java_double(&text) {
            Some(value) => Some(value),
            None if strict => return Beside::NoValue,
            None if is_number || is_java_number(&text) => return Beside::Same,
            None => return Beside::NoNumber,
        },
        Type::Decimal { .. } if version != HiveVersion::Hive2 => {
            return match Decimal::parse(text.trim()).and_then(|number| Some((number, decimal_type(number)?)))
            {
                Some((number, of)) => Beside::Converted(plain(Constant::Number(number)), of.into()),
                None if strict => Beside::NoValue,
                None => {
                    let none = Type::Decimal { precision: 1, scale: 0 };
                    Beside::Converted(plain(Constant::Null), none.into())
                }
            };
        }
        Type::Char(length) if !is_number => fitting(&text, length, strict, true),
        Type::Varchar(length) if !is_number && strict => fitting(&text, length, strict, false),
        _ => return Beside::Same,
    };
    match converted {
        Some(value) => Beside::Converted(value, column.clone()),
        None => Beside::NoValue,
    }
}

/// A text as a `char` or a `varchar`: Hive 4 leaves one that is too long as it is, older ones cut it.
fn fitting(text: &str, length: u32, strict: bool, padded: bool) -> Option<ConstantValue> {
    let length = usize::try_from(length).ok()?;
    let own = if padded { text.trim_end_matches(' ') } else { text };
    let fits = own.chars().count() <= length;
    let taken: String = text.chars().take(length).collect();
    (fits || !strict).then(|| plain(Constant::Text(taken)))
}

/// A constant as `toString` of Java writes it.
fn written(value: &ConstantValue, of: &HiveType) -> Option<String> {
    match value {
        ConstantValue::Plain(Constant::Text(text)) => Some(text.clone()),
        ConstantValue::Plain(Constant::Number(number)) if *of == Type::Double => {
            Some(super::java::double(number.to_string().parse().ok()?))
        }
        ConstantValue::Plain(Constant::Number(number)) => Some(number.to_string()),
        ConstantValue::Double(double) => Some(super::java::double(*double)),
        ConstantValue::Plain(_) => None,
    }
}

/// A text as a whole number of a type. Hive 2 and 3 read digits with a sign, Hive 4 every number without a fraction.
fn whole(text: &str, target: Type, version: HiveVersion) -> Option<Decimal> {
    let number = match version {
        HiveVersion::Hive4 => {
            let digits = text.strip_suffix(['d', 'D', 'f', 'F', 'l', 'L']).unwrap_or(text);
            Decimal::parse(digits).filter(|_| is_java_number(text.strip_prefix('+').unwrap_or(text)))?
        }
        _ => {
            let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
            let all_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            Decimal::parse(text).filter(|_| all_digits)?
        }
    };
    let (least, greatest) = target.whole_numbers()?;
    let number = number.reduced();
    (number.scale == 0 && (least..=greatest).contains(&number.digits)).then_some(number)
}

/// What `Double.valueOf` of Java reads: a decimal number with blanks around it and possibly the letter `d` or `f` behind it.
fn java_double(text: &str) -> Option<ConstantValue> {
    let text = text.trim();
    let digits = text.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(text);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    number_value(digits).filter(|_| is_plain)
}

/// Whether `NumberUtils.isNumber` of commons-lang takes a text for a number.
fn is_java_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    if let Some(hex) = unsigned.strip_prefix("0x") {
        return !hex.is_empty() && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    }
    let digits = unsigned.strip_suffix(['d', 'D', 'f', 'F', 'l', 'L']).unwrap_or(unsigned);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
    is_plain
        && digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && Decimal::parse(digits).is_some()
}
