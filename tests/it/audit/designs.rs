//! The designs: as first published with all their faults, and as the examples have them.

use std::path::Path;

use saltplan_core::schema::read_file;
use saltplan_document::diag::Severity;
use saltplan_lint::{FileReport, audit};

use super::root;
use crate::schema_errors::schemas;

fn report(file: &Path) -> FileReport {
    let source = read_file(file).expect("a readable file");
    audit(&source, file.parent().expect("a folder"), &|_| true)
}

/// Warnings and errors as `code:line`.
fn faults(report: &FileReport) -> Vec<String> {
    let source = report.source.as_ref().expect("a source");
    let serious = report.findings.iter().filter(|finding| finding.diagnostic.severity > Severity::Note);
    serious
        .map(|finding| format!("{}:{}", finding.rule.code, source.line_column(finding.span().start).0))
        .collect()
}

/// Every published fault that a schema can show, at its line. A schema cannot show the seventeenth branch of
/// A's query, the missing namespace of B, and the range of D that misses the row at its start.
const PUBLISHED: [(&str, &[&str]); 13] = [
    // The region below 000, and the one from 016 on.
    ("a_md5_nibble_day", &["SP202:18", "SP201:19"]),
    // Columns joined without a separator; non-ASCII text; two binary bytes.
    ("b_hash_prefix", &["SP110:11", "SP403:11", "SP303:13"]),
    // A separator that the columns may contain.
    ("b_md5_prefix", &["SP304:14"]),
    // The same digest for `ab` + `c` and `a` + `bc`; the columns are not stored.
    ("b_md5_whole", &["SP307:11", "SP404:13", "SP404:14"]),
    ("b_plain", &["SP303:11"]),
    // One split key too many, 5|: the text says six regions, but there are seven.
    ("c_region_number", &["SP206:22", "SP201:24"]),
    // Salt 10 is in the region of salt 1, and the last region is empty.
    ("c_region_number_11", &["SP204:23", "SP203:24", "SP201:24"]),
    // abs(Integer.MIN_VALUE), only for free text.
    ("c_region_number_names", &["SP101:15", "SP304:19"]),
    ("d_random_digit", &["SP107:11"]),
    ("d_random_two_digits", &["SP107:11", "SP305:15"]),
    ("d_reversed_id_time", &[]),
    // The time is not in the key.
    ("e_md5_of_time", &["SP106:11", "SP103:14"]),
    ("e_modulo", &["SP108:11"]),
];

#[test]
fn the_published_designs_have_their_faults() {
    let folder = root().join("tests/testdata/original");
    assert_eq!(schemas(&folder).len(), PUBLISHED.len());
    for (name, expected) in PUBLISHED {
        let found = faults(&report(&folder.join(name).with_extension("yaml")));
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn the_examples_have_no_fault_without_a_reason() {
    let files = schemas(&root().join("schemas/examples"));
    assert!(files.len() >= 11);
    for file in files {
        assert_eq!(faults(&report(&file)), Vec::<String>::new(), "{}", file.display());
    }
}
