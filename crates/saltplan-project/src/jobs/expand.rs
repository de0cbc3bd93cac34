//! From jobs to the files that they write.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::model::{Job, Jobs, RewriteJob};
use super::pattern::JobPattern;
use super::read::JOB;
use saltplan_document::diag::{Diagnostic, DiagnosticKind, Span};
use saltplan_document::files::bounds::{Bounds, Stray};
use saltplan_document::files::paths::without_detours;
use saltplan_document::wording::excerpt;

/// A file to write.
#[derive(Debug, Clone)]
pub struct Item {
    /// Its index among all files of the jobs file.
    pub(super) index: usize,
    /// The index of its job.
    pub(super) job: usize,
    /// The values that distinguish it from other files of the job.
    pub(super) values: Vec<(String, String)>,
    /// The name of the job in messages and headers: `visits_20200406`.
    pub title: String,
    /// The normalised path from the folder of the jobs file.
    pub out: PathBuf,
    /// Its schema as named in the jobs file.
    pub(super) schema: String,
    /// For a rewrite: its query, the schemas of further tables and the files about other tables, as the jobs file names them.
    pub(super) query: Option<RewriteFiles>,
}

#[derive(Debug, Clone)]
pub(super) struct RewriteFiles {
    pub query: String,
    pub schemas: Vec<String>,
    pub tables: Vec<String>,
}

/// The folder of a jobs file, and where its paths may lead.
#[derive(Debug)]
pub(crate) struct JobsPlace {
    /// As it was named.
    pub folder: PathBuf,
    pub bounds: Bounds,
}

impl JobsPlace {
    /// # Errors
    /// The folder cannot be read.
    pub fn of(file: &Path) -> std::io::Result<Self> {
        let folder = file.parent().unwrap_or(Path::new("")).to_path_buf();
        let bounds = Bounds::around(&folder)?;
        Ok(JobsPlace { folder, bounds })
    }

    /// Resolves a file that the jobs file names.
    ///
    /// # Errors
    /// The jobs file may not name it.
    pub fn input(&self, path: &str) -> Result<PathBuf, Stray> {
        self.bounds.locate(path)?;
        Ok(self.folder.join(path))
    }
}

/// Reports a path of the jobs file that is refused; `span` is where it is named.
pub(crate) fn told_of(stray: Stray, jobs: &Jobs, path: &str, span: Span, label: &str) -> Diagnostic {
    let message = format!("the jobs file cannot use `{}`: {}", excerpt(path), reason(stray));
    Diagnostic::error(message).at(&jobs.source, span, label)
}

/// Why a path in a jobs file is refused.
pub fn reason(stray: Stray) -> String {
    match stray {
        Stray::Outside => "it is outside the folder of the jobs file and its git repository".into(),
        other => other.to_string(),
    }
}

/// Every file of every job, in the order of the jobs file.
///
/// # Errors
/// Two files are the same, a path leads out of the repository, or a value cannot be a part of a path.
pub fn items(jobs: &Jobs, place: &JobsPlace) -> Result<Vec<Item>, Vec<Diagnostic>> {
    let mut faults = Vec::new();
    let mut items: Vec<Item> = Vec::new();
    let mut writers: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for (index, job) in jobs.jobs.iter().enumerate() {
        for values in combinations(job) {
            match item(jobs, place, index, values) {
                Ok(mut item) => {
                    item.index = items.len();
                    if let Some(first) = writers.get(&item.out) {
                        faults.push(same_file(jobs, &items[*first], &item));
                        break;
                    }
                    writers.insert(item.out.clone(), items.len());
                    items.push(item);
                }
                Err(fault) => {
                    faults.push(fault);
                    break;
                }
            }
        }
    }
    let inputs = items.iter().map(|item| (without_detours(&item.schema), item));
    let inputs: BTreeMap<PathBuf, &Item> = inputs.collect();
    for item in &items {
        if let Some(reader) = inputs.get(&item.out) {
            let job = &jobs.jobs[item.job];
            let message = format!("`{}` is the schema of the job `{}`", item.out.display(), reader.title);
            let fault =
                Diagnostic::error(message).at(&jobs.source, job.out.text.span, "would be overwritten");
            faults.push(fault.with_help("write to another file"));
        }
    }
    if faults.is_empty() { Ok(items) } else { Err(faults) }
}

/// All combinations of the values of a job; the last name changes fastest.
fn combinations(job: &Job) -> impl Iterator<Item = Vec<(String, String)>> + '_ {
    let count: usize = job.for_each.iter().map(|(_, values)| values.len()).product();
    (0..count).map(|number| {
        let mut rest = number;
        let mut chosen: Vec<(String, String)> = job
            .for_each
            .iter()
            .rev()
            .map(|(name, values)| {
                let value = &values[rest % values.len()];
                rest /= values.len();
                (name.value.clone(), value.clone())
            })
            .collect();
        chosen.reverse();
        chosen
    })
}

fn item(
    jobs: &Jobs,
    place: &JobsPlace,
    index: usize,
    values: Vec<(String, String)>,
) -> Result<Item, Diagnostic> {
    let job = &jobs.jobs[index];
    let at =
        |span: Span, message: String, label: &str| Diagnostic::error(message).at(&jobs.source, span, label);
    let rewrite = RewriteJob::of(&job.kind);
    let of_rewrite = rewrite
        .into_iter()
        .flat_map(|rewrite| rewrite.schemas.iter().chain(&rewrite.tables).chain([&rewrite.query]));
    for pattern in [&job.name, &job.schema, &job.out].into_iter().chain(of_rewrite) {
        let in_path = pattern.names().filter_map(|name| values.iter().find(|(known, _)| known == name));
        for (name, value) in in_path {
            if !is_part_of_path(value) {
                let message = format!("`{}` cannot be a part of a path", excerpt(value));
                let fault = at(pattern.text.span, message, &format!("the value of `{name}`"));
                return Err(fault.with_help("give values without `/`, `\\` and line breaks"));
            }
        }
    }
    let name = job.name.fill(&values);
    let mut known = values.clone();
    known.push((JOB.to_string(), name.clone()));
    let named = |pattern: &JobPattern| {
        let path = pattern.fill(&known);
        place.bounds.walk(&path).map_err(|stray| {
            told_of(stray, jobs, &path, pattern.text.span, "this path")
                .with_help("write a path, relative to the jobs file, to a file in its folder or repository")
        })?;
        Ok::<_, Diagnostic>(path)
    };
    let (schema, out) = (named(&job.schema)?, named(&job.out)?);
    let out_path = without_detours(&out);
    let query = rewrite.map(|rewrite| {
        let schemas = rewrite.schemas.iter().map(named).collect::<Result<_, Diagnostic>>()?;
        let tables = rewrite.tables.iter().map(named).collect::<Result<_, Diagnostic>>()?;
        Ok::<_, Diagnostic>(RewriteFiles { query: named(&rewrite.query)?, schemas, tables })
    });
    let query = query.transpose()?;
    if out_path.file_name().is_none() || out.ends_with('/') {
        let fault = at(job.out.text.span, format!("`{}` is not a file name", excerpt(&out)), "this path");
        return Err(fault.with_help("name a file, such as `sql/{job}.sql`"));
    }
    Ok(Item { index: 0, job: index, title: title(job, name, &values), values, out: out_path, schema, query })
}

/// The name, followed by the values that it does not contain.
fn title(job: &Job, name: String, values: &[(String, String)]) -> String {
    let has = |wanted: &str| job.name.names().any(|name| name == wanted);
    let others: Vec<String> =
        values.iter().filter(|(name, _)| !has(name)).map(|(name, value)| format!("{name}={value}")).collect();
    if others.is_empty() { name } else { format!("{name} {}", others.join(" ")) }
}

fn is_part_of_path(value: &str) -> bool {
    !value.is_empty() && value != ".." && !value.chars().any(|c| c == '/' || c == '\\' || c.is_control())
}

pub(super) fn same_file(jobs: &Jobs, first: &Item, second: &Item) -> Diagnostic {
    let path = second.out.display();
    let (one, other) = (&jobs.jobs[first.job], &jobs.jobs[second.job]);
    let fault = if first.job == second.job {
        let message = format!("several files of the job `{}` have the path `{path}`", other.name.text.value);
        let names: Vec<&str> = other.for_each.iter().map(|(name, _)| name.value.as_str()).collect();
        let missing = names.iter().find(|name| !other.out.names().any(|known| known == **name));
        let help = format!("put `{{{}}}` into `out`", missing.or(names.first()).unwrap_or(&JOB));
        Diagnostic::error(message).at(&jobs.source, other.out.text.span, "the same for each").with_help(help)
    } else {
        let message = format!("two jobs write `{path}`: `{}` and `{}`", first.title, second.title);
        Diagnostic::error(message)
            .at(&jobs.source, other.place(), "the second one")
            .with_label(one.place(), "the first one")
            .with_help("give each its own `out`")
    };
    fault.with_kind(DiagnosticKind::Duplicate)
}
