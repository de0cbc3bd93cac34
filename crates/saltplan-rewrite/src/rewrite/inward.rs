//! Hands the conditions of a block on to the queries that it reads.

use std::collections::HashMap;
use std::rc::Rc;

use saltplan_sql::ast::{Column, Expr, Node};
use saltplan_sql::rewrite::replace;
use saltplan_sql::script::QueryId;

use super::Rewriter;
use super::equalities::{OuterConditions, add_in_queries};
use super::places::why_fixed;
use crate::around::{Around, Pushed, either};
use crate::conditions::subqueries;
use crate::facts::BlockFacts;
use crate::names::Owner;
use crate::rules::{Condition, ConditionPlace, Rule, Unused};
use crate::scope::{ResolvedSource, Scope};

impl Rewriter<'_> {
    /// The facts of each block that reads a logical table, itself or in a query inside it; `None` for other blocks.
    pub(super) fn facts_of_blocks<'b>(&self, scope: &'b Scope<'b>) -> Vec<Option<BlockFacts<'b>>> {
        let count = scope.statement.blocks.len();
        let mut facts: Vec<Option<BlockFacts<'b>>> = Vec::new();
        facts.resize_with(count, || None);
        let mut around = Around::new(scope, &self.redefined);
        // Outer blocks are behind inner ones, and uses of a WITH query behind it.
        let mut outer: HashMap<QueryId, Rc<OuterConditions>> = HashMap::new();
        for index in (0..count).rev() {
            let subqueries = &scope.statement.blocks[index].subqueries;
            let subqueries: Vec<QueryId> =
                subqueries.iter().copied().filter(|query| scope.query_reads_table(*query)).collect();
            if !scope.block_reads_table(index) && subqueries.is_empty() {
                continue;
            }
            let mut of_block = BlockFacts::new(self.tokens, scope, index, around.on_block(index));
            let around_block = scope.home(index).and_then(|query| outer.get(&query)).map(Rc::clone);
            let conditions = self.add_equal(&mut of_block, around_block.as_deref(), !subqueries.is_empty());
            if let Some(conditions) = conditions {
                add_in_queries(&of_block, &conditions, &mut around);
                let conditions = Rc::new(conditions);
                outer.extend(subqueries.into_iter().map(|query| (query, Rc::clone(&conditions))));
            }
            for (relation, source) in scope.sources(index).iter().enumerate() {
                if let ResolvedSource::Query(query) = source
                    && scope.query_reads_table(*query)
                {
                    around.add_use(*query, self.conditions_on_query(&of_block, relation));
                }
            }
            facts[index] = Some(of_block);
        }
        facts
    }

    /// What a block says about the rows of a query that it reads as a relation: what all its arms say, and what each of them says.
    pub(super) fn conditions_by_arm(
        &self,
        facts: &BlockFacts<'_>,
        relation: usize,
    ) -> (Vec<Pushed>, Vec<Vec<Pushed>>) {
        let rules = self.rules_of(facts, relation, None);
        let conditions = rules.conditions();
        let fault = match facts.block.relations[relation].fixed {
            Some(fixed) => Some(why_fixed(fixed)),
            None if conditions.iter().any(|condition| rules.is_filtered_late(condition)) => Some(
                "the ON of a join after an outer join tests the query, and Hive on MapReduce may then keep rows that this ON excludes",
            ),
            None => None,
        };
        let mut of_all = Vec::new();
        let mut of_arms: Vec<Vec<Pushed>> = vec![Vec::new(); facts.block.arms.len()];
        for condition in conditions {
            let pushed = on_columns(facts, relation, &condition, fault);
            match condition.place {
                ConditionPlace::On(_) | ConditionPlace::Around => of_all.push(pushed),
                ConditionPlace::Where(arm) | ConditionPlace::Having(arm) => of_arms[arm].push(pushed),
            }
        }
        (of_all, of_arms)
    }

    /// What a block says about the rows of a query that it reads as a relation: all its arms together.
    pub(super) fn conditions_on_query(&self, facts: &BlockFacts<'_>, relation: usize) -> Vec<Pushed> {
        let (mut of_all, mut of_arms) = self.conditions_by_arm(facts, relation);
        let is_silent = |arm: &Vec<Pushed>| arm.iter().all(|pushed| pushed.blocked.is_some());
        if of_arms.len() > 1 && of_arms.iter().any(is_silent) {
            let reason = "another INSERT of the query needs every row";
            of_arms.iter_mut().flatten().for_each(|pushed| block(pushed, reason));
        }
        of_all.extend(either(of_arms));
        of_all
    }
}

/// A condition on a relation as one on the columns of its query. Columns of others have no name.
fn on_columns(
    facts: &BlockFacts<'_>,
    relation: usize,
    condition: &Condition<'_>,
    fault: Option<&'static str>,
) -> Pushed {
    let mut node: Node = (*condition.node).clone();
    replace(&mut node, &mut |part| {
        let Expr::Column(column) = &part.expr else { return None };
        let is_own = facts.owner(column) == Owner::Relation(relation);
        let name = if is_own { column.name.to_lowercase() } else { String::new() };
        Some(Expr::Column(Column::new(name)))
    });
    let mut pushed = Pushed {
        node,
        origins: Rc::from(condition.origins),
        is_part: condition.is_part,
        blocked: condition.fate.as_ref().err().cloned(),
        of_several: condition.of_several,
    };
    if let Some(reason) = fault {
        block(&mut pushed, reason);
    }
    if !subqueries(&pushed.node).is_empty() {
        let reason = "it contains a subquery".to_string();
        pushed.blocked.get_or_insert(Unused::new(Rule::Plain, reason));
    }
    pushed
}

fn block(pushed: &mut Pushed, reason: &str) {
    pushed.blocked.get_or_insert_with(|| Unused::new(Rule::Between, reason));
}
