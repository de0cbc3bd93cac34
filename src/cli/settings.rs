//! The settings that apply to a file, combined with flags and the schema.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::args::{AskedEngine, BudgetArgs, SchemaArgs, TemplateArgs, WideningArgs};
use super::failure::{Failure, Refused};
use super::inputs::is_dash;
use super::reporter::Reporter;
use saltplan_core::Table;
use saltplan_core::limits::Limits;
use saltplan_core::render::templates::{BUILT_IN, Templates};
use saltplan_core::schema::model::Engine;
use saltplan_project::jobs::Fallback;
use saltplan_project::settings::Settings;

impl SchemaArgs {
    /// The settings for a schema; for standard input, those for its given name.
    pub fn settings(&self) -> Result<Settings, Failure> {
        of_file(if is_dash(&self.schema) { Path::new(&self.stdin_filename) } else { &self.schema })
    }
}

/// The settings for a file.
pub fn of_file(file: &Path) -> Result<Settings, Failure> {
    Ok(Settings::above(file.parent().unwrap_or(Path::new("")))?)
}

/// The engine: a flag overrides the schema, which overrides the settings.
pub fn engine(flag: Option<AskedEngine>, table: &Table, settings: &Settings) -> Result<Engine, Refused> {
    let set = settings.keys.engine.as_ref().map(|engine| engine.value);
    match flag {
        Some(AskedEngine::Hive(engine)) => Ok(engine),
        Some(AskedEngine::Spark) => Err(Refused {
            code: "spark",
            reason: "what Spark SQL reads of HBase cannot be relied on. Over a Hive mapping table every scan reads the whole table, \
                     and by default the rows of regions without files are missing. Over hbase-spark, ranges that are ORed can \
                     return rows twice, and a second condition on the row key can lose rows, both without an error"
                .into(),
            help: "`saltplan generate reader --lang pyspark` prints a program that reads only the ranges; the section Spark of \
                   docs/engines.md lists the traps"
                .into(),
        }),
        None => Ok(table.engine().or(set).unwrap_or(Engine::Tez)),
    }
}

/// What holds for the jobs of a file that say nothing else.
pub fn fallback(settings: &Settings) -> Fallback {
    Fallback {
        engine: settings.keys.engine.as_ref().map(|engine| engine.value),
        templates: settings.keys.templates.as_ref().map(|templates| templates.value.clone()),
        limits: settings.limits(),
    }
}

/// The limits: a flag overrides the settings.
pub fn limits(widening: WideningArgs, budget: Option<BudgetArgs>, settings: &Settings) -> Limits {
    flags(widening, budget).or(settings.limits())
}

/// The limits that flags set.
pub fn flags(widening: WideningArgs, budget: Option<BudgetArgs>) -> Limits {
    Limits {
        max_widening: widening.max_widening,
        max_scans: budget.and_then(|budget| budget.max_scans),
        max_jobs: budget.and_then(|budget| budget.max_jobs),
    }
}

impl TemplateArgs {
    /// The templates, including those in the user's folder: a flag overrides the settings.
    pub fn load(&self, settings: &Settings, reporter: &Reporter) -> Templates {
        let set = settings.keys.templates.as_ref().map(|templates| templates.value.as_path());
        let folder = self.templates.as_deref().or(set);
        folder.iter().for_each(|folder| add_templates(folder, reporter));
        let templates = match (&self.templates, folder) {
            (None, Some(folder)) => Templates::of_repository(folder),
            _ => Templates::new(folder),
        };
        templates.keeping_printed()
    }
}

/// Every built-in template: its path and its text.
pub fn built_in() -> impl Iterator<Item = (&'static str, &'static str)> {
    BUILT_IN.into_iter().chain(saltplan_generate::BUILT_IN)
}

/// Remembers the templates of a folder as inputs.
pub fn add_templates(folder: &Path, reporter: &Reporter) {
    built_in().for_each(|(name, _)| reporter.inputs.add(&folder.join(name)));
}

/// The settings of many files; each folder is searched once.
#[derive(Debug, Default)]
pub struct ByFolder(BTreeMap<PathBuf, Settings>);

impl ByFolder {
    pub fn of_file(&mut self, file: &Path) -> Result<&Settings, Failure> {
        let folder = file.parent().unwrap_or(Path::new(""));
        if !self.0.contains_key(folder) {
            self.0.insert(folder.to_path_buf(), Settings::above(folder)?);
        }
        Ok(&self.0[folder])
    }
}
