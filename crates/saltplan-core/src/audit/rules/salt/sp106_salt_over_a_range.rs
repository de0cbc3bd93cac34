use crate::audit::context::Context;
use crate::audit::finding::Finding;
use crate::audit::rule::{Check, Rule};
use crate::diag::Severity;
use crate::key::time_format::{Granularity, TimeFormat};
use crate::schema::model::{Cut, Field, FieldKind, SaltInput};

pub static RULE: Rule = Rule {
    code: "SP106",
    name: "salt-over-a-range",
    severity: Severity::Warning,
    summary: "The salt is computed from a time of day, which queries give as a range.",
    why: "\
A salt prunes only where a query binds all its inputs. A time finer than a day is hardly ever bound: queries ask for an hour
or a day of it. Then the salt cannot be computed, and every query reads all salts, as with a random salt. Leave the time out
of the inputs, or take a coarse part of it, such as `{ field: ts, format: yyyyMM }`: a range over some months then reaches a
salt for each month.",
    learned: "the region number example, which takes the month of the call time for this reason",
    fires: "\
key:
  salt:
    java_hash: { »of: [tel, ts]«, abs: after, modulo: 6, write: decimal }
  fields:
    - { name: tel, type: string, width: 11, chars: digits }
    - { name: ts, type: timestamp, format: yyyyMMddHHmmss }
",
    corrected: "\
key:
  salt:
    java_hash: { of: [tel, { field: ts, format: yyyyMM }], abs: after, modulo: 6, write: decimal }
  fields:
    - { name: tel, type: string, width: 11, chars: digits }
    - { name: ts, type: timestamp, format: yyyyMMddHHmmss }
",
    check: Check::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let key = &context.schema.key;
    let (Some(salt), Some(image)) = (&key.salt, &context.image) else { return Vec::new() };
    if image.count() < 2 {
        return Vec::new();
    }
    let inputs = salt.inputs(key);
    let Some(input) = inputs.iter().find(|input| is_fine_time(input, context.field(input.field))) else {
        return Vec::new();
    };
    let field = context.field(input.field);
    let message = format!("a query over a range of `{}` cannot compute the salt", field.name);
    let finding = context
        .at(&RULE, context.salt_entry(salt, "of"), message, format!("takes `{}` whole", field.name))
        .cause(field.span, "a time of day");
    vec![finding.help(format!("write `{{ field: {}, format: yyyyMM }}`, or leave the field out", field.name))]
}

fn is_fine_time(input: &SaltInput, field: &Field) -> bool {
    let fine = |format: &TimeFormat| format.granularity() > Granularity::Day;
    match (&input.cut, &field.kind) {
        (Cut::Format(format), _) => fine(format),
        (_, FieldKind::Epoch(_)) => true,
        (Cut::Whole, FieldKind::Calendar(calendar)) => fine(&calendar.format),
        _ => false,
    }
}
