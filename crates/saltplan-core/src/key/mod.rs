//! Row keys as bytes: what a field, a salt and a range of keys look like in HBase.

pub mod chars;
pub mod codec;
pub mod cycle;
pub mod interval;
pub mod java;
pub mod layout;
pub mod listed;
pub mod range;
pub mod salt;
pub mod strings;
pub mod time_format;
mod value_error;
pub mod window;
pub mod zone;

pub use codec::Value;
pub use range::{KeyRange, KeyRanges};
pub use value_error::ValueError;
