//! Hive names and types in the file.

use super::names;
use saltplan_document::diag::Spanned;
use saltplan_document::reader::{FileValue, Reader};
use saltplan_document::wording::{MAX_REASON, excerpt, shorten};
use saltplan_sql::hive_type::{DeclaredType, type_words};

/// The name of a key field, or of a Hive column, table or database.
pub(crate) fn hive_name(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Spanned<String>> {
    let text = value.text(reader)?;
    reader.parsed(&text, names::hive_name, "a name", "use letters, digits and `_`")?;
    Some(text)
}

/// A Hive column type.
pub fn hive_type(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<DeclaredType> {
    let text = value.text(reader)?;
    let fault = match DeclaredType::parse(text.value.as_str()) {
        Ok(declared) => return Some(declared),
        Err(fault) => fault,
    };
    let message = format!("`{}` is not a Hive type", excerpt(&text.value));
    let diagnostic = reader.fault(text.span, message, shorten(&fault.reason, MAX_REASON));
    let diagnostic = diagnostic.with_help("write a type such as `string`, `bigint` or `decimal(18,2)`");
    let diagnostic = match &fault.unknown {
        Some(word) => reader.suggesting(diagnostic, word, type_words()),
        None => diagnostic,
    };
    reader.rejected(diagnostic)
}

pub(super) fn spanned_type(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Spanned<DeclaredType>> {
    hive_type(reader, value).map(|declared| Spanned::new(declared, value.span()))
}
