use crate::audit::rule::{Check, Rule};
use crate::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP907",
    name: "doubtful-value",
    severity: Severity::Warning,
    summary: "A value is allowed but hardly meant.",
    why: "\
The loader takes the file and warns: a compression that HBase does not know, or a salt whose number is cut by the width it
is written in, as a Java cast does.",
    learned: "docs/schema.md",
    fires: "\
hbase:
  table: 't'
  families: { f: { compression: »GZIP« } }
",
    corrected: "\
hbase:
  table: 't'
  families: { f: { compression: GZ } }
",
    check: Check::Loader(&[""]),
};
