//! The lines of a text, and what clients print around the text that is meant.

use saltplan_document::diag::Span;

/// A line without its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'t> {
    pub text: &'t str,
    /// The byte where it starts.
    pub start: usize,
}

/// A part of a line without the blanks around it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell<'t> {
    pub text: &'t str,
    pub span: Span,
}

pub(crate) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut start = 0;
    let whole = text.split_inclusive('\n').map(|line| {
        let found = Line { text: line.trim_end_matches(['\n', '\r']), start };
        start += line.len();
        found
    });
    whole.collect()
}

impl<'t> Line<'t> {
    /// The place of a part of the line.
    pub fn span_of(&self, part: &'t str) -> Span {
        let start = self.start + (part.as_ptr() as usize - self.text.as_ptr() as usize);
        Span::new(start, start + part.len())
    }

    /// Whether it is `+-----+----+`.
    pub fn is_border(&self) -> bool {
        let text = self.text.trim();
        text.len() > 1 && text.starts_with('+') && text.chars().all(|c| matches!(c, '+' | '-'))
    }

    /// The text between the outer `|` of a line of Beeline's tables.
    pub fn inside_border(&self) -> Option<&'t str> {
        self.text.trim().strip_prefix('|')?.strip_suffix('|')
    }

    /// The columns of a line: between `|`, or between tabs.
    pub fn cells(&self) -> Vec<Cell<'t>> {
        let (text, separator) = match self.inside_border() {
            Some(inside) => (inside, '|'),
            None => (self.text, '\t'),
        };
        text.split(separator)
            .map(|cell| {
                let text = cell.trim();
                Cell { text, span: self.span_of(text) }
            })
            .collect()
    }

    /// The line without a prompt of Beeline (`0: jdbc:hive2://host:10000> `) or of the `hive` command (`hive (dim)> `).
    pub fn without_prompt(&self) -> &'t str {
        let text = self.text.trim_start();
        let is_prompt = |prompt: &str| {
            prompt == "hive"
                || prompt.starts_with("hive (")
                || prompt.starts_with("beeline")
                || prompt.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(": jdbc:")
                || !prompt.is_empty() && prompt.chars().all(|c| matches!(c, '.' | ' '))
        };
        match text.split_once('>') {
            Some((prompt, rest)) if is_prompt(prompt) => rest,
            _ => text,
        }
    }

    /// Whether it is what clients say beside the result of a statement.
    pub fn is_remark(&self) -> bool {
        const STARTS: [&str; 12] = [
            "Time taken:",
            "INFO ",
            "WARN ",
            "DEBUG ",
            "WARNING:",
            "SLF4J:",
            "Logging initialized",
            "Hive Session ID",
            "Connecting to jdbc:",
            "Connected to:",
            "Closing: ",
            "Beeline version",
        ];
        let text = self.without_prompt().trim();
        let is_count = || {
            let (count, rest) = text.split_once(' ').unwrap_or_default();
            let is_number =
                count == "No" || !count.is_empty() && count.chars().all(|c| c.is_ascii_digit() || c == ',');
            is_number && (rest.starts_with("row selected") || rest.starts_with("rows selected"))
        };
        matches!(text, "OK" | "createtab_stmt")
            || self.inside_border().is_some_and(|inside| inside.trim() == "createtab_stmt")
            || self.is_border()
            || STARTS.iter().any(|start| text.starts_with(start))
            || text.starts_with("Driver: ")
            || text.starts_with("Transaction isolation: ")
            || text.starts_with("No rows affected")
            || is_count()
    }
}
