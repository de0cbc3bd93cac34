//! The programs of `generate reader` read HBase: every case of `testdata/reader_programs.txt`, in each way that a program
//! offers. They must read the expected rows, and the region servers no others.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Error, Result, ensure};
use libtest_mimic::{Failed, Trial};
use saltplan_law::sample::sampled;

use crate::engine::{Engines, lab_directory};
use crate::reader_cases::{self, Case};
use crate::rows::hex;
use crate::saltplan;

const START: Duration = Duration::from_secs(90);

/// The table of docs/java.md.
const PAGE_TABLE: &str = "multi:t_wx_recommend_log_test";

/// How the class in Java is used; `read` is its own method.
const WAYS: [&str; 4] = ["read", "scans", "one_scan", "mapreduce"];

type Check = fn(&Lab) -> Result<()>;

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    let checks: [(&str, Check); 4] = [
        ("java", Lab::java),
        ("page", Lab::page),
        ("python", |lab| lab.python("python")),
        ("pyspark", |lab| lab.python("pyspark")),
    ];
    let lab = Lab { root: root.to_owned(), engines: engines.clone() };
    let trial = |(name, check): (&str, Check)| {
        let lab = lab.clone();
        Trial::test(format!("hbase::programs::{name}"), move || {
            check(&lab).map_err(|error| Failed::from(format!("{error:#}")))
        })
    };
    checks.map(trial).into()
}

#[derive(Clone)]
struct Lab {
    root: PathBuf,
    engines: Engines,
}

impl Lab {
    fn java(&self) -> Result<()> {
        let cases: Vec<_> = sampled(reader_cases::read(&self.root), 4).collect();
        let folder = empty_folder("programs_java")?;
        for case in &cases {
            let class = class(case);
            let program = self.print(case, &folder, &["--lang", "java", "--class", &class])?;
            fs::write(folder.join(format!("{class}.java")), program)?;
        }
        self.javac(&folder, cases.iter().map(|case| format!("{}.java", class(case))))?;
        self.fill(&cases, &folder)?;
        for case in &cases {
            let ranges = self.ranges(case, &folder)?;
            for way in WAYS {
                let before = self.reads(case)?;
                let request = format!("{}\n{}\n{}\n{way}", case.table(), folder.display(), class(case));
                let found = self.engines.client("read", &request)?;
                let reads = self.reads(case)? - before;
                let found: Vec<&str> = found.lines().collect();
                self.compare(case, (&found, reads), ranges, way)
                    .with_context(|| format!("{}, {way}", case.name))?;
            }
        }
        Ok(())
    }

    /// The program of docs/java.md, with the classes that its commands write, prints what the page says.
    fn page(&self) -> Result<()> {
        let page = fs::read_to_string(self.root.join("docs/java.md"))?;
        let folder = empty_folder("programs_page")?;
        for command in page
            .lines()
            .filter_map(|line| line.strip_prefix("$ saltplan "))
            .filter(|line| line.contains(" -o "))
        {
            let (command, file) = command.split_once(" -o ").context("no file")?;
            let arguments = shell_words(command);
            let text = saltplan::run(&self.root, &arguments, "")?;
            fs::write(folder.join(file), text)?;
        }
        let block = |start: &str| {
            let (_, rest) =
                page.split_once(&format!("\n```{start}\n")).with_context(|| format!("no block `{start}`"))?;
            Ok::<&str, Error>(rest.split("\n```").next().unwrap_or_default())
        };
        fs::write(folder.join("Program.java"), block("java title=\"Program.java\"")?)?;
        let configuration = block("java")?;
        let packages = [
            "java.util",
            "org.apache.hadoop.conf",
            "org.apache.hadoop.hbase",
            "org.apache.hadoop.hbase.client",
        ];
        let packages = packages.into_iter().chain(["org.apache.hadoop.hbase.mapreduce"]);
        let imports: String = packages.map(|package| format!("import {package}.*;\n")).collect();
        let class = format!("{imports}class Part {{ void run() throws Exception {{ {configuration} }} }}\n");
        fs::write(folder.join("Part.java"), class)?;
        self.javac(&folder, ["Program.java", "Part.java"].map(String::from))?;

        let schema = "schemas/examples/md5_nibble_day.yaml";
        self.engines.client("drop", PAGE_TABLE)?;
        let ddl = saltplan::run(&self.root, &["ddl", schema, "--only", "hbase"], "")?;
        self.engines.shell(&ddl)?;
        let lab = lab_directory(&self.root);
        let path = format!(".:{}:{}", lab.join("conf/hbase").display(), lab.join("jars/hbase/*").display());
        let options = format!("@{}", self.root.join("tests/engines/java/java.opts").display());
        let output =
            Command::new("java").args([&options, "-cp", &path, "Program"]).current_dir(&folder).output()?;
        let printed = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(printed.trim_end() == block("text")?, "{printed}\n{errors}");
        let reads: usize = self.engines.client("reads", PAGE_TABLE)?.parse()?;
        ensure!(reads <= 17, "HBase read {reads} rows for one row in sixteen ranges");
        self.engines.client("drop", PAGE_TABLE)?;
        Ok(())
    }

    /// One process runs the programs of all cases: the tables have counters of their own.
    fn python(&self, language: &str) -> Result<()> {
        let cases = reader_cases::read(&self.root);
        let folder = empty_folder(&format!("programs_{language}"))?;
        for case in &cases {
            let program = self.print(case, &folder, &["--lang", language])?;
            fs::write(folder.join(format!("r_{}.py", case.name)), program)?;
        }
        self.fill(&cases, &folder)?;
        let thrift = Thrift::start(&self.root)?;
        let python = lab(&self.root, &["python"]).output()?;
        ensure!(python.status.success(), "{}", String::from_utf8_lossy(&python.stderr));
        let before = cases.iter().map(|case| self.reads(case)).collect::<Result<Vec<_>>>()?;
        let output = Command::new(String::from_utf8(python.stdout)?.trim())
            .arg(self.root.join("tests/engines/programs.py"))
            .args([language, &thrift.port.to_string()])
            .args(cases.iter().map(|case| &case.name))
            .current_dir(&folder)
            .output()?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let printed = String::from_utf8(output.stdout)?;
        ensure!(printed.lines().count() == cases.len(), "{printed}");
        for ((case, before), line) in cases.iter().zip(before).zip(printed.lines()) {
            let found: Vec<&str> = line.split_whitespace().skip(1).collect();
            ensure!(line.split(' ').next() == Some(&case.name), "{line}");
            let reads = self.reads(case)? - before;
            self.compare(case, (&found, reads), self.ranges(case, &folder)?, language)
                .with_context(|| case.name.clone())?;
        }
        Ok(())
    }

    fn print(&self, case: &Case, folder: &Path, language: &[&str]) -> Result<String> {
        let schema = folder.join(format!("{}.yaml", case.name));
        fs::write(&schema, &case.yaml)?;
        let schema = schema.to_string_lossy();
        let arguments =
            ["generate", "reader", &schema, &case.predicate, "--allow-empty", "--allow-full-scan"];
        saltplan::run(&self.root, &[&arguments[..], language].concat(), "")
    }

    fn javac(&self, folder: &Path, files: impl IntoIterator<Item = String>) -> Result<()> {
        let jars = lab_directory(&self.root).join("jars/hbase/*");
        let output = Command::new("javac")
            .args(["--release", "8", "-nowarn", "-Xlint:-options", "-sourcepath", ".", "-cp"])
            .arg(jars)
            .args(files)
            .current_dir(folder)
            .output()
            .context("cannot run javac")?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Ok(())
    }

    /// The printed DDL creates the tables with their regions.
    fn fill(&self, cases: &[Case], folder: &Path) -> Result<()> {
        let mut script = String::new();
        for case in cases {
            self.engines.client("drop", &case.table())?;
            let schema = folder.join(format!("{}.yaml", case.name));
            script += &saltplan::run(&self.root, &["ddl", &schema.to_string_lossy(), "--only", "hbase"], "")?;
        }
        self.engines.shell(&script)?;
        for case in cases {
            // A row needs a cell. No program reads `f:w`.
            let put = |row: &reader_cases::Row| {
                let cell = row.cell.as_ref().map(|cell| format!("\tf:v={}", hex(cell.as_bytes())));
                format!("\n{}\tf:w=77{}", hex(&row.key), cell.unwrap_or_default())
            };
            let puts: String = case.rows.iter().map(put).collect();
            self.engines.client("put", &format!("{}{puts}", case.table()))?;
        }
        Ok(())
    }

    fn compare(&self, case: &Case, (found, reads): (&[&str], usize), ranges: usize, way: &str) -> Result<()> {
        let expected: Vec<String> = case.expected().iter().map(|key| hex(key)).collect();
        ensure!(found == expected, "rows {found:?}, expected {expected:?}");
        let bound = self.bound(case, ranges, way)?;
        ensure!(reads <= bound, "HBase read {reads} rows; at most {bound} are explained by the ranges");
        Ok(())
    }

    /// HBase counts one read for a range without rows. A filter also looks at the first row of each region, and at the rows
    /// before and after each range.
    fn bound(&self, case: &Case, ranges: usize, way: &str) -> Result<usize> {
        let regions = self.engines.client("splits", &case.table())?.lines().count() + 1;
        let bound = match way {
            _ if ranges == 0 => 0,
            "one_scan" => case.reads + 2 * ranges + regions,
            _ => case.reads + ranges,
        };
        let all = case.rows.len();
        ensure!(
            bound < all || case.reads == all,
            "the case proves nothing: {bound} reads are allowed of {all}"
        );
        Ok(bound)
    }

    fn ranges(&self, case: &Case, folder: &Path) -> Result<usize> {
        let schema = folder.join(format!("{}.yaml", case.name));
        let schema = schema.to_string_lossy();
        let plan = ["plan", &schema, &case.predicate, "--output-format", "ranges"];
        let printed =
            saltplan::run(&self.root, &[&plan[..], &["--allow-empty", "--allow-full-scan"]].concat(), "")?;
        let plan: serde_json::Value = serde_json::from_str(&printed)?;
        Ok(plan["ranges"].as_array().context("no ranges")?.len())
    }

    /// The rows that the region servers have read for the table, including those that a filter skipped.
    fn reads(&self, case: &Case) -> Result<usize> {
        let table = case.table();
        let [reads, filtered] = ["reads", "filtered"].map(|verb| self.engines.client(verb, &table));
        Ok(reads?.parse::<usize>()? + filtered?.parse::<usize>()?)
    }
}

/// The arguments of a command on a page: words, some of them in double quotes.
fn shell_words(command: &str) -> Vec<&str> {
    let parts = command.split('"').enumerate();
    parts
        .flat_map(|(place, part)| match place % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        })
        .collect()
}

fn class(case: &Case) -> String {
    format!("R_{}", case.name)
}

fn empty_folder(name: &str) -> Result<PathBuf> {
    let folder = saltplan::folder()?.join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn lab(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(root.join("tests/engines/lab"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// The Thrift server of HBase.
struct Thrift {
    child: Child,
    port: u16,
}

impl Thrift {
    fn start(root: &Path) -> Result<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let child = lab(root, &["thrift", &port.to_string()]).spawn().context("cannot run the lab")?;
        let mut server = Thrift { child, port };
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let ended = server.child.try_wait()?;
            ensure!(ended.is_none(), "the Thrift server ended; see thrift.log in the lab's directory");
            ensure!(begin.elapsed() < START, "the Thrift server does not answer");
            thread::sleep(Duration::from_millis(100));
        }
        Ok(server)
    }
}

impl Drop for Thrift {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
