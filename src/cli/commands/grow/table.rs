//! The growing table: the schema's families and split keys, with HBase settings.

use super::GrowthArgs;
use crate::cli::{Failure, Reporter};
use saltplan_core::schema::model::{AttributeValue, Family, Schema};
use saltplan_document::diag::{Diagnostic, Source};
use saltplan_simulate::grow::{ColumnShape, FamilyShape, GrowingTable, HbaseSettings, Properties};

/// The maximum size of an hbase-site.xml in bytes.
const MAX_SITE_BYTES: u64 = 1 << 20;

/// The table of a schema with the settings of the arguments.
pub fn table(
    described: &saltplan_core::Table,
    args: &GrowthArgs,
    reporter: &Reporter,
) -> Result<GrowingTable, Failure> {
    let schema = described.schema();
    let mut settings = HbaseSettings::read(&properties(args, reporter)?)?;
    if let Some(block) = block_size(schema) {
        settings.block_size = block;
    }
    let compressed = schema.hbase.families.iter().find(|family| is_compressed(family));
    if let (Some(family), None) = (compressed, args.disk_ratio) {
        reporter.remarks(&[Diagnostic::warning(format!(
            "family `{}` is compressed, but file sizes are computed without compression",
            family.name
        ))
        .with_help("give the ratio, for example `--disk-ratio 0.3`")]);
    }
    Ok(GrowingTable {
        settings,
        families: families(schema, args.value_size),
        split_keys: described.split_keys()?.unwrap_or_default().to_vec(),
        servers: args.servers as usize,
        heap: args.heap,
        ratio: args.disk_ratio.unwrap_or(1.0),
        seed: args.grow_seed,
    })
}

fn properties(args: &GrowthArgs, reporter: &Reporter) -> Result<Properties, Failure> {
    let mut properties = Properties::default();
    if let Some(path) = &args.hbase_site {
        let text = reporter.inputs.text(path, MAX_SITE_BYTES)?;
        properties.read_xml(&Source::new(path.display().to_string(), text))?;
    }
    for text in &args.hbase_conf {
        let Some((name, value)) = text.split_once('=').filter(|(name, _)| !name.trim().is_empty()) else {
            return Err(Diagnostic::error(format!("`{text}` is not of the form `NAME=VALUE`"))
                .with_help("write for example `--hbase-conf hbase.hregion.max.filesize=21474836480`")
                .into());
        };
        properties.set(name.trim(), value);
    }
    Ok(properties)
}

/// The families that contain columns; a table without columns gets one in its first family.
fn families(schema: &Schema, value: u64) -> Vec<FamilyShape> {
    let shape = |family: &Family| {
        let columns = schema.columns.iter().filter(|column| column.family == family.name);
        let columns = columns.map(|column| ColumnShape { qualifier: column.qualifier.len() as u64, value });
        FamilyShape { name: family.name.clone(), columns: columns.collect(), ttl: ttl(family) }
    };
    let mut families: Vec<FamilyShape> = schema.hbase.families.iter().map(shape).collect();
    if families.iter().all(|family| family.columns.is_empty()) {
        families.truncate(1);
        for family in &mut families {
            family.columns.push(ColumnShape { qualifier: 1, value });
        }
    }
    families.retain(|family| !family.columns.is_empty());
    families
}

fn is_compressed(family: &Family) -> bool {
    let is_some = |value: Option<&AttributeValue>| match value {
        Some(AttributeValue::Text(text)) => !text.eq_ignore_ascii_case("none"),
        _ => false,
    };
    is_some(family.attribute("COMPRESSION")) || is_some(family.attribute("DATA_BLOCK_ENCODING"))
}

/// The TTL of the family's cells in milliseconds.
fn ttl(family: &Family) -> Option<u64> {
    family.time_to_live().and_then(|seconds| u64::try_from(seconds).ok()).map(|seconds| seconds * 1000)
}

fn block_size(schema: &Schema) -> Option<u64> {
    let sizes = schema.hbase.families.iter().filter_map(|family| family.number("BLOCKSIZE"));
    sizes.filter_map(|size| u64::try_from(size).ok()).max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use saltplan_core::schema::load;
    use saltplan_document::diag::Source;

    /// The TTL and the block size of a table with one family.
    fn settings(attributes: &str) -> (Option<u64>, Option<u64>) {
        let text = format!(
            "saltplan: 1\nhbase: {{ table: t, families: {{ f: {{ {attributes} }} }} }}\nkey: {{ fields: [{{ name: id, type: string }}] }}\n"
        );
        let loaded = load(&Source::new("a.yaml", text)).expect("a schema");
        let families = &loaded.schema.hbase.families;
        (families.first().and_then(ttl), block_size(&loaded.schema))
    }

    #[test]
    fn attributes_in_all_their_forms() {
        let day = Some(86_400_000);
        for attributes in ["ttl: 86400", "ttl: '86400'", "TTL: 1 DAY", "ttl: 86400 SECONDS (1 DAY)"] {
            assert_eq!(settings(attributes), (day, None), "{attributes}");
        }
        for attributes in ["ttl: FOREVER", "ttl: 2147483647", ""] {
            assert_eq!(settings(attributes), (None, None), "{attributes}");
        }
        for attributes in ["blocksize: 32768", "BLOCK_SIZE: '32768'"] {
            assert_eq!(settings(attributes), (None, Some(32_768)), "{attributes}");
        }
    }
}
