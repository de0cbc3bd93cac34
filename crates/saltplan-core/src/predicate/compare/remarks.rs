//! What is said of constants while they are compared.

#[derive(Debug, Default)]
pub struct Remarks {
    /// On constants that no value of the field can equal.
    pub warnings: Vec<String>,
    /// What is wrong with constants that the field's declaration rejects, though they could be read as its values.
    pub rejected: Vec<String>,
}
