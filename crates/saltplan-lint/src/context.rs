//! What rules look at: a loaded schema, its file, and data derived from them.

use std::cell::OnceCell;
use std::sync::Arc;

use super::distribution::{self, SaltRegions};
use super::keyspace::KeySpace;
use saltplan_core::key::field::{Field, FieldId};
use saltplan_core::key::id::Id;
use saltplan_core::key::salt::{Salt, SaltDomain};
use saltplan_core::schema::Places;
use saltplan_core::schema::attributes::{AttributesOf, known};
use saltplan_core::schema::conversion::{FORMAT_OF_DAYS, name_of_days};
use saltplan_core::schema::model::{AttributeValue, Family, PartitionColumn, Schema};
use saltplan_core::table::Table;
use saltplan_document::diag::{Source, Span};
use saltplan_document::yaml::Node;

/// A table with derived data, computed once for all rules.
#[derive(Debug)]
pub struct Context<'a> {
    pub table: &'a Table,
    pub source: &'a Arc<Source>,
    pub schema: &'a Schema,
    pub places: &'a Places,
    /// The salts that rows can have; `None` without a salt.
    pub salt_domain: Option<&'a SaltDomain>,
    /// The split keys in byte order; `None` if the schema does not say how the table is split, or if they
    /// cannot be computed.
    pub splits: Option<&'a [Vec<u8>]>,
    pub space: KeySpace,
    salt_places: OnceCell<Option<Vec<SaltRegions>>>,
}

impl<'a> Context<'a> {
    pub fn new(table: &'a Table) -> Self {
        let (schema, salt_domain) = (table.schema(), table.salt_domain());
        Context {
            table,
            source: table.source(),
            schema,
            places: table.places(),
            salt_domain,
            splits: table.split_keys().ok().flatten(),
            space: KeySpace::new(&schema.key, salt_domain),
            salt_places: OnceCell::new(),
        }
    }

    /// The text of a span of the file.
    pub fn text(&self, span: Span) -> &'a str {
        self.source.text.get(span.start..span.end).unwrap_or_default()
    }

    /// The node at a path of keys and positions.
    pub fn node(&self, path: &[&str]) -> Option<&'a Node> {
        self.places.node(path)
    }

    /// The key and the value at a path that ends with a key: `external: false`.
    pub fn entry(&self, path: &[&str]) -> Option<Span> {
        self.places.entry(path)
    }

    /// An entry of a field's mapping; the whole field if the entry is not written.
    pub(crate) fn field_entry(&self, field: FieldId, key: &str) -> Span {
        let path = ["key", "fields", &field.position().to_string(), key];
        self.entry(&path).unwrap_or_else(|| self.places.field(field))
    }

    /// The entry of a family attribute, given by a constant of the shell such as `BLOCKSIZE`, and its value.
    pub(crate) fn attribute<'f>(
        &self,
        family: &'f Family,
        constant: &str,
    ) -> Option<(Span, &'f AttributeValue)> {
        let is_meant =
            |name: &str| known(AttributesOf::Family, name).is_some_and(|known| known.constant == constant);
        let (name, value) = family.attributes.iter().find(|(name, _)| is_meant(name))?;
        Some((self.entry(&["hbase", "families", &family.name, name])?, value))
    }

    /// The entry of a family attribute that has this value, in any case.
    pub(crate) fn attribute_is(&self, family: &Family, constant: &str, word: &str) -> Option<Span> {
        let (span, value) = self.attribute(family, constant)?;
        value.text().eq_ignore_ascii_case(word).then_some(span)
    }

    /// The name of a column family, where the file lists it.
    pub(crate) fn family(&self, family: &Family) -> Option<Span> {
        Some(self.node(&["hbase", "families"])?.entry(&family.name)?.key.span)
    }

    pub fn field(&self, id: FieldId) -> &'a Field {
        &self.schema.key.fields[id]
    }

    /// The partition columns of the target.
    pub(crate) fn partition(&self) -> &'a [PartitionColumn] {
        self.schema.target().map(|target| target.partition.as_slice()).unwrap_or_default()
    }

    /// A partition of the target by the day of a time, with a name that is not used otherwise.
    pub(crate) fn partition_by_day(&self, id: FieldId) -> String {
        let (schema, field) = (self.schema, self.field(id));
        let is_taken = |name: &str| {
            schema.field(name).is_some()
                || schema.column(name).is_some()
                || schema.target().is_some_and(|target| {
                    target.columns.iter().any(|column| column.name.eq_ignore_ascii_case(name))
                        || target.partition.iter().any(|column| column.name.eq_ignore_ascii_case(name))
                })
        };
        let name = name_of_days(&field.name, is_taken);
        format!("{{ name: {name}, of: {}, format: {FORMAT_OF_DAYS} }}", field.name)
    }

    /// An entry of the salt's mapping; the whole salt if the entry is not written.
    pub(crate) fn salt_entry(&self, salt: &Salt, key: &str) -> Span {
        self.entry(&["key", "salt", salt.scheme.name(), key]).unwrap_or_else(|| self.places.salt())
    }

    /// The salts, if they can be listed.
    pub fn salts(&self) -> Option<&[Vec<u8>]> {
        match self.salt_domain {
            Some(SaltDomain::Listed(salts)) => Some(salts),
            _ => None,
        }
    }

    /// Whether the listed salts show that none is negative, regardless of what the scheme gives for other
    /// inputs.
    pub(crate) fn shows_no_sign(&self, salt: &Salt) -> bool {
        self.salt_domain.as_ref().is_some_and(|salt_domain| salt.shows_no_sign(salt_domain))
    }

    /// The regions of the regular salts, see [`distribution::places`]. `None` if salts or split keys are not
    /// listed.
    pub(crate) fn salt_places(&self) -> Option<&[SaltRegions]> {
        let places =
            || Some(distribution::places(&self.schema.key, self.salts()?, self.splits?, &self.space));
        self.salt_places.get_or_init(places).as_deref()
    }

    /// The share of the rows in each region, as numerators over their sum. `None` if it is unknown: no salt,
    /// no split keys, rows of one salt in several regions, or salts that do not sort like their numbers.
    pub fn shares(&self) -> Option<Vec<u128>> {
        let (key, splits) = (&self.schema.key, self.splits?);
        match self.salt_domain? {
            SaltDomain::Listed(_) => distribution::shares(self.salt_places()?, splits.len() + 1),
            SaltDomain::TooMany { .. } => {
                Some(distribution::hex_shares(key.salt.as_ref()?.hex_digits(&key.fields)?, splits))
            }
        }
    }

    /// The stored fields with their ids, in key order.
    pub(crate) fn stored_fields(&self) -> impl DoubleEndedIterator<Item = (FieldId, &'a Field)> + '_ {
        self.schema.key.stored().map(|id| (id, self.field(id)))
    }
}
