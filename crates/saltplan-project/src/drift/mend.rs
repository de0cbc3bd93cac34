//! HBase shell commands that would give a table the split keys of its schema.

use super::{Dump, Gap};
use saltplan_core::hbase::shell::{bytes_literal, ruby_bytes, string_literal};
use saltplan_core::key::range::to_string_binary;

/// One command or comment per line: first the merges, with the current names of the regions, then the splits.
/// A merged region can only be split after a compaction has given it its own files; the script waits for
/// that. Regions of two of these salts, which are ascending, are not merged: the rows of a salt would no longer have regions of their
/// own.
pub fn commands(table: &str, dump: &Dump, gaps: &[Gap], salts: &[Vec<u8>]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut merged_then_split = false;
    for gap in gaps {
        // The keys between which all regions can be merged.
        for run in gap.extra.chunk_by(|_, next| !is_between_salts(next, salts)) {
            let (kept, merged) = run.split_at(usize::from(is_between_salts(&run[0], salts)));
            lines.extend(kept.iter().map(|key| kept_between(key)));
            if let Some(first) = merged.first() {
                lines.push(merge(table, dump, first, merged));
                merged_then_split |= !gap.missing.is_empty();
            }
        }
    }
    if merged_then_split {
        let table = string_literal(table);
        lines.push(format!("major_compact {table}"));
        lines.push(format!("sleep 2; sleep 1 until compaction_state({table}) == 'NONE'"));
    }
    let table = string_literal(table);
    let missing = gaps.iter().flat_map(|gap| &gap.missing);
    lines.extend(missing.map(|key| format!("split {table}, {}", ruby_bytes(key))));
    lines
}

/// Whether keys below a split key can have another salt than the keys from it on: no salt is its beginning, or it is the first one's.
fn is_between_salts(key: &[u8], salts: &[Vec<u8>]) -> bool {
    let below = salts.partition_point(|salt| salt.as_slice() < key);
    let inside = below.checked_sub(1).is_some_and(|at| key.starts_with(&salts[at]));
    !inside && below > 0 && below < salts.len()
}

fn kept_between(key: &[u8]) -> String {
    format!("# not merged: {} is between the rows of two salts", to_string_binary(key))
}

/// Merges the regions that start at these extra keys into their predecessor.
fn merge(table: &str, dump: &Dump, first: &[u8], extra: &[Vec<u8>]) -> String {
    let at = dump.regions.partition_point(|region| region.start.as_slice() < first);
    let before = at.checked_sub(1).and_then(|before| dump.regions.get(before));
    let before = before.map_or(&[][..], |region| region.start.as_slice());
    let starts = std::iter::once(before).chain(extra.iter().map(Vec::as_slice));
    let names: Vec<String> = starts.map(|start| name(table, dump, start)).collect();
    let keys: Vec<String> = extra.iter().map(|key| to_string_binary(key)).collect();
    format!("merge_region {}    # removes {}", names.join(", "), keys.join(", "))
}

/// The encoded name of the region; if the dump does not have it, an expression that looks it up.
fn name(table: &str, dump: &Dump, start: &[u8]) -> String {
    let place = dump.regions.binary_search_by(|region| region.start.as_slice().cmp(start)).ok();
    match place.and_then(|at| dump.regions.get(at)).and_then(|region| region.encoded.as_deref()) {
        Some(encoded) => format!("'{encoded}'"),
        None => {
            format!(
                "locate_region({}, {}).getRegion.getEncodedName",
                string_literal(table),
                bytes_literal(start)
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::compare;
    use super::*;

    #[test]
    fn regions_of_two_salts_are_not_merged() {
        let salts: Vec<Vec<u8>> = ["00", "01", "02"].map(|salt| salt.as_bytes().to_vec()).into();
        let lines = |wanted: &[&str], found: &[&str], salts: &[Vec<u8>]| {
            let keys = |keys: &[&str]| keys.iter().map(|key| key.as_bytes().to_vec()).collect::<Vec<_>>();
            let dump = Dump::of_split_keys(keys(found));
            let gaps = compare(&keys(wanted), &dump.split_keys().collect::<Vec<_>>());
            commands("t", &dump, &gaps, salts)
                .into_iter()
                .map(|line| line.rsplit("    # ").next().unwrap_or_default().to_string())
                .collect::<Vec<_>>()
        };
        let all = ["00a", "01", "01a", "01b", "02", "02x", "03"];
        assert_eq!(
            lines(&["01", "02"], &all, &salts),
            ["removes 00a", "removes 01a, 01b", "removes 02x, 03"]
        );
        assert_eq!(
            lines(&[], &all, &salts),
            [
                "removes 00a",
                "# not merged: 01 is between the rows of two salts",
                "removes 01a, 01b",
                "# not merged: 02 is between the rows of two salts",
                "removes 02x, 03",
            ]
        );
        // A key behind all rows of a salt is as good as the next salt.
        assert_eq!(lines(&[], &["00~", "011"], &salts), ["removes 00~, 011"]);
        assert_eq!(lines(&[], &["0", "00", "005"], &salts), ["removes 0, 00, 005"]);
        assert_eq!(lines(&[], &["00:", "010"], &[]), ["removes 00:, 010"]);
        assert_eq!(
            lines(&["02"], &["01"], &salts),
            ["# not merged: 01 is between the rows of two salts", "split 't', \"02\""]
        );
    }
}
