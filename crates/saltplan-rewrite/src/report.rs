//! What was done with each reference of a text, for people and for programs.

use std::fmt;
use std::sync::Arc;

use saltplan_core::hive::overlap::Overwrite;
use saltplan_core::messages::{Diagnostic, Source, Span};
use saltplan_core::pieces::Piece;
use saltplan_core::queries::QueryShape;
use saltplan_core::refusal::{Part, Refusal, Remedy};
use saltplan_document::diag::DiagnosticKind;
use serde_json::{Value as Json, json};

use crate::rules::{Known, Unused};
use crate::splice::{self, Splice};

/// The most conditions that the message about a reference shows: each is shown with its line.
const MAX_LABELS: usize = 10;

/// The version of the JSON form.
const FORMAT_VERSION: u64 = 1;

/// A rewritten text and its references.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Rewritten {
    /// The original text with variables replaced: places refer to it.
    pub source: Arc<Source>,
    pub text: String,
    /// In the order of the text.
    pub splices: Vec<Splice>,
    /// Every reference to a logical table, in the order of the text.
    pub references: Vec<Reference>,
    /// What its INSERT OVERWRITEs replace of the target tables of the schemas.
    #[doc(hidden)]
    pub overwrites: Vec<Overwrite>,
    /// INSERT OVERWRITEs that would lose rows and are not accepted. The text must then not be used.
    pub refused: Vec<Refused>,
    /// Notes about the text.
    pub notes: Vec<Diagnostic>,
}

/// A place where a query reads a logical table.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Reference {
    /// The name as written.
    pub span: Span,
    pub alias: String,
    /// The name of the schema file.
    pub schema: String,
    /// The conditions that narrow it.
    pub used: Vec<UsedCondition>,
    /// The conditions about it that do not narrow it.
    pub unused: Vec<UnusedCondition>,
    /// The pieces of the row key in its conditions, if it is a mapping table.
    pub(crate) pieces: Vec<Piece>,
    pub fate: Fate,
}

/// An INSERT OVERWRITE that would lose rows.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refused {
    pub span: Span,
    pub why: WhyRefused,
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhyRefused {
    /// It can have no row.
    Empty,
    /// Its rows are only a part of what they replace in the target table of a schema.
    Partial(Part),
    /// As `Partial`, because of something else than a condition, such as "a LIMIT".
    Cut { by: String },
    /// Its rows are those of other partitions of the target table of a schema than the one that it replaces.
    OtherPartition { given: String, selected: String },
    /// It replaces what an earlier statement of the script has written to the target table of a schema; `perhaps` if that
    /// depends on values that are known only when the script runs.
    Overlap { earlier: Span, perhaps: bool },
}

impl WhyRefused {
    /// A stable code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            WhyRefused::Empty => "empty",
            WhyRefused::Partial(_) | WhyRefused::Cut { .. } => "partial",
            WhyRefused::OtherPartition { .. } => "other_partition",
            WhyRefused::Overlap { .. } => "overlap",
        }
    }

    /// The remedy, with the caller's names for what is accepted.
    pub fn help_with(&self, name: impl Fn(Remedy) -> String) -> String {
        match self {
            WhyRefused::Empty => {
                format!("correct the conditions, or accept this with {}", name(Remedy::AcceptEmpty))
            }
            WhyRefused::Partial(_) => format!(
                "remove the condition, write INSERT INTO, or accept the loss with {}",
                name(Remedy::AcceptPartial)
            ),
            WhyRefused::Cut { .. } => format!(
                "remove it, write INSERT INTO, or accept the loss with {}",
                name(Remedy::AcceptPartial)
            ),
            WhyRefused::OtherPartition { .. } => format!(
                "correct the partition or the condition, or accept this with {}",
                name(Remedy::AcceptPartial)
            ),
            WhyRefused::Overlap { .. } => format!(
                "write to different partitions, write INSERT INTO, or accept this with {}",
                name(Remedy::AcceptOverlap)
            ),
        }
    }
}

impl fmt::Display for WhyRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WhyRefused::Empty => f.write_str(
                "this INSERT OVERWRITE can have no row, because no row that fits the schema satisfies the conditions on a table: it would only remove what is there",
            ),
            WhyRefused::Partial(part) => f.write_str(&part.message("the query")),
            WhyRefused::Cut { by } => write!(
                f,
                "the query has {by}: INSERT OVERWRITE would replace all rows of the partition by a part of them"
            ),
            WhyRefused::OtherPartition { given, selected } => write!(
                f,
                "this INSERT OVERWRITE replaces the partition {given}, and its conditions select the rows of {selected}"
            ),
            WhyRefused::Overlap { perhaps: false, .. } => {
                f.write_str("this INSERT OVERWRITE removes the rows that an earlier one of the script has written")
            }
            WhyRefused::Overlap { perhaps: true, .. } => f.write_str(
                "this INSERT OVERWRITE may remove the rows that an earlier one of the script has written: their partitions are known only when they run",
            ),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UsedCondition {
    pub span: Span,
    /// `WHERE`, `ON` or `HAVING`.
    pub place: &'static str,
    /// Whether only a part of the condition is about the table.
    pub in_part: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnusedCondition {
    pub span: Span,
    pub why: Unused,
}

#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Fate {
    Pruned(Pruned),
    Left(WhyLeft),
}

/// What a reference reads after rewriting.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Pruned {
    /// The conditions as one predicate on the schema.
    pub predicate: String,
    /// How much of the table is read.
    pub summary: String,
    /// The cost of that.
    pub cost: String,
    pub ranges: usize,
    pub shape: QueryShape,
    /// Whether no row can satisfy the conditions.
    pub is_empty: bool,
    /// `name=value` of SETs that were added above the statement.
    pub settings: Vec<String>,
}

/// Why a reference was not changed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum WhyLeft {
    /// There is no condition about it.
    NoCondition,
    /// None of its conditions is allowed to narrow it; how a value can be given that is known only when the query runs, if that is the
    /// reason for one of them.
    Unused(Option<Known>),
    /// The planner refuses the conditions.
    Refused(Box<Refusal>),
    /// A construct that cannot be combined with a subquery.
    Construct { reason: String, help: String },
}

impl WhyLeft {
    pub(crate) fn construct(reason: impl Into<String>, help: impl Into<String>) -> Self {
        WhyLeft::Construct { reason: reason.into(), help: help.into() }
    }

    /// The remedy, with the names of this library.
    pub fn help(&self) -> String {
        self.help_with(Remedy::name)
    }

    /// The remedy, with the caller's names for what is given or accepted.
    pub fn help_with(&self, name: impl Fn(Remedy) -> String) -> String {
        match self {
            WhyLeft::NoCondition | WhyLeft::Unused(None) => {
                "add a condition on the first fields of the key to the WHERE, such as `alias.field = …`"
                    .into()
            }
            WhyLeft::Unused(Some(known)) => match known {
                Known::Hivevar => format!("give the value with {}", name(Remedy::Hivevar)),
                Known::Hiveconf => format!("give the value with {}", name(Remedy::Hiveconf)),
                Known::Now => format!("say what time it is with {}", name(Remedy::Now)),
                Known::Unread => {
                    "write the value into the query, or compare it as it is with a field of the key".into()
                }
            },
            WhyLeft::Refused(refusal) => refusal.help_with(name),
            WhyLeft::Construct { help, .. } => help.clone(),
        }
    }

    /// A stable code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            WhyLeft::NoCondition | WhyLeft::Unused(_) => "no_condition",
            WhyLeft::Refused(refusal) => refusal.code(),
            WhyLeft::Construct { .. } => "construct",
        }
    }
}

impl fmt::Display for WhyLeft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WhyLeft::NoCondition => {
                f.write_str("the query has no condition on it that narrows its key ranges")
            }
            WhyLeft::Unused(_) => f.write_str("none of its conditions can be used to narrow its key ranges"),
            WhyLeft::Refused(refusal) => write!(f, "{refusal}"),
            WhyLeft::Construct { reason, .. } => f.write_str(reason),
        }
    }
}

impl Reference {
    pub fn is_pruned(&self) -> bool {
        matches!(self.fate, Fate::Pruned(_))
    }

    /// Why the reference was not changed; `None` if it was.
    pub fn why_left(&self) -> Option<&WhyLeft> {
        match &self.fate {
            Fate::Left(why) => Some(why),
            Fate::Pruned(_) => None,
        }
    }
}

impl Rewritten {
    /// The text before the splices, reconstructed from the result.
    pub fn without_splices(&self) -> String {
        splice::undo(&self.text, &self.source.text, &self.splices)
    }

    /// The number of references that were not changed.
    pub fn left(&self) -> usize {
        self.references.iter().filter(|reference| !reference.is_pruned()).count()
    }

    /// The message for a reference that was not changed, at its place.
    pub fn message(&self, reference: &Reference, help: impl Fn(&WhyLeft) -> String) -> Option<Diagnostic> {
        let Fate::Left(why) = &reference.fate else { return None };
        let name = &self.source.text[reference.span.start..reference.span.end];
        let message = format!("`{name}` still reads the whole table: {why}");
        let more = reference.unused.len().saturating_sub(MAX_LABELS);
        let label = match more {
            0 => "left as it is".into(),
            _ => format!("left as it is; {more} more conditions are not used"),
        };
        let mut diagnostic = Diagnostic::warning(message).at(&self.source, reference.span, label);
        for unused in reference.unused.iter().take(MAX_LABELS) {
            diagnostic = diagnostic.with_label(unused.span, format!("not used: {}", unused.why));
        }
        Some(diagnostic.with_help(help(why)).with_kind(DiagnosticKind::Warned(why.code())))
    }

    /// The error about an INSERT OVERWRITE that is refused; `name` gives the caller's names for what is accepted.
    pub fn refusal(&self, refused: &Refused, name: impl Fn(Remedy) -> String) -> Diagnostic {
        let why = &refused.why;
        let diagnostic = Diagnostic::error(format!("refused: {why}"));
        let diagnostic = diagnostic.at(&self.source, refused.span, "refused");
        let diagnostic = match why {
            WhyRefused::Overlap { earlier, .. } => diagnostic.with_label(*earlier, "the earlier one"),
            _ => diagnostic,
        };
        diagnostic.with_help(why.help_with(name)).with_kind(DiagnosticKind::Refused(why.code()))
    }

    /// The references as text; `help` gives remedies with the caller's names. Shows which conditions were
    /// used, why the others were not, and what is read.
    pub fn to_text(&self, help: &dyn Fn(&WhyLeft) -> String) -> String {
        let mut text = String::new();
        for reference in &self.references {
            let (line, column) = self.source.line_column(reference.span.start);
            let name = &self.source.text[reference.span.start..reference.span.end];
            text += &format!("{}:{line}:{column}: {name}", self.source.name);
            text += &match &reference.fate {
                Fate::Pruned(pruned) => {
                    let empty = if pruned.is_empty { ": no row can satisfy the conditions" } else { "" };
                    format!(" reads {}{empty}\n  costs {}\n", pruned.summary, pruned.cost)
                }
                Fate::Left(why) => format!(" is not narrowed: {why}\n  help: {}\n", help(why)),
            };
            let used_word = if reference.is_pruned() { "used" } else { "could be used" };
            for used in &reference.used {
                let in_part = if used.in_part { " in part" } else { "" };
                text += &format!("  {used_word}{in_part}, {}: {}\n", used.place, self.on_one_line(used.span));
            }
            for unused in &reference.unused {
                text += &format!("  not used: {}\n    {}\n", self.on_one_line(unused.span), unused.why);
            }
            for piece in &reference.pieces {
                text += &format!("  {} is {}\n", piece.expression, piece.meaning);
            }
            if let Fate::Pruned(pruned) = &reference.fate {
                for setting in &pruned.settings {
                    text += &format!("  setting above the statement: {setting}\n");
                }
            }
        }
        text
    }

    /// A part of the text on one line.
    fn on_one_line(&self, span: Span) -> String {
        self.source.text[span.start..span.end].split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The references as JSON; `help` gives remedies with the caller's names.
    pub fn to_json(&self, help: &dyn Fn(&WhyLeft) -> String) -> Json {
        let references: Vec<Json> =
            self.references.iter().map(|reference| self.reference_json(reference, help)).collect();
        json!({
            "format_version": FORMAT_VERSION,
            "file": self.source.name,
            "changed": self.text != self.source.text,
            "references": references,
            "refused": self.refused.iter().map(|refused| self.refused_json(refused)).collect::<Vec<_>>(),
            "notes": self.notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    }

    fn refused_json(&self, refused: &Refused) -> Json {
        let (line, column) = self.source.line_column(refused.span.start);
        let why = &refused.why;
        json!({ "code": why.code(), "reason": why.to_string(), "line": line, "column": column })
    }

    fn reference_json(&self, reference: &Reference, help: &dyn Fn(&WhyLeft) -> String) -> Json {
        let (line, column) = self.source.line_column(reference.span.start);
        let mut json = json!({
            "table": &self.source.text[reference.span.start..reference.span.end],
            "alias": reference.alias,
            "schema": reference.schema,
            "line": line,
            "column": column,
            "pruned": reference.is_pruned(),
        });
        let used = reference.used.iter().map(|used| {
            json!({
                "place": used.place,
                "condition": self.on_one_line(used.span),
                "in_part": used.in_part,
            })
        });
        json["used"] = used.collect();
        let unused = reference.unused.iter().map(|unused| {
            json!({
                "condition": self.on_one_line(unused.span),
                "rule": unused.why.rule.code(),
                "reason": unused.why.reason,
            })
        });
        json["unused"] = unused.collect();
        if !reference.pieces.is_empty() {
            let pieces = reference
                .pieces
                .iter()
                .map(|piece| json!({ "expression": piece.expression, "meaning": piece.meaning }));
            json["pieces"] = pieces.collect();
        }
        match &reference.fate {
            Fate::Pruned(pruned) => {
                json["reads"] = json!({
                    "predicate": pruned.predicate,
                    "summary": pruned.summary,
                    "cost": pruned.cost,
                    "ranges": pruned.ranges,
                    "shape": pruned.shape.name(),
                    "empty": pruned.is_empty,
                    "settings": pruned.settings,
                });
            }
            Fate::Left(why) => {
                json["left"] = json!({ "code": why.code(), "reason": why.to_string(), "help": help(why) });
            }
        }
        json
    }
}
