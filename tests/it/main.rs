//! Integration tests: one binary, one module per subject.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

mod api;
mod audit;
mod check;
mod commands;
mod constants;
#[cfg(unix)]
mod doors;
mod engine_cases;
mod examples;
mod function_names;
mod generate;
mod growth;
mod hash_salts;
mod help;
mod hostile;
mod init;
mod jobs;
mod key_ranges;
mod limits;
mod options;
mod packages;
mod pages;
mod partitions;
mod readers;
mod rewrite;
mod rewrite_files;
mod rewrite_inserts;
mod schema_errors;
mod schema_fuzz;
mod settings;
mod simulate;
mod sql_layout;
mod threads;
mod versions;
