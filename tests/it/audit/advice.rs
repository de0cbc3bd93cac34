//! Advice can be followed: doing what the help of a finding says fixes it without changing row keys.

use saltplan_document::diag::Severity;
use saltplan_lint::FileReport;
use saltplan_lint::rule::Finding;

use super::audit_text;

/// A log by time, phone and id; `{…}` are the fields.
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

/// Row keys stay the same, whatever the inputs of the salt are.
#[test]
fn a_partition_by_the_day_of_a_time() {
    let named = "md5: { of: [at, id], joined_by: '_', first_hex_digits: 1, write: hex }";
    for (salt, field, zone) in [
        (NIBBLE, "format: yyyyMMddHHmmss", ""),
        (named, "format: \"yyyy-MM-dd HH:mm:ss\"", ""),
        (NIBBLE, "epoch: s, encoding: decimal, width: 10", "time_zone: Asia/Shanghai\n"),
        (NIBBLE, "epoch: ms, encoding: decimal, width: 13", ""),
    ] {
        let field = format!("    - {{ name: at, type: timestamp, {field} }}\n");
        let report = audit_text(&(log(salt, "", &field, "at") + zone));
        let advice: Vec<&str> =
            help(found(&report, "SP504").expect("many partitions")).split('`').skip(1).step_by(2).collect();
        // The partition, and a line of the file if there is no time zone.
        let line = advice.get(1).map(|line| format!("{line}\n")).unwrap_or_default();
        let after = log(salt, "", &field, advice[0]) + zone + &line;
        let again = audit_text(&after);
        assert!(found(&again, "SP504").is_none() && found(&again, "SP901").is_none(), "{after}");
    }
}

#[test]
fn a_partition_by_the_minute_of_a_time() {
    let field = "    - { name: at, type: timestamp, format: yyyyMMddHHmmss }\n";
    let by = |format: &str| {
        audit_text(&log(NIBBLE, "", field, &format!("{{ name: dt, of: at, format: {format} }}")))
    };
    assert!(found(&by("yyyyMMddHH"), "SP504").is_none());
    let report = by("yyyyMMddHHmm");
    let finding = found(&report, "SP504").expect("a finding");
    assert_eq!(finding.diagnostic.message, "one partition per minute of `at`");
    assert_eq!(help(finding), "partition by the day: `{ name: at_day, of: at, format: yyyyMMdd }`");
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

/// The same finding is a warning only if queries by the time are refused because of it.
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
        (log(many, "", at, ""), Severity::Note, "remove `at`, or use `{ field: at, format: yyyyMM }`"),
        (behind(NIBBLE), Severity::Note, "list the inputs without `at`, as in `of: [a, b]`"),
        (behind(many), Severity::Warning, "remove `at`, or use `{ field: at, format: yyyyMM }`"),
    ] {
        let schema = schema.replace("hive:\n  target: { table: log, partition: [] }\n", "");
        let report = audit_text(&schema);
        let finding = found(&report, "SP106").unwrap_or_else(|| panic!("no finding in\n{schema}"));
        assert_eq!(finding.diagnostic.severity, severity, "{schema}");
        let expected = format!(
            "in a new table {advice}; in a table with rows keep the salt, because every key would change"
        );
        assert_eq!(help(finding), expected);
    }
}
