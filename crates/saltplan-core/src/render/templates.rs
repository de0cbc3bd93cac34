//! The templates: built into the program, shadowed by files of the same relative path in a folder of the user's.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Kwargs;
use minijinja::{Environment, Error, ErrorKind, State, UndefinedBehavior, Value};
use serde::Serialize;

use crate::diag::grouped;
use crate::files::bounds::Bounds;
use crate::files::{self, ReadError};
use crate::hiveql::layout::{self, Mark};

/// Steps of the template engine in one statement by templates of a repository, at most. Ten thousand branches take about a million.
const MAX_STEPS: u64 = 10_000_000;

/// Most bytes of a template.
const MAX_BYTES: u64 = 1 << 20;

/// Every built-in template: its path below `templates/` and its text.
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
    own: OwnFiles,
    /// What the user's own templates for Hive printed, if it is kept.
    printed: Option<Mutex<Vec<Printed>>>,
}

/// The files of the user's that were read, by the names of the templates.
type OwnFiles = Arc<Mutex<BTreeMap<String, PathBuf>>>;

/// A text that a template of the user's printed.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Printed {
    pub template: PathBuf,
    pub text: String,
}

impl Templates {
    /// Built-in templates, shadowed by those in `folder`, which is the user's own: links in it are followed, and a template may run
    /// as long as it likes.
    pub fn new(folder: Option<&Path>) -> Self {
        Templates::with(folder, None)
    }

    /// Built-in templates, shadowed by those in a folder of a repository, which a stranger may have written: links do not lead out of
    /// the repository, and a template ends after so many steps.
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
        // Where a template lets a line end.
        environment.add_global("br", Mark::Break.sign().to_string());
        let folder = folder.map(Path::to_path_buf);
        let own = OwnFiles::default();
        let read = Arc::clone(&own);
        environment.set_loader(move |name| load(folder.as_deref(), bounds.as_ref(), name, &read));
        Templates { environment, own, printed: None }
    }

    /// Keeps what the user's own templates for Hive print.
    #[doc(hidden)]
    #[must_use]
    pub fn keeping_printed(mut self) -> Self {
        self.printed = Some(Mutex::default());
        self
    }

    /// What was kept.
    #[doc(hidden)]
    pub fn printed(&self) -> Vec<Printed> {
        let printed = self.printed.as_ref();
        printed
            .map_or_else(Vec::new, |printed| printed.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// # Errors
    /// The template cannot be read, has a fault of syntax, or asks for something that its plan has not.
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

    /// The user's file for a template, or for the parts that the built-in ones share.
    fn own_file(&self, name: &str) -> Option<PathBuf> {
        let own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        own.get(name).or_else(|| own.get("hive/parts.sql")).cloned()
    }
}

fn load(
    folder: Option<&Path>,
    bounds: Option<&Bounds>,
    name: &str,
    own: &OwnFiles,
) -> Result<Option<String>, Error> {
    if let Some(path) = folder.and_then(|folder| shadow_path(folder, name)) {
        if let (Some(bounds), Ok(real)) = (bounds, path.canonicalize()) {
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
    Ok(BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_string()))
}

/// The file that shadows a template; names that would leave the folder have none.
fn shadow_path(folder: &Path, name: &str) -> Option<PathBuf> {
    let stays_inside =
        name.split('/').all(|part| !part.is_empty() && part != "." && part != ".." && !part.contains('\\'));
    stays_inside.then(|| folder.join(name))
}

/// Prints strings and numbers as they are. Anything else in the output is a mistake of the template.
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
