//! Copies of the examples with separate tables, so that trials do not share rows.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use saltplan_core::schema::{self, model::Schema};

use crate::saltplan;

/// The designs, by the names of their files.
pub const DESIGNS: [&str; 11] = [
    "md5_nibble_day",
    "hash_prefix_short",
    "md5_prefix",
    "md5_whole",
    "plain_concat",
    "region_number",
    "reversed_id_time",
    "random_two_digits",
    "random_digit",
    "md5_sampled",
    "modulo_partition",
];

pub const FOLDER: &str = "schemas/examples";

/// An example under other names.
pub struct Copy {
    /// The path of the changed file.
    pub path: String,
    pub schema: Schema,
    pub hbase: String,
    /// The mapping table.
    pub mapping: String,
}

/// Appends `_SUFFIX` to the names of the HBase table and of the mapping table.
pub fn copy(root: &Path, design: &str, suffix: &str) -> Result<Copy> {
    copy_from(root, FOLDER, design, suffix)
}

/// The same of a schema in a folder of the project.
pub fn copy_from(root: &Path, from: &str, design: &str, suffix: &str) -> Result<Copy> {
    let folder = root.join(from);
    let text = fs::read_to_string(folder.join(format!("{design}.yaml")))?;
    let hbase = between(&text, "  table: '", "'")?;
    let mapping = between(&text, "  mapping:\n    table: ", "\n")?;
    let text =
        text.replace(&hbase, &format!("{hbase}_{suffix}")).replace(&mapping, &format!("{mapping}_{suffix}"));
    let copies = saltplan::folder()?;
    // A sample is next to its schema.
    fs::copy(root.join(FOLDER).join("keys.txt"), copies.join("keys.txt"))?;
    let path = copies.join(format!("{design}_{suffix}.yaml"));
    fs::write(&path, text)?;
    Ok(Copy {
        schema: read(&path)?,
        path: path.to_string_lossy().into_owned(),
        hbase: format!("{hbase}_{suffix}"),
        mapping: format!("{mapping}_{suffix}"),
    })
}

/// The model of a schema file, for names of tables and columns; nothing that is tested here.
pub fn read(path: &Path) -> Result<Schema> {
    let loaded = schema::read_file(path).and_then(|source| schema::load(&source));
    loaded.map(|loaded| loaded.schema).map_err(|errors| anyhow!("{}: {errors:?}", path.display()))
}

fn between(text: &str, before: &str, after: &str) -> Result<String> {
    let (_, rest) = text.split_once(before).with_context(|| format!("the example has no `{before}`"))?;
    Ok(rest.split(after).next().unwrap_or_default().to_owned())
}
