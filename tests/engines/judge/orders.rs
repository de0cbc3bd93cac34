//! The orders and inverses that records state are those of Hive.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use saltplan_law::readers::hive::{line_of, unescaped};
use saltplan_sql::ast::TimeUnit;
use saltplan_sql::functions::{self, Function, Inverse, Kind, Order};
use saltplan_sql::version::HiveVersion;

use super::calls::{Signature, compare, line};
use super::random::Random;
use super::value::Given;
use super::{ROWS, ask, report};
use crate::evaluator::from_environment;

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
        let in_version = signature.function.classes.full_name(version).is_some();
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
                (signature, (*row).clone(), (*hive_type).clone(), (*text).clone())
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
            Inverse::Itself | Inverse::Named(_) | Inverse::NamedOfText(_) => {
                let name = match signature.function.inverse {
                    Inverse::Named(name) | Inverse::NamedOfText(name) => name,
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
    use functions::Operation::{AddDays, AddMonths, Negate, Round, ShowSeconds};
    let is_beyond = |limit: i128| argument.parse::<i128>().is_ok_and(|number| number.abs() >= limit);
    // Years with five digits, of which Hive 2 writes four.
    let is_far_day = |text: &str| text.starts_with(['+', '-']) || text.find('-').is_some_and(|at| at > 4);
    match signature.function.operation {
        // Hive rounds 2147483647 to tens as -2147483646.
        Negate | Round => is_beyond(2_147_480_000),
        ShowSeconds => is_beyond(253_402_300_800),
        // It writes the day by a pattern.
        AddMonths if signature.types.len() > 2 => true,
        _ if argument.starts_with("9999") => true,
        AddDays { .. } if signature.constants[0].len() > 6 => true,
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
