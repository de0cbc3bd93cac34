//! `drift` with the real shell: a table is created by the printed `create`, then split and merged by hand,
//! and the printed commands repair it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};

use crate::engine::Engines;
use crate::saltplan;

const TABLE: &str = "saltplan_drift:log";

/// Split keys with a blank at the end, a bar, and bytes that are not text.
const SCHEMA: &str = r"saltplan: 1
hbase: { table: 'saltplan_drift:log', families: { f: {} } }
key:
  separator: '_'
  fields:
    - { name: kind, type: string, width: 1 }
    - { name: id, type: string }
regions:
  explicit: ['0|', '1|', '2|', '3|', 'a b ', '\x7F\xFF']
";

/// The command that dumps the regions, for each trial.
const DUMPS: [(&str, &str); 3] = [
    ("get_splits", "get_splits 'saltplan_drift:log'"),
    ("list_regions", "list_regions 'saltplan_drift:log'"),
    ("two_columns", "list_regions 'saltplan_drift:log', {}, ['start_key', 'region_name']"),
];

/// A table that differs from the created one in each thing that the shell can alter.
const WHOLE: &str = "saltplan: 1
hbase:
  table: 'saltplan_drift:whole'
  attributes: { durability: ASYNC_WAL, compaction_enabled: false, hbase.hstore.blockingStoreFiles: '12' }
  metadata: { owner: 'a \"team\"' }
  families:
    f: { versions: 1, ttl: 1 DAY, bloom_filter: ROWCOL, hbase.hstore.blockingStoreFiles: '20' }
    h: { versions: 2, data_block_encoding: FAST_DIFF }
key: { fields: [{ name: id, type: string }] }
";

/// The table as somebody has created it.
const OTHER: &str = "\
create 'saltplan_drift:whole', {NAME => 'f', VERSIONS => 3, BLOCKSIZE => '131072', IN_MEMORY => 'true'},
  {NAME => 'g', VERSIONS => 1},
  {MAX_FILESIZE => '10737418240', READONLY => 'true', METADATA => {'owner' => 'nobody', 'other' => 'x'},
   CONFIGURATION => {'hbase.hregion.majorcompaction' => '0'}}
";

type Check = Box<dyn Fn(&Lab) -> Result<()> + Send>;

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    let trial = |name: &str, run: Check| {
        let lab = Lab { root: root.to_owned(), engines: engines.clone() };
        Trial::test(format!("drift::{name}"), move || {
            run(&lab).map_err(|error| Failed::from(format!("{error:#}")))
        })
    };
    let mut trials: Vec<Trial> =
        DUMPS.iter().map(|(name, dump)| trial(name, Box::new(move |lab| lab.mends(dump)))).collect();
    trials.push(trial("whole_table", Box::new(Lab::mends_attributes)));
    trials
}

struct Lab {
    root: PathBuf,
    engines: Engines,
}

impl Lab {
    fn mends(&self, dump: &str) -> Result<()> {
        let folder = self.root.join("target/engine-drift");
        fs::create_dir_all(&folder)?;
        let schema = folder.join("schema.yaml");
        fs::write(&schema, SCHEMA)?;
        self.create(&schema)?;
        let clean = self.drift(&schema, dump)?;
        ensure!(clean.0 == Some(0), "a new table has drifted:\n{}", clean.1);

        // One extra key, one missing key, and one moved key.
        self.engines.shell(&format!(
            r#"split '{TABLE}', "b\xFE"
merge_region locate_region('{TABLE}', '0|').getRegion.getEncodedName, locate_region('{TABLE}', '1|').getRegion.getEncodedName
merge_region locate_region('{TABLE}', '2|').getRegion.getEncodedName, locate_region('{TABLE}', '3|').getRegion.getEncodedName
major_compact '{TABLE}'
sleep 3; sleep 1 until compaction_state('{TABLE}') == 'NONE'
split '{TABLE}', '2}}'
sleep 2
"#
        ))?;
        let (code, text) = self.drift(&schema, dump)?;
        ensure!(code == Some(1), "exit code {code:?}:\n{text}");
        for line in ["# missing  1|", r"# moved    2} should be 3|", r"# extra    b\xFE"] {
            ensure!(text.lines().any(|found| found == line), "no line `{line}` in:\n{text}");
        }

        self.engines.shell(&format!(
            "major_compact '{TABLE}'\nsleep 3; sleep 1 until compaction_state('{TABLE}') == 'NONE'"
        ))?;
        self.engines.shell(&text).context("the commands that mend")?;
        self.engines.shell("sleep 3")?;
        let (code, text) = self.drift(&schema, dump)?;
        ensure!(code == Some(0), "the table still differs:\n{text}");
        Ok(())
    }

    /// Families, attributes and metadata: first without the commands that lose cells, then with them.
    fn mends_attributes(&self) -> Result<()> {
        const NAME: &str = "saltplan_drift:whole";
        let folder = self.root.join("target/engine-drift-whole");
        fs::create_dir_all(&folder)?;
        let schema = folder.join("schema.yaml");
        fs::write(&schema, WHOLE)?;
        let ddl = saltplan::run(&self.root, &["ddl", &schema.to_string_lossy(), "--only", "hbase"], "")?;
        let drop = format!("if exists('{NAME}')\ndisable '{NAME}'\ndrop '{NAME}'\nend\n");
        let compare = |flags: &[&str]| -> Result<(Option<i32>, String)> {
            let file = folder.join("describe.txt");
            fs::write(&file, self.engines.shell(&format!("describe '{NAME}'"))?)?;
            let output = Command::new(saltplan::program()?)
                .args([Path::new("drift"), &schema, Path::new("--from-describe"), &file])
                .args(flags)
                .output()?;
            let text = if output.stdout.is_empty() { &output.stderr } else { &output.stdout };
            Ok((output.status.code(), String::from_utf8_lossy(text).into_owned()))
        };
        self.engines.shell(&drop)?;
        self.engines.shell(&ddl)?;
        let (code, text) = compare(&[])?;
        ensure!(code == Some(0), "a new table has drifted:\n{text}");

        self.engines.shell(&drop)?;
        self.engines.shell(OTHER)?;
        let (code, text) = compare(&[])?;
        ensure!(code == Some(1) && !text.contains("'delete'") && !text.contains("TTL =>"), "{text}");
        self.engines.shell(&text).context("the commands without a loss")?;
        let (code, text) = compare(&[])?;
        let left: Vec<&str> = text.lines().filter(|line| line.starts_with("# family ")).collect();
        let expected = [
            "# family   f TTL: FOREVER should be 1 DAY",
            "# family   f VERSIONS: 3 should be 1",
            "# family   g: not in the schema",
        ];
        ensure!(code == Some(1) && left == expected && !text.contains("\nalter"), "{text}");
        let (_, text) = compare(&["--allow-loss"])?;
        self.engines.shell(&text).context("the commands with a loss")?;
        let (code, text) = compare(&[])?;
        ensure!(code == Some(0), "the table still differs:\n{text}");
        self.engines.shell(&drop)?;
        Ok(())
    }

    fn create(&self, schema: &Path) -> Result<()> {
        let ddl = saltplan::run(&self.root, &["ddl", &schema.to_string_lossy(), "--only", "hbase"], "")?;
        let drop = format!("if exists('{TABLE}')\ndisable '{TABLE}'\ndrop '{TABLE}'\nend\n");
        self.engines.shell(&drop)?;
        self.engines.shell(&ddl)?;
        Ok(())
    }

    /// The exit code and the result of `saltplan drift` for the shell's current output.
    fn drift(&self, schema: &Path, dump: &str) -> Result<(Option<i32>, String)> {
        let printed = self.engines.shell(dump)?;
        let file = schema.with_file_name("dump.txt");
        fs::write(&file, printed)?;
        let output = Command::new(saltplan::program()?)
            .args([Path::new("drift"), schema, Path::new("--from-splits"), &file])
            .output()?;
        // A person pipes the result into the shell, without the messages.
        let text = if output.stdout.is_empty() { &output.stderr } else { &output.stdout };
        Ok((output.status.code(), String::from_utf8_lossy(text).into_owned()))
    }
}
