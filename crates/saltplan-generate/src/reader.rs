//! Programs that read the rows of a predicate.

use std::collections::BTreeMap;

use saltplan_core::key::range::to_hex;
use saltplan_core::plan::{Residual, ResidualId};
use saltplan_core::plans::{Branch, Plan};
use saltplan_core::queries::Templates;
use saltplan_core::{Planned, Table};
use serde_json::{Value as Json, json};

use crate::check::CheckWriter;
use crate::language::{Language, pascal, type_name};
use crate::{GenerateError, check_names};

/// The maximum number of ranges of a class in Java: its compiler refuses a longer list of constants.
const MAX_JAVA_RANGES: usize = 4_096;

/// Classes that the program in Java uses by these names.
const JAVA_IMPORTS: &str = "IOException Objects Optional Consumer Cell CellUtil HBaseConfiguration TableName Connection \
    ConnectionFactory Result ResultScanner Scan Table MultiRowRangeFilter Bytes Range StringBuilder \
    UnsupportedOperationException Boolean Override Iterable Exception Throwable AutoCloseable";

/// A language of readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReaderLanguage {
    /// A class for the HBase client of Java.
    Java,
    /// A module for happybase, through HBase's Thrift server.
    Python,
    /// As `Python`, with a Spark task for each range.
    PySpark,
}

impl ReaderLanguage {
    pub const ALL: [ReaderLanguage; 3] =
        [ReaderLanguage::Java, ReaderLanguage::Python, ReaderLanguage::PySpark];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            ReaderLanguage::Java => "java",
            ReaderLanguage::Python => "python",
            ReaderLanguage::PySpark => "pyspark",
        }
    }

    pub(crate) fn language(self) -> Language {
        match self {
            ReaderLanguage::Java => Language::Java,
            ReaderLanguage::Python | ReaderLanguage::PySpark => Language::Python,
        }
    }

    fn template(self) -> &'static str {
        self.language().pick("reader/program.java", "reader/program.py")
    }
}

/// What is printed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Reader {
    pub language: ReaderLanguage,
    /// The name of a class in Java; by default that of the HBase table followed by `Reader`.
    pub class: Option<String>,
    /// The package of a class in Java.
    pub package: Option<String>,
    /// Also print a program that cannot check all residuals: it has a function for each of those, which fails until it
    /// is written.
    pub accept_residual: bool,
}

impl Reader {
    pub fn new(language: ReaderLanguage) -> Self {
        Reader { language, class: None, package: None, accept_residual: false }
    }

    /// The name of the class in Java.
    pub fn class_name(&self, table: &Table) -> String {
        let name = || type_name(&(pascal(&table.schema().hbase.qualifier) + "Reader"));
        self.class.clone().unwrap_or_else(name)
    }

    /// The program. It reads exactly the rows of the plan's predicate.
    ///
    /// # Errors
    /// Rows of the ranges must be checked in a way that the program cannot, a given name is not valid, or a template of
    /// the user's cannot be filled in.
    pub fn print(
        &self,
        table: &Table,
        planned: &Planned,
        templates: &Templates,
    ) -> Result<Program, GenerateError> {
        let language = self.language.language();
        check_names(language, self.class.as_deref(), self.package.as_deref())?;
        let is_import = |class: &&str| JAVA_IMPORTS.split_whitespace().any(|import| import == *class);
        if let Some(class) = self.class.as_deref().filter(is_import) {
            return Err(GenerateError::Name { name: class.into(), language });
        }
        let plan = planned.plan();
        let (residuals, places) = residuals(plan);
        let mut writer = CheckWriter::new(table.schema(), language);
        let residuals: Vec<(String, Option<String>)> = residuals
            .into_iter()
            .map(|residual| (residual.expr.to_string(), writer.code(&residual.expr)))
            .collect();
        let unwritten = residuals.iter().filter(|(_, code)| code.is_none());
        let unwritten: Vec<String> = unwritten.map(|(text, _)| text.clone()).collect();
        if let (Some(residual), false) = (unwritten.first(), self.accept_residual) {
            return Err(GenerateError::refused(
                "residual",
                format!(
                    "the ranges have more rows than the predicate, and the program cannot check `{residual}`: it can \
                     compare text columns with texts"
                ),
                "add conditions on the key fields until `saltplan explain` shows no residual, or write the check yourself: \
                 `--allow-residual` prints a function for it"
                    .into(),
            ));
        }
        let count = plan.branches.len();
        if self.language == ReaderLanguage::Java && count > MAX_JAVA_RANGES {
            return Err(GenerateError::refused(
                "too_many_ranges",
                format!("{count} ranges are too many constants for a class in Java ({MAX_JAVA_RANGES})"),
                format!("merge ranges with `--max-branches {MAX_JAVA_RANGES}`"),
            ));
        }
        let ranges = plan.branches.iter().map(|branch| range_json(branch, &places, language));
        let residuals = residuals.iter().map(|residual| residual_json(residual, language));
        let context = json!({
            "lang": self.language.name(),
            "class": self.class_name(table),
            "package": self.package,
            // Texts of comments.
            "schema": language.comment(&table.file_name()),
            "table": language.comment(&table.name()),
            "predicate": language.comment(planned.predicate()),
            "summary": language.comment(&planned.summary()),
            // A literal.
            "table_name": language.string(&table.name()),
            "ranges": ranges.collect::<Vec<_>>(),
            "residuals": residuals.collect::<Vec<_>>(),
            // The functions that the checks call.
            "helpers": writer.helpers,
        });
        let text = language.file(templates.render(self.language.template(), &context)?);
        Ok(Program { text, unwritten })
    }
}

/// A printed reader.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Program {
    pub text: String,
    /// The residuals whose functions fail until they are written.
    pub unwritten: Vec<String>,
}

/// The different residuals of a plan, in the order of its ranges, and the place of each.
fn residuals(plan: &Plan) -> (Vec<&Residual>, BTreeMap<ResidualId, usize>) {
    let mut residuals = Vec::new();
    let mut places = BTreeMap::new();
    for id in plan.branches.iter().filter_map(|branch| branch.residual) {
        places.entry(id).or_insert_with(|| {
            residuals.push(plan.residual(id));
            residuals.len() - 1
        });
    }
    (residuals, places)
}

/// A range: its bounds as literals of bytes and in hex, and the place of its residual in the list.
fn range_json(branch: &Branch, places: &BTreeMap<ResidualId, usize>, language: Language) -> Json {
    let (start, stop) = (&branch.range.start, branch.range.stop.as_deref());
    json!({
        "start": language.bytes(start),
        "stop": stop.map(|stop| language.bytes(stop)),
        "start_hex": to_hex(start),
        "stop_hex": stop.map(to_hex),
        "residual": branch.residual.and_then(|id| places.get(&id)),
    })
}

/// A residual: its condition, also as text of a comment and as an expression, and what its function says until it is
/// written. Without code the expression is null.
fn residual_json((text, code): &(String, Option<String>), language: Language) -> Json {
    json!({
        "text": text,
        "comment": language.comment(text),
        "code": code,
        "message": language.string(&format!("write this check: {text}")),
    })
}
