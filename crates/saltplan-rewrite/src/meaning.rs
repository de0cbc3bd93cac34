//! Whether Hive compares dates and times in a condition as the planner does.
//!
//! The planner compares a DATE or TIMESTAMP field also with the number or the text that the key stores. Hive 2.3.9 and 3.1.3 compare
//! it with a number as a number of days or seconds since 1970, with most texts as NULL, and in a list as texts (measured). In
//! `coalesce(at, '2020-04-06')` the field becomes a text.

use saltplan_core::analyze::bind::{
    Bound, BoundCall, BoundNode, CastOrigin, ColumnPlace, Operator, Setting, bind,
};
use saltplan_core::analyze::constant::Constant;
use saltplan_core::key::field::FieldKind;
use saltplan_core::schema::model::Schema;
use saltplan_core::table::TimeReading;
use saltplan_sql::ast::{Expr, Literal, Node, Type};
use saltplan_sql::functions::Operation;

use crate::scope::KnownTable;

/// The type of a compared value in Hive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compared<'a> {
    Date,
    Timestamp,
    Text(&'a str),
    /// NULL, or a value that is filled in later in the form of the key.
    Any,
    Other,
}

/// Why a condition on one table means something else to Hive.
pub fn fault(condition: &Node, table: &KnownTable<'_>) -> Option<String> {
    let bound = bind(condition, table, Setting::Query(None));
    let mut found = None;
    let meaning = Meaning { table };
    bound.walk(&mut |part| found = found.take().or_else(|| meaning.fault(part)));
    found.or_else(|| fault_of_clock_changes(&bound))
}

/// Why Hive may show another local time than the one that is stored. A function that Hive computes by way of an instant moves a local time
/// that the zone of the Java machine, or of the session, skips: where 02:30 does not exist, `hour` of a stored 02:30 is 3 to Hive 2, and
/// `date_format` shows 03:30 in Hive 2 and 4 (measured). The zone is not known here. A time that is moved stays on its day, but for the
/// two zones that have skipped a whole one.
fn fault_of_clock_changes(condition: &BoundNode) -> Option<String> {
    let mut found = None;
    condition.walk(&mut |part| {
        let Bound::Call(call) = &part.what else { return };
        let Some(function) = call.function.filter(|function| !function.is_of_instants()) else { return };
        let shows_days =
            call.operation() == Operation::Print && call.arguments.get(1).is_some_and(prints_days);
        let is_of_column =
            || call.arguments.iter().any(|argument| argument.has(&|part| part.column().is_some()));
        if found.is_none() && function.zones.iter().any(|zone| zone.differs()) && !shows_days && is_of_column() {
            found = Some(format!(
                "of a local time that the zone of the server or of the session skips, Hive makes another one in `{}`",
                call.name
            ));
        }
    });
    found
}

/// Why a condition on fields that stand for pieces of the row key means something else to Hive. For the planner an instant is also a
/// time in the zone of the schema. In a query on the mapping table it is a number, of which Hive makes a time by rules of its own
/// (measured):
/// - `from_unixtime` uses the zone of the Java machine in 2.3.9, UTC in 3.1.3, and the zone of the session in 4.1.0;
/// - `cast(… AS timestamp)` takes a whole number for milliseconds, or for seconds if the session says so; 4.1.0 refuses it;
/// - beside a time, a number is compared with the seconds of that time in the zone of the Java machine or of UTC.
pub fn fault_of_pieces(condition: &BoundNode, schema: &Schema) -> Option<String> {
    Instants { schema }.fault(condition, false).or_else(|| fault_of_clock_changes(condition))
}

struct Instants<'s> {
    schema: &'s Schema,
}

impl Instants<'_> {
    fn has_instant(&self, node: &BoundNode) -> bool {
        node.has(&|part| match part.column().map(|column| column.place) {
            Some(ColumnPlace::Field(id)) => matches!(self.schema.key.fields[id].kind, FieldKind::Epoch(_)),
            _ => false,
        })
    }

    /// `is_shown_again` if a function prints these seconds in the zone in which they were read.
    fn fault(&self, node: &BoundNode, is_shown_again: bool) -> Option<String> {
        let shows_again = match &node.what {
            Bound::Call(call) => {
                if let Some(fault) = self.fault_of_call(call, is_shown_again) {
                    return Some(fault);
                }
                call.operation() == Operation::ShowSeconds && call.arguments.get(1).is_some_and(prints_days)
            }
            Bound::Cast { operand, .. } => {
                let is_time = node.primitive().is_none_or(Type::is_time);
                if is_time && self.has_instant(operand) {
                    return Some(of_function("cast"));
                }
                false
            }
            Bound::Operation {
                operator: Operator::Binary(_) | Operator::Between { .. } | Operator::In { .. },
                operands,
            } => {
                if self.is_mixed(&operands.iter().collect::<Vec<_>>()) {
                    return Some(beside_another());
                }
                false
            }
            Bound::Case { operand, arms, otherwise } => {
                let compared = operand.iter().map(|operand| &**operand);
                let compared = compared.chain(arms.iter().map(|(value, _)| value)).collect::<Vec<_>>();
                let results = arms.iter().map(|(_, result)| result).chain(otherwise.as_deref());
                if operand.is_some() && self.is_mixed(&compared)
                    || self.is_mixed(&results.collect::<Vec<_>>())
                {
                    return Some(beside_another());
                }
                false
            }
            _ => false,
        };
        let mut found = None;
        node.for_each_part(&mut |part| found = found.take().or_else(|| self.fault(part, shows_again)));
        found
    }

    fn fault_of_call(&self, call: &BoundCall, is_shown_again: bool) -> Option<String> {
        let function = call.function?;
        let is_of_seconds = match call.operation() {
            Operation::ReadSeconds => !is_shown_again && call.arguments.iter().any(BoundNode::has_field),
            Operation::ShowSeconds => call.arguments.first().is_some_and(|seconds| {
                let is_read_here = matches!(&seconds.what, Bound::Call(inner) if inner.operation() == Operation::ReadSeconds);
                seconds.has_field() && !is_read_here
            }),
            _ => false,
        };
        let mut arguments = call.arguments.iter().enumerate();
        if is_of_seconds || arguments.any(|(index, of)| function.takes_time(index) && self.has_instant(of)) {
            return Some(of_function(&call.name));
        }
        let chooses = match call.operation() {
            Operation::If => 1,
            Operation::Greatest | Operation::Least | Operation::FirstNotNull | Operation::NullIf => 0,
            _ => return None,
        };
        let chosen: Vec<&BoundNode> = call.arguments.iter().skip(chooses).collect();
        self.is_mixed(&chosen).then(beside_another)
    }

    /// Whether an instant is beside a value of another kind.
    fn is_mixed(&self, operands: &[&BoundNode]) -> bool {
        if !operands.iter().any(|operand| self.has_instant(operand)) {
            return false;
        }
        if let Some(Bound::Row(first)) = operands.first().map(|operand| &operand.what) {
            let column = |index: usize| {
                let values = operands.iter().map(|row| match &row.what {
                    Bound::Row(values) => values.get(index),
                    _ => None,
                });
                values.collect::<Option<Vec<&BoundNode>>>()
            };
            return (0..first.len()).any(|index| column(index).is_none_or(|values| self.is_mixed(&values)));
        }
        let known = operands.iter().filter(|operand| !matches!(operand.what, Bound::Runtime(_)));
        let types = known.map(|operand| operand.uncast().primitive());
        let types: Vec<Option<Type>> = types.filter(|of| *of != Some(Type::Void)).collect();
        let all = |is_it: &dyn Fn(Type) -> bool| types.iter().all(|of| of.is_some_and(is_it));
        !(all(&Type::is_number) || all(&Type::is_text) || all(&|of| of == Type::Boolean))
    }
}

fn of_function(name: &str) -> String {
    format!("which time `{name}` makes of a number depends on the version of Hive, on zones and on settings")
}

fn beside_another() -> String {
    "to Hive the instant is a number, which it compares with a time or a text in its own way".into()
}

/// Whether a pattern prints nothing that is shorter than a day. Local times that a zone skips may print another hour.
fn prints_days(pattern: &BoundNode) -> bool {
    let Some(Constant::Text(pattern)) = pattern.folded() else { return false };
    pattern.chars().all(|c| !c.is_alphabetic() || matches!(c, 'y' | 'M' | 'd'))
}

struct Meaning<'f> {
    table: &'f KnownTable<'f>,
}

impl Meaning<'_> {
    /// What is wrong with a part itself.
    fn fault(&self, part: &BoundNode) -> Option<String> {
        match &part.what {
            Bound::Operation { operator: Operator::Binary(op), operands } if !op.compares() => {
                let is_interval = |node: &BoundNode| matches!(node.what, Bound::Interval { .. });
                let is_moved = operands.iter().any(is_interval);
                if is_moved { None } else { self.used("arithmetic", operands) }
            }
            Bound::Operation {
                operator: Operator::Binary(_) | Operator::Between { .. } | Operator::In { .. },
                operands,
            } => {
                let is_list = matches!(part.what, Bound::Operation { operator: Operator::In { .. }, .. });
                self.compared(operands, is_list)
            }
            Bound::Case { operand, arms, otherwise } => {
                let values = arms.iter().map(|(value, _)| value);
                let of_values = match operand {
                    Some(operand) => self.compared(std::iter::once(&**operand).chain(values), false),
                    None => None,
                };
                let results = arms.iter().map(|(_, result)| result).chain(otherwise.as_deref());
                of_values.or_else(|| self.used("CASE", results))
            }
            Bound::Cast { operand, origin: CastOrigin::Written(_) } => match part.primitive() {
                Some(Type::Date | Type::Timestamp | Type::String) => None,
                _ => self.used("cast", [&**operand]),
            },
            Bound::Call(call) if !reads_times(call) => self.used(&call.name, &call.arguments),
            _ => None,
        }
    }

    /// Whether an expression is a date or a time that is computed from one of the key.
    fn is_time_of_key(&self, node: &BoundNode) -> bool {
        let is_of_key = |part: &BoundNode| {
            let column = part.column().and_then(|of| self.table.column(&of.written.name.to_lowercase()));
            column.is_some_and(|column| column.time == TimeReading::Time)
        };
        matches!(compared_as(node), Compared::Date | Compared::Timestamp) && node.has(&is_of_key)
    }

    /// Operands that Hive may take for another type than the planner.
    fn used<'n>(&self, name: &str, operands: impl IntoIterator<Item = &'n BoundNode>) -> Option<String> {
        let is_used = operands.into_iter().any(|operand| self.is_time_of_key(operand));
        is_used.then(|| format!("in `{name}` Hive may take a date or a time for another type"))
    }

    fn compared<'n>(
        &self,
        operands: impl IntoIterator<Item = &'n BoundNode>,
        is_list: bool,
    ) -> Option<String> {
        let operands: Vec<&BoundNode> = operands.into_iter().collect();
        if !operands.iter().any(|operand| self.is_time_of_key(operand)) {
            return None;
        }
        let types: Vec<Compared<'_>> = operands.into_iter().map(compared_as).collect();
        let of_date = types.contains(&Compared::Date);
        let is_alike = |of_type: &Compared<'_>| match of_type {
            Compared::Date | Compared::Timestamp | Compared::Any => true,
            Compared::Text(text) => is_day(text) && !(is_list && !of_date) || is_time(text) && !of_date,
            Compared::Other => false,
        };
        (!types.iter().all(is_alike)).then(|| {
            "Hive compares the date or the time with another type, or with a text in another form: write `DATE '…'` or `TIMESTAMP '…'`".into()
        })
    }
}

/// What Hive compares a value as.
fn compared_as(node: &BoundNode) -> Compared<'_> {
    let node = node.uncast();
    let literal = node.constant().and_then(|constant| constant.written.as_deref());
    match (&node.what, literal) {
        (Bound::Runtime(_), _) | (_, Some(Expr::Literal(Literal::Null))) => Compared::Any,
        (_, Some(Expr::Literal(Literal::Text(text)))) => Compared::Text(text),
        _ => match node.primitive() {
            Some(Type::Date) => Compared::Date,
            Some(Type::Timestamp) => Compared::Timestamp,
            _ => Compared::Other,
        },
    }
}

/// Whether a function reads a date or a time as the planner does: as itself, or as the text that Hive shows of it. Times in another zone
/// are not known here.
fn reads_times(call: &BoundCall) -> bool {
    match call.operation() {
        Operation::Substring => true,
        Operation::ChangeZone => false,
        _ => call.function.is_some_and(|function| function.takes_time(0)),
    }
}

/// `2020-04-06`
pub fn is_day(text: &str) -> bool {
    has_shape(text, "0000-00-00")
}

/// `2020-04-06 10:00:00`
pub fn is_time(text: &str) -> bool {
    has_shape(text, "0000-00-00 00:00:00")
}

fn has_shape(text: &str, shape: &str) -> bool {
    let is_like = |(c, of_shape): (u8, u8)| if of_shape == b'0' { c.is_ascii_digit() } else { c == of_shape };
    text.len() == shape.len() && text.bytes().zip(shape.bytes()).all(is_like)
}
