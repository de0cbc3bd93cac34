//! The name that conditions have for a [`Chain`](super::chain::Chain) of a field or a function of it.

pub(super) use super::chain::{Chain as Sargable, bare_field, epoch_seconds};
