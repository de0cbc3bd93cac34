//! The REST server's response for `/table/regions`: JSON or XML, with keys in base64
//! (`org.apache.hadoop.hbase.rest.model.TableInfoModel` and `TableRegionModel`).

use crate::fault::Fault;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, Engine, GeneralPurpose, GeneralPurposeConfig};
use serde_json::Value as Json;

use super::dump::RegionName;
use super::{Dump, LiveRegion};

/// Whether a text is JSON or XML. A line of a file with split keys is never a whole document.
pub(crate) fn is_answer(text: &str) -> bool {
    let is_object = || {
        serde_json::Deserializer::from_str(text).into_iter::<Json>().next().is_some_and(|json| json.is_ok())
    };
    match text.as_bytes().first() {
        Some(b'{') => text.contains("\"Region\"") || is_object(),
        Some(b'<') => {
            ["<?xml", "<TableInfo", "<html", "<!DOCTYPE"].iter().any(|start| text.starts_with(start))
        }
        _ => false,
    }
}

pub fn json(text: &str) -> Result<Dump, Fault> {
    // Text after the value, such as curl's `-w` output, is ignored.
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Json>();
    let value = values.next().and_then(Result::ok).ok_or_else(|| wrong("the JSON is invalid"))?;
    let regions = match value.get("Region").or_else(|| value.get("region")) {
        Some(Json::Array(regions)) => regions.iter().collect(),
        // Older servers write a list with one item as the item itself.
        Some(region @ Json::Object(_)) => vec![region],
        _ => return Err(wrong("the JSON has no list `Region`")),
    };
    let text_of = |region: &Json, key: &str| region.get(key).and_then(Json::as_str).map(str::to_string);
    let regions: Result<Vec<_>, _> = regions
        .into_iter()
        .map(|one| region(text_of(one, "startKey").as_deref(), text_of(one, "name").as_deref()))
        .collect();
    Ok(dump(regions?, text_of(&value, "name")))
}

pub fn xml(text: &str) -> Result<Dump, Fault> {
    let table = elements(text, "TableInfo").next().and_then(|element| attribute(element, "name"));
    let regions: Result<Vec<_>, _> = elements(text, "Region")
        .map(|element| {
            region(attribute(element, "startKey").as_deref(), attribute(element, "name").as_deref())
        })
        .collect();
    let regions = regions?;
    if regions.is_empty() {
        return Err(wrong("the XML has no element `Region`"));
    }
    Ok(dump(regions, table))
}

/// Keys as HBase's REST server writes them; some programs omit the padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

fn wrong(reason: &str) -> Fault {
    (
        reason.into(),
        "save the response to `GET /ns:table/regions`, with `Accept: application/json` or `text/xml`".into(),
    )
}

fn dump(regions: Vec<Option<LiveRegion>>, table: Option<String>) -> Dump {
    Dump { regions: regions.into_iter().flatten().collect(), table, is_list: false }
}

/// `None` for a replica.
fn region(start: Option<&str>, name: Option<&str>) -> Result<Option<LiveRegion>, Fault> {
    let text = start.unwrap_or_default();
    let decoded = BASE64.decode(text.trim());
    let start = decoded.map_err(|_| wrong(&format!("the start key `{text}` is not base64")))?;
    let name = name.and_then(RegionName::parse);
    if name.as_ref().is_some_and(|name| name.is_replica) {
        return Ok(None);
    }
    let encoded = name.map(|name| name.encoded.to_string());
    Ok(Some(LiveRegion { encoded, ..LiveRegion::starting_at(start) }))
}

/// The unparsed attributes of all elements with a name.
fn elements<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    text.split('<').filter_map(move |part| {
        let inside = part.strip_prefix(name)?;
        let inside = &inside[..inside.find('>')?];
        inside.starts_with(|c: char| c.is_whitespace() || c == '/').then_some(inside)
    })
}

fn attribute(element: &str, name: &str) -> Option<String> {
    let mut rest = element;
    loop {
        let (key, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, behind) = after[1..].split_once(quote)?;
        if key.trim() == name {
            return Some(unescape(value));
        }
        rest = behind;
    }
}

fn unescape(text: &str) -> String {
    let pairs = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&#43;", "+"),
        ("&#x2B;", "+"),
        ("&#61;", "="),
    ];
    let text = pairs.iter().fold(text.to_string(), |text, (from, to)| text.replace(from, to));
    text.replace("&amp;", "&")
}
