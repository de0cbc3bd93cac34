//! Tests with pages of real tables. `tests/report/run` tests the script in a browser.

use serde_json::Value as Json;

use super::pack::tests::unpacked;
use super::*;
use saltplan_core::{Parameters, PlanOptions};

const KEY: &str = "key:
  salt: { md5: { of: key, first_hex_digits: 2, write: hex, then: '|' } }
  fields: [{ name: day, type: date, format: yyyyMMdd }, { name: id, type: string, chars: alnum }]
regions: { per_salt: {} }
columns: [{ name: status, type: string, hbase: 'f:status' }]
hive: { mapping: { table: db.visits_map, key_column: k }, target: { table: db.visits, partition: [day] } }
";

fn table(key: &str) -> Table {
    let yaml = format!("saltplan: 1\nhbase: {{ table: 'x:visits', families: {{ f: {{}} }} }}\n{key}");
    Table::from_yaml(&yaml).expect("a schema")
}

fn version(table: &Table, predicate: &str, options: &PlanOptions) -> PlanVersion {
    let planned = table.plan_with(predicate, &Parameters::new(), options).expect("a plan");
    let statement = |engine: &Engine| {
        let mut options = saltplan_core::queries::QueryOptions::default();
        options.engine = *engine;
        options.allow_partial = true;
        let query = planned.hive_sql(&options).map_err(|error| Explanation::new(error.to_string(), None));
        Statement { engine: *engine, query, note: None }
    };
    let statements = Engine::ALL.iter().map(statement).collect();
    PlanVersion { planned, refused: None, statements }
}

fn plan(table: &Table, name: &str, predicate: &str) -> PlanReport {
    let options = PlanOptions::accepting_all();
    PlanReport {
        name: name.into(),
        predicate: predicate.into(),
        now: Ok(version(table, predicate, &options)),
        before: None,
    }
}

fn report(table: &Table, plans: Vec<PlanReport>) -> Report<'_> {
    let table = TableReport {
        table,
        example: Some(b"1f|20200406x7".to_vec()),
        plans,
        more_plans: 0,
        findings: None,
        base: None,
        load: None,
        growth: None,
    };
    Report { title: "Report".into(), tables: vec![table], queries: Vec::new(), more_queries: 0 }
}

/// The data of a page, as its script reads it.
fn data(html: &str) -> Json {
    let begin = "<script type=\"application/json\" id=\"data\">";
    let text = html.split_once(begin).and_then(|(_, rest)| rest.split_once("</script>")).expect("data").0;
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn twenty_predicates_of_256_ranges_are_300_kb() {
    let table = table(KEY);
    let days = (1..=20).map(|day| {
        plan(&table, &format!("day{day}"), &format!("day = 202004{day:02} AND status = 'x{day}'"))
    });
    let plans: Vec<PlanReport> = days.collect();
    assert!(
        plans.iter().all(|plan| plan.now.as_ref().is_ok_and(|now| now.planned.plan().branches.len() == 256))
    );
    let page = report(&table, plans);
    let html = page.html();
    assert!(html.len() < 300_000, "{}", html.len());
    let data = data(&html);
    let plans = data["tables"][0]["plans"].as_array().expect("plans");
    assert!(
        plans
            .iter()
            .filter_map(|plan| plan["now"]["statements"].as_array())
            .flatten()
            .all(|one| one["sql"].is_array())
    );
    assert_eq!(html, page.html());
}

#[test]
fn ranges_of_several_days_and_salts_are_300_kb() {
    // Sixteen days for each of sixteen salts: bounds differ at two places.
    let table = table(&KEY.replace("first_hex_digits: 2", "first_hex_digits: 1"));
    let plans = (0..20).map(|number| {
        let month = ["01", "03", "05", "07", "08"][number % 5];
        let days = (0..16).map(|day| format!("{}{month}{:02}", 2020 + number / 5, day * 2 + 1));
        let days: Vec<String> = days.collect();
        plan(&table, &format!("p{number}"), &format!("day IN ({}) AND status = 'x{number}'", days.join(", ")))
    });
    let plans: Vec<PlanReport> = plans.collect();
    let counts: Vec<usize> = plans
        .iter()
        .map(|plan| plan.now.as_ref().map_or(0, |now| now.planned.plan().branches.len()))
        .collect();
    assert!(counts.iter().all(|count| *count >= 240), "{counts:?}");
    let html = report(&table, plans).html();
    assert!(html.len() < 300_000, "{}", html.len());
}

#[test]
fn packed_bounds_can_be_unpacked() {
    let table = table(&KEY.replace("first_hex_digits: 2", "first_hex_digits: 1"));
    let one = plan(&table, "p", "day = 20200406 AND id >= 'k' OR day = 20200406 AND id = 'a1'");
    let branches = one.now.as_ref().expect("a plan").planned.plan().branches.clone();
    let data = data(&report(&table, vec![one]).html());
    let ranges = &data["tables"][0]["plans"][0]["now"]["ranges"];
    let starts = unpacked(&ranges["start"], &data["lists"]);
    let wanted: Vec<String> =
        branches.iter().map(|branch| String::from_utf8(branch.range.start.clone()).expect("text")).collect();
    assert_eq!(starts, wanted);
    let written = unpacked(&ranges["written"], &data["lists"]);
    let runs = ranges["stop"].as_array().expect("runs");
    let kinds = runs.chunks(2).flat_map(|run| {
        std::iter::repeat_n(run[0].as_u64().expect("a kind"), run[1].as_u64().expect("a count") as usize)
    });
    let mut written = written.into_iter();
    for (branch, kind) in branches.iter().zip(kinds) {
        let range = &branch.range;
        let stop = match kind {
            0 => saltplan_core::plans::KeyRange::prefix(range.start.clone()).stop,
            1 => saltplan_core::plans::KeyRange::point(range.start.clone()).stop,
            2 => None,
            _ => written.next().map(String::into_bytes),
        };
        assert_eq!(stop, range.stop);
    }
    assert_eq!(written.next(), None);
}

#[test]
fn a_longer_plan_says_how_much_is_left_out() {
    let table = table(KEY);
    let ids: Vec<String> = (0..6_000).map(|id| format!("'{id}'")).collect();
    let predicate = format!("day IN (20200406, 20200409) AND id IN ({})", ids.join(", "));
    let mut options = PlanOptions::default();
    options.max_branches = 20_000;
    let now = version(&table, &predicate, &options);
    let plans = vec![PlanReport { name: "many".into(), predicate, now: Ok(now), before: None }];
    let data = data(&report(&table, plans).html());
    let now = &data["tables"][0]["plans"][0]["now"];
    assert_eq!(now["count"], 12_000);
    assert_eq!(unpacked(&now["ranges"]["start"], &data["lists"]).len(), MAX_RANGES);
    assert!(now["statements"][0]["sql"].is_null() && now["statements"][0]["bytes"].as_u64() > Some(1 << 20));
}

#[test]
fn foreign_text_is_not_markup() {
    // Names consist of letters and digits; values, separators and comments do not.
    let odd = "</script><script>alert(1)</script>\\u202e\\u0007\\\"'`<!--&amp;";
    let key = format!(
        "# </script><!-- é\nkey:\n  fields:\n  - {{ name: größe, type: string, values: [\"{odd}\", b], then: \"{odd}\" }}\n  \
         - {{ name: id, type: string }}\n"
    );
    let table = table(&key);
    let findings = saltplan_lint::audit_table(&table, &|_| true);
    let mut page = report(&table, Vec::new());
    page.title = "</title><script>alert(1)</script>\u{202e}".into();
    page.tables[0].findings = Some(&findings);
    page.tables[0].plans.push(PlanReport {
        name: "</script>".into(),
        predicate: "\u{202e}<!--<script>".into(),
        now: Err(Explanation::new("</script>", None)),
        before: None,
    });
    let html = page.html();
    assert_eq!(html.matches("</script>").count(), 2, "one ends the data, one the script");
    assert_eq!(html.matches("<title>").count(), 1);
    assert!(!html.contains(['\u{202e}', '\u{7}']));
    let data = data(&html);
    let separator = data["tables"][0]["parts"][0]["separator"].as_str().expect("bytes");
    assert!(separator.starts_with("3c2f7363726970743e") && separator.ends_with("26616d703b"), "{separator}");
    let text = data["tables"][0]["audit"]["text"]["pieces"][0][1].as_str().expect("the schema");
    assert!(text.contains("</script><!-- é"), "{text}");
    assert_eq!(data["tables"][0]["plans"][0]["predicate"], "\u{202e}<!--<script>");
}

#[test]
fn parts_of_an_example_key() {
    let table = table(KEY);
    let data = data(&report(&table, Vec::new()).html());
    let table = &data["tables"][0];
    let roles: Vec<&str> =
        table["parts"].as_array().expect("parts").iter().filter_map(|part| part["role"].as_str()).collect();
    assert_eq!(roles, ["salt", "field", "field"]);
    assert_eq!(table["example"]["cuts"], serde_json::json!([[0, 2], [3, 11], [11, 13]]));
    assert_eq!(table["regions"]["count"], 256);
}

#[test]
fn queries_are_text_and_folded_with_a_count() {
    let key = KEY.replace("target:", "view: db.calls, target:");
    let mut catalog = saltplan_rewrite::Catalog::default();
    assert!(catalog.add(table(&key), Engine::Tez).expect("a table"));
    let odd = "</script><!--\u{202e}";
    let one = format!("SELECT 1 FROM db.calls c WHERE c.day = 20200406 AND c.status = '{odd}'");
    let query = |text: &str| QueryReport {
        name: odd.into(),
        rewritten: Ok(saltplan_rewrite::rewrite("q", text, &catalog, &saltplan_rewrite::Options::default())
            .expect("HiveQL")),
        help: WhyLeft::help,
    };
    let table = table(&key);
    let page = |queries: Vec<QueryReport>| {
        let mut page = report(&table, Vec::new());
        page.queries = queries;
        page.html()
    };
    let html = page(vec![query(&one)]);
    assert_eq!(html.matches("</script>").count(), 2, "one ends the data, one the script");
    assert!(!html.contains('\u{202e}'));
    assert_eq!(html, page(vec![query(&one)]));
    let first = &data(&html)["queries"][0];
    assert_eq!((&first["name"], &first["counts"]), (&Json::from(odd), &serde_json::json!([1, 0])));
    let parts = first["parts"].as_array().expect("parts");
    assert_eq!(parts[0], "SELECT 1 FROM ");
    assert_eq!(parts[1][0], "db.calls");
    assert_eq!(parts[2], one["SELECT 1 FROM db.calls".len()..]);

    // 256 ranges at each of 300 places.
    let many = vec![one.as_str(); 300].join("\nUNION ALL\n");
    let html = page(vec![query(&many)]);
    assert!(html.len() < 300_000, "{}", html.len());
    let many = &data(&html)["queries"][0];
    assert_eq!(many["counts"], serde_json::json!([300, 0]));
    assert_eq!(many["references"].as_array().map(Vec::len), Some(200));
    let last = many["parts"].as_array().expect("parts").iter().rev().find(|part| part.is_array());
    assert!(last.is_some_and(|part| part[1].is_null() && part[2].as_u64() > Some(10_000)), "{last:?}");
}
