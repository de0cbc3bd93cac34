//! The example schemas can be loaded and mean what their comments say.

use std::path::{Path, PathBuf};

use saltplan_core::key::id::Id;
use saltplan_core::region::{SplitInputs, split_keys};
use saltplan_core::schema::conversion::{TypeUse, default_type};
use saltplan_core::schema::model::{Schema, TargetValue};
use saltplan_core::schema::{load, read_file};
use saltplan_document::diag::{Style, render};

use crate::schema_errors::schemas;
use saltplan_sql::hive_type::Type;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/examples")
}

fn example(name: &str) -> Schema {
    let file = directory().join(name).with_extension("yaml");
    match read_file(&file).and_then(|source| load(&source)) {
        Ok(loaded) => {
            assert!(loaded.warnings.is_empty(), "{}", render(&loaded.warnings, Style::default()));
            loaded.schema
        }
        Err(errors) => panic!("{}", render(&errors.0, Style::default())),
    }
}

/// Split keys in HBase's text form: printable bytes unchanged, others as `\xNN`.
fn splits(name: &str, salts: &[Vec<u8>]) -> Vec<String> {
    let schema = example(name);
    let regions = schema.regions.expect("regions");
    let keys = split_keys(&regions, SplitInputs { salts, ..SplitInputs::default() }).expect("split keys");
    let text = |byte: &u8| match byte {
        b' '..=b'~' if *byte != b'\\' => char::from(*byte).to_string(),
        _ => format!("\\x{byte:02X}"),
    };
    keys.iter().map(|key| key.iter().map(text).collect()).collect()
}

#[test]
fn all_examples_load_without_a_message() {
    let files = schemas(&directory());
    assert!(files.len() >= 11, "only {} examples", files.len());
    for file in files {
        example(&file.file_stem().expect("a name").to_string_lossy());
    }
}

#[test]
fn the_recommendation_log_has_its_columns_in_order() {
    let schema = example("md5_nibble_day");
    let names: Vec<&str> = schema.columns.iter().map(|column| column.name.as_str()).collect();
    let first = [
        "recommend_type",
        "opera_time",
        "phone_number",
        "activity_id",
        "rule_id",
        "channel_code",
        "recommend_position",
    ];
    assert_eq!(names.len(), 24);
    assert_eq!(names[..7], first);
    assert_eq!((names[7], names[23]), ("goods1", "goods17"));
    assert_eq!(schema.hbase.full_name(), "multi:t_wx_recommend_log_test");

    let target = schema.hive.expect("hive").target.expect("a target");
    assert_eq!(target.partition.len(), 1);
    assert_eq!(target.partition[0].hive_type, Type::Int);
    let columns: Vec<TargetValue> = target.columns.into_iter().map(|column| column.value).collect();
    // The day is the partition, so of the key only the id comes before the columns.
    let id = TargetValue::KeyField(Id::new(1));
    let all = (0..24).map(|position| TargetValue::Column(Id::new(position)));
    assert_eq!(columns, std::iter::once(id).chain(all).collect::<Vec<_>>());
}

#[test]
fn separators_stand_between_the_stored_parts() {
    let prefix = example("md5_prefix").key;
    assert_eq!(prefix.salt.expect("a salt").separator, b"_");
    assert_eq!(
        prefix.fields.iter().map(|field| field.separator.as_slice()).collect::<Vec<_>>(),
        [b"_".as_slice(), b""]
    );

    let whole = example("md5_whole").key;
    assert_eq!(whole.stored().count(), 0);
    assert!(whole.salt.expect("a salt").separator.is_empty());
}

#[test]
fn split_keys_of_the_designs() {
    let salts: Vec<Vec<u8>> = (0..16).map(|salt| format!("{salt:03}").into_bytes()).collect();
    let day = splits("md5_nibble_day", &salts);
    assert_eq!((day.len(), day[0].as_str(), day[14].as_str()), (15, "001", "015"));

    let short = splits("hash_prefix_short", &[]);
    assert_eq!((short.len(), short[0].as_str(), short[14].as_str()), (15, "\\x07\\xFF", "x\\x00"));

    let digest = splits("md5_prefix", &[]);
    assert_eq!((digest.len(), digest[0].as_str(), digest[14].as_str()), (15, "10000000", "f0000000"));
    assert_eq!(digest, splits("md5_whole", &[]));

    assert_eq!(splits("region_number", &[]), ["0|", "1|", "2|", "3|", "4|"]);
    assert_eq!(splits("plain_concat", &[]).len(), 7);
    assert_eq!(splits("reversed_id_time", &[]).len(), 9);

    let longs = splits("modulo_partition", &[]);
    assert_eq!(longs.len(), 19);
    assert_eq!(longs[18], "\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x13");
}

#[test]
fn partition_types_follow_the_stored_text() {
    let types = |name: &str| -> Vec<Type> {
        let fields = example(name).key.fields;
        fields.iter().map(|field| default_type(&field.kind, TypeUse::Partition)).collect()
    };
    assert_eq!(types("md5_nibble_day"), [Type::Int, Type::String]);
    assert_eq!(types("region_number"), [Type::String, Type::String]);
    assert_eq!(types("reversed_id_time"), [Type::String, Type::BigInt]);
    assert_eq!(types("modulo_partition"), [Type::BigInt]);
}
