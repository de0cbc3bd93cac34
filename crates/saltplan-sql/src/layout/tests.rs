use proptest::prelude::*;

use super::*;
use crate::ast::Expr;
use crate::{Parameters, identifier, literal, parse, random};
use saltplan_document::diag::Source;

fn expr(sql: &str) -> Expr {
    parse(&Source::new("predicate", sql), &Parameters::new()).expect("a condition").tree.expr
}

/// Wraps a condition between two texts of a template.
fn lines_of(before: &str, sql: &str, after: &str, expected: &[&str]) {
    let expr = expr(sql);
    let wrapped = wrap(&format!("{before}{}{after}", expr.marked()));
    assert_eq!(wrapped.lines().collect::<Vec<_>>(), expected, "\n{wrapped}");
    assert_eq!(joined(&wrapped), joined(&format!("{before}{expr}{after}")));
}

/// A text without the white space that a layout changes.
fn joined(sql: &str) -> String {
    sql.replace([' ', '\n'], "")
}

fn columns(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("`column_{number}`")).collect()
}

#[test]
fn a_line_without_marks_is_unchanged() {
    let sql = format!("  SELECT  `a`,`b`   -- two\n\tFROM t\r\n\nWHERE `a`='--,'\n{}\n", "`a`, ".repeat(40));
    assert_eq!(wrap(&sql), sql);
}

#[test]
fn a_line_that_fits_loses_its_marks() {
    let condition = format!("`a` = 1 AND `b` IN ('{}')", "x".repeat(WIDTH - 23));
    assert_eq!(condition.len(), WIDTH);
    lines_of("", &condition, "\n", &[&condition]);
    lines_of("", &condition, "", &[&condition]);
}

#[test]
fn columns_are_aligned() {
    let columns = list(&columns(16).join(&separator()));
    assert_eq!(
        wrap(&format!("  SELECT {columns}\n")),
        "  SELECT `column_1`, `column_2`, `column_3`, `column_4`, `column_5`, `column_6`, `column_7`,
         `column_8`, `column_9`, `column_10`, `column_11`, `column_12`, `column_13`, `column_14`,
         `column_15`, `column_16`
"
    );
}

#[test]
fn a_list_in_brackets_is_indented() {
    let partition = bracketed_list(&columns(9));
    assert_eq!(
        wrap(&format!("INSERT OVERWRITE TABLE `t` PARTITION {partition}\n")),
        "INSERT OVERWRITE TABLE `t` PARTITION (
  `column_1`, `column_2`, `column_3`, `column_4`, `column_5`, `column_6`, `column_7`, `column_8`,
  `column_9`
)
"
    );
}

#[test]
fn bounds_are_aligned() {
    let salt = "0123456789abcdef0123456789abcdef";
    lines_of(
        "  WHERE ",
        &format!("`key` >= '{salt}20200406' AND `key` < '{salt}20200407'"),
        "\n",
        &[
            "  WHERE `key` >= '0123456789abcdef0123456789abcdef20200406'",
            "    AND `key` < '0123456789abcdef0123456789abcdef20200407'",
        ],
    );
    lines_of(
        "    AND ",
        &format!("concat(`key`, '') >= '{salt}20200406' AND concat(`key`, '') < '{salt}20200407'"),
        "\n",
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
        "\n",
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
        "\n",
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
        "\n",
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
        "\n",
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
        "\n",
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
        ",\n",
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
        "\n",
        &[&format!("WHERE {a} + {b} -"), &format!("    {c} > 0")],
    );
}

#[test]
fn a_template_can_let_a_line_end() {
    let br = Mark::Break.sign();
    let [a, b] = ["a", "b"].map(|letter| letter.repeat(60));
    assert_eq!(wrap(&format!("  {a}{br} {b}\n")), format!("  {a}\n    {b}\n"));
}

#[test]
fn lines_do_not_end_in_literals_and_comments_of_a_template() {
    let condition = expr(&format!("`a` = '{0}' AND `b` = '{0}'", "x".repeat(60)));
    for before in [
        "-- ",
        "SELECT 1 -- ",
        "SELECT '",
        r"SELECT '\'",
        "SELECT \"",
        "SELECT 'a', '",
        "SELECT 'two\nlines ",
    ] {
        let line = wrap(&format!("{before}{}\n", condition.marked()));
        assert_eq!(line, format!("{before}{condition}\n"));
    }
    for before in
        ["SELECT - 1 - ", "SELECT '--', ", r"SELECT 'a\\', ", "SELECT \"'\", `'`, ", "-- it's\nSELECT "]
    {
        let lines = wrap(&format!("{before}{}\n", condition.marked()));
        assert_eq!(lines.lines().count(), 2 + before.matches('\n').count(), "{lines}");
    }
}

#[test]
fn literals_and_names_have_no_marks() {
    for sign in RESERVED {
        assert!(!literal(&format!("a{sign}b")).contains(sign));
        assert_eq!(identifier(&format!("a{sign}b")), "`a\u{FFFD}b`");
    }
}

#[test]
fn marks_without_a_partner() {
    let [open, end, close] = [Mark::Open(Group::Bracket), Mark::Break, Mark::Close].map(Mark::sign);
    let word = "word".repeat(8);
    for marks in [
        format!("{close}{word} {end}{word} {close}{end}{word} {open}{word}"),
        format!("{open}{open}{word}{end}{word}{end}{word}{open}{word}"),
        format!("{word}{word}{word}{word}{}", '\u{FDEF}'),
    ] {
        assert_eq!(joined(&wrap(&marks)), joined(&unmarked(marks.clone())), "{marks}");
    }
}

#[test]
fn brackets_in_brackets() {
    let [open, end, close] = [Mark::Open(Group::Bracket), Mark::Break, Mark::Close].map(Mark::sign);
    let depth = 5_000;
    let text =
        format!("{}1{}", format!("abs({open}{end}").repeat(depth), format!("{end}){close}").repeat(depth));
    let wrapped = wrap(&text);
    assert_eq!(joined(&wrapped), unmarked(text));
    // The innermost fit on one line.
    assert_eq!(wrapped.lines().count(), 2 * (depth - 7) + 1);
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
        let wrapped = wrap(&format!("{}SELECT {}\n", " ".repeat(indent), parsed.tree.expr.marked()));
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
        let wrapped = wrap(&parsed.tree.marked());
        let again = parse(&Source::new("predicate", wrapped.as_str()), &Parameters::new());
        prop_assert_eq!(again.map(|parsed| parsed.tree.expr), Ok(parsed.tree.expr), "{}", wrapped);
    }
}
