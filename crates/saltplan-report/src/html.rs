//! Assembles the file: inserts style, script and data into the template.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

const TEMPLATE: &str = include_str!("page/report.html");
const STYLE: &str = include_str!("page/report.css");
const SCRIPT: &str = include_str!("page/report.js");

/// Replaces the placeholders with the parts. A placeholder inside a part is plain text.
pub fn page(title: &str, data: &Json) -> String {
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
        integrity(STYLE),
        integrity(SCRIPT)
    );
    let data = inert_json(data);
    let title = escaped(title);
    let mut page = String::with_capacity(TEMPLATE.len() + STYLE.len() + SCRIPT.len() + data.len() + 512);
    let mut rest = TEMPLATE;
    let parts: [(&str, &str); 5] = [
        ("{{policy}}", &policy),
        ("{{title}}", &title),
        ("{{style}}", STYLE),
        ("{{data}}", &data),
        ("{{script}}", SCRIPT),
    ];
    for (place, part) in parts {
        let (before, behind) = rest.split_once(place).unwrap_or((rest, ""));
        page.push_str(before);
        page.push_str(part);
        rest = behind;
    }
    page.push_str(rest);
    page
}

/// The hash of a text for the content security policy.
fn integrity(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// JSON that cannot end the script element or start a comment, and shows characters that change the writing
/// direction as escapes.
fn inert_json(data: &Json) -> String {
    let text = data.to_string();
    let mut inert = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '<' | '>' | '&') || is_sign(c) {
            inert.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            inert.push(c);
        }
    }
    inert
}

/// The text of an element.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            c if is_sign(c) => escaped.push(char::REPLACEMENT_CHARACTER),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Whether a character is a control character, ends a line, or changes the writing direction. All of them
/// have at most four hex digits.
fn is_sign(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn hashes_of_a_policy() {
        assert_eq!(base64(b"Many hands"), "TWFueSBoYW5kcw==");
        assert_eq!(base64(b"abc"), "YWJj");
        assert_eq!(integrity(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }

    #[test]
    fn data_cannot_end_the_script() {
        let data = json!({ "a": "</script><!-- & \u{202e}\u{2028}\u{9b}\u{feff}" });
        let text = inert_json(&data);
        assert!(!text.contains(['<', '>', '&']) && !text.chars().any(is_sign), "{text}");
        assert_eq!(serde_json::from_str::<Json>(&text).expect("JSON"), data);
        assert_eq!(escaped("<a href='x'>&\u{202e}"), "&lt;a href='x'&gt;&amp;\u{fffd}");
    }

    #[test]
    fn placeholders_inside_parts_are_not_replaced() {
        let page = page("{{script}}", &json!("{{style}} {{data}}"));
        assert!(page.contains("<title>{{script}}</title>"));
        assert!(page.contains("\"{{style}} {{data}}\""));
        assert_eq!(page.matches("<script").count(), 2);
    }
}
