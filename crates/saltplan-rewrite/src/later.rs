//! Values that are known when the query runs: those of clocks, such as `current_date`, and of placeholders that a client or a scheduler
//! fills in, such as `${hivevar:day}` and `{{ ds }}`.
//!
//! Such a value is an expression without columns, compared with a column of the table. The ranges have the same expression, so Hive
//! computes the same value for both. Because nothing is known of its form, the ranges test it, and are those of all keys if the text of
//! the value is not that of a key. So the type of the value matters little: only texts in the form of the key make ranges, and for these
//! Hive compares columns with the value as the planner does. Counterexample: a text column that holds `05` and `5`, compared with the
//! number 5, is equal to both.

use saltplan_core::analyze::bind::{Setting, bind};
use saltplan_core::messages::Span;
use saltplan_core::table::TimeReading;
use saltplan_sql::Runtime;
use saltplan_sql::ast::{BinaryOperator, Call, CallForm, Expr, Literal, Node, ScriptExpr, Type, WhyUnread};
use saltplan_sql::functions::{Rows, Volatility};
use saltplan_sql::time::format::{ISO_DAY, TimeFormat};

use crate::conditions::{columns, conjuncts, orders};
use crate::placeholders::{self, is_repeatable};
use crate::rules::{Known, Reference, Rule, Unused};
use crate::runtime::RuntimeTexts;

/// A column, or a function of columns, and the values that it is compared with.
struct Compared<'n> {
    operand: &'n Node,
    values: Vec<&'n Node>,
}

/// What a later value is compared with.
#[derive(Clone, Copy)]
enum Operand {
    Number,
    Date,
    /// A text that stands for a time, or another text.
    Text {
        is_time: bool,
        is_iso_day: bool,
    },
}

impl Reference<'_, '_, '_> {
    /// A condition with its later values as parameters, if it has some.
    ///
    /// # Errors
    /// It has some, and they cannot be used.
    pub(crate) fn with_later_values(&self, node: &Node) -> Result<Option<Node>, Unused> {
        let Some(known) = first_later(node) else { return Ok(None) };
        let reason = || format!("the value of {} is not known before the query runs", self.shown(known.1));
        let unused = |reason: String| Unused { known: Some(known.0), ..Unused::new(Rule::Plain, reason) };
        let Some(compared) = compared(node.bare()) else {
            let how = "only `=`, `<`, `<=`, `>`, `>=`, BETWEEN and IN compare with such a value";
            return Err(unused(format!("{}, and {how}", reason())));
        };
        let operand = self.operand(compared.operand).ok_or_else(|| unused(reason()))?;
        let mut parameters = Vec::new();
        for value in &compared.values {
            if let Some(why) = self.unstable(value) {
                return Err(Unused::new(Rule::Plain, why));
            }
            let parameter =
                self.parameter(value, operand).map_err(|reason| Unused::new(Rule::Plain, reason))?;
            parameters.push(Node::new(Expr::Runtime(parameter), value.span));
        }
        Ok(Some(with_values(node.bare(), compared.operand, parameters)))
    }

    /// What is compared, if the form of the value tells how Hive compares it.
    fn operand(&self, node: &Node) -> Option<Operand> {
        let table = self.table?;
        let bare = node.bare();
        let Expr::Column(column) = &bare.expr else {
            return match bind(bare, table, Setting::Query(None)).primitive()? {
                Type::Date => Some(Operand::Date),
                Type::String => Some(Operand::Text { is_time: true, is_iso_day: true }),
                _ => None,
            };
        };
        let column = table.column(&column.name.to_lowercase())?;
        match column.hive_type.primitive()? {
            Type::TinyInt | Type::SmallInt | Type::Int | Type::BigInt => Some(Operand::Number),
            Type::Date => Some(Operand::Date),
            Type::String | Type::Varchar(_) | Type::Char(_) => Some(match column.time {
                TimeReading::Text(format) => Operand::Text { is_time: true, is_iso_day: format == ISO_DAY },
                _ => Operand::Text { is_time: false, is_iso_day: false },
            }),
            _ => None,
        }
    }

    /// The name of the parameter that stands for a value.
    fn parameter(&self, value: &Node, operand: Operand) -> Result<String, String> {
        let raw = self.shown(value.span);
        let of_type = match self.table {
            Some(table) => bind(value, table, Setting::Query(None)).primitive(),
            None => None,
        };
        let is_time = matches!(of_type, Some(Type::Date | Type::Timestamp));
        let is_text = matches!(of_type, Some(Type::String | Type::Varchar(_)));
        match operand {
            Operand::Number if is_time => Err("it compares a number with a time".into()),
            Operand::Text { is_iso_day: false, .. } if is_time => {
                Err("it compares a text in another form with a time".into())
            }
            Operand::Text { is_time: false, .. } if !is_text => Err(match is_without_quotes(value) {
                true => format!("{raw} is compared with a text: write it in quotes, `'{raw}'`"),
                false => {
                    format!("a text is compared with {raw}, of which it is not known whether it is a text")
                }
            }),
            Operand::Date if of_type == Some(Type::Timestamp) => Err("it compares a day with a time".into()),
            _ => {
                let is_whole =
                    matches!(of_type, Some(Type::TinyInt | Type::SmallInt | Type::Int | Type::BigInt));
                let is_day = matches!(operand, Operand::Date);
                let is_atom = matches!(value.expr, Expr::Call(_) | Expr::Literal(_));
                let of_type = OfType { is_day, is_whole_number: is_whole, is_plain_text: is_text && is_atom };
                self.runtime
                    .add_value(&self.value_text(value), of_type)
                    .ok_or_else(|| format!("the text of {raw} is not understood"))
            }
        }
    }

    /// A value as it is written, without comments.
    fn value_text(&self, value: &Node) -> String {
        self.script.tokens.without_comments(value.span)
    }

    /// Why a value may be another one in the ranges than in the query.
    fn unstable(&self, node: &Node) -> Option<String> {
        let raw = || self.shown(node.span);
        let other = |text: &str| {
            (!is_repeatable(text)).then(|| format!("{} may have another value each time", raw()))
        };
        let own = match &node.expr {
            Expr::Script(ScriptExpr::Placeholder(text)) => other(text),
            Expr::Literal(Literal::Text(text)) | Expr::TypedText { text, .. } => other(text),
            Expr::Script(_) | Expr::Opaque(_) | Expr::Column(_) => {
                Some(format!("{} is compared with a value that is not known before the query runs", raw()))
            }
            Expr::Call(Call { form: CallForm::Extract(_) | CallForm::LikeList, .. }) => None,
            Expr::Call(call) => {
                let is_stable = call.function.is_some_and(|function| {
                    function.rows == Rows::One && function.volatility != Volatility::Volatile
                });
                match is_stable && !self.redefined.contains(&call.name) {
                    true => None,
                    false => {
                        Some(format!("`{}` is not known to return the same value every time", call.name))
                    }
                }
            }
            Expr::Cast { written, .. } if self.redefined.contains(&written.to_lowercase()) => {
                Some(format!("the script defines `{written}` itself"))
            }
            _ => None,
        };
        let mut fault = own;
        node.for_each_part(&mut |part| fault = fault.take().or_else(|| self.unstable(part)));
        fault
    }
}

/// Whether a value is a placeholder without quotes.
fn is_without_quotes(value: &Node) -> bool {
    matches!(value.bare().expr, Expr::Script(ScriptExpr::Placeholder(_)))
}

/// The first value that is known when the query runs, how it can be given, and its place.
pub(crate) fn first_later(node: &Node) -> Option<(Known, Span)> {
    let own = match &node.expr {
        Expr::Script(ScriptExpr::Placeholder(text)) => placeholders::known_by(text),
        Expr::Literal(Literal::Text(text)) | Expr::TypedText { text, .. } => placeholders::known_by(text),
        Expr::Script(ScriptExpr::Unread(unread)) if unread.reason == WhyUnread::Placeholder => {
            Some(Known::Unread)
        }
        Expr::Call(call) => {
            let is_clock = call.function.is_some_and(|function| match function.volatility {
                Volatility::Query => true,
                Volatility::QueryWithoutArguments => call.arguments.is_empty(),
                Volatility::Constant | Volatility::Volatile => false,
            });
            is_clock.then_some(Known::Now)
        }
        _ => None,
    };
    if let Some(known) = own {
        return Some((known, node.span));
    }
    let mut found = None;
    node.for_each_part(&mut |part| found = found.take().or_else(|| first_later(part)));
    found
}

/// The parts of a comparison with values that are known when the query runs.
fn compared(node: &Node) -> Option<Compared<'_>> {
    let is_value = |node: &Node| columns(node).is_empty();
    let found = match &node.expr {
        Expr::BinaryOp { left, op, right } if orders(*op) => match is_value(right) {
            true => Compared { operand: left, values: vec![right] },
            false => Compared { operand: right, values: vec![left] },
        },
        Expr::Between { expr, negated: false, low, high } => {
            Compared { operand: expr, values: vec![low, high] }
        }
        Expr::InList { expr, list, negated: false } => {
            Compared { operand: expr, values: list.iter().collect() }
        }
        Expr::Or(arms) => of_or(arms)?,
        _ => return None,
    };
    let is_alone = found.values.iter().all(|value| is_value(value) && value.span.start < value.span.end);
    (is_alone && !is_value(found.operand) && first_later(found.operand).is_none()).then_some(found)
}

/// The operand that each of several ANDs compares for equality with values, and these values, if they pass a test.
pub(crate) fn equal_values<'n>(
    arms: &[Vec<&'n Node>],
    test: impl Fn(&[&'n Node]) -> bool,
) -> Option<(&'n Node, Vec<&'n Node>)> {
    let found = |arm: &Vec<&'n Node>| arm.iter().filter_map(|node| equal_to(node.bare())).collect::<Vec<_>>();
    let mut arms = arms.iter().map(found);
    let first = arms.next()?;
    let others: Vec<Vec<Compared<'n>>> = arms.collect();
    first.into_iter().find_map(|Compared { operand, mut values }| {
        for arm in &others {
            values.extend(&arm.iter().find(|other| other.operand.expr == operand.expr)?.values);
        }
        test(&values).then_some((operand, values))
    })
}

/// `x = a` or `x IN (a, b)`.
fn equal_to(node: &Node) -> Option<Compared<'_>> {
    match &node.expr {
        Expr::BinaryOp { op: BinaryOperator::Eq, .. } | Expr::InList { .. } => compared(node),
        _ => None,
    }
}

/// `x = a OR x = b`, which is `x IN (a, b)`. Each arm may have further conditions.
fn of_or(arms: &[Node]) -> Option<Compared<'_>> {
    let arms: Vec<Vec<&Node>> = arms.iter().map(conjuncts).collect();
    let has_later = |values: &[&Node]| values.iter().any(|value| first_later(value).is_some());
    let (operand, values) = equal_values(&arms, has_later)?;
    Some(Compared { operand, values })
}

/// The comparison with other values.
fn with_values(node: &Node, operand: &Node, values: Vec<Node>) -> Node {
    let boxed = |node: &Node| Box::new(node.clone());
    let expr = match (&node.expr, values.as_slice()) {
        (Expr::BinaryOp { left, op, .. }, [value]) => match std::ptr::eq(left.as_ref(), operand) {
            true => Expr::BinaryOp { left: boxed(operand), op: *op, right: boxed(value) },
            false => Expr::BinaryOp { left: boxed(value), op: *op, right: boxed(operand) },
        },
        (Expr::Between { .. }, [low, high]) => {
            Expr::Between { expr: boxed(operand), negated: false, low: boxed(low), high: boxed(high) }
        }
        _ => Expr::InList { expr: boxed(operand), list: values, negated: false },
    };
    Node::new(expr, node.span)
}

/// What is known of the type of a value.
#[derive(Clone, Copy)]
struct OfType {
    /// It is compared with a DATE.
    is_day: bool,
    is_whole_number: bool,
    /// It is a text, and a call or a literal.
    is_plain_text: bool,
}

impl RuntimeTexts {
    /// Adds a value as it is written in the query, and returns the name of its parameter.
    fn add_value(&self, sql: &str, of_type: OfType) -> Option<String> {
        let OfType { is_day, is_whole_number, is_plain_text } = of_type;
        let quoted = sql.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
        let placeholder = quoted.filter(|inside| placeholders::is_one(inside));
        let value = match placeholder.map(|text| Runtime::new(text, is_day.then_some("iso"))) {
            Some(Ok(value)) => value,
            _ if is_day => Runtime::expression(sql).in_format(TimeFormat::parse(ISO_DAY).ok()?),
            _ => Runtime::expression(sql),
        };
        let value = if is_whole_number { value.of_whole_number() } else { value };
        let value = if is_plain_text { value.of_plain_text() } else { value };
        let name = if is_day { format!("cast({sql} as date)") } else { sql.to_string() };
        self.insert(&name, value.reading_all_otherwise());
        Some(name)
    }
}
