//! Offsets and local times of zones are those of Java, which evaluates them in Hive and in generated classes.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::ops::Range;
use std::process::{Command, Stdio};

use chrono::DateTime;
use saltplan_generate::sample::Random;
use saltplan_sql::time::zone::{self, Zone};

use crate::{folder, root, run};

const ZONES: usize = 40;
const INSTANTS: usize = 500;

/// The seconds of 1900-01-01 and 2101-01-01.
const SECONDS: Range<i64> = -2_208_988_800..4_133_980_800;

/// What a release of the tz database changed, which one side may lack: the zone, the release, and the seconds that differ.
/// Found by comparing releases of Python's package `tzdata`.
const CHANGED: &[(&str, &str, Range<i64>)] = &[
    // Clocks of Baja California were those of California in 1953 and from 1961 to 1975.
    ("America/Ensenada", "2025c", -536_457_600..220_924_800),
    ("America/Santa_Isabel", "2025c", -536_457_600..220_924_800),
    // Morocco keeps UTC from 20 September 2026 on.
    ("Africa/Casablanca", "2026c", 1_789_866_000..i64::MAX),
];

#[test]
fn zones_are_those_of_java() {
    let folder = folder("zones");
    let source = root().join("tests/writers/Zones.java");
    run(Command::new("javac").args(["--release", "8", "-Xlint:-options", "-d"]).arg(&folder).arg(source));
    let mut random = Random(20_200_406);
    let step = Zone::all().count() / ZONES;
    let mut asked = Vec::new();
    for zone in Zone::all().step_by(step).take(ZONES) {
        for _ in 0..INSTANTS {
            let second = SECONDS.start + random.below(SECONDS.end.abs_diff(SECONDS.start) as usize) as i64;
            asked.push((zone, second));
        }
        // Around each change of the clock, too.
        for change in zone.changes(SECONDS.start, SECONDS.end).iter().step_by(5) {
            asked.extend([-7_200, -3_601, -1, 0, 1, 3_599, 5_400].map(|later| (zone, change.at + later)));
            asked
                .extend([-1_800, 0, 1_800].map(|later| (zone, change.at + i64::from(change.offset) + later)));
        }
    }
    let input = asked.iter().fold(String::new(), |mut lines, (zone, second)| {
        let _ = writeln!(lines, "{zone} {second}");
        lines
    });
    fs::write(folder.join("asked"), input).expect("a file");
    let input = File::open(folder.join("asked")).expect("the file");
    let printed = run(Command::new("java")
        .args(["-cp", "."])
        .arg("Zones")
        .current_dir(&folder)
        .stdin(Stdio::from(input)));
    let mut lines = printed.lines();
    let (ours, javas) = (zone::release(), lines.next().expect("the release"));
    let mut compared = 0;
    let mut differences = Vec::new();
    for ((zone, second), java) in asked.into_iter().zip(lines.by_ref()) {
        if java == "unknown" {
            differences.push(format!("{zone}: Java {javas} does not know it"));
            continue;
        }
        let local = DateTime::from_timestamp(second, 0).expect("in the calendar").naive_utc();
        let own = format!("{} {}", zone.offset_at(second), zone.instant(local).div_euclid(1_000));
        compared += 1;
        let is_known = CHANGED.iter().any(|(name, release, seconds)| {
            *name == zone.name() && seconds.contains(&second) && (ours >= *release) != (javas >= *release)
        });
        if own != java && !is_known {
            differences.push(format!("{zone} at {second}: {own}, Java {java}"));
        }
    }
    assert!(lines.next().is_none() && compared >= ZONES * INSTANTS, "{compared}");
    assert!(
        differences.is_empty(),
        "{ours} and Java's {javas}: {} of {compared}\n{}",
        differences.len(),
        differences.join("\n")
    );
}
