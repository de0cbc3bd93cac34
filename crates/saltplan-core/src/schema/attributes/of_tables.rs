//! The attributes of a table.

use super::known::{INT, KnownAttribute, attribute, exact_words, word};
use super::values::AllowedValues::{Bytes, Flag, Number, Text};

/// The least value that the master takes (`hbase.hregion.max.filesize.limit`).
const LEAST_FILE: i64 = 2 << 20;

/// The least value that the master takes (`hbase.hregion.memstore.flush.size.limit`).
const LEAST_FLUSH: i64 = 1 << 20;

/// All attributes.
pub(super) static KNOWN: [KnownAttribute; 15] = [
    attribute(
        "MAX_FILESIZE",
        Bytes(LEAST_FILE, i64::MAX),
        "Size in bytes of a store from which its region is split; by default `hbase.hregion.max.filesize`.",
    )
    .or_named("max_file_size"),
    attribute(
        "SPLIT_POLICY",
        Text,
        "Class that decides when a region is split, such as `org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy`.",
    ),
    attribute("SPLIT_ENABLED", Flag, "Whether regions are split; true by default."),
    attribute("MERGE_ENABLED", Flag, "Whether regions may be merged; true by default."),
    attribute("COMPACTION_ENABLED", Flag, "Whether files are compacted; true by default."),
    attribute("READONLY", Flag, "Whether every write is refused; false by default.").or_named("read_only"),
    attribute(
        "DURABILITY",
        exact_words(&[
            word("USE_DEFAULT"),
            word("SKIP_WAL"),
            word("ASYNC_WAL"),
            word("SYNC_WAL"),
            word("FSYNC_WAL"),
        ]),
        "When a write is in the write-ahead log; USE_DEFAULT is SYNC_WAL.",
    ),
    attribute(
        "MEMSTORE_FLUSHSIZE",
        Bytes(LEAST_FLUSH, i64::MAX),
        "Size in bytes of a region's memory from which it is written to files; by default `hbase.hregion.memstore.flush.size`.",
    )
    .or_named("memstore_flush_size"),
    attribute("FLUSH_POLICY", Text, "Class that decides which families are flushed."),
    attribute("REGION_REPLICATION", Number(1, INT), "Number of copies of each region that can be read; 1 by default."),
    attribute(
        "REGION_MEMSTORE_REPLICATION",
        Flag,
        "Whether the other copies of a region get writes before they are in files; true by default.",
    ),
    attribute("PRIORITY", Number(i32::MIN as i64, INT), "Priority of the table's requests; 0 by default."),
    attribute(
        "NORMALIZATION_ENABLED",
        Flag,
        "Whether the normalizer may split large regions and merge small ones; false by default.",
    ),
    attribute(
        "NORMALIZER_TARGET_REGION_COUNT",
        Number(i32::MIN as i64, INT),
        "Number of regions that the normalizer aims at.",
    ),
    attribute(
        "NORMALIZER_TARGET_REGION_SIZE",
        Number(i64::MIN, i64::MAX),
        "Size of a region in MiB that the normalizer aims at.",
    ),
];
