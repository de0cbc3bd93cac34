//! From the syntax tree to [`Predicate`]: names resolved, negations pushed down to the conditions, every condition
//! turned into a set of field values where that is exact.
//!
//! `walk` is the one walk over a condition: it gives a `constraint`, which says what the condition implies of the key, whether that
//! is tight, and what to remark. It compares fields with constants (`comparison`; forms in `start`, `tested` and `likes`).
//!
//! Around it: unknown names (`names`), conditions that Hive does not compile (`refused`), the truth of constants (`truth`), rows of
//! values (`tuple`), conditions on other columns (`fact`) and on the key column (`key_column`), conditions that are false for all
//! values that are left (`impossible`), reasons (`unknown`, `never`), and the condition as Hive reads it (`written`, `boolean`).

mod boolean;
mod comparison;
mod constraint;
mod fact;
mod impossible;
mod instant;
mod key_column;
mod likes;
mod meaning;
mod mixed;
mod names;
mod never;
mod plausible;
mod refused;
mod runtime;
mod start;
mod tested;
mod truth;
mod tuple;
mod unknown;
mod walk;
mod wanted;
mod written;

use std::cell::OnceCell;

use super::compare::{NotUsed, Remarks};
use super::runtime::RuntimeCondition;
use super::{Condition, Meaning, Predicate};
use crate::diag::{Diagnostic, DiagnosticKind, Diagnostics, Span};
use crate::hiveql::Parsed;
use crate::hiveql::ast::{Expr, Node, UnaryOperator};
use crate::hiveql::rewrite::{columns, reads_clock};
use crate::key::range::KeyRanges;
use crate::schema::model::Schema;
use constraint::{Constraint, Form, Implied};
use fact::Columns;
use impossible::KnownValues;
pub(crate) use instant::resolve;
use key_column::key_ranges;
use likes::unwritable_likes;
pub(crate) use meaning::field_readings;
use mixed::mixed_times;
use names::unknown_names;
use never::why_never;
use refused::{refused_count, refused_row, refused_value};
use tuple::{RowSplitter, ValuePair};
use unknown::{Why, why_no_range};
use walk::Analyzer;
use wanted::Wanted;
use written::written;

/// Conditions of which is told why they are true for no row, at most.
const MAX_NEVER_TOLD: usize = 4;

/// Why a condition on the clock is checked row by row.
const CLOCK: &str = "the engine reads its clock when the query runs; say what time it is with `--now`, or give the day as a parameter, such as `:day`";
/// Why a condition on a field and other columns is checked row by row.
const TWO_COLUMNS: &str = "it compares several columns; a field compared with constants makes ranges";
/// Why it is, though it makes ranges.
const INEXACT_FORM: &str = "the ranges also hold rows for which it is not true";

/// A predicate on a schema, and remarks on it.
#[derive(Debug, Clone)]
pub struct Lowered {
    pub predicate: Predicate,
    /// The predicate with parameters filled in, as Hive reads it.
    pub expr: Expr,
    pub warnings: Vec<Diagnostic>,
    /// Why conditions are true for no row.
    pub never: Vec<String>,
    /// The conditions on values that are known when the statement runs, which `predicate` does not hold.
    pub runtime: Option<RuntimeCondition>,
    /// The row keys that conditions on the key column leave; `predicate` holds these conditions, too.
    pub key_ranges: Option<KeyRanges>,
    /// What is wrong with values that are read as dates and can hardly be meant: a plan of them is no plan to run.
    pub rejected: Vec<String>,
}

/// Resolves a predicate against a schema.
///
/// # Errors
/// A name that is neither a key field nor a column. Everything else is taken: what the planner cannot use stays as
/// text for the engine.
pub fn lower(schema: &Schema, parsed: &Parsed) -> Result<Lowered, Diagnostics> {
    let (tree, runtime) = runtime::apart(schema, parsed)?;
    let mut errors = Vec::new();
    unwritable_likes(&parsed.source, &parsed.tree, &mut errors);
    let mut lowering = Lowering {
        parsed,
        schema,
        analyzer: Analyzer::new(schema),
        remarks: Remarks { warnings: parsed.warnings.clone(), rejected: Vec::new() },
        columns: OnceCell::new(),
        errors,
        never: Vec::new(),
    };
    let predicate = lowering.tree(&tree, Wanted::True);
    let Lowering { remarks: Remarks { mut warnings, mut rejected }, mut errors, never, .. } = lowering;
    if !errors.is_empty() {
        errors.dedup();
        return Err(Diagnostics(errors));
    }
    warnings.dedup();
    rejected.dedup();
    let key_ranges = key_ranges(schema, &tree);
    let expr = written(schema, &parsed.tree).expr;
    Ok(Lowered { predicate, expr, warnings, never, runtime, key_ranges, rejected })
}

struct Lowering<'a> {
    schema: &'a Schema,
    parsed: &'a Parsed,
    analyzer: Analyzer<'a>,
    remarks: Remarks,
    /// Made when the first condition asks for them.
    columns: OnceCell<Columns>,
    errors: Vec<Diagnostic>,
    never: Vec<String>,
}

impl Lowering<'_> {
    fn tree(&mut self, node: &Node, wanted: Wanted) -> Predicate {
        match &node.expr {
            Expr::And(arms) if wanted == Wanted::True => self.conjunction(arms),
            Expr::And(arms) => wanted.all(self.trees(arms, wanted)),
            Expr::Or(arms) => wanted.any(self.trees(arms, wanted)),
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => self.tree(expr, wanted.negated()),
            Expr::Nested(inner) => self.tree(inner, wanted),
            _ => self.leaf(node, wanted),
        }
    }

    /// A conjunction. A conjunct that Hive would check in vain on every row of the ranges makes it empty.
    fn conjunction(&mut self, arms: &[Node]) -> Predicate {
        let mut conjuncts = self.trees(arms, Wanted::True);
        if conjuncts.iter().any(Predicate::is_checked) {
            let known = KnownValues::new(self.schema, &conjuncts);
            for (arm, conjunct) in arms.iter().zip(&mut conjuncts) {
                if conjunct.is_checked() && known.exclude(arm) {
                    let why = "it is false for all values of the key that the other conditions leave";
                    let condition = self.written(arm);
                    self.add_never(&condition, why);
                    *conjunct = Predicate::never();
                }
            }
        }
        Predicate::All(conjuncts)
    }

    /// A condition as Hive reads it.
    fn written(&self, condition: &Node) -> Expr {
        written(self.schema, condition.bare()).expr
    }

    fn trees(&mut self, trees: &[Node], wanted: Wanted) -> Vec<Predicate> {
        trees.iter().map(|tree| self.tree(tree, wanted)).collect()
    }

    fn leaf(&mut self, leaf: &Node, wanted: Wanted) -> Predicate {
        let warned = self.remarks.warnings.len();
        let predicate = self.meaning(leaf, wanted);
        if predicate.is_never() {
            self.tell_never(leaf, wanted, warned);
        }
        predicate
    }

    /// `warned` is how many warnings there were before the condition.
    fn tell_never(&mut self, leaf: &Node, wanted: Wanted, warned: usize) {
        if self.never.len() >= MAX_NEVER_TOLD || !self.errors.is_empty() {
            return;
        }
        let condition = wanted.condition(self.written(leaf));
        let told = self.remarks.warnings.get(warned..).unwrap_or_default();
        let why = why_never(self.schema, leaf, told);
        self.add_never(&condition, &why);
    }

    fn add_never(&mut self, condition: &Expr, why: &str) {
        let told = format!("`{condition}` is true for no row: {why}");
        if self.never.len() < MAX_NEVER_TOLD && !self.never.contains(&told) {
            self.never.push(told);
        }
    }

    fn meaning(&mut self, leaf: &Node, wanted: Wanted) -> Predicate {
        let (schema, parsed) = (self.schema, self.parsed);
        let unknown = unknown_names(schema, parsed, leaf);
        if !unknown.is_empty() {
            self.errors.extend(unknown);
            return Predicate::never();
        }
        if let Some(error) =
            refused_value(schema, parsed, leaf).or_else(|| refused_count(schema, parsed, leaf))
        {
            self.errors.push(error);
            return Predicate::never();
        }
        let meaning_of = |pair, wanted| self.part(pair, leaf.span, wanted);
        if let Some(predicate) = (RowSplitter { schema, meaning_of }).predicate(leaf, wanted) {
            return predicate;
        }
        if let Some(error) = refused_row(parsed, leaf) {
            self.errors.push(error);
            return Predicate::never();
        }
        let written = self.written(leaf);
        self.condition(leaf, written, leaf.span, wanted, |lowering| lowering.why_unknown(leaf))
    }

    /// A comparison of two values of rows.
    fn part(&mut self, pair: ValuePair, span: Span, wanted: Wanted) -> Predicate {
        let ValuePair { condition, written, is_of_key } = pair;
        let unknown = |lowering: &Self| is_of_key.then(|| why_no_range(lowering.schema, &condition));
        self.condition(&condition, written, span, wanted, unknown)
    }

    /// `unknown` says why a condition on the key has no meaning here, and nothing of one on other columns.
    fn condition(
        &mut self,
        condition: &Node,
        written: Expr,
        span: Span,
        wanted: Wanted,
        unknown: impl Fn(&Self) -> Option<Why>,
    ) -> Predicate {
        let Constraint { implied, tight, form, remarks } = self.analyzer.analyze(condition, wanted);
        self.remark(remarks, span);
        let expr = wanted.condition(written);
        let why = match form {
            _ if tight => return exact(implied, expr, span),
            Form::OneField(field) => Some(Why::Other(format!(
                "Hive's result for some values of `{}` cannot be predicted",
                self.schema.key.fields[field].name
            ))),
            Form::Unknown => unknown(self),
            Form::NotUsed(NotUsed(reason)) => Some(Why::Other(reason)),
        };
        let implied = implied.map(|implied| implied.predicate(&expr, span));
        self.opaque(condition, implied, why, (expr, span), wanted)
    }

    /// Adds what is said of the condition at a place. Rows of constants are compared value by value, and each more than once.
    fn remark(&mut self, remarks: Remarks, span: Span) {
        for warning in remarks.warnings {
            let warning = warning.at(&self.parsed.source, span, "in this condition");
            let is_of_this =
                |before: &&Diagnostic| before.labels.first().is_some_and(|label| label.span == span);
            let mut before = self.remarks.warnings.iter().rev().take_while(is_of_this);
            if warning.kind != DiagnosticKind::ImplausibleValue || !before.any(|before| *before == warning) {
                self.remarks.warnings.push(warning);
            }
        }
        self.remarks.rejected.extend(remarks.rejected);
    }

    /// A condition for the engine, together with what it implies of the key.
    fn opaque(
        &mut self,
        condition: &Node,
        implied: Option<Predicate>,
        why: Option<Why>,
        (expr, span): (Expr, Span),
        wanted: Wanted,
    ) -> Predicate {
        let schema = self.schema;
        if implied.as_ref().is_some_and(Predicate::is_never) {
            return Predicate::never();
        }
        let reason = match (&implied, why) {
            (Some(_), Some(Why::NoRange(_))) => Some(INEXACT_FORM.to_string()),
            (_, why) => why.map(Why::into_text),
        };
        let columns = self.columns.get_or_init(|| Columns::new(schema));
        let condition = Condition {
            meaning: Meaning::Opaque { reason },
            fact: columns.fact(schema, condition, wanted),
            expr,
            unclear: mixed_times(schema, condition),
            span,
            implied: false,
        };
        let condition = Predicate::Condition(condition.into());
        match implied {
            Some(implied) => Predicate::All(vec![implied, condition]),
            None => condition,
        }
    }

    /// Why a condition on a field has no meaning here; `None` for conditions on other columns.
    fn why_unknown(&self, leaf: &Node) -> Option<Why> {
        let schema = self.schema;
        let names = columns(leaf);
        let first = names.first().map(|(name, _)| *name).unwrap_or_default();
        names.iter().any(|(name, _)| schema.field(name).is_some()).then(|| {
            if reads_clock(leaf) {
                Why::Other(CLOCK.into())
            } else if names.iter().any(|(name, _)| !name.eq_ignore_ascii_case(first)) {
                Why::Other(TWO_COLUMNS.into())
            } else {
                why_no_range(schema, leaf)
            }
        })
    }
}

/// The rows of a condition that is tight.
fn exact(implied: Option<Implied>, expr: Expr, span: Span) -> Predicate {
    match implied {
        None => Predicate::always(),
        Some(Implied::Field(field, values)) => {
            Predicate::condition(Meaning::Field { field, values }, expr, span)
        }
        Some(_) => Predicate::never(),
    }
}
