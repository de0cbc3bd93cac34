//! HBase shell commands that would give a table the split keys of its schema.

use super::{Dump, Gap};
use saltplan_core::hbase::shell::{bytes_literal, ruby_bytes, string_literal};
use saltplan_core::key::range::to_string_binary;

/// One command or comment per line: first the merges, with the current names of the regions, then the splits.
/// A merged region can only be split after a compaction has given it its own files; the script waits for
/// that.
pub fn commands(table: &str, dump: &Dump, gaps: &[Gap]) -> Vec<String> {
    let mut lines: Vec<String> =
        gaps.iter().filter(|gap| !gap.extra.is_empty()).map(|gap| merge(table, dump, gap)).collect();
    let merged_then_split = gaps.iter().any(|gap| !gap.extra.is_empty() && !gap.missing.is_empty());
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

/// Merges the regions that start at the extra keys of a gap into their predecessor.
fn merge(table: &str, dump: &Dump, gap: &Gap) -> String {
    let first = gap.extra.first().map_or(&[][..], Vec::as_slice);
    let at = dump.regions.partition_point(|region| region.start.as_slice() < first);
    let before = at.checked_sub(1).and_then(|before| dump.regions.get(before));
    let before = before.map_or(&[][..], |region| region.start.as_slice());
    let starts = std::iter::once(before).chain(gap.extra.iter().map(Vec::as_slice));
    let names: Vec<String> = starts.map(|start| name(table, dump, start)).collect();
    let keys: Vec<String> = gap.extra.iter().map(|key| to_string_binary(key)).collect();
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
