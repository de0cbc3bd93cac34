//! Pieces of the row key: from conditions on the key column of a mapping table to conditions on the fields of the key.
//!
//! A mapping table has the whole row key in one column. Its queries cut it themselves, as `substr(rowkey, 4, 8) = '20200406'` does, or
//! with the expressions of the view that `ddl` prints. [`recognise`] finds what such an expression is by the layout of the key (a field,
//! its start, its end, the salt), and puts an expression over fields in its place, which the analysis then plans like every other
//! predicate.
//!
//! **What holds.** For each row key that fits the layout, the tree that is returned has the value that Hive computes for the tree that
//! was given. So ranges that are planned for it contain every such key for which the condition is true. Of keys that do not fit the
//! layout (too short, with other characters, written by another program) ranges may leave some out, so a condition stays as it was, in a
//! form that makes no range, if it is how people look for such keys: if no key that fits makes it true, or if it is true for all values
//! but those that it names, as `substr(rowkey, 4, 8) <> '20200406'` is. If several conditions leave no key that fits, the tree says so,
//! and callers read all keys. The key column stays in the tree where nothing is recognised, and the analysis reads comparisons of it as
//! ranges of keys.
//!
//! - `walk` goes through the tree, `condition` says what a condition with a piece in it is, and `describe` what the piece is.
//! - `layout` has the parts of the key, and texts that are cut out of it. Hive counts characters, the layout has bytes: what stands
//!   behind a part is at a known place only if the part is ASCII of a fixed width, or ends at a separator that it cannot hold.
//! - `read` says which expressions are such texts, `view` which are those that the view prints.
//! - `compare` and `like` make conditions on fields of comparisons with constants, `salt` conditions on the salt, `runtime` those with
//!   values that are known when the statement runs; `express` makes values of the other pieces.
//! - `hidden` puts a condition into a form that makes no range.

mod compare;
mod condition;
mod describe;
mod express;
mod hidden;
mod layout;
mod like;
mod read;
mod runtime;
mod salt;
mod scope;
mod view;
mod walk;

pub use scope::MappingScope;

use crate::analyze::bind::BoundNode;
use crate::schema::model::Schema;
use layout::Layout;
use saltplan_document::diag::Span;
use view::Decoded;
use walk::{Asked, Walk};

/// A tree over the fields of the key, and which pieces of the key were found in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Recognised {
    /// For the analysis, with the names of the logical table.
    pub tree: BoundNode,
    /// In the order of the tree, each expression once.
    pub pieces: Vec<Piece>,
}

impl Recognised {
    /// Whether a field of the key is in it. If not, ranges follow from conditions on the whole key only: what the layout alone says of
    /// the keys of a table must not leave out others.
    pub fn names_fields(&self) -> bool {
        self.tree.has(&|part| part.field().is_some())
    }
}

/// An expression that is a piece of the key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Piece {
    /// The expression, as the bound tree is written.
    pub expression: String,
    pub span: Span,
    /// What it is, such as "`day`", "the start of `day`" or "the salt".
    pub meaning: String,
}

/// Puts fields in the place of pieces of the row key. `tree` is a condition, or a part of one, that is bound with the names of the
/// mapping table: with [`MappingScope`], or by another door, whose columns have the same places. A tree without the key column comes
/// back as it is.
///
/// Casts that Hive's own tree has are [written](crate::analyze::bind::CastOrigin::Written) ones.
pub fn recognise(schema: &Schema, tree: BoundNode) -> Recognised {
    Recogniser::new(schema).recognise(tree)
}

/// As [`recognise`], if only keys that fit the layout count: conditions with which people look for other keys are those on fields, too.
pub fn recognise_fitting(schema: &Schema, tree: BoundNode) -> BoundNode {
    Recogniser { only_fitting: true, ..Recogniser::new(schema) }.recognise(tree).tree
}

/// [`recognise`] for many trees of one schema.
#[derive(Debug)]
pub struct Recogniser<'s> {
    layout: Layout<'s>,
    decoded: Decoded,
    /// Whether keys that do not fit the layout do not count.
    only_fitting: bool,
}

impl<'s> Recogniser<'s> {
    pub fn new(schema: &'s Schema) -> Self {
        Recogniser { layout: Layout::new(schema), decoded: Decoded::new(schema), only_fitting: false }
    }

    /// As the function of this name.
    pub fn recognise(&self, tree: BoundNode) -> Recognised {
        let mut walk = Walk { of: self, pieces: Vec::new() };
        let tree = walk.condition(tree, Asked::True);
        Recognised { tree, pieces: walk.pieces }
    }
}
