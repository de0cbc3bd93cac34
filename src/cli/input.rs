//! Schemas, predicates and parameters from arguments, files and standard input.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;

use super::args::{PredicateArgs, SchemaArgs, TemplateArgs};
use super::failure::Failure;
use super::git::GitPath;
use super::inputs::is_standard_input;
use super::talk::Talk;
use saltplan_core::diag::{Diagnostic, Diagnostics, Source, Span};
use saltplan_core::files::sample::{self, SampleError};
use saltplan_core::key::salt::Image;
use saltplan_core::plan::{self, Options, Plan};
use saltplan_core::predicate::parse::MAX_PREDICATE_BYTES;
use saltplan_core::predicate::{self, Lowered, Parameters};
use saltplan_core::region::{self, Facts};
use saltplan_core::render::templates::{BUILT_IN, Templates};
use saltplan_core::schema;
use saltplan_core::schema::model::{Regions, Schema};
use saltplan_core::schema::yaml::Document;

/// Most bytes of a file of parameters.
const MAX_PARAMETER_BYTES: u64 = 1 << 20;

/// A schema with the source it was read from.
#[derive(Debug)]
pub struct LoadedSchema {
    pub schema: Schema,
    pub source: Arc<Source>,
    /// The file as nodes with places.
    pub document: Document,
    /// The sample that the regions are cut by, there or not.
    sample: Option<SampleFile>,
}

#[derive(Debug)]
enum SampleFile {
    Path(PathBuf),
    Git(GitPath),
}

/// Where paths in a schema start.
enum Origin<'a> {
    Folder(&'a Path),
    Git(&'a GitPath),
}

/// A schema named by a path or by `git:REF:path`, or standard input for `-`. Its warnings were told when it was written.
pub fn load_version(argument: &str, talk: &Talk) -> Result<LoadedSchema, Failure> {
    if let Some(path) = GitPath::parse(argument) {
        let path = path?;
        let source = schema::source_from_bytes(argument, path.read(schema::MAX_BYTES as u64)?)?;
        return loaded(source, &Origin::Git(&path), None);
    }
    let args = SchemaArgs { schema: argument.into(), stdin_filename: "<stdin>".into() };
    load(&args, talk, None)
}

pub fn load_schema(args: &SchemaArgs, talk: &Talk) -> Result<LoadedSchema, Failure> {
    load(args, talk, Some(talk))
}

/// `remarks` hears the warnings.
fn load(args: &SchemaArgs, talk: &Talk, remarks: Option<&Talk>) -> Result<LoadedSchema, Failure> {
    let (source, named) = if is_standard_input(&args.schema) {
        (standard_input(&args.stdin_filename)?, Path::new(&args.stdin_filename))
    } else {
        let source = schema::read_file(&args.schema)?;
        talk.inputs.add(&args.schema);
        (source, args.schema.as_path())
    };
    let folder = named.parent().unwrap_or(Path::new(""));
    let schema = loaded(source, &Origin::Folder(folder), remarks)?;
    if let Some(SampleFile::Path(path)) = &schema.sample {
        talk.inputs.add(path);
    }
    Ok(schema)
}

fn loaded(source: Arc<Source>, origin: &Origin<'_>, remarks: Option<&Talk>) -> Result<LoadedSchema, Failure> {
    let loaded = schema::load(&source)?;
    if let Some(talk) = remarks {
        talk.remarks(&loaded.warnings);
    }
    let mut schema = LoadedSchema { schema: loaded.schema, document: loaded.document, source, sample: None };
    // Also for commands that do not read the sample: no schema may name a file of somebody else.
    if let Some(path) = schema.sample_path() {
        let file = match origin {
            Origin::Folder(folder) => sample::locate(folder, path).map(SampleFile::Path),
            Origin::Git(schema) => schema.beside(path).map(SampleFile::Git).map_err(SampleError::Stray),
        };
        schema.sample = Some(file.map_err(|error| schema.bad_sample(&error))?);
    }
    Ok(schema)
}

fn standard_input(name: &str) -> Result<Arc<Source>, Failure> {
    // One byte more than is taken, so that a longer schema is noticed without reading all of it.
    let bytes = read_limited(std::io::stdin().lock(), schema::MAX_BYTES as u64 + 1)
        .context("cannot read the schema from standard input")?;
    Ok(schema::source_from_bytes(name, bytes)?)
}

pub fn read_limited(reader: impl Read, limit: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl LoadedSchema {
    /// The split keys of the table, or `None` when the schema does not say how it is split.
    pub fn split_keys(&self) -> Result<Option<Vec<Vec<u8>>>, Failure> {
        let Some(regions) = &self.schema.regions else { return Ok(None) };
        let image = self.schema.key.salt.as_ref().map(|salt| salt.image(&self.schema.key));
        let salts = match &image {
            Some(Image::Listed(salts)) => salts.as_slice(),
            _ => &[],
        };
        let sample = self.sample.as_ref().map(|file| self.read_sample(file)).transpose()?.unwrap_or_default();
        let then = self.schema.key.salt.as_ref().map_or(&[][..], |salt| &salt.then);
        let facts = Facts { salts, then, sample: &sample };
        let keys = region::split_keys(&regions.value, facts).map_err(|error| {
            Diagnostic::error(error.to_string()).at(&self.source, regions.span, "these regions")
        })?;
        Ok(Some(keys))
    }

    /// The file without its folder, so that what is printed is the same wherever the command runs.
    pub fn file_name(&self) -> String {
        let name = Path::new(&self.source.name);
        name.file_name().unwrap_or(name.as_os_str()).to_string_lossy().into_owned()
    }

    /// As the schema writes it.
    fn sample_path(&self) -> Option<&str> {
        match &self.schema.regions.as_ref()?.value {
            Regions::Sampled { keys, .. } => Some(keys),
            _ => None,
        }
    }

    fn read_sample(&self, file: &SampleFile) -> Result<Vec<Vec<u8>>, Failure> {
        let keys = match file {
            SampleFile::Path(path) => sample::read(path),
            SampleFile::Git(path) => {
                let bytes = path.read(sample::MAX_BYTES).map_err(|failure| match failure {
                    Failure::Invalid(errors) => {
                        Failure::Invalid(errors.into_iter().map(|error| self.where_named(error)).collect())
                    }
                    other => other,
                })?;
                sample::parse(bytes.as_slice())
            }
        };
        keys.map_err(|error| self.bad_sample(&error).into())
    }

    fn bad_sample(&self, error: &SampleError) -> Diagnostic {
        self.where_named(Diagnostic::error(format!("no sample keys: {error}")).with_help(error.help()))
    }

    /// Marks the place where the schema names the sample.
    fn where_named(&self, error: Diagnostic) -> Diagnostic {
        let named = self.document.find(&["regions", "sampled"]).and_then(|form| form.entry("keys"));
        let span = named.map_or(Span::default(), |entry| entry.value.span);
        error.at(&self.source, span, "named here")
    }
}

/// The templates, with those of a folder of the user's.
pub fn templates(args: &TemplateArgs, talk: &Talk) -> Templates {
    let folder = args.templates.as_deref();
    let own = folder.into_iter().flat_map(|folder| BUILT_IN.iter().map(|(name, _)| folder.join(name)));
    own.for_each(|path| talk.inputs.add(&path));
    Templates::new(folder)
}

/// A predicate against a schema.
pub fn load_predicate(args: &PredicateArgs, schema: &LoadedSchema, talk: &Talk) -> Result<Lowered, Failure> {
    let source = predicate_source(&args.predicate, talk)?;
    let parameters = parameters(args, talk)?;
    let parsed = predicate::parse(&source, &parameters)?;
    let lowered = predicate::lower(&schema.schema, &parsed)?;
    talk.remarks(&lowered.warnings);
    Ok(lowered)
}

fn predicate_source(argument: &str, talk: &Talk) -> Result<Arc<Source>, Failure> {
    let Some(path) = argument.strip_prefix('@') else { return Ok(Source::new("predicate", argument)) };
    let limit = MAX_PREDICATE_BYTES as u64 + 1;
    let (name, bytes) = if path == "-" {
        let bytes = read_limited(std::io::stdin().lock(), limit)
            .context("cannot read the predicate from standard input")?;
        ("<stdin>", bytes)
    } else {
        // A pipe is as good as a file here: a shell makes one for `@<(…)`.
        let cannot = || format!("cannot read the predicate from {path}");
        let file = File::open(path).with_context(cannot)?;
        talk.inputs.add(Path::new(path));
        (path, read_limited(file, limit).with_context(cannot)?)
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        Diagnostic::error(format!("{name} is not UTF-8 text (byte {})", error.utf8_error().valid_up_to()))
            .with_help("save the predicate as UTF-8")
    })?;
    Ok(Source::new(name, text))
}

fn parameters(args: &PredicateArgs, talk: &Talk) -> Result<Parameters, Failure> {
    let mut parameters = Parameters::new();
    if let Some(path) = &args.params_file {
        let text = talk.inputs.text(path, MAX_PARAMETER_BYTES)?;
        let lines =
            text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        for (index, line) in lines {
            let place = format!("{}:{}", path.display(), index + 1);
            add_parameter(&mut parameters, line, &place)?;
        }
    }
    let mut given = Parameters::new();
    for text in &args.params {
        add_parameter(&mut given, text, "--param")?;
    }
    // The command line wins over the file.
    parameters.extend(given);
    Ok(parameters)
}

fn add_parameter(parameters: &mut Parameters, text: &str, place: &str) -> Result<(), Diagnostics> {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let Some((name, value)) = text.split_once('=').filter(|(name, _)| is_name(name.trim())) else {
        let error = Diagnostic::error(format!("{place}: `{text}` is not of the form `name=value`"));
        return Err(error.with_help("write for example `--param day=20200406`").into());
    };
    if parameters.insert(name.trim().to_string(), value.to_string()).is_some() {
        return Err(
            Diagnostic::error(format!("{place}: the parameter `{}` is given twice", name.trim())).into()
        );
    }
    Ok(())
}

/// The plan of a predicate, and the predicate in one line for headers.
pub fn make_plan(
    schema: &LoadedSchema,
    args: &PredicateArgs,
    talk: &Talk,
) -> Result<(Plan, String), Failure> {
    let lowered = load_predicate(args, schema, talk)?;
    let split_keys = schema.split_keys()?;
    let options =
        Options { max_branches: args.max_branches, split_keys: split_keys.as_deref(), ..Options::default() };
    let text = lowered.text.to_string();
    Ok((plan::plan(&schema.schema, &lowered, options), text))
}
