//! The errors of the YAML parser in the words of this program.

use granit_parser::ErrorKind;

/// The maximum depth of nested mappings and lists, counted separately for block and flow style.
pub(super) const MAX_NESTING: usize = 32;

pub(super) struct Wording {
    pub message: String,
    pub label: String,
    pub help: &'static str,
}

fn say(message: impl Into<String>, label: impl Into<String>, help: &'static str) -> Wording {
    Wording { message: message.into(), label: label.into(), help }
}

pub(super) fn expects_closing(kind: &ErrorKind) -> bool {
    use ErrorKind as K;
    matches!(
        kind,
        K::ExpectedFlowMappingSeparator
            | K::ExpectedFlowSequenceSeparator
            | K::UnexpectedEofFlowMapping
            | K::UnexpectedEofImplicitFlowMapping
            | K::UnexpectedEofFlowSequence
    )
}

pub(super) fn wording(kind: &ErrorKind) -> Wording {
    use ErrorKind as K;
    match kind {
        K::TabNotAllowed
        | K::TabInBlockIndentation
        | K::TabInIndentation
        | K::TabAtBlockScalarStart
        | K::TabInPlainScalar => say("YAML cannot be indented with tabs", "a tab", "indent with spaces"),
        K::UnclosedFlowCollection { open } => {
            say(format!("`{open}` is never closed"), "opened here", "add the closing bracket")
        }
        K::UnexpectedEofFlowSequence => say("`[` is never closed", "the file ends here", "add `]`"),
        K::UnexpectedEofFlowMapping | K::UnexpectedEofImplicitFlowMapping => {
            say("`{` is never closed", "the file ends here", "add `}`")
        }
        K::MismatchedFlowCollectionEnd { open, close } => say(
            format!("`{open}` is closed by `{close}`"),
            "opened here",
            "close every bracket with a bracket of the same kind",
        ),
        K::MisplacedFlowCollectionEnd => {
            say("this bracket has no opening bracket", "not opened", "remove it")
        }
        K::UnclosedQuotedScalar => {
            say("a quote is never closed", "the quoted text starts here", "add the closing quote")
        }
        K::InvalidTrailingSingleQuotedScalar | K::InvalidTrailingDoubleQuotedScalar => say(
            "text after the closing quote",
            "not expected here",
            "separate entries with `,`; inside single quotes, write a quote twice",
        ),
        K::ExpectedFlowMappingSeparator => say(
            "expected `,` or `}`",
            "found this",
            "close the bracket before this, or separate entries with `,`",
        ),
        K::ExpectedFlowSequenceSeparator => say(
            "expected `,` or `]`",
            "found this",
            "close the bracket before this, or separate items with `,`",
        ),
        K::UnknownQuotedScalarEscape | K::InvalidQuotedScalarHexEscape | K::InvalidUnicodeEscape => say(
            "unknown escape in double quotes",
            "not a YAML escape",
            "use single quotes, where `\\` is an ordinary character",
        ),
        K::MappingValueNotAllowed | K::InvalidColonPlacement | K::InvalidMappingValueWhitespace => {
            say("`:` is not allowed here", "a second `:`", "put text that contains `: ` in quotes")
        }
        K::SimpleKeyExpected | K::InvalidSimpleKey | K::MappingKeyNotAllowed => {
            say("expected `key: value`", "no key here", "write `key: value`, indented like the other keys")
        }
        K::InvalidIndentation
        | K::ExpectedBlockMappingKey
        | K::ExpectedBlockSequenceEntry
        | K::BlockSequenceEntryNotAllowed
        | K::InvalidFlowScalarIndent
        | K::InvalidQuotedScalarIndent
        | K::InvalidBlockScalarIndent => say(
            "the indentation does not fit",
            "the indentation differs from the entries around it",
            "indent all entries of a mapping or list alike",
        ),
        K::UnexpectedCharacter { character } => say(
            format!("plain text cannot start with `{}`", character.escape_debug()),
            "not expected here",
            "put the text in quotes",
        ),
        K::CommentNotSeparated | K::CommentInterceptedScalar => {
            say("a comment inside text", "this starts a comment", "put text that contains `#` in quotes")
        }
        K::RecursionLimitExceeded => say(
            format!("nested more than {MAX_NESTING} levels deep"),
            "too deep",
            "a schema needs fewer than ten levels",
        ),
        K::DirectiveDisallowed => {
            say("YAML directives are not supported in a schema", "a directive", "remove the line")
        }
        other => {
            say("this is not valid YAML", other.to_string(), "compare with an example in `schemas/examples`")
        }
    }
}
