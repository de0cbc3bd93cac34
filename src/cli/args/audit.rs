//! The arguments of `audit` and `rule`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use saltplan_core::diag::Style;
use saltplan_lint::FileReport;
use saltplan_lint::format::{concise, full, github, gitlab, json, sarif};

use super::ExplainFormat;

#[derive(Debug, Args)]
pub struct AuditArgs {
    /// Schema files, and folders to search for *.yaml and *.yml; `-` is standard input
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,

    /// Name used in messages for standard input
    #[arg(long, value_name = "NAME", default_value = "<stdin>")]
    pub stdin_filename: String,

    /// Rules to check: codes, prefixes of codes such as `SP2`, or names, separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub select: Vec<String>,

    /// Rules to skip, in the same forms
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub ignore: Vec<String>,

    /// Exit with 1 if there is a finding of this severity or a worse one
    #[arg(long, value_name = "SEVERITY", default_value = "warning")]
    pub fail_on: FailOn,

    /// Fix what can be fixed safely, and report the rest
    #[arg(long, group = "mending")]
    pub fix: bool,

    /// Show what --fix would change, without changing it
    #[arg(long, group = "mending")]
    pub diff: bool,

    /// With --fix and --diff: also apply fixes that change what a file means, such as removing split keys or correcting names
    #[arg(long, requires = "mending")]
    pub unsafe_fixes: bool,

    /// Ignore the findings that FILE lists
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Write the findings to FILE for --baseline, and report only those that cannot be accepted
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baseline", "diff"])]
    pub write_baseline: Option<PathBuf>,

    /// Show notes in full instead of one line each
    #[arg(long)]
    pub full_notes: bool,

    /// Output format of the findings
    #[arg(long, value_name = "FORMAT", default_value = "full")]
    pub output_format: FindingsFormat,

    /// Write the findings to a file instead of standard output
    #[arg(long, short, value_name = "FILE", conflicts_with = "diff")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    Error,
    Warning,
    Note,
    /// Exit with 0 whatever is found
    Never,
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

impl FindingsFormat {
    pub fn text(self, reports: &[FileReport], notes: full::Notes, style: Style) -> String {
        match self {
            FindingsFormat::Full => full::render_full(reports, notes, style),
            FindingsFormat::Concise => concise::render(reports),
            FindingsFormat::Json => json::render(reports),
            FindingsFormat::Github => github::render(reports),
            FindingsFormat::Gitlab => gitlab::render(reports),
            FindingsFormat::Sarif => sarif::render(reports),
        }
    }
}

#[derive(Debug, Args)]
pub struct RuleArgs {
    /// Code or name of a rule, or a prefix of codes such as `SP2`; without it, all rules are listed
    #[arg(value_name = "CODE")]
    pub rule: Option<String>,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub output_format: ExplainFormat,
}
