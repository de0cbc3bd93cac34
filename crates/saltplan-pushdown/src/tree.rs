//! From Hive's tree to a bound tree over the columns of the mapping table: classes become operators, casts and records of the
//! catalogue. Names play no part, since a session can give a function of its own the name of another one.

use saltplan_core::analyze::bind::{
    Bound, BoundCall, BoundColumn, BoundNode, CastOrigin, ClassOf, ColumnPlace, FieldForm, Open, Operator,
    Setting, TypedColumns, bind, class_of,
};
use saltplan_core::analyze::constant::{Constant, Decimal, fold};
use saltplan_core::key::field::{FieldId, FieldKind};
use saltplan_core::schema::model::Schema;
use saltplan_document::diag::Span;
use saltplan_sql::ast::{CallForm, Column, Expr, Literal};
use saltplan_sql::functions::{Function, Rows};
use saltplan_sql::hive_type::{HiveType, Type};
use saltplan_sql::time::format::parse_timestamp;
use saltplan_sql::version::HiveVersion;

use crate::request::{Filter, What};

/// Expressions within more others than this are any value. Chains of AND and OR count as one.
const MAX_DEPTH: usize = 48;

/// Longer constants are any value: ranges repeat them.
const MAX_CONSTANT_BYTES: usize = 512;

/// The name of the key column in trees. No field and no column can have it.
pub const KEY_COLUMN: &str = "row key";

/// The name of the call that stands for any value. No Hive has such a function.
const ANY: &str = "any_value_of_hive";

/// An expression that may have any value: nothing follows from it, and two of them are not equal.
pub fn any() -> BoundNode {
    let call = BoundCall { function: None, name: ANY.into(), arguments: Vec::new(), form: CallForm::Plain };
    BoundNode::new(Bound::Call(call), None, Span::default()).opened(Open::Unread)
}

/// Makes bound trees of the trees of one request.
pub struct Builder<'r> {
    pub schema: &'r Schema,
    pub filter: &'r Filter,
    pub key_column: &'r str,
    pub version: HiveVersion,
}

impl Builder<'_> {
    /// The filter.
    pub fn tree(&self) -> BoundNode {
        self.node(self.filter.root, 0)
    }

    fn node(&self, at: usize, depth: usize) -> BoundNode {
        let node = &self.filter.nodes[at];
        // No column can have the type of a plain NULL.
        let of = if node.of == "void" { Ok(Type::Void.into()) } else { HiveType::parse(&node.of) };
        let Ok(of) = of else { return any() };
        if depth > MAX_DEPTH {
            return any();
        }
        match &node.what {
            What::Column(name) => self.column(name, &of),
            What::Constant(value) => self.constant(value.as_deref(), &of),
            What::Call { class, arguments } => self.call(class, arguments, of, depth),
            What::Other => any(),
        }
    }

    /// The row key, if it is a text, and fields that only the salt is computed from, which are columns of the same name. Nothing is
    /// known of other columns.
    fn column(&self, name: &str, of: &HiveType) -> BoundNode {
        let (place, written) = if name.eq_ignore_ascii_case(self.key_column) && *of == Type::String {
            (ColumnPlace::RowKey, Column::quoted(KEY_COLUMN))
        } else if let Some(id) = self.schema.field(name).filter(|id| self.is_column(*id, of)) {
            (ColumnPlace::Field(id), Column::quoted(&self.schema.key.fields[id].name))
        } else {
            return any();
        };
        let column = BoundColumn { relation: Some(0), place, written, form: FieldForm::Value };
        BoundNode::new(Bound::Column(column), of.clone(), Span::default())
    }

    /// Whether a field is not in the key, and Hive compares its values as the planner does. Dates have forms of their own.
    fn is_column(&self, id: FieldId, of: &HiveType) -> bool {
        let field = &self.schema.key.fields[id];
        let is_plain = matches!(field.kind, FieldKind::Text(_) | FieldKind::Integer(_));
        !field.stored && is_plain && of.primitive() == Some(field.kind.hive_type())
    }

    fn constant(&self, value: Option<&str>, of: &HiveType) -> BoundNode {
        let Some(text) = value else {
            return BoundNode { of: Some(of.clone()), ..BoundNode::literal(Literal::Null) };
        };
        let written = of.primitive().and_then(|of| constant(text, of));
        let Some(written) = written.filter(|_| text.len() <= MAX_CONSTANT_BYTES) else { return any() };
        let bound = bind(&written.into(), &TypedColumns::default(), Setting::Query(Some(self.version)));
        BoundNode { of: Some(of.clone()), ..bound }
    }

    fn call(&self, class: &str, arguments: &[usize], of: HiveType, depth: usize) -> BoundNode {
        let operands = |arguments: &[usize]| -> Vec<BoundNode> {
            arguments.iter().map(|at| self.node(*at, depth + 1)).collect()
        };
        let new = |what| BoundNode::new(what, of.clone(), Span::default());
        let operation = |operator, operands| new(Bound::Operation { operator, operands });
        match class_of(class, of.primitive(), self.version) {
            Some(ClassOf::Operator(operator @ (Operator::And | Operator::Or))) => {
                let arms = self.arms(class, arguments);
                if arms.len() < 2 {
                    return any();
                }
                operation(operator, operands(&arms))
            }
            Some(ClassOf::Operator(Operator::Between { .. })) => {
                let [negated, rest @ ..] = arguments else { return any() };
                let negated = match self.node(*negated, depth + 1).folded() {
                    Some(Constant::Bool(negated)) if rest.len() == 3 => negated,
                    _ => return any(),
                };
                operation(Operator::Between { negated }, operands(rest))
            }
            Some(ClassOf::Operator(operator)) => {
                let count = match operator {
                    Operator::Not | Operator::Minus | Operator::BitwiseNot | Operator::Is { .. } => 1..=1,
                    Operator::In { .. } => 2..=usize::MAX,
                    Operator::Like { .. } => 2..=3,
                    _ => 2..=2,
                };
                match count.contains(&arguments.len()) {
                    true => operation(operator, operands(arguments)),
                    false => any(),
                }
            }
            Some(ClassOf::Cast) => match arguments {
                [operand] => {
                    // Written, not added: what Hive converts has the meaning of a cast here.
                    let origin = CastOrigin::Written(of.to_string());
                    new(Bound::Cast { operand: Box::new(self.node(*operand, depth + 1)), origin })
                }
                _ => any(),
            },
            Some(ClassOf::Case) => match operands(arguments) {
                mut parts if parts.len() > 2 => {
                    let operand = parts.remove(0);
                    case(Some(operand), parts, of)
                }
                _ => any(),
            },
            Some(ClassOf::Row) => new(Bound::Row(operands(arguments))),
            Some(ClassOf::When) => match operands(arguments) {
                parts if parts.len() > 1 => case(None, parts, of),
                _ => any(),
            },
            None => {
                let Some(function) = Function::of_class(class, self.version) else { return any() };
                let is_known = function.rows == Rows::One
                    && function.is_constant(arguments.len())
                    && function.arguments.is_known
                    && function.arguments.takes(arguments.len());
                if !is_known {
                    return any();
                }
                let (name, arguments) = (function.name().to_string(), operands(arguments));
                let call = BoundCall { function: Some(function), name, arguments, form: CallForm::Plain };
                new(Bound::Call(call))
            }
        }
    }

    /// The arms of a chain of AND or of OR, however Hive has nested them.
    fn arms(&self, class: &str, arguments: &[usize]) -> Vec<usize> {
        let mut arms = Vec::new();
        let mut rest: Vec<usize> = arguments.iter().rev().copied().collect();
        while let Some(at) = rest.pop() {
            match &self.filter.nodes[at].what {
                What::Call { class: inner, arguments } if inner == class && arguments.len() > 1 => {
                    rest.extend(arguments.iter().rev());
                }
                _ => arms.push(at),
            }
        }
        arms
    }
}

/// Conditions and results in turn, and possibly the result that is left.
fn case(operand: Option<BoundNode>, parts: Vec<BoundNode>, of: HiveType) -> BoundNode {
    let mut arms = Vec::new();
    let mut otherwise = None;
    let mut parts = parts.into_iter();
    while let Some(part) = parts.next() {
        match parts.next() {
            Some(result) => arms.push((part, result)),
            None => otherwise = Some(Box::new(part)),
        }
    }
    let operand = operand.map(Box::new);
    BoundNode::new(Bound::Case { operand, arms, otherwise }, of, Span::default())
}

/// A constant of a type, as HiveQL; `None` of types and values that are not read here.
fn constant(text: &str, of: Type) -> Option<Expr> {
    let number = |written: Literal| Some(Expr::Literal(written));
    match of {
        Type::String | Type::Varchar(_) => Some(Expr::text(text)),
        Type::Boolean => match text {
            "true" => Some(Expr::truth(true)),
            "false" => Some(Expr::truth(false)),
            _ => None,
        },
        Type::TinyInt | Type::SmallInt | Type::Int | Type::BigInt => {
            let value: i64 = text.parse().ok().filter(|_| is_digits(text))?;
            let (least, greatest) = of.whole_numbers()?;
            (least..=greatest).contains(&i128::from(value)).then_some(())?;
            let plain = Expr::number(value);
            // Of small numbers a letter says the type.
            Some(match of {
                Type::Int => plain,
                Type::BigInt if i32::try_from(value).is_err() => plain,
                _ => {
                    let letter = match of {
                        Type::TinyInt => "Y",
                        Type::SmallInt => "S",
                        _ => "L",
                    };
                    Expr::Cast { expr: plain.into(), data_type: of, written: letter.into() }
                }
            })
        }
        Type::Decimal { precision, scale } => {
            let value = Decimal::parse(text).filter(|_| !text.contains(['e', 'E', '+']))?;
            let digits = value.digits.unsigned_abs().checked_ilog10().map_or(1, |more| more + 1);
            let is_of_type = value.scale <= scale && digits.max(value.scale) <= precision;
            let digits = if text.contains('.') { text.to_string() } else { format!("{text}.0") };
            is_of_type.then_some(())?;
            number(Literal::TypedNumber { written: format!("{digits}BD"), digits })
        }
        Type::Double => {
            let value: f64 = text.parse().ok()?;
            // Java writes the shortest digits that are this number.
            let exact = Decimal::parse(text)?;
            (value.is_finite() && exact.digits.unsigned_abs() < 1 << 53).then_some(())?;
            // With an exponent it is a double for Hive.
            number(Literal::Number(if text.contains('E') { text.into() } else { format!("{text}E0") }))
        }
        Type::Date | Type::Timestamp => {
            let at = parse_timestamp(text)?;
            let shape = if of == Type::Date { "%Y-%m-%d" } else { "%Y-%m-%d %H:%M:%S" };
            let rest = text.strip_prefix(&at.format(shape).to_string())?;
            let is_fraction = |rest: &str| {
                let digits = rest.strip_prefix('.').unwrap_or_default();
                (1..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
            };
            (rest.is_empty() || of == Type::Timestamp && is_fraction(rest)).then_some(())?;
            let written = Expr::TypedText { data_type: of, text: text.into() };
            fold(&written).map(|_| written)
        }
        _ => None,
    }
}

fn is_digits(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
