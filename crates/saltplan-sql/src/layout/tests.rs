use proptest::prelude::*;

use super::*;
use crate::ast::Expr;
use crate::{Parameters, identifier, literal, parse, random};
use saltplan_document::diag::Source;

fn expr(sql: &str) -> Expr {
    parse(&Source::new("predicate", sql), &Parameters::new()).expect("a condition").tree.expr
}

/// A condition between two texts, on a line that begins with blanks.
fn line(before: &str, expr: &Expr, after: &str) -> Line {
    let words = before.trim_start_matches(' ');
    let mut content = MarkedText::default();
    content.push(words);
    expr.print(&mut content);
    content.push(after);
    let indent = before.len() - words.len();
    if words == "AND " { Line::arm(indent, content) } else { Line::new(indent, content) }
}

fn written(line: &Line) -> String {
    let mut text = String::new();
    line.write("\n", &mut text);
    text
}

fn lines_of(before: &str, sql: &str, after: &str, expected: &[&str]) {
    let expr = expr(sql);
    let text = written(&line(before, &expr, after));
    assert_eq!(text.lines().collect::<Vec<_>>(), expected, "\n{text}");
    assert_eq!(joined(&text), joined(&format!("{before}{expr}{after}")));
}

/// A text without the white space that a layout changes.
fn joined(sql: &str) -> String {
    sql.replace([' ', '\n'], "")
}

fn columns(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("`column_{number}`")).collect()
}

/// A line from its parts.
fn made(indent: usize, make: impl FnOnce(&mut MarkedText)) -> String {
    let mut content = MarkedText::default();
    make(&mut content);
    written(&Line::new(indent, content))
}

#[test]
fn a_line_without_marks_is_unchanged() {
    let sql = format!("SELECT  `a`,`b`   -- two '--,' {}", "`a`, ".repeat(40));
    assert_eq!(made(2, |text| text.push(&sql)), format!("  {sql}"));
}

#[test]
fn a_line_that_fits_loses_its_marks() {
    let condition = format!("`a` = 1 AND `b` IN ('{}')", "x".repeat(WIDTH - 23));
    assert_eq!(condition.len(), WIDTH);
    lines_of("", &condition, "", &[&condition]);
}

#[test]
fn columns_are_aligned() {
    let text = made(2, |text| {
        text.push("SELECT ");
        text.list(&columns(16), |text, column| text.push(column));
    });
    assert_eq!(
        text,
        "  SELECT `column_1`, `column_2`, `column_3`, `column_4`, `column_5`, `column_6`, `column_7`,
         `column_8`, `column_9`, `column_10`, `column_11`, `column_12`, `column_13`, `column_14`,
         `column_15`, `column_16`"
    );
}

#[test]
fn a_list_in_brackets_is_indented() {
    let text = made(0, |text| {
        text.push("INSERT OVERWRITE TABLE `t` PARTITION ");
        text.bracketed(|text| text.list(&columns(9), |text, column| text.push(column)));
    });
    assert_eq!(
        text,
        "INSERT OVERWRITE TABLE `t` PARTITION (
  `column_1`, `column_2`, `column_3`, `column_4`, `column_5`, `column_6`, `column_7`, `column_8`,
  `column_9`
)"
    );
}

#[test]
fn bounds_are_aligned() {
    let salt = "0123456789abcdef0123456789abcdef";
    lines_of(
        "  WHERE ",
        &format!("`key` >= '{salt}20200406' AND `key` < '{salt}20200407'"),
        "",
        &[
            "  WHERE `key` >= '0123456789abcdef0123456789abcdef20200406'",
            "    AND `key` < '0123456789abcdef0123456789abcdef20200407'",
        ],
    );
    lines_of(
        "    AND ",
        &format!("concat(`key`, '') >= '{salt}20200406' AND concat(`key`, '') < '{salt}20200407'"),
        "",
        &[
            "    AND concat(`key`, '') >= '0123456789abcdef0123456789abcdef20200406'",
            "    AND concat(`key`, '') < '0123456789abcdef0123456789abcdef20200407'",
        ],
    );
}

#[test]
fn conditions_are_broken_at_the_loosest_connective() {
    let phone = |number: u32| format!("`phone_number` = '1380000000{number}'");
    let sql = format!(
        "({} OR {} AND `calls` BETWEEN 1 AND 2 OR NOT ({} AND {} AND {}))",
        phone(1),
        phone(2),
        phone(3),
        phone(4),
        phone(5)
    );
    lines_of(
        "    AND ",
        &sql,
        "",
        &[
            "    AND (",
            "      `phone_number` = '13800000001'",
            "      OR `phone_number` = '13800000002' AND `calls` BETWEEN 1 AND 2",
            "      OR NOT (",
            "        `phone_number` = '13800000003'",
            "        AND `phone_number` = '13800000004'",
            "        AND `phone_number` = '13800000005'",
            "      )",
            "    )",
        ],
    );
}

#[test]
fn long_lists_share_lines() {
    let phones: Vec<String> = (0..9).map(|number| format!("'1380000000{number}'")).collect();
    lines_of(
        "    AND ",
        &format!("`phone_number` IN ({})", phones.join(", ")),
        "",
        &[
            "    AND `phone_number` IN (",
            "      '13800000000', '13800000001', '13800000002', '13800000003', '13800000004', '13800000005',",
            "      '13800000006', '13800000007', '13800000008'",
            "    )",
        ],
    );
}

#[test]
fn after_an_item_of_several_lines_the_next_one_begins_a_line() {
    let text = "x".repeat(50);
    lines_of(
        "",
        &format!("f(concat('{text}', '{text}'), 1, 2) = 3"),
        "",
        &[
            "f(",
            "  concat(",
            "    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',",
            "    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'",
            "  ),",
            "  1, 2",
            ") = 3",
        ],
    );
}

#[test]
fn a_case_is_broken_at_its_branches() {
    let sql = "CASE WHEN `phone_number` LIKE '138%' OR `phone_number` LIKE '139%' THEN 'mobile' \
               WHEN length(`phone_number`) < 8 THEN 'short' ELSE concat('other: ', `phone_number`) END = `kind`";
    lines_of(
        "  WHERE ",
        sql,
        "",
        &[
            "  WHERE CASE",
            "    WHEN `phone_number` LIKE '138%' OR `phone_number` LIKE '139%' THEN 'mobile'",
            "    WHEN length(`phone_number`) < 8 THEN 'short'",
            "    ELSE concat('other: ', `phone_number`)",
            "  END = `kind`",
        ],
    );
    let long = "x".repeat(70);
    lines_of(
        "",
        &format!("CASE `a` WHEN `b` = '{long}' OR `c` = 1 THEN '{long}' END = `kind`"),
        "",
        &[
            "CASE `a`",
            &format!("  WHEN `b` = '{long}' OR `c` = 1"),
            &format!("    THEN '{long}'"),
            "END = `kind`",
        ],
    );
}

#[test]
fn calls_go_to_the_next_line_or_are_broken() {
    let text = "x".repeat(60);
    lines_of(
        "WHERE ",
        &format!("substr(`key`, 1, 4) = concat('{text}', `b`)"),
        "",
        &["WHERE substr(`key`, 1, 4) =", &format!("  concat('{text}', `b`)")],
    );
    lines_of(
        "  ",
        &format!("cast(concat('{text}', '{text}') as string) IS NULL"),
        ",",
        &[
            "  cast(",
            "    concat(",
            &format!("      '{text}',"),
            &format!("      '{text}'"),
            "    ) as string",
            "  ) IS NULL,",
        ],
    );
}

#[test]
fn operators_of_one_level_are_one_group() {
    let column = |letter: &str| format!("`{}`", letter.repeat(40));
    let [a, b, c] = ["a", "b", "c"].map(column);
    lines_of(
        "WHERE ",
        &format!("{a} + {b} - {c} > 0"),
        "",
        &[&format!("WHERE {a} + {b} -"), &format!("    {c} > 0")],
    );
}

#[test]
fn a_name_goes_to_the_next_line() {
    let [a, b] = ["a", "b"].map(|letter| letter.repeat(60));
    let text = made(2, |text| {
        text.push(&a);
        text.blank();
        text.push(&b);
    });
    assert_eq!(text, format!("  {a}\n    {b}"));
}

#[test]
fn literals_and_names_have_no_noncharacters() {
    for sign in '\u{FDD0}'..='\u{FDEF}' {
        assert!(!literal(&format!("a{sign}b")).contains(sign));
        assert_eq!(identifier(&format!("a{sign}b")), "`a\u{FFFD}b`");
    }
}

#[test]
fn marks_without_a_partner() {
    let word = "word".repeat(8);
    let unbalanced = [
        vec![Mark::Close, Mark::Break, Mark::Close, Mark::Break, Mark::Open(Group::Bracket)],
        vec![Mark::Open(Group::Bracket), Mark::Open(Group::Bracket), Mark::Break, Mark::Break],
    ];
    for marks in unbalanced {
        let text = made(0, |text| {
            for mark in &marks {
                text.mark(*mark);
                text.push(&word);
                text.push(" ");
            }
        });
        assert_eq!(joined(&text), word.repeat(marks.len()), "{marks:?}");
    }
}

#[test]
fn brackets_in_brackets() {
    let depth = 5_000;
    let text = made(0, |text| {
        for _ in 0..depth {
            text.push("abs(");
            text.mark(Mark::Open(Group::Bracket));
            text.mark(Mark::Break);
        }
        text.push("1");
        for _ in 0..depth {
            text.mark(Mark::Break);
            text.push(")");
            text.mark(Mark::Close);
        }
    });
    assert_eq!(joined(&text), format!("{}1{}", "abs(".repeat(depth), ")".repeat(depth)));
    // The innermost fit on one line.
    assert_eq!(text.lines().count(), 2 * (depth - 7) + 1);
}

/// Expressions of short words.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof!["[a-z]{1,12}_", "'[a-z ,()]{0,12}'", "[0-9]{1,8}"];
    leaf.prop_recursive(4, 64, 8, |inner| {
        let list = prop::collection::vec(inner.clone(), 2..8);
        prop_oneof![
            list.clone().prop_map(|list| format!("concat({})", list.join(", "))),
            list.clone().prop_map(|list| format!("({})", list.join(" OR "))),
            list.clone().prop_map(|list| format!("({})", list.join(" AND "))),
            list.prop_map(|list| format!("({} IN ({}))", list[0], list[1..].join(", "))),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} = {b})")),
            (inner.clone(), inner.clone(), inner)
                .prop_map(|(a, b, c)| format!("CASE WHEN {a} THEN {b} ELSE {c} END")),
        ]
    })
}

proptest! {
    #[test]
    fn no_line_is_too_long(values in prop::collection::vec(expression(), 1..12), indent in 0..6usize) {
        let source = format!("({}) IN ({})", values.join(") OR ("), values.join(", "));
        let Ok(parsed) = parse(&Source::new("predicate", source), &Parameters::new()) else { return Ok(()) };
        let wrapped = written(&line(&format!("{}SELECT ", " ".repeat(indent)), &parsed.tree.expr, ""));
        prop_assert_eq!(joined(&wrapped), joined(&format!("SELECT{}", parsed.tree.expr)));
        for line in wrapped.lines() {
            prop_assert!(line.chars().count() <= WIDTH, "{}\n{}", line, wrapped);
            prop_assert!(!line.ends_with(' '), "{:?}", line);
        }
    }

    #[test]
    fn wrapped_conditions_are_read_as_before(asked in random::asked(), many: bool, seed: u64) {
        let text = random::written(&asked.bits(many), seed);
        let Ok(parsed) = parse(&Source::new("predicate", text), &Parameters::new()) else { return Ok(()) };
        let wrapped = written(&line("", &parsed.tree, ""));
        let again = parse(&Source::new("predicate", wrapped.as_str()), &Parameters::new());
        prop_assert_eq!(again.map(|parsed| parsed.tree.expr), Ok(parsed.tree.expr), "{}", wrapped);
    }
}
