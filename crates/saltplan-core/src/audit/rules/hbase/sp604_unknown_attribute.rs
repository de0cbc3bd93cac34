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
The shell has a constant for each attribute. At a name without one, `create` stops with `uninitialized constant`; if the
name is in quotes, or a constant for something else, the shell prints `Unknown argument ignored for column family …` and
goes on: the table exists without the setting, and nobody reads that line in the log of a deployment. `version: 3` keeps
one version, `compresion: GZ` compresses nothing. A setting of HBase for the family is written by its full name, such as
`hbase.hstore.blockingStoreFiles`: `ddl` puts a name with dots into `CONFIGURATION => {…}`.",
    learned: "\
hbase-shell 2.4.17, hcd in hbase/admin.rb, and what that shell prints; HBASE-25756 for COMPRESSION_COMPACT_MAJOR and
COMPRESSION_COMPACT_MINOR, new in 2.5",
    fires: "\
hbase: { table: 't', families: { f: { »version: 3« } } }
",
    corrected: "\
hbase: { table: 't', families: { f: { versions: 3 } } }
",
    check: Check::Schema(check),
};

/// What the shell of HBase 2.4 and newer reads.
#[rustfmt::skip]
const KNOWN: [&str; 32] = [
    "versions", "min_versions", "ttl", "compression", "compression_compact", "compression_compact_major",
    "compression_compact_minor", "bloomfilter", "bloom_filter", "block_size", "blocksize", "block_cache", "blockcache",
    "in_memory", "in_memory_compaction", "keep_deleted_cells", "data_block_encoding", "replication_scope",
    "cache_data_on_write", "cache_index_on_write", "cache_blooms_on_write", "evict_blocks_on_close",
    "prefetch_blocks_on_open", "compress_tags", "is_mob", "mob_threshold", "mob_compact_partition_policy",
    "new_version_behavior", "encryption", "encryption_key", "storage_policy", "dfs_replication",
];

fn check(context: &Context<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for family in &context.schema.hbase.families {
        for (name, _) in &family.attributes {
            let is_setting = name.contains('.');
            if is_setting || KNOWN.contains(&name.to_ascii_lowercase().as_str()) {
                continue;
            }
            let Some(span) = context.entry(&["hbase", "families", &family.name, name]) else { continue };
            let message = format!("the HBase shell knows no attribute `{name}` of a family");
            let finding = context.at(&RULE, span, message, "not set");
            let help = did_you_mean(name, KNOWN).map_or(
                "remove it; a setting of HBase has its full name, such as `hbase.hstore.blockingStoreFiles`"
                    .to_string(),
                |meant| format!("did you mean `{meant}`?"),
            );
            findings.push(finding.help(help));
        }
    }
    findings
}
