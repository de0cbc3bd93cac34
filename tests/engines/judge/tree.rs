//! The tree that Hive's check of types makes of a condition, and the form in which it is compared with saltplan's.

use std::fmt;

use saltplan_law::readers::hive::unescaped;

/// A node with its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tree {
    pub node: Node,
    /// As Hive writes it, such as `decimal(10,2)`.
    pub hive_type: String,
    pub children: Vec<Tree>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    Column(String),
    /// `None` is NULL.
    Constant(Option<String>),
    /// The Java class that computes it.
    Function(String),
    /// A field of a struct, by its name.
    Field(String),
    /// A node of Hive that has no other kind here.
    Other(String),
}

impl Tree {
    /// The tree in an answer of `lab typed`.
    ///
    /// # Errors
    /// What Hive says of a condition that it refuses.
    ///
    /// # Panics
    /// A line that is no tree.
    #[expect(clippy::panic, reason = "the lab prints only trees")]
    pub fn of_line(line: &str) -> Result<Self, String> {
        if let Some(message) = line.strip_prefix('!') {
            return Err(unescaped(message));
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let mut stack: Vec<Tree> = Vec::new();
        for field in fields.chunks(4) {
            let [kind, hive_type, text, count] = field else { panic!("no node: {line}") };
            let count: usize = count.parse().unwrap_or_else(|_| panic!("no count: {line}"));
            let children = stack.split_off(stack.len() - count);
            let node = match *kind {
                "column" => Node::Column(unescaped(text)),
                "constant" => Node::Constant(constant(hive_type, text)),
                "function" => Node::Function((*text).into()),
                "field" => Node::Field(unescaped(text)),
                _ => Node::Other((*text).into()),
            };
            stack.push(Tree { node, hive_type: (*hive_type).into(), children });
        }
        let tree = stack.pop().unwrap_or_else(|| panic!("no tree: {line}"));
        assert!(stack.is_empty(), "several trees: {line}");
        Ok(tree.with_sorted_lists())
    }

    /// Hive 4 makes a list for each type of the values of an IN, in the order of a hash table, and puts them into an OR around it.
    fn with_sorted_lists(mut self) -> Self {
        let is =
            |tree: &Tree, name: &str| matches!(&tree.node, Node::Function(class) if class.ends_with(name));
        let children: Vec<Tree> = self.children.into_iter().map(Tree::with_sorted_lists).collect();
        self.children = Vec::new();
        let is_or = is(&self, "GenericUDFOPOr");
        for child in children {
            let is_lists = is_or
                && is(&child, "GenericUDFOPOr")
                && child.children.iter().all(|arm| is(arm, "GenericUDFIn"));
            if is_lists { self.children.extend(child.children) } else { self.children.push(child) }
        }
        if is_or && self.children.iter().any(|arm| is(arm, "GenericUDFIn")) {
            self.children.sort_by_key(ToString::to_string);
        }
        self
    }
}

/// The text of a constant, the same for the same value in every version of Hive.
fn constant(hive_type: &str, text: &str) -> Option<String> {
    if text == "\\N" {
        return None;
    }
    let text = unescaped(text);
    Some(match hive_type {
        // Java's older class of times writes a whole second with a zero.
        "timestamp" => text.strip_suffix(".0").map_or(text.clone(), str::to_string),
        // Java writes some numbers with more digits than they need, and both zeros are equal.
        "float" => text.parse().map_or(text.clone(), |number: f32| (number + 0.0).to_string()),
        "double" => text.parse().map_or(text.clone(), |number: f64| (number + 0.0).to_string()),
        _ => text,
    })
}

/// `GenericUDFOPEqual:boolean(a:int, 5:int)`, with classes without their packages.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.node {
            Node::Column(name) => write!(f, "`{name}`")?,
            Node::Constant(None) => f.write_str("NULL")?,
            Node::Constant(Some(text)) => write!(f, "{text:?}")?,
            Node::Function(class) => f.write_str(class.rsplit('.').next().unwrap_or(class))?,
            Node::Field(name) => write!(f, ".{name}")?,
            Node::Other(class) => write!(f, "other {class}")?,
        }
        write!(f, ":{}", self.hive_type)?;
        if !self.children.is_empty() {
            let children: Vec<String> = self.children.iter().map(ToString::to_string).collect();
            write!(f, "({})", children.join(", "))?;
        }
        Ok(())
    }
}
