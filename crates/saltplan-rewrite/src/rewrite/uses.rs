//! Uses of queries whose conditions are never true: an INSERT of several from one derived table, or one of several places that read a
//! WITH query. The query itself is read for the other uses, so its own conditions do not show that this one has no row.

use std::collections::{HashMap, HashSet};

use saltplan_core::plans::PlanKind;
use saltplan_sql::ast::{Node, QueryId};
use saltplan_sql::script::{BlockId, QueryPlace, Statement};

use super::Rewriter;
use crate::around::{Around, Pushed};
use crate::catalog::Named;
use crate::facts::BlockFacts;
use crate::rows::{Fact, Facts, Queries, Use};
use crate::scope::{Certainty, ResolvedSource, Scope};

/// How many blocks are visited in all, so that the time stays linear in the size of the statement. Further uses count as having rows.
const MAX_VISITED: usize = 200_000;

impl Rewriter<'_> {
    /// The uses of queries without a row, of those queries that have several uses.
    pub(super) fn uses_without_rows(
        &self,
        scope: &Scope<'_>,
        facts: &[Option<BlockFacts<'_>>],
    ) -> HashSet<Use> {
        let of_block = |index: usize| scope.sources(index).iter();
        let mut count: HashMap<QueryId, usize> = HashMap::new();
        for source in (0..facts.len()).flat_map(of_block) {
            if let ResolvedSource::Query(query) = source {
                *count.entry(*query).or_default() += 1;
            }
        }
        let mut found = HashSet::new();
        let mut known: HashMap<(QueryId, Vec<Node>), bool> = HashMap::new();
        let mut left = MAX_VISITED;
        for (index, of_block) in facts.iter().enumerate() {
            let Some(of_block) = of_block else { continue };
            for (relation, source) in scope.sources(index).iter().enumerate() {
                let ResolvedSource::Query(query) = source else { continue };
                let is_shared =
                    of_block.block.arms.len() > 1 || count.get(query).is_some_and(|count| *count > 1);
                if !is_shared || !scope.query_reads_table(*query) {
                    continue;
                }
                let (of_all, of_arms) = self.conditions_by_arm(of_block, relation);
                for (arm, of_arm) in of_arms.into_iter().enumerate() {
                    let mut own = of_all.clone();
                    own.extend(of_arm);
                    own.retain(|pushed| pushed.blocked.is_none());
                    if own.is_empty() {
                        continue;
                    }
                    let nodes = own.iter().map(|pushed| pushed.node.clone()).collect();
                    let is_empty = known
                        .entry((*query, nodes))
                        .or_insert_with(|| self.has_no_row(scope, *query, own, &mut left));
                    if *is_empty {
                        found.insert(Use { block: BlockId(index), relation, arm });
                    }
                }
            }
        }
        found
    }

    /// Whether a query has no row that satisfies the conditions of one of its uses.
    fn has_no_row(&self, scope: &Scope<'_>, query: QueryId, of_use: Vec<Pushed>, left: &mut usize) -> bool {
        let statement = scope.statement;
        let Some(rest) = left.checked_sub(statement.blocks.len()) else { return false };
        *left = rest;
        let mut around = Around::new(scope, &self.redefined);
        around.add_use(query, of_use);
        let mut reached = HashSet::from([query]);
        let mut facts = Facts::default();
        // Outer blocks are behind inner ones.
        for index in (0..statement.blocks.len()).rev() {
            let is_inside = scope.home(index).is_some_and(|home| is_reached(statement, &reached, home));
            if !is_inside || !scope.block_reads_table(index) {
                continue;
            }
            let of_block = BlockFacts::new(self.tokens, scope, index, around.on_block(index));
            for (relation, source) in scope.sources(index).iter().enumerate() {
                match source {
                    ResolvedSource::Query(inner) if scope.query_reads_table(*inner) => {
                        reached.insert(*inner);
                        around.add_use(*inner, self.conditions_on_query(&of_block, relation));
                    }
                    ResolvedSource::Table { position, certainty: Certainty::Certain }
                        if self.is_never(&of_block, relation, *position) =>
                    {
                        if let Some((_, name)) = of_block.block.relations[relation].table() {
                            let fact = Fact { is_empty: true, ..Fact::default() };
                            facts.add(self.tokens.place(name).start, 0, fact);
                        }
                    }
                    _ => {}
                }
            }
        }
        Queries::new(self.tokens, scope, &facts, &HashSet::new()).is_empty_query(query)
    }

    /// Whether no row of a table satisfies the conditions of all arms of a block.
    pub(super) fn is_never(&self, facts: &BlockFacts<'_>, relation: usize, position: usize) -> bool {
        let Some(table) = facts.scope.table(position) else { return false };
        let entry = self.catalog.entry(position);
        if entry.named == Named::Mapping {
            return self.arms_of_no_key(facts, relation, position).into_iter().all(|is_empty| is_empty);
        }
        let mut conditions = self.rules_of(facts, relation, Some(table)).conditions();
        let (_, planned) = self.plan_of_table(entry, table, facts.block, &mut conditions);
        planned.is_ok_and(|(_, planned)| planned.plan().kind == PlanKind::Empty)
    }
}

/// Whether a query, or one that it is a part of, is one of those that are read.
fn is_reached(statement: &Statement, reached: &HashSet<QueryId>, query: QueryId) -> bool {
    let outer = |id: &QueryId| {
        let query = statement.query(*id);
        query.outer.filter(|_| query.place == QueryPlace::Term)
    };
    std::iter::successors(Some(query), outer).any(|id| reached.contains(&id))
}
