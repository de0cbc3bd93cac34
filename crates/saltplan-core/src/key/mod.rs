//! Row keys as bytes: fields, salts and key ranges as HBase stores them.

pub mod chars;
pub(crate) mod codec;
pub(crate) mod cycle;
pub mod field;
mod hashed;
pub mod id;
pub mod interval;
pub mod java;
pub mod layout;
pub(crate) mod listed;
pub mod number;
pub mod parts;
pub mod range;
pub(crate) mod read;
pub mod salt;
pub mod shown;
pub(crate) mod strings;
pub mod text_form;
pub mod units;
mod value_error;
pub mod window;
pub mod zone;

pub use codec::{Value, ValueRef};
pub use value_error::ValueError;
