//! Schemas, predicates and parameters from arguments, files and standard input.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;

use super::args::{PredicateArgs, SchemaArgs};
use super::failure::Failure;
use super::git::GitPath;
use super::talk::Talk;
use saltplan_core::diag::{Diagnostic, Diagnostics, Source};
use saltplan_core::key::range::from_string_binary;
use saltplan_core::key::salt::Image;
use saltplan_core::plan::{self, Options, Plan};
use saltplan_core::predicate::parse::MAX_PREDICATE_BYTES;
use saltplan_core::predicate::{self, Lowered, Parameters};
use saltplan_core::region::{self, Facts};
use saltplan_core::schema;
use saltplan_core::schema::model::{Regions, Schema};
use saltplan_core::schema::yaml::Document;

/// A schema with the source it was read from.
#[derive(Debug)]
pub struct LoadedSchema {
    pub schema: Schema,
    pub source: Arc<Source>,
    /// The file as nodes with places.
    pub document: Document,
    /// Where paths in the schema start.
    origin: Origin,
}

#[derive(Debug)]
enum Origin {
    Folder(PathBuf),
    Git(GitPath),
}

/// A schema named by a path or by `git:REF:path`, or standard input for `-`. Its warnings were told when it was written.
pub fn load_version(argument: &str) -> Result<LoadedSchema, Failure> {
    let (source, origin) = match GitPath::parse(argument) {
        Some(path) => {
            let path = path?;
            (schema::source_from_bytes(argument, path.read()?)?, Origin::Git(path))
        }
        None if argument == "-" => (standard_input("<stdin>")?, Origin::Folder(PathBuf::new())),
        None => {
            let path = Path::new(argument);
            let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
            (schema::read_file(path)?, Origin::Folder(folder))
        }
    };
    let loaded = schema::load(&source)?;
    Ok(LoadedSchema { schema: loaded.schema, document: loaded.document, source, origin })
}

pub fn load_schema(args: &SchemaArgs, talk: &Talk) -> Result<LoadedSchema, Failure> {
    let source = if args.schema.as_os_str() == "-" {
        standard_input(&args.stdin_filename)?
    } else {
        schema::read_file(&args.schema)?
    };
    let loaded = schema::load(&source)?;
    talk.remarks(&loaded.warnings);
    let folder = args.schema.parent().unwrap_or(Path::new("")).to_path_buf();
    let origin = Origin::Folder(folder);
    Ok(LoadedSchema { schema: loaded.schema, document: loaded.document, source, origin })
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
        let sample = match &regions.value {
            Regions::Sampled { keys, .. } => self.sample(keys)?,
            _ => Vec::new(),
        };
        let then = self.schema.key.salt.as_ref().map_or(&[][..], |salt| &salt.then);
        let facts = Facts { salts, then, sample: &sample };
        let keys = region::split_keys(&regions.value, facts).map_err(|error| {
            Diagnostic::error(error.to_string()).at(&self.source, regions.span, "these regions")
        })?;
        Ok(Some(keys))
    }

    /// Sample keys in HBase text form, one a line.
    fn sample(&self, path: &str) -> Result<Vec<Vec<u8>>, Failure> {
        let text = match &self.origin {
            Origin::Git(schema) => String::from_utf8_lossy(&schema.sibling(path).read()?).into_owned(),
            Origin::Folder(folder) => {
                let path = folder.join(path);
                std::fs::read_to_string(&path)
                    .with_context(|| format!("cannot read the sample keys from {}", path.display()))?
            }
        };
        Ok(text.lines().filter(|line| !line.is_empty()).map(from_string_binary).collect())
    }
}

/// A predicate against a schema.
pub fn load_predicate(args: &PredicateArgs, schema: &LoadedSchema, talk: &Talk) -> Result<Lowered, Failure> {
    let source = predicate_source(&args.predicate)?;
    let parameters = parameters(args)?;
    let parsed = predicate::parse(&source, &parameters)?;
    let lowered = predicate::lower(&schema.schema, &parsed)?;
    talk.remarks(&lowered.warnings);
    Ok(lowered)
}

fn predicate_source(argument: &str) -> Result<Arc<Source>, Failure> {
    let Some(path) = argument.strip_prefix('@') else { return Ok(Source::new("predicate", argument)) };
    let limit = MAX_PREDICATE_BYTES as u64 + 1;
    let (name, bytes) = if path == "-" {
        let bytes = read_limited(std::io::stdin().lock(), limit)
            .context("cannot read the predicate from standard input")?;
        ("<stdin>", bytes)
    } else {
        let file =
            std::fs::File::open(path).with_context(|| format!("cannot read the predicate from {path}"))?;
        (path, read_limited(file, limit).with_context(|| format!("cannot read the predicate from {path}"))?)
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        Diagnostic::error(format!("{name} is not UTF-8 text (byte {})", error.utf8_error().valid_up_to()))
            .with_help("save the predicate as UTF-8")
    })?;
    Ok(Source::new(name, text))
}

fn parameters(args: &PredicateArgs) -> Result<Parameters, Failure> {
    let mut parameters = Parameters::new();
    if let Some(path) = &args.params_file {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the parameters from {}", path.display()))?;
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
    let options = Options { max_branches: args.max_branches, split_keys: split_keys.as_deref() };
    let text = lowered.text.to_string();
    Ok((plan::plan(&schema.schema, &lowered, options), text.split_whitespace().collect::<Vec<_>>().join(" ")))
}
