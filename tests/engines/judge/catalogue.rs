//! Each record of the catalogue is held against Hive: names and classes in both directions, what Hive's annotations say, the types of
//! results, NULL, the zone, and the differences between versions that it states. Orders and inverses are in `orders.rs`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, ensure};
use saltplan_law::readers::hive::line_of;
use saltplan_sql::ast::Type;
use saltplan_sql::functions::{self, Function, Nulls, ResultType, Rows, Volatility};
use saltplan_sql::version::HiveVersion;

use super::calls::{Signature, compare, line};
use super::random::Random;
use super::tree::Tree;
use super::value::Given;
use super::{ROWS, all_lines, ask, report};
use crate::evaluator::from_environment;

/// Zones whose clocks change on other days, or not at all.
const ZONES: [&str; 2] = ["America/New_York", "Asia/Shanghai"];

/// Names, classes and annotations.
pub fn classes(root: &Path, hive: &str, version: HiveVersion) -> Result<()> {
    let mut differences = Vec::new();
    let mut known: BTreeMap<String, &'static Function> = BTreeMap::new();
    for function in functions::all() {
        for name in function.names {
            if function.classes.full_name(version).is_some() {
                known.insert((*name).to_string(), function);
            }
        }
    }
    let (mut named, mut unnamed) = (0, 0);
    for line in all_lines(root, &["classes", hive], None, &[])? {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, class, kind, facts] = fields.as_slice() else { anyhow::bail!("not understood: {line}") };
        if *kind == "unnamed" {
            unnamed += 1;
            continue;
        }
        named += 1;
        let Some(function) = known.remove(*name) else {
            // A window function has a second entry.
            if Function::named(name)
                .is_none_or(|function| function.classes.full_name(version).as_deref() != Some(class))
            {
                differences.push(format!("{name}: {class} has no record in {hive}"));
            }
            continue;
        };
        if function.classes.full_name(version).as_deref() != Some(class) {
            differences
                .push(format!("{name}: {:?} here, {class} in {hive}", function.classes.full_name(version)));
        }
        let is_rows = match *kind {
            // Hive has them a second time as functions of windows.
            "generic" if matches!(*name, "lead" | "lag") => function.rows == Rows::Window,
            "udf" | "generic" => function.rows == Rows::One,
            "udaf" => matches!(function.rows, Rows::Aggregate | Rows::Window),
            "window" => function.rows == Rows::Window,
            _ => function.rows == Rows::Table,
        };
        if !is_rows {
            differences.push(format!("{name}: {:?} here, {kind} in {hive}", function.rows));
        }
        if !is_as_annotated(function, facts, version) {
            differences.push(format!("{name}: {:?} here, {facts} in {hive}", function.volatility));
        }
    }
    differences.extend(known.keys().map(|name| format!("{name}: {hive} has no such function")));
    ensure!(named > 250, "only {named} functions");
    report(&format!("judge::{hive}::classes: {named} names, {unnamed} classes without a name"), differences)
}

/// Functions that Hive calls deterministic although their result depends on files, on the release, on a class of the user, or that
/// fail a query instead of giving a result.
const STRICTER: [&str; 8] = [
    "in_file",
    "reflect2",
    "version",
    "buildversion",
    "sq_count_check",
    "cardinality_violation",
    "enforce_constraint",
    "exception_in_vertex_udf",
];

/// Whether the record says what Hive's annotations say. Those of 2.3.9 do not know what is constant while a query runs.
fn is_as_annotated(function: &Function, facts: &str, version: HiveVersion) -> bool {
    let is_runtime = facts.contains("runtime-constant");
    if STRICTER.contains(&function.name()) {
        return matches!(function.volatility, Volatility::Volatile | Volatility::Query);
    }
    match function.volatility {
        // It gives NULL or fails; Hive must not leave it out.
        _ if function.name() == "assert_true" => facts == "not deterministic",
        Volatility::Volatile => facts.starts_with("not deterministic") && !is_runtime,
        Volatility::Query => is_runtime || (version == HiveVersion::Hive2 && facts == "deterministic"),
        // The annotation is of the function with arguments.
        Volatility::QueryWithoutArguments | Volatility::Constant => facts.starts_with("deterministic"),
    }
}

/// The calls that Hive compiles, with the types of their results, of so many that were asked for.
fn compiled(
    root: &Path,
    hive: &str,
    version: HiveVersion,
    random: &mut Random,
    differences: &mut Vec<String>,
) -> Result<(usize, Vec<(Signature, String)>)> {
    let signatures: Vec<Signature> = Signature::all()
        .into_iter()
        .filter(|it| it.function.classes.full_name(version).is_some())
        .flat_map(|signature| [signature.clone(), signature.with_constants(random)])
        .collect();
    let lines: Vec<String> = signatures.iter().map(|it| format!("{}\t{}", it.columns(), it.call())).collect();
    let trees = ask(root, &["typed", hive], None, &lines)?;
    let mut compiled: Vec<(Signature, String)> = Vec::new();
    let mut refused: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    for (signature, line) in signatures.iter().zip(&trees) {
        let counted = refused.entry(signature.function.name()).or_default();
        match Tree::of_line(line) {
            Ok(tree) => {
                counted.0 += 1;
                compiled.push((signature.clone(), tree.hive_type));
            }
            Err(message) => counted.1 = message,
        }
    }
    for (name, (calls, message)) in &refused {
        // The grammar has its name for something else.
        let is_unreachable = message.contains("cannot recognize input");
        if *calls == 0 && !is_unreachable {
            differences.push(format!("{name}: {hive} refuses each call: {message}"));
        }
    }
    Ok((signatures.len(), compiled))
}

/// Types of results, NULL, zones and the differences that records state.
pub fn values(root: &Path, hive: &str, version: HiveVersion) -> Result<()> {
    let seed = from_environment("SALTPLAN_JUDGE_SEED", 1)?;
    let count = from_environment("SALTPLAN_JUDGE_CASES", ROWS)? as usize;
    let mut random = Random::new(seed);
    let mut differences = Vec::new();
    let (asked, compiled) = compiled(root, hive, version, &mut random, &mut differences)?;
    let mut typed = 0;
    for (signature, found) in &compiled {
        let expected = result_type(signature);
        typed += usize::from(expected.is_some());
        // Records say `string`; of a varchar some functions make a varchar.
        let is_it = |expected: &String| {
            expected == found
                || expected == "string"
                    && signature.types[0].starts_with("varchar")
                    && found.starts_with("varchar")
        };
        if let Some(expected) = expected.filter(|expected| !is_it(expected)) {
            differences.push(format!("{}: {expected} here, {found} in {hive}", signature.show()));
        }
    }
    let mut rows: Vec<Vec<Vec<String>>> = Vec::new();
    for (signature, _) in &compiled {
        let width = signature.types.len();
        let mut of_signature: Vec<Vec<String>> = (0..count)
            .map(|_| (0..width).map(|index| signature.value(index, &mut random)).collect())
            .collect();
        // Each argument NULL in turn, in a few rows.
        for row in 0..of_signature.len().min(3 * width) {
            of_signature[row][row % width] = "\\N".into();
        }
        rows.push(of_signature);
    }
    let lines: Vec<String> =
        compiled.iter().zip(&rows).map(|((signature, _), rows)| line(signature, rows)).collect();
    let answers: Vec<Vec<String>> =
        ZONES.iter().map(|zone| ask(root, &["values", hive], Some(zone), &lines)).collect::<Result<_>>()?;
    let (mut evaluated, mut moved, mut failed) = (0, BTreeMap::new(), 0);
    for (index, (signature, _)) in compiled.iter().enumerate() {
        let here = Given::all(&answers[0][index]);
        let there = Given::all(&answers[1][index]);
        if let [Given::Refused(message)] = here.as_slice() {
            differences.push(format!("{}: no values: {message}", signature.show()));
            continue;
        }
        let moves = moved.entry(signature.function.name()).or_insert(false);
        for ((row, given), other) in rows[index].iter().zip(&here).zip(&there) {
            evaluated += 1;
            if let Given::Failed(_) = given {
                failed += 1;
                continue;
            }
            if let Some(fault) = null_fault(signature, row, given) {
                differences.push(format!("{} of {row:?}: {fault} in {hive}", signature.show()));
            }
            if given != other && !signature.is_volatile() {
                *moves = true;
                if !signature.function.zone(version).differs() {
                    differences.push(format!(
                        "{} of {row:?} depends on the zone in {hive}: {} and {}",
                        signature.show(),
                        given.show(),
                        other.show()
                    ));
                }
            }
        }
    }
    let still = moved.iter().filter(|(name, moves)| {
        !**moves
            && Function::named(name)
                .is_some_and(|function| function.zone(version).differs() && function.is_constant(1))
    });
    let still: Vec<&str> = still.map(|(name, _)| *name).collect();
    let stated = stated(root, hive, version, &mut differences)?;
    ensure!(evaluated > 20 * count && stated > 10, "only {evaluated} values and {stated} stated ones");
    let counts = format!(
        "judge::{hive}::values: {} calls compiled of {}, {typed} types compared, {evaluated} values, {failed} failed, {stated} stated \
         values; said to depend on the zone, but did not: {still:?}",
        compiled.len(),
        asked
    );
    report(&counts, differences)
}

/// What a value contradicts.
fn null_fault(signature: &Signature, row: &[String], given: &Given) -> Option<&'static str> {
    let is_null = |cell: &String| cell == "\\N";
    // Further columns are not used if there are constants.
    let row = if signature.constants.is_empty() { row } else { &row[..1] };
    match signature.function.nulls {
        Nulls::Own => None,
        Nulls::AnyArgument if row.iter().any(is_null) => (*given != Given::Null).then_some("not NULL"),
        Nulls::FirstArgument if row.first().is_some_and(is_null) => {
            (*given != Given::Null).then_some("not NULL")
        }
        Nulls::AnyArgument | Nulls::FirstArgument => None,
        Nulls::Never => (*given == Given::Null).then_some("NULL"),
    }
}

/// The type that the record says.
fn result_type(signature: &Signature) -> Option<String> {
    let types = &signature.types;
    // A constant decimal has a type of its own.
    if !signature.constants.is_empty() && types[0].starts_with("decimal") {
        return None;
    }
    match signature.function.result {
        ResultType::Unknown => None,
        // These take what no signature here has.
        ResultType::ArrayOfCommon | ResultType::MapOfCommon | ResultType::Rounded => None,
        ResultType::ArrayOf(of) => type_name(of).map(|name| format!("array<{name}>")),
        ResultType::MapOf(key, value) => Some(format!("map<{},{}>", type_name(key)?, type_name(value)?)),
        ResultType::IntOrBigInt => {
            Some(if types.first()? == &"bigint" { "bigint" } else { "int" }.to_string())
        }
        ResultType::IsoDay => Some("string".into()),
        ResultType::Is(result) => type_name(result),
        ResultType::OfArgument(index) => types.get(index).map(ToString::to_string),
        ResultType::TextOfArgument(index) => {
            let text = types.get(index).filter(|of| **of == "string" || of.starts_with("varchar"));
            Some(text.map_or("string".into(), ToString::to_string))
        }
        ResultType::CommonFrom(index) => {
            let from = types.get(index..)?;
            let first = from.first()?;
            from.iter().all(|other| other == first).then(|| (*first).to_string())
        }
    }
}

/// The type as Hive prints it; `None` of types that are not asked.
fn type_name(result: Type) -> Option<String> {
    let is_left_out = matches!(
        result,
        Type::Void
            | Type::IntervalYearMonth
            | Type::IntervalDayTime
            | Type::Decimal { .. }
            | Type::Varchar(_)
            | Type::Char(_)
    );
    (!is_left_out).then(|| result.to_string())
}

/// The differences between versions that records state; how many there are.
fn stated(root: &Path, hive: &str, version: HiveVersion, differences: &mut Vec<String>) -> Result<usize> {
    let stated: Vec<_> = functions::all().flat_map(|function| function.differences).collect();
    let lines: Vec<String> = stated.iter().map(|it| format!("\t{}", line_of(it.call))).collect();
    for (difference, answer) in stated.iter().zip(ask(root, &["values", hive], Some("UTC"), &lines)?) {
        let expected = difference.values[version as usize];
        let given = Given::one(&answer);
        let is_it = match &given {
            Given::Null => expected == "NULL",
            Given::Value { text, hive_type } => {
                let text = if hive_type == "timestamp" { text.trim_end_matches(".0") } else { text };
                // Hive prints a decimal with all its places.
                let is_decimal = hive_type.starts_with("decimal");
                expected == text || is_decimal && compare(hive_type, expected, text).is_eq()
            }
            Given::Refused(_) => expected == "refused",
            Given::Failed(_) => expected == "fails",
        };
        if !is_it {
            differences.push(format!("{}: {expected} stated, {} in {hive}", difference.call, given.show()));
        }
    }
    Ok(stated.len())
}
