use crate::rule::{Detector, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP503",
    name: "partition-type",
    severity: Severity::Error,
    summary: "A partition or a target column has a type that cannot represent the values of its key field.",
    why: "\
`varchar(4)` makes all days of a year the same value, `float` a day and its neighbour, `boolean` all days: an INSERT
OVERWRITE of two days then replaces the partition of other days. `20200406` is not a `smallint` and becomes NULL, a row
of `__HIVE_DEFAULT_PARTITION__`. The metastore compares a `date` only as yyyy-MM-dd. A `char` that is too wide puts
blanks into the path, and the partition is never found again. docs/schema.md lists the types of every kind of field.
Reported by the loader.",
    learned: "\
HIVE-27827, in the review of its change: the metastore looks for dates as uuuu-MM-dd; Hive wiki, LanguageManual DDL; measured in
Hive 2.3.9 and 3.1.3: the path of a char(10) is `day=20200406  `",
    fires: "\
key:
  fields:
    - { name: site, type: string, width: 4, chars: alnum }
    - { name: day, type: date, format: yyyyMMdd }
columns: [{ name: seen, type: string, hbase: 'f:seen' }]
hive:
  target:
    table: visits
    partition: [{ name: day, type: »smallint« }]
",
    corrected: "\
key:
  fields:
    - { name: site, type: string, width: 4, chars: alnum }
    - { name: day, type: date, format: yyyyMMdd }
columns: [{ name: seen, type: string, hbase: 'f:seen' }]
hive:
  target:
    table: visits
    partition: [{ name: day, type: int }]
",
    check: Detector::Loader,
};
