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
        Ok(tree)
    }

    /// The node and all below it.
    pub fn nodes(&self) -> Vec<&Tree> {
        let mut nodes = vec![self];
        let mut at = 0;
        while at < nodes.len() {
            nodes.extend(&nodes[at].children);
            at += 1;
        }
        nodes
    }
}

/// The text of a constant, the same for the same value in every version of Hive.
fn constant(hive_type: &str, text: &str) -> Option<String> {
    if text == "\\N" {
        return None;
    }
    let text = unescaped(text);
    // Java's older class of times writes a whole second with a zero.
    let is_whole = hive_type == "timestamp" && text.ends_with(".0");
    Some(if is_whole { text[..text.len() - 2].to_string() } else { text })
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
