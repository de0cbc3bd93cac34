//! The conditions that may narrow a reference, as one predicate, and its plan.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use saltplan_core::analyze::bind::{Setting, bind, written_node};
use saltplan_core::messages::{Diagnostic, Diagnostics};
use saltplan_core::pieces::{MappingScope, Piece, Recognised, recognise, recognise_fitting};
use saltplan_core::plans::PlanKind;
use saltplan_core::refusal::Refusal;
use saltplan_core::table::PlanFault;
use saltplan_core::{PlanOptions, Planned};
use saltplan_document::diag::{DiagnosticKind, PredicateFault};
use saltplan_sql::ast::{Expr, Node};
use saltplan_sql::script::Block;
use saltplan_sql::{MAX_PARTS, Parsed};

use super::Rewriter;
use crate::catalog::{Entry, Named};
use crate::conditions::{all, columns, in_all, of_one_table, size};
use crate::facts::BlockFacts;
use crate::later::{equal_values, fault_of_texts};
use crate::meaning;
use crate::moved;
use crate::report::WhyLeft;
use crate::rules::{Condition, ConditionPlace, Known, Rule, Unused};
use crate::scope::KnownTable;

/// A predicate with its plan.
type Attempt = Result<(Node, Planned), PlanFault>;

/// The most conditions with values of run time that are tried one after the other.
const MAX_LATER: usize = 16;

/// The conditions of a block that may narrow a reference, as conditions of one table.
pub(super) struct Narrowing {
    /// Conditions that hold in all arms.
    of_all: Vec<Node>,
    /// Further conditions of each arm.
    of_arms: Vec<Vec<Node>>,
}

impl Narrowing {
    pub(super) fn new<'c>(block: &Block, conditions: impl Iterator<Item = &'c Condition<'c>>) -> Self {
        let mut narrowing = Narrowing { of_all: Vec::new(), of_arms: vec![Vec::new(); block.arms.len()] };
        for condition in conditions.filter(|condition| condition.fate.is_ok()) {
            let node = Node::new(Expr::Nested(of_one_table(&condition.node).into()), condition.node.span);
            match condition.place {
                ConditionPlace::On(_) | ConditionPlace::Around => narrowing.of_all.push(node),
                ConditionPlace::Where(arm) | ConditionPlace::Having(arm) => narrowing.of_arms[arm].push(node),
            }
        }
        narrowing
    }

    /// What all rows that the block needs satisfy: with several arms, a row is needed if any arm needs it. `None` if every row is
    /// needed.
    pub(super) fn of_block(self) -> Option<Node> {
        // An arm without a condition needs every row.
        let is_known = self.of_arms.iter().all(|arm| !arm.is_empty());
        let mut arms = self.of_arms;
        if !is_known {
            arms.clear();
        }
        // A condition that all inserts have is one of the whole query, such as that on a day that is filled in later.
        let common = in_all(&arms);
        let of_first: Vec<Node> = arms.first().into_iter().flatten().cloned().collect();
        let mut seen = HashSet::new();
        let of_all = of_first.into_iter().filter(|node| common.contains(node) && seen.insert(node.clone()));
        let mut of_all: Vec<Node> = self.of_all.into_iter().chain(of_all).collect();
        arms.iter_mut().for_each(|arm| arm.retain(|node| !common.contains(node)));
        // Inserts often have the same conditions, which are enough once.
        let mut seen = HashSet::new();
        arms.retain(|arm| seen.insert(arm.clone()));
        if arms.iter().all(|arm| !arm.is_empty()) {
            let arms: Vec<Node> = arms.into_iter().filter_map(|arm| Some(bracketed(all(arm)?))).collect();
            of_all.extend((arms.len() > 1).then(|| bracketed(Expr::Or(arms).into())));
        }
        all(of_all)
    }

    /// For each arm, what the rows that it needs satisfy; `None` if it needs every row.
    pub(super) fn of_each_arm(self) -> impl Iterator<Item = Option<Node>> {
        let of_all = self.of_all;
        self.of_arms.into_iter().map(move |arm| all(of_all.iter().cloned().chain(arm).collect()))
    }
}

/// A condition on a mapping table as one on the fields of its key.
pub(super) fn recognised(entry: &Entry, tree: &Node) -> Recognised {
    let schema = entry.table.schema();
    recognise(schema, bind(tree, &MappingScope(schema), Setting::Query(None)))
}

/// As `recognised`, for keys that fit the layout alone.
fn recognised_of_fitting(entry: &Entry, tree: &Node) -> Node {
    let schema = entry.table.schema();
    written_node(&recognise_fitting(schema, bind(tree, &MappingScope(schema), Setting::Query(None))))
}

fn bracketed(node: Node) -> Node {
    Expr::Nested(node.into()).into()
}

impl Rewriter<'_> {
    /// What all rows that the block needs satisfy; `None` if every row is needed.
    fn predicate(&self, block: &Block, conditions: &[Condition<'_>]) -> Option<Node> {
        let Some(one_of) = self.later_values_of_arms(block, conditions) else {
            return Narrowing::new(block, conditions.iter()).of_block();
        };
        let others = conditions.iter().filter(|condition| !condition.is_later());
        let others = Narrowing::new(block, others).of_block();
        all(others.into_iter().chain([one_of]).collect())
    }

    /// If each of several INSERTs compares one column with values, some of which are known when the query runs, the column has one of
    /// these values: below OR a plan could not use them.
    fn later_values_of_arms(&self, block: &Block, conditions: &[Condition<'_>]) -> Option<Node> {
        let is_of_arm = |condition: &&Condition<'_>| {
            condition.fate.is_ok()
                && matches!(condition.place, ConditionPlace::Where(_) | ConditionPlace::Having(_))
        };
        let mut of_arms: Vec<Vec<Node>> = vec![Vec::new(); block.arms.len()];
        if of_arms.len() < 2 || !conditions.iter().filter(is_of_arm).any(Condition::is_later) {
            return None;
        }
        for condition in conditions.iter().filter(is_of_arm) {
            if let ConditionPlace::Where(arm) | ConditionPlace::Having(arm) = condition.place {
                of_arms[arm].push(of_one_table(&condition.node));
            }
        }
        let of_arms: Vec<Vec<&Node>> = of_arms.iter().map(|arm| arm.iter().collect()).collect();
        let are_later =
            |values: &[&Node]| values.iter().all(|value| matches!(value.bare().expr, Expr::Runtime(_)));
        let (operand, values) = equal_values(&of_arms, are_later)?;
        let mut list: Vec<Node> = Vec::new();
        for value in values {
            if !list.iter().any(|known| known.expr == value.expr) {
                list.push(value.clone());
            }
        }
        // One value is a condition of all INSERTs.
        if list.len() < 2 {
            return None;
        }
        Some(bracketed(Expr::InList { expr: operand.clone().into(), list, negated: false }.into()))
    }

    /// A tree of a part of the script as a predicate.
    fn parsed(&self, entry: &Entry, tree: Node) -> Parsed {
        let tree = match entry.named {
            Named::View => tree,
            Named::Mapping => written_node(&recognised(entry, &tree).tree),
        };
        let runtime = self.runtime.values(&tree);
        Parsed { source: Arc::clone(self.source), tree, warnings: Vec::new(), runtime }
    }

    /// The plan of a predicate, whatever it reads.
    pub(super) fn plan_of_any(&self, entry: &Entry, tree: Node) -> Result<Planned, PlanFault> {
        entry.table.try_plan_tree(&self.parsed(entry, tree), &PlanOptions::accepting_all())
    }

    /// For each arm of a block, whether no key that fits the layout satisfies the conditions on a mapping table. Such a table is read as a
    /// whole, because its queries may look for other keys.
    pub(super) fn arms_of_no_key(
        &self,
        facts: &BlockFacts<'_>,
        relation: usize,
        position: usize,
    ) -> Vec<bool> {
        let entry = self.catalog.entry(position);
        let rules = self.rules_of(facts, relation, facts.scope.table(position));
        let mut conditions = rules.conditions();
        self.recognise_pieces(entry, &mut conditions);
        self.drop_unread(entry, &mut conditions);
        let mut known: HashMap<Node, bool> = HashMap::new();
        let is_empty = |tree: &Node| {
            let tree = recognised_of_fitting(entry, tree);
            let runtime = self.runtime.values(&tree);
            let parsed = Parsed { source: Arc::clone(self.source), tree, warnings: Vec::new(), runtime };
            let planned = entry.table.try_plan_tree(&parsed, &PlanOptions::accepting_all());
            planned.is_ok_and(|planned| planned.plan().kind == PlanKind::Empty)
        };
        let arms = Narrowing::new(facts.block, conditions.iter()).of_each_arm();
        arms.map(|tree| tree.is_some_and(|tree| *known.entry(tree).or_insert_with_key(is_empty))).collect()
    }

    /// The plan for the conditions that may narrow a reference, and the pieces of the row key in them if it is a mapping table.
    pub(super) fn plan_of_table(
        &self,
        entry: &Entry,
        table: &KnownTable<'_>,
        block: &Block,
        conditions: &mut [Condition<'_>],
    ) -> (Vec<Piece>, Result<(Node, Planned), WhyLeft>) {
        match entry.named {
            Named::View => {
                self.drop_other_meanings(table, conditions);
                (Vec::new(), self.plan(entry, block, conditions))
            }
            Named::Mapping => {
                let pieces = self.recognise_pieces(entry, conditions);
                let planned = match pieces.is_empty() {
                    true => Err(WhyLeft::NoCondition),
                    false => self.plan(entry, block, conditions),
                };
                (pieces, planned)
            }
        }
    }

    /// The plan for the conditions that may narrow a reference. Conditions that the planner does not
    /// understand are not used.
    fn plan(
        &self,
        entry: &Entry,
        block: &Block,
        conditions: &mut [Condition<'_>],
    ) -> Result<(Node, Planned), WhyLeft> {
        let mut options = self.options.plan.clone();
        (options.allow_full_scan, options.allow_empty) = (false, true);
        let attempt = |conditions: &[Condition<'_>]| {
            let predicate = self.predicate(block, conditions)?;
            let parsed = self.parsed(entry, predicate);
            Some(entry.table.try_plan_tree(&parsed, &options).map(|planned| (parsed.tree, planned)))
        };
        // Each round removes conditions, in each way once.
        let (mut is_short, mut are_read, mut are_later_tried) = (false, false, false);
        loop {
            let Some(planned) = attempt(conditions) else { return Err(why_without(conditions)) };
            let fault = match planned {
                Ok(planned) => return Ok(planned),
                Err(fault) => fault,
            };
            let has_later = conditions.iter().any(|condition| condition.fate.is_ok() && condition.is_later());
            match &fault {
                PlanFault::Invalid(found) if is_too_long(found) && !is_short => {
                    is_short = true;
                    drop_long(block, conditions);
                }
                PlanFault::Invalid(_) if !are_read => {
                    are_read = true;
                    self.drop_unread(entry, conditions);
                }
                PlanFault::Refused(Refusal::NeedsValue { .. }) | PlanFault::Invalid(_)
                    if has_later && !are_later_tried =>
                {
                    are_later_tried = true;
                    keep_later(conditions, &attempt);
                }
                PlanFault::Refused(refusal) => return Err(WhyLeft::Refused(Box::new(refusal.clone()))),
                fault => {
                    let because = match fault {
                        PlanFault::Invalid(Diagnostics(found)) => {
                            found.first().map_or(String::new(), |first| format!(": {}", first.message))
                        }
                        _ => String::new(),
                    };
                    return Err(WhyLeft::construct(
                        format!("the planner does not understand the combination of its conditions{because}"),
                        "write them in a simpler form, or split the query",
                    ));
                }
            }
        }
    }

    /// Marks the conditions that Hive compares otherwise than the planner, and takes of the others what they say of stored times.
    fn drop_other_meanings(&self, table: &KnownTable<'_>, conditions: &mut [Condition<'_>]) {
        for condition in conditions.iter_mut().filter(|condition| condition.fate.is_ok()) {
            let stored = match self.other_meaning(&condition.node, table) {
                None => moved::of_stored(&condition.node, table),
                Some(reason) => Err(reason),
            };
            match stored {
                Ok(stored) => condition.node = stored,
                Err(reason) => condition.fate = Err(Unused::new(Rule::Plain, reason)),
            }
        }
    }

    fn other_meaning(&self, condition: &Node, table: &KnownTable<'_>) -> Option<String> {
        meaning::fault(condition, table).or_else(|| fault_of_texts(condition, table, &self.runtime))
    }

    /// The pieces of the row key of a mapping table in conditions. Conditions that mean something else to Hive as conditions on fields
    /// are marked.
    fn recognise_pieces(&self, entry: &Entry, conditions: &mut [Condition<'_>]) -> Vec<Piece> {
        let schema = entry.table.schema();
        let fields = entry.table.logical_of_mapping().map(|logical| KnownTable::with_fields(logical, schema));
        let mut pieces: Vec<Piece> = Vec::new();
        // Whether the block has a condition on the key itself, and one on a piece of it.
        let (mut has_own_range, mut has_own_piece) = (false, false);
        for condition in conditions {
            let tree = of_one_table(&condition.node);
            let is_own = condition.place != ConditionPlace::Around;
            let names_key = columns(&tree).iter().any(|(column, _)| schema.column(&column.name).is_none());
            if let Err(unused) = &condition.fate {
                // Such as a range up to a value that is filled in when the query runs.
                has_own_range |= is_own && names_key && unused.rule != Rule::OneTable;
                continue;
            }
            // For the planner it would be the field.
            let shared = columns(&tree).into_iter().find(|(column, _)| schema.field(&column.name).is_some());
            if let Some((column, _)) = shared {
                let reason = format!("the schema has a key field `{}`, too", column.name);
                condition.fate = Err(Unused::new(Rule::Plain, reason));
                continue;
            }
            let found = recognised(entry, &tree);
            let of_fields = written_node(&found.tree);
            let fault = fields.as_ref().and_then(|fields| self.other_meaning(&of_fields, fields));
            if let Some(reason) = fault.or_else(|| meaning::fault_of_pieces(&found.tree, schema)) {
                condition.fate = Err(Unused::new(Rule::Plain, reason));
                continue;
            }
            has_own_piece |= is_own && !found.pieces.is_empty();
            has_own_range |= is_own && names_key && found.pieces.is_empty();
            let is_new = |piece: &Piece| !pieces.iter().any(|known| known.expression == piece.expression);
            let new: Vec<Piece> = found.pieces.into_iter().filter(is_new).collect();
            pieces.extend(new);
        }
        // Ranges that were put there before: conditions around them are those from which they were made.
        if has_own_range && !has_own_piece {
            pieces.clear();
        }
        pieces
    }

    /// Marks the conditions that the planner does not understand individually.
    fn drop_unread(&self, entry: &Entry, conditions: &mut [Condition<'_>]) {
        // Equal inserts have equal conditions.
        let mut known: HashMap<Node, Option<String>> = HashMap::new();
        for condition in conditions.iter_mut().filter(|condition| condition.fate.is_ok()) {
            let is_later = condition.is_later();
            let fault = |tree: &Node| match self.plan_of_any(entry, tree.clone()) {
                Ok(_) | Err(PlanFault::Refused(_)) => None,
                Err(PlanFault::Invalid(Diagnostics(found))) => {
                    let first = found.first();
                    Some(match is_later {
                        true => too_late(first.map_or("", Diagnostic::reason)),
                        false => not_understood(first.map_or("", |first| &first.message)),
                    })
                }
                Err(error) => Some(not_understood(&error.to_string())),
            };
            let tree = of_one_table(&condition.node);
            let reason = match known.get(&tree) {
                Some(reason) => reason.clone(),
                None => known.entry(tree).or_insert_with_key(fault).clone(),
            };
            if let Some(reason) = reason {
                condition.fate = Err(Unused::new(Rule::Plain, reason));
            }
        }
    }
}

/// Why a table without a condition that narrows it is left.
fn why_without(conditions: &[Condition<'_>]) -> WhyLeft {
    match conditions.iter().any(|condition| condition.fate.is_ok()) {
        true => WhyLeft::construct(
            "an INSERT of the query has no condition that narrows the table, so it needs every row",
            "add a condition on the first fields of the key to each INSERT, or split the query",
        ),
        false if conditions.is_empty() => WhyLeft::NoCondition,
        false => WhyLeft::Unused(known_of(conditions)),
    }
}

fn is_too_long(Diagnostics(found): &Diagnostics) -> bool {
    found.iter().any(|diagnostic| diagnostic.kind == DiagnosticKind::Predicate(PredicateFault::TooLong))
}

/// Marks the longest conditions, so that the others are short enough for a plan. An INSERT of several keeps its shortest one, because
/// without any it would need every row.
fn drop_long(block: &Block, conditions: &mut [Condition<'_>]) {
    let mut by_size: Vec<(usize, usize)> = conditions
        .iter()
        .enumerate()
        .filter(|(_, condition)| condition.fate.is_ok())
        // With the brackets and the AND around it.
        .map(|(index, condition)| (size(&condition.node, MAX_PARTS) + 2, index))
        .collect();
    by_size.sort_unstable();
    let mut has_one = vec![block.arms.len() < 2; block.arms.len()];
    let (needed, others): (Vec<_>, Vec<_>) =
        by_size.into_iter().partition(|(_, index)| match conditions[*index].place {
            ConditionPlace::Where(arm) | ConditionPlace::Having(arm) => {
                !std::mem::replace(&mut has_one[arm], true)
            }
            ConditionPlace::On(_) | ConditionPlace::Around => false,
        });
    let mut left = MAX_PARTS;
    for (size, index) in needed.into_iter().chain(others) {
        match left.checked_sub(size) {
            Some(rest) => left = rest,
            None => {
                let reason = "together with the other conditions it is too long for a plan";
                conditions[index].fate = Err(Unused::new(Rule::Plain, reason));
            }
        }
    }
}

/// Keeps those conditions with values of run time that have a plan together with the others, and marks the rest: a plan has such values
/// of one field only.
fn keep_later(conditions: &mut [Condition<'_>], attempt: &dyn Fn(&[Condition<'_>]) -> Option<Attempt>) {
    let is_open = |condition: &Condition<'_>| condition.fate.is_ok() && condition.is_later();
    let later: Vec<usize> = (0..conditions.len()).filter(|index| is_open(&conditions[*index])).collect();
    let too_late = |why: &str| Err(Unused::new(Rule::Plain, too_late(why)));
    for index in &later {
        conditions[*index].fate = too_late("there are too many of its kind");
    }
    for index in later.into_iter().take(MAX_LATER) {
        conditions[index].fate = Ok(());
        let why = match attempt(conditions) {
            Some(Ok(_)) => continue,
            Some(Err(PlanFault::Refused(Refusal::NeedsValue { reason, .. }))) => reason,
            Some(Err(PlanFault::Refused(refusal))) => refusal.to_string(),
            Some(Err(_)) => "a plan takes such values of one field, and one for each end of a range".into(),
            None => "another INSERT needs every row".into(),
        };
        conditions[index].fate = too_late(&why);
    }
}

/// How the first value can be given that is known only when the query runs.
fn known_of(conditions: &[Condition<'_>]) -> Option<Known> {
    conditions.iter().find_map(|condition| condition.fate.as_ref().err()?.known)
}

/// Why a condition with a value that is filled in later is not used.
fn too_late(why: &str) -> String {
    format!("its value must be known when the query is rewritten: {why}")
}

fn not_understood(why: &str) -> String {
    format!("the planner does not understand it: {why}")
}
