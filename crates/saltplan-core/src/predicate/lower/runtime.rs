//! Conditions on values that are known when the statement runs: taken apart from the others, as ranges of one key field.

use crate::diag::{Diagnostic, PredicateFault};
use crate::hiveql::Parsed;
use crate::hiveql::ast::{BinaryOperator, Expr, Node, TimeUnit, UnaryOperator};
use crate::hiveql::rewrite::{columns, runtime_names};
use crate::key::field::{Field, FieldId, FieldKind};
use crate::key::time_pattern::Granularity;
use crate::predicate::constant::{Constant, fold};
use crate::predicate::runtime::{RuntimeCondition, RuntimeRange, RuntimeValue};
use crate::schema::model::Schema;

/// Items of a list of such values, at most: each pair is compared before the statement runs.
const MAX_ITEMS: usize = 16;

/// Units that a value may be moved by.
const MAX_MOVED: i64 = 100_000;

/// The conditions without such values, and those with them as one.
pub(super) fn apart(
    schema: &Schema,
    parsed: &Parsed,
) -> Result<(Node, Option<RuntimeCondition>), Diagnostic> {
    if parsed.runtime.is_empty() {
        return Ok((parsed.tree.clone(), None));
    }
    let all = parsed.tree.bare();
    let arms = match &all.expr {
        Expr::And(arms) => arms.as_slice(),
        _ => std::slice::from_ref(all),
    };
    let mut rest = Vec::new();
    let mut condition: Option<RuntimeCondition> = None;
    for arm in arms {
        let Some(leaf) = first_with_runtime(arm) else {
            rest.push(arm.clone());
            continue;
        };
        let with = With { schema, parsed, leaf };
        if !std::ptr::eq(leaf, arm.bare()) {
            return Err(with.refused("it stands below OR or NOT", "not joined by AND alone"));
        }
        let one = with.condition()?;
        condition = Some(match condition {
            None => one,
            Some(before) => with.both(before, one)?,
        });
    }
    Ok((Node::new(Expr::And(rest), all.span), condition))
}

/// The first condition with a parameter of run time.
fn first_with_runtime(node: &Node) -> Option<&Node> {
    match &node.expr {
        Expr::And(arms) | Expr::Or(arms) => arms.iter().find_map(first_with_runtime),
        Expr::Nested(inner) | Expr::UnaryOp { op: UnaryOperator::Not, expr: inner } => {
            first_with_runtime(inner)
        }
        _ => (!runtime_names(node).is_empty()).then_some(node),
    }
}

/// A condition with a value that is not known yet.
struct With<'a> {
    schema: &'a Schema,
    parsed: &'a Parsed,
    leaf: &'a Node,
}

impl With<'_> {
    fn refused(&self, reason: &str, label: &str) -> Diagnostic {
        let names = runtime_names(self.leaf).into_iter().map(|name| format!("`:{name}`"));
        let names = names.collect::<Vec<_>>().join(", ");
        Diagnostic::error(format!("{names} must be known when the statement is printed: {reason}"))
            .at(&self.parsed.source, self.leaf.span, label)
            .with_help(
                "give the value with `--param`, and run saltplan when it is known; a run-time value can only be compared with \
                 a key field by `=`, `<`, `<=`, `>`, `>=`, BETWEEN and IN, joined to other conditions by AND",
            )
            .with_fault(PredicateFault::Parameter)
    }

    fn condition(&self) -> Result<RuntimeCondition, Diagnostic> {
        let unknown =
            || self.refused("saltplan does not know this form", "not a comparison with a key field");
        let (operand, ranges) = match &self.leaf.expr {
            Expr::BinaryOp { left, op, right } => match self.value(right)? {
                Some(value) => (left.as_ref(), vec![compared(*op, &value).ok_or_else(unknown)?]),
                None => {
                    let value = self.value(left)?.ok_or_else(unknown)?;
                    (right.as_ref(), vec![compared(turned(*op), &value).ok_or_else(unknown)?])
                }
            },
            Expr::Between { expr, negated: false, low, high } => {
                let (low, high) =
                    (self.value(low)?.ok_or_else(unknown)?, self.value(high)?.ok_or_else(unknown)?);
                let range = RuntimeRange::Between { from: Some(low), until: Some(high.moved_by(1)) };
                (expr.as_ref(), vec![range])
            }
            Expr::InList { expr, list, negated: false } if list.len() <= MAX_ITEMS => {
                let items = list.iter().map(|item| self.value(item)?.ok_or_else(unknown));
                let ranges = items.map(|item| Ok(RuntimeRange::unit(&item?)));
                (expr.as_ref(), ranges.collect::<Result<Vec<_>, Diagnostic>>()?)
            }
            _ => return Err(unknown()),
        };
        let Expr::Column(column) = operand.unnested() else { return Err(unknown()) };
        let Some(field) = self.schema.field(&column.name) else {
            return Err(self.refused("it is compared with what is not a key field", "not a key field"));
        };
        let declared = &self.schema.key.fields[field];
        match &declared.kind {
            _ if !declared.stored => Err(self.refused("the key does not store the field", "only in the salt")),
            FieldKind::Calendar(calendar)
                if calendar.format.sorts()
                    && matches!(calendar.format.granularity(), Granularity::Day | Granularity::Month) =>
            {
                self.checked_times(calendar.format.granularity(), &ranges)?;
                Ok(RuntimeCondition { field, ranges })
            }
            FieldKind::Text(text) if !text.reverse => self.texts(field, declared, &ranges),
            _ => Err(self.refused(
                "only days, months and texts that the key stores in their order have bounds that Hive can compute",
                "not such a field",
            )),
        }
    }

    fn checked_times(&self, granularity: Granularity, ranges: &[RuntimeRange]) -> Result<(), Diagnostic> {
        let values = || ranges.iter().flat_map(RuntimeRange::values);
        if values().any(|value| value.moved.abs() > MAX_MOVED) {
            return Err(self.refused("it is moved too far", "more than 100,000"));
        }
        let is_alike = |value: &RuntimeValue| {
            value.given.format().is_none_or(|format| format.granularity() == granularity)
        };
        if !values().all(is_alike) {
            return Err(self.refused("its form is not that of the field's days or months", "with this form"));
        }
        Ok(())
    }

    /// Texts by their whole value: where they end, a separator stands or the key ends.
    fn texts(
        &self,
        field: FieldId,
        declared: &Field,
        ranges: &[RuntimeRange],
    ) -> Result<RuntimeCondition, Diagnostic> {
        let values = ranges.iter().map(|range| range.only().filter(|value| value.moved == 0));
        let Some(values) = values.collect::<Option<Vec<_>>>() else {
            return Err(
                self.refused("for a text field, only `=` and `IN` make ranges of keys", "not one value")
            );
        };
        if values.iter().any(|value| value.given.format().is_some()) {
            return Err(self.refused("a text has no form of a day", "with a form"));
        }
        let is_last = self.schema.key.stored().last() == Some(field);
        if declared.separator.is_empty() && !is_last {
            return Err(self.refused(
                "the text ends where the next field begins, and nothing stands between them",
                "no separator behind it",
            ));
        }
        Ok(RuntimeCondition { field, ranges: values.into_iter().cloned().map(RuntimeRange::Is).collect() })
    }

    /// A parameter of run time, moved by days or months of the field; `None` for anything else.
    fn value(&self, expr: &Expr) -> Result<Option<RuntimeValue>, Diagnostic> {
        Ok(match expr.unnested() {
            Expr::Runtime(name) => self.parsed.runtime.get(name).map(|given| RuntimeValue {
                name: name.clone(),
                given: given.clone(),
                moved: 0,
            }),
            Expr::Call(call) => match (call.name.as_str(), call.arguments.as_slice()) {
                ("date_add", [of, by]) => self.moved(of, by, 1)?,
                ("date_sub", [of, by]) => self.moved(of, by, -1)?,
                _ => None,
            },
            Expr::BinaryOp { left, op, right } => match (op, &right.expr) {
                (BinaryOperator::Plus, Expr::Interval { amount, unit: TimeUnit::Day, last: None }) => {
                    self.moved(left, amount, 1)?
                }
                (BinaryOperator::Minus, Expr::Interval { amount, unit: TimeUnit::Day, last: None }) => {
                    self.moved(left, amount, -1)?
                }
                _ => None,
            },
            _ => None,
        })
    }

    fn moved(&self, of: &Expr, by: &Expr, sign: i64) -> Result<Option<RuntimeValue>, Diagnostic> {
        let Some(value) = self.value(of)? else { return Ok(None) };
        let days = match fold(by) {
            Some(Constant::Number(number)) => number.ceiling(),
            Some(Constant::Text(text)) => (text.parse().unwrap_or(i128::MAX), true),
            _ => (0, false),
        };
        let units = i64::try_from(days.0).ok().filter(|units| days.1 && units.abs() <= MAX_MOVED);
        let Some(units) = units else {
            return Err(self.refused("it is moved by no number of days", "not a number of days"));
        };
        let names_days = |column: &&str| {
            self.schema.field(column).is_some_and(|field| match &self.schema.key.fields[field].kind {
                FieldKind::Calendar(calendar) => calendar.format.granularity() == Granularity::Day,
                _ => false,
            })
        };
        if !columns(self.leaf).iter().all(|(name, _)| names_days(name)) {
            return Err(self.refused("days are added, but the field is not a day", "not a day"));
        }
        Ok(Some(value.moved_by(units * sign)))
    }

    /// A lower and an upper bound on one field are one range.
    fn both(&self, a: RuntimeCondition, b: RuntimeCondition) -> Result<RuntimeCondition, Diagnostic> {
        use RuntimeRange::Between;
        let field = a.field;
        let joined = match (a.ranges.as_slice(), b.ranges.as_slice()) {
            _ if field != b.field => None,
            ([Between { from, until: None }], [Between { from: None, until }])
            | ([Between { from: None, until }], [Between { from, until: None }]) => {
                Some(Between { from: from.clone(), until: until.clone() })
            }
            _ => None,
        };
        match joined {
            Some(range) => Ok(RuntimeCondition { field, ranges: vec![range] }),
            None => Err(self.refused(
                "with the condition before it, the field has more than one lower and one upper bound",
                "a further condition",
            )),
        }
    }
}

fn compared(op: BinaryOperator, value: &RuntimeValue) -> Option<RuntimeRange> {
    let between = |from: Option<RuntimeValue>, until| Some(RuntimeRange::Between { from, until });
    match op {
        BinaryOperator::Eq => Some(RuntimeRange::unit(value)),
        BinaryOperator::GtEq => between(Some(value.clone()), None),
        BinaryOperator::Gt => between(Some(value.moved_by(1)), None),
        BinaryOperator::Lt => between(None, Some(value.clone())),
        BinaryOperator::LtEq => between(None, Some(value.moved_by(1))),
        _ => None,
    }
}

/// The comparison with its sides exchanged.
fn turned(op: BinaryOperator) -> BinaryOperator {
    match op {
        BinaryOperator::Lt => BinaryOperator::Gt,
        BinaryOperator::LtEq => BinaryOperator::GtEq,
        BinaryOperator::Gt => BinaryOperator::Lt,
        BinaryOperator::GtEq => BinaryOperator::LtEq,
        other => other,
    }
}
