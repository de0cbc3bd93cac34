//! Settings of a repository: `saltplan.toml`.
//!
//! `format` describes the file, `toml` converts it to nodes for the common reader, and `find` locates it.
//! Flags override the schema, and the schema overrides the settings.

mod find;
mod format;
mod glob;
mod toml;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use saltplan_core::limits::Limits;
use saltplan_core::schema::json_schema;
use saltplan_document::diag::{Diagnostic, Diagnostics, Source, Span, Spanned, has_error};
use saltplan_document::files::bounds::{Bounds, check_found};
use saltplan_document::files::paths::{with_slashes, without_detours};
use saltplan_document::files::{self, ReadError};
use saltplan_document::reader::{FileValue, Reader};
use saltplan_document::wording::excerpt;
use saltplan_lint::FileReport;
use saltplan_lint::rule::Rule;

pub use find::NAME;
use format::SettingsKeys;

/// The maximum size of a settings file.
const MAX_BYTES: u64 = 1 << 20;

/// The content of a settings file, with places. The default sets nothing.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    source: Option<Arc<Source>>,
    /// The folder of the file, with links resolved.
    folder: PathBuf,
    pub keys: SettingsKeys,
}

impl Settings {
    /// The settings of a folder; the default if there is no file.
    ///
    /// # Errors
    /// All errors of the file.
    pub fn above(folder: &Path) -> Result<Self, Diagnostics> {
        match find::above(folder) {
            Some(file) => Settings::read(&file),
            None => Ok(Settings::default()),
        }
    }

    /// The settings in a file.
    ///
    /// # Errors
    /// All its errors.
    fn read(file: &Path) -> Result<Self, Diagnostics> {
        let name = without_detours(file).display().to_string();
        check_found(
            &without_detours(file),
            "put the settings into the file itself, or remove it: it is optional",
        )?;
        let text = files::read_text(file, MAX_BYTES).map_err(|error| unreadable(&name, &error))?;
        let source = Source::new(name, files::without_mark(&text));
        Settings::parse(&source, file.parent().unwrap_or(Path::new("")))
    }

    /// The settings in a text, with paths relative to a folder.
    ///
    /// # Errors
    /// All its errors.
    pub fn parse(source: &Arc<Source>, folder: &Path) -> Result<Self, Diagnostics> {
        let root = toml::parse(source)?;
        let mut reader = Reader::new(source);
        let keys = SettingsKeys::read(&mut reader, &FileValue::root(&root, &format::FILE));
        let told = reader.finish();
        let Some(keys) = keys.filter(|_| !has_error(&told)) else {
            return Err(Diagnostics(told));
        };
        let mut settings = Settings { source: Some(Arc::clone(source)), keys, ..Settings::default() };
        settings.locate(source, folder)?;
        Ok(settings)
    }

    /// Resolves the paths in the file.
    fn locate(&mut self, source: &Arc<Source>, folder: &Path) -> Result<(), Diagnostic> {
        let Ok(bounds) = Bounds::around(folder) else { return Ok(()) };
        self.folder = bounds.folder().to_path_buf();
        let Some(templates) = &mut self.keys.templates else { return Ok(()) };
        let named = templates.value.display().to_string();
        let fault = |reason: String| {
            Diagnostic::error(format!("cannot read templates from `{}`: {reason}", excerpt(&named)))
                .at(source, templates.span, "this folder")
                .with_help("write the built-in ones there with `saltplan generate templates`")
        };
        bounds.locate(&named).map_err(|stray| fault(stray.to_string()))?;
        let path = folder.join(&named);
        if !path.is_dir() {
            return Err(fault("there is no such folder".into()));
        }
        templates.value = path;
        Ok(())
    }

    pub fn limits(&self) -> Limits {
        let SettingsKeys { max_widening, max_scans, max_jobs, .. } = &self.keys;
        Limits {
            max_widening: max_widening.as_ref().map(|limit| limit.value),
            max_scans: max_scans.as_ref().map(|limit| limit.value),
            max_jobs: max_jobs.as_ref().map(|limit| limit.value),
        }
    }

    /// The places of the limits, in the order of [`Limits::by_key`].
    pub fn limit_places(&self) -> [Option<Span>; 3] {
        let SettingsKeys { max_widening, max_scans, max_jobs, .. } = &self.keys;
        [
            max_widening.as_ref().map(|limit| limit.span),
            max_scans.as_ref().map(|limit| limit.span),
            max_jobs.as_ref().map(|limit| limit.span),
        ]
    }

    /// The name of the file in messages.
    pub fn file(&self) -> Option<&str> {
        self.source.as_ref().map(|source| source.name.as_str())
    }

    /// The line of a position in the file, counted from 1.
    pub fn line(&self, span: Span) -> usize {
        self.source.as_ref().map_or(0, |source| source.line_column(span.start).0)
    }

    /// Whether a file that was found in a folder is excluded.
    pub fn excludes(&self, file: &Path) -> bool {
        self.keys.exclude.as_ref().is_some_and(|patterns| {
            let path = self.path_of(file);
            path.is_some_and(|path| patterns.iter().any(|pattern| glob::matches(&pattern.value, &path)))
        })
    }

    /// The rules that are ignored in a file, with the pattern that matches it; without a file all rules that are
    /// ignored in some files.
    pub fn ignored_in(
        &self,
        file: Option<&Path>,
    ) -> impl Iterator<Item = (&Spanned<String>, &Spanned<String>)> {
        let groups = self.keys.per_file_ignore.iter().flatten();
        let path = self.keys.per_file_ignore.as_ref().and_then(|_| self.path_of(file?));
        let groups = groups.filter(move |(pattern, _)| {
            file.is_none() || path.as_ref().is_some_and(|path| glob::matches(&pattern.value, path))
        });
        groups.flat_map(|(pattern, rules)| rules.iter().map(move |rule| (pattern, rule)))
    }

    /// Removes ignored findings from a report. `with_ignored` (if a flag selects the rules) removes only what is ignored for some files
    /// and keeps what is ignored for all. Errors of the loader are always kept.
    pub fn leave_out(&self, report: &mut FileReport, with_ignored: bool) {
        if self.keys.ignore.is_none() && self.keys.per_file_ignore.is_none() {
            return;
        }
        let everywhere = self.keys.ignore.iter().flatten().filter(|_| !with_ignored);
        let here = report.file.iter().flat_map(|file| self.ignored_in(Some(file)).map(|(_, rule)| rule));
        let ignored: Vec<String> = everywhere.chain(here).map(|rule| rule.value.clone()).collect();
        let is_ignored = |rule: &Rule| ignored.iter().any(|selector| rule.is_chosen_by(selector));
        report.findings.retain(|finding| finding.is_of_loader() || !is_ignored(finding.rule));
    }

    /// The path of a file relative to the folder of the settings, with `/` as separator.
    fn path_of(&self, file: &Path) -> Option<String> {
        let real = file.canonicalize().ok()?;
        real.strip_prefix(&self.folder).ok().map(with_slashes)
    }
}

fn unreadable(name: &str, error: &ReadError) -> Diagnostic {
    Diagnostic::error(format!("cannot read `{name}`: {error}"))
        .with_help("fix the file, or remove it: it is optional")
}

/// The JSON schema of the settings.
pub fn json_schema_text() -> String {
    json_schema::text_of(&format::FILE)
}

/// The format as a table for docs/settings.md.
pub fn format_tables() -> Vec<(&'static str, String)> {
    vec![("settings", saltplan_document::tables::keys(&SettingsKeys::MAP))]
}
