//! Compares the meaning of `LIKE` with the real Hive: short patterns of `\ % _ a !`, with and without ESCAPE,
//! on texts with backslashes, wildcards, line breaks and characters above U+FFFF. Hive has two
//! implementations of LIKE, row by row and vectorized, and they differ. A printed condition must give one
//! result, the same as in the planner and in the oracle.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result, bail, ensure};
use libtest_mimic::{Failed, Trial};
use saltplan_core::analyze::{Constraint, Implied, Meaning, ValueSet, analyze};
use saltplan_core::schema::{load, model::Schema};
use saltplan_document::diag::Source;
use saltplan_sql::ast::{Expr, Literal};
use saltplan_sql::{Parameters, literal, parse};

use crate::engine::{Engine, Engines};
use crate::rows::hex;
use crate::saltplan;
use saltplan_law::like::like;

const SIGNS: [char; 5] = ['\\', '%', '_', 'a', '!'];
const ESCAPES: [Option<char>; 4] = [None, Some('\\'), Some('!'), Some('a')];
/// The maximum length of patterns in the trial that every change must pass: a statement of a few thousand
/// conditions.
const SHORT: usize = 3;
const LONG: usize = 5;
/// The number of conditions per statement.
const AT_ONCE: usize = 4_000;
const TEXTS: [&str; 40] = [
    "", "a", "!", "\\", "%", "_", "\n", "😀", "aa", "a!", "!a", "\\a", "\\%", "\\_", "\\\\", "a\\", "%a",
    "_a", "a\na", "a😀", "😀a", "\\\\a", "\\a%", "a%a", "!a!", "a\\a", "\\%a", "a\\_", "!!a", "%%", "__",
    "\\!%", "aaaa", "a\\_!", "\\\\%a", "!!a%_", "a!a!a", "\\\\\\\\", "%_%_\\", "aa\\%a",
];
/// In addition to the characters of patterns: characters of one and of two UTF-16 units, special characters
/// of regular expressions, quotes.
const OTHER: [&str; 24] = [
    "😀%",
    "%😀",
    "%😀%",
    "_😀",
    "😀_",
    "😀%%",
    "%%😀",
    "a😀\\%",
    "é%",
    "_é",
    ".*",
    "a.%_",
    "[a]\\_",
    "(?i)A\\%",
    "a|\\%",
    "^\\%$",
    "\\Qa\\E\\%",
    "\\d_\\%",
    "{1}\\%",
    "'\\%",
    "\"\\_",
    "$\\%\\_",
    "-&&~\\%",
    "#\\% ",
];

const SCHEMA: &str = "
saltplan: 1
hbase: { table: 't', families: { f: {} } }
key: { fields: [ { name: k, type: string } ] }
columns:
  - { name: t, type: string, hbase: 'f:t' }
";

/// Patterns of up to three characters as constants, which Hive evaluates vectorized, and those of up to five
/// row by row; all of them as constants are a separate trial. Tez and MapReduce use the same Hive.
pub fn trials(engines: &Engines) -> Vec<Trial> {
    let trial = |name: String, run: fn(&Engines, Engine) -> Result<()>, engine| {
        let engines = engines.clone();
        Trial::test(name, move || run(&engines, engine).map_err(|error| Failed::from(format!("{error:#}"))))
    };
    let of = |engine: Engine| {
        [
            trial(
                format!("like::{engine}::constant_patterns"),
                |e, engine| constants(e, engine, SHORT),
                engine,
            ),
            trial(format!("like::{engine}::row_by_row"), row_by_row, engine),
            trial(
                format!("like::{engine}::all_constant_patterns"),
                |e, engine| constants(e, engine, LONG),
                engine,
            ),
        ]
    };
    Engine::COMPILERS.into_iter().flat_map(of).collect()
}

struct Case {
    pattern: String,
    escape: Option<char>,
    /// The condition on the column `t`, as it is printed.
    printed: String,
}

impl Case {
    fn new(schema: &Schema, pattern: String, escape: Option<char>) -> Result<Self> {
        let text = Self::asked("t", &pattern, escape);
        let analysis = analyze(schema, &parse(&Source::new("predicate", text), &Parameters::new())?)?;
        Ok(Case { pattern, escape, printed: analysis.expr.to_string() })
    }

    fn asked(operand: &str, pattern: &str, escape: Option<char>) -> String {
        let escape =
            escape.map_or(String::new(), |escape| format!(" ESCAPE {}", literal(&escape.to_string())));
        format!("{operand} LIKE {}{escape}", literal(pattern))
    }

    fn says(&self, text: &str) -> bool {
        let (text, pattern): (Vec<char>, Vec<char>) =
            (text.chars().collect(), self.pattern.chars().collect());
        like(&text, &pattern, self.escape)
    }

    /// Whether Hive is asked: between wildcards its LIKE matches a line break only vectorized or not at all,
    /// and vectorized the empty pattern matches one.
    fn is_asked(&self, text: &str) -> bool {
        let inner = self.pattern.strip_prefix('%').unwrap_or(&self.pattern);
        let inner = inner.strip_suffix('%').unwrap_or(inner);
        !text.contains('\n')
            || self.printed.contains(" RLIKE ")
            || !(self.pattern.is_empty() || inner.contains(['%', '_']))
    }
}

/// Every pattern of up to this many characters.
fn patterns(longest: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..longest {
        last = last.iter().flat_map(|start| SIGNS.map(|sign| format!("{start}{sign}"))).collect();
        all.extend(last.iter().cloned());
    }
    all.extend(OTHER.map(str::to_owned));
    all
}

/// Cases with different conditions.
fn cases(longest: usize) -> Result<Vec<Case>> {
    let schema = load(&Source::new("t.yaml", SCHEMA))?.schema;
    let mut seen = BTreeSet::new();
    let mut cases = Vec::new();
    for escape in ESCAPES {
        for pattern in patterns(longest) {
            let case = Case::new(&schema, pattern, escape)?;
            check_ranges(&schema, &case)?;
            if seen.insert(case.printed.clone()) {
                cases.push(case);
            }
        }
    }
    Ok(cases)
}

/// For a key field the planner agrees with the oracle, and a range implied by a condition contains all its
/// rows.
fn check_ranges(schema: &Schema, case: &Case) -> Result<()> {
    let asked = Case::asked("k", &case.pattern, case.escape);
    let analysis = analyze(schema, &parse(&Source::new("predicate", asked.clone()), &Parameters::new())?)?;
    for text in TEXTS {
        let (wanted, may, must) = (
            case.says(text),
            holds(&analysis.constraint, text, true),
            holds(&analysis.constraint, text, false),
        );
        ensure!(
            may >= wanted && must <= wanted,
            "{asked} on {text:?}: {wanted}, and the planner says otherwise"
        );
    }
    Ok(())
}

/// Whether a row is kept if conditions for the engine are `unknown`.
fn holds(constraint: &Constraint, text: &str, unknown: bool) -> bool {
    match constraint {
        Constraint::All(arms) => arms.iter().all(|arm| holds(arm, text, unknown)),
        Constraint::Any(arms) => arms.iter().any(|arm| holds(arm, text, unknown)),
        Constraint::Condition(condition) => match &condition.meaning {
            Meaning::Tight { values, .. } => contains(values, text),
            Meaning::Checked(checked) => {
                unknown && checked.implied.as_ref().is_none_or(|implied| may_hold(implied, text))
            }
        },
    }
}

fn may_hold(implied: &Implied, text: &str) -> bool {
    match implied {
        Implied::All(parts) => parts.iter().all(|part| may_hold(part, text)),
        Implied::Any(parts) => parts.iter().any(|part| may_hold(part, text)),
        Implied::Field(_, values) => contains(values, text),
        Implied::SaltInput { .. } => true,
    }
}

fn contains(values: &ValueSet, text: &str) -> bool {
    matches!(values, ValueSet::Text(set) if set.contains(&text.as_bytes().to_vec()))
}

/// The printed conditions in the select list of a native table, vectorized and not.
fn constants(engines: &Engines, engine: Engine, longest: usize) -> Result<()> {
    let cases = cases(longest)?;
    engines.begin(engine)?;
    let lines: String =
        TEXTS.iter().enumerate().map(|(index, text)| format!("{index},{}\n", hex(text.as_bytes()))).collect();
    let table = table(engines, engine, "saltplan_like_texts", &lines)?;
    for vectorized in [true, false] {
        engines.script(engine, &format!("set hive.vectorized.execution.enabled={vectorized};"))?;
        for part in cases.chunks(AT_ONCE) {
            let conditions: Vec<String> =
                part.iter().map(|case| format!("if({}, '1', '0')", case.printed)).collect();
            let rows =
                engines.query(engine, &format!("SELECT id, {} FROM {table}", conditions.join(", ")))?;
            ensure!(rows.len() == TEXTS.len(), "{} texts of {}", rows.len(), TEXTS.len());
            for row in rows {
                let mut cells = row.split('\t');
                let text = TEXTS[cells.next().context("no number")?.parse::<usize>()?];
                for (case, answer) in part.iter().zip(cells) {
                    ensure!(
                        !case.is_asked(text) || (answer == "1") == case.says(text),
                        "{} on {text:?} is {answer} in Hive, vectorized: {vectorized}",
                        case.printed
                    );
                }
            }
        }
    }
    Ok(())
}

/// Patterns from a table: the printed regular expressions, and the original patterns without ESCAPE.
fn row_by_row(engines: &Engines, engine: Engine) -> Result<()> {
    engines.begin(engine)?;
    let cases: Vec<Case> = cases(LONG)?.into_iter().filter(|case| case.printed.contains(" RLIKE ")).collect();
    let regexes = cases.iter().map(|case| {
        let printed = parse(&Source::new("printed", case.printed.clone()), &Parameters::new())?;
        match &printed.tree.expr {
            Expr::RLike { pattern, .. } => match &pattern.expr {
                Expr::Literal(Literal::Text(regex)) => Ok(regex.clone()),
                other => bail!("{}: {other:?}", case.printed),
            },
            other => bail!("{}: {other:?}", case.printed),
        }
    });
    let answers = answers(engines, engine, "RLIKE", &TEXTS, &regexes.collect::<Result<Vec<_>>>()?)?;
    for (case, answers) in cases.iter().zip(answers) {
        for (text, answer) in TEXTS.iter().zip(answers) {
            ensure!(answer == case.says(text), "{} on {text:?} is {answer} in Hive", case.printed);
        }
    }
    // Above U+FFFF Hive's LIKE matches nothing between wildcards, and no line break.
    let patterns: Vec<String> = patterns(LONG).into_iter().filter(|pattern| pattern.is_ascii()).collect();
    let texts: Vec<&str> = TEXTS.into_iter().filter(|text| !text.contains('\n')).collect();
    for (pattern, answers) in patterns.iter().zip(self::answers(engines, engine, "LIKE", &texts, &patterns)?)
    {
        let chars: Vec<char> = pattern.chars().collect();
        for (text, answer) in texts.iter().zip(answers) {
            let says = like(&text.chars().collect::<Vec<_>>(), &chars, None);
            ensure!(answer == says, "{text:?} LIKE {pattern:?} is {answer} in Hive");
        }
    }
    Ok(())
}

/// For each pattern, whether Hive matches each text; the pattern is not a constant.
fn answers(
    engines: &Engines,
    engine: Engine,
    operator: &str,
    texts: &[&str],
    patterns: &[String],
) -> Result<Vec<Vec<bool>>> {
    let lines =
        patterns.iter().enumerate().map(|(index, pattern)| format!("{index},{}\n", hex(pattern.as_bytes())));
    let table = table(engines, engine, "saltplan_like_patterns", &lines.collect::<String>())?;
    let each: Vec<String> =
        texts.iter().map(|text| format!("if({} {operator} t, '1', '0')", literal(text))).collect();
    let rows = engines.query(engine, &format!("SELECT id, concat({}) FROM {table}", each.join(", ")))?;
    ensure!(rows.len() == patterns.len(), "{} patterns of {}", rows.len(), patterns.len());
    let mut answers = vec![Vec::new(); patterns.len()];
    for row in rows {
        let (index, found) = row.split_once('\t').context("no answers")?;
        answers[index.parse::<usize>()?] = found.bytes().map(|answer| answer == b'1').collect();
    }
    Ok(answers)
}

/// A native table of numbers and texts, which are written in hex.
fn table(engines: &Engines, engine: Engine, name: &str, lines: &str) -> Result<String> {
    let path = saltplan::folder()?.join(format!("{name}.txt"));
    fs::write(&path, lines)?;
    engines.script(
        engine,
        &format!(
            "DROP TABLE IF EXISTS {name}_hex;
CREATE TABLE {name}_hex (id int, t string) ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' STORED AS TEXTFILE;
LOAD DATA LOCAL INPATH '{}' INTO TABLE {name}_hex;
DROP TABLE IF EXISTS {name};
CREATE TABLE {name} STORED AS ORC AS SELECT id, decode(unhex(t), 'UTF-8') AS t FROM {name}_hex;
",
            path.display()
        ),
    )?;
    Ok(name.to_owned())
}
