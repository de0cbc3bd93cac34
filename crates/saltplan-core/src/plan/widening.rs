//! How much more than requested a plan reads if ranges were merged to stay within a limit.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;

use super::key_box::KeyBox;
use super::ranges::KeyParts;
use super::salts::SaltedBox;
use super::scan_set::SaltGroup;
use super::share::count;
use super::stored_field::StoredField;
use crate::analyze::ValueSet;
use crate::key::layout::RowKey;
use crate::key::range::{KeyRange, KeyRanges};
use saltplan_document::diag::{counted, grouped};

/// The maximum ratio of values read to values requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaxWidening {
    Times(u64),
    Any,
}

impl MaxWidening {
    /// The word that means no limit.
    pub const ANY: &str = "any";
}

impl fmt::Display for MaxWidening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MaxWidening::Times(factor) => write!(f, "{factor}"),
            MaxWidening::Any => f.write_str(MaxWidening::ANY),
        }
    }
}

impl Default for MaxWidening {
    fn default() -> Self {
        MaxWidening::Times(10)
    }
}

/// The additional values of a field in merged ranges, for the worst case over all salts and all values of the
/// preceding fields.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Widening {
    pub field: String,
    pub values: WidenedValues,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WidenedValues {
    /// This many values are read, and this many were requested. `unit` is what they count, such as `day`.
    Counted { read: u128, asked: u128, unit: &'static str },
    /// Texts between others cannot be counted. `single`: single texts were requested.
    Uncounted { single: bool },
}

impl Widening {
    /// The ratio of values read to values requested, rounded up; `None` if they cannot be counted.
    pub fn factor(&self) -> Option<u128> {
        match self.values {
            WidenedValues::Counted { read, asked, .. } => Some(read.div_ceil(asked.max(1))),
            WidenedValues::Uncounted { .. } => None,
        }
    }

    /// [`Widening::factor`] without rounding.
    pub fn ratio(&self) -> Option<f64> {
        match self.values {
            WidenedValues::Counted { read, asked, .. } => Some(read as f64 / asked.max(1) as f64),
            WidenedValues::Uncounted { .. } => None,
        }
    }

    /// Whether more than `limit` times as many values are read. There are infinitely many texts between two
    /// texts, so a merge of single texts exceeds every limit. Ranges of texts contain infinitely many
    /// themselves, so a merge of those exceeds none.
    pub fn exceeds(&self, limit: MaxWidening) -> bool {
        let MaxWidening::Times(limit) = limit else { return false };
        match self.values {
            WidenedValues::Counted { read, asked, .. } => read > asked.saturating_mul(u128::from(limit)),
            WidenedValues::Uncounted { single } => single,
        }
    }

    /// The smallest limit that allows it.
    pub(crate) fn least_limit(&self) -> MaxWidening {
        let factor = self.factor().and_then(|factor| u64::try_from(factor).ok());
        // A larger number is never intended.
        factor.filter(|factor| *factor < 1_000_000_000_000).map_or(MaxWidening::Any, MaxWidening::Times)
    }

    /// The worse of two.
    fn compare(&self, other: &Self) -> Ordering {
        let ratio = |values: &WidenedValues| match *values {
            WidenedValues::Counted { read, asked, .. } => (read, asked.max(1)),
            WidenedValues::Uncounted { single } => (if single { u128::MAX } else { 1 }, 1),
        };
        let ((read, asked), (other_read, other_asked)) = (ratio(&self.values), ratio(&other.values));
        read.saturating_mul(other_asked).cmp(&other_read.saturating_mul(asked))
    }
}

/// `reads 366 days of `day` for 2, 183 times as many`.
impl fmt::Display for Widening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Widening { field, values } = self;
        match *values {
            WidenedValues::Counted { read, asked, unit } => {
                let values = counted(read, unit, &format!("{unit}s"));
                write!(
                    f,
                    "reads {values} of `{field}` for {}, {} times as many",
                    grouped(asked),
                    times(read, asked)
                )
            }
            WidenedValues::Uncounted { single: true } => {
                write!(f, "reads all texts of `{field}` between the requested ones")
            }
            WidenedValues::Uncounted { single: false } => {
                write!(f, "reads more texts of `{field}` than requested")
            }
        }
    }
}

/// `read / asked`, rounded up: to one decimal place if it is small, else to a whole number.
fn times(read: u128, asked: u128) -> String {
    let asked = asked.max(1);
    match read.div_ceil(asked) {
        ..=10 => {
            let tenths = read.saturating_mul(10).div_ceil(asked);
            let tenth = if tenths.is_multiple_of(10) { String::new() } else { format!(".{}", tenths % 10) };
            format!("{}{tenth}", tenths / 10)
        }
        many => grouped(many),
    }
}

/// The values that the merged ranges of a plan contain in addition to those that its boxes request; `None` if
/// there are none.
pub(super) fn widening(
    key: &RowKey,
    parts: &KeyParts<'_>,
    salted: &[SaltedBox],
    groups: &[SaltGroup],
) -> Option<Widening> {
    let mut walk = WidestPart { key, parts, worst: None };
    for group in groups {
        let boxes: Vec<&KeyBox> = group.boxes.iter().map(|index| &salted[*index].key_box).collect();
        let ranges: Vec<KeyRange> = group.branches.iter().map(|branch| branch.range.clone()).collect();
        walk.at(0, &boxes, &ranges);
    }
    walk.worst
}

struct WidestPart<'a> {
    key: &'a RowKey,
    parts: &'a KeyParts<'a>,
    worst: Option<Widening>,
}

impl WidestPart<'_> {
    /// Compares what boxes request of the fields from a part on with the ranges after the preceding parts;
    /// the ranges are sorted.
    fn at<'b>(&mut self, index: usize, boxes: &[&'b KeyBox], ranges: &[KeyRange]) {
        let Some(part) = self.parts.at(index).filter(|_| !boxes.is_empty() && !ranges.is_empty()) else {
            return;
        };
        let all = ValueSet::all(part.kind);
        let set_of = |key_box: &&'b KeyBox| key_box.fields.get(&part.field).map(AsRef::as_ref);
        let sets: Vec<&ValueSet> = boxes.iter().map(|key_box| set_of(key_box).unwrap_or(&all)).collect();
        let Some(asked) = ValueSet::union_of(&sets) else { return };
        if let Some(values) = beyond(part, &asked, ranges) {
            let found = Widening { field: self.key.fields[part.field].name.clone(), values };
            if self.worst.as_ref().is_none_or(|worst| found.compare(worst).is_gt()) {
                self.worst = Some(found);
            }
            return;
        }
        let behind: BTreeSet<_> = self.parts.fields().into_iter().skip(index + 1).collect();
        if !boxes.iter().any(|key_box| key_box.fields.keys().any(|field| behind.contains(field))) {
            return;
        }
        // After single values, the walk of the planner continued.
        let mut deeper = Vec::new();
        for one in asked.each_interval() {
            for value in one.points(part.kind, ranges.len()).unwrap_or_default() {
                let inside = part.ranges_behind(&value, ranges).unwrap_or_default();
                if inside.is_empty() {
                    continue;
                }
                let holds = |set: &ValueSet| set.contains(part.kind, &value);
                let boxes =
                    boxes.iter().zip(&sets).filter(|(_, set)| holds(set)).map(|(key_box, _)| *key_box);
                deeper.push((boxes.collect::<Vec<_>>(), inside));
            }
        }
        for (boxes, ranges) in deeper {
            self.at(index + 1, &boxes, &ranges);
        }
    }
}

/// The values of a part that ranges contain in addition to those requested.
fn beyond(part: &StoredField<'_>, asked: &ValueSet, ranges: &[KeyRange]) -> Option<WidenedValues> {
    if let (ValueSet::Numbers(asked), true) = (asked, part.kind.is_number() && part.has_ranges()) {
        let read = part.numbers_in(ranges)?;
        return (!read.is_subset(asked)).then(|| WidenedValues::Counted {
            read: count(&read.union(asked)),
            asked: count(asked),
            unit: part.kind.time().map_or("value", |time| time.unit().word()),
        });
    }
    let open = KeyRange::new(Vec::new(), None);
    let exact = KeyRanges::from_intervals(part.ranges_or_points(asked, &open)?);
    let is_merged = |range: &&KeyRange| !KeyRanges::from_intervals(vec![(*range).clone()]).is_subset(&exact);
    let merged: Vec<&KeyRange> = ranges.iter().filter(is_merged).collect();
    if merged.is_empty() {
        return None;
    }
    if let Some((read, asked)) = part.listed_in(ranges).zip(asked.listed_count(part.kind)) {
        return Some(WidenedValues::Counted {
            read: read as u128,
            asked: asked as u128,
            unit: part.kind.time().map_or("value", |time| time.unit().word()),
        });
    }
    let is_single = |one: &ValueSet| {
        let texts = one.points(part.kind, 1).unwrap_or_default();
        texts.iter().any(|text| merged.iter().any(|range| part.meets(text, range)))
    };
    Some(WidenedValues::Uncounted { single: asked.each_interval().any(|one| is_single(&one)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::analyze;
    use crate::key::Value;
    use crate::key::field::FieldKind;
    use crate::plan::{Options, Plan, plan};
    use crate::schema::load;
    use saltplan_document::diag::Source;
    use saltplan_sql::{Parameters, parse};

    fn planned(fields: &str, predicate: &str, max_branches: usize) -> Plan {
        let yaml = format!(
            "saltplan: 1\nhbase: {{ table: t, families: {{ f: {{}} }} }}\nkey: {{ fields: [{fields}] }}\n\
             columns: [{{ name: status, type: string, hbase: 'f:s' }}]\n"
        );
        let schema = load(&Source::new("t.yaml", yaml)).expect("a schema").schema;
        let parsed = parse(&Source::new("predicate", predicate), &Parameters::new()).expect("a predicate");
        let analysis = analyze(&schema, &parsed).expect("known names");
        plan(&schema, &analysis, Options { max_branches, ..Options::default() })
    }

    /// Numbers can be stored in any byte order, so the numbers whose keys are in the ranges of a plan are
    /// counted one by one.
    #[test]
    fn values_are_counted_as_they_lie_in_the_ranges() {
        let id =
            |encoding: &str| format!("{{ name: id, type: int, encoding: {encoding}, min: -40, max: 60 }}");
        for encoding in ["be", "be_sortable", "be, descending: true", "be_sortable, descending: true"] {
            for behind in ["", ", { name: tail, type: string, chars: alnum }"] {
                let fields = id(encoding) + behind;
                for predicate in [
                    "id IN (-40, -39, -7, 0, 3, 4, 5, 11, 60)",
                    "id IN (1, 3, 5, 7, 9, 50)",
                    "id = -5 AND status = 'a' OR id = 17 AND status = 'b' OR id = 19 AND status = 'c'",
                    "id < -30 OR id = 0 OR id > 55",
                ] {
                    for max_branches in 1..=9 {
                        let plan = planned(&fields, predicate, max_branches);
                        let Some(widening) = plan.widening() else { continue };
                        let WidenedValues::Counted { read, asked, unit } = widening.values else {
                            panic!("{widening:?}")
                        };
                        let kind = kind_of(&fields);
                        let is_read = |number: &i64| {
                            let bytes = kind.encode(&Value::Number(*number)).expect("a number");
                            let keys = KeyRange::prefix(bytes);
                            plan.branches.iter().any(|branch| {
                                keys.stop.as_ref().is_none_or(|stop| branch.range.start < *stop)
                                    && branch.range.stop.as_ref().is_none_or(|stop| keys.start < *stop)
                            })
                        };
                        let expected = (-40..=60).filter(is_read).count() as u128;
                        assert_eq!(
                            (read, unit),
                            (expected, "value"),
                            "{fields}: {predicate}, {max_branches}"
                        );
                        assert!(asked < read && widening.exceeds(MaxWidening::Times(1)), "{widening:?}");
                        let MaxWidening::Times(least) = widening.least_limit() else {
                            panic!("{widening:?}")
                        };
                        assert!(!widening.exceeds(MaxWidening::Times(least)), "{widening:?}");
                        assert!(widening.exceeds(MaxWidening::Times(least - 1)), "{widening:?}");
                    }
                }
            }
        }
    }

    fn kind_of(fields: &str) -> FieldKind {
        let yaml = format!(
            "saltplan: 1\nhbase: {{ table: t, families: {{ f: {{}} }} }}\nkey: {{ fields: [{fields}] }}\n"
        );
        let schema = load(&Source::new("t.yaml", yaml)).expect("a schema").schema;
        let first = schema.key.stored().next().expect("a field");
        schema.key.fields[first].kind.clone()
    }

    #[test]
    fn nothing_is_said_where_nothing_lies_between() {
        let days = "{ name: day, type: date, format: yyyyMMdd }, { name: id, type: string, chars: alnum }";
        for (predicate, max_branches) in [
            ("day IN (20200101, 20200103)", 2),
            ("day BETWEEN 20200101 AND 20201231", 1),
            ("day = 20200101 AND status = 'a' OR day = 20200102 AND status = 'b'", 1),
        ] {
            assert_eq!(planned(days, predicate, max_branches).widening(), None, "{predicate}");
        }
    }

    #[test]
    fn the_worst_of_several_is_told() {
        let fields = "{ name: kind, type: string, width: 2, chars: alnum }, { name: n, type: int, encoding: decimal, width: 4 }";
        let told = |predicate: &str, max_branches| {
            planned(fields, predicate, max_branches).widening().map(ToString::to_string).unwrap_or_default()
        };
        let both = "kind = 'aa' AND n IN (1, 3) OR kind = 'bb' AND n IN (5, 504)";
        assert_eq!(told(both, 4), "");
        assert_eq!(told(both, 2), "reads 500 values of `n` for 2, 250 times as many");
        assert_eq!(told(both, 1), "reads all texts of `kind` between the requested ones");
        assert_eq!(
            told("kind >= 'b' AND kind < 'c' OR kind > 'x'", 1),
            "reads more texts of `kind` than requested"
        );
        assert_eq!(told("kind IN ('aa', 'cc')", 1), "reads all texts of `kind` between the requested ones");
        assert_eq!(times(7, 2), "3.5");
        assert_eq!(times(u128::MAX, 1), grouped(u128::MAX));
    }
}
