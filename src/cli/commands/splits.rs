//! `splits`: prints the split keys of a schema, or those that follow from real keys.

use std::path::Path;

use super::{hive_column, hive_table};
use crate::cli::args::{SchemaArgs, SplitsArgs};
use crate::cli::failure::{Failure, Outcome, Refused};
use crate::cli::input::load_table;
use crate::cli::inputs::name_of;
use crate::cli::key_lines;
use crate::cli::output::deliver;
use crate::cli::settings;
use crate::cli::statements;
use crate::cli::talk::Talk;
use saltplan_core::Table;
use saltplan_core::diag::Diagnostic;
use saltplan_core::hive;
use saltplan_core::hive::splits::SplitQuery;
use saltplan_core::region::{self, SplitInputs};
use saltplan_core::schema::model::{Regions, Sampled};

pub fn splits(args: &SplitsArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let table = args.schema.as_ref().map(|_| load_table(&schema_args(args), talk)).transpose()?;
    if args.emit_sql {
        let sql = query(args, table.as_ref(), talk)?;
        return deliver(&sql, &args.output, talk);
    }
    let keys = match (&args.from_keys, &args.from_splits, &table) {
        (Some(path), _, _) => quantiles(path, args, table.as_ref(), talk)?,
        (_, Some(path), _) => given(path, args, talk)?,
        (_, _, Some(table)) => keys_of(table)?.to_vec(),
        (None, None, None) => return Err(missing_input().into()),
    };
    deliver(&args.output_format.text(&keys), &args.output, talk)
}

fn schema_args(args: &SplitsArgs) -> SchemaArgs {
    SchemaArgs {
        schema: args.schema.clone().unwrap_or_default(),
        stdin_filename: args.stdin_filename.clone(),
    }
}

fn missing_input() -> Diagnostic {
    Diagnostic::error("a schema or row keys are missing")
        .with_help("pass a schema, or row keys with `--from-keys FILE --regions N`")
}

fn keys_of(table: &Table) -> Result<&[Vec<u8>], Failure> {
    table.split_keys()?.ok_or_else(|| {
        Refused {
            code: "no_regions",
            reason: "the schema does not say how the table is split".into(),
            help:
                "add `regions:`, such as `regions: { per_salt: {} }`, or use `--from-keys FILE --regions N`"
                    .into(),
        }
        .into()
    })
}

/// The requested number of regions, or the number in the schema.
fn regions(args: &SplitsArgs, table: Option<&Table>) -> Result<u32, Failure> {
    if let Some(regions) = args.regions {
        return Ok(regions);
    }
    let declared = match table.map(|table| &table.schema().regions) {
        // The file with its keys may not exist yet: this command creates it.
        Some(Some(Regions::Sampled(sampled))) => Some(sampled.regions),
        _ => None,
    };
    match (declared, table) {
        (Some(regions), _) => Ok(regions),
        (None, Some(table)) if table.schema().regions.is_some() => {
            Ok(u32::try_from(keys_of(table)?.len()).unwrap_or(u32::MAX).saturating_add(1))
        }
        _ => Err(Diagnostic::error("the number of regions is missing").with_help("add `--regions N`").into()),
    }
}

fn quantiles(
    path: &Path,
    args: &SplitsArgs,
    table: Option<&Table>,
    talk: &Talk,
) -> Result<Vec<Vec<u8>>, Failure> {
    let regions = regions(args, table)?;
    let sample = key_lines::read_all(path, args.key_form, &talk.inputs)?;
    let form = Regions::Sampled(Sampled { keys: String::new(), regions });
    let keys = region::split_keys(&form, SplitInputs { sample: &sample, ..SplitInputs::default() })
        .map_err(|error| Diagnostic::error(format!("{}: {error}", name_of(path))))?;
    if keys.len() + 1 < regions as usize {
        talk.warning(format!(
            "{} different keys are too few for {regions} regions; the result has {}",
            sample.len(),
            keys.len() + 1
        ));
    }
    Ok(keys)
}

/// Existing split keys, in byte order.
fn given(path: &Path, args: &SplitsArgs, talk: &Talk) -> Result<Vec<Vec<u8>>, Failure> {
    let found = key_lines::read_splits(path, args.key_form, &talk.inputs)?;
    let keys: Vec<Vec<u8>> = found.split_keys().map(<[u8]>::to_vec).collect();
    if keys.is_empty() {
        let error =
            Diagnostic::error(format!("{}: the table has one region, so no split keys", name_of(path)));
        return Err(error.with_help("pass the dump of a split table").into());
    }
    Ok(keys)
}

fn query(args: &SplitsArgs, table: Option<&Table>, talk: &Talk) -> Result<String, Failure> {
    let table = table.ok_or_else(|| {
        Diagnostic::error("`--emit-sql` needs a schema")
            .with_help("pass the schema whose mapping table has the keys")
    })?;
    let from = args.from.as_deref().map(hive_table).transpose()?;
    let key_column = args.key_column.as_deref().map(hive_column).transpose()?;
    let query = SplitQuery {
        regions: regions(args, Some(table))?,
        one_in: args.one_in,
        table: from,
        key_column: key_column.as_deref(),
    };
    let settings = args.schema.as_deref().map(settings::of_file).transpose()?.unwrap_or_default();
    let templates = settings::templates(&args.templates, &settings, talk);
    let sql = hive::splits::render(table.schema(), &query, &templates)?;
    statements::check(&templates, talk);
    Ok(sql)
}
