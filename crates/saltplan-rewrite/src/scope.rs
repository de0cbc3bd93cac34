//! What the names of a statement mean: the tables and queries that its blocks read, and the columns that these have as far as
//! they are known. It is found once for each statement.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use saltplan_core::analyze::bind::{self, BoundColumn};
use saltplan_core::key::field::FieldKind;
use saltplan_core::schema::model::Schema;
use saltplan_core::table::{LogicalColumn, LogicalTable};
use saltplan_sql::ast::{Column, Name, Type};
use saltplan_sql::hive_type::HiveType;
use saltplan_sql::script::{
    Block, BlockId, QueryId, QueryPlace, Relation, RelationSource, Statement, TermBody,
};
use saltplan_tables::{HiveColumn, HiveTable};

use crate::catalog::{Catalog, Found, Named};
use crate::changed::ChangedTables;
use crate::names::{Names, Owner};
use crate::outputs::{ColumnType, Outputs};

/// The most columns of queries that are looked at in a statement; further queries have unknown columns.
const MAX_COLUMNS: usize = 1_000_000;

/// What a relation of a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResolvedSource {
    /// A logical table or a mapping table, by its position in the catalog.
    Table { position: usize, certainty: Certainty },
    /// A query in brackets or of a WITH.
    Query(QueryId),
    /// A table without a schema whose columns are known, by its position in the scope.
    Described(usize),
    /// A name that a WITH defines behind this place, or twice.
    UnclearCte,
    /// Another table.
    Other,
}

/// Whether a name means the table of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    Certain,
    /// The current database is not known.
    OtherDatabase,
    /// The script creates, drops, alters or renames a table of that name before.
    Changed,
}

/// A logical table with its columns by name.
#[derive(Debug)]
pub struct KnownTable<'s> {
    pub logical: LogicalTable<'s>,
    by_name: HashMap<String, usize>,
    /// The schema whose key fields are columns; `None` of a mapping table, whose key is one column.
    fields: Option<&'s Schema>,
}

impl<'s> KnownTable<'s> {
    /// A mapping table as it is.
    pub fn new(logical: LogicalTable<'s>) -> Self {
        let names = logical.columns.iter().map(|column| column.name.to_lowercase());
        let by_name = names.enumerate().map(|(index, name)| (name, index)).collect();
        KnownTable { by_name, logical, fields: None }
    }

    /// A table whose columns are the key fields of a schema, and its other columns.
    pub fn with_fields(logical: LogicalTable<'s>, schema: &'s Schema) -> Self {
        KnownTable { fields: Some(schema), ..KnownTable::new(logical) }
    }

    /// Whether key fields are columns.
    pub fn has_fields(&self) -> bool {
        self.fields.is_some()
    }

    /// The key field that the column with a name in lower case is.
    pub fn field(&self, name: &str) -> Option<&'s FieldKind> {
        let schema = self.fields?;
        Some(&schema.key.fields[schema.field(name)?].kind)
    }

    /// Whether a column, by its name in lower case, is a local time as a TIMESTAMP: see [`crate::moved`].
    pub fn is_moved(&self, name: &str) -> bool {
        self.field(name).is_some_and(is_moved)
    }

    /// Whether it has such a column.
    pub fn has_moved_times(&self) -> bool {
        self.fields.is_some_and(|schema| schema.key.fields.iter().any(|field| is_moved(&field.kind)))
    }

    /// The column with a name in lower case.
    pub fn column(&self, name: &str) -> Option<&LogicalColumn<'s>> {
        Some(&self.logical.columns[*self.by_name.get(name)?])
    }
}

fn is_moved(kind: &FieldKind) -> bool {
    matches!(kind, FieldKind::Calendar(_)) && kind.hive_type() == Type::Timestamp
}

/// For conditions of this table alone: all their names are columns of it, with the types that its view gives to them.
impl bind::Scope for KnownTable<'_> {
    fn column(&self, column: &Column) -> (BoundColumn, Option<HiveType>) {
        let known = self.column(&column.name.to_lowercase());
        let bound = BoundColumn::elsewhere(known.map(|_| 0), column);
        (bound, known.map(|known| known.hive_type.hive_type().clone()))
    }
}

/// A table without a schema, with its columns by name.
#[derive(Debug)]
pub struct DescribedTable<'s> {
    pub columns: Vec<&'s HiveColumn>,
    by_name: HashMap<&'s str, usize>,
}

impl<'s> DescribedTable<'s> {
    fn new(table: &'s HiveTable) -> Self {
        let columns: Vec<&HiveColumn> = table.columns().collect();
        let names = columns.iter().map(|column| column.name.as_str());
        DescribedTable { by_name: names.enumerate().map(|(index, name)| (name, index)).collect(), columns }
    }

    /// The type of a column with a name in lower case.
    fn type_of(&self, name: &str) -> Option<ColumnType> {
        Some(of_hive_type(self.columns[*self.by_name.get(name)?]))
    }
}

/// The type of a column of a table without a schema.
pub fn of_hive_type(column: &HiveColumn) -> ColumnType {
    let primitive = column.hive_type.as_ref().and_then(HiveType::primitive);
    primitive.map_or(ColumnType::Unknown, ColumnType::Is)
}

/// What is known of a block.
#[derive(Debug)]
struct OfBlock {
    sources: Vec<ResolvedSource>,
    names: Names,
    outputs: Rc<Outputs>,
    /// The query that it is a term of.
    home: Option<QueryId>,
}

/// What is known of a query.
#[derive(Debug, Clone, Default)]
struct OfQuery {
    outputs: Option<Rc<Outputs>>,
    /// Whether it may be read where that is not seen.
    is_read_elsewhere: bool,
    /// Whether a logical table is read in it.
    reads_table: bool,
}

/// The names of a statement.
#[derive(Debug)]
pub struct Scope<'s> {
    pub statement: &'s Statement,
    tables: BTreeMap<usize, KnownTable<'s>>,
    described: Vec<DescribedTable<'s>>,
    changed: &'s ChangedTables,
    /// The positions of described tables, by the parts of their names in lower case.
    described_by_name: HashMap<Vec<String>, usize>,
    blocks: Vec<OfBlock>,
    queries: Vec<OfQuery>,
    columns_left: usize,
}

impl<'s> Scope<'s> {
    /// `database` is the current database in lower case, if it is known.
    /// Tables that the script has changed are not as they were described.
    pub fn new(
        catalog: &'s Catalog,
        changed: &'s ChangedTables,
        database: Option<&str>,
        statement: &'s Statement,
    ) -> Self {
        let mut scope = Scope {
            statement,
            tables: BTreeMap::new(),
            described: Vec::new(),
            changed,
            described_by_name: HashMap::new(),
            blocks: Vec::with_capacity(statement.blocks.len()),
            queries: vec![OfQuery::default(); statement.queries.len()],
            columns_left: MAX_COLUMNS,
        };
        let homes = homes(statement);
        let ctes = Ctes::new(statement);
        // Whether each of the blocks so far reads a logical table, as running sums.
        let mut readers = vec![0_usize];
        let mut is_clear = true;
        for (index, block) in statement.blocks.iter().enumerate() {
            is_clear &= block.unclear.is_none();
            let mut sources = Vec::with_capacity(block.relations.len());
            for relation in &block.relations {
                let source = scope.source(catalog, database, &ctes, block, relation);
                is_clear &= source != ResolvedSource::Other || relation.table().is_some();
                sources.push(source);
            }
            let reads = sources.iter().any(|source| match source {
                ResolvedSource::Table { .. } => true,
                ResolvedSource::Query(query) => scope.reads_table(*query, &readers),
                _ => false,
            });
            readers.push(readers[index] + usize::from(reads));
            let names = Names::new(block, &sources, &mut scope);
            let outputs = Outputs::of_block(block, &sources, &names, &mut scope);
            scope.columns_left = scope.columns_left.saturating_sub(outputs.columns.len());
            scope.blocks.push(OfBlock { sources, names, outputs: Rc::new(outputs), home: homes[index] });
        }
        for id in 0..statement.queries.len() {
            scope.outputs(QueryId(id));
            scope.queries[id].reads_table = scope.reads_table(QueryId(id), &readers);
            let is_cte = matches!(statement.queries[id].place, QueryPlace::With(_));
            scope.queries[id].is_read_elsewhere |= is_cte && !is_clear;
        }
        scope
    }

    /// Whether a query reads a logical table. `readers` has the number of blocks that do, before each block.
    fn reads_table(&self, query: QueryId, readers: &[usize]) -> bool {
        let blocks = &self.statement.query(query).blocks;
        let last = readers.len() - 1;
        readers[blocks.end.min(last)] > readers[blocks.start.min(last)]
    }

    fn source(
        &mut self,
        catalog: &'s Catalog,
        database: Option<&str>,
        ctes: &Ctes<'s>,
        block: &Block,
        relation: &Relation,
    ) -> ResolvedSource {
        let name = match &relation.source {
            RelationSource::Query(query) => return ResolvedSource::Query(*query),
            RelationSource::Unknown => return ResolvedSource::Other,
            RelationSource::Table { name, .. } => name,
        };
        let parts: Vec<String> = name.iter().map(Name::lower).collect();
        if let ([only], Some(query)) = (parts.as_slice(), block.query) {
            match ctes.find(self.statement, query, only) {
                NamedCte::None => {}
                NamedCte::One(query) => return ResolvedSource::Query(query),
                NamedCte::Unclear(queries) => {
                    queries.iter().for_each(|query| self.queries[query.0].is_read_elsewhere = true);
                    return ResolvedSource::UnclearCte;
                }
            }
        }
        match catalog.find(&parts, database) {
            Found::Table(position) => self.table_at(catalog, position, Certainty::Certain),
            Found::Perhaps(position) => self.table_at(catalog, position, Certainty::OtherDatabase),
            Found::Nothing => self.described_at(catalog, database, parts),
        }
    }

    fn described_at(
        &mut self,
        catalog: &'s Catalog,
        database: Option<&str>,
        parts: Vec<String>,
    ) -> ResolvedSource {
        if let Some(position) = self.described_by_name.get(&parts) {
            let columns = self.described(*position).columns.len();
            return match self.columns_left.checked_sub(columns) {
                Some(left) => {
                    self.columns_left = left;
                    ResolvedSource::Described(*position)
                }
                None => ResolvedSource::Other,
            };
        }
        let is_changed = self.changed.has(&parts);
        let Some(table) = catalog.other_table(&parts, database).filter(|_| !is_changed) else {
            return ResolvedSource::Other;
        };
        let position = self.described.len();
        self.described.push(DescribedTable::new(table));
        self.described_by_name.insert(parts, position);
        ResolvedSource::Described(position)
    }

    fn table_at(&mut self, catalog: &'s Catalog, position: usize, found: Certainty) -> ResolvedSource {
        let entry = catalog.entry(position);
        let Some(logical) = entry.relation() else { return ResolvedSource::Other };
        let is_changed = self.changed.has_of_schema(logical.database, logical.view);
        self.tables.entry(position).or_insert_with(|| match entry.named {
            Named::View => KnownTable::with_fields(logical, entry.table.schema()),
            Named::Mapping => KnownTable::new(logical),
        });
        ResolvedSource::Table { position, certainty: if is_changed { Certainty::Changed } else { found } }
    }

    /// The logical table at a position of the catalog that the statement reads.
    pub fn table(&self, position: usize) -> Option<&KnownTable<'s>> {
        self.tables.get(&position)
    }

    /// A table without a schema.
    pub fn described(&self, position: usize) -> &DescribedTable<'s> {
        &self.described[position]
    }

    pub fn sources(&self, block: usize) -> &[ResolvedSource] {
        &self.blocks[block].sources
    }

    /// Whose column a name is, in a block.
    pub fn owner(&self, block: usize, column: &Column) -> Owner {
        self.blocks[block].names.owner(column)
    }

    pub fn names(&self, block: usize) -> &Names {
        &self.blocks[block].names
    }

    /// The query that a block is a term of.
    pub fn home(&self, block: usize) -> Option<QueryId> {
        self.blocks[block].home
    }

    pub fn outputs_of_block(&self, block: BlockId) -> &Outputs {
        &self.blocks[block.0].outputs
    }

    /// Whether a query may be read where that is not seen.
    pub fn is_read_elsewhere(&self, query: QueryId) -> bool {
        self.queries[query.0].is_read_elsewhere
    }

    /// Whether a logical table is read in a query.
    pub fn query_reads_table(&self, query: QueryId) -> bool {
        self.queries[query.0].reads_table
    }

    /// Whether a block reads a logical table, or a query that does.
    pub fn block_reads_table(&self, block: usize) -> bool {
        self.sources(block).iter().any(|source| match source {
            ResolvedSource::Table { .. } => true,
            ResolvedSource::Query(query) => self.query_reads_table(*query),
            _ => false,
        })
    }

    /// The columns of a query; unknown before all its blocks are examined.
    pub fn outputs(&mut self, id: QueryId) -> Rc<Outputs> {
        if let Some(known) = &self.queries[id.0].outputs {
            return Rc::clone(known);
        }
        let query = self.statement.query(id);
        if query.blocks.end > self.blocks.len() || self.columns_left == 0 {
            return Rc::default();
        }
        let terms = query.terms.iter().map(|term| match term.body {
            TermBody::Block(block) => Rc::clone(&self.blocks[block.0].outputs),
            // Queries in brackets, whose depth the reader limits.
            TermBody::Query(inner) => self.outputs(inner),
            TermBody::Other => Rc::default(),
        });
        let terms: Vec<Rc<Outputs>> = terms.collect();
        let names = match (query.place, query.outer) {
            (QueryPlace::With(index), Some(outer)) => &self.statement.query(outer).with[index].columns,
            _ => &Vec::new(),
        };
        let outputs = match (terms.as_slice(), names.is_empty()) {
            ([only], true) => Rc::clone(only),
            _ => Rc::new(Outputs::of_terms(&terms, names)),
        };
        self.columns_left = self.columns_left.saturating_sub(outputs.columns.len());
        self.queries[id.0].outputs = Some(Rc::clone(&outputs));
        outputs
    }

    /// The columns of a query, once all blocks are examined.
    pub fn known_outputs(&self, id: QueryId) -> Option<&Outputs> {
        self.queries[id.0].outputs.as_deref()
    }

    /// The type of a column of a relation, by its name in lower case.
    pub fn type_of(&mut self, source: ResolvedSource, name: &str) -> ColumnType {
        if let ResolvedSource::Query(query) = source {
            self.outputs(query);
        }
        self.known_type(source, name)
    }

    /// As `type_of`, once all blocks are examined.
    pub fn known_type(&self, source: ResolvedSource, name: &str) -> ColumnType {
        let known = match source {
            ResolvedSource::Table { position, certainty: Certainty::Certain } => {
                let column = self.table(position).and_then(|table| table.column(name));
                column.and_then(|column| column.hive_type.primitive()).map(ColumnType::Is)
            }
            ResolvedSource::Described(position) => self.described(position).type_of(name),
            ResolvedSource::Query(query) => {
                let column = self.known_outputs(query).and_then(|outputs| outputs.by_name(name));
                column.map(|column| column.column_type)
            }
            _ => None,
        };
        known.unwrap_or(ColumnType::Unknown)
    }
}

/// For each block the query that it is a term of.
fn homes(statement: &Statement) -> Vec<Option<QueryId>> {
    let mut homes = vec![None; statement.blocks.len()];
    for (id, query) in statement.queries.iter().enumerate() {
        for term in &query.terms {
            if let TermBody::Block(block) = term.body {
                homes[block.0] = Some(QueryId(id));
            }
        }
    }
    homes
}

/// The queries of every WITH by name.
struct Ctes<'s>(HashMap<(QueryId, &'s str), Vec<usize>>);

/// What a name means that a WITH may define.
enum NamedCte {
    None,
    One(QueryId),
    /// It is defined behind the place or twice.
    Unclear(Vec<QueryId>),
}

impl<'s> Ctes<'s> {
    fn new(statement: &'s Statement) -> Self {
        let mut ctes: HashMap<(QueryId, &str), Vec<usize>> = HashMap::new();
        for (id, query) in statement.queries.iter().enumerate() {
            for (index, cte) in query.with.iter().enumerate() {
                ctes.entry((QueryId(id), cte.name.as_str())).or_default().push(index);
            }
        }
        Ctes(ctes)
    }

    /// What a name in lower case means in a query. A query of a WITH can name those before it.
    fn find(&self, statement: &Statement, from: QueryId, name: &str) -> NamedCte {
        if self.0.is_empty() {
            return NamedCte::None;
        }
        let mut around = Some(from);
        let mut visible = usize::MAX;
        while let Some(id) = around {
            let query = statement.query(id);
            if let Some(found) = self.0.get(&(id, name)) {
                return match found.as_slice() {
                    [only] if *only < visible => NamedCte::One(query.with[*only].query),
                    several => {
                        NamedCte::Unclear(several.iter().map(|index| query.with[*index].query).collect())
                    }
                };
            }
            visible = match query.place {
                QueryPlace::With(index) => index,
                _ => usize::MAX,
            };
            around = query.outer;
        }
        NamedCte::None
    }
}
