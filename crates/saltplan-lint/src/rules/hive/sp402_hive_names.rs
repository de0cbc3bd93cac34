use super::hive_names;
use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_document::diag::Severity;

pub static RULE: Rule = Rule::new(include_str!("sp402_hive_names.md"), Detector::Several(check));

/// The reserved words of Hive 3, sorted.
#[rustfmt::skip]
const RESERVED: [&str; 137] = [
    "all", "alter", "and", "any", "array", "as", "authorization", "between", "bigint", "binary", "boolean",
    "both", "by", "cache", "case", "cast", "char", "column", "commit", "conf", "constraint", "create",
    "cross", "cube", "current", "current_date", "current_timestamp", "cursor", "database", "date",
    "dayofweek", "decimal", "delete", "describe", "distinct", "double", "drop", "else", "end", "except",
    "exchange", "exists", "extended", "external", "extract", "false", "fetch", "float", "floor",
    "following", "for", "foreign", "from", "full", "function", "grant", "group", "grouping", "having", "if",
    "import", "in", "inner", "insert", "int", "integer", "intersect", "interval", "into", "is", "join",
    "lateral", "left", "less", "like", "local", "macro", "map", "more", "none", "not", "null", "numeric",
    "of", "on", "only", "or", "order", "out", "outer", "over", "partialscan", "partition", "percent",
    "preceding", "precision", "preserve", "primary", "procedure", "range", "reads", "reduce", "references",
    "regexp", "revoke", "right", "rlike", "rollback", "rollup", "row", "rows", "select", "set", "smallint",
    "start", "table", "tablesample", "then", "time", "timestamp", "to", "transform", "trigger", "true",
    "truncate", "unbounded", "union", "uniquejoin", "update", "user", "using", "values", "varchar", "views",
    "when", "where", "with",
];

fn check(context: &Context<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (what, name, span) in hive_names(context) {
        let lower = name.to_lowercase();
        if RESERVED.binary_search(&lower.as_str()).is_ok() {
            let message = format!("the {what} `{name}` is a reserved word of Hive");
            let finding = RULE.at(context, span, message, "needs backquotes in every query");
            findings.push(finding.help(format!("rename it, such as `{lower}_value`")));
        } else if lower != name {
            let message = format!("the {what} `{name}` is `{lower}` in Hive");
            let finding = RULE.at(context, span, message, "Hive lower-cases names");
            findings.push(finding.severity(Severity::Note).help(format!("write `{lower}`")));
        }
    }
    findings
}
