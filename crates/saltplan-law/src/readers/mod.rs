//! Three readers of conditions: ours, Hive's own and sqlparser. Each makes a [`CommonForm`] of a text, in which what is said in two ways
//! in Hive has one form, so that forms of the same text can be compared.

pub mod differences;
pub mod form;
pub mod hive;
pub mod ours;
pub mod sqlparser;
pub mod texts;

pub use form::CommonForm;
