use crate::audit::context::Context;
use crate::audit::finding::Finding;
use crate::audit::rule::{Check, Rule};
use crate::diag::{Severity, did_you_mean};

pub static RULE: Rule = Rule {
    code: "SP604",
    name: "unknown-attribute",
    severity: Severity::Warning,
    summary: "A column family has an attribute that the HBase shell does not know.",
    why: "\
The shell prints `Unknown argument ignored for column family …` and goes on: the table exists without the setting, and
nobody reads that line in the log of a deployment. `version: 3` keeps one version, `compresion: GZ` compresses nothing.",
    learned: "hbase-shell, hbase/admin.rb, where the attributes of a family are read",
    fires: "\
hbase: { table: 't', families: { f: { »version: 3« } } }
",
    corrected: "\
hbase: { table: 't', families: { f: { versions: 3 } } }
",
    check: Check::Schema(check),
};

/// What the shell of HBase 2.4 to 2.6 reads.
#[rustfmt::skip]
const KNOWN: [&str; 32] = [
    "versions", "min_versions", "ttl", "compression", "compression_compact", "compression_compact_major",
    "compression_compact_minor", "bloomfilter", "bloom_filter", "block_size", "blocksize", "block_cache", "blockcache",
    "in_memory", "in_memory_compaction", "keep_deleted_cells", "data_block_encoding", "replication_scope",
    "cache_data_on_write", "cache_index_on_write", "cache_blooms_on_write", "cache_data_in_l1", "evict_blocks_on_close",
    "prefetch_blocks_on_open", "compress_tags", "is_mob", "mob_threshold", "mob_compact_partition_policy",
    "new_version_behavior", "encryption", "storage_policy", "dfs_replication",
];

fn check(context: &Context<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for family in &context.schema.hbase.families {
        for (name, _) in &family.attributes {
            if KNOWN.contains(&name.to_ascii_lowercase().as_str()) {
                continue;
            }
            let Some(span) = context.entry(&["hbase", "families", &family.name, name]) else { continue };
            let message = format!("the HBase shell does not know the attribute `{name}` and ignores it");
            let finding = context.at(&RULE, span, message, "not set");
            let help = did_you_mean(name, KNOWN)
                .map_or("remove it, or set it with `alter` and CONFIGURATION".to_string(), |meant| {
                    format!("did you mean `{meant}`?")
                });
            findings.push(finding.help(help));
        }
    }
    findings
}
