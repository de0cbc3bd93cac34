//! The request: one JSON object, read with limits on its size and its nesting.
//!
//! A filter nests as deep as its author wants, and readers of JSON call themselves for each level. So the objects are cut out of the
//! text from the inside to the outside, without recursion: in the text of an object, each object inside it is replaced by its number.
//! What is left of each is flat, and is read by `serde_json`.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use crate::RequestError;

/// The maximum size of a request in bytes.
pub const MAX_REQUEST_BYTES: usize = 1 << 20;

/// The maximum number of nodes of a filter within each other.
pub const MAX_NESTING: usize = 500;

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// What Hive asks.
#[derive(Debug)]
pub struct Request {
    /// The version of Hive, such as `3.1.3`.
    pub hive: String,
    /// A schema file.
    pub schema: String,
    /// The column of the mapping table that has the row key.
    pub key_column: String,
    pub zones: Zones,
    pub filter: Filter,
}

/// The time zones in which Hive computes.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Zones {
    /// The zone of the session.
    pub session: String,
    /// The zone of the Java machine.
    pub jvm: String,
    /// The offsets of the Java machine: the second since 1970 from which on each holds, ascending, and the offset from UTC in seconds.
    pub transitions: Vec<(i64, i32)>,
}

/// The nodes of a filter. The children of a node have smaller numbers.
#[derive(Debug)]
pub struct Filter {
    pub nodes: Vec<FilterNode>,
    pub root: usize,
}

/// An expression of Hive.
#[derive(Debug)]
pub struct FilterNode {
    pub what: What,
    /// Hive's name of the type.
    pub of: String,
}

#[derive(Debug)]
pub enum What {
    Column(String),
    /// `None` is NULL.
    Constant(Option<String>),
    Call {
        class: String,
        arguments: Vec<usize>,
    },
    /// What is not sent.
    Other,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope {
    protocol: u32,
    hive: String,
    dialect: String,
    schema: String,
    key_column: String,
    zone: Option<usize>,
    filter: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FlatNode {
    column: Option<String>,
    #[serde(default, deserialize_with = "present")]
    constant: Option<Option<String>>,
    call: Option<String>,
    other: Option<String>,
    arguments: Option<Vec<usize>>,
    #[serde(rename = "type")]
    of: String,
}

/// Tells `null` from a member that is missing.
fn present<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(value).map(Some)
}

impl Request {
    /// Reads a request.
    ///
    /// # Errors
    /// It is too long, too deep, no UTF-8, no JSON, or not of the protocol.
    pub fn parse(bytes: &[u8]) -> Result<Self, RequestError> {
        if bytes.len() > MAX_REQUEST_BYTES {
            return Err(RequestError(format!("it has more than {MAX_REQUEST_BYTES} bytes")));
        }
        let text = std::str::from_utf8(bytes)
            .map_err(|error| RequestError(format!("it is not UTF-8 from byte {} on", error.valid_up_to())))?;
        let mut objects: Vec<Option<String>> = objects(text)?.into_iter().map(Some).collect();
        // The outermost object is closed last.
        let envelope = objects.pop().flatten();
        let envelope: Envelope = flat(&envelope.unwrap_or_default(), "the request")?;
        if envelope.protocol != PROTOCOL {
            let message =
                format!("its protocol is {}, and this program speaks {PROTOCOL}", envelope.protocol);
            return Err(RequestError(message));
        }
        if envelope.dialect != "hive" {
            return Err(RequestError("its `dialect` is not `hive`".into()));
        }
        let zones = match envelope.zone {
            Some(zone) => flat(&taken(&mut objects, zone)?, "`zone`")?,
            None => Zones::default(),
        };
        Ok(Request {
            hive: envelope.hive,
            schema: envelope.schema,
            key_column: envelope.key_column,
            zones,
            filter: filter(objects, envelope.filter)?,
        })
    }
}

/// Takes an object out of its place, so that none is used twice.
fn taken(objects: &mut [Option<String>], at: usize) -> Result<String, RequestError> {
    let object = objects.get_mut(at).and_then(Option::take);
    object.ok_or_else(|| RequestError("a number stands where an object is expected".into()))
}

fn filter(mut objects: Vec<Option<String>>, root: usize) -> Result<Filter, RequestError> {
    let mut nodes: Vec<Option<FilterNode>> = Vec::new();
    nodes.resize_with(objects.len(), || None);
    let mut rest = vec![root];
    while let Some(at) = rest.pop() {
        let node = node(flat(&taken(&mut objects, at)?, "a node of the filter")?)?;
        if let What::Call { arguments, .. } = &node.what {
            rest.extend(arguments);
        }
        nodes[at] = Some(node);
    }
    if objects.iter().any(Option::is_some) {
        return Err(RequestError("an object stands where none is expected".into()));
    }
    let nothing = || FilterNode { what: What::Other, of: String::new() };
    Ok(Filter { nodes: nodes.into_iter().map(|node| node.unwrap_or_else(nothing)).collect(), root })
}

fn node(flat: FlatNode) -> Result<FilterNode, RequestError> {
    let FlatNode { column, constant, call, other, arguments, of } = flat;
    let what = match (column, constant, call, other, arguments) {
        (Some(column), None, None, None, None) => What::Column(column),
        (None, Some(constant), None, None, None) => What::Constant(constant),
        (None, None, Some(class), None, arguments) => {
            What::Call { class, arguments: arguments.unwrap_or_default() }
        }
        (None, None, None, Some(_), None) => What::Other,
        _ => {
            let message =
                "a node of the filter is not one of `column`, `constant`, `call` with `arguments`, `other`";
            return Err(RequestError(message.into()));
        }
    };
    Ok(FilterNode { what, of })
}

/// Reads an object without objects in it.
fn flat<T: DeserializeOwned>(text: &str, what: &str) -> Result<T, RequestError> {
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        // The place is one in the flat text.
        let place = format!(" at line {} column {}", error.line(), error.column());
        RequestError(format!("{what}: {}", message.strip_suffix(&place).unwrap_or(&message)))
    })
}

/// The objects of a text, inner ones before those around them, the outermost last.
fn objects(text: &str) -> Result<Vec<String>, RequestError> {
    let fault = |message: String| Err(RequestError(message));
    let mut closed: Vec<String> = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut is_done = false;
    let (mut in_text, mut escaped) = (false, false);
    // Where the text begins that is not copied yet.
    let mut copied = 0;
    for (at, byte) in text.bytes().enumerate() {
        if in_text {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_text = false,
                _ => {}
            }
            continue;
        }
        match (byte, open.last_mut()) {
            (b'{', around) => {
                match around {
                    Some(around) => around.push_str(&text[copied..at]),
                    None if is_done => return fault("more follows after its object".into()),
                    None => {}
                }
                // The request itself is one level.
                if open.len() > MAX_NESTING {
                    return fault(format!("its filter has more than {MAX_NESTING} nodes within each other"));
                }
                open.push(String::new());
                copied = at;
            }
            (b'}', Some(_)) => {
                let mut object = open.pop().unwrap_or_default();
                object.push_str(&text[copied..=at]);
                copied = at + 1;
                match open.last_mut() {
                    // Blanks keep it from becoming a part of another number.
                    Some(around) => around.push_str(&format!(" {} ", closed.len())),
                    None => is_done = true,
                }
                closed.push(object);
            }
            (b'"', Some(_)) => in_text = true,
            (b' ' | b'\t' | b'\n' | b'\r', None) | (_, Some(_)) => {}
            (_, None) if is_done => return fault("more follows after its object".into()),
            (_, None) => return fault("it is not a JSON object".into()),
        }
    }
    match is_done {
        true => Ok(closed),
        false => fault("its object has no end".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Result<Vec<String>, String> {
        objects(text).map_err(|error| error.0)
    }

    #[test]
    fn objects_are_cut_out() {
        assert_eq!(
            cut(r#" {"a":{"b":"}\"{"},"c":[{},{}]} "#).unwrap(),
            [r#"{"b":"}\"{"}"#, "{}", "{}", r#"{"a": 0 ,"c":[ 1 , 2 ]}"#,]
        );
        assert_eq!(cut(r#"{"a":1{}}"#).unwrap()[1], r#"{"a":1 0 }"#);
        for wrong in ["", "  ", "[]", "{", "{}}", "{}{}", "{} x", r#"{"a"#, "7"] {
            assert!(cut(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn nesting_is_bounded_without_recursion() {
        let deep = |levels: usize| format!("{}{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
        assert_eq!(cut(&deep(MAX_NESTING + 1)).unwrap().len(), MAX_NESTING + 1);
        assert!(cut(&deep(MAX_NESTING + 2)).is_err());
        assert!(cut(&"{\"a\":".repeat(200_000)).is_err());
    }
}
