//! Parses Hive's `SHOW CREATE TABLE` of a mapping table: its columns and their HBase cells.

use super::super::draft::{Draft, mapped_column};
use super::instead;
use super::quoted::pairs;
use crate::fault::{Fault, fault};
use saltplan_sql::hive_type::HiveType;

const HELP: &str =
    "save the output of `hive -e \"SHOW CREATE TABLE db.table\"` for the Hive table over HBase";

/// The content of the statement.
#[derive(Debug, Clone, Default)]
pub struct Mapping {
    /// The tables and the columns, with comments about those that a schema file cannot express.
    pub draft: Draft,
    /// The type of the key column, if it is not text: statements compare it with text.
    pub key_type: Option<String>,
}

/// Parses the statement in the output of `hive` or `beeline`.
///
/// # Errors
/// It is not a statement of an HBase mapping table, or incomplete.
pub fn show_create(text: &str) -> Result<Mapping, Fault> {
    let framed = text;
    let text = without_frame(framed);
    let Some((is_managed, mut rest)) = head(&text) else {
        return fault(
            format!("no CREATE TABLE: {}", instead(framed, "the output of SHOW CREATE TABLE")),
            HELP,
        );
    };
    let table = name(&mut rest);
    let Some(columns) = columns(&mut rest) else {
        return fault("the list of columns is incomplete", HELP);
    };
    let properties = pairs(rest, "=");
    let property =
        |name: &str| properties.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str());
    let Some(cells) = property("hbase.columns.mapping") else {
        return fault(
            format!("`{table}` has no `hbase.columns.mapping`: it is not a Hive table over HBase"),
            HELP,
        );
    };
    let mut cells: Vec<&str> = cells.split(',').map(str::trim).filter(|cell| !cell.is_empty()).collect();
    // Hive adds the key at the start if the mapping has none.
    if !cells.iter().any(|cell| cell.starts_with(":key")) {
        cells.insert(0, ":key");
    }
    if cells.len() != columns.len() {
        let message = format!(
            "`{table}` has {} columns, but `hbase.columns.mapping` has {} entries",
            columns.len(),
            cells.len()
        );
        return fault(message, HELP);
    }
    let binary_by_default = property("hbase.table.default.storage.type").is_some_and(|form| form == "binary");
    let hbase_table = property("hbase.table.name").unwrap_or_default().to_string();
    let draft = Draft { table: hbase_table, mapping: Some(table), is_managed, ..Draft::default() };
    let mut mapping = Mapping { draft, key_type: None };
    for ((name, hive_type), cell) in columns.into_iter().zip(cells) {
        mapping.add(name, hive_type, cell, binary_by_default);
    }
    Ok(mapping)
}

impl Mapping {
    fn add(&mut self, name: String, hive_type: String, cell: &str, binary_by_default: bool) {
        let (cell, form) = cell.split_once('#').unwrap_or((cell, "-"));
        if cell == ":key" {
            self.draft.key_column = Some(name);
            let is_string = ["string", "varchar"].iter().any(|text| hive_type.starts_with(text));
            self.key_type = (!is_string).then_some(hive_type);
            return;
        }
        let is_binary = "binary".starts_with(form) || (binary_by_default && form == "-");
        let is_text = ["string", "char", "varchar", "binary"].iter().any(|text| hive_type.starts_with(text));
        let has_bytes = HiveType::parse(&hive_type).is_ok_and(|parsed| parsed.has_bytes());
        let reason = match cell.split_once(':') {
            Some(("", _)) | None => Some("not a cell of a column family"),
            Some((_, "")) => Some("a map of all cells of the family"),
            Some((_, prefix)) if prefix.ends_with(".*") => Some("a map of several cells"),
            Some(_) if is_binary && !is_text && !has_bytes => Some("Hive does not read this type from bytes"),
            Some((family, qualifier)) => {
                let cell = (family, qualifier);
                self.draft.columns.push(mapped_column(&name, hive_type, cell, is_binary && has_bytes));
                None
            }
        };
        let left_out = reason.map(|reason| format!("left out: `{name}` ({cell}): {reason}"));
        self.draft.columns_comment.extend(left_out);
    }
}

/// The text without the frame that `beeline` draws around its lines.
fn without_frame(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("+--"));
    let bare = lines.map(|line| {
        let framed = line.trim().strip_prefix('|').and_then(|line| line.strip_suffix('|'));
        framed.map_or(line, |line| line.strip_prefix(' ').unwrap_or(line).trim_end())
    });
    bare.collect::<Vec<_>>().join("\n")
}

/// What follows CREATE TABLE, and whether the table is managed.
fn head(text: &str) -> Option<(bool, &str)> {
    let starts = [("CREATE EXTERNAL TABLE ", false), ("CREATE TABLE ", true)];
    let found =
        starts.iter().filter_map(|(start, is_managed)| Some((text.find(start)?, start.len(), *is_managed)));
    let (at, length, is_managed) = found.min()?;
    Some((is_managed, &text[at + length..]))
}

/// A name, optionally with a database, up to the list of columns: `` `db.t`( ``, `` `db`.`t` ( ``.
fn name(rest: &mut &str) -> String {
    let end = rest.find('(').unwrap_or(rest.len());
    let (name, behind) = rest.split_at(end);
    *rest = behind;
    name.replace('`', "").trim().to_string()
}

/// The names and types of the columns in parentheses; comments are skipped.
fn columns(rest: &mut &str) -> Option<Vec<(String, String)>> {
    let mut columns = Vec::new();
    let mut text = rest.strip_prefix('(')?;
    loop {
        text = text.trim_start();
        let column = match text.strip_prefix('`') {
            Some(quoted) => {
                let (name, behind) = quoted.split_once('`')?;
                text = behind;
                name
            }
            None => {
                let (name, behind) = text.split_once(char::is_whitespace)?;
                text = behind;
                name
            }
        };
        let (hive_type, sign, behind) = column_type(text)?;
        columns.push((column.to_string(), hive_type));
        text = behind;
        if sign == ')' {
            *rest = behind;
            return Some(columns);
        }
    }
}

/// A type, the comma or parenthesis that ends the column, and what follows.
fn column_type(text: &str) -> Option<(String, char, &str)> {
    let mut depth = 0;
    let mut hive_type = String::new();
    let mut rest = text;
    loop {
        if rest.starts_with(" COMMENT ") && depth == 0 {
            let (_, behind) = super::quoted::literal(rest[" COMMENT ".len()..].trim_start())?;
            rest = behind;
            continue;
        }
        let sign = rest.chars().next()?;
        rest = &rest[sign.len_utf8()..];
        match sign {
            ',' | ')' if depth == 0 => return Some((hive_type.trim().to_string(), sign, rest)),
            '(' | '<' => depth += 1,
            ')' | '>' => depth -= 1,
            _ => {}
        }
        hive_type.push(sign);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use saltplan_core::schema::model::CellEncoding;

    const STATEMENT: &str = "\
CREATE EXTERNAL TABLE `shop.orders_map`(
  `rowkey` string COMMENT 'from deserializer',\x20
  `amount` decimal(18,2) COMMENT 'it\\'s (a, b)',\x20
  `tags` map<string,struct<a:int,b:string>> COMMENT 'from deserializer',\x20
  `n` bigint COMMENT 'from deserializer')
ROW FORMAT SERDE\x20
  'org.apache.hadoop.hive.hbase.HBaseSerDe'\x20
STORED BY\x20
  'org.apache.hadoop.hive.hbase.HBaseStorageHandler'\x20
WITH SERDEPROPERTIES (\x20
  'hbase.columns.mapping'=':key,info:amount,info:,info:n#b',\x20
  'serialization.format'='1')
TBLPROPERTIES (
  'hbase.table.name'='shop:orders',\x20
  'transient_lastDdlTime'='1586131200')
";

    #[test]
    fn columns_are_the_cells_of_the_mapping() {
        let mapping = show_create(STATEMENT).unwrap().draft;
        assert_eq!(
            (mapping.mapping.as_deref(), mapping.table.as_str()),
            (Some("shop.orders_map"), "shop:orders")
        );
        assert_eq!(mapping.key_column.as_deref(), Some("rowkey"));
        assert!(!mapping.is_managed);
        let [amount, n] = &mapping.columns[..] else { panic!("{mapping:?}") };
        assert!(
            n.encoding == CellEncoding::BigEndian
                && n.hive_type == "bigint"
                && amount.encoding == CellEncoding::Text,
            "{mapping:?}"
        );
        assert_eq!(
            (
                amount.name.as_str(),
                amount.hive_type.as_str(),
                amount.family.as_str(),
                amount.qualifier.as_str()
            ),
            ("amount", "decimal(18,2)", "info", "amount")
        );
        assert_eq!(mapping.columns_comment.len(), 1, "{:?}", mapping.columns_comment);
    }

    #[test]
    fn a_frame_of_beeline_is_taken_off() {
        let framed: String = STATEMENT.lines().map(|line| format!("| {line:<60} |\n")).collect();
        let framed = format!("+---+\n| createtab_stmt |\n+---+\n{framed}+---+\n19 rows selected\n");
        assert_eq!(show_create(&framed).unwrap().draft.columns.len(), 2);
    }

    #[test]
    fn a_mapping_without_the_key_has_it_in_front() {
        let text = STATEMENT.replace(":key,info:amount", "info:amount").replace("EXTERNAL ", "");
        let mapping = show_create(&text).unwrap().draft;
        assert_eq!(mapping.key_column.as_deref(), Some("rowkey"));
        assert!(mapping.is_managed);
    }

    #[test]
    fn other_tables_and_cut_off_ones_are_refused() {
        for (from, to) in
            [("hbase.columns.mapping", "x"), (":key,info:amount", ":key"), ("CREATE EXTERNAL", "SHOW")]
        {
            assert!(show_create(&STATEMENT.replace(from, to)).is_err(), "{to}");
        }
        let lengths = 0..STATEMENT.find("'serialization").unwrap() - 8;
        assert!(lengths.into_iter().all(|length| show_create(&STATEMENT[..length]).is_err()));
    }
}
