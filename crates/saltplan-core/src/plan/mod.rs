//! The planner: from a predicate to ranges of row keys.
//!
//! # The property of every plan
//! For every row `r` that fits the schema, and every plan of a predicate `p`:
//!
//! 1. complete: if `p(r)` is true, the key of `r` is in exactly one branch, and its residual is true for `r`;
//! 2. sound: a row in a branch's range for which the residual is true satisfies `p`;
//! 3. disjoint: no two branches contain the same key, so UNION ALL never returns a row twice;
//! 4. tight: a branch without a residual contains only rows of `p`.
//!
//! Conditions have the three truth values of SQL: a row for which `p` is NULL satisfies neither `p` nor `NOT
//! p`. Key fields are never NULL, but other columns can be: `status <> 'ok'` is not true for a row without a
//! status, and `x NOT IN (1, NULL)` is never true. So a condition has two sets of values, those that make it
//! true and those that make it false.
//!
//! # How
//! Each step makes a value from the previous one. The predicate becomes boxes (`boxes.rs`). Each box gets its
//! salts (`salts.rs`), and each salted box its candidates (`ranges.rs`), which are key ranges after the salt.
//! Overlapping ranges become disjoint ones, and those without a possible key in between (`gaps.rs`) one range:
//! the scan set (`scan_set.rs`). The scan set becomes branches of whole keys (`scans.rs`). Each step contributes notes.
//!
//! # Example
//! With the salt `md5(key)` cut to one hex digit and three decimal digits wide, and the key `opera_day`
//! `row_id`: `opera_day = 20200406` binds `opera_day` but not `row_id`, so the salt cannot be computed and
//! all sixteen are read, each from `NNN20200406` up to, but not including, `NNN20200407`. The ranges imply
//! the predicate, so there is no residual. With `AND row_id = 'u1'` every input of the salt is known, and one
//! key is left, `00920200406u1`.

mod ambiguity;
pub(crate) mod boxes;
mod branches;
mod candidates;
mod check;
mod clauses;
mod equalities;
pub mod explain;
mod gaps;
mod hashed_fields;
pub(crate) mod key_box;
mod notes;
pub(crate) mod ranges;
mod residual;
mod runtime_salt;
mod salt_parts;
pub(crate) mod salts;
mod scan_set;
mod scans;
mod share;
mod stored_field;
mod widening;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;
use std::sync::Arc;

pub use check::{RowCheck, Session, Truth};
pub use notes::{FirstField, FirstFieldState, Note, WhyNotUsed};
pub use runtime_salt::RuntimeSalt;
pub use share::NearlyAll;
pub use widening::{MaxWidening, WidenedValues, Widening};

use boxes::{Boxes, MAX_BOXES, boxes};
use branches::BranchCheck;
use candidates::{candidates, reads};
use clauses::Clauses;
use hashed_fields::restrict_hashes;
use key_box::{Clause, ClauseId};
use ranges::KeyParts;
use residual::checked;
use runtime_salt::{behind_salts, runtime_salt};
use salts::{SaltedBoxes, Splitter, TooManySalts};
use scan_set::{ScanSet, Unpruned, scan_set};
use scans::{Scans, scans};
use share::nearly_all;
use widening::widening;

use crate::analyze::runtime::RuntimeCondition;
use crate::analyze::{Analysis, Constraint, ValueSet};
use crate::key::field::FieldId;
use crate::key::layout::RowKey;
use crate::key::range::KeyRange;
use crate::key::salt::SaltDomain;
use crate::schema::model::{ColumnId, Schema};
use saltplan_sql::ast::Expr;

/// The default for the maximum number of branches of a plan.
pub const DEFAULT_MAX_BRANCHES: usize = 256;

/// The default for the maximum number of bytes of a plan's residuals.
pub const DEFAULT_MAX_RESIDUAL_BYTES: usize = 2 << 20;

/// The maximum number of boxes times their salts. Beyond that, ORs become fewer boxes.
const MAX_READS: usize = 1 << 20;

/// The limits of the planner, and what it knows besides the schema.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// The maximum number of ranges, at least 1. A finer plan is widened, and its residual has the conditions
    /// that the ranges no longer express.
    pub max_branches: usize,
    /// The maximum number of bytes of the residuals of all branches. Beyond that, ranges are merged if that
    /// makes the residuals shorter.
    pub max_residual_bytes: usize,
    /// The split keys of the table in byte order, to count the regions that a plan touches.
    pub split_keys: Option<&'a [Vec<u8>]>,
    /// The salt domain of the schema, if it is already computed.
    pub salt_domain: Option<&'a SaltDomain>,
    /// Whether the ranges end before the first field that the key stores in binary. Conditions on that field and those behind it are
    /// left to the residual.
    pub text_only: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            max_branches: DEFAULT_MAX_BRANCHES,
            max_residual_bytes: DEFAULT_MAX_RESIDUAL_BYTES,
            split_keys: None,
            salt_domain: None,
            text_only: false,
        }
    }
}

/// What a predicate reads.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Plan {
    pub kind: PlanKind,
    /// The salts that are read, out of all salts; `None` for a table without a salt.
    pub salts: Option<Share>,
    /// In key order, disjoint.
    pub branches: Vec<Branch>,
    /// The residuals of the branches. They can be long, and branches share them.
    #[doc(hidden)]
    pub residuals: Vec<Residual>,
    /// The regions that are touched, out of all regions; `None` if the schema does not say how the table is
    /// split.
    pub regions: Option<Share>,
    /// See [`Planned::notes`](crate::Planned::notes).
    #[doc(hidden)]
    pub notes: Vec<Note>,
    /// Run-time values of a field: the branches are narrowed to them when they are printed.
    #[doc(hidden)]
    pub runtime: Option<RuntimeCondition>,
    /// Present if the salt follows from such a value. The branches then begin after the salt and its separator.
    #[doc(hidden)]
    pub runtime_salt: Option<RuntimeSalt>,
    /// What the predicate says about single fields.
    #[doc(hidden)]
    pub bound: FieldBounds,
    /// Whether the ranges end before the first binary field.
    #[doc(hidden)]
    pub is_text_only: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanKind {
    Empty,
    Point,
    Range,
    FanOut,
    FullScan,
}

impl PlanKind {
    /// The name in the JSON form.
    pub fn name(self) -> &'static str {
        match self {
            PlanKind::Empty => "empty",
            PlanKind::Point => "point",
            PlanKind::Range => "range",
            PlanKind::FanOut => "fan_out",
            PlanKind::FullScan => "full_scan",
        }
    }
}

/// A number out of a total.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    pub part: u128,
    pub of: u128,
}

/// One range of keys to read.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Branch {
    /// The bytes of the salt without its separator; `None` without a salt and in a full scan.
    pub salt: Option<Vec<u8>>,
    pub range: KeyRange,
    /// The residual of the rows in the range, see [`Plan::condition_of`].
    #[doc(hidden)]
    pub residual: Option<ResidualId>,
    /// The regions that are touched, counted from 0.
    pub regions: Option<Range<usize>>,
    /// The range of run-time values that follows the start of `range`, as an index of [`Plan::runtime`].
    #[doc(hidden)]
    pub runtime: Option<usize>,
}

impl Plan {
    /// The additional values in merged ranges; `None` if nothing was merged or no values lie between.
    #[doc(hidden)]
    pub fn widening(&self) -> Option<&Widening> {
        self.notes.iter().find_map(|note| match note {
            Note::ReadsMore { widening } => Some(widening),
            _ => None,
        })
    }

    /// The note with the largest widening, if there is one.
    #[doc(hidden)]
    pub fn merging(&self) -> Option<&Note> {
        let reads_more = self.notes.iter().find(|note| matches!(note, Note::ReadsMore { .. }));
        reads_more.or_else(|| self.notes.iter().find(|note| note.is_of_merging()))
    }

    /// How much is left out if that is little.
    #[doc(hidden)]
    pub fn nearly_all(&self) -> Option<&NearlyAll> {
        self.notes.iter().find_map(|note| match note {
            Note::NearlyAll(nearly) => Some(nearly),
            _ => None,
        })
    }

    /// The residual of a branch as text; `None` if the range implies the predicate.
    pub fn condition_of(&self, branch: &Branch) -> Option<String> {
        self.residual_of(branch).map(|residual| residual.expr.to_string())
    }

    /// The same ranges without residuals.
    pub(crate) fn without_residuals(&self) -> Self {
        let mut plan = Plan { residuals: Vec::new(), ..self.clone() };
        plan.branches.iter_mut().for_each(|branch| branch.residual = None);
        plan
    }

    #[doc(hidden)]
    pub fn residual(&self, id: ResidualId) -> &Residual {
        &self.residuals[id.0]
    }

    /// The residual of a branch.
    #[doc(hidden)]
    pub fn residual_of(&self, branch: &Branch) -> Option<&Residual> {
        branch.residual.map(|id| self.residual(id))
    }
}

/// Index of a residual in [`Plan::residuals`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResidualId(usize);

/// A condition on rows, both for evaluation and as an expression with the names of the predicate.
#[derive(Debug, Clone)]
pub struct Residual {
    pub constraint: Constraint,
    pub expr: Expr,
}

/// What the predicate implies for single fields.
#[derive(Debug, Clone, Default)]
pub struct FieldBounds {
    /// A set that contains the field's value for every row. Fields that are not restricted are missing.
    pub fields: BTreeMap<FieldId, ValueSet>,
    /// For a field, several such sets with other conditions that belong to each: `ts < 5 AND a = 1 OR ts >= 5
    /// AND a = 2`. Empty if `fields` has everything.
    pub alternatives: BTreeMap<FieldId, Vec<Arc<ValueSet>>>,
    /// Fields with a condition.
    pub(crate) conditions_on: BTreeSet<FieldId>,
    /// Columns that have a condition of their own.
    pub(crate) columns_on: BTreeSet<ColumnId>,
    /// Fields named in conditions that are checked row by row.
    pub(crate) checked_on: BTreeSet<FieldId>,
    /// Whether there are other conditions.
    pub(crate) other_conditions: bool,
}

/// Plans a predicate: the row key ranges that contain its rows, see [the
/// property](self#the-property-of-every-plan).
///
/// Ranges are half-open byte ranges in HBase's order; without a stop row they end with the table. A branch
/// with a single key ends at that key followed by a zero byte.
///
/// # Errors
/// None: a predicate that does not narrow the key gives [`PlanKind::FullScan`], one that is always false
/// [`PlanKind::Empty`], and one with more ranges than `options.max_branches` is widened, with the condition
/// as residual. Unknown names and syntax errors are reported by [`analyze`](crate::analyze::analyze()) and
/// [`parse`](saltplan_sql::parse()).
///
/// # Example
/// ```
/// use saltplan_document::diag::Source;
/// use saltplan_sql::{Parameters, parse};
/// use saltplan_core::plan::{Options, plan};
/// use saltplan_core::analyze::analyze;
///
/// let yaml = "
/// saltplan: 1
/// hbase: { table: 't', families: { f: {} } }
/// key:
///   salt: { md5: { of: key, first_hex_digits: 1, write: hex } }
///   fields:
///     - { name: day, type: date, format: yyyyMMdd }
///     - { name: row_id, type: string }
/// columns:
///   - { name: status, type: string, hbase: 'f:status' }
/// ";
/// let schema = saltplan_core::schema::load(&Source::new("t.yaml", yaml))?.schema;
/// let predicate = Source::new("predicate", "day = 20200406 AND status = 'ok'");
/// let analysis = analyze(&schema, &parse(&predicate, &Parameters::new())?)?;
/// let plan = plan(&schema, &analysis, Options::default());
///
/// assert_eq!(plan.branches.len(), 16);
/// assert_eq!(plan.branches[10].range.start, b"a20200406");
/// assert_eq!(plan.branches[10].range.stop.as_deref(), Some(&b"a20200407"[..]));
/// // The ranges say the day, so only the status is left to check on each row.
/// assert_eq!(plan.residual_of(&plan.branches[10]).map(|r| r.expr.to_string()), Some("status = 'ok'".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan(schema: &Schema, analysis: &Analysis, options: Options<'_>) -> Plan {
    let options = Options { max_branches: options.max_branches.max(1), ..options };
    let computed = match options.salt_domain {
        Some(_) => None,
        None => schema.key.salt.as_ref().map(|salt| salt.domain(&schema.key.fields)),
    };
    let salt_domain = options.salt_domain.or(computed.as_ref());
    let given = Given { schema, analysis, salt_domain, options };
    let (boxes, mut salted, runtime_salt) = salted(&given);
    let bound = bound(&given, &boxes);
    if let (true, Ok(salted)) = (options.text_only, &mut salted) {
        leave_out_behind_bytes(&schema.key, salted);
    }
    let selection = match salted {
        Ok(salted) => selection(&given, boxes.clauses, &salted, &bound),
        Err(too_many) => {
            let scan_set =
                ScanSet::WholeTable { check: BranchCheck::Everything, why: Unpruned::TooManySalts(too_many) };
            Selection { scan_set, clauses: Clauses::new(boxes.clauses), notes: Vec::new() }
        }
    };
    finished(&given, selection, bound, runtime_salt)
}

/// The inputs of a plan.
#[derive(Clone, Copy)]
struct Given<'a> {
    schema: &'a Schema,
    analysis: &'a Analysis,
    /// Every salt that a row can have; `None` for a table without a salt.
    salt_domain: Option<&'a SaltDomain>,
    options: Options<'a>,
}

/// What is read, before it becomes branches.
struct Selection {
    scan_set: ScanSet,
    clauses: Clauses,
    /// The notes on salts and ranges.
    notes: Vec<Note>,
}

/// The boxes of the predicate, few enough to be read, and the salts that their rows can have.
fn salted(given: &Given<'_>) -> (Boxes, Result<SaltedBoxes, TooManySalts>, Option<RuntimeSalt>) {
    let mut max_boxes = MAX_BOXES;
    loop {
        let mut boxes = boxes(&given.analysis.constraint, &given.schema.key, max_boxes);
        restrict_hashes(given.schema, &mut boxes.boxes);
        if let Some(known) = runtime_salt(given, &boxes.boxes) {
            let salted = behind_salts(&boxes.boxes);
            return (boxes, Ok(salted), Some(known));
        }
        match Splitter::new(given.schema, given.salt_domain, given.options.max_branches)
            .split_all(&boxes.boxes)
        {
            Ok(salted) if max_boxes > 1 && reads(&salted.boxes) > MAX_READS => max_boxes /= 64,
            salted => return (boxes, salted, None),
        }
    }
}

/// Removes what boxes say about the first binary field of the key and those behind it. The conditions stay.
fn leave_out_behind_bytes(key: &RowKey, salted: &mut SaltedBoxes) {
    let is_text = |id: &FieldId| key.fields[*id].kind.is_text_in_key();
    let behind: Vec<FieldId> = key.stored().skip_while(is_text).collect();
    for salted in &mut salted.boxes {
        salted.key_box.fields.retain(|id, _| !behind.contains(id));
    }
}

fn selection(
    given: &Given<'_>,
    clauses: Vec<Clause>,
    salted: &SaltedBoxes,
    bound: &FieldBounds,
) -> Selection {
    let parts = KeyParts::new(&given.schema.key);
    let candidates = candidates(given, &parts, clauses, &salted.boxes);
    let (scan_set, joined) = scan_set(given, &parts, &salted.boxes, &candidates);
    let mut notes = notes::of_salts(given.schema, &salted.unbound, !salted.boxes.is_empty());
    if !matches!(scan_set, ScanSet::WholeTable { why: Unpruned::TooManyBranches(_), .. }) {
        notes.extend(notes::of_ranges(given, &joined, &candidates.widened, &candidates.unordered));
    }
    if let ScanSet::Groups(groups) = &scan_set
        && !(joined.is_empty() && candidates.widened.is_empty())
        && let Some(widening) = widening(&given.schema.key, &parts, &salted.boxes, groups)
    {
        notes.push(Note::ReadsMore { widening });
    }
    if let ScanSet::Groups(groups) = &scan_set
        && given.analysis.runtime.is_none()
        && given.analysis.key_ranges.is_none()
    {
        notes.extend(nearly_all(given, &parts, groups, bound).map(Note::NearlyAll));
    }
    Selection { scan_set, clauses: candidates.clauses, notes }
}

fn finished(
    given: &Given<'_>,
    selection: Selection,
    bound: FieldBounds,
    runtime_salt: Option<RuntimeSalt>,
) -> Plan {
    let Selection { scan_set, clauses, mut notes } = selection;
    if let (ScanSet::WholeTable { why, .. }, None) = (&scan_set, &given.analysis.key_ranges) {
        notes.push(notes::of_whole_table(given, why, &bound, &clauses));
    }
    let checked = checked(given.analysis, &clauses, scan_set.checks());
    let is_widened = notes.iter().any(Note::is_of_merging);
    notes.extend(notes::of_conditions(given, &clauses, &checked, &bound, is_widened));
    let Scans { kind, salts, branches, residuals, regions } =
        scans(given, &clauses, scan_set, runtime_salt.is_some());
    if kind == PlanKind::Empty {
        notes.extend(notes::of_nothing(given));
    }
    let rejected = given.analysis.rejected.iter().cloned();
    notes.extend(rejected.map(|reason| Note::RejectedValue { reason }));
    notes.extend(notes::of_values(given));
    let mut seen = HashSet::new();
    notes.retain(|note| seen.insert(note.clone()));
    let bound = if kind == PlanKind::Empty && bound.fields.is_empty() {
        bound_beside_a_contradiction(given.schema, &given.analysis.constraint)
    } else {
        bound
    };
    let runtime = given.analysis.runtime.clone();
    let mut bound = bound;
    bound.conditions_on.extend(runtime.iter().map(|runtime| runtime.field));
    let is_text_only = given.options.text_only;
    Plan { kind, salts, branches, residuals, regions, notes, runtime, runtime_salt, bound, is_text_only }
}

/// What the conditions of an always false conjunction imply for single fields, without those that contradict
/// each other: `day = 20200406 AND id = NULL` is about that day.
fn bound_beside_a_contradiction(schema: &Schema, constraint: &Constraint) -> FieldBounds {
    let mut bound = FieldBounds::default();
    let mut rest = vec![constraint];
    while let Some(constraint) = rest.pop() {
        match constraint {
            Constraint::All(arms) => rest.extend(arms),
            Constraint::Any(_) => bound.other_conditions = true,
            Constraint::Condition(condition) => {
                bound.other_conditions |= condition.checked().is_some();
                for (field, values) in condition.field_sets() {
                    bound.conditions_on.insert(field);
                    let all = ValueSet::all(&schema.key.fields[field].kind);
                    let known = bound.fields.entry(field).or_insert(all);
                    *known = known.intersect(values);
                }
            }
        }
    }
    bound.fields.retain(|_, values| !values.is_empty());
    bound
}

fn bound(given: &Given<'_>, of: &Boxes) -> FieldBounds {
    let Boxes { boxes, clauses } = of;
    let mut bound = FieldBounds::default();
    for field in given.schema.key.fields.ids() {
        let sets: Option<Vec<&ValueSet>> =
            boxes.iter().map(|key_box| key_box.fields.get(&field).map(AsRef::as_ref)).collect();
        if let Some(union) = sets.and_then(|sets| ValueSet::union_of(&sets)) {
            bound.fields.insert(field, union);
        }
    }
    let used: BTreeSet<ClauseId> = boxes.iter().flat_map(|key_box| key_box.clauses.iter().copied()).collect();
    for clause in used.into_iter().map(|id| &clauses[id.0]) {
        match (clause.field, clause.constraint.named(given.schema)) {
            (Some(field), _) => {
                bound.conditions_on.insert(field);
            }
            (None, Some(named)) => {
                bound.columns_on.extend(named.columns);
                bound.checked_on.extend(named.fields);
            }
            (None, None) => bound.other_conditions = true,
        }
    }
    if boxes.len() > 1 && bound.conditions_on.len() + bound.columns_on.len() > 1 {
        for (field, values) in boxes.iter().flat_map(|key_box| &key_box.fields) {
            let known = bound.alternatives.entry(*field).or_default();
            if !known.last().is_some_and(|last: &Arc<ValueSet>| Arc::ptr_eq(last, values)) {
                known.push(Arc::clone(values));
            }
        }
    }
    bound
}
