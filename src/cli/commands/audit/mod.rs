//! `audit PATH…`

mod baseline;
mod fixes;
mod summary;

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::cli::args::choice;
use crate::cli::input::schema_of_standard_input;
use crate::cli::inputs::is_dash;
use crate::cli::output::write_result;
use crate::cli::settings::ByFolder;
use crate::cli::{Failure, Outcome, Reporter};
use baseline::Accepted;
use saltplan_core::schema;
use saltplan_document::diag::{Diagnostic, Safety, Severity};
use saltplan_lint::format::{concise, full, github, gitlab, json, sarif};
use saltplan_lint::rule::Rule;
use saltplan_lint::walk;
use saltplan_lint::{FileReport, rules, run};

const HELP: &str = "\
Exit codes:
  0  no finding at or above --fail-on
  1  such a finding, or a fix that --fix --check shows
  2  wrong usage, a file that cannot be read, or an internal error

Examples:
  saltplan audit schemas/examples
  saltplan audit schemas --fail-on error --output-format github
  saltplan audit schemas --fix
  saltplan audit schemas --write-baseline audit.json &&
    saltplan audit schemas --baseline audit.json --output-format json";

/// Check schema files for mistakes
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct AuditArgs {
    /// Schema files, and folders to search for *.yaml and *.yml; `-` is standard input
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,

    /// Name used in messages for standard input
    #[arg(long, value_name = "NAME", default_value = "<stdin>", hide_short_help = true)]
    pub stdin_filename: String,

    /// Rules to check: codes, prefixes of codes such as `SP2`, or names, separated by commas
    #[arg(long, alias = "select", value_name = "RULES", value_delimiter = ',')]
    pub rules: Vec<String>,

    /// Rules to skip, in the same forms
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub ignore: Vec<String>,

    /// Exit with 1 if there is a finding of this severity or a worse one
    #[arg(long, value_name = "SEVERITY", default_value = "warning", value_parser = severities())]
    pub fail_on: FailOn,

    /// Fix what can be fixed safely, and report the rest
    #[arg(long)]
    pub fix: bool,

    /// With --fix: write nothing; show the differences and exit with 1 if there are any
    #[arg(long, requires = "fix")]
    pub check: bool,

    /// The old name of `--fix --check`
    #[arg(long, hide = true, conflicts_with_all = ["fix", "check"])]
    pub diff: bool,

    /// With --fix: also apply fixes that change what a file means, such as removing split keys or correcting names
    #[arg(long, hide_short_help = true)]
    pub unsafe_fixes: bool,

    /// Ignore the findings that FILE lists
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Write the findings to FILE for --baseline, and report only those that cannot be accepted
    #[arg(long, hide_short_help = true, value_name = "FILE", conflicts_with_all = ["baseline", "diff", "check"])]
    pub write_baseline: Option<PathBuf>,

    /// Show notes in full instead of one line each
    #[arg(long, hide_short_help = true)]
    pub full_notes: bool,

    /// Output format of the findings
    #[arg(long, value_name = "FORMAT", default_value = "full")]
    pub output_format: FindingsFormat,

    /// Write the findings to a file instead of standard output
    #[arg(long, short, value_name = "FILE", conflicts_with_all = ["diff", "check"])]
    pub output: Option<PathBuf>,
}

/// A severity, or `None` for `never`. An alias, because clap takes a field of the type `Option` for an optional
/// argument.
pub type FailOn = Option<Severity>;

fn severities() -> impl TypedValueParser<Value = FailOn> {
    let named = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")];
    let named = named.map(|(severity, name)| (Some(severity), PossibleValue::new(name)));
    let never = PossibleValue::new("never").help("Exit with 0 whatever is found");
    choice(named.into_iter().chain([(None, never)]))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FindingsFormat {
    /// With excerpts from the file
    Full,
    /// One line per finding
    Concise,
    Json,
    /// Annotations of GitHub Actions
    Github,
    /// Code Quality report of GitLab
    Gitlab,
    /// SARIF 2.1.0
    Sarif,
}

pub fn run(args: &AuditArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    check_selectors(args)?;
    if args.diff {
        reporter.note("`--diff` is now called `--fix --check`");
    }
    let (is_shown, is_fixed) = (args.diff || args.check, args.fix && !args.check);
    if args.unsafe_fixes && !is_shown && !is_fixed {
        let error = Diagnostic::error("`--unsafe-fixes` needs `--fix`");
        return Err(error.with_help("add `--fix`, or `--fix --check` to see the fixes").into());
    }
    if is_fixed && args.paths.iter().any(|path| is_dash(path)) {
        let error = Diagnostic::error("standard input cannot be fixed");
        return Err(error.with_help("see the fixes with `--fix --check`, or pass the file").into());
    }
    let selected = |rule: &Rule| is_selected(rule, args);
    let mut accepted = Accepted::new(args, reporter)?;
    let mut folders = ByFolder::default();
    let mut reports = reports(args, reporter, &selected, &mut folders)?;
    let unwanted = |report: &mut FileReport, folders: &mut ByFolder| -> Result<(), Failure> {
        let file = report.file.clone().unwrap_or_else(|| args.stdin_filename.clone().into());
        folders.of_file(&file)?.leave_out(report, !args.rules.is_empty());
        Ok(())
    };
    for report in &mut reports {
        unwanted(report, &mut folders)?;
    }
    reports.iter_mut().for_each(|report| accepted.apply(report, &selected));
    let safety = if args.unsafe_fixes { Safety::Unsafe } else { Safety::Safe };
    if is_shown {
        return fixes::diff(&reports, safety, reporter);
    }
    if is_fixed {
        let again = |report: &mut FileReport| {
            // Its settings are already known.
            let _ = unwanted(report, &mut folders);
            accepted.apply(report, &selected);
        };
        fixes::mend(&mut reports, safety, reporter, &selected, again)?;
    }
    if let Some(path) = &args.write_baseline {
        baseline::write(path, &mut reports, reporter)?;
    }
    accepted.report_stale(reporter);
    reports.iter_mut().for_each(FileReport::limit);
    let text = render(&reports, args, reporter);
    write_result(&text, args.output.as_deref(), reporter)?;
    summary::print(&reports, accepted.count(), reporter);
    let worst = reports.iter().filter_map(FileReport::worst).max();
    let is_too_much = worst.zip(args.fail_on).is_some_and(|(worst, limit)| worst >= limit);
    Ok(if is_too_much { Outcome::Findings } else { Outcome::Clean })
}

/// Every selector must choose a rule.
fn check_selectors(args: &AuditArgs) -> Result<(), Failure> {
    let is_of_none = |selector: &&String| !rules::all().iter().any(|rule| rule.is_chosen_by(selector));
    match args.rules.iter().chain(&args.ignore).find(is_of_none) {
        None => Ok(()),
        Some(selector) => {
            let error = Diagnostic::error(format!("no rule has the code or the name `{selector}`"));
            Err(super::rule::with_similar(error, selector).into())
        }
    }
}

/// Whether a rule is one of `--rules`, and not of `--ignore`.
fn is_selected(rule: &Rule, args: &AuditArgs) -> bool {
    let chosen = args.rules.is_empty() || args.rules.iter().any(|selector| rule.is_chosen_by(selector));
    chosen && !args.ignore.iter().any(|selector| rule.is_chosen_by(selector))
}

type Selected<'a> = &'a (dyn Fn(&Rule) -> bool + Sync);

fn reports(
    args: &AuditArgs,
    reporter: &Reporter,
    selected: Selected<'_>,
    folders: &mut ByFolder,
) -> Result<Vec<FileReport>, Failure> {
    let (stdin, paths): (Vec<PathBuf>, Vec<PathBuf>) =
        args.paths.iter().cloned().partition(|path| is_dash(path));
    let candidates =
        walk::files(&paths).map_err(|fault| fault.told("pass schema files, or folders with *.yaml files"))?;
    let mut wanted = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        // Files that the user names are always audited.
        if candidate.named || !folders.of_file(&candidate.path)?.excludes(&candidate.path) {
            wanted.push(candidate);
        }
    }
    let candidates = wanted;
    let mut reports = Vec::new();
    if !stdin.is_empty() {
        reports.push(standard_input(&args.stdin_filename, selected, reporter)?);
    }
    let audited = run::audit_files(&candidates, selected);
    candidates.iter().for_each(|candidate| reporter.inputs.add(&candidate.path));
    if let Some(note) = left_out(&audited.foreign) {
        reporter.note(note);
    }
    reports.extend(audited.reports);
    reports.iter().filter_map(|report| report.sample.as_ref()).for_each(|sample| reporter.inputs.add(sample));
    // Git hooks pass the files of a commit, and it is fine if none is a schema.
    let is_hook = !candidates.is_empty() && candidates.iter().all(|candidate| candidate.named);
    if reports.is_empty() && !is_hook {
        let error = Diagnostic::error("there is no schema file in these paths");
        return Err(error.with_help("pass schema files, or folders with *.yaml files").into());
    }
    Ok(reports)
}

/// The note about skipped files.
fn left_out(foreign: &[PathBuf]) -> Option<String> {
    match foreign {
        [] => None,
        [only] => Some(format!("skipped {}: it is not a schema", only.display())),
        [first, ..] => {
            Some(format!("skipped {} files that are not schemas, such as {}", foreign.len(), first.display()))
        }
    }
}

fn standard_input(name: &str, selected: Selected<'_>, reporter: &Reporter) -> Result<FileReport, Failure> {
    Ok(match schema::source_from_bytes(name, schema_of_standard_input(reporter)?) {
        Ok(source) => saltplan_lint::audit(&source, run::folder_of(Path::new(name)), selected),
        Err(errors) => FileReport::unreadable(name.to_string(), errors),
    })
}

fn render(reports: &[FileReport], args: &AuditArgs, reporter: &Reporter) -> String {
    let notes = if args.full_notes { full::Notes::Drawn } else { full::Notes::Lines };
    match args.output_format {
        FindingsFormat::Full => full::render_full(reports, notes, reporter.stdout_style()),
        FindingsFormat::Concise => concise::render(reports),
        FindingsFormat::Json => json::render(reports),
        FindingsFormat::Github => github::render(reports),
        FindingsFormat::Gitlab => gitlab::render(reports),
        FindingsFormat::Sarif => sarif::render(reports),
    }
}
