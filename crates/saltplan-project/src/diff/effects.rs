//! What HBase does with stored cells when an attribute of a family or of the table changes. The list has
//! every attribute that a schema can have, with its source: a class of HBase 2.4 or a section of its
//! reference guide.

use super::change::{Class, FactSubject};
use saltplan_core::schema::attributes::{AttributesOf, known_attributes};
use saltplan_core::schema::model::{AttributeValue, Family, Schema};

/// What happens to stored cells when the change is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// They are kept and can be read.
    Kept,
    /// HBase deletes some or all of the cells.
    Deleted,
    /// The cells are kept, but reads no longer return them as they were written.
    Unreadable,
}

/// The effect of a change of one attribute.
#[derive(Debug)]
pub struct Effect {
    /// The shell's constant, such as `TTL`, or a path such as `hbase.table`.
    pub attribute: &'static str,
    /// HBase's default, only if the comparison needs it.
    pub default: Option<&'static str>,
    /// The changes with this outcome; all other changes keep all cells.
    pub when: &'static str,
    matches: fn(&Family, &Family) -> bool,
    pub outcome: Outcome,
    /// What happens, as a sentence without a full stop.
    pub words: &'static str,
    pub source: &'static str,
}

impl Outcome {
    /// At least this class.
    pub fn class(self) -> Class {
        match self {
            Outcome::Kept => Class::Query,
            Outcome::Deleted => Class::DataLoss,
            Outcome::Unreadable => Class::Key,
        }
    }
}

const TABLE: &str = "hbase.table";
const FAMILY_REMOVED: &str = "a family removed or renamed";
const FAMILY_ADDED: &str = "a family added";
const OTHER: &str = "any other setting";
const METADATA: &str = "hbase.metadata";
const EXTERNAL: &str = "hive.mapping.external";

const fn kept(attribute: &'static str, words: &'static str, source: &'static str) -> Effect {
    Effect {
        attribute,
        default: None,
        when: "any",
        matches: |_, _| true,
        outcome: Outcome::Kept,
        words,
        source,
    }
}

const fn deleted(
    attribute: &'static str,
    (default, when, matches): (&'static str, &'static str, fn(&Family, &Family) -> bool),
    words: &'static str,
    source: &'static str,
) -> Effect {
    Effect { attribute, default: Some(default), when, matches, outcome: Outcome::Deleted, words, source }
}

const NEW_FILES: &str = "every file records how it was written, so only new files change";
const CACHE: &str = "only the block cache is used differently";

/// All attributes, starting with those that lose data.
pub(crate) static EFFECTS: [Effect; 51] = [
    Effect {
        attribute: TABLE,
        default: None,
        when: "any",
        matches: |_, _| true,
        outcome: Outcome::Unreadable,
        words: "the rows stay in the table with the old name",
        source: "HBase renames no table: reference guide, \"Rename a table\" by a snapshot",
    },
    Effect {
        default: Some("false"),
        outcome: Outcome::Unreadable,
        when: "true to false",
        matches: |old, new| flag(old, "IS_MOB") && !flag(new, "IS_MOB"),
        ..kept(
            "IS_MOB",
            "reads return the name of the file that holds a large cell instead of its value",
            "reference guide, \"Disabling MOB\"; `HMobStore`",
        )
    },
    Effect {
        default: None,
        ..deleted(
            FAMILY_REMOVED,
            ("", "any", |_, _| true),
            "HBase deletes the files of the family when the table is altered",
            "`ModifyTableProcedure.deleteFromFs`",
        )
    },
    deleted(
        "VERSIONS",
        ("1", "lower", |old, new| number(old, "VERSIONS", 1) > number(new, "VERSIONS", 1)),
        "HBase deletes the versions beyond the new number at the next compaction",
        "reference guide, \"Maximum Number of Versions\"; `ScanWildcardColumnTracker`",
    ),
    deleted(
        "TTL",
        ("FOREVER", "shorter", |old, new| lives(old) > lives(new)),
        "HBase hides cells that are older than the new time at once, and deletes them at the next compaction",
        "reference guide, \"Time To Live (TTL)\"; `ScanQueryMatcher`, `HStore.removeUnneededFiles`",
    ),
    deleted(
        "MIN_VERSIONS",
        ("0", "lower, with a `ttl`", |old, new| {
            new.time_to_live().is_some() && number(old, "MIN_VERSIONS", 0) > number(new, "MIN_VERSIONS", 0)
        }),
        "at the next compaction HBase deletes cells older than `ttl` that only the old number kept",
        "reference guide, \"Minimum Number of Versions\"; `ScanWildcardColumnTracker`",
    ),
    deleted(
        "KEEP_DELETED_CELLS",
        ("FALSE", "TRUE to TTL or FALSE, TTL to FALSE", |old, new| keeps_deleted(old) > keeps_deleted(new)),
        "HBase removes the deleted cells that it has kept, at the next major compaction",
        "reference guide, \"Keeping Deleted Cells\"; `CompactionScanQueryMatcher`",
    ),
    deleted(
        "NEW_VERSION_BEHAVIOR",
        ("false", "any", |_, _| true),
        "deletes and versions take effect in another order, and HBase deletes cells that are now hidden at the next major compaction",
        "reference guide, \"Optional New Version and Delete behavior in HBase-2.0.0\"; `NewVersionBehaviorTracker`",
    ),
    Effect {
        default: None,
        ..deleted(
            EXTERNAL,
            ("", "true to false", |_, _| true),
            "from then on DROP TABLE in Hive deletes the HBase table",
            "Hive's `HBaseMetaHook.commitDropTable`",
        )
    },
    kept(FAMILY_ADDED, "the new family is empty", "`ModifyTableProcedure`"),
    kept("COMPRESSION", NEW_FILES, "`FixedFileTrailer`"),
    kept("COMPRESSION_COMPACT", NEW_FILES, "`FixedFileTrailer`"),
    kept("COMPRESSION_COMPACT_MAJOR", NEW_FILES, "`FixedFileTrailer`"),
    kept("COMPRESSION_COMPACT_MINOR", NEW_FILES, "`FixedFileTrailer`"),
    kept("BLOOMFILTER", NEW_FILES, "`StoreFileReader.loadBloomfilter`"),
    kept("RowPrefixBloomFilter.prefix_length", NEW_FILES, "`StoreFileReader.loadBloomfilter`"),
    kept("BLOCKSIZE", NEW_FILES, "`HFileContext`"),
    kept("DATA_BLOCK_ENCODING", NEW_FILES, "`HFileDataBlockEncoderImpl.createFromFileInfo`"),
    kept("COMPRESS_TAGS", NEW_FILES, "`HFileContext`"),
    kept(
        "ENCRYPTION",
        NEW_FILES,
        "reference guide, \"Transparent Encryption of Data At Rest\"; `FixedFileTrailer`",
    ),
    kept(
        "ENCRYPTION_KEY",
        "every file contains its own key, wrapped by the master key, so only new files change",
        "reference guide, \"Transparent Encryption of Data At Rest\"; `EncryptionUtil`",
    ),
    kept("DFS_REPLICATION", "only new files get the new number of copies", "`StoreFileWriter`"),
    kept(
        "STORAGE_POLICY",
        "this only changes where HDFS stores blocks",
        "`HRegionFileSystem.setStoragePolicy`",
    ),
    kept("MOB_THRESHOLD", "cells move between files when they are compacted", "`HMobStore`"),
    kept(
        "MOB_COMPACT_PARTITION_POLICY",
        "this only changes which files are compacted together",
        "`MobCompactPartitionPolicy`",
    ),
    kept("BLOCKCACHE", CACHE, "`CacheConfig`"),
    kept("IN_MEMORY", CACHE, "`CacheConfig`"),
    kept("CACHE_DATA_ON_WRITE", CACHE, "`CacheConfig`"),
    kept("CACHE_INDEX_ON_WRITE", CACHE, "`CacheConfig`"),
    kept("CACHE_BLOOMS_ON_WRITE", CACHE, "`CacheConfig`"),
    kept("EVICT_BLOCKS_ON_CLOSE", CACHE, "`CacheConfig`"),
    kept("PREFETCH_BLOCKS_ON_OPEN", CACHE, "`CacheConfig`"),
    kept(
        "IN_MEMORY_COMPACTION",
        "this only changes how cells are arranged in memory",
        "`CompactingMemStore`",
    ),
    kept(
        "REPLICATION_SCOPE",
        "this only changes whether other clusters get new edits",
        "`ScopeWALEntryFilter`",
    ),
    kept(
        "MAX_FILESIZE",
        "regions are split at another size; rows stay where they are",
        "`ConstantSizeRegionSplitPolicy`",
    ),
    kept(
        "SPLIT_POLICY",
        "regions are split by another rule; rows stay where they are",
        "`RegionSplitPolicy.create`",
    ),
    kept("SPLIT_ENABLED", "this only changes whether regions are split", "`SplitTableRegionProcedure`"),
    kept("MERGE_ENABLED", "this only changes whether regions may be merged", "`MergeTableRegionsProcedure`"),
    kept(
        "COMPACTION_ENABLED",
        "this only changes whether files are compacted; without it, deleted cells stay too",
        "`CompactSplit`",
    ),
    kept(
        "READONLY",
        "if true, every later write fails; cells that are there can be read",
        "`HRegion.checkReadOnly`",
    ),
    kept(
        "DURABILITY",
        "with SKIP_WAL or ASYNC_WAL, HBase can lose later writes when a region server dies",
        "reference guide, \"Disabling the WAL\"; `HRegion.getEffectiveDurability`",
    ),
    kept(
        "MEMSTORE_FLUSHSIZE",
        "this only changes when memory is written to files",
        "`HRegion.setHTableSpecificConf`",
    ),
    kept("FLUSH_POLICY", "this only changes which families are written to files", "`FlushPolicyFactory`"),
    kept(
        "REGION_REPLICATION",
        "copies of regions can be read, and may be behind",
        "reference guide, \"Timeline-consistent High Available Reads\"",
    ),
    kept(
        "REGION_MEMSTORE_REPLICATION",
        "this only changes when copies of regions see new cells",
        "`ServerRegionReplicaUtil`",
    ),
    kept("PRIORITY", "this only changes the order of requests", "`AnnotationReadingPriorityFunction`"),
    kept(
        "NORMALIZATION_ENABLED",
        "regions may be split and merged, also across salts; rows can still be read",
        "`SimpleRegionNormalizer`",
    ),
    kept(
        "NORMALIZER_TARGET_REGION_COUNT",
        "regions are split and merged towards another number",
        "`SimpleRegionNormalizer`",
    ),
    kept(
        "NORMALIZER_TARGET_REGION_SIZE",
        "regions are split and merged towards another size",
        "`SimpleRegionNormalizer`",
    ),
    kept(
        METADATA,
        "HBase keeps the text; a coprocessor that is named in it runs from then on",
        "`TableDescriptorBuilder.setValue`",
    ),
    kept(
        OTHER,
        "no setting of a family or a table deletes cells; only `versions`, `ttl` and similar attributes do",
        "`HStore`",
    ),
];

/// The effect of a change; `None` if it is not about an attribute of a family or a table.
pub fn of(subject: &FactSubject, path: &str, old: &Schema, new: &Schema) -> Option<&'static Effect> {
    let row = |attribute: &str| EFFECTS.iter().find(|effect| effect.attribute == attribute);
    let family = |schema: &'_ Schema, name: &str| {
        schema.hbase.families.iter().find(|family| family.name == name).cloned()
    };
    match subject {
        FactSubject::Family { name } => match family(new, name) {
            Some(_) => row(FAMILY_ADDED),
            None => row(FAMILY_REMOVED),
        },
        FactSubject::Attribute { family: name, constant } => {
            let (old, new) = (family(old, name)?, family(new, name)?);
            row(constant).or_else(|| row(OTHER)).filter(|effect| (effect.matches)(&old, &new))
        }
        FactSubject::TableAttribute { constant } => row(constant).or_else(|| row(OTHER)),
        _ => match path {
            TABLE => row(TABLE),
            _ if path.starts_with(METADATA) => row(METADATA),
            EXTERNAL => {
                let mapping = new.hive.as_ref().and_then(|hive| hive.mapping.as_ref());
                row(EXTERNAL).filter(|_| mapping.is_some_and(|mapping| !mapping.external))
            }
            _ => None,
        },
    }
}

/// Attributes that are compared even if a family does not set them, with HBase's default.
pub fn defaults() -> impl Iterator<Item = (&'static str, &'static str)> {
    EFFECTS.iter().filter_map(|effect| Some((effect.attribute, effect.default?)))
}

/// A value in a canonical spelling: `1 DAY` equals 86400, `true` equals `'TRUE'`.
pub(crate) fn canonical(of: AttributesOf, constant: &str, value: &AttributeValue) -> String {
    match known_attributes(of).iter().find(|known| known.constant == constant) {
        Some(known) => known.values.canonical(value),
        None => value.text(),
    }
}

fn number(family: &Family, constant: &str, default: i64) -> i64 {
    family.number(constant).unwrap_or(default)
}

fn lives(family: &Family) -> i64 {
    family.time_to_live().unwrap_or(i64::MAX)
}

fn flag(family: &Family, constant: &str) -> bool {
    family.attribute(constant).is_some_and(|value| canonical(AttributesOf::Family, constant, value) == "true")
}

/// From nothing to everything.
fn keeps_deleted(family: &Family) -> u8 {
    let value = family
        .attribute("KEEP_DELETED_CELLS")
        .map(|value| canonical(AttributesOf::Family, "KEEP_DELETED_CELLS", value));
    match value.as_deref() {
        Some("TRUE") => 2,
        Some("TTL") => 1,
        _ => 0,
    }
}

/// The table for docs/review.md.
pub fn table() -> String {
    let mut text = String::from(
        "| attribute | change | stored cells | class | why | source |\n|---|---|---|---|---|---|\n",
    );
    for effect in &EFFECTS {
        let (cells, class) = match effect.outcome {
            Outcome::Kept => ("kept", Class::Mapping),
            Outcome::Deleted => ("deleted", Class::DataLoss),
            Outcome::Unreadable => ("unreadable", Class::Key),
        };
        text.push_str(&format!(
            "| {} | {} | {cells} | `{}` | {} | {} |\n",
            if effect.attribute.contains(' ') {
                effect.attribute.to_string()
            } else {
                format!("`{}`", effect.attribute)
            },
            effect.when,
            class.name(),
            effect.words,
            effect.source,
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_attribute_is_ranked_once() {
        let count = |constant: &str| EFFECTS.iter().filter(|effect| effect.attribute == constant).count();
        let all: Vec<_> =
            [AttributesOf::Family, AttributesOf::Table].into_iter().flat_map(known_attributes).collect();
        for known in &all {
            assert_eq!(count(known.constant), 1, "{}", known.constant);
        }
        let others = [TABLE, FAMILY_REMOVED, FAMILY_ADDED, OTHER, EXTERNAL, METADATA];
        assert_eq!(EFFECTS.len(), all.len() + others.len());
    }
}
