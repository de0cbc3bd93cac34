//! The command line as a user sees it: every example of the README, and the sessions under `tests/cmd`.
//!
//! `TRYCMD=overwrite cargo test` writes what is printed now.

#[test]
fn sessions() {
    trycmd::TestCases::new().case("README.md").case("tests/cmd/*.trycmd");
}
