//! The examples of the rules as complete schemas.

use saltplan_document::diag::Span;

/// What examples leave out, in the order of a schema file: the top-level key and its lines.
const REST: [(&str, &str); 3] = [
    ("saltplan", "saltplan: 1\n"),
    ("hbase", "hbase: { table: 't', families: { f: {} } }\n"),
    ("key", "key: { fields: [{ name: id, type: string, width: 8, chars: digits }] }\n"),
];

/// An example without the marks.
pub fn lines(example: &str) -> String {
    example.replace(['»', '«'], "")
}

/// The complete schema of an example, and the span between its marks.
pub fn schema(example: &str) -> (String, Option<Span>) {
    let mut text = String::new();
    for (key, default) in REST {
        let has = lines(example)
            .lines()
            .any(|line| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':')));
        if !has {
            text.push_str(default);
        }
    }
    let offset = text.len();
    text.push_str(&lines(example));
    let span = example
        .find('»')
        .zip(example.find('«'))
        .map(|(start, end)| Span::new(offset + start, offset + end - '»'.len_utf8()));
    (text, span)
}
