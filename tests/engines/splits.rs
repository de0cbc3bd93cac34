//! Regions and attributes in the real HBase shell: `get_splits` and `describe` after running the printed
//! `create`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};

use crate::engine::Engines;
use crate::example;
use crate::saltplan;

/// What `describe` must show for the families of the examples.
const EXAMPLE_ATTRIBUTES: [&str; 2] = ["VERSIONS => '1'", "COMPRESSION => 'GZ'"];

/// One trial for each design, and one for attributes and split keys that need quoting.
pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    let trial = |name: &str, run: fn(&Path, &Engines, &str) -> Result<()>| {
        let (root, engines, design) = (root.to_owned(), engines.clone(), name.to_owned());
        Trial::test(format!("splits::{name}"), move || {
            run(&root, &engines, &design).map_err(|error| Failed::from(format!("{error:#}")))
        })
    };
    let examples = example::DESIGNS.iter().map(|design| trial(design, check_example));
    examples.chain([trial("quoting", check_quoting)]).collect()
}

fn check_example(root: &Path, engines: &Engines, design: &str) -> Result<()> {
    let copy = example::copy(root, design, "split")?;
    Table { root, engines, schema: &copy.path, name: &copy.hbase }.check(&EXAMPLE_ATTRIBUTES)
}

/// `tests/engines/splits/quoting.yaml`: the lines below `# describe:` are what the shell must show.
fn check_quoting(root: &Path, engines: &Engines, _: &str) -> Result<()> {
    let path = root.join("tests/engines/splits/quoting.yaml");
    let text = fs::read_to_string(&path)?;
    let (_, expected) = text.split_once("# describe:\n").context("the file has no `# describe:`")?;
    let attributes: Vec<&str> = expected.lines().map_while(|line| line.strip_prefix("#   ")).collect();
    ensure!(!attributes.is_empty(), "the file expects no attribute");
    let name = example::read(&path)?.hbase.full_name();
    Table { root, engines, schema: &path.to_string_lossy(), name: &name }.check(&attributes)
}

struct Table<'a> {
    root: &'a Path,
    engines: &'a Engines,
    schema: &'a str,
    name: &'a str,
}

impl Table<'_> {
    fn check(&self, attributes: &[&str]) -> Result<()> {
        let expected = self.saltplan(&["splits", self.schema, "--output-format", "file"])?;
        let create = self.saltplan(&["ddl", self.schema, "--only", "hbase"])?;
        self.make(&create, &expected).context("the printed `create`")?;
        self.describe(attributes)?;

        let (head, list) = create.split_once("SPLITS => [").context("the `create` has no split keys")?;
        let printed = self.saltplan(&["splits", self.schema])?;
        ensure!(
            format!("SPLITS => [{list}") == printed,
            "`ddl` and `splits` print other keys:\n{create}\n{printed}"
        );
        let file = saltplan::folder()?.join("splits.txt");
        fs::write(&file, &expected)?;
        let from_file = format!("{head}SPLITS_FILE => '{}'\n", file.display());
        self.make(&from_file, &expected).context("`splits --output-format file` as SPLITS_FILE")?;
        self.engines.client("drop", self.name)?;
        Ok(())
    }

    /// Recreates the table and compares its split keys byte by byte.
    fn make(&self, create: &str, expected: &str) -> Result<()> {
        self.engines.client("drop", self.name)?;
        self.engines.shell(create)?;
        let printed = self.engines.shell(&format!("get_splits '{}'\n", self.name))?;
        let regions = expected.lines().count() + 1;
        let head = format!("Total number of splits = {regions}\n");
        let (_, found) = printed.split_once(&head).with_context(|| format!("no `{head}` in:\n{printed}"))?;
        let found: String = found.lines().take(regions - 1).map(|line| format!("{line}\n")).collect();
        ensure!(found == expected, "get_splits says\n{found}expected\n{expected}");
        Ok(())
    }

    fn describe(&self, attributes: &[&str]) -> Result<()> {
        let described = self.engines.shell(&format!("describe '{}'\n", self.name))?;
        for attribute in attributes {
            ensure!(described.contains(attribute), "`{attribute}` is missing in:\n{described}");
        }
        Ok(())
    }

    fn saltplan(&self, arguments: &[&str]) -> Result<String> {
        saltplan::run(self.root, arguments, "")
    }
}
