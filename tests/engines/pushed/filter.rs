//! The filters of scans, as Hive has them, and as HiveQL.

use std::collections::BTreeSet;

use saltplan_law::readers::hive::unescaped;
use saltplan_sql::functions::{self, Function};
use saltplan_sql::version::HiveVersion;

use crate::judge::tree::{Node, Tree};

/// A scan of a table with its filter.
pub struct Scan {
    pub table: String,
    pub filter: Option<Tree>,
}

impl Scan {
    /// The scans in an answer of `lab pushed`.
    ///
    /// # Errors
    /// What Hive says of a query that it refuses, or an answer that has another form.
    pub fn all(answer: &str) -> Result<Vec<Self>, String> {
        if let Some(message) = answer.strip_prefix('!') {
            return Err(unescaped(message));
        }
        let other = || format!("another form: {answer}");
        let fields: Vec<&str> = answer.split('\t').collect();
        let mut rest = fields.as_slice();
        let mut scans = Vec::new();
        while let [table, nodes, after @ ..] = rest {
            let length = 4 * nodes.parse::<usize>().map_err(|_| other())?;
            let (tree, after) = after.split_at_checked(length).ok_or_else(other)?;
            let filter = match tree {
                [] => None,
                tree => Some(Tree::of_line(&tree.join("\t"))?),
            };
            scans.push(Scan { table: (*table).to_string(), filter });
            rest = after;
        }
        Ok(scans)
    }
}

/// The names of the columns in some trees.
pub fn columns(trees: &[&Tree]) -> BTreeSet<String> {
    let mut open = trees.to_vec();
    let mut columns = BTreeSet::new();
    while let Some(tree) = open.pop() {
        if let Node::Column(name) = &tree.node {
            columns.insert(name.to_lowercase());
        }
        open.extend(&tree.children);
    }
    columns
}

/// A condition in HiveQL that follows from a filter: without the parts of an AND that HiveQL cannot say, which are counted.
pub fn implied(tree: &Tree, version: HiveVersion, dropped: &mut usize) -> Option<String> {
    let arms = |dropped: &mut usize| -> Vec<Option<String>> {
        tree.children.iter().map(|arm| implied(arm, version, dropped)).collect()
    };
    let written = match named(tree, version).map(Function::name) {
        Some("and") => {
            let kept: Vec<String> = arms(dropped).into_iter().flatten().collect();
            return (!kept.is_empty()).then(|| format!("({})", kept.join(" AND ")));
        }
        Some("or") => {
            let all: Option<Vec<String>> = arms(dropped).into_iter().collect();
            return all.map(|all| format!("({})", all.join(" OR ")));
        }
        _ => written(tree, version),
    };
    *dropped += usize::from(written.is_none());
    written
}

/// The record of the function that computes a node.
fn named(tree: &Tree, version: HiveVersion) -> Option<&'static Function> {
    let Node::Function(class) = &tree.node else { return None };
    functions::all().find(|function| function.classes.full_name(version).as_ref() == Some(class))
}

/// Classes that convert to the type of the node.
const CONVERSIONS: [&str; 16] = [
    "UDFToBoolean",
    "UDFToByte",
    "UDFToShort",
    "UDFToInteger",
    "UDFToLong",
    "UDFToFloat",
    "UDFToDouble",
    "UDFToString",
    "GenericUDFToString",
    "GenericUDFToDecimal",
    "GenericUDFToVarchar",
    "GenericUDFToChar",
    "GenericUDFToDate",
    "GenericUDFTimestamp",
    "GenericUDFToBinary",
    "GenericUDFToTimestampLocalTZ",
];

/// A tree as HiveQL; `None` if HiveQL cannot say it.
fn written(tree: &Tree, version: HiveVersion) -> Option<String> {
    let class = match &tree.node {
        Node::Column(name) => return Some(format!("`{name}`")),
        Node::Constant(None) => return Some("NULL".into()),
        Node::Constant(Some(text)) => return constant(&tree.hive_type, text),
        Node::Function(class) => class.rsplit('.').next().unwrap_or(class),
        Node::Field(_) | Node::Other(_) => return None,
    };
    let parts: Vec<String> =
        tree.children.iter().map(|child| written(child, version)).collect::<Option<_>>()?;
    if let ([part], true) = (parts.as_slice(), CONVERSIONS.contains(&class)) {
        return Some(format!("cast({part} AS {})", tree.hive_type));
    }
    let name = named(tree, version)?.name();
    Some(match (name, parts.as_slice()) {
        ("and" | "or", parts) => format!("({})", parts.join(&format!(" {} ", name.to_uppercase()))),
        ("!", [part]) => format!("(NOT {part})"),
        ("isnull", [part]) => format!("({part} IS NULL)"),
        ("isnotnull", [part]) => format!("({part} IS NOT NULL)"),
        ("in", [part, values @ ..]) => format!("({part} IN ({}))", values.join(", ")),
        ("between", [negated, part, low, high]) => {
            let not = if negated == "true" { "NOT " } else { "" };
            format!("({part} {not}BETWEEN {low} AND {high})")
        }
        ("like", [part, pattern]) => format!("({part} LIKE {pattern})"),
        ("regexp", [part, pattern]) => format!("({part} RLIKE {pattern})"),
        ("case", [operand, arms @ ..]) => format!("(CASE {operand}{})", case(arms)),
        ("when", arms) => format!("(CASE{})", case(arms)),
        ("struct", parts) => format!("({})", parts.join(", ")),
        ("div", [left, right]) => format!("({left} DIV {right})"),
        (sign, [left, right]) if !sign.starts_with(char::is_alphabetic) => format!("({left} {sign} {right})"),
        (name, parts) => format!("{name}({})", parts.join(", ")),
    })
}

fn case(arms: &[String]) -> String {
    let arms = arms.chunks(2).map(|arm| match arm {
        [condition, value] => format!(" WHEN {condition} THEN {value}"),
        otherwise => format!(" ELSE {}", otherwise.concat()),
    });
    arms.collect::<String>() + " END"
}

fn constant(hive_type: &str, text: &str) -> Option<String> {
    let quoted = format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"));
    Some(match hive_type {
        "date" => format!("DATE {quoted}"),
        "timestamp" => format!("TIMESTAMP {quoted}"),
        "boolean" => text.to_string(),
        "tinyint" | "smallint" | "int" | "bigint" | "float" | "double" => text.to_string(),
        _ if hive_type.starts_with("decimal") => text.to_string(),
        _ if ["string", "varchar", "char"].iter().any(|of| hive_type.starts_with(of)) => quoted,
        _ => return None,
    })
}
