//! The form of a condition as Hive reads it, from the tree that `tests/engines/java/src/trees` prints.

use super::form::{CommonForm, OPAQUE};

struct HiveNode<'a> {
    token: &'a str,
    text: String,
    children: Vec<HiveNode<'a>>,
}

/// A text as one line for Hive's reader.
pub fn line_of(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

/// What a field of such a line says.
///
/// # Panics
/// An escape that does not end.
pub fn unescaped(field: &str) -> String {
    let mut text = String::with_capacity(field.len());
    let mut chars = field.chars();
    while let Some(c) = chars.next() {
        text.push(match c {
            '\\' => match chars.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                Some(other) => other,
                None => panic!("an escape that does not end: {field}"),
            },
            c => c,
        });
    }
    text
}

/// The form in a line of Hive's reader.
///
/// # Errors
/// What Hive says of a text that it does not read.
///
/// # Panics
/// A line that is not a tree.
pub fn of_line(line: &str) -> Result<CommonForm, String> {
    if let Some(message) = line.strip_prefix('!') {
        return Err(unescaped(message));
    }
    let fields: Vec<&str> = line.split('\t').collect();
    let mut stack: Vec<HiveNode<'_>> = Vec::new();
    for field in fields.chunks(3) {
        let [token, text, count] = field else { panic!("no node: {line}") };
        let count: usize = count.parse().unwrap_or_else(|_| panic!("no count: {line}"));
        let children = stack.split_off(stack.len() - count);
        stack.push(HiveNode { token, text: unescaped(text), children });
    }
    match stack.as_slice() {
        [root] => Ok(common_form(root)),
        _ => panic!("no tree: {line}"),
    }
}

fn all(nodes: &[HiveNode<'_>]) -> Vec<CommonForm> {
    nodes.iter().map(common_form).collect()
}

fn common_form(node: &HiveNode<'_>) -> CommonForm {
    let parts = || all(&node.children);
    let operator = |label: &str| CommonForm::new(label, parts());
    match (node.token, node.children.as_slice()) {
        ("KW_OR", [_, _, ..]) => CommonForm::chain("OR", parts()),
        ("KW_AND", [_, _, ..]) => CommonForm::chain("AND", parts()),
        ("KW_NOT", [inner]) => CommonForm::negated(common_form(inner)),
        // `NOT NOT a`, `- ~ a`: the operators before the last one have become its first child.
        ("KW_NOT" | "MINUS" | "PLUS" | "TILDE", [before, value]) if is_unary(before) => {
            before_last(before, signed(node.token, common_form(value)))
        }
        ("EQUAL", [_, _]) => operator("="),
        ("NOTEQUAL", [_, _]) => operator("<>"),
        ("EQUAL_NS", [_, _]) => operator("<=>"),
        ("LESSTHAN", [_, _]) => operator("<"),
        ("LESSTHANOREQUALTO", [_, _]) => operator("<="),
        ("GREATERTHAN", [_, _]) => operator(">"),
        ("GREATERTHANOREQUALTO", [_, _]) => operator(">="),
        ("BITWISEOR", [_, _]) => operator("|"),
        ("AMPERSAND", [_, _]) => operator("&"),
        ("BITWISEXOR", [_, _]) => operator("^"),
        ("PLUS", [_] | [_, _]) => operator("+"),
        ("MINUS", [_] | [_, _]) => operator("-"),
        ("TILDE", [_]) => operator("~"),
        ("STAR", [_, _]) => operator("*"),
        ("DIVIDE", [_, _]) => operator("/"),
        ("MOD", [_, _]) => operator("%"),
        ("DIV" | "KW_DIV", [_, _]) => operator("DIV"),
        ("KW_LIKE", [_, _]) => operator("LIKE"),
        ("KW_RLIKE" | "KW_REGEXP", [_, _]) => operator("RLIKE"),
        ("TOK_TABLE_OR_COL", [name]) => CommonForm::column(&name.text),
        // `t.a` is the column `a`.
        ("DOT", [table, name]) => match table.token {
            "TOK_TABLE_OR_COL" | "DOT" if is_name(table) => CommonForm::column(&name.text),
            _ => CommonForm::access(common_form(table), None),
        },
        ("LSQUARE", [value, index]) => CommonForm::access(common_form(value), Some(common_form(index))),
        ("StringLiteral", []) => CommonForm::text(&node.text),
        ("TOK_STRINGLITERALSEQUENCE", texts) => {
            CommonForm::text(&texts.iter().map(|text| text.text.as_str()).collect::<String>())
        }
        ("Number" | "IntegralLiteral" | "NumberLiteral", []) => CommonForm::number(&node.text),
        ("KW_TRUE" | "KW_FALSE", []) => CommonForm::leaf(node.text.to_uppercase()),
        ("TOK_NULL", []) => CommonForm::leaf("NULL"),
        ("TOK_DATELITERAL", []) => CommonForm::typed_text("DATE", inside(&node.text)),
        ("TOK_TIMESTAMPLITERAL", []) => CommonForm::typed_text("TIMESTAMP", inside(&node.text)),
        ("TOK_FUNCTIONSTAR", [_]) => CommonForm::leaf(OPAQUE),
        ("TOK_FUNCTIONDI", [_, arguments @ ..]) => CommonForm::new(OPAQUE, all(arguments)),
        ("TOK_FUNCTION", [name, arguments @ ..]) => function(name, arguments),
        // None of ours is the same.
        (token, _) => operator(&format!("Hive's {token}")),
    }
}

/// An operator without a value.
fn is_unary(node: &HiveNode<'_>) -> bool {
    ["KW_NOT", "MINUS", "PLUS", "TILDE"].contains(&node.token) && node.children.iter().all(is_unary)
}

fn before_last(operators: &HiveNode<'_>, value: CommonForm) -> CommonForm {
    let value = signed(operators.token, value);
    operators.children.iter().fold(value, |value, before| before_last(before, value))
}

fn signed(token: &str, value: CommonForm) -> CommonForm {
    let label = match token {
        "KW_NOT" => "NOT",
        "MINUS" => "-",
        "PLUS" => "+",
        _ => "~",
    };
    CommonForm::new(label, vec![value])
}

fn is_name(node: &HiveNode<'_>) -> bool {
    match node.token {
        "TOK_TABLE_OR_COL" => true,
        "DOT" => is_name(&node.children[0]),
        _ => false,
    }
}

fn inside(quoted: &str) -> &str {
    quoted.trim_matches(['\'', '"'])
}

fn function(name: &HiveNode<'_>, arguments: &[HiveNode<'_>]) -> CommonForm {
    let parts = || all(arguments);
    let lower = name.text.to_lowercase();
    match (name.token, lower.as_str(), arguments) {
        ("KW_WHEN", ..) | ("Identifier", "when", _) => case(None, arguments),
        ("KW_CASE", _, [operand, branches @ ..]) => case(Some(common_form(operand)), branches),
        ("Identifier", "between", [negated, bounds @ ..]) => {
            CommonForm::negated_if(negated.token == "KW_TRUE", CommonForm::new("BETWEEN", all(bounds)))
        }
        ("Identifier", "in", [value, list @ ..]) => CommonForm::in_list(common_form(value), all(list)),
        ("TOK_ISNULL", ..) => CommonForm::new("IS NULL", parts()),
        ("TOK_ISNOTNULL", ..) => CommonForm::new("IS NOT NULL", parts()),
        ("Identifier", "internal_interval", [unit, amount]) => {
            let unit = unit.text.trim_start_matches("TOK_INTERVAL_").trim_end_matches("_LITERAL");
            CommonForm::new(format!("INTERVAL {}", unit.to_lowercase()), vec![common_form(amount)])
        }
        (token, _, [value]) if data_type(token, name).is_some() => {
            CommonForm::cast(&data_type(token, name).unwrap_or_default(), common_form(value))
        }
        _ => CommonForm::call(&lower, parts()),
    }
}

fn case(operand: Option<CommonForm>, parts: &[HiveNode<'_>]) -> CommonForm {
    let branches = parts.chunks_exact(2).map(|pair| (common_form(&pair[0]), common_form(&pair[1]))).collect();
    CommonForm::case(operand, branches, parts.chunks_exact(2).remainder().first().map(common_form))
}

/// The type of a cast, which stands where a function has its name.
fn data_type(token: &str, node: &HiveNode<'_>) -> Option<String> {
    let sized = |name: &str| match node.children.first() {
        Some(size) => format!("{name}({})", size.text),
        None => name.to_string(),
    };
    Some(match token {
        "TOK_VARCHAR" => sized("VARCHAR"),
        "TOK_CHAR" => sized("CHAR"),
        "TOK_DECIMAL" => {
            let size = |at: usize, other: &str| {
                node.children.get(at).map_or(other.to_string(), |size| size.text.clone())
            };
            format!("DECIMAL({},{})", size(0, "10"), size(1, "0"))
        }
        _ => {
            let name = token.strip_prefix("TOK_")?;
            let known = [
                "TINYINT",
                "SMALLINT",
                "INT",
                "BIGINT",
                "BOOLEAN",
                "FLOAT",
                "DOUBLE",
                "STRING",
                "BINARY",
                "DATE",
                "TIMESTAMP",
            ];
            known.contains(&name).then(|| name.to_string())?
        }
    })
}
