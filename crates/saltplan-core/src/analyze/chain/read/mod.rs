//! Chains, read from expressions.

mod numbers;
