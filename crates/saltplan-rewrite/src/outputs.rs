//! The columns that blocks and queries return, as far as they are known.

use std::collections::HashMap;
use std::rc::Rc;

use saltplan_sql::ast::{Expr, Literal, Name, Node, Type};
use saltplan_sql::functions::ResultType;
use saltplan_sql::script::{Block, JoinKind, SelectItem, SelectValue};

use crate::names::{Names, Owner, has_columns_of_source};
use crate::scope::{Certainty, ResolvedSource, Scope, of_hive_type};

/// The columns of a block or a query.
#[derive(Debug, Default)]
pub struct Outputs {
    pub columns: Vec<Output>,
    /// Whether these are all.
    pub is_complete: bool,
    /// The index of each column by its name; `None` if several have it.
    by_name: HashMap<String, Option<usize>>,
}

/// A column of a block or a query.
#[derive(Debug, Clone)]
pub struct Output {
    /// In lower case; empty if it is not known.
    pub name: String,
    pub value: OutputValue,
    /// Whether all columns before it are known, so that its index is its place.
    pub has_place: bool,
    pub column_type: ColumnType,
}

/// What a column of a block is in the block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputValue {
    /// An item of the select list.
    Item(usize),
    /// A column of a relation that a `*` stands for, by its name in lower case.
    Column {
        relation: usize,
        name: String,
    },
    Unknown,
}

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    Is(Type),
    /// Every value is NULL: the column takes any type.
    Null,
    Unknown,
}

impl Outputs {
    fn new(columns: Vec<Output>, is_complete: bool) -> Self {
        let mut by_name = HashMap::new();
        for (index, column) in columns.iter().enumerate().filter(|(_, column)| !column.name.is_empty()) {
            by_name.entry(column.name.clone()).and_modify(|known| *known = None).or_insert(Some(index));
        }
        Outputs { columns, is_complete, by_name }
    }

    /// The column with a name in lower case, if only one has it.
    pub fn by_name(&self, name: &str) -> Option<&Output> {
        Some(&self.columns[self.index(name)?])
    }

    pub fn index(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied().flatten()
    }

    /// The columns of a set operation, or of a WITH query that gives its columns `names`.
    pub fn of_terms(terms: &[Rc<Outputs>], names: &[Name]) -> Self {
        let Some(first) = terms.first() else { return Outputs::default() };
        let mut columns = first.columns.clone();
        if !names.is_empty() && !(first.is_complete && names.len() == columns.len()) {
            return Outputs::default();
        }
        for (column, name) in columns.iter_mut().zip(names) {
            column.name = name.lower();
        }
        for (index, column) in columns.iter_mut().enumerate().filter(|_| terms.len() > 1) {
            column.value = OutputValue::Unknown;
            let types = terms.iter().map(|term| {
                let same = term.columns.get(index).filter(|column| column.has_place);
                same.map_or(ColumnType::Unknown, |column| column.column_type)
            });
            column.column_type = if column.has_place { common(types) } else { ColumnType::Unknown };
        }
        Outputs::new(columns, first.is_complete)
    }

    /// The columns that a block with one select list returns.
    pub fn of_block(block: &Block, sources: &[ResolvedSource], names: &Names, scope: &mut Scope<'_>) -> Self {
        let [arm] = block.arms.as_slice() else { return Outputs::default() };
        let Some(select) = arm.select.as_ref().filter(|select| !select.is_script) else {
            return Outputs::default();
        };
        if block.unclear.is_some() {
            return Outputs::default();
        }
        let mut list = List { columns: Vec::new(), is_complete: true };
        for (index, item) in select.items.iter().enumerate() {
            match &item.value {
                SelectValue::Expr(node) => list.item(index, item, node, sources, names, scope),
                SelectValue::All(qualifier) => list.all(qualifier, block, sources, names, scope),
            }
        }
        Outputs::new(list.columns, list.is_complete)
    }
}

/// A select list that is read.
struct List {
    columns: Vec<Output>,
    is_complete: bool,
}

impl List {
    fn push(&mut self, name: String, value: OutputValue, column_type: ColumnType) {
        self.columns.push(Output { name, value, has_place: self.is_complete, column_type });
    }

    fn item(
        &mut self,
        index: usize,
        item: &SelectItem,
        node: &Node,
        sources: &[ResolvedSource],
        names: &Names,
        scope: &mut Scope<'_>,
    ) {
        let name = match (item.aliases.as_slice(), &node.bare().expr) {
            ([alias], _) => alias.lower(),
            ([], Expr::Column(column)) if column.quoted && is_pattern(&column.name) => {
                // With `hive.support.quoted.identifiers=none` it stands for several columns.
                self.is_complete = false;
                return;
            }
            ([], Expr::Column(column)) => column.name.to_lowercase(),
            // `_c0` and so on.
            ([], _) => String::new(),
            (several, _) => {
                several
                    .iter()
                    .for_each(|alias| self.push(alias.lower(), OutputValue::Unknown, ColumnType::Unknown));
                return;
            }
        };
        let column_type = type_of(node, sources, names, scope);
        self.push(name, OutputValue::Item(index), column_type);
    }

    /// `*` or `alias.*`
    fn all(
        &mut self,
        qualifier: &[Name],
        block: &Block,
        sources: &[ResolvedSource],
        names: &Names,
        scope: &mut Scope<'_>,
    ) {
        let relations: Vec<usize> = match qualifier {
            [] => visible(block),
            [alias] if names.is_unique(&alias.lower()) => names.with_alias(&alias.lower()).to_vec(),
            _ => Vec::new(),
        };
        self.is_complete &= !relations.is_empty() && block.joins.iter().all(|join| join.using.is_empty());
        for relation in relations {
            let is_known = has_columns_of_source(&block.relations[relation]);
            match sources[relation] {
                ResolvedSource::Table { position, certainty: Certainty::Certain } if is_known => {
                    let table = scope.table(position);
                    let columns = table.into_iter().flat_map(|table| &table.logical.columns);
                    let columns: Vec<(String, ColumnType)> = columns
                        .map(|column| {
                            let primitive = column.hive_type.primitive();
                            (
                                column.name.to_lowercase(),
                                primitive.map_or(ColumnType::Unknown, ColumnType::Is),
                            )
                        })
                        .collect();
                    columns
                        .into_iter()
                        .for_each(|(name, of_type)| self.column(relation, name, of_type, names));
                }
                ResolvedSource::Described(position) if is_known => {
                    for column in &scope.described(position).columns {
                        self.column(relation, column.name.clone(), of_hive_type(column), names);
                    }
                }
                ResolvedSource::Query(query) if is_known => {
                    let outputs = scope.outputs(query);
                    for column in &outputs.columns {
                        let has_place = self.is_complete;
                        self.is_complete &= column.has_place;
                        self.column(relation, column.name.clone(), column.column_type, names);
                        self.is_complete = has_place;
                    }
                    self.is_complete &= outputs.is_complete;
                }
                _ => self.is_complete = false,
            }
        }
        self.is_complete &= block.lateral_views.is_empty() || !qualifier.is_empty();
    }

    /// A column that a `*` stands for.
    fn column(&mut self, relation: usize, name: String, column_type: ColumnType, names: &Names) {
        let is_clear = !name.is_empty() && !names.is_lateral(&name) && !names.is_using(&name);
        let value = match is_clear {
            true => OutputValue::Column { relation, name: name.clone() },
            false => OutputValue::Unknown,
        };
        self.push(name, value, column_type);
    }
}

/// The relations of a block without those on the right side of a semi or an anti join, which a `*` leaves out.
fn visible(block: &Block) -> Vec<usize> {
    let mut is_hidden = vec![false; block.relations.len()];
    for join in block.joins.iter().filter(|join| matches!(join.kind, JoinKind::Semi | JoinKind::Anti)) {
        is_hidden[join.middle..join.end].fill(true);
    }
    (0..is_hidden.len()).filter(|relation| !is_hidden[*relation]).collect()
}

/// Whether a name is a regular expression.
fn is_pattern(name: &str) -> bool {
    name.contains(['*', '+', '?', '.', '|', '(', '[', '^', '$'])
}

fn type_of(node: &Node, sources: &[ResolvedSource], names: &Names, scope: &mut Scope<'_>) -> ColumnType {
    match &node.bare().expr {
        Expr::Column(column) => match names.owner(column) {
            Owner::Relation(relation) => scope.type_of(sources[relation], &column.name.to_lowercase()),
            _ => ColumnType::Unknown,
        },
        Expr::Literal(Literal::Null) => ColumnType::Null,
        Expr::Literal(Literal::Text(_)) => ColumnType::Is(Type::String),
        Expr::Literal(Literal::Number(number)) if number.parse::<i32>().is_ok() => ColumnType::Is(Type::Int),
        Expr::TypedText { data_type, .. } => ColumnType::Is(*data_type),
        Expr::Cast { data_type, written, .. } if written.len() > 1 => ColumnType::Is(*data_type),
        Expr::Call(call) if call.function.is_some_and(|function| function.result == OF_TEXT) => {
            // Some of these functions give a binary for a binary.
            let is_clear = call.arguments.iter().all(|argument| {
                let of_argument = type_of(argument, sources, names, scope);
                !matches!(of_argument, ColumnType::Unknown | ColumnType::Is(Type::Binary))
            });
            if is_clear { ColumnType::Is(Type::String) } else { ColumnType::Unknown }
        }
        _ => ColumnType::Unknown,
    }
}

const OF_TEXT: ResultType = ResultType::Is(Type::String);

/// The type of a column of a set operation. A string beside any other type gives strings; other types are not combined here.
fn common(types: impl Iterator<Item = ColumnType>) -> ColumnType {
    let mut common = ColumnType::Null;
    let mut is_text = false;
    for column_type in types {
        is_text |= column_type == ColumnType::Is(Type::String);
        common = match (common, column_type) {
            (known, ColumnType::Null) => known,
            (ColumnType::Null, known) => known,
            (known, same) if known == same => known,
            (ColumnType::Is(one), ColumnType::Is(other)) if one.is_integer() && other.is_integer() => {
                ColumnType::Is(wider(one, other))
            }
            _ => ColumnType::Unknown,
        };
    }
    if is_text { ColumnType::Is(Type::String) } else { common }
}

/// The wider of two types of whole numbers.
fn wider(one: Type, other: Type) -> Type {
    let most = |of_type: Type| of_type.whole_numbers().map_or(0, |(_, most)| most);
    if most(one) < most(other) { other } else { one }
}
