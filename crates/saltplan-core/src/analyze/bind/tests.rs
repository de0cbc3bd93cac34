use std::fmt::Write as _;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::analyze::constant::fold;
use saltplan_document::diag::Source;
use saltplan_sql::random::{AskedCondition, asked_of_hive, written as random_text};
use saltplan_sql::rewrite::walk;
use saltplan_sql::{Parameters, parse};

fn parsed(text: &str) -> Result<Node, String> {
    let source = Source::new("predicate", text);
    parse(&source, &Parameters::new()).map(|parsed| parsed.tree).map_err(|error| error.to_string())
}

/// A bound tree for people: each name, constant and operation with its type, added casts as `cast+`.
fn tree_text(node: &BoundNode) -> String {
    let each = |nodes: &[BoundNode]| nodes.iter().map(tree_text).collect::<Vec<_>>().join(", ");
    let of = node.of.as_ref().map_or_else(|| "?".to_string(), HiveType::to_string);
    match &node.open {
        Some(Open::Refused(why)) => return format!("refused({why})"),
        Some(other) => {
            let mut parts = Vec::new();
            node.for_each_part(&mut |part| parts.push(tree_text(part)));
            return format!("{other:?}({})", parts.join(", "));
        }
        None => {}
    }
    match &node.what {
        Bound::Column(column) => format!("{}:{of}", column.written.name),
        Bound::Constant(constant) => match &constant.value {
            Some(ConstantValue::Plain(Constant::Text(text))) => format!("'{text}':{of}"),
            Some(ConstantValue::Plain(Constant::Number(number))) => format!("{number}:{of}"),
            Some(ConstantValue::Plain(Constant::Bool(value))) => format!("{value}:{of}"),
            Some(ConstantValue::Plain(Constant::Date(date))) => format!("{date}:{of}"),
            Some(ConstantValue::Plain(Constant::Timestamp(at))) => format!("{at}:{of}"),
            Some(ConstantValue::Plain(Constant::Null)) => format!("NULL:{of}"),
            Some(ConstantValue::Double(double)) => format!("{double:e}:{of}"),
            None => format!("open:{of}"),
        },
        Bound::Runtime(name) => format!(":{name}"),
        Bound::Cast { operand, origin: CastOrigin::Added } => {
            format!("cast+({} as {of})", tree_text(operand))
        }
        Bound::Cast { operand, .. } => format!("cast({} as {of})", tree_text(operand)),
        Bound::Operation { operator, operands } => {
            let name = match operator {
                Operator::Binary(op) => op.sign().to_string(),
                other => format!("{other:?}"),
            };
            format!("({name} {}):{of}", each(operands))
        }
        Bound::Call(call) => format!("{}({}):{of}", call.name, each(&call.arguments)),
        Bound::Case { operand, arms, otherwise } => {
            let mut text = "case(".to_string();
            let _ = write!(
                text,
                "{}",
                operand.iter().map(|operand| tree_text(operand) + " ").collect::<String>()
            );
            for (condition, result) in arms {
                let _ = write!(text, "{} -> {}, ", tree_text(condition), tree_text(result));
            }
            let otherwise = otherwise.as_ref().map_or("NULL".into(), |result| tree_text(result));
            format!("{text}else {otherwise}):{of}")
        }
        Bound::Member { operand, name } => format!("{}.{name}:{of}", tree_text(operand)),
        Bound::Row(items) => format!("row({})", each(items)),
        Bound::Interval { amount, unit, .. } => format!("{} {unit}:{of}", tree_text(amount)),
        Bound::Unread { parts, .. } => format!("unread({})", each(parts)),
    }
}

/// The cases of a file: a line of columns, a condition, and for each version what is bound. `-` is no version.
#[test]
fn cases() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/analyze/bind/cases.txt");
    let given = std::fs::read_to_string(&file).unwrap();
    let mut expected = String::new();
    let mut scope = TypedColumns::default();
    for line in given.lines() {
        if line.starts_with("  ") {
            continue;
        }
        let _ = writeln!(expected, "{line}");
        if let Some(columns) = line.strip_prefix("columns ") {
            scope = TypedColumns::parse(columns).unwrap();
        } else if !line.is_empty() && !line.starts_with('#') {
            let tree = parsed(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            let versions = HiveVersion::ALL.map(Some).into_iter().chain([None]);
            let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
            for (version, name) in versions.zip(["2", "3", "4", "-"]) {
                let text = tree_text(&bind(&tree, &scope, Setting::Query(version)));
                match groups.iter_mut().find(|(own, _)| *own == text) {
                    Some((_, names)) => names.push(name),
                    None => groups.push((text, vec![name])),
                }
            }
            for (text, names) in groups {
                let _ = writeln!(expected, "  {:8}{text}", names.join(" "));
            }
        }
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, &expected).unwrap();
    }
    let given = std::fs::read_to_string(&file).unwrap();
    let differing = given.lines().zip(expected.lines()).find(|(given, expected)| given != expected);
    assert_eq!(differing, None);
    assert_eq!(given, expected);
}

proptest! {
    /// Without added casts the bound tree is the input, a constant has the value of what was written, and places are those of
    /// the text.
    #[test]
    fn bound_trees_are_what_was_written(asked in asked_of_hive(), many: bool, seed: u64) {
        let bits = AskedCondition::And(vec![asked]).bits(many);
        let text = random_text(&bits, seed);
        let tree = parsed(&text).map_err(TestCaseError::fail)?;
        let scope = TypedColumns::parse("status string, amount int, flag boolean").unwrap();
        let bound = [None].into_iter().chain(HiveVersion::ALL.map(Some)).map(|version| bind(&tree, &scope, Setting::Query(version)));
        let bound: Vec<_> = bound.collect();
        let mut spans = Vec::new();
        fn gather(node: &Node, spans: &mut Vec<Span>) {
            spans.push(node.span);
            node.for_each_part(&mut |part| gather(part, spans));
        }
        gather(&tree, &mut spans);
        for bound in &bound {
            prop_assert_eq!(&written(bound), &tree.expr, "{}", text);
            let mut fault = None;
            bound.walk(&mut |part| {
                if !spans.contains(&part.span) {
                    fault = Some(format!("{part:?} is at {:?}", part.span));
                }
                if let Some(BoundConstant { value: Some(ConstantValue::Plain(value)), written: Some(written), .. }) =
                    part.constant()
                    && let (Constant::Number(_), Some(own @ Constant::Number(_))) = (value, fold(&**written))
                    && own != *value
                {
                    fault = Some(format!("{written} is {value:?}"));
                }
            });
            prop_assert_eq!(fault, None, "{}", text);
        }
        // Each column of the text is bound once.
        let mut columns = 0;
        walk(&tree.expr, &mut |part| columns += usize::from(matches!(part, Expr::Column(_))));
        let mut found = 0;
        bound[1].walk(&mut |part| found += usize::from(part.column().is_some()));
        let is_folded = |part: &BoundNode| matches!(part.what, Bound::Constant(_));
        let mut folded = false;
        bound[1].walk(&mut |part| folded |= is_folded(part));
        prop_assert!(found == columns || folded, "{}", text);
    }
}
