//! Reads the attributes of a table or of a column family.

use std::collections::BTreeMap;

use super::{AttributeValue, Family};
use crate::schema::attributes::{AttributesOf, ShellName, conflicts, known};
use crate::schema::names;
use saltplan_document::diag::{DiagnosticKind, Edit, Fix, Severity, Span, Spanned};
use saltplan_document::format::{Text, ValueType};
use saltplan_document::reader::{FileValue, Reader};
use saltplan_document::wording::excerpt;
use saltplan_document::yaml::{self, Entry};

/// The shell has about thirty attributes for a family, and HBase about a hundred settings.
pub(crate) const MAX_ATTRIBUTES: usize = 256;

/// Arguments of the shell's `create` that a schema has in another place.
pub(crate) const OTHER_KEYS: [&str; 8] =
    ["name", "splits", "splits_file", "numregions", "splitalgo", "method", "metadata", "configuration"];

pub fn family(reader: &mut Reader<'_>, families: &FileValue<'_>, entry: &Entry) -> Option<Family> {
    let help = "use a short name of letters and digits, such as `info`";
    reader.parsed(&entry.key, names::hbase_family, "the name of a column family", help)?;
    let value = families.of_entry(entry, ValueType::Attributes(AttributesOf::Family));
    let attributes = settings(reader, AttributesOf::Family, &value, entry.key.span)?;
    let family = Family { name: entry.key.value.clone(), attributes: without_places(&attributes) };
    check_together(reader, &family, &attributes);
    Some(family)
}

/// The attributes of a table, in the order of the file.
pub fn of_table(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Vec<(String, AttributeValue)>> {
    settings(reader, AttributesOf::Table, value, value.span()).map(|attributes| without_places(&attributes))
}

fn without_places(attributes: &[Setting]) -> Vec<(String, AttributeValue)> {
    attributes.iter().map(|found| (found.name.value.clone(), found.value.value.clone())).collect()
}

fn settings(
    reader: &mut Reader<'_>,
    of: AttributesOf,
    value: &FileValue<'_>,
    place: Span,
) -> Option<Vec<Setting>> {
    // `info:` without attributes means HBase's defaults.
    let attributes = if value.is_null() { &[] } else { value.entries(reader)? };
    if attributes.len() > MAX_ATTRIBUTES {
        let message =
            format!("{} attributes of a {}, the limit is {MAX_ATTRIBUTES}", attributes.len(), short(of));
        let help = "settings for all tables and families belong in hbase-site.xml";
        return reader.reject(place, message, "has too many", help);
    }
    let attributes: Vec<Setting> =
        attributes.iter().filter_map(|entry| attribute(reader, of, value, entry)).collect();
    refuse_duplicates(reader, of, &attributes);
    Some(attributes)
}

fn short(of: AttributesOf) -> &'static str {
    match of {
        AttributesOf::Family => "family",
        AttributesOf::Table => "table",
    }
}

/// An attribute and its places.
struct Setting {
    name: Spanned<String>,
    value: Spanned<AttributeValue>,
}

fn attribute(
    reader: &mut Reader<'_>,
    of: AttributesOf,
    attributes: &FileValue<'_>,
    entry: &Entry,
) -> Option<Setting> {
    let name = entry.key.clone();
    let (what, help) = match of {
        AttributesOf::Family => {
            ("an attribute of a column family", "write an attribute such as `versions: 1`")
        }
        AttributesOf::Table => {
            ("an attribute of a table", "write an attribute such as `durability: ASYNC_WAL`")
        }
    };
    reader.parsed(&name, names::attribute, what, help)?;
    if of == AttributesOf::Family && name.value.eq_ignore_ascii_case("name") {
        let help = "remove it: the name of a family is the key before its attributes";
        return reader.reject(
            name.span,
            "`name` is not an attribute of a column family",
            "would be the name of another family",
            help,
        );
    }
    if of == AttributesOf::Table && OTHER_KEYS.iter().any(|other| name.value.eq_ignore_ascii_case(other)) {
        let message = format!("`{}` is not an attribute of a table", name.value);
        let help = "name the table under `hbase.table`, its split keys under `regions`, and settings by their full names; what is free is in `hbase.metadata`";
        return reader.reject(name.span, message, "has another place", help);
    }
    let value = attributes.of_entry(entry, ValueType::Text(Text::Any));
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
    check_value(reader, of, &setting);
    Some(setting)
}

/// Reports a value that HBase does not accept for a known attribute. The audit reports unknown attributes.
fn check_value(reader: &mut Reader<'_>, of: AttributesOf, setting: &Setting) {
    let (name, value) = (&setting.name.value, &setting.value);
    let Some(doubt) = known(of, name).and_then(|found| found.values.doubt(&value.value)) else { return };
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
fn refuse_duplicates(reader: &mut Reader<'_>, of: AttributesOf, attributes: &[Setting]) {
    let mut seen = BTreeMap::new();
    for Setting { name, .. } in attributes {
        let constant = match ShellName::of(of, &name.value) {
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
        let is_meant = |setting: &&Setting| {
            known(AttributesOf::Family, &setting.name.value).is_some_and(|found| found.constant == constant)
        };
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
