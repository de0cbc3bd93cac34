//! The documentation of the rules: docs/rules.md and `saltplan rule`.

use std::fmt::Write;

use super::example;
use super::rule::{Detector, FAMILIES, Rule};
use super::rules;

/// A rule that cannot be violated because of the schema format: its code, its topic, and lines that the
/// loader refuses.
pub const IMPOSSIBLE: [(&str, &str, &str); 1] = [(
    "SP401",
    "row key not of type string. Hive applies ranges to a `string` key only; the mapping table that `ddl` prints always \
     has one, and the format has no key to change that",
    "\
hive:
  mapping: { table: t, key_column: rowkey, key_type: bigint }
",
)];

/// One rule for a terminal.
pub fn text(rule: &Rule) -> String {
    format!(
        "{code} {name} ({severity}{loader})\n\n{summary}\n\n{why}\n\nFires:\n\n{fires}\nInstead:\n\n{corrected}\nLearned from: {learned}\n",
        code = rule.code,
        name = rule.name,
        severity = rule.severity,
        loader = if matches!(rule.check, Detector::Loader) { ", reported by the loader" } else { "" },
        summary = rule.summary,
        why = rule.why,
        fires = indented(&example::lines(rule.fires)),
        corrected = indented(rule.corrected),
        learned = rule.learned,
    )
}

fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("    {line}\n")).collect()
}

/// One line per rule.
pub fn list(rules: &[&Rule]) -> String {
    let mut out = String::new();
    for rule in rules {
        let severity = rule.severity.to_string();
        let _ = writeln!(out, "{} {severity:7} {:28} {}", rule.code, rule.name, rule.summary);
    }
    out
}

/// The text of docs/rules.md.
pub fn markdown() -> String {
    let mut out = String::from(HEAD);
    for (prefix, title) in FAMILIES {
        let _ =
            writeln!(out, "\n## {prefix} {title}\n\n| code | name | severity | finds |\n|---|---|---|---|");
        for rule in family(prefix) {
            let (code, name) = (rule.code, rule.name);
            let _ = writeln!(
                out,
                "| [{code}](#{anchor}) | {name} | {} | {} |",
                rule.severity,
                rule.summary,
                anchor = anchor(rule)
            );
        }
        for rule in family(prefix) {
            section(&mut out, rule);
        }
    }
    out.push_str("\n## Made impossible by the format\n");
    for (code, what, lines) in IMPOSSIBLE {
        let _ = write!(out, "\n{code}: {what}. The loader refuses:\n\n```yaml\n{lines}```\n");
    }
    out
}

fn family(prefix: &'static str) -> impl Iterator<Item = &'static Rule> {
    rules::all().iter().copied().filter(move |rule| rule.code.starts_with(prefix))
}

fn anchor(rule: &Rule) -> String {
    format!("{}-{}", rule.code.to_ascii_lowercase(), rule.name)
}

fn section(out: &mut String, rule: &Rule) {
    let _ = write!(
        out,
        "\n### {} {}\n\n{}\n\n```yaml\n{}```\n\nInstead:\n\n```yaml\n{}```\n\nLearned from: {}.\n",
        rule.code,
        rule.name,
        rule.why,
        example::lines(rule.fires),
        rule.corrected,
        rule.learned
    );
}

const HEAD: &str = include_str!("docs.md");
