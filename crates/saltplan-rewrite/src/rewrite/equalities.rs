//! Conditions that follow from equal columns: from `x = y` and a condition on `x` alone, the same condition on `y`.
//!
//! Let `C(x)` be a condition that may narrow the relation of `x`, so that the block returns the same rows if that relation has only
//! rows for which `C(x)` is true. Then `x = y` is never true without `C(y)`, so that `C(y)` may stand beside `x = y`, wherever that
//! is, and narrows the relation of `y` if a condition there does. If both stand in the same ON, `C(x)` need not narrow anything.
//! The rows of a subquery that compares its column with `x` are narrowed alike: `EXISTS` and `NOT EXISTS` see only rows for which the
//! comparison is true, and so does `IN`. `NOT IN` also sees NULLs, so nothing follows for it.
//!
//! Equal values must be the same values for the condition: both columns have one type, or the condition compares whole numbers and `y`
//! is a whole number ([`crate::whole_numbers`]). A text is no such condition: of a text `u` and an int `y`, `u = y` is true for `'5'` and 5, and `y = '05'` then
//! is true, but `u = '05'` is not.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;

use saltplan_sql::ast::{Column, Expr, Node, ScriptExpr};
use saltplan_sql::rewrite::replace;

use super::Rewriter;
use crate::around::{Around, Pushed};
use crate::conditions::{equal_columns, only_column, subqueries};
use crate::facts::{BlockFacts, OnColumn};
use crate::names::Owner;
use crate::outputs::ColumnType;
use crate::rules::{ConditionPlace, Rule, Unused};
use crate::scope::Scope;
use crate::whole_numbers::for_equal_value;

/// A column of a relation, by its name in lower case.
type ColumnOf = (usize, String);

/// The conditions of a block on single columns that narrow their relations, for its subqueries.
#[derive(Debug)]
pub(super) struct OuterConditions {
    block: usize,
    by_column: HashMap<ColumnOf, Vec<OnColumn>>,
}

/// A comparison of two columns, seen from one of them.
struct Equality {
    /// The index of the candidate.
    candidate: usize,
    /// The other column, as it is written.
    to: Node,
    relation: usize,
    name: String,
}

impl Rewriter<'_> {
    /// Adds the conditions that follow from equal columns to those of a block. Returns those on single columns for its subqueries.
    pub(super) fn add_equal(
        &self,
        facts: &mut BlockFacts<'_>,
        outer: Option<&OuterConditions>,
        has_subqueries: bool,
    ) -> Option<OuterConditions> {
        let mut from: HashMap<ColumnOf, Vec<Equality>> = HashMap::new();
        let mut relations: BTreeSet<usize> = BTreeSet::new();
        let mut found: Vec<(ColumnOf, OnColumn)> = Vec::new();
        for (index, candidate) in facts.candidates().iter().enumerate() {
            let Some(sides) = equal_columns(&candidate.node).filter(|_| candidate.blocked.is_none()) else {
                continue;
            };
            for [x, y] in [[sides[0], sides[1]], [sides[1], sides[0]]] {
                let (Expr::Column(of_x), Expr::Column(of_y)) = (&x.expr, &y.expr) else { continue };
                let Owner::Relation(relation) = facts.owner(of_y) else { continue };
                if self.rules_of(facts, relation, None).may_narrow(&candidate.node, candidate.place).is_err()
                {
                    continue;
                }
                let to =
                    Equality { candidate: index, to: y.clone(), relation, name: of_y.name.to_lowercase() };
                match facts.owner(of_x) {
                    Owner::Relation(of) => {
                        relations.insert(of);
                        from.entry((of, of_x.name.to_lowercase())).or_default().push(to);
                    }
                    // A plain name may be a column of a relation whose columns are not known.
                    Owner::Elsewhere
                        if !of_x.qualifier.is_empty() || facts.scope.names(facts.index).are_complete() =>
                    {
                        let (of_type, conditions) =
                            outer.map_or((ColumnType::Unknown, &[][..]), |outer| outer.on(facts.scope, of_x));
                        for condition in conditions {
                            found.extend(self.passed(facts, condition, of_type, false, &to));
                        }
                    }
                    _ => {}
                }
            }
        }
        if has_subqueries {
            relations.extend(0..facts.block.relations.len());
        }
        let mut by_column: HashMap<ColumnOf, Vec<OnColumn>> = HashMap::new();
        let mut left: VecDeque<(ColumnOf, OnColumn)> = VecDeque::new();
        for relation in relations {
            for condition in self.rules_of(facts, relation, None).conditions() {
                let narrows = match &condition.fate {
                    Ok(()) => true,
                    Err(unused) if matches!(unused.rule, Rule::Place | Rule::Null) => false,
                    Err(_) => continue,
                };
                let Some(name) =
                    only_column(&condition.node).filter(|_| subqueries(&condition.node).is_empty())
                else {
                    continue;
                };
                let on = OnColumn {
                    node: (*condition.node).clone(),
                    place: condition.place,
                    origins: Rc::from(condition.origins),
                    of_several: condition.of_several,
                    narrows,
                    blocked: None,
                };
                left.push_back(((relation, name), on));
            }
        }
        let mut seen: HashSet<(ColumnOf, Node)> =
            left.iter().map(|(column, on)| (column.clone(), on.node.clone())).collect();
        // So that the time is linear in the number of conditions.
        let mut room = 200 + 20 * facts.candidates().len();
        let mut added = Vec::new();
        left.extend(found.iter().filter(|(_, on)| on.blocked.is_none()).cloned());
        added.append(&mut found);
        while let Some((column, on)) = left.pop_front() {
            let of_type = facts.type_of(column.0, &column.1);
            for equality in from.get(&column).into_iter().flatten() {
                let passed = self.passed(facts, &on, of_type, true, equality).filter(|_| room > 0);
                let Some((column, on)) = passed else { continue };
                room -= 1;
                if seen.insert((column.clone(), on.node.clone())) {
                    added.push((column.clone(), on.clone()));
                    if on.blocked.is_none() {
                        left.push_back((column, on));
                    }
                }
            }
            if on.narrows {
                by_column.entry(column).or_default().push(on);
            }
        }
        for ((relation, _), on) in added {
            facts.add(relation, on);
        }
        let is_one_arm = facts.block.arms.len() == 1;
        (has_subqueries && is_one_arm).then_some(OuterConditions { block: facts.index, by_column })
    }

    /// What follows for the other column of a comparison, from a condition on a column of a type that is one of this block or not.
    fn passed(
        &self,
        facts: &BlockFacts<'_>,
        on: &OnColumn,
        of_type: ColumnType,
        is_here: bool,
        equality: &Equality,
    ) -> Option<(ColumnOf, OnColumn)> {
        let place = facts.candidates()[equality.candidate].place;
        let rules = self.rules_of(facts, equality.relation, None);
        // As a condition in this ON it would keep the reference as it is.
        if matches!(place, ConditionPlace::On(_)) && rules.is_nullable(place) {
            return None;
        }
        let is_for_all =
            facts.block.arms.len() == 1 || matches!(on.place, ConditionPlace::On(_) | ConditionPlace::Around);
        let is_beside = matches!(place, ConditionPlace::On(_)) && on.place == place;
        if is_here && !(on.narrows && is_for_all || is_beside) {
            return None;
        }
        let to = facts.type_of(equality.relation, &equality.name);
        let same = for_equal_value(&on.node, of_type, to);
        let blocked = same.is_none().then(|| {
            let candidate = &facts.candidates()[equality.candidate];
            let shown = rules.text_at(candidate.origins.first().map_or(candidate.node.span, |origin| origin.span));
            let reason = format!("the columns of `{shown}` may have different types: write the condition on the table's own column, too");
            Unused::new(Rule::SameType, reason)
        });
        let mut node = same.unwrap_or_else(|| on.node.clone());
        replace(&mut node, &mut |part| match &part.expr {
            Expr::Column(_) => Some(equality.to.expr.clone()),
            _ => None,
        });
        let narrows = blocked.is_none() && rules.may_narrow(&node, place).is_ok();
        let on = OnColumn { node, place, narrows, blocked, ..on.clone() };
        Some(((equality.relation, equality.name.clone()), on))
    }
}

impl OuterConditions {
    /// The type of a column of the block, and the conditions on it.
    fn on(&self, scope: &Scope<'_>, column: &Column) -> (ColumnType, &[OnColumn]) {
        let Owner::Relation(relation) = scope.owner(self.block, column) else {
            return (ColumnType::Unknown, &[]);
        };
        let name = column.name.to_lowercase();
        let of_type = scope.known_type(scope.sources(self.block)[relation], &name);
        (of_type, self.by_column.get(&(relation, name)).map_or(&[], Vec::as_slice))
    }
}

/// Hands the conditions on `x` of `x IN (SELECT y …)` on to the query.
pub(super) fn add_in_queries(facts: &BlockFacts<'_>, conditions: &OuterConditions, around: &mut Around<'_>) {
    for candidate in facts.candidates() {
        let Expr::Script(ScriptExpr::InQuery { expr, query, negated: false }) = &candidate.node.bare().expr
        else {
            continue;
        };
        let (Expr::Column(x), Some(outputs)) = (&expr.bare().expr, facts.scope.known_outputs(*query)) else {
            continue;
        };
        let [y] = outputs.columns.as_slice() else { continue };
        let (of_type, of_x) = conditions.on(facts.scope, x);
        let passed = of_x.iter().filter(|_| !y.name.is_empty()).filter_map(|on| {
            let mut node = for_equal_value(&on.node, of_type, y.column_type)?;
            replace(&mut node, &mut |part| match &part.expr {
                Expr::Column(_) => Some(Expr::Column(Column::new(y.name.clone()))),
                _ => None,
            });
            Some(Pushed {
                node,
                origins: Rc::clone(&on.origins),
                is_part: false,
                blocked: None,
                of_several: on.of_several,
            })
        });
        around.add_use(*query, passed.collect());
    }
}
