//! saltplan reads conditions as Hive does: the parsers of Hive 2.3.9, 3.1.3 and 4.1.0 make the same trees of the predicates of all
//! suites and of random ones. Where they do not, `tests/testdata/readers.txt` says why.
//!
//! `SALTPLAN_READERS_CASES` sets the number of random conditions (10,000 without it), `SALTPLAN_READERS_SEED` chooses others; then
//! differences may occur that the file does not list.

use std::path::Path;

use anyhow::{Result, bail};
use libtest_mimic::{Failed, Trial};
use saltplan_law::readers::differences::Differences;
use saltplan_law::readers::{hive, texts};

use crate::evaluator::{self, from_environment};
use crate::judge;
use crate::meaning;

const CASES: u64 = 10_000;

pub fn trials(root: &Path) -> Vec<Trial> {
    let trial = |reader: &'static str| {
        let root = root.to_owned();
        Trial::test(format!("readers::{reader}"), move || {
            check(&root, reader).map_err(|error| Failed::from(format!("{error:#}")))
        })
    };
    judge::HIVES.map(trial).into()
}

fn check(root: &Path, reader: &str) -> Result<()> {
    let count = from_environment("SALTPLAN_READERS_CASES", CASES)? as usize;
    let texts = texts(root, count)?;
    let lines: Vec<String> = texts.iter().map(|text| hive::line_of(text)).collect();
    let trees = judge::ask(root, &["trees", reader], None, &lines)?;
    let file = std::fs::read_to_string(root.join("tests/testdata/readers.txt"))?;
    let mut differences = Differences::of(reader, &file);
    for (text, line) in texts.iter().zip(&trees) {
        differences.compare(text, &hive::of_line(line));
    }
    match differences.check(count >= CASES as usize) {
        Ok(counts) => eprintln!("readers: {counts}"),
        Err(report) => bail!(report),
    }
    Ok(())
}

/// The predicates of the suites, and random ones from every generator.
fn texts(root: &Path, count: usize) -> Result<Vec<String>> {
    let seed = from_environment("SALTPLAN_READERS_SEED", 1)?;
    let mut texts = texts::of_suites(root);
    texts.extend(texts::of_law(seed, count / 5));
    let mut maker = texts::Maker::new(seed);
    texts.extend((0..count * 2 / 5).map(|_| maker.text()));
    let mut maker = evaluator::random::Maker::new(seed);
    texts.extend((0..count / 5).map(|_| maker.condition().asked));
    texts.extend(meaning::conditions(seed, count / 5));
    Ok(texts)
}
