//! The rooms of this crate, for the other crates of its workspace and for tests. Nothing here is promised: names and
//! signatures change without notice.

#[path = "audit/mod.rs"]
pub mod audit;
#[path = "diag/mod.rs"]
pub mod diag;
#[path = "diff/mod.rs"]
pub mod diff;
#[path = "drift/mod.rs"]
pub mod drift;
#[path = "files/mod.rs"]
pub mod files;
#[path = "hiveql/mod.rs"]
pub mod hiveql;
#[path = "init/mod.rs"]
pub mod init;
#[path = "jobs/mod.rs"]
pub mod jobs;
#[path = "key/mod.rs"]
pub mod key;
#[path = "plan/mod.rs"]
pub mod plan;
#[path = "predicate/mod.rs"]
pub mod predicate;
#[path = "refusal.rs"]
pub mod refusal;
#[path = "region/mod.rs"]
pub mod region;
#[path = "render/mod.rs"]
pub mod render;
#[path = "row/mod.rs"]
pub mod row;
#[path = "schema/mod.rs"]
pub mod schema;
#[path = "table/mod.rs"]
pub mod table;
