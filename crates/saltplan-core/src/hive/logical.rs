//! The logical table: the key fields that the row key stores, each as its Hive type, and the columns. A view (`hive.view`) shows it, and
//! `plan --select --logical` selects the same columns.

use serde::Serialize;

use crate::hive::key::KeyColumn;
use crate::hive::text::table_name;
use crate::refusal::Refusal;
use crate::render::statements::Script;
use crate::render::templates::Templates;
use crate::render::{RenderError, mapping_of};
use crate::schema::model::Schema;
use saltplan_sql::ast::Expr;
use saltplan_sql::statement::{CreateView, Identifier, Item, Relation, Select, Statement, TableName};

/// The columns of the logical table by name, in the order of the key and of the schema.
///
/// # Errors
/// HiveQL cannot compute a key field from the row key.
pub fn columns<'a>(schema: &'a Schema, key: &KeyColumn<'_>) -> Result<Vec<(&'a str, Expr)>, Refusal> {
    let fields = schema.key.stored().map(|id| {
        let value = key.typed(id).map_err(|reason| Refusal::FieldNotDecoded { reason: reason.into() })?;
        Ok((schema.key.fields[id].name.as_str(), value))
    });
    let columns = schema.columns.entries().map(|(id, column)| Ok((column.name.as_str(), key.column(id))));
    fields.chain(columns).collect()
}

#[derive(Debug, Serialize)]
struct ViewContext {
    /// Quoted database, absent when the view's name has none.
    database: Option<Identifier>,
    view: TableName,
    columns: Vec<ViewColumn>,
    mapping: TableName,
}

#[derive(Debug, Serialize)]
struct ViewColumn {
    name: Identifier,
    expression: Expr,
}

impl ViewContext {
    fn statements(&self) -> Vec<Statement> {
        let items: Vec<Item> = self.columns.iter().map(ViewColumn::item).collect();
        let query = Select::new(items, Relation::Table(self.mapping.clone())).in_lines().into();
        let view = Statement::CreateView(CreateView { name: self.view.clone(), query });
        self.database.clone().map(Statement::CreateDatabase).into_iter().chain([view]).collect()
    }
}

impl ViewColumn {
    fn item(&self) -> Item {
        let name = (self.expression != self.name.column()).then(|| self.name.clone());
        Item::Value { value: self.expression.clone(), name }
    }
}

/// `CREATE VIEW` of the logical table over the mapping table.
///
/// # Errors
/// The schema names no view or no mapping table, a key field cannot be taken from the row key, or a template cannot be filled in.
pub fn view(schema: &Schema, templates: &Templates) -> Result<String, RenderError> {
    let view = schema.hive.as_ref().and_then(|hive| hive.view.as_ref());
    let view = view.ok_or(Refusal::NoPart { part: "hive.view" })?;
    let mapping = mapping_of(schema).map_err(|_| Refusal::NoPart { part: "hive.mapping" })?;
    let key = KeyColumn::new(schema, &mapping.key_column);
    let columns = columns(schema, &key)?.into_iter();
    let columns = columns.map(|(name, value)| ViewColumn { name: Identifier::new(name), expression: value });
    let context = ViewContext {
        database: view.database.as_ref().map(Identifier::new),
        view: table_name(view),
        columns: columns.collect(),
        mapping: table_name(&mapping.table),
    };
    let statements = context.statements();
    Script { template: "hive/view.sql", header: &[], statements: &statements }.print(&context, templates)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hive::verify::{self, VerifyOptions};
    use saltplan_document::diag::Source;

    /// A schema whose key has `count` texts; `separator` gives that after a field.
    fn schema(count: usize, separator: impl Fn(usize) -> &'static str) -> Schema {
        let field = |index: usize| match index + 1 {
            next if next < count => {
                format!(
                    "    - {{ name: f{index:02}, type: string, chars: alnum, then: '{}' }}\n",
                    separator(index)
                )
            }
            _ => format!("    - {{ name: f{index:02}, type: string }}\n"),
        };
        let fields: String = (0..count).map(field).collect();
        let text = format!(
            "saltplan: 1\nhbase: {{ table: t, families: {{ f: {{}} }} }}\nkey:\n  fields:\n{fields}\
             columns:\n  - {{ name: v, type: string, hbase: 'f:v' }}\n\
             hive:\n  mapping: {{ table: m, key_column: rowkey }}\n  view: v\n"
        );
        crate::schema::load(&Source::new("t.yaml", text)).expect("a valid schema").schema
    }

    /// The bytes of the view, and of the query that checks row keys.
    fn bytes(count: usize, separator: impl Fn(usize) -> &'static str) -> [usize; 2] {
        let (schema, templates) = (schema(count, separator), Templates::new(None));
        let options = VerifyOptions { list: 0, header: Vec::new() };
        [view(&schema, &templates), verify::render(&schema, &options, &templates)]
            .map(|text| text.expect("a text").len())
    }

    #[test]
    fn text_grows_with_the_number_of_fields() {
        for (few, many) in [(4, 16), (16, 64)] {
            let [few, many] = [few, many].map(|count| bytes(count, |_| "_"));
            for (few, many) in few.into_iter().zip(many) {
                assert!(many < 4 * few, "{few} bytes become {many}");
            }
        }
        // A pattern names every separator that differs from the one before it.
        let [view, check] = bytes(64, |index| if index % 2 == 0 { "_" } else { "||" });
        assert!(view < 64_000 && check < 128_000, "{view}, {check}");
    }
}
