//! The expressions with which the view of a table decodes its fields.

use super::scope::MappingScope;
use crate::analyze::bind::{Bound, BoundNode, CastOrigin, ColumnPlace, Setting, bind};
use crate::hive::key::KeyColumn;
use crate::key::field::{FieldId, FieldKind};
use crate::schema::model::Schema;
use saltplan_sql::ast::{Expr, Node};
use saltplan_sql::hive_type::Type;

/// The fields by the expressions that the view prints for them.
#[derive(Debug, Default)]
pub(super) struct Decoded {
    fields: Vec<(BoundNode, FieldId, ShownForm)>,
}

/// What a view shows of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShownForm {
    /// The value of the field.
    Value,
    /// A date or a time that predicates show as a number or a text.
    Dated,
    /// What the key stores, as a text.
    Stored,
}

impl Decoded {
    pub fn new(schema: &Schema) -> Self {
        let Some(mapping) = schema.mapping() else { return Decoded::default() };
        let key = KeyColumn::new(schema, &mapping.key_column);
        let mut fields = Vec::new();
        for id in schema.key.stored() {
            let mut add = |expr: Expr, form| {
                let node = bind(&Node::from(expr), &MappingScope(schema), Setting::Query(None));
                fields.push((node, id, form));
            };
            if let Ok(value) = key.typed(id) {
                earlier(&value).into_iter().for_each(|value| add(value, ShownForm::Value));
                add(value, ShownForm::Value);
            }
            if let FieldKind::Calendar(_) = schema.key.fields[id].kind {
                key.dated(id).into_iter().for_each(|value| add(value, ShownForm::Dated));
                key.stored_text(id).into_iter().for_each(|value| add(value, ShownForm::Stored));
            }
        }
        Decoded { fields }
    }

    /// The field that an expression decodes.
    pub fn find(&self, node: &BoundNode) -> Option<(FieldId, ShownForm)> {
        // What the binder adds around it makes another value of it.
        let is_added = matches!(node.what, Bound::Cast { origin: CastOrigin::Added, .. });
        let found = self.fields.iter().find(|(expr, ..)| !is_added && is_same(expr, node));
        found.map(|(_, id, form)| (*id, *form))
    }
}

/// What earlier views show of a number of fewer than eight bytes: without a text in between.
fn earlier(value: &Expr) -> Option<Expr> {
    let Expr::Cast { expr, data_type, .. } = value else { return None };
    let Expr::Cast { expr: number, data_type: Type::String, .. } = expr.unnested() else { return None };
    Some(number.cast(*data_type))
}

/// The expression below the casts that Hive's own tree does not have: those of the binder, and those of a value to its own type.
fn below_casts(node: &BoundNode) -> &BoundNode {
    let Bound::Cast { operand, origin } = &node.what else { return node };
    let is_sized = matches!(node.primitive(), Some(Type::Decimal { .. } | Type::Varchar(_) | Type::Char(_)));
    let is_own = node.of.is_some() && node.of == operand.of && !is_sized;
    if is_own || *origin == CastOrigin::Added { below_casts(operand) } else { node }
}

/// Whether two expressions are the same but for brackets, aliases of functions, and what their places are.
fn is_same(one: &BoundNode, other: &BoundNode) -> bool {
    let (one, other) = (below_casts(one), below_casts(other));
    // Hive folds constant parts before it asks.
    let constants = (super::read::constant(one), super::read::constant(other));
    if constants.0.is_some() || constants.1.is_some() {
        return constants.0 == constants.1;
    }
    let all = |ones: &[BoundNode], others: &[BoundNode]| {
        ones.len() == others.len() && ones.iter().zip(others).all(|(one, other)| is_same(one, other))
    };
    match (&one.what, &other.what) {
        (Bound::Column(a), Bound::Column(b)) => a.place == b.place && a.place != ColumnPlace::Elsewhere,
        (Bound::Cast { operand: a, .. }, Bound::Cast { operand: b, .. }) => {
            one.primitive() == other.primitive() && one.primitive().is_some() && is_same(a, b)
        }
        (
            Bound::Operation { operator: a, operands: ones },
            Bound::Operation { operator: b, operands: others },
        ) => a == b && all(ones, others),
        (Bound::Call(a), Bound::Call(b)) => {
            a.function.is_some()
                && a.function == b.function
                && a.form == b.form
                && !a.is_opaque()
                && all(&a.arguments, &b.arguments)
        }
        (
            Bound::Case { operand: None, arms: ones, otherwise: a },
            Bound::Case { operand: None, arms: others, otherwise: b },
        ) => {
            let results = match (a, b) {
                (None, None) => true,
                (Some(a), Some(b)) => is_same(a, b),
                _ => false,
            };
            results
                && ones.len() == others.len()
                && ones.iter().zip(others).all(|(a, b)| is_same(&a.0, &b.0) && is_same(&a.1, &b.1))
        }
        _ => false,
    }
}

/// The field in the form in which a view shows it.
pub(super) fn shown_field(schema: &Schema, id: FieldId, form: ShownForm) -> Expr {
    let field = &schema.key.fields[id];
    let column = Expr::column(&field.name);
    let FieldKind::Calendar(calendar) = &field.kind else { return column };
    let stored = super::express::printed(field, calendar.format.pattern());
    let has_own_type = !calendar.hive_type.is_stored_form();
    match (form, calendar.hive_type.hive_type()) {
        (ShownForm::Stored, _) => stored,
        (ShownForm::Value, _) if has_own_type => column,
        (ShownForm::Value, Type::String) => stored,
        (ShownForm::Value, of) => stored.cast(of),
        (ShownForm::Dated, _) if has_own_type => column,
        (ShownForm::Dated, _) => {
            let to = if calendar.time_of_day { Type::Timestamp } else { Type::Date };
            column.cast(to)
        }
    }
}
