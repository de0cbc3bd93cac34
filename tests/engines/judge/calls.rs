//! Calls of the functions of the catalogue, with rows of values for their arguments.

use saltplan_law::readers::hive::{line_of, unescaped};
use saltplan_sql::functions::{self, Function, Kind, Rows};

use super::random::Random;
use super::samples;

/// This hour is left out in New York: Hive 2 reads another time.
const LEFT_OUT: &str = "2020-03-08 02:";

/// A call of a function with columns of these types: `a0`, `a1` and so on.
#[derive(Clone)]
pub(super) struct Signature {
    pub function: &'static Function,
    pub types: Vec<&'static str>,
    pub kinds: Vec<Kind>,
    /// All arguments but the first, as HiveQL, if they are constants.
    pub constants: Vec<String>,
}

impl Signature {
    /// The ways to call the functions of which the arguments are known.
    pub fn all() -> Vec<Signature> {
        let mut signatures = Vec::new();
        for function in functions::all().filter(|it| it.rows == Rows::One && it.arguments.is_known) {
            let arguments = function.arguments;
            let least = arguments.required.len();
            let most = least + arguments.optional.len() + if arguments.more.is_some() { 2 } else { 0 };
            for count in least..=most {
                let kinds: Vec<Kind> = (0..count).filter_map(|index| arguments.kind(index)).collect();
                if kinds.len() != count {
                    continue;
                }
                let rest = kinds.iter().skip(1).map(|kind| types_of(*kind)[0]);
                match kinds.first() {
                    None => signatures.push(Signature {
                        function,
                        types: Vec::new(),
                        kinds: Vec::new(),
                        constants: Vec::new(),
                    }),
                    Some(first) => signatures.extend(types_of(*first).iter().map(|first| {
                        // Values of one kind have one type, so that they have a common one.
                        let rest = rest.clone().zip(&kinds[1..]);
                        let rest =
                            rest.map(|(hive_type, kind)| if *kind == kinds[0] { *first } else { hive_type });
                        let types = [*first].into_iter().chain(rest).collect();
                        Signature { function, types, kinds: kinds.clone(), constants: Vec::new() }
                    })),
                }
            }
        }
        signatures
    }

    pub fn columns(&self) -> String {
        let columns = self.types.iter().enumerate().map(|(index, hive_type)| format!("a{index} {hive_type}"));
        columns.collect::<Vec<_>>().join(", ")
    }

    /// The same with random constants for all arguments but the first.
    pub fn with_constants(mut self, random: &mut Random) -> Self {
        self.constants = (1..self.types.len())
            .map(|index| {
                let value = unescaped(&self.value(index, random));
                match self.types[index] {
                    "int" | "double" => value,
                    "date" => format!("DATE '{value}'"),
                    "timestamp" => format!("TIMESTAMP '{value}'"),
                    "binary" => format!("unhex('{value}')"),
                    "string" => samples::quoted(&value),
                    other => format!("cast({} AS {other})", samples::quoted(&value)),
                }
            })
            .collect();
        self
    }

    pub fn call(&self) -> String {
        let argument = |index: usize| match index.checked_sub(1).and_then(|other| self.constants.get(other)) {
            Some(constant) => constant.clone(),
            None => format!("a{index}"),
        };
        let arguments: Vec<String> = (0..self.types.len()).map(argument).collect();
        format!("{}({})", self.function.name(), arguments.join(", "))
    }

    pub fn show(&self) -> String {
        let constants: String = self.constants.iter().map(|constant| format!(" {constant}")).collect();
        format!("{}({}){constants}", self.function.name(), self.types.join(", "))
    }

    /// Whether the function gives another value in the next query.
    pub fn is_volatile(&self) -> bool {
        !self.function.is_constant(self.types.len())
    }

    /// A value of an argument, as a field of a line.
    pub fn value(&self, index: usize, random: &mut Random) -> String {
        let patterns =
            self.function.is_of_times() || self.function.operation == functions::Operation::ReadSeconds;
        loop {
            let prints = self.function.operation == functions::Operation::Print;
            let cell = cell(self.types[index], self.kinds[index], patterns && index > 0, prints, random);
            let is_cut = self.types[index].starts_with("varchar") && cell.chars().count() > 30;
            let is_small = cell.len() < 6 || cell.parse::<i64>().is_err();
            if !is_cut && (is_small || self.takes_large_numbers(index)) {
                return cell;
            }
        }
    }

    /// Whether a large number here does not mean gigabytes, as it does in `repeat`, `lpad`, `round` or `factorial`.
    pub fn takes_large_numbers(&self, index: usize) -> bool {
        use functions::Operation::{AddDays, AddMonths, Other, PositiveRemainder, ShowSeconds, Substring};
        match self.function.operation {
            Substring | AddDays { .. } | AddMonths | PositiveRemainder | ShowSeconds => true,
            Other => false,
            _ => index == 0,
        }
    }
}

/// Types of columns for a kind of argument.
fn types_of(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Any => &["string", "int", "date", "binary"],
        Kind::Boolean => &["boolean"],
        Kind::Text => &["string", "varchar(30)"],
        Kind::Number => &["int", "bigint", "double", "decimal(20,5)"],
        Kind::Whole => &["int", "bigint"],
        Kind::Count => &["int"],
        Kind::Binary => &["binary"],
        Kind::Date => &["date", "timestamp", "string"],
        Kind::Time => &["timestamp", "date", "string"],
    }
}

const INTS: [&str; 16] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "5",
    "7",
    "-7",
    "12",
    "100",
    "255",
    "1000",
    "20200406",
    "2147483647",
    "-2147483647",
    "-2147483648",
];
const BIGINTS: [&str; 12] = [
    "0",
    "1",
    "-1",
    "5",
    "-12",
    "255",
    "1586131200",
    "3000000000",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775807",
    "-9223372036854775808",
];
const DOUBLES: [&str; 14] = [
    "0.0",
    "-0.0",
    "0.5",
    "1.5",
    "-1.5",
    "2.5",
    "0.1",
    "123456.789",
    "1.0E10",
    "-1.0E300",
    "1.0E-5",
    "9.007199254740993E15",
    "7.0",
    "-3.0",
];
const DECIMALS: [&str; 10] =
    ["0", "1.5", "-1.5", "2.5", "0.00001", "99999.99999", "-12345.67", "7", "-3", "999999999999999.99999"];
const BYTES: [&str; 6] = ["", "00", "61", "ff00", "e9", "f09f9880"];

fn cell(hive_type: &str, kind: Kind, is_pattern: bool, prints: bool, random: &mut Random) -> String {
    use samples::{COUNTS, DAYS, NUMBER_TEXTS, ODD_DAYS, ODD_TIMES, PATTERNS, TEXTS, TIMES, UNITS};
    // Before 1583 the calendars differ, and in 1883 Hive 2 rounds local mean time by the zone.
    let since_1583 = |day: &str| day > "1583" && day.len() >= 10 && !day.starts_with("1883");
    let day = |random: &mut Random| loop {
        let day = random.pick(&DAYS);
        if since_1583(day) {
            return day.to_string();
        }
    };
    let time = |random: &mut Random| loop {
        let time = random.pick(&TIMES);
        if since_1583(time) && !time.starts_with(LEFT_OUT) {
            return time.to_string();
        }
    };
    let text = match hive_type {
        "boolean" => random.pick(&["true", "false"]).into(),
        "int" if kind == Kind::Count || random.below(3) == 0 => random.pick(&COUNTS).into(),
        "int" => random.pick(&INTS).into(),
        "bigint" => random.pick(&BIGINTS).into(),
        "double" => random.pick(&DOUBLES).into(),
        "binary" => random.pick(&BYTES).into(),
        "date" => day(random),
        "timestamp" => time(random),
        hive_type if hive_type.starts_with("decimal") => random.pick(&DECIMALS).into(),
        // A pattern of `date_format` may name the zone; these do not.
        _ if is_pattern && (prints || random.below(2) == 0) => random.pick(&PATTERNS).into(),
        _ if is_pattern => random.pick(&UNITS).into(),
        _ if matches!(kind, Kind::Date | Kind::Time) => match random.below(8) {
            0..=3 => day(random),
            4 | 5 => time(random),
            6 => random.pick(&ODD_DAYS).into(),
            _ => random.pick(&ODD_TIMES).into(),
        },
        _ => match random.below(5) {
            0 => random.pick(&NUMBER_TEXTS).into(),
            1 => day(random),
            _ => random.pick(&TEXTS).to_string(),
        },
    };
    line_of(&text)
}

pub(super) fn line(signature: &Signature, rows: &[Vec<String>]) -> String {
    let mut line = format!("{}\t{}", signature.columns(), signature.call());
    if !signature.types.is_empty() {
        line.extend(rows.iter().flatten().flat_map(|cell| ["\t", cell]));
    }
    line
}

/// The order of two values of a type.
pub(super) fn compare(hive_type: &str, a: &str, b: &str) -> std::cmp::Ordering {
    let is_number = ["tinyint", "smallint", "int", "bigint", "float", "double", "decimal"]
        .iter()
        .any(|name| hive_type.starts_with(name));
    if !is_number {
        return a.cmp(b);
    }
    match (a.parse::<i128>(), b.parse::<i128>()) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        _ => {
            let number = |text: &str| text.parse::<f64>().unwrap_or(f64::NAN);
            number(a).partial_cmp(&number(b)).unwrap_or(std::cmp::Ordering::Equal)
        }
    }
}
