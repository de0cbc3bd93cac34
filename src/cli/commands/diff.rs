//! `diff`: two versions of a schema.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::pretty;
use crate::cli::args::{ClassChoice, DiffArgs, DiffFormat};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::input::{LoadedSchema, load_version};
use crate::cli::output::deliver;
use crate::cli::talk::Talk;
use saltplan_core::diag::{Diagnostic, Source, Span, visible};
use saltplan_core::diff::accept::AcceptList;
use saltplan_core::diff::evidence::Evidence;
use saltplan_core::diff::{self, Change, Class, Comparison, Side, Version};

/// Version of the JSON form.
const FORMAT_VERSION: u32 = 1;

/// Most bytes of an accept list.
const MAX_ACCEPT_BYTES: u64 = 1 << 20;

pub fn diff(args: &DiffArgs, talk: &Talk) -> Result<Outcome, Failure> {
    if args.old == "-" && args.new == "-" {
        let error = Diagnostic::error("both versions cannot come from standard input");
        return Err(error.with_help("name a file for one of the two").into());
    }
    let (old, new) = (load_version(&args.old, talk)?, load_version(&args.new, talk)?);
    let (old_keys, new_keys) = (old.split_keys()?, new.split_keys()?);
    let comparison = diff::compare(version(&old, old_keys.as_deref()), version(&new, new_keys.as_deref()));
    let (accepted, unused) = match &args.accept {
        Some(path) => {
            let text = talk.inputs.text(path, MAX_ACCEPT_BYTES)?;
            AcceptList::parse(&Source::new(path.display().to_string(), text)).apply(&comparison.changes)
        }
        None => (vec![false; comparison.changes.len()], Vec::new()),
    };
    talk.remarks(&unused);
    let report = Report { old: &old.source, new: &new.source, comparison: &comparison, accepted: &accepted };
    let text = match args.output_format {
        DiffFormat::Text => report.text(),
        DiffFormat::Markdown => report.markdown(),
        DiffFormat::Json => pretty(&report.json(&unused)),
    };
    let delivered = deliver(&text, &args.output, talk)?;
    let limit = match args.fail_on {
        ClassChoice::Key => Class::Key,
        ClassChoice::Region => Class::Region,
        ClassChoice::Mapping => Class::Mapping,
        ClassChoice::Query => Class::Query,
        ClassChoice::Cosmetic => Class::Cosmetic,
        ClassChoice::Never => return Ok(delivered),
    };
    Ok(if report.worst_unaccepted().is_some_and(|worst| worst >= limit) {
        Outcome::Findings
    } else {
        delivered
    })
}

fn version<'a>(loaded: &'a LoadedSchema, split_keys: Option<&'a [Vec<u8>]>) -> Version<'a> {
    Version { schema: &loaded.schema, source: &loaded.source, document: &loaded.document, split_keys }
}

struct Report<'a> {
    old: &'a Arc<Source>,
    new: &'a Arc<Source>,
    comparison: &'a Comparison,
    /// For each change.
    accepted: &'a [bool],
}

impl Report<'_> {
    fn changes(&self) -> impl Iterator<Item = (&Change, bool)> {
        self.comparison.changes.iter().zip(self.accepted.iter().copied())
    }

    fn worst_unaccepted(&self) -> Option<Class> {
        self.changes().filter(|(_, accepted)| !accepted).map(|(change, _)| change.class).max()
    }

    /// `2 key, 1 region, 3 accepted`
    fn summary(&self) -> String {
        let count = |class: Class| {
            let count =
                self.changes().filter(|(change, accepted)| change.class == class && !accepted).count();
            (count > 0).then(|| format!("{count} {}", class.name()))
        };
        let mut parts: Vec<String> = Class::ALL.into_iter().filter_map(count).collect();
        let accepted = self.accepted.iter().filter(|accepted| **accepted).count();
        if accepted > 0 {
            parts.push(format!("{accepted} accepted"));
        }
        if parts.is_empty() { "no changes".into() } else { parts.join(", ") }
    }

    fn text(&self) -> String {
        let (old, new) = (visible::line(&self.old.name), visible::line(&self.new.name));
        let mut text = format!("{old} -> {new}: {}\n", self.summary());
        for (change, accepted) in self.changes() {
            let note = if accepted { "  (accepted)" } else { "" };
            text.push_str(&format!(
                "\n{:8} {}: {}{note}\n",
                change.class.name(),
                visible::line(&change.path),
                visible::line(&change.values())
            ));
            for (source, side) in [(self.old, &change.old), (self.new, &change.new)] {
                text.push_str(&format!("         {}\n", place(source, side.span)));
            }
        }
        for evidence in &self.comparison.evidence {
            text.push_str("\na row whose key changes:\n");
            for (name, value) in described(evidence) {
                text.push_str(&format!("  {name:9} {}\n", visible::line(&value)));
            }
        }
        text
    }

    /// For a comment on a pull request.
    fn markdown(&self) -> String {
        let mut text = format!("### Schema changes: {}\n\n", self.summary());
        text.push_str(&format!("{} → {}\n", code(&self.old.name), code(&self.new.name)));
        if self.comparison.changes.is_empty() {
            return text;
        }
        text.push_str("\n| class | what | old | new |\n|---|---|---|---|\n");
        for (change, accepted) in self.changes() {
            let class = if accepted {
                format!("{} (accepted)", change.class.name())
            } else if change.class >= Class::Region {
                format!("**{}**", change.class.name())
            } else {
                change.class.name().to_string()
            };
            text.push_str(&format!(
                "| {class} | {} | {} | {} |\n",
                code(&change.path),
                cell(self.old, &change.old),
                cell(self.new, &change.new)
            ));
        }
        for evidence in &self.comparison.evidence {
            text.push_str("\n**Stored rows are affected.** A row whose key changes:\n\n| | |\n|---|---|\n");
            for (name, value) in described(evidence) {
                text.push_str(&format!("| {name} | {} |\n", code(&value)));
            }
        }
        text
    }

    fn json(&self, unused: &[Diagnostic]) -> Json {
        let changes = self.changes().map(|(change, accepted)| {
            json!({
                "class": change.class,
                "path": change.path,
                "accepted": accepted,
                "old": side(self.old, &change.old),
                "new": side(self.new, &change.new),
            })
        });
        let evidence = self.comparison.evidence.iter().map(|evidence| {
            json!({
                "row": evidence.row,
                "old_key": evidence.old_key,
                "new_key": evidence.new_key.as_ref().ok(),
                "reads_as": evidence.reads_as,
            })
        });
        json!({
            "format_version": FORMAT_VERSION,
            "old": self.old.name,
            "new": self.new.name,
            "changes": changes.collect::<Vec<Json>>(),
            "evidence": evidence.collect::<Vec<Json>>(),
            "unused_accepts": unused.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    }
}

fn place(source: &Source, span: Span) -> String {
    let (line, column) = source.line_column(span.start);
    format!("{}:{line}:{column}", visible::line(&source.name))
}

fn side(source: &Source, side: &Side) -> Json {
    let (line, column) = source.line_column(side.span.start);
    let (end_line, end_column) = source.line_column(side.span.end);
    json!({
        "value": side.value,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    })
}

fn described(evidence: &Evidence) -> Vec<(&'static str, String)> {
    let new_key = match &evidence.new_key {
        Ok(key) => key.clone(),
        Err(reason) => format!("none: {reason}"),
    };
    vec![
        ("row", evidence.row.clone()),
        ("old key", evidence.old_key.clone()),
        ("new key", new_key),
        ("reads as", evidence.reads_as.clone()),
    ]
}

/// A value with the line it stands in.
fn cell(source: &Source, side: &Side) -> String {
    let (line, _) = source.line_column(side.span.start);
    let value = side.value.as_deref().map_or("none".to_string(), code);
    format!("{value} (line {line})")
}

/// Code that no text can break out of: neither from its backquotes nor from a cell of a table.
fn code(text: &str) -> String {
    let text = visible::line(text).replace('|', "\\|");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}
