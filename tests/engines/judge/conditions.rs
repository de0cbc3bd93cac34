//! Random conditions over columns of all types. Most of them compile in every Hive, and one value in ten has another kind than its
//! place asks for.

use super::random::Random;
use super::samples::{COUNTS, DAYS, NUMBER_TEXTS, NUMBERS, PATTERNS, TEXTS, TIMES, quoted};

/// The columns, with their types in Hive.
pub(crate) const COLUMNS: [(&str, &str); 18] = [
    ("b", "boolean"),
    ("y", "tinyint"),
    ("h", "smallint"),
    ("i", "int"),
    ("j", "int"),
    ("l", "bigint"),
    ("f", "float"),
    ("x", "double"),
    ("n", "decimal(10,2)"),
    ("m", "decimal(20,0)"),
    ("s", "string"),
    ("r", "string"),
    ("v", "varchar(10)"),
    ("c", "char(8)"),
    ("d", "date"),
    ("e", "date"),
    ("t", "timestamp"),
    ("k", "binary"),
];

/// The columns for `lab typed` and `lab values`.
pub(crate) fn declared() -> String {
    COLUMNS.map(|(name, hive_type)| format!("{name} {hive_type}")).join(", ")
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Number,
    Text,
    Day,
    Time,
    Truth,
}

const KINDS: [Kind; 5] = [Kind::Number, Kind::Text, Kind::Day, Kind::Time, Kind::Truth];

pub(crate) struct Maker {
    random: Random,
}

impl Maker {
    pub fn new(seed: u64) -> Self {
        Maker { random: Random::new(seed) }
    }

    pub fn condition(&mut self) -> String {
        let depth = self.random.below(4);
        self.truth(depth)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit)
    }

    fn pick<'t>(&mut self, all: &[&'t str]) -> &'t str {
        self.random.pick(all)
    }

    fn truth(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.comparison(0);
        }
        let inner = depth - 1;
        match self.below(12) {
            0..=2 => format!("{} AND {}", self.arm(inner), self.arm(inner)),
            3 | 4 => format!("{} OR {}", self.arm(inner), self.arm(inner)),
            5 => format!("{} OR {} OR {}", self.arm(inner), self.arm(inner), self.arm(inner)),
            6 => format!("NOT {}", self.arm(inner)),
            _ => self.comparison(depth),
        }
    }

    fn arm(&mut self, depth: usize) -> String {
        format!("({})", self.truth(depth))
    }

    fn comparison(&mut self, depth: usize) -> String {
        const OPERATORS: [&str; 10] = ["=", "=", "<", "<=", ">", ">=", "<>", "!=", "<=>", "=="];
        let kind = self.random.pick(&KINDS);
        let value = self.value(kind, depth);
        let not = self.pick(&["", "NOT "]);
        match self.below(20) {
            0..=5 => format!("{value} {} {}", self.pick(&OPERATORS), self.constant(kind)),
            6 | 7 => format!("{} {} {value}", self.constant(kind), self.pick(&OPERATORS)),
            8 | 9 => format!("{value} {} {}", self.pick(&OPERATORS), self.value(kind, depth)),
            10 | 11 => format!("{value} {not}BETWEEN {} AND {}", self.constant(kind), self.constant(kind)),
            12..=14 => {
                let count = 1 + self.below(4);
                let list: Vec<String> = (0..count).map(|_| self.constant(kind)).collect();
                format!("{value} {not}IN ({})", list.join(", "))
            }
            15 => format!("{value} IS {not}NULL"),
            16 => {
                let pattern = self.pick(&["'a%'", "'_b%'", "'%c'", "'2020%'", "''", "'x\\\\%'"]);
                format!("{} {not}LIKE {pattern}", self.value(Kind::Text, depth))
            }
            17 => format!(
                "{} {not}RLIKE {}",
                self.value(Kind::Text, depth),
                self.pick(&["'^a'", "'[0-9]+'", "'2020.*'"])
            ),
            18 => {
                let other = self.value(Kind::Text, 0);
                let row =
                    |maker: &mut Self| format!("({}, {})", maker.constant(kind), maker.constant(Kind::Text));
                format!("({value}, {other}) {not}IN ({}, {})", row(self), row(self))
            }
            _ => self.value(Kind::Truth, depth),
        }
    }

    fn value(&mut self, kind: Kind, depth: usize) -> String {
        let kind = if self.below(10) == 0 { self.random.pick(&KINDS) } else { kind };
        if depth == 0 || self.below(3) == 0 {
            return if self.below(6) == 0 { self.constant(kind) } else { self.column(kind).into() };
        }
        let depth = depth - 1;
        if self.below(5) == 0 {
            return self.choice(kind, depth);
        }
        match kind {
            Kind::Number => self.number(depth),
            Kind::Text => self.text(depth),
            Kind::Day => self.day(depth),
            Kind::Time => self.time(depth),
            Kind::Truth => self.arm(depth),
        }
    }

    fn column(&mut self, kind: Kind) -> &'static str {
        match kind {
            Kind::Number => self.pick(&["y", "h", "i", "i", "j", "l", "l", "f", "x", "n", "m"]),
            Kind::Text => self.pick(&["s", "s", "r", "v", "c"]),
            Kind::Day => self.pick(&["d", "d", "e"]),
            Kind::Time => "t",
            Kind::Truth => "b",
        }
    }

    fn constant(&mut self, kind: Kind) -> String {
        match (kind, self.below(8)) {
            (_, 0) => self.pick(&["NULL", "5", "'5'", "'2020-04-06'", "'abc'", "1.5", "TRUE"]).into(),
            (Kind::Number, 1 | 2) => quoted(self.pick(&NUMBER_TEXTS)),
            (Kind::Number, _) => self.pick(&NUMBERS).into(),
            (Kind::Text, 1) => quoted(self.pick(&NUMBER_TEXTS)),
            (Kind::Text, _) => quoted(self.pick(&TEXTS)),
            (Kind::Day, 1..=3) => quoted(self.pick(&DAYS)),
            (Kind::Day, 4) => quoted(self.pick(&TIMES)),
            (Kind::Day, _) => format!("DATE '{}'", self.pick(&DAYS)),
            (Kind::Time, 1 | 2) => quoted(self.pick(&TIMES)),
            (Kind::Time, 3) => quoted(self.pick(&DAYS)),
            (Kind::Time, _) => format!("TIMESTAMP '{}'", self.pick(&TIMES)),
            (Kind::Truth, _) => self.pick(&["TRUE", "FALSE"]).into(),
        }
    }

    /// A value of one of several.
    fn choice(&mut self, kind: Kind, depth: usize) -> String {
        let (a, b) = (self.value(kind, depth), self.value(kind, depth));
        let constant = self.constant(kind);
        match self.below(8) {
            0 => format!("coalesce({a}, {b})"),
            1 => format!("coalesce({a}, {b}, {constant})"),
            2 => format!("nvl({a}, {constant})"),
            3 => format!("if({}, {a}, {constant})", self.truth(depth)),
            4 => format!("CASE WHEN {} THEN {a} ELSE {b} END", self.truth(depth)),
            5 => format!("CASE {a} WHEN {constant} THEN {b} WHEN {} THEN {a} END", self.constant(kind)),
            6 => format!("nullif({a}, {constant})"),
            _ => format!("{}({a}, {b})", self.pick(&["greatest", "least"])),
        }
    }

    fn number(&mut self, depth: usize) -> String {
        let kind = |index| [Kind::Number, Kind::Text, Kind::Day, Kind::Time][index];
        match self.below(20) {
            0..=4 => {
                let operator = self.pick(&["+", "-", "*", "/", "%", "DIV", "&", "|"]);
                format!(
                    "({} {operator} {})",
                    self.value(Kind::Number, depth),
                    self.value(Kind::Number, depth)
                )
            }
            5 => format!("-{}", self.column(Kind::Number)),
            6 => format!(
                "{}({})",
                self.pick(&["abs", "floor", "ceil", "sign", "sqrt", "negative", "exp", "ln"]),
                self.value(Kind::Number, depth)
            ),
            7 => format!("round({}, {})", self.value(Kind::Number, depth), self.pick(&["0", "1", "2", "-1"])),
            8 => format!("pmod({}, {})", self.value(Kind::Number, depth), self.pick(&["7", "16", "100L"])),
            9 | 10 => {
                format!("{}({})", self.pick(&["length", "ascii", "crc32"]), self.value(Kind::Text, depth))
            }
            11 | 12 => {
                let time = self.below(2);
                format!(
                    "{}({})",
                    self.pick(&[
                        "year",
                        "month",
                        "day",
                        "dayofmonth",
                        "quarter",
                        "weekofyear",
                        "dayofweek",
                        "hour",
                        "minute",
                        "second"
                    ]),
                    self.value(kind(2 + time), depth)
                )
            }
            13 => format!("datediff({}, {})", self.value(Kind::Day, depth), self.value(Kind::Day, depth)),
            14 => format!("unix_timestamp({})", self.value(Kind::Time, depth)),
            15 => format!("instr({}, {})", self.value(Kind::Text, depth), self.constant(Kind::Text)),
            16 => {
                format!("months_between({}, {})", self.value(Kind::Day, depth), self.value(Kind::Day, depth))
            }
            17 => format!("hash({})", self.value(Kind::Text, depth)),
            _ => {
                let from = self.below(2);
                let types = [
                    "tinyint",
                    "smallint",
                    "int",
                    "bigint",
                    "float",
                    "double",
                    "decimal(10,2)",
                    "decimal(12,0)",
                    "decimal",
                ];
                format!("cast({} AS {})", self.value(kind(from), depth), self.pick(&types))
            }
        }
    }

    fn text(&mut self, depth: usize) -> String {
        let text = self.value(Kind::Text, depth);
        match self.below(20) {
            0 | 1 => format!("concat({text}, {})", self.value(Kind::Text, depth)),
            2 => format!("concat({text}, '_', {})", self.value(Kind::Number, depth)),
            3 => format!("({text} || {})", self.value(Kind::Text, depth)),
            4 => format!("concat_ws('-', {text}, {})", self.value(Kind::Text, depth)),
            5 | 6 => format!(
                "{}({text})",
                self.pick(&[
                    "upper", "lower", "trim", "ltrim", "rtrim", "reverse", "ucase", "initcap", "md5", "sha1"
                ])
            ),
            7 | 8 => format!("substr({text}, {})", self.pick(&["1, 4", "2", "-2", "0, 3", "length(s)"])),
            9 => format!("{}({text}, 10, '0')", self.pick(&["lpad", "rpad"])),
            10 => format!("replace({text}, 'a', 'b')"),
            11 => format!("regexp_replace({text}, '-', '')"),
            12 => format!("regexp_extract({text}, '([0-9]+)', 1)"),
            13 => format!("split({text}, '_')[{}]", self.pick(&["0", "1"])),
            14 => format!("date_format({}, {})", self.value(Kind::Day, depth), quoted(self.pick(&PATTERNS))),
            15 => format!(
                "from_unixtime({}, {})",
                self.pick(&["l", "cast(i AS bigint)", "0"]),
                quoted(self.pick(&PATTERNS))
            ),
            16 => format!("{}({})", self.pick(&["hex", "bin"]), self.pick(&["l", "i", "y"])),
            _ => {
                let kind = self.random.pick(&KINDS);
                format!(
                    "cast({} AS {})",
                    self.value(kind, depth),
                    self.pick(&["string", "varchar(5)", "char(4)"])
                )
            }
        }
    }

    fn day(&mut self, depth: usize) -> String {
        let kind = self.random.pick(&[Kind::Day, Kind::Day, Kind::Time]);
        let day = self.value(kind, depth);
        match self.below(14) {
            0 | 1 => format!("to_date({day})"),
            2 | 3 => format!("{}({day}, {})", self.pick(&["date_add", "date_sub"]), self.pick(&COUNTS)),
            4 => format!("date_add({day}, {})", self.pick(&["i", "y", "length(s)"])),
            5 => format!("last_day({day})"),
            6 => format!("trunc({day}, {})", self.pick(&["'MM'", "'YYYY'", "'Q'"])),
            7 => format!("add_months({day}, {})", self.pick(&["1", "-12", "i"])),
            8 => format!("next_day({day}, 'MO')"),
            9 => format!(
                "({day} {} INTERVAL '1' {})",
                self.pick(&["+", "-"]),
                self.pick(&["DAY", "MONTH", "YEAR"])
            ),
            10 => "current_date".into(),
            11 => format!("date_sub(current_date, {})", self.pick(&["1", "7"])),
            _ => format!(
                "cast({} AS date)",
                self.value(if depth.is_multiple_of(2) { Kind::Text } else { Kind::Time }, depth)
            ),
        }
    }

    fn time(&mut self, depth: usize) -> String {
        match self.below(8) {
            0 => "current_timestamp".into(),
            1 => format!("to_utc_timestamp({}, 'UTC')", self.value(Kind::Time, depth)),
            2 => format!("from_utc_timestamp({}, 'Asia/Shanghai')", self.value(Kind::Time, depth)),
            3 | 4 => format!(
                "({} {} INTERVAL '2' {})",
                self.value(Kind::Time, depth),
                self.pick(&["+", "-"]),
                self.pick(&["HOUR", "MINUTE", "SECOND", "DAY", "MONTH"])
            ),
            _ => {
                let kind = self.random.pick(&[Kind::Text, Kind::Day, Kind::Number]);
                format!("cast({} AS timestamp)", self.value(kind, depth))
            }
        }
    }
}
