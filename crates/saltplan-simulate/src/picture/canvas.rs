//! A small SVG writer. It estimates the size of texts, so that charts can keep their labels apart.

use std::fmt::Write;

/// Fonts that most machines have; row keys use the second one.
const SANS: &str = "Helvetica, Arial, 'DejaVu Sans', sans-serif";
const MONO: &str = "Menlo, Consolas, 'DejaVu Sans Mono', monospace";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Font {
    Sans,
    Bold,
    /// For row keys.
    Mono,
}

/// The style of a text, and which end of it is anchored.
#[derive(Debug, Clone, Copy)]
pub struct TextStyle {
    pub size: f64,
    pub font: Font,
    pub anchor: Anchor,
    pub color: &'static str,
}

/// The area of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextBox {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl TextBox {
    pub fn overlaps(&self, other: &TextBox) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

/// A drawing of fixed width; the height grows with the content.
#[derive(Debug)]
pub struct Canvas {
    width: f64,
    height: f64,
    body: String,
    texts: Vec<(String, TextBox)>,
}

impl Canvas {
    pub fn new(width: f64) -> Self {
        Canvas { width, height: 0.0, body: String::new(), texts: Vec::new() }
    }

    pub fn width(&self) -> f64 {
        self.width
    }

    /// Makes the drawing at least this high.
    pub fn reach(&mut self, height: f64) {
        self.height = self.height.max(height);
    }

    /// A filled rectangle; `note` is its tooltip.
    pub fn rect(&mut self, [x, y, width, height]: [f64; 4], fill: &str, note: Option<&str>) {
        let [x, y, width, height] = [x, y, width.max(0.0), height.max(0.0)].map(short);
        let shape =
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"");
        let _ = match note {
            Some(note) => writeln!(self.body, "{shape}><title>{}</title></rect>", escaped(note)),
            None => writeln!(self.body, "{shape}/>"),
        };
    }

    pub fn line(&mut self, ends: [f64; 4], color: &str, width: f64, dashes: Option<&str>) {
        let [x1, y1, x2, y2] = ends.map(short);
        let dashes = dashes.map(|dashes| format!(" stroke-dasharray=\"{dashes}\"")).unwrap_or_default();
        let _ = writeln!(
            self.body,
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{color}\" stroke-width=\"{width}\"{dashes}/>"
        );
    }

    pub fn curve(&mut self, points: &[(f64, f64)], color: &str) {
        let points: Vec<String> =
            points.iter().map(|(x, y)| format!("{},{}", short(*x), short(*y))).collect();
        let _ = writeln!(
            self.body,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>",
            points.join(" ")
        );
    }

    /// Writes a text on the baseline `y`.
    pub fn text(&mut self, x: f64, y: f64, text: &str, style: TextStyle) {
        let anchor = match style.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let font = match style.font {
            Font::Sans => String::new(),
            Font::Bold => " font-weight=\"bold\"".into(),
            Font::Mono => format!(" font-family=\"{MONO}\""),
        };
        let _ = writeln!(
            self.body,
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{anchor}\" fill=\"{}\"{font}>{}</text>",
            short(x),
            short(y),
            style.size,
            style.color,
            escaped(text)
        );
        self.texts.push((text.to_string(), room(x, y, text, style)));
    }

    /// The texts with their areas.
    pub fn texts(&self) -> &[(String, TextBox)] {
        &self.texts
    }

    /// The finished document with a white background.
    pub fn finish(self, title: &str) -> String {
        let (width, height) = (short(self.width), short(self.height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"{SANS}\" role=\"img\">\n<title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
             {}</svg>\n",
            escaped(title),
            self.body
        )
    }
}

/// Two decimals are finer than any screen; no `-0`, no trailing zeros.
fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// Text for an element: characters that XML does not allow become U+FFFD.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\t' | '\n' | '\r' => safe.push(' '),
            '\0'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}' => safe.push('\u{FFFD}'),
            other => safe.push(other),
        }
    }
    safe
}

fn room(x: f64, y: f64, text: &str, style: TextStyle) -> TextBox {
    let width = text_width(text, style.size, style.font);
    let left = match style.anchor {
        Anchor::Start => x,
        Anchor::Middle => x - width / 2.0,
        Anchor::End => x - width,
    };
    TextBox { left, top: y - style.size * 0.78, right: left + width, bottom: y + style.size * 0.22 }
}

/// The width of a text, estimated from the widest of the fonts above, rounded up.
pub fn text_width(text: &str, size: f64, font: Font) -> f64 {
    let em: f64 = text.chars().map(|character| character_width(character, font)).sum();
    em * size * if font == Font::Bold { 1.12 } else { 1.0 }
}

fn character_width(character: char, font: Font) -> f64 {
    match character {
        // Ideographs, Hangul, emoji.
        '\u{1100}'.. if !('\u{2000}'..='\u{2BFF}').contains(&character) => 1.05,
        _ if font == Font::Mono => 0.61,
        'i' | 'j' | 'l' | '\'' | '|' | '.' | ',' | ':' | ';' | '!' => 0.34,
        ' ' | 'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '-' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '—' | '…' => 1.0,
        'A'..='Z' => 0.72,
        _ => 0.64,
    }
}

/// Removes the middle of a text so that it takes at most `width`.
pub fn fitted(text: &str, width: f64, size: f64, font: Font) -> String {
    if text_width(text, size, font) <= width {
        return text.to_string();
    }
    let characters: Vec<char> = text.chars().collect();
    let mut keep = characters.len().saturating_sub(1);
    loop {
        let cut = without_middle(&characters, keep, "…");
        if keep == 0 || text_width(&cut, size, font) <= width {
            return cut;
        }
        keep -= 1;
    }
}

/// The first and the last characters of a text, `keep` of them. The start of a row key is more important than its end.
pub fn without_middle(characters: &[char], keep: usize, mark: &str) -> String {
    let head = characters[..keep - keep / 3].iter().copied();
    head.chain(mark.chars()).chain(characters[characters.len() - keep / 3..].iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_text_stays_well_formed() {
        let style = TextStyle { size: 12.0, font: Font::Mono, anchor: Anchor::Start, color: "#000" };
        let mut canvas = Canvas::new(100.0);
        canvas.text(0.0, 10.0, "<a href=\"x\">&\u{0}\u{1b}\n漢😀]]>", style);
        canvas.rect([0.0, 0.0, -1.0, 2.0], "#fff", Some("\u{ffff}<!--"));
        canvas.reach(20.0);
        let svg = canvas.finish("a < b & c");
        let document = roxmltree::Document::parse(&svg).unwrap();
        assert!(document.descendants().any(|node| node.text().is_some_and(|text| text.contains("<a href="))));
    }

    #[test]
    fn long_texts_are_cut_in_the_middle() {
        let text = "0123456789".repeat(10);
        let cut = fitted(&text, 100.0, 10.0, Font::Mono);
        assert!(cut.starts_with("012") && cut.ends_with('9') && cut.contains('…'), "{cut}");
        assert!(text_width(&cut, 10.0, Font::Mono) <= 100.0);
        assert_eq!(fitted("ab", 100.0, 10.0, Font::Mono), "ab");
        assert_eq!(fitted("abc", 0.0, 10.0, Font::Mono), "…");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([short(1.0), short(0.005), short(-0.001), short(12.345)], ["1", "0.01", "0", "12.35"]);
    }
}
