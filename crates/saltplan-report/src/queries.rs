//! Queries with their key ranges: the text in pieces, so that both versions can be put together from it.

use serde_json::{Value as Json, json};

use super::QueryReport;
use super::data::{MAX_MESSAGES, message, pack_sql};
use super::pack::Lists;
use saltplan_rewrite::Rewritten;

/// The maximum size in bytes of a query whose text is shown.
const MAX_QUERY: usize = 64 << 10;

/// The maximum total bytes of the texts that replace parts of a query; of further texts only the length is
/// shown.
const MAX_PUT: usize = 256 << 10;

pub fn json(query: &QueryReport, lists: &mut Lists) -> Json {
    let rewritten = match &query.rewritten {
        Ok(rewritten) => rewritten,
        Err(explanation) => return json!({ "name": query.name, "fault": explanation }),
    };
    let mut json = rewritten.to_json(&query.help);
    json["name"] = query.name.clone().into();
    json["bytes"] = json!([rewritten.source.text.len(), rewritten.text.len()]);
    let count = rewritten.references.len();
    json["counts"] = json!([count, rewritten.left()]);
    if let Some(references) = json["references"].as_array_mut() {
        references.truncate(MAX_MESSAGES);
    }
    json["notes"] = rewritten.notes.iter().take(MAX_MESSAGES).map(message).collect();
    if rewritten.source.text.len() <= MAX_QUERY {
        json["parts"] = parts(rewritten, lists);
    }
    json
}

/// A text for an unchanged part, `[old, new]` for a replaced one, and `[old, null, bytes]` if the new text is too long.
fn parts(rewritten: &Rewritten, lists: &mut Lists) -> Json {
    let text = &rewritten.source.text;
    let mut parts: Vec<Json> = Vec::new();
    let (mut at, mut room) = (0, MAX_PUT);
    for splice in &rewritten.splices {
        parts.push(text[at..splice.span.start].into());
        let old = &text[splice.span.start..splice.span.end];
        let fits = splice.text.len() <= room;
        parts.push(match fits.then(|| pack_sql(&splice.text, lists)).flatten() {
            Some(packed) => {
                room -= splice.text.len();
                json!([old, packed])
            }
            None => json!([old, null, splice.text.len()]),
        });
        at = splice.span.end;
    }
    parts.push(text[at..].into());
    parts.into()
}
