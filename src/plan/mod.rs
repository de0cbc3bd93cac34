//! The planner: from a predicate to ranges of row keys.
//!
//! # The law
//! For every row `r` that fits the schema, and every plan of a predicate `p`:
//!
//! 1. complete: `p(r)` is true ⇒ the key of `r` lies in exactly one branch, and its residual accepts `r`;
//! 2. sound: a row in a branch's range for which the residual is true satisfies `p`;
//! 3. disjoint: no two branches hold the same key, so UNION ALL never doubles a row;
//! 4. tight: a branch without residual holds only rows of `p`.
//!
//! Truth is SQL's with three values: a row for which `p` is NULL is out, and out for `NOT p` as well. Key fields are
//! never NULL, other columns can be: `status <> 'ok'` holds for no row without a status, and `x NOT IN (1, NULL)` for
//! no row at all. So a condition keeps two sets of values, those that make it true and those that make it false.
//!
//! # How
//! The predicate becomes [boxes](mod@boxes); each box gets its [salts], each salted box its [ranges] of
//! keys; overlapping ranges become disjoint [branches] last.
//!
//! # Example
//! With the salt `md5(key)` cut to one hex digit and three decimal digits wide, and the key `opera_day` `row_id`:
//! `opera_day = 20200406` binds `opera_day` but not `row_id`, so the salt cannot be computed and all sixteen are
//! read, each from `NNN20200406` up to and without `NNN20200407`. The ranges say all of the predicate, so there is
//! no residual. With `AND row_id = 'u1'` every input of the salt is known: one key is left, `00920200406u1`.

pub mod boxes;
pub mod branches;
pub mod explain;
pub mod ranges;
pub mod salts;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use boxes::{Clause, KeyBox, boxes, union_of};
use branches::{Candidate, Check, Conjunction, Disjoint};
use salts::{SaltedBox, TooManySalts};

use crate::key::range::{KeyRange, prefix_successor};
use crate::key::salt::Image;
use crate::predicate::{Condition, Fragment, Lowered, Meaning, Predicate, ValueSet};
use crate::region;
use crate::schema::model::Schema;

/// Most branches of a plan, unless asked otherwise.
pub const DEFAULT_MAX_BRANCHES: usize = 256;

/// What the planner may do, and what it knows beside the schema.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// Most ranges of a plan, at least 1: a finer plan is widened, and its residual says what the ranges no longer do.
    pub max_branches: usize,
    /// Split keys of the table in byte order, to count the regions that a plan touches.
    pub split_keys: Option<&'a [Vec<u8>]>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { max_branches: DEFAULT_MAX_BRANCHES, split_keys: None }
    }
}

/// What a predicate reads.
#[derive(Debug, Clone)]
pub struct Plan {
    pub kind: Kind,
    /// Salts read and salts there are; `None` in a table without salt.
    pub salts: Option<Share>,
    /// In key order, disjoint.
    pub branches: Vec<Branch>,
    /// Regions touched and regions there are; `None` when the schema does not say how the table is split.
    pub regions: Option<Share>,
    pub notes: Vec<Note>,
    /// What the predicate says about single fields.
    pub bound: Bound,
    /// The salts are too many to read all of them and the predicate does not determine them.
    pub too_many_salts: Option<TooManySalts>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Empty,
    Point,
    Range,
    FanOut,
    FullScan,
}

impl Kind {
    /// The name in the JSON form.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Empty => "empty",
            Kind::Point => "point",
            Kind::Range => "range",
            Kind::FanOut => "fan_out",
            Kind::FullScan => "full_scan",
        }
    }
}

/// So many of so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    pub part: u128,
    pub of: u128,
}

/// One range of keys to read.
#[derive(Debug, Clone)]
pub struct Branch {
    /// The salt's bytes without its separator; `None` without salt and in a full scan.
    pub salt: Option<Vec<u8>>,
    pub range: KeyRange,
    /// What each row in the range must satisfy as well.
    pub residual: Option<Residual>,
    pub regions: Option<usize>,
}

/// A condition on rows, in a form to evaluate and in the words of the predicate.
#[derive(Debug, Clone)]
pub struct Residual {
    pub predicate: Predicate,
    pub text: Fragment,
}

/// A remark on a plan, with a code that programs can rely on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub code: &'static str,
    pub message: String,
}

/// What the predicate says about single fields.
#[derive(Debug, Clone, Default)]
pub struct Bound {
    /// By field index: a set that holds the field's value of every row. Fields that are not restricted are missing.
    pub fields: BTreeMap<usize, ValueSet>,
    /// Fields with a condition.
    pub conditions_on: BTreeSet<usize>,
    /// Whether there are conditions beside those on single fields.
    pub other_conditions: bool,
}

/// Plans a predicate: the ranges of row keys that hold its rows, by the [law](self#the-law).
///
/// Ranges are half open and in bytes, sorted as HBase sorts; no stop row is the end of the table. A branch with one key
/// ends at that key and a zero byte.
///
/// # Errors
/// None: a predicate that cannot be narrowed gives [`Kind::FullScan`], one that no row satisfies [`Kind::Empty`], and
/// one with more ranges than `options.max_branches` is widened, with the condition as residual. Unknown names and bad
/// syntax are errors of [`lower`](crate::predicate::lower()) and [`parse`](crate::predicate::parse()).
///
/// # Example
/// ```
/// use saltplan::diag::Source;
/// use saltplan::plan::{Options, plan};
/// use saltplan::predicate::{Parameters, lower, parse};
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
/// let schema = saltplan::schema::load(&Source::new("t.yaml", yaml))?.schema;
/// let predicate = Source::new("predicate", "day = 20200406 AND status = 'ok'");
/// let lowered = lower(&schema, &parse(&predicate, &Parameters::new())?)?;
/// let plan = plan(&schema, &lowered, Options::default());
///
/// assert_eq!(plan.branches.len(), 16);
/// assert_eq!(plan.branches[10].range.start, b"a20200406");
/// assert_eq!(plan.branches[10].range.stop.as_deref(), Some(&b"a20200407"[..]));
/// // The ranges say the day, so only the status is left to check on each row.
/// assert_eq!(plan.branches[10].residual.as_ref().map(|r| r.text.to_string()), Some("status = 'ok'".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan(schema: &Schema, lowered: &Lowered, options: Options<'_>) -> Plan {
    let options = Options { max_branches: options.max_branches.max(1), ..options };
    let image = schema.key.salt.as_ref().map(|salt| salt.image(&schema.key));
    let key_boxes = boxes(&lowered.predicate, &schema.key);
    let bound = bound(schema, &key_boxes);
    let mut planner =
        Planner { schema, lowered, image, options, bound, notes: Vec::new(), clauses: BTreeMap::new() };
    let mut plan = match planner.salted(&key_boxes) {
        Ok(salted) => planner.ranged(&salted),
        Err(too_many) => planner.scan_of_everything(Some(too_many)),
    };
    planner.explain_conditions(&plan);
    plan.bound = planner.bound;
    plan.notes = planner.notes;
    plan
}

fn touched(range: &KeyRange, split_keys: &[Vec<u8>]) -> std::ops::Range<usize> {
    region::touched(&range.start, range.stop.as_deref(), split_keys)
}

struct Planner<'a> {
    schema: &'a Schema,
    lowered: &'a Lowered,
    image: Option<Image>,
    options: Options<'a>,
    bound: Bound,
    notes: Vec<Note>,
    /// Every clause by its id.
    clauses: BTreeMap<usize, Clause>,
}

impl Planner<'_> {
    fn salted(&mut self, key_boxes: &[KeyBox]) -> Result<Vec<SaltedBox>, TooManySalts> {
        let mut all = Vec::new();
        let mut unbound = BTreeSet::new();
        for key_box in key_boxes {
            for clause in &key_box.clauses {
                self.clauses.entry(clause.id).or_insert_with(|| clause.clone());
            }
            let salted = salts::split(self.schema, self.image.as_ref(), key_box, self.options.max_branches)?;
            unbound.extend(salted.unbound);
            all.extend(salted.boxes);
        }
        if !unbound.is_empty() {
            let message = format!(
                "the salt is not computed: {} not bound to single values",
                names(self.schema, &unbound)
            );
            self.note("salt_unbound", message);
        }
        if self.schema.key.salt.as_ref().is_some_and(|salt| !salt.is_computable()) && !all.is_empty() {
            self.note("salt_random", "the salt is random: no row tells it, so every salt is read".into());
        }
        Ok(all)
    }

    fn ranged(&mut self, salted: &[SaltedBox]) -> Plan {
        let per_box = (self.options.max_branches / salted.len().max(1)).max(1);
        let mut by_salt: BTreeMap<Option<Vec<u8>>, Vec<Candidate>> = BTreeMap::new();
        let (mut widened, mut unordered) = (BTreeSet::new(), BTreeSet::new());
        for SaltedBox { salt, key_box, computed } in salted {
            let cover = ranges::cover(&self.schema.key, key_box, &self.prefix(salt.as_deref()), per_box);
            widened.extend(cover.widened);
            unordered.extend(cover.unordered);
            let clauses = self.unproved(key_box, &cover.exact, *computed);
            let candidates = by_salt.entry(salt.clone()).or_default();
            // HBase has no empty row key.
            let ranges = cover.ranges.into_iter().filter(|range| *range != KeyRange::point(Vec::new()));
            candidates.extend(ranges.map(|range| Candidate { range, clauses: clauses.clone() }));
        }
        let mut disjoint: BTreeMap<Option<Vec<u8>>, Vec<Disjoint>> = by_salt
            .into_iter()
            .map(|(salt, candidates)| (salt, branches::disjoint(&candidates)))
            .filter(|(_, branches)| !branches.is_empty())
            .collect();
        let total: usize = disjoint.values().map(Vec::len).sum();
        if disjoint.len() > self.options.max_branches {
            return self.too_many_branches(disjoint.len());
        }
        if total > self.options.max_branches {
            let per_salt = (self.options.max_branches / disjoint.len()).max(1);
            disjoint =
                disjoint.into_iter().map(|(salt, list)| (salt, branches::widen(list, per_salt))).collect();
            let message = format!(
                "{total} ranges joined to {per_salt} per salt at most; the rows between are filtered"
            );
            self.note("widened", message);
        }
        for field in widened {
            let name = &self.schema.key.fields[field].name;
            let message = format!(
                "the values of `{name}` make more than {} ranges; the ranges are wider and the condition is a residual",
                self.options.max_branches
            );
            self.note("widened", message);
        }
        for field in unordered {
            let name = &self.schema.key.fields[field].name;
            let message = format!(
                "`{name}` is not stored in the order of its values, so only single values make ranges"
            );
            self.note("unordered", message);
        }
        if self.covers_everything(&disjoint) {
            return self.full_scan(disjoint);
        }
        self.finish(disjoint)
    }

    /// The clauses of a box that its ranges do not imply.
    fn unproved(&self, key_box: &KeyBox, exact: &[usize], computed: bool) -> Vec<usize> {
        let mut ids: Vec<usize> = key_box
            .clauses
            .iter()
            .filter(|clause| match clause.field {
                Some(field) if exact.contains(&field) => false,
                Some(field) => !(computed && self.salt_tells(field)),
                None => true,
            })
            .map(|clause| clause.id)
            .collect();
        ids.sort_unstable();
        ids
    }

    /// Whether the salt alone proves the value of a field that the key does not store.
    fn salt_tells(&self, field: usize) -> bool {
        let key = &self.schema.key;
        !key.fields[field].stored && key.salt.as_ref().is_some_and(|salt| salt.determines_inputs(key))
    }

    fn prefix(&self, salt: Option<&[u8]>) -> Vec<u8> {
        match (salt, &self.schema.key.salt) {
            (Some(bytes), Some(salt)) => [bytes, &salt.then].concat(),
            _ => Vec::new(),
        }
    }

    /// Whether the branches leave out no key that a row can have.
    fn covers_everything(&self, disjoint: &BTreeMap<Option<Vec<u8>>, Vec<Disjoint>>) -> bool {
        let salts: Vec<Option<Vec<u8>>> = match &self.image {
            None => vec![None],
            Some(Image::Listed(salts)) => salts.iter().cloned().map(Some).collect(),
            Some(Image::TooMany { .. }) => return false,
        };
        let stores_fields = self.schema.key.stored().next().is_some();
        stores_fields
            && salts.iter().all(|salt| {
                let prefix = self.prefix(salt.as_deref());
                let whole = KeyRange::new(prefix.clone(), prefix_successor(&prefix));
                disjoint.get(salt).is_some_and(|list| spans(list, &whole))
            })
    }

    fn full_scan(&mut self, disjoint: BTreeMap<Option<Vec<u8>>, Vec<Disjoint>>) -> Plan {
        let mut checks = disjoint.values().flatten().map(|branch| &branch.check);
        let first = checks.next().cloned().unwrap_or(Check::Everything);
        let check = if checks.all(|check| *check == first) { first } else { Check::Everything };
        let mut plan = self.scan_of_everything(None);
        for branch in &mut plan.branches {
            branch.residual = self.residual(&check);
        }
        plan
    }

    /// The predicate determines the salts, and they are more than there may be branches.
    fn too_many_branches(&mut self, count: usize) -> Plan {
        let limit = self.options.max_branches;
        self.note(
            "too_many_salts",
            format!("{count} salts would be read one by one; the limit of branches is {limit}"),
        );
        self.whole_table(None)
    }

    fn scan_of_everything(&mut self, too_many: Option<TooManySalts>) -> Plan {
        match &too_many {
            Some(too_many) => self.note("too_many_salts", self.why_too_many(too_many)),
            None => self.note("no_pruning", self.why_no_pruning()),
        }
        self.whole_table(too_many)
    }

    fn why_too_many(&self, too_many: &TooManySalts) -> String {
        let unbound: BTreeSet<usize> = too_many.unbound.iter().copied().collect();
        let what = if unbound.is_empty() {
            "it is random".to_string()
        } else {
            format!("{} not bound to single values", names(self.schema, &unbound))
        };
        format!(
            "{} salts are possible and the predicate does not tell which: {what}",
            count_text(too_many.count)
        )
    }

    fn why_no_pruning(&self) -> String {
        let what = match &self.image {
            Some(image) => format!("no pruning, {0} of {0} salts", count_text(image.count())),
            None => "no pruning".to_string(),
        };
        match self.schema.key.stored().next() {
            Some(first) if self.bound.fields.contains_key(&first) => {
                format!(
                    "{what}: the conditions on `{}` make no range of keys",
                    self.schema.key.fields[first].name
                )
            }
            Some(first) => {
                format!(
                    "{what}: the first key field, `{}`, is not restricted",
                    self.schema.key.fields[first].name
                )
            }
            None => what,
        }
    }

    fn whole_table(&self, too_many_salts: Option<TooManySalts>) -> Plan {
        let branch = Branch {
            salt: None,
            range: KeyRange::new(Vec::new(), None),
            residual: self.residual(&Check::Everything),
            regions: self.region_count(),
        };
        Plan {
            kind: Kind::FullScan,
            salts: self.image.as_ref().map(|image| Share { part: image.count(), of: image.count() }),
            branches: vec![branch],
            regions: self.region_count().map(|count| Share { part: count as u128, of: count as u128 }),
            notes: Vec::new(),
            bound: Bound::default(),
            too_many_salts,
        }
    }

    fn region_count(&self) -> Option<usize> {
        self.options.split_keys.map(|keys| keys.len() + 1)
    }

    fn finish(&mut self, disjoint: BTreeMap<Option<Vec<u8>>, Vec<Disjoint>>) -> Plan {
        let split_keys = self.options.split_keys;
        let reached = disjoint.len() as u128;
        let mut branches: Vec<Branch> = disjoint
            .into_iter()
            .flat_map(|(salt, list)| list.into_iter().map(move |branch| (salt.clone(), branch)))
            .map(|(salt, Disjoint { range, check })| Branch {
                salt,
                residual: self.residual(&check),
                regions: split_keys.map(|keys| touched(&range, keys).len()),
                range,
            })
            .collect();
        // Salts sort without their separator: `1` before `10`, yet `10_…` before `1_…`.
        branches.sort_unstable_by(|a, b| a.range.start.cmp(&b.range.start));
        let regions = split_keys.map(|keys| {
            let touched: BTreeSet<usize> = branches.iter().flat_map(|b| touched(&b.range, keys)).collect();
            Share { part: touched.len() as u128, of: keys.len() as u128 + 1 }
        });
        let kind = match branches.as_slice() {
            [] => Kind::Empty,
            _ if reached > 1 => Kind::FanOut,
            [only] if only.range.is_point() => Kind::Point,
            _ => Kind::Range,
        };
        let salts = self.image.as_ref().map(|image| Share { part: reached, of: image.count() });
        Plan {
            kind,
            salts,
            branches,
            regions,
            notes: Vec::new(),
            bound: Bound::default(),
            too_many_salts: None,
        }
    }

    fn residual(&self, check: &Check) -> Option<Residual> {
        let predicate = match check {
            Check::Nothing => return None,
            Check::Everything if matches!(&self.lowered.predicate, Predicate::All(arms) if arms.is_empty()) =>
            {
                return None;
            }
            Check::AnyOf(conjunctions) if self.is_longer_than_the_predicate(conjunctions) => {
                return self.residual(&Check::Everything);
            }
            Check::Everything => {
                return Some(Residual {
                    predicate: self.lowered.predicate.clone(),
                    text: self.lowered.text.clone(),
                });
            }
            Check::AnyOf(conjunctions) => {
                let arms = conjunctions.iter().map(|ids| {
                    let clauses = ids.iter().filter_map(|id| self.clauses.get(id));
                    Predicate::All(clauses.map(|clause| clause.predicate.clone()).collect())
                });
                Predicate::Any(arms.collect())
            }
        };
        let text = text_of(&predicate);
        Some(Residual { predicate, text })
    }

    /// A product of ORs written out can be longer than the predicate by orders of magnitude.
    fn is_longer_than_the_predicate(&self, conjunctions: &BTreeSet<Conjunction>) -> bool {
        let limit = 2 * self.lowered.text.0.len() + 16;
        let mut size = 0;
        conjunctions.iter().flatten().filter_map(|id| self.clauses.get(id)).any(|clause| {
            size += size_of(&clause.predicate);
            size > limit
        })
    }

    fn note(&mut self, code: &'static str, message: String) {
        let note = Note { code, message };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Says of the conditions that stay as residual why the ranges could not use them.
    fn explain_conditions(&mut self, plan: &Plan) {
        let mut checked = BTreeSet::new();
        for residual in plan.branches.iter().filter_map(|branch| branch.residual.as_ref()) {
            gather_conditions(&residual.predicate, &mut checked);
        }
        let messages: Vec<String> = self
            .clauses
            .values()
            .filter_map(|clause| match &clause.predicate {
                Predicate::Condition(condition) if checked.contains(&Arc::as_ptr(condition)) => {
                    Some(self.why_checked(condition))
                }
                _ => None,
            })
            .collect();
        let more = messages.len().saturating_sub(MAX_EXPLAINED);
        for message in messages.into_iter().take(MAX_EXPLAINED) {
            self.note("not_used", message);
        }
        if more > 0 {
            self.note("not_used", format!("{more} more conditions are checked row by row"));
        }
    }

    fn why_checked(&self, condition: &Condition) -> String {
        let text = &condition.text;
        match &condition.meaning {
            Meaning::Opaque { reason: Some(reason) } => format!("`{text}` is checked row by row: {reason}"),
            Meaning::Opaque { reason: None } => {
                format!("`{text}` does not narrow the ranges: it is not about the row key")
            }
            Meaning::Field { field, .. } => {
                let name = &self.schema.key.fields[*field].name;
                format!("`{text}` is checked row by row: the ranges do not tell `{name}` exactly")
            }
            Meaning::SaltInput { .. } => format!("`{text}` is checked row by row"),
        }
    }
}

/// Conditions that get a note of their own, at most.
const MAX_EXPLAINED: usize = 32;

fn gather_conditions(predicate: &Predicate, gathered: &mut BTreeSet<*const Condition>) {
    match predicate {
        Predicate::All(arms) | Predicate::Any(arms) => {
            arms.iter().for_each(|arm| gather_conditions(arm, gathered))
        }
        Predicate::Condition(condition) => {
            gathered.insert(Arc::as_ptr(condition));
        }
    }
}

/// Whether sorted, disjoint branches hold all of a range without a gap.
fn spans(list: &[Disjoint], whole: &KeyRange) -> bool {
    let joined =
        crate::key::KeyRanges::from_intervals(list.iter().map(|branch| branch.range.clone()).collect());
    crate::key::KeyRanges::from_intervals(vec![whole.clone()]).is_subset(&joined)
}

fn names(schema: &Schema, fields: &BTreeSet<usize>) -> String {
    let names: Vec<String> =
        fields.iter().map(|index| format!("`{}`", schema.key.fields[*index].name)).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", names.join(", "))
}

/// Pieces of the words of a predicate, brackets and connectives left out.
fn size_of(predicate: &Predicate) -> usize {
    match predicate {
        Predicate::Condition(condition) => condition.text.0.len(),
        Predicate::All(arms) | Predicate::Any(arms) => arms.iter().map(size_of).sum(),
    }
}

/// The words of a predicate made of clauses.
pub fn text_of(predicate: &Predicate) -> Fragment {
    let parts = |arms: &[Predicate]| arms.iter().map(text_of).collect::<Vec<_>>();
    match predicate {
        Predicate::Condition(condition) => condition.text.clone(),
        Predicate::All(arms) if arms.is_empty() => Fragment::text("TRUE"),
        Predicate::Any(arms) if arms.is_empty() => Fragment::text("FALSE"),
        Predicate::All(arms) => Fragment::joined(&parts(arms), "AND"),
        Predicate::Any(arms) => Fragment::joined(&parts(arms), "OR"),
    }
}

fn bound(schema: &Schema, key_boxes: &[KeyBox]) -> Bound {
    let mut bound = Bound::default();
    for field in 0..schema.key.fields.len() {
        let sets: Option<Vec<&ValueSet>> = key_boxes
            .iter()
            .map(|key_box| key_box.fields.get(&field).map(|values| values.as_ref()))
            .collect();
        if let Some(union) = sets.and_then(|sets| union_of(&sets)) {
            bound.fields.insert(field, union);
        }
    }
    for clause in key_boxes.iter().flat_map(|key_box| &key_box.clauses) {
        match clause.field {
            Some(field) => {
                bound.conditions_on.insert(field);
            }
            None => bound.other_conditions = true,
        }
    }
    bound
}

/// A count in digits, or as a power of two where the digits would tell nobody anything.
pub(crate) fn count_text(count: u128) -> String {
    match count {
        u128::MAX => "2^128".into(),
        large if large.is_power_of_two() && large > 1 << 31 => format!("2^{}", large.trailing_zeros()),
        other => other.to_string(),
    }
}
