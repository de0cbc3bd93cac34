//! Conditions in forms that every version of Hive reads alike, with the names of the predicate.

use super::boolean::compare_booleans;
use super::likes::write_likes;
use crate::schema::model::Schema;
use saltplan_sql::ast::Node;
use saltplan_sql::rewrite::for_hive;

/// A condition or a value in such a form.
pub(super) fn portable(schema: &Schema, node: &Node) -> Node {
    let mut node = node.clone();
    compare_booleans(schema, &mut node);
    write_likes(schema, &mut node);
    for_hive(&mut node);
    node
}
