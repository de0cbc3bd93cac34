//! A residual is a predicate itself, which the same table must accept.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use saltplan_document::diag::Source;
use saltplan_core::plan::{Options, explain, plan};
use saltplan_core::analyze::analyze;
use saltplan_sql::{Parameters, parse};
use saltplan_core::Table;

/// The tables of the plan cases.
static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let folders = ["tests/testdata/schemas", "schemas/examples"];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files =
        folders.iter().flat_map(|folder| root.join(folder).read_dir().expect("a folder of the tests"));
    let paths = files.map(|file| file.expect("a file").path());
    let yaml = paths.filter(|path| path.extension().is_some_and(|ending| ending == "yaml"));
    yaml.map(|path| Table::load(&path).expect("a schema")).collect()
});

fuzz_target!(|text: &str| {
    let Ok(parsed) = parse(&Source::new("predicate", text), &Parameters::new()) else { return };
    for table in TABLES.iter() {
        let schema = table.schema();
        let Ok(analysis) = analyze(schema, &parsed) else { continue };
        let plan = plan(schema, &analysis, Options::default());
        let _ = explain::to_text(schema, table.salts(), &plan, 80);
        let ranges: Vec<_> = plan.branches.iter().map(|branch| &branch.range).collect();
        for pair in ranges.windows(2) {
            let stop = pair[0].stop.as_ref().expect("only the last range is open");
            assert!(*stop <= pair[1].start, "ranges overlap: {text}");
        }
        for branch in plan.branches.iter().take(4) {
            let Some(residual) = plan.residual_of(branch) else { continue };
            let again = Source::new("residual", residual.expr.to_string());
            let parsed =
                parse(&again, &Parameters::new()).unwrap_or_else(|_| panic!("{text}\n{}", again.text));
            assert!(analyze(schema, &parsed).is_ok(), "{text}\n{}", again.text);
        }
    }
});
