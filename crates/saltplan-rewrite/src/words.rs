//! Lists of words as one text.

/// The words of a text, which one blank separates. Another number of words does not compile.
pub const fn words<const N: usize>(text: &'static str) -> [&'static str; N] {
    let mut list = [""; N];
    let mut rest = text;
    let mut index = 0;
    while index < N {
        let mut end = 0;
        while end < rest.len() && rest.as_bytes()[end] != b' ' {
            end += 1;
        }
        let (word, after) = rest.split_at(end);
        assert!(!word.is_empty(), "the list has fewer words");
        list[index] = word;
        rest = if after.is_empty() { after } else { after.split_at(1).1 };
        index += 1;
    }
    assert!(rest.is_empty(), "the list has more words");
    list
}
