use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::document::wording::with_article;
use saltplan_core::key::id::Id;

pub static RULE: Rule = Rule {
    code: "SP405",
    name: "type-of-cell",
    severity: Severity::Note,
    summary: "Hive reads a number, a boolean or a time from the text of a cell; other cells are NULL.",
    why: "\
The mapping table reads the cells of numbers, `boolean`, `date` and `timestamp` as text (`42`, `true`, `2020-04-06`,
`2020-04-06 10:15:00`). Cells that a Java client wrote with `Bytes.toBytes(42L)` hold eight bytes instead and come out as NULL,
without an error. The file does not say what the cells hold. (`string` takes any text, and `binary` the bytes as they are: `ddl`
declares it with the storage type `#b`.)",
    learned: "HIVE-1634 (storage type `#b`); org.apache.hadoop.hive.serde2.lazy.LazyBinary",
    fires: "\
columns:
  - { name: amount, »type: bigint«, hbase: 'f:amount' }
",
    corrected: "\
columns:
  - { name: amount, type: string, hbase: 'f:amount' }
",
    check: Detector::Schema(check),
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
    for (id, column) in context.schema.columns.entries() {
        let span = context.places.entry_near(&["columns", &id.position().to_string(), "type"]);
        let word: String = column.hive_type.trim().chars().take_while(char::is_ascii_alphabetic).collect();
        let word = word.to_ascii_lowercase();
        if FROM_TEXT.contains(&word.as_str()) {
            let value = with_article(&word);
            let message = format!("`{}` is NULL unless its cells hold {value} as text", column.name);
            let finding = RULE.at(context, span, message, "read from text");
            let help = "make sure that the writer stores text, not `Bytes.toBytes` of a number";
            findings.push(finding.help(help));
        }
    }
    findings
}
