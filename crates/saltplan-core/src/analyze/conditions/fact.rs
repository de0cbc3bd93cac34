//! What a condition implies of columns that are not in the key: two of them are equal, or one has known values.

use super::walk::Analyzer;
use super::wanted::Wanted;
use crate::analyze::compare::Comparison;
use crate::analyze::constant::{Constant, fold};
use crate::analyze::{Fact, Place};
use crate::key::chars::Chars;
use crate::key::field::{Field, FieldKind, FieldVec, TextField};
use crate::key::id::IdVec;
use crate::key::layout::RowKey;
use crate::key::number::{IntegerSize, NumberEncoding, NumberForm};
use crate::key::text_form::TextForm;
use crate::key::window::Window;
use crate::schema::model::{ColumnId, Schema};
use saltplan_sql::ast::{BinaryOperator, Expr, Node};
use saltplan_sql::hive_type::{HiveType, Type};
use saltplan_sql::rewrite::operands;

/// A schema with the columns of another one as the fields of its key, and their indices there: those of a type whose values
/// are compared as a key field's are.
#[derive(Debug)]
pub(super) struct Columns {
    schema: Schema,
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

    /// The field or the column that an expression is, with its kind.
    fn place<'a>(&'a self, schema: &'a Schema, expr: &Expr) -> Option<(Place, &'a FieldKind)> {
        let Expr::Column(column) = expr.unnested() else { return None };
        if let Some(field) = schema.field(&column.name) {
            return Some((Place::Field(field), &schema.key.fields[field].kind));
        }
        let field = self.schema.field(&column.name)?;
        Some((Place::Column(self.ids[field]), &self.schema.key.fields[field].kind))
    }

    /// What a condition implies of columns where it has the wanted truth; `schema` has the key fields.
    pub fn fact(&self, schema: &Schema, condition: &Expr, wanted: Wanted) -> Option<Fact> {
        if let Some(equality) = self.equality(schema, condition) {
            return (wanted == Wanted::TRUE).then_some(equality);
        }
        if !self.compares_a_column(condition) {
            return None;
        }
        let (field, values) = Analyzer::new(&self.schema).exact_values(condition, wanted)?;
        // Versions of Hive differ in how they compare a text with a number.
        let is_text = |operand: &&Node| matches!(fold(operand), Some(Constant::Text(_)));
        let kind = &self.schema.key.fields[field].kind;
        if kind.is_number() && operands(condition).iter().any(is_text) {
            return None;
        }
        Some(Fact::Column { column: self.ids[field], values })
    }

    /// `left = right` of two fields or columns of one kind.
    fn equality(&self, schema: &Schema, condition: &Expr) -> Option<Fact> {
        let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = condition.unnested() else {
            return None;
        };
        let ((left, of_left), (right, of_right)) = (self.place(schema, left)?, self.place(schema, right)?);
        are_alike(of_left, of_right).then_some(Fact::Equal(left, right))
    }

    /// Whether a condition compares a column itself with constants, so that it is NULL where the column is. The column is analyzed as
    /// a key field that is never NULL, and other conditions may be true for NULL.
    fn compares_a_column(&self, condition: &Expr) -> bool {
        let is_known = |expr: &Expr| fold(expr).is_some();
        let is_column = |expr: &Expr| match expr.unnested() {
            Expr::Column(column) => self.schema.field(&column.name).is_some(),
            _ => false,
        };
        let condition = condition.unnested();
        match (condition, operands(condition).as_slice()) {
            (Expr::BinaryOp { op, .. }, _) if Comparison::of(*op).is_none() => false,
            (Expr::BinaryOp { .. }, [constant, column]) if is_known(constant) => is_column(column),
            (_, [column, constants @ ..]) => is_column(column) && constants.iter().all(|one| is_known(one)),
            (_, []) => false,
        }
    }
}

/// Whether equal fields of these kinds have the same set of values.
fn are_alike(a: &FieldKind, b: &FieldKind) -> bool {
    let is_forward = |text: &TextField| !text.reverse;
    match (a, b) {
        (FieldKind::Text(a), FieldKind::Text(b)) => is_forward(a) && is_forward(b),
        (FieldKind::Integer(_), FieldKind::Integer(_)) => true,
        (FieldKind::Calendar(a), FieldKind::Calendar(b)) => a == b,
        _ => false,
    }
}

fn kind_of(hive_type: &HiveType) -> Option<FieldKind> {
    let size = match hive_type.primitive()? {
        Type::String => {
            let text = TextField {
                width: None,
                chars: Chars::utf8(),
                values: None,
                reverse: false,
                nullable: false,
                form: TextForm::default(),
            };
            return Some(FieldKind::Text(text));
        }
        Type::TinyInt => IntegerSize::Tinyint,
        Type::SmallInt => IntegerSize::Smallint,
        Type::Int => IntegerSize::Int,
        Type::BigInt => IntegerSize::Bigint,
        _ => return None,
    };
    Some(FieldKind::Integer(NumberForm::new(size, NumberEncoding::BigEndianSortable)))
}
