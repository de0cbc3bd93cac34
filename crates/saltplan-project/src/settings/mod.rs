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

use saltplan_core::diag::{Diagnostic, Diagnostics, Source, Span, Spanned, did_you_mean, has_error};
use saltplan_core::document::reader::{FileValue, Reader, optional};
use saltplan_core::document::wording::excerpt;
use saltplan_core::files::bounds::{Bounds, is_link_out};
use saltplan_core::files::paths::{with_slashes, without_detours};
use saltplan_core::files::{self, ReadError};
use saltplan_core::limits::{LimitValues, Limits};
use saltplan_core::schema::json_schema;
use saltplan_core::schema::model::Engine;
use saltplan_lint::rule::Rule;
use saltplan_lint::{FileReport, rules};

pub use find::NAME;

/// The maximum size of a settings file.
const MAX_BYTES: u64 = 1 << 20;

/// The content of a settings file, with places. The default sets nothing.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    source: Option<Arc<Source>>,
    /// The folder of the file, with links resolved.
    folder: PathBuf,
    pub engine: Option<Spanned<Engine>>,
    pub limits: Limits,
    /// The places, in the order of [`Limits::shown`].
    pub limit_places: [Option<Span>; 3],
    /// The resolved folder with templates.
    pub templates: Option<Spanned<PathBuf>>,
    pub exclude: Vec<Spanned<String>>,
    pub ignore: Vec<Spanned<String>>,
    pub per_file_ignore: Vec<(Spanned<String>, Vec<Spanned<String>>)>,
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
        if is_link_out(file) {
            let error =
                Diagnostic::error(format!("`{name}` is a symbolic link that leaves its git repository"));
            return Err(error
                .with_help("put the settings into the file itself, or remove it: it is optional")
                .into());
        }
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
        let settings = read(&mut reader, &FileValue::root(&root, &format::FILE));
        let told = reader.finish();
        let Some(mut settings) = settings.filter(|_| !has_error(&told)) else {
            return Err(Diagnostics(told));
        };
        settings.locate(source, folder)?;
        settings.source = Some(Arc::clone(source));
        Ok(settings)
    }

    /// Resolves the paths in the file.
    fn locate(&mut self, source: &Arc<Source>, folder: &Path) -> Result<(), Diagnostic> {
        let Ok(bounds) = Bounds::around(folder) else { return Ok(()) };
        self.folder = bounds.folder().to_path_buf();
        let Some(templates) = &mut self.templates else { return Ok(()) };
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
        !self.exclude.is_empty()
            && self
                .path_of(file)
                .is_some_and(|path| self.exclude.iter().any(|pattern| glob::matches(&pattern.value, &path)))
    }

    /// The rules that are ignored in a file, with the pattern that matches it.
    pub fn ignored_in(&self, file: &Path) -> impl Iterator<Item = (&Spanned<String>, &Spanned<String>)> {
        let path = if self.per_file_ignore.is_empty() { None } else { self.path_of(file) };
        let groups = self.per_file_ignore.iter().filter(move |(pattern, _)| {
            path.as_ref().is_some_and(|path| glob::matches(&pattern.value, path))
        });
        groups.flat_map(|(pattern, rules)| rules.iter().map(move |rule| (pattern, rule)))
    }

    /// Removes ignored findings from a report. `with_ignored` keeps those that are ignored for all files, for
    /// rules that a flag selects. Errors of the loader are always kept.
    pub fn leave_out(&self, report: &mut FileReport, with_ignored: bool) {
        if self.ignore.is_empty() && self.per_file_ignore.is_empty() {
            return;
        }
        let everywhere = self.ignore.iter().filter(|_| !with_ignored);
        let here = report.file.iter().flat_map(|file| self.ignored_in(file).map(|(_, rule)| rule));
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

fn read(reader: &mut Reader<'_>, root: &FileValue<'_>) -> Option<Settings> {
    root.mapping(reader, |reader, fields| {
        let (engine, templates) = (fields.get(&format::ENGINE), fields.get(&format::TEMPLATES));
        let (exclude, ignore) = (fields.get(&format::EXCLUDE), fields.get(&format::IGNORE));
        let per_file = fields.get(&format::PER_FILE_IGNORE);
        let limits = LimitValues::of(fields).read(reader);
        let engine =
            optional(engine, |value| value.word(reader).map(|engine| Spanned::new(engine, value.span())));
        let templates = optional(templates, |value| value.text(reader));
        let exclude = optional(exclude, |value| {
            let patterns = texts(reader, value)?;
            let checked: Vec<_> = patterns.iter().map(|pattern| glob::check(reader, pattern)).collect();
            checked.into_iter().collect::<Option<()>>().map(|()| patterns)
        });
        let ignore = optional(ignore, |value| selectors(reader, value));
        let per_file = optional(per_file, |value| {
            let form = value.form_of_entries();
            let groups: Vec<_> = value
                .entries(reader)?
                .iter()
                .map(|entry| {
                    let checked = glob::check(reader, &entry.key);
                    let rules = selectors(reader, &value.of_entry(entry, form))?;
                    checked.map(|()| (entry.key.clone(), rules))
                })
                .collect();
            groups.into_iter().collect::<Option<Vec<_>>>()
        });
        let templates = templates?.map(|text| Spanned::new(PathBuf::from(text.value), text.span));
        let (limits, limit_places) = limits?;
        Some(Settings {
            engine: engine?,
            limits,
            limit_places,
            templates,
            exclude: exclude?.unwrap_or_default(),
            ignore: ignore?.unwrap_or_default(),
            per_file_ignore: per_file?.unwrap_or_default(),
            ..Settings::default()
        })
    })
}

fn texts(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Vec<Spanned<String>>> {
    let texts: Vec<_> = value.items(reader)?.iter().map(|item| item.text(reader)).collect();
    texts.into_iter().collect()
}

/// Texts that each select a rule.
fn selectors(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Vec<Spanned<String>>> {
    let texts = texts(reader, value)?;
    let mut clean = true;
    for text in &texts {
        if rules::all().iter().any(|rule| rule.is_chosen_by(&text.value)) {
            continue;
        }
        clean = false;
        let message = format!("no rule has the code or the name `{}`", excerpt(&text.value));
        let fault = reader.fault(text.span, message, "not a rule");
        let known = rules::all().iter().flat_map(|rule| [rule.code, rule.name]);
        let help = match did_you_mean(&text.value, known) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "`saltplan rule` lists them".into(),
        };
        reader.report(fault.with_help(help));
    }
    clean.then_some(texts)
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
    vec![("settings", saltplan_core::document::tables::keys(&format::SETTINGS))]
}
