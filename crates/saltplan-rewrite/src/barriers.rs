//! Where a condition on the columns of a block must not become a condition of its WHERE.
//!
//! Below a LIMIT, a window function, an aggregate or a function that differs each time, other rows would give other results for the
//! rows that stay. A condition on what is made of the keys of a GROUP BY removes whole groups, and one on what is made of those of a
//! PARTITION BY whole windows.

use std::collections::{BTreeSet, HashSet};

use saltplan_sql::ast::{Call, CallForm, Column, Expr, Literal, Name, Node, Over, ScriptExpr};
use saltplan_sql::functions::{Rows, Volatility};
use saltplan_sql::rewrite::{has, replace, walk};
use saltplan_sql::script::{Arm, Block, SelectValue};

use crate::names::Owner;
use crate::rows::has_aggregate;
use crate::scope::Scope;

/// What stops conditions at a block.
pub struct Barriers<'b> {
    scope: &'b Scope<'b>,
    /// The index of the block.
    index: usize,
    /// Why no condition may pass.
    whole: Option<String>,
    /// The keys of its GROUP BY.
    keys: Option<Keys>,
    /// The PARTITION BY of each of its windows, each once.
    partitions: Vec<Keys>,
}

impl<'b> Barriers<'b> {
    /// `redefined` has the functions that the script defines itself, in lower case.
    pub fn new(scope: &'b Scope<'b>, index: usize, redefined: &BTreeSet<String>) -> Self {
        let block = &scope.statement.blocks[index];
        let mut barriers = Barriers { scope, index, whole: None, keys: None, partitions: Vec::new() };
        let [arm] = block.arms.as_slice() else {
            barriers.whole = Some("the query in between has several INSERTs".into());
            return barriers;
        };
        barriers.whole = whole(block, arm, redefined);
        if barriers.whole.is_none() {
            barriers.keys = group_keys(scope, index, arm);
            let mut partitions: HashSet<Vec<Node>> = HashSet::new();
            for over in windows(arm) {
                match over {
                    Some(keys) => {
                        partitions.insert(keys.iter().map(|key| canonical(scope, index, key)).collect());
                    }
                    None => {
                        barriers.whole = Some("a window of the query in between is not understood".into());
                    }
                }
            }
            barriers.partitions = partitions.into_iter().map(Keys::new).collect();
        }
        barriers
    }

    /// Why a condition on these values of the select list must not pass.
    pub fn stop(&self, values: &[Node]) -> Option<String> {
        if self.whole.is_some() {
            return self.whole.clone();
        }
        let values: Vec<Node> = values.iter().map(|value| canonical(self.scope, self.index, value)).collect();
        let is_filled_in =
            |value| has(value, |part| matches!(part, Expr::Script(ScriptExpr::Placeholder(_))));
        let make = |keys: &Keys| {
            values.iter().all(|value| keys.has(value) || keys.make(value) && !is_filled_in(value))
        };
        if !self.keys.as_ref().is_none_or(make) {
            return Some("it tests what is made of a whole group, not a key of the GROUP BY".into());
        }
        if !self.partitions.iter().all(make) {
            return Some(
                "a window function of the query in between also counts the rows that the condition excludes"
                    .into(),
            );
        }
        None
    }
}

/// The keys of a GROUP BY or of a PARTITION BY, as [`canonical`] trees.
pub struct Keys {
    keys: HashSet<Node>,
    are_columns: bool,
}

impl Keys {
    fn new(keys: impl IntoIterator<Item = Node>) -> Self {
        let keys: HashSet<Node> = keys.into_iter().collect();
        let are_columns = keys.iter().all(|key| matches!(key.expr, Expr::Column(_)));
        Keys { keys, are_columns }
    }

    /// Whether one of them is more than a column.
    pub fn has_expressions(&self) -> bool {
        !self.are_columns
    }

    pub fn has(&self, node: &Node) -> bool {
        let is_column = matches!(node.expr, Expr::Column(_));
        (is_column || self.has_expressions()) && self.keys.contains(node)
    }

    /// Whether a canonical expression has one value for all rows with the same keys: each of its columns is a key, or in one.
    pub fn make(&self, node: &Node) -> bool {
        let is_known = match &node.expr {
            _ if self.has(node) => return true,
            Expr::Script(part) => matches!(part, ScriptExpr::Placeholder(_)),
            Expr::Column(_) | Expr::Opaque(_) => false,
            Expr::Call(Call { form: CallForm::LikeList | CallForm::Extract(_), .. }) => true,
            Expr::Call(call) => call.function.is_some_and(|function| function.rows == Rows::One),
            _ => true,
        };
        let mut are_made = is_known;
        node.for_each_part(&mut |part| are_made = are_made && self.make(part));
        are_made
    }
}

/// The keys of a GROUP BY without sets. A number is the position of an item: if Hive does not take it for one, it refuses the item,
/// which is then no key, unless it is an aggregate.
pub fn group_keys(scope: &Scope<'_>, index: usize, arm: &Arm) -> Option<Keys> {
    let group = arm.group_by.as_ref()?;
    let key = |key: &Node| {
        let position = match &key.bare().expr {
            Expr::Literal(Literal::Number(digits)) => digits.parse::<usize>().ok(),
            _ => None,
        };
        let items = arm.select.as_ref().map_or(&[][..], |select| &select.items);
        let item = position.and_then(|position| items.get(position.checked_sub(1)?));
        match item.map(|item| &item.value) {
            Some(SelectValue::Expr(node)) if !has_aggregate(node) => canonical(scope, index, node),
            _ => canonical(scope, index, key),
        }
    };
    Some(Keys::new(group.keys.iter().map(key)))
}

/// An expression of a block in which equal columns are written alike.
pub fn canonical(scope: &Scope<'_>, index: usize, node: &Node) -> Node {
    let mut tree = node.bare().clone();
    replace(&mut tree, &mut |part| {
        let Expr::Column(column) = &part.expr else { return None };
        let name = column.name.to_lowercase();
        let qualifier = match scope.owner(index, column) {
            Owner::Relation(relation) => vec![Name { text: relation.to_string(), quoted: true }],
            _ => column.qualifier.iter().map(|part| Name { text: part.lower(), quoted: true }).collect(),
        };
        Some(Expr::Column(Column { qualifier, name, quoted: true }))
    });
    tree
}

/// Why no condition may pass a block.
fn whole(block: &Block, arm: &Arm, redefined: &BTreeSet<String>) -> Option<String> {
    if block.unclear.is_some() {
        return Some("the query in between is not understood".into());
    }
    if arm.select.as_ref().is_none_or(|select| select.is_script) {
        return Some("a program makes the rows of the query in between".into());
    }
    if arm.tail.has_limit {
        return Some("a LIMIT counts rows before the condition applies".into());
    }
    let has_sets = arm.group_by.as_ref().is_some_and(|group| group.has_sets);
    if has_sets {
        return Some("GROUPING SETS, ROLLUP or CUBE also count the rows that the condition excludes".into());
    }
    if arm.group_by.is_none() && (arm.having.is_some() || arm.expressions().any(has_aggregate)) {
        return Some("the query in between counts all rows, also those that the condition excludes".into());
    }
    let mut fault = None;
    for expression in block.expressions() {
        walk(expression, &mut |part| {
            if fault.is_none() {
                fault = differs(part, redefined);
            }
        });
    }
    fault
}

/// Why a part of an expression may have another value if other rows are read.
fn differs(part: &Expr, redefined: &BTreeSet<String>) -> Option<String> {
    match part {
        Expr::Call(Call { form: CallForm::LikeList, .. }) => None,
        Expr::Call(call) | Expr::Opaque(call) => {
            let is_known = call.function.is_some_and(|function| function.volatility != Volatility::Volatile);
            (!is_known || redefined.contains(&call.name)).then(|| {
                format!(
                    "`{}` of the query in between is not known to return the same value every time",
                    call.name
                )
            })
        }
        Expr::Cast { written, .. } if redefined.contains(&written.to_lowercase()) => {
            Some(format!("the script defines `{written}` itself"))
        }
        Expr::Script(ScriptExpr::Unread(_)) => {
            Some("a part of the query in between is not understood".into())
        }
        _ => None,
    }
}

/// The PARTITION BY of each window of an arm; `None` of one that is not understood. Hive takes that of the WINDOW clause only for a window
/// that has none of its own.
fn windows(arm: &Arm) -> Vec<Option<Vec<Node>>> {
    let mut found = Vec::new();
    for expression in arm.expressions() {
        walk(expression, &mut |part| {
            if let Expr::Script(ScriptExpr::Window(window)) = part {
                found.push(partition(arm, &window.over));
            }
        });
    }
    found
}

fn partition(arm: &Arm, over: &Over) -> Option<Vec<Node>> {
    let Some(name) = &over.name else { return Some(over.partition_by.clone()) };
    let named = arm.windows.iter().find(|window| window.name == *name)?.over.as_ref()?;
    // A window that is made of another one.
    if named.name.is_some() {
        return None;
    }
    let source = if over.partition_by.is_empty() { named } else { over };
    Some(source.partition_by.clone())
}
