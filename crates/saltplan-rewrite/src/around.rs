//! Conditions that queries put on the rows of the queries inside them.
//!
//! A condition on the columns of a query in brackets or of a WITH holds for every row of it that matters, so the query may leave out
//! the other rows at once: each column is replaced by what the select list makes it of, and the condition becomes one of the query's
//! own WHERE. [`crate::barriers`] says where it must not. Of a query that is read in several places a row matters if one of the
//! places needs it. The columns of set operations are matched by position. Of a condition with AND and OR, the parts that may pass do.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use saltplan_core::messages::Span;
use saltplan_sql::ast::{Column, Expr, Name, Node, Type};
use saltplan_sql::rewrite::replace;
use saltplan_sql::script::{BlockId, Query, QueryId, QueryPlace, SelectValue, TermBody};

use crate::barriers::Barriers;
use crate::conditions::{all, columns, implied, in_all, size};
use crate::outputs::{ColumnType, OutputValue, Outputs};
use crate::rules::{Rule, Unused};
use crate::scope::Scope;
use crate::whole_numbers::{compares_whole_numbers, of_equal_values};

/// The most parts of a condition behind a replacement.
const MAX_SIZE: usize = 2_000;

/// The most places of a condition that are told.
const MAX_ORIGINS: usize = 1_000;

/// Where a condition is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Origin {
    pub span: Span,
    /// `WHERE`, `ON` or `HAVING`.
    pub place: &'static str,
}

/// A condition on the columns of a query, and then on the relations of a block in it.
#[derive(Debug, Clone)]
pub struct Pushed {
    /// Columns of the query have no qualifier and are in lower case.
    pub node: Node,
    pub origins: Rc<[Origin]>,
    /// Whether it is only a part of what is written there.
    pub is_part: bool,
    /// Why it cannot be used.
    pub blocked: Option<Unused>,
    /// Whether it holds for one of several uses, so that another one may need more rows.
    pub of_several: bool,
}

impl Pushed {
    fn block(&mut self, reason: impl FnOnce() -> String) {
        self.blocked.get_or_insert_with(|| Unused::new(Rule::Between, reason()));
    }
}

/// The conditions on the queries of a statement. Blocks must be asked from the outside in, so that all uses of a query are known
/// before the query.
pub struct Around<'b> {
    scope: &'b Scope<'b>,
    /// Functions that the script defines itself, in lower case.
    redefined: &'b BTreeSet<String>,
    uses: HashMap<QueryId, Vec<Vec<Pushed>>>,
    known: HashMap<QueryId, Rc<Vec<Pushed>>>,
    /// Whether the rows of a query are counted before a condition around it.
    limits: HashMap<QueryId, bool>,
    /// How many parts of conditions may still be made, so that time and memory are linear in the size of the statement.
    parts_left: usize,
}

impl<'b> Around<'b> {
    pub fn new(scope: &'b Scope<'b>, redefined: &'b BTreeSet<String>) -> Self {
        Around {
            scope,
            redefined,
            uses: HashMap::new(),
            known: HashMap::new(),
            limits: HashMap::new(),
            parts_left: 100_000 + 2 * scope.statement.tokens.len(),
        }
    }

    /// Remembers what one of the places that read a query says about its rows.
    pub fn add_use(&mut self, query: QueryId, conditions: Vec<Pushed>) {
        self.uses.entry(query).or_default().push(conditions);
    }

    /// What the queries around a block say about its relations.
    pub fn on_block(&mut self, index: usize) -> Vec<Pushed> {
        let scope = self.scope;
        let Some(id) = scope.home(index) else { return Vec::new() };
        let conditions = self.on_query(id);
        if conditions.is_empty() {
            return Vec::new();
        }
        let barriers = Barriers::new(scope, index, self.redefined);
        let counts = self.counts_rows(id);
        let outputs = scope.outputs_of_block(BlockId(index));
        self.pushed_into(id, counts, outputs, &conditions, &mut |made, node| {
            replace(node, &mut |part| made.value(index, part));
            made.fault.take().or_else(|| barriers.stop(&made.values))
        })
    }

    /// The conditions on a query for one of its terms, which returns `outputs`. `counts` says whether a LIMIT of the query counts rows
    /// before them. `replaced` puts what the term makes of the columns in their place, and says what stops a condition there.
    fn pushed_into(
        &mut self,
        id: QueryId,
        counts: bool,
        outputs: &'b Outputs,
        conditions: &[Pushed],
        replaced: &mut dyn FnMut(&mut Replacement<'b>, &mut Node) -> Option<String>,
    ) -> Vec<Pushed> {
        let scope = self.scope;
        let mut found = Vec::new();
        let mut is_full = false;
        for condition in conditions {
            if self.parts_left == 0 {
                is_full = true;
                break;
            }
            let mut passed = |node: &Node, size: &mut usize| {
                let mut made = Replacement::new(scope, id, outputs);
                made.size = *size;
                let (mut node, fault) = match for_term(scope, id, outputs, node) {
                    Ok(node) => (node, None),
                    Err(reason) => (node.clone(), Some(Unused::new(Rule::SameType, reason))),
                };
                let stop = replaced(&mut made, &mut node);
                *size = made.size;
                (node, fault.or_else(|| Some(Unused::new(Rule::Between, stop?))))
            };
            let (node, fault) = passed(&condition.node, &mut 0);
            let mut pushed = Pushed { node, ..condition.clone() };
            if counts {
                pushed.block(|| "a LIMIT counts rows before the condition applies".into());
            }
            if let (None, Some(fault)) = (&pushed.blocked, fault) {
                let (mut size, mut parts) = (0, Parts::default());
                let mut passed = |part: &Node| {
                    let (node, fault) = passed(part, &mut size);
                    match fault {
                        None => {
                            parts.used.push(part.span);
                            Some(node)
                        }
                        Some(fault) => {
                            parts.left.push((part.span, node, fault));
                            None
                        }
                    }
                };
                match implied(&condition.node, &mut passed) {
                    Some(node) => {
                        pushed.node = node;
                        found.extend(parts.take_from(&mut pushed));
                    }
                    None => pushed.blocked = Some(fault),
                }
            }
            match self.has_room(&pushed) {
                true => found.push(pushed),
                false => is_full = true,
            }
        }
        found.extend(too_many(conditions).filter(|_| is_full));
        found
    }

    /// What the queries around a query say about its columns.
    fn on_query(&mut self, id: QueryId) -> Rc<Vec<Pushed>> {
        if let Some(known) = self.known.get(&id) {
            return Rc::clone(known);
        }
        let query = self.scope.statement.query(id);
        let found = match (query.place, query.outer) {
            // That of `x IN (SELECT y …)` is a use, too.
            (QueryPlace::Relation | QueryPlace::With(_) | QueryPlace::Expression, _) => self.of_uses(id),
            // In brackets: nested no deeper than the reader allows.
            (QueryPlace::Term, Some(outer)) => self.through_brackets(outer, id),
            _ => Vec::new(),
        };
        let found = Rc::new(found);
        self.known.insert(id, Rc::clone(&found));
        found
    }

    fn of_uses(&mut self, id: QueryId) -> Vec<Pushed> {
        let mut uses = self.uses.remove(&id).unwrap_or_default();
        let is_read_elsewhere = self.scope.is_read_elsewhere(id);
        let is_silent = |conditions: &Vec<Pushed>| conditions.iter().all(|pushed| pushed.blocked.is_some());
        let fault = match () {
            () if is_read_elsewhere => "the WITH query may also be read in a part that is not understood",
            () if uses.len() > 1 && uses.iter().any(is_silent) => {
                "the WITH query is read in several places, and one of them needs every row"
            }
            () => "",
        };
        if !fault.is_empty() {
            uses.iter_mut().flatten().for_each(|pushed| pushed.block(|| fault.into()));
        }
        either(uses)
    }

    fn through_brackets(&mut self, outer: QueryId, id: QueryId) -> Vec<Pushed> {
        let scope = self.scope;
        let Some(outputs) = scope.known_outputs(id) else { return Vec::new() };
        let conditions = self.on_query(outer);
        let counts = !conditions.is_empty() && self.counts_rows(outer);
        self.pushed_into(outer, counts, outputs, &conditions, &mut |made, node| {
            replace(node, &mut |part| made.name(part));
            made.fault.take()
        })
    }

    /// Whether a condition is not too long.
    fn has_room(&mut self, pushed: &Pushed) -> bool {
        let size = size(&pushed.node, MAX_SIZE);
        self.parts_left = self.parts_left.saturating_sub(size + pushed.origins.len());
        size < MAX_SIZE && self.parts_left > 0
    }

    /// Whether the rows of a query are counted behind its terms. The LIMIT behind the last term of a UNION is that of the UNION.
    fn counts_rows(&mut self, id: QueryId) -> bool {
        let statement = self.scope.statement;
        *self.limits.entry(id).or_insert_with(|| {
            let query = statement.query(id);
            let of_block = |block: BlockId| statement.block(block).arms.iter().any(|arm| arm.tail.has_limit);
            query.terms.iter().any(|term| {
                let own =
                    matches!(term.body, TermBody::Block(block) if query.terms.len() > 1 && of_block(block));
                term.tail.has_limit || own
            })
        })
    }
}

/// The parts of a condition with AND and OR, with their places: those that pass a query, and the others with why they do not.
#[derive(Default)]
struct Parts {
    used: Vec<Span>,
    left: Vec<(Span, Node, Unused)>,
}

impl Parts {
    /// Removes from a condition the places in the query that no used part came from. Returns the conditions that are written at those places.
    fn take_from(mut self, pushed: &mut Pushed) -> Vec<Pushed> {
        self.used.sort_unstable();
        self.left.sort_by_key(|(span, ..)| *span);
        // No part is in another one, so the first one from the start of a place on is in it, if one is.
        let used_in = |origin: &Origin| {
            let at = self.used.partition_point(|span| span.start < origin.span.start);
            self.used.get(at).is_some_and(|span| span.end <= origin.span.end)
        };
        let left_in = |origin: &Origin| {
            let at = self.left.partition_point(|(span, ..)| span.start < origin.span.start);
            self.left.get(at).filter(|(span, ..)| span.end <= origin.span.end)
        };
        let (used, others): (Vec<Origin>, Vec<Origin>) =
            pushed.origins.iter().partition(|origin| used_in(origin));
        if used.is_empty() {
            pushed.is_part = true;
            return Vec::new();
        }
        pushed.is_part |= used.iter().any(|origin| left_in(origin).is_some());
        pushed.origins = used.into();
        let others = others.into_iter().filter_map(|origin| {
            let (_, node, fault) = left_in(&origin)?;
            Some(Pushed {
                node: node.clone(),
                origins: Rc::new([origin]),
                is_part: false,
                blocked: Some(fault.clone()),
                of_several: pushed.of_several,
            })
        });
        others.collect()
    }
}

/// Says that some conditions are left out.
fn too_many(conditions: &[Pushed]) -> Option<Pushed> {
    let mut pushed = conditions.first()?.clone();
    pushed.node = Expr::Column(Column::new("")).into();
    pushed.block(|| "the queries around have more conditions than are handed on".into());
    Some(pushed)
}

/// Replaces the columns of a query by what one of its terms makes them of.
struct Replacement<'b> {
    scope: &'b Scope<'b>,
    query: &'b Query,
    id: QueryId,
    outputs: &'b Outputs,
    values: Vec<Node>,
    /// How many parts the values have.
    size: usize,
    fault: Option<String>,
}

impl<'b> Replacement<'b> {
    /// `outputs` are the columns of the term.
    fn new(scope: &'b Scope<'b>, id: QueryId, outputs: &'b Outputs) -> Self {
        let query = scope.statement.query(id);
        Replacement { scope, query, id, outputs, values: Vec::new(), size: 0, fault: None }
    }

    /// The index of a column in the term.
    fn index(&mut self, column: &Column) -> Option<usize> {
        if column.name.is_empty() {
            return None;
        }
        let is_single = self.query.terms.len() == 1;
        let named = self.scope.known_outputs(self.id);
        let index = named.and_then(|outputs| {
            let index = outputs.index(&column.name)?;
            (is_single || outputs.columns[index].has_place).then_some(index)
        });
        let own =
            |index: &usize| self.outputs.columns.get(*index).is_some_and(|own| is_single || own.has_place);
        let index = index.filter(own);
        if index.is_none() {
            self.unknown(column);
        }
        index
    }

    fn unknown(&mut self, column: &Column) {
        let name = &column.name;
        self.fault.get_or_insert_with(|| {
            format!("the select list of the query in between does not show what `{name}` is made of")
        });
    }

    /// What a term that is a block makes a column of.
    fn value(&mut self, block: usize, part: &Node) -> Option<Expr> {
        let Expr::Column(column) = &part.expr else { return None };
        let outputs = self.outputs;
        let index = self.index(column);
        let value = index.and_then(|index| self.made_of(block, &outputs.columns[index].value, part));
        if value.is_none() && !column.name.is_empty() {
            self.unknown(column);
        }
        let Some(value) = value else { return Some(Expr::Column(Column::new(""))) };
        self.values.push(value.clone());
        // Without brackets, which would become deeper with each query.
        Some(if matches!(value.expr, Expr::Column(_)) { value.expr } else { Expr::Nested(Box::new(value)) })
    }

    fn made_of(&mut self, block: usize, value: &OutputValue, place: &Node) -> Option<Node> {
        let tree = &self.scope.statement.blocks[block];
        match value {
            OutputValue::Item(item) => {
                let select = tree.arms.first()?.select.as_ref()?;
                match &select.items.get(*item)?.value {
                    SelectValue::Expr(node) => {
                        self.size += size(node, MAX_SIZE);
                        (self.size < MAX_SIZE).then(|| node.bare().clone())
                    }
                    SelectValue::All(_) => None,
                }
            }
            OutputValue::Column { relation, name } => {
                let alias = tree.relations[*relation].alias()?;
                let qualifier = vec![Name { text: alias, quoted: true }];
                let quoted = !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                let column = Column { qualifier, name: name.clone(), quoted };
                Some(Node::new(Expr::Column(column), place.span))
            }
            OutputValue::Unknown => None,
        }
    }

    /// The name of a column in a term that is a query.
    fn name(&mut self, part: &Node) -> Option<Expr> {
        let Expr::Column(column) = &part.expr else { return None };
        let own = self.index(column).map(|index| (index, &self.outputs.columns[index].name));
        let own = own.filter(|(index, name)| self.outputs.index(name) == Some(*index));
        if own.is_none() && !column.name.is_empty() {
            self.unknown(column);
        }
        Some(Expr::Column(Column::new(own.map(|(_, name)| name.clone()).unwrap_or_default())))
    }
}

/// What a condition on the columns of a set operation says about those of a term, whose values may become values of another type.
fn for_term(scope: &Scope<'_>, id: QueryId, term: &Outputs, condition: &Node) -> Result<Node, String> {
    let Some(outputs) = scope.known_outputs(id).filter(|_| scope.statement.query(id).terms.len() > 1) else {
        return Ok(condition.clone());
    };
    let mut for_any_type = false;
    for (column, _) in columns(condition) {
        let Some(index) = outputs.index(&column.name) else { continue };
        let Some(own) = term.columns.get(index) else { continue };
        let is_fine = match (own.column_type, outputs.columns[index].column_type) {
            // Nothing becomes of a string but a string.
            (ColumnType::Null | ColumnType::Is(Type::String), _) => true,
            (ColumnType::Is(own), ColumnType::Is(common)) if own == common => true,
            (ColumnType::Is(own), ColumnType::Is(common)) => {
                let holds_all = common.is_integer() || matches!(common, Type::Double | Type::String);
                own.is_integer() && holds_all && compares_whole_numbers(condition, true)
            }
            (ColumnType::Is(own), _) => {
                for_any_type = true;
                own.is_integer()
            }
            (ColumnType::Unknown, _) => false,
        };
        let name = &column.name;
        let fault = || {
            format!(
                "`{name}` may have another type in another part of the UNION, and so be compared otherwise"
            )
        };
        if !is_fine || for_any_type && of_equal_values(condition).is_none() {
            return Err(fault());
        }
    }
    Ok(match for_any_type {
        true => of_equal_values(condition).unwrap_or_else(|| condition.clone()),
        false => condition.clone(),
    })
}

/// Different places in the order in which they are found. A query that is read twice hands each place on twice, and so do the queries in
/// it.
#[derive(Default)]
struct Origins {
    found: Vec<Origin>,
    seen: HashSet<Origin>,
}

impl Origins {
    fn add(&mut self, origins: &[Origin]) {
        let new = origins.iter().filter(|origin| self.seen.len() < MAX_ORIGINS && self.seen.insert(**origin));
        self.found.extend(new);
    }
}

/// If every condition of at least one list holds (which one is not known), these hold: the conditions that all lists have, and the OR of
/// the rest of each list.
pub fn either(lists: Vec<Vec<Pushed>>) -> Vec<Pushed> {
    if lists.len() < 2 {
        return lists.into_iter().next().unwrap_or_default();
    }
    let mut found = Vec::new();
    let mut usable: Vec<Vec<Pushed>> = Vec::new();
    for list in lists {
        let (blocked, free): (Vec<_>, Vec<_>) = list.into_iter().partition(|pushed| pushed.blocked.is_some());
        found.extend(blocked);
        usable.push(free);
    }
    let nodes: Vec<Vec<Node>> =
        usable.iter().map(|list| list.iter().map(|pushed| pushed.node.clone()).collect()).collect();
    let common = in_all(&nodes);
    let mut origins: HashMap<&Node, Origins> = HashMap::new();
    let mut of_others = Origins::default();
    let mut is_part = false;
    for pushed in usable.iter().flatten() {
        match common.get(&pushed.node) {
            Some(node) => origins.entry(node).or_default().add(&pushed.origins),
            None => {
                of_others.add(&pushed.origins);
                is_part |= pushed.is_part;
            }
        }
    }
    for pushed in usable.first().into_iter().flatten() {
        if let Some(origins) = origins.remove(&pushed.node) {
            found.push(Pushed { origins: origins.found.into(), ..pushed.clone() });
        }
    }
    let others =
        nodes.iter().map(|list| list.iter().filter(|node| !common.contains(*node)).cloned().collect());
    let mut seen: HashSet<Vec<Node>> = HashSet::new();
    let others: Vec<Vec<Node>> = others.filter(|list: &Vec<Node>| seen.insert(list.clone())).collect();
    let arms: Option<Vec<Node>> =
        others.into_iter().map(|list| Some(Expr::Nested(all(list)?.into()).into())).collect();
    match arms {
        Some(arms) if arms.len() > 1 => {
            let node = Expr::Or(arms).into();
            let origins = of_others.found.into();
            found.push(Pushed { node, origins, is_part, blocked: None, of_several: true });
        }
        Some(_) => {}
        None => {
            for pushed in usable.iter().flatten().filter(|pushed| !common.contains(&pushed.node)) {
                let mut pushed = pushed.clone();
                pushed.block(|| "the rows are also read in another place, which needs others".into());
                found.push(pushed);
            }
        }
    }
    without_repetition(found)
}

/// The conditions, of those that cannot be used each once for each reason, with all its places.
fn without_repetition(conditions: Vec<Pushed>) -> Vec<Pushed> {
    let mut found: Vec<(Pushed, Origins)> = Vec::new();
    let mut known: HashMap<(Node, String), usize> = HashMap::new();
    for pushed in conditions {
        let mut origins = Origins::default();
        origins.add(&pushed.origins);
        let Some(unused) = &pushed.blocked else {
            found.push((pushed, origins));
            continue;
        };
        let index = *known.entry((pushed.node.clone(), unused.reason.clone())).or_insert(found.len());
        match found.get_mut(index) {
            Some((_, of_first)) => of_first.add(&pushed.origins),
            None => found.push((pushed, origins)),
        }
    }
    found.into_iter().map(|(pushed, origins)| Pushed { origins: origins.found.into(), ..pushed }).collect()
}
