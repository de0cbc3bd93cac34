use crate::audit::context::Context;
use crate::audit::finding::Finding;
use crate::audit::rule::{Check, Rule};
use crate::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP405",
    name: "type-of-cell",
    severity: Severity::Warning,
    summary: "Hive reads a type from the text of a cell, and cannot read the bytes that were probably written.",
    why: "\
The mapping table reads every cell as text. `binary` is decoded from Base64 wherever the bytes look like it, so raw bytes come
out changed now and then: that is a warning. Numbers, `boolean`, `date` and `timestamp` are NULL unless the cell holds their
text (`42`, `true`, `2020-04-06`, `2020-04-06 10:15:00`); cells that a Java client wrote with `Bytes.toBytes(42L)` hold eight
bytes instead. What the cells hold the file does not tell, so that is a note.",
    learned: "HIVE-1634 (storage type `#b`); org.apache.hadoop.hive.serde2.lazy.LazyBinary",
    fires: "\
columns:
  - { name: photo, »type: binary«, hbase: 'f:photo' }
",
    corrected: "\
columns:
  - { name: photo_base64, type: string, hbase: 'f:photo' }
",
    check: Check::Schema(check),
};

/// Types whose values have a text that Hive reads.
const FROM_TEXT: [&str; 12] = [
    "tinyint",
    "smallint",
    "int",
    "integer",
    "bigint",
    "float",
    "double",
    "decimal",
    "numeric",
    "boolean",
    "date",
    "timestamp",
];

fn check(context: &Context<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, column) in context.schema.columns.iter().enumerate() {
        let span = context.entry(&["columns", &index.to_string(), "type"]).unwrap_or(column.span);
        let word: String = column.hive_type.trim().chars().take_while(char::is_ascii_alphabetic).collect();
        let word = word.to_ascii_lowercase();
        if word == "binary" {
            let message = format!("cells of `{}` that look like Base64 are decoded", column.name);
            let finding = context.at(&RULE, span, message, "read as Base64 text");
            findings.push(finding.help("store Base64 text and write `type: string`"));
        } else if FROM_TEXT.contains(&word.as_str()) {
            let message = format!("`{}` is NULL unless its cells hold the text of a {word}", column.name);
            let finding = context.at(&RULE, span, message, "read from text");
            let help = "make sure that the writer stores text, not `Bytes.toBytes` of a number";
            findings.push(finding.severity(Severity::Note).help(help));
        }
    }
    findings
}
