//! Parses Hive's `SHOW CREATE TABLE` of a mapping table, or one that is written by hand: its columns and their HBase cells, and the
//! fields of a key that is a struct.

use super::super::draft::{Draft, DraftField, DraftKind, TextForm, fresh_name, mapped_column};
use crate::fault::{Fault, fault};
use crate::mapping_ddl::{CELLS, created_tables, hbase_table, property};
use saltplan_core::key::number::{IntegerSize, NumberEncoding, NumberForm};
use saltplan_core::key::range::to_string_binary;
use saltplan_sql::hive_type::{HiveType, Type};
use saltplan_sql::time::format::TimeFormat;
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
    /// What the fields of the key leave open, for a note.
    pub remarks: Vec<String>,
    /// Whether DROP TABLE deletes the rows in HBase: of a managed table, and in Hive 4 of an external one with
    /// `external.table.purge` (`HBaseMetaHook.commitDropTable`).
    pub drop_deletes_rows: bool,
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
    let is_purged =
        property(table, "external.table.purge").is_some_and(|value| value.eq_ignore_ascii_case("true"));
    let drop_deletes_rows = is_managed || is_purged;
    let mut mapping = Mapping { draft, key_type: None, remarks: Vec::new(), drop_deletes_rows };
    for (column, cell) in columns.into_iter().zip(cells) {
        if cell.split('#').next() == Some(":key")
            && let Some(HiveType::Struct(members)) = &column.hive_type
        {
            mapping.take_struct(members, cell, table)?;
        }
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

/// Properties that name a class which reads and writes the key.
const KEY_CLASSES: [&str; 2] = ["hbase.composite.key.class", "hbase.composite.key.factory"];

/// How SHOW CREATE TABLE prints `COLLECTION ITEMS TERMINATED BY`: Hive 1 to 3 misspell it.
const COLLECTION_ITEMS: [&str; 2] = ["collection.delim", "colelction.delim"];

/// The byte between the members of a struct (`LazyUtils.getByte`): a number is its code. By default it is 2.
fn separator_of_members(table: &HiveTable) -> Result<u8, Fault> {
    let written = table
        .collection_items
        .as_deref()
        .or_else(|| COLLECTION_ITEMS.iter().find_map(|name| property(table, name)));
    let Some(text) = written else { return Ok(2) };
    if let Ok(code) = text.parse::<i8>() {
        return Ok(code.cast_unsigned());
    }
    let mut bytes = text.bytes();
    match (bytes.next(), bytes.next()) {
        (Some(byte), None) => Ok(byte),
        (None, _) => fault("the text between the parts of the key is empty", "write one character"),
        (Some(_), Some(_)) => fault(
            format!(
                "`{text}` between the parts of the key is more than one byte, of which Hive takes the first"
            ),
            "write the one character that is in the keys",
        ),
    }
}

impl Mapping {
    /// The fields of the key: texts with a byte between them (`DefaultHBaseKeyFactory`).
    fn take_struct(
        &mut self,
        members: &[(String, HiveType)],
        cell: &str,
        table: &HiveTable,
    ) -> Result<(), Fault> {
        let name = &table.name;
        if let Some((class, value)) =
            KEY_CLASSES.iter().find_map(|class| Some((class, property(table, class)?)))
        {
            self.remarks.push(format!(
                "the key of {name} is written by `{value}` (`{class}`), so its layout is not known: give keys with `--from-keys`"
            ));
            return Ok(());
        }
        if cell.split_once('#').is_some_and(|(_, form)| !form.is_empty() && "binary".starts_with(form)) {
            let message = format!("the key of `{name}` is a struct with binary storage (`{cell}`)");
            return fault(message, "give keys with `--from-keys FILE`, and the statement without `#b`");
        }
        let separator = separator_of_members(table)?;
        self.draft.separator = Some(to_string_binary(&[separator]));
        let last = members.len().saturating_sub(1);
        for (at, (member, hive_type)) in members.iter().enumerate() {
            let (kind, comment) = of_member(hive_type);
            let mut field = DraftField::new(fresh_name(member, &self.draft.fields), kind);
            field.comment.extend(comment.map(str::to_string));
            if at == last && hive_type.primitive().is_none_or(Type::is_text) {
                field
                    .comment
                    .push("Hive reads it up to the next separator, if a key has more of them".into());
            }
            self.draft.fields.push(field);
        }
        let first = members.first().map_or("", |(first, _)| first.as_str());
        let remark = format!(
            "a struct does not tell whether `{first}` is a salt or begins with one: if it does, declare it, or give keys with `--from-keys`"
        );
        self.draft.head.push(format!("The key is the struct of {name}; {remark}."));
        self.remarks.push(remark);
        Ok(())
    }

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

/// A member of a struct as Hive writes it in text, and a remark on what its type does not tell.
fn of_member(hive_type: &HiveType) -> (DraftKind, Option<&'static str>) {
    let text = || DraftKind::Text(TextForm::default());
    let number = |size| DraftKind::Integer(NumberForm::new(size, NumberEncoding::Decimal));
    let Some(primitive) = hive_type.primitive() else {
        return (text(), Some("a list, map or struct, with other separators inside"));
    };
    let digits = "digits without leading zeros: if all keys have equally many, add `width`";
    match primitive {
        Type::TinyInt => (number(IntegerSize::Tinyint), Some(digits)),
        Type::SmallInt => (number(IntegerSize::Smallint), Some(digits)),
        Type::Int => (number(IntegerSize::Int), Some(digits)),
        Type::BigInt => (number(IntegerSize::Bigint), Some(digits)),
        Type::Boolean => (DraftKind::Values(vec!["false".into(), "true".into()]), None),
        Type::Date => match TimeFormat::parse("yyyy-MM-dd") {
            Ok(format) => (DraftKind::Date { format }, None),
            Err(_) => (text(), None),
        },
        Type::Timestamp => (text(), Some("local times, with a fraction of seconds only where there is one")),
        Type::Float | Type::Double | Type::Decimal { .. } => (text(), Some("numbers as text")),
        Type::Binary => (text(), Some("bytes in base64")),
        _ => (text(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use saltplan_core::schema::model::CellEncoding;

    fn struct_key(key: &str, clauses: &str, cell: &str) -> Result<Mapping, Fault> {
        show_create(&format!(
            "create external table if not exists calls_map (key {key}, value string) row format delimited {clauses}
             stored by 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
             with serdeproperties ('hbase.columns.mapping'='{cell},f:c1')"
        ))
    }

    #[test]
    fn a_struct_is_the_layout_of_the_key() {
        let all =
            "struct<a:string,b:int comment 'n',`day`:date,on:boolean,t:timestamp,l:array<string>,A2:double>";
        let mapping = struct_key(all, "collection items terminated by '~'", ":key").unwrap();
        let draft = &mapping.draft;
        assert_eq!(draft.separator.as_deref(), Some("~"));
        let kinds: Vec<String> = draft
            .fields
            .iter()
            .map(|field| format!("{} {:?}", field.name, field.kind).chars().take(12).collect())
            .collect();
        let expected = [
            "a Text(TextF",
            "b Integer(Nu",
            "day Date { f",
            "on Values([\"",
            "t Text(TextF",
            "l Text(TextF",
            "a2 Text(Text",
        ];
        assert_eq!(kinds, expected);
        assert!(mapping.remarks[0].contains("whether `a` is a salt"), "{:?}", mapping.remarks);
        assert_eq!(draft.columns.len(), 1);
        let separators = [
            ("", "\\x02"),
            (
                "fields terminated by ',' collection items terminated by '\\001' map keys terminated by ':'",
                "\\x01",
            ),
            ("collection items terminated by '124'", "|"),
            ("collection items terminated by '\\u0000'", "\\x00"),
        ];
        for (clauses, separator) in separators {
            let draft = struct_key("struct<a:string>", clauses, ":key").unwrap().draft;
            assert_eq!(draft.separator.as_deref(), Some(separator), "{clauses}");
        }
        let printed = STATEMENT.replace("`rowkey` string", "`rowkey` struct<a:string,b:string>");
        for name in ["colelction.delim", "collection.delim"] {
            let text = printed.replace("'serialization.format'='1'", &format!("'{name}'='|'"));
            assert_eq!(show_create(&text).unwrap().draft.separator.as_deref(), Some("|"), "{name}");
        }
    }

    #[test]
    fn dropping_a_purged_external_table_deletes_rows() {
        let deletes = |text: &str| show_create(text).unwrap().drop_deletes_rows;
        let statement = "create external table t (k string, c string)
             stored by 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
             with serdeproperties ('hbase.columns.mapping'=':key,f:c')
             tblproperties ('hbase.table.name'='t', 'external.table.purge'='PURGE')";
        for (text, expected) in [
            (statement.replace("PURGE", "TRUE"), true),
            (statement.replace("PURGE", "true"), true),
            (statement.replace("PURGE", "false"), false),
            (statement.replace(", 'external.table.purge'='PURGE'", ""), false),
            (statement.replace("external table", "table").replace("PURGE", "false"), true),
        ] {
            assert_eq!(deletes(&text), expected, "{text}");
        }
    }

    #[test]
    fn keys_of_other_classes_and_forms_are_not_guessed() {
        let two = "struct<a:string,b:string>";
        for (clauses, cell, reason) in [
            (
                "collection items terminated by '::'",
                ":key",
                "`::` between the parts of the key is more than one byte",
            ),
            ("collection items terminated by 'é'", ":key", "`é` between the parts"),
            ("collection items terminated by ''", ":key", "the text between the parts of the key is empty"),
            ("", ":key#b", "the key of `calls_map` is a struct with binary storage"),
        ] {
            assert!(struct_key(two, clauses, cell).unwrap_err().0.starts_with(reason), "{clauses} {cell}");
        }
        let of_class = struct_key(two, "", ":key,f:c1', 'hbase.composite.key.class'='a.B', 'x'='");
        let of_class = of_class.unwrap_or_else(|fault| panic!("{fault:?}"));
        assert!(of_class.draft.fields.is_empty() && of_class.remarks[0].contains("`a.B`"), "{of_class:?}");
    }

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
