//! The tree of a statement. Queries and blocks are lists, so that a walk over all of them needs no recursion; a [`QueryId`] and a
//! [`BlockId`] are positions in them.

use std::ops::Range;

use super::super::ast::{Name, Node, Over};
use saltplan_document::diag::Span;

/// The position of a query among those of its statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QueryId(pub usize);

/// The position of a block among those of its statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub usize);

/// A statement.
#[derive(Debug, Clone)]
pub struct Statement {
    pub tokens: Range<usize>,
    pub kind: StatementKind,
    /// Whether it only shows how it would run.
    pub explains: bool,
    /// Its result is read in other sessions.
    pub makes_view: bool,
    /// The query that gives its rows.
    pub body: Option<QueryId>,
    /// Every query in it, outer ones before inner ones.
    pub queries: Vec<Query>,
    /// Every block in it, inner ones before outer ones.
    pub blocks: Vec<Block>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatementKind {
    Query,
    /// `USE`, with the database if it is a name, in lower case.
    Use(Option<String>),
    /// `CREATE TEMPORARY …`, with the parts of the name in lower case.
    Temporary(Vec<String>),
    /// A command of a client, by its token.
    Command(usize),
    Other,
    /// Hive has no statement that starts like this.
    Unknown,
}

/// Terms that set operators combine, with the queries that they may name.
#[derive(Debug, Clone)]
pub struct Query {
    pub tokens: Range<usize>,
    pub place: QueryPlace,
    /// The query around it, whose WITH it can name.
    pub outer: Option<QueryId>,
    /// The positions of the blocks in it, also those of inner queries.
    pub blocks: Range<usize>,
    pub with: Vec<Cte>,
    pub terms: Vec<Term>,
}

/// Where a query stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryPlace {
    /// It gives the rows of the statement.
    Body,
    /// In the WITH of the query around it, with its index there.
    With(usize),
    /// A term of the query around it.
    Term,
    /// In a FROM.
    Relation,
    /// In an expression.
    Expression,
}

/// A query of a WITH. It can name those before it.
#[derive(Debug, Clone)]
pub struct Cte {
    /// In lower case.
    pub name: String,
    /// The names of its columns, if it gives them others than its select list.
    pub columns: Vec<Name>,
    pub query: QueryId,
}

/// One query of a set operation.
#[derive(Debug, Clone)]
pub struct Term {
    pub tokens: Range<usize>,
    /// The operator before it; `None` for the first term.
    pub operator: Option<SetOperator>,
    /// The INSERT that takes its rows.
    pub insert: Option<Insert>,
    pub body: TermBody,
    /// What follows a query in brackets; a block has its own.
    pub tail: Tail,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermBody {
    Block(BlockId),
    /// In brackets, or a WITH behind an INSERT.
    Query(QueryId),
    /// `VALUES`, or nothing that is understood.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetOperator {
    pub kind: SetKind,
    pub all: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetKind {
    Union,
    Intersect,
    Except,
}

/// `SELECT … FROM … WHERE …`, or `FROM … INSERT … INSERT …` with an arm for each insert.
#[derive(Debug, Clone)]
pub struct Block {
    pub tokens: Range<usize>,
    /// The query that it is a term of.
    pub query: Option<QueryId>,
    /// In the order of the text.
    pub relations: Vec<Relation>,
    /// Inner ones before outer ones.
    pub joins: Vec<Join>,
    pub lateral_views: Vec<LateralView>,
    pub arms: Vec<Arm>,
    /// The queries in its expressions.
    pub subqueries: Vec<QueryId>,
    /// Where it is not understood. Its other parts may then be incomplete.
    pub unclear: Option<Unclear>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unclear {
    pub token: usize,
    pub why: WhyUnclear,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhyUnclear {
    NotUnderstood,
    TooDeep,
    /// MERGE, UPDATE and DELETE.
    ChangesRows,
}

/// What a FROM reads.
#[derive(Debug, Clone)]
pub struct Relation {
    pub source: RelationSource,
    pub alias: Option<Name>,
    /// Why a query cannot stand in its place.
    pub fixed: Option<Fixed>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RelationSource {
    /// The parts of the name, and its tokens. Variables may be in all parts but the last one.
    Table {
        name: Vec<Name>,
        tokens: Range<usize>,
    },
    Query(QueryId),
    /// A name with a variable in its last part, a table function, or VALUES.
    Unknown,
}

/// What a relation has that a query in its place could not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixed {
    /// Parentheses after the name.
    Parentheses,
    /// A table function reads it.
    TableFunction,
    Sample,
    Partition,
    Version,
    /// Other names for its columns, after the alias.
    ColumnNames,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JoinKind {
    Inner,
    Left,
    Right,
    Full,
    Semi,
    Anti,
}

/// A join of the relations from `first` to `middle` with those from `middle` to `end`.
#[derive(Debug, Clone)]
pub struct Join {
    pub kind: JoinKind,
    pub first: usize,
    pub middle: usize,
    pub end: usize,
    pub on: Option<Node>,
    pub using: Vec<Name>,
}

#[derive(Debug, Clone)]
pub struct LateralView {
    pub is_outer: bool,
    /// In lower case.
    pub alias: Option<String>,
    pub columns: Vec<Name>,
    pub function: Node,
}

/// A select list with its clauses.
#[derive(Debug, Clone)]
pub struct Arm {
    pub insert: Option<Insert>,
    pub select: Option<Select>,
    pub filter: Option<Node>,
    pub group_by: Option<GroupBy>,
    pub having: Option<Node>,
    pub qualify: Option<Node>,
    pub windows: Vec<NamedWindow>,
    pub tail: Tail,
}

#[derive(Debug, Clone)]
pub struct Select {
    pub distinct: bool,
    /// TRANSFORM, MAP or REDUCE: a program makes the rows.
    pub is_script: bool,
    pub items: Vec<SelectItem>,
}

#[derive(Debug, Clone)]
pub struct SelectItem {
    pub span: Span,
    pub value: SelectValue,
    /// Several for a function that makes several columns.
    pub aliases: Vec<Name>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SelectValue {
    Expr(Node),
    /// `*`, or `name.*` with the parts of the name.
    All(Vec<Name>),
}

#[derive(Debug, Clone)]
pub struct GroupBy {
    pub keys: Vec<Node>,
    /// ROLLUP, CUBE or GROUPING SETS: rows are grouped by parts of the keys, too.
    pub has_sets: bool,
}

/// A window of the WINDOW clause.
#[derive(Debug, Clone)]
pub struct NamedWindow {
    /// In lower case.
    pub name: String,
    /// `None` if it is not understood.
    pub over: Option<Over>,
}

/// ORDER BY and its variants, and LIMIT.
#[derive(Debug, Clone, Default)]
pub struct Tail {
    pub order_by: Vec<Node>,
    pub has_limit: bool,
    /// LIMIT 0.
    pub takes_none: bool,
}

/// What an INSERT writes to.
#[derive(Debug, Clone)]
pub struct Insert {
    /// From the INSERT to the end of what it names.
    pub tokens: Range<usize>,
    pub to: Destination,
    pub overwrites: bool,
    pub if_not_exists: bool,
}

#[derive(Debug, Clone)]
pub enum Destination {
    /// `is_local` if it is on the machine of the client or the server.
    Directory { is_local: bool },
    Table {
        /// The parts of the name in lower case; empty if a variable is in the last one.
        name: Vec<String>,
        partition: Vec<PartitionColumn>,
    },
}

#[derive(Debug, Clone)]
pub struct PartitionColumn {
    /// In lower case.
    pub name: String,
    /// `None` if it is found from the rows.
    pub value: Option<Node>,
}

impl Statement {
    pub fn query(&self, id: QueryId) -> &Query {
        &self.queries[id.0]
    }

    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0]
    }

    /// Whether a WITH around a block defines a query with this name, which must be in lower case.
    pub fn is_cte(&self, block: &Block, name: &str) -> bool {
        let mut around = block.query;
        while let Some(id) = around {
            let query = self.query(id);
            if query.with.iter().any(|cte| cte.name == name) {
                return true;
            }
            around = query.outer;
        }
        false
    }

    /// The INSERTs of its body, each with its block and the index of its arm if they follow a leading FROM.
    pub fn inserts(&self) -> Vec<(&Insert, Option<(BlockId, usize)>)> {
        let Some(body) = self.body else { return Vec::new() };
        let mut inserts = Vec::new();
        for term in &self.query(body).terms {
            inserts.extend(term.insert.iter().map(|insert| (insert, None)));
            if let TermBody::Block(id) = term.body {
                let arms = self.block(id).arms.iter().enumerate();
                inserts.extend(arms.filter_map(|(arm, of)| Some((of.insert.as_ref()?, Some((id, arm))))));
            }
        }
        inserts
    }
}

impl Relation {
    /// The parts of a table's name, and its tokens.
    pub fn table(&self) -> Option<(&[Name], &Range<usize>)> {
        match &self.source {
            RelationSource::Table { name, tokens } => Some((name, tokens)),
            RelationSource::Query(_) | RelationSource::Unknown => None,
        }
    }

    pub fn is_query(&self) -> bool {
        matches!(self.source, RelationSource::Query(_))
    }

    /// The name by which columns refer to it, in lower case.
    pub fn alias(&self) -> Option<String> {
        let name = self.alias.as_ref().or_else(|| self.table()?.0.last());
        name.map(Name::lower)
    }
}

impl Block {
    /// Its expressions outside of inner queries: conditions of joins, then those of each arm.
    pub fn expressions(&self) -> impl Iterator<Item = &Node> {
        let ons = self.joins.iter().filter_map(|join| join.on.as_ref());
        let functions = self.lateral_views.iter().map(|view| &view.function);
        ons.chain(functions).chain(self.arms.iter().flat_map(Arm::expressions))
    }
}

impl Arm {
    /// Its expressions outside of inner queries.
    pub fn expressions(&self) -> impl Iterator<Item = &Node> {
        let items = self.select.iter().flat_map(|select| &select.items);
        let items = items.filter_map(|item| match &item.value {
            SelectValue::Expr(node) => Some(node),
            SelectValue::All(_) => None,
        });
        let keys = self.group_by.iter().flat_map(|group| &group.keys);
        let conditions = [&self.filter, &self.having, &self.qualify].into_iter().flatten();
        let windows = self.windows.iter().filter_map(|window| window.over.as_ref());
        let windows = windows.flat_map(|over| over.partition_by.iter().chain(&over.order_by));
        items.chain(conditions).chain(keys).chain(windows).chain(&self.tail.order_by)
    }
}
