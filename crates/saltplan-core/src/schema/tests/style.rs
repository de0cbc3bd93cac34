//! One file in many spellings: block and flow style, all kinds of quotes, other orders of keys, comments.

use serde_json::Value as Json;

use super::draw::Draw;
use saltplan_document::yaml;

/// Writes a file; numbers determine the choices.
pub fn written(file: &Json, numbers: &[u32]) -> String {
    let mut writer =
        FileWriter { draw: Draw { numbers, at: 0, fresh: 0, fields: Vec::new(), columns: Vec::new() } };
    let mut text = "# A file.\n".to_string();
    writer.block(file, 0, StylePlace::default(), &mut text);
    text
}

/// What the style must respect at a place.
#[derive(Debug, Clone, Copy, Default)]
struct StylePlace {
    /// Row keys are always quoted.
    in_regions: bool,
    /// Families, attributes and metadata are printed in the order of the file.
    in_order: bool,
}

impl StylePlace {
    fn under(self, key: &str) -> StylePlace {
        StylePlace {
            in_regions: self.in_regions || key == "regions",
            in_order: self.in_order || ["families", "attributes", "metadata"].contains(&key),
        }
    }
}

struct FileWriter<'d> {
    draw: Draw<'d>,
}

impl FileWriter<'_> {
    fn entries<'j>(
        &mut self,
        members: &'j serde_json::Map<String, Json>,
        place: StylePlace,
    ) -> Vec<(&'j str, &'j Json)> {
        let mut entries: Vec<_> = members.iter().map(|(key, value)| (key.as_str(), value)).collect();
        if !place.in_order {
            for at in (1..entries.len()).rev() {
                let other = self.draw.below(at + 1);
                entries.swap(at, other);
            }
        }
        entries
    }

    /// The lines of a value, each with its own indentation.
    fn block(&mut self, value: &Json, indent: usize, place: StylePlace, out: &mut String) {
        match value {
            Json::Object(members) if !members.is_empty() => {
                for (key, value) in self.entries(members, place) {
                    out.push_str(&format!("{:indent$}{}:", "", self.key(key)));
                    self.behind(value, indent, place.under(key), out);
                }
            }
            Json::Array(items) if !items.is_empty() => {
                for item in items {
                    out.push_str(&format!("{:indent$}-", ""));
                    self.behind(item, indent, place, out);
                }
            }
            value => {
                let text = self.flow(value, place);
                out.push_str(&format!("{:indent$}{text}\n", ""));
            }
        }
    }

    /// A value after a key or a dash: on the same line, or on its own lines.
    fn behind(&mut self, value: &Json, indent: usize, place: StylePlace, out: &mut String) {
        let is_short = value.as_object().is_none_or(serde_json::Map::is_empty)
            && value.as_array().is_none_or(Vec::is_empty);
        if is_short || self.draw.below(3) == 0 {
            let text = self.flow(value, place);
            out.push_str(&format!(" {text}{}\n", self.comment()));
        } else {
            out.push_str(&format!("{}\n", self.comment()));
            self.block(value, indent + 2, place, out);
        }
    }

    fn comment(&mut self) -> &'static str {
        self.draw.pick(&["", "", "  # said: in a comment", " #", "\n\n# between"])
    }

    fn key(&mut self, key: &str) -> String {
        match self.draw.below(6) {
            0 => yaml::quoted(key),
            1 => Json::from(key).to_string(),
            _ => yaml::scalar(key),
        }
    }

    fn flow(&mut self, value: &Json, place: StylePlace) -> String {
        match value {
            Json::Object(members) => {
                let entries: Vec<String> = self
                    .entries(members, place)
                    .into_iter()
                    .map(|(key, value)| format!("{}: {}", self.key(key), self.flow(value, place.under(key))))
                    .collect();
                format!("{{ {} }}", entries.join(", "))
            }
            Json::Array(items) => {
                let items: Vec<String> = items.iter().map(|item| self.flow(item, place)).collect();
                format!("[{}]", items.join(" , "))
            }
            Json::String(text) => match self.draw.below(3) {
                0 => Json::from(text.as_str()).to_string(),
                1 if !place.in_regions => yaml::scalar(text),
                _ => yaml::quoted(text),
            },
            Json::Null => self.draw.pick(&["~", "null"]).to_string(),
            // A number in another base is the same number; attributes are passed on unchanged.
            Json::Number(number) => match number.as_u64() {
                Some(number) if !place.in_order && self.draw.below(4) == 0 => format!("{number:#x}"),
                _ => number.to_string(),
            },
            Json::Bool(_) => value.to_string(),
        }
    }
}
