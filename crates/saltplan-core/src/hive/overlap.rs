//! INSERT OVERWRITEs that replace the rows of each other.

use std::collections::{BTreeSet, HashMap};

use super::query::{Extent, PartitionText};

/// Which columns of a partition are known.
type Mask = Vec<bool>;

/// What one INSERT OVERWRITE replaces.
#[derive(Debug, Clone)]
pub struct Overwrite {
    /// The table in lower case, with its database if it is known.
    pub table: String,
    pub extent: Extent,
    /// Statements with the same source write the same rows to the same partition; `None` if that is not known.
    pub source: Option<String>,
}

/// Two INSERT OVERWRITEs, by their indices, of which the later one replaces rows of the earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    pub earlier: usize,
    pub later: usize,
    /// Whether it depends on values that are known only when the statements run.
    pub perhaps: bool,
}

/// The overlaps, at most one for each later INSERT OVERWRITE. Partitions that are perhaps the same count only if they would get
/// other rows. Takes time in proportion to the number of partitions, for each combination of columns that are known.
pub fn overlaps(overwrites: &[Overwrite]) -> Vec<Overlap> {
    let mut by_table: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, overwrite) in overwrites.iter().enumerate() {
        by_table.entry(overwrite.table.as_str()).or_default().push(index);
    }
    let mut found: Vec<Overlap> = by_table
        .into_values()
        .filter(|several| several.len() > 1)
        .flat_map(|several| in_table(overwrites, &several))
        .collect();
    found.sort_unstable_by_key(|overlap| overlap.later);
    found
}

fn in_table(overwrites: &[Overwrite], several: &[usize]) -> Vec<Overlap> {
    let partitions = |index: usize| match &overwrites[index].extent {
        Extent::Table => None,
        Extent::Partitions(partitions) => Some(partitions.as_slice()),
    };
    let all = several.iter().filter_map(|index| partitions(*index)).flatten();
    let masks: BTreeSet<Mask> = all.map(|values| mask(values)).collect();
    let mut found = Vec::new();
    let mut table: Option<usize> = None;
    let mut same: HashMap<&[PartitionText], usize> = HashMap::new();
    // By the mask of the partitions, by the mask of the columns that are compared, and by their values.
    let mut known: HashMap<(&Mask, Mask), HashMap<Vec<&str>, Writers>> = HashMap::new();
    for (place, later) in several.iter().enumerate() {
        let Some(own) = partitions(*later) else {
            if let Some(earlier) = several[..place].last() {
                found.push(Overlap { earlier: *earlier, later: *later, perhaps: false });
            }
            table.get_or_insert(*later);
            continue;
        };
        let source = overwrites[*later].source.as_deref();
        let earlier = table.or_else(|| own.iter().find_map(|values| same.get(values.as_slice()).copied()));
        let certain = earlier.map(|earlier| Overlap { earlier, later: *later, perhaps: false });
        let perhaps = || {
            own.iter().find_map(|values| {
                let own_mask = mask(values);
                masks.iter().find_map(|other| {
                    let both = both(&own_mask, other);
                    let writers = known.get(&(other, both.clone()))?.get(&taken(values, &both))?;
                    let earlier =
                        writers.with_another(source, |index| overwrites[index].source.as_deref())?;
                    Some(Overlap { earlier, later: *later, perhaps: true })
                })
            })
        };
        found.extend(certain.or_else(perhaps));
        for values in own {
            if values.iter().all(|value| *value != PartitionText::Unknown) {
                same.entry(values).or_insert(*later);
            }
            let Some(own_mask) = masks.get(&mask(values)) else { continue };
            for other in &masks {
                let both = both(own_mask, other);
                let taken = taken(values, &both);
                let writers = known.entry((own_mask, both)).or_default().entry(taken).or_default();
                writers.add(*later, source, |index| overwrites[index].source.as_deref());
            }
        }
    }
    found
}

/// The first INSERT OVERWRITE of some partitions, and the first one of another source.
#[derive(Default)]
struct Writers([Option<usize>; 2]);

impl Writers {
    fn add<'o>(&mut self, index: usize, source: Option<&str>, source_of: impl Fn(usize) -> Option<&'o str>) {
        match self.0 {
            [None, _] => self.0[0] = Some(index),
            [Some(first), None] if first != index && differs(source_of(first), source) => {
                self.0[1] = Some(index);
            }
            _ => {}
        }
    }

    fn with_another<'o>(
        &self,
        source: Option<&str>,
        source_of: impl Fn(usize) -> Option<&'o str>,
    ) -> Option<usize> {
        self.0.iter().flatten().copied().find(|index| differs(source_of(*index), source))
    }
}

/// Whether two sources may write different rows.
fn differs(one: Option<&str>, other: Option<&str>) -> bool {
    one.is_none() || one != other
}

fn mask(values: &[PartitionText]) -> Mask {
    values.iter().map(|value| matches!(value, PartitionText::Known(_))).collect()
}

/// The columns that are known in both.
fn both(one: &Mask, other: &Mask) -> Mask {
    one.iter().zip(other).map(|(one, other)| *one && *other).collect()
}

fn taken<'v>(values: &'v [PartitionText], mask: &Mask) -> Vec<&'v str> {
    let text = |(value, is_taken): (&'v PartitionText, &bool)| match value {
        PartitionText::Known(text) if *is_taken => Some(text.as_str()),
        _ => None,
    };
    values.iter().zip(mask).filter_map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `?` is not known, and a text with a brace is filled in later.
    fn overwrite(source: Option<&str>, partitions: &[&[&str]]) -> Overwrite {
        let value = |text: &&str| match *text {
            "?" => PartitionText::Unknown,
            text if text.contains('{') => PartitionText::Later(text.into()),
            text => PartitionText::Known(text.into()),
        };
        let partitions = partitions.iter().map(|values| values.iter().map(value).collect());
        Overwrite {
            table: "db.t".into(),
            extent: Extent::Partitions(partitions.collect()),
            source: source.map(str::to_string),
        }
    }

    fn table(name: &str) -> Overwrite {
        Overwrite { table: name.into(), extent: Extent::Table, source: Some("s".into()) }
    }

    #[test]
    fn partitions_that_may_be_the_same() {
        let of = |partitions: &[&[&str]]| overwrite(None, partitions);
        let whole = |source: &str, partitions: &[&[&str]]| overwrite(Some(source), partitions);
        let overlap = |earlier, later, perhaps| Overlap { earlier, later, perhaps };
        for (given, expected) in [
            (vec![of(&[&["1"]]), of(&[&["2"]])], vec![]),
            (vec![of(&[&["1"]]), of(&[&["2"], &["1"]])], vec![overlap(0, 1, false)]),
            (vec![of(&[&["1"]]), of(&[&["?"]])], vec![overlap(0, 1, true)]),
            (
                vec![of(&[&["?"]]), of(&[&["1"]]), of(&[&["2"]])],
                vec![overlap(0, 1, true), overlap(0, 2, true)],
            ),
            (vec![of(&[&["?"]]), of(&[&["?"]])], vec![overlap(0, 1, true)]),
            (vec![of(&[&["{d}"]]), of(&[&["{d}"]])], vec![overlap(0, 1, false)]),
            (vec![of(&[&["{d}"]]), of(&[&["{e}"]])], vec![overlap(0, 1, true)]),
            // One column that is known to differ is enough.
            (vec![of(&[&["a", "?"]]), of(&[&["b", "{d}"]]), of(&[&["c", "1"]])], vec![]),
            (vec![of(&[&["a", "?"]]), of(&[&["?", "1"]])], vec![overlap(0, 1, true)]),
            (vec![of(&[&["a", "?"]]), of(&[&["b", "1"], &["a", "1"]])], vec![overlap(0, 1, true)]),
            // The partitions of one statement are its own.
            (vec![of(&[&["1"], &["?"]])], vec![]),
            // The same rows, unless both are surely the same statement twice.
            (vec![whole("s", &[&["{d}"]]), whole("s", &[&["1"]]), whole("s", &[&["2"]])], vec![]),
            (vec![whole("s", &[&["1"]]), whole("s", &[&["1"]])], vec![overlap(0, 1, false)]),
            (vec![whole("s", &[&["{d}"]]), whole("t", &[&["1"]])], vec![overlap(0, 1, true)]),
            (vec![whole("s", &[&["{d}"]]), whole("s", &[&["1"]]), of(&[&["2"]])], vec![overlap(0, 2, true)]),
            (
                vec![whole("s", &[&["{d}"]]), of(&[&["?"]]), whole("s", &[&["2"]])],
                vec![overlap(0, 1, true), overlap(1, 2, true)],
            ),
            (vec![table("a"), table("b")], vec![]),
            (vec![table("a"), table("b"), table("a")], vec![overlap(0, 2, false)]),
        ] {
            assert_eq!(overlaps(&given), expected, "{given:?}");
        }
    }

    #[test]
    fn many_statements() {
        let days = |from: usize| (from..from + 20_000).map(|day| day.to_string()).collect::<Vec<_>>();
        let of = |days: &[String]| days.iter().map(|day| overwrite(None, &[&["a", day]])).collect::<Vec<_>>();
        let mut given = of(&days(0));
        assert_eq!(overlaps(&given), []);
        given.extend(of(&days(19_999)));
        assert_eq!(overlaps(&given), [Overlap { earlier: 19_999, later: 20_000, perhaps: false }]);
    }
}
