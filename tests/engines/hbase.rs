//! The real HBase: its client and its shell, started when they are first needed, and again after an error.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};

use crate::helper::{Helper, Shell};

const ANSWER: Duration = Duration::from_secs(120);

#[derive(Clone)]
pub struct Hbase {
    lab: PathBuf,
    client: Arc<Mutex<Option<Helper>>>,
    shell: Arc<Mutex<Option<Shell>>>,
}

impl Hbase {
    pub fn new(lab: &Path) -> Self {
        Self { lab: lab.to_owned(), client: Arc::default(), shell: Arc::default() }
    }

    /// Sends a request to the client; the first line of the body is the table.
    pub fn client(&self, verb: &str, body: &str) -> Result<String> {
        let mut place = self.client.lock().unwrap_or_else(PoisonError::into_inner);
        let mut client = match place.take() {
            Some(client) => client,
            None => Helper::start(&self.lab, "hbase", &[])?,
        };
        let answer = client.ask(verb, body, ANSWER)?;
        *place = Some(client);
        answer
    }

    /// Runs a script in the shell and returns its output.
    pub fn shell(&self, script: &str) -> Result<String> {
        let mut place = self.shell.lock().unwrap_or_else(PoisonError::into_inner);
        let mut shell = match place.take() {
            Some(shell) => shell,
            None => Shell::start(&self.lab)?,
        };
        let printed =
            shell.run(script, ANSWER).with_context(|| format!("running in the HBase shell:\n{script}"))?;
        *place = Some(shell);
        Ok(printed)
    }
}
