//! Random conditions like those of users: computed operands combined with calendar fields and instants,
//! functions of their text, functions of their date.

use super::rows::FieldTypes;
use crate::evaluator::random::Random;

/// A condition for saltplan, and the same over the native table.
pub struct Made {
    pub asked: String,
    pub of_hive: String,
}

impl Made {
    /// Fills the parts in for `?`.
    fn joined(template: &str, parts: &[Made]) -> Self {
        let filled = |of: fn(&Made) -> &str| {
            let mut parts = parts.iter();
            template
                .split_inclusive('?')
                .map(|piece| match piece.strip_suffix('?') {
                    Some(before) => format!("{before}{}", parts.next().map_or("", of)),
                    None => piece.to_string(),
                })
                .collect::<String>()
        };
        Made { asked: filled(|made| &made.asked), of_hive: filled(|made| &made.of_hive) }
    }
}

const OPERATORS: [&str; 7] = ["=", "<>", "<", "<=", ">", ">=", "<=>"];

/// Values that are the stored form of `day` as a text or as a number.
const STORED_DAYS: [&str; 25] = [
    "c_text",
    "n",
    "n",
    "nvl(c_text, '20200406')",
    "nvl(n, 20200406)",
    "coalesce(c_text, '20200405')",
    "coalesce(n, 20200407)",
    "if(n > 20200405, '20200406', '20200407')",
    "if(c_day IS NULL, 20200406, n)",
    "if('x' = 'x', '20200406', '20200407')",
    "CASE WHEN b > 5 THEN '20200406' ELSE c_text END",
    "CASE n WHEN 20200406 THEN 20200405 WHEN 20200405 THEN 20200406 END",
    "concat('2020', substr(c_text, 5, 4))",
    "substr(c_text, 1, 8)",
    "trim(c_text)",
    "cast(n AS string)",
    "cast(c_text AS int)",
    "date_format(c_day, 'yyyyMMdd')",
    "regexp_replace(c_iso, '-', '')",
    "from_unixtime(unix_timestamp(c_iso, 'yyyy-MM-dd'), 'yyyyMMdd')",
    "greatest(n, 20200406)",
    "least(n, 20200406)",
    "n + 1",
    "n - 1",
    "nvl(n, '20200406')",
];
/// Values that are the stored form of `iso`.
const STORED_ISO: [&str; 12] = [
    "c_iso",
    "nvl(c_iso, '2020-04-06')",
    "coalesce(c_iso, '2020-04-05')",
    "if(n > 20200405, '2020-04-06', c_iso)",
    "concat('2020-', '04-06')",
    "substr(c_iso, 1, 10)",
    "concat_ws('-', substr(c_text, 1, 4), substr(c_text, 5, 2), substr(c_text, 7, 2))",
    "greatest(c_iso, '2020-04-06')",
    "CASE WHEN b > 5 THEN '2020-04-06' ELSE c_iso END",
    "'2020-04-06 12:00:00'",
    "'2020-04-06 '",
    "concat('2020-04-06', ' 00:00:00')",
];
/// Values that are the stored form of `at`.
const STORED_TIMES: [&str; 9] = [
    "c_text",
    "b",
    "nvl(c_text, '20200406102030')",
    "nvl(b, 20200406102030)",
    "concat(n, '102030')",
    "concat(regexp_replace(c_iso, '-', ''), '100000')",
    "date_format(c_time, 'yyyyMMddHHmmss')",
    "if(n > 20200405, '20200406102030', c_text)",
    "CASE WHEN b > 5 THEN '20200406000000' ELSE c_text END",
];
/// Values that are dates.
const DATES: [&str; 16] = [
    "c_day",
    "c_day",
    "to_date(c_iso)",
    "date_add(c_day, 1)",
    "date_sub(c_iso, 1)",
    "last_day(c_iso)",
    "add_months(c_iso, 1)",
    "cast(c_iso AS date)",
    "cast(c_time AS date)",
    "nvl(c_day, DATE '2020-04-06')",
    "coalesce(c_day, DATE '2020-04-05')",
    "if(n > 20200405, DATE '2020-04-06', c_day)",
    "CASE WHEN b > 5 THEN DATE '2020-04-06' ELSE c_day END",
    "next_day(c_iso, 'MO')",
    "trunc(c_iso, 'MM')",
    "date_format(c_day, 'yyyy-MM-dd')",
];
/// Values of the type DATE, each also as a constant.
const DAYS: [&str; 9] = [
    "c_day",
    "to_date(c_iso)",
    "date_add(c_day, 1)",
    "cast(c_time AS date)",
    "nvl(c_day, DATE '2020-04-06')",
    "DATE '2020-04-06'",
    "date_sub('2020-04-07', 1)",
    "cast('2020-04-05' AS date)",
    "to_date('2020-04-06 12:00:00')",
];
const TIMES: [&str; 4] = [
    "c_time",
    "cast(c_time AS timestamp)",
    "nvl(c_time, TIMESTAMP '2020-04-06 10:20:30')",
    "if(n > 20200405, TIMESTAMP '2020-04-06 00:00:00', c_time)",
];

/// Conditions on the text of a field; `$` is the field.
const OF_TEXT: [&str; 40] = [
    "substr($, 5, 2) = '04'",
    "substr($, 1, 6) = '202004'",
    "substr($, 1, 6) <= 20200406",
    "substr($, 1, 6) BETWEEN 202001 AND 20200406",
    "substr($, 1, 4) >= 202004",
    "substr($, 1, 6) >= 202004",
    "substr($, 1, 8) < 2020040612",
    "substr($, 9, 2) = '10'",
    "substr($, 7) = '06'",
    "substring($, 5) = '0406'",
    "left($, 4) = '2020'",
    "right($, 2) = '06'",
    "length($) = 8",
    "length($) > 8",
    "concat($, '') = '20200406'",
    "concat($, 'x') = concat(c_text, 'x')",
    "concat(substr($, 1, 4), '-', substr($, 5, 2)) = '2020-04'",
    "concat_ws('-', substr($, 1, 4), substr($, 5, 2), substr($, 7, 2)) = c_iso",
    "upper($) = '20200406'",
    "lower($) = c_text",
    "trim($) = c_text",
    "lpad($, 10, '0') = '0020200406'",
    "rpad($, 10, 'x') = '20200406xx'",
    "instr($, '04') = 5",
    "locate('04', $) > 0",
    "split($, '04')[0] = '2020'",
    "md5($) = md5('20200406')",
    "reverse($) LIKE '60%'",
    "$ LIKE '%0406'",
    "$ LIKE '202004%'",
    "$ NOT LIKE '%06%'",
    "$ RLIKE '^2020(04|05)'",
    "$ RLIKE '06$'",
    "$ RLIKE '^2020'",
    "instr($, '202004') = 1",
    "locate('2020', $) <> 1",
    "regexp_replace($, '04', 'x') = '2020x06'",
    "regexp_extract($, '^(....)', 1) = '2020'",
    "translate($, '0', '-') = '2-2--4-6'",
    "repeat($, 2) LIKE '%06'",
];
/// Conditions on the value of a field.
const OF_VALUE: [&str; 27] = [
    "cast($ AS int) % 100 = 6",
    "cast($ AS bigint) > 20200405",
    "cast($ AS bigint) % 100 = 30",
    "cast($ AS string) = '20200406'",
    "cast($ AS string) >= '2020-04-06 00:00:00'",
    "cast($ AS string) < '2020-04-06 00:00:00'",
    "$ >= '2020-04-06 23:59:60'",
    "cast($ AS string) LIKE '202004%'",
    "cast($ AS string) LIKE '%06'",
    "$ % 100 = 6",
    "$ + 1 = n",
    "$ + 1 > n",
    "$ - 1 > 20200404",
    "$ * 2 > 40400812",
    "floor($ / 100) = 202004",
    "pmod(cast($ AS int), 7) = 3",
    "if($ = n, 1, 0) = 1",
    "CASE $ WHEN n THEN 1 ELSE 0 END = 1",
    "CASE WHEN $ = n THEN c_text ELSE 'x' END = c_text",
    "nvl($, n) = n",
    "$ IS NOT NULL",
    "$ IN (n, 20200405)",
    "$ IN (20200405, n, 20200406)",
    "$ NOT IN (n, 20200405)",
    "$ BETWEEN n AND 20200410",
    "n BETWEEN 20200401 AND $",
    "NOT ($ = c_text)",
];
/// Conditions on the date of a field.
const OF_DATE: [&str; 78] = [
    "last_day($) = DATE '2020-04-30'",
    "last_day($) < '2020-05'",
    "last_day($) IN ('2020-04-30', '2020-02-29')",
    "last_day($) BETWEEN '2020-03-01' AND '2020-04-30'",
    "add_months($, 1) >= '2020-05-06'",
    "add_months($, -2) = '2020-02-29'",
    "add_months($, 1) > DATE '2020-05-06'",
    "add_months($, 12) < '2021-04-06'",
    "trunc($, 'Q') = '2020-04-01'",
    "trunc($, 'YY') <> '2020-01-01'",
    "trunc($, 'MM') >= DATE '2020-04-01'",
    "trunc($, 'MM') IN ('2020-04-01', 'x')",
    "next_day($, 'MO') > '2020-04-12'",
    "$ + INTERVAL '1' DAY = '2020-04-07'",
    "$ + INTERVAL '1' DAY > '2020-04-06 12:00:00'",
    "$ - INTERVAL '1' DAY >= DATE '2020-04-05'",
    "$ + INTERVAL '1' MONTH <= '2020-05-06'",
    "$ - INTERVAL '2' MONTH = DATE '2020-02-29'",
    "$ + INTERVAL '6' HOUR > '2020-04-06 05:00:00'",
    "cast($ AS timestamp) >= '2020-04-06 10:00:00'",
    "cast($ AS timestamp) = DATE '2020-04-06'",
    "cast($ AS timestamp) < '2020-04-06'",
    "year($) * 100 + month($) >= 202004",
    "year($) * 10000 + month($) * 100 + day($) BETWEEN 20200401 AND 20200406",
    "(year($) - 2000) * 100 + month($) IN (2004, 1912)",
    "year($) * 100 + quarter($) < 202002",
    "month($) * 100 + day($) = 406",
    "concat(year($), month($)) = '20204'",
    "concat(year($), month($)) = 20204",
    "concat(year($), month($), day($)) = '202046'",
    "concat(year($), lpad(month($), 2, '0')) >= '202004'",
    "concat(year($), lpad(month($), 2, '0')) < '202004'",
    "concat(year($), '-', lpad(month($), 2, '0')) = '2020-04'",
    "concat(year($), lpad(month($), 2, '0')) = 202004",
    "cast(concat(year($), lpad(month($), 2, '0')) AS int) = 202004",
    "concat(month($), '/', year($)) = '4/2020'",
    "concat(year($), 'Q', quarter($)) = '2020Q2'",
    "concat(date_format($, 'yyyy'), date_format($, 'MM')) >= '202004'",
    "date_format($, 'MMdd') BETWEEN '0401' AND '0430'",
    "quarter($) > 1",
    "quarter($) IN (1, 4)",
    "date_format(add_months($, -1), 'yyyyMM') = '202003'",
    "to_date(last_day($)) = '2020-04-30'",
    "date_sub(trunc($, 'MM'), 1) = '2020-03-31'",
    "trunc(last_day($), 'YY') = '2020-01-01'",
    "date_add(date_format($, 'yyyy-MM-dd'), 1) = '2020-04-07'",
    "year($) = 2020",
    "month($) = 4",
    "day($) = 6",
    "quarter($) = 2",
    "weekofyear($) = 15",
    "year($) * 100 + month($) = 202004",
    "concat(year($), '-', month($)) = '2020-4'",
    "datediff($, c_day) = 1",
    "datediff(c_day, $) <= 0",
    "datediff($, '2020-04-01') BETWEEN 0 AND 6",
    "date_add($, 1) = c_day",
    "date_sub($, 1) < c_day",
    "date_format($, 'yyyy-MM') = '2020-04'",
    "date_format($, 'yyyyMMdd') = c_text",
    "date_format($, 'E') = 'Mon'",
    "to_date($) = c_day",
    "to_date($) > to_date(c_iso)",
    "cast($ AS date) = c_day",
    "cast($ AS date) IN (c_day, DATE '2020-04-06')",
    "last_day($) = '2020-04-30'",
    "last_day($) = last_day(c_iso)",
    "add_months($, 1) = '2020-05-06'",
    "add_months($, -1) < c_iso",
    "trunc($, 'MM') = '2020-04-01'",
    "trunc($, 'YY') = trunc(c_iso, 'YY')",
    "next_day($, 'MO') = '2020-04-13'",
    "month(nvl($, DATE '2020-01-01')) = 4",
    "year($) = year(c_day)",
    "day($) = day(c_iso)",
    "$ IN (c_day, date_add(c_day, 1))",
    "$ BETWEEN c_day AND date_add(c_day, 2)",
    "$ BETWEEN date_sub(c_day, 400) AND c_day",
];
/// Conditions on a field in a format; `%` is that of the field.
const READ_BY_FORMAT: [&str; 7] = [
    "from_unixtime(unix_timestamp($, '%'), 'yyyy-MM-dd') = '2020-04-06'",
    "from_unixtime(unix_timestamp($, '%'), 'yyyy-MM-dd') > '2020-04-05'",
    "from_unixtime(unix_timestamp($, '%'), 'yyyyMM') = '202004'",
    "from_unixtime(unix_timestamp($, 'yyyy-MM-dd'), 'yyyyMM') = '202004'",
    "to_date(from_unixtime(unix_timestamp($, '%'))) = c_day",
    "to_date(from_unixtime(unix_timestamp($, '%'))) <= '2020-04-06'",
    "datediff(from_unixtime(unix_timestamp($, '%'), 'yyyy-MM-dd'), '2020-04-01') BETWEEN 0 AND 6",
];
const OF_INSTANT: [&str; 14] = [
    "ts = b",
    "ts <> b",
    "ts >= nvl(b, 0)",
    "ts < coalesce(b, 1586168430000)",
    "ts % 1000 = 0",
    "ts DIV 86400000 = 18358",
    "cast(ts AS string) LIKE '15861%'",
    "substr(ts, 1, 5) = '15861'",
    "concat(ts, '') = '1586168430000'",
    "ts - 1 < b",
    "ts IN (b, 0)",
    "if(ts = b, 1, 0) = 1",
    "length(cast(ts AS string)) = 13",
    "CASE WHEN b > 5 THEN b ELSE 0 END = ts",
];

/// One day in the forms in which it can be compared with a calendar field of any type.
const DAY_FORMS: [(&str, &str); 7] = [
    ("concat('2020', '0406')", "DATE '2020-04-06'"),
    ("20200406", "DATE '2020-04-06'"),
    ("'20200406'", "DATE '2020-04-06'"),
    ("'2020-04-06'", "DATE '2020-04-06'"),
    ("DATE '2020-04-06'", "DATE '2020-04-06'"),
    ("cast('2020-04-06' AS date)", "DATE '2020-04-06'"),
    ("date_sub('2020-04-07', 1)", "DATE '2020-04-06'"),
];

pub struct Maker<'a> {
    random: Random,
    types: &'a FieldTypes,
}

impl<'a> Maker<'a> {
    pub fn new(seed: u64, types: &'a FieldTypes) -> Self {
        Maker { random: Random(seed), types }
    }

    pub fn condition(&mut self) -> Made {
        match self.random.below(12) {
            0 => self.both("(?) AND (?)"),
            1 => self.both("(?) OR (?)"),
            2 => self.one("NOT (?)"),
            3 => {
                // Hive 3.1.3 reads `(NOT x) IS NULL` as `NOT (x IS NULL)`. Neither Hive version computes
                // `(CASE …) <=> NULL` correctly: it is NULL if the CASE is NULL.
                let leaf = self.leaf();
                let test =
                    if leaf.of_hive.contains("NOT") && !leaf.of_hive.contains("CASE") { "<=>" } else { "IS" };
                Made {
                    asked: format!("({}) IS NULL", leaf.asked),
                    of_hive: format!("({}) {test} NULL", leaf.of_hive),
                }
            }
            4 => self.one("if(?, 'a', 'b') = 'a'"),
            5 => self.one("CASE WHEN ? THEN 1 ELSE 0 END = 1"),
            _ => self.leaf(),
        }
    }

    fn one(&mut self, template: &str) -> Made {
        let leaf = self.leaf();
        Made::joined(template, &[leaf])
    }

    fn both(&mut self, template: &str) -> Made {
        let leaves = [self.leaf(), self.leaf()];
        Made::joined(template, &leaves)
    }

    fn leaf(&mut self) -> Made {
        let operator = self.random.pick(&OPERATORS);
        let field = self.random.pick(&["day", "day", "day", "iso", "at", "at"]);
        match self.random.below(18) {
            17 => {
                let value = self.random.pick(&DAYS);
                self.compared("moment", "", operator, value, value)
            }
            0..=2 => {
                let value = match field {
                    "day" => self.random.pick(&STORED_DAYS),
                    "iso" => self.random.pick(&STORED_ISO),
                    _ => self.random.pick(&STORED_TIMES),
                };
                self.compared(field, "", operator, value, value)
            }
            3 | 4 => {
                let value = match field {
                    "at" if self.random.below(2) == 0 => self.random.pick(&TIMES),
                    _ => self.random.pick(&DATES),
                };
                self.compared(field, "_date", operator, value, value)
            }
            5 => {
                let (asked, of_hive) = self.random.pick(&DAY_FORMS);
                self.compared("day", "_date", operator, asked, of_hive)
            }
            6 | 7 => {
                let template = self.random.pick(&OF_TEXT);
                self.of_field(template, field, "_text")
            }
            8 | 9 => {
                let template = self.random.pick(&OF_VALUE);
                self.of_field(template, field, "")
            }
            10..=12 | 15 | 16 => {
                let template = self.random.pick(&OF_DATE);
                self.of_field(template, field, "_date")
            }
            13 => {
                let format = match field {
                    "day" => "yyyyMMdd",
                    "iso" => "yyyy-MM-dd",
                    _ => "yyyyMMddHHmmss",
                };
                let template = self.random.pick(&READ_BY_FORMAT).replace('%', format);
                self.of_field(&template, field, "_text")
            }
            _ => {
                let text = self.random.pick(&OF_INSTANT).to_string();
                Made { asked: text.clone(), of_hive: text }
            }
        }
    }

    /// The field's column in the native table, in another form if its type is the stored form.
    fn column(&self, field: &str, reading: &str) -> String {
        let of = match field {
            "day" => self.types.day,
            "iso" => self.types.iso,
            "moment" => "string",
            _ => self.types.at,
        };
        if ["date", "timestamp"].contains(&of) { field.to_string() } else { format!("{field}{reading}") }
    }

    fn of_field(&self, template: &str, field: &str, reading: &str) -> Made {
        // Hive has neither `left` nor `right`.
        let of_hive =
            template.replace("left($, 4)", "substr($, 1, 4)").replace("right($, 2)", "substr($, -2)");
        Made {
            asked: template.replace('$', field),
            of_hive: of_hive.replace('$', &self.column(field, reading)),
        }
    }

    fn compared(&mut self, field: &str, reading: &str, operator: &str, asked: &str, of_hive: &str) -> Made {
        let column = self.column(field, reading);
        if self.random.below(2) == 0 {
            Made {
                asked: format!("{field} {operator} {asked}"),
                of_hive: format!("{column} {operator} {of_hive}"),
            }
        } else {
            Made {
                asked: format!("{asked} {operator} {field}"),
                of_hive: format!("{of_hive} {operator} {column}"),
            }
        }
    }
}
