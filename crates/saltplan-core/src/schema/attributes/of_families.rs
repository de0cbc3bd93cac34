//! The attributes of a column family.

use super::known::{INT, KnownAttribute, attribute, exact_words, new_word, word, words, words_or};
use super::values::AllowedValues::{self, Bytes, Flag, Number, Text, Time};
use super::values::AllowedWord;

/// The setting that `ROWPREFIX_FIXED_LENGTH` requires.
pub const PREFIX_LENGTH: &str = "RowPrefixBloomFilter.prefix_length";

const NONE: AllowedWord = word("NONE");

const COMPRESSIONS: AllowedValues = words(&[
    NONE,
    word("GZ"),
    word("SNAPPY"),
    word("LZO"),
    word("LZ4"),
    word("ZSTD"),
    word("BZIP2"),
    new_word("LZMA"),
    new_word("BROTLI"),
]);

const POLICIES: [AllowedWord; 8] = [
    word("HOT"),
    word("WARM"),
    word("COLD"),
    word("ALL_SSD"),
    word("ONE_SSD"),
    word("LAZY_PERSIST"),
    word("PROVIDED"),
    NONE,
];

/// All attributes.
pub(super) static KNOWN: [KnownAttribute; 30] = [
    attribute("VERSIONS", Number(1, INT), "Number of versions of a cell to keep; 1 by default."),
    attribute(
        "MIN_VERSIONS",
        Number(0, INT),
        "Number of versions to keep even after `ttl`; at most `versions`.",
    ),
    attribute(
        "TTL",
        Time,
        "How long a cell is kept: seconds, or text such as `90 DAYS` or `1 DAY 12 HOURS`; FOREVER by default.",
    ),
    attribute("COMPRESSION", COMPRESSIONS, "Compression of files."),
    attribute("COMPRESSION_COMPACT", COMPRESSIONS, "Compression of files written by compactions."),
    attribute("COMPRESSION_COMPACT_MAJOR", COMPRESSIONS, "Compression of files written by major compactions.")
        .since("2.5"),
    attribute("COMPRESSION_COMPACT_MINOR", COMPRESSIONS, "Compression of files written by minor compactions.")
        .since("2.5"),
    attribute(
        "BLOOMFILTER",
        words(&[NONE, word("ROW"), word("ROWCOL"), word("ROWPREFIX_FIXED_LENGTH")]),
        "What Bloom filters contain; ROW by default. ROWPREFIX_FIXED_LENGTH needs `RowPrefixBloomFilter.prefix_length`.",
    )
    .or_named("bloom_filter"),
    attribute(
        PREFIX_LENGTH,
        Number(1, 32_767),
        "Length in bytes of the row-key prefix in a Bloom filter of ROWPREFIX_FIXED_LENGTH.",
    ),
    attribute("BLOCKSIZE", Bytes(1 << 10, 16 << 20), "Block size in bytes; 65536 by default.")
        .or_named("block_size"),
    attribute("BLOCKCACHE", Flag, "Whether blocks are cached when they are read.").or_named("block_cache"),
    attribute(
        "DATA_BLOCK_ENCODING",
        exact_words(&[NONE, word("PREFIX"), word("DIFF"), word("FAST_DIFF"), word("ROW_INDEX_V1")]),
        "Data block encoding, which stores repeated parts of keys once.",
    ),
    attribute("IN_MEMORY", Flag, "Whether blocks have priority in the block cache."),
    attribute(
        "IN_MEMORY_COMPACTION",
        exact_words(&[NONE, word("BASIC"), word("EAGER"), word("ADAPTIVE")]),
        "How the memstore is compacted in memory before a flush.",
    ),
    attribute(
        "KEEP_DELETED_CELLS",
        words(&[word("FALSE"), word("TRUE"), word("TTL")]),
        "Whether deleted cells can still be read with a time range; TTL keeps them for the time of `ttl`.",
    ),
    attribute("REPLICATION_SCOPE", Number(0, 2), "1 replicates the family to other clusters."),
    attribute("CACHE_DATA_ON_WRITE", Flag, "Whether data blocks are cached when they are written."),
    attribute("CACHE_INDEX_ON_WRITE", Flag, "Whether index blocks are cached when they are written."),
    attribute("CACHE_BLOOMS_ON_WRITE", Flag, "Whether Bloom filter blocks are cached when they are written."),
    attribute(
        "EVICT_BLOCKS_ON_CLOSE",
        Flag,
        "Whether the blocks of a file are evicted from the cache when it is closed.",
    ),
    attribute("PREFETCH_BLOCKS_ON_OPEN", Flag, "Whether the blocks of a file are cached when it is opened."),
    attribute("COMPRESS_TAGS", Flag, "Whether tags are compressed with the data block encoding."),
    attribute("IS_MOB", Flag, "Whether large cells are stored in separate files (MOB)."),
    attribute(
        "MOB_THRESHOLD",
        Bytes(i64::MIN, i64::MAX),
        "Size in bytes above which a cell counts as large.",
    ),
    attribute(
        "MOB_COMPACT_PARTITION_POLICY",
        words(&[word("DAILY"), word("WEEKLY"), word("MONTHLY")]),
        "Which files of large cells are compacted together.",
    ),
    attribute("NEW_VERSION_BEHAVIOR", Flag, "Whether a delete hides only cells that were written before it."),
    attribute(
        "DFS_REPLICATION",
        Number(0, 32_767),
        "HDFS replication of the files; 0 for the default of the file system.",
    ),
    attribute(
        "STORAGE_POLICY",
        words_or(&POLICIES, "HBase accepts any name and only logs that HDFS has no such policy"),
        "HDFS storage policy of the files.",
    ),
    attribute("ENCRYPTION", words_or(&[word("AES")], "HBase itself supports only AES"), "Cipher for the files."),
    attribute(
        "ENCRYPTION_KEY",
        Text,
        "Secret from which the encryption key is derived; without it, the key is random.",
    ),
];
