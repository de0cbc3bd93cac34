//! Files as they are in a git revision.

use std::process::{Command, Stdio};

use anyhow::Context;

use super::failure::Failure;
use saltplan_core::diag::Diagnostic;

/// `git:REF:path`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitPath {
    pub reference: String,
    pub path: String,
}

impl GitPath {
    /// `None` for a path of the file system.
    ///
    /// # Errors
    /// The prefix without a revision or a path, or a revision that git would take for an option.
    pub fn parse(argument: &str) -> Option<Result<Self, Diagnostic>> {
        let rest = argument.strip_prefix("git:")?;
        let parts = rest.split_once(':').filter(|(reference, path)| {
            !reference.is_empty() && !reference.starts_with('-') && !path.is_empty() && !rest.contains('\0')
        });
        Some(match parts {
            Some((reference, path)) => {
                Ok(GitPath { reference: reference.to_string(), path: path.to_string() })
            }
            None => Err(Diagnostic::error(format!("`{argument}` is not of the form `git:REF:path`"))
                .with_help(
                    "write for example `git:main:schemas/calls.yaml`; a file of such a name is `./git:…`",
                )),
        })
    }

    /// A file beside this one.
    pub fn sibling(&self, name: &str) -> Self {
        let folder = self.path.rfind('/').map_or("", |at| &self.path[..=at]);
        GitPath { reference: self.reference.clone(), path: format!("{folder}{name}") }
    }

    /// The content of the file.
    pub fn read(&self) -> Result<Vec<u8>, Failure> {
        let object = format!("{}:{}", self.reference, self.path);
        let output = Command::new("git")
            .args(["--no-pager", "show", "--no-textconv", "--no-color", "--end-of-options", &object])
            .stdin(Stdio::null())
            .output()
            .context("cannot run git")?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let first = said.lines().next().unwrap_or("it gave no reason").trim_start_matches("fatal: ");
        let error = Diagnostic::error(format!("git has no `{object}`: {first}"));
        Err(error
            .with_help("name the path from the root of the repository; `./path` starts at this folder")
            .into())
    }
}
