//! The programs of docs/writers.md.
