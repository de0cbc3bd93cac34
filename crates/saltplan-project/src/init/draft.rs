//! A schema file that is being composed: what is known, and remarks about it. `write` prints the YAML.

use saltplan_core::key::field::EpochUnit;
use saltplan_core::key::number::NumberForm;
use saltplan_core::key::range::to_string_binary;
use saltplan_core::key::salt::charset::{CHARSETS, Charset};
use saltplan_core::key::salt::file::hash_code::ABS_PLACES;
use saltplan_core::key::salt::unknown::SaltChars;
use saltplan_core::key::salt::{Abs, Combine, FUNCTIONS, Hash, SaltWrite, Spread};
use saltplan_core::schema::model::{AttributeValue, CellEncoding};
use saltplan_sql::time::format::TimeFormat;

/// The content of the file. Comments are text without `#`.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    /// `ns:name`
    pub table: String,
    /// Comments at the top.
    pub head: Vec<String>,
    /// Attributes of the table, named as in schema files.
    pub attributes: Vec<(String, AttributeValue)>,
    /// Names and values that HBase keeps with the table.
    pub metadata: Vec<(String, String)>,
    /// Families of the columns are added, with one version.
    pub families: Vec<DraftFamily>,
    pub separator: Option<String>,
    pub salt: Option<DraftSalt>,
    pub fields: Vec<DraftField>,
    pub regions: Option<DraftRegions>,
    pub regions_comment: Vec<String>,
    pub columns: Vec<DraftColumn>,
    /// Comments above the columns.
    pub columns_comment: Vec<String>,
    pub mapping: Option<String>,
    /// The row key column of the mapping table; by default an unused name.
    pub key_column: Option<String>,
    /// Whether dropping the mapping table drops the rows.
    pub is_managed: bool,
    pub target: Option<String>,
    pub partition: Vec<DraftPartition>,
    pub time_zone: Option<String>,
    pub time_zone_comment: Vec<String>,
}

impl Draft {
    /// Chooses regions that suit the salt, if possible.
    pub fn take_regions_of_salt(&mut self) {
        let regions = self.salt.as_ref().and_then(|salt| salt.regions(&self.fields));
        if let Some((regions, comment)) = regions {
            (self.regions, self.regions_comment) = (Some(regions), vec![comment.to_string()]);
        }
    }

    /// Adds what another source tells about the table. What the draft has already has priority.
    pub fn take(&mut self, other: Draft) {
        if self.table.is_empty() {
            self.table = other.table;
        }
        self.head.extend(other.head);
        if self.families.is_empty() {
            self.families = other.families;
        }
        if self.attributes.is_empty() && self.metadata.is_empty() {
            (self.attributes, self.metadata) = (other.attributes, other.metadata);
        }
        let is_given = |name: &str| self.columns.iter().any(|column| column.name.eq_ignore_ascii_case(name));
        let columns: Vec<_> = other.columns.into_iter().filter(|column| !is_given(&column.name)).collect();
        self.columns.extend(columns);
        self.columns_comment.extend(other.columns_comment);
        self.mapping = self.mapping.take().or(other.mapping);
        self.key_column = self.key_column.take().or(other.key_column);
        self.is_managed |= other.is_managed;
        if self.fields.is_empty() && !other.fields.is_empty() {
            (self.fields, self.salt) = (other.fields, other.salt);
            self.separator = self.separator.take().or(other.separator);
        }
        if self.regions.is_none() {
            (self.regions, self.regions_comment) = (other.regions, other.regions_comment);
        }
        if self.time_zone.is_none() {
            self.time_zone = other.time_zone;
            self.time_zone_comment.extend(other.time_zone_comment);
        }
    }

    /// Leaves out the fields of the key, which something else declares.
    pub fn leave_key_out(&mut self) {
        self.fields.clear();
        self.head.clear();
        self.separator = None;
    }

    /// Renames key fields that have the same name as a column.
    pub fn rename_fields_of_columns(&mut self) {
        for at in 0..self.fields.len() {
            let name = self.fields[at].name.clone();
            if self.columns.iter().any(|column| column.name.eq_ignore_ascii_case(&name)) {
                let new = fresh_name(&format!("key_{name}"), &self.fields);
                let renamed = |input: DraftInput| match input.field == name {
                    true => Some(DraftInput { field: new.clone(), ..input }),
                    false => Some(input),
                };
                self.salt = self
                    .salt
                    .take()
                    .and_then(|salt| Some(DraftSalt { scheme: salt.scheme.map(renamed)?, ..salt }));
                self.fields[at].name = new;
            }
        }
    }
}

/// A partition column of the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftPartition {
    /// A key field.
    Field(String),
    /// The day of a time in the key.
    Day { name: String, of: String },
}

/// A column family with its attributes, named as in schema files.
#[derive(Debug, Clone, PartialEq)]
pub struct DraftFamily {
    pub name: String,
    pub attributes: Vec<(String, AttributeValue)>,
    pub comment: Vec<String>,
}

impl DraftFamily {
    /// A family that keeps one version.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        let versions = ("versions".to_string(), AttributeValue::Number(1));
        DraftFamily { name: name.into(), attributes: vec![versions], comment: Vec::new() }
    }
}

/// Texts are as in the schema file: row keys and parts of them in HBase's text form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftRegions {
    PerSalt {
        zero_bytes: usize,
    },
    HexString(u64),
    DecimalString(u64),
    Uniform(u64),
    LongRange {
        from: u64,
        to: u64,
    },
    /// Equal parts of the shorts from 0 on.
    Shorts(u64),
    Explicit(Vec<String>),
}

#[derive(Debug, Clone)]
pub struct DraftSalt {
    pub scheme: DraftScheme,
    /// Constant text in front of a hash; empty if there is none.
    pub behind: String,
    /// The salt's own separator, if it differs from that of the key.
    pub separator: Option<String>,
    pub comment: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftScheme<I = DraftInput> {
    Hash(DraftHash<I>),
    /// The first or the last characters of a text field.
    Text(I),
    Modulo {
        of: I,
        by: u64,
        write: SaltWrite,
    },
    Random {
        below: u64,
        write: SaltWrite,
    },
    /// A salt whose rule is not known.
    Unknown {
        width: usize,
        chars: SaltChars,
    },
}

/// A hash of the key, or of some inputs, and what of it is the salt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftHash<I = DraftInput> {
    pub of: DraftOf<I>,
    /// The charset of the hashed text, if it is not UTF-8.
    pub charset: Option<Charset>,
    pub rule: HashRule,
}

/// How a salt is made of a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashRule {
    pub function: HashFunction,
    pub take: DraftTake,
    /// A random number that is added, only with [`DraftTake::Modulo`].
    pub plus: Option<Spread>,
    pub write: SaltWrite,
}

/// What is hashed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftOf<I = DraftInput> {
    Key,
    /// Bytes of the key, counted from 0 after the salt and its separator; half-open.
    Bytes {
        start: usize,
        stop: usize,
    },
    Fields {
        inputs: Vec<I>,
        /// Bytes between them.
        joined_by: Vec<u8>,
        /// How the hashes of several inputs of Java's `String.hashCode` become one.
        combine: Combine,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HashFunction {
    Digest(Hash),
    /// `String.hashCode`
    JavaString,
    /// `Arrays.hashCode(byte[])` for the seed 1.
    JavaBytes {
        seed: u32,
    },
    /// `Long.hashCode`
    JavaLong,
    /// `Objects.hash` for the seed 1.
    JavaObjects {
        seed: u32,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftTake {
    /// `first` counts from 1.
    HexDigits { first: usize, count: usize },
    /// Without `abs`, the remainder of a digest as a number without sign.
    Modulo { by: u64, abs: Option<Abs> },
    /// The lowest bits of a 32-bit hash.
    Mask(u32),
    /// The remainder of some bits of a hash.
    Masked { mask: u32, by: u64 },
    /// The remainder of some hex digits as a number, with a sign if `abs` is given; `first` counts from 1.
    Digits { first: usize, count: usize, by: u64, abs: Option<Abs> },
}

/// A field, or a part of it, as an input of the salt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftInput {
    pub field: String,
    pub part: Option<DraftCut>,
    /// Converted to lower case.
    pub lower: bool,
}

impl DraftSalt {
    /// A salt with the separator of the key.
    pub(super) fn new(scheme: DraftScheme, comment: impl Into<String>) -> Self {
        DraftSalt { scheme, behind: String::new(), separator: None, comment: vec![comment.into()] }
    }

    /// Regions that suit the salts, and a remark about them.
    fn regions(&self, fields: &[DraftField]) -> Option<(DraftRegions, &'static str)> {
        let regions = self.scheme.regions(fields)?;
        // The others divide keys that begin with the number.
        (self.behind.is_empty() || matches!(regions.0, DraftRegions::PerSalt { .. })).then_some(regions)
    }

    /// The rule in words.
    pub(super) fn describe(&self) -> String {
        let rule = self.scheme.describe();
        if self.behind.is_empty() { rule } else { format!("{rule}, behind `{}`", self.behind) }
    }
}

impl DraftOf {
    /// Whole fields with nothing between them.
    pub(super) fn fields(names: impl IntoIterator<Item = String>) -> Self {
        let inputs = names.into_iter().map(DraftInput::whole).collect();
        DraftOf::Fields { inputs, joined_by: Vec::new(), combine: Combine::Concat }
    }

    fn describe(&self) -> String {
        let (inputs, between) = match self {
            DraftOf::Key => return "the key".to_string(),
            DraftOf::Bytes { start, stop } => return format!("the bytes {start} to {} of the key", stop - 1),
            DraftOf::Fields { inputs, combine: Combine::Xor, .. } => (inputs, " xor ".to_string()),
            DraftOf::Fields { inputs, joined_by, .. } if joined_by.is_empty() => {
                (inputs, " and ".to_string())
            }
            DraftOf::Fields { inputs, joined_by, .. } => {
                (inputs, format!(" `{}` ", to_string_binary(joined_by)))
            }
        };
        inputs.iter().map(DraftInput::describe).collect::<Vec<_>>().join(&between)
    }
}

impl DraftHash {
    pub(super) fn new(function: HashFunction, of: DraftOf, take: DraftTake, write: SaltWrite) -> Self {
        DraftHash { of, charset: None, rule: HashRule { function, take, plus: None, write } }
    }

    /// The absolute remainder of Java's hash of bytes, as Phoenix, OpenTSDB and `HBaseWD` write it.
    pub(super) fn of_bytes(of: DraftOf, by: u64, bytes: usize) -> Self {
        let take = DraftTake::Modulo { by, abs: Some(Abs::After) };
        DraftHash::new(HashFunction::JavaBytes { seed: 1 }, of, take, SaltWrite::BigEndian { bytes })
    }

    fn describe(&self) -> String {
        let HashRule { function, take, plus, write } = self.rule;
        let function = match function {
            HashFunction::Digest(Hash::Md5) => "md5".to_string(),
            HashFunction::Digest(hash) => format!("digest {}", FUNCTIONS.word(hash)),
            HashFunction::JavaString => "java_hash (String.hashCode)".to_string(),
            HashFunction::JavaBytes { seed: 1 } => "bytes_hash (Arrays.hashCode)".to_string(),
            HashFunction::JavaBytes { seed } => format!("bytes_hash with seed {seed}"),
            HashFunction::JavaLong => "long_hash_code (Long.hashCode)".to_string(),
            HashFunction::JavaObjects { seed: 1 } => "objects_hash_code (Objects.hash)".to_string(),
            HashFunction::JavaObjects { seed } => format!("objects_hash_code with seed {seed}"),
        };
        let charset =
            self.charset.map_or_else(String::new, |charset| format!(" in {}", CHARSETS.word(charset)));
        let of = self.of.describe() + &charset;
        let plus = plus.map_or_else(String::new, |Spread { below, modulo }| {
            let sum = modulo.map_or_else(String::new, |by| format!(" modulo {by}"));
            format!(", plus a random number below {below}{sum}")
        });
        let as_written = write.describe();
        match take {
            DraftTake::HexDigits { first, count } => {
                let digits = match count {
                    1 => format!("hex digit {first}"),
                    _ => format!("hex digits {first} to {}", first + count - 1),
                };
                match write {
                    SaltWrite::Hex => format!("{function}, {digits} of {of}"),
                    _ => format!("{function}, {digits} of {of}, as {as_written}"),
                }
            }
            DraftTake::Modulo { by, abs: None } => {
                format!("{function} of {of}, modulo {by}{plus}, as {as_written}")
            }
            DraftTake::Modulo { by, abs: Some(abs) } => {
                let abs = ABS_PLACES.word(abs);
                format!("{function} of {of}, abs {abs}, modulo {by}{plus}, as {as_written}")
            }
            DraftTake::Mask(mask) => format!("{function} of {of}, mask {mask:#x}, as {as_written}"),
            DraftTake::Masked { mask, by } => {
                format!("{function} of {of}, mask {mask:#x}, modulo {by}, as {as_written}")
            }
            DraftTake::Digits { first, count, by, abs } => {
                let sign = abs.map_or_else(String::new, |abs| format!(", abs {}", ABS_PLACES.word(abs)));
                let last = first + count - 1;
                format!(
                    "{function}, hex digits {first} to {last} of {of} as a number{sign}, modulo {by}, as {as_written}"
                )
            }
        }
    }
}

impl DraftInput {
    fn describe(&self) -> String {
        let field = &self.field;
        let part = match &self.part {
            None => format!("`{field}`"),
            Some(DraftCut::First(count)) => format!("the first {count} of `{field}`"),
            Some(DraftCut::Last(count)) => format!("the last {count} of `{field}`"),
            Some(DraftCut::Format(format)) => format!("`{field}` as {format}"),
            Some(DraftCut::Original) => format!("the original form of `{field}`"),
        };
        if self.lower { format!("{part} in lower case") } else { part }
    }

    /// A whole field.
    #[must_use]
    pub fn whole(field: impl Into<String>) -> Self {
        DraftInput { field: field.into(), part: None, lower: false }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftCut {
    First(u64),
    Last(u64),
    /// A date in a shorter format, such as its month.
    Format(String),
    /// The value before it was reversed, padded or stored as a number in bytes.
    Original,
}

/// Up to this number of salts, each gets a region.
pub(crate) const MAX_SALT_REGIONS: u64 = 256;

/// The mask of the published design with two bytes of `hashCode`.
const MASK_OF_SHORTS: u32 = 0x7FFF;

impl<I> DraftScheme<I> {
    /// The scheme with other inputs; `None` if there is none for one of them.
    pub(super) fn map<O>(self, mut input: impl FnMut(I) -> Option<O>) -> Option<DraftScheme<O>> {
        Some(match self {
            DraftScheme::Hash(DraftHash { of, charset, rule }) => {
                let of = match of {
                    DraftOf::Key => DraftOf::Key,
                    DraftOf::Bytes { start, stop } => DraftOf::Bytes { start, stop },
                    DraftOf::Fields { inputs, joined_by, combine } => {
                        let inputs = inputs.into_iter().map(input).collect::<Option<_>>()?;
                        DraftOf::Fields { inputs, joined_by, combine }
                    }
                };
                DraftScheme::Hash(DraftHash { of, charset, rule })
            }
            DraftScheme::Text(of) => DraftScheme::Text(input(of)?),
            DraftScheme::Modulo { of, by, write } => DraftScheme::Modulo { of: input(of)?, by, write },
            DraftScheme::Random { below, write } => DraftScheme::Random { below, write },
            DraftScheme::Unknown { width, chars } => DraftScheme::Unknown { width, chars },
        })
    }
}

impl DraftScheme {
    /// The number of salts, if they are few enough to list.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        let power = |base: u64, count: usize| base.checked_pow(u32::try_from(count).ok()?);
        match self {
            DraftScheme::Hash(DraftHash { rule, .. }) => match (rule.take, rule.plus) {
                (DraftTake::Modulo { by, .. }, Some(Spread { below, modulo })) => {
                    Some(modulo.map_or(by + u64::from(below) - 1, |by| u64::from(by.unsigned_abs())))
                }
                (DraftTake::HexDigits { count, .. }, _) => power(16, count),
                (
                    DraftTake::Modulo { by, abs: Some(Abs::None) }
                    | DraftTake::Digits { by, abs: Some(Abs::None), .. },
                    _,
                ) => by.checked_mul(2)?.checked_sub(1),
                (
                    DraftTake::Modulo { by, .. }
                    | DraftTake::Masked { by, .. }
                    | DraftTake::Digits { by, .. },
                    _,
                ) => Some(by),
                (DraftTake::Mask(mask), _) => Some(u64::from(mask) + 1),
            },
            DraftScheme::Modulo { by, .. } => Some(*by),
            DraftScheme::Random { below, .. } => Some(*below),
            DraftScheme::Unknown { width, chars } => match chars {
                SaltChars::Digits => power(10, *width),
                SaltChars::Hex | SaltChars::UpperHex => power(16, *width),
                SaltChars::Bytes => power(256, *width),
            },
            // Depends on the characters of the field.
            DraftScheme::Text(_) => None,
        }
    }

    /// The width of the salt in bytes, if it is fixed.
    #[must_use]
    pub fn width(&self) -> Option<usize> {
        let (write, digits) = match self {
            DraftScheme::Hash(DraftHash { rule, .. }) => match &rule.take {
                DraftTake::HexDigits { count, .. } => (&rule.write, Some(*count)),
                _ => (&rule.write, None),
            },
            DraftScheme::Modulo { write, .. } | DraftScheme::Random { write, .. } => (write, None),
            DraftScheme::Text(DraftInput { part, .. }) => {
                return match part {
                    Some(DraftCut::First(count) | DraftCut::Last(count)) => usize::try_from(*count).ok(),
                    _ => None,
                };
            }
            DraftScheme::Unknown { width, .. } => return Some(*width),
        };
        match write {
            SaltWrite::Decimal { width } => *width,
            SaltWrite::BigEndian { bytes } => Some(*bytes),
            SaltWrite::Hex | SaltWrite::UpperHex => digits,
            SaltWrite::Alphabet { alphabet, width } => {
                width.or_else(|| self.count().filter(|count| *count <= alphabet.count() as u64).map(|_| 1))
            }
            SaltWrite::Text => None,
            SaltWrite::Bytes => digits.map(|digits| digits.div_ceil(2)),
        }
    }

    /// The scheme in words: ``digest sha1, hex digits 1 to 4 of `uid` ``.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            DraftScheme::Hash(hash) => hash.describe(),
            DraftScheme::Text(input) => format!("text, {}", input.describe()),
            DraftScheme::Modulo { of, by, .. } => format!("modulo {by} of {}", of.describe()),
            DraftScheme::Random { below, .. } => format!("random, below {below}"),
            DraftScheme::Unknown { .. } => "unknown".to_string(),
        }
    }

    /// Whether the salt is a few digits of a field.
    fn has_few_texts(&self, fields: &[DraftField]) -> bool {
        let DraftScheme::Text(DraftInput { field, .. }) = self else { return false };
        let is_digits = |kind: &DraftKind| matches!(kind, DraftKind::Text(form) if form.chars == Some(DraftChars::Named("digits")) && form.width >= self.width());
        self.width().is_some_and(|width| width <= 2)
            && fields.iter().any(|other| other.name == *field && is_digits(&other.kind))
    }

    /// Regions that suit the salts, and a remark about them.
    fn regions(&self, fields: &[DraftField]) -> Option<(DraftRegions, &'static str)> {
        let is_few = |count| count <= MAX_SALT_REGIONS;
        if self.count().map_or_else(|| self.has_few_texts(fields), is_few) {
            return Some((DraftRegions::PerSalt { zero_bytes: 0 }, "one region per salt"));
        }
        let DraftScheme::Hash(hash) = self else { return None };
        match (hash.rule.take, hash.rule.write) {
            (DraftTake::HexDigits { .. }, SaltWrite::Hex) => {
                Some((DraftRegions::HexString(16), "sixteen equal parts of the hex digits; check the number"))
            }
            (DraftTake::Mask(MASK_OF_SHORTS), SaltWrite::BigEndian { bytes: 2 }) => {
                Some((DraftRegions::Shorts(16), "sixteen equal parts of 0 to 0x7FFF; check the number"))
            }
            _ => None,
        }
    }
}

#[derive(Debug, Clone)]
pub struct DraftField {
    pub name: String,
    pub kind: DraftKind,
    pub(crate) is_stored: bool,
    /// The field's own separator, if it differs from that of the key.
    pub separator: Option<String>,
    pub comment: Vec<String>,
    /// Also reported to the user.
    pub remark: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftKind {
    Date {
        format: TimeFormat,
    },
    Timestamp {
        format: TimeFormat,
    },
    Epoch {
        unit: EpochUnit,
        number: NumberForm,
    },
    Integer(NumberForm),
    Text(TextForm),
    /// One of a list.
    Values(Vec<String>),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextForm {
    /// In bytes.
    pub width: Option<usize>,
    pub chars: Option<DraftChars>,
    pub reverse: bool,
    /// NULL is stored as the empty text.
    pub nullable: bool,
    /// Fills shorter texts up to the width.
    pub pad: Option<&'static str>,
    /// Every bit is inverted.
    pub descending: bool,
    /// Any bytes, not text.
    pub is_bytes: bool,
}

/// A set of characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftChars {
    Named(&'static str),
    /// `[a-f0-9]`, with the brackets.
    Class(String),
}

impl DraftField {
    /// A stored field without remarks.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: DraftKind) -> Self {
        DraftField {
            name: name.into(),
            kind,
            is_stored: true,
            separator: None,
            comment: Vec::new(),
            remark: None,
        }
    }

    #[must_use]
    pub(crate) fn with_comment(mut self, comment: impl Into<String>) -> Self {
        self.comment.push(comment.into());
        self
    }
}

impl DraftKind {
    /// The format of a date or a local time.
    #[must_use]
    pub fn format(&self) -> Option<&TimeFormat> {
        match self {
            DraftKind::Date { format } | DraftKind::Timestamp { format } => Some(format),
            _ => None,
        }
    }

    /// The bytes of every value, if they are equally many.
    #[must_use]
    pub(crate) fn width(&self) -> Option<usize> {
        match self {
            DraftKind::Date { format } | DraftKind::Timestamp { format } => Some(format.width()),
            DraftKind::Integer(number) | DraftKind::Epoch { number, .. } => number.fixed_width(),
            DraftKind::Text(form) => form.width,
            DraftKind::Values(values) => {
                let width = values.first()?.len();
                values.iter().all(|value| value.len() == width).then_some(width)
            }
        }
    }

    /// Whether there is a time of day, which needs a zone.
    #[must_use]
    pub(crate) fn is_instant(&self) -> bool {
        matches!(self, DraftKind::Timestamp { .. } | DraftKind::Epoch { .. })
    }
}

/// A column outside the key. Its type is checked when the written file is read.
#[derive(Debug, Clone, PartialEq)]
pub struct DraftColumn {
    pub name: String,
    pub hive_type: String,
    pub family: String,
    pub qualifier: String,
    pub encoding: CellEncoding,
}

/// A column that holds a cell: its family and its qualifier. `has_bytes` if `Bytes.toBytes` wrote the cells.
pub(super) fn mapped_column(
    name: impl Into<String>,
    hive_type: impl Into<String>,
    (family, qualifier): (impl Into<String>, impl Into<String>),
    has_bytes: bool,
) -> DraftColumn {
    let (family, qualifier) = (family.into(), qualifier.into());
    let encoding = if has_bytes { CellEncoding::BigEndian } else { CellEncoding::Text };
    DraftColumn { name: name.into(), hive_type: hive_type.into(), family, qualifier, encoding }
}

/// Unused names for fields: `part`, `part_2`.
pub(crate) fn fresh_name(base: &str, fields: &[DraftField]) -> String {
    let taken = |name: &str| fields.iter().any(|field| field.name == name);
    let numbered = (2..).map(|number| format!("{base}_{number}"));
    std::iter::once(base.to_string()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}
