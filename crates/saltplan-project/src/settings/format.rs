//! The format of `saltplan.toml`, described with [`document::format`](saltplan_core::document::format).

use saltplan_core::document::format::{File, Key, List, Map, Named, Syntax, Text, ValueType, optional};
use saltplan_core::limits;
use saltplan_core::schema::hive::ENGINES;

/// The maximum number of rules or paths in a list.
const MOST: usize = 10_000;

const RULES: ValueType =
    ValueType::List(&List { item: ValueType::Text(Text::Any), least: 0, most: MOST, unique: false });

pub static FILE: File = File {
    what: "the settings",
    one: "settings",
    start: "write settings such as `engine = \"mr\"`",
    title: "saltplan settings",
    syntax: Syntax::Toml,
    map: &SETTINGS,
};

pub static ENGINE: Key = optional(
    "engine",
    ValueType::Words(&ENGINES),
    "\"mr\"",
    "Execution engine of Hive, if neither a flag nor `hive.engine` of the schema sets it.",
);
pub static TEMPLATES: Key = optional(
    "templates",
    ValueType::Text(Text::Path),
    "\"templates\"",
    "Folder with your own templates, relative to this file.",
);
pub(crate) static EXCLUDE: Key = optional(
    "exclude",
    ValueType::List(&List { item: ValueType::Text(Text::Path), least: 0, most: MOST, unique: false }),
    "[\"vendor\", \"old/*.yaml\"]",
    "Files and folders that `audit` skips when it searches folders, relative to this file; `*` matches a part of a name, `**` any folders, `{a,b}` one of several.",
);
pub static IGNORE: Key = optional(
    "ignore",
    RULES,
    "[\"SP302\"]",
    "Rules that `audit` skips: codes, prefixes of codes such as `SP2`, or names.",
);
pub(crate) static PER_FILE_IGNORE: Key = optional(
    "per_file_ignore",
    ValueType::Named(&Named { name: Text::Any, value: RULES, least: 0, most: MOST }),
    "{ \"old/*.yaml\" = [\"SP1\"] }",
    "Rules that `audit` skips in some files.",
);

pub static SETTINGS: Map = Map {
    about: "Settings for the schemas of a repository.",
    keys: &[
        &ENGINE,
        &limits::MAX_WIDENING,
        &limits::MAX_SCANS,
        &limits::MAX_JOBS,
        &TEMPLATES,
        &EXCLUDE,
        &IGNORE,
        &PER_FILE_IGNORE,
    ],
    cases: &[],
    misplaced: &[],
};
