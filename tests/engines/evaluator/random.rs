//! Random conditions of the whole dialect, each as written for saltplan and, if Hive has the form, as written
//! for Hive.

/// Small pseudo-random numbers that are always the same.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}

/// A condition or a value.
#[derive(Debug, Clone)]
pub struct Made {
    /// For saltplan.
    pub asked: String,
    /// For Hive; `None` if only saltplan defines the meaning.
    pub of_hive: Option<String>,
    /// Whether the oracle supports all its forms.
    pub is_evaluated: bool,
}

impl Made {
    /// The same for both.
    fn plain(text: impl Into<String>) -> Self {
        let text = text.into();
        Made { of_hive: Some(text.clone()), asked: text, is_evaluated: true }
    }

    fn unevaluated(mut self) -> Self {
        self.is_evaluated = false;
        self
    }

    /// A template with its `?`s filled in.
    fn of(template: &str, parts: &[&Made]) -> Self {
        Made::two(template, Some(template), parts)
    }

    fn two(asked: &str, of_hive: Option<&str>, parts: &[&Made]) -> Self {
        let texts: Option<Vec<&str>> = parts.iter().map(|part| part.of_hive.as_deref()).collect();
        Made {
            asked: filled(asked, &parts.iter().map(|part| part.asked.as_str()).collect::<Vec<_>>()),
            of_hive: of_hive.zip(texts).map(|(template, texts)| filled(template, &texts)),
            is_evaluated: parts.iter().all(|part| part.is_evaluated),
        }
    }
}

/// `?` is the next part; a digit from `1` to `9` after `?` selects that part.
fn filled(template: &str, parts: &[&str]) -> String {
    let mut text = String::new();
    let mut next = 0;
    let mut chars = template.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '?' {
            text.push(c);
            continue;
        }
        match chars.next_if(char::is_ascii_digit) {
            Some(digit) => text.push_str(parts[digit as usize - '1' as usize]),
            None => {
                text.push_str(parts[next]);
                next += 1;
            }
        }
    }
    text
}

const OPERATORS: [&str; 6] = ["=", "<", "<=", ">", ">=", "<>"];

/// The constants for comparisons with texts: those of the rows, and similar ones.
const TEXTS: [&str; 40] = [
    "",
    " ",
    "a",
    "A",
    "ab",
    "a%b",
    "a_b",
    "a\\b",
    "\\",
    "\\%",
    "\\_",
    "it's",
    "\"q\"",
    "é",
    "ß",
    "😀x",
    "a\nb",
    "\tb",
    "0",
    "5",
    "05",
    " 5",
    "5 ",
    "5.0",
    "-5",
    "+5",
    "5e0",
    "5d",
    "1.50",
    "99999999999999999999",
    "NaN",
    "2020-04-06",
    "2020-04-06 10:20:30",
    "20200406",
    "2020-4-6",
    "2020-02-31",
    "true",
    "x;--",
    "${a}",
    "%",
];
const PATTERNS: [&str; 28] = [
    "",
    "%",
    "_",
    "a%",
    "%b",
    "%a%",
    "a_b",
    "a\\_b",
    "a\\%b",
    "\\%",
    "\\\\",
    "\\\\%",
    "%\\",
    "_\\_",
    "5%",
    "2020%",
    "%é%",
    "_x",
    "it's",
    "%'%",
    "a%b",
    "__",
    "\\",
    "a\\b",
    "-%",
    "%0",
    "2020-0_-%",
    "A",
];
const REGEXES: [&str; 24] = [
    "a",
    "^a",
    "b$",
    "^a.b$",
    "a|5",
    "^(a|5)",
    "[0-9]+",
    "^[0-9]{8}$",
    "\\d",
    "\\\\",
    "\\.",
    "é",
    "^$",
    "",
    "a\\\\b",
    ".",
    "^.$",
    "(?i)A",
    "^2020",
    "\\s",
    "\\\\%",
    "'",
    "^\\w+$",
    "x*",
];
const NUMBERS: [&str; 26] = [
    "0",
    "5",
    "-5",
    "1",
    "-1",
    "7",
    "42",
    "127",
    "-128",
    "9999",
    "2147483647",
    "-2147483648",
    "2147483648",
    "9223372036854775807",
    "20200406",
    "5L",
    "5S",
    "5Y",
    "5.0",
    "1.5",
    "5.5",
    "-1.5",
    "1.50BD",
    "1e1",
    "99999999999999999999",
    "1583650800",
];
/// Which the oracle reads like the planner.
const DATES: [&str; 8] = [
    "2020-04-06",
    "2020-02-29",
    "2020-04-05",
    "9999-12-31",
    "1969-12-31",
    "1600-03-01",
    "2020-03-08",
    "2021-12-31",
];
const TIMES: [&str; 7] = [
    "2020-04-06 10:20:30",
    "2020-04-06 00:00:00",
    "2020-04-06 10:20:30.5",
    "1969-12-31 23:59:59",
    "2020-11-01 01:30:00",
    "2020-03-08 03:30:00",
    "9999-12-31 23:59:59",
];

pub struct Maker {
    pub random: Random,
    /// How many levels of operators may still be nested.
    depth: usize,
}

impl Maker {
    pub fn new(seed: u64) -> Self {
        Maker { random: Random(seed), depth: 0 }
    }

    fn inside<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        let made = make(self);
        self.depth -= 1;
        made
    }

    /// A condition: connectives, and below them conditions of all kinds.
    pub fn condition(&mut self) -> Made {
        if self.depth < 3 && self.random.below(10) < 3 {
            return self.inside(|maker| match maker.random.below(9) {
                0..=2 => {
                    let (a, b) = (maker.condition(), maker.condition());
                    Made::of("(?) AND (?)", &[&a, &b])
                }
                3..=5 => {
                    let (a, b) = (maker.condition(), maker.condition());
                    Made::of("(?) OR (?)", &[&a, &b])
                }
                6 | 7 => {
                    let a = maker.condition();
                    if maker.random.one_in(4) {
                        Made::two("! (?)", Some("NOT (?)"), &[&a]).unevaluated()
                    } else {
                        Made::of("NOT (?)", &[&a])
                    }
                }
                _ => {
                    let a = maker.condition();
                    if maker.random.one_in(2) { is_not_null(&a) } else { is_null(&a) }
                }
            });
        }
        self.leaf()
    }

    fn leaf(&mut self) -> Made {
        match self.random.below(30) {
            0..=5 => self.comparison(),
            6..=8 => self.list(),
            9..=11 => self.between(),
            12..=14 => self.like(),
            15 | 16 => self.rlike(),
            17 | 18 => self.null_test(),
            19 => self.truth_test(),
            20 | 21 => self.null_safe(),
            22 | 23 => self.row_of_values(),
            24 => self.flag(),
            25..=28 => self.time_of_key(),
            _ => self.choice(),
        }
    }

    fn comparison(&mut self) -> Made {
        let operator = self.operator();
        let (a, b) = self.pair();
        Made::of(&format!("? {operator} ?"), &[&a, &b])
    }

    fn operator(&mut self) -> &'static str {
        match self.random.below(12) {
            0 => "==",
            1 => "!=",
            _ => self.random.pick(&OPERATORS),
        }
    }

    /// Two compared values: usually of the same kind, often with a constant.
    fn pair(&mut self) -> (Made, Made) {
        let (a, b) = match self.random.below(20) {
            0..=5 => (self.text(), self.text_constant()),
            6 => (self.text(), self.text()),
            7..=11 => (self.number(), self.number_constant()),
            12 => (self.number(), self.number()),
            // Values of different kinds.
            13 => {
                // A text that is not a number gives FALSE or NULL, depending on column and version.
                let text = if self.random.one_in(2) {
                    Made::plain(self.random.pick(&["'5'", "'-5'", "'20200406'", "'0'"]))
                } else {
                    self.text_constant().unevaluated()
                };
                (self.number_column(), text)
            }
            14 => (self.text_column(), self.number_constant()),
            15 => (self.date(), self.date_constant()),
            16 => (self.date(), self.text_of_time()),
            17 => (self.time(), self.time_constant()),
            18 => (self.time(), self.text_of_time()),
            _ => {
                let (a, b) = (self.date(), self.time());
                if self.random.one_in(2) { (a, b) } else { (self.time(), self.date_constant()) }
            }
        };
        if self.random.one_in(4) { (b, a) } else { (a, b) }
    }

    fn list(&mut self) -> Made {
        let not = if self.random.one_in(3) { "NOT " } else { "" };
        let count = 1 + self.random.below(4);
        let (value, mut constants): (Made, Vec<Made>) = match self.random.below(8) {
            0..=2 => (self.text(), (0..count).map(|_| self.text_constant()).collect()),
            3..=5 => (self.number(), (0..count).map(|_| self.number_constant()).collect()),
            6 => (self.date(), (0..count).map(|_| self.date_constant()).collect()),
            // Compared as numbers or as texts, depending on the version.
            _ => (self.number_column().unevaluated(), (0..count).map(|_| self.text_constant()).collect()),
        };
        if self.random.one_in(4) {
            constants.push(Made::plain("NULL"));
        }
        if self.random.one_in(4) {
            constants.push(constants[0].clone());
        }
        // Hive 3 finds no text in a list that starts with NULL, so it gets the form that saltplan writes.
        let nulls = constants.iter().take_while(|constant| constant.asked == "NULL").count();
        let holes = |order: &mut dyn Iterator<Item = usize>| {
            order.map(|place| format!("?{}", place + 2)).collect::<Vec<_>>().join(", ")
        };
        let as_asked = holes(&mut (0..constants.len()));
        let of_hive = holes(&mut (nulls..constants.len()).chain(0..nulls));
        let mut parts = vec![&value];
        parts.extend(&constants);
        let list = |items: &str| format!("?1 {not}IN ({items})");
        Made::two(&list(&as_asked), Some(&list(&of_hive)), &parts)
    }

    fn between(&mut self) -> Made {
        let not = if self.random.one_in(3) { "NOT " } else { "" };
        let (value, low, high) = match self.random.below(9) {
            0..=2 => (self.text(), self.text_constant(), self.text_constant()),
            3..=5 => (self.number(), self.number_constant(), self.number_constant()),
            6 => (self.date(), self.date_constant(), self.date_constant()),
            7 => (self.time(), self.time_constant(), self.time_constant()),
            _ => (self.number_constant(), self.number(), self.number()),
        };
        let made = Made::of(&format!("? {not}BETWEEN ? AND ?"), &[&value, &low, &high]);
        // Below the lower bound it is FALSE or NULL, depending on the version, and in Hive 3 it varies.
        if high.asked == "NULL" { Made { of_hive: None, ..made.unevaluated() } } else { made }
    }

    fn like(&mut self) -> Made {
        let not = if self.random.one_in(3) { "NOT " } else { "" };
        let value = if self.random.one_in(6) { self.number_column().unevaluated() } else { self.text() };
        let pattern = self.random.pick(&PATTERNS);
        match self.random.below(6) {
            // Hive has no ESCAPE.
            0 => {
                let escape = self.random.pick(&["!", "\\", "a"]);
                let escape = quoted(escape, 0);
                Made::two(&format!("? {not}LIKE {} ESCAPE {escape}", quoted(pattern, 0)), None, &[&value])
            }
            1 => {
                let other = self.random.pick(&PATTERNS);
                let any = self.random.pick(&["ANY", "ALL"]);
                let made = Made::of(
                    &format!("? {not}LIKE {any} ({}, {})", quoted(pattern, 0), quoted(other, 0)),
                    &[&value],
                );
                made.unevaluated()
            }
            _ => {
                let pattern = self.literal(pattern);
                Made::of(&format!("? {not}LIKE ?"), &[&value, &pattern])
            }
        }
    }

    fn rlike(&mut self) -> Made {
        let not = if self.random.one_in(3) { "NOT " } else { "" };
        let value = self.text();
        let regex = self.random.pick(&REGEXES);
        let regex = self.literal(regex);
        let operator = self.random.pick(&["RLIKE", "REGEXP"]);
        Made::of(&format!("? {not}{operator} ?"), &[&value, &regex]).unevaluated()
    }

    fn null_test(&mut self) -> Made {
        let value = match self.random.below(4) {
            0 => self.text(),
            1 => self.number(),
            2 => self.date(),
            _ => self.time(),
        };
        // Without parentheses Hive and others parse the preceding text differently, so it is refused.
        if self.random.one_in(2) { is_not_null(&value) } else { Made::of("(?) IS NULL", &[&value]) }
    }

    fn truth_test(&mut self) -> Made {
        let inner = self.inside(Self::condition);
        let (test, truth) = self.random.pick(&[("TRUE", "TRUE"), ("FALSE", "FALSE")]);
        let asked = format!("(?) IS {test}");
        let negated = format!("(?) IS NOT {test}");
        let made = if self.random.one_in(2) {
            Made::two(&asked, Some(&format!("((?) <=> {truth})")), &[&inner])
        } else {
            Made::two(&negated, Some(&format!("(NOT ((?) <=> {truth}))")), &[&inner])
        };
        made.unevaluated()
    }

    fn null_safe(&mut self) -> Made {
        let (a, b) = self.pair();
        let b = if self.random.one_in(5) { Made::plain("NULL") } else { b };
        let made = match self.random.below(3) {
            0 => Made::of("? <=> ?", &[&a, &b]),
            1 => Made::two("? IS DISTINCT FROM ?", Some("(NOT (? <=> ?))"), &[&a, &b]),
            _ => Made::two("? IS NOT DISTINCT FROM ?", Some("(? <=> ?)"), &[&a, &b]),
        };
        made.unevaluated()
    }

    /// Rows of values: Hive does not have them and gets their expansion.
    fn row_of_values(&mut self) -> Made {
        let ((a, x), (b, y)) =
            ((self.number_column(), self.number_constant()), (self.text_column(), self.text_constant()));
        let parts = [&a, &b, &x, &y];
        match self.random.below(5) {
            0 => Made::two("(?1, ?2) = (?3, ?4)", Some("(?1 = ?3 AND ?2 = ?4)"), &parts),
            1 => Made::two("(?1, ?2) <> (?3, ?4)", Some("(NOT (?1 = ?3 AND ?2 = ?4))"), &parts),
            2 => Made::two("(?1, ?2) < (?3, ?4)", Some("(?1 < ?3 OR (?1 = ?3 AND ?2 < ?4))"), &parts),
            3 => Made::two("(?1, ?2) >= (?3, ?4)", Some("(?1 > ?3 OR (?1 = ?3 AND ?2 >= ?4))"), &parts),
            _ => {
                let (v, w) = (self.number_constant(), self.text_constant());
                let parts = [&a, &b, &x, &y, &v, &w];
                let of_hive = "((?1 = ?3 AND ?2 = ?4) OR (?1 = ?5 AND ?2 = ?6))";
                if self.random.one_in(3) {
                    Made::two(
                        "(?1, ?2) NOT IN ((?3, ?4), (?5, ?6))",
                        Some(&format!("(NOT {of_hive})")),
                        &parts,
                    )
                } else {
                    Made::two("(?1, ?2) IN ((?3, ?4), (?5, ?6))", Some(of_hive), &parts)
                }
            }
        }
    }

    fn flag(&mut self) -> Made {
        Made::plain(self.random.pick(&[
            "c_f",
            "NOT c_f",
            "c_f = TRUE",
            "c_f <> FALSE",
            "c_f = FALSE",
            "c_f IS NOT NULL",
            "c_f IN (TRUE)",
            "TRUE",
            "c_f AND TRUE",
        ]))
    }

    fn choice(&mut self) -> Made {
        let inner = self.inside(Self::condition);
        let (a, b) = (self.inside(Self::leaf), self.inside(Self::leaf));
        let made = match self.random.below(3) {
            0 => Made::of("CASE WHEN ? THEN (?) ELSE (?) END", &[&inner, &a, &b]),
            1 => Made::of("if(?, ?, ?)", &[&inner, &a, &b]),
            _ => Made::of("coalesce((?), (?))", &[&inner, &a]),
        };
        made.unevaluated()
    }

    // ---- values

    fn text(&mut self) -> Made {
        if self.depth > 2 || self.random.below(10) < 5 {
            return self.text_column();
        }
        self.inside(|maker| {
            let value = maker.text();
            let count = maker.random.below(6);
            match maker.random.below(20) {
                0 => Made::of(&format!("substr(?, {}, {count})", maker.random.below(4)), &[&value]),
                1 => Made::of(&format!("substr(?, -{})", 1 + count), &[&value]),
                2 => Made::of(
                    &format!("substring(?, -{}, {})", 1 + count, 1 + maker.random.below(4)),
                    &[&value],
                ),
                3 => Made::two(
                    &format!("left(?, {count})"),
                    Some(&format!("substr(?, 1, {count})")),
                    &[&value],
                ),
                4 => Made::two(
                    &format!("right(?, {})", count + 1),
                    // For a text with fewer UTF-16 units, Hive's result is empty.
                    Some(&format!("if(substr(?1, -{0}) = '', ?1, substr(?1, -{0}))", count + 1)),
                    &[&value],
                ),
                5 => Made::of("lower(?)", &[&value]),
                6 => Made::of("upper(?)", &[&value]),
                7 => Made::of("reverse(?)", &[&value]),
                8 => Made::of("trim(?)", &[&value]).unevaluated(),
                9 => {
                    let other = maker.text_constant();
                    Made::of("concat(?, ?)", &[&value, &other])
                }
                10 => {
                    let (other, number) = (maker.text_column(), maker.number_column());
                    Made::of("concat(?, '-', ?, ?)", &[&value, &other, &number]).unevaluated()
                }
                11 => Made::of(&format!("lpad(?, {count}, '0')"), &[&value]).unevaluated(),
                12 => Made::of(&format!("rpad(?, {count}, 'xy')"), &[&value]).unevaluated(),
                13 => Made::of("regexp_replace(?, '[a-c]', 'z')", &[&value]).unevaluated(),
                14 => {
                    let other = maker.text_constant();
                    Made::of("coalesce(?, ?)", &[&value, &other]).unevaluated()
                }
                15 => {
                    let number = maker.whole_number_column();
                    Made::of("cast(? AS string)", &[&number])
                }
                16 => {
                    let condition = maker.inside(Self::leaf);
                    let other = maker.text_constant();
                    Made::of("CASE WHEN ? THEN ? ELSE ? END", &[&condition, &value, &other]).unevaluated()
                }
                17 => {
                    let date = maker.date();
                    let pattern = maker.random.pick(&[
                        "yyyyMMdd",
                        "yyyy-MM",
                        "yyyy-MM-dd HH:mm:ss",
                        "dd.MM.yyyy",
                        "yyyyMM",
                    ]);
                    Made::of(&format!("date_format(?, '{pattern}')"), &[&date])
                }
                18 => Made::of("?1 || '!'", &[&value]).unevaluated(),
                _ => Made::of("cast(? AS string)", &[&value]),
            }
        })
    }

    fn text_column(&mut self) -> Made {
        match self.random.below(9) {
            0..=3 => Made::plain("s"),
            4..=7 => Made::plain("c_s"),
            _ => Made::plain("c_v").unevaluated(),
        }
    }

    fn text_constant(&mut self) -> Made {
        let text = self.random.pick(&TEXTS);
        match self.random.below(12) {
            0 => Made::plain("NULL"),
            1 => Made::of("concat('', ?)", &[&self.literal(text)]),
            _ => self.literal(text),
        }
    }

    /// A literal in one of its possible forms.
    fn literal(&mut self, text: &str) -> Made {
        match self.random.below(8) {
            // For saltplan two quotes are one quote; in Hive they end a literal and start another one.
            0 => Made { asked: doubled(text), of_hive: Some(quoted(text, 0)), is_evaluated: true },
            1 if text.chars().count() > 1 => {
                let half = text.char_indices().nth(1).map_or(0, |(at, _)| at);
                Made::plain(format!("{} {}", quoted(&text[..half], 0), quoted(&text[half..], 1)))
                    .unevaluated()
            }
            2 => Made::plain(quoted(text, 2)).unevaluated(),
            3 => Made::plain(quoted(text, 1)).unevaluated(),
            4 => Made::plain(quoted(text, 3)).unevaluated(),
            _ => Made::plain(quoted(text, 0)),
        }
    }

    fn number(&mut self) -> Made {
        if self.depth > 2 || self.random.below(10) < 5 {
            return self.number_column();
        }
        self.inside(|maker| {
            let value = maker.number();
            let other = if maker.random.one_in(2) { maker.number_constant() } else { maker.number_column() };
            match maker.random.below(22) {
                0 => Made::of("(? + ?)", &[&value, &other]).unevaluated(),
                1 => Made::of("(? - ?)", &[&value, &other]).unevaluated(),
                2 => Made::of("? * ?", &[&value, &other]).unevaluated(),
                3 => Made::of("(? / ?)", &[&value, &other]).unevaluated(),
                4 => Made::of("? % ?", &[&value, &other]).unevaluated(),
                5 => {
                    let (a, b) =
                        (maker.whole_number_column(), maker.random.pick(&["2", "10", "-3", "0", "7L"]));
                    Made::of(&format!("? DIV {b}"), &[&a]).unevaluated()
                }
                6 => {
                    let a = maker.whole_number_column();
                    Made::of(&format!("pmod(?, {})", maker.random.pick(&["3", "-3", "7L"])), &[&a])
                        .unevaluated()
                }
                7 => Made::of("(- ?)", &[&value]).unevaluated(),
                8 | 19 | 20 => maker.function_of_number(),
                9 => {
                    let text = maker.text();
                    Made::of("length(?)", &[&text])
                }
                10 => {
                    let text = maker.text();
                    Made::of("instr(?, 'a')", &[&text]).unevaluated()
                }
                11 => {
                    let text = maker.text();
                    let of = maker.random.pick(&["int", "bigint"]);
                    // With blanks around it, a number or NULL, depending on the version.
                    Made::of(&format!("cast(? AS {of})"), &[&text]).unevaluated()
                }
                12 => {
                    let text = maker.text();
                    let of = maker.random.pick(&["double", "decimal(10,2)", "tinyint"]);
                    Made::of(&format!("cast(? AS {of})"), &[&text]).unevaluated()
                }
                13 => {
                    let of = maker.random.pick(&["int", "bigint", "decimal(12,1)", "double"]);
                    Made::of(&format!("cast(? AS {of})"), &[&value]).unevaluated()
                }
                14 => {
                    let part = maker.random.pick(&[
                        "year",
                        "month",
                        "day",
                        "quarter",
                        "weekofyear",
                        "hour",
                        "minute",
                    ]);
                    let date = if maker.random.one_in(2) || ["hour", "minute"].contains(&part) {
                        maker.time()
                    } else {
                        maker.date()
                    };
                    Made::of(&format!("{part}(?)"), &[&date])
                }
                15 => Made::of("floor(?)", &[&value]).unevaluated(),
                16 => {
                    let (a, b) = (maker.date(), maker.date_constant());
                    Made::of("datediff(?, ?)", &[&a, &b]).unevaluated()
                }
                17 => {
                    let decimal = maker.random.pick(&["0.5", "-1.25", "2.0", "1.50BD"]);
                    let operator = maker.random.pick(&["+", "-", "*"]);
                    Made::of(&format!("(? {operator} {decimal})"), &[&maker.whole_number_column()])
                        .unevaluated()
                }
                18 => Made::of("abs(? - 5)", &[&maker.whole_number_column()]).unevaluated(),
                _ => Made::of("coalesce(?, 5)", &[&value]).unevaluated(),
            }
        })
    }

    fn function_of_number(&mut self) -> Made {
        let template = self.random.pick(&[
            "abs(?)",
            "sign(?)",
            "negative(?)",
            "round(?)",
            "int(?)",
            "bigint(?)",
            "double(?)",
            "round(?, -1)",
            "round(?, 2)",
            "round(? / 3)",
            "greatest(?, 5)",
            "least(?, 0, 7)",
            "greatest(least(?, 9), -3)",
            "cast(? AS decimal)",
            "cast(? AS decimal(12,2))",
            "cast(? AS decimal(4,1))",
        ]);
        Made::of(template, &[&self.whole_number_column()]).unevaluated()
    }

    fn number_column(&mut self) -> Made {
        match self.random.below(12) {
            0 | 1 => Made::plain("c_d"),
            2 => Made::plain("c_x").unevaluated(),
            3 => Made::plain("c_y"),
            _ => self.whole_number_column(),
        }
    }

    fn whole_number_column(&mut self) -> Made {
        Made::plain(self.random.pick(&["i", "n", "n", "c_i", "c_b"]))
    }

    fn number_constant(&mut self) -> Made {
        let number = self.random.pick(&NUMBERS);
        let plain = Made::plain(number);
        let plain =
            if number.ends_with(|c: char| c.is_ascii_alphabetic()) { plain.unevaluated() } else { plain };
        // The oracle's whole numbers are bigints, and an int overflows earlier.
        let is_last_int = ["2147483647", "-2147483648"].contains(&number);
        let moved = |template| {
            let made = Made::of(template, &[&plain]);
            if is_last_int { made.unevaluated() } else { made }
        };
        match self.random.below(14) {
            0 => Made::plain("NULL"),
            1 => moved("(? + 1)"),
            2 => moved("(? - 1)"),
            // Beyond bigint it is NULL or another number, and Hive 3 compares with the fraction.
            3 if number.len() > 19 || number.contains('.') => {
                Made::of("cast(? AS bigint)", &[&plain]).unevaluated()
            }
            3 => Made::of("cast(? AS bigint)", &[&plain]),
            _ => plain,
        }
    }

    fn date(&mut self) -> Made {
        let column = Made::plain("c_day");
        match self.random.below(10) {
            0..=4 => column,
            5 => {
                Made::of(&format!("date_add(?, {})", self.random.pick(&["1", "-30", "0", "366"])), &[&column])
            }
            6 => Made::of(&format!("date_sub(?, {})", self.random.pick(&["1", "31"])), &[&column])
                .unevaluated(),
            7 => Made::of("to_date(c_at)", &[]),
            8 => Made::of("cast(c_s AS date)", &[]),
            _ => Made::of("cast(c_at AS date)", &[]),
        }
    }

    fn date_constant(&mut self) -> Made {
        let date = self.random.pick(&DATES);
        match self.random.below(8) {
            0 => Made::plain(format!("cast('{date}' AS date)")),
            1 => Made::plain(format!("to_date('{date}')")),
            2 => Made::plain(format!("date_add('{date}', 1)")),
            3 => Made::plain("NULL"),
            _ => Made::plain(format!("DATE '{date}'")),
        }
    }

    fn time(&mut self) -> Made {
        let column = Made::plain("c_at");
        match self.random.below(8) {
            0 => Made::plain("cast(c_s AS timestamp)"),
            1 => Made::plain("cast(c_day AS timestamp)"),
            _ => column,
        }
    }

    fn time_constant(&mut self) -> Made {
        let time = self.random.pick(&TIMES);
        match self.random.below(5) {
            0 => Made::plain(format!("cast('{time}' AS timestamp)")),
            _ => Made::plain(format!("TIMESTAMP '{time}'")),
        }
    }

    fn text_of_time(&mut self) -> Made {
        let text = if self.random.one_in(2) { self.random.pick(&DATES) } else { self.random.pick(&TIMES) };
        let text = if self.random.one_in(6) { self.random.pick(&TEXTS) } else { text };
        Made::plain(quoted(text, 0))
    }

    /// Dates and instants of the key, which have no column in Hive: saltplan defines their meaning.
    fn time_of_key(&mut self) -> Made {
        let operator = self.random.pick(&OPERATORS);
        let field = self.random.pick(&["day", "at", "ts"]);
        let constant = match (field, self.random.below(7)) {
            ("day", 0) => self.random.pick(&["20200406", "20200405", "20191231"]).to_string(),
            ("day", 1) => {
                self.random.pick(&["'20200406'", "'20200229'", "'202004'", "'20200231'"]).to_string()
            }
            ("at", 0) => self.random.pick(&["20200406102030", "20200406000000"]).to_string(),
            ("at", 1) => self.random.pick(&["'20200406102030'", "'20200406'", "'2020040610'"]).to_string(),
            ("ts", 0) => self.random.pick(&["1586168430000", "0", "1604208600000"]).to_string(),
            ("ts", 1) => "'1586168430000'".to_string(),
            (_, 2) => self.date_constant().asked,
            (_, 3) => format!("TIMESTAMP '{}'", self.random.pick(&TIMES[..6])),
            (_, 4) => format!("'{}'", self.random.pick(&DATES)),
            _ => format!("'{}'", self.random.pick(&TIMES[..6])),
        };
        let date = self.random.pick(&DATES);
        let days = self.random.pick(&[0, 1, -1, 30, 366]);
        let text = match self.random.below(11) {
            0..=3 => format!("{field} {operator} {constant}"),
            8 => format!("date_add({field}, {days}) {operator} '{date}'"),
            9 => format!("datediff({field}, '{date}') {operator} {days}"),
            10 => format!("datediff(DATE '{date}', date_sub({field}, 3)) {operator} {days}"),
            4 => format!("to_date({field}) {operator} '{date}'"),
            5 => format!("year({field}) {operator} {}", &date[..4]),
            6 => format!("date_format({field}, 'yyyy-MM') {operator} '{}'", &date[..7]),
            _ if field == "ts" => format!("cast(ts AS date) {operator} DATE '{date}'"),
            _ => format!("substr({field}, 1, 6) {operator} '202004'"),
        };
        Made { asked: text, of_hive: None, is_evaluated: true }
    }
}

/// Hive 3 reads IS NULL after NOT as a negation of the test, and cannot compare a CASE by `<=>`.
fn is_null(value: &Made) -> Made {
    let of_hive =
        match (value.asked.contains("NOT") || value.asked.contains('!'), value.asked.contains("CASE")) {
            (false, _) => Some("(?) IS NULL"),
            (true, false) => Some("((?) <=> NULL)"),
            (true, true) => None,
        };
    Made::two("(?) IS NULL", of_hive, &[value])
}

/// Hive 3 reads a NULL test of a cast as a test of its operand, so it gets the form that saltplan writes.
fn is_not_null(value: &Made) -> Made {
    let of_hive = match (value.asked.contains("cast("), value.asked.contains("CASE")) {
        (false, _) => Some("(?) IS NOT NULL"),
        (true, false) => Some("(NOT ((?) <=> NULL))"),
        (true, true) => None,
    };
    Made::two("(?) IS NOT NULL", of_hive, &[value])
}

/// A Hive literal: in single quotes, in double quotes, with octal escapes, with letter escapes.
fn quoted(text: &str, form: usize) -> String {
    match form {
        1 => format!("\"{}\"", escaped(text).replace('"', "\\\"")),
        2 => {
            let octal = text
                .chars()
                .map(|c| if c.is_ascii() { format!("\\{:03o}", u32::from(c)) } else { c.to_string() });
            format!("'{}'", octal.collect::<String>())
        }
        3 => {
            let hex = text.chars().map(|c| match u32::from(c) {
                code if code <= 0xFFFF => format!("\\u{code:04x}"),
                _ => c.to_string(),
            });
            format!("'{}'", hex.collect::<String>())
        }
        _ => format!("'{}'", escaped(text).replace('\'', "\\'")),
    }
}

fn doubled(text: &str) -> String {
    format!("'{}'", escaped(text).replace('\'', "''"))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t")
}
