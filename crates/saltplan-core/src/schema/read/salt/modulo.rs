//! `modulo: { of, by }`

use super::KeyFields;
use crate::key::field::FieldKind;
use crate::key::salt::{ModuloSalt, SaltScheme};
use crate::schema::format::salt::modulo;
use crate::schema::read::Reader;
use crate::schema::read::reader::Fields;

pub(super) fn scheme(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    key: &KeyFields<'_>,
) -> Option<SaltScheme> {
    let of = fields.get(&modulo::OF);
    let by = fields.get(&modulo::BY);
    let of = of.and_then(|value| {
        if value.is_list() || value.is_mapping() {
            return value.mismatch(reader, "the name of one field", "write `of: id`");
        }
        let name = value.text(reader)?;
        let index = key.names.resolve(reader, &name)?;
        let (field, declared) = key.declared(index);
        if !matches!(field.kind, FieldKind::Integer(_)) {
            let fault =
                reader.fault(name.span, format!("`{}` is not an integer", field.name), "has no remainder");
            let fault = fault.with_label(declared, "declared here");
            reader.report(fault.with_help("use an `int` or `bigint` field, or a `java_hash` salt"));
            return None;
        }
        Some(index)
    });
    let by = by.and_then(|value| value.number(reader));
    Some(SaltScheme::Modulo(ModuloSalt { field: of?, by: by? }))
}
