//! Checks that need the whole schema.

use super::Places;
use super::model::{Regions, Schema};
use crate::key::field::FieldId;
use crate::key::salt::{SaltInputs, SaltScheme};
use saltplan_document::reader::Reader;

/// One region per salt is allowed up to this many salts.
const MAX_SALT_REGIONS: u128 = 100_000;

pub fn check(reader: &mut Reader<'_>, schema: &Schema, places: &Places) {
    check_per_salt(reader, schema, places);
    check_not_stored(reader, schema, places);
    check_key_bytes(reader, schema, places);
    check_view(reader, schema, places);
    check_guard(reader, schema, places);
}

/// Hive's own handler does not know the property.
fn check_guard(reader: &mut Reader<'_>, schema: &Schema, places: &Places) {
    let Some(mapping) = schema.mapping() else { return };
    if mapping.refuse_full_scans && !mapping.has_jar() {
        let message = "`refuse_full_scans` needs saltplan's jar in Hive".to_string();
        let place = places.entry_near(&["hive", "mapping", "refuse_full_scans"]);
        let fault = reader.fault(place, message, "nothing would be refused");
        reader.report(fault.with_help("write `planned: true` or `one_scan: true` beside it, or remove it"));
    }
}

/// The view of the logical table needs a name of its own: it would take the place of a table, or be one that is overwritten.
fn check_view(reader: &mut Reader<'_>, schema: &Schema, places: &Places) {
    let Some(hive) = &schema.hive else { return };
    let Some(view) = &hive.view else { return };
    let mapping = hive.mapping.as_ref().map(|mapping| (&mapping.table, "mapping", "the mapping table"));
    let target = hive.target.as_ref().map(|target| (&target.table, "target", "the target table"));
    let Some((_, part, what)) =
        [mapping, target].into_iter().flatten().find(|(table, ..)| table.is_same(view))
    else {
        return;
    };
    let message = format!("`{view}` is both the view and {what}");
    let fault = reader.fault(places.entry_near(&["hive", "view"]), message, "the view");
    let fault = fault.with_label(places.entry_near(&["hive", part, "table"]), what);
    reader.report(fault.with_help("give the view another name, such as the target's with `_view`"));
}

/// Bytes of the key that a salt is computed from must be there, and characters where it hashes characters.
fn check_key_bytes(reader: &mut Reader<'_>, schema: &Schema, places: &Places) {
    let Some(salt) = &schema.key.salt else { return };
    let Some(SaltInputs::KeyBytes { start, stop }) = salt.scheme.hashed_inputs() else { return };
    let fields = &schema.key.fields;
    let inputs = salt.inputs(fields);
    if inputs.is_empty() {
        let message = format!("no field of the key is in its bytes {start} to {stop}");
        let fault = reader.fault(places.salt(), message, "the same salt for every row");
        reader.report(fault.with_help("count the bytes from 0, behind the salt and its separator"));
        return;
    }
    if !matches!(&salt.scheme, SaltScheme::Hash(hash) if hash.hash.takes_text()) {
        return;
    }
    let is_wide = |id: FieldId| {
        let field = &fields[id];
        !field.kind.is_text_in_key() || !field.kind.is_ascii_in_key() || !field.separator.is_ascii()
    };
    // Characters of fields that come before count, too.
    let last = inputs.iter().map(|input| input.field).max();
    if let Some(wide) = schema.key.stored().find(|id| Some(*id) <= last && is_wide(*id)) {
        let message =
            format!("`{}` or its separator is not ASCII, but a Java hash takes text", fields[wide].name);
        let fault = reader.fault(places.field(wide), message, "its bytes are no characters");
        let fault = fault.with_label(places.salt(), "takes bytes of the key");
        reader.report(fault.with_help("list the inputs: `of: [a, b]`, or use `bytes_hash`"));
    }
}

/// A field that is neither stored nor an input of the salt has no effect.
fn check_not_stored(reader: &mut Reader<'_>, schema: &Schema, places: &Places) {
    let salt = schema.key.salt.as_ref();
    let inputs = salt.map(|salt| salt.inputs(&schema.key.fields)).unwrap_or_default();
    for (id, field) in schema.key.fields.entries() {
        let is_hashed = || {
            let mut of_fields = schema.key.hashed.values().flat_map(|hash| hash.inputs(&schema.key.fields));
            of_fields.any(|input| input.field == id)
        };
        if field.stored || inputs.iter().any(|input| input.field == id) || is_hashed() {
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
    if !matches!(schema.regions, Some(Regions::PerSalt { .. })) {
        return;
    }
    let regions = places.regions();
    let Some(salt) = &schema.key.salt else {
        let fault = reader.fault(regions, "one region per salt, but the row key has no salt", "needs a salt");
        let fault = fault.with_label(places.row_key(), "the row key");
        reader.report(fault.with_help("add `salt: …` to `key`, or list the split keys with `explicit: […]`"));
        return;
    };
    let numbers = salt.numbers(&schema.key.fields).count();
    let written = salt.write.byte_width().and_then(|bytes| 1u128.checked_shl(8 * bytes as u32));
    let salts = written.map_or(numbers, |written| numbers.min(written));
    if salts > MAX_SALT_REGIONS {
        let message = format!("one region per salt would be up to {salts} regions");
        let fault = reader.fault(regions, message, "too many").with_label(places.salt(), "the salt");
        reader.report(fault.with_help("use `hex_string: n`, `byte_range: { … }` or `sampled: { … }`"));
    }
}
