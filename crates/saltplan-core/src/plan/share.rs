//! Plans that read nearly the whole table, because what they leave out of the first field is little: `day <> 20240601`.

use std::fmt;

use super::ranges::KeyParts;
use super::scan_set::SaltGroup;
use super::{FieldBounds, Given};
use crate::analyze::ValueSet;
use crate::key::field::{EpochField, Field, FieldKind, TextField};
use crate::key::interval::{Interval, IntervalSet};
use crate::key::salt::SaltDomain;
use saltplan_document::diag::{counted, grouped};

/// A plan that reads at least this share of the first field's values, in percent, reads nearly everything.
const NEARLY: u128 = 90;

/// How much of the key's first field a plan reads, if it reads nearly all of its values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct NearlyAll {
    pub field: String,
    /// What is counted, such as `day`.
    pub unit: &'static str,
    pub left_out: u128,
    /// All values, or the plausible ones; `None` for texts, which cannot be counted.
    pub of: Option<u128>,
}

impl NearlyAll {
    /// The share of the key space in percent, `99.9 %`, rounded down; `None` if it cannot be counted.
    pub(crate) fn percent(&self) -> Option<String> {
        if self.left_out == 0 {
            return Some("100 %".into());
        }
        let of = self.of?;
        let tenths = of.saturating_sub(self.left_out).saturating_mul(1_000) / of.max(1);
        Some(format!("{}.{} %", tenths / 10, tenths % 10))
    }
}

/// `nearly the whole table: all but 1 day of `day`, 99.9 % of the key space`.
impl fmt::Display for NearlyAll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NearlyAll { field, unit, left_out, of } = self;
        if *left_out == 0 {
            return f.write_str("the whole table: its ranges hold every possible key");
        }
        let left_out = counted(*left_out, unit, &format!("{unit}s"));
        write!(f, "nearly the whole table: all but {left_out} of `{field}`")?;
        let Some((percent, of)) = self.percent().zip(*of) else { return Ok(()) };
        write!(f, " (of {}), {percent} of the key space", grouped(of))
    }
}

/// Whether the ranges behind the salts contain nearly every key.
pub(super) fn nearly_all(
    given: &Given<'_>,
    parts: &KeyParts<'_>,
    groups: &[SaltGroup],
    bound: &FieldBounds,
) -> Option<NearlyAll> {
    let key = &given.schema.key;
    let first = key.stored().next()?;
    let field = &key.fields[first];
    let unit = field.kind.time().map_or("value", |time| time.unit().word());
    let salts = match given.salt_domain {
        None => 1,
        Some(SaltDomain::Listed(salts)) => salts.len(),
        Some(SaltDomain::TooMany { .. }) => return None,
    };
    let reached: usize = groups.iter().map(|group| group.salts.len()).sum();
    if reached != salts {
        return None;
    }
    let has_all = |group: &SaltGroup| match group.branches.as_slice() {
        [only] => parts.are_all(&only.range),
        _ => false,
    };
    if groups.iter().all(has_all) {
        return Some(NearlyAll { field: field.name.clone(), unit, left_out: 0, of: None });
    }
    let read = bound.fields.get(&first)?;
    // With more ranges, they follow single values, and other fields narrow them.
    if groups.iter().any(|group| group.branches.len() > read.interval_count()) {
        return None;
    }
    let (left_out, of) = match read {
        ValueSet::Numbers(read) => numbers_left_out(field, read)?,
        ValueSet::Text(read) => texts_left_out(&field.kind, read)?,
    };
    let is_little = of.is_none_or(|of| left_out.saturating_mul(100) <= of.saturating_mul(100 - NEARLY));
    (left_out > 0 && is_little).then(|| NearlyAll { field: field.name.clone(), unit, left_out, of })
}

/// The number of plausible values that a set leaves out, and of all. One that is open at one end says nothing, unless the schema
/// says how many values there are: `day >= 20240601` leaves out thousands of years.
fn numbers_left_out(field: &Field, read: &IntervalSet<i128>) -> Option<(u128, Option<u128>)> {
    let Interval { start, stop } = field.kind.domain()?;
    let last = stop? - 1;
    let window = field.window;
    let plausible = Interval::new(
        window.first.map_or(start, |first| start.max(first.into())),
        Some(window.last.map_or(last, |greatest| last.min(greatest.into())) + 1),
    );
    let is_bounded = match &field.kind {
        FieldKind::Integer(form) | FieldKind::Epoch(EpochField { number: form, .. })
            if form.min.is_some() && form.max.is_some() =>
        {
            true
        }
        _ => window.first.is_some() && window.last.is_some(),
    };
    if !(is_bounded || read.contains(&start) && read.contains(&last)) {
        return None;
    }
    let plausible = IntervalSet::from_intervals(vec![plausible]);
    let of = count(&plausible);
    (of > 0).then(|| (of - count(&plausible.intersect(read)), Some(of)))
}

/// The number of single texts that a set leaves out, and of all if the schema lists them.
fn texts_left_out(kind: &FieldKind, read: &IntervalSet<Vec<u8>>) -> Option<(u128, Option<u128>)> {
    if let FieldKind::Text(TextField { values: Some(values), .. }) = kind {
        let of = values.in_stored_order().len() as u128;
        let inside: usize = read.intervals().iter().map(|interval| values.stored_in(interval).len()).sum();
        return Some((of - inside as u128, Some(of)));
    }
    let left_out = read.complement();
    let are_single = left_out.intervals().iter().all(Interval::is_point);
    are_single.then(|| (left_out.intervals().len() as u128, None))
}

/// How many numbers a set has.
pub(super) fn count(numbers: &IntervalSet<i128>) -> u128 {
    let each = numbers.intervals().iter().map(|interval| match interval.stop {
        Some(stop) => interval.start.abs_diff(stop),
        None => u128::MAX,
    });
    each.fold(0, u128::saturating_add)
}
