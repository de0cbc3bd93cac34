//! The command line as a user sees it: every example of the README, and the sessions under `tests/cmd`.
//!
//! `BLESS=1 cargo test` writes what is printed now.

use std::process::Command;

#[test]
fn sessions() {
    // The sessions have a knob of their own, read when they begin: the tests are called once more with it turned.
    let is_turned = std::env::var_os("TRYCMD").is_some();
    if std::env::var_os("BLESS").is_some() && !is_turned {
        let tests = std::env::current_exe().expect("the path of the tests");
        let again = ["--exact", "commands::sessions"];
        let status = Command::new(tests).args(again).env("TRYCMD", "overwrite").status();
        assert!(status.expect("the tests run once more").success(), "sessions could not be written");
        return;
    }
    trycmd::TestCases::new().case("README.md").case("tests/cmd/*.trycmd");
}
