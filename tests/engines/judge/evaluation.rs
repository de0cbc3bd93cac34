//! What saltplan computes of constant expressions, every Hive computes too: calls of functions, casts and operators with values of
//! every kind. Expressions that saltplan leaves to Hive are counted.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, ensure};
use saltplan_core::analyze::constant::{self, Constant};
use saltplan_document::diag::Source;
use saltplan_law::readers::hive::line_of;
use saltplan_sql::ast::Expr;
use saltplan_sql::version::HiveVersion;
use saltplan_sql::{Parameters, parse};

use super::random::Random;
use super::value::Given;
use super::{ask, samples};
use crate::evaluator::from_environment;

/// Expressions of each form that saltplan computes.
const OF_EACH: usize = 60;
/// Attempts for each expression of a form.
const ATTEMPTS: usize = 12;

/// What was compared.
#[derive(Debug, Default)]
struct Counts {
    forms: usize,
    /// Forms of which saltplan computed nothing.
    left: usize,
    compared: usize,
    not_computed: usize,
    typed_nulls: usize,
    refused_by_hive: usize,
    fails_in_hive: usize,
}

pub fn check(root: &Path, hive: &str, _: HiveVersion) -> Result<()> {
    let seed = from_environment("SALTPLAN_JUDGE_SEED", 1)?;
    let each = from_environment("SALTPLAN_JUDGE_CASES", OF_EACH as u64)? as usize;
    let mut counts = Counts::default();
    let mut asked: Vec<(String, Constant)> = Vec::new();
    for form in forms(root, hive)? {
        let mut random = Random::new(seed ^ digest(&form));
        let mut found = BTreeMap::new();
        for _ in 0..each * ATTEMPTS {
            if found.len() == each {
                break;
            }
            let text = filled(&form, &mut random);
            // A constant NULL has no type here, but in Hive it changes the type of the first value.
            let is_typed_null = form.starts_with("coalesce") || form.starts_with("nvl");
            match value(&text) {
                _ if is_typed_null && text.contains("cast(NULL") => counts.typed_nulls += 1,
                Some(constant) => {
                    found.insert(text, constant);
                }
                None => counts.not_computed += 1,
            }
        }
        counts.forms += 1;
        counts.left += usize::from(found.is_empty());
        asked.extend(found);
    }
    let lines: Vec<String> = asked.iter().map(|(text, _)| format!("\t{}", line_of(text))).collect();
    let mut differences = Vec::new();
    for ((text, ours), answer) in asked.iter().zip(ask(root, &["values", hive], Some("UTC"), &lines)?) {
        match Given::one(&answer) {
            Given::Refused(_) => counts.refused_by_hive += 1,
            Given::Failed(_) => counts.fails_in_hive += 1,
            given => {
                counts.compared += 1;
                if !given.is(ours) {
                    differences.push(format!("{text}: here {ours:?}, {hive} {}", given.show()));
                }
            }
        }
    }
    ensure!(counts.compared > 40 * each, "too little was compared: {counts:?}");
    super::report(&format!("judge::{hive}::constants: {counts:?}"), differences)
}

/// The value that saltplan computes.
fn value(text: &str) -> Option<Constant> {
    let source = Source::new("predicate", format!("({text}) = 0"));
    let parsed = parse(&source, &Parameters::new()).ok()?;
    let Expr::BinaryOp { left, .. } = parsed.tree.expr else { return None };
    constant::fold(&left)
}

fn digest(text: &str) -> u64 {
    text.bytes().fold(5381, |hash: u64, byte| hash.wrapping_mul(33) ^ u64::from(byte))
}

/// Expressions with gaps `?` for constants.
fn forms(root: &Path, hive: &str) -> Result<Vec<String>> {
    let operators = ["? + ?", "? - ?", "? * ?", "? / ?", "? % ?", "? DIV ?", "- ?", "? || ?", "(? + ?) * ?"];
    let types = [
        "boolean",
        "tinyint",
        "smallint",
        "int",
        "bigint",
        "float",
        "double",
        "decimal(10,2)",
        "decimal(38,10)",
        "decimal",
        "string",
        "varchar(5)",
        "char(5)",
        "date",
        "timestamp",
        "binary",
    ];
    let mut forms: Vec<String> = operators.map(str::to_string).into();
    forms.extend(types.iter().map(|name| format!("cast(? AS {name})")));
    forms.extend(types.iter().map(|name| format!("cast(cast(? AS {name}) AS string)")));
    let units = ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"];
    forms.extend(
        units
            .iter()
            .flat_map(|unit| [format!("? + INTERVAL '1' {unit}"), format!("? - INTERVAL '13' {unit}")]),
    );
    for line in super::all_lines(root, &["classes", hive], None, &[])? {
        let mut fields = line.split('\t');
        let (Some(name), Some(_), Some(kind)) = (fields.next(), fields.next(), fields.next()) else {
            continue;
        };
        let is_word =
            name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') && !name.is_empty();
        if is_word
            && matches!(kind, "udf" | "generic")
            && !name.starts_with("st_")
            && !name.starts_with("ds_")
        {
            forms.extend(["?", "?, ?", "?, ?, ?"].map(|gaps| format!("{name}({gaps})")));
        }
    }
    Ok(forms)
}

fn filled(form: &str, random: &mut Random) -> String {
    let mut parts = form.split('?');
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        text.push_str(&argument(random));
        text.push_str(part);
    }
    text
}

/// A constant of any kind.
fn argument(random: &mut Random) -> String {
    use samples::{
        COUNTS, DAYS, NUMBER_TEXTS, NUMBERS, ODD_DAYS, ODD_TIMES, PATTERNS, TEXTS, TIMES, UNITS, quoted,
    };
    match random.below(24) {
        0..=3 => quoted(random.pick(&TEXTS)),
        4 | 5 => quoted(random.pick(&NUMBER_TEXTS)),
        6 | 7 => quoted(random.pick(&DAYS)),
        8 => quoted(random.pick(&ODD_DAYS)),
        9 => quoted(random.pick(&TIMES)),
        10 => quoted(random.pick(&ODD_TIMES)),
        11 | 12 => format!("DATE '{}'", random.pick(&DAYS)),
        13 | 14 => format!("TIMESTAMP '{}'", random.pick(&TIMES)),
        15..=17 => (random.pick(&NUMBERS)).into(),
        18 | 19 => (random.pick(&COUNTS)).into(),
        20 => quoted(random.pick(&PATTERNS)),
        21 => quoted(random.pick(&UNITS)),
        22 => format!(
            "cast({} AS {})",
            quoted(random.pick(&TEXTS)),
            random.pick(&["varchar(3)", "char(4)", "string"])
        ),
        _ => (random.pick(&[
            "NULL",
            "TRUE",
            "FALSE",
            "cast(NULL AS string)",
            "cast(NULL AS int)",
            "cast(NULL AS date)",
        ]))
        .into(),
    }
}
