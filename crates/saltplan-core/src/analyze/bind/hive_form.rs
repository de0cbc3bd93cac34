//! A bound tree in the form in which Hive has it after the check of its types, so that both can be compared node by node.
//!
//! Hive has functions for all operators, AND and OR of any number of arms, no sign `+`, no cast to the type that a value has, and in
//! Hive 4 a list for each type of the values of an IN.

use std::fmt::Write as _;

use super::classes::{GENERIC, PLAIN, cast_class, operator_class};
use super::java;
use super::tree::{Bound, BoundCall, BoundConstant, BoundNode, ConstantValue, Open, Operator};
use crate::analyze::constant::Constant;
use saltplan_sql::ast::TimeUnit;
use saltplan_sql::functions::Operation;
use saltplan_sql::hive_type::{HiveType, Type};
use saltplan_sql::version::HiveVersion;

/// The nodes of the tree, children before their parents, each as four fields with tabs between them: kind (`column`, `constant`,
/// `function` or `field`), type, text (the name of a column or a field, the value of a constant, the class of a function) and number of
/// children.
///
/// # Errors
/// Hive refuses the expression, or a part of it has no known type, for this reason.
pub fn hive_form(node: &BoundNode, version: HiveVersion) -> Result<String, String> {
    let mut form = HiveForm { version, out: String::new() };
    form.node(node)?;
    Ok(form.out)
}

struct HiveForm {
    version: HiveVersion,
    out: String,
}

impl HiveForm {
    fn write(&mut self, kind: &str, of: &HiveType, text: &str, children: usize) {
        if !self.out.is_empty() {
            self.out.push('\t');
        }
        let _ = write!(self.out, "{kind}\t{of}\t{text}\t{children}");
    }

    /// A function of the package of generic functions.
    fn generic(&mut self, class: &str, of: &HiveType, children: usize) {
        self.write("function", of, &format!("{GENERIC}{class}"), children);
    }

    fn boolean(&mut self, class: &str, children: usize) {
        self.generic(class, &Type::Boolean.into(), children);
    }

    fn nodes(&mut self, nodes: &[BoundNode]) -> Result<(), String> {
        nodes.iter().try_for_each(|node| self.node(node))
    }

    fn node(&mut self, node: &BoundNode) -> Result<(), String> {
        let unknown = || format!("the type of `{}` is not known", super::written::written(node));
        if let Some(why) = &node.open {
            return Err(format!("{why:?}"));
        }
        if let Bound::Runtime(name) = &node.what {
            return Err(format!("`:{name}` is not known"));
        }
        let of = node.of.as_ref().ok_or_else(unknown)?;
        match &node.what {
            Bound::Column(column) => self.write("column", of, &column.written.name.to_lowercase(), 0),
            Bound::Constant(constant) => {
                let text = self.constant(constant, of).ok_or_else(unknown)?;
                // Hive 4 computes the negative of a number at once.
                let negations = if self.version == HiveVersion::Hive4 { 0 } else { super::negations(node) };
                match (negations % 2, text.strip_prefix('-')) {
                    (1, Some(positive)) => self.write("constant", of, positive, 0),
                    (1, None) => self.write("constant", of, &format!("-{text}"), 0),
                    _ => self.write("constant", of, &text, 0),
                }
                (0..negations).for_each(|_| self.generic("OPNegative", of, 1));
            }
            Bound::Cast { operand, .. } => {
                self.node(operand)?;
                self.cast(operand, of);
            }
            Bound::Operation { operator, operands } => self.operation(*operator, operands, of)?,
            Bound::Call(call) => self.call(call, of)?,
            Bound::Case { operand, arms, otherwise } => {
                self.case(operand.as_deref(), arms, otherwise.as_deref(), of)?;
            }
            Bound::Member { operand, name } => {
                self.node(operand)?;
                self.write("field", of, name, 1);
            }
            Bound::Row(items) => {
                self.nodes(items)?;
                self.generic("Struct", of, items.len());
            }
            Bound::Interval { amount, unit, last } => {
                let unit = interval_token(*unit, *last).ok_or_else(unknown)?;
                self.write("constant", &Type::Int.into(), unit, 0);
                self.node(amount)?;
                self.generic("InternalInterval", of, 2);
            }
            Bound::Unread { .. } | Bound::Runtime(_) => {}
        }
        Ok(())
    }

    fn cast(&mut self, operand: &BoundNode, of: &HiveType) {
        // Hive leaves out casts of a value to its own type, but compares the names of types without their sizes.
        let is_sized =
            matches!(of.primitive(), Some(Type::Decimal { .. } | Type::Varchar(_) | Type::Char(_)));
        if operand.of.as_ref() == Some(of) && !is_sized {
            return;
        }
        let class = cast_class(of.primitive(), self.version);
        self.write("function", of, &class, 1);
    }

    fn operation(&mut self, operator: Operator, operands: &[BoundNode], of: &HiveType) -> Result<(), String> {
        match operator {
            Operator::And | Operator::Or => {
                let arms = flat(operator, operands);
                arms.iter().try_for_each(|arm| self.node(arm))?;
                self.boolean(if operator == Operator::And { "OPAnd" } else { "OPOr" }, arms.len());
            }
            Operator::In { negated } => {
                self.in_list(operands)?;
                self.negated(negated);
            }
            Operator::Between { negated } => {
                self.write("constant", &Type::Boolean.into(), "false", 0);
                self.nodes(operands)?;
                self.boolean("Between", operands.len() + 1);
                self.negated(negated);
            }
            Operator::Like { negated } | Operator::RLike { negated } => {
                self.nodes(operands)?;
                match (operator, self.version) {
                    (Operator::Like { .. }, _) => {
                        self.write("function", of, &format!("{PLAIN}Like"), operands.len());
                    }
                    _ => self.boolean("RegExp", operands.len()),
                }
                self.negated(negated);
            }
            Operator::Plus => self.nodes(operands)?,
            _ => {
                self.nodes(operands)?;
                let (class, negated) = operator_class(operator);
                self.write("function", of, &class, operands.len());
                self.negated(negated);
            }
        }
        Ok(())
    }

    fn negated(&mut self, negated: bool) {
        if negated {
            self.boolean("OPNot", 1);
        }
    }

    fn in_list(&mut self, operands: &[BoundNode]) -> Result<(), String> {
        let Some((operand, items)) = operands.split_first() else { return Ok(()) };
        let items = items.iter().filter(|item| item.open != Some(Open::NoMatch));
        let mut groups: Vec<(Option<&HiveType>, Vec<&BoundNode>)> = Vec::new();
        for item in items {
            // Only Hive 4 tells the types apart.
            let of = item.of.as_ref().filter(|_| self.version == HiveVersion::Hive4);
            match groups.iter_mut().find(|(own, _)| *own == of) {
                Some((_, group)) => group.push(item),
                None => groups.push((of, vec![item])),
            }
        }
        for (_, group) in &groups {
            self.node(operand)?;
            group.iter().try_for_each(|item| self.item(item))?;
            self.boolean("In", group.len() + 1);
        }
        match groups.len() {
            0 => self.write("constant", &Type::Boolean.into(), "false", 0),
            1 => {}
            several => self.boolean("OPOr", several),
        }
        Ok(())
    }

    /// A value of a list. A row of constants is one constant in Hive 4.
    fn item(&mut self, item: &BoundNode) -> Result<(), String> {
        let Bound::Row(values) = &item.what else { return self.node(item) };
        let json = values.iter().enumerate().map(|(at, value)| {
            let text = self.constant(value.constant()?, value.of.as_ref()?)?;
            let text = match text.as_str() {
                "\\N" => "null".to_string(),
                _ if value
                    .of
                    .as_ref()
                    .is_some_and(|of| of.is_number() || of.primitive() == Some(Type::Boolean)) =>
                {
                    text
                }
                // As in the lines of the lab, in which a backslash is doubled.
                _ => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\\\"")),
            };
            Some(format!("\"col{}\":{text}", at + 1))
        });
        match (json.collect::<Option<Vec<_>>>(), &item.of) {
            (Some(members), Some(of)) if self.version == HiveVersion::Hive4 => {
                self.write("constant", of, &format!("{{{}}}", members.join(",")), 0);
                Ok(())
            }
            _ => self.node(item),
        }
    }

    fn case(
        &mut self,
        operand: Option<&BoundNode>,
        arms: &[(BoundNode, BoundNode)],
        otherwise: Option<&BoundNode>,
        of: &HiveType,
    ) -> Result<(), String> {
        // Hive 4 compares the operand in each arm.
        let compares = operand.filter(|_| self.version == HiveVersion::Hive4);
        if let (Some(operand), None) = (operand, compares) {
            self.node(operand)?;
        }
        for (condition, result) in arms {
            if let Some(operand) = compares {
                self.node(operand)?;
            }
            self.node(condition)?;
            if compares.is_some() {
                self.boolean("OPEqual", 2);
            }
            self.node(result)?;
        }
        otherwise.into_iter().try_for_each(|result| self.node(result))?;
        let is_case = operand.is_some() && compares.is_none();
        let children = usize::from(is_case) + 2 * arms.len() + usize::from(otherwise.is_some());
        self.generic(if is_case { "Case" } else { "When" }, of, children);
        Ok(())
    }

    fn call(&mut self, call: &BoundCall, of: &HiveType) -> Result<(), String> {
        self.nodes(&call.arguments)?;
        // As the sign `+`.
        if call.function.is_some_and(|function| function.operation == Operation::Keep) {
            return Ok(());
        }
        let class = call.function.and_then(|function| function.classes.full_name(self.version));
        let class = class.ok_or_else(|| format!("Hive has no function `{}`", call.name))?;
        self.write("function", of, &class, call.arguments.len());
        Ok(())
    }

    fn constant(&self, constant: &BoundConstant, of: &HiveType) -> Option<String> {
        let text = match (constant.value.as_ref()?, of.primitive()?) {
            (ConstantValue::Plain(Constant::Null), _) => return Some("\\N".into()),
            (ConstantValue::Double(double), _) => java::double(*double),
            (ConstantValue::Plain(plain), of) => match (plain, of) {
                (Constant::Number(number), Type::Double) => java::double(number.to_string().parse().ok()?),
                (Constant::Number(number), Type::Float) => java::float(number.to_string().parse().ok()?),
                (Constant::Number(number), _) => number.to_string(),
                (Constant::Bool(value), _) => value.to_string(),
                (Constant::Text(text), Type::Char(length)) => {
                    format!("{text:width$}", width = usize::try_from(length).ok()?)
                }
                (Constant::Text(text), _) => text.clone(),
                (Constant::Date(date), _) => date.to_string(),
                (Constant::Timestamp(at), _) => {
                    let fraction = at.format("%.f").to_string();
                    let fraction = match fraction.trim_end_matches('0') {
                        "" | "." if self.version == HiveVersion::Hive2 => ".0",
                        "." => "",
                        fraction => fraction,
                    };
                    format!("{}{fraction}", at.format("%Y-%m-%d %H:%M:%S"))
                }
                (Constant::Null, _) => return None,
            },
        };
        let escaped = text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n");
        Some(escaped.replace('\r', "\\r"))
    }
}

/// The arms of nested ANDs or ORs.
fn flat(operator: Operator, arms: &[BoundNode]) -> Vec<&BoundNode> {
    arms.iter().fold(Vec::new(), |mut all, arm| {
        match &arm.what {
            Bound::Operation { operator: own, operands } if *own == operator => {
                all.extend(flat(operator, operands));
            }
            _ => all.push(arm),
        }
        all
    })
}

/// The name of the token by which Hive's parser names a unit.
fn interval_token(unit: TimeUnit, last: Option<TimeUnit>) -> Option<&'static str> {
    Some(match (unit, last) {
        (TimeUnit::Year, Some(TimeUnit::Month)) => "TOK_INTERVAL_YEAR_MONTH_LITERAL",
        (TimeUnit::Day, Some(TimeUnit::Second)) => "TOK_INTERVAL_DAY_TIME_LITERAL",
        (TimeUnit::Year, None) => "TOK_INTERVAL_YEAR_LITERAL",
        (TimeUnit::Month, None) => "TOK_INTERVAL_MONTH_LITERAL",
        (TimeUnit::Day, None) => "TOK_INTERVAL_DAY_LITERAL",
        (TimeUnit::Hour, None) => "TOK_INTERVAL_HOUR_LITERAL",
        (TimeUnit::Minute, None) => "TOK_INTERVAL_MINUTE_LITERAL",
        (TimeUnit::Second, None) => "TOK_INTERVAL_SECOND_LITERAL",
        _ => return None,
    })
}
