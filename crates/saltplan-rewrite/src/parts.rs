//! What a condition with OR says about one of several relations.
//!
//! If an OR is true, one of its arms is true. So if every arm says something about a relation alone, the OR of that follows: from
//! `(a.x = 1 AND b.y = 2) OR (a.x = 3 AND b.y = 4)` follows `a.x = 1 OR a.x = 3`. An arm may say it by an equal column, too: from
//! `(a.x = 1 AND a.x = b.y) OR (a.x = 3 AND a.x = b.y)` follows `b.y = 1 OR b.y = 3`. `a.x = b.y` in one arm says nothing about the
//! others: from `(a.x = 1 AND b.y = 2) OR a.x = b.y` nothing follows for `b`.

use saltplan_core::messages::Span;
use saltplan_sql::ast::{Column, Expr, Node};
use saltplan_sql::rewrite::replace;

use crate::conditions::{all, columns, conjuncts, equal_columns, implied, only_column, subqueries};
use crate::facts::Candidate;
use crate::names::Owner;
use crate::rules::{ConditionPlace, Reference};
use crate::whole_numbers::for_equal_value;

/// From an OR about more tables than this, nothing follows for each.
const MAX_IN_OR: usize = 16;

/// The most equal columns of one arm that are looked at.
const MAX_EQUAL: usize = 8;

impl Reference<'_, '_, '_> {
    /// What an OR says about the reference alone.
    pub(crate) fn part_of_or(&self, candidate: &Candidate<'_>) -> Option<Node> {
        let Expr::Or(arms) = &candidate.node.bare().expr else { return None };
        let mut relations: Vec<usize> = Vec::new();
        for (owner, _) in &candidate.columns {
            if let Owner::Relation(relation) = owner
                && !relations.contains(relation)
            {
                relations.push(*relation);
            }
            // So that the time is linear in the length of the condition.
            if relations.len() > MAX_IN_OR {
                return None;
            }
        }
        let arms: Option<Vec<Node>> = arms.iter().map(|arm| self.part_of_arm(arm, candidate.place)).collect();
        Some(Node::new(Expr::Or(arms?), candidate.node.bare().span))
    }

    /// What follows for the reference alone if an arm of an OR is true.
    fn part_of_arm(&self, arm: &Node, place: ConditionPlace) -> Option<Node> {
        let own = implied(arm, &mut |part| self.is_own(part).then(|| part.clone()));
        // As a condition in this ON it would keep the reference as it is.
        if matches!(place, ConditionPlace::On(_)) && self.is_nullable(place) {
            return own;
        }
        let by_equal_columns = self.by_equal_columns(arm);
        if by_equal_columns.is_empty() {
            return own;
        }
        let own = own.map(|own| Expr::Nested(own.into()).into());
        let found = all(own.into_iter().chain(by_equal_columns).collect())?;
        Some(Node::new(Expr::Nested(found.into()), arm.span))
    }

    /// Whether a condition is about the reference alone and has known values.
    fn is_own(&self, node: &Node) -> bool {
        let columns = columns(node);
        let is_own =
            |(column, _): &(&Column, Span)| self.facts.owner(column) == Owner::Relation(self.relation);
        !columns.is_empty() && columns.iter().all(is_own) && self.known_values(node).is_ok()
    }

    /// The conditions of an AND on single columns of other relations, as conditions on the columns of the reference that the AND
    /// compares with them.
    fn by_equal_columns(&self, arm: &Node) -> Vec<Node> {
        let conjuncts = conjuncts(arm);
        let mut found = Vec::new();
        for [x, y] in conjuncts.iter().filter_map(|part| equal_columns(part)).take(MAX_EQUAL) {
            for [x, y] in [[x, y], [y, x]] {
                let (Expr::Column(of_x), Expr::Column(of_y)) = (&x.expr, &y.expr) else { continue };
                let Owner::Relation(relation) = self.facts.owner(of_x) else { continue };
                if relation == self.relation || self.facts.owner(of_y) != Owner::Relation(self.relation) {
                    continue;
                }
                let name = of_x.name.to_lowercase();
                let from = self.facts.type_of(relation, &name);
                let to = self.facts.type_of(self.relation, &of_y.name.to_lowercase());
                let is_on_x = |part: &&&Node| {
                    let is_of_x =
                        |(column, _): &(&Column, Span)| self.facts.owner(column) == Owner::Relation(relation);
                    only_column(part).is_some_and(|only| only == name)
                        && columns(part).iter().all(is_of_x)
                        && subqueries(part).is_empty()
                };
                for part in conjuncts.iter().filter(is_on_x) {
                    let Some(mut node) = for_equal_value(part, from, to) else { continue };
                    replace(&mut node, &mut |part| match &part.expr {
                        Expr::Column(_) => Some(y.expr.clone()),
                        _ => None,
                    });
                    found.extend(self.is_own(&node).then_some(node));
                }
            }
        }
        found
    }
}
