//! Encoding rows as row keys, and decoding them.

mod error;
mod recipe;
mod writer;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

pub use error::RowError;
use recipe::{FieldStep, InputBytes, SaltStep};
pub use writer::RowWriter;

use chrono::Timelike;
use serde_json::{Map, Value as Json};

use crate::key::field::{EpochField, Field, FieldId, FieldKind, FieldTime, FieldVec};
use crate::key::range::{from_string_binary, to_string_binary};
use crate::key::salt::{Salt, SaltDomain, SaltInput, SaltWrite, starting};
use crate::key::{Value, ValueError, ValueRef};
use crate::schema::model::Schema;
use saltplan_document::diag::did_you_mean;
use saltplan_document::json;
use saltplan_sql::time::format::{TimeFormat, parse_timestamp};
use saltplan_sql::time::zone::Zone;

/// The member of a row that contains a salt that cannot be computed.
pub const SALT_MEMBER: &str = "_salt";

/// The maximum number of ways to split a key that are tried.
const MAX_CUTS: usize = 4_096;

/// A salt, and the bytes after the salt and its separator.
type SaltCut<'b> = (Option<Vec<u8>>, &'b [u8]);

/// Encodes and decodes the row keys of one schema.
#[derive(Debug)]
pub struct RowCodec<'a> {
    schema: &'a Schema,
    salt_domain: Option<Cow<'a, SaltDomain>>,
    /// What is stored for every row.
    steps: Vec<FieldStep<'a>>,
    salt: SaltStep,
    /// Inputs of the salt that are not simply a part of a field's bytes.
    cuts: Vec<SaltInput>,
}

/// A decoded row key.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DecodedKey {
    /// The bytes of the salt, without its separator.
    pub salt: Option<Vec<u8>>,
    /// The values of the stored fields, by field.
    #[doc(hidden)]
    pub values: BTreeMap<FieldId, Value>,
    /// The salt that follows from the fields, if the key has a different one. Of a salt with a random part it is the first of
    /// [`DecodedKey::expected_salts`].
    pub expected_salt: Option<Vec<u8>>,
    /// All salts that the fields allow, ascending, if the key has none of them.
    pub expected_salts: Vec<Vec<u8>>,
}

impl DecodedKey {
    /// What is wrong with the salt; `None` if the fields allow it.
    pub fn salt_fault(&self) -> Option<String> {
        let written = self.salt.as_deref().map(to_string_binary).unwrap_or_default();
        let is_wrong = !self.expected_salts.is_empty();
        is_wrong
            .then(|| format!("the salt is `{written}`, but the fields give {}", listed(&self.expected_salts)))
    }
}

impl<'a> RowCodec<'a> {
    pub fn new(schema: &'a Schema) -> Self {
        let key = &schema.key;
        Self::of(schema, key.salt.as_ref().map(|salt| Cow::Owned(salt.domain(&key.fields))))
    }

    /// Uses a salt domain that is already computed.
    pub(crate) fn with_salt_domain(schema: &'a Schema, salt_domain: Option<&'a SaltDomain>) -> Self {
        Self::of(schema, salt_domain.map(Cow::Borrowed))
    }

    fn of(schema: &'a Schema, salt_domain: Option<Cow<'a, SaltDomain>>) -> Self {
        let key = &schema.key;
        let inputs = key.salt.as_ref().map(|salt| salt.inputs(&key.fields)).unwrap_or_default();
        let steps = FieldStep::of(&key.fields, &inputs);
        let salt = SaltStep::of(key, &inputs);
        let cuts = inputs.into_iter().filter(|input| InputBytes::is_cut(input, &key.fields)).collect();
        RowCodec { schema, salt_domain, steps, salt, cuts }
    }

    /// The row key of a row in JSON text, see [`RowCodec::encode`].
    ///
    /// # Errors
    /// As [`RowCodec::encode`]; also text that is not an object, and duplicate members.
    pub fn encode_json(&self, text: &[u8]) -> Result<Vec<u8>, RowError> {
        let members = json::members(text).map_err(|error| RowError::NotJson(error.to_string()))?;
        let mut row = Map::new();
        for (name, value) in members {
            if row.insert(name.clone(), value).is_some() {
                return Err(RowError::Twice { name });
            }
        }
        self.encode(&row)
    }

    /// The row key of a row, which is a JSON object with a member for every key field.
    ///
    /// Members with the name of a column of the schema are allowed and have no effect. For a table with a
    /// random salt the member [`SALT_MEMBER`] is required.
    ///
    /// # Errors
    /// A missing or unknown member, two members for one field, a value that violates the field's declaration,
    /// or a key that HBase refuses because of its length.
    pub fn encode(&self, row: &Map<String, Json>) -> Result<Vec<u8>, RowError> {
        self.check_members(row)?;
        let key = &self.schema.key;
        let mut given: FieldVec<Option<Value>> = FieldVec::new();
        for (id, field) in key.fields.entries() {
            let Some(member) = member(row, &field.name) else {
                // It follows from the other fields.
                given.push(key.hashed.contains_key(&id).then_some(None).ok_or_else(|| missing(field))?);
                continue;
            };
            let value = value_of_json(field, member, self.schema.time_zone)
                .and_then(|value| field.kind.encode(&value).map(|_| value))
                .map_err(|error| RowError::Value { field: field.name.clone(), error })?;
            given.push(Some(value));
        }
        let mut values = FieldVec::new();
        for (id, value) in given.entries() {
            values.push(match key.hashed.get(&id) {
                Some(hash) => self.hashed(id, hash, value.as_ref(), |id| given.get(id)?.as_ref())?,
                None => value.clone().ok_or_else(|| missing(&key.fields[id]))?,
            });
        }
        let random_salt = match &self.schema.key.salt {
            Some(salt) if salt.is_random() => Some(self.given_salt(salt, row, &values)?),
            _ => None,
        };
        let value_of = |id| values.get(id).map(ValueRef::from);
        self.writer().write(value_of, random_salt.as_deref()).map(<[u8]>::to_vec)
    }

    /// The hash that a field holds, which `value` has to be if it is given.
    fn hashed<'v>(
        &self,
        id: FieldId,
        hash: &Salt,
        value: Option<&Value>,
        value_of: impl Fn(FieldId) -> Option<&'v Value>,
    ) -> Result<Value, RowError> {
        let key = &self.schema.key;
        let field = &key.fields[id];
        let hashed = key
            .hash_of_row(id, hash, value_of, self.schema.time_zone)?
            .ok_or_else(|| RowError::NoHash { field: field.name.clone() })?;
        field.kind.encode(&hashed).map_err(|error| RowError::Value { field: field.name.clone(), error })?;
        match value {
            Some(value) if *value != hashed => Err(RowError::OtherHash {
                field: field.name.clone(),
                value: json_of_value(field, value).to_string(),
                hash: json_of_value(field, &hashed).to_string(),
            }),
            _ => Ok(hashed),
        }
    }

    /// What is wrong with a hash that a decoded key holds; `None` if it is right, or if the key has not all hashed fields.
    fn hash_fault(&self, values: &BTreeMap<FieldId, Value>) -> Option<RowError> {
        let key = &self.schema.key;
        let has_inputs =
            |hash: &Salt| hash.inputs(&key.fields).iter().all(|input| values.contains_key(&input.field));
        let known = key.hashed.iter().filter(|(_, hash)| has_inputs(hash));
        known
            .map(|(id, hash)| self.hashed(*id, hash, values.get(id), |id| values.get(&id)))
            .find_map(Result::err)
    }

    /// For encoding many rows.
    pub fn writer(&self) -> RowWriter<'_> {
        RowWriter::new(self)
    }

    fn given_salt(
        &self,
        salt: &Salt,
        row: &Map<String, Json>,
        values: &FieldVec<Value>,
    ) -> Result<Vec<u8>, RowError> {
        let possible = || -> Result<Option<BTreeSet<Vec<u8>>>, RowError> {
            let value_of = |id| values.get(id).map(ValueRef::from);
            salt.is_computable().then(|| self.writer().salts(salt, value_of)).transpose()
        };
        let text = match row.get(SALT_MEMBER) {
            Some(Json::String(text)) => text.clone(),
            Some(Json::Number(number)) => number.to_string(),
            _ => {
                return Err(match possible()? {
                    Some(salts) => RowError::SaltPartNotNamed { salts: listed(&salts) },
                    None => RowError::SaltNotNamed,
                });
            }
        };
        let Some(SaltDomain::Listed(salts)) = self.salt_domain.as_deref() else {
            return Ok(text.into_bytes());
        };
        let mut wanted = from_string_binary(&text);
        // `7` also means `07`, and what is behind the constant text. If widths differ, the smallest salt has one digit.
        let is_number =
            !matches!(salt.write, SaltWrite::Text | SaltWrite::Bytes | SaltWrite::Alphabet { .. });
        let is_salt = salts.binary_search(&wanted).is_ok();
        if is_number && !is_salt && (!text.starts_with('0') || text == "0") {
            let width = salts.first().map_or(0, Vec::len).saturating_sub(salt.behind.len());
            let missing = width.saturating_sub(wanted.len());
            let zeros = std::iter::repeat_n(b'0', missing);
            wanted.splice(0..0, salt.behind.iter().copied().chain(zeros));
        }
        match salts.binary_search(&wanted) {
            Ok(_) => match possible()? {
                Some(salts) if !salts.contains(&wanted) => {
                    Err(RowError::SaltOfOtherFields { salt: text, salts: listed(&salts) })
                }
                _ => Ok(wanted),
            },
            Err(_) => Err(RowError::ForeignSalt(text)),
        }
    }

    fn check_members(&self, row: &Map<String, Json>) -> Result<(), RowError> {
        let mut named = Vec::new();
        for name in row.keys() {
            if let Some(field) = self.schema.field(name) {
                if named.contains(&field) {
                    return Err(RowError::Twice { name: self.schema.key.fields[field].name.clone() });
                }
                named.push(field);
            }
            if name == SALT_MEMBER || self.schema.field(name).is_some() || self.schema.column(name).is_some()
            {
                continue;
            }
            let names = self.schema.key.fields.iter().map(|field| field.name.as_str());
            let meant = did_you_mean(name, names).map(str::to_string);
            return Err(RowError::UnknownMember { name: name.clone(), meant });
        }
        Ok(())
    }

    /// Decodes a row key and checks its salt.
    ///
    /// # Errors
    /// The bytes do not fit the layout, or fit it in more than one way.
    pub fn decode(&self, bytes: &[u8]) -> Result<DecodedKey, RowError> {
        let mut found: Vec<DecodedKey> = Vec::new();
        let mut reason = None;
        for (salt, rest) in self.cut_salt(bytes)? {
            let mut search = CutSearch { schema: self.schema, tried: 0, found: Vec::new(), reason: None };
            let stored: Vec<FieldId> = self.schema.key.stored().collect();
            search.cut(&stored, rest, BTreeMap::new());
            reason = reason.or(search.reason);
            for values in search.found {
                match self.hash_fault(&values) {
                    Some(fault) => drop(reason.get_or_insert(fault)),
                    None => found.push(self.with_expected_salt(salt.clone(), values)),
                }
            }
        }
        // If a key can be split in several ways, the salt identifies the right one.
        if found.len() > 1 && found.iter().any(|key| key.expected_salt.is_none()) {
            found.retain(|key| key.expected_salt.is_none());
        }
        match found.len() {
            0 => Err(reason.unwrap_or(RowError::Mismatch)),
            1 => Ok(found.swap_remove(0)),
            ways => Err(RowError::Ambiguous { ways }),
        }
    }

    /// The possible salts of a key, each with the bytes that follow it.
    fn cut_salt<'b>(&self, bytes: &'b [u8]) -> Result<Vec<SaltCut<'b>>, RowError> {
        let Some(salt) = &self.schema.key.salt else { return Ok(vec![(None, bytes)]) };
        let cuts: Vec<_> = match self.salt_domain.as_deref() {
            Some(SaltDomain::Listed(salts)) => starting(salts, bytes)
                .into_iter()
                .filter_map(|one| {
                    let rest = bytes[one.len()..].strip_prefix(salt.separator.as_slice())?;
                    Some((Some(one.to_vec()), rest))
                })
                .collect(),
            _ => {
                let width = salt.fixed_width(&self.schema.key.fields).unwrap_or(0);
                let cut = bytes.split_at_checked(width).and_then(|(one, rest)| {
                    one.strip_prefix(salt.behind.as_slice())?;
                    Some((Some(one.to_vec()), rest.strip_prefix(salt.separator.as_slice())?))
                });
                cut.into_iter().collect()
            }
        };
        if cuts.is_empty() {
            return Err(RowError::NoSaltInKey);
        }
        Ok(cuts)
    }

    fn with_expected_salt(&self, salt: Option<Vec<u8>>, values: BTreeMap<FieldId, Value>) -> DecodedKey {
        let expected = match &self.schema.key.salt {
            Some(scheme) if scheme.is_computable() => {
                let value_of = |id| values.get(&id).map(ValueRef::from);
                self.writer().salts(scheme, value_of).unwrap_or_default()
            }
            _ => BTreeSet::new(),
        };
        let is_expected = salt.as_ref().is_some_and(|salt| expected.contains(salt));
        let expected_salts: Vec<Vec<u8>> =
            if is_expected { Vec::new() } else { expected.into_iter().collect() };
        DecodedKey { expected_salt: expected_salts.first().cloned(), expected_salts, salt, values }
    }

    /// The JSON form of a decoded key: the salt as text, then the stored fields.
    pub fn to_json(&self, key: &DecodedKey) -> Map<String, Json> {
        let mut row = Map::new();
        if let Some(salt) = &key.salt {
            row.insert(SALT_MEMBER.into(), Json::from(to_string_binary(salt)));
        }
        for (id, value) in &key.values {
            let field = &self.schema.key.fields[*id];
            row.insert(field.name.clone(), json_of_value(field, value));
        }
        row
    }
}

/// Searches for the ways to split a key into its fields.
struct CutSearch<'a> {
    schema: &'a Schema,
    tried: usize,
    found: Vec<BTreeMap<FieldId, Value>>,
    /// Why the first attempt failed.
    reason: Option<RowError>,
}

impl CutSearch<'_> {
    fn cut(&mut self, stored: &[FieldId], bytes: &[u8], values: BTreeMap<FieldId, Value>) {
        let Some((&id, rest)) = stored.split_first() else {
            if bytes.is_empty() {
                self.found.push(values);
            } else {
                self.fail(RowError::LeftOver { bytes: bytes.len() });
            }
            return;
        };
        let field = &self.schema.key.fields[id];
        for end in ends(field, bytes, rest.is_empty()) {
            self.tried += 1;
            if self.tried > MAX_CUTS {
                return;
            }
            let (own, behind) = bytes.split_at(end);
            let Some(behind) = behind.strip_prefix(field.separator.as_slice()) else {
                self.fail(RowError::NoSeparator { field: field.name.clone() });
                continue;
            };
            match field.kind.decode(own) {
                Ok(value) => {
                    let mut values = values.clone();
                    values.insert(id, value);
                    self.cut(rest, behind, values);
                }
                Err(error) => self.fail(RowError::Value { field: field.name.clone(), error }),
            }
        }
        if self.reason.is_none() && self.found.is_empty() {
            self.fail(RowError::EndsBefore { field: field.name.clone() });
        }
    }

    fn fail(&mut self, reason: RowError) {
        self.reason.get_or_insert(reason);
    }
}

/// The positions at which a field can end.
fn ends(field: &Field, bytes: &[u8], is_last: bool) -> Vec<usize> {
    match field.kind.fixed_width() {
        Some(width) if width <= bytes.len() => vec![width],
        Some(_) => Vec::new(),
        None if field.kind.is_terminated() => match &field.kind {
            FieldKind::Text(text) => text.form.end_in(bytes).into_iter().collect(),
            _ => Vec::new(),
        },
        None if is_last && field.separator.is_empty() => vec![bytes.len()],
        None if field.separator.is_empty() => (0..=bytes.len()).collect(),
        None => (0..bytes.len()).filter(|at| bytes[*at..].starts_with(&field.separator)).collect(),
    }
}

/// Salts in HBase's text form: a single one, or `one of` with at most eight.
fn listed<'s>(salts: impl IntoIterator<Item = &'s Vec<u8>>) -> String {
    let all: Vec<String> = salts.into_iter().map(|salt| format!("`{}`", to_string_binary(salt))).collect();
    match all.as_slice() {
        [only] => only.clone(),
        all => {
            let more = if all.len() > 8 { ", …" } else { "" };
            format!("one of {}{more}", all[..all.len().min(8)].join(", "))
        }
    }
}

fn missing(field: &Field) -> RowError {
    RowError::Missing { field: field.name.clone() }
}

/// A member, whatever its capitals.
pub(crate) fn member<'a>(row: &'a Map<String, Json>, name: &str) -> Option<&'a Json> {
    row.get(name)
        .or_else(|| row.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value))
}

/// Reads the value of a field from JSON: text from a string, numbers from numbers or digits, dates in the
/// field's own format or as `yyyy-MM-dd[ HH:mm:ss]`, instants as a count of their unit or as local time. A
/// time with an offset (`2020-04-06T10:00:00+08:00`) is exactly that instant. The null of a field that may be NULL is the
/// empty text.
///
/// # Errors
/// What is wrong with the value.
pub fn value_of_json(field: &Field, json: &Json, time_zone: Option<Zone>) -> Result<Value, ValueError> {
    let text = match json {
        Json::String(text) => text.clone(),
        Json::Number(number) if field.kind.is_number() => number.to_string(),
        Json::Number(number) => return Err(ValueError::Unquoted(number.to_string())),
        Json::Null if field.kind.is_nullable() => return Ok(Value::Text(String::new())),
        Json::Null => return Err(ValueError::Null),
        _ => return Err(ValueError::NoScalar),
    };
    match field.kind.time() {
        Some(FieldTime::Local(calendar)) => calendar_value(&calendar.format, &text, time_zone),
        Some(FieldTime::Instant(epoch)) => epoch_value(epoch, &text, time_zone),
        None if field.kind.is_number() => {
            text.parse().map(Value::Number).map_err(|_| ValueError::NotWhole(text))
        }
        None if text.is_empty() && field.kind.is_nullable() => Err(ValueError::EmptyForNull),
        None => Ok(Value::Text(text)),
    }
}

fn calendar_value(format: &TimeFormat, text: &str, time_zone: Option<Zone>) -> Result<Value, ValueError> {
    if let Some(ordinal) = format.parse_text(text) {
        return Ok(Value::Number(ordinal));
    }
    let wrong = || ValueError::NoDate { text: text.to_string(), format: format.pattern().to_string() };
    let at = match saltplan_sql::time::parse_instant(text) {
        Some(instant) => time_zone.ok_or(ValueError::NoTimeZone)?.local_time_of(instant).ok_or_else(wrong)?,
        None => parse_timestamp(text).ok_or_else(wrong)?,
    };
    let ordinal = format.granularity().ordinal_of(at);
    if format.granularity().start_of(ordinal) == Some(at) {
        Ok(Value::Number(ordinal))
    } else {
        Err(ValueError::FinerThanFormat { text: text.to_string(), format: format.pattern().to_string() })
    }
}

fn epoch_value(epoch: &EpochField, text: &str, time_zone: Option<Zone>) -> Result<Value, ValueError> {
    if let Ok(number) = text.parse() {
        return Ok(Value::Number(number));
    }
    let (milliseconds, nanosecond) = match saltplan_sql::time::parse_instant(text) {
        Some(instant) => (instant.timestamp_millis(), instant.nanosecond()),
        None => {
            let at = parse_timestamp(text).ok_or_else(|| ValueError::NoInstant(text.to_string()))?;
            (time_zone.ok_or(ValueError::NoTimeZone)?.instant(at), at.nanosecond())
        }
    };
    let unit = epoch.unit.milliseconds();
    if milliseconds % unit != 0 || nanosecond % 1_000_000 != 0 {
        return Err(ValueError::FinerThanUnit(text.to_string()));
    }
    Ok(Value::Number(milliseconds / unit))
}

fn json_of_value(field: &Field, value: &Value) -> Json {
    match (&field.kind, value) {
        (FieldKind::Calendar(calendar), Value::Number(ordinal)) => {
            calendar.format.format(*ordinal).map_or(Json::Null, Json::from)
        }
        (_, Value::Number(number)) => Json::from(*number),
        (kind, Value::Text(text)) if text.is_empty() && kind.is_nullable() => Json::Null,
        (_, Value::Text(text)) => Json::from(text.as_str()),
    }
}
