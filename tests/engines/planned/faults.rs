//! Planners that fail, as programs and as modules inside the jar: all rows are there, and the log or the refusal says why.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::{EACH, Lab, TABLE, query};
use crate::engine::Engine;
use crate::saltplan;

/// What the module of `faulty.rs` does, and the reason for which no plan is made.
const OF_MODULES: [(&str, &str); 8] = [
    ("trap", "the planner died"),
    ("stack", "the planner died"),
    ("memory", "the planner died"),
    ("hang", "did not answer in time"),
    ("endless", "wrote more than"),
    ("garbage", "did not answer as agreed"),
    ("other", "another request"),
    ("exit", "ended with code 7"),
];

impl Lab {
    /// A module in the place of the planner, inside Hive: each fault in a session of its own, because after three failures in a row the
    /// planner is not asked for a minute.
    pub(super) fn module_faults(&mut self, engine: Engine) -> Result<()> {
        self.prepare(engine)?;
        let lab = self.root.join("tests/engines/lab");
        let made = Command::new(lab).arg("faulty").output()?;
        ensure!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let java = String::from_utf8(made.stdout)?.trim().to_owned();
        for (fault, why) in OF_MODULES {
            self.engines.with_java(engine.home(), &java, |engines| {
                engines.begin(engine)?;
                let sql = |number: u32| {
                    format!("SELECT amount FROM {{t}} x WHERE {{D:x}} AND note <> 'fault {fault}' AND amount <> {number}")
                };
                self.expect_all(engines, engine, &sql(0))?;
                self.warned(engine, why)?;
                engines.script(engine, "set saltplan.required=true;\n")?;
                self.refused(engines, engine, &sql(1), why)
            })
            .context(fault)?;
        }
        Ok(())
    }

    /// Programs in the place of the planner: whatever they do, all rows are there, and the log says why all keys are read.
    pub(super) fn faults(&mut self, engine: Engine) -> Result<()> {
        self.prepare(engine)?;
        let mode = saltplan::folder()?.join("planned.mode");
        let answer = |digest: &str, version: &str| {
            format!(
                "printf '{{\"protocol\": 1, \"digest\": \"%s\", \"version\": \"{version}\", \"ranges\": [[\"303037\", \"303038\"]]}}' {digest}"
            )
        };
        let version = env!("CARGO_PKG_VERSION");
        let script = format!(
            "digest=$(/usr/bin/sha256sum | /usr/bin/cut -c 1-64)\nread -r mode < {}\ncase $mode in\nright) {} ;;\nother) {} ;;\nversion) {} ;;\n\
             garbage) echo hello ;;\ndead) echo oh >&2; kill -9 $$ ;;\nhang) exec /bin/sleep 60 ;;\nendless) exec /bin/cat /dev/zero ;;\nesac",
            mode.display(),
            answer("$digest", version),
            answer("$(echo x | /usr/bin/sha256sum | /usr/bin/cut -c 1-64)", version),
            answer("$digest", "0.0.1"),
        );
        let program = self.script_file("faults", &script)?;
        let faults = [
            ("other", "another request"),
            ("version", "saltplan 0.0.1"),
            ("garbage", "did not answer as agreed"),
            ("dead", "ended with code 137"),
            ("endless", "wrote more than"),
            ("hang", "did not answer in time"),
        ];
        let java = format!("-Dsaltplan.command={program} -Dsaltplan.planning.seconds=2");
        self.engines.with_java(engine.home(), &java, |engines| {
            engines.begin(engine)?;
            for (number, (fault, why)) in faults.iter().enumerate() {
                // A right answer ends the row of failures, and shows that the program is asked. It has one of sixteen salts.
                fs::write(&mode, "right\n")?;
                let right = format!(
                    "SELECT amount FROM {{t}} x WHERE {{D:x}} AND x.rowkey LIKE '007%' AND amount <> {number}"
                );
                let (found, read) = self.run(engines, engine, &query(&right, TABLE))?;
                ensure!(!found.is_empty() && read < EACH, "{fault}: {read} reads, {found:?}");
                fs::write(&mode, format!("{fault}\n"))?;
                let sql = format!("SELECT amount FROM {{t}} x WHERE {{D:x}} AND note <> 'x{number}'");
                self.expect_all(engines, engine, &sql).context(*fault)?;
                self.warned(engine, why)?;
                engines.script(engine, "set saltplan.required=true;\n")?;
                let sql = format!("SELECT amount FROM {{t}} x WHERE {{D:x}} AND note <> 'y{number}'");
                self.refused(engines, engine, &sql, why).context(*fault)?;
                engines.script(engine, "set saltplan.required=false;\n")?;
            }
            // After three failures none for a minute.
            fs::write(&mode, "garbage\n")?;
            for number in 0..4 {
                let sql = format!("SELECT amount FROM {{t}} x WHERE {{D:x}} AND note <> 'z{number}'");
                self.expect_all(engines, engine, &sql)?;
            }
            self.warned(engine, "times in a row")
        })
    }
}
