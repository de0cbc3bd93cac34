//! CREATE TABLE, hand-written or as SHOW CREATE TABLE prints it. Other statements of a file are skipped.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use saltplan_document::diag::{Diagnostic, Source, Span};
use saltplan_sql::script::{Kind, Tokens};

use super::lines::Line;
use super::table::{HiveColumn, HiveTable, TableName, shortened, type_of};
use super::{EXPECTED, Unread, not_recognised};

/// Words between CREATE and TABLE.
const KINDS_OF_TABLES: [&str; 4] = ["EXTERNAL", "TEMPORARY", "TRANSACTIONAL", "MANAGED"];

/// Words that end the type of a column.
const AFTER_TYPE: [&str; 10] =
    ["COMMENT", "NOT", "NULL", "DEFAULT", "PRIMARY", "UNIQUE", "CHECK", "CONSTRAINT", "REFERENCES", "ENABLE"];

pub(crate) fn read(source: &Arc<Source>, lines: &[Line<'_>]) -> Result<Vec<HiveTable>, Unread> {
    let text = masked(&source.text, lines);
    let tokens = Tokens::new(&text).map_err(|fault| fault.diagnostic(source))?;
    let mut reader = DdlReader { source, tokens: &tokens, database: None, found: Found::default() };
    let mut start = 0;
    while start < tokens.len() {
        let end = tokens.until(start..tokens.len(), |at| {
            tokens.is_sign(at, ";") || at > start && reader.begins_line_with_create(at)
        });
        reader.statement(start..end)?;
        start = if tokens.is_sign(end, ";") { end + 1 } else { end };
    }
    match reader.found {
        Found { has_create: false, .. } => Err(not_recognised(source)),
        found => Ok(found.tables),
    }
}

/// The text with blanks, byte for byte, for what is not HiveQL: borders, prompts, and what clients say beside the result.
fn masked(text: &str, lines: &[Line<'_>]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut blank = |span: Span| bytes[span.start..span.end].fill(b' ');
    let mut is_session = false;
    for line in lines {
        if line.is_remark() {
            blank(line.span_of(line.text));
            continue;
        }
        let mut meant = line.inside_border().unwrap_or_else(|| line.without_prompt());
        is_session |= line.text.starts_with("hive>") || line.text.starts_with("hive (");
        // The `hive` command begins the further lines of a statement with blanks and `>`, which could otherwise end a type.
        if is_session && line.text.starts_with(' ') {
            meant = meant.strip_prefix('>').unwrap_or(meant);
        }
        let (whole, meant) = (line.span_of(line.text), line.span_of(meant));
        blank(Span::new(whole.start, meant.start));
        blank(Span::new(meant.end, whole.end));
    }
    // Only whole characters are replaced.
    String::from_utf8(bytes).unwrap_or_default()
}

#[derive(Default)]
struct Found {
    tables: Vec<HiveTable>,
    /// Positions by name.
    by_name: HashMap<TableName, usize>,
    /// Whether there is a CREATE TABLE or a CREATE VIEW, with or without columns.
    has_create: bool,
}

struct DdlReader<'s> {
    source: &'s Arc<Source>,
    tokens: &'s Tokens<'s>,
    /// The current database, where a USE says it.
    database: Option<String>,
    found: Found,
}

impl DdlReader<'_> {
    /// Output of SHOW CREATE TABLE has no semicolons.
    fn begins_line_with_create(&self, at: usize) -> bool {
        let between = self.tokens.span(at - 1).end..self.tokens.span(at).start;
        self.tokens.is_word(at, "CREATE") && self.tokens.text[between].contains('\n')
    }

    fn fault(&self, span: Span, message: impl Into<String>, label: &str, help: &str) -> Diagnostic {
        Diagnostic::error(message).at(self.source, span, label).with_help(help)
    }

    fn expected(&self, at: usize, what: &str) -> Diagnostic {
        let shown = match at < self.tokens.len() {
            true => format!("`{}` is there", shortened(self.tokens.raw(at))),
            false => "the text ends".to_string(),
        };
        self.fault(self.tokens.span(at), format!("{what} is expected, but {shown}"), "here", EXPECTED)
    }

    fn statement(&mut self, range: Range<usize>) -> Result<(), Diagnostic> {
        let tokens = self.tokens;
        let at = range.start;
        if tokens.is_word(at, "USE") && range.len() == 2 && tokens.is_name(at + 1) {
            self.database = Some(tokens.name(at + 1));
        } else if tokens.is_word(at, "ALTER") && tokens.is_word(at + 1, "TABLE") {
            self.alter(at + 2..range.end)?;
        } else if tokens.is_word(at, "CREATE") {
            let mut at = at + 1;
            let first_kind = at;
            while at < range.end && tokens.is_any(at, &KINDS_OF_TABLES) {
                at += 1;
            }
            if at < range.end && tokens.is_word(at, "TABLE") {
                self.found.has_create = true;
                let is_external = (first_kind..at).any(|kind| tokens.is_word(kind, "EXTERNAL"));
                self.create(at + 1..range.end, is_external)?;
            } else {
                let is_view = tokens.until(first_kind..range.end, |at| tokens.is_word(at, "VIEW"));
                self.found.has_create |= is_view < range.end.min(first_kind + 4);
            }
        }
        Ok(())
    }

    /// A name from `at` on, and the token behind it. SHOW CREATE TABLE of Hive 2 and 3 prints database and table between the same
    /// backquotes.
    fn name(&self, at: usize, end: usize) -> Result<(TableName, usize), Diagnostic> {
        let tokens = self.tokens;
        if at >= end || !tokens.is_name(at) {
            return Err(self.expected(at, "the name of a table"));
        }
        let first = tokens.name(at);
        if at + 1 < end && tokens.is_sign(at + 1, ".") {
            if at + 2 >= end || !tokens.is_name(at + 2) {
                return Err(self.expected(at + 2, "the name of a table"));
            }
            if at + 3 < end && tokens.is_sign(at + 3, ".") {
                return Err(self.expected(at + 3, "a name of at most two parts"));
            }
            return Ok((TableName { database: Some(first), table: tokens.name(at + 2) }, at + 3));
        }
        let name = match first.split_once('.') {
            Some((database, table)) => {
                TableName { database: Some(database.to_string()), table: table.to_string() }
            }
            None => TableName { database: self.database.clone(), table: first },
        };
        Ok((name, at + 1))
    }

    /// `[IF NOT EXISTS] name (columns) …`
    fn create(&mut self, range: Range<usize>, is_external: bool) -> Result<(), Diagnostic> {
        let (tokens, end) = (self.tokens, range.end);
        let mut at = range.start;
        if at < end && tokens.is_word(at, "IF") {
            at += 3;
        }
        let name_at = at;
        let (name, mut at) = self.name(at, end)?;
        let mut table = HiveTable::new(name, tokens.place(&(name_at..at)));
        table.is_external = is_external;
        if at < end && tokens.is_word(at, "LIKE") && at + 1 < end && tokens.is_name(at + 1) {
            let (of, _) = self.name(at + 1, end)?;
            let Some(of) = self.found.by_name.get(&of) else { return Ok(()) };
            table.data_columns.clone_from(&self.found.tables[*of].data_columns);
            table.partition_columns.clone_from(&self.found.tables[*of].partition_columns);
            return self.add(table);
        }
        if let Some(inside) = tokens.inside(at).filter(|_| at < end) {
            self.columns(inside, &mut table.data_columns)?;
            at = tokens.after(at);
        }
        while at < end {
            if tokens.is_word(at, "AS") {
                break;
            }
            at = self.clause(at, end, &mut table)?;
        }
        // The columns come from a query or from a file, so nothing is known of the table.
        if table.data_columns.is_empty() {
            return Ok(());
        }
        self.add(table)
    }

    /// A clause behind the columns; returns the token behind what was read of it.
    fn clause(&self, at: usize, end: usize, table: &mut HiveTable) -> Result<usize, Diagnostic> {
        let tokens = self.tokens;
        let next_is = |word: &str| at + 1 < end && tokens.is_word(at + 1, word);
        if tokens.is_word(at, "PARTITIONED") && next_is("BY") {
            // Iceberg's `PARTITIONED BY SPEC (…)` declares no columns.
            let Some(inside) = tokens.inside(at + 2).filter(|_| at + 2 < end) else { return Ok(at + 2) };
            self.columns(inside, &mut table.partition_columns)?;
            return Ok(tokens.after(at + 2));
        }
        if tokens.is_word(at, "STORED") && next_is("BY") {
            table.storage_handler = tokens.literal(at + 2);
            return Ok(at + 3);
        }
        if tokens.is_word(at, "COLLECTION")
            && ["ITEMS", "TERMINATED", "BY"]
                .iter()
                .zip(at + 1..end)
                .filter(|(word, at)| tokens.is_word(*at, word))
                .count()
                == 3
            && at + 4 < end
        {
            table.collection_items = tokens.literal(at + 4);
            return Ok(at + 5);
        }
        for (word, properties) in
            [("SERDEPROPERTIES", &mut table.serde_properties), ("TBLPROPERTIES", &mut table.table_properties)]
        {
            if tokens.is_word(at, word)
                && let Some(inside) = tokens.inside(at + 1).filter(|_| at + 1 < end)
            {
                properties.extend(self.properties(inside));
                return Ok(tokens.after(at + 1));
            }
        }
        Ok(tokens.after(at))
    }

    /// `'key' = 'value', …`
    fn properties(&self, range: Range<usize>) -> Vec<(String, String)> {
        let tokens = self.tokens;
        let mut found = Vec::new();
        for item in self.items(range) {
            if let (Some(key), true, Some(value)) = (
                tokens.literal(item.start),
                tokens.is_sign(item.start + 1, "="),
                tokens.literal(item.start + 2).filter(|_| item.len() >= 3),
            ) {
                found.push((key, value));
            }
        }
        found
    }

    /// The parts between the commas that are not in brackets or between `<` and `>`.
    fn items(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let tokens = self.tokens;
        let (mut items, mut start, mut depth) = (Vec::new(), range.start, 0usize);
        for at in tokens.outside(range.clone()) {
            match tokens.raw(at) {
                _ if tokens.kind(at) != Some(Kind::Sign) => {}
                "<" => depth += 1,
                ">" => depth = depth.saturating_sub(1),
                "," if depth == 0 => {
                    items.push(start..at);
                    start = at + 1;
                }
                _ => {}
            }
        }
        items.push(start..range.end);
        items
    }

    /// The columns between brackets.
    fn columns(&self, range: Range<usize>, columns: &mut Vec<HiveColumn>) -> Result<(), Diagnostic> {
        for item in self.items(range) {
            if item.is_empty() {
                return Err(self.expected(item.start, "a column"));
            }
            if !self.is_constraint(&item) {
                columns.push(self.column(item)?);
            }
        }
        Ok(())
    }

    /// Whether an item is a constraint of the table: `PRIMARY KEY (…)`. A column can have such a name, followed by its type.
    fn is_constraint(&self, item: &Range<usize>) -> bool {
        let (tokens, at) = (self.tokens, item.start);
        let next = at + 1;
        let has_next = next < item.end;
        match tokens.kind(at) {
            Some(Kind::Word) if has_next => {}
            _ => return false,
        }
        tokens.is_any(at, &["PRIMARY", "FOREIGN"]) && tokens.is_word(next, "KEY")
            || tokens.is_any(at, &["UNIQUE", "CHECK"]) && tokens.is_sign(next, "(")
            || tokens.is_word(at, "CONSTRAINT")
                && next + 1 < item.end
                && tokens.is_any(next + 1, &["PRIMARY", "FOREIGN", "UNIQUE", "CHECK"])
    }

    /// `name type COMMENT '…'`
    fn column(&self, item: Range<usize>) -> Result<HiveColumn, Diagnostic> {
        let (tokens, at) = (self.tokens, item.start);
        if !tokens.is_name(at) {
            return Err(self.expected(at, "the name of a column"));
        }
        let (written, end) = self.written_type(at + 1..item.end);
        let name = tokens.name(at);
        if end == at + 1 {
            return Err(self.expected(end, &format!("the type of `{name}`")));
        }
        let hive_type = type_of(&written).map_err(|reason| {
            self.fault(
                tokens.place(&(at + 1..end)),
                format!("`{}` is no type of Hive: {}", shortened(&written), shortened(&reason)),
                "not a type",
                "write a type such as `string`, `decimal(10,2)` or `map<string,int>`",
            )
        })?;
        Ok(HiveColumn { name, hive_type, place: tokens.span(at) })
    }

    /// The text of a type, without comments on members of a struct and without backquotes, and the token behind it.
    fn written_type(&self, range: Range<usize>) -> (String, usize) {
        let tokens = self.tokens;
        let (mut written, mut depth, mut at) = (String::new(), 0usize, range.start);
        while at < range.end {
            let is_word = tokens.kind(at) == Some(Kind::Word);
            if depth == 0 && is_word && tokens.is_any(at, &AFTER_TYPE) {
                break;
            }
            if depth > 0 && tokens.is_word(at, "COMMENT") && tokens.kind(at + 1) == Some(Kind::Text) {
                at += 2;
                continue;
            }
            match tokens.raw(at) {
                "<" => depth += 1,
                ">" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if is_word && !written.is_empty() && written.ends_with(|c: char| c.is_alphanumeric()) {
                written.push(' ');
            }
            match tokens.kind(at) {
                Some(Kind::Quoted) => written += &tokens.name(at),
                _ => written += tokens.raw(at),
            }
            at += 1;
        }
        (written, at)
    }

    fn add(&mut self, table: HiveTable) -> Result<(), Diagnostic> {
        let mut seen = HashSet::new();
        for column in table.columns() {
            if !seen.insert(&column.name) {
                return Err(self.fault(
                    column.place,
                    format!("`{}` has two columns `{}`", table.name, column.name),
                    "the second one",
                    "remove one of them: Hive refuses such a table",
                ));
            }
        }
        if let Some(position) = self.found.by_name.get(&table.name) {
            let first = &self.found.tables[*position];
            let of =
                |table: &HiveTable| -> Vec<String> { table.columns().map(ToString::to_string).collect() };
            if of(first) != of(&table) {
                let message = format!("`{}` is created twice, with other columns", table.name);
                let fault = self.fault(
                    table.place,
                    message,
                    "the second time",
                    "keep the statement that the table was created with",
                );
                return Err(fault.with_label(first.place, "the first time"));
            }
            return Ok(());
        }
        self.found.by_name.insert(table.name.clone(), self.found.tables.len());
        self.found.tables.push(table);
        Ok(())
    }

    /// The columns of a table that is changed afterwards would be guessed.
    fn alter(&mut self, range: Range<usize>) -> Result<(), Diagnostic> {
        let (tokens, end) = (self.tokens, range.end);
        let Ok((name, behind)) = self.name(range.start, end) else { return Ok(()) };
        let changes = tokens.until(behind..end, |at| {
            let next_is = |word: &str| at + 1 < end && tokens.is_word(at + 1, word);
            tokens.is_any(at, &["ADD", "REPLACE"]) && next_is("COLUMNS")
                || tokens.is_word(at, "CHANGE")
                || at == behind && tokens.is_word(at, "RENAME")
        });
        if changes == end || !self.found.by_name.contains_key(&name) {
            return Ok(());
        }
        Err(self.fault(
            tokens.span(changes),
            format!("the columns of `{name}` are changed after it was created"),
            "changed here",
            "give the output of `DESCRIBE` or `SHOW CREATE TABLE` for this table, which has its present columns",
        ))
    }
}
