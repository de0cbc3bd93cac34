//! Rows as CSV: the first line has the names, a comma or a tab is between the cells, and each row is one line.

use saltplan_core::Table;
use serde_json::{Map, Value as Json};

/// The names of the columns, and the sign between cells.
#[derive(Debug)]
pub struct Header {
    names: Vec<String>,
    sign: char,
}

/// How a cell without a value is written, as Hive and most databases export it.
const NULL: &str = r"\N";

/// Whether the first line of the input has names of columns, one of which is a key field.
pub fn is_header(line: &[u8], table: &Table) -> bool {
    let Ok(text) = std::str::from_utf8(line) else { return false };
    let is_field =
        |name: &str| table.schema().key.fields.iter().any(|field| field.name.eq_ignore_ascii_case(name));
    let names = cells(text, sign_of(text)).unwrap_or_default();
    !text.trim_start().starts_with('{') && names.iter().any(|name| is_field(name.trim()))
}

/// # Errors
/// A quote is open, or a name is missing or there twice.
pub fn header(line: &[u8]) -> Result<Header, String> {
    let text = text(line)?;
    let sign = sign_of(text);
    let names: Vec<String> = cells(text, sign)?.iter().map(|name| name.trim().to_string()).collect();
    for (at, name) in names.iter().enumerate() {
        if name.is_empty() {
            return Err(format!("column {} has no name", at + 1));
        }
        if names[..at].contains(name) {
            return Err(format!("two columns have the name `{name}`"));
        }
    }
    Ok(Header { names, sign })
}

/// The cells of a line by their names, as texts.
///
/// # Errors
/// A quote is open, or there are more or fewer cells than names.
pub fn row(header: &Header, line: &[u8]) -> Result<Map<String, Json>, String> {
    let cells = cells(text(line)?, header.sign)?;
    if cells.len() != header.names.len() {
        return Err(format!("{} cells, but the first line has {} names", cells.len(), header.names.len()));
    }
    let value = |cell: String| if cell == NULL { Json::Null } else { Json::String(cell) };
    Ok(header.names.iter().cloned().zip(cells.into_iter().map(value)).collect())
}

fn text(line: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(line).map_err(|_| "not UTF-8 text".to_string())
}

fn sign_of(header: &str) -> char {
    if header.contains('\t') { '\t' } else { ',' }
}

/// A cell in `"` may have the sign between cells, and `""` for a quote.
fn cells(line: &str, sign: char) -> Result<Vec<String>, String> {
    let mut cells = Vec::new();
    let mut rest = line;
    loop {
        let (cell, behind) = match rest.strip_prefix('"') {
            Some(quoted) => quoted_cell(quoted)?,
            None => {
                let end = rest.find(sign).unwrap_or(rest.len());
                (rest[..end].to_string(), &rest[end..])
            }
        };
        cells.push(cell);
        let Some(next) = behind.strip_prefix(sign) else {
            return match behind.is_empty() {
                true => Ok(cells),
                false => Err(format!("cell {} goes on behind its quote", cells.len())),
            };
        };
        rest = next;
    }
}

fn quoted_cell(text: &str) -> Result<(String, &str), String> {
    let mut cell = String::new();
    let mut rest = text;
    loop {
        let (part, behind) =
            rest.split_once('"').ok_or("a quote is open at the end of the line: each row is one line")?;
        cell.push_str(part);
        match behind.strip_prefix('"') {
            Some(more) => {
                cell.push('"');
                rest = more;
            }
            None => return Ok((cell, behind)),
        }
    }
}

#[test]
fn cells_are_cut_at_signs_outside_of_quotes() {
    let of = |line: &str| cells(line, ',').map(|cells| cells.join("|"));
    assert_eq!(of("a,b,"), Ok("a|b|".into()));
    assert_eq!(of(r#""a,""b""",c"#), Ok(r#"a,"b"|c"#.into()));
    assert!(of(r#""a,b"#).is_err() && of(r#""a"b"#).is_err());
    let header = header(b"a\t b").unwrap();
    assert_eq!(
        row(&header, b"1\t\\N").unwrap(),
        *serde_json::json!({"a": "1", "b": null}).as_object().unwrap()
    );
    assert!(row(&header, b"1").is_err());
}
