//! Templates: built-in ones, and the user's files, which take the place of built-in templates with the same relative path.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Kwargs;
use minijinja::{Environment, Error, ErrorKind, State, UndefinedBehavior, Value};
use serde::Serialize;

use saltplan_document::diag::grouped;
use saltplan_document::files::bounds::Bounds;
use saltplan_document::files::{self, ReadError};
use saltplan_sql::layout::{self, Mark};

/// The maximum number of steps of the template engine for a statement by templates of a repository. Ten thousand branches take about
/// a million.
const MAX_STEPS: u64 = 10_000_000;

/// The maximum bytes of a template.
const MAX_BYTES: u64 = 1 << 20;

/// The built-in templates: path below `templates/` and text.
pub const BUILT_IN: [(&str, &str); 13] = [
    ("hive/union_all.sql", include_str!("../../templates/hive/union_all.sql")),
    ("hive/isolated.sql", include_str!("../../templates/hive/isolated.sql")),
    ("hive/statements.sql", include_str!("../../templates/hive/statements.sql")),
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
    folder: Arc<OwnFolder>,
    own: OwnFiles,
    /// The texts that the user's own templates for Hive printed, if they are kept.
    printed: Option<Mutex<Vec<Printed>>>,
}

/// The user's folder; with bounds if links must not lead out of its repository.
#[derive(Debug)]
struct OwnFolder {
    path: Option<PathBuf>,
    bounds: Option<Bounds>,
}

/// The user's files that were read, by template name.
type OwnFiles = Arc<Mutex<BTreeMap<String, PathBuf>>>;

/// A text that one of the user's templates printed.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Printed {
    pub template: PathBuf,
    pub text: String,
}

impl Templates {
    /// Built-in templates, and those in `folder`, which is trusted: links in it are followed, and a template may run for any time.
    pub fn new(folder: Option<&Path>) -> Self {
        Templates::with(folder, None)
    }

    /// Built-in templates, and those in a folder of a repository, which is not trusted: links out of the repository are refused, and a
    /// template fails after ten million steps.
    #[doc(hidden)]
    pub fn of_repository(folder: &Path) -> Self {
        let mut templates = Templates::with(Some(folder), Bounds::around(folder).ok());
        templates.environment.set_fuel(Some(MAX_STEPS));
        templates
    }

    fn with(folder: Option<&Path>, bounds: Option<Bounds>) -> Self {
        let mut environment = Environment::new();
        let syntax =
            SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
        if let Ok(syntax) = syntax {
            environment.set_syntax(syntax);
        }
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment.set_formatter(write_token);
        environment.add_filter("wrap", |sql: &str| layout::wrap(sql));
        environment.add_filter("join", join);
        environment.add_filter("bracketed", layout::bracketed);
        // Marks a place where `wrap` may end a line.
        environment.add_global("br", Mark::Break.sign().to_string());
        let folder = Arc::new(OwnFolder { path: folder.map(Path::to_path_buf), bounds });
        let templates = Templates { environment, folder, own: OwnFiles::default(), printed: None };
        templates.built_in(&BUILT_IN)
    }

    /// Uses other built-in templates: the path and the text of each. The user's folder shadows them, too.
    #[doc(hidden)]
    #[must_use]
    pub fn built_in(mut self, templates: &'static [(&'static str, &'static str)]) -> Self {
        let (folder, own) = (Arc::clone(&self.folder), Arc::clone(&self.own));
        self.environment.set_loader(move |name| {
            let text = || templates.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).into());
            Ok(load(&folder, name, &own)?.or_else(text))
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
    pub fn printed(&self) -> Vec<Printed> {
        let printed = self.printed.as_ref();
        printed
            .map_or_else(Vec::new, |printed| printed.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// # Errors
    /// The template cannot be read, has a syntax error, or uses a value that is not defined.
    #[doc(hidden)]
    pub fn render(&self, name: &str, context: &impl Serialize) -> Result<String, TemplateError> {
        let context = Value::from(minijinja::value::Serde(context));
        let text = self
            .environment
            .get_template(name)
            .and_then(|template| template.render(context))
            .map_err(|error| describe(name, &error))?;
        let text = layout::unmarked(text);
        if let Some(printed) = &self.printed
            && name.starts_with("hive/")
            && let Some(template) = self.own_file(name)
        {
            let mut printed = printed.lock().unwrap_or_else(PoisonError::into_inner);
            printed.push(Printed { template, text: text.clone() });
        }
        Ok(text)
    }

    /// The user's file for a template, or the user's `parts.sql`, which built-in templates import.
    fn own_file(&self, name: &str) -> Option<PathBuf> {
        let own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        own.get(name).or_else(|| own.get("hive/parts.sql")).cloned()
    }
}

/// The user's text of a template, if the folder has one.
fn load(folder: &OwnFolder, name: &str, own: &OwnFiles) -> Result<Option<String>, Error> {
    if let Some(path) = folder.path.as_deref().and_then(|folder| shadow_path(folder, name)) {
        if let (Some(bounds), Ok(real)) = (&folder.bounds, path.canonicalize()) {
            bounds.check(&real).map_err(|_| {
                Error::new(
                    ErrorKind::InvalidOperation,
                    format!("{} is outside its git repository, or a hidden file", path.display()),
                )
            })?;
        }
        match files::read_text(&path, MAX_BYTES) {
            Ok(text) => {
                own.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_string(), path);
                return Ok(Some(text));
            }
            Err(ReadError::Missing) => {}
            Err(error) => {
                return Err(Error::new(
                    ErrorKind::InvalidOperation,
                    format!("cannot read {}: {error}", path.display()),
                ));
            }
        }
    }
    Ok(None)
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
    match value.kind() {
        ValueKind::String | ValueKind::Number => minijinja::escape_formatter(output, state, value),
        ValueKind::Undefined => minijinja::escape_formatter(output, state, value),
        other => Err(Error::new(
            ErrorKind::InvalidOperation,
            format!("a template prints only text and numbers, not a value of the kind `{other}`"),
        )),
    }
}

/// The filter of the template engine, except that a line may end after each comma of a list.
fn join(
    state: &mut State,
    value: &Value,
    joiner: Option<&str>,
    attribute: Option<&str>,
    kwargs: Kwargs,
) -> Result<Value, Error> {
    let joiner = joiner.map_or_else(|| kwargs.get("d"), |joiner| Ok(Some(joiner)))?.unwrap_or_default();
    let attribute = attribute.map_or_else(|| kwargs.get("attribute"), |name| Ok(Some(name)))?;
    kwargs.assert_all_used()?;
    let mut joined = |joiner: &str| {
        let joiner = Kwargs::from_iter([("d", Value::from(joiner))]);
        minijinja::filters::join(state, value, None, attribute, joiner)
    };
    match joiner {
        ", " => Ok(layout::list(&joined(&layout::separator())?.to_string()).into()),
        other => joined(other),
    }
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
