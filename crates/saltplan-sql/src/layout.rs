//! Breaks long lines of printed SQL.
//!
//! The printer puts marks into its text: where a line may be broken, and which parts belong together. [`wrap`] breaks the lines that
//! are too long at such marks, outer groups first, and removes the marks. It never reads the SQL between them. The two steps are those
//! of D. C. Oppen, "Prettyprinting", ACM TOPLAS 2(4), 1980.
//!
//! A mark is one of the noncharacters U+FDD0 to U+FDEF, which Unicode reserves for the internal use of programs. Marks survive
//! whatever a template does with a text. Literals and names never contain one.

use std::ops::RangeInclusive;

/// Characters of a line.
pub const WIDTH: usize = 100;

/// How much deeper the parts of a broken group are indented.
const STEP: usize = 2;

/// The deepest indentation.
const MAX_INDENT: usize = 60;

/// The characters that marks are taken from.
pub const RESERVED: RangeInclusive<char> = '\u{FDD0}'..='\u{FDEF}';

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

impl Mark {
    const OPEN: [Group; 5] = [Group::Bracket, Group::Chain, Group::Arm, Group::List, Group::Run];

    pub fn sign(self) -> char {
        match self {
            Mark::Break => '\u{FDD0}',
            Mark::Close => '\u{FDD1}',
            Mark::Open(Group::Bracket) => '\u{FDD2}',
            Mark::Open(Group::Chain) => '\u{FDD3}',
            Mark::Open(Group::Arm) => '\u{FDD4}',
            Mark::Open(Group::List) => '\u{FDD5}',
            Mark::Open(Group::Run) => '\u{FDD6}',
        }
    }

    /// The mark of a reserved character.
    fn of(sign: char) -> Mark {
        let marks = Self::OPEN.map(Mark::Open).into_iter().chain([Mark::Break]);
        marks.into_iter().find(|mark| mark.sign() == sign).unwrap_or(Mark::Close)
    }
}

fn is_reserved(c: char) -> bool {
    RESERVED.contains(&c)
}

/// Whether a text can have marks. All of them begin with this byte in UTF-8.
fn may_have_marks(text: &str) -> bool {
    text.as_bytes().contains(&0xEF)
}

/// The text without its marks.
pub fn unmarked(mut text: String) -> String {
    if may_have_marks(&text) {
        text.retain(|c| !is_reserved(c));
    }
    text
}

/// Bytes of a text without its marks.
pub fn length(text: &str) -> usize {
    text.len() - text.chars().filter(|c| is_reserved(*c)).map(char::len_utf8).sum::<usize>()
}

/// What is between the items of a list.
pub fn separator() -> String {
    format!(",{} ", Mark::Break.sign())
}

/// Items that are joined by [`separator`], as a group.
pub fn list(items: &str) -> String {
    format!("{}{items}{}", Mark::Open(Group::List).sign(), Mark::Close.sign())
}

/// A text in brackets.
pub fn bracketed(text: &str) -> String {
    let [open, end, close] = [Mark::Open(Group::Bracket), Mark::Break, Mark::Close].map(Mark::sign);
    format!("({open}{end}{text}{end}){close}")
}

/// A list in brackets.
pub fn bracketed_list(items: &[impl AsRef<str>]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    bracketed(&list(&items.join(&separator())))
}

/// Breaks the lines that are longer than [`WIDTH`] at their marks, and removes all marks. Literals and names are never broken, so a
/// line with a long one stays long. A line whose marks are in a literal or a comment of a template is not broken.
#[must_use]
pub fn wrap(text: &str) -> String {
    let mut wrapped = String::with_capacity(text.len() + text.len() / 8);
    let mut template = TemplateText::default();
    for line in text.split_inclusive('\n') {
        if !may_have_marks(line) {
            template.read(line);
            wrapped.push_str(line);
            continue;
        }
        let Line { before, mut parts, width, is_open } = Line::new(line, &mut template);
        if width > WIDTH && !is_open {
            measure(&mut parts, width);
            Lines::new(&mut wrapped, before).write(&parts);
        } else {
            wrapped.push_str(before);
            parts.iter().for_each(|part| wrapped.push_str(part.text));
        }
    }
    wrapped
}

/// A line, cut at its marks.
struct Line<'a> {
    /// The text before the first mark.
    before: &'a str,
    parts: Vec<Part<'a>>,
    /// Characters without marks.
    width: usize,
    /// Whether a mark is in a literal or a comment of a template.
    is_open: bool,
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

impl<'a> Line<'a> {
    fn new(line: &'a str, template: &mut TemplateText) -> Self {
        let (before, mut rest) = line.split_at(line.find(is_reserved).unwrap_or(line.len()));
        let mut parts = Vec::new();
        let mut width = before.chars().count();
        let (mut depth, mut is_open) = (0_usize, false);
        template.read(before);
        while let Some(sign) = rest.chars().next() {
            let text = &rest[sign.len_utf8()..];
            let (text, next) = text.split_at(text.find(is_reserved).unwrap_or(text.len()));
            let mark = Mark::of(sign);
            is_open |= depth == 0 && template.is_open();
            match mark {
                Mark::Open(_) => depth += 1,
                Mark::Close => depth = depth.saturating_sub(1),
                Mark::Break => {}
            }
            if depth == 0 {
                template.read(text);
            }
            parts.push(Part { mark, text, start: width, needed: 0, head: 0, is_last: false });
            width += text.chars().count();
            rest = next;
        }
        width -= usize::from(line.ends_with('\n'));
        Line { before, parts, width, is_open }
    }
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

/// The text that templates write themselves: a mark inside of their literals and comments must not become the end of a line.
#[derive(Default)]
struct TemplateText {
    quote: Option<char>,
    is_escaped: bool,
    is_comment: bool,
    last: char,
}

impl TemplateText {
    fn read(&mut self, text: &str) {
        for c in text.chars() {
            match self.quote {
                _ if self.is_comment => self.is_comment = c != '\n',
                Some(_) if std::mem::take(&mut self.is_escaped) => {}
                Some(quote) if c == '\\' => self.is_escaped = quote != '`',
                Some(quote) if c == quote => self.quote = None,
                Some(_) => {}
                None if matches!(c, '\'' | '"' | '`') => self.quote = Some(c),
                None => self.is_comment |= c == '-' && self.last == '-',
            }
            self.last = c;
        }
    }

    fn is_open(&self) -> bool {
        self.quote.is_some() || self.is_comment
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

/// A line of a template, over several lines.
struct Lines<'t> {
    text: &'t mut String,
    /// Characters in the current line.
    column: usize,
    /// Blanks at the beginning of the current line.
    indent: usize,
    /// Lines before the current one.
    number: usize,
    /// Indentation of the arms of a condition that the template begins.
    arms: usize,
}

impl<'t> Lines<'t> {
    fn new(text: &'t mut String, before: &str) -> Self {
        text.push_str(before);
        let column = before.chars().count();
        let words = before.trim_start_matches(' ');
        let indent = before.len() - words.len();
        let arms = if words.starts_with("AND ") { indent } else { indent + STEP };
        Lines { text, column, indent, number: 0, arms }
    }

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
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', indent));
        (self.column, self.indent, self.number) = (indent, indent, self.number + 1);
    }
}

fn deeper(indent: usize) -> usize {
    (indent + STEP).min(MAX_INDENT)
}

#[cfg(test)]
mod tests;
