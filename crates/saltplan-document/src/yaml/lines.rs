//! Writes a file line by line, with comments.

use super::write::{YamlValue, comment, entry, scalar};

/// A file that is written line by line; levels are steps of indentation.
#[derive(Debug, Default)]
pub struct YamlLines {
    text: String,
}

impl YamlLines {
    #[must_use]
    pub fn into_text(self) -> String {
        self.text
    }

    fn push(&mut self, level: usize, line: &str) {
        self.text.push_str(&"  ".repeat(level));
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub fn gap(&mut self) {
        self.text.push('\n');
    }

    /// A key whose value follows on the next lines.
    pub fn open(&mut self, level: usize, key: &str) {
        self.push(level, &format!("{}:", scalar(key)));
    }

    /// A key with its value.
    pub fn line(&mut self, level: usize, (key, value): (&str, YamlValue)) {
        self.push(level, &entry(key, &value));
    }

    /// A key with a mapping in braces; all names are arbitrary.
    pub fn mapping<'k>(
        &mut self,
        level: usize,
        key: &str,
        entries: impl Iterator<Item = (&'k str, YamlValue)>,
    ) {
        let entries: Vec<String> = entries.map(|(key, value)| entry(key, &value)).collect();
        self.push(level, &format!("{}: {{{}}}", scalar(key), entries.join(", ")));
    }

    pub fn item(&mut self, level: usize, value: YamlValue) {
        self.push(level, &format!("- {value}"));
    }

    pub fn comment(&mut self, level: usize, lines: &[String]) {
        for line in lines {
            self.push(level, &format!("# {}", comment(line)));
        }
    }
}
