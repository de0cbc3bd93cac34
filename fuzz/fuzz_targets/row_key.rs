//! Any bytes as a row key: encoding a decoded key gives the same bytes.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use saltplan_document::diag::Source;
use saltplan_core::row::RowCodec;
use saltplan_core::schema::model::Schema;

/// Codecs depend on the salts of their table, so they are created once.
static CODECS: LazyLock<Vec<(&'static Schema, RowCodec<'static>)>> = LazyLock::new(|| {
    let texts = [
        include_str!("../../schemas/examples/md5_nibble_day.yaml"),
        include_str!("../../schemas/examples/hash_prefix_short.yaml"),
        include_str!("../../schemas/examples/modulo_partition.yaml"),
        include_str!("../../schemas/examples/reversed_id_time.yaml"),
    ];
    let codec = |text: &str| {
        let loaded = saltplan_core::schema::load(&Source::new("example", text)).expect("an example");
        let schema: &'static Schema = Box::leak(Box::new(loaded.schema));
        (schema, RowCodec::new(schema))
    };
    texts.map(codec).into()
});

fuzz_target!(|bytes: &[u8]| {
    for (schema, codec) in CODECS.iter() {
        let Ok(decoded) = codec.decode(bytes) else { continue };
        if decoded.expected_salt.is_some() {
            continue;
        }
        let row = codec.to_json(&decoded);
        // A row lacks the fields that are not stored in the key.
        if schema.key.fields.iter().all(|field| field.stored) {
            assert_eq!(codec.encode(&row).as_deref(), Ok(bytes), "{row:?}");
        }
    }
});
