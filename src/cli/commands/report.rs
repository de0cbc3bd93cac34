//! `report`: writes an HTML page about some tables.

mod load;
mod plans;
mod queries;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;

use super::diff::are_folders;
use super::grow::{GrowthArgs, parse_time};
use super::simulate::{SliceBy, parse_count, parse_slices};
use crate::cli::args::{OutputArgs, PREDICATE, ParameterArgs, RuntimeArgs, SchemaArgs, parse_limit};
use crate::cli::git::GitPath;
use crate::cli::input::{load_version, parameters};
use crate::cli::inputs::name_of;
use crate::cli::{Failure, Outcome, Reporter};
use plans::Asked;
use saltplan_core::Table;
use saltplan_core::plan::DEFAULT_MAX_BRANCHES;
use saltplan_document::diag::{Diagnostic, counted};
use saltplan_document::files::paths::with_slashes;
use saltplan_lint::FileReport;
use saltplan_lint::walk;
use saltplan_project::diff;
use saltplan_project::settings::Settings;
use saltplan_report::{BaseReport, PlanReport, Report, TableReport};

const HELP: &str = "\
The page is a single HTML file that loads nothing from the network. It shows
the row key and the regions of every table, the ranges of each predicate, the
statements for every engine, the findings of the audit, and with --base the
changes. docs/report.md has a picture.

Exit codes:
  0  the page is written
  1  a simulation that was interrupted, or a difference with --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan report schemas/examples/md5_nibble_day.yaml -o report.html \\
    --predicate 'day=opera_day = 20200406'
  saltplan report schemas/examples/*.yaml --keys 100k -o report.html";

/// Write an HTML page about tables: their plans, findings and growth
#[derive(Debug, Args)]
#[command(after_help = HELP, mut_group("GrowthArgs", |growth| growth.requires("grow")))]
pub struct ReportArgs {
    /// Schema files, and folders with schema files; by default the schemas of the jobs file
    #[arg(value_name = "SCHEMA", required_unless_present = "jobs")]
    pub schemas: Vec<PathBuf>,

    /// Predicate to plan, with a name, such as "`day=opera_day = 20200406`"; repeatable
    #[arg(long = "predicate", value_name = "NAME=PREDICATE", value_parser = parse_named, help_heading = PREDICATE)]
    pub predicates: Vec<NamedPredicate>,

    #[command(flatten)]
    pub parameters: ParameterArgs,

    #[command(flatten)]
    pub runtime: RuntimeArgs,

    /// File with a HiveQL query on logical tables, to show beside the rewritten query; repeatable.
    ///
    /// Values of --param replace `${name}` in it
    #[arg(long = "query", hide_short_help = true, value_name = "FILE")]
    pub queries: Vec<PathBuf>,

    /// Jobs file, whose predicates and queries are shown as its jobs make them
    #[arg(long, value_name = "FILE", help_heading = PREDICATE)]
    pub jobs: Option<PathBuf>,

    /// Maximum number of key ranges of a plan; above it, neighbouring ranges are merged
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = DEFAULT_MAX_BRANCHES, value_parser = parse_limit, help_heading = PREDICATE)]
    pub max_branches: usize,

    /// Old version of the schema, to show what changes: a file or folder, or `git:REF:path`.
    ///
    /// Repeatable: one for each SCHEMA in the same order, a folder for a folder
    #[arg(long, value_name = "OLD", requires = "schemas")]
    pub base: Vec<String>,

    /// Heading of the page
    #[arg(long, hide_short_help = true, value_name = "TEXT")]
    pub title: Option<String>,

    /// Number of keys to generate, such as 250k or 100M, to show how they spread over the regions.
    ///
    /// With --grow each represents equally many rows
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = LOAD)]
    pub keys: Option<u64>,

    /// Seed of the random rows: the same seed gives the same rows
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 1, help_heading = LOAD)]
    pub seed: u64,

    /// Distribution of a field's values, such as 'name=zipf(1.1, 1000)'; repeatable.
    ///
    /// Overrides the schema's `workload`
    #[arg(long, hide_short_help = true, alias = "field", value_name = "NAME=VALUES", help_heading = LOAD)]
    pub workload: Vec<String>,

    /// Also show rows by time: by day, hour, month, or in a number of equal parts
    #[arg(long, hide_short_help = true, value_name = "UNIT", requires = "keys", value_parser = parse_slices, help_heading = LOAD)]
    pub by: Option<SliceBy>,

    /// Emulate HBase over this time, such as 12h, 90d or 1y
    #[arg(
        long,
        value_name = "TIME",
        requires = "rows_per_day",
        num_args = 0..=1,
        default_missing_value = "1y",
        value_parser = parse_time,
        help_heading = "Growth"
    )]
    pub grow: Option<f64>,

    #[command(flatten)]
    pub growth: GrowthArgs,

    #[command(flatten)]
    pub output: OutputArgs,
}

const LOAD: &str = "Load";

/// A predicate and its name on the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPredicate {
    pub name: String,
    pub text: String,
}

fn parse_named(text: &str) -> Result<NamedPredicate, String> {
    let named =
        text.split_once('=').filter(|(name, predicate)| is_name(name) && !predicate.trim().is_empty());
    let (name, predicate) = named.ok_or_else(|| {
        "expected a name and a predicate, with `=` right behind the name, such as 'one day=opera_day = 20200406'".to_string()
    })?;
    Ok(NamedPredicate { name: name.into(), text: predicate.trim().into() })
}

/// Whether a text is the name of a predicate, and not the start of a predicate without a name.
fn is_name(text: &str) -> bool {
    const WORDS: [&str; 9] = ["and", "or", "not", "in", "is", "like", "rlike", "regexp", "between"];
    let is_word = |word: &str| {
        !word.is_empty()
            && !word.contains(|sign: char| "<>!'\"`%*=".contains(sign) || sign.is_control())
            && !WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))
    };
    text.split(' ').all(is_word)
}

/// The maximum number of plans per table on a page, and of queries.
const MAX_PLANS: usize = 200;

pub fn run(args: &ReportArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    check_bases(args, reporter)?;
    if args.parameters.now.is_some() && args.predicates.is_empty() {
        let error = Diagnostic::error("`--now` is the time of a `--predicate`, and there is none");
        return Err(error.with_help("omit it: jobs have their own `now`").into());
    }
    let of_jobs = args.jobs.as_deref().map(|jobs| plans::of_jobs(jobs, reporter)).transpose()?;
    let (questions, queries) = of_jobs.unwrap_or_default();
    let mut files = Vec::new();
    let mut subjects = Vec::new();
    for (file, base) in schemas(args, &questions, reporter)? {
        subjects.push(Subject::load(&file, base.as_deref(), reporter)?);
        files.push(file);
    }
    let mut queries = queries::all(args, &subjects, &files, queries, reporter)?;
    let more_queries = queries.len().saturating_sub(MAX_PLANS);
    queries.truncate(MAX_PLANS);
    let mut tables = Vec::new();
    let mut is_partial = false;
    for (subject, file) in subjects.iter().zip(&files) {
        let mut plans = subject.plans(file, args, &questions, reporter)?;
        let more_plans = plans.len().saturating_sub(MAX_PLANS);
        plans.truncate(MAX_PLANS);
        let load = load::simulated(&subject.table, args, reporter)?;
        let growth = load::growth_of(&subject.table, args, reporter)?;
        is_partial |= load.iter().chain(&growth).any(|simulated| simulated.is_partial);
        tables.push(TableReport {
            table: &subject.table,
            example: load::example(&subject.table, args),
            plans,
            more_plans,
            findings: Some(&subject.findings),
            base: subject.base.as_ref(),
            load,
            growth,
        });
    }
    let title = args.title.clone().unwrap_or_else(|| title(&subjects));
    let page = Report { title, tables, queries, more_queries }.html();
    let outcome = args.output.deliver(&page, reporter)?;
    Ok(if is_partial { Outcome::Findings } else { outcome })
}

/// A base version for each schema, or none.
fn check_bases(args: &ReportArgs, reporter: &Reporter) -> Result<(), Failure> {
    let bases = args.base.iter().map(Path::new);
    reporter.inputs.differ(args.schemas.iter().map(PathBuf::as_path).chain(bases))?;
    if !args.base.is_empty() && args.base.len() != args.schemas.len() {
        let message = format!("there are {} schemas and {} `--base`", args.schemas.len(), args.base.len());
        return Err(Diagnostic::error(message)
            .with_help("pass one `--base` for each schema, in the same order")
            .into());
    }
    Ok(())
}

/// A schema and the name of its old version.
type Versions = (PathBuf, Option<String>);

/// The schemas of the arguments and of their folders, or those that the jobs name, each once.
fn schemas(args: &ReportArgs, questions: &[Asked], reporter: &Reporter) -> Result<Vec<Versions>, Failure> {
    let mut versions: Vec<Versions> = Vec::new();
    for (index, path) in args.schemas.iter().enumerate() {
        let base = args.base.get(index);
        if let Some(base) = base {
            are_folders(base, &path.to_string_lossy())?;
        }
        match path.is_dir() {
            true => versions.extend(versions_of(path, base, reporter)?),
            false => versions.push((path.clone(), base.cloned())),
        }
    }
    if args.schemas.is_empty() {
        for asked in questions {
            if !versions.iter().any(|(file, _)| *file == asked.question.schema) {
                versions.push((asked.question.schema.clone(), None));
            }
        }
    }
    let files: Vec<PathBuf> = versions.iter().map(|(file, _)| file.clone()).collect();
    let known = |asked: &Asked| is_one_of(&asked.question.schema, &files);
    let left_out = questions.iter().filter(|asked| !known(asked)).count();
    if left_out > 0 {
        let predicates = counted(left_out as u128, "predicate", "predicates");
        reporter.note(format!("left out {predicates} of the jobs file: their schemas are not on this page"));
    }
    Ok(versions)
}

/// The schemas of a folder, each with the file of the same path in the old folder.
fn versions_of(folder: &Path, base: Option<&String>, reporter: &Reporter) -> Result<Vec<Versions>, Failure> {
    let files = schemas_of(folder)?;
    let Some(base) = base else { return Ok(files.into_iter().map(|file| (file, None)).collect()) };
    let below = |folder: &Path, file: &Path| with_slashes(file.strip_prefix(folder).unwrap_or(file));
    let mut old: BTreeSet<String> = BTreeSet::new();
    match GitPath::parse(base) {
        Some(git) => old.extend(git?.files()?),
        None => {
            let base = Path::new(base);
            for candidate in
                walk::files(&[base.to_path_buf()]).map_err(|fault| fault.told(HELP_OF_FOLDERS))?
            {
                // A link out of the folder is refused.
                candidate.read()?;
                old.insert(below(base, &candidate.path));
            }
        }
    }
    let versions = files.into_iter().map(|file| {
        let path = below(folder, &file);
        let is_there = old.contains(&path);
        if !is_there {
            reporter.note(format!("`{base}` has no `{path}`, so the page shows no changes of it"));
        }
        (file, is_there.then(|| format!("{}/{path}", base.trim_end_matches('/'))))
    });
    Ok(versions.collect())
}

const HELP_OF_FOLDERS: &str = "name schema files, or folders with *.yaml files in them";

/// The schemas of a folder, without other YAML files.
fn schemas_of(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut schemas = Vec::new();
    for candidate in walk::files(&[folder.to_path_buf()]).map_err(|fault| fault.told(HELP_OF_FOLDERS))? {
        if !walk::is_foreign(&candidate.read()?) {
            schemas.push(candidate.path);
        }
    }
    if schemas.is_empty() {
        let diagnostic = Diagnostic::error(format!("there is no schema file under `{}`", folder.display()));
        return Err(diagnostic.with_help(HELP_OF_FOLDERS).into());
    }
    Ok(schemas)
}

fn is_one_of(file: &Path, files: &[PathBuf]) -> bool {
    let real = file.canonicalize().ok();
    files.iter().any(|other| other == file || real.is_some() && other.canonicalize().ok() == real)
}

fn title(subjects: &[Subject]) -> String {
    match subjects {
        [only] => format!("Report of {}", only.table.name()),
        _ => format!("Report of {} tables", subjects.len()),
    }
}

/// A table with its settings and everything the page shows about it.
struct Subject {
    table: Table,
    settings: Settings,
    findings: FileReport,
    base: Option<BaseReport>,
}

impl Subject {
    fn load(file: &Path, base: Option<&str>, reporter: &Reporter) -> Result<Self, Failure> {
        let args = SchemaArgs::file(file);
        let table = args.load(reporter)?;
        let settings = args.settings()?;
        settings.file().iter().for_each(|file| reporter.inputs.add(Path::new(file)));
        let mut findings = saltplan_lint::audit_table(&table, &|_| true);
        findings.file = Some(file.to_path_buf());
        settings.leave_out(&mut findings, false);
        findings.limit();
        let base = base.map(|name| -> Result<BaseReport, Failure> {
            let old = load_version(name, reporter)?;
            let changes = diff::tables(&old, &table)?;
            Ok(BaseReport { name: name.into(), table: old, changes })
        });
        Ok(Subject { settings, findings, base: base.transpose()?, table })
    }

    /// The plans of the arguments and of the jobs.
    fn plans(
        &self,
        file: &Path,
        args: &ReportArgs,
        questions: &[Asked],
        reporter: &Reporter,
    ) -> Result<Vec<PlanReport>, Failure> {
        let parameters = parameters(&args.parameters, &args.runtime, &self.table, reporter)?;
        plans::check_parameters(args, &parameters)?;
        let planner = plans::Planner::new(&self.settings, args.max_branches, &parameters, reporter);
        let base = self.base.as_ref().map(|base| &base.table);
        let mut plans = Vec::new();
        for (index, predicate) in args.predicates.iter().enumerate() {
            if args.predicates[..index].iter().any(|other| other.name == predicate.name) {
                let diagnostic =
                    Diagnostic::error(format!("two predicates have the name `{}`", predicate.name));
                return Err(diagnostic.with_help("give each `--predicate` its own name").into());
            }
            let named = || format!("--predicate {} for {}", predicate.name, name_of(file));
            plans.push(planner.named(&self.table, base, &planner.asked(predicate, file)).map_err(
                |faults| {
                    let about = |mut diagnostic: Diagnostic| {
                        diagnostic.message = format!("{}: {}", named(), diagnostic.message);
                        diagnostic
                    };
                    Failure::Invalid(faults.into_iter().map(about).collect())
                },
            )?);
        }
        let own = questions.iter().filter(|asked| is_one_of(&asked.question.schema, &[file.to_path_buf()]));
        plans.extend(own.map(|asked| planner.of_job(&self.table, base, asked)));
        Ok(plans)
    }
}
