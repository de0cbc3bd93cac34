//! The rows of the suite, which are the same on every machine.

use std::fmt::Write as _;
use std::path::Path;

/// Ten days, 20200401 to 20200410.
pub const FIRST_DAY: u32 = 20_200_401;
pub const DAYS: usize = 10;

/// Every day has a different number of rows, so that rows of a wrong day change the count.
const ROWS_OF_FIRST_DAY: usize = 765;
const MORE_EACH_DAY: usize = 10;

/// The columns of the recommendation log, in the order of its tables.
pub fn columns() -> Vec<String> {
    let named = [
        "recommend_type",
        "opera_time",
        "phone_number",
        "activity_id",
        "rule_id",
        "channel_code",
        "recommend_position",
    ];
    named.iter().map(ToString::to_string).chain((1..=17).map(|n| format!("goods{n}"))).collect()
}

/// Values that break a tool that concatenates text, or a table format with separators.
const NASTY: [&str; 12] = [
    "",
    "it's",
    "say \"no\"",
    "back\\slash",
    "a;b -- c",
    "${hivevar:day} %s :day",
    "tab\tand\u{1}separators\u{2}",
    "line\nbreak\r",
    "ünïcode 漢字",
    "\u{fffe}\u{ffff}\u{10ffff}",
    " blanks ",
    "NULL",
];

pub struct Row {
    pub opera_day: u32,
    pub row_id: String,
    /// As `columns()`; an absent cell is NULL.
    pub cells: Vec<Option<String>>,
}

impl Row {
    /// In the form for `saltplan key encode`.
    pub fn json(&self) -> String {
        serde_json::json!({ "opera_day": self.opera_day.to_string(), "row_id": self.row_id }).to_string()
    }
}

pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for day in 0..DAYS {
        for number in 0..ROWS_OF_FIRST_DAY + day * MORE_EACH_DAY {
            rows.push(row(FIRST_DAY + day as u32, number));
        }
    }
    rows
}

/// As in the original design, the key is the day, then time, phone number and recommendation.
fn row(opera_day: u32, number: usize) -> Row {
    let time = format!("{:02}{:02}{:02}", number % 24, number * 7 % 60, number * 13 % 60);
    let phone = phone(number);
    let row_id = format!("{time}{phone}r{number}");
    let cells = columns()
        .iter()
        .enumerate()
        .map(|(column, name)| cell(name, column, number, &time, &phone))
        .collect();
    Row { opera_day, row_id, cells }
}

/// Three customers in turn get every fifth row, to have something to filter by.
fn phone(number: usize) -> String {
    if number.is_multiple_of(5) {
        format!("1380000000{}", number / 5 % 3)
    } else {
        format!("139{:08}", number * 7919 % 100_000_000)
    }
}

fn cell(name: &str, column: usize, number: usize, time: &str, phone: &str) -> Option<String> {
    match name {
        "recommend_type" => Some(["click", "view", "order"][number % 3].to_owned()),
        "opera_time" => Some(time.to_owned()),
        "phone_number" => Some(phone.to_owned()),
        // The others are NULL, difficult or plain, differently in every row.
        _ => match (number + column) % 11 {
            0 => None,
            1 => Some(NASTY[(number + column * 5) % NASTY.len()].to_owned()),
            _ => Some(format!("{name}_{}", number * (column + 3) % 97)),
        },
    }
}

/// Statements that create a native table, also read vectorized, from a text file that has a column for each
/// name; `selected` are the columns of the table.
pub fn native_table(table: &str, names: &[&str], file: &Path, selected: &[String]) -> String {
    let declared: Vec<String> = names.iter().map(|name| format!("`{name}` string")).collect();
    format!(
        "DROP TABLE IF EXISTS {table}_hex;
CREATE TABLE {table}_hex ({}) ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' STORED AS TEXTFILE;
LOAD DATA LOCAL INPATH '{}' INTO TABLE {table}_hex;
DROP TABLE IF EXISTS {table};
CREATE TABLE {table} STORED AS ORC AS SELECT {} FROM {table}_hex;
",
        declared.join(", "),
        file.display(),
        selected.join(", ")
    )
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
