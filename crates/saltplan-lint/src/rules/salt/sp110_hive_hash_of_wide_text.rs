use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::field::FieldId;
use saltplan_core::key::salt::{Cut, JavaHashSalt, SaltScheme};

pub static RULE: Rule = Rule {
    code: "SP110",
    name: "hive-hash-of-wide-text",
    severity: Severity::Warning,
    summary: "Hive's `hash()` differs from Java's `String.hashCode` for non-ASCII text.",
    why: "\
Java hashes UTF-16 units, Hive's `hash()` the bytes of UTF-8: `hash('Hello')` agrees with Java, but `hash('ü')` is -1959
and 252 in Java. A row with such text gets another salt when it is written from Hive than when the Java client writes
it. The statement that `load` prints fails at the first such row instead of writing it. If the text is always ASCII,
declare it with `chars`; otherwise use `md5`, which both compute alike.",
    learned: "measured in Hive 2.3.9 and 3.1.3; `reflect2(x, 'hashCode')` is refused there",
    fires: "\
key:
  salt:
    java_hash: { »of: [name]«, mask: 0x7F, write: be16 }
  fields:
    - { name: name, type: string }
columns: [{ name: seen, type: string, hbase: 'f:seen' }]
hive:
  mapping: { table: people, key_column: rowkey }
",
    corrected: "\
key:
  salt:
    java_hash: { of: [name], mask: 0x7F, write: be16 }
  fields:
    - { name: name, type: string, chars: alnum }
columns: [{ name: seen, type: string, hbase: 'f:seen' }]
hive:
  mapping: { table: people, key_column: rowkey }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let key = &context.schema.key;
    let Some(salt) = &key.salt else { return Vec::new() };
    let mapped = context.schema.hive.as_ref().is_some_and(|hive| hive.mapping.is_some());
    let SaltScheme::JavaHash(JavaHashSalt { of, .. }) = &salt.scheme else { return Vec::new() };
    let wide = |field: FieldId| !context.field(field).kind.is_ascii_in_key();
    let Some(input) = of.iter().find(|input| !matches!(input.cut, Cut::Format(_)) && wide(input.field))
    else {
        return Vec::new();
    };
    if !mapped {
        return Vec::new();
    }
    let field = context.field(input.field);
    let message = format!("for non-ASCII text in `{}` Hive computes another salt than Java", field.name);
    let finding = RULE
        .at(context, context.salt_entry(salt, "of"), message, "hashed with `String.hashCode`")
        .cause(context.places.field(input.field), "may contain any character");
    vec![
        finding.help(format!(
            "declare the characters of `{}`, such as `chars: alnum`, or use `md5`",
            field.name
        )),
    ]
}
