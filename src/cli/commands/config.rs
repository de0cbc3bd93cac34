//! `config`: shows the settings that apply, and where they are set.

use std::path::Path;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value as Json, json};

use crate::cli::args::TextOrJson;
use crate::cli::output::write_result;
use crate::cli::settings;
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_core::Table;
use saltplan_core::schema;
use saltplan_document::diag::json::pretty;
use saltplan_document::diag::{Diagnostic, Span, visible};
use saltplan_lint::walk;
use saltplan_project::jobs;
use saltplan_project::settings::Settings;

const HELP: &str = "\
Flags override the schema, and the schema overrides `saltplan.toml`. That file
is searched for in the folder of the schema or jobs file and in the folders
above it, up to the root of the git repository.

Exit codes:
  0  done
  2  wrong usage, an invalid saltplan.toml or schema, or an internal error

Examples:
  saltplan config
  saltplan config schemas/examples/md5_nibble_day.yaml --output-format json";

/// Show the settings that apply to a file, and where they come from
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct ConfigArgs {
    /// Schema file, jobs file or folder
    #[arg(value_name = "PATH", default_value = ".")]
    pub path: PathBuf,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub output_format: TextOrJson,
}

/// The version of the JSON form.
const FORMAT_VERSION: u32 = 1;

/// A setting that applies.
struct InForce {
    name: &'static str,
    value: String,
    /// The file and the line where it is set; `None` for defaults.
    source: Option<(String, usize)>,
}

pub fn run(args: &ConfigArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let (settings, table) = asked(&args.path)?;
    let mut in_force = vec![engine(&settings, table.as_ref())];
    in_force.push(InForce {
        name: "templates",
        value: settings
            .keys
            .templates
            .as_ref()
            .map_or_else(|| "built in".to_string(), |templates| templates.value.display().to_string()),
        source: settings.keys.templates.as_ref().and_then(|templates| place(&settings, templates.span)),
    });
    let limits = settings.limits().by_key().into_iter().zip(settings.limit_places());
    in_force.extend(limits.filter_map(|((name, value), span)| {
        Some(InForce { name, value: value?, source: span.and_then(|span| place(&settings, span)) })
    }));
    for (name, texts) in [("exclude", &settings.keys.exclude), ("ignore", &settings.keys.ignore)] {
        in_force.extend(texts.iter().flatten().map(|text| InForce {
            name,
            value: text.value.clone(),
            source: place(&settings, text.span),
        }));
    }
    // In one file, or in all files that match a pattern.
    let ignored = settings.ignored_in(table.is_some().then_some(args.path.as_path()));
    in_force.extend(ignored.map(|(pattern, rule)| InForce {
        name: "per_file_ignore",
        value: format!("{} in {}", rule.value, pattern.value),
        source: place(&settings, rule.span),
    }));
    let text = match args.output_format {
        TextOrJson::Text => text(&settings, &in_force),
        TextOrJson::Json => pretty(&to_json(&settings, &in_force)),
    };
    write_result(&text, None, reporter)?;
    Ok(Outcome::Clean)
}

/// The settings for a path, and its schema if it is one.
fn asked(path: &Path) -> Result<(Settings, Option<Table>), Failure> {
    if path.is_dir() {
        return Ok((Settings::above(path)?, None));
    }
    if !path.exists() {
        let error = Diagnostic::error(format!("there is no `{}`", path.display()));
        return Err(error.with_help("pass a schema file, a jobs file or a folder").into());
    }
    let source = schema::read_file(path)?;
    let table = if walk::is_foreign(&source) { None } else { Some(Table::load(path)?) };
    if table.is_none() && !jobs::is_jobs_file(&source) {
        let error = Diagnostic::error(format!("`{}` is neither a schema nor a jobs file", path.display()));
        return Err(error.with_help("pass a schema file, a jobs file or a folder").into());
    }
    Ok((settings::of_file(path)?, table))
}

fn place(settings: &Settings, span: Span) -> Option<(String, usize)> {
    settings.file().map(|file| (file.to_string(), settings.line(span)))
}

fn engine(settings: &Settings, table: Option<&Table>) -> InForce {
    let of_schema = table.and_then(|table| {
        let (line, _) = table.source().line_column(table.places().near(&["hive", "engine"]).start);
        Some((table.engine()?, Some((table.source().name.clone(), line))))
    });
    let of_settings =
        settings.keys.engine.as_ref().map(|engine| (engine.value, place(settings, engine.span)));
    let (value, source) = match of_schema.or(of_settings) {
        Some((engine, source)) => (engine.name(), source),
        None => ("tez", None),
    };
    InForce { name: "engine", value: value.to_string(), source }
}

fn text(settings: &Settings, in_force: &[InForce]) -> String {
    let width = |of: fn(&InForce) -> &str| {
        in_force.iter().map(|setting| of(setting).chars().count()).max().unwrap_or_default()
    };
    let (names, values) = (width(|setting| setting.name), width(|setting| &setting.value));
    let mut text = match settings.file() {
        Some(file) => format!("settings of {}\n\n", visible::line(file)),
        None => "no saltplan.toml applies\n\n".to_string(),
    };
    for InForce { name, value, source } in in_force {
        let source = match source {
            Some((file, line)) => format!("{file}:{line}"),
            None => "by default".to_string(),
        };
        text += &visible::line(&format!("{name:names$}  {value:values$}  {source}"));
        text.push('\n');
    }
    text
}

fn to_json(settings: &Settings, in_force: &[InForce]) -> Json {
    let settings_json = in_force.iter().map(|InForce { name, value, source }| {
        let (file, line) = source.clone().unzip();
        json!({ "name": name, "value": value, "file": file, "line": line })
    });
    json!({
        "format_version": FORMAT_VERSION,
        "file": settings.file(),
        "settings": settings_json.collect::<Vec<_>>(),
    })
}
