//! What a design does to the regions of a table, before there is one.

pub mod grow;
pub mod picture;
