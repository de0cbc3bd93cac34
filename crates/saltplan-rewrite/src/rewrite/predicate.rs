//! The conditions that may narrow a reference, as one predicate, and its plan.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use saltplan_core::messages::{Diagnostic, Diagnostics};
use saltplan_core::plans::MaxWidening;
use saltplan_core::refusal::Refusal;
use saltplan_core::table::PlanFault;
use saltplan_core::{Accept, PlanOptions, Planned, Table};
use saltplan_sql::Parsed;
use saltplan_sql::ast::{Expr, Node};
use saltplan_sql::script::Block;

use super::Rewriter;
use crate::conditions::{all, in_all, of_one_table};
use crate::meaning;
use crate::report::WhyLeft;
use crate::rules::{Condition, Place, Rule, Unused};
use crate::scope::KnownTable;

/// The conditions of a block that may narrow a reference, as conditions of one table.
pub(super) struct Narrowing {
    /// For all arms.
    of_all: Vec<Node>,
    /// For each arm.
    of_arms: Vec<Vec<Node>>,
}

impl Narrowing {
    pub(super) fn new<'c>(block: &Block, conditions: impl Iterator<Item = &'c Condition<'c>>) -> Self {
        let mut narrowing = Narrowing { of_all: Vec::new(), of_arms: vec![Vec::new(); block.arms.len()] };
        for condition in conditions.filter(|condition| condition.fate.is_ok()) {
            let node = Node::new(Expr::Nested(of_one_table(&condition.node).into()), condition.node.span);
            match condition.place {
                Place::On(_) | Place::Around => narrowing.of_all.push(node),
                Place::Where(arm) | Place::Having(arm) => narrowing.of_arms[arm].push(node),
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

fn bracketed(node: Node) -> Node {
    Expr::Nested(node.into()).into()
}

impl Rewriter<'_> {
    /// A tree of a part of the script as a predicate.
    fn parsed(&self, tree: Node) -> Parsed {
        let runtime = self.runtime.values(&tree);
        Parsed { source: Arc::clone(self.source), tree, warnings: Vec::new(), runtime }
    }

    /// The plan of a predicate, whatever it reads.
    pub(super) fn plan_of_any(&self, table: &Table, tree: Node) -> Result<Planned, PlanFault> {
        let options = PlanOptions::default().accepting(Accept::ALL).with_max_widening(MaxWidening::Any);
        table.try_plan_tree(&self.parsed(tree), &options)
    }

    /// The plan for the conditions that may narrow a reference. Conditions that the planner does not
    /// understand are not used.
    pub(super) fn plan(
        &self,
        table: &Table,
        block: &Block,
        conditions: &mut [Condition<'_>],
    ) -> Result<(Node, Planned), WhyLeft> {
        let accept = Accept::default().empty(true);
        let options = self.options.plan.clone().accepting(accept);
        // Each round removes conditions. Conditions that the planner does not understand individually are
        // removed once.
        let mut are_read = false;
        let mut last = String::new();
        for _ in 0..4 {
            let Some(predicate) = Narrowing::new(block, conditions.iter()).of_block() else {
                return Err(match conditions.iter().any(|condition| condition.fate.is_ok()) {
                    true => WhyLeft::construct(
                        "an INSERT of the query has no condition that narrows the table, so it needs every row",
                        "add a condition on the first fields of the key to each INSERT, or split the query",
                    ),
                    false if conditions.is_empty() => WhyLeft::NoCondition,
                    false => WhyLeft::Unused,
                });
            };
            let parsed = self.parsed(predicate);
            match table.try_plan_tree(&parsed, &options) {
                Ok(planned) => return Ok((parsed.tree, planned)),
                Err(PlanFault::Refused(Refusal::NeedsValue { reason, .. })) => {
                    drop_later(conditions, &reason);
                }
                Err(PlanFault::Refused(refusal)) => return Err(WhyLeft::Refused(Box::new(refusal))),
                Err(fault) => {
                    if let PlanFault::Invalid(Diagnostics(found)) = fault {
                        last = found.first().map_or(String::new(), |first| format!(": {}", first.message));
                    }
                    match are_read {
                        false => self.drop_unread(table, conditions),
                        true => drop_later(conditions, "the conditions are not understood together"),
                    }
                    are_read = true;
                }
            }
        }
        Err(WhyLeft::construct(
            format!("the planner does not understand the combination of its conditions{last}"),
            "write them in a simpler form, or split the query",
        ))
    }

    /// Marks the conditions that the planner does not understand individually.
    fn drop_unread(&self, table: &Table, conditions: &mut [Condition<'_>]) {
        // Equal inserts have equal conditions.
        let mut known: HashMap<Node, Option<String>> = HashMap::new();
        for condition in conditions.iter_mut().filter(|condition| condition.fate.is_ok()) {
            let is_later = condition.is_later();
            let fault = |tree: &Node| match self.plan_of_any(table, tree.clone()) {
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
                condition.fate = Err(Unused { rule: Rule::Plain, reason });
            }
        }
    }
}

/// Marks the conditions with a value that is filled in too late for a plan.
fn drop_later(conditions: &mut [Condition<'_>], why: &str) {
    for condition in conditions.iter_mut().filter(|condition| condition.fate.is_ok()) {
        if condition.is_later() {
            condition.fate = Err(Unused { rule: Rule::Plain, reason: too_late(why) });
        }
    }
}

/// Marks the conditions in which Hive compares dates and times otherwise than the planner.
pub(super) fn drop_other_meanings(table: &KnownTable<'_>, conditions: &mut [Condition<'_>]) {
    for condition in conditions.iter_mut().filter(|condition| condition.fate.is_ok()) {
        if let Some(reason) = meaning::fault(&condition.node, table) {
            condition.fate = Err(Unused { rule: Rule::Plain, reason });
        }
    }
}

/// Why a condition with a value that is filled in later is not used.
fn too_late(why: &str) -> String {
    format!("its value must be known when the query is rewritten: {why}")
}

fn not_understood(why: &str) -> String {
    format!("the planner does not understand it: {why}")
}
