use super::hive_names;
use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP408",
    name: "virtual-column",
    severity: Severity::Error,
    summary: "A column has the name of a virtual column of Hive.",
    why: "\
Every Hive table has columns such as `INPUT__FILE__NAME` that nobody declared. A declared column with such a name is
refused or hidden, depending on the version.",
    learned: "org.apache.hadoop.hive.ql.metadata.VirtualColumn; Hive wiki, VirtualColumns",
    fires: "\
columns:
  - { name: »input__file__name«, type: string, hbase: 'f:file' }
",
    corrected: "\
columns:
  - { name: file_name, type: string, hbase: 'f:file' }
",
    check: Detector::Schema(check),
};

const VIRTUAL: [&str; 6] = [
    "block__offset__inside__file",
    "grouping__id",
    "input__file__name",
    "raw__data__size",
    "row__id",
    "row__offset__inside__block",
];

fn check(context: &Context<'_>) -> Vec<Finding> {
    let names = hive_names(context).into_iter();
    let virtual_ones = names
        .filter(|(what, name, _)| what.is_column() && VIRTUAL.contains(&name.to_ascii_lowercase().as_str()));
    virtual_ones
        .map(|(what, name, span)| {
            let message = format!("the {what} `{name}` has the name of a virtual column of Hive");
            RULE.at(context, span, message, "every table already has it").help("rename the column")
        })
        .collect()
}
