//! What a text of the key is, in words.

use super::layout::{KeyText, Layout, Part, Slice};

impl Layout<'_> {
    /// What a text is, for people.
    pub fn describe(&self, text: &KeyText) -> String {
        let mut parts: Vec<String> = Vec::new();
        for slice in &text.slices {
            let Slice::OfPart { part, from, to } = slice else { continue };
            let what = match self.part(*part) {
                Part::Salt if Layout::is_all(slice) => "the salt".to_string(),
                Part::Salt => "a part of the salt".to_string(),
                Part::Field(id) => {
                    let name = &self.field(*id).name;
                    match (from, to) {
                        (0, None) => format!("`{name}`"),
                        (0, Some(_)) => format!("the start of `{name}`"),
                        (_, None) => format!("the end of `{name}`"),
                        _ => format!("a part of `{name}`"),
                    }
                }
                Part::Between(_) | Part::Bytes => continue,
            };
            parts.push(what);
        }
        if self.is_whole(text) {
            return "the whole key".into();
        }
        match parts.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => "a separator".into(),
        }
    }
}
