use std::sync::Arc;

use proptest::prelude::*;

use super::super::ast::Name;
use super::super::scanner::{OpenComment, Scanner};
use super::*;
use saltplan_document::diag::Source as Text;

/// The tree of a script on lines: blocks with their relations, joins and arms.
fn tree_lines(text: &str) -> String {
    let source = Text::new("script", text);
    let runtime = [("${day}".to_string(), "day".to_string())];
    let script = Script::read(&source, runtime).unwrap_or_else(|fault| panic!("{}", fault.message));
    let mut lines = String::new();
    for statement in script.statements() {
        for (index, block) in statement.blocks.iter().enumerate() {
            lines += &format!("{index}: {}\n", block_line(&statement, block));
        }
    }
    lines
}

fn block_line(statement: &Statement, block: &Block) -> String {
    let relation = |relation: &Relation| {
        let source = match &relation.source {
            RelationSource::Table { name, .. } => {
                name.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(".")
            }
            RelationSource::Query(id) => format!("query {:?}", statement.query(*id).terms.len()),
            RelationSource::Unknown => "?".to_string(),
        };
        format!("{source} {}", relation.alias().unwrap_or_default())
    };
    let mut parts: Vec<String> = block.relations.iter().map(relation).collect();
    for join in &block.joins {
        let on = join.on.as_ref().map(|on| format!(" on {on}")).unwrap_or_default();
        parts.push(format!("{:?} {}..{}..{}{on}", join.kind, join.first, join.middle, join.end));
    }
    for arm in &block.arms {
        let mut texts = vec![format!("arm of {:?}", arm.insert.as_ref().map(|insert| insert.overwrites))];
        for item in arm.select.iter().flat_map(|select| &select.items) {
            let aliases: Vec<&str> = item.aliases.iter().map(|alias| alias.text.as_str()).collect();
            texts.push(match &item.value {
                SelectValue::Expr(node) => format!("{node} as {}", aliases.join(" ")),
                SelectValue::All(_) => "*".to_string(),
            });
        }
        for (word, node) in [("where", &arm.filter), ("having", &arm.having), ("qualify", &arm.qualify)] {
            texts.extend(node.as_ref().map(|node| format!("{word} {node}")));
        }
        if let Some(group) = &arm.group_by {
            let keys: Vec<String> = group.keys.iter().map(ToString::to_string).collect();
            texts.push(format!("group {} {}", keys.join(" "), group.has_sets));
        }
        let order: Vec<String> = arm.tail.order_by.iter().map(ToString::to_string).collect();
        texts.push(format!("order {} {}", order.join(" "), arm.tail.has_limit));
        parts.push(texts.join("; "));
    }
    parts.extend(block.unclear.map(|unclear| format!("{:?}", unclear.why)));
    parts.join(" | ")
}

#[test]
fn blocks_of_statements() {
    for (text, lines) in [
        (
            "SELECT c.a, count(*) AS n, t.*, f(x) OVER (PARTITION BY c.a ORDER BY b DESC ROWS 1 PRECEDING) w FROM db.calls c \
             LEFT JOIN u ON c.id = u.id AND u.x IN (SELECT 1) WHERE c.day = ${day} AND d = '${x}' AND e = ${other} GROUP BY c.a, b \
             WITH ROLLUP HAVING count(*) > 1 ORDER BY n DESC, a LIMIT 3",
            "0: arm of None; 1 as ; order  false\n1: db.calls c | u u | Left 0..1..2 on c.id = u.id AND u.x IN (SELECT …) | arm of None; \
             c.a as ; count(*) as n; *; f(x) OVER (…) as w; where c.day = :day AND d = '\\044{x}' AND e = ${other}; having count(*) > 1; \
             group c.a b true; order n a true\n",
        ),
        (
            "FROM a INSERT OVERWRITE TABLE t PARTITION (d = 1) SELECT x WHERE y = 1 INSERT INTO u SELECT 2 GROUP BY z",
            "0: a a | arm of Some(true); x as ; where y = 1; order  false | arm of Some(false); 2 as ; group z false; order  false\n",
        ),
        (
            "WITH q AS (SELECT 1 a) INSERT INTO t SELECT * FROM q, (SELECT 2 UNION ALL SELECT 3) r LATERAL VIEW explode(m) e AS k, v",
            "0: arm of None; 1 as a; order  false\n1: arm of None; 2 as ; order  false\n2: arm of None; 3 as ; order  false\n\
             3: q q | query 2 r | Inner 0..1..2 | arm of None; *; order  false\n",
        ),
        (
            "SELECT 1 FROM a WHERE x = 1 AND odd(y -> 1) AND NOT (z = {{ d }} OR w < 2)",
            "0: a a | arm of None; 1 as ; where x = 1 AND … AND NOT (z = {{ d }} OR w < 2); order  false\n",
        ),
        ("MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN DELETE", "0: ChangesRows\n"),
        ("SELECT 1 FROM a NATURAL JOIN b", "0: a a | arm of None; 1 as ; order  false | NotUnderstood\n"),
    ] {
        assert_eq!(tree_lines(text), lines, "{text}");
    }
}

#[test]
fn queries_know_what_they_may_name() {
    let source = Text::new(
        "script",
        "WITH q AS (SELECT 1), r AS (SELECT * FROM q) SELECT * FROM r WHERE EXISTS (SELECT 1 FROM q, p)",
    );
    let script = Script::read(&source, []).unwrap();
    let statement = script.statements().next().unwrap();
    let inner = statement.blocks.iter().find(|block| block.relations.len() == 2).unwrap();
    assert!(statement.is_cte(inner, "q") && statement.is_cte(inner, "r") && !statement.is_cte(inner, "p"));
    let body = statement.query(statement.body.unwrap());
    let names: Vec<&str> = body.with.iter().map(|cte| cte.name.as_str()).collect();
    assert_eq!((names, body.terms.len()), (vec!["q", "r"], 1));
}

#[test]
fn inserts_of_a_statement() {
    let text = "INSERT OVERWRITE TABLE Db.`T` PARTITION (a = 'x', b) IF NOT EXISTS SELECT 1";
    let source = Text::new("script", text);
    let script = Script::read(&source, []).unwrap();
    let statement = script.statements().next().unwrap();
    let [(insert, None)] = statement.inserts()[..] else { panic!("one insert") };
    assert!(insert.overwrites && insert.if_not_exists);
    let Destination::Table { name, partition } = &insert.to else { panic!("a table") };
    let values: Vec<_> =
        partition.iter().map(|column| column.value.as_ref().map(ToString::to_string)).collect();
    assert_eq!((name.join("."), values), ("db.t".into(), vec![Some("'x'".into()), None]));
}

#[test]
fn names_with_variables() {
    for (text, expected) in [
        ("${db}.t", "${db}.t"),
        ("x_${env}.`T`", "x_${env}.t"),
        ("{{ params.DB }}.t", "{{ params.db }}.t"),
        ("`${db}`.t", "${db}.t"),
        ("db.${t}", ""),
        ("${db}.t_${day}", ""),
        ("${t}", ""),
    ] {
        let source = Text::new("script", format!("INSERT INTO {text} SELECT 1 FROM {text}"));
        let script = Script::read(&source, []).unwrap();
        let statement = script.statements().next().unwrap();
        let Destination::Table { name, .. } = &statement.inserts()[0].0.to else { panic!("a table") };
        let read = statement.blocks[0].relations[0].table();
        let read: Vec<String> = read.iter().flat_map(|(parts, _)| parts.iter().map(Name::lower)).collect();
        assert_eq!((name.join("."), read.join(".")), (expected.into(), expected.into()), "{text}");
    }
}

/// What stands between two tokens.
fn is_left_out(text: &str) -> bool {
    let mut scanner = Scanner::new(text);
    match scanner.skip_blanks(|c| c.is_whitespace() || c == '\u{feff}') {
        Ok(more) => !more,
        Err(OpenComment(_)) => false,
    }
}

/// Whether the tokens and what stands between them are the whole text.
fn keeps_every_byte(text: &str) -> bool {
    let Ok(tokens) = Tokens::new(text) else { return true };
    let mut at = 0;
    let mut whole = String::new();
    for index in 0..tokens.len() {
        let span = tokens.span(index);
        if span.start < at || span.end <= span.start || !is_left_out(&text[at..span.start]) {
            return false;
        }
        whole.push_str(&text[at..span.start]);
        whole.push_str(tokens.raw(index));
        at = span.end;
    }
    whole.push_str(&text[at..]);
    is_left_out(&text[at..]) && whole == text
}

/// Whether every place of a tree is in its text.
fn has_places_in(text: &str) -> bool {
    let source: Arc<Text> = Text::new("script", text);
    let Ok(script) = Script::read(&source, []) else { return true };
    let mut is_fine = true;
    for statement in script.statements() {
        for node in statement.blocks.iter().flat_map(Block::expressions) {
            is_fine &= node.span.start <= node.span.end && text.get(node.span.start..node.span.end).is_some();
        }
    }
    is_fine
}

const WORDS: [&str; 40] = [
    "SELECT",
    "FROM",
    "WHERE",
    "a",
    "t.b",
    "`c d`",
    "(",
    ")",
    ",",
    "JOIN",
    "ON",
    "AND",
    "OR",
    "NOT",
    "IN",
    "BETWEEN",
    "=",
    "1",
    "'x;'",
    "\"y\"",
    ";",
    "-- z\n",
    "/* w */",
    "${v}",
    "{{",
    "}}",
    "UNION ALL",
    "WITH",
    "AS",
    "INSERT OVERWRITE",
    "TABLE",
    "PARTITION",
    "GROUP BY",
    "HAVING",
    "SET a='b;c';",
    "!sh ls\n",
    "LATERAL VIEW",
    "OVER",
    "EXISTS",
    "CASE WHEN",
];

proptest! {
    #[test]
    fn tokens_and_gaps_are_the_text(text in any::<String>(), words in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..40)) {
        prop_assert!(keeps_every_byte(&text));
        prop_assert!(keeps_every_byte(&words.join(" ")));
        prop_assert!(keeps_every_byte(&words.concat()));
        prop_assert!(has_places_in(&words.join(" ")));
    }
}
