//! Path patterns: `old/*.yaml`, `**/tmp`.

use fast_glob::ErrorKind;
use saltplan_document::diag::Spanned;
use saltplan_document::reader::Reader;
use saltplan_document::wording::excerpt;

/// Whether a pattern matches a path or one of its parent folders. Both are relative to the same folder, with
/// `/` as separator.
pub fn matches(pattern: &str, path: &str) -> bool {
    let parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let pattern = parts.join("/");
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    ends.map(|end| &path[..end]).any(|path| fast_glob::glob_match(&pattern, path))
}

/// Reports a pattern that is invalid and would match nothing. A leading `!` is refused, because it inverts a
/// pattern in other tools.
pub fn check(reader: &mut Reader<'_>, pattern: &Spanned<String>) -> Option<()> {
    let text = &pattern.value;
    let (reason, help) = match fast_glob::validate(text) {
        _ if text.starts_with('!') => ("starts with `!`", "name the files, as in `old/*.yaml`"),
        Ok(()) => return Some(()),
        Err(error) => match error.kind {
            ErrorKind::TrailingBackslash => ("ends with `\\`", "put `/` between the parts of a path"),
            ErrorKind::UnclosedBracket | ErrorKind::UnclosedBrace => {
                ("a bracket is not closed", "close it, or put `\\` before it to match the character itself")
            }
            _ => ("too many braces", "write several patterns"),
        },
    };
    let message = format!("`{}` is not a valid path pattern", excerpt(text));
    reader.report(reader.fault(pattern.span, message, reason).with_help(help));
    None
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn files_and_folders() {
        for (pattern, path) in [
            ("vendor", "vendor/a.yaml"),
            ("vendor/", "vendor/b/a.yaml"),
            ("./old/*.yaml", "old/a.yaml"),
            ("**/tmp", "a/b/tmp/c.yaml"),
            ("**/a.yaml", "a.yaml"),
            ("a/**/c.yaml", "a/c.yaml"),
            ("*", "a/b"),
            ("v?s*s.yaml", "visits.yaml"),
            ("{a,b}/[0-9].yaml", "b/7.yaml"),
            ("\\[a]", "[a]"),
        ] {
            assert!(matches(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("vendor", "vendors/a.yaml"),
            ("old/*.yaml", "old/b/a.yaml"),
            ("a", "b/a"),
            ("*.yaml", "a.yml"),
            ("", "a"),
            ("a/b", "a"),
        ] {
            assert!(!matches(pattern, path), "{pattern} {path}");
        }
        assert!(!matches(&"*a".repeat(50), &"a".repeat(40)));
        assert!(!matches(&format!("{}b/x", "*a".repeat(40)), &format!("{}/y", "a".repeat(200))));
        assert!(!matches(&format!("{}b", "**/a/".repeat(30)), &"a/".repeat(100)));
    }
}
