//! Checks that need the whole schema.

use super::Places;
use super::model::{Regions, Schema};
use crate::document::reader::Reader;

/// One region per salt is allowed up to this many salts.
const MAX_SALT_REGIONS: u128 = 100_000;

pub fn check(reader: &mut Reader<'_>, schema: &Schema, places: &Places) {
    check_per_salt(reader, schema, places);
    check_not_stored(reader, schema, places);
}

/// A field that is neither stored nor an input of the salt has no effect.
fn check_not_stored(reader: &mut Reader<'_>, schema: &Schema, places: &Places) {
    let salt = schema.key.salt.as_ref();
    let inputs = salt.map(|salt| salt.inputs(&schema.key.fields)).unwrap_or_default();
    for (id, field) in schema.key.fields.entries() {
        if field.stored || inputs.iter().any(|input| input.field == id) {
            continue;
        }
        let message = format!("`{}` is neither stored nor an input of the salt", field.name);
        let fault = reader.fault(places.field(id), message, "has no effect on the row key");
        let fault = match salt {
            Some(_) => fault.with_label(places.salt(), "the salt"),
            None => fault,
        };
        reader.report(fault.with_help("remove `stored: false`, or name the field in the salt's `of`"));
    }
}

fn check_per_salt(reader: &mut Reader<'_>, schema: &Schema, places: &Places) {
    if schema.regions != Some(Regions::PerSalt) {
        return;
    }
    let regions = places.regions();
    let Some(salt) = &schema.key.salt else {
        let fault = reader.fault(regions, "one region per salt, but the row key has no salt", "needs a salt");
        let fault = fault.with_label(places.row_key(), "the row key");
        reader.report(fault.with_help("add `salt: …` to `key`, or list the split keys with `explicit: […]`"));
        return;
    };
    let numbers = salt.scheme.numbers(&schema.key.fields).count();
    let written = salt.write.byte_width().and_then(|bytes| 1u128.checked_shl(8 * bytes as u32));
    let salts = written.map_or(numbers, |written| numbers.min(written));
    if salts > MAX_SALT_REGIONS {
        let message = format!("one region per salt would be up to {salts} regions");
        let fault = reader.fault(regions, message, "too many").with_label(places.salt(), "the salt");
        reader.report(fault.with_help("use `hex_string: n`, `byte_range: { … }` or `sampled: { … }`"));
    }
}
