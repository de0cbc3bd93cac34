//! Parameters as a JSON object, for values with arbitrary characters.

use serde_json::Value as Json;

use super::parameters::{Parameter, Parameters, is_parameter_name};
use crate::time;
use crate::time::zone::Zone;
use saltplan_document::diag::Diagnostic;
use saltplan_document::json;

const FORMS: &str = "a value is a text, a whole number, `true`, `false`, a list of texts and numbers, or \
                     `{\"instant\": \"2020-04-06T02:00:00Z\"}`";

/// What is wrong, and what to write instead.
type Fault = (String, String);

/// Reads an object with one member per parameter. Instants become local times in `time_zone`.
///
/// # Errors
/// The text is not an object, a name is given twice, or a value is not allowed for a parameter.
pub fn json_parameters(text: &str, time_zone: Option<Zone>) -> Result<Parameters, Diagnostic> {
    read(text, time_zone).map_err(|(fault, help)| Diagnostic::error(fault).with_help(help))
}

fn read(text: &str, time_zone: Option<Zone>) -> Result<Parameters, Fault> {
    let members = json::members(text.as_bytes());
    let members = members.map_err(|error| (format!("not a JSON object: {error}"), FORMS.into()))?;
    let mut parameters = Parameters::new();
    for (name, value) in members {
        if !is_parameter_name(&name) {
            let fault = format!("`{}` is not the name of a parameter", name.escape_debug());
            return Err((fault, "a name consists of letters, digits and `_`".into()));
        }
        let value =
            parameter(&value, time_zone).map_err(|(fault, help)| (format!("`{name}` {fault}"), help))?;
        if parameters.insert(&name, value).is_some() {
            return Err((format!("the parameter `{name}` is given twice"), "give it in one place".into()));
        }
    }
    Ok(parameters)
}

fn parameter(value: &Json, time_zone: Option<Zone>) -> Result<Parameter, Fault> {
    match value {
        Json::Bool(flag) => Ok(Parameter::Flag(*flag)),
        Json::Array(items) => {
            items.iter().map(|item| scalar(item, time_zone)).collect::<Result<_, _>>().map(Parameter::List)
        }
        _ => scalar(value, time_zone).map(Parameter::Value),
    }
}

fn scalar(value: &Json, time_zone: Option<Zone>) -> Result<String, Fault> {
    match value {
        Json::String(text) => Ok(text.clone()),
        // Numbers of other kinds may already have lost digits here.
        Json::Number(number) if number.is_i64() || number.is_u64() => Ok(number.to_string()),
        Json::Object(members) if members.len() == 1 => match members.get("instant") {
            Some(Json::String(text)) => local_time(text, time_zone),
            _ => Err(foreign(value)),
        },
        _ => Err(foreign(value)),
    }
}

fn foreign(value: &Json) -> Fault {
    let (what, help) = match value {
        Json::Null => ("is null", "write `IS NULL` in the predicate"),
        Json::Bool(_) => ("is a list with a boolean", FORMS),
        Json::Number(_) => {
            ("is not a whole number of 64 bits", "write the number as text, which keeps all digits")
        }
        Json::Array(_) => ("is a list of lists", FORMS),
        _ => ("is an object", FORMS),
    };
    (what.to_string(), help.to_string())
}

/// The text with which the predicate compares an instant: the local time in the schema's zone.
fn local_time(text: &str, time_zone: Option<Zone>) -> Result<String, Fault> {
    let Some(instant) = time::parse_instant(text) else {
        let fault = format!("is not an instant: `{}`", text.escape_debug());
        return Err((fault, "write a time with its offset, such as `2020-04-06T10:00:00+08:00`".into()));
    };
    let Some(zone) = time_zone else {
        let fault = "is an instant, and the schema has no `time_zone`";
        return Err((fault.into(), "add `time_zone` to the schema, or give the local time".into()));
    };
    let Some(local) = time::unique_local_time(zone, instant) else {
        let fault = format!("is in an hour that occurs twice in {zone}: `{}`", text.escape_debug());
        return Err((fault, "compare the field with the number of the instant, or with local times".into()));
    };
    Ok(local.format("%Y-%m-%d %H:%M:%S%.f").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Result<Vec<(String, Parameter)>, String> {
        let zone = "America/New_York".parse().expect("a zone");
        let read = json_parameters(text, Some(zone)).map_err(|error| error.message)?;
        let names = ["a", "b", "c", "d"];
        Ok(names.iter().filter_map(|name| Some((name.to_string(), read.get(name)?.clone()))).collect())
    }

    #[test]
    fn every_form_of_a_value() {
        let text = r#"{"a": "x,y", "b": [1, "u,v", {"instant": "2020-04-06T10:00:00.25+08:00"}], "c": false,
                       "d": {"instant": "2020-07-01 00:00:00Z"}}"#;
        let list = ["1", "u,v", "2020-04-05 22:00:00.250"].map(str::to_string);
        let expected = [
            ("a", Parameter::Value("x,y".into())),
            ("b", Parameter::List(list.to_vec())),
            ("c", Parameter::Flag(false)),
            ("d", Parameter::Value("2020-06-30 20:00:00".into())),
        ];
        assert_eq!(values(text), Ok(expected.map(|(name, value)| (name.to_string(), value)).to_vec()));
    }

    #[test]
    fn other_values_are_refused() {
        for (text, reason) in [
            ("{", "not a JSON object"),
            ("{} 1", "not a JSON object"),
            (r#"{"a": 1, "a": 1}"#, "the parameter `a` is given twice"),
            (r#"{"a b": 1}"#, "`a b` is not the name of a parameter"),
            (r#"{"a": null}"#, "`a` is null"),
            (r#"{"a": 1.5}"#, "`a` is not a whole number of 64 bits"),
            (r#"{"a": 18446744073709551616}"#, "`a` is not a whole number of 64 bits"),
            (r#"{"a": [[1]]}"#, "`a` is a list of lists"),
            (r#"{"a": [true]}"#, "`a` is a list with a boolean"),
            (r#"{"a": {}}"#, "`a` is an object"),
            (r#"{"a": {"instant": 5}}"#, "`a` is an object"),
            (r#"{"a": {"instant": "2020-04-06"}}"#, "`a` is not an instant: `2020-04-06`"),
            (
                r#"{"a": {"instant": "2016-12-31T23:59:60Z"}}"#,
                "`a` is not an instant: `2016-12-31T23:59:60Z`",
            ),
            (r#"{"a": {"instant": "2020-11-01T06:30:00Z"}}"#, "`a` is in an hour that occurs twice in"),
        ] {
            let error = values(text).expect_err(text);
            assert!(error.starts_with(reason), "{text}: {error}");
        }
        let without_zone = json_parameters(r#"{"a": {"instant": "2020-04-06T00:00:00Z"}}"#, None);
        let error = without_zone.expect_err("no zone").message;
        assert_eq!(error, "`a` is an instant, and the schema has no `time_zone`");
    }
}
