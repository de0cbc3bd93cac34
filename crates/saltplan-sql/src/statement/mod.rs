//! Statements that saltplan prints, as trees. Those that it reads are in [`script`](super::script).

mod print;

use std::sync::Arc;

use serde::Serialize;

use super::ast::Expr;
pub use print::print;

/// A statement of Hive, or a SET of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    Set(Setting),
    /// `SELECT assert_true(…)`: fails before anything is written, whether there are rows or not.
    Check(Expr),
    Query(Query),
    Insert(Insert),
    /// `CREATE DATABASE IF NOT EXISTS`
    CreateDatabase(Identifier),
    CreateTable(CreateTable),
    CreateView(CreateView),
}

/// A name and the value that a SET gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    pub name: String,
    pub value: String,
}

impl Setting {
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Setting { name: name.into(), value: value.into() }
    }
}

/// A name that is printed in backquotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identifier(pub String);

impl Identifier {
    pub fn new(name: impl Into<String>) -> Self {
        Identifier(name.into())
    }

    /// As a column.
    pub fn column(&self) -> Expr {
        Expr::column(&self.0)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableName {
    pub database: Option<Identifier>,
    pub table: Identifier,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insert {
    pub destination: Destination,
    pub query: Query,
}

/// What an INSERT writes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Destination {
    pub table: TableName,
    /// Absent for a table without partitions.
    pub partition: Option<Partition>,
    /// Whether the rows are added. They replace what is there otherwise.
    pub into: bool,
}

/// `PARTITION (…)`: the columns, each with its value if that is the same for all rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition(pub Vec<(Identifier, Option<Expr>)>);

/// Something that gives rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    Select(Box<Select>),
    /// Two or more, joined by UNION ALL.
    UnionAll(Vec<Select>),
}

impl Query {
    /// A UNION ALL of several queries, or the only one.
    pub fn of_all(mut selects: Vec<Select>) -> Self {
        match selects.len() {
            1 => Query::Select(Box::new(selects.remove(0))),
            _ => Query::UnionAll(selects),
        }
    }
}

impl From<Select> for Query {
    fn from(select: Select) -> Self {
        Query::Select(Box::new(select))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Select {
    pub items: Arc<[Item]>,
    /// Whether each item has a line. Plain columns share the line of the SELECT otherwise.
    pub item_lines: bool,
    pub from: Relation,
    /// Joined by AND, each on a line.
    pub conditions: Vec<Arc<Expr>>,
    pub group_by: Option<Expr>,
    pub order_by: Option<Expr>,
    pub distribute_by: Option<Expr>,
    pub limit: Option<u32>,
}

impl Select {
    /// `SELECT items FROM from`
    pub fn new(items: impl Into<Arc<[Item]>>, from: Relation) -> Self {
        Select {
            items: items.into(),
            item_lines: false,
            from,
            conditions: Vec::new(),
            group_by: None,
            order_by: None,
            distribute_by: None,
            limit: None,
        }
    }

    /// With a line for each item.
    #[must_use]
    pub fn in_lines(self) -> Self {
        Select { item_lines: true, ..self }
    }

    /// With one more condition.
    #[must_use]
    pub fn filtered(mut self, condition: Expr) -> Self {
        self.conditions.push(Arc::new(condition));
        self
    }
}

/// An item of a select list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// `*`
    All,
    /// A value, with `AS name`.
    Value { value: Expr, name: Option<Identifier> },
    /// A window function over all rows, in the order of a column if one is given, with `AS name`.
    Window { function: Expr, order_by: Option<Expr>, name: Identifier },
}

impl Item {
    /// A value without another name.
    pub fn plain(value: Expr) -> Self {
        Item::Value { value, name: None }
    }

    /// A value with a name.
    pub fn named(value: Expr, name: impl Into<String>) -> Self {
        Item::Value { value, name: Some(Identifier(name.into())) }
    }

    /// A column, which shares its line with others.
    fn is_plain(&self) -> bool {
        matches!(self, Item::All | Item::Value { value: Expr::Column(_), name: None })
    }
}

/// What a FROM reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Relation {
    Table(TableName),
    Query {
        query: Query,
        alias: Identifier,
    },
    /// Nothing: a SELECT of constants, without a FROM.
    Nothing,
}

impl Relation {
    /// A query in brackets, with its alias.
    pub fn query(query: impl Into<Query>, alias: impl Into<String>) -> Self {
        Relation::Query { query: query.into(), alias: Identifier(alias.into()) }
    }
}

/// `CREATE TABLE IF NOT EXISTS`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateTable {
    pub name: TableName,
    pub external: bool,
    pub columns: Vec<ColumnDefinition>,
    pub partitioned_by: Vec<ColumnDefinition>,
    pub storage: Storage,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ColumnDefinition {
    pub name: Identifier,
    /// As it is written.
    pub hive_type: String,
}

/// Where the rows of a table are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Storage {
    /// `STORED AS`
    Format(String),
    /// `STORED BY`: the class of a storage handler, with a property of its serialisation and those of the table.
    Handler { class: String, serde_property: Property, table_properties: Vec<Property> },
}

/// The name and the value of a property of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    pub name: String,
    pub value: String,
}

/// `CREATE VIEW IF NOT EXISTS`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateView {
    pub name: TableName,
    pub query: Query,
}

#[cfg(test)]
mod tests;
