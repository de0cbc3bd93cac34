//! The engines: HBase, and the Hive sessions.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Error, Result, bail};
use libtest_mimic::{Failed, Trial};

use crate::hbase::Hbase;
use crate::helper::Helper;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// Hive 3.1.3 on Tez.
    Tez,
    /// Hive 3.1.3 on MapReduce.
    Mr,
    /// Hive 2.3.9 on MapReduce.
    Mr2,
    /// Hive 4.1.0 on Tez. Most trials have native tables there, because its HBase handler is not published as an
    /// artifact; see `hive4.rs`.
    Hive4,
}

impl Engine {
    /// Those with mapping tables.
    pub const ALL: [Self; 3] = [Self::Tez, Self::Mr, Self::Mr2];
    /// One for each Hive version, for trials over native tables that depend only on its compiler and its
    /// functions.
    pub const COMPILERS: [Self; 3] = [Self::Mr, Self::Mr2, Self::Hive4];

    /// The name for `saltplan plan --engine` and `hive.execution.engine`.
    pub fn option(self) -> &'static str {
        match self {
            Self::Tez | Self::Hive4 => "tez",
            Self::Mr | Self::Mr2 => "mr",
        }
    }

    pub fn home(self) -> Home {
        match self {
            Self::Tez | Self::Mr => Home::Hive3,
            Self::Mr2 => Home::Hive2,
            Self::Hive4 => Home::Hive4,
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tez => "tez",
            Self::Mr => "mr",
            Self::Mr2 => "mr2",
            Self::Hive4 => "hive4",
        })
    }
}

impl FromStr for Engine {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        match Self::ALL.iter().find(|engine| engine.to_string() == name) {
            Some(engine) => Ok(*engine),
            None => bail!("unknown engine `{name}`; there are tez, mr, mr2"),
        }
    }
}

/// A trial for each of some engines, with the engine's name.
pub fn trials_on<const COUNT: usize>(
    on: [Engine; COUNT],
    root: &Path,
    engines: &Engines,
    name: impl Fn(Engine) -> String,
    check: fn(&Path, &Engines, Engine) -> Result<()>,
) -> Vec<Trial> {
    let trial = |engine: Engine| {
        let (root, engines) = (root.to_owned(), engines.clone());
        Trial::test(name(engine), move || {
            check(&root, &engines, engine).map_err(|error| Failed::from(format!("{error:#}")))
        })
    };
    on.map(trial).into()
}

/// A Hive with its own metastore. Tez and MapReduce of Hive 3 share one process, and a SET switches between
/// them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Home {
    Hive4,
    Hive3,
    Hive2,
}

impl Home {
    fn helper(self) -> &'static str {
        match self {
            Self::Hive4 => "hive4",
            Self::Hive3 => "hive3",
            Self::Hive2 => "hive2",
        }
    }
}

/// Where `lab` stores everything.
pub fn lab_directory(root: &Path) -> PathBuf {
    std::env::var_os("SALTPLAN_LAB").map_or_else(|| root.join("target/engines"), PathBuf::from)
}

/// Whether the jar of the lab has a planner: not without a module of `pushdown/run`.
pub fn has_planner(root: &Path) -> bool {
    lab_directory(root).join("ranges/classes/io/saltplan/hive/module").exists()
}

const STATEMENT: Duration = Duration::from_secs(300);

/// The running engines. Copies share one HBase client, one HBase shell and one session of each Hive.
#[derive(Clone)]
pub struct Engines {
    lab: PathBuf,
    hbase: Hbase,
    hive4: Session,
    hive3: Session,
    hive2: Session,
    zone: Arc<Mutex<Option<&'static str>>>,
    /// Whether the jar of `storage-handler/` is on the class path of the sessions.
    has_jar: bool,
    /// More options of Java for Hive.
    java: Option<String>,
}

/// The session of one Hive; started when it is first used, and again if it was lost.
type Session = Arc<Mutex<Option<Helper>>>;

impl Engines {
    pub fn new(root: &Path) -> Self {
        let lab = root.join("tests/engines/lab");
        Self {
            hbase: Hbase::new(&lab),
            lab,
            hive4: Session::default(),
            hive3: Session::default(),
            hive2: Session::default(),
            zone: Arc::default(),
            has_jar: true,
            java: None,
        }
    }

    /// The time zone of the processes in which Hive runs; `None` is the zone of the machine. Running
    /// processes are stopped.
    pub fn set_zone(&self, zone: Option<&'static str>) {
        let mut present = self.zone.lock().unwrap_or_else(PoisonError::into_inner);
        if *present != zone {
            *present = zone;
            for session in [&self.hive4, &self.hive3, &self.hive2] {
                *session.lock().unwrap_or_else(PoisonError::into_inner) = None;
            }
        }
    }

    /// Uses a Hive without the jar of `storage-handler/`. The running one is stopped, because both would own the
    /// metastore.
    pub fn without_jar<T>(&self, home: Home, work: impl FnOnce(&Engines) -> Result<T>) -> Result<T> {
        self.other(home, Engines { has_jar: false, ..self.clone() }, work)
    }

    /// Uses a Hive whose Java has more options. The running one is stopped.
    pub fn with_java<T>(
        &self,
        home: Home,
        java: &str,
        work: impl FnOnce(&Engines) -> Result<T>,
    ) -> Result<T> {
        self.other(home, Engines { java: Some(java.to_owned()), ..self.clone() }, work)
    }

    fn other<T>(&self, home: Home, other: Engines, work: impl FnOnce(&Engines) -> Result<T>) -> Result<T> {
        let mut session = self.session(home).lock().unwrap_or_else(PoisonError::into_inner);
        *session = None;
        work(&Engines { hive3: Session::default(), hive2: Session::default(), ..other })
    }

    fn session(&self, home: Home) -> &Session {
        match home {
            Home::Hive4 => &self.hive4,
            Home::Hive3 => &self.hive3,
            Home::Hive2 => &self.hive2,
        }
    }

    /// Ends the process of a Hive, which frees its metastore; the next request starts another one.
    pub fn stop(&self, home: Home) {
        *self.session(home).lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Sends a request to the HBase client; the first line of the body is the table.
    pub fn client(&self, verb: &str, body: &str) -> Result<String> {
        self.hbase.client(verb, body)
    }

    /// Runs a script in the HBase shell and returns its output.
    pub fn shell(&self, script: &str) -> Result<String> {
        self.hbase.shell(script)
    }

    /// Resets the SETs of the previous case, so that a case must contain all it needs. By default the local
    /// runners report progress once a second, which would take most of the time of a small job.
    pub fn begin(&self, engine: Engine) -> Result<()> {
        self.ask(engine.home(), "reset", "")?;
        self.script(
            engine,
            &format!(
                "use default;
set hive.execution.engine={};
set hive.exec.counters.pull.interval=50;
set mapreduce.client.progressmonitor.pollinterval=50;
set mapreduce.client.completion.pollinterval=50;
",
                engine.option()
            ),
        )?;
        Ok(())
    }

    /// Runs a script like `hive -f`, on the engine that [`Engines::begin`] selected.
    pub fn script(&self, engine: Engine, script: &str) -> Result<String> {
        self.ask(engine.home(), "script", script)
    }

    /// The rows of one statement, each on one line: see `RowFormatter`.
    pub fn query(&self, engine: Engine, statement: &str) -> Result<Vec<String>> {
        Ok(self.ask(engine.home(), "query", statement)?.lines().map(str::to_owned).collect())
    }

    /// The query blocks of statements according to Hive's own parser: see `Structure`.
    pub fn structure(&self, engine: Engine, statements: &[&str]) -> Result<Vec<String>> {
        let answer = self.ask(engine.home(), "structure", &statements.join("\0"))?;
        Ok(answer.split('\0').map(str::to_owned).collect())
    }

    fn ask(&self, home: Home, verb: &str, body: &str) -> Result<String> {
        let mut session = self.session(home).lock().unwrap_or_else(PoisonError::into_inner);
        let mut helper = match session.take() {
            Some(helper) => helper,
            None => {
                let zone = *self.zone.lock().unwrap_or_else(PoisonError::into_inner);
                let name = match self.has_jar {
                    true => home.helper().to_string(),
                    false => format!("{}-without-jar", home.helper()),
                };
                let environment = zone.map(|zone| ("TZ", zone)).into_iter();
                let environment =
                    environment.chain(self.java.as_deref().map(|java| ("SALTPLAN_LAB_JAVA", java)));
                Helper::start(&self.lab, &name, &environment.collect::<Vec<_>>())?
            }
        };
        let answer = helper.ask(verb, body, STATEMENT)?;
        *session = Some(helper);
        answer.map_err(|error| error.context(format!("running:\n{body}")))
    }
}
