use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::range::to_string_binary;
use saltplan_core::key::salt::SaltWrite;
use saltplan_core::schema::model::Regions;

pub static RULE: Rule = Rule {
    code: "SP105",
    name: "hex-case",
    severity: Severity::Warning,
    summary: "The salts are lower-case hex digits, the split keys upper-case ones.",
    why: "\
In byte order `A` to `F` sort between `9` and `a`. So every salt that starts with a letter sorts after all upper-case
split keys: the last region takes six of sixteen rows, and the regions between `A` and `F` stay empty. HBase's own
HexStringSplit uses lower case, and so does saltplan; write the split keys in lower case too.",
    learned: "org.apache.hadoop.hbase.util.RegionSplitter.HexStringSplit, which pads lower-case digits",
    fires: "\
key:
  salt:
    md5: { of: key, first_hex_digits: 1, write: hex }
  fields:
    - { name: id, type: string, width: 8, chars: digits }
regions:
  explicit: ['4', '8', »'C'«]
",
    corrected: "\
key:
  salt:
    md5: { of: key, first_hex_digits: 1, write: hex }
  fields:
    - { name: id, type: string, width: 8, chars: digits }
regions:
  explicit: ['4', '8', 'c']
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let key = &context.schema.key;
    let (Some(salt), Some(Regions::Explicit(splits))) = (&key.salt, &context.schema.regions) else {
        return Vec::new();
    };
    if salt.write != SaltWrite::Hex {
        return Vec::new();
    }
    let width = salt.fixed_width(&key.fields).unwrap_or(8);
    let upper = |split: &[u8]| {
        let salted = &split[..width.min(split.len())];
        salted.iter().all(u8::is_ascii_hexdigit) && salted.iter().any(u8::is_ascii_uppercase)
    };
    let mut wrong = splits.iter().enumerate().filter(|(_, split)| upper(split));
    let Some((index, first)) = wrong.next() else { return Vec::new() };
    let more = wrong.count();
    let text = to_string_binary(first);
    let also = if more > 0 { format!(" (and {more} more)") } else { String::new() };
    let message = format!("the split key `{text}`{also} is in upper case, the salts are in lower case");
    let finding = RULE
        .at(context, context.places.split_key(index), message, "sorts before all salts with a letter")
        .cause(context.salt_entry(salt, "write"), "lower-case digits");
    vec![finding.help(format!("write `'{}'`", text.to_ascii_lowercase()))]
}
