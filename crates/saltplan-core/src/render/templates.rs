//! Templates: built-in ones, and the user's files, which take the place of built-in templates with the same relative path. The built-in
//! ones for Hive print the same as the trees of its statements; users copy them to begin their own.

mod counted;
mod operators;
mod room;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Kwargs;
use minijinja::{Environment, Error, ErrorKind, State, UndefinedBehavior, Value};
use serde::Serialize;

use super::RenderError;
use super::size::limited;
use crate::refusal::Refusal;
use saltplan_document::diag::grouped;
use saltplan_document::files::bounds::Bounds;
use saltplan_document::files::{self, ReadError};

/// The maximum number of steps of the template engine for a statement by templates of a repository. Ten thousand branches take about
/// a million.
const MAX_STEPS: u64 = 10_000_000;

/// The maximum number of bytes that a template of the user may print, where nothing sets another limit.
const MAX_PRINTED_BYTES: usize = 64 << 20;

/// The maximum bytes of a template.
const MAX_BYTES: u64 = 1 << 20;

/// Macros that other built-in templates import.
const PARTS: &str = "hive/parts.sql";

/// The built-in templates for Hive that do not import them.
const WITHOUT_PARTS: [&str; 3] = ["hive/mapping.sql", "hive/target.sql", "hive/view.sql"];

/// The built-in templates: path below `templates/` of this package, and text.
pub const BUILT_IN: [(&str, &str); 12] = [
    ("hive/union_all.sql", include_str!("../../templates/hive/union_all.sql")),
    ("hive/isolated.sql", include_str!("../../templates/hive/isolated.sql")),
    ("hive/parts.sql", include_str!("../../templates/hive/parts.sql")),
    ("hive/mapping.sql", include_str!("../../templates/hive/mapping.sql")),
    ("hive/target.sql", include_str!("../../templates/hive/target.sql")),
    ("hive/view.sql", include_str!("../../templates/hive/view.sql")),
    ("hive/load.sql", include_str!("../../templates/hive/load.sql")),
    ("hive/load_faults.sql", include_str!("../../templates/hive/load_faults.sql")),
    ("hive/verify.sql", include_str!("../../templates/hive/verify.sql")),
    ("hive/splits.sql", include_str!("../../templates/hive/splits.sql")),
    ("hive/counts.sql", include_str!("../../templates/hive/counts.sql")),
    ("hbase/create.rb", include_str!("../../templates/hbase/create.rb")),
];

/// A template that could not be read or filled in.
#[derive(Debug, thiserror::Error)]
#[error("template `{name}`{line}: {message}", line = line.map(|line| format!(" line {line}")).unwrap_or_default())]
pub struct TemplateError {
    pub name: String,
    /// Counted from 1.
    pub line: Option<usize>,
    pub message: String,
}

/// Fills templates in.
#[derive(Debug)]
pub struct Templates {
    environment: Environment<'static>,
    /// By their names.
    built_in: &'static [(&'static str, &'static str)],
    folder: Arc<Option<OwnFolder>>,
    own: OwnFiles,
    /// The texts that the user's own templates for Hive printed, if they are kept.
    printed: Option<Mutex<Vec<TemplateOutput>>>,
}

/// The user's folder, with the bounds of its links.
#[derive(Debug)]
struct OwnFolder {
    path: PathBuf,
    bounds: Bounds,
}

/// The user's files that were read, by template name.
type OwnFiles = Arc<Mutex<BTreeMap<String, PathBuf>>>;

/// A text that one of the user's templates printed.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct TemplateOutput {
    pub template: PathBuf,
    pub text: String,
}

impl Templates {
    /// Built-in templates, and those in a folder that the user names: a template may run for any time. Links in the folder are followed
    /// if they stay in it.
    pub fn new(folder: Option<&Path>) -> Self {
        Templates::with(folder.and_then(|path| OwnFolder::new(path, Bounds::within(path))))
    }

    /// Built-in templates, and those in a folder of a repository, which is not trusted: a template fails after ten million steps. Links
    /// in the folder are followed if they stay in the repository.
    #[doc(hidden)]
    pub fn of_repository(folder: &Path) -> Self {
        let mut templates = Templates::with(OwnFolder::new(folder, Bounds::around(folder)));
        templates.environment.set_fuel(Some(MAX_STEPS));
        templates
    }

    fn with(folder: Option<OwnFolder>) -> Self {
        let mut environment = Environment::new();
        environment.set_syntax(syntax());
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment.set_formatter(write_token);
        operators::add_to(&mut environment);
        environment.add_filter("join", join);
        // What broke lines in copies of older built-in templates. A template does not know the line on which an expression begins, nor
        // whether that is a comment.
        environment.add_filter("wrap", |sql: &str| room::take(sql.len()).map(|()| sql.to_string()));
        environment.add_filter("bracketed", |sql: &str| room::take(sql.len()).map(|()| format!("({sql})")));
        environment.add_global("br", "");
        let folder = Arc::new(folder);
        let built_in = &BUILT_IN;
        let templates = Templates { environment, built_in, folder, own: OwnFiles::default(), printed: None };
        templates.built_in(&BUILT_IN)
    }

    /// Uses other built-in templates: the path and the text of each. The user's folder shadows them, too.
    #[doc(hidden)]
    #[must_use]
    pub fn built_in(mut self, templates: &'static [(&'static str, &'static str)]) -> Self {
        self.built_in = templates;
        let (folder, own) = (Arc::clone(&self.folder), Arc::clone(&self.own));
        self.environment.set_loader(move |name| {
            let text = || templates.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).into());
            match folder.as_ref().as_ref().map_or(Ok(None), |folder| load(folder, name, &own))? {
                Some(own) => counted::counted(&own, syntax()).map(Some),
                None => Ok(text()),
            }
        });
        self
    }

    /// Keeps the texts that the user's own templates for Hive print.
    #[doc(hidden)]
    #[must_use]
    pub fn keeping_printed(mut self) -> Self {
        self.printed = Some(Mutex::default());
        self
    }

    /// The texts that were kept.
    #[doc(hidden)]
    pub fn printed(&self) -> Vec<TemplateOutput> {
        let printed = self.printed.as_ref();
        printed
            .map_or_else(Vec::new, |printed| printed.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// # Errors
    /// The template cannot be read, has a syntax error, uses a value that is not defined, or makes too much.
    #[doc(hidden)]
    pub fn render(&self, name: &str, context: &impl Serialize) -> Result<String, TemplateError> {
        self.printed_text(name, context, MAX_PRINTED_BYTES)?.ok_or_else(|| {
            let message = format!("it prints more than {} MiB", MAX_PRINTED_BYTES >> 20);
            TemplateError { name: name.to_string(), line: None, message }
        })
    }

    /// A text of at most `limit` bytes. A template of the user is stopped while it prints more.
    ///
    /// # Errors
    /// As [`Templates::render`], or the text is longer.
    #[doc(hidden)]
    pub fn render_within(
        &self,
        name: &str,
        context: &impl Serialize,
        limit: usize,
    ) -> Result<String, RenderError> {
        let text = self.printed_text(name, context, limit)?;
        Ok(limited(text.ok_or(Refusal::TooLong { bytes: limit.saturating_add(1), limit })?, limit)?)
    }

    /// The text; `None` if a template of the user prints more than `limit` bytes.
    fn printed_text(
        &self,
        name: &str,
        context: &impl Serialize,
        limit: usize,
    ) -> Result<Option<String>, TemplateError> {
        let is_own = self.folder.is_some();
        let _room = is_own.then(|| room::Limit::for_printed(limit));
        let most = if is_own { limit } else { usize::MAX };
        let mut printed = PrintedText { bytes: Vec::new(), most };
        let context = Value::from(minijinja::value::Serde(context));
        let rendered = self
            .environment
            .get_template(name)
            .and_then(|template| template.render_captured_to(context, &mut printed).map(drop));
        match rendered {
            Err(_) if printed.is_full() => return Ok(None),
            Err(error) => return Err(describe(name, &error)),
            Ok(()) => {}
        }
        let text = String::from_utf8_lossy(&printed.bytes).into_owned();
        if let Some(printed) = &self.printed
            && name.starts_with("hive/")
            && let Some(template) = self.own_file(name)
        {
            let mut printed = printed.lock().unwrap_or_else(PoisonError::into_inner);
            printed.push(TemplateOutput { template, text: text.clone() });
        }
        Ok(Some(text))
    }

    /// Whether the user's folder has the template, or the parts that the built-in one imports.
    ///
    /// # Errors
    /// The user's file cannot be read.
    pub(crate) fn replaces(&self, name: &str) -> Result<bool, TemplateError> {
        let Some(folder) = self.folder.as_ref() else { return Ok(false) };
        let has = |file: &str| match load(folder, file, &self.own) {
            Ok(text) => Ok(text.is_some()),
            Err(error) => Err(describe(name, &error)),
        };
        Ok(has(name)? || !WITHOUT_PARTS.contains(&name) && has(PARTS)?)
    }

    /// The text of a template as it is written.
    ///
    /// # Errors
    /// The template cannot be read.
    #[doc(hidden)]
    pub fn source(&self, name: &str) -> Result<String, TemplateError> {
        let own = match self.folder.as_ref() {
            Some(folder) => load(folder, name, &self.own).map_err(|error| describe(name, &error))?,
            None => None,
        };
        let built_in = || self.built_in.iter().find(|(known, _)| *known == name);
        Ok(own.or_else(|| built_in().map(|(_, text)| (*text).into())).unwrap_or_default())
    }

    /// The user's file for a template, or the user's `parts.sql`, which built-in templates import.
    fn own_file(&self, name: &str) -> Option<PathBuf> {
        let own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        own.get(name).or_else(|| own.get(PARTS)).cloned()
    }
}

fn syntax() -> SyntaxConfig {
    let syntax =
        SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    syntax.unwrap_or_default()
}

/// What a template has printed. It cannot print more after that.
struct PrintedText {
    bytes: Vec<u8>,
    most: usize,
}

impl PrintedText {
    fn is_full(&self) -> bool {
        self.bytes.len() > self.most
    }
}

impl io::Write for PrintedText {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_full() {
            return Err(io::Error::other("too long"));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl OwnFolder {
    /// `None` if there is no such folder.
    fn new(path: &Path, bounds: io::Result<Bounds>) -> Option<Self> {
        Some(OwnFolder { path: path.to_path_buf(), bounds: bounds.ok()? })
    }
}

/// The user's text of a template, if the folder has one.
fn load(folder: &OwnFolder, name: &str, own: &OwnFiles) -> Result<Option<String>, Error> {
    let Some(path) = shadow_path(&folder.path, name) else { return Ok(None) };
    if let Ok(real) = path.canonicalize() {
        folder.bounds.check(&real).map_err(|_| {
            let place = if folder.bounds.is_repository() { "git repository" } else { "folder" };
            let message = format!("{} is outside its {place}, or a hidden file", path.display());
            Error::new(ErrorKind::InvalidOperation, message)
        })?;
    }
    match files::read_text(&path, MAX_BYTES) {
        Ok(text) => {
            own.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_string(), path);
            Ok(Some(text))
        }
        Err(ReadError::Missing) => Ok(None),
        Err(error) => {
            let message = format!("cannot read {}: {error}", path.display());
            Err(Error::new(ErrorKind::InvalidOperation, message))
        }
    }
}

/// The user's file for a template; `None` for names that would leave the folder.
fn shadow_path(folder: &Path, name: &str) -> Option<PathBuf> {
    let stays_inside =
        name.split('/').all(|part| !part.is_empty() && part != "." && part != ".." && !part.contains('\\'));
    stays_inside.then(|| folder.join(name))
}

/// Prints strings and numbers as they are. Any other value is an error of the template.
fn write_token(output: &mut minijinja::Output, state: &mut State, value: &Value) -> Result<(), Error> {
    use minijinja::value::ValueKind;
    room::take(value.as_str().map_or(0, str::len))?;
    match value.kind() {
        ValueKind::String | ValueKind::Number => minijinja::escape_formatter(output, state, value),
        ValueKind::Undefined => minijinja::escape_formatter(output, state, value),
        other => Err(Error::new(
            ErrorKind::InvalidOperation,
            format!("a template prints only text and numbers, not a value of the kind `{other}`"),
        )),
    }
}

/// The filter of the template engine, counted.
fn join(
    value: &Value,
    joiner: Option<&str>,
    attribute: Option<&str>,
    kwargs: Kwargs,
) -> Result<Value, Error> {
    let joiner = joiner.map_or_else(|| kwargs.get("d"), |joiner| Ok(Some(joiner)))?.unwrap_or_default();
    let attribute = attribute.map_or_else(|| kwargs.get("attribute"), |name| Ok(Some(name)))?;
    kwargs.assert_all_used()?;
    let mut text = room::Text::default();
    for (place, item) in value.try_iter()?.enumerate() {
        let mut item = item;
        for part in attribute.into_iter().flat_map(|path| path.split('.')) {
            item = item.get_attr(part)?;
        }
        if place > 0 {
            text.push(&joiner)?;
        }
        text.push(&item)?;
    }
    Ok(text.into_string().into())
}

fn describe(name: &str, error: &Error) -> TemplateError {
    let message = match error.kind() {
        ErrorKind::TemplateNotFound => "there is no template of this name".to_string(),
        ErrorKind::UndefinedError => match error.detail() {
            Some(detail) => format!("uses an undefined value: {detail}"),
            None => "uses an undefined value".to_string(),
        },
        ErrorKind::OutOfFuel => {
            format!("it does not end within {} steps: is there an endless loop?", grouped(MAX_STEPS.into()))
        }
        _ => error.detail().map_or_else(|| error.kind().to_string(), str::to_string),
    };
    TemplateError { name: error.name().unwrap_or(name).to_string(), line: error.line(), message }
}
