//! From the syntax tree to [`Constraint`]: names are resolved, negations are pushed down to the conditions, and each condition
//! becomes a constraint on the key.
//!
//! This file takes the predicate apart into its conditions. `walk` finds what one condition implies of the key, whether that is
//! tight, and if not, why Hive checks the condition row by row; `inference` is what it finds for a part of a condition. It
//! compares fields with constants in `comparison`, with `prefix`, `truth_test` and `likes` for special forms.
//!
//! The other files: unknown names (`names`), conditions that Hive does not compile (`refused`), the truth of constants (`truth`),
//! rows of values (`tuple`), conditions on other columns (`fact`) and on the key column (`key_column`), conditions that are false
//! for all values that the others leave (`impossible`), comparisons that Hive should not make (`row_by_row`), reasons (`no_range`,
//! `never`), and conditions in forms that every version of Hive reads alike (`portable`, `boolean`, `likes`).
//!
//! The predicate is bound once, before it is taken apart: what is asked of names, types and forms is asked of the bound tree, and what
//! Hive gets is printed from it.

mod boolean;
mod choices;
mod comparison;
mod fact;
mod impossible;
mod inference;
mod instant;
mod instant_literals;
mod key_column;
mod likes;
mod names;
mod never;
mod no_range;
mod partition_columns;
mod plausible;
mod portable;
mod prefix;
mod recurring;
mod refused;
mod row_by_row;
mod runtime;
mod salt_inputs;
mod truth;
mod truth_test;
mod tuple;
mod walk;
mod wanted;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Constraint;
use super::bind::{BoundNode, Operator, SchemaScope, Setting, bind, settle_forms, written};
use super::compare::Remarks;
use super::runtime::RuntimeCondition;
use crate::key::range::KeyRanges;
use crate::schema::model::Schema;
use impossible::KnownValues;
pub(crate) use instant::resolve;
use instant_literals::{has_offset, put_numbers};
pub use key_column::key_ranges;
use likes::unwritable_likes;
use names::unknown_names;
use partition_columns::without_partition_columns;
use portable::portable;
use refused::{refused_count, refused_row, refused_value};
use runtime::{RuntimeConditions, With};
use saltplan_document::diag::{Diagnostic, DiagnosticKind, Diagnostics, Source, Span};
use saltplan_sql::ast::Expr;
use saltplan_sql::{Parsed, Runtime};
use tuple::RowSplitter;
use walk::{Analyzer, Answer};
use wanted::Wanted;

/// The maximum number of conditions that are reported as true for no row.
const MAX_NEVER: usize = 4;

/// What a predicate means for a schema, with remarks on it.
#[derive(Debug, Clone)]
pub struct Analysis {
    pub constraint: Constraint,
    /// The predicate with parameters filled in, as Hive reads it.
    pub expr: Expr,
    pub warnings: Vec<Diagnostic>,
    /// Why conditions are true for no row.
    pub never: Vec<String>,
    /// The conditions on values that are known when the statement runs. `constraint` does not have them.
    pub runtime: Option<RuntimeCondition>,
    /// The row keys that conditions on the key column leave. `constraint` has these conditions, too.
    pub key_ranges: Option<KeyRanges>,
    /// What is wrong with implausible values that could be read as dates. A plan of such a predicate must not run.
    pub rejected: Vec<String>,
}

/// Analyzes a predicate with the names and types of a schema.
///
/// # Errors
/// A name that is neither a key field nor a column, or a condition that Hive does not compile. Every other condition is accepted:
/// where it makes no range, Hive checks it row by row.
pub fn analyze(schema: &Schema, parsed: &Parsed) -> Result<Analysis, Diagnostics> {
    let bound = |tree| bind(tree, &SchemaScope(schema), Setting::Predicate);
    let origin = Origin { source: &parsed.source, runtime: &parsed.runtime };
    let (predicate, for_hive) = match without_partition_columns(schema, &parsed.tree) {
        Some(named) => (bound(&named), Some(bound(&parsed.tree))),
        None => (bound(&parsed.tree), None),
    };
    analyze_tree(schema, predicate, for_hive, origin, &parsed.warnings)
}

/// [`analyze`] for a predicate that was not read from text. Its columns are those of the schema, its constants have their values, and
/// it means what the same predicate as text does: a cast that is [added](super::bind::CastOrigin::Added) says nothing.
///
/// # Errors
/// As [`analyze`].
pub fn analyze_bound(schema: &Schema, predicate: BoundNode) -> Result<Analysis, Diagnostics> {
    let source = Source::new("predicate", predicate.to_string());
    let origin = Origin { source: &source, runtime: &BTreeMap::new() };
    analyze_tree(schema, predicate, None, origin, &[])
}

/// Where a predicate comes from.
#[derive(Debug, Clone, Copy)]
struct Origin<'a> {
    source: &'a Arc<Source>,
    /// The parameters whose values are known when the statement runs.
    runtime: &'a BTreeMap<String, Runtime>,
}

/// Analyzes a predicate; `for_hive` is the predicate that Hive reads, if it is another one.
fn analyze_tree(
    schema: &Schema,
    mut predicate: BoundNode,
    for_hive: Option<BoundNode>,
    origin: Origin<'_>,
    warnings: &[Diagnostic],
) -> Result<Analysis, Diagnostics> {
    let has_offset = has_offset(&predicate);
    // Hive reads the predicate with its times with offsets.
    let for_hive = for_hive.or_else(|| has_offset.then(|| predicate.clone()));
    if has_offset {
        put_numbers(schema, &mut predicate);
    }
    settle_forms(schema, &mut predicate);
    let mut errors = Vec::new();
    unwritable_likes(origin.source, &predicate, &mut errors);
    let mut conditions = Conditions {
        origin,
        schema,
        analyzer: Analyzer::new(schema),
        runtime: RuntimeConditions::default(),
        is_conjunct: true,
        remarks: Remarks { warnings: warnings.to_vec(), rejected: Vec::new() },
        errors,
        never: Vec::new(),
    };
    let constraint = recurring::resolved(schema, conditions.tree(&predicate, Wanted::TRUE));
    let Conditions { runtime, remarks: Remarks { mut warnings, mut rejected }, mut errors, never, .. } =
        conditions;
    if !errors.is_empty() {
        errors.dedup();
        return Err(Diagnostics(errors));
    }
    let (runtime, of_runtime) = runtime.together()?;
    warnings.extend(of_runtime);
    warnings.dedup();
    rejected.dedup();
    let key_ranges = key_ranges(schema, &predicate);
    let expr = written(&portable(schema, for_hive.unwrap_or(predicate)));
    Ok(Analysis { constraint, expr, warnings, never, runtime, key_ranges, rejected })
}

/// Takes a predicate apart into its conditions, and collects what is remarked on them.
struct Conditions<'a> {
    schema: &'a Schema,
    origin: Origin<'a>,
    analyzer: Analyzer<'a>,
    runtime: RuntimeConditions<'a>,
    /// Whether the whole predicate is only true where the condition at hand is.
    is_conjunct: bool,
    remarks: Remarks,
    errors: Vec<Diagnostic>,
    never: Vec<String>,
}

impl<'a> Conditions<'a> {
    fn tree(&mut self, node: &'a BoundNode, wanted: Wanted) -> Constraint {
        let (operator, arms) = match node.operation() {
            Some((Operator::And, arms)) if wanted == Wanted::TRUE => return self.conjunction(arms),
            Some((operator @ (Operator::And | Operator::Or | Operator::Not), arms)) => (operator, arms),
            _ => return self.leaf(node.uncast(), wanted),
        };
        let is_conjunct = std::mem::replace(&mut self.is_conjunct, false);
        let constraint = match (operator, arms) {
            (Operator::And, _) => wanted.all(self.trees(arms, wanted)),
            (Operator::Not, [negated]) => self.tree(negated, wanted.negated()),
            _ => wanted.any(self.trees(arms, wanted)),
        };
        self.is_conjunct = is_conjunct;
        constraint
    }

    fn trees(&mut self, trees: &'a [BoundNode], wanted: Wanted) -> Vec<Constraint> {
        trees.iter().map(|tree| self.tree(tree, wanted)).collect()
    }

    /// A conjunction. It is never true if a conjunct that Hive would check is false for all rows of the ranges.
    fn conjunction(&mut self, arms: &'a [BoundNode]) -> Constraint {
        let mut conjuncts = self.trees(arms, Wanted::TRUE);
        let is_checked = |conjunct: &Constraint| conjunct.has(&|condition| condition.checked().is_some());
        if conjuncts.iter().any(is_checked) {
            let known = KnownValues::new(self.schema, &conjuncts);
            for (arm, conjunct) in arms.iter().zip(&mut conjuncts) {
                if is_checked(conjunct) && known.exclude(arm) {
                    let why = "it is false for all values of the key that the other conditions leave";
                    *conjunct = self.never(&written(&self.portable(arm)), why);
                }
            }
        }
        Constraint::All(conjuncts)
    }

    /// A condition in a form that every version of Hive reads alike, without brackets around it.
    fn portable(&self, condition: &BoundNode) -> BoundNode {
        portable(self.schema, BoundNode { brackets: 0, ..condition.uncast().clone() })
    }

    /// The constraint of a condition that is true for no row.
    fn never(&mut self, condition: &Expr, why: &str) -> Constraint {
        if self.never.len() < MAX_NEVER && self.errors.is_empty() {
            let reason = format!("`{condition}` is true for no row: {why}");
            if !self.never.contains(&reason) {
                self.never.push(reason);
            }
        }
        Constraint::never()
    }

    fn leaf(&mut self, leaf: &'a BoundNode, wanted: Wanted) -> Constraint {
        let (schema, source) = (self.schema, self.origin.source);
        let with = With { schema, origin: self.origin, leaf };
        if with.is_needed() {
            self.errors.extend(self.runtime.add(with, self.is_conjunct).err());
            return Constraint::always();
        }
        let mut errors = unknown_names(schema, source, leaf);
        if errors.is_empty() {
            errors.extend(refused_value(schema, source, leaf).or_else(|| refused_count(source, leaf)));
        }
        if errors.is_empty() {
            let mut splitter = RowSplitter { conditions: self, span: leaf.span };
            if let Some(constraint) = splitter.constraint(leaf, wanted) {
                if constraint.is_never() {
                    let expr = written(&wanted.condition(BoundNode { brackets: 0, ..leaf.clone() }));
                    return self.never(&expr, "the list is empty");
                }
                return constraint;
            }
            errors.extend(refused_row(source, leaf));
        }
        if !errors.is_empty() {
            self.errors.extend(errors);
            return Constraint::never();
        }
        self.condition(leaf, self.portable(leaf), leaf.span, wanted)
    }

    /// The constraint of one condition; `portable` is the condition for Hive.
    fn condition(
        &mut self,
        condition: &BoundNode,
        portable: BoundNode,
        span: Span,
        wanted: Wanted,
    ) -> Constraint {
        let for_hive = wanted.condition(portable);
        let expr = written(&for_hive);
        let (answer, remarks) = self.analyzer.analyze(condition, for_hive, wanted);
        self.remark(remarks, span);
        match answer {
            Answer::Always => Constraint::always(),
            Answer::Never(why) => self.never(&expr, &why),
            Answer::Meaning(meaning) => Constraint::condition(meaning, expr, span),
        }
    }

    /// Adds remarks on a condition. Rows of constants are compared value by value, and each value several times.
    fn remark(&mut self, remarks: Remarks, span: Span) {
        for warning in remarks.warnings {
            let warning = warning.at(self.origin.source, span, "in this condition");
            let is_of_this =
                |before: &&Diagnostic| before.labels.first().is_some_and(|label| label.span == span);
            let mut before = self.remarks.warnings.iter().rev().take_while(is_of_this);
            if warning.kind != DiagnosticKind::ImplausibleValue || !before.any(|before| *before == warning) {
                self.remarks.warnings.push(warning);
            }
        }
        self.remarks.rejected.extend(remarks.rejected);
    }
}
