//! "Did you mean …": finds the known name that is most similar.

/// The most similar candidate, if it is similar enough, by edit distance and without regard to case.
///
/// About one edit per three characters is allowed, so that `optional` is never suggested for `opera_day`. Of
/// equally similar candidates the one with fewer edits wins, then the first.
pub fn did_you_mean<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written = written.to_lowercase();
    let length = written.chars().count();
    if length > MAX_LENGTH {
        return None;
    }
    let mut best: Option<((usize, usize), &str)> = None;
    for candidate in candidates {
        let distance = distance(&written, &candidate.to_lowercase());
        let longer = length.max(candidate.chars().count());
        let allowed = ((longer + 1) / 3).min(MAX_EDITS);
        if distance.0 <= allowed && best.is_none_or(|(closest, _)| distance < closest) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Longer words are not misspelt names, and comparing them would be slow.
const MAX_LENGTH: usize = 100;
const MAX_EDITS: usize = 4;

/// The distance of two lower-case words, and the number of edits. A word that starts with the other one has
/// distance one.
fn distance(written: &str, candidate: &str) -> (usize, usize) {
    let edits = strsim::osa_distance(written, candidate);
    let is_prefix = written.len() >= 3 && (candidate.starts_with(written) || written.starts_with(candidate));
    (if is_prefix { edits.min(1) } else { edits }, edits)
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn near_names_only() {
        let fields = ["opera_day", "row_id", "phone_number"];
        assert_eq!(did_you_mean("opera_dya", fields), Some("opera_day"));
        assert_eq!(did_you_mean("OPERA_DAY", fields), Some("opera_day"));
        assert_eq!(did_you_mean("phone", fields), Some("phone_number"));
        assert_eq!(did_you_mean("rowid", fields), Some("row_id"));
        assert_eq!(did_you_mean("colour", fields), None);
        assert_eq!(did_you_mean("", fields), None);
        assert_eq!(did_you_mean(&"x".repeat(100_000), fields), None);
    }

    #[test]
    fn short_names_need_to_be_closer() {
        assert_eq!(did_you_mean("tl", ["tel"]), Some("tel"));
        assert_eq!(did_you_mean("id", ["of"]), None);
        assert_eq!(did_you_mean("b", ["a"]), None);
        assert_eq!(did_you_mean("gzip", ["BZIP2", "GZ"]), Some("GZ"));
        assert_eq!(did_you_mean("ds_nodahs", ["ds", "ds_nodash"]), Some("ds_nodash"));
    }
}
