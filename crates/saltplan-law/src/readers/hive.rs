//! The form of a condition as Hive reads it, from the tree that `tests/engines/java/src/trees` prints.

use super::form::{Form, OPAQUE};

struct Node<'a> {
    token: &'a str,
    text: String,
    children: Vec<Node<'a>>,
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
pub fn of_line(line: &str) -> Result<Form, String> {
    if let Some(message) = line.strip_prefix('!') {
        return Err(unescaped(message));
    }
    let fields: Vec<&str> = line.split('\t').collect();
    let mut stack: Vec<Node<'_>> = Vec::new();
    for field in fields.chunks(3) {
        let [token, text, count] = field else { panic!("no node: {line}") };
        let count: usize = count.parse().unwrap_or_else(|_| panic!("no count: {line}"));
        let children = stack.split_off(stack.len() - count);
        stack.push(Node { token, text: unescaped(text), children });
    }
    match stack.as_slice() {
        [root] => Ok(of(root)),
        _ => panic!("no tree: {line}"),
    }
}

fn all(nodes: &[Node<'_>]) -> Vec<Form> {
    nodes.iter().map(of).collect()
}

fn of(node: &Node<'_>) -> Form {
    let parts = || all(&node.children);
    let operator = |label: &str| Form::new(label, parts());
    match (node.token, node.children.as_slice()) {
        ("KW_OR", [_, _, ..]) => Form::chain("OR", parts()),
        ("KW_AND", [_, _, ..]) => Form::chain("AND", parts()),
        ("KW_NOT", [inner]) => Form::negated(of(inner)),
        // `NOT NOT a`, `- ~ a`: the operators before the last one have become its first child.
        ("KW_NOT" | "MINUS" | "PLUS" | "TILDE", [before, value]) if is_unary(before) => {
            before_last(before, signed(node.token, of(value)))
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
        ("TOK_TABLE_OR_COL", [name]) => Form::column(&name.text),
        // `t.a` is the column `a`.
        ("DOT", [table, name]) => match table.token {
            "TOK_TABLE_OR_COL" | "DOT" if is_name(table) => Form::column(&name.text),
            _ => Form::access(of(table), None),
        },
        ("LSQUARE", [value, index]) => Form::access(of(value), Some(of(index))),
        ("StringLiteral", []) => Form::text(&node.text),
        ("TOK_STRINGLITERALSEQUENCE", texts) => {
            Form::text(&texts.iter().map(|text| text.text.as_str()).collect::<String>())
        }
        ("Number" | "IntegralLiteral" | "NumberLiteral", []) => Form::number(&node.text),
        ("KW_TRUE" | "KW_FALSE", []) => Form::leaf(node.text.to_uppercase()),
        ("TOK_NULL", []) => Form::leaf("NULL"),
        ("TOK_DATELITERAL", []) => Form::typed_text("DATE", inside(&node.text)),
        ("TOK_TIMESTAMPLITERAL", []) => Form::typed_text("TIMESTAMP", inside(&node.text)),
        ("TOK_FUNCTIONSTAR", [_]) => Form::leaf(OPAQUE),
        ("TOK_FUNCTIONDI", [_, arguments @ ..]) => Form::new(OPAQUE, all(arguments)),
        ("TOK_FUNCTION", [name, arguments @ ..]) => function(name, arguments),
        // None of ours is the same.
        (token, _) => operator(&format!("Hive's {token}")),
    }
}

/// An operator without a value.
fn is_unary(node: &Node<'_>) -> bool {
    ["KW_NOT", "MINUS", "PLUS", "TILDE"].contains(&node.token) && node.children.iter().all(is_unary)
}

fn before_last(operators: &Node<'_>, value: Form) -> Form {
    let value = signed(operators.token, value);
    operators.children.iter().fold(value, |value, before| before_last(before, value))
}

fn signed(token: &str, value: Form) -> Form {
    let label = match token {
        "KW_NOT" => "NOT",
        "MINUS" => "-",
        "PLUS" => "+",
        _ => "~",
    };
    Form::new(label, vec![value])
}

fn is_name(node: &Node<'_>) -> bool {
    match node.token {
        "TOK_TABLE_OR_COL" => true,
        "DOT" => is_name(&node.children[0]),
        _ => false,
    }
}

fn inside(quoted: &str) -> &str {
    quoted.trim_matches(['\'', '"'])
}

fn function(name: &Node<'_>, arguments: &[Node<'_>]) -> Form {
    let parts = || all(arguments);
    let lower = name.text.to_lowercase();
    match (name.token, lower.as_str(), arguments) {
        ("KW_WHEN", ..) | ("Identifier", "when", _) => case(None, arguments),
        ("KW_CASE", _, [operand, branches @ ..]) => case(Some(of(operand)), branches),
        ("Identifier", "between", [negated, bounds @ ..]) => {
            Form::negated_if(negated.token == "KW_TRUE", Form::new("BETWEEN", all(bounds)))
        }
        ("Identifier", "in", [value, list @ ..]) => Form::in_list(of(value), all(list)),
        ("TOK_ISNULL", ..) => Form::new("IS NULL", parts()),
        ("TOK_ISNOTNULL", ..) => Form::new("IS NOT NULL", parts()),
        ("Identifier", "internal_interval", [unit, amount]) => {
            let unit = unit.text.trim_start_matches("TOK_INTERVAL_").trim_end_matches("_LITERAL");
            Form::new(format!("INTERVAL {}", unit.to_lowercase()), vec![of(amount)])
        }
        (token, _, [value]) if data_type(token, name).is_some() => {
            Form::cast(&data_type(token, name).unwrap_or_default(), of(value))
        }
        _ => Form::call(&lower, parts()),
    }
}

fn case(operand: Option<Form>, parts: &[Node<'_>]) -> Form {
    let branches = parts.chunks_exact(2).map(|pair| (of(&pair[0]), of(&pair[1]))).collect();
    Form::case(operand, branches, parts.chunks_exact(2).remainder().first().map(of))
}

/// The type of a cast, which stands where a function has its name.
fn data_type(token: &str, node: &Node<'_>) -> Option<String> {
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
