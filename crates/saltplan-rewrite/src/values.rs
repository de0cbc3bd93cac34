//! Whether all values of a condition are known when a query is rewritten, and mean the same to Hive and to the planner.

use saltplan_core::table::TimeReading;
use saltplan_sql::ast::{
    Call, CallForm, Column, Expr, Literal, Node, ScriptExpr, Type, UnaryOperator, WhyUnread,
};
use saltplan_sql::constant;
use saltplan_sql::functions::{Function, Nulls, Volatility};
use saltplan_sql::rewrite::replace;
use saltplan_sql::script::Kind;

use crate::conditions::{columns, orders};
use crate::rules::Reference;

/// Characters with which a placeholder starts.
pub const TEMPLATES: [&str; 5] = ["${", "{{", "{%", "$[", "#{"];

impl Reference<'_, '_, '_> {
    /// Whether a condition has only columns, constants and known functions.
    pub(crate) fn plain(&self, node: &Node) -> Result<(), String> {
        let mut fault = None;
        each(node, &mut |part| fault = fault.take().or_else(|| self.unknown_value(part)));
        if let Some(reason) = fault {
            return Err(reason);
        }
        self.filled_in_later(node)?;
        let mut fault = None;
        each(node, &mut |part| fault = fault.take().or_else(|| self.unknown_function(part)));
        match fault {
            Some(reason) => Err(reason),
            None => self.same_meaning(node),
        }
    }

    /// Why a part of a condition has a value that is not known.
    fn unknown_value(&self, part: &Node) -> Option<String> {
        let raw = || self.text_at(part.span);
        let is_template = |text: &str| TEMPLATES.iter().any(|sign| text.contains(sign));
        let in_text = || Some(format!("{} contains a placeholder whose value is not known", raw()));
        match &part.expr {
            Expr::Script(ScriptExpr::Exists(_) | ScriptExpr::Query(_) | ScriptExpr::InQuery { .. }) => {
                Some("it contains a subquery".into())
            }
            Expr::Script(ScriptExpr::Window(_)) => Some("it contains a window function".into()),
            Expr::Script(ScriptExpr::Placeholder(text)) if text.starts_with("${") => {
                Some(format!("the value of `{text}` is not known"))
            }
            Expr::Script(ScriptExpr::Placeholder(_)) => {
                Some("it contains a placeholder whose value is not known".into())
            }
            Expr::Script(ScriptExpr::Unread(unread)) => Some(match &unread.reason {
                WhyUnread::Placeholder => "it contains a placeholder whose value is not known".into(),
                WhyUnread::Syntax(message) => format!("the planner does not understand it: {message}"),
            }),
            Expr::InList { list, .. } if list.len() > 1 && list[0].expr == Expr::Literal(Literal::Null) => {
                Some("Hive 3.1.3 finds no text in a list that begins with NULL: write NULL last".into())
            }
            Expr::Call(Call { form: CallForm::Bare, .. }) => {
                Some(format!("`{}` is not known before the query runs", raw()))
            }
            Expr::Literal(Literal::Text(text)) | Expr::TypedText { text, .. } if is_template(text) => {
                in_text()
            }
            Expr::Column(Column { quoted: true, name, .. }) if is_template(name) => in_text(),
            _ => None,
        }
    }

    /// Why a part of a condition may have another value each time.
    fn unknown_function(&self, part: &Node) -> Option<String> {
        let (name, function, arguments) = match &part.expr {
            Expr::Call(Call { form: CallForm::LikeList, .. }) => return None,
            // Hive has no name for these.
            Expr::Call(Call { form: CallForm::Extract(_), .. }) => ("extract", None, 1),
            Expr::Call(call) | Expr::Opaque(call) => {
                (call.name.as_str(), call.function, call.arguments.len())
            }
            // Also of `int(x)`.
            Expr::Cast { written, .. } if self.redefined.contains(&written.to_lowercase()) => {
                return Some(format!("the script defines `{written}` itself"));
            }
            _ => return None,
        };
        if self.redefined.contains(name) {
            return Some(format!("the script defines `{name}` itself"));
        }
        let is_opaque = matches!(part.expr, Expr::Opaque(_));
        if function.is_some_and(|known| known.is_constant(arguments)) && !is_opaque {
            return None;
        }
        let is_of_query = function.is_some_and(|known| {
            matches!(known.volatility, Volatility::Query | Volatility::QueryWithoutArguments)
        });
        Some(match is_of_query {
            true => format!("`{name}()` is not known before the query runs"),
            false => format!("`{name}` is not known to return the same value every time"),
        })
    }

    /// A value that is filled in when the query runs, in the form of the key, must mean the same in the query: a number
    /// may be written without quotes only where the column is a number, because to Hive the text `05` and the number 5
    /// are equal. Inside a function or a sum the planner and Hive can take it for different values: to Hive,
    /// `date_sub('20200406', 1)` is NULL.
    fn filled_in_later(&self, node: &Node) -> Result<(), String> {
        let mut fault = None;
        each_later(node, true, &mut |part, is_compared| {
            let is_found = matches!(&part.expr, Expr::Runtime(name) if self.runtime.is_found(name));
            if fault.is_some() || is_found {
                return;
            }
            let raw = self.text_at(part.span);
            if !is_compared {
                fault = Some(format!(
                    "the value of {raw} must be known when the query is rewritten, because it is not compared directly"
                ));
            } else if self.is_bare(part) && self.readings(node).iter().any(|of| *of != TimeReading::Number) {
                fault = Some(format!("{raw} is compared with a text: write it in quotes, `'{raw}'`"));
            }
        });
        fault.map_or(Ok(()), Err)
    }

    /// Whether a value is written without quotes.
    fn is_bare(&self, node: &Node) -> bool {
        self.script.tokens.kind_at(node.span.start) == Some(Kind::Variable)
    }

    /// How predicates read the columns of a condition.
    fn readings(&self, node: &Node) -> Vec<TimeReading<'_>> {
        let columns = columns(node).into_iter();
        columns.filter_map(|(column, _)| self.column(column).copied()).collect()
    }

    /// The planner compares a number or a text that stands for a time with other forms of a time as times, and Hive does
    /// not. A condition that could be true in Hive but not for the planner is not used. `meaning.rs` has the rule for columns of the
    /// types DATE and TIMESTAMP.
    fn same_meaning(&self, node: &Node) -> Result<(), String> {
        let mut columns = self.readings(node);
        columns.retain(|reading| !matches!(reading, TimeReading::AsTyped | TimeReading::Time));
        let Some(first) = columns.first() else { return Ok(()) };
        let node = &with_constant_texts(node);
        let (is_typed, is_made) = made_values(node)?;
        let is_text = is_made
            || has_text(node, &|text| match first {
                TimeReading::Text(format) => is_iso(text) && shape(text.trim()) != shape(format),
                _ => !is_number(text),
            });
        // In Hive a number compared with such a text is NULL, so nothing is lost unless the condition tests for NULL.
        let only_numbers = columns.iter().all(|reading| *reading == TimeReading::Number);
        match is_typed || is_text && !(only_numbers && !sees_null(node)) {
            true => Err("it compares a number or a text with a time".into()),
            false => Ok(()),
        }
    }
}

/// A condition with the texts that functions make of constants.
fn with_constant_texts(node: &Node) -> Node {
    let mut node = node.clone();
    replace(&mut node, &mut |part| match part.expr {
        Expr::Call(_) | Expr::Cast { .. } => constant::text(part).map(Expr::text),
        _ => None,
    });
    node
}

/// Visits a condition and its parts with their places, outer ones first.
fn each<'n>(node: &'n Node, visit: &mut dyn FnMut(&'n Node)) {
    visit(node);
    node.for_each_part(&mut |part| each(part, visit));
}

/// Visits the values that are filled in when the query runs, and says whether each is compared as it is.
fn each_later<'n>(node: &'n Node, is_compared: bool, visit: &mut dyn FnMut(&'n Node, bool)) {
    let compares = match &node.expr {
        Expr::Runtime(_) => return visit(node, is_compared),
        Expr::Nested(_) | Expr::Tuple(_) => is_compared,
        Expr::BinaryOp { op, .. } => orders(*op),
        Expr::Between { .. } | Expr::InList { .. } => true,
        Expr::Call(_) | Expr::Opaque(_) | Expr::Cast { .. } => {
            return each(node, &mut |part| {
                if matches!(part.expr, Expr::Runtime(_)) {
                    visit(part, false);
                }
            });
        }
        _ => false,
    };
    node.for_each_part(&mut |part| each_later(part, compares, visit));
}

/// Whether a condition has a text that fits a test, other than a pattern of LIKE.
fn has_text(node: &Node, fits: &dyn Fn(&str) -> bool) -> bool {
    let is_text = |expr: &Expr| matches!(expr, Expr::Literal(Literal::Text(_)));
    match &node.expr {
        Expr::Literal(Literal::Text(text)) | Expr::TypedText { text, .. } => fits(text),
        Expr::Like { expr, pattern, .. } | Expr::RLike { expr, pattern, .. } if is_text(pattern) => {
            has_text(expr, fits)
        }
        _ => {
            let mut found = false;
            node.for_each_part(&mut |part| found = found || has_text(part, fits));
            found
        }
    }
}

/// Whether a condition may be true because something is NULL.
fn sees_null(node: &Node) -> bool {
    let mut found = false;
    each(node, &mut |part| {
        found |= match &part.expr {
            Expr::UnaryOp { op: UnaryOperator::Not, .. } | Expr::Is { .. } | Expr::Case { .. } => true,
            Expr::BinaryOp { op, .. } => op.is_null_safe(),
            Expr::InList { negated, .. }
            | Expr::Between { negated, .. }
            | Expr::Like { negated, .. }
            | Expr::RLike { negated, .. } => *negated,
            // A function of constants sees no comparison.
            Expr::Call(call) => {
                call.function.is_some_and(|function| function.nulls != Nulls::AnyArgument)
                    && !columns(part).is_empty()
            }
            _ => false,
        };
    });
    found
}

/// Whether a condition has a value of the type DATE or TIMESTAMP or an interval, and whether it has another value that a function
/// makes. Fails if a function of times has a column.
fn made_values(node: &Node) -> Result<(bool, bool), String> {
    let (mut is_typed, mut is_made, mut fault) = (false, false, None);
    each(node, &mut |part| {
        let (name, is_of_times, is_time) = match &part.expr {
            Expr::TypedText { .. } | Expr::Interval { .. } => {
                is_typed = true;
                return;
            }
            Expr::Call(call) | Expr::Opaque(call) if call.form != CallForm::LikeList => (
                call.name.as_str(),
                call.function.is_some_and(Function::is_of_times),
                call.function.is_some_and(|function| function.result.is_time()),
            ),
            // A number with a letter is no cast.
            Expr::Cast { expr, data_type, written } if !is_typed_number(expr, written) => {
                let is_time = matches!(data_type, Type::Date | Type::Timestamp);
                ("cast", is_time, is_time)
            }
            _ => return,
        };
        let has_column = !columns(part).is_empty();
        if is_of_times && has_column && fault.is_none() {
            fault = Some(format!(
                "for saltplan the operand of `{name}` is a time, but in the query it is a number or a text"
            ));
        }
        is_typed |= is_of_times && is_time;
        is_made |= !has_column;
    });
    match fault {
        Some(reason) => Err(reason),
        None => Ok((is_typed, is_made)),
    }
}

/// `5L`
fn is_typed_number(expr: &Expr, written: &str) -> bool {
    written.len() == 1 && matches!(expr, Expr::Literal(Literal::Number(_)))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text starts like `2020-04-06`.
pub fn is_iso(text: &str) -> bool {
    let digits = |part: Option<&str>| part.is_some_and(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    let mut parts = text.trim().splitn(3, '-');
    (0..3).all(|_| digits(parts.next()))
}

/// A text or a format with every letter and digit as 0.
pub fn shape(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() && c != 'T' { '0' } else { c }).collect()
}
