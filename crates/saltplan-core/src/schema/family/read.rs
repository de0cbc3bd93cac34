//! Reads a column family with its attributes.

use std::collections::BTreeMap;

use super::{AttributeValue, Family};
use crate::schema::family::{ShellName, conflicts, known};
use crate::schema::names;
use saltplan_document::diag::{DiagnosticKind, Edit, Fix, Severity, Spanned};
use saltplan_document::format::{Text, ValueType};
use saltplan_document::reader::{FileValue, Reader};
use saltplan_document::wording::excerpt;
use saltplan_document::yaml::{self, Entry};

/// The shell has about thirty attributes for a family, and HBase about a hundred settings.
pub(crate) const MAX_ATTRIBUTES: usize = 256;

pub fn family(reader: &mut Reader<'_>, families: &FileValue<'_>, entry: &Entry) -> Option<Family> {
    let help = "use a short name of letters and digits, such as `info`";
    reader.parsed(&entry.key, names::hbase_family, "the name of a column family", help)?;
    let value = families.of_entry(entry, ValueType::Attributes);
    // `info:` without attributes means HBase's defaults.
    let attributes = if value.is_null() { &[] } else { value.entries(reader)? };
    if let Some(entry) = attributes.get(MAX_ATTRIBUTES) {
        let message = format!("{} attributes of a family, the limit is {MAX_ATTRIBUTES}", attributes.len());
        let help = "settings for all families belong in hbase-site.xml";
        return reader.reject(entry.key.span, message, "the first one too many", help);
    }
    let attributes: Vec<Setting> =
        attributes.iter().filter_map(|entry| attribute(reader, &value, entry)).collect();
    refuse_duplicates(reader, &attributes);
    let family = Family {
        name: entry.key.value.clone(),
        attributes: attributes
            .iter()
            .map(|found| (found.name.value.clone(), found.value.value.clone()))
            .collect(),
    };
    check_together(reader, &family, &attributes);
    Some(family)
}

/// An attribute and its places.
struct Setting {
    name: Spanned<String>,
    value: Spanned<AttributeValue>,
}

fn attribute(reader: &mut Reader<'_>, family: &FileValue<'_>, entry: &Entry) -> Option<Setting> {
    let name = entry.key.clone();
    let help = "write an attribute such as `versions: 1`";
    reader.parsed(&name, names::attribute, "an attribute of a column family", help)?;
    if name.value.eq_ignore_ascii_case("name") {
        let help = "remove it: the name of a family is the key before its attributes";
        return reader.reject(
            name.span,
            "`name` is not an attribute of a column family",
            "would be the name of another family",
            help,
        );
    }
    let value = family.of_entry(entry, ValueType::Text(Text::Any));
    let text = value.text(reader)?;
    let attribute = match (value.is_plain(), text.value.as_str()) {
        (true, "true") => AttributeValue::Bool(true),
        (true, "false") => AttributeValue::Bool(false),
        (true, number) => match number.parse::<i64>() {
            // `007` stays `007`.
            Ok(value) if value.to_string() == number => AttributeValue::Number(value),
            _ => AttributeValue::Text(text.value),
        },
        (false, _) => AttributeValue::Text(text.value),
    };
    let setting = Setting { name, value: Spanned::new(attribute, text.span) };
    check_value(reader, &setting);
    Some(setting)
}

/// Reports a value that HBase does not accept for a known attribute. The audit reports unknown attributes.
fn check_value(reader: &mut Reader<'_>, setting: &Setting) {
    let (name, value) = (&setting.name.value, &setting.value);
    let Some(doubt) = known(name).and_then(|found| found.values.doubt(&value.value)) else { return };
    let can = if doubt.severity == Severity::Error { "cannot" } else { "can hardly" };
    let message = format!("`{name}` {can} be `{}`", excerpt(&value.value.text()));
    let fault = reader.fault(value.span, message, doubt.outcome).with_kind(DiagnosticKind::Setting);
    let fault = fault.with_severity(doubt.severity);
    let fault = match doubt.meant.as_deref().map(written) {
        Some(meant) => {
            let edit = Edit::new(value.span, meant.clone());
            let fix = Fix::changing(format!("write `{meant}`"), vec![edit]);
            fault.with_help(format!("did you mean `{meant}`?")).with_fix(fix)
        }
        None => fault.with_help(doubt.help),
    };
    reader.report(fault);
}

/// An attribute value in the file; numbers and booleans need no quotes.
fn written(value: &str) -> String {
    let plain = value.parse::<i64>().is_ok() || value.parse::<bool>().is_ok();
    if plain { value.to_string() } else { yaml::scalar(value) }
}

/// Reports an attribute that is given under two names; the shell uses the last one.
fn refuse_duplicates(reader: &mut Reader<'_>, attributes: &[Setting]) {
    let mut seen = BTreeMap::new();
    for Setting { name, .. } in attributes {
        let constant = match ShellName::of(&name.value) {
            ShellName::Constant(constant) => constant,
            ShellName::Setting(setting) => setting.to_string(),
        };
        let Some(first) = seen.insert(constant, name.span) else { continue };
        let message = format!("the attribute `{}` is given twice", excerpt(&name.value));
        let fault =
            reader.fault(name.span, message, "given again here").with_label(first, "first given here");
        reader.report(
            fault
                .with_help("remove one of them: both are names of the same attribute in HBase")
                .with_kind(DiagnosticKind::Duplicate),
        );
    }
}

/// Checks HBase's requirements on combinations of attributes.
fn check_together(reader: &mut Reader<'_>, family: &Family, attributes: &[Setting]) {
    let place = |constant: &str| {
        let is_meant =
            |setting: &&Setting| known(&setting.name.value).is_some_and(|found| found.constant == constant);
        attributes.iter().find(is_meant).map(|setting| setting.name.span.to(setting.value.span))
    };
    for conflict in conflicts(family) {
        let Some(span) = place(conflict.at) else { continue };
        let fault = reader.fault(span, conflict.message, conflict.outcome).with_kind(DiagnosticKind::Setting);
        let fault = fault.with_severity(conflict.severity).with_help(conflict.help);
        reader.report(match conflict.against.and_then(place) {
            Some(other) => fault.with_label(other, "against this"),
            None => fault,
        });
    }
}
