//! Values that are known when the query runs: those of clocks, such as `current_date`, and of placeholders that a client or a scheduler
//! fills in, such as `${hivevar:day}` and `{{ ds }}`.
//!
//! Such a value is an expression without columns, compared with a column of the table. The ranges have the same expression, so Hive
//! computes the same value for both. Because nothing is known of its form, the ranges test it, and are those of all keys if the text of
//! the value is not that of a key. So the type of the value matters little for days and numbers: each has one text in the key, and for
//! values with such a text Hive compares as the planner does. A text field has several texts that Hive takes for one number or one time:
//! `05` and `5` are both equal to the number 5. So it is only compared with what is known to be a text, however the query cuts it out
//! of the key or casts it.

use saltplan_core::analyze::bind::{Bound, BoundNode, Operator, Setting, bind};
use saltplan_core::key::field::FieldKind;
use saltplan_core::messages::Span;
use saltplan_sql::Runtime;
use saltplan_sql::ast::{BinaryOperator, Call, CallForm, Expr, Literal, Node, ScriptExpr, Type, WhyUnread};
use saltplan_sql::functions::{Operation, Rows, Volatility};
use saltplan_sql::rewrite::has;
use saltplan_sql::time::format::{ISO_DAY, TimeFormat};

use crate::conditions::{columns, conjuncts, orders};
use crate::placeholders::{self, is_repeatable};
use crate::rules::{Known, Reference, Rule, Unused};
use crate::runtime::{OfValue, RuntimeTexts};
use crate::scope::KnownTable;

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
    /// `may_be_day` if it can have the form in which Hive reads a text as a day.
    Text {
        may_be_day: bool,
    },
}

impl Reference<'_, '_, '_> {
    /// A condition with its later values as parameters, if it has some.
    ///
    /// # Errors
    /// It has some, and they cannot be used.
    pub(crate) fn with_later_values(&self, node: &Node) -> Result<Option<Node>, Unused> {
        let Some(known) = first_later(node).or_else(|| self.first_uncomputed(node)) else {
            return Ok(None);
        };
        let reason = || format!("the value of {} is not known before the query runs", self.text_at(known.1));
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
        Some(match bind(bare, table, Setting::Query(None)).primitive()? {
            // Of other expressions a plan makes no ranges; a query on the mapping table casts pieces of the key.
            Type::TinyInt | Type::SmallInt | Type::Int | Type::BigInt
                if matches!(bare.expr, Expr::Column(_)) || !table.has_fields() =>
            {
                Operand::Number
            }
            Type::Date => Operand::Date,
            Type::String | Type::Varchar(_) | Type::Char(_) => Operand::Text {
                may_be_day: match &bare.expr {
                    Expr::Column(column) => {
                        table.field(&column.name.to_lowercase()).is_some_and(stores_iso_days)
                    }
                    _ => true,
                },
            },
            _ => return None,
        })
    }

    /// The name of the parameter that stands for a value.
    fn parameter(&self, value: &Node, operand: Operand) -> Result<String, String> {
        let raw = self.text_at(value.span);
        let of_type = match self.table {
            Some(table) => bind(value, table, Setting::Query(None)).primitive(),
            None => None,
        };
        let is_time = matches!(of_type, Some(Type::Date | Type::Timestamp));
        let is_text = matches!(of_type, Some(Type::String | Type::Varchar(_)));
        match operand {
            Operand::Number if is_time => Err("it compares a number with a time".into()),
            Operand::Text { may_be_day } if is_time && !(may_be_day && of_type == Some(Type::Date)) => {
                Err(other_form())
            }
            Operand::Date if of_type == Some(Type::Timestamp) => Err("it compares a day with a time".into()),
            _ => {
                let is_whole =
                    matches!(of_type, Some(Type::TinyInt | Type::SmallInt | Type::Int | Type::BigInt));
                let is_atom = matches!(value.expr, Expr::Call(_) | Expr::Literal(_));
                let of_type = OfType {
                    is_day: matches!(operand, Operand::Date),
                    // A text and a whole number are compared as doubles.
                    is_whole_number: is_whole && matches!(operand, Operand::Number),
                    is_plain_text: is_text && is_atom,
                };
                let of_value = OfValue { is_text, is_time };
                self.runtime
                    .add_value(&self.value_text(value), of_type, of_value)
                    .ok_or_else(|| format!("the text of {raw} is not understood"))
            }
        }
    }

    /// The first value of a comparison without columns that only Hive can compute, because it depends on the zone of the session.
    fn first_uncomputed(&self, node: &Node) -> Option<(Known, Span)> {
        let table = self.table?;
        let depends_on_zone = |value: &Node| {
            let is_of_seconds = |part: &Expr| {
                matches!(part, Expr::Call(call)
                    if matches!(call.operation(), Operation::ReadSeconds | Operation::ShowSeconds))
            };
            has(value, is_of_seconds) && bind(value, table, Setting::Query(None)).folded().is_none()
        };
        let found = compared(node.bare())?.values.into_iter().find(|value| depends_on_zone(value))?;
        Some((Known::Unread, found.span))
    }

    /// A value as it is written, without comments.
    fn value_text(&self, value: &Node) -> String {
        self.script.tokens.without_comments(value.span)
    }

    /// Why a value may be another one in the ranges than in the query.
    fn unstable(&self, node: &Node) -> Option<String> {
        let raw = || self.text_at(node.span);
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

/// Why Hive may find other texts of the key equal to a value that is known when the query runs. `fields` has the columns of a condition.
pub(crate) fn fault_of_texts(
    condition: &Node,
    fields: &KnownTable<'_>,
    runtime: &RuntimeTexts,
) -> Option<String> {
    let mut fault = None;
    bind(condition, fields, Setting::Query(None)).walk(&mut |part| {
        if let Bound::Operation {
            operator: Operator::Binary(_) | Operator::Between { .. } | Operator::In { .. },
            operands,
        } = &part.what
            && fault.is_none()
        {
            fault = fault_of_comparison(operands, fields, runtime);
        }
    });
    fault
}

fn fault_of_comparison(
    operands: &[BoundNode],
    fields: &KnownTable<'_>,
    runtime: &RuntimeTexts,
) -> Option<String> {
    let name_of = |operand: &'_ BoundNode| match &operand.uncast().what {
        Bound::Runtime(name) => Some(name.clone()),
        _ => None,
    };
    let names: Vec<String> = operands.iter().filter_map(name_of).collect();
    let values = || names.iter().filter_map(|name| Some((name, runtime.found_value(name)?)));
    for operand in operands.iter().filter(|operand| !names.is_empty() && name_of(operand).is_none()) {
        let is_text = operand.uncast().primitive().is_some_and(Type::is_text);
        let (mut is_of_text, mut is_of_other_days) = (false, false);
        operand.walk(&mut |part| {
            let Some(column) = part.column() else { return };
            match fields.field(&column.written.name.to_lowercase()) {
                Some(FieldKind::Text(_)) => is_of_text = true,
                None => is_of_text |= is_text,
                Some(kind @ FieldKind::Calendar(_)) => {
                    is_of_other_days |= operand.uncast().column().is_some() && !stores_iso_days(kind);
                }
                Some(_) => {}
            }
        });
        let other = values().find(|(_, value)| is_of_text && !(is_text && value.is_text));
        if let Some((name, _)) = other {
            return Some(match placeholders::is_one(name) {
                true => format!("{name} is compared with a text: write it in quotes, `'{name}'`"),
                false => {
                    format!("a text is compared with {name}, of which it is not known whether it is a text")
                }
            });
        }
        let is_time = operand.uncast().primitive().is_none_or(Type::is_time);
        if is_of_other_days && !is_time && values().any(|(_, value)| value.is_time) {
            return Some(other_form());
        }
    }
    None
}

fn stores_iso_days(kind: &FieldKind) -> bool {
    matches!(kind, FieldKind::Calendar(calendar) if calendar.format.pattern() == ISO_DAY)
}

fn other_form() -> String {
    "it compares a text in another form with a time".into()
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
    /// Whether the value is compared with a DATE.
    is_day: bool,
    is_whole_number: bool,
    /// Whether the value is a text that is written as a call or a literal.
    is_plain_text: bool,
}

impl RuntimeTexts {
    /// Adds a value as it is written in the query, and returns the name of its parameter.
    fn add_value(&self, sql: &str, of_type: OfType, of_value: OfValue) -> Option<String> {
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
        self.insert(&name, value.reading_all_otherwise(), of_value);
        Some(name)
    }
}
