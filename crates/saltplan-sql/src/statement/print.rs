//! Statements as text: clauses on lines of their own, subqueries indented, long lines broken by [`layout`](crate::layout).

use std::fmt;

use serde::{Serialize, Serializer};

use super::{
    ColumnDefinition, CreateTable, CreateView, Destination, Identifier, Item, Partition, Property, Query,
    Relation, Select, Setting, Statement, Storage, TableName,
};
use crate::ast::{BinaryOperator, Expr};
use crate::functions::ASSERT_TRUE;
use crate::layout::{Line, MarkedText, STEP};
use crate::literal;
use crate::print::identifier;

/// Statements with their semicolons. `line_end` ends a line and begins the next one, such as `"\n"`, or with more characters the margin
/// of all lines but the first. The last line has none.
pub fn print(statements: &[Statement], line_end: &str) -> String {
    let mut printer = Printer::new(line_end);
    for (index, statement) in statements.iter().enumerate() {
        // Two queries have two results.
        if let (Statement::Query(_), Some(Statement::Query(_))) =
            (statement, index.checked_sub(1).map(|before| &statements[before]))
        {
            printer.words(0, "");
        }
        printer.statement(statement);
    }
    printer.ended()
}

impl Query {
    /// The query without a semicolon, for the brackets of another one; see [`print()`] for `line_end`.
    pub fn print(&self, line_end: &str) -> String {
        let mut printer = Printer::new(line_end);
        printer.query(self, 0);
        printer.ended()
    }
}

struct Printer<'t> {
    text: String,
    line_end: &'t str,
    /// The last line, to which something may be added.
    last: Option<Line>,
}

impl<'t> Printer<'t> {
    fn new(line_end: &'t str) -> Self {
        Printer { text: String::new(), line_end, last: None }
    }

    fn ended(mut self) -> String {
        self.write_last();
        self.text
    }

    fn write_last(&mut self) {
        if let Some(line) = self.last.take() {
            line.write(self.line_end, &mut self.text);
        }
    }

    fn line(&mut self, line: Line) {
        if self.last.is_some() {
            self.write_last();
            self.text.push_str(self.line_end);
        }
        self.last = Some(line);
    }

    /// A line that begins with some words.
    fn clause(&mut self, indent: usize, words: &str, content: impl FnOnce(&mut MarkedText)) {
        let mut text = MarkedText::default();
        text.push(words);
        content(&mut text);
        self.line(Line::new(indent, text));
    }

    fn words(&mut self, indent: usize, words: &str) {
        self.clause(indent, words, |_| ());
    }

    /// Adds to the last line.
    fn add(&mut self, words: &str) {
        if let Some(line) = &mut self.last {
            line.content.push(words);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Set(setting) => self.words(0, &format!("SET {setting}")),
            Statement::Check(condition) => self.clause(0, "SELECT ", |text| {
                text.push(ASSERT_TRUE.name());
                text.bracketed(|text| condition.print(text));
            }),
            Statement::Query(query) => self.query(query, 0),
            Statement::Insert(insert) => {
                self.insert(&insert.destination);
                self.query(&insert.query, 0);
            }
            Statement::CreateDatabase(name) => {
                self.words(0, &format!("CREATE DATABASE IF NOT EXISTS {name}"));
            }
            Statement::CreateTable(table) => self.create_table(table),
            Statement::CreateView(CreateView { name, query }) => {
                self.words(0, &format!("CREATE VIEW IF NOT EXISTS {name} AS"));
                self.query(query, 0);
            }
        }
        self.add(";");
    }

    fn insert(&mut self, destination: &Destination) {
        let verb = if destination.into { "INTO" } else { "OVERWRITE" };
        self.clause(0, &format!("INSERT {verb} TABLE {}", destination.table), |text| {
            if let Some(partition) = &destination.partition {
                text.push(" PARTITION ");
                partition.print(text);
            }
        });
    }

    fn query(&mut self, query: &Query, indent: usize) {
        match query {
            Query::Select(select) => self.select(select, indent),
            Query::UnionAll(selects) => {
                for (index, select) in selects.iter().enumerate() {
                    if index > 0 {
                        self.words(indent, "UNION ALL");
                    }
                    self.select(select, indent);
                }
            }
        }
    }

    fn select(&mut self, select: &Select, indent: usize) {
        self.items(&select.items, select.item_lines, indent);
        match &select.from {
            Relation::Table(name) => self.words(indent, &format!("FROM {name}")),
            Relation::Query { query, alias } => {
                self.words(indent, "FROM (");
                self.query(query, indent + STEP);
                self.words(indent, &format!(") {alias}"));
            }
            Relation::Nothing => {}
        }
        match select.conditions.as_slice() {
            [] => {}
            [only] => self.clause(indent, "WHERE ", |text| only.print(text)),
            [first, others @ ..] => {
                self.clause(indent, "WHERE ", |text| first.print_arm(text));
                for condition in others {
                    let mut text = MarkedText::default();
                    text.push("AND ");
                    condition.print_arm(&mut text);
                    self.line(Line::arm(indent + STEP, text));
                }
            }
        }
        let by = [
            ("GROUP BY ", &select.group_by),
            ("ORDER BY ", &select.order_by),
            ("DISTRIBUTE BY ", &select.distribute_by),
        ];
        for (words, value) in by {
            if let Some(value) = value {
                self.clause(indent, words, |text| value.print(text));
            }
        }
        if let Some(limit) = select.limit {
            self.words(indent, &format!("LIMIT {limit}"));
        }
    }

    fn items(&mut self, items: &[Item], lines: bool, indent: usize) {
        let plain = items.iter().take_while(|item| item.is_plain()).count();
        // Those that share the line of the SELECT.
        let beside = if lines { 0 } else { plain.max(1).min(items.len()) };
        let (beside, others) = items.split_at(beside);
        match beside {
            [] => self.words(indent, "SELECT"),
            [only] => self.clause(indent, "SELECT ", |text| only.print(text)),
            several => {
                self.clause(indent, "SELECT ", |text| text.list(several, |text, item| item.print(text)));
            }
        }
        if !beside.is_empty() && !others.is_empty() {
            self.add(",");
        }
        for (index, item) in others.iter().enumerate() {
            self.clause(indent + STEP, "", |text| item.print(text));
            if index + 1 < others.len() {
                self.add(",");
            }
        }
    }

    fn create_table(&mut self, table: &CreateTable) {
        let external = if table.external { "EXTERNAL " } else { "" };
        self.words(0, &format!("CREATE {external}TABLE IF NOT EXISTS {} (", table.name));
        for (index, column) in table.columns.iter().enumerate() {
            self.words(STEP, &column.to_string());
            if index + 1 < table.columns.len() {
                self.add(",");
            }
        }
        self.words(0, ")");
        if !table.partitioned_by.is_empty() {
            let columns: Vec<String> = table.partitioned_by.iter().map(ToString::to_string).collect();
            self.words(0, &format!("PARTITIONED BY ({})", columns.join(", ")));
        }
        match &table.storage {
            Storage::Format(name) => self.words(0, &format!("STORED AS {name}")),
            Storage::Handler { class, serde_property, table_properties } => {
                self.words(0, &format!("STORED BY {}", literal(class)));
                self.clause(0, "WITH SERDEPROPERTIES ", |text| serde_property.print(text));
                for (index, property) in table_properties.iter().enumerate() {
                    match index {
                        0 => self.words(0, &format!("TBLPROPERTIES ({}", property.unbracketed())),
                        _ => {
                            self.add(",");
                            self.clause(STEP, "", |text| property.equation().print(text));
                        }
                    }
                }
                self.add(if table_properties.is_empty() { "" } else { ")" });
            }
        }
    }
}

impl Item {
    fn print(&self, text: &mut MarkedText) {
        match self {
            Item::All => text.push("*"),
            Item::Value { value, name } => {
                value.print(text);
                if let Some(name) = name {
                    text.blank();
                    text.push(&format!("AS {name}"));
                }
            }
            Item::Window { function, order_by, name } => {
                function.print(text);
                text.push(" OVER (");
                if let Some(column) = order_by {
                    text.push("ORDER BY ");
                    column.print(text);
                }
                text.push(")");
                text.blank();
                text.push(&format!("AS {name}"));
            }
        }
    }
}

impl Partition {
    fn print(&self, text: &mut MarkedText) {
        text.bracketed(|text| {
            text.list(&self.0, |text, (name, value)| {
                text.push(&name.to_string());
                if let Some(value) = value {
                    text.push(&format!(" = {value}"));
                }
            });
        });
    }
}

impl Property {
    /// `'name' = 'value'`, as it stands in a list.
    pub fn unbracketed(&self) -> String {
        format!("{} = {}", literal(&self.name), literal(&self.value))
    }

    fn print(&self, text: &mut MarkedText) {
        self.expr().print(text);
    }

    fn expr(&self) -> Expr {
        self.equation().bracketed()
    }

    fn equation(&self) -> Expr {
        Expr::text(&self.name).binary(BinaryOperator::Eq, &Expr::text(&self.value))
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&identifier(&self.0))
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(database) = &self.database {
            write!(f, "{database}.")?;
        }
        self.table.fmt(f)
    }
}

impl fmt::Display for ColumnDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.hive_type)
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = MarkedText::default();
        self.print(&mut text);
        f.write_str(text.as_str())
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = MarkedText::default();
        self.print(&mut text);
        f.write_str(text.as_str())
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expr().fmt(f)
    }
}

/// The parts of a statement are texts for a template.
impl Serialize for Setting {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Identifier {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Item {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for TableName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Partition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Property {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
