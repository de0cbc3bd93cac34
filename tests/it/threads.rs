//! Values of the libraries go from thread to thread.

use std::path::Path;

use saltplan_core::queries::{QueryOptions, Templates};
use saltplan_core::{Parameters, PlanOptions, Table};
use saltplan_rewrite::{Catalog, Options, rewrite};

/// A value that threads may share.
fn shared<T: Send + Sync + 'static>(value: T) -> T {
    value
}

/// A plan can be used by several threads, also when its table is gone.
#[test]
fn plans_are_shared_by_threads() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/examples/md5_nibble_day.yaml");
    let table = shared(Table::load(&path).expect("a table"));
    let planned = shared(table.plan("opera_day = 20200406", &Parameters::new()).expect("a plan"));
    drop(table);
    let query = shared(planned.hive_sql(&shared(QueryOptions::default())).expect("a query"));
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let planned = planned.clone();
            std::thread::spawn(move || planned.hive_sql(&QueryOptions::default()).expect("a query"))
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().expect("a query"), query);
    }
    let templates = shared(Templates::new(None));
    assert_eq!(planned.hive_sql_with(&QueryOptions::default(), &templates).expect("a query"), query);
    assert_eq!(planned.ranges().expect("known keys").len(), 16);
}

#[test]
fn errors_and_rewritten_queries_are_shared_by_threads() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/examples/md5_nibble_day.yaml");
    let table = Table::load(&path).expect("a table");
    let refused = shared(table.plan("phone_number = '1'", &Parameters::new())).expect_err("a full scan");
    assert_eq!(refused.code(), "full_scan");
    let options = shared(PlanOptions::default());
    shared(table.plan_with("opera_day = 1 AND", &Parameters::new(), &options)).expect_err("no predicate");
    shared(table.decode(b"")).expect_err("no key");
    let catalog = shared(Catalog::default());
    let rewritten = rewrite("q.sql", "SELECT 1", &catalog, &shared(Options::default()));
    assert_eq!(shared(rewritten).expect("a query").text, "SELECT 1");
}
