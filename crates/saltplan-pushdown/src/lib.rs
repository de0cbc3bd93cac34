//! Key ranges for a filter that Hive has pushed down to a table with salted row keys.
//!
//! The storage handler of `saltplan-hive.jar` sends the filter of each table scan as a tree: the classes of its functions, the types of
//! all nodes, constants with their values. [`answer`] says which row keys can satisfy it. Hive keeps the filter, so a range that is too
//! large costs time, and one that is too small loses rows. What is not known to mean the same to Hive and to the planner is *any value*:
//! nothing follows from it, whether it stands under NOT, OR or AND.
//!
//! From a request to its answer:
//! 1. `request` reads the JSON;
//! 2. `tree` makes a bound tree of it, with the records of the catalogue for classes;
//! 3. the pieces of the row key in it become key fields;
//! 4. `meaning` puts any value in the place of what the planner does not read exactly as this Hive, `zone` decides on time zones;
//! 5. `plan` makes ranges, and `answer` the JSON.
//!
//! The library reads no file, no clock and no environment. docs/pushdown.md describes the protocol.

mod answer;
mod meaning;
mod plan;
mod request;
mod tree;
mod zone;

use thiserror::Error;

pub use answer::{Keys, MAX_RANGES};
pub use request::{MAX_NESTING, MAX_REQUEST_BYTES, PROTOCOL};

/// A request that is not understood as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the request is not understood: {0}")]
pub struct RequestError(pub(crate) String);

/// The answer to a request, one JSON object on a line of its own.
///
/// # Errors
/// The request is not of the protocol, or its schema has errors.
pub fn answer(request: &[u8]) -> Result<String, RequestError> {
    Ok(keys(request)?.answer(request))
}

/// The keys that may satisfy the filter of a request.
///
/// # Errors
/// As [`answer`].
pub fn keys(request: &[u8]) -> Result<Keys, RequestError> {
    plan::keys(&request::Request::parse(request)?)
}
