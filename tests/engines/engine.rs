//! The engines and their Hive sessions.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Error, Result, bail};

use crate::helper::Helper;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// Hive 3.1.3 on Tez.
    Tez,
    /// Hive 3.1.3 on MapReduce.
    Mr,
    /// Hive 2.3.9 on MapReduce.
    Mr2,
}

impl Engine {
    pub const ALL: [Self; 3] = [Self::Tez, Self::Mr, Self::Mr2];

    /// What `saltplan plan --engine` and `hive.execution.engine` call it.
    pub fn option(self) -> &'static str {
        match self {
            Self::Tez => "tez",
            Self::Mr | Self::Mr2 => "mr",
        }
    }

    pub fn home(self) -> Home {
        match self {
            Self::Tez | Self::Mr => Home::Hive3,
            Self::Mr2 => Home::Hive2,
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tez => "tez",
            Self::Mr => "mr",
            Self::Mr2 => "mr2",
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

/// A Hive with a metastore of its own. Tez and MapReduce of Hive 3 share one process: switching is a SET.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    Hive3,
    Hive2,
}

impl Home {
    fn helper(self) -> &'static str {
        match self {
            Self::Hive3 => "hive3",
            Self::Hive2 => "hive2",
        }
    }
}

const STATEMENT: Duration = Duration::from_secs(300);

/// The session of one home; started when it is first used, and again when it was lost.
pub struct Session {
    home: Home,
    helper: Option<Helper>,
}

impl Session {
    pub fn new(home: Home) -> Self {
        Self { home, helper: None }
    }

    /// Forgets the SETs of the case before, so that a case brings all it needs. The local runners are asked for their progress
    /// once a second by default, which would be most of the time of a small job.
    pub fn begin(&mut self, lab: &Path, engine: Engine) -> Result<()> {
        self.script(
            lab,
            &format!(
                "reset;
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

    /// Runs a script as `hive -f` does.
    pub fn script(&mut self, lab: &Path, script: &str) -> Result<String> {
        self.ask(lab, "script", script)
    }

    /// The rows of one statement, each as one line: see `RowFormatter`.
    pub fn query(&mut self, lab: &Path, statement: &str) -> Result<Vec<String>> {
        Ok(self.ask(lab, "query", statement)?.lines().map(str::to_owned).collect())
    }

    fn ask(&mut self, lab: &Path, verb: &str, body: &str) -> Result<String> {
        let helper = match self.helper.take() {
            Some(helper) => self.helper.insert(helper),
            None => self.helper.insert(Helper::start(lab, self.home.helper())?),
        };
        let answer = helper.ask(verb, body, STATEMENT);
        if answer.is_err() {
            self.helper = None;
        }
        answer?.map_err(|error| error.context(format!("running:\n{body}")))
    }
}
