//! The attributes of a column family that the HBase 2.4 shell knows. The reader, the JSON schema and the
//! audit rules all use this list. `tests/engines/attributes.rs` compares it with a real shell.

use super::values::AllowedValues::{self, Bytes, Flag, Number, Text, Time, Words};
use super::values::{AllowedWord, AllowedWords};

/// An attribute of a column family.
#[derive(Debug)]
pub struct KnownAttribute {
    /// The shell's constant, such as `BLOCKSIZE`; for a setting, its full name.
    pub constant: &'static str,
    /// The preferred name in schema files, if it is not the constant in lower case.
    alias: Option<&'static str>,
    pub values: AllowedValues,
    /// The description in editors.
    pub meaning: &'static str,
    /// The HBase version that introduced it, if newer than 2.4.
    pub since: Option<&'static str>,
}

/// The attribute with a name in a schema file. Case is ignored for constants of the shell, but not for
/// settings.
pub fn known(name: &str) -> Option<&'static KnownAttribute> {
    KNOWN.iter().find(|known| known.has_name(name))
}

/// The setting that `ROWPREFIX_FIXED_LENGTH` requires.
pub const PREFIX_LENGTH: &str = "RowPrefixBloomFilter.prefix_length";

const fn attribute(constant: &'static str, values: AllowedValues, meaning: &'static str) -> KnownAttribute {
    KnownAttribute { constant, alias: None, values, meaning, since: None }
}

impl KnownAttribute {
    /// Whether it is a setting, and not a constant of the shell.
    pub fn is_setting(&self) -> bool {
        self.constant.contains('.')
    }

    /// The names in schema files; the first is the preferred one.
    pub fn names(&self) -> Vec<String> {
        let own = if self.is_setting() { self.constant.into() } else { self.constant.to_ascii_lowercase() };
        self.alias.map(String::from).into_iter().chain([own]).collect()
    }

    /// The preferred name in schema files.
    pub fn name(&self) -> String {
        self.names().into_iter().next().unwrap_or_default()
    }

    fn has_name(&self, name: &str) -> bool {
        let ignoring_case = || {
            let names = [Some(self.constant), self.alias];
            names.into_iter().flatten().any(|own| own.eq_ignore_ascii_case(name))
        };
        self.constant == name || !self.is_setting() && ignoring_case()
    }

    const fn or_named(self, alias: &'static str) -> Self {
        KnownAttribute { alias: Some(alias), ..self }
    }

    const fn since(self, version: &'static str) -> Self {
        KnownAttribute { since: Some(version), ..self }
    }
}

const fn word(text: &'static str) -> AllowedWord {
    AllowedWord { text, since: None }
}

const fn new_word(text: &'static str) -> AllowedWord {
    AllowedWord { text, since: Some("2.5") }
}

const NONE: AllowedWord = word("NONE");

/// Words that the shell converts to upper case; HBase refuses others.
const fn words(list: &'static [AllowedWord]) -> AllowedValues {
    Words(AllowedWords { list, any_case: true, unknown: None })
}

/// Words that the shell converts to upper case, and what HBase does with others.
const fn words_or(list: &'static [AllowedWord], unknown: &'static str) -> AllowedValues {
    Words(AllowedWords { list, any_case: true, unknown: Some(unknown) })
}

/// Words that are taken as they are written; HBase refuses others.
const fn exact_words(list: &'static [AllowedWord]) -> AllowedValues {
    Words(AllowedWords { list, any_case: false, unknown: None })
}

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

const INT: i64 = i32::MAX as i64;

/// All attributes.
pub static KNOWN: [KnownAttribute; 30] = [
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::family::ShellName;

    #[test]
    fn names_are_found_as_the_shell_finds_them() {
        for name in ["bloom_filter", "BLOOMFILTER", "BloomFilter"] {
            assert_eq!(known(name).map(|found| found.constant), Some("BLOOMFILTER"), "{name}");
            assert_eq!(ShellName::of(name), ShellName::Constant("BLOOMFILTER".into()));
        }
        assert_eq!(ShellName::of("speed"), ShellName::Constant("SPEED".into()));
        assert!(known(PREFIX_LENGTH).is_some() && known(&PREFIX_LENGTH.to_lowercase()).is_none());
        assert_eq!(ShellName::of(PREFIX_LENGTH), ShellName::Setting(PREFIX_LENGTH));
    }

    #[test]
    fn each_name_stands_for_one_attribute() {
        let mut names: Vec<String> = KNOWN.iter().flat_map(KnownAttribute::names).collect();
        let constants = KNOWN.iter().filter(|known| !known.is_setting());
        names.extend(constants.map(|known| known.constant.to_string()));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
