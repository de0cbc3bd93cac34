//! The salt or the time by which `check` counts rows in groups.

use super::rows::Rows;
use crate::hive::field;
use crate::hive::salt;
use crate::key::field::{FieldId, FieldVec};
use crate::key::salt::{Salt, SaltDomain};
use crate::refusal::Refusal;
use crate::schema::model::{PartitionValue, Schema, TargetTable, TargetValue};
use saltplan_sql::ast::Expr;
use saltplan_sql::build::Case;
use saltplan_sql::functions::{CONCAT_WS, MD5};
use saltplan_sql::statement::{Identifier, Item};

/// The name of the salt.
const SALT: &str = "salt";

/// More salts than these are not listed in a statement.
const MAX_LISTED: usize = 4_096;

/// A group of rows: a value that is computed from the columns of a row, on both sides alike.
pub(super) struct By {
    /// The name in the result.
    pub name: Identifier,
    pub value: Expr,
    /// Columns from which the value is computed, besides those of the rows.
    pub stored: Vec<Item>,
    /// The groups of which each is expected to have rows.
    pub expected: Option<Expected>,
}

/// Groups that many rows are spread over evenly, so that one without a row is no accident.
pub(super) struct Expected {
    pub groups: Vec<String>,
    /// The last three hex digits of a hash of what decides the group of a row. Many rows with one input are all in one group, so rows are
    /// not counted, but these digits: they are never more than the inputs.
    pub input: Expr,
}

/// The groups that are asked for, or those of the default; `None` if all rows are one group.
pub(super) fn group(
    schema: &Schema,
    target: &TargetTable,
    rows: &Rows,
    asked: Option<&str>,
) -> Result<Option<By>, Refusal> {
    let of_salt = || by_salt(schema, target, rows);
    let Some(asked) = asked else {
        let first = target.partition.first().map(|column| by_column(&column.name));
        return Ok(of_salt().ok().flatten().or(first));
    };
    let of_columns = rows.columns.iter().filter(|column| !column.hive_type.is_nested());
    let of_columns = of_columns.map(|column| column.name.as_str());
    if let Some(column) = of_columns.clone().find(|name| name.eq_ignore_ascii_case(asked)) {
        return Ok(Some(by_column(column)));
    }
    if let Some(column) = schema.field(asked).and_then(|field| column_of(schema, target, field)) {
        return Ok(Some(By { name: Identifier::new(asked), ..by_column(&column) }));
    }
    if asked.eq_ignore_ascii_case(SALT)
        && let Some(by) = of_salt()?
    {
        return Ok(Some(by));
    }
    let salt = of_salt().ok().flatten().map(|_| SALT);
    let known = of_columns.chain(salt).map(str::to_string).collect();
    let name = asked.to_string();
    Err(match rows.columns.iter().any(|column| column.name.eq_ignore_ascii_case(asked)) {
        true => Refusal::NestedGroup { name, known },
        false => Refusal::NotInTarget { name, known },
    })
}

fn by_column(name: &str) -> By {
    By { name: Identifier::new(name), value: Expr::column(name), stored: Vec::new(), expected: None }
}

/// The salt, computed from the target's columns on both sides. So a row with a wrong salt in its key still falls into the same group
/// here; `verify` finds wrong salts. NULL for a row whose salt Hive does not compute as Java does.
///
/// # Errors
/// Hive cannot compute the salt.
fn by_salt(schema: &Schema, target: &TargetTable, rows: &Rows) -> Result<Option<By>, Refusal> {
    let fields = &schema.key.fields;
    let Some(own) = schema.key.salt.as_ref().filter(|salt| !salt.is_random()) else { return Ok(None) };
    let inputs = own.inputs(fields);
    let mut used: Vec<FieldId> = inputs.iter().map(|input| input.field).collect();
    used.sort_unstable();
    used.dedup();
    let name = |id: FieldId| rows.free_name(&format!("stored_{}", fields[id].name));
    let mut stored = Vec::new();
    for &id in &used {
        let Some(column) = column_of(schema, target, id) else { return Ok(None) };
        let text = field::stored_text(schema, id, &Expr::column(column));
        stored.push(Item::named(text, name(id).0));
    }
    let texts: FieldVec<Expr> = fields.ids().map(|id| name(id).column()).collect();
    let salt = salt::salt(schema, own, &texts)?;
    let value = match salt.exact_if.is_empty() {
        true => salt.expression,
        false => {
            let exact = Expr::all(salt.exact_if.into_iter().map(|check| check.condition).collect());
            Case::when(&exact, &salt.expression).or_null()
        }
    };
    let expected = all_salts(schema, own).map(|groups| {
        let inputs = used.iter().map(|id| name(*id).column());
        let joined = Expr::call(&CONCAT_WS, [Expr::text(",")].into_iter().chain(inputs));
        Expected { groups, input: Expr::call(&MD5, [joined]).substr(30, 3) }
    });
    Ok(Some(By { name: Identifier::new(SALT), value, stored, expected }))
}

/// Every salt as text, if a hash spreads rows evenly over them. Remainders of a number are not spread so: ids can all be even.
fn all_salts(schema: &Schema, own: &Salt) -> Option<Vec<String>> {
    own.scheme.hashed_inputs()?;
    let fields = &schema.key.fields;
    let numbers = own.numbers(fields);
    // One hash in 2^32 has a salt of its own.
    let has_rare = numbers.range() != numbers.usual_range();
    match own.domain(fields) {
        SaltDomain::Listed(salts) if !has_rare && (2..=MAX_LISTED).contains(&salts.len()) => {
            salts.into_iter().map(|salt| String::from_utf8(salt).ok()).collect()
        }
        _ => None,
    }
}

/// The column of the target that has the value of a key field.
fn column_of(schema: &Schema, target: &TargetTable, id: FieldId) -> Option<String> {
    let field = &schema.key.fields[id];
    let of_columns = target.columns.iter().find(|column| match &column.value {
        TargetValue::KeyField(own) => *own == id,
        TargetValue::Column(own) => !field.stored && schema.column(&field.name) == Some(*own),
        TargetValue::Expression(_) => false,
    });
    let of_partition = target.partition.iter().find(|column| match &column.value {
        PartitionValue::Field(own) => *own == id,
        _ => false,
    });
    of_columns.map(|column| &column.name).or(of_partition.map(|column| &column.name)).cloned()
}
