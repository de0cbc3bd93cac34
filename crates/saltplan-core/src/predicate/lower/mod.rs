//! From the syntax tree to [`Predicate`]: names resolved, negations pushed down to the conditions, every condition
//! turned into a set of field values where that is exact.
//!
//! A file for each question that is asked of a condition: whether its names are known (`names`), whether it is a condition at all
//! (`boolean`), what is known of it without a row (`truth`), for which values it holds (`exact`, which gives what is `found`; rows of values: `tuple`), what it tells
//! where that is not known (`hint`; of columns: `fact`), why it tells nothing (`unknown`), what has no one meaning in it (`mixed`), why it never holds (`never`), what of it is hardly meant (`plausible`). `writer` gives its text.

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
mod parts;
mod plausible;
mod refused;
mod runtime;
mod start;
mod tested;
mod truth;
mod tuple;
mod unknown;
mod wanted;
mod writer;

use std::cell::OnceCell;

use super::compare::NotUsed;
use super::runtime::RuntimeCondition;
use super::{Condition, Fact, Meaning, Predicate, SqlPiece, SqlText};
use crate::diag::{Diagnostic, Diagnostics, Span};
use crate::hiveql::ast::Expr;
use crate::hiveql::{Leaf, Parsed, Tree};
use crate::key::range::KeyRanges;
use crate::key::salt::{InputVec, SaltInput};
use crate::schema::model::Schema;
use exact::Comparisons;
use fact::Columns;
use hint::Hints;
use impossible::KnownValues;
use instant::unclear;
use key_column::key_ranges;
use likes::likes;
use meaning::unclear_comparisons;
use mixed::{mixed_times, odd_constants, rejected_texts};
use names::unknown_names;
use never::why_never;
use refused::{refused_count, refused_row, refused_value};
use truth::{constant_truth, is_never, is_never_null, null_test};
use tuple::{RowSplitter, ValuePair};
use unknown::{Why, why_no_range};
use wanted::Wanted;
use writer::ConditionWriter;

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
    /// The predicate as written, parameters filled in.
    pub text: SqlText,
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
    let (likes, errors) = likes(schema, parsed);
    let writer = ConditionWriter::new(schema, parsed, likes);
    let mut lowering = Lowering {
        parsed,
        salt_inputs: schema.key.salt.as_ref().map(|salt| salt.inputs(&schema.key.fields)).unwrap_or_default(),
        writer: &writer,
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
    Ok(Lowered {
        predicate,
        text: writer.text(&parsed.all()),
        warnings,
        never,
        runtime,
        key_ranges,
        rejected,
    })
}

struct Lowering<'l, 'a> {
    parsed: &'a Parsed,
    salt_inputs: InputVec<SaltInput>,
    writer: &'l ConditionWriter<'a>,
    comparisons: Comparisons<'a>,
    /// Made when the first condition asks for them.
    columns: OnceCell<Columns>,
    errors: Vec<Diagnostic>,
    never: Vec<String>,
}

impl Lowering<'_, '_> {
    fn tree(&mut self, tree: &Tree, wanted: Wanted) -> Predicate {
        match tree {
            Tree::And(arms) if wanted.is_true() => self.conjunction(arms),
            Tree::And(arms) => wanted.all(self.trees(arms, wanted)),
            Tree::Or(arms) => wanted.any(self.trees(arms, wanted)),
            Tree::Not(inner) => self.tree(inner, wanted.negated()),
            Tree::Leaf(leaf) => self.leaf(leaf, wanted),
        }
    }

    /// A conjunction. A conjunct that Hive would check in vain on every row of the ranges makes it empty.
    fn conjunction(&mut self, arms: &[Tree]) -> Predicate {
        let mut conjuncts = self.trees(arms, Wanted::True);
        if conjuncts.iter().any(Predicate::is_checked) {
            let known = KnownValues::new(self.comparisons.schema, &conjuncts);
            for (arm, conjunct) in arms.iter().zip(&mut conjuncts) {
                if conjunct.is_checked() && known.exclude(arm) {
                    let why = "it is false for all values of the key that the other conditions leave";
                    let text = self.text_of(arm);
                    self.add_never(&text, why);
                    *conjunct = Predicate::never();
                }
            }
        }
        Predicate::All(conjuncts)
    }

    /// A condition as the predicate has it.
    fn text_of(&self, tree: &Tree) -> SqlText {
        match tree {
            Tree::And(arms) => {
                SqlText::joined(&arms.iter().map(|arm| self.text_of(arm)).collect::<Vec<_>>(), "AND")
            }
            Tree::Or(arms) => {
                SqlText::joined(&arms.iter().map(|arm| self.text_of(arm)).collect::<Vec<_>>(), "OR")
            }
            Tree::Not(inner) => self.text_of(inner).negated(),
            Tree::Leaf(leaf) => self.writer.text(&leaf.tokens),
        }
    }

    fn trees(&mut self, trees: &[Tree], wanted: Wanted) -> Vec<Predicate> {
        trees.iter().map(|tree| self.tree(tree, wanted)).collect()
    }

    fn leaf(&mut self, leaf: &Leaf, wanted: Wanted) -> Predicate {
        let warned = self.comparisons.warnings.len();
        let predicate = self.meaning(leaf, wanted);
        if matches!(&predicate, Predicate::Any(arms) if arms.is_empty()) {
            self.tell_never(leaf, wanted, warned);
        }
        predicate
    }

    /// `warned` is how many warnings there were before the condition.
    fn tell_never(&mut self, leaf: &Leaf, wanted: Wanted, warned: usize) {
        if self.never.len() >= MAX_NEVER_TOLD || !self.errors.is_empty() {
            return;
        }
        let text = wanted.text(self.writer.text(&leaf.tokens));
        let told = self.comparisons.warnings.get(warned..).unwrap_or_default();
        let why = why_never(self.comparisons.schema, &leaf.expr, told);
        self.add_never(&text, &why);
    }

    fn add_never(&mut self, text: &SqlText, why: &str) {
        let told = format!("`{text}` is true for no row: {why}");
        if self.never.len() < MAX_NEVER_TOLD && !self.never.contains(&told) {
            self.never.push(told);
        }
    }

    fn meaning(&mut self, leaf: &Leaf, wanted: Wanted) -> Predicate {
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
        if let Some(truth) = constant_truth(&leaf.expr) {
            return if truth == Some(wanted.is_true()) { Predicate::always() } else { Predicate::never() };
        }
        let writer = self.writer;
        let meaning_of = |pair, wanted| self.part(pair, leaf.span, wanted);
        let splitter = RowSplitter { schema, parsed, writer, meaning_of };
        if let Some(predicate) = splitter.predicate(leaf, wanted) {
            return predicate;
        }
        if let Some(error) = refused_row(parsed, leaf) {
            self.errors.push(error);
            return Predicate::never();
        }
        let text = self.writer.text(&leaf.tokens);
        let text = if parsed.holds_row(&leaf.tokens) {
            SqlText(vec![SqlPiece::Rows { spelled: text.to_string() }])
        } else {
            text
        };
        self.condition(&leaf.expr, text, leaf.span, wanted, |lowering| lowering.why_unknown(leaf))
    }

    /// A comparison of two values of rows.
    fn part(&mut self, pair: ValuePair, span: Span, wanted: Wanted) -> Predicate {
        let ValuePair { expr, text, is_of_key } = pair;
        if let Some(truth) = constant_truth(&expr) {
            return if truth == Some(wanted.is_true()) { Predicate::always() } else { Predicate::never() };
        }
        let unknown = |lowering: &Self| is_of_key.then(|| why_no_range(lowering.comparisons.schema, &expr));
        self.condition(&expr, text, span, wanted, unknown)
    }

    /// `unknown` says why a condition on the key has no meaning here, and nothing of one on other columns.
    fn condition(
        &mut self,
        expr: &Expr,
        text: SqlText,
        span: Span,
        wanted: Wanted,
        unknown: impl Fn(&Self) -> Option<Why>,
    ) -> Predicate {
        if is_never(expr, wanted) {
            return Predicate::never();
        }
        if let Some((operand, wanted_null)) = null_test(expr)
            && is_never_null(&mut self.comparisons, operand)
        {
            return if wanted_null == wanted.is_true() { Predicate::never() } else { Predicate::always() };
        }
        match self.comparisons.exact(expr, span) {
            Ok(Some(exact)) => exact.condition(self.comparisons.schema, &text, span, wanted),
            Ok(None) => {
                let why = unknown(self);
                self.opaque(expr, text, span, why, wanted)
            }
            Err(NotUsed(reason)) => self.opaque(expr, text, span, Some(Why::Other(reason)), wanted),
        }
    }

    /// A condition for the engine, with what it tells about the key beside it.
    fn opaque(
        &mut self,
        expr: &Expr,
        text: SqlText,
        span: Span,
        why: Option<Why>,
        wanted: Wanted,
    ) -> Predicate {
        let schema = self.comparisons.schema;
        self.comparisons.rejected.extend(rejected_texts(schema, expr));
        self.comparisons.rejected.extend(unclear_comparisons(schema, expr));
        self.comparisons.rejected.extend(odd_constants(schema, expr));
        let text = mixed_times(schema, expr).map_or_else(|| text.clone(), |why| unclear(&text, why));
        let text = wanted.text(text);
        let hints = Hints::new(&mut self.comparisons, &self.salt_inputs, &text, span);
        let hint = hints.hint(expr, wanted);
        if matches!(&hint, Some(Predicate::Any(arms)) if arms.is_empty()) {
            return Predicate::never();
        }
        let reason = match (&hint, why) {
            (Some(_), Some(Why::NoRange(_))) => Some(INEXACT_FORM.to_string()),
            (_, why) => why.map(Why::into_text),
        };
        let (meaning, fact) = (Meaning::Opaque { reason }, self.fact(expr, span, wanted));
        let condition = Condition { meaning, fact, text, span, implied: false };
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
    fn why_unknown(&self, leaf: &Leaf) -> Option<Why> {
        let schema = self.comparisons.schema;
        let names = || self.parsed.names(&leaf.tokens).map(|(name, _)| name);
        let first = names().next().unwrap_or_default();
        names().any(|name| schema.field(name).is_some()).then(|| {
            if self.parsed.reads_clock(&leaf.tokens) {
                Why::Other(CLOCK.into())
            } else if names().any(|name| !name.eq_ignore_ascii_case(first)) {
                Why::Other(TWO_COLUMNS.into())
            } else {
                why_no_range(schema, &leaf.expr)
            }
        })
    }
}
