//! A table: its schema, and data that is derived from it once.

pub use error::{Cause, Error, PlanFault};
pub use logical::{LogicalColumn, LogicalTable, TimeReading};
pub use plan::{PlanOptions, Planned, Verdict};
pub use ranges::PlannedRange;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value as Json};

use crate::ddl::DdlTable;
use crate::files::named::{Files, Folder, Memory};
use crate::files::sample::{self, SampleError};
use crate::key::parts::KeyPart;
use crate::key::salt::SaltDomain;
use crate::refusal::Refusal;
use crate::region::{self, SplitInputs};
use crate::row::{DecodedKey, RowCodec};
use crate::schema::model::{Engine, Regions, Schema};
use crate::schema::property::SchemaProperty;
use crate::schema::{self, Loaded, Places};
use saltplan_document::diag::{Diagnostic, Diagnostics, Source};

/// A schema without errors, the files that it refers to, and data derived from both: the salts that rows can
/// have, and the split keys. They are computed when they are first needed. Clones share all of it.
#[derive(Debug, Clone)]
pub struct Table {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    source: Arc<Source>,
    schema: Schema,
    places: Places,
    warnings: Vec<Diagnostic>,
    files: Box<dyn Files>,
    /// The location of the sample for the split keys; `None` if the schema has no sample.
    located: Option<Result<PathBuf, SampleError>>,
    salt_domain: OnceLock<Option<SaltDomain>>,
    sample: OnceLock<Result<ByteKeys, SampleError>>,
    split_keys: OnceLock<Result<Option<ByteKeys>, Box<Diagnostic>>>,
}

/// Row keys or split keys.
type ByteKeys = Vec<Vec<u8>>;

impl Table {
    /// A table whose schema is in memory and refers to no files.
    ///
    /// # Errors
    /// All errors of the schema.
    pub fn from_yaml(text: &str) -> Result<Self, Error> {
        Ok(Table::read(&Source::new("schema", text), Memory::default())?)
    }

    /// A table whose schema is in a file, which may refer to other files.
    ///
    /// # Errors
    /// The file cannot be read, or all errors of the schema.
    pub fn load(path: &Path) -> Result<Self, Error> {
        Ok(Table::read(&schema::read_file(path)?, Folder::of(path))?)
    }

    /// A table whose schema was read elsewhere, with the files that it may refer to.
    ///
    /// # Errors
    /// All errors of the schema, or a reference to a file that is not allowed.
    #[doc(hidden)]
    pub fn read(source: &Arc<Source>, files: impl Files + 'static) -> Result<Self, Diagnostics> {
        let table = Table::new(source, schema::load(source)?, files);
        // Checked even if nobody reads the sample: no schema may refer to other people's files.
        match &table.inner.located {
            Some(Err(error)) => Err(table.bad_sample(error).into()),
            _ => Ok(table),
        }
    }

    /// A table of a loaded schema, without checking the files that it refers to.
    #[doc(hidden)]
    pub fn new(source: &Arc<Source>, loaded: Loaded, files: impl Files + 'static) -> Self {
        let Loaded { schema, places, warnings } = loaded;
        let named = match &schema.regions {
            Some(Regions::Sampled(sampled)) => Some(&sampled.keys),
            _ => None,
        };
        let inner = Inner {
            source: Arc::clone(source),
            located: named.map(|path| files.locate(path)),
            schema,
            places,
            warnings,
            files: Box::new(files),
            salt_domain: OnceLock::new(),
            sample: OnceLock::new(),
            split_keys: OnceLock::new(),
        };
        Table { inner: Arc::new(inner) }
    }

    #[doc(hidden)]
    pub fn schema(&self) -> &Schema {
        &self.inner.schema
    }

    /// The text of the schema.
    pub fn source(&self) -> &Arc<Source> {
        &self.inner.source
    }

    /// The places of the schema's values in its file.
    #[doc(hidden)]
    pub fn places(&self) -> &Places {
        &self.inner.places
    }

    /// The schema as a property of its mapping table.
    ///
    /// # Errors
    /// It is too long.
    #[doc(hidden)]
    pub fn schema_property(&self) -> Result<SchemaProperty, Refusal> {
        SchemaProperty::of(self.schema(), self.places())
    }

    /// Warnings about the schema.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.inner.warnings
    }

    /// The name of the schema file without its folder, so that the output does not depend on where a program
    /// runs.
    pub fn file_name(&self) -> String {
        let name = Path::new(&self.inner.source.name);
        name.file_name().unwrap_or(name.as_os_str()).to_string_lossy().into_owned()
    }

    /// The name of the HBase table with its namespace.
    pub fn name(&self) -> String {
        self.inner.schema.hbase.full_name()
    }

    /// The parts of a row key: the salt, then the fields.
    pub fn key_parts(&self) -> Vec<KeyPart> {
        self.inner.schema.key.parts()
    }

    /// The bytes of a row key for each of [`Table::key_parts`], without separators; empty for a field that is
    /// not stored.
    ///
    /// # Errors
    /// As [`Table::decode`].
    pub fn cut_key(&self, key: &[u8]) -> Result<Vec<Range<usize>>, Error> {
        let decoded = self.decode(key)?;
        let mut at = 0;
        let mut taken = |bytes: usize, separator: &[u8]| {
            let part = at..at + bytes;
            at = part.end + separator.len();
            part
        };
        let layout = &self.inner.schema.key;
        let salt =
            layout.salt.iter().map(|salt| taken(decoded.salt.as_ref().map_or(0, Vec::len), &salt.separator));
        let mut parts: Vec<Range<usize>> = salt.collect();
        for (id, field) in layout.fields.entries() {
            let bytes = decoded.values.get(&id).and_then(|value| field.kind.encode(value).ok());
            let separator = if field.stored { field.separator.as_slice() } else { &[] };
            parts.push(taken(bytes.map_or(0, |bytes| bytes.len()), separator));
        }
        Ok(parts)
    }

    /// The execution engine of Hive, if the schema sets it.
    #[doc(hidden)]
    pub fn engine(&self) -> Option<Engine> {
        self.inner.schema.hive.as_ref().and_then(|hive| hive.engine)
    }

    /// The salts that rows can have; `None` for a table without a salt.
    #[doc(hidden)]
    pub fn salt_domain(&self) -> Option<&SaltDomain> {
        let key = &self.inner.schema.key;
        self.inner.salt_domain.get_or_init(|| key.salt.as_ref().map(|salt| salt.domain(&key.fields))).as_ref()
    }

    /// Every salt that a row can have, ascending; empty for a table without a salt, and if there are too many
    /// to list.
    pub fn salts(&self) -> &[Vec<u8>] {
        match self.salt_domain() {
            Some(SaltDomain::Listed(salts)) => salts,
            _ => &[],
        }
    }

    /// The location of the sample for the split keys, whether it exists or not.
    #[doc(hidden)]
    pub fn sample_path(&self) -> Option<&Path> {
        self.inner.located.as_ref()?.as_deref().ok()
    }

    /// The sample row keys for the split keys; empty if the split keys need no sample.
    ///
    /// # Errors
    /// The schema refers to a file that is not allowed, or that gives no keys.
    #[doc(hidden)]
    pub fn sample(&self) -> Result<&[Vec<u8>], &SampleError> {
        match &self.inner.located {
            None => Ok(&[]),
            Some(Err(error)) => Err(error),
            Some(Ok(file)) => {
                let keys = self.inner.sample.get_or_init(|| sample::parse(self.inner.files.read(file)?));
                keys.as_deref()
            }
        }
    }

    /// The split keys in byte order, or `None` if the schema does not say how the table is split.
    ///
    /// # Errors
    /// The sample gives no keys, or HBase would refuse the split keys.
    pub fn split_keys(&self) -> Result<Option<&[Vec<u8>]>, Error> {
        Ok(self.try_split_keys()?)
    }

    /// As [`Table::split_keys`], with the error as a message.
    ///
    /// # Errors
    /// As [`Table::split_keys`].
    #[doc(hidden)]
    pub fn try_split_keys(&self) -> Result<Option<&[Vec<u8>]>, Diagnostic> {
        match self.inner.split_keys.get_or_init(|| self.find_split_keys().map_err(Box::new)) {
            Ok(keys) => Ok(keys.as_deref()),
            Err(error) => Err(error.as_ref().clone()),
        }
    }

    /// The split keys that parts of the DDL need; none if the HBase table is not among them.
    ///
    /// # Errors
    /// As [`Table::split_keys`].
    #[doc(hidden)]
    pub fn split_keys_of(&self, parts: &[DdlTable]) -> Result<&[Vec<u8>], Diagnostic> {
        match parts.contains(&DdlTable::Hbase) {
            true => Ok(self.try_split_keys()?.unwrap_or_default()),
            false => Ok(&[]),
        }
    }

    /// Encodes rows as row keys, and decodes them.
    #[doc(hidden)]
    pub fn row_codec(&self) -> RowCodec<'_> {
        RowCodec::with_salt_domain(&self.inner.schema, self.salt_domain())
    }

    /// The row key of a row, which has a member for every key field; see [`RowCodec::encode`]. For many rows
    /// use one [`Table::row_codec`].
    ///
    /// # Errors
    /// A missing or unknown member, or a value that violates its field's declaration.
    pub fn encode(&self, row: &Map<String, Json>) -> Result<Vec<u8>, Error> {
        Ok(self.row_codec().encode(row)?)
    }

    /// The values in a row key.
    ///
    /// # Errors
    /// The bytes do not fit the layout, or fit it in more than one way.
    pub fn decode(&self, key: &[u8]) -> Result<DecodedKey, Error> {
        Ok(self.row_codec().decode(key)?)
    }

    /// The row of a decoded row key, with a member for every stored field.
    pub fn row_of(&self, key: &DecodedKey) -> Map<String, Json> {
        self.row_codec().to_json(key)
    }

    fn find_split_keys(&self) -> Result<Option<ByteKeys>, Diagnostic> {
        let Some(regions) = &self.inner.schema.regions else { return Ok(None) };
        let sample = self.sample().map_err(|error| self.bad_sample(error))?;
        let separator = self.inner.schema.key.salt.as_ref().map_or(&[][..], |salt| &salt.separator);
        let inputs = SplitInputs { salts: self.salts(), separator, sample };
        let keys = region::split_keys(regions, inputs).map_err(|error| {
            Diagnostic::error(error.to_string()).at(
                &self.inner.source,
                self.inner.places.regions(),
                "these regions",
            )
        })?;
        Ok(Some(keys))
    }

    /// Marks the place where the schema names the sample.
    fn bad_sample(&self, error: &SampleError) -> Diagnostic {
        let error = match error {
            SampleError::Elsewhere(told) => told.as_ref().clone(),
            error => Diagnostic::error(format!("no sample keys: {error}")).with_help(error.help()),
        };
        error.at(&self.inner.source, self.inner.places.near(&["regions", "sampled", "keys"]), "named here")
    }
}

mod error;
mod logical;
mod plan;
mod ranges;
#[cfg(test)]
mod tests;
