//! Integration tests: one binary, one module per subject.

mod examples;
mod schema_errors;
mod schema_fuzz;
