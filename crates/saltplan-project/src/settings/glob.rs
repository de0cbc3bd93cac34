//! Patterns of paths: `old/*.yaml`, `**/tmp`.

/// Whether a path, or a folder that it lies in, is what a pattern means. Both are from the same folder and have `/` between
/// their parts. `*` stands for any part of a name, `?` for a character of it, `**` for any folders.
pub fn matches(pattern: &str, path: &str) -> bool {
    let pattern: Vec<&str> = parts(pattern).collect();
    let path: Vec<&str> = parts(path).collect();
    (1..=path.len()).any(|length| are_parts(&pattern, &path[..length]))
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split('/').filter(|part| !part.is_empty() && *part != ".")
}

fn are_parts(pattern: &[&str], path: &[&str]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, rest) => rest.is_none(),
        (Some((&"**", behind)), _) => (0..=path.len()).any(|skipped| are_parts(behind, &path[skipped..])),
        (Some((first, behind)), Some((name, rest))) => is_name(first, name) && are_parts(behind, rest),
        (Some(_), None) => false,
    }
}

/// Goes back to the last `*` where it does not fit, so that long names take no long time.
fn is_name(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut of) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while of < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, of));
                at += 1;
            }
            Some(c) if *c == '?' || *c == name[of] => {
                at += 1;
                of += 1;
            }
            _ => {
                let Some((star_at, taken)) = star else { return false };
                star = Some((star_at, taken + 1));
                (at, of) = (star_at + 1, taken + 1);
            }
        }
    }
    pattern[at..].iter().all(|c| *c == '*')
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
    }
}
