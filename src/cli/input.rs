//! Reads schemas, predicates and parameters from arguments, files and standard input.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;

use super::args::{ParameterArgs, PredicateArgs, RuntimeArgs, SchemaArgs};
use super::failure::Failure;
use super::git::GitPath;
use super::inputs::{is_dash, name_of};
use super::reporter::Reporter;
use saltplan_core::Table;
use saltplan_core::analyze::Analysis;
use saltplan_core::files::named::Folder;
use saltplan_core::plans::MaxWidening;
use saltplan_core::schema;
use saltplan_core::{PlanOptions, Planned};
use saltplan_document::diag::{Diagnostic, Diagnostics, Source};
use saltplan_document::files::bounds::check_named;
use saltplan_document::files::without_mark;
use saltplan_lint::walk::{SchemaFile, is_foreign, is_foreign_file};
use saltplan_sql::MAX_PREDICATE_BYTES;
use saltplan_sql::time::as_local_time;
use saltplan_sql::{
    BlankAtEnd, Parameter, Parameters, Runtime, RuntimeFault, has_blank_at_end, is_parameter_name,
    json_parameters, values_of_lines,
};

/// The maximum size of a file with values of parameters, in bytes.
const MAX_LIST_BYTES: u64 = 16 << 20;

/// The table of a schema, which is given by a path, by `git:REF:path`, or by `-` for standard input. Its
/// warnings are not reported here.
pub fn load_version(argument: &str, reporter: &Reporter) -> Result<Table, Failure> {
    if let Some(path) = GitPath::parse(argument) {
        let path = path?;
        let source = schema::source_from_bytes(argument, path.read(schema::MAX_BYTES as u64)?)?;
        return Ok(Table::read(&source, path)?);
    }
    load(&SchemaArgs::file(argument), reporter)
}

/// The table of one of many files; `None` if the file is not a schema.
pub fn load_of_many(file: &Located, reporter: &Reporter) -> Result<Option<Table>, Failure> {
    let table = match file {
        Located::Git(path) => {
            let name = format!("git:{}:{}", path.reference, path.path);
            let source = schema::source_from_bytes(&name, path.read(schema::MAX_BYTES as u64)?)?;
            if is_foreign(&source) {
                return Ok(None);
            }
            Table::read(&source, path.clone())?
        }
        Located::Here(file) => {
            let path = &file.path;
            let source = match file.read() {
                Err(_) if is_foreign_file(path) => return Ok(None),
                source => source?,
            };
            if is_foreign(&source) {
                return Ok(None);
            }
            reporter.inputs.add(path);
            Table::read(&source, Folder::of(path))?
        }
    };
    table.sample_path().into_iter().for_each(|path| reporter.inputs.add(path));
    Ok(Some(table))
}

/// A file in a folder.
#[derive(Debug)]
pub enum Located {
    Here(SchemaFile),
    Git(GitPath),
}

impl SchemaArgs {
    /// A schema file that another argument names.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        SchemaArgs { schema: path.into(), stdin_filename: "<stdin>".into() }
    }

    pub fn load(&self, reporter: &Reporter) -> Result<Table, Failure> {
        let table = load(self, reporter)?;
        reporter.remarks(table.warnings());
        Ok(table)
    }
}

fn load(args: &SchemaArgs, reporter: &Reporter) -> Result<Table, Failure> {
    let (source, named) = if is_dash(&args.schema) {
        let source = schema::source_from_bytes(&args.stdin_filename, schema_of_standard_input(reporter)?)?;
        (source, Path::new(&args.stdin_filename))
    } else {
        let source = schema::read_file(&args.schema)?;
        reporter.inputs.add(&args.schema);
        (source, args.schema.as_path())
    };
    let table = Table::read(&source, Folder::of(named))?;
    if let Some(path) = table.sample_path() {
        reporter.inputs.add(path);
    }
    Ok(table)
}

/// The schema on standard input, or one byte more than allowed, so that a longer one is detected without reading
/// all of it.
pub fn schema_of_standard_input(reporter: &Reporter) -> Result<Vec<u8>, Failure> {
    Ok(read_limited(reporter.inputs.standard_input()?, schema::MAX_BYTES as u64 + 1)
        .context("cannot read the schema from standard input")?)
}

fn read_limited(reader: impl Read, limit: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Analyzes a predicate for a schema.
pub fn load_predicate(
    args: &PredicateArgs,
    runtime: &RuntimeArgs,
    table: &Table,
    reporter: &Reporter,
) -> Result<Analysis, Failure> {
    let source = predicate_source(&args.predicate, reporter)?;
    let parameters = parameters(&args.parameters, runtime, table, reporter)?;
    let analysis = table.analyze(&source, &parameters)?;
    reporter.remarks(&analysis.warnings);
    Ok(analysis)
}

fn predicate_source(argument: &str, reporter: &Reporter) -> Result<Arc<Source>, Failure> {
    let Some(path) = argument.strip_prefix('@') else { return Ok(Source::new("predicate", argument)) };
    let limit = MAX_PREDICATE_BYTES as u64 + 1;
    let (name, bytes) = if path == "-" {
        let bytes = read_limited(reporter.inputs.standard_input()?, limit)
            .context("cannot read the predicate from standard input")?;
        ("predicate", bytes)
    } else {
        // A pipe is allowed here: shells create one for `@<(…)`.
        let cannot = || format!("cannot read the predicate from {path}");
        check_named(Path::new(path))?;
        let file = File::open(path).with_context(cannot)?;
        reporter.inputs.add(Path::new(path));
        (path, read_limited(file, limit).with_context(cannot)?)
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        Diagnostic::error(format!("{name} is not UTF-8 text (byte {})", error.utf8_error().valid_up_to()))
            .with_help("save the predicate as UTF-8")
    })?;
    Ok(Source::new(name, without_mark(&text)))
}

/// The values that flags and files give.
pub fn parameters(
    args: &ParameterArgs,
    runtime: &RuntimeArgs,
    table: &Table,
    reporter: &Reporter,
) -> Result<Parameters, Failure> {
    let mut parameters = match &args.params_file {
        Some(path) => params_file(path, table, reporter)?,
        None => Parameters::new(),
    };
    let mut given = GivenValues::default();
    for text in &args.params {
        given.add(text, "--param")?;
    }
    // The command line overrides the file.
    parameters.extend(given.parameters());
    for text in &args.param_lists {
        let (name, path) = named_value(text, "--param-list", "write for example `--param-list ids=ids.txt`")?;
        let lines = reporter.inputs.text(Path::new(path), MAX_LIST_BYTES)?;
        let values = values_of_lines(&lines).map_err(|fault| {
            let place = format!("{}:{}", name_of(Path::new(path)), fault.line);
            Diagnostic::error(format!("{place}: {fault}")).with_help(BlankAtEnd::HELP)
        })?;
        if parameters.insert(name, Parameter::List(values)).is_some() {
            return Err(given_twice("--param-list", name).into());
        }
    }
    for text in &runtime.runtime {
        let (name, format, runtime) = named_runtime(text)?;
        let fault = |fault: RuntimeFault| {
            Diagnostic::error(format!("--runtime {name}: {fault}")).with_help(fault.help())
        };
        if parameters.insert(name, Runtime::new(runtime, format).map_err(fault)?).is_some() {
            return Err(given_twice("--runtime", name).into());
        }
    }
    let Some(now) = &args.now else { return Ok(parameters) };
    // With an offset it is an instant, which the clock of the schema's zone shows.
    let local = table.schema().time_zone.and_then(|zone| as_local_time(now, zone));
    parameters.at(local.as_deref().unwrap_or(now)).ok_or_else(|| {
        let no_time = Diagnostic::error(format!("--now: `{now}` is not a time"));
        no_time.with_help("write it as 2020-04-06 or \"2020-04-06 10:00:00\", or with an offset, if the schema has a `time_zone`").into()
    })
}

fn params_file(path: &Path, table: &Table, reporter: &Reporter) -> Result<Parameters, Failure> {
    let text = reporter.inputs.text(path, MAX_LIST_BYTES)?;
    if text.trim_start().starts_with('{') {
        let parameters = json_parameters(&text, table.schema().time_zone).map_err(|mut fault| {
            fault.message = format!("{}: {}", name_of(path), fault.message);
            fault
        })?;
        warn_of_blanks(&parameters, reporter);
        return Ok(parameters);
    }
    let mut values = GivenValues::default();
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    for (index, line) in lines {
        values.add(line, &format!("{}:{}", name_of(path), index + 1))?;
    }
    Ok(values.parameters())
}

/// JSON gives every value exactly, so blanks are kept; but they are hardly meant.
fn warn_of_blanks(parameters: &Parameters, reporter: &Reporter) {
    for (name, value) in parameters.iter() {
        let values = match value {
            Parameter::Value(value) => std::slice::from_ref(value),
            Parameter::List(values) => values,
            _ => &[],
        };
        if let Some(value) = values.iter().find(|value| has_blank_at_end(value)) {
            let shown = value.escape_debug();
            reporter.warning(format!(
                "`:{name}`: the value `{shown}` begins or ends with a blank, and is compared with it"
            ));
        }
    }
}

/// `name=value` texts; a name that is repeated has a list of values.
#[derive(Default)]
struct GivenValues(BTreeMap<String, Vec<String>>);

impl GivenValues {
    fn add(&mut self, text: &str, place: &str) -> Result<(), Diagnostics> {
        let (name, value) = named_value(text, place, "write for example `--param day=20200406`")?;
        if has_blank_at_end(value) {
            let fault = BlankAtEnd { line: 1, value: value.to_string() };
            let error = Diagnostic::error(format!("{place}: {name}: {fault}"));
            return Err(error.with_help(BlankAtEnd::HELP).into());
        }
        self.0.entry(name.to_string()).or_default().push(value.to_string());
        Ok(())
    }

    fn parameters(self) -> Parameters {
        let mut parameters = Parameters::new();
        for (name, values) in self.0 {
            let value = match <[String; 1]>::try_from(values) {
                Ok([only]) => Parameter::Value(only),
                Err(several) => Parameter::List(several),
            };
            parameters.insert(name, value);
        }
        parameters
    }
}

fn named_value<'t>(text: &'t str, place: &str, help: &str) -> Result<(&'t str, &'t str), Diagnostics> {
    let Some((name, value)) = text.split_once('=').filter(|(name, _)| is_parameter_name(name.trim())) else {
        let error = Diagnostic::error(format!("{place}: `{text}` is not of the form `name=value`"));
        return Err(error.with_help(help).into());
    };
    Ok((name.trim(), value))
}

/// `NAME=TEXT` or `NAME:FORMAT=TEXT`.
fn named_runtime(text: &str) -> Result<(&str, Option<&str>, &str), Diagnostics> {
    let help = "write for example `--runtime day=hivevar:day` or `--runtime day:iso=airflow:ds`";
    let name = text.split(['=', ':']).next().unwrap_or_default();
    let rest = &text[name.len()..];
    let (format, value) = match rest.strip_prefix(':').and_then(|rest| rest.split_once('=')) {
        Some((format, value)) => (Some(format), value),
        None => (None, rest.strip_prefix('=').unwrap_or_default()),
    };
    named_value(&format!("{name}={value}"), "--runtime", help)?;
    Ok((name, format, value))
}

fn given_twice(place: &str, name: &str) -> Diagnostics {
    Diagnostic::error(format!("{place}: the parameter `{name}` is given twice"))
        .with_help("give it in one place")
        .into()
}

/// The plan of a predicate, unless it is a mistake that is not accepted.
pub fn plan_predicate(
    table: &Table,
    args: &PredicateArgs,
    runtime: &RuntimeArgs,
    mut options: PlanOptions,
    reporter: &Reporter,
) -> Result<Planned, Failure> {
    let analysis = load_predicate(args, runtime, table, reporter)?;
    options.max_branches = args.max_branches;
    let planned = table.plan_analysis(&analysis, &options)?;
    reporter.remarks(&planned.range_warnings().iter().map(Diagnostic::from).collect::<Vec<_>>());
    Ok(planned)
}

/// The plan of a predicate for display, even if it may be a mistake. Only a limit that a flag sets is kept.
pub fn plan_to_explain(
    table: &Table,
    analysis: &Analysis,
    max_branches: usize,
    max_widening: Option<MaxWidening>,
    reporter: &Reporter,
) -> Result<Planned, Failure> {
    let mut options = PlanOptions::accepting_all();
    options.max_branches = max_branches;
    options.max_widening = max_widening.unwrap_or(MaxWidening::Any);
    let told = table.plan_analysis(analysis, &options)?;
    reporter.remarks(&told.range_warnings().iter().map(Diagnostic::from).collect::<Vec<_>>());
    Ok(told)
}
