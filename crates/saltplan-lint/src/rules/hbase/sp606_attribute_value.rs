use crate::rule::{Detector, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP606",
    name: "attribute-value",
    severity: Severity::Error,
    summary: "An attribute of a column family has a value that HBase does not accept.",
    why: "\
For a number that is not one, a misspelt word or a block size of 64 bytes, the shell refuses `create`; for a `ttl` that
it cannot parse, the master does. `in_memory: maybe` is not even reported: the shell reads everything but `true` as
`false`. Some values depend on each other: `min_versions` must not be greater than `versions`, and Bloom filters of
ROWPREFIX_FIXED_LENGTH need `RowPrefixBloomFilter.prefix_length`. Reported by the loader. Names that HBase does not
check, those of storage policies and ciphers, are warnings.",
    learned: "hbase-shell 2.4.17, hcd in hbase/admin.rb, and TableDescriptorChecker of its master: each value was tried there",
    fires: "\
hbase: { table: 't', families: { f: { ttl: »90d« } } }
",
    corrected: "\
hbase: { table: 't', families: { f: { ttl: '90 DAYS' } } }
",
    check: Detector::Loader,
};
