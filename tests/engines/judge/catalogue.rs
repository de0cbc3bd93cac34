//! Each record of the catalogue is held against Hive: names and classes in both directions, what Hive's annotations say, the types of
//! results, NULL, the order, the inverse, the zone, and the differences between versions that it states.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use saltplan_law::readers::hive::{line_of, unescaped};
use saltplan_sql::ast::{TimeUnit, Type};
use saltplan_sql::functions::{self, Function, Inverse, Kind, Nulls, Order, ResultType, Rows, Volatility};
use saltplan_sql::version::HiveVersion;

use super::random::Random;
use super::tree::Tree;
use super::value::Given;
use super::{all_lines, ask, report, samples};
use crate::evaluator::from_environment;

/// Rows of each call.
const ROWS: u64 = 60;
/// Zones whose clocks change on other days, or not at all.
const ZONES: [&str; 2] = ["America/New_York", "Asia/Shanghai"];
/// This hour is left out in New York: Hive 2 reads another time.
const LEFT_OUT: &str = "2020-03-08 02:";

/// Names, classes and annotations.
pub fn classes(root: &Path, hive: &str, version: HiveVersion) -> Result<()> {
    let mut differences = Vec::new();
    let mut known: BTreeMap<String, &'static Function> = BTreeMap::new();
    for function in functions::all() {
        for name in function.names {
            if function.classes.of(version).is_some() {
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
                .is_none_or(|function| function.classes.of(version).as_deref() != Some(class))
            {
                differences.push(format!("{name}: {class} has no record in {hive}"));
            }
            continue;
        };
        if function.classes.of(version).as_deref() != Some(class) {
            differences.push(format!("{name}: {:?} here, {class} in {hive}", function.classes.of(version)));
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

/// A call of a function with columns of these types: `a0`, `a1` and so on.
#[derive(Clone)]
struct Signature {
    function: &'static Function,
    types: Vec<&'static str>,
    kinds: Vec<Kind>,
    /// All arguments but the first, as HiveQL, if they are constants.
    constants: Vec<String>,
}

impl Signature {
    /// The ways to call the functions of which the arguments are known.
    fn all() -> Vec<Signature> {
        let mut signatures = Vec::new();
        for function in functions::all().filter(|it| it.rows == Rows::One && it.arguments.is_known) {
            let arguments = function.arguments;
            let least = arguments.required.len();
            let most = least + arguments.optional.len() + if arguments.more.is_some() { 2 } else { 0 };
            for count in least..=most {
                let kinds: Vec<Kind> = (0..count).filter_map(|index| arguments.kind(index)).collect();
                if kinds.len() != count {
                    continue;
                }
                let rest = kinds.iter().skip(1).map(|kind| types_of(*kind)[0]);
                match kinds.first() {
                    None => signatures.push(Signature {
                        function,
                        types: Vec::new(),
                        kinds: Vec::new(),
                        constants: Vec::new(),
                    }),
                    Some(first) => signatures.extend(types_of(*first).iter().map(|first| {
                        // Values of one kind have one type, so that they have a common one.
                        let rest = rest.clone().zip(&kinds[1..]);
                        let rest =
                            rest.map(|(hive_type, kind)| if *kind == kinds[0] { *first } else { hive_type });
                        let types = [*first].into_iter().chain(rest).collect();
                        Signature { function, types, kinds: kinds.clone(), constants: Vec::new() }
                    })),
                }
            }
        }
        signatures
    }

    fn columns(&self) -> String {
        let columns = self.types.iter().enumerate().map(|(index, hive_type)| format!("a{index} {hive_type}"));
        columns.collect::<Vec<_>>().join(", ")
    }

    /// The same with random constants for all arguments but the first.
    fn with_constants(mut self, random: &mut Random) -> Self {
        self.constants = (1..self.types.len())
            .map(|index| {
                let value = unescaped(&self.value(index, random));
                match self.types[index] {
                    "int" | "double" => value,
                    "date" => format!("DATE '{value}'"),
                    "timestamp" => format!("TIMESTAMP '{value}'"),
                    "binary" => format!("unhex('{value}')"),
                    "string" => samples::quoted(&value),
                    other => format!("cast({} AS {other})", samples::quoted(&value)),
                }
            })
            .collect();
        self
    }

    fn call(&self) -> String {
        let argument = |index: usize| match index.checked_sub(1).and_then(|other| self.constants.get(other)) {
            Some(constant) => constant.clone(),
            None => format!("a{index}"),
        };
        let arguments: Vec<String> = (0..self.types.len()).map(argument).collect();
        format!("{}({})", self.function.name(), arguments.join(", "))
    }

    fn show(&self) -> String {
        let constants: String = self.constants.iter().map(|constant| format!(" {constant}")).collect();
        format!("{}({}){constants}", self.function.name(), self.types.join(", "))
    }

    /// Whether the function gives another value in the next query.
    fn is_volatile(&self) -> bool {
        !self.function.is_constant(self.types.len())
    }

    /// A value of an argument, as a field of a line.
    fn value(&self, index: usize, random: &mut Random) -> String {
        let patterns =
            self.function.is_of_times() || self.function.operation == functions::Operation::ReadSeconds;
        loop {
            let prints = self.function.operation == functions::Operation::Print;
            let cell = cell(self.types[index], self.kinds[index], patterns && index > 0, prints, random);
            let is_cut = self.types[index].starts_with("varchar") && cell.chars().count() > 30;
            let is_small = cell.len() < 6 || cell.parse::<i64>().is_err();
            if !is_cut && (is_small || self.takes_large_numbers(index)) {
                return cell;
            }
        }
    }

    /// Whether a large number here does not mean gigabytes, as it does in `repeat`, `lpad`, `round` or `factorial`.
    fn takes_large_numbers(&self, index: usize) -> bool {
        use functions::Operation::{AddDays, AddMonths, Other, PositiveRemainder, ShowSeconds, Substring};
        match self.function.operation {
            Substring | AddDays { .. } | AddMonths | PositiveRemainder | ShowSeconds => true,
            Other => false,
            _ => index == 0,
        }
    }
}

/// Types of columns for a kind of argument.
fn types_of(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Any => &["string", "int", "date", "binary"],
        Kind::Boolean => &["boolean"],
        Kind::Text => &["string", "varchar(30)"],
        Kind::Number => &["int", "bigint", "double", "decimal(20,5)"],
        Kind::Whole => &["int", "bigint"],
        Kind::Count => &["int"],
        Kind::Binary => &["binary"],
        Kind::Date => &["date", "timestamp", "string"],
        Kind::Time => &["timestamp", "date", "string"],
    }
}

const INTS: [&str; 16] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "5",
    "7",
    "-7",
    "12",
    "100",
    "255",
    "1000",
    "20200406",
    "2147483647",
    "-2147483647",
    "-2147483648",
];
const BIGINTS: [&str; 12] = [
    "0",
    "1",
    "-1",
    "5",
    "-12",
    "255",
    "1586131200",
    "3000000000",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775807",
    "-9223372036854775808",
];
const DOUBLES: [&str; 14] = [
    "0.0",
    "-0.0",
    "0.5",
    "1.5",
    "-1.5",
    "2.5",
    "0.1",
    "123456.789",
    "1.0E10",
    "-1.0E300",
    "1.0E-5",
    "9.007199254740993E15",
    "7.0",
    "-3.0",
];
const DECIMALS: [&str; 10] =
    ["0", "1.5", "-1.5", "2.5", "0.00001", "99999.99999", "-12345.67", "7", "-3", "999999999999999.99999"];
const BYTES: [&str; 6] = ["", "00", "61", "ff00", "e9", "f09f9880"];

fn cell(hive_type: &str, kind: Kind, is_pattern: bool, prints: bool, random: &mut Random) -> String {
    use samples::{COUNTS, DAYS, NUMBER_TEXTS, ODD_DAYS, ODD_TIMES, PATTERNS, TEXTS, TIMES, UNITS};
    // Before 1583 the calendars differ, and in 1883 Hive 2 rounds local mean time by the zone.
    let since_1583 = |day: &str| day > "1583" && day.len() >= 10 && !day.starts_with("1883");
    let day = |random: &mut Random| loop {
        let day = random.of(&DAYS);
        if since_1583(day) {
            return day.to_string();
        }
    };
    let time = |random: &mut Random| loop {
        let time = random.of(&TIMES);
        if since_1583(time) && !time.starts_with(LEFT_OUT) {
            return time.to_string();
        }
    };
    let text = match hive_type {
        "boolean" => random.of(&["true", "false"]).into(),
        "int" if kind == Kind::Count || random.below(3) == 0 => random.of(&COUNTS).into(),
        "int" => random.of(&INTS).into(),
        "bigint" => random.of(&BIGINTS).into(),
        "double" => random.of(&DOUBLES).into(),
        "binary" => random.of(&BYTES).into(),
        "date" => day(random),
        "timestamp" => time(random),
        hive_type if hive_type.starts_with("decimal") => random.of(&DECIMALS).into(),
        // A pattern of `date_format` may name the zone; these do not.
        _ if is_pattern && (prints || random.below(2) == 0) => random.of(&PATTERNS).into(),
        _ if is_pattern => random.of(&UNITS).into(),
        _ if matches!(kind, Kind::Date | Kind::Time) => match random.below(8) {
            0..=3 => day(random),
            4 | 5 => time(random),
            6 => random.of(&ODD_DAYS).into(),
            _ => random.of(&ODD_TIMES).into(),
        },
        _ => match random.below(5) {
            0 => random.of(&NUMBER_TEXTS).into(),
            1 => day(random),
            _ => random.of(&TEXTS).to_string(),
        },
    };
    line_of(&text)
}

/// Types of results, NULL, zones and the differences that records state.
pub fn values(root: &Path, hive: &str, version: HiveVersion) -> Result<()> {
    let seed = from_environment("SALTPLAN_JUDGE_SEED", 1)?;
    let count = from_environment("SALTPLAN_JUDGE_CASES", ROWS)? as usize;
    let mut random = Random::new(seed);
    let mut differences = Vec::new();
    let signatures: Vec<Signature> = Signature::all()
        .into_iter()
        .filter(|it| it.function.classes.of(version).is_some())
        .flat_map(|signature| [signature.clone(), signature.with_constants(&mut random)])
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
                if !signature.function.depends_on_zone {
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
                .is_some_and(|function| function.depends_on_zone && function.is_constant(1))
    });
    let still: Vec<&str> = still.map(|(name, _)| *name).collect();
    let stated = stated(root, hive, version, &mut differences)?;
    ensure!(evaluated > 20 * count && stated > 10, "only {evaluated} values and {stated} stated ones");
    let counts = format!(
        "judge::{hive}::values: {} calls compiled of {}, {typed} types compared, {evaluated} values, {failed} failed, {stated} stated \
         values; said to depend on the zone, but did not: {still:?}",
        compiled.len(),
        signatures.len()
    );
    report(&counts, differences)
}

fn line(signature: &Signature, rows: &[Vec<String>]) -> String {
    let mut line = format!("{}\t{}", signature.columns(), signature.call());
    if !signature.types.is_empty() {
        line.extend(rows.iter().flatten().flat_map(|cell| ["\t", cell]));
    }
    line
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
        ResultType::IsoDay => Some("string".into()),
        ResultType::Is(result) => type_name(result).map(str::to_string),
        ResultType::OfArgument(index) => types.get(index).map(ToString::to_string),
        ResultType::CommonFrom(index) => {
            let from = types.get(index..)?;
            let first = from.first()?;
            from.iter().all(|other| other == first).then(|| (*first).to_string())
        }
    }
}

fn type_name(result: Type) -> Option<&'static str> {
    Some(match result {
        Type::TinyInt => "tinyint",
        Type::SmallInt => "smallint",
        Type::Int => "int",
        Type::BigInt => "bigint",
        Type::Float => "float",
        Type::Double => "double",
        Type::String => "string",
        Type::Boolean => "boolean",
        Type::Binary => "binary",
        Type::Date => "date",
        Type::Timestamp => "timestamp",
        _ => return None,
    })
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

/// Orders and inverses.
pub fn orders(root: &Path, hive: &str, version: HiveVersion) -> Result<()> {
    let seed = from_environment("SALTPLAN_JUDGE_SEED", 1)?;
    let count = from_environment("SALTPLAN_JUDGE_CASES", ROWS)? as usize;
    let mut random = Random::new(seed);
    let mut asked: Vec<(Signature, Vec<Vec<String>>)> = Vec::new();
    let claims = |function: &Function| function.order != Order::None || function.inverse != Inverse::None;
    for signature in Signature::all() {
        let has_text = matches!(signature.kinds.first(), Some(Kind::Date | Kind::Time))
            && signature.types[0] == "string";
        let in_version = signature.function.classes.of(version).is_some();
        if !claims(signature.function) || !in_version || signature.types.is_empty() || has_text {
            continue;
        }
        for _ in 0..4 {
            let signature = signature.clone().with_constants(&mut random);
            let others = vec!["\\N".to_string(); signature.types.len() - 1];
            let mut firsts: Vec<String> = (0..count).map(|_| signature.value(0, &mut random)).collect();
            firsts.sort_by(|a, b| compare(signature.types[0], &unescaped(a), &unescaped(b)));
            let rows = firsts.into_iter().map(|first| [vec![first], others.clone()].concat()).collect();
            asked.push((signature.clone(), rows));
        }
    }
    let lines: Vec<String> = asked.iter().map(|(signature, rows)| line(signature, rows)).collect();
    let answers = ask(root, &["values", hive], Some("UTC"), &lines)?;
    let mut differences = Vec::new();
    let (mut compared, mut inverses) = (0, Vec::new());
    for ((signature, rows), answer) in asked.iter().zip(&answers) {
        let given = Given::all(answer);
        if matches!(given.as_slice(), [Given::Refused(_)]) {
            continue;
        }
        let cells: Vec<(&Vec<String>, &String, &String)> = rows
            .iter()
            .zip(&given)
            .filter_map(|(row, given)| match given {
                Given::Value { hive_type, text } => Some((row, hive_type, text)),
                _ => None,
            })
            .collect();
        for pair in cells.windows(2) {
            let [(before, hive_type, a), (after, _, b)] = pair else { continue };
            let order = compare(hive_type, a, b);
            if overflows(signature, &before[0], a) || overflows(signature, &after[0], b) {
                continue;
            }
            let is_kept = match signature.function.order {
                Order::None => continue,
                Order::Keeps => order.is_le(),
                Order::Turns => order.is_ge(),
                Order::KeepsWithin(unit) => {
                    let length = unit_length(unit).with_context(|| format!("{unit:?}"))?;
                    before[0].get(..length) != after[0].get(..length) || order.is_le()
                }
            };
            compared += 1;
            if !is_kept {
                differences.push(format!(
                    "{} of {before:?} and {after:?}: {a} and {b} in {hive}, {:?} here",
                    signature.show(),
                    signature.function.order
                ));
            }
        }
        if signature.function.inverse != Inverse::None {
            inverses.extend(cells.iter().map(|(row, hive_type, text)| {
                (signature, (*row).clone(), hive_type.to_string(), text.to_string())
            }));
        }
    }
    let inverted = inverted(root, hive, &inverses, &mut differences)?;
    ensure!(compared > 20 * count && inverted > 2 * count, "only {compared} pairs and {inverted} inverses");
    report(&format!("judge::{hive}::orders: {compared} pairs, {inverted} inverses"), differences)
}

/// What makes an argument of a result again; how many were compared.
fn inverted(
    root: &Path,
    hive: &str,
    found: &[(&Signature, Vec<String>, String, String)],
    differences: &mut Vec<String>,
) -> Result<usize> {
    let mut compared = 0;
    let (mut lines, mut of_lines) = (Vec::new(), Vec::new());
    for (signature, row, hive_type, text) in found {
        let argument = unescaped(&row[0]);
        if overflows(signature, &argument, text) {
            continue;
        }
        let is_same_but_case =
            argument.to_lowercase() == text.to_lowercase() || argument.to_uppercase() == text.to_uppercase();
        let fault = match signature.function.inverse {
            Inverse::None => None,
            Inverse::OtherCase => (!is_same_but_case).then_some("another text"),
            Inverse::StartsWith => (!argument.starts_with(text.as_str())).then_some("not a start"),
            Inverse::EndsWith => (!argument.ends_with(text.as_str())).then_some("not an end"),
            Inverse::Itself | Inverse::Named(_) => {
                let name = match signature.function.inverse {
                    Inverse::Named(name) => name,
                    _ => signature.function.name(),
                };
                // Patterns say only a part of a time.
                let is_pattern =
                    signature.function.operation == functions::Operation::ShowSeconds && row.len() > 1;
                let is_of_texts = signature.kinds[0] != Kind::Any || signature.types[0] == "string";
                if is_pattern || !is_of_texts {
                    continue;
                }
                let rest: String =
                    signature.constants.iter().map(|constant| format!(", {constant}")).collect();
                lines.push(format!("a0 {hive_type}\t{name}(a0{rest})\t{}", line_of(text)));
                of_lines.push((signature, row, argument));
                continue;
            }
        };
        compared += 1;
        if let Some(fault) = fault {
            differences.push(format!("{} of {row:?}: {text:?} is {fault} in {hive}", signature.show()));
        }
    }
    for ((signature, row, argument), answer) in
        of_lines.iter().zip(ask(root, &["values", hive], Some("UTC"), &lines)?)
    {
        compared += 1;
        let given = Given::one(&answer);
        let hex: String = argument.bytes().map(|byte| format!("{byte:02x}")).collect();
        let is_it = match &given {
            Given::Value { text, hive_type } if hive_type == "binary" => *text == hex || text == argument,
            // Of a time the day comes back.
            Given::Value { text, .. } if signature.types[0] == "timestamp" => {
                argument.starts_with(text.as_str())
            }
            Given::Value { text, .. } => compare(signature.types[0], text, argument).is_eq(),
            _ => false,
        };
        if !is_it {
            differences.push(format!("{} of {row:?}: back {} in {hive}", signature.show(), given.show()));
        }
    }
    Ok(compared)
}

/// Whether a result is beyond what its type or the calendar holds: the order ends there, which the planner knows of each operation.
fn overflows(signature: &Signature, argument: &str, result: &str) -> bool {
    use functions::Operation::{AddMonths, Negate, Round, ShowSeconds};
    let is_beyond = |limit: i128| argument.parse::<i128>().is_ok_and(|number| number.abs() >= limit);
    // Years with five digits, of which Hive 2 writes four.
    let is_far_day = |text: &str| text.starts_with(['+', '-']) || text.find('-').is_some_and(|at| at > 4);
    match signature.function.operation {
        Negate | Round => is_beyond(2_147_483_648),
        ShowSeconds => is_beyond(253_402_300_800),
        // It writes the day by a pattern.
        AddMonths if signature.types.len() > 2 => true,
        _ if argument.starts_with("9999") => true,
        _ => signature.function.is_of_times() && is_far_day(result),
    }
}

/// The characters of a time that say in which unit it lies.
fn unit_length(unit: TimeUnit) -> Option<usize> {
    Some(match unit {
        TimeUnit::Year => 4,
        TimeUnit::Month => 7,
        TimeUnit::Day => 10,
        TimeUnit::Hour => 13,
        TimeUnit::Minute => 16,
        _ => return None,
    })
}

/// The order of two values of a type.
fn compare(hive_type: &str, a: &str, b: &str) -> std::cmp::Ordering {
    let is_number = ["tinyint", "smallint", "int", "bigint", "float", "double", "decimal"]
        .iter()
        .any(|name| hive_type.starts_with(name));
    if !is_number {
        return a.cmp(b);
    }
    match (a.parse::<i128>(), b.parse::<i128>()) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        _ => {
            let number = |text: &str| text.parse::<f64>().unwrap_or(f64::NAN);
            number(a).partial_cmp(&number(b)).unwrap_or(std::cmp::Ordering::Equal)
        }
    }
}
