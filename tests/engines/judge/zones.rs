//! The time zone in which a Hive computes a function, as its record says: asked with one zone of the Java machine and another one of the
//! session.

use std::path::Path;

use anyhow::{Result, ensure};
use saltplan_sql::functions::{
    DATE_FORMAT, FROM_UNIXTIME, Function, FunctionZone, HOUR, MINUTE, SECOND, UNIX_TIMESTAMP,
};
use saltplan_sql::version::HiveVersion;

use super::ask;

/// The zone of the Java machine and that of the session. Each skips an hour of another day.
const PROCESS: &str = "America/New_York";
const SESSION: &str = "Europe/Berlin";

/// A function with a call, its argument, and what it gives in UTC, in the zone of the Java machine and in that of the session.
type Asked<'a> = (&'a Function, &'a str, &'a str, [&'a str; 3]);

pub fn zones(root: &Path, hive: &str, version: HiveVersion) -> Result<()> {
    let named = |name: &str| Function::named(name).ok_or_else(|| anyhow::anyhow!("no record of {name}"));
    let (skipped_there, skipped_here) = ("2020-03-08 02:30:00", "2020-03-29 02:30:00");
    let to_unix_timestamp = named("to_unix_timestamp")?;
    let shown = "date_format(s, 'yyyy-MM-dd HH:mm:ss')";
    let instants = ["1586131200", "1586145600", "1586124000"];
    let asked: Vec<Asked<'_>> = vec![
        (
            &FROM_UNIXTIME,
            "from_unixtime(cast(s AS bigint))",
            "1586131200",
            ["2020-04-06 00:00:00", "2020-04-05 20:00:00", "2020-04-06 02:00:00"],
        ),
        (&UNIX_TIMESTAMP, "unix_timestamp(s)", "2020-04-06 00:00:00", instants),
        (&UNIX_TIMESTAMP, "unix_timestamp(s, 'yyyy-MM-dd')", "2020-04-06", instants),
        (to_unix_timestamp, "to_unix_timestamp(s)", "2020-04-06 00:00:00", instants),
        (&DATE_FORMAT, shown, skipped_there, [skipped_there, "2020-03-08 03:30:00", skipped_there]),
        (&DATE_FORMAT, shown, skipped_here, [skipped_here, skipped_here, "2020-03-29 03:30:00"]),
        (&HOUR, "hour(s)", skipped_there, ["2", "3", "2"]),
        (&HOUR, "hour(s)", skipped_here, ["2", "2", "3"]),
        (&MINUTE, "minute(s)", skipped_there, ["30"; 3]),
        (&SECOND, "second(s)", skipped_here, ["0"; 3]),
    ];
    let lines: Vec<String> =
        asked.iter().map(|(_, call, argument, _)| format!("s string\t{call}\t{argument}")).collect();
    let session = format!("hive.local.time.zone={SESSION}");
    let answers = ask(root, &["values", hive, &session], Some(PROCESS), &lines)?;
    for ((function, call, argument, [utc, process, session]), answer) in asked.iter().zip(&answers) {
        let expected = match function.zone(version) {
            FunctionZone::None | FunctionZone::Utc => utc,
            FunctionZone::Process => process,
            FunctionZone::Session => session,
        };
        let found = answer.split('\t').nth(1).unwrap_or(answer);
        ensure!(
            found == *expected,
            "{hive}: {call} of {argument} is {found}, and its record says {expected}"
        );
    }
    Ok(())
}
