//! The words with which a class refuses a value or a key: those of `saltplan key encode` and `key decode`. A
//! `{hole}` is filled with a constant of the schema, or with an expression of the class.

use std::collections::BTreeMap;

use crate::language::{Fill, Language};

/// Every message by the name that the templates use.
const MESSAGES: &[(&str, &str)] = &[
    ("null", "a key field without `nullable: true` is never null"),
    ("empty_for_null", "the empty text stands for NULL in this field; write null"),
    ("unquoted", "the field is text; write \"{value}\""),
    ("no_scalar", "expected a string or a number"),
    ("not_utf8", "not UTF-8 text"),
    ("character", "{character} is not one of the declared characters ({declared})"),
    ("width", "`{value}` has {bytes} bytes, but the declared width is {width}"),
    ("undeclared", "`{value}` is not one of the declared values"),
    ("below_min", "{value} is below the declared `min`, {min}"),
    ("above_max", "{value} is above the declared `max`, {max}"),
    ("out_of_range", "{value} is outside the range of the field"),
    ("not_whole", "`{value}` is not a whole number of 64 bits"),
    ("no_instant", "`{value}` is neither a number nor a timestamp"),
    ("text_for_number", "`{value}` is text, but the field is a number"),
    ("no_digits", "`{text}` is not a number"),
    ("spelling", "`{text}` is not the stored form of {number} (`{written}`)"),
    ("no_date", "`{value}` is not a date in the format `{format}`"),
    ("field", "`{field}`: {reason}"),
    ("outside_the_calendar", "`{field}` is outside the calendar"),
    ("empty", "the row key is empty, which HBase refuses"),
    ("too_long", "the row key has {key_bytes} bytes, but HBase accepts at most 32767"),
    ("foreign_number", "`{salt_number}` is not a salt of this table"),
    ("foreign_salt", "`{salt}` is not a salt of this table"),
    ("no_salt_in_key", "the key does not start with a salt of this table"),
    ("wrong_salt", "the salt is `{found_salt}`, but the fields give `{expected_salt}`"),
    ("no_separator", "no separator after `{field}`"),
    ("ends_before", "the key ends before `{field}`"),
    ("left_over", "{left} bytes are left over"),
    ("ambiguous", "the key can be read in {ways} ways: a field may contain the separator after it"),
];

/// The expressions that the templates have for the holes.
fn expression(language: Language, hole: &str) -> Option<&str> {
    let (java, python) = match hole {
        "value" | "text" | "number" | "written" | "reason" => (hole, hole),
        "salt_number" => ("salt", "salt"),
        "salt" => ("shown(salt)", "_shown(salt)"),
        "bytes" => ("stored.length", "len(stored)"),
        "character" => ("quoted(character)", "_quoted(foreign[0])"),
        "key_bytes" => ("key.length", "len(key)"),
        "left" => ("(key.length - at)", "len(key) - at"),
        "ways" => ("found.size()", "len(found)"),
        "found_salt" => ("shown(Arrays.copyOf(key, saltEnd))", "_shown(key[:salt_end])"),
        "expected_salt" => (
            "shown(Arrays.copyOf(expected, expected.length - key.length + saltEnd))",
            "_shown(expected[: len(expected) - len(key) + salt_end])",
        ),
        _ => return None,
    };
    Some(language.pick(java, python))
}

/// The messages as expressions, as far as constants and expressions fill them.
pub(crate) fn words(language: Language, constants: &[(&str, String)]) -> BTreeMap<&'static str, String> {
    let fill = |hole: &str| {
        let constant = constants.iter().find(|(name, _)| *name == hole);
        constant
            .map(|(_, text)| Fill::Text(text.clone()))
            .or_else(|| Some(Fill::Expression(expression(language, hole)?.into())))
    };
    MESSAGES.iter().filter_map(|(name, template)| Some((*name, language.message(template, fill)?))).collect()
}

#[cfg(test)]
mod tests {
    use saltplan_core::key::ValueError;
    use saltplan_core::key::salt::InputError;
    use saltplan_core::row::RowError;

    use super::*;

    /// Compares the messages with those of the encoder itself.
    #[test]
    fn the_words_of_key_encode() {
        let text = || "x".to_string();
        let value = |error: ValueError| error.to_string();
        let row = |error: RowError| error.to_string();
        let found = [
            ("null", value(ValueError::Null)),
            ("empty_for_null", value(ValueError::EmptyForNull)),
            ("unquoted", value(ValueError::Unquoted(text()))),
            ("no_scalar", value(ValueError::NoScalar)),
            ("not_utf8", value(ValueError::NotUtf8)),
            ("character", value(ValueError::ForeignCharacter { character: 'x', declared: text() })),
            ("width", value(ValueError::Width { text: text(), width: 9 })),
            ("undeclared", value(ValueError::Undeclared(text()))),
            ("below_min", value(ValueError::BelowMin { number: 1, min: 9 })),
            ("above_max", value(ValueError::AboveMax { number: 1, max: 9 })),
            ("out_of_range", value(ValueError::OutOfRange(1))),
            ("out_of_range", value(ValueError::TooGreat(1))),
            ("not_whole", value(ValueError::NotWhole(text()))),
            ("no_instant", value(ValueError::NoInstant(text()))),
            ("text_for_number", value(ValueError::TextForNumber(text()))),
            ("no_digits", value(ValueError::NoDigits(text()))),
            ("spelling", value(ValueError::Spelling { text: text(), number: 1, stored: text() })),
            ("no_date", value(ValueError::NoDate { text: text(), format: text() })),
            ("field", row(RowError::Value { field: text(), error: ValueError::Null })),
            ("outside_the_calendar", row(InputError::OutsideTheCalendar { field: text() }.into())),
            ("empty", row(RowError::Empty)),
            ("too_long", row(RowError::TooLong { bytes: 1 })),
            ("foreign_salt", row(RowError::ForeignSalt(text()))),
            ("foreign_number", row(RowError::ForeignSalt(text()))),
            ("no_salt_in_key", row(RowError::NoSaltInKey)),
            ("no_separator", row(RowError::NoSeparator { field: text() })),
            ("ends_before", row(RowError::EndsBefore { field: text() })),
            ("left_over", row(RowError::LeftOver { bytes: 1 })),
            ("ambiguous", row(RowError::Ambiguous { ways: 1 })),
        ];
        for (name, words) in &found {
            let (_, template) = MESSAGES.iter().find(|(known, _)| known == name).expect("a message");
            let mut expected = (*template).to_string();
            for (hole, filled) in [
                ("{reason}", "a key field without `nullable: true` is never null"),
                ("{character}", "'x'"),
                ("{min}", "9"),
                ("{max}", "9"),
                ("{width}", "9"),
                ("{bytes}", "1"),
                ("{key_bytes}", "1"),
                ("{left}", "1"),
                ("{ways}", "1"),
                ("{number}", "1"),
            ] {
                expected = expected.replace(hole, filled);
            }
            let is_number = matches!(*name, "below_min" | "above_max" | "out_of_range");
            expected = expected.replace("{value}", if is_number { "1" } else { "x" });
            for hole in
                ["{text}", "{written}", "{declared}", "{format}", "{field}", "{salt}", "{salt_number}"]
            {
                expected = expected.replace(hole, "x");
            }
            assert_eq!(&expected, words, "{name}");
        }
        // `key decode` prints the message about a wrong salt itself.
        let unseen = MESSAGES.iter().filter(|(name, _)| found.iter().all(|(seen, _)| seen != name));
        assert_eq!(unseen.map(|(name, _)| *name).collect::<Vec<_>>(), ["wrong_salt"]);
    }

    #[test]
    fn constants_are_quoted_with_the_text() {
        let constants = [("declared", "[{\"]".to_string())];
        let of = |language| words(language, &constants).remove("character");
        let python = r#"f"{_quoted(foreign[0])} is not one of the declared characters ([{{\"])""#;
        assert_eq!(of(Language::Python).as_deref(), Some(python));
        let java = r#"quoted(character) + " is not one of the declared characters ([{\"])""#;
        assert_eq!(of(Language::Java).as_deref(), Some(java));
        assert_eq!(words(Language::Java, &[]).get("width"), None);
    }
}
