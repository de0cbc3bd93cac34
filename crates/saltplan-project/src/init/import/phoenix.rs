//! Phoenix's `CREATE TABLE` and `CREATE VIEW` (<https://phoenix.apache.org/language/>), read with sqlparser's tokens: its own
//! statements have no families, `ROW_TIMESTAMP`, `DESC` keys and table options of Phoenix.
//!
//! A table with `SALT_BUCKETS = n` has one byte in front of the key, `abs(hash % n)` of `Arrays.hashCode` of all other bytes
//! (`SaltingUtil`). Columns of variable width end with a zero byte unless they are the last (`PTableImpl.newKey`).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use saltplan_core::key::range::to_string_binary;
use saltplan_core::schema::attributes::{AllowedValues, AttributesOf, known};
use saltplan_core::schema::model::AttributeValue;
use saltplan_document::diag::{Diagnostic, Severity, Source, Span};
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

use super::super::draft::{
    Draft, DraftFamily, DraftField, DraftHash, DraftKind, DraftOf, DraftRegions, DraftSalt, DraftScheme,
    mapped_column,
};
use super::phoenix_types::PhoenixType;
use super::{Place, check_name};

const HELP: &str = "write Phoenix's CREATE TABLE, for example \
                    `CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, v VARCHAR) SALT_BUCKETS = 16`";

const NOT_NULL: &str =
    "if no row has NULL there, write NOT NULL after the type in the statement that you give";

/// The family of columns that name none.
const DEFAULT_FAMILY: &str = "0";

/// A statement as it is written.
#[derive(Debug, Default)]
struct Statement {
    is_view: bool,
    table: Vec<Name>,
    columns: Vec<Column>,
    /// The columns of the key in order; empty if a column itself says it.
    key: Vec<KeyColumn>,
    options: Vec<TableOption>,
    split_keys: Vec<String>,
}

/// An identifier as Phoenix stores it: in capitals, unless it is quoted.
#[derive(Debug, Clone)]
struct Name {
    text: String,
    is_quoted: bool,
    at: Location,
}

impl Name {
    /// The name in Hive, which has no capitals.
    fn in_hive(&self) -> String {
        if self.is_quoted { self.text.clone() } else { self.text.to_lowercase() }
    }
}

#[derive(Debug)]
struct Column {
    family: Option<Name>,
    name: Name,
    of_type: PhoenixType,
    type_at: Location,
    is_key: bool,
    is_nullable: bool,
    descending: bool,
}

#[derive(Debug)]
struct KeyColumn {
    name: Name,
    descending: bool,
}

#[derive(Debug)]
struct TableOption {
    family: Option<Name>,
    name: String,
    value: String,
    at: Location,
}

pub(super) fn read(source: &Arc<Source>) -> Result<Draft, Diagnostic> {
    let mut reader = PhoenixReader::new(source)?;
    let statement = reader.statement()?;
    Import { statement, reader: &reader }.imported()
}

/// Tokens and their places.
struct PhoenixReader<'s> {
    source: &'s Arc<Source>,
    parser: Parser<'static>,
}

/// The end of the statement.
const END: Location = Location { line: u64::MAX, column: 1 };

static DIALECT: GenericDialect = GenericDialect {};

impl<'s> PhoenixReader<'s> {
    fn new(source: &'s Arc<Source>) -> Result<Self, Diagnostic> {
        let tokens = Tokenizer::new(&DIALECT, &source.text).tokenize_with_location().map_err(|error| {
            let place = Place { source: Arc::clone(source), span: span(&source.text, error.location) };
            place.error(format!("the statement cannot be read: {}", error.message), "here", HELP)
        })?;
        Ok(PhoenixReader { source, parser: Parser::new(&DIALECT).with_tokens_with_locations(tokens) })
    }

    fn place(&self, at: Location) -> Place {
        Place { source: Arc::clone(self.source), span: span(&self.source.text, at) }
    }

    fn fault(&self, at: Location, message: impl Into<String>) -> Diagnostic {
        self.place(at).error(message, "here", HELP)
    }

    fn next(&mut self) -> TokenWithSpan {
        self.parser.next_token()
    }

    /// The place of the next token; sqlparser has none for the end.
    fn at(&self) -> Location {
        let next = self.parser.peek_token();
        match next.token {
            Token::EOF => END,
            _ => next.span.start,
        }
    }

    fn takes(&mut self, token: &Token) -> bool {
        self.parser.consume_token(token)
    }

    fn expect(&mut self, token: &Token) -> Result<(), Diagnostic> {
        match self.takes(token) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{token}`"))),
        }
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let shown = match self.parser.peek_token().token {
            Token::EOF => "the statement ends".to_string(),
            token => format!("`{token}` is there"),
        };
        self.fault(self.at(), format!("{what} is expected, but {shown}"))
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.parser.peek_token().token, Token::Word(found) if found.quote_style.is_none() && found.value.eq_ignore_ascii_case(word))
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is_there = self.is_word(word);
        if is_there {
            self.next();
        }
        is_there
    }

    fn takes_words(&mut self, words: &[&str]) -> Result<bool, Diagnostic> {
        let Some((first, others)) = words.split_first() else { return Ok(true) };
        if !self.takes_word(first) {
            return Ok(false);
        }
        others.iter().try_for_each(|word| self.expect_word(word))?;
        Ok(true)
    }

    fn expect_word(&mut self, word: &str) -> Result<(), Diagnostic> {
        match self.takes_word(word) {
            true => Ok(()),
            false => Err(self.expected(word)),
        }
    }

    fn name(&mut self) -> Result<Name, Diagnostic> {
        let at = self.at();
        match self.parser.peek_token().token {
            Token::Word(word) => {
                self.next();
                let is_quoted = word.quote_style.is_some();
                let text = if is_quoted { word.value } else { word.value.to_uppercase() };
                Ok(Name { text, is_quoted, at })
            }
            _ => Err(self.expected("a name")),
        }
    }

    /// `name`, or `family.name`.
    fn dotted(&mut self) -> Result<(Option<Name>, Name), Diagnostic> {
        let first = self.name()?;
        match self.takes(&Token::Period) {
            true => Ok((Some(first), self.name()?)),
            false => Ok((None, first)),
        }
    }

    fn number(&mut self) -> Result<u64, Diagnostic> {
        let at = self.at();
        match self.parser.peek_token().token {
            Token::Number(text, _) => {
                self.next();
                text.parse().map_err(|_| self.fault(at, format!("`{text}` is not a whole number")))
            }
            _ => Err(self.expected("a number")),
        }
    }

    fn statement(&mut self) -> Result<Statement, Diagnostic> {
        if self.parser.peek_token().token == Token::EOF {
            return Err(self.fault(self.at(), "there is no statement"));
        }
        self.expect_word("CREATE")?;
        let at = self.at();
        let is_index = ["LOCAL", "GLOBAL", "UNCOVERED"].into_iter().any(|kind| self.takes_word(kind));
        if is_index || self.is_word("INDEX") {
            return Err(self.place(at).error(
                "this creates an index, which is a table of its own: its key has the indexed columns, and behind them the key of its table",
                "an index of Phoenix",
                "give the CREATE TABLE of the table; for the index give its row keys with `--from-keys FILE`",
            ));
        }
        self.takes_word("IMMUTABLE");
        let mut statement = Statement { is_view: self.is_word("VIEW"), ..Statement::default() };
        if !self.takes_word("VIEW") {
            self.expect_word("TABLE")?;
        }
        self.takes_words(&["IF", "NOT", "EXISTS"])?;
        let (schema, table) = self.dotted()?;
        statement.table = schema.into_iter().chain([table]).collect();
        if statement.is_view && self.is_word("AS") {
            return Err(self.of_other_table(&statement));
        }
        self.expect(&Token::LParen)?;
        loop {
            if self.is_word("CONSTRAINT") || self.is_word("PRIMARY") {
                self.constraint(&mut statement)?;
            } else {
                let column = self.column()?;
                statement.columns.push(column);
            }
            // The comma before the constraint may be left out.
            if !self.takes(&Token::Comma) && !self.is_word("CONSTRAINT") {
                break;
            }
        }
        self.expect(&Token::RParen)?;
        self.options(&mut statement)?;
        self.takes(&Token::SemiColon);
        match self.parser.peek_token().token {
            Token::EOF => Ok(statement),
            _ => Err(self.expected("the end")),
        }
    }

    /// `CONSTRAINT pk PRIMARY KEY (a, b DESC ROW_TIMESTAMP)`
    fn constraint(&mut self, statement: &mut Statement) -> Result<(), Diagnostic> {
        let at = self.at();
        if self.takes_word("CONSTRAINT") {
            self.name()?;
        }
        self.takes_words(&["PRIMARY", "KEY"])?;
        if !statement.key.is_empty() {
            return Err(self.fault(at, "there is a second primary key"));
        }
        statement.key = self.list(|reader| {
            let name = reader.name()?;
            let descending = reader.order();
            reader.takes_word("ROW_TIMESTAMP");
            Ok(KeyColumn { name, descending })
        })?;
        Ok(())
    }

    /// Items in parentheses.
    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Result<T, Diagnostic>) -> Result<Vec<T>, Diagnostic> {
        self.expect(&Token::LParen)?;
        let mut items = vec![item(self)?];
        while self.takes(&Token::Comma) {
            items.push(item(self)?);
        }
        self.expect(&Token::RParen)?;
        Ok(items)
    }

    /// Whether it is `DESC`.
    fn order(&mut self) -> bool {
        let descending = self.takes_word("DESC");
        self.takes_word("ASC");
        descending
    }

    /// `f.name VARCHAR(20) NOT NULL DEFAULT 'x' PRIMARY KEY DESC`
    fn column(&mut self) -> Result<Column, Diagnostic> {
        let (family, name) = self.dotted()?;
        let type_at = self.at();
        let of_type = self.of_type()?;
        let is_nullable = !self.takes_words(&["NOT", "NULL"])?;
        if is_nullable {
            self.takes_word("NULL");
        }
        if self.takes_word("DEFAULT") {
            self.skip_default()?;
        }
        let is_key = self.takes_words(&["PRIMARY", "KEY"])?;
        let descending = is_key && self.order();
        if is_key {
            self.takes_word("ROW_TIMESTAMP");
        }
        Ok(Column { family, name, of_type, type_at, is_key, is_nullable, descending })
    }

    /// `DECIMAL(18, 2)`, `VARCHAR ARRAY`, `INTEGER[3]`
    fn of_type(&mut self) -> Result<PhoenixType, Diagnostic> {
        let name = self.name()?.text;
        let mut length = None;
        if self.takes(&Token::LParen) {
            length = Some(self.number()?);
            if self.takes(&Token::Comma) {
                self.number()?;
            }
            self.expect(&Token::RParen)?;
        }
        let mut is_array = self.takes_word("ARRAY");
        if self.takes(&Token::LBracket) {
            is_array = true;
            if !self.takes(&Token::RBracket) {
                self.number()?;
                self.expect(&Token::RBracket)?;
            }
        }
        Ok(PhoenixType { name, length, is_array })
    }

    /// An expression, up to the next part of the column.
    fn skip_default(&mut self) -> Result<(), Diagnostic> {
        let mut depth = 0usize;
        loop {
            let token = self.parser.peek_token().token;
            let is_end = matches!(token, Token::Comma | Token::RParen)
                || self.is_word("PRIMARY")
                || self.is_word("CONSTRAINT");
            match token {
                Token::EOF => return Err(self.expected("`)`")),
                _ if depth == 0 && is_end => return Ok(()),
                Token::LParen => depth += 1,
                Token::RParen => depth -= 1,
                _ => {}
            }
            self.next();
        }
    }

    /// `SALT_BUCKETS = 16, f.TTL = 86400 SPLIT ON ('a', 'b')`
    fn options(&mut self, statement: &mut Statement) -> Result<(), Diagnostic> {
        loop {
            if self.is_word("AS") {
                return Err(self.of_other_table(statement));
            }
            if self.is_word("WITH") {
                return Err(self.place(self.at()).error(
                    "WITH (…) belongs to a statement of Trino, which leaves out how Phoenix stores the columns",
                    "not Phoenix",
                    "give Phoenix's own statement: NOT NULL and PRIMARY KEY in the brackets, and behind them `SALT_BUCKETS = 10` without WITH",
                ));
            }
            if self.takes_words(&["SPLIT", "ON"])? {
                statement.split_keys.extend(self.list(Self::split_key)?);
                continue;
            }
            if !matches!(self.parser.peek_token().token, Token::Word(_)) {
                return Ok(());
            }
            let at = self.at();
            let (family, name) = self.dotted()?;
            self.expect(&Token::Eq)?;
            let value = match self.next().token {
                Token::Word(word) => word.value,
                Token::Number(text, _) | Token::SingleQuotedString(text) => text,
                Token::Minus => format!("-{}", self.number()?),
                _ => return Err(self.fault(at, format!("`{}` has no value", name.text))),
            };
            statement.options.push(TableOption { family, name: name.text.to_uppercase(), value, at });
            self.takes(&Token::Comma);
        }
    }

    /// A view of a table, whose key comes first in its own.
    fn of_other_table(&self, view: &Statement) -> Diagnostic {
        let own: Vec<&str> = match view.key.as_slice() {
            [] => {
                view.columns.iter().filter(|column| column.is_key).map(|column| &*column.name.text).collect()
            }
            key => key.iter().map(|column| &*column.name.text).collect(),
        };
        let (message, help) = match own.as_slice() {
            [] => (
                "a view of a Phoenix table has the key of that table".to_string(),
                "give the CREATE TABLE of the table".to_string(),
            ),
            own => (
                format!("the key of this view is that of its table with {} behind it", own.join(", ")),
                format!(
                    "give the CREATE TABLE of the table, with {} added at the end of its PRIMARY KEY",
                    own.join(", ")
                ),
            ),
        };
        self.place(self.at()).error(message, "a view of another table", help)
    }

    fn split_key(&mut self) -> Result<String, Diagnostic> {
        let at = self.at();
        match self.next().token {
            Token::SingleQuotedString(text) => Ok(text),
            token => Err(self.place(at).error(
                format!("the split key `{token}` is not a text"),
                "here",
                "leave SPLIT ON out, and read the split keys of the live table with `--from-splits FILE`",
            )),
        }
    }
}

/// A split key as Phoenix fills it up with zero bytes to the shortest row key that it can begin, with one byte for a text of any
/// length (`SchemaUtil.processSplit`). Columns of a fixed number of bytes have a width.
fn filled(mut key: Vec<u8>, widths: &[Option<usize>]) -> Vec<u8> {
    let mut at = 0;
    for (place, width) in widths.iter().enumerate() {
        let others = &widths[place + 1..];
        let end = match width {
            Some(width) => at + width,
            // Without a zero byte after it, a text at the end takes the rest.
            None if others.is_empty() => break,
            None => match key[at..].iter().position(|byte| *byte == 0) {
                Some(length) => at + length + 1,
                None => key.len() + 1,
            },
        };
        if end > key.len() {
            key.resize(end + others.iter().map(|width| width.unwrap_or(1)).sum::<usize>(), 0);
            break;
        }
        at = end;
    }
    key
}

/// The byte range of the token at a place.
fn span(text: &str, at: Location) -> Span {
    let line = usize::try_from(at.line).map_or(usize::MAX, |line| line.saturating_sub(1));
    let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let rest = &text[before..];
    let column = rest.char_indices().nth(at.column.max(1) as usize - 1);
    let Some(start) = column.map(|(index, _)| before + index) else {
        let end = text.trim_end().len();
        return Span::new(end, end);
    };
    let is_end = |letter: char| letter.is_whitespace() || matches!(letter, ',' | '(' | ')' | ';');
    let end = text[start..].char_indices().skip(1).find(|(_, letter)| is_end(*letter));
    Span::new(start, end.map_or(text.len(), |(at, _)| start + at))
}

/// The statement on its way to a schema.
struct Import<'r> {
    statement: Statement,
    reader: &'r PhoenixReader<'r>,
}

impl Import<'_> {
    fn imported(&self) -> Result<Draft, Diagnostic> {
        let mut fields = Vec::new();
        let key = self.key()?;
        self.check_last(&key)?;
        let mut widths = Vec::new();
        for (place, (column, descending)) in key.iter().enumerate() {
            let mut of_column = self.fields(column, *descending, place + 1 == key.len())?;
            // A key of NULL alone would be empty.
            if let [DraftField { kind: DraftKind::Text(text), .. }] = of_column.as_mut_slice() {
                text.nullable = key.len() > 1 && column.is_nullable && column.of_type.name == "VARCHAR";
            }
            widths.push(of_column.iter().map(|field| field.kind.width()).sum());
            fields.extend(of_column);
        }
        let mut imported = Draft {
            table: self.table(),
            fields,
            salt: self.salt()?,
            families: self.families()?,
            ..Draft::default()
        };
        imported.take_utc();
        if self.statement.split_keys.is_empty() {
            imported.take_regions_of_salt();
        } else {
            let filled = |text: &String| to_string_binary(&filled(text.as_bytes().to_vec(), &widths));
            imported.regions =
                Some(DraftRegions::Explicit(self.statement.split_keys.iter().map(filled).collect()));
        }
        // A view is of a table that somebody else has split.
        if let (Some(DraftRegions::PerSalt { zero_bytes }), false) =
            (&mut imported.regions, self.statement.is_view)
        {
            widths.insert(0, Some(1));
            *zero_bytes = filled(vec![1], &widths).len() - 1;
        }
        self.columns(&mut imported)?;
        imported.head = self.remarks();
        Ok(imported)
    }

    fn option(&self, name: &str) -> Option<&TableOption> {
        self.statement.options.iter().find(|option| option.name == name)
    }

    /// The columns of the key in order, and whether each is descending.
    fn key(&self) -> Result<Vec<(&Column, bool)>, Diagnostic> {
        let Statement { columns, key, .. } = &self.statement;
        let own: Vec<(&Column, bool)> =
            columns.iter().filter(|column| column.is_key).map(|column| (column, column.descending)).collect();
        let end = self.reader.at();
        match (own.as_slice(), key.as_slice()) {
            ([], []) => Err(self.reader.fault(end, "the statement has no primary key")),
            ([_], []) => Ok(own),
            ([_, (other, _), ..], _) | ([(other, _)], [_, ..]) => {
                Err(self.reader.fault(other.name.at, "there is a second primary key"))
            }
            ([], key) => {
                let named: HashMap<&str, &Column> =
                    columns.iter().map(|column| (column.name.text.as_str(), column)).collect();
                let find = |key: &KeyColumn| {
                    let column = named.get(key.name.text.as_str()).copied();
                    column.map(|column| (column, key.descending)).ok_or_else(|| {
                        self.reader.fault(
                            key.name.at,
                            format!("the key has `{}`, which is not a column", key.name.text),
                        )
                    })
                };
                key.iter().map(find).collect()
            }
        }
    }

    /// Phoenix leaves out a NULL at the end of the key together with the zero byte before it, so that a range over the fields
    /// before it would miss the row.
    fn check_last(&self, key: &[(&Column, bool)]) -> Result<(), Diagnostic> {
        let [.., (before, _), (last, _)] = key else { return Ok(()) };
        let is_text =
            |column: &Column| ["VARCHAR", "VARBINARY", "DECIMAL"].contains(&column.of_type.name.as_str());
        if !last.is_nullable || !is_text(before) {
            return Ok(());
        }
        Err(self.reader.place(last.name.at).error(
            format!("`{}` at the end of the key may be NULL: the key is then shorter than any that a schema file describes", last.name.text),
            "without NOT NULL",
            NOT_NULL,
        ))
    }

    /// The field of a column, with a second one for the nanoseconds of a TIMESTAMP.
    fn fields(
        &self,
        column: &Column,
        descending: bool,
        is_last: bool,
    ) -> Result<Vec<DraftField>, Diagnostic> {
        let Column { name, of_type, .. } = column;
        let name_in_hive = name.in_hive();
        check_name(&name_in_hive, || self.reader.place(name.at))?;
        let is_text = of_type.name == "VARCHAR";
        if is_text && descending && column.is_nullable && !column.is_key {
            return Err(self.reader.place(name.at).error(
                format!("`{}` may be NULL: a descending NULL ends with another byte than a text", name.text),
                "without NOT NULL",
                NOT_NULL,
            ));
        }
        let stored = of_type.in_key(descending).map_err(|reason| {
            let order = if descending { " DESC" } else { "" };
            self.reader.place(column.type_at).error(
                format!("a row key with `{}` cannot be described: {reason}", name.text),
                format!("{}{order} in the key", of_type.name),
                "Phoenix itself plans such a table; no schema was written",
            )
        })?;
        let mut field = DraftField::new(name_in_hive.clone(), stored.kind);
        if let (Some(separator), false) = (stored.separator, is_last) {
            field.separator = Some(separator.to_string());
        }
        let nanoseconds = stored.nanoseconds.map(|kind| {
            let field = DraftField::new(format!("{name_in_hive}_nanos"), kind);
            field.with_comment("nanoseconds below a millisecond")
        });
        Ok([field].into_iter().chain(nanoseconds).collect())
    }

    /// The HBase table. Phoenix joins schema and name with a dot.
    fn table(&self) -> String {
        self.statement.table.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(".")
    }

    fn salt(&self) -> Result<Option<DraftSalt>, Diagnostic> {
        const MOST: u64 = 256;
        let Some(option) = self.option("SALT_BUCKETS") else { return Ok(None) };
        let buckets = option.value.parse().ok().filter(|buckets| *buckets <= MOST);
        let Some(buckets) = buckets else {
            return Err(self.reader.place(option.at).error(
                format!("SALT_BUCKETS = {} is not a number of salts", option.value),
                "here",
                format!("Phoenix has 1 to {MOST}, and 0 for none"),
            ));
        };
        if buckets > 0 && !self.statement.split_keys.is_empty() {
            return Err(self.reader.place(option.at).error(
                "a table has SALT_BUCKETS or SPLIT ON, not both",
                "with SPLIT ON",
                "remove one of them",
            ));
        }
        let scheme = DraftScheme::Hash(DraftHash::of_bytes(DraftOf::Key, buckets, 1));
        let salt = DraftSalt::new(scheme, format!("SALT_BUCKETS = {buckets}"));
        Ok((buckets > 0).then(|| DraftSalt { separator: Some(String::new()), ..salt }))
    }

    /// The columns outside the key.
    fn outside_key(&self) -> Vec<&Column> {
        let key: HashSet<&str> = self.statement.key.iter().map(|key| key.name.text.as_str()).collect();
        let is_outside = |column: &&Column| !column.is_key && !key.contains(column.name.text.as_str());
        self.statement.columns.iter().filter(is_outside).collect()
    }

    fn default_family(&self) -> String {
        self.option("DEFAULT_COLUMN_FAMILY")
            .map_or_else(|| DEFAULT_FAMILY.to_string(), |option| option.value.clone())
    }

    /// The families of the columns outside the key, with the attributes that the statement sets.
    fn families(&self) -> Result<Vec<DraftFamily>, Diagnostic> {
        let mut families: Vec<DraftFamily> = Vec::new();
        let default = self.default_family();
        for column in self.outside_key() {
            let name = column.family.as_ref().map_or(default.as_str(), |family| family.text.as_str());
            if !families.iter().any(|family| family.name == name) {
                families.push(DraftFamily::new(name));
            }
        }
        if families.is_empty() {
            families.push(DraftFamily::new(default));
        }
        for option in &self.statement.options {
            let Some(known) = known(AttributesOf::Family, &option.name) else { continue };
            let value = match known.values {
                AllowedValues::Flag => option.value.to_lowercase().parse().ok().map(AttributeValue::Bool),
                AllowedValues::Words(_) | AllowedValues::Text => None,
                _ => option.value.parse().ok().map(AttributeValue::Number),
            };
            let value = value.unwrap_or_else(|| AttributeValue::Text(option.value.clone()));
            let doubt = known.values.doubt(&value).filter(|doubt| doubt.severity == Severity::Error);
            if let Some(doubt) = doubt {
                let message = format!("`{}` cannot be `{}`", option.name, option.value);
                return Err(self.reader.place(option.at).error(message, doubt.outcome, doubt.help));
            }
            let name = known.name();
            let of = option.family.as_ref().map(|family| family.text.as_str());
            if let Some(of) = of.filter(|of| !families.iter().any(|family| family.name == *of)) {
                return Err(self.reader.fault(option.at, format!("no column is in the family `{of}`")));
            }
            for family in families.iter_mut().filter(|family| of.is_none_or(|of| of == family.name)) {
                family.attributes.retain(|(known, _)| *known != name);
                family.attributes.push((name.clone(), value.clone()));
            }
        }
        Ok(families)
    }

    /// Columns outside the key. Phoenix numbers their cells, unless the table is older or says otherwise.
    fn columns(&self, imported: &mut Draft) -> Result<(), Diagnostic> {
        let encoding = self.option("COLUMN_ENCODED_BYTES").map(|option| option.value.to_uppercase());
        let has_names = self.statement.is_view || matches!(encoding.as_deref(), Some("0" | "NONE"));
        let default = self.default_family();
        let mut left_out = Vec::new();
        for column in self.outside_key() {
            let family = column.family.as_ref().map_or(default.clone(), |family| family.text.clone());
            let Column { name, of_type, .. } = column;
            let reason = match of_type.in_cells() {
                Ok((hive_type, has_bytes)) if has_names => {
                    let name_in_hive = name.in_hive();
                    check_name(&name_in_hive, || self.reader.place(name.at))?;
                    let cell = (family, name.text.clone());
                    imported.columns.push(mapped_column(name_in_hive, hive_type, cell, has_bytes));
                    continue;
                }
                Ok(_) => String::new(),
                Err(reason) => format!(": {reason}"),
            };
            left_out.push(format!("left out: {family}.{} {}{reason}", name.text, of_type.name));
        }
        if !left_out.is_empty() && !has_names {
            imported.columns_comment = vec![
                "The columns of a table without COLUMN_ENCODED_BYTES = 0 have numbers as names in HBase (since Phoenix 4.10, from".to_string(),
                "\\x80\\x0B on), which Hive cannot map. Look at the table with `scan`: if it has names, add the columns.".to_string(),
            ];
        }
        imported.columns_comment.extend(left_out);
        Ok(())
    }

    /// What the statement does not say, and which of its parts are not in the schema.
    fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.statement.table.len() > 1 {
            let namespace = self.table().replacen('.', ":", 1);
            remarks.push(format!("With phoenix.schema.isNamespaceMappingEnabled the HBase table is `{namespace}`: write that then."));
        }
        if self.option("MULTI_TENANT").is_some_and(|option| option.value.eq_ignore_ascii_case("true")) {
            remarks.push("The first field of the key is the tenant.".to_string());
        }
        let used = ["SALT_BUCKETS", "MULTI_TENANT", "COLUMN_ENCODED_BYTES", "DEFAULT_COLUMN_FAMILY"];
        let ignored: Vec<String> = self
            .statement
            .options
            .iter()
            .filter(|option| {
                !used.contains(&option.name.as_str()) && known(AttributesOf::Family, &option.name).is_none()
            })
            .map(|option| format!("{} = {}", option.name, option.value))
            .collect();
        if !ignored.is_empty() {
            remarks.push(format!("Not needed for the row keys: {}.", ignored.join(", ")));
        }
        remarks
    }
}
