use crate::rule::{Detector, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP606",
    name: "attribute-value",
    severity: Severity::Error,
    summary: "An attribute of a column family has a value that HBase does not take.",
    why: "\
The shell refuses `create` at a number that is none, a misspelt word or a block of 64 bytes, and the master at a `ttl` that it
cannot read. For `in_memory: maybe` nobody complains: the shell takes everything but `true` for `false`. Some values go only
together: `min_versions` is no more than `versions`, and Bloom filters of ROWPREFIX_FIXED_LENGTH need
`RowPrefixBloomFilter.prefix_length`. Reported by the loader. Names that HBase does not check, those of storage policies and
of ciphers, are warnings.",
    learned: "hbase-shell 2.4.17, hcd in hbase/admin.rb, and TableDescriptorChecker of its master: each value was tried there",
    fires: "\
hbase: { table: 't', families: { f: { ttl: »90d« } } }
",
    corrected: "\
hbase: { table: 't', families: { f: { ttl: '90 DAYS' } } }
",
    check: Detector::Loader,
};
