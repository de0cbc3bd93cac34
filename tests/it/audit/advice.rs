//! Advice that can be followed: what the help of a finding says is done, and the row keys stay what they are.

use saltplan_core::internals::audit::FileReport;
use saltplan_core::internals::audit::rule::Finding;
use saltplan_core::internals::diag::{Severity, Source};
use saltplan_core::internals::row::RowCodec;
use saltplan_core::internals::schema::load;
use serde_json::{Map, Value as Json};

use super::audit_text;

/// A log by time, phone and id, as it is told in words; `{…}` are the fields.
fn log(salt: &str, separator: &str, fields: &str, partition: &str) -> String {
    format!(
        "saltplan: 1\nhbase: {{ table: log, families: {{ f: {{}} }} }}\nkey:\n  separator: '{separator}'\n  salt:\n    \
         {salt}\n  fields:\n{fields}    - {{ name: phone, type: string, width: 11, chars: digits }}\n    - {{ name: id, type: \
         string, width: 8, chars: alnum }}\nregions: {{ per_salt: {{}} }}\nhive:\n  target: {{ table: log, partition: [{partition}] }}\n"
    )
}

const NIBBLE: &str = "md5: { of: key, first_hex_digits: 1, write: { decimal: 3 } }";

fn found<'r>(report: &'r FileReport, code: &str) -> Option<&'r Finding> {
    report.findings.iter().find(|finding| finding.rule.code == code)
}

fn help(finding: &Finding) -> &str {
    finding.diagnostic.help.as_deref().expect("help")
}

fn key(schema: &str, row: &str) -> Vec<u8> {
    let loaded = load(&Source::new("a.yaml", schema)).expect("a schema");
    let row: Map<String, Json> = serde_json::from_str(row).expect("a row");
    RowCodec::new(&loaded.schema).encode(&row).expect("a key")
}

#[test]
fn a_partition_by_the_day_of_a_time() {
    for (format, separator, digits, time) in [
        ("yyyyMMddHHmmss", "", "20200406", "101500"),
        ("yyyyMMddHHmmss", "_", "20200406", "101500"),
        ("\"yyyy-MM-dd HH:mm:ss\"", "|", "2020-04-06", " 10:15:00"),
    ] {
        let field = format!("    - {{ name: at, type: timestamp, format: {format} }}\n");
        let before = log(NIBBLE, separator, &field, "at");
        let report = audit_text(&before);
        let finding = found(&report, "SP504").expect("a partition for each second");
        // The two fields of the advice, each in backquotes.
        let advice: Vec<&str> = help(finding).split('`').skip(1).step_by(2).collect();
        let fields: String = advice.iter().map(|field| format!("    - {field}\n")).collect();
        let after = log(NIBBLE, separator, &fields, "at_day");
        let again = audit_text(&after);
        assert!(found(&again, "SP504").is_none() && found(&again, "SP901").is_none(), "{after}");
        let rest = "\"phone\": \"13900000000\", \"id\": \"a1b2c3d4\"";
        let whole = key(&before, &format!("{{\"at\": \"{digits}{time}\", {rest}}}"));
        let parts = key(&after, &format!("{{\"at_day\": \"{digits}\", \"at_time\": \"{time}\", {rest}}}"));
        assert_eq!(whole, parts, "{after}");
    }
}

#[test]
fn a_time_that_the_salt_names_is_not_cut_in_two() {
    let salt = "md5: { of: [at, id], joined_by: '_', first_hex_digits: 1, write: hex }";
    let field = "    - { name: at, type: timestamp, format: yyyyMMddHHmmss }\n";
    let report = audit_text(&log(salt, "", field, "at"));
    assert_eq!(help(found(&report, "SP504").expect("a finding")), "partition by another field of the key");
}

#[test]
fn a_partition_by_a_text_of_few_values() {
    let report =
        audit_text(&log(NIBBLE, "", "    - { name: city, type: string, width: 4, chars: alnum }\n", "city"));
    let advice = help(found(&report, "SP504").expect("a partition for each text"));
    assert!(advice.starts_with("list its values, `values: [a, b]`"), "{advice}");
    let field = "    - { name: city, type: string, width: 4, chars: alnum, values: [bern, rome] }\n";
    assert!(found(&audit_text(&log(NIBBLE, "", field, "city")), "SP504").is_none());
}

/// The same fault is a warning only where queries by the time are refused for it.
#[test]
fn a_salt_over_a_time() {
    let at = "    - { name: at, type: timestamp, format: yyyyMMddHHmmss }\n";
    let behind = |salt: &str| {
        format!(
            "saltplan: 1\nhbase: {{ table: log, families: {{ f: {{}} }} }}\nkey:\n  salt:\n    {salt}\n  fields:\n    - {{ name: \
             phone, type: string, width: 11, chars: digits }}\n{at}"
        )
    };
    let many = "md5: { of: [phone, at], first_hex_digits: 4, write: hex }";
    for (schema, severity, advice) in [
        (log(NIBBLE, "", at, ""), Severity::Note, "list the inputs without `at`, as in `of: [a, b]`"),
        (log(many, "", at, ""), Severity::Note, "leave `at` out, or take `{ field: at, format: yyyyMM }`"),
        (behind(NIBBLE), Severity::Note, "list the inputs without `at`, as in `of: [a, b]`"),
        (behind(many), Severity::Warning, "leave `at` out, or take `{ field: at, format: yyyyMM }`"),
    ] {
        let schema = schema.replace("hive:\n  target: { table: log, partition: [] }\n", "");
        let report = audit_text(&schema);
        let finding = found(&report, "SP106").unwrap_or_else(|| panic!("no finding in\n{schema}"));
        assert_eq!(finding.diagnostic.severity, severity, "{schema}");
        let expected =
            format!("in a new table {advice}; in one that has rows leave it, every key would change");
        assert_eq!(help(finding), expected);
    }
}
