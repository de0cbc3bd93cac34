//! The command line as a user sees it: the sessions under `tests/cmd`.
//!
//! `BLESS=1 cargo test` rewrites their output.

use std::process::Command;

use saltplan_law::expect::is_blessing;

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
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
