//! saltplan reads conditions like an independent parser: the crate sqlparser makes the same trees of the predicates of
//! all suites and of random ones. `tests/testdata/readers.txt` lists the exceptions. The engine suite does the same
//! with Hive's own parsers.

use std::path::Path;

use saltplan_law::readers::differences::Differences;
use saltplan_law::readers::{sqlparser, texts};

const CASES: usize = 10_000;
const SEED: u64 = 1;

#[test]
fn sqlparser_reads_conditions_alike() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = texts::of_suites(root);
    texts.extend(texts::of_law(SEED, CASES / 5));
    let mut maker = texts::Maker::new(SEED);
    texts.extend((0..CASES * 4 / 5).map(|_| maker.text()));
    let file =
        std::fs::read_to_string(root.join("tests/testdata/readers.txt")).expect("the known differences");
    let mut differences = Differences::of("sqlparser", &file);
    for (text, form) in texts.iter().zip(&sqlparser::read(&texts)) {
        differences.compare(text, form);
    }
    match differences.check(true) {
        Ok(counts) => eprintln!("readers: {counts}"),
        Err(report) => panic!("{report}"),
    }
}
