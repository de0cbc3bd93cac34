//! Integration tests: one binary, one module per subject.

mod audit;
mod commands;
mod constants;
mod examples;
mod growth;
mod help;
mod hostile;
mod init;
mod law;
mod limits;
mod plan_cases;
mod schema_errors;
mod schema_fuzz;
mod simulate;
mod sql_layout;
