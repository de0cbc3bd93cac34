//! One function per command.

pub mod audit;
pub mod build;
pub mod completions;
pub mod config;
pub mod diff;
pub mod drift;
pub mod init;
pub mod json_schema;
pub mod key;
pub mod load;
pub mod man;
pub mod reader;
pub mod reference;
pub mod report;
pub mod rewrite;
pub mod rule;
pub mod simulate;
pub mod splits;
pub mod templates;
pub mod verify;
pub mod writer;

use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::args::{DdlArgs, ExplainArgs, KeyForm, PlanArgs, PlanFormat, RefusalArgs, ScanArgs, ShapeChoice};
use super::failure::{Failure, Outcome, Refused, refused_elsewhere};
use super::input::{load_table, plan_predicate, plan_to_explain};
use super::inputs::name_of;
use super::key_lines::{read_all, read_splits};
use super::output::deliver;
use super::settings;
use super::statements;
use super::talk::Talk;
use saltplan_core::ddl as ddl_text;
use saltplan_core::diag::Diagnostic;
use saltplan_core::hive::query::{QueryOptions, QueryShape};
use saltplan_core::limits::Limits;
use saltplan_core::refusal::Refusal;
use saltplan_core::render::size::limited;
use saltplan_core::render::{parse_column_name, parse_table_name};
use saltplan_core::schema::model::HiveTableName;
use saltplan_core::{Accept, PlanOptions, Planned, Table};
use saltplan_project::live_reads::LiveReads;

pub fn plan(args: &PlanArgs, talk: &Talk) -> Result<Outcome, Failure> {
    if args.output_format == PlanFormat::Ranges {
        return ranges(args, talk);
    }
    let table = load_table(&args.schema, talk)?;
    let settings = settings::of_schema(&args.schema)?;
    let limits = settings::limits(args.widening, Some(args.budget), &settings);
    let plan_options = PlanOptions::default().accepting(accept(&args.refusal)).overwriting(!args.select);
    let plan_options = plan_options.with_max_widening(limits.max_widening());
    let planned = plan_predicate(&table, &args.predicate, plan_options, talk)?;
    let shape = match args.shape {
        ShapeChoice::Auto => None,
        ShapeChoice::UnionAll => Some(QueryShape::UnionAll),
        ShapeChoice::Isolated => Some(QueryShape::Isolated),
        ShapeChoice::Statements => Some(QueryShape::Statements),
        ShapeChoice::OneScan => Some(QueryShape::OneScan),
    };
    let mut options = QueryOptions::default();
    options.engine = settings::engine(args.engine, &table, &settings)?;
    options.shape = shape;
    options.guards = !args.no_guard;
    options.select_only = args.select;
    options.logical = args.logical;
    options.max_bytes = args.size.max_bytes;
    options.budget = limits.budget();
    options.header = if args.no_header { Vec::new() } else { planned.header(options.engine) };
    let templates = settings::templates(&args.templates, &settings, talk);
    let query = planned.query(&options, &templates)?;
    statements::check(&templates, talk);
    for warning in &query.warnings {
        talk.remarks(&[warning.into()]);
    }
    let text = match args.output_format {
        PlanFormat::Json => pretty(&query.to_json(planned.plan(), &talk.warnings())),
        PlanFormat::Sql | PlanFormat::Ranges => query.sql,
    };
    deliver(&text, &args.output, talk)
}

/// The ranges without a statement. They need no Hive table.
fn ranges(args: &PlanArgs, talk: &Talk) -> Result<Outcome, Failure> {
    if let Some(flag) = args.flag_of_statement() {
        let error = Diagnostic::error(format!("`{flag}` applies to a statement, but `ranges` prints none"));
        return Err(error.with_help(format!("remove `{flag}`, or print another output format")).into());
    }
    let table = load_table(&args.schema, talk)?;
    let limits = settings::limits(args.widening, Some(args.budget), &settings::of_schema(&args.schema)?);
    let options = PlanOptions::default().accepting(accept(&args.refusal));
    let options = options.with_max_widening(limits.max_widening());
    let planned = plan_predicate(&table, &args.predicate, options, talk)?;
    check_scans(&planned, limits)?;
    if let Some(warning) = planned.scan_warning() {
        talk.remarks(&[(&warning).into()]);
    }
    let text = pretty(&planned.ranges_json(&talk.warnings(), args.size.max_bytes)?);
    deliver(&limited(text, args.size.max_bytes)?, &args.output, talk)
}

/// A program makes one scan of each range.
fn check_scans(planned: &Planned<'_>, limits: Limits) -> Result<(), Failure> {
    let scans = planned.plan().branches.len();
    match limits.max_scans.filter(|limit| scans > *limit) {
        Some(limit) => Err(Refused {
            code: "too_many_scans",
            reason: format!("the plan has {scans} ranges, and `max_scans` allows {limit}"),
            help: format!(
                "narrow the predicate, merge ranges with `--max-branches {limit}`, or raise `max_scans`"
            ),
        }
        .into()),
        None => Ok(()),
    }
}

/// Full scans and empty plans are printed only on request: the former are expensive, the latter empty a
/// partition.
fn accept(args: &RefusalArgs) -> Accept {
    Accept::default().full_scan(args.allow_full_scan).empty(args.allow_empty)
}

pub fn explain(args: &ExplainArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let files = [Some(&args.schema.schema), args.regions.as_ref(), args.from_keys.as_ref()];
    talk.inputs.differ(files.into_iter().flatten().map(PathBuf::as_path))?;
    let table = load_table(&args.schema, talk)?;
    let settings = settings::of_schema(&args.schema)?;
    let flags = settings::flags(args.widening, Some(args.budget));
    let limits = flags.or(settings.limits());
    let planned = plan_to_explain(&table, &args.predicate, (flags, limits), talk)?;
    planned.check_known("an explanation shows the keys themselves")?;
    let mut options = QueryOptions::default();
    options.engine = settings::engine(args.engine, &table, &settings)?;
    let cost = planned.cost(&options);
    if let Some(cost) = &cost {
        flags.budget().check(cost)?;
        if let Err(refusal) = limits.budget().check(cost) {
            talk.remarks(&[refused_elsewhere(&refusal)]);
        }
    }
    let width = talk.text_width(&args.output);
    let live = match &args.regions {
        Some(dump) => Some(live_reads(&table, &planned, (dump, args.from_keys.as_deref()), talk)?),
        None => None,
    };
    let limits = (width, args.size.max_bytes);
    let text = args.output_format.text(&planned, cost.as_ref(), live.as_ref(), &talk.warnings(), limits)?;
    deliver(&limited(text, args.size.max_bytes)?, &args.output, talk)
}

fn live_reads(
    table: &Table,
    planned: &Planned<'_>,
    (path, sample): (&Path, Option<&Path>),
    talk: &Talk,
) -> Result<LiveReads, Failure> {
    let dump = read_splits(path, KeyForm::Text, &talk.inputs)?;
    drift::refuse_other_table(&table.schema().hbase.full_name(), &dump, &name_of(path))?;
    let sample = match sample {
        Some(sample) => read_all(sample, KeyForm::Text, &talk.inputs)?,
        None => Vec::new(),
    };
    let ranges = planned.plan().branches.iter().map(|branch| &branch.range);
    Ok(LiveReads::of(ranges, &dump, &sample))
}

fn pretty(json: &Json) -> String {
    saltplan_core::diag::json::pretty(json)
}

pub fn scan(args: &ScanArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let table = load_table(&args.schema, talk)?;
    let limits = settings::limits(args.widening, None, &settings::of_schema(&args.schema)?);
    let options = PlanOptions::default().accepting(accept(&args.refusal));
    let options = options.with_max_widening(limits.max_widening());
    let planned = plan_predicate(&table, &args.predicate, options, talk)?;
    if let Some(warning) = planned.scan_warning() {
        talk.remarks(&[(&warning).into()]);
    }
    let text = args.output_format.text(&planned, &talk.warnings(), args.size.max_bytes)?;
    deliver(&limited(text, args.size.max_bytes)?, &args.output, talk)
}

pub fn ddl(args: &DdlArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let table = load_table(&args.schema, talk)?;
    let templates = settings::templates(&args.templates, &settings::of_schema(&args.schema)?, talk);
    let mut schema = table.schema().clone();
    if args.with_jar {
        let mapping = schema.hive.as_mut().and_then(|hive| hive.mapping.as_mut());
        mapping.ok_or(Refusal::NoPart { part: "hive.mapping" })?.one_scan = true;
    }
    let parts = match args.only.is_empty() {
        true => ddl_text::parts_of(&schema),
        false => args.only.iter().map(|part| part.meaning()).collect(),
    };
    let split_keys = table.split_keys_of(&parts)?;
    let text = ddl_text::all(&schema, &parts, split_keys, args.if_not_exists, &templates)?;
    statements::check(&templates, talk);
    deliver(&text, &args.output, talk)
}

/// The name of a Hive table, as an argument.
fn hive_table(text: &str) -> Result<HiveTableName, Failure> {
    Ok(parse_table_name(text)?)
}

/// The name of a Hive column, as an argument.
fn hive_column(text: &str) -> Result<String, Failure> {
    Ok(parse_column_name(text)?)
}
