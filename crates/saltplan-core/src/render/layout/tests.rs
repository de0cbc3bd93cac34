use proptest::prelude::*;

use super::tokens::{TokenKind, fitting_line, tokens};
use super::{WIDTH, wrap};

/// Everything but the white space.
fn words(sql: &str) -> Vec<String> {
    let words = tokens(sql).filter(|token| !matches!(token.kind, TokenKind::Blank | TokenKind::LineEnd));
    words.map(|token| token.text.to_string()).collect()
}

fn lines_of(sql: &str, expected: &[&str]) {
    let wrapped = wrap(sql);
    assert_eq!(wrapped.lines().collect::<Vec<_>>(), expected, "\n{wrapped}");
    assert_eq!(words(&wrapped), words(sql));
}

#[test]
fn a_line_that_fits_is_left_alone() {
    let sql = "  SELECT  `a`,`b`   -- two\n\tFROM t\r\n\nWHERE `a`='--,'\n";
    assert_eq!(wrap(sql), sql);
}

#[test]
fn columns_stand_under_columns() {
    let columns: Vec<String> = (1..=16).map(|number| format!("`column_{number}`")).collect();
    lines_of(
        &format!("  SELECT {}", columns.join(", ")),
        &[
            "  SELECT `column_1`, `column_2`, `column_3`, `column_4`, `column_5`, `column_6`, `column_7`,",
            "         `column_8`, `column_9`, `column_10`, `column_11`, `column_12`, `column_13`, `column_14`,",
            "         `column_15`, `column_16`",
        ],
    );
}

#[test]
fn a_line_that_comes_again_is_broken_again() {
    let columns: Vec<String> = (1..=16).map(|number| format!("`column_{number}`")).collect();
    let branch = format!("  SELECT {}\n  FROM `t`\n", columns.join(", "));
    let other = branch.replace("SELECT", "SELECT DISTINCT");
    let sql = [branch.as_str(), &branch, &other, &branch].concat();
    assert_eq!(wrap(&sql), [wrap(&branch), wrap(&branch), wrap(&other), wrap(&branch)].concat());
}

#[test]
fn bounds_stand_under_bounds() {
    let salt = "0123456789abcdef0123456789abcdef";
    lines_of(
        &format!("  WHERE `key` >= '{salt}20200406' AND `key` < '{salt}20200407'"),
        &[
            "  WHERE `key` >= '0123456789abcdef0123456789abcdef20200406'",
            "    AND `key` < '0123456789abcdef0123456789abcdef20200407'",
        ],
    );
    lines_of(
        &format!("    AND concat(`key`, '') >= '{salt}20200406' AND concat(`key`, '') < '{salt}20200407'"),
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
        "    AND ({} OR {} AND `calls` BETWEEN 1 AND 2 OR NOT ({} AND {} AND {}))",
        phone(1),
        phone(2),
        phone(3),
        phone(4),
        phone(5)
    );
    lines_of(
        &sql,
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
        &format!("    AND `phone_number` IN ({})", phones.join(", ")),
        &[
            "    AND `phone_number` IN (",
            "      '13800000000', '13800000001', '13800000002', '13800000003', '13800000004', '13800000005',",
            "      '13800000006', '13800000007', '13800000008'",
            "    )",
        ],
    );
}

#[test]
fn a_case_is_broken_at_its_branches() {
    let sql = "  SELECT CASE WHEN `phone_number` LIKE '138%' OR `phone_number` LIKE '139%' THEN 'mobile' \
               WHEN length(`phone_number`) < 8 THEN 'short' ELSE concat('other: ', `phone_number`) END AS `kind`";
    lines_of(
        sql,
        &[
            "  SELECT CASE",
            "    WHEN `phone_number` LIKE '138%' OR `phone_number` LIKE '139%' THEN 'mobile'",
            "    WHEN length(`phone_number`) < 8 THEN 'short'",
            "    ELSE concat('other: ', `phone_number`)",
            "  END AS `kind`",
        ],
    );
}

#[test]
fn calls_go_to_the_next_line_or_are_broken() {
    let text = "x".repeat(60);
    lines_of(
        &format!("WHERE substr(`key`, 1, 4) = concat('{text}', `b`)"),
        &["WHERE substr(`key`, 1, 4) =", &format!("  concat('{text}', `b`)")],
    );
    lines_of(
        &format!("  cast(concat('{text}', '{text}') as string) AS `x`,"),
        &[
            "  cast(",
            "    concat(",
            &format!("      '{text}',"),
            &format!("      '{text}'"),
            "    ) as string",
            "  ) AS `x`,",
        ],
    );
}

#[test]
fn an_empty_bracket_stays_together() {
    let case = format!("  SELECT CASE WHEN {} THEN 1 END IN", "x".repeat(65));
    assert_eq!(case.len(), WIDTH - 2);
    lines_of(&format!("{case} ()"), &[&case, "         ()"]);
}

#[test]
fn literals_names_and_comments_are_never_broken() {
    let odd = r"it\'s AND, (OR) `--` /* WHEN \\";
    let long = format!("'{}', '{odd}'", "a, b AND c ".repeat(12));
    let sql = format!("SELECT concat({long}, `x, y AND z``w`), \"q, \\\" r\" -- not, here AND there");
    let wrapped = wrap(&sql);
    assert_eq!(words(&wrapped), words(&sql));
    assert!(wrapped.lines().count() > 3, "{wrapped}");
    assert!(wrapped.contains(&format!("'{odd}'")), "{wrapped}");
    assert!(wrapped.ends_with("-- not, here AND there"), "{wrapped}");
}

#[test]
fn what_is_behind_an_open_quote_is_left_alone() {
    let sql = format!("SELECT {}'open {}\n, more", "`a`, ".repeat(40), "b, ".repeat(40));
    assert_eq!(wrap(&sql), sql);
}

#[test]
fn a_literal_over_two_lines_stays_as_it_is() {
    let sql = format!("SELECT {}'two\n  lines' AS `x`, `b`\nFROM t", "`a`, ".repeat(30));
    let wrapped = wrap(&sql);
    assert!(wrapped.contains("'two\n  lines' AS `x`"), "{wrapped}");
    assert_eq!(words(&wrapped), words(&sql));
}

#[test]
fn brackets_without_an_end_and_without_a_beginning() {
    let sql = format!(") END ] SELECT CASE ( [ {} ) FROM (", "`column`, ".repeat(20));
    assert_eq!(words(&wrap(&sql)), words(&sql));
}

#[test]
fn brackets_in_brackets_without_end() {
    for open in ["(", "CASE ", "f(1, "] {
        let sql = open.repeat(20_000);
        assert_eq!(words(&wrap(&sql)), words(&sql));
    }
    let sql = format!("{}1{}", "abs(".repeat(5_000), ")".repeat(5_000));
    assert_eq!(words(&wrap(&sql)), words(&sql));
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c]{1,6}",
        "`[a-c ,]{0,6}`",
        r"'([a-c ,()\n]|\\.|--){0,8}'",
        "[0-9]{1,4}",
        prop::sample::select(vec![
            "(",
            ")",
            "(",
            ")",
            ",",
            " AND ",
            " OR ",
            " BETWEEN ",
            "CASE ",
            " WHEN ",
            " THEN ",
            " ELSE ",
            " END",
            " AS ",
            " = ",
            ">=",
            "+",
            " ",
            " ",
            "\n",
            "  ",
            "SELECT ",
            "[",
            "]",
            "/* , */",
            "--x, y\n",
            "\r",
            "\u{A0}",
            "'",
            "`",
        ])
        .prop_map(str::to_string),
    ]
}

/// Expressions without faults, of short words.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof!["[a-z]{1,12}", "'[a-z ,()]{0,12}'", "[0-9]{1,8}"];
    leaf.prop_recursive(4, 64, 8, |inner| {
        let list = prop::collection::vec(inner.clone(), 1..8);
        prop_oneof![
            list.clone().prop_map(|list| format!("concat({})", list.join(", "))),
            list.clone().prop_map(|list| format!("({})", list.join(" OR "))),
            list.clone().prop_map(|list| format!("({})", list.join(" AND "))),
            list.prop_map(|list| format!("{} IN ({})", list[0], list[1..].join(", "))),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} = {b}")),
            (inner.clone(), inner.clone(), inner)
                .prop_map(|(a, b, c)| format!("CASE WHEN {a} THEN {b} ELSE {c} END")),
        ]
    })
}

proptest! {
    #[test]
    fn tokens_stay_the_same(pieces in prop::collection::vec(piece(), 0..80)) {
        let sql = pieces.concat();
        let wrapped = wrap(&sql);
        prop_assert_eq!(words(&wrapped), words(&sql), "\n{}", wrapped);
    }

    #[test]
    fn a_line_that_fits_ends_where_its_tokens_end(pieces in prop::collection::vec(piece(), 0..12)) {
        let sql = pieces.concat();
        if let Some(length) = fitting_line(&sql) {
            let mut end = 0;
            for token in tokens(&sql) {
                end += token.text.len();
                if token.kind == TokenKind::LineEnd {
                    break;
                }
                prop_assert!(token.kind != TokenKind::Unfinished);
            }
            prop_assert_eq!(length, end);
        }
    }

    #[test]
    fn no_line_is_too_long(columns in prop::collection::vec(expression(), 1..12), indent in 0..6usize) {
        let sql = format!("{}SELECT {}", " ".repeat(indent), columns.join(", "));
        let wrapped = wrap(&sql);
        let words = words(&sql);
        prop_assert_eq!(&self::words(&wrapped), &words);
        for line in wrapped.lines() {
            prop_assert!(line.chars().count() <= WIDTH, "{}\n{}", line, wrapped);
            prop_assert!(!line.ends_with(' '), "{:?}", line);
        }
        prop_assert_eq!(wrap(&wrapped), wrapped);
    }
}
