//! The HBase settings that affect how a table grows, with the names and defaults of HBase 2.4.

use super::properties::{Properties, Property};
use saltplan_document::diag::{Diagnostic, Diagnostics};

/// `HConstants.HREGION_MEMSTORE_FLUSH_SIZE` and the other names, as `HBASE_NAMES` lists them.
const FLUSH_SIZE: &str = "hbase.hregion.memstore.flush.size";
const MAX_FILE_SIZE: &str = "hbase.hregion.max.filesize";
const SPLIT_POLICY: &str = "hbase.regionserver.region.split.policy";
const KEY_PREFIX: &str = "KeyPrefixRegionSplitPolicy.prefix_length";
const OLD_KEY_PREFIX: &str = "prefix_split_key_policy.prefix_length";
const DELIMITER: &str = "DelimitedKeyPrefixRegionSplitPolicy.delimiter";
const RESTRICTION: &str = "hbase.regionserver.region.split_restriction.type";
const RESTRICTION_PREFIX: &str = "hbase.regionserver.region.split_restriction.prefix_length";
const RESTRICTION_DELIMITER: &str = "hbase.regionserver.region.split_restriction.delimiter";

const MIB: u64 = 1 << 20;

/// When a region splits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitPolicy {
    /// `SteppingSplitPolicy`, the default since 2.0: twice the flush size while the table has one region on
    /// the server, the maximum file size after that.
    Stepping,
    /// `IncreasingToUpperBoundRegionSplitPolicy`: twice the flush size, times the cube of the number of the
    /// table's regions on the server.
    IncreasingToUpperBound,
    /// `ConstantSizeRegionSplitPolicy`.
    ConstantSize,
    /// `DisabledRegionSplitPolicy`.
    Disabled,
}

impl SplitPolicy {
    pub fn name(self) -> &'static str {
        match self {
            SplitPolicy::Stepping => "SteppingSplitPolicy",
            SplitPolicy::IncreasingToUpperBound => "IncreasingToUpperBoundRegionSplitPolicy",
            SplitPolicy::ConstantSize => "ConstantSizeRegionSplitPolicy",
            SplitPolicy::Disabled => "DisabledRegionSplitPolicy",
        }
    }
}

/// How a split point is shortened (`RegionSplitRestriction`, and the two older policies).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Restriction {
    None,
    /// Only this many bytes are kept.
    Prefix(usize),
    /// Only the part before the first delimiter is kept.
    Delimiter(Vec<u8>),
}

/// Sizes in bytes, times in milliseconds.
#[derive(Debug, Clone, PartialEq)]
pub struct HbaseSettings {
    pub flush_size: u64,
    /// A memstore with an edit older than this is flushed; 0 means never.
    pub flush_interval: u64,
    /// If there are several families, only those of at least this size are flushed (or of their equal share,
    /// if that is larger).
    pub family_flush_min: u64,
    pub max_file_size: u64,
    /// Every region gets its own maximum size, up to half of this share above or below.
    pub max_file_size_jitter: f64,
    /// For the policies that start with twice the flush size.
    pub initial_size: u64,
    pub policy: SplitPolicy,
    pub restriction: Restriction,
    /// Whether the families are counted together.
    pub overall_files: bool,
    /// No splits on a server with this many regions.
    pub region_split_limit: u64,
    pub min_files: usize,
    pub max_files: usize,
    pub ratio: f64,
    /// Below this size files are compacted regardless of the ratio.
    pub min_compact_size: u64,
    pub max_compact_size: u64,
    pub blocking_files: usize,
    /// 0 means never.
    pub major_period: u64,
    pub major_jitter: f64,
    /// How often stores are checked for a major compaction.
    pub major_check: u64,
    /// How often compacted files are removed. Until then a region that was split does not split again.
    pub discharge_interval: u64,
    /// The share of the heap that the memstores of a server may use before the largest is flushed.
    pub global_memstore: f64,
    pub block_size: u64,
}

/// HBase's defaults.
impl Default for HbaseSettings {
    fn default() -> Self {
        SettingsReader { properties: &Properties::default(), errors: Vec::new() }.settings()
    }
}

impl HbaseSettings {
    /// Reads the settings from properties; settings that are not given keep HBase's defaults.
    ///
    /// # Errors
    /// All values that HBase could not use, and split policies that are not emulated.
    pub fn read(properties: &Properties) -> Result<HbaseSettings, Diagnostics> {
        let mut reader = SettingsReader { properties, errors: Vec::new() };
        let settings = reader.settings();
        if reader.errors.is_empty() { Ok(settings) } else { Err(Diagnostics(reader.errors)) }
    }
}

struct SettingsReader<'a> {
    properties: &'a Properties,
    errors: Vec<Diagnostic>,
}

impl SettingsReader<'_> {
    fn settings(&mut self) -> HbaseSettings {
        let flush_size = self.whole(FLUSH_SIZE, 128 * MIB, 1);
        let old_min_files = self.whole("hbase.hstore.compactionThreshold", 3, 0);
        let wake = self.whole("hbase.server.thread.wakefrequency", 10_000, 1);
        let multiplier = self.whole("hbase.server.compactchecker.interval.multiplier", 1000, 1);
        let lower_limit = self.share("hbase.regionserver.global.memstore.size.lower.limit", 0.95);
        let (policy, restriction) = self.policy();
        HbaseSettings {
            flush_size,
            flush_interval: self.interval("hbase.regionserver.optionalcacheflushinterval", 3_600_000),
            family_flush_min: self.whole(
                "hbase.hregion.percolumnfamilyflush.size.lower.bound.min",
                16 * MIB,
                0,
            ),
            max_file_size: self.whole(MAX_FILE_SIZE, 10 << 30, 1),
            max_file_size_jitter: self.share("hbase.hregion.max.filesize.jitter", 0.25),
            initial_size: self.positive("hbase.increasing.policy.initial.size", flush_size.saturating_mul(2)),
            policy,
            restriction,
            overall_files: self.truth("hbase.hregion.split.overallfiles", false),
            region_split_limit: self.whole("hbase.regionserver.regionSplitLimit", 1000, 0),
            min_files: self.whole("hbase.hstore.compaction.min", old_min_files, 0).clamp(2, 10_000) as usize,
            max_files: self.whole("hbase.hstore.compaction.max", 10, 1).min(10_000) as usize,
            ratio: self.number("hbase.hstore.compaction.ratio", f64::from(1.2f32)),
            min_compact_size: self.whole("hbase.hstore.compaction.min.size", flush_size, 0),
            max_compact_size: self.whole("hbase.hstore.compaction.max.size", i64::MAX as u64, 1),
            blocking_files: self.whole("hbase.hstore.blockingStoreFiles", 16, 1).min(1_000_000) as usize,
            major_period: self.interval("hbase.hregion.majorcompaction", 604_800_000),
            major_jitter: self.number("hbase.hregion.majorcompaction.jitter", 0.5),
            major_check: wake.saturating_mul(multiplier),
            discharge_interval: self.whole("hbase.hfile.compaction.discharger.interval", 120_000, 1),
            global_memstore: self.share("hbase.regionserver.global.memstore.size", 0.4) * lower_limit,
            block_size: 64 << 10,
        }
    }

    fn policy(&mut self) -> (SplitPolicy, Restriction) {
        let Some(property) = self.properties.get(SPLIT_POLICY) else {
            return (SplitPolicy::Stepping, self.restriction());
        };
        let class = property.value.rsplit('.').next().unwrap_or_default();
        let increasing = SplitPolicy::IncreasingToUpperBound;
        match class {
            "SteppingSplitPolicy" => (SplitPolicy::Stepping, self.restriction()),
            "IncreasingToUpperBoundRegionSplitPolicy" => (increasing, self.restriction()),
            "ConstantSizeRegionSplitPolicy" => (SplitPolicy::ConstantSize, self.restriction()),
            "DisabledRegionSplitPolicy" => (SplitPolicy::Disabled, Restriction::None),
            "KeyPrefixRegionSplitPolicy" => {
                let name =
                    if self.properties.get(KEY_PREFIX).is_some() { KEY_PREFIX } else { OLD_KEY_PREFIX };
                (increasing, self.prefix(property, name, KEY_PREFIX))
            }
            "DelimitedKeyPrefixRegionSplitPolicy" => (increasing, self.delimiter(property, DELIMITER)),
            _ => {
                self.errors.push(property.error(SPLIT_POLICY, "this policy is not emulated").with_help(
                    "use Stepping, IncreasingToUpperBound, ConstantSize, KeyPrefix, DelimitedKeyPrefix or Disabled",
                ));
                (SplitPolicy::Stepping, Restriction::None)
            }
        }
    }

    fn restriction(&mut self) -> Restriction {
        let Some(property) = self.properties.get(RESTRICTION) else { return Restriction::None };
        match property.value.as_str() {
            "KeyPrefix" => self.prefix(property, RESTRICTION_PREFIX, RESTRICTION_PREFIX),
            "DelimitedKeyPrefix" => self.delimiter(property, RESTRICTION_DELIMITER),
            "None" => Restriction::None,
            _ => {
                self.errors.push(
                    property.error(RESTRICTION, "HBase knows `None`, `KeyPrefix` and `DelimitedKeyPrefix`"),
                );
                Restriction::None
            }
        }
    }

    /// If the length is missing, HBase splits without a prefix, and only logs that.
    fn prefix(&mut self, policy: &Property, name: &str, documented: &str) -> Restriction {
        if self.properties.get(name).is_none() {
            self.missing(policy, documented);
            return Restriction::None;
        }
        Restriction::Prefix(self.whole(name, 0, 1).min(1 << 15) as usize)
    }

    fn delimiter(&mut self, policy: &Property, name: &str) -> Restriction {
        match self.properties.get(name).filter(|property| !property.value.is_empty()) {
            Some(property) => Restriction::Delimiter(property.value.clone().into_bytes()),
            None => {
                self.missing(policy, name);
                Restriction::None
            }
        }
    }

    fn missing(&mut self, policy: &Property, name: &str) {
        let error = policy.error(SPLIT_POLICY, &format!("it needs `{name}`"));
        self.errors.push(
            error.with_help(format!("add the attribute of the table, such as `--hbase-conf {name}=…`")),
        );
    }

    fn parsed<T>(&mut self, name: &str, default: T, expected: &str, parse: impl Fn(&str) -> Option<T>) -> T {
        let Some(property) = self.properties.get(name) else { return default };
        parse(property.value.trim()).unwrap_or_else(|| {
            let help = if property.value.contains("${") { "write the value itself" } else { expected };
            self.errors.push(property.error(name, "HBase cannot use it").with_help(help));
            default
        })
    }

    fn whole(&mut self, name: &str, default: u64, least: u64) -> u64 {
        let expected = format!("expected a whole number of at least {least}, without a unit");
        self.parsed(name, default, &expected, |text| long(text).filter(|number| *number >= least))
    }

    /// Like `whole`; zero and negative numbers mean the default.
    fn positive(&mut self, name: &str, default: u64) -> u64 {
        self.parsed(name, default, "expected a whole number", |text| {
            text.parse::<i64>().ok().map(|number| if number > 0 { number as u64 } else { default })
        })
    }

    /// Zero and negative numbers mean never.
    fn interval(&mut self, name: &str, default: u64) -> u64 {
        self.parsed(name, default, "expected a whole number of milliseconds", |text| {
            text.parse::<i64>().ok().map(|number| number.max(0) as u64)
        })
    }

    fn number(&mut self, name: &str, default: f64) -> f64 {
        self.parsed(name, default, "expected a number of at least 0", |text| {
            text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)
        })
    }

    fn share(&mut self, name: &str, default: f64) -> f64 {
        self.parsed(name, default, "expected a number from 0 to 1", |text| {
            text.parse().ok().filter(|number| (0.0..=1.0).contains(number))
        })
    }

    fn truth(&mut self, name: &str, default: bool) -> bool {
        self.parsed(name, default, "expected `true` or `false`", |text| match text {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        })
    }
}

/// A number as `Configuration.getLong` parses it: decimal, or hexadecimal after `0x`.
fn long(text: &str) -> Option<u64> {
    let number = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.ok().and_then(|number| u64::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<HbaseSettings, Diagnostics> {
        let mut properties = Properties::default();
        for (name, value) in pairs {
            properties.set(name, value);
        }
        HbaseSettings::read(&properties)
    }

    #[test]
    fn defaults_follow_the_flush_size() {
        assert_eq!(read(&[]).unwrap(), HbaseSettings::default());
        let settings = read(&[(FLUSH_SIZE, "0x200000"), ("hbase.hstore.compactionThreshold", "5")]).unwrap();
        assert_eq!((settings.flush_size, settings.initial_size), (2 << 20, 4 << 20));
        assert_eq!((settings.min_compact_size, settings.min_files), (2 << 20, 5));
        let settings =
            read(&[("hbase.hstore.compactionThreshold", "5"), ("hbase.hstore.compaction.min", "1")]);
        assert_eq!(settings.unwrap().min_files, 2);
    }

    #[test]
    fn policies() {
        let policy = |name| read(&[(SPLIT_POLICY, name)]).map(|settings| settings.policy);
        let class = "org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy";
        assert_eq!(policy(class).unwrap(), SplitPolicy::ConstantSize);
        assert_eq!(policy("DisabledRegionSplitPolicy").unwrap(), SplitPolicy::Disabled);
        assert!(policy("BusyRegionSplitPolicy").unwrap_err().to_string().contains("not emulated"));
        assert!(policy("KeyPrefixRegionSplitPolicy").unwrap_err().to_string().contains(KEY_PREFIX));
        let settings = read(&[(SPLIT_POLICY, "KeyPrefixRegionSplitPolicy"), (OLD_KEY_PREFIX, "3")]).unwrap();
        assert_eq!(settings.restriction, Restriction::Prefix(3));
        let settings = read(&[(RESTRICTION, "DelimitedKeyPrefix"), (RESTRICTION_DELIMITER, "_")]).unwrap();
        assert_eq!(settings.restriction, Restriction::Delimiter(b"_".to_vec()));
    }

    #[test]
    fn all_faults_are_reported_together() {
        let faults =
            read(&[(FLUSH_SIZE, "128m"), (MAX_FILE_SIZE, "-1"), ("hbase.hstore.compaction.ratio", "x")]);
        let text = faults.unwrap_err().to_string();
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(text.contains("without a unit"), "{text}");
    }
}
