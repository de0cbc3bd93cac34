//! Breaks long lines of printed SQL.
//!
//! The printer writes a [`MarkedText`]: a text and, beside it, marks that say where a line may end and which parts belong together.
//! [`Line::write`] breaks a line that is too long at such marks, outer groups first. It never reads the text between them. The two
//! steps are those of D. C. Oppen, "Prettyprinting", ACM TOPLAS 2(4), 1980.

/// Characters of a line.
pub const WIDTH: usize = 100;

/// How much deeper the parts of a broken group are indented.
pub const STEP: usize = 2;

/// The deepest indentation.
const MAX_INDENT: usize = 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// The line may end here; a blank that follows is then left out.
    Break,
    Open(Group),
    Close,
}

/// Where the lines of a group are broken if it does not fit on its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// At every mark. The content is indented; what follows the last mark is aligned with the line where the group begins.
    Bracket,
    /// At every mark.
    Chain,
    /// At every mark, with indented lines even if the group itself begins a line.
    Arm,
    /// Before each item that does not fit on the line, and after each that takes several lines.
    List,
    /// Where the line is full. A bracket that is longer than a line stays on the line where it begins.
    Run,
}

/// A text on one line, and where that line may end.
#[derive(Debug, Clone, Default)]
pub struct MarkedText {
    text: String,
    /// Marks before the byte with this number, ascending.
    marks: Vec<(usize, Mark)>,
}

impl MarkedText {
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub fn into_text(self) -> String {
        self.text
    }

    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub fn mark(&mut self, mark: Mark) {
        self.marks.push((self.text.len(), mark));
    }

    /// A blank where the line may end.
    pub fn blank(&mut self) {
        self.mark(Mark::Break);
        self.push(" ");
    }

    pub fn group(&mut self, group: Group, content: impl FnOnce(&mut Self)) {
        self.mark(Mark::Open(group));
        content(self);
        self.mark(Mark::Close);
    }

    /// Something in brackets.
    pub fn bracketed(&mut self, content: impl FnOnce(&mut Self)) {
        self.push("(");
        self.group(Group::Bracket, |own| {
            own.mark(Mark::Break);
            content(own);
            own.mark(Mark::Break);
            own.push(")");
        });
    }

    /// Items with commas between them.
    pub fn list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        self.group(Group::List, |own| {
            for (index, content) in items.iter().enumerate() {
                if index > 0 {
                    own.push(",");
                    own.blank();
                }
                item(own, content);
            }
        });
    }

    /// Puts a text before the byte with this number. Marks there stand behind it.
    pub(crate) fn insert(&mut self, at: usize, text: &str) {
        self.text.insert_str(at, text);
        for (place, _) in self.marks.iter_mut().rev().take_while(|(place, _)| *place >= at) {
            *place += text.len();
        }
    }
}

/// A line that may have to be broken.
#[derive(Debug, Clone)]
pub struct Line {
    pub content: MarkedText,
    /// Blanks before the content.
    pub indent: usize,
    /// Indentation of the arms of a condition in the content that is no part of another group.
    pub arms: usize,
}

impl Line {
    /// A line whose conditions are broken into lines with a deeper indentation.
    pub fn new(indent: usize, content: MarkedText) -> Self {
        Line { content, indent, arms: indent + STEP }
    }

    /// A line that begins with a connective: the other connectives of its condition are aligned with it.
    pub fn arm(indent: usize, content: MarkedText) -> Self {
        Line { content, indent, arms: indent }
    }

    /// Appends the line, broken at its marks if it is longer than [`WIDTH`]. Literals and names are never broken, so a line with a long
    /// one stays long. `line_end` is what ends a line and begins the next one; its width is not counted.
    pub fn write(&self, line_end: &str, text: &mut String) {
        text.extend(std::iter::repeat_n(' ', self.indent));
        let content = &self.content;
        let width = self.indent + content.text.chars().count();
        if width <= WIDTH || content.marks.is_empty() {
            return text.push_str(&content.text);
        }
        let first = content.marks[0].0;
        let before = &content.text[..first];
        let mut parts = Vec::with_capacity(content.marks.len());
        let mut start = self.indent + before.chars().count();
        for (index, &(at, mark)) in content.marks.iter().enumerate() {
            let end = content.marks.get(index + 1).map_or(content.text.len(), |(next, _)| *next);
            let text = &content.text[at..end];
            parts.push(Part { mark, text, start, needed: 0, head: 0, is_last: false });
            start += text.chars().count();
        }
        measure(&mut parts, width);
        text.push_str(before);
        let column = self.indent + before.chars().count();
        Lines { text, line_end, column, indent: self.indent, number: 0, arms: self.arms }.write(&parts);
    }
}

/// A mark and the text up to the next one.
struct Part<'a> {
    mark: Mark,
    text: &'a str,
    /// Characters before it in the line.
    start: usize,
    /// Characters from here to where the line can end next if nothing in this group, or before the group's next mark, is broken.
    needed: usize,
    /// Characters from here to the next mark where the line may end.
    head: usize,
    /// Whether it is the last mark of its group where the line may end.
    is_last: bool,
}

/// Measures the parts of a line. `width` is the number of its characters.
fn measure(parts: &mut [Part<'_>], width: usize) {
    let count = parts.len();
    // For each mark, the next place at or after it where the line may end.
    let mut breaks = vec![width; count + 1];
    // For each group around the current mark, its end and its next mark.
    let mut open = vec![(count, count)];
    for (index, part) in parts.iter_mut().enumerate().rev() {
        breaks[index] = breaks[index + 1];
        let group = open.len() - 1;
        let next = match part.mark {
            Mark::Break => {
                let next = std::mem::replace(&mut open[group].1, index);
                breaks[index] = part.start;
                part.is_last = next == open[group].0;
                next
            }
            Mark::Close => {
                open.push((index, index));
                index
            }
            Mark::Open(_) if group > 0 => open.pop().map_or(count, |(close, _)| close),
            Mark::Open(_) => count,
        };
        part.needed = breaks[next] - part.start;
        part.head = breaks[index + 1] - part.start;
    }
}

/// A group that is being written.
struct Frame {
    group: Group,
    is_broken: bool,
    indent: usize,
    /// Indentation of the line where it begins.
    outer: usize,
    /// The line where its current item begins.
    line: usize,
}

/// A line that is written over several lines.
struct Lines<'t> {
    text: &'t mut String,
    line_end: &'t str,
    /// Characters in the current line.
    column: usize,
    /// Blanks at the beginning of the current line.
    indent: usize,
    /// Lines before the current one.
    number: usize,
    arms: usize,
}

impl Lines<'_> {
    fn write(mut self, parts: &[Part<'_>]) {
        let indent = self.indent + STEP;
        let mut frames =
            vec![Frame { group: Group::Run, is_broken: true, indent, outer: self.indent, line: 0 }];
        for part in parts {
            let mut text = part.text;
            match part.mark {
                Mark::Open(group) => {
                    let frame = self.opened(group, part, &frames);
                    frames.push(frame);
                }
                Mark::Close if frames.len() > 1 => drop(frames.pop()),
                Mark::Close => {}
                Mark::Break => {
                    if let Some(frame) = frames.last_mut()
                        && self.ends_line(frame, part)
                    {
                        let is_end = frame.group == Group::Bracket && part.is_last;
                        self.end_line(if is_end { frame.outer } else { frame.indent });
                        frame.line = self.number;
                        text = text.strip_prefix(' ').unwrap_or(text);
                    }
                }
            }
            self.text.push_str(text);
            self.column += text.chars().count();
        }
    }

    fn opened(&self, group: Group, part: &Part<'_>, frames: &[Frame]) -> Frame {
        let parent = &frames[frames.len() - 1];
        let is_outermost = frames.len() == 1;
        let begins_line = self.column == self.indent;
        let indent = match group {
            Group::Bracket => deeper(self.indent),
            Group::List if is_outermost => self.column,
            Group::Chain if is_outermost => self.arms,
            _ if is_outermost => parent.indent,
            Group::Chain | Group::List if begins_line && parent.group == Group::Bracket => parent.indent,
            _ => deeper(parent.indent),
        };
        let is_broken = parent.is_broken && self.column + part.needed > WIDTH;
        Frame { group, is_broken, indent, outer: self.indent, line: self.number }
    }

    /// Whether the line ends at a mark.
    fn ends_line(&self, frame: &mut Frame, part: &Part<'_>) -> bool {
        let is_full = self.column + part.needed > WIDTH;
        let took_lines = std::mem::replace(&mut frame.line, self.number) < self.number;
        frame.is_broken
            && match frame.group {
                Group::Bracket | Group::Chain | Group::Arm => true,
                Group::List => is_full || took_lines,
                Group::Run => {
                    let fits_alone =
                        frame.indent + part.needed <= WIDTH + usize::from(part.text.starts_with(' '));
                    is_full && (fits_alone || self.column + part.head > WIDTH)
                }
            }
    }

    fn end_line(&mut self, indent: usize) {
        self.text.push_str(self.line_end);
        self.text.extend(std::iter::repeat_n(' ', indent));
        (self.column, self.indent, self.number) = (indent, indent, self.number + 1);
    }
}

fn deeper(indent: usize) -> usize {
    (indent + STEP).min(MAX_INDENT)
}

#[cfg(test)]
mod tests;
