//! The form of a condition as the crate sqlparser reads it. The crate knows no Hive well enough, so this dialect says what binds
//! tighter, and literals are prepared for it.

use std::thread;

use sqlparser::ast::{
    AccessExpr, BinaryOperator, CeilFloorKind, DataType, DateTimeField, DuplicateTreatment, Expr, Function,
    FunctionArg, FunctionArgExpr, FunctionArguments, Subscript, UnaryOperator, Value,
};
use sqlparser::dialect::{Dialect, Precedence};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, Tokenizer};

use super::form::{CommonForm, OPAQUE};

/// The parser walks its tree by recursion.
const STACK_BYTES: usize = 256 << 20;
const MAX_DEPTH: usize = 2_000;

/// The forms of many conditions.
///
/// # Panics
/// The thread that reads them cannot be started, or panics.
pub fn read(texts: &[String]) -> Vec<Result<CommonForm, String>> {
    thread::scope(|scope| {
        let read = move || texts.iter().map(|text| read_one(text)).collect();
        let reader = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, read);
        reader.expect("a thread").join().expect("a reader that ends")
    })
}

fn read_one(text: &str) -> Result<CommonForm, String> {
    let tokens = prepared(text)?;
    let mut parser = Parser::new(&Hive).with_recursion_limit(MAX_DEPTH).with_tokens(tokens);
    let expr = parser.parse_expr().map_err(|error| error.to_string())?;
    match parser.peek_token().token {
        Token::EOF => {
            Some(common_form(&expr)).filter(|form| !has_bare_interval(form)).ok_or("no unit".to_string())
        }
        other => Err(format!("the text goes on with {other}")),
    }
}

/// Whether there is an interval without a unit, which Hive has not.
fn has_bare_interval(form: &CommonForm) -> bool {
    form.label == "INTERVAL " || form.parts.iter().any(has_bare_interval)
}

/// The tokens, with literals as Hive reads them: texts without escapes and with those that follow them, numbers with their letters.
fn prepared(text: &str) -> Result<Vec<Token>, String> {
    let tokens = Tokenizer::new(&Hive, text).with_unescape(false).tokenize();
    let mut prepared: Vec<Token> = Vec::new();
    let mut is_adjacent = false;
    for token in tokens.map_err(|error| error.to_string())? {
        let before = prepared.last_mut();
        match (before, token) {
            (_, Token::Whitespace(_)) => {
                is_adjacent = false;
                continue;
            }
            (Some(Token::Number(digits, _)), Token::Word(word))
                if is_adjacent
                    && word.quote_style.is_none()
                    && ["S", "Y", "BD"].contains(&word.value.to_uppercase().as_str()) =>
            {
                digits.push_str(&word.value);
            }
            (before, token) => match (before, unquoted(&token)) {
                (Some(Token::SingleQuotedString(first)), Some(text)) => first.push_str(&text),
                (_, Some(text)) => prepared.push(Token::SingleQuotedString(text)),
                (_, None) => prepared.push(token),
            },
        }
        is_adjacent = true;
    }
    Ok(prepared)
}

fn unquoted(token: &Token) -> Option<String> {
    match token {
        Token::SingleQuotedString(raw) => Some(unescaped(raw, '\'')),
        Token::DoubleQuotedString(raw) => Some(unescaped(raw, '"')),
        _ => None,
    }
}

/// A literal of Hive without its escapes. A backslash before three octal digits up to 177 makes that character, and so does one
/// before `u` and four hex digits. It stays before `%` and `_`, and goes before other characters. Two quotes are one.
fn unescaped(raw: &str, quote: char) -> String {
    let mut text = String::new();
    let mut rest = raw;
    while let Some(at) = rest.find(['\\', quote]) {
        text += &rest[..at];
        let next = &rest[at + 1..];
        if rest[at..].starts_with(quote) {
            text.push(quote);
            rest = next.strip_prefix(quote).unwrap_or(next);
            continue;
        }
        let octal = next.get(..3).filter(|digits| digits.as_bytes()[0] < b'2');
        let code =
            octal.and_then(|digits| u8::from_str_radix(digits, 8).ok()).filter(|_| !next.starts_with('+'));
        let length = match (code, next.chars().next()) {
            (Some(code), _) => {
                text.push(char::from(code));
                3
            }
            (None, Some(c @ ('%' | '_'))) => {
                text.extend(['\\', c]);
                1
            }
            (None, Some('u')) if unicode(next).is_some() => {
                let (c, length) = unicode(next).unwrap_or_default();
                text.push(c);
                length
            }
            (None, Some(c)) => {
                text.push(match c {
                    '0' => '\0',
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'b' => '\u{8}',
                    'Z' => '\u{1A}',
                    other => other,
                });
                c.len_utf8()
            }
            (None, None) => 0,
        };
        rest = &next[length..];
    }
    text + rest
}

/// The character of a `u` and four hex digits, or of two of them with a backslash in between, and how long it is.
fn unicode(text: &str) -> Option<(char, usize)> {
    let unit = |at: usize| u16::from_str_radix(text.get(at..at + 4)?, 16).ok();
    let second = || unit(7).filter(|_| text.get(5..7) == Some("\\u"));
    let one = char::from_u32(u32::from(unit(1)?)).map(|c| (c, 5));
    let two = || char::decode_utf16([unit(1)?, second()?]).next()?.ok().map(|c| (c, 11));
    one.or_else(two)
}

/// How tightly operators bind in Hive.
mod level {
    pub const OR: u8 = 5;
    pub const AND: u8 = 10;
    pub const NOT: u8 = 15;
    pub const EQUALITY: u8 = 20;
    pub const COMPARISON: u8 = 25;
    pub const BITWISE_OR: u8 = 30;
    pub const BITWISE_AND: u8 = 35;
    pub const CONCAT: u8 = 40;
    pub const SUM: u8 = 45;
    pub const PRODUCT: u8 = 50;
    pub const BITWISE_XOR: u8 = 55;
    pub const TEST: u8 = 60;
    pub const SIGN: u8 = 65;
}

/// Words that are no names in Hive and begin no operand.
const RESERVED: [Keyword; 16] = [
    Keyword::AND,
    Keyword::OR,
    Keyword::IN,
    Keyword::IS,
    Keyword::BETWEEN,
    Keyword::LIKE,
    Keyword::RLIKE,
    Keyword::REGEXP,
    Keyword::FROM,
    Keyword::WHERE,
    Keyword::SELECT,
    Keyword::WHEN,
    Keyword::THEN,
    Keyword::ELSE,
    Keyword::END,
    Keyword::EXISTS,
];

#[derive(Debug)]
struct Hive;

impl Dialect for Hive {
    fn is_delimited_identifier_start(&self, c: char) -> bool {
        c == '`'
    }
    fn is_identifier_start(&self, c: char) -> bool {
        c.is_alphabetic() || c == '_'
    }
    fn is_identifier_part(&self, c: char) -> bool {
        c.is_alphanumeric() || c == '_'
    }
    fn supports_string_literal_backslash_escape(&self) -> bool {
        true
    }
    fn ignores_wildcard_escapes(&self) -> bool {
        true
    }
    fn supports_in_empty_list(&self) -> bool {
        true
    }
    fn supports_bang_not_operator(&self) -> bool {
        true
    }

    fn is_reserved_for_identifier(&self, keyword: Keyword) -> bool {
        RESERVED.contains(&keyword) || [Keyword::NOT, Keyword::CASE].contains(&keyword)
    }

    /// Hive has no list in square brackets, and no sign before NOT.
    fn parse_prefix(&self, parser: &mut Parser<'_>) -> Option<Result<Expr, ParserError>> {
        let is_wrong = match &parser.peek_token_ref().token {
            Token::Word(word) => RESERVED.contains(&word.keyword),
            Token::LBracket => true,
            Token::Minus | Token::Plus | Token::Tilde => is_not(&parser.peek_nth_token_ref(1).token),
            _ => false,
        };
        is_wrong.then(|| Err(ParserError::ParserError("no operand".into())))
    }

    fn prec_value(&self, precedence: Precedence) -> u8 {
        match precedence {
            Precedence::Or => level::OR,
            Precedence::And => level::AND,
            Precedence::UnaryNot => level::NOT,
            Precedence::Between | Precedence::Like => level::COMPARISON,
            // An index in brackets.
            Precedence::Colon => 0,
            // The operand of a sign.
            _ => level::SIGN,
        }
    }

    fn get_next_precedence(&self, parser: &Parser<'_>) -> Option<Result<u8, ParserError>> {
        let is = |at: usize, keyword: Keyword| match &parser.peek_nth_token_ref(at).token {
            Token::Word(word) => word.keyword == keyword,
            _ => false,
        };
        Some(Ok(match &parser.peek_token_ref().token {
            Token::Word(word) => match word.keyword {
                Keyword::OR => level::OR,
                Keyword::AND => level::AND,
                Keyword::NOT => {
                    let negated =
                        [Keyword::IN, Keyword::BETWEEN, Keyword::LIKE, Keyword::RLIKE, Keyword::REGEXP];
                    if negated.into_iter().any(|keyword| is(1, keyword)) { level::COMPARISON } else { 0 }
                }
                Keyword::IS => {
                    let is_distinct = is(1, Keyword::DISTINCT) || is(2, Keyword::DISTINCT);
                    if is_distinct { level::EQUALITY } else { level::TEST }
                }
                Keyword::IN | Keyword::BETWEEN | Keyword::LIKE | Keyword::RLIKE | Keyword::REGEXP => {
                    level::COMPARISON
                }
                Keyword::DIV => level::PRODUCT,
                _ => 0,
            },
            Token::Eq | Token::DoubleEq | Token::Neq | Token::Spaceship => level::EQUALITY,
            Token::Lt | Token::LtEq | Token::Gt | Token::GtEq => level::COMPARISON,
            Token::Pipe => level::BITWISE_OR,
            Token::Ampersand => level::BITWISE_AND,
            Token::StringConcat => level::CONCAT,
            Token::Plus | Token::Minus => level::SUM,
            Token::Mul | Token::Div | Token::Mod => level::PRODUCT,
            Token::Caret => level::BITWISE_XOR,
            _ => 0,
        }))
    }

    fn parse_infix(
        &self,
        parser: &mut Parser<'_>,
        left: &Expr,
        precedence: u8,
    ) -> Option<Result<Expr, ParserError>> {
        let refused = |message: &str| Some(Err(ParserError::ParserError(message.into())));
        if precedence == level::COMPARISON && is_comparison(left) {
            return refused("a chain of comparisons");
        }
        if precedence > level::NOT && is_not(&parser.peek_nth_token_ref(1).token) {
            let is_test =
                matches!(&parser.peek_token_ref().token, Token::Word(word) if word.keyword == Keyword::IS);
            if !is_test {
                return refused("an operator before NOT");
            }
        }
        let of = Box::new(left.clone());
        if parser.parse_keyword(Keyword::DIV) {
            let op = BinaryOperator::MyIntegerDivide;
            let right = parser.parse_subexpr(precedence);
            return Some(right.map(|right| Expr::BinaryOp { left: of, op, right: Box::new(right) }));
        }
        // The crate drops a NULL after it.
        let patterns = [Keyword::RLIKE, Keyword::REGEXP];
        let is_negated = patterns.into_iter().any(|keyword| parser.parse_keywords(&[Keyword::NOT, keyword]));
        (is_negated || parser.parse_one_of_keywords(&patterns).is_some()).then(|| {
            let pattern = Box::new(parser.parse_subexpr(precedence)?);
            Ok(Expr::RLike { negated: is_negated, expr: of, pattern, regexp: false })
        })
    }
}

fn is_comparison(expr: &Expr) -> bool {
    use BinaryOperator::{Gt, GtEq, Lt, LtEq};
    matches!(
        expr,
        Expr::BinaryOp { op: Lt | LtEq | Gt | GtEq, .. }
            | Expr::Like { .. }
            | Expr::RLike { .. }
            | Expr::InList { .. }
            | Expr::Between { .. }
    )
}

fn is_not(token: &Token) -> bool {
    match token {
        Token::Word(word) => word.keyword == Keyword::NOT,
        token => *token == Token::ExclamationMark,
    }
}

fn all(exprs: &[Expr]) -> Vec<CommonForm> {
    exprs.iter().map(common_form).collect()
}

fn common_form(expr: &Expr) -> CommonForm {
    let one = |label: &str, inner: &Expr| CommonForm::new(label, vec![common_form(inner)]);
    match expr {
        Expr::Identifier(name) => CommonForm::column(&name.value),
        Expr::CompoundIdentifier(parts) => CommonForm::column(&parts[parts.len() - 1].value),
        Expr::CompoundFieldAccess { root, access_chain } => access(root, access_chain),
        Expr::Nested(inner) => common_form(inner),
        Expr::Tuple(items) => CommonForm::call("struct", all(items)),
        Expr::Value(value) => literal(&value.value),
        Expr::TypedString(typed) => {
            CommonForm::new(type_name(&typed.data_type), vec![literal(&typed.value.value)])
        }
        Expr::Interval(interval) => {
            let unit = |field: &Option<DateTimeField>| field.as_ref().map(unit_word).unwrap_or_default();
            let last = interval.last_field.as_ref().map(|_| "_").unwrap_or_default();
            let label =
                format!("INTERVAL {}{last}{}", unit(&interval.leading_field), unit(&interval.last_field));
            CommonForm::new(label, vec![common_form(&interval.value)])
        }
        Expr::Cast { expr, data_type, .. } => CommonForm::cast(&type_name(data_type), common_form(expr)),
        Expr::UnaryOp { op: UnaryOperator::Not | UnaryOperator::BangNot, expr } => {
            CommonForm::negated(common_form(expr))
        }
        Expr::UnaryOp { op, expr } => one(&op.to_string(), expr),
        Expr::BinaryOp { left, op, right } => {
            let sides = vec![common_form(left), common_form(right)];
            match op {
                BinaryOperator::And => CommonForm::chain("AND", sides),
                BinaryOperator::Or => CommonForm::chain("OR", sides),
                BinaryOperator::StringConcat => CommonForm::call("concat", sides),
                _ => CommonForm::new(op.to_string(), sides),
            }
        }
        Expr::IsNull(inner) | Expr::IsUnknown(inner) => one("IS NULL", inner),
        Expr::IsNotNull(inner) | Expr::IsNotUnknown(inner) => one("IS NOT NULL", inner),
        Expr::IsTrue(inner) => one("IS TRUE", inner),
        Expr::IsNotTrue(inner) => one("IS NOT TRUE", inner),
        Expr::IsFalse(inner) => one("IS FALSE", inner),
        Expr::IsNotFalse(inner) => one("IS NOT FALSE", inner),
        Expr::IsDistinctFrom(a, b) => {
            CommonForm::negated(CommonForm::new("<=>", vec![common_form(a), common_form(b)]))
        }
        Expr::IsNotDistinctFrom(a, b) => CommonForm::new("<=>", vec![common_form(a), common_form(b)]),
        Expr::InList { expr, list, negated } => {
            CommonForm::negated_if(*negated, CommonForm::in_list(common_form(expr), all(list)))
        }
        Expr::Between { expr, negated, low, high } => CommonForm::negated_if(
            *negated,
            CommonForm::new("BETWEEN", vec![common_form(expr), common_form(low), common_form(high)]),
        ),
        Expr::Like { negated, any, expr, pattern, escape_char } => {
            CommonForm::negated_if(*negated, like(*any, expr, pattern, escape_char.as_deref()))
        }
        Expr::RLike { negated, expr, pattern, .. } => CommonForm::negated_if(
            *negated,
            CommonForm::new("RLIKE", vec![common_form(expr), common_form(pattern)]),
        ),
        Expr::Case { operand, conditions, else_result, .. } => {
            let branches =
                conditions.iter().map(|when| (common_form(&when.condition), common_form(&when.result)));
            CommonForm::case(
                operand.as_deref().map(common_form),
                branches.collect(),
                else_result.as_deref().map(common_form),
            )
        }
        Expr::Substring { expr, substring_from, substring_for, shorthand, .. } => {
            let rest = [substring_from, substring_for].into_iter().flatten();
            let arguments = std::iter::once(expr).chain(rest).map(|argument| common_form(argument));
            CommonForm::call(if *shorthand { "substr" } else { "substring" }, arguments.collect())
        }
        Expr::Extract { field, expr, .. } => {
            let unit = unit_word(field);
            CommonForm::call(if unit == "week" { "weekofyear" } else { &unit }, vec![common_form(expr)])
        }
        Expr::Floor { expr, field } => cut("floor", expr, field),
        Expr::Ceil { expr, field } => cut("ceil", expr, field),
        Expr::Trim { trim_where: None, trim_what: None, expr, trim_characters: None } => {
            CommonForm::call("trim", vec![common_form(expr)])
        }
        Expr::Function(function) => call(function),
        other => CommonForm::leaf(format!("sqlparser's {other}")),
    }
}

fn like(any: bool, expr: &Expr, pattern: &Expr, escape: Option<&Expr>) -> CommonForm {
    if any {
        let patterns = match pattern {
            Expr::Tuple(items) => all(items),
            pattern => vec![common_form(pattern)],
        };
        return CommonForm::call("likeany", [vec![common_form(expr)], patterns].concat());
    }
    let parts = [Some(expr), Some(pattern), escape];
    CommonForm::new("LIKE", parts.into_iter().flatten().map(common_form).collect())
}

/// `floor(x)` or `floor(x TO DAY)`.
fn cut(name: &str, expr: &Expr, field: &CeilFloorKind) -> CommonForm {
    match field {
        CeilFloorKind::DateTimeField(DateTimeField::NoDateTime) => {
            CommonForm::call(name, vec![common_form(expr)])
        }
        CeilFloorKind::DateTimeField(unit) => {
            CommonForm::call(&format!("{name}_{}", unit_word(unit)), vec![common_form(expr)])
        }
        CeilFloorKind::Scale(scale) => CommonForm::call(name, vec![common_form(expr), literal(&scale.value)]),
    }
}

/// Parts of a column, of which the first ones are the names of the table and the column.
fn access(root: &Expr, chain: &[AccessExpr]) -> CommonForm {
    let mut is_name = matches!(root, Expr::Identifier(_) | Expr::CompoundIdentifier(_));
    let mut form = common_form(root);
    for part in chain {
        form = match part {
            AccessExpr::Dot(name) if is_name => common_form(name),
            AccessExpr::Dot(_) => CommonForm::access(form, None),
            AccessExpr::Subscript(Subscript::Index { index }) => {
                CommonForm::access(form, Some(common_form(index)))
            }
            AccessExpr::Subscript(slice) => CommonForm::leaf(format!("sqlparser's {slice}")),
        };
        is_name &= matches!(part, AccessExpr::Dot(_));
    }
    form
}

fn call(function: &Function) -> CommonForm {
    let parts = function.name.0.iter().filter_map(|part| part.as_ident());
    let name = parts.map(|part| part.value.as_str()).collect::<Vec<_>>().join(".");
    let list = match &function.args {
        FunctionArguments::List(list) => list,
        FunctionArguments::None => return CommonForm::call(&name, Vec::new()),
        FunctionArguments::Subquery(query) => return CommonForm::leaf(format!("sqlparser's {query}")),
    };
    let arguments: Option<Vec<CommonForm>> = list
        .args
        .iter()
        .map(|argument| match argument {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(common_form(expr)),
            _ => None,
        })
        .collect();
    match (arguments, &list.duplicate_treatment) {
        (None, _) => CommonForm::leaf(OPAQUE),
        (Some(arguments), Some(DuplicateTreatment::Distinct)) => CommonForm::new(OPAQUE, arguments),
        (Some(arguments), _) => CommonForm::call(&name, arguments),
    }
}

fn literal(value: &Value) -> CommonForm {
    match value {
        Value::Null => CommonForm::leaf("NULL"),
        Value::Boolean(value) => CommonForm::leaf(value.to_string().to_uppercase()),
        Value::Number(digits, is_long) => {
            CommonForm::number(&format!("{digits}{}", if *is_long { "L" } else { "" }))
        }
        Value::SingleQuotedString(text) => CommonForm::text(text),
        other => CommonForm::leaf(format!("sqlparser's {other}")),
    }
}

fn type_name(data_type: &DataType) -> String {
    let name = data_type.to_string().to_uppercase();
    match name.as_str() {
        "INTEGER" => "INT".to_string(),
        "DOUBLE PRECISION" => "DOUBLE".to_string(),
        "DECIMAL" | "DEC" | "NUMERIC" => "DECIMAL(10,0)".to_string(),
        _ => name,
    }
}

fn unit_word(field: &DateTimeField) -> String {
    field.to_string().to_lowercase().trim_end_matches('s').to_string()
}
