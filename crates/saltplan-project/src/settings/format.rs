//! The keys of `saltplan.toml`.

use std::path::PathBuf;

use super::glob;
use crate::fault::all;
use saltplan_core::limits;
use saltplan_core::plan::MaxWidening;
use saltplan_core::schema::hive::ENGINES;
use saltplan_core::schema::model::Engine;
use saltplan_document::diag::{Spanned, did_you_mean};
use saltplan_document::format::{File, List, Named, Syntax, Text, ValueType};
use saltplan_document::mapping;
use saltplan_document::reader::{FileValue, Reader};
use saltplan_document::wording::excerpt;
use saltplan_lint::rules;

/// The maximum number of rules or paths in a list.
const MOST: usize = 10_000;

static PATHS: List = List { item: ValueType::Text(Text::Path), least: 0, most: MOST, unique: false };
static RULES: List = List { item: ValueType::Text(Text::Any), least: 0, most: MOST, unique: false };
static RULES_OF_FILES: Named =
    Named { name: Text::Any, value: ValueType::List(&RULES), least: 0, most: MOST };

/// Patterns of paths, each with its rules.
type RulesByFile = Vec<(Spanned<String>, Vec<Spanned<String>>)>;

pub static FILE: File = File {
    what: "the settings",
    one: "settings",
    start: "write settings such as `engine = \"mr\"`",
    title: "saltplan settings",
    syntax: Syntax::Toml,
    map: &SettingsKeys::MAP,
};

mapping! {
    /// Settings for the schemas of a repository.
    #[derive(Debug, Clone, Default)]
    pub struct SettingsKeys {
        /// Execution engine of Hive, if neither a flag nor `hive.engine` of the schema sets it.
        pub engine: Option<Spanned<Engine>> = ENGINE, optional("engine", ValueType::Words(&ENGINES), "\"mr\"");
        pub max_widening: Option<Spanned<MaxWidening>> = MAX_WIDENING, shared(limits::MAX_WIDENING);
        pub max_scans: Option<Spanned<usize>> = MAX_SCANS, shared(limits::MAX_SCANS);
        pub max_jobs: Option<Spanned<usize>> = MAX_JOBS, shared(limits::MAX_JOBS);
        /// Folder with your own templates, relative to this file.
        pub templates: Option<Spanned<PathBuf>>
            = TEMPLATES, optional("templates", ValueType::Text(Text::Path), "\"templates\"");
        /// Files and folders that `audit` skips when it searches folders, relative to this file; `*` matches a
        /// part of a name, `**` any folders, `{a,b}` one of several.
        pub exclude: Option<Vec<Spanned<String>>>
            = EXCLUDE, optional("exclude", ValueType::List(&PATHS), "[\"vendor\", \"old/*.yaml\"]")
            by patterns;
        /// Rules that `audit` skips: codes, prefixes of codes such as `SP2`, or names.
        pub ignore: Option<Vec<Spanned<String>>>
            = IGNORE, optional("ignore", ValueType::List(&RULES), "[\"SP302\"]")
            by selectors;
        /// Rules that `audit` skips in some files.
        pub per_file_ignore: Option<RulesByFile>
            = PER_FILE_IGNORE, optional(
                "per_file_ignore", ValueType::Named(&RULES_OF_FILES), "{ \"old/*.yaml\" = [\"SP1\"] }"
            )
            by selectors_of_files;
    }
}

fn patterns(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Vec<Spanned<String>>> {
    let patterns = texts(reader, value)?;
    all(patterns.iter().map(|pattern| glob::check(reader, pattern))).map(|_| patterns)
}

fn selectors_of_files(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<RulesByFile> {
    let form = value.form_of_entries();
    all(value.entries(reader)?.iter().map(|entry| {
        let checked = glob::check(reader, &entry.key);
        let rules = selectors(reader, &value.of_entry(entry, form))?;
        checked.map(|()| (entry.key.clone(), rules))
    }))
}

fn texts(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Vec<Spanned<String>>> {
    all(value.items(reader)?.iter().map(|item| item.text(reader)))
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
