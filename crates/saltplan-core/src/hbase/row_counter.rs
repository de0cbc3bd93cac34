//! HBase's own count of the rows of a plan, as a shell script.

use crate::plan::{Branch, Plan, PlanKind};
use crate::refusal::Refusal;
use saltplan_sql::statement::Query;

/// The maximum bytes of one argument of a command on Linux (`MAX_ARG_STRLEN`), with room for the option's name.
const MAX_ARGUMENT: usize = (128 << 10) - 64;

/// The call of `RowCounter` that counts the rows of the ranges and compares their number with that of a query: it exits with 1 if they
/// differ. `rows` is the query of the expected number: Hive reads the rows for it, not the number in its metastore, which
/// files that were lost still count in.
///
/// # Errors
/// Not all rows of the ranges are rows of the plan, or the ranges are too long for a command.
pub fn script(table: &str, plan: &Plan, rows: &Query) -> Result<String, Refusal> {
    if plan.branches.iter().any(|branch| branch.residual.is_some()) {
        return Err(Refusal::RowsNotCounted);
    }
    let ranges: Vec<String> = plan.branches.iter().map(range).collect();
    let ranges = ranges.join(";");
    if ranges.len() > MAX_ARGUMENT {
        return Err(Refusal::TooLong { bytes: ranges.len(), limit: MAX_ARGUMENT });
    }
    let range = match plan.kind {
        PlanKind::FullScan => String::new(),
        _ => format!(" \\\n  --range={}", quoted(&ranges)),
    };
    Ok(format!(
        "expected=$(hive -S --hiveconf hive.compute.query.using.stats=false -e {}) &&\nhbase org.apache.hadoop.hbase.mapreduce.RowCounter {}{range} \\\n  --expectedCount=\"$expected\"\n",
        quoted(&rows.print("\n")),
        quoted(table),
    ))
}

/// A range as `RowCounter` reads it: the first key and the key before which it ends, with bytes as `\xNN`.
fn range(branch: &Branch) -> String {
    let stop = branch.range.stop.as_deref().unwrap_or_default();
    format!("{},{}", escaped(&branch.range.start), escaped(stop))
}

fn escaped(key: &[u8]) -> String {
    let one = |byte: &u8| match byte.is_ascii_alphanumeric() || b"-_.:|/".contains(byte) {
        true => char::from(*byte).to_string(),
        false => format!("\\x{byte:02X}"),
    };
    key.iter().map(one).collect()
}

/// A word of a POSIX shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
