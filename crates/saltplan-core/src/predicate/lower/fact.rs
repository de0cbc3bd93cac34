//! What a condition for the engine tells of columns: two of them are the same, or one has known values.

use crate::hiveql::ast::{BinaryOperator, Expr};
use crate::key::chars::Chars;
use crate::key::id::IdVec;
use crate::key::layout::FieldVec;
use crate::key::number::{IntegerSize, NumberEncoding, NumberForm};
use crate::key::window::Window;
use crate::predicate::constant::fold;
use crate::predicate::{Fact, Place};
use crate::schema::conversion::{HiveType, hive_type};
use crate::schema::model::{ColumnId, Field, FieldId, FieldKind, RowKey, Schema, TextField};

/// A schema with the columns of another one as the fields of its key, and their indices there: those of a type whose values
/// are compared as a key field's are.
pub(super) struct Columns {
    pub schema: Schema,
    ids: FieldVec<ColumnId>,
}

impl Columns {
    pub fn new(schema: &Schema) -> Self {
        let (mut ids, mut fields) = (FieldVec::new(), FieldVec::new());
        for (id, column) in schema.columns.entries() {
            let Some(kind) = kind_of(&column.hive_type) else { continue };
            let (name, window, separator) = (column.name.clone(), Window::default(), Vec::new());
            ids.push(id);
            fields.push(Field { name, kind, stored: true, window, separator });
        }
        let schema = Schema {
            hbase: schema.hbase.clone(),
            key: RowKey { salt: None, fields },
            regions: None,
            columns: IdVec::default(),
            hive: None,
            time_zone: schema.time_zone,
            workload: Vec::new(),
        };
        Columns { schema, ids }
    }

    pub fn id(&self, field: FieldId) -> ColumnId {
        self.ids[field]
    }

    /// The field or the column that an expression is, with its kind.
    fn place<'a>(&'a self, schema: &'a Schema, expr: &Expr) -> Option<(Place, &'a FieldKind)> {
        match expr {
            Expr::Nested(inner) => self.place(schema, inner),
            Expr::Column(name) => match schema.field(name) {
                Some(field) => Some((Place::Field(field), &schema.key.fields[field].kind)),
                None => {
                    let field = self.schema.field(name)?;
                    Some((Place::Column(self.id(field)), &self.schema.key.fields[field].kind))
                }
            },
            _ => None,
        }
    }

    /// That two places have one value, where they are compared as values of one kind.
    pub fn equality(&self, schema: &Schema, expr: &Expr) -> Option<Fact> {
        match expr {
            Expr::Nested(inner) => self.equality(schema, inner),
            Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => {
                let ((left, of_left), (right, of_right)) =
                    (self.place(schema, left)?, self.place(schema, right)?);
                are_alike(of_left, of_right).then_some(Fact::Equal(left, right))
            }
            _ => None,
        }
    }
}

/// Whether a condition compares a column itself with constants, and so is NULL where the column is: what else is true of a
/// value may be true of NULL, too, and a key field, as which the column is looked at, never is NULL.
pub(super) fn compares_a_column(condition: &Expr) -> bool {
    use BinaryOperator::{Eq, Gt, GtEq, Lt, LtEq, NotEq};
    let is_known = |expr: &Expr| fold(expr).is_some();
    match condition {
        Expr::Nested(inner) => compares_a_column(inner),
        Expr::BinaryOp { left, op: Eq | NotEq | Lt | LtEq | Gt | GtEq, right } => {
            is_column(left) && is_known(right) || is_known(left) && is_column(right)
        }
        Expr::InList { expr, list, .. } => is_column(expr) && list.iter().all(is_known),
        Expr::Between { expr, low, high, .. } => is_column(expr) && is_known(low) && is_known(high),
        Expr::Like { expr, pattern, .. } | Expr::RLike { expr, pattern, .. } => {
            is_column(expr) && is_known(pattern)
        }
        _ => false,
    }
}

fn is_column(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_column(inner),
        expr => matches!(expr, Expr::Column(_)),
    }
}

/// Whether a set of values of one kind says of another one that it has the same.
fn are_alike(a: &FieldKind, b: &FieldKind) -> bool {
    let is_forward = |text: &TextField| !text.reverse;
    match (a, b) {
        (FieldKind::Text(a), FieldKind::Text(b)) => is_forward(a) && is_forward(b),
        (FieldKind::Integer(_), FieldKind::Integer(_)) => true,
        (FieldKind::Calendar(a), FieldKind::Calendar(b)) => a == b,
        _ => false,
    }
}

fn kind_of(declared: &str) -> Option<FieldKind> {
    let size = match hive_type(declared)? {
        HiveType::String => {
            let text = TextField { width: None, chars: Chars::utf8(), values: None, reverse: false };
            return Some(FieldKind::Text(text));
        }
        HiveType::Int => IntegerSize::Int,
        HiveType::Bigint => IntegerSize::Bigint,
        _ => return None,
    };
    Some(FieldKind::Integer(NumberForm {
        size,
        encoding: NumberEncoding::BigEndianSortable,
        width: None,
        descending: false,
        min: None,
        max: None,
    }))
}
