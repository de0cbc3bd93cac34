//! Any bytes as a schema file: read, audited, and if valid, described.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use saltplan_lint::audit;
use saltplan_document::diag::{Style, render};
use saltplan_core::schema::{load, source_from_bytes};

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = source_from_bytes("input", bytes.to_vec()) else { return };
    let messages = match load(&source) {
        Ok(loaded) => loaded.warnings,
        Err(errors) => errors.0,
    };
    for message in &messages {
        assert!(!message.message.starts_with("internal error"), "{message}");
        for label in &message.labels {
            assert!(source.text.get(label.span.start..label.span.end).is_some(), "{message}");
        }
    }
    render(&messages, Style { color: false, width: 80 });
    audit(&source, Path::new("/nowhere"), &|_| true);
});
