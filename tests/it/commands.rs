//! The command line as a user sees it: the sessions under `tests/cmd`.
//!
//! `BLESS=1 cargo test` rewrites their output.

use std::process::Command;

use saltplan_law::expect::is_blessing;
use saltplan_law::sample::sampled;

#[test]
fn sessions() {
    // trycmd reads its own variable at startup, so this test runs itself again with that variable.
    let is_turned = std::env::var_os("TRYCMD").is_some();
    if is_blessing() && !is_turned {
        let tests = std::env::current_exe().expect("the path of the tests");
        let again = ["--exact", "commands::sessions"];
        let status = Command::new(tests).args(again).env("TRYCMD", "overwrite").status();
        assert!(status.expect("the tests run once more").success(), "sessions could not be written");
        return;
    }
    let mut pages: Vec<_> = std::fs::read_dir("tests/cmd")
        .expect("the folder of the sessions")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "trycmd"))
        .collect();
    pages.sort();
    assert!(pages.len() > 40, "only {} sessions", pages.len());
    let cases = trycmd::TestCases::new();
    // Those that are rewritten are all of them.
    let step = if is_turned { 1 } else { 5 };
    for page in sampled(pages, step) {
        cases.case(page);
    }
}
