//! Inputs as objects of Java, whose hash codes `Objects.hash` combines.

use std::ops::RangeInclusive;

use super::file::{KeyFields, input};
use super::function::{FUNCTIONS, Hash};
use super::input::{Cut, SaltInput, SaltInputs};
use crate::key::codec::Value;
use crate::key::field::FieldKind;
use crate::key::java;
use saltplan_document::diag::Span;
use saltplan_document::reader::{FileValue, Reader};
use saltplan_sql::hive_type::Type;

/// What a value is in Java.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Object {
    /// A `bigint`, or the milliseconds or seconds of an instant.
    Long,
    /// A smaller number.
    Integer,
    /// A text, a date, or a part of a field: its characters.
    String,
}

impl Object {
    /// The class of an input of a hash of objects. The number of `Long.hashCode` is a `long` whatever its type.
    pub fn of(hash: Hash, input: &SaltInput, kind: &FieldKind) -> Self {
        match kind {
            FieldKind::Integer(_) | FieldKind::Epoch(_) if input.cut != Cut::Whole => Object::String,
            FieldKind::Integer(_) if hash != Hash::LongCode && kind.hive_type() != Type::BigInt => {
                Object::Integer
            }
            FieldKind::Integer(_) | FieldKind::Epoch(_) => Object::Long,
            FieldKind::Text(_) | FieldKind::Calendar(_) => Object::String,
        }
    }

    /// The hash code of an input, from its bytes.
    pub(super) fn code(self, kind: &FieldKind, bytes: &[u8]) -> Option<i32> {
        if self == Object::String {
            return Some(java::utf8_hash_code(bytes));
        }
        let Ok(Value::Number(number)) = kind.decode(bytes) else { return None };
        match self {
            Object::Integer => i32::try_from(number).ok(),
            _ => Some(java::long_hash_code(number)),
        }
    }

    /// The hash codes of a field's values; `None` if they can be any.
    pub(super) fn codes(self, kind: &FieldKind) -> Option<RangeInclusive<i128>> {
        let domain = kind.domain().filter(|_| self != Object::String)?;
        let (least, greatest) = (domain.start, domain.stop? - 1);
        let has_int = least >= i128::from(i32::MIN) && greatest <= i128::from(i32::MAX);
        match self {
            _ if !has_int => None,
            // Of a negative `int` in a `long`, the halves are complements.
            Object::Long => Some(if least >= 0 { least } else { 0 }..=greatest.max(-(least + 1))),
            _ => Some(least..=greatest),
        }
    }
}

/// The inputs of a hash of objects: one number, or several texts and numbers.
pub(super) fn inputs(
    reader: &mut Reader<'_>,
    list: &FileValue<'_>,
    hash: Hash,
    key: &KeyFields<'_>,
) -> Option<SaltInputs> {
    let inputs = input::inputs(reader, list, &KeyFields { of_objects: true, ..*key })?;
    check(reader, list, hash, &inputs, key)?;
    Some(SaltInputs::List(inputs))
}

fn check(
    reader: &mut Reader<'_>,
    list: &FileValue<'_>,
    hash: Hash,
    inputs: &[SaltInput],
    key: &KeyFields<'_>,
) -> Option<()> {
    let name = FUNCTIONS.word(hash);
    if hash == Hash::LongCode {
        let [input] = inputs else {
            let help = "list one, or write `function: objects_hash_code`";
            return reader.reject(list.span(), format!("`{name}` is of one number"), "several inputs", help);
        };
        let (field, declared) = key.declared(input.field);
        if Object::of(hash, input, &field.kind) == Object::Long {
            return Some(());
        }
        let message = format!("`{name}` is of a whole number, which this input of `{}` is not", field.name);
        return refused(reader, list, message, declared, "write `function: string_hash_code` for a text");
    }
    for input in inputs {
        let (field, declared) = key.declared(input.field);
        let is_text = field.kind.is_text_in_key() || matches!(input.cut, Cut::Format(_) | Cut::Original);
        if !is_text && Object::of(hash, input, &field.kind) == Object::String {
            let message = format!("the bytes of `{}` are no text, so they have no `hashCode`", field.name);
            let help = "to hash the text as it was, write `{ field: …, form: original }`";
            return refused(reader, list, message, declared, help);
        }
    }
    Some(())
}

fn refused(
    reader: &mut Reader<'_>,
    list: &FileValue<'_>,
    message: String,
    declared: Span,
    help: &str,
) -> Option<()> {
    let fault = reader.fault(list.span(), message, "has no such hash").with_label(declared, "declared here");
    reader.rejected(fault.with_help(help))
}
