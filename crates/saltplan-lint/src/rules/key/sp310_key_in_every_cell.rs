use super::length;
use crate::edit::with_entry;
use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::schema::attributes::{AttributesOf, known};
use saltplan_core::schema::model::{AttributeValue, Family};
use saltplan_document::diag::Edit;
use saltplan_document::yaml::YamlValue;

const FAST_DIFF: &str = "FAST_DIFF";

pub static RULE: Rule = Rule::new(include_str!("sp310_key_in_every_cell.md"), Detector::Family(check));

const ENCODING: &str = "DATA_BLOCK_ENCODING";

/// The number of key bytes per row from which the note is reported.
const MANY_BYTES: usize = 256;

fn check(context: &Context<'_>, family: &Family) -> Option<Finding> {
    let (least, is_exact) = length(&context.schema.key);
    let cells = context.schema.columns.iter().filter(|column| column.family == family.name).count();
    if is_encoded(family) || least.saturating_mul(cells) < MANY_BYTES {
        return None;
    }
    let at_least = if is_exact { "" } else { "at least " };
    let message = format!("the row key of {at_least}{least} bytes is stored {cells} times in each row");
    let finding = RULE.at(context, context.family(family)?, message, "no block encoding");
    let finding = finding.help("add `data_block_encoding: FAST_DIFF` to the family");
    let edits = encoded(context, family).map(|edit| vec![edit]);
    Some(finding.unsafe_fix("set the block encoding of the family", edits))
}

/// The edit that sets the encoding of a family, replacing `NONE` if that is written.
fn encoded(context: &Context<'_>, family: &Family) -> Option<Edit> {
    let path = ["hbase", "families", &family.name];
    let is_encoding =
        |name: &str| known(AttributesOf::Family, name).is_some_and(|known| known.constant == ENCODING);
    match family.attributes.iter().find(|(name, _)| is_encoding(name)) {
        Some((name, _)) => {
            let value = context.node(&[&path[..], &[name.as_str()]].concat())?;
            Some(Edit::new(value.span, FAST_DIFF))
        }
        None => with_entry(context, &path, "data_block_encoding", &YamlValue::Word(FAST_DIFF)),
    }
}

fn is_encoded(family: &Family) -> bool {
    let encoding = family.attribute(ENCODING);
    encoding.is_some_and(
        |value| !matches!(value, AttributeValue::Text(text) if text.eq_ignore_ascii_case("none")),
    )
}
