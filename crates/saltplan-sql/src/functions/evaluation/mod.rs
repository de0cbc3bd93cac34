//! The values of functions of constants, where all versions of Hive give one value: `None` where they differ, where Hive refuses the
//! call, and where the value is not computed here. `tests/testdata/constants.txt` has what was measured.

pub mod dates;
pub mod hashes;
pub mod numbers;
pub mod text;

use crate::value::{Constant, Typed};

/// A function of constants.
pub type Evaluation = fn(&[Typed]) -> Option<Typed>;

/// The first argument that is not NULL, if all are of one kind.
pub fn first_not_null(arguments: &[Typed]) -> Option<Typed> {
    let values = arguments.iter().filter(|argument| argument.constant != Constant::Null);
    let mut kinds = values.map(|typed| (std::mem::discriminant(&typed.constant), typed.of));
    let first = kinds.next();
    if kinds.any(|other| Some(other) != first) {
        return None;
    }
    arguments.iter().find(|argument| argument.constant != Constant::Null).or(arguments.first()).cloned()
}
