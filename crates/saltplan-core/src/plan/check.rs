//! Residuals, evaluated over rows, for programs that read HBase themselves.

use chrono::DateTime;
use serde_json::{Map, Value as Json};

use super::Residual;
use crate::analyze::bind::{BoundColumn, BoundNode, ColumnPlace, SchemaScope, Setting, bind};
use crate::analyze::evaluate::{Clock, RowValues, truth, typed};
use crate::analyze::{Constraint, Meaning, ValueSet};
use crate::key::Value;
use crate::key::field::{FieldId, FieldKind};
use crate::row::{member, value_of_json};
use crate::schema::model::Schema;
use saltplan_document::diag::Diagnostic;
use saltplan_sql::ast::{Expr, Type};
use saltplan_sql::rewrite::has;
use saltplan_sql::time::format::parse_timestamp;
use saltplan_sql::value::{Constant, Decimal, Typed};
use saltplan_sql::version::HiveVersion;

/// What conditions depend on besides the row: the version of Hive whose results are wanted, and the clock that `current_date` reads.
#[derive(Debug, Clone)]
pub struct Session {
    version: HiveVersion,
    clock: Clock,
}

impl Session {
    /// A session of which neither zone nor time are known: conditions on the clock are [unknown](Truth::Unknown).
    #[must_use]
    pub fn new(version: HiveVersion) -> Self {
        Session { version, clock: Clock::default() }
    }

    /// The session in a time zone, by its name in the database of time zones, such as `Asia/Shanghai`.
    ///
    /// # Errors
    /// There is no such zone.
    pub fn in_zone(mut self, name: &str) -> Result<Self, Diagnostic> {
        let zone = name.parse().map_err(|_| {
            let error = Diagnostic::error(format!("there is no time zone `{name}`"));
            error.with_help("write a name such as `Asia/Shanghai` or `UTC`")
        })?;
        self.clock.zone = Some(zone);
        Ok(self)
    }

    /// The session at a time, such as `2020-04-06T10:00:00Z`.
    ///
    /// # Errors
    /// The text is not a time of RFC 3339.
    pub fn at(mut self, time: &str) -> Result<Self, Diagnostic> {
        let now = DateTime::parse_from_rfc3339(time).map_err(|_| {
            let error = Diagnostic::error(format!("`{time}` is not a time with its offset from UTC"));
            error.with_help("write a time such as `2020-04-06T10:00:00Z`")
        })?;
        self.clock.now = Some(now.to_utc());
        Ok(self)
    }
}

/// What a condition says of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    True,
    /// False or NULL: a WHERE leaves the row out.
    NotTrue,
    /// It needs a function that is not evaluated here, a value that the row does not have, or a comparison of values that Hive would
    /// convert first.
    Unknown,
}

/// A residual that is ready to be evaluated over rows.
#[derive(Debug)]
pub struct RowCheck<'p> {
    schema: &'p Schema,
    clock: Clock,
    condition: Condition<'p>,
}

#[derive(Debug)]
enum Condition<'p> {
    All(Vec<Condition<'p>>),
    Any(Vec<Condition<'p>>),
    /// The field has one of these values.
    Field(FieldId, &'p ValueSet),
    Bound(Box<BoundNode>),
}

impl<'p> RowCheck<'p> {
    #[doc(hidden)]
    pub fn new(schema: &'p Schema, residual: &'p Residual, session: &Session) -> Self {
        let condition = Condition::of(&residual.constraint, schema, session.version);
        RowCheck { schema, clock: session.clock, condition }
    }

    /// What the residual says of a row. Its members are named as key fields and columns. Fields are written as for
    /// [`Table::encode`](crate::Table::encode); values of columns are numbers, texts and booleans, dates and times are texts such as
    /// `2020-04-06` and `2020-04-06 10:00:00`. NULL is `null`; a member that is missing is not known.
    pub fn check(&self, row: &Map<String, Json>) -> Truth {
        self.condition.check(&JsonRow { schema: self.schema, row }, &self.clock)
    }
}

impl<'p> Condition<'p> {
    fn of(constraint: &'p Constraint, schema: &Schema, version: HiveVersion) -> Self {
        let each =
            |arms: &'p [Constraint]| arms.iter().map(|arm| Condition::of(arm, schema, version)).collect();
        match constraint {
            Constraint::All(arms) => Condition::All(each(arms)),
            Constraint::Any(arms) => Condition::Any(each(arms)),
            Constraint::Condition(condition) => match &condition.meaning {
                Meaning::Tight { field, values } => Condition::Field(*field, values),
                Meaning::Checked(_) => {
                    // What is compared with a key field is not Hive's to convert.
                    let is_field = |part: &Expr| matches!(part, Expr::Column(column) if schema.field(&column.name).is_some());
                    let setting = match has(&condition.expr, is_field) {
                        true => Setting::Predicate,
                        false => Setting::Query(Some(version)),
                    };
                    let node = bind(&condition.expr.clone().into(), &SchemaScope(schema), setting);
                    Condition::Bound(Box::new(node))
                }
            },
        }
    }

    fn check(&self, row: &JsonRow<'_>, clock: &Clock) -> Truth {
        let truths =
            |arms: &[Condition<'_>]| arms.iter().map(|arm| arm.check(row, clock)).collect::<Vec<_>>();
        match self {
            Condition::All(arms) => {
                let truths = truths(arms);
                match () {
                    () if truths.contains(&Truth::NotTrue) => Truth::NotTrue,
                    () if truths.contains(&Truth::Unknown) => Truth::Unknown,
                    () => Truth::True,
                }
            }
            Condition::Any(arms) => {
                let truths = truths(arms);
                match () {
                    () if truths.contains(&Truth::True) => Truth::True,
                    () if truths.contains(&Truth::Unknown) => Truth::Unknown,
                    () => Truth::NotTrue,
                }
            }
            Condition::Field(id, values) => match row.field(*id) {
                Some(value) if values.contains(&row.schema.key.fields[*id].kind, &value) => Truth::True,
                Some(_) => Truth::NotTrue,
                None => Truth::Unknown,
            },
            Condition::Bound(node) => match truth(node, row, clock) {
                Some(Some(true)) => Truth::True,
                Some(_) => Truth::NotTrue,
                None => Truth::Unknown,
            },
        }
    }
}

struct JsonRow<'r> {
    schema: &'r Schema,
    row: &'r Map<String, Json>,
}

impl JsonRow<'_> {
    fn field(&self, id: FieldId) -> Option<Value> {
        let field = &self.schema.key.fields[id];
        value_of_json(field, member(self.row, &field.name)?, self.schema.time_zone).ok()
    }
}

impl RowValues for JsonRow<'_> {
    fn value(&self, column: &BoundColumn) -> Option<Typed> {
        match column.place {
            ColumnPlace::Field(id) => {
                let kind = &self.schema.key.fields[id].kind;
                match (kind, self.field(id)?) {
                    (FieldKind::Text(_), Value::Text(text)) if text.is_empty() && kind.is_nullable() => {
                        Some(Typed::plain(Constant::Null))
                    }
                    (FieldKind::Text(_), Value::Text(text)) => Some(Typed::plain(Constant::Text(text))),
                    (FieldKind::Integer(_), Value::Number(number)) => {
                        typed(Constant::Number(Decimal::integer(number.into())), kind.hive_type())
                    }
                    // Predicates read a time in several forms.
                    _ => None,
                }
            }
            ColumnPlace::Column(id) => {
                let column = &self.schema.columns[id];
                value_of_column(member(self.row, &column.name)?, column.hive_type.primitive()?)
            }
            ColumnPlace::RowKey | ColumnPlace::Elsewhere => None,
        }
    }
}

fn value_of_column(json: &Json, of: Type) -> Option<Typed> {
    let constant = match (json, of) {
        (Json::Null, _) => Constant::Null,
        (Json::Bool(value), Type::Boolean) => Constant::Bool(*value),
        (Json::Number(number), _) => Constant::Number(Decimal::parse(&number.to_string())?),
        (Json::String(text), Type::Decimal { .. }) => Constant::Number(Decimal::parse(text)?),
        (Json::String(text), Type::String | Type::Varchar(_)) => Constant::Text(text.clone()),
        (Json::String(text), Type::Date) => Constant::Date(text.parse().ok()?),
        (Json::String(text), Type::Timestamp) => Constant::Timestamp(parse_timestamp(text)?),
        _ => return None,
    };
    typed(constant, of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Table;
    use crate::table::PlanOptions;
    use saltplan_sql::Parameters;
    use serde_json::json;

    const TABLE: &str = "
saltplan: 1
hbase: { table: t, families: { f: {} } }
key: { fields: [{ name: at, type: timestamp, epoch: ms, encoding: be }, { name: id, type: string, chars: alnum }] }
columns:
  - { name: n, type: bigint, hbase: 'f:n' }
  - { name: d, type: date, hbase: 'f:d' }
  - { name: s, type: string, hbase: 'f:s' }
time_zone: UTC
";

    fn truth_of(predicate: &str, row: &Json, session: &Session) -> Truth {
        let table = Table::from_yaml(TABLE).expect("a table");
        let options = PlanOptions::accepting_all();
        let planned = table.plan_with(predicate, &Parameters::default(), &options).expect("a plan");
        let range = planned.ranges().expect("known keys").next().expect(predicate);
        let check = range.check(session).expect("a residual");
        check.check(row.as_object().expect("an object"))
    }

    #[test]
    fn conditions_have_three_truth_values() {
        let row = json!({ "at": 1_586_168_430_000_i64, "id": "x7", "n": 3, "d": "2020-04-06", "s": null });
        let session = Session::new(HiveVersion::Hive3);
        let session = session.in_zone("Asia/Shanghai").and_then(|own| own.at("2020-04-06T17:00:00Z"));
        let session = session.expect("a zone and a time");
        for (predicate, truth) in [
            ("n = 3", Truth::True),
            ("n IN (1, NULL)", Truth::NotTrue),
            ("n NOT IN (1, cast(s as bigint))", Truth::NotTrue),
            ("s = 'x' OR n < 4", Truth::True),
            ("NOT (s = 'x' AND n < 4)", Truth::NotTrue),
            ("s IS NULL AND coalesce(s, 'y') LIKE 'y%'", Truth::True),
            ("CASE WHEN n > 2 THEN s ELSE 'x' END IS NULL", Truth::True),
            ("n % 2 = 1 AND n + 1 BETWEEN 4 AND 5", Truth::True),
            ("d = DATE '2020-04-06'", Truth::True),
            // In Shanghai it is the next day.
            ("d < current_date", Truth::True),
            ("n = 3 AND soundex(s) = 'X'", Truth::Unknown),
            ("n = 4 AND soundex(s) = 'X'", Truth::NotTrue),
            ("n = 3 OR soundex(s) = 'X'", Truth::True),
            // Times of the key have several forms.
            ("NOT ((at = '2020-04-06 10:20:30' AND n < 4) IS NULL)", Truth::Unknown),
        ] {
            assert_eq!(truth_of(predicate, &row, &session), truth, "{predicate}");
        }
        let unknown = Session::new(HiveVersion::Hive3);
        assert_eq!(truth_of("d < current_date", &row, &unknown), Truth::Unknown);
        assert_eq!(truth_of("n = 3", &json!({ "id": "x7" }), &unknown), Truth::Unknown);
        assert!(unknown.clone().in_zone("Asia/Shanghia").is_err() && unknown.at("today").is_err());
    }
}
