//! From the syntax tree to [`Predicate`]: names resolved, negations pushed down to the conditions, every condition
//! turned into a set of field values where that is exact.
//!
//! A file for each question that is asked of a condition: whether its names are known (`names`), whether it is a condition at all
//! (`boolean`), what is known of it without a row (`truth`), for which values it holds (`exact`, which gives what is `found`; rows of values: `tuple`), what it tells
//! where that is not known (`hint`; of columns: `fact`), why it tells nothing (`unknown`), what has no one meaning in it (`mixed`), why it never holds (`never`), what of it is hardly meant (`plausible`). `written` gives it as Hive reads it.

mod boolean;
mod exact;
mod fact;
mod found;
mod hint;
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
mod wanted;
mod written;

use std::cell::OnceCell;

use super::compare::NotUsed;
use super::runtime::RuntimeCondition;
use super::{Condition, Fact, Meaning, Predicate};
use crate::diag::{Diagnostic, Diagnostics, Span};
use crate::hiveql::Parsed;
use crate::hiveql::ast::{Expr, Node, UnaryOperator};
use crate::hiveql::rewrite::{columns, reads_clock};
use crate::key::range::KeyRanges;
use crate::key::salt::{InputVec, SaltInput};
use crate::schema::model::Schema;
use exact::Comparisons;
use fact::Columns;
use hint::Hints;
use impossible::KnownValues;
pub(crate) use instant::resolve;
use key_column::key_ranges;
use likes::unwritable_likes;
pub(crate) use meaning::field_readings;
use meaning::unclear_comparisons;
use mixed::{mixed_times, odd_constants, rejected_texts};
use names::unknown_names;
use never::why_never;
use refused::{refused_count, refused_row, refused_value};
use truth::{constant_truth, is_never, is_never_null, null_test};
use tuple::{RowSplitter, ValuePair};
use unknown::{Why, why_no_range};
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
        salt_inputs: schema.key.salt.as_ref().map(|salt| salt.inputs(&schema.key.fields)).unwrap_or_default(),
        comparisons: Comparisons::new(schema, &parsed.source, parsed.warnings.clone()),
        columns: OnceCell::new(),
        errors,
        never: Vec::new(),
    };
    let predicate = lowering.tree(&tree, Wanted::True);
    let Lowering { comparisons, mut errors, never, .. } = lowering;
    if !errors.is_empty() {
        errors.dedup();
        return Err(Diagnostics(errors));
    }
    let Comparisons { mut warnings, mut rejected, .. } = comparisons;
    warnings.dedup();
    rejected.dedup();
    let key_ranges = key_ranges(schema, &tree);
    let expr = written(schema, &parsed.tree).expr;
    Ok(Lowered { predicate, expr, warnings, never, runtime, key_ranges, rejected })
}

struct Lowering<'a> {
    parsed: &'a Parsed,
    salt_inputs: InputVec<SaltInput>,
    comparisons: Comparisons<'a>,
    /// Made when the first condition asks for them.
    columns: OnceCell<Columns>,
    errors: Vec<Diagnostic>,
    never: Vec<String>,
}

impl Lowering<'_> {
    fn tree(&mut self, node: &Node, wanted: Wanted) -> Predicate {
        match &node.expr {
            Expr::And(arms) if wanted.is_true() => self.conjunction(arms),
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
            let known = KnownValues::new(self.comparisons.schema, &conjuncts);
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
        written(self.comparisons.schema, condition.bare()).expr
    }

    fn trees(&mut self, trees: &[Node], wanted: Wanted) -> Vec<Predicate> {
        trees.iter().map(|tree| self.tree(tree, wanted)).collect()
    }

    fn leaf(&mut self, leaf: &Node, wanted: Wanted) -> Predicate {
        let warned = self.comparisons.warnings.len();
        let predicate = self.meaning(leaf, wanted);
        if matches!(&predicate, Predicate::Any(arms) if arms.is_empty()) {
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
        let told = self.comparisons.warnings.get(warned..).unwrap_or_default();
        let why = why_never(self.comparisons.schema, leaf, told);
        self.add_never(&condition, &why);
    }

    fn add_never(&mut self, condition: &Expr, why: &str) {
        let told = format!("`{condition}` is true for no row: {why}");
        if self.never.len() < MAX_NEVER_TOLD && !self.never.contains(&told) {
            self.never.push(told);
        }
    }

    fn meaning(&mut self, leaf: &Node, wanted: Wanted) -> Predicate {
        let (schema, parsed) = (self.comparisons.schema, self.parsed);
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
        if let Some(truth) = constant_truth(leaf) {
            return if truth == Some(wanted.is_true()) { Predicate::always() } else { Predicate::never() };
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
        if let Some(truth) = constant_truth(&condition) {
            return if truth == Some(wanted.is_true()) { Predicate::always() } else { Predicate::never() };
        }
        let unknown =
            |lowering: &Self| is_of_key.then(|| why_no_range(lowering.comparisons.schema, &condition));
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
        if is_never(condition, wanted) {
            return Predicate::never();
        }
        if let Some((operand, wanted_null)) = null_test(condition)
            && is_never_null(&mut self.comparisons, operand)
        {
            return if wanted_null == wanted.is_true() { Predicate::never() } else { Predicate::always() };
        }
        match self.comparisons.exact(condition, span) {
            Ok(Some(exact)) => exact.condition(self.comparisons.schema, written, span, wanted),
            Ok(None) => {
                let why = unknown(self);
                self.opaque(condition, written, span, why, wanted)
            }
            Err(NotUsed(reason)) => self.opaque(condition, written, span, Some(Why::Other(reason)), wanted),
        }
    }

    /// A condition for the engine, with what it tells about the key beside it.
    fn opaque(
        &mut self,
        condition: &Node,
        written: Expr,
        span: Span,
        why: Option<Why>,
        wanted: Wanted,
    ) -> Predicate {
        let schema = self.comparisons.schema;
        self.comparisons.rejected.extend(rejected_texts(schema, condition));
        self.comparisons.rejected.extend(unclear_comparisons(schema, condition));
        self.comparisons.rejected.extend(odd_constants(schema, condition));
        let expr = wanted.condition(written);
        let hints = Hints::new(&mut self.comparisons, &self.salt_inputs, &expr, span);
        let hint = hints.hint(condition, wanted);
        if matches!(&hint, Some(Predicate::Any(arms)) if arms.is_empty()) {
            return Predicate::never();
        }
        let reason = match (&hint, why) {
            (Some(_), Some(Why::NoRange(_))) => Some(INEXACT_FORM.to_string()),
            (_, why) => why.map(Why::into_text),
        };
        let condition = Condition {
            meaning: Meaning::Opaque { reason },
            fact: self.fact(condition, span, wanted),
            expr,
            unclear: mixed_times(schema, condition),
            span,
            implied: false,
        };
        let condition = Predicate::Condition(condition.into());
        match hint {
            Some(hint) => Predicate::All(vec![hint, condition]),
            None => condition,
        }
    }

    /// What a condition tells of columns where it is as wanted.
    fn fact(&self, expr: &Expr, span: Span, wanted: Wanted) -> Option<Fact> {
        let schema = self.comparisons.schema;
        let columns = self.columns.get_or_init(|| Columns::new(schema));
        columns.fact(schema, &self.parsed.source, expr, span, wanted)
    }

    /// Why a condition on a field has no meaning here; `None` for conditions on other columns.
    fn why_unknown(&self, leaf: &Node) -> Option<Why> {
        let schema = self.comparisons.schema;
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
