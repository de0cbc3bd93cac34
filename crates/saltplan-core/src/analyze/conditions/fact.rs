//! What a condition implies of columns that are not in the key: two of them are equal, or one has known values.

use std::collections::BTreeMap;

use super::walk::Analyzer;
use super::wanted::Wanted;
use crate::analyze::bind::{Bound, BoundNode, ColumnPlace, Operator};
use crate::analyze::compare::Comparison;
use crate::analyze::constant::{Constant, fold};
use crate::analyze::{Fact, FieldOrColumn};
use crate::key::chars::Chars;
use crate::key::field::{Field, FieldId, FieldKind, FieldVec, TextField};
use crate::key::id::IdVec;
use crate::key::layout::RowKey;
use crate::key::number::{IntegerSize, NumberEncoding, NumberForm};
use crate::key::text_form::TextForm;
use crate::key::window::Window;
use crate::schema::model::{ColumnId, Schema};
use saltplan_sql::ast::BinaryOperator;
use saltplan_sql::hive_type::{HiveType, Type};

/// A schema with the columns of another one as the fields of its key, and their indices there: those of a type whose values
/// are compared as a key field's are.
#[derive(Debug)]
pub(super) struct Columns {
    schema: Schema,
    ids: FieldVec<ColumnId>,
    fields: BTreeMap<ColumnId, FieldId>,
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
            key: RowKey { salt: None, fields, hashed: BTreeMap::new() },
            regions: None,
            columns: IdVec::default(),
            hive: None,
            time_zone: schema.time_zone,
            workload: Vec::new(),
        };
        let fields = ids.entries().map(|(field, column)| (*column, field)).collect();
        Columns { schema, ids, fields }
    }

    /// The field or the column that an expression is, with its kind.
    fn place<'a>(&'a self, schema: &'a Schema, node: &BoundNode) -> Option<(FieldOrColumn, &'a FieldKind)> {
        match node.uncast().column()?.place {
            ColumnPlace::Field(field) => Some((FieldOrColumn::Field(field), &schema.key.fields[field].kind)),
            ColumnPlace::Column(id) => {
                let kind = &self.schema.key.fields[*self.fields.get(&id)?].kind;
                Some((FieldOrColumn::Column(id), kind))
            }
            ColumnPlace::RowKey | ColumnPlace::Elsewhere => None,
        }
    }

    /// Whether an expression is one of the columns.
    fn has(&self, node: &BoundNode) -> bool {
        match node.uncast().column() {
            Some(column) => {
                matches!(column.place, ColumnPlace::Column(id) if self.fields.contains_key(&id))
            }
            None => false,
        }
    }

    /// A condition with the columns as the fields of their schema.
    fn as_fields(&self, mut node: BoundNode) -> BoundNode {
        fn put(fields: &BTreeMap<ColumnId, FieldId>, node: &mut BoundNode) {
            if let Bound::Column(column) = &mut node.what
                && let ColumnPlace::Column(id) = column.place
                && let Some(field) = fields.get(&id)
            {
                column.place = ColumnPlace::Field(*field);
            }
            node.for_each_part_mut(&mut |part| put(fields, part));
        }
        put(&self.fields, &mut node);
        node
    }

    /// What a condition implies of columns where it has the wanted truth; `schema` has the key fields.
    pub fn fact(&self, schema: &Schema, condition: &BoundNode, wanted: Wanted) -> Option<Fact> {
        if let Some(equality) = self.equality(schema, condition) {
            return (wanted == Wanted::TRUE).then_some(equality);
        }
        if !self.compares_a_column(condition) {
            return None;
        }
        let (field, values) =
            Analyzer::new(&self.schema).exact_values(&self.as_fields(condition.clone()), wanted)?;
        // Versions of Hive differ in how they compare a text with a number.
        let is_text = |operand: &BoundNode| matches!(fold(operand), Some(Constant::Text(_)));
        let kind = &self.schema.key.fields[field].kind;
        if kind.is_number() && condition.uncast().compared().iter().any(is_text) {
            return None;
        }
        Some(Fact::Column { column: self.ids[field], values })
    }

    /// `left = right` of two fields or columns of one kind.
    fn equality(&self, schema: &Schema, condition: &BoundNode) -> Option<Fact> {
        let Some((Operator::Binary(BinaryOperator::Eq), [left, right])) = condition.operation() else {
            return None;
        };
        let ((left, of_left), (right, of_right)) = (self.place(schema, left)?, self.place(schema, right)?);
        are_alike(of_left, of_right).then_some(Fact::Equal(left, right))
    }

    /// Whether a condition compares a column itself with constants, so that it is NULL where the column is. The column is analyzed as
    /// a key field that is never NULL, and other conditions may be true for NULL.
    fn compares_a_column(&self, condition: &BoundNode) -> bool {
        let is_known = |node: &BoundNode| fold(node).is_some();
        let condition = condition.uncast();
        let Some((operator, _)) = condition.operation() else { return false };
        match (operator, condition.compared()) {
            (Operator::Binary(op), _) if Comparison::of(op).is_none() => false,
            (Operator::Binary(_), [constant, column]) if is_known(constant) => self.has(column),
            (_, [column, constants @ ..]) => self.has(column) && constants.iter().all(is_known),
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
