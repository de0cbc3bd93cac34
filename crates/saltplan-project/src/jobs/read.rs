//! Nodes to jobs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::format::{self, Defaults, JobKeys, JobsKeys, KindWord, MAX_JOBS, RuntimeText};
use super::model::{CheckJob, Job, JobKind, Jobs, Lists, PlanJob, Ranges, RewriteJob};
use super::pattern::JobPattern;
use super::values::range;
use crate::fault::all;
use saltplan_core::ddl::DdlTable;
use saltplan_core::hive::check::CheckForm;
use saltplan_core::limits::Limits;
use saltplan_document::diag::{Diagnostic, DiagnosticKind, Source, Span, Spanned};
use saltplan_document::format::Key;
use saltplan_document::reader::{Fields, FileValue, FromFile, Reader};
use saltplan_document::wording::excerpt;
use saltplan_document::yaml::{self, Node};
use saltplan_rewrite::{Now, VALUE_IN_QUERY};
use saltplan_sql::{Parameter, Parameters, Runtime, is_parameter_name, parameter_names};

/// The placeholder for the name of a job.
pub(crate) const JOB: &str = "job";

/// The default number of wrong rows that `verify` lists.
const DEFAULT_LIST: u32 = 20;

/// The names of `for_each` with their values.
pub(super) type Values = Vec<(Spanned<String>, Vec<String>)>;

const NO_NAME: &str = "a name consists of letters, digits and `_`";

pub fn jobs(reader: &mut Reader<'_>, source: &Arc<Source>, root: &Node) -> Option<Jobs> {
    FileValue::root(root, &format::FILE).mapping(reader, |reader, fields| {
        let version: Option<u32> = fields.required(reader, &JobsKeys::VERSION, FromFile::from_file);
        let defaults = fields.optional(reader, &JobsKeys::DEFAULTS, Defaults::read);
        let jobs = fields.get(&JobsKeys::JOBS);
        let items = jobs.and_then(|value| value.some_items(reader, "add a job, or remove the file"));
        let (defaults, items) = (defaults?.unwrap_or_default(), items?);
        let mut names = BTreeMap::new();
        let mut is_whole = version.is_some();
        let mut jobs = Vec::with_capacity(items.len());
        for item in &items {
            match item.mapping(reader, |reader, fields| read_job(reader, fields, &defaults)) {
                Some(found) => {
                    for job in found {
                        refuse_same_name(reader, &mut names, &job);
                        jobs.push(job);
                    }
                }
                None => is_whole = false,
            }
        }
        is_whole.then(|| Jobs { source: Arc::clone(source), engine: defaults.engine, jobs })
    })
}

fn refuse_same_name(reader: &mut Reader<'_>, names: &mut BTreeMap<String, Span>, job: &Job) {
    let name = &job.name.text;
    if let Some(first) = names.insert(name.value.clone(), name.span) {
        let message = format!("the job `{}` is given twice", excerpt(&name.value));
        let fault =
            reader.fault(name.span, message, "given again here").with_label(first, "first given here");
        let fault = fault.with_help("give one of the two another name");
        reader.report(fault.with_kind(DiagnosticKind::Duplicate));
    }
}

/// The name of a job's check, and of its file, is the job's name with this behind it.
const OF_CHECK: &str = "_check";

/// A job, and the check beside it if it has one.
fn read_job(reader: &mut Reader<'_>, fields: &mut Fields<'_>, defaults: &Defaults) -> Option<Vec<Job>> {
    let mut parameters = Parameters::new();
    let keys = JobKeys::parts(reader, fields, &mut parameters);
    fields.need();
    let clean = fields.refuse(reader);

    let name = keys.name?;
    let schema = keys.schema.map(|own| own.or_else(|| defaults.schema.clone()));
    let out = keys.out.map(|own| own.or_else(|| defaults.out.clone()));
    for (given, key) in [(&schema, &JobKeys::SCHEMA), (&out, &JobKeys::OUT)] {
        if *given == Some(None) {
            missing(reader, &name, key);
        }
    }
    let for_each = keys.for_each?.unwrap_or_default();
    let (schema, out, from) = (schema??, out??, keys.from?);
    let (query, schemas) = (keys.query?, keys.schemas?.unwrap_or_default());
    let tables = keys.tables?.unwrap_or_default();
    let patterns = [(&name, false), (&schema, true), (&out, true)].into_iter();
    let unknown = patterns
        .chain(from.iter().chain(&query).chain(&schemas).chain(&tables).map(|pattern| (pattern, true)))
        .filter(|(pattern, has_job)| !check_names(reader, pattern, &for_each, *has_job))
        .count();
    let lists = keys.param_files?.unwrap_or_default();
    let is_given_once = check_given_once(reader, &parameters, &lists, &for_each);
    keys.params.and(keys.now).and(clean)?;
    let formats = keys.runtime?.unwrap_or_default();
    if unknown > 0 || !is_given_once {
        return None;
    }
    let limits =
        Limits { max_widening: keys.max_widening?, max_scans: keys.max_scans?, max_jobs: keys.max_jobs? };
    let shape = keys.shape?.or(defaults.shape).flatten();
    let (engine, max_branches, allow_full_scan) = (keys.engine?, keys.max_branches?, keys.allow_full_scan?);
    let (allow_empty, allow_partial, allow_overlap) =
        (keys.allow_empty?, keys.allow_partial?, keys.allow_overlap?);
    let database = keys.database?;
    let ranges = |predicate: Spanned<String>, parameters| Ranges {
        bound: bound_names(&predicate.value, &for_each),
        predicate,
        parameters,
        lists,
    };
    let (select, into) = (keys.select?, keys.into?);
    if select && into {
        let message = "a query without the INSERT has no `into`";
        reader.error(name.text.span, message, "this job", "remove `select: true` or `into: true`");
        return None;
    }
    let guards = keys.guards?;
    let check =
        CheckKeys { beside: keys.check?.flatten(), by: keys.by?, rows: keys.rows?, asserts: keys.assert? };
    let form = check.form(reader, &name, select || into)?;
    let (by, form_beside) = (check.by, check.beside);
    let mut beside = None;
    let kind = match keys.kind? {
        KindWord::Plan => {
            let ranges = ranges(keys.predicate??, parameters);
            beside = form_beside.map(|form| CheckJob { ranges: ranges.clone(), guards, by: None, form });
            JobKind::Plan(PlanJob { ranges, select, into, guards })
        }
        KindWord::Check => {
            JobKind::Check(CheckJob { ranges: ranges(keys.predicate??, parameters), guards, by, form })
        }
        KindWord::Scan => JobKind::Scan(ranges(keys.predicate??, parameters)),
        KindWord::Load => JobKind::Load { from: from? },
        KindWord::Verify => JobKind::Verify { list: keys.list?.unwrap_or(DEFAULT_LIST) },
        KindWord::Ddl => JobKind::Ddl { only: keys.only?, if_not_exists: keys.if_not_exists? },
        KindWord::Rewrite => {
            let (variables, runtime) = read_variables(reader, &name, &parameters, &formats)?;
            let now = parameters.now().as_deref().and_then(Now::parse);
            JobKind::Rewrite(RewriteJob { query: query?, schemas, tables, database, variables, runtime, now })
        }
    };
    let templates = match kind {
        JobKind::Rewrite(_) | JobKind::Check(_) => None,
        _ => keys.templates?.or_else(|| defaults.templates.clone()),
    };
    let job = Job {
        name,
        schema,
        for_each,
        header: keys.header?,
        templates,
        out,
        engine,
        shape,
        max_branches,
        limits: limits.or(defaults.limits()),
        allow_full_scan,
        allow_empty,
        allow_partial,
        allow_overlap,
        kind,
    };
    let check = beside.map(|check| job.clone().with_check(check));
    Some([job].into_iter().chain(check).collect())
}

/// What a job says about checks.
struct CheckKeys {
    /// How the check beside a plan is written.
    beside: Option<CheckForm>,
    by: Option<String>,
    rows: Option<u32>,
    asserts: bool,
}

impl CheckKeys {
    /// How a check of its own is written; `adds_rows` if a plan does not replace whole partitions.
    fn form(&self, reader: &mut Reader<'_>, job: &JobPattern, adds_rows: bool) -> Option<CheckForm> {
        if self.beside.is_some() && adds_rows {
            let message = "a check compares whole partitions, which `select` and `into` do not write";
            reader.error(job.text.span, message, "this job", "remove `check`");
            return None;
        }
        match self.rows {
            Some(_) if self.by.is_some() || self.asserts => {
                let message = "`rows` lists rows instead of groups";
                let help = "remove `rows`, or `by` and `assert`";
                reader.error(job.text.span, message, "this job", help);
                None
            }
            Some(most) => Some(CheckForm::Rows(most)),
            None if self.asserts => Some(CheckForm::Assert),
            None => Some(CheckForm::Groups),
        }
    }
}

impl Job {
    /// The check beside a job: its name and its file have a word more.
    fn with_check(self, check: CheckJob) -> Job {
        // Where the path has the name of the job, it has the word already.
        let has_name = self.out.names().any(|name| name == JOB);
        let out = if has_name { self.out } else { self.out.beside(OF_CHECK) };
        let kind = JobKind::Check(check);
        Job { name: self.name.followed_by(OF_CHECK), out, templates: None, kind, ..self }
    }
}

/// Reports a key that neither the job nor `defaults` has.
fn missing(reader: &mut Reader<'_>, job: &JobPattern, key: &Key) {
    let message = format!("the job `{}` has no `{}`", excerpt(&job.text.value), key.name);
    let help = format!("add `{}`, or give it in `defaults`", key.written(format::FILE.syntax));
    reader.error(job.text.span, message, "this job", help);
}

/// A text with placeholders.
pub(super) fn pattern(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<JobPattern> {
    let text = value.text(reader)?;
    let place = text.clone();
    match JobPattern::parse(text) {
        Ok(pattern) => Some(pattern),
        Err(fault) => {
            let error = Diagnostic::error(format!("{} has {}", value.name(), fault.reason)).at(
                &Source::new("", place.value.as_str()),
                fault.span,
                "here",
            );
            let error = error.with_help("write a name of `for_each` in braces, such as `{day}`, or `{job}`");
            let error = reader.inside(error, &place);
            reader.report(error);
            None
        }
    }
}

/// The name of a job, which may be a part of a file name.
pub(super) fn file_text(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<JobPattern> {
    let pattern = pattern(reader, value)?;
    let text = &pattern.text;
    match text.value.trim().is_empty() || text.value.chars().any(|c| c.is_control() || c == '/' || c == '\\')
    {
        false => Some(pattern),
        true => {
            let help = "write a name such as `visits_daily`, without `/`, `\\` and line breaks";
            reader.error(text.span, "not a valid name of a job", "not a name", help);
            None
        }
    }
}

/// Checks that every placeholder is a name of `for_each`, or the name of the job.
fn check_names(reader: &mut Reader<'_>, pattern: &JobPattern, for_each: &Values, has_job: bool) -> bool {
    let known = || for_each.iter().map(|(name, _)| name.value.as_str()).chain(has_job.then_some(JOB));
    let unknown = pattern.names().find(|name| !known().any(|one| one == *name));
    let Some(name) = unknown else { return true };
    let at = pattern.text.value.find(&format!("{{{name}}}")).unwrap_or_default();
    let error = Diagnostic::error(format!("`{{{name}}}` has no value")).at(
        &Source::new("", pattern.text.value.as_str()),
        Span::new(at, at + name.len() + 2),
        "not a name of `for_each`",
    );
    let error = error.with_help(format!("add it to the job: `for_each: {{ {name}: [ … ] }}`"));
    let error = error.with_suggestion(name, known());
    let error = reader.inside(error, &pattern.text);
    reader.report(error);
    false
}

/// The names of `for_each` that the predicate uses as parameters.
fn bound_names(predicate: &str, for_each: &Values) -> Vec<String> {
    let has = parameter_names(predicate);
    for_each.iter().map(|(name, _)| name.value.clone()).filter(|name| has.contains(name)).collect()
}

fn check_given_once(
    reader: &mut Reader<'_>,
    parameters: &Parameters,
    lists: &Lists,
    for_each: &Values,
) -> bool {
    let mut clean = true;
    let in_files = lists.iter().map(|(name, path)| (name, path.span));
    for (name, span) in in_files.chain(for_each.iter().map(|(name, _)| (&name.value, name.span))) {
        if parameters.get(name).is_some() {
            given_twice(reader, name, span);
            clean = false;
        }
    }
    clean
}

fn given_twice(reader: &mut Reader<'_>, name: &str, span: Span) {
    let message = format!("the parameter `{}` is given twice", excerpt(name));
    reader.error(span, message, "given again here", "give it in one place");
}

/// Entries whose keys are parameter names.
fn named<'n>(
    reader: &mut Reader<'_>,
    value: &FileValue<'n>,
) -> Option<Vec<(&'n Spanned<String>, FileValue<'n>)>> {
    let form = value.form_of_entries();
    all(value.entries(reader)?.iter().map(|entry| {
        let name = &entry.key;
        if is_parameter_name(&name.value) {
            return Some((name, value.of_entry(entry, form)));
        }
        let message = format!("`{}` is not the name of a parameter", excerpt(&name.value));
        reader.error(name.span, message, "not a name", NO_NAME);
        None
    }))
}

pub(super) fn read_params(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    parameters: &mut Parameters,
) -> Option<()> {
    let given = named(reader, value)?.into_iter().map(|(name, value)| {
        let given = match value.is_list() {
            true => Parameter::List(texts(reader, &value)?),
            false => Parameter::Value(value.text(reader)?.value),
        };
        parameters.insert(name.value.as_str(), given);
        Some(())
    });
    all(given).map(drop)
}

fn texts(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Vec<String>> {
    let items = value.some_items(reader, "add a value")?;
    all(items.iter().map(|item| item.text(reader).map(|text| text.value)))
}

pub(super) fn read_schemas(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Vec<JobPattern>> {
    let items = value.some_items(reader, "name a schema file, or remove `schemas`")?;
    all(items.iter().map(|item| pattern(reader, item)))
}

pub(super) fn read_tables(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Vec<JobPattern>> {
    let items = value.some_items(reader, "name a file with CREATE TABLE statements, or remove `tables`")?;
    all(items.iter().map(|item| pattern(reader, item)))
}

/// The values of `${name}` in a query, and the texts in it that are filled in later.
type Variables = (Vec<(String, String)>, Vec<Runtime>);

/// `formats` are the places of formats of `runtime`.
fn read_variables(
    reader: &mut Reader<'_>,
    job: &JobPattern,
    given: &Parameters,
    formats: &[Span],
) -> Option<Variables> {
    for format in formats {
        reader.error(*format, VALUE_IN_QUERY, "another form", "write the text alone, without `format`");
    }
    if !formats.is_empty() {
        return None;
    }
    let (mut variables, mut runtime) = (Vec::new(), Vec::new());
    for (name, value) in given.iter() {
        match value {
            Parameter::Value(value) => variables.push((name.to_string(), value.clone())),
            Parameter::Runtime(text) => runtime.push(text.clone()),
            _ => {
                let message =
                    format!("`{}` has several values, and a variable of a query has one", excerpt(name));
                let help = "give it one value, or write a file for each with `for_each`";
                reader.error(job.text.span, message, "this job", help);
                return None;
            }
        }
    }
    Some((variables, runtime))
}

/// Whether there is a check beside a job, and whether it fails.
pub(super) fn read_check(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Option<CheckForm>> {
    if value.is_scalar(|text| text.starts_with(['a', 'A'])) {
        return value.word(reader).map(Some);
    }
    value.flag(reader).map(|is_checked| is_checked.then_some(CheckForm::Groups))
}

pub(super) fn read_parts(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Vec<DdlTable>> {
    let items = value.some_items(reader, "name a part, or remove `only`")?;
    all(items.iter().map(|item| item.word(reader)))
}

pub(super) fn read_lists(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Lists> {
    let files = named(reader, value)?.into_iter();
    all(files.map(|(name, value)| Some((name.value.clone(), value.text(reader)?))))
}

/// Returns the places of formats.
pub(super) fn read_runtime(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    parameters: &mut Parameters,
) -> Option<Vec<Span>> {
    let given = named(reader, value)?.into_iter().map(|(name, value)| {
        let RuntimeText { text, format } = match value.is_mapping() {
            true => RuntimeText::read(reader, &value)?,
            false => RuntimeText { text: value.text(reader)?, format: None },
        };
        match Runtime::new(&text.value, format.as_ref().map(|format| format.value.as_str())) {
            Ok(known) if parameters.get(&name.value).is_none() => {
                parameters.insert(name.value.as_str(), known);
                return Some(format.map(|format| format.span));
            }
            Ok(_) => given_twice(reader, &name.value, name.span),
            Err(fault) => reader.error(text.span, fault.to_string(), "this text", fault.help()),
        }
        None
    });
    Some(all(given)?.into_iter().flatten().collect())
}

pub(super) fn read_now(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    parameters: &mut Parameters,
) -> Option<()> {
    let text = value.text(reader)?;
    match std::mem::take(parameters).at(&text.value) {
        Some(at) => {
            *parameters = at;
            Some(())
        }
        None => {
            let message = format!("`{}` is not a time", excerpt(&text.value));
            let help = "write it as 2020-04-06 or '2020-04-06 10:00:00'";
            reader.error(text.span, message, "not a time", help);
            None
        }
    }
}

pub(super) fn read_for_each(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Values> {
    let entries = named(reader, value)?;
    let names: BTreeSet<&str> = entries.iter().map(|(name, _)| name.value.as_str()).collect();
    if names.contains(JOB) {
        let help = "choose another name: `{job}` is the name of the job";
        reader.error(value.key_span(), "`for_each` cannot have the name `job`", "in this mapping", help);
        return None;
    }
    if entries.is_empty() || entries.len() > value.limit() {
        let message =
            format!("`for_each` has {} names, but 1 to {} are allowed", entries.len(), value.limit());
        reader.error(value.span(), message, "too few or too many", "remove it, or write several jobs");
        return None;
    }
    let entries = entries.into_iter();
    let read = all(entries.map(|(name, value)| Some((name.clone(), one_each(reader, &value)?))))?;
    let count = read.iter().map(|(_, values)| values.len()).fold(1, usize::saturating_mul);
    if count > MAX_JOBS {
        let message = format!("these are {count} files, but the limit for a job is {MAX_JOBS}");
        reader.error(value.span(), message, "too many combinations", "split the job");
        return None;
    }
    Some(read)
}

/// A range, or a list.
fn one_each(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Vec<String>> {
    if value.is_list() {
        let values = texts(reader, value)?;
        let mut seen = BTreeSet::new();
        if let Some(again) = values.iter().find(|value| !seen.insert(value.as_str())) {
            let message = format!("the value `{}` is given twice", excerpt(again));
            reader.error(value.span(), message, "in this list", "remove one of the two");
            return None;
        }
        return Some(values);
    }
    let text = value.text(reader)?;
    match range(&text.value, MAX_JOBS) {
        Ok(values) => Some(values),
        Err(reason) => {
            let message = format!("{} takes a range or a list", value.name());
            let help = "write `20200401..20200430` in the format of the key, or `[a, b]`";
            reader.error(text.span, message, reason, help);
            None
        }
    }
}

/// The jobs of a file and their messages.
pub fn load(source: &Arc<Source>) -> (Option<Jobs>, Vec<Diagnostic>) {
    let (document, mut diagnostics) = yaml::parse(&format::FILE, source);
    let mut jobs = None;
    if let Some(document) = &document {
        let mut reader = Reader::new(source);
        if let Some(schema) = document.root.entry("saltplan")
            && document.root.entry("version").is_none()
        {
            let message = "this is a schema file, not a jobs file";
            let help = "name a jobs file: it starts with the line `version: 1`";
            reader.error(schema.key.span, message, "the first line of a schema", help);
            return (None, reader.finish());
        }
        jobs = self::jobs(&mut reader, source, &document.root);
        diagnostics.extend(reader.finish());
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.labels.first().map(|label| label.span));
    (jobs, diagnostics)
}
