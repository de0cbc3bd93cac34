//! What is solved is what the steps evaluate to.

use std::cmp::Ordering;

use chrono::{NaiveDate, NaiveTime};
use saltplan_document::diag::Source;
use saltplan_sql::ast::Type;
use saltplan_sql::functions::{Arguments, Function, Kind, Order, ResultType};
use saltplan_sql::value::Typed;
use saltplan_sql::{Parameters, parse};

use super::comparand::Comparand;
use super::{Comparer, Comparison, Truth};
use crate::analyze::bind::{Bound, BoundNode, bind_predicate};
use crate::analyze::chain::{Chain, Number, Step, Value};
use crate::analyze::constant::{Constant, Decimal};
use crate::analyze::values::ValueSet;
use crate::key;
use crate::key::interval::IntervalSet;
use crate::schema::load;
use crate::schema::model::Schema;

fn schema() -> Schema {
    let fields = "{ name: id, type: string, width: 4, chars: '[a-c]' }, { name: digits, type: string, width: 3, chars: digits }, \
                  { name: n, type: int, encoding: decimal, width: 4 }, { name: day, type: date, format: yyyyMMdd }, \
                  { name: at, type: timestamp, format: yyyyMMddHH }";
    let text =
        format!("saltplan: 1\nhbase: {{ table: t, families: {{ f: {{}} }} }}\nkey:\n  fields: [{fields}]\n");
    load(&Source::new("schema", text)).unwrap_or_else(|errors| panic!("{errors}")).schema
}

fn expression(schema: &Schema, text: &str) -> BoundNode {
    let parsed = parse(&Source::new("predicate", format!("{text} = 0")), &Parameters::new()).unwrap();
    bind_predicate(schema, &parsed.tree).operands()[0].clone()
}

fn day(year: i32, month: u32, day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(year, month, day).unwrap()
}

/// Values of a field as the key stores them, and as its steps take them.
fn values(schema: &Schema, chain: &Chain) -> Vec<(key::Value, Value)> {
    let field = &schema.key.fields[chain.field];
    let texts = |texts: &[&str]| -> Vec<(key::Value, Value)> {
        texts.iter().map(|text| (key::Value::Text((*text).into()), Value::Text((*text).into()))).collect()
    };
    let times = || {
        let calendar = field.kind.time().and_then(|time| match time {
            key::field::FieldTime::Local(calendar) => Some(calendar),
            key::field::FieldTime::Instant(_) => None,
        });
        let format = &calendar.unwrap().format;
        let days = day(2018, 12, 25).iter_days().step_by(3).take(400);
        let starts = days.flat_map(|day| [0, 7, 23].map(|hour| day.and_hms_opt(hour, 0, 0).unwrap()));
        let is_text = matches!(chain.steps.first(), Some(Step::Text(_)));
        starts
            .map(|at| {
                let at = if field.name == "day" { at.date().and_time(NaiveTime::MIN) } else { at };
                let own = if is_text { Value::Text(format.format_local(at)) } else { Value::Time(at) };
                (key::Value::Number(format.granularity().ordinal_of(at)), own)
            })
            .collect()
    };
    match field.name.as_str() {
        "id" => texts(&["aaaa", "abca", "abcb", "abcc", "bbbb", "cabc", "cccc"]),
        "digits" => texts(&["000", "007", "070", "700", "999"]),
        "n" => (0..9_999)
            .step_by(7)
            .map(|number| (key::Value::Number(number), Value::Number(Number::Whole(number.into()))))
            .collect(),
        _ => times(),
    }
}

/// What Hive compares a constant as, beside a result.
fn bound(constant: &Constant, result: &Value) -> Option<Comparand> {
    match (constant, result) {
        (Constant::Number(number), Value::Number(_)) => Some(Comparand::Number(*number)),
        (Constant::Text(text), Value::Text(_)) => Some(Comparand::Text(text.clone())),
        (Constant::Date(day), Value::Time(_)) => Some(Comparand::Time(day.and_time(NaiveTime::MIN))),
        _ => None,
    }
}

/// How many values were compared, of those that a comparison makes true or false.
fn check(schema: &Schema, text: &str, constant: &Constant) -> usize {
    let chain =
        Chain::compared(schema, &expression(schema, text)).unwrap_or_else(|| panic!("`{text}` is no chain"));
    let kind = &schema.key.fields[chain.field].kind;
    let mut count = 0;
    for comparison in [Comparison::Equal, Comparison::Less, Comparison::GreaterOrEqual] {
        let mut comparer = Comparer::new(schema, chain.field);
        let Ok((Truth { when_true, when_false }, _)) = comparer.compare(&chain, (comparison, constant))
        else {
            continue;
        };
        if chain.recurs().is_some() {
            continue;
        }
        for (stored, value) in values(schema, &chain) {
            let Ok(result) = chain.evaluate(value) else { continue };
            let Some(bound) = bound(constant, &result) else { continue };
            let order: Ordering = bound.order(&result);
            let of = (when_true.contains(kind, &stored), when_false.contains(kind, &stored));
            let expected = (comparison.holds(order), !comparison.holds(order));
            assert_eq!(of, expected, "{text} {comparison:?} {constant:?} for {stored:?}: {result:?}");
            count += 1;
        }
    }
    count
}

#[test]
fn solved_values_are_those_that_evaluate_so() {
    let schema = schema();
    let texts =
        ["substr(id, 1, 2)", "left(id, 1)", "id", "reverse(id)", "cast(day AS string)", "substr(day, 1, 6)"];
    let printed =
        ["date_format(day, 'yyyyMM')", "date_format(add_months(day, 1), 'yyyyMM')", "last_day(day)"];
    let constants = ["ab", "a", "cabc", "20200131", "202001", "2020-02-29", "201912"];
    let mut counts = Vec::new();
    for text in texts.into_iter().chain(printed) {
        let each = constants.iter().map(|constant| check(&schema, text, &Constant::Text((*constant).into())));
        counts.push((text, each.sum::<usize>()));
    }
    let numbers = [
        "cast(digits AS int)",
        "n",
        "n * 2 + 1",
        "500 - n",
        "abs(n - 700)",
        "n / 7",
        "n DIV -3",
        "greatest(n, 700)",
        "round(n, -2)",
        "year(day)",
        "year(day) * 100 + month(day)",
        "cast(date_format(day, 'yyyyMMdd') AS int)",
        "datediff(day, '2019-12-31')",
        "datediff('2019-12-31', date_add(at, 2))",
    ];
    for text in numbers {
        let each = [-201, 0, 7, 70, 700, 2019, 201_912, 20_200_131]
            .map(|number| check(&schema, text, &Constant::Number(Decimal::integer(number))));
        counts.push((text, each.iter().sum()));
    }
    let days = [
        "day",
        "to_date(at)",
        "date_add(at, 5)",
        "date_sub(trunc(day, 'MM'), 1)",
        "day + INTERVAL '1' MONTH",
        "cast(at AS timestamp)",
        "at - INTERVAL '30' HOUR",
        "to_date(next_day(at, 'MO'))",
        "cast(date_format(at + INTERVAL '1' HOUR, 'yyyy-MM-dd') AS timestamp)",
    ];
    for text in days {
        let each = [day(2019, 1, 1), day(2020, 2, 29), day(2020, 3, 1)]
            .map(|day| check(&schema, text, &Constant::Date(day)));
        counts.push((text, each.iter().sum()));
    }
    assert!(counts.iter().all(|(_, count)| *count > 0), "{counts:?}");
}

static FIRST_OF_NEXT_MONTH: Function = Function {
    names: &["first_of_next_month"],
    arguments: Arguments::of(&[Kind::Date]),
    result: ResultType::Is(Type::Date),
    order: Order::Keeps,
    evaluate: Some(|arguments| match arguments {
        [Typed { constant: Constant::Date(day), .. }] => {
            let last = crate::analyze::constant::last_day(*day)?;
            Some(Typed::plain(Constant::Date(last.succ_opt()?)))
        }
        _ => None,
    }),
    ..Function::ROW
};

/// A function of days that keeps their order makes ranges without a rule of its own.
#[test]
fn a_function_is_known_by_its_record() {
    let schema = schema();
    let mut expr = expression(&schema, "first_of_next_month(day)");
    assert_eq!(Chain::compared(&schema, &expr), None);
    if let Bound::Call(call) = &mut expr.what {
        call.function = Some(&FIRST_OF_NEXT_MONTH);
    }
    let chain = Chain::compared(&schema, &expr).unwrap();
    let mut comparer = Comparer::new(&schema, chain.field);
    let (truth, unknown) =
        comparer.compare(&chain, (Comparison::Equal, &Constant::Date(day(2020, 5, 1)))).unwrap();
    assert!(unknown.is_empty());
    assert_eq!(truth.when_true, ValueSet::Numbers(IntervalSet::range(18_353, Some(18_383))));
}
