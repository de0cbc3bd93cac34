//! A table whose row key begins with a column.

/// The schema of a table of which the column is the first field of the row key, as text; `None` if no field has its type. A number
/// is followed by another field: without it a value is a key and not a range of keys, and two values in a row, which `rewrite` puts
/// together, would not be the same ranges as one after the other, as Hive's filter may have them.
pub fn beginning_with(table: &str, columns: &[(String, String)], column: &str) -> Option<String> {
    let (name, hive_type) = columns.iter().find(|(name, _)| name == column)?;
    let field = match hive_type.as_str() {
        "string" => "type: string",
        "date" => "type: date, format: yyyy-MM-dd, hive_type: date",
        "int" => "type: int, encoding: decimal, width: 10",
        "bigint" => "type: bigint, encoding: decimal, width: 19",
        _ => return None,
    };
    let rest = match hive_type.as_str() {
        "int" | "bigint" => "    - { name: rest_of_key, type: string }\n",
        _ => "",
    };
    let others = columns.iter().filter(|(other, _)| other != name);
    let others = others
        .map(|(name, hive_type)| format!("  - {{ name: {name}, type: '{hive_type}', hbase: 'f:{name}' }}\n"));
    Some(format!(
        "saltplan: 1
hbase: {{ table: '{table}', families: {{ f: {{}} }} }}
key:
  fields:
    - {{ name: {name}, {field} }}
{rest}columns:
{}hive: {{ mapping: {{ table: 'default.{table}_map', key_column: rowkey }}, view: 'default.{table}' }}
",
        others.collect::<String>()
    ))
}
