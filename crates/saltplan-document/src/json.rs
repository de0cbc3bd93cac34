//! JSON objects with all their members.

use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value as Json;

/// The members of an object in order, including duplicates; a map would keep only the last value.
///
/// # Errors
/// The text is not one JSON object.
pub fn members(text: &[u8]) -> serde_json::Result<Vec<(String, Json)>> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let members = reader.deserialize_map(Members)?;
    reader.end().map(|()| members)
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(String, Json)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}
