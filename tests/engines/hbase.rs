//! The real HBase: its client and its shell, started when they are needed first, and again after an error.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

use crate::helper::{Helper, Shell};

const ANSWER: Duration = Duration::from_secs(120);

pub struct Hbase {
    lab: PathBuf,
    client: Option<Helper>,
    shell: Option<Shell>,
}

impl Hbase {
    pub fn new(root: &Path) -> Self {
        Self { lab: root.join("tests/engines/lab"), client: None, shell: None }
    }

    /// Asks the client; the first line of the body is the table.
    pub fn client(&mut self, verb: &str, body: &str) -> Result<String> {
        let mut client = match self.client.take() {
            Some(client) => client,
            None => Helper::start(&self.lab, "hbase")?,
        };
        let answer = client.ask(verb, body, ANSWER)?;
        self.client = Some(client);
        answer
    }

    /// Runs a script in the shell and answers with what the shell printed.
    pub fn shell(&mut self, script: &str) -> Result<String> {
        let mut shell = match self.shell.take() {
            Some(shell) => shell,
            None => Shell::start(&self.lab)?,
        };
        let printed =
            shell.run(script, ANSWER).with_context(|| format!("running in the HBase shell:\n{script}"))?;
        self.shell = Some(shell);
        Ok(printed)
    }
}
