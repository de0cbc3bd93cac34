use super::*;
use crate::ast::BinaryOperator;
use crate::build::Case;
use crate::functions::CONCAT;

fn table(name: &str) -> Relation {
    Relation::Table(TableName { database: Some(Identifier::new("db")), table: Identifier::new(name) })
}

fn columns(count: usize) -> Vec<Item> {
    (1..=count).map(|number| Item::plain(Expr::column(format!("column_{number}")))).collect()
}

fn equal(column: &str, text: &str) -> Expr {
    Expr::column(column).binary(BinaryOperator::Eq, &Expr::text(text))
}

#[test]
fn branches_of_a_query() {
    let branch = |text: &str| {
        let select = Select::new(columns(2), table("t")).filtered(equal("k", text)).filtered(equal("v", "x"));
        Select { limit: Some(0), distribute_by: Some(Expr::column("k")), ..select }
    };
    let branches = Query::of_all(vec![branch("1"), branch("2")]);
    let items = [Item::plain(Expr::column("a")), Item::named(Expr::number(1), "b")];
    let select = Select::new(items, Relation::query(branches, "branches")).in_lines();
    let insert = Statement::Insert(Insert {
        destination: Destination {
            table: TableName { database: None, table: Identifier::new("t`s") },
            partition: Some(Partition(vec![
                (Identifier::new("day"), Some(Expr::number(20_200_406))),
                (Identifier::new("kind"), None),
            ])),
            into: false,
        },
        query: select.into(),
    });
    let statements = [Statement::Set(Setting::new("a.b", "true")), Statement::Check(equal("x", "1")), insert];
    assert_eq!(
        print(&statements, "\n"),
        "SET a.b=true;
SELECT assert_true(`x` = '1');
INSERT OVERWRITE TABLE `t``s` PARTITION (`day` = 20200406, `kind`)
SELECT
  `a`,
  1 AS `b`
FROM (
  SELECT `column_1`, `column_2`
  FROM `db`.`t`
  WHERE `k` = '1'
    AND `v` = 'x'
  DISTRIBUTE BY `k`
  LIMIT 0
  UNION ALL
  SELECT `column_1`, `column_2`
  FROM `db`.`t`
  WHERE `k` = '2'
    AND `v` = 'x'
  DISTRIBUTE BY `k`
  LIMIT 0
) `branches`;"
    );
}

#[test]
fn plain_columns_share_a_line() {
    let of = |items: Vec<Item>| Query::from(Select::new(items, table("t"))).print("\n");
    assert_eq!(of(vec![Item::All]), "SELECT *\nFROM `db`.`t`");
    let sum = Item::named(Expr::column("a").binary(BinaryOperator::Plus, &1.into()), "s");
    let items = [columns(2), vec![sum.clone(), Item::plain(Expr::column("b"))]].concat();
    assert_eq!(of(items), "SELECT `column_1`, `column_2`,\n  `a` + 1 AS `s`,\n  `b`\nFROM `db`.`t`");
    assert_eq!(of(vec![sum.clone(), sum]), "SELECT `a` + 1 AS `s`,\n  `a` + 1 AS `s`\nFROM `db`.`t`");
    let broken = of([columns(10), vec![Item::named(Expr::text("x"), "y")]].concat());
    assert_eq!(
        broken,
        "SELECT `column_1`, `column_2`, `column_3`, `column_4`, `column_5`, `column_6`, `column_7`,
       `column_8`, `column_9`, `column_10`,
  'x' AS `y`
FROM `db`.`t`"
    );
}

/// An OR that is one of several conditions is in brackets: AND binds more tightly.
#[test]
fn alternatives_among_conditions() {
    let either = Expr::Or(vec![equal("a", "1").into(), equal("b", "2").into()]);
    let one = Select::new(columns(1), table("t")).filtered(either);
    let where_of = |select: Select| {
        let text = Query::from(select).print(" ");
        text.split_once("WHERE ").map(|(_, condition)| condition.to_string())
    };
    assert_eq!(where_of(one.clone()).as_deref(), Some("`a` = '1' OR `b` = '2'"));
    let two = where_of(one.filtered(equal("c", "3")));
    assert_eq!(two.as_deref(), Some("(`a` = '1' OR `b` = '2')   AND `c` = '3'"));
}

#[test]
fn long_lines_and_margins() {
    let long = "x".repeat(60);
    let value = Expr::call(&CONCAT, [Expr::text(&long), Expr::text(&long)]);
    let chosen = Case::when(&equal("a", "1"), &value).or_null();
    let select = Select::new([Item::named(chosen, "c")], table("t")).in_lines();
    let query = Query::from(
        select.filtered(equal("a", &long)).filtered(Expr::all(vec![equal("b", &long), equal("c", &long)])),
    );
    let text = query.print("\r\n\t");
    let expected = format!(
        "SELECT
  CASE
    WHEN `a` = '1'
      THEN concat(
        '{long}',
        '{long}'
      )
  END AS `c`
FROM `db`.`t`
WHERE `a` = '{long}'
  AND `b` = '{long}'
  AND `c` = '{long}'"
    );
    assert_eq!(text, expected.replace('\n', "\r\n\t"));
    assert_eq!(text.replace("\r\n\t", "\n"), query.print("\n"));
}

#[test]
fn tables_and_views() {
    let name = |name: &str| TableName { database: None, table: Identifier::new(name) };
    let column = |name: &str| ColumnDefinition { name: Identifier::new(name), hive_type: "int".into() };
    let property = |value: &str| Property { name: "p".into(), value: value.into() };
    let handler = Storage::Handler {
        class: "a.B".into(),
        serde_property: property("1"),
        table_properties: vec![property("it's"), property("2")],
    };
    let table = |external, partitioned_by, storage| {
        Statement::CreateTable(CreateTable {
            name: name("t"),
            external,
            columns: vec![column("a"), column("b")],
            partitioned_by,
            storage,
        })
    };
    let query = Query::from(Select::new(columns(1), Relation::Table(name("t"))));
    let statements = [
        Statement::CreateDatabase(Identifier::new("db")),
        table(true, Vec::new(), handler),
        table(false, vec![column("c"), column("d")], Storage::Format("ORC".into())),
        Statement::CreateView(CreateView { name: name("v"), query: query.clone() }),
        Statement::Query(query.clone()),
        Statement::Query(query),
    ];
    assert_eq!(
        print(&statements, "\n"),
        r"CREATE DATABASE IF NOT EXISTS `db`;
CREATE EXTERNAL TABLE IF NOT EXISTS `t` (
  `a` int,
  `b` int
)
STORED BY 'a.B'
WITH SERDEPROPERTIES ('p' = '1')
TBLPROPERTIES ('p' = 'it\'s',
  'p' = '2');
CREATE TABLE IF NOT EXISTS `t` (
  `a` int,
  `b` int
)
PARTITIONED BY (`c` int, `d` int)
STORED AS ORC;
CREATE VIEW IF NOT EXISTS `v` AS
SELECT `column_1`
FROM `t`;
SELECT `column_1`
FROM `t`;

SELECT `column_1`
FROM `t`;"
    );
}
