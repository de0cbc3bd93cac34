//! Parses Hive's `SHOW CREATE TABLE` of a mapping table: its columns and their HBase cells.

use super::super::draft::{Draft, mapped_column};
use crate::fault::{Fault, fault};
use crate::mapping_ddl::{CELLS, created_tables, hbase_table, property};
use saltplan_sql::hive_type::HiveType;
use saltplan_tables::{HiveColumn, HiveTable};

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
    let tables = created_tables(text, "no CREATE TABLE", HELP)?;
    let is_over_hbase = |table: &&HiveTable| property(table, CELLS).is_some();
    let over_hbase: Vec<&HiveTable> = tables.iter().filter(is_over_hbase).collect();
    let table = match (over_hbase.as_slice(), tables.first()) {
        ([only], _) => *only,
        ([first, second, ..], _) => {
            return fault(
                format!("`{}` and `{}` are Hive tables over HBase", first.name, second.name),
                "save the statement of one table",
            );
        }
        ([], Some(first)) => {
            let name = &first.name;
            return fault(format!("`{name}` has no `{CELLS}`: it is not a Hive table over HBase"), HELP);
        }
        ([], None) => return fault("the list of columns is incomplete", HELP),
    };
    let columns: Vec<&HiveColumn> = table.columns().collect();
    let (name, cells) = (table.name.to_string(), property(table, CELLS).unwrap_or_default());
    let mut cells: Vec<&str> = cells.split(',').map(str::trim).filter(|cell| !cell.is_empty()).collect();
    // Hive adds the key at the start if the mapping has none.
    if !cells.iter().any(|cell| cell.starts_with(":key")) {
        cells.insert(0, ":key");
    }
    if cells.len() != columns.len() {
        let message =
            format!("`{name}` has {} columns, but `{CELLS}` has {} entries", columns.len(), cells.len());
        return fault(message, HELP);
    }
    let binary_by_default = property(table, "hbase.table.default.storage.type") == Some("binary");
    let hbase_table = hbase_table(table);
    let is_managed = !table.is_external;
    let draft = Draft { table: hbase_table, mapping: Some(name), is_managed, ..Draft::default() };
    let mut mapping = Mapping { draft, key_type: None };
    for (column, cell) in columns.into_iter().zip(cells) {
        match &column.hive_type {
            Some(hive_type) => {
                mapping.add(column.name.clone(), hive_type.to_string(), cell, binary_by_default);
            }
            None => mapping
                .draft
                .columns_comment
                .push(format!("left out: `{}` ({cell}): a schema file does not have its type", column.name)),
        }
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
    fn without_a_name_the_table_in_hbase_has_that_of_hive() {
        let text = STATEMENT.replace("'hbase.table.name'='shop:orders',", "");
        assert_eq!(show_create(&text).unwrap().draft.table, "shop.orders_map");
        let of_default = text.replace("shop.orders_map", "default.orders");
        assert_eq!(show_create(&of_default).unwrap().draft.table, "orders");
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
