use proptest::prelude::*;

use super::*;

/// The tables of a file with their columns, those of partitions behind `|`; or the message and what it marks.
fn tables_text(name: &str, text: &str) -> String {
    let source = Source::new(name, text);
    let columns =
        |columns: &[HiveColumn]| columns.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match read(&source) {
        Ok(tables) => {
            let tables = tables.iter().map(|table| {
                let partitions = match table.partition_columns.as_slice() {
                    [] => String::new(),
                    of => format!(" | {}", columns(of)),
                };
                format!("{}: {}{partitions}", table.name, columns(&table.data_columns))
            });
            tables.collect::<Vec<_>>().join("\n")
        }
        Err(fault) => {
            let place = fault.labels.first().map(|label| &text[label.span.start..label.span.end]);
            format!("{} [{}]", fault.message, place.unwrap_or("-"))
        }
    }
}

#[test]
fn hand_written() {
    let text = "
-- Two tables.
USE dim;
DROP TABLE IF EXISTS users;
CREATE EXTERNAL TABLE IF NOT EXISTS Users (
  `Id` STRING COMMENT 'a; b, c) \\' d',
  n DECIMAL(5, 2) NOT NULL DISABLE NOVALIDATE,
  `order` varchar(20) DEFAULT 'x',
  tags map<string, array<struct<a:int COMMENT 'x', `b`:decimal(3,1)>>> comment \"y\",
  p double precision,
  t timestamp with local time zone,
  primary string,
  PRIMARY KEY (id) DISABLE NOVALIDATE,
  CONSTRAINT u UNIQUE (n) DISABLE
) COMMENT 'of the people'
PARTITIONED BY (dt int COMMENT 'day', `h` tinyint)
STORED AS orc TBLPROPERTIES ('a'='b');
INSERT INTO x SELECT * FROM y WHERE a < 3;
create table other.t(a int,b array<int>);
CREATE TABLE copy LIKE users;
CREATE TABLE made AS SELECT 1 a;
CREATE TABLE avro STORED AS AVRO;
CREATE VIEW v AS SELECT 1 a;
ALTER TABLE users ADD PARTITION (dt=1, h=2);
";
    let users = "id string, n decimal(5,2), order varchar(20), tags map<string,array<struct<a:int,b:decimal(3,1)>>>, p double, t (another type), primary string | dt int, h tinyint";
    assert_eq!(
        tables_text("t.hql", text),
        format!("dim.users: {users}\nother.t: a int, b array<int>\ndim.copy: {users}")
    );
}

#[test]
fn with_a_storage_handler() {
    let text = "CREATE EXTERNAL TABLE `calls_map`(`rowkey` string, `phone` string)
ROW FORMAT SERDE 'org.apache.hadoop.hive.hbase.HBaseSerDe'
STORED BY 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
WITH SERDEPROPERTIES ('hbase.columns.mapping'=':key,f:phone#s', \"serialization.format\" = '1')
TBLPROPERTIES ('hbase.table.name' = 'calls', 'hbase.mapred.output.outputtable'='calls')";
    let table = &read(&Source::new("t", text)).unwrap()[0];
    assert!(table.is_external);
    assert_eq!(table.storage_handler.as_deref(), Some("org.apache.hadoop.hive.hbase.HBaseStorageHandler"));
    assert_eq!(table.serde_properties[0], ("hbase.columns.mapping".into(), ":key,f:phone#s".into()));
    assert_eq!(table.serde_properties.len(), 2);
    assert_eq!(table.table_properties[0], ("hbase.table.name".into(), "calls".into()));
}

#[test]
fn show_create_table() {
    let hive = "\
createtab_stmt
CREATE TABLE `default.a`(
  `id` string, 
  `n` int COMMENT 'x|y')
PARTITIONED BY ( 
  `dt` int)
ROW FORMAT SERDE 
  'org.apache.hadoop.hive.ql.io.orc.OrcSerde' 
LOCATION
  'file:/tmp/a'
TBLPROPERTIES (
  'transient_lastDdlTime'='1')
Time taken: 0.1 seconds, Fetched: 12 row(s)
OK
CREATE TABLE `default`.`b`(
  `m` map<string,int>)
";
    assert_eq!(tables_text("x", hive), "default.a: id string, n int | dt int\ndefault.b: m map<string,int>");
    let beeline = "\
0: jdbc:hive2://localhost:10000> SHOW CREATE TABLE a;
INFO  : Compiling command(queryId=x): SHOW CREATE TABLE a
+----------------------------------------------------+
|                   createtab_stmt                   |
+----------------------------------------------------+
| CREATE EXTERNAL TABLE `a`(                         |
|   `id` string COMMENT 'ü|',                        |
|   `m` map<string,int> )                            |
| STORED AS ORC                                      |
+----------------------------------------------------+
14 rows selected (0.2 seconds)
";
    assert_eq!(tables_text("x", beeline), "a: id string, m map<string,int>");
    let prompts = "hive> CREATE TABLE a (\n    > id int,\n    > m map<string,int>);\nOK\n";
    assert_eq!(tables_text("x", prompts), "a: id int, m map<string,int>");
}

#[test]
fn describe() {
    let plain = "\
id                  \tstring              \tof the phone        
n                   \tdecimal(5,2)        \t                    
dt                  \tint                 \t                    
\t \t 
# Partition Information\t \t 
# col_name            \tdata_type           \tcomment             
dt                  \tint                 \t                    
";
    let expected = "dim.users: id string, n decimal(5,2) | dt int";
    assert_eq!(tables_text("/x/dim.users.txt", plain), expected);
    assert_eq!(
        tables_text("t.txt", &format!("hive> desc Dim.Users;\nOK\n{plain}Time taken: 0.1 seconds\n")),
        expected
    );
    let headed = format!("col_name\tdata_type\tcomment\n{plain}");
    assert_eq!(tables_text("dim.users", &headed), "dim: id string, n decimal(5,2) | dt int");
    let beeline = "\
0: jdbc:hive2://localhost:10000> DESCRIBE FORMATTED `users`;
+-------------------------------+-------------+-----------+
|           col_name            |  data_type  |  comment  |
+-------------------------------+-------------+-----------+
| # col_name                    | data_type   | comment   |
|                               | NULL        | NULL      |
| id                            | string      | a         |
|                               |             | b         |
| n                             | decimal(5,2)| c|d       |
|                               | NULL        | NULL      |
| # Partition Information       | NULL        | NULL      |
| # col_name                    | data_type   | comment   |
| dt                            | int         |           |
|                               | NULL        | NULL      |
| # Detailed Table Information  | NULL        | NULL      |
| Database:                     | dim         | NULL      |
| Location:                     | file:/tmp   | NULL      |
| Table Type:                   | MANAGED_TABLE | NULL    |
+-------------------------------+-------------+-----------+
22 rows selected (0.1 seconds)
0: jdbc:hive2://localhost:10000> DESCRIBE other;
+-----------+------------+----------+
| col_name  | data_type  | comment  |
+-----------+------------+----------+
| a         | map<string,int> |     |
+-----------+------------+----------+
";
    assert_eq!(tables_text("log.txt", beeline), format!("{expected}\nother: a map<string,int>"));
    let extended = "\
a                   \tint                 \t                    
\t \t 
Detailed Table Information\tTable(tableName:t, dbName:dim, owner:x, sd:StorageDescriptor(cols:[FieldSchema(name:a, type:int)]))\t 
";
    assert_eq!(tables_text("some output", extended), "dim.t: a int");
}

#[test]
fn what_is_not_understood_is_refused_with_its_place() {
    for (text, message) in [
        ("", "`t` has no table of Hive [-]"),
        ("saltplan: 1\nhbase: { table: t }\n", "`t` has no table of Hive [-]"),
        ("SELECT 1", "`t` has no table of Hive [-]"),
        ("CREATE TABLE t (a text)", "`text` is no type of Hive: `text` is unknown [text]"),
        ("CREATE TABLE t (a)", "the type of `a` is expected, but `)` is there [)]"),
        ("CREATE TABLE t (a int,)", "a column is expected, but `)` is there [)]"),
        ("CREATE TABLE t (a int, A string)", "`t` has two columns `a` [A]"),
        ("CREATE TABLE ${db}.t (a int)", "the name of a table is expected, but `${db}` is there [${db}]"),
        ("CREATE TABLE a.b.c (a int)", "a name of at most two parts is expected, but `.` is there [.]"),
        ("CREATE TABLE t (a int", "this bracket has no matching bracket in its statement [(]"),
        (
            "CREATE TABLE t (a int);CREATE TABLE t (a int); CREATE TABLE T (b int)",
            "`t` is created twice, with other columns [T]",
        ),
        (
            "CREATE TABLE t (a int); ALTER TABLE t ADD COLUMNS (b int)",
            "the columns of `t` are changed after it was created [ADD]",
        ),
        (
            "CREATE TABLE t (a int); ALTER TABLE t CHANGE a b string",
            "the columns of `t` are changed after it was created [CHANGE]",
        ),
        ("col_name\tdata_type\na\ttext\n", "`text` is no type of Hive: `text` is unknown [text]"),
        (
            "col_name\tdata_type\na int\n",
            "a column and its type are expected, with a tab or `|` between them [a int]",
        ),
        ("col_name\tdata_type\na\tint\ncol_name\tdata_type\nb\tint\n", "`t` is described twice [b]"),
        ("CREATE TABLE t (a int)\0", "`t` has a NUL character [\0]"),
    ] {
        assert_eq!(tables_text("t", text), message, "{text}");
    }
    assert_eq!(
        tables_text("a-b.txt", "a\tint\t\n"),
        "the output of DESCRIBE does not tell the name of its table [a]"
    );
}

#[test]
fn long_files_end() {
    let columns: Vec<String> = (0..50_000).map(|at| format!("c{at} map<string,array<int>>")).collect();
    let wide = format!("CREATE TABLE t ({})", columns.join(", "));
    assert_eq!(read(&Source::new("t", wide)).unwrap()[0].data_columns.len(), 50_000);
    let many: String = (0..50_000).map(|at| format!("CREATE TABLE t{at} (a int)\n")).collect();
    assert_eq!(read(&Source::new("t", many)).unwrap().len(), 50_000);
    for deep in ["array<", "(", "CREATE ", "struct<a:", "| ", "hive> ", "> "] {
        let _ = read(&Source::new("t", format!("CREATE TABLE t (a {}", deep.repeat(50_000))));
        let _ = read(&Source::new("t", format!("a\tint\n{}", deep.repeat(50_000))));
    }
    assert!(read(&Source::new("t", "x".repeat(MAX_BYTES + 1))).unwrap_err().message.contains("limit"));
}

const WORDS: [&str; 36] = [
    "CREATE",
    "TABLE",
    "EXTERNAL",
    "VIEW",
    "IF NOT EXISTS",
    "t",
    "`d.t`",
    "d.",
    "(",
    ")",
    ",",
    "a int",
    "b",
    "map<",
    "string",
    ">",
    "array<int>",
    "COMMENT",
    "'x'",
    "PARTITIONED BY",
    "STORED BY",
    "TBLPROPERTIES",
    "=",
    ";",
    "\n",
    "\t",
    "|",
    "+--+",
    "col_name\tdata_type",
    "# Partition Information",
    "hive> DESCRIBE d.t;",
    "LIKE",
    "ALTER TABLE t",
    "ADD COLUMNS",
    "é漢",
    "Detailed Table Information",
];

proptest! {
    /// Any text is read, or refused with a place in it.
    #[test]
    fn any_text_is_read_or_refused(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..40)) {
        for between in [" ", "\n", "\t"] {
            let source = Source::new("d.t", words.join(between));
            if let Err(fault) = read(&source) {
                for label in &fault.labels {
                    prop_assert!(source.text.get(label.span.start..label.span.end).is_some());
                }
            }
        }
    }
}
