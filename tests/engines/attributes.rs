//! Compares `schema::attributes` with the real HBase shell: after the printed `create`, `describe` shows every
//! value that saltplan accepts; values that it refuses are refused by HBase or change their meaning there.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};
use saltplan_core::schema::attributes::{
    AllowedValues, AttributesOf, KnownAttribute, PREFIX_LENGTH, known_attributes,
};
use saltplan_core::schema::load;
use saltplan_core::schema::model::AttributeValue;
use saltplan_document::diag::{Severity, Source};

use crate::engine::Engines;
use crate::saltplan;

const TABLE: &str = "saltplan_attributes";

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    let trial = |name: &str, run: fn(&Lab) -> Result<()>| {
        let lab = Lab { root: root.to_owned(), engines: engines.clone() };
        Trial::test(format!("attributes::{name}"), move || {
            run(&lab).map_err(|error| Failed::from(format!("{error:#}")))
        })
    };
    vec![
        trial("taken", Lab::taken),
        trial("without_codecs", Lab::without_codecs),
        trial("refused", Lab::refused),
        trial("of_a_table", Lab::of_a_table),
    ]
}

/// Whether `describe` shows `NAME => 'value'`; attributes that it stores as metadata have quotes around the
/// name.
fn shows(described: &str, attribute: &str) -> bool {
    described.contains(attribute) || described.contains(&format!("'{}", attribute.replacen(" =>", "' =>", 1)))
}

struct Lab {
    root: PathBuf,
    engines: Engines,
}

/// The attributes of a family as written in a schema, and what `describe` must show.
struct Sample {
    attributes: String,
    shown: String,
}

impl Sample {
    fn new(known: &KnownAttribute, value: &str, shown: &str) -> Self {
        let name = known.name();
        let beside = beside(known, value);
        let attributes = format!("{name}: {value}{beside}");
        Sample { attributes, shown: format!("{} => '{shown}", known.constant) }
    }
}

/// Other attributes that a value requires.
fn beside(known: &KnownAttribute, value: &str) -> String {
    let length = format!(", {PREFIX_LENGTH}: 4");
    match known.constant {
        "MIN_VERSIONS" if value.trim_matches('\'') != "0" => format!(", versions: {value}"),
        "BLOOMFILTER" if value.to_uppercase().contains("ROWPREFIX") => length,
        PREFIX_LENGTH => ", bloom_filter: ROWPREFIX_FIXED_LENGTH".into(),
        _ => String::new(),
    }
}

/// Every form of value that saltplan accepts for an attribute of HBase 2.4.
fn samples(known: &'static KnownAttribute) -> Vec<Sample> {
    let sample = |value: &str, shown: &str| Sample::new(known, value, shown);
    match &known.values {
        AllowedValues::Flag => {
            vec![
                sample("true", "true'"),
                sample("false", "false'"),
                sample("'TRUE'", "true'"),
                sample("'False'", "false'"),
            ]
        }
        AllowedValues::Number(least, most) | AllowedValues::Bytes(least, most) => [*least, *most]
            .iter()
            .flat_map(|n| {
                [sample(&n.to_string(), &format!("{n}'")), sample(&format!("'{n}'"), &format!("{n}'"))]
            })
            .collect(),
        AllowedValues::Time => TIMES.iter().map(|(value, shown)| sample(value, shown)).collect(),
        AllowedValues::Words(words) => {
            let old = words.list.iter().filter(|word| word.since.is_none());
            let forms = old.flat_map(|word| {
                let lower = word.text.to_lowercase();
                let upper = sample(&format!("'{}'", word.text), &format!("{}'", word.text));
                let lower = words.any_case.then(|| sample(&format!("'{lower}'"), &format!("{}'", word.text)));
                [Some(upper), lower]
            });
            forms.flatten().collect()
        }
        // The key of a cipher needs a key store: see `refused`.
        AllowedValues::Text => Vec::new(),
    }
}

const TIMES: [(&str, &str); 12] = [
    ("1", "1 SECOND"),
    ("'90'", "90 SECONDS"),
    ("'+90'", "90 SECONDS"),
    ("'007'", "7 SECONDS"),
    ("2147483647", "FOREVER'"),
    ("forever", "FOREVER'"),
    ("90 DAYS", "7776000 SECONDS (90 DAYS)'"),
    ("1 Day", "86400 SECONDS"),
    ("90DAYS", "7776000 SECONDS"),
    ("1DAY2HOURS", "93600 SECONDS"),
    ("1 DAY 3 MINUTES 2 SECONDS", "86582 SECONDS"),
    ("86400 SECONDS (1 DAY)", "86400 SECONDS"),
];

/// Attributes whose values need libraries or keys that are not installed here: the master checks them when it
/// creates a table.
fn needs_more(known: &KnownAttribute, sample: &Sample) -> bool {
    let is_compression = known.constant.starts_with("COMPRESSION");
    let at_hand = ["'NONE'", "'GZ'"].iter().any(|word| sample.shown.ends_with(&word[..]));
    known.constant == "ENCRYPTION" || is_compression && !at_hand
}

fn all_samples(needing_more: bool) -> Vec<Sample> {
    let old = known_attributes(AttributesOf::Family).iter().filter(|known| known.since.is_none());
    let all = old.flat_map(|known| samples(known).into_iter().map(move |sample| (known, sample)));
    all.filter(|(known, sample)| needs_more(known, sample) == needing_more)
        .map(|(_, sample)| sample)
        .collect()
}

/// A value of each attribute of a table that is not its default.
const OF_A_TABLE: [(&str, &str); 15] = [
    ("MAX_FILESIZE", "10737418240"),
    ("SPLIT_POLICY", "org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy"),
    ("SPLIT_ENABLED", "false"),
    ("MERGE_ENABLED", "false"),
    ("COMPACTION_ENABLED", "false"),
    ("READONLY", "true"),
    ("DURABILITY", "ASYNC_WAL"),
    ("MEMSTORE_FLUSHSIZE", "67108864"),
    ("FLUSH_POLICY", "org.apache.hadoop.hbase.regionserver.FlushAllLargeStoresPolicy"),
    ("REGION_REPLICATION", "2"),
    ("REGION_MEMSTORE_REPLICATION", "false"),
    ("PRIORITY", "10"),
    ("NORMALIZATION_ENABLED", "true"),
    ("NORMALIZER_TARGET_REGION_COUNT", "4"),
    ("NORMALIZER_TARGET_REGION_SIZE", "1024"),
];

/// Values that saltplan refuses, and the same for the shell.
const REFUSED_OF_A_TABLE: [(&str, &str); 5] = [
    ("max_file_size: 1048576", "MAX_FILESIZE => 1048576"),
    ("memstore_flush_size: 1024", "MEMSTORE_FLUSHSIZE => 1024"),
    ("durability: sync_wal", "DURABILITY => 'sync_wal'"),
    ("region_replication: 0", "REGION_REPLICATION => 0"),
    ("max_file_size: 10GB", "MAX_FILESIZE => '10GB'"),
];

impl Lab {
    fn taken(&self) -> Result<()> {
        let samples = all_samples(false);
        ensure!(samples.len() > 80, "only {} samples", samples.len());
        // A schema has at most 64 families.
        for samples in samples.chunks(60) {
            let create = self.create(samples)?;
            self.engines.client("drop", TABLE)?;
            self.engines.shell(&create)?;
            self.check(samples)?;
        }
        self.engines.client("drop", TABLE)?;
        Ok(())
    }

    /// The shell sets every attribute of the table as the schema has it, `init` reads the same attributes from `describe`, and the master
    /// refuses what saltplan refuses.
    fn of_a_table(&self) -> Result<()> {
        let known: Vec<&str> =
            known_attributes(AttributesOf::Table).iter().map(|known| known.constant).collect();
        let sampled: Vec<&str> = OF_A_TABLE.iter().map(|(constant, ..)| *constant).collect();
        ensure!(sampled == known, "samples of {sampled:?}, attributes {known:?}");
        let attributes: Vec<String> = known_attributes(AttributesOf::Table)
            .iter()
            .zip(OF_A_TABLE)
            .map(|(known, (_, value))| format!("{}: {value}", known.name()))
            .collect();
        let written = format!(
            "  attributes: {{ {}, hbase.hregion.majorcompaction: '0' }}\n  metadata: {{ owner: \"it's \\\\ data\" }}\n",
            attributes.join(", ")
        );
        let families = "  families:\n    f: { versions: 1 }\n";
        let text = schema(&[]).replace("  families:\n", &format!("{written}{families}"));
        let folder = self.root.join("target/engine-attributes");
        fs::create_dir_all(&folder)?;
        let path = folder.join("table.yaml");
        fs::write(&path, &text)?;
        self.engines.client("drop", TABLE)?;
        self.engines.shell(&saltplan::run(
            &self.root,
            &["ddl", &path.to_string_lossy(), "--only", "hbase"],
            "",
        )?)?;
        let described = self.engines.shell(&format!("describe '{TABLE}'\n"))?;
        self.engines.client("drop", TABLE)?;
        let dump = folder.join("described.txt");
        fs::write(&dump, &described)?;
        let read = saltplan::run(
            &self.root,
            &["init", "--from-describe", &dump.to_string_lossy(), "--field", "id:string"],
            "",
        )?;
        let of =
            |text: &str| load(&Source::new("table.yaml", text.to_string())).map(|loaded| loaded.schema.hbase);
        let (Ok(wanted), Ok(found)) = (of(&text), of(&read)) else {
            anyhow::bail!("a schema is refused:\n{text}\n{read}")
        };
        for (constant, _) in OF_A_TABLE {
            let [wanted, found] =
                [&wanted, &found].map(|table| table.attribute(constant).map(AttributeValue::text));
            ensure!(wanted == found, "{constant}: {found:?} instead of {wanted:?}\n{described}\n{read}");
        }
        ensure!(wanted.metadata == found.metadata, "{:?}\n{described}\n{read}", found.metadata);
        ensure!(found.attribute("hbase.hregion.majorcompaction").is_some(), "{described}\n{read}");
        for (yaml, ruby) in REFUSED_OF_A_TABLE {
            let faulty = text.replace(&written, &format!("  attributes: {{ {yaml} }}\n"));
            ensure!(of(&faulty).is_err(), "saltplan takes {yaml}");
            let printed = self.try_create(&format!("}}, {{{ruby}"))?;
            ensure!(printed.contains("saltplan: refused"), "HBase takes {ruby}:\n{printed}");
        }
        Ok(())
    }

    /// Families of a disabled table: it is not opened, so codecs may be missing. The shell still parses the
    /// attributes.
    fn without_codecs(&self) -> Result<()> {
        let samples = all_samples(true);
        ensure!(samples.len() >= 20, "only {} samples", samples.len());
        let create = self.create(&samples)?;
        let families: Vec<&str> =
            create.lines().filter(|line| line.trim_start().starts_with("{NAME =>")).collect();
        ensure!(families.len() == samples.len(), "{} families in\n{create}", families.len());
        self.engines.client("drop", TABLE)?;
        self.engines.shell(&format!(
            "create '{TABLE}', 'x'\ndisable '{TABLE}'\nalter '{TABLE}', METADATA => {{'hbase.table.sanity.checks' => 'false'}}\n"
        ))?;
        for family in families {
            self.engines.shell(&format!("alter '{TABLE}', {}\n", family.trim().trim_end_matches(',')))?;
        }
        self.check(&samples)?;
        self.engines.client("drop", TABLE)?;
        Ok(())
    }

    fn check(&self, samples: &[Sample]) -> Result<()> {
        let described = self.engines.shell(&format!("describe '{TABLE}'\n"))?;
        for (index, sample) in samples.iter().enumerate() {
            let head = format!("{{NAME => 'f{index}',");
            let family = described.lines().find(|line| line.starts_with(&head));
            let family = family.with_context(|| format!("no family f{index} in:\n{described}"))?;
            ensure!(
                shows(family, &sample.shown),
                "{}: no `{}` in\n{family}",
                sample.attributes,
                sample.shown
            );
        }
        Ok(())
    }

    /// The printed `create` of a table with a family for each sample.
    fn create(&self, samples: &[Sample]) -> Result<String> {
        let families: Vec<String> = samples.iter().map(|sample| sample.attributes.clone()).collect();
        let folder = self.root.join("target/engine-attributes");
        fs::create_dir_all(&folder)?;
        let path = folder.join("schema.yaml");
        fs::write(&path, schema(&families))?;
        saltplan::run(&self.root, &["ddl", &path.to_string_lossy(), "--only", "hbase"], "")
    }

    fn refused(&self) -> Result<()> {
        let faults = faults();
        ensure!(faults.len() > 80, "only {} faults", faults.len());
        self.engines.client("drop", TABLE)?;
        let mut taken = Vec::new();
        for fault in &faults {
            let said = severity(&fault.yaml);
            ensure!(said == fault.severity, "saltplan says {said} of `{}`", fault.yaml);
            let printed = self.try_create(&fault.ruby)?;
            let as_expected = match &fault.outcome {
                Outcome::Refused(reason) => printed.contains("saltplan: refused") && printed.contains(reason),
                Outcome::Shown(text) => printed.contains("saltplan: made") && shows(&printed, text),
            };
            if !as_expected {
                taken.push(format!("{} ({}):\n{printed}", fault.yaml, fault.ruby));
            }
        }
        ensure!(taken.is_empty(), "{} of {} differ:\n{}", taken.len(), faults.len(), taken.join("\n"));
        Ok(())
    }

    /// The shell's response to a family, and its `describe` if the family is created.
    fn try_create(&self, members: &str) -> Result<String> {
        self.engines.shell(&format!(
            "begin; create '{TABLE}', {{NAME => 'f', {members}}}; puts 'saltplan: made'; describe '{TABLE}'; rescue Exception => e; puts 'saltplan: refused ' + e.message; end\n\
             begin; disable '{TABLE}'; drop '{TABLE}'; end if exists('{TABLE}')\n"
        ))
    }
}

/// A value that saltplan refuses or warns about, and what HBase does with it.
struct Fault {
    /// As written in a schema.
    yaml: String,
    /// As written in the shell.
    ruby: String,
    severity: Severity,
    outcome: Outcome,
}

enum Outcome {
    /// HBase refuses it, with this text in the message.
    Refused(&'static str),
    /// In `describe`, or in the shell's output.
    Shown(String),
}

fn faults() -> Vec<Fault> {
    let old = known_attributes(AttributesOf::Family).iter().filter(|known| known.since.is_none());
    let mut faults: Vec<Fault> = old.flat_map(faults_of).collect();
    faults.extend(new_attributes());
    faults.extend(together());
    faults
}

fn faults_of(known: &'static KnownAttribute) -> Vec<Fault> {
    let name = known.name();
    let fault = |value: &str, outcome: Outcome| {
        let ruby = match known.constant {
            PREFIX_LENGTH => format!(
                "BLOOMFILTER => 'ROWPREFIX_FIXED_LENGTH', CONFIGURATION => {{'{PREFIX_LENGTH}' => {}}}",
                if value.starts_with('\'') { value.to_string() } else { format!("'{value}'") }
            ),
            constant => format!("{constant} => {value}"),
        };
        Fault { yaml: format!("{name}: {value}"), ruby, severity: Severity::Error, outcome }
    };
    let refused = |value: &str| fault(value, Outcome::Refused(""));
    match &known.values {
        AllowedValues::Flag => {
            let shown = |value: &str| fault(value, Outcome::Shown(format!("{} => 'false'", known.constant)));
            vec![shown("'maybe'"), shown("'yes'"), refused("1")]
        }
        AllowedValues::Number(least, most) | AllowedValues::Bytes(least, most) => {
            let mut faults = vec![
                refused("'many'"),
                refused("true"),
                refused("'64k'"),
                refused("'0x800'"),
                refused("' 2048'"),
            ];
            let outside = [least.checked_sub(1), most.checked_add(1)];
            faults.extend(outside.into_iter().flatten().map(|number| refused(&number.to_string())));
            faults
        }
        AllowedValues::Time => NO_TIMES.iter().map(|value| refused(value)).collect(),
        AllowedValues::Words(words) => {
            let mut faults = vec![refused("1")];
            if words.list.iter().all(|word| word.text != "TRUE") {
                faults.push(refused("true"));
            }
            match (words.unknown, known.constant) {
                // HBase accepts any word, and so does saltplan, with a warning.
                (Some(_), "STORAGE_POLICY") => faults.push(Fault {
                    severity: Severity::Warning,
                    ..fault("'NOSUCH'", Outcome::Shown("STORAGE_POLICY => 'NOSUCH'".into()))
                }),
                // The key store is looked up first, and there is none here.
                (Some(_), _) => {}
                (None, _) => faults.push(refused("'NOSUCH'")),
            }
            if !words.any_case {
                faults.extend(
                    words.list.iter().map(|word| refused(&format!("'{}'", word.text.to_lowercase()))),
                );
            }
            faults
        }
        AllowedValues::Text => Vec::new(),
    }
}

const NO_TIMES: [&str; 13] = [
    "'90d'",
    "0",
    "-1",
    "'x'",
    "' 90 '",
    "'1 DAY 2'",
    "'2 HOURS 1 DAY'",
    "'1 HOUR,30 MINUTES'",
    "'86400 SECONDS (2 DAYS)'",
    "3000000000",
    "'24856 DAYS'",
    "'1 MONTH'",
    "true",
];

/// Attributes of later versions: the 2.4 shell refuses the words and ignores the attributes. saltplan accepts
/// both.
fn new_attributes() -> Vec<Fault> {
    let mut faults = Vec::new();
    for known in known_attributes(AttributesOf::Family).iter().filter(|known| known.since.is_some()) {
        let said = format!("Unknown argument ignored for column family f: {}", known.constant);
        faults.push(Fault {
            yaml: format!("{}: GZ", known.name()),
            ruby: format!("'{}' => 'GZ'", known.constant),
            severity: Severity::Note,
            outcome: Outcome::Shown(said),
        });
    }
    for known in known_attributes(AttributesOf::Family).iter().filter(|known| known.since.is_none()) {
        let AllowedValues::Words(words) = &known.values else { continue };
        for word in words.list.iter().filter(|word| word.since.is_some()) {
            faults.push(Fault {
                yaml: format!("{}: {}", known.name(), word.text),
                ruby: format!("{} => '{}'", known.constant, word.text),
                severity: Severity::Note,
                outcome: Outcome::Refused("is not supported"),
            });
        }
    }
    faults
}

fn together() -> Vec<Fault> {
    let fault = |yaml: &str, ruby: &str, severity, outcome| Fault {
        yaml: yaml.into(),
        ruby: ruby.into(),
        severity,
        outcome,
    };
    let ignored = "Unknown argument ignored for column family f: ENCRYPTION_KEY".to_string();
    vec![
        fault(
            "versions: 2, min_versions: 5",
            "VERSIONS => 2, MIN_VERSIONS => 5",
            Severity::Error,
            Outcome::Refused("less than the Max versions"),
        ),
        fault(
            "min_versions: 2",
            "MIN_VERSIONS => 2",
            Severity::Error,
            Outcome::Refused("less than the Max versions"),
        ),
        fault(
            "bloom_filter: ROWPREFIX_FIXED_LENGTH",
            "BLOOMFILTER => 'ROWPREFIX_FIXED_LENGTH'",
            Severity::Error,
            Outcome::Refused("bloom filter param"),
        ),
        fault(
            "encryption_key: secret",
            "ENCRYPTION_KEY => 'secret'",
            Severity::Warning,
            Outcome::Shown(ignored),
        ),
        // Both are known: the shell continues and looks for the key store.
        fault(
            "encryption: AES, encryption_key: secret",
            "ENCRYPTION => 'AES', ENCRYPTION_KEY => 'secret'",
            Severity::Note,
            Outcome::Refused("KeyProvider"),
        ),
    ]
}

fn schema(families: &[String]) -> String {
    let families: String = families
        .iter()
        .enumerate()
        .map(|(index, attributes)| format!("    f{index}: {{ {attributes} }}\n"))
        .collect();
    format!(
        "saltplan: 1\nhbase:\n  table: '{TABLE}'\n  families:\n{families}key:\n  fields: [{{ name: id, type: string }}]\n"
    )
}

/// The most severe message of saltplan about a family; notes do not count.
fn severity(attributes: &str) -> Severity {
    let source = Source::new("schema.yaml", schema(&[attributes.to_string()]));
    let said = match load(&source) {
        Ok(loaded) => loaded.warnings,
        Err(errors) => errors.0,
    };
    said.iter().map(|diagnostic| diagnostic.severity).max().unwrap_or(Severity::Note)
}
