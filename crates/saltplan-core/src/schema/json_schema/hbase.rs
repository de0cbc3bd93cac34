//! `hbase:`

use serde_json::{Value as Json, json};

use super::{described, object, text_value};

pub fn hbase() -> Json {
    let table = described(
        "Table with its namespace, `'ns:name'`; without one it is in `default`.",
        json!({ "type": ["string", "number", "boolean"], "pattern": "^([A-Za-z0-9_]+:)?[A-Za-z0-9_][A-Za-z0-9_.-]*$" }),
    );
    object("The HBase table.", &["table", "families"], vec![("table", table), ("families", families())])
}

fn families() -> Json {
    let family = json!({
        "description": "Attributes of the family, as the shell's `create` takes them, and settings of HBase for it by their full names, such as `hbase.hstore.blockingStoreFiles: 10`; nothing for HBase's defaults.",
        "type": ["object", "null"],
        "properties": {
            "versions": text_value("Versions of a cell that are kept; HBase keeps 1 by default."),
            "min_versions": text_value("Versions that are kept even after `ttl`."),
            "ttl": text_value("Seconds that a cell lives."),
            "compression": text_value("NONE, GZ, SNAPPY, LZO, LZ4, ZSTD, …"),
            "bloom_filter": text_value("NONE, ROW or ROWCOL."),
            "block_size": text_value("Bytes of a block; 65536 by default."),
            "block_cache": text_value("Whether blocks are cached when they are read."),
            "in_memory": text_value("Whether blocks stay in the cache longer than others."),
            "data_block_encoding": text_value("NONE, PREFIX, DIFF or FAST_DIFF: stores a row key once and differences behind it."),
            "keep_deleted_cells": text_value("TRUE, FALSE or TTL."),
            "replication_scope": text_value("1 to replicate the family to other clusters."),
        },
        "propertyNames": { "pattern": "^[A-Za-z0-9_.-]+$", "not": { "pattern": "^[Nn][Aa][Mm][Ee]$" } },
        "maxProperties": 256,
        "additionalProperties": { "type": ["string", "number", "boolean"] },
    });
    json!({
        "description": "Column families, one is best, each with its attributes.",
        "type": "object",
        "minProperties": 1,
        "maxProperties": 64,
        "propertyNames": { "pattern": "^[^.:/,#\\s][^:/,#\\s]*$" },
        "additionalProperties": family,
    })
}
