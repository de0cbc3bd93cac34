//! `simulate --grow`: how the files and the regions of a table grow.

use super::workload::{unusable, workload};
use crate::cli::args::{ExplainFormat, GrowArgs, SimulateArgs};
use crate::cli::commands::pretty;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::input::{LoadedSchema, load_schema};
use crate::cli::key_lines;
use crate::cli::output::{deliver, write_file};
use crate::cli::talk::Talk;
use saltplan_core::diag::{Diagnostic, Source};
use saltplan_core::key::range::to_string_binary;
use saltplan_core::schema::model::{Attribute, Family, Schema};
use saltplan_simulate::generator::Generator;
use saltplan_simulate::grow::{
    Arrivals, ColumnShape, FamilyShape, Growth, Properties, Settings, Slice, Table, grow, report,
};
use saltplan_simulate::picture::{self, Bar, Picture};
use saltplan_simulate::workload::Workload;

const DAY: f64 = 86_400.0;
const YEAR: f64 = 365.0 * DAY;
/// With fewer keys for a flush, its file has no shape.
const KEYS_PER_FLUSH: f64 = 4.0;
/// Most bytes of an hbase-site.xml.
const MAX_SITE_BYTES: u64 = 1 << 20;
/// All keys are kept in memory.
const MOST_KEYS: u64 = 10_000_000;

pub fn grow_table(args: &SimulateArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let schema = load_schema(&args.schema, talk)?;
    let slice = slice(&schema, args, talk)?;
    let table = table(&schema, &args.grow, talk)?;
    let arrivals = Arrivals::new([slice]);
    warn_of_few_keys(&table, &arrivals, talk);
    let growth = grow(&table, &arrivals);
    let name = schema.schema.hbase.full_name();
    if let Some(path) = &args.svg {
        write_file(path, &picture::svg(&drawing(&name, &table, &growth)), talk)?;
    }
    let text = match args.output_format {
        ExplainFormat::Text => report::to_text(&name, &table, &growth),
        ExplainFormat::Json => pretty(&report::to_json(&name, &table, &growth)),
    };
    deliver(&text, &args.output, talk)
}

/// The rows that come: real keys spread over the time, or keys of some of the rows that the workload makes.
fn slice(schema: &LoadedSchema, args: &SimulateArgs, talk: &Talk) -> Result<Slice, Failure> {
    let seconds = args.grow.grow.unwrap_or(YEAR);
    let puts = (args.grow.rows_per_day.unwrap_or(0) as f64 * seconds / DAY).round() as u64;
    if let Some(path) = &args.count.keys_from {
        let keys = key_lines::read_all(path, args.key_form, &talk.inputs)?;
        if keys.is_empty() {
            return Err(Diagnostic::error(format!("there are no row keys in {}", path.display())).into());
        }
        return Ok(Slice { seconds, puts, keys });
    }
    if args.count.keys > MOST_KEYS {
        return Err(Diagnostic::error(format!("growth takes {} keys at most", picture::grouped(MOST_KEYS)))
            .with_help("each key stands for as many rows as it takes; leave out `--keys`")
            .into());
    }
    let workload = Workload { rows: puts, ..workload(schema, &args.count, talk)? };
    let generator = Generator::new(&schema.schema, &workload).map_err(unusable)?;
    Slice::sampled(seconds, puts, args.count.keys, |row| generator.key(row)).map_err(unusable)
}

/// The table of a schema with the settings of the arguments.
fn table(schema: &LoadedSchema, args: &GrowArgs, talk: &Talk) -> Result<Table, Failure> {
    let mut settings = Settings::read(&properties(args, talk)?)?;
    if let Some(block) = block_size(&schema.schema) {
        settings.block_size = block;
    }
    let compressed = schema.schema.hbase.families.iter().find(|family| is_compressed(family));
    if let (Some(family), None) = (compressed, args.disk_ratio) {
        talk.remarks(&[Diagnostic::warning(format!(
            "family `{}` is compressed, but files are taken to be as large as their data",
            family.name
        ))
        .with_help("say how small it gets, for example `--disk-ratio 0.3`")]);
    }
    Ok(Table {
        settings,
        families: families(&schema.schema, args.value_size),
        split_keys: schema.split_keys()?.unwrap_or_default(),
        servers: args.servers as usize,
        heap: args.heap,
        ratio: args.disk_ratio.unwrap_or(1.0),
        seed: args.grow_seed,
    })
}

fn properties(args: &GrowArgs, talk: &Talk) -> Result<Properties, Failure> {
    let mut properties = Properties::default();
    if let Some(path) = &args.hbase_site {
        let text = talk.inputs.text(path, MAX_SITE_BYTES)?;
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

/// The families that hold columns; a table without columns gets one in its first family.
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
    let is_some = |value: Option<&Attribute>| match value {
        Some(Attribute::Text(text)) => !text.eq_ignore_ascii_case("none"),
        _ => false,
    };
    is_some(family.attribute("COMPRESSION")) || is_some(family.attribute("DATA_BLOCK_ENCODING"))
}

/// HBase takes the greatest `int` for ever.
const FOREVER: i64 = i32::MAX as i64;

/// Milliseconds that the cells of a family live.
fn ttl(family: &Family) -> Option<u64> {
    let seconds = match family.attribute("TTL")? {
        Attribute::Number(seconds) => *seconds,
        Attribute::Text(text) => text.parse().ok()?,
        Attribute::Bool(_) => return None,
    };
    let seconds = Some(seconds).filter(|seconds| (1..FOREVER).contains(seconds))?;
    u64::try_from(seconds).ok().map(|seconds| seconds * 1000)
}

fn block_size(schema: &Schema) -> Option<u64> {
    let sizes = schema.hbase.families.iter().filter_map(|family| match family.attribute("BLOCKSIZE")? {
        Attribute::Number(size) => u64::try_from(*size).ok().filter(|size| *size > 0),
        _ => None,
    });
    sizes.max()
}

/// Keys that are needed to show single flushes: a few for each memstore that fills up, and for each that gets too old.
fn keys_needed(table: &Table, arrivals: &Arrivals) -> f64 {
    let rows = arrivals.grain() * arrivals.len() as f64;
    let heap: u64 = table.families.iter().map(|family| family.heap_row(arrivals.key(0).len() as u64)).sum();
    let full = rows * heap as f64 / table.settings.flush_size as f64;
    let interval = table.settings.flush_interval;
    let old = if interval > 0 { arrivals.end() as f64 / interval as f64 } else { 0.0 };
    let regions = table.split_keys.len() as f64 + 1.0;
    (KEYS_PER_FLUSH * full.max(old * regions)).min(rows)
}

fn warn_of_few_keys(table: &Table, arrivals: &Arrivals, talk: &Talk) {
    let needed = keys_needed(table, arrivals);
    if (arrivals.len() as f64) < needed {
        talk.remarks(&[Diagnostic::warning(format!(
            "{} keys are few for this load: each stands for {} rows, so flushes and compactions are coarse",
            picture::grouped(arrivals.len() as u64),
            picture::compact(arrivals.grain()),
        ))
        .with_help(format!("give {} keys or more, or a shorter time", picture::compact(needed)))]);
    }
}

fn drawing(name: &str, table: &Table, growth: &Growth) -> Picture {
    let text = report::to_text(name, table, growth);
    let mut lines = text.lines();
    let title = lines.next().unwrap_or_default().to_string();
    let regions = growth.regions.iter().map(|region| Bar {
        start: to_string_binary(&region.start),
        value: (region.stored / f64::from(1 << 20)).round() as u64,
        salts: String::new(),
    });
    Picture {
        title,
        remarks: lines.take_while(|line| !line.is_empty()).map(str::to_string).collect(),
        unit: "MiB in files".into(),
        bars: regions.collect(),
        curves: Some(report::curves(growth)),
        ..Picture::default()
    }
}
