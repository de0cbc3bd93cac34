//! Values: literals, names, functions, CASE, casts, arithmetic, and `IS [NOT] NULL`, which in Hive binds tighter than all operators
//! of two values.

use std::ops::Range;

use super::ast::{BinaryOperator, Column, Expr, Literal, TimeUnit, Type, UnaryOperator, When};
use super::grammar::{ListTokens, Operand, OperandNode, Parser, Replacement, Rewrite, TimeCall};
use super::token::Token;
use crate::diag::Diagnostic;

type ParseResult<T> = Result<T, Diagnostic>;

/// Operators of two values, from loose to tight; `DIV` is a word.
const LEVELS: [&[(&str, BinaryOperator)]; 6] = [
    &[("|", BinaryOperator::BitwiseOr)],
    &[("&", BinaryOperator::BitwiseAnd)],
    &[("||", BinaryOperator::Concat)],
    &[("+", BinaryOperator::Plus), ("-", BinaryOperator::Minus)],
    &[
        ("*", BinaryOperator::Multiply),
        ("/", BinaryOperator::Divide),
        ("%", BinaryOperator::Modulo),
        ("DIV", BinaryOperator::IntegerDivide),
    ],
    &[("^", BinaryOperator::BitwiseXor)],
];

/// Words that are no names unless they stand in backquotes.
const RESERVED: [&str; 22] = [
    "AND", "OR", "NOT", "IN", "LIKE", "RLIKE", "REGEXP", "BETWEEN", "IS", "NULL", "TRUE", "FALSE", "CASE",
    "WHEN", "THEN", "ELSE", "END", "CAST", "EXISTS", "SELECT", "DISTINCT", "FROM",
];

/// Functions whose value is the time at which a statement runs; the last one only without an argument.
const CLOCKS: [&str; 4] = ["current_date", "current_timestamp", "now", "unix_timestamp"];

/// Functions that take a date, and of a time only its date.
pub const OF_DATES: [&str; 16] = [
    "year",
    "month",
    "day",
    "dayofmonth",
    "quarter",
    "dayofweek",
    "weekofyear",
    "to_date",
    "date",
    "datediff",
    "date_add",
    "date_sub",
    "add_months",
    "last_day",
    "next_day",
    "trunc",
];

/// Functions of times beside those of dates.
const OF_TIMES: [&str; 16] = [
    "hour",
    "minute",
    "second",
    "date_format",
    "from_unixtime",
    "months_between",
    "unix_timestamp",
    "to_unix_timestamp",
    "from_utc_timestamp",
    "to_utc_timestamp",
    "timestamp",
    "floor_day",
    "floor_month",
    "floor_year",
    "floor_hour",
    "floor_minute",
];

/// Whether a function reads this argument, counted from 0, as a date or a time.
pub fn is_date_argument(function: &str, index: usize) -> bool {
    match function {
        "datediff" | "months_between" => index < 2,
        "from_unixtime" => false,
        name => {
            index == 0
                && (OF_DATES.contains(&name) || OF_TIMES.contains(&name) || name.starts_with("extract_"))
        }
    }
}

/// The type that a function casts to: `int(x)` is `cast(x AS int)`.
fn cast_of(function: &str) -> Option<Type> {
    Some(match function {
        "tinyint" => Type::TinyInt,
        "smallint" => Type::SmallInt,
        "int" => Type::Int,
        "bigint" => Type::BigInt,
        "double" => Type::Double,
        "string" => Type::String,
        _ => return None,
    })
}

/// Aggregates, functions of windows, and functions that make several rows of one: none has a value for one row.
const OF_MANY_ROWS: [&str; 44] = [
    "avg",
    "collect_list",
    "collect_set",
    "corr",
    "count",
    "covar_pop",
    "covar_samp",
    "cume_dist",
    "dense_rank",
    "explode",
    "first_value",
    "histogram_numeric",
    "inline",
    "json_tuple",
    "lag",
    "last_value",
    "lead",
    "max",
    "min",
    "ntile",
    "parse_url_tuple",
    "percent_rank",
    "percentile",
    "percentile_approx",
    "posexplode",
    "rank",
    "regr_avgx",
    "regr_avgy",
    "regr_count",
    "regr_intercept",
    "regr_r2",
    "regr_slope",
    "regr_sxx",
    "regr_sxy",
    "regr_syy",
    "row_number",
    "stack",
    "std",
    "stddev",
    "stddev_pop",
    "stddev_samp",
    "sum",
    "var_pop",
    "variance",
];

pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.iter().any(|reserved| word.eq_ignore_ascii_case(reserved))
}

/// A number with the type that its letters say: `5L` is a bigint.
fn typed_number(text: &str) -> Expr {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let literal = |text: String| Expr::Literal(Literal::Number(text));
    let data_type = match text[number.len()..].to_ascii_uppercase().as_str() {
        "Y" => Type::TinyInt,
        "S" => Type::SmallInt,
        "L" => Type::BigInt,
        "BD" if !number.contains(['.', 'e', 'E']) => return literal(format!("{number}.0")),
        _ => return literal(number.to_string()),
    };
    Expr::Cast { expr: Box::new(literal(number.to_string())), data_type }
}

impl Parser<'_> {
    pub(super) fn value(&mut self) -> ParseResult<Operand> {
        self.level(0)
    }

    fn level(&mut self, loosest: usize) -> ParseResult<Operand> {
        let start = self.at;
        let left = self.tested()?;
        self.operations(left, loosest, start)
    }

    fn operations(&mut self, mut left: Operand, loosest: usize, start: usize) -> ParseResult<Operand> {
        while let Some((level, op)) = self.operator(loosest) {
            self.at += 1;
            let right = self.level(level + 1)?;
            self.refuse_test(&right, start)?;
            left = self.checked(Operand::binary(left, op, right))?;
        }
        Ok(left)
    }

    fn operator(&self, loosest: usize) -> Option<(usize, BinaryOperator)> {
        let written = match &self.tokens.get(self.at)?.token {
            Token::Sign(sign) => *sign,
            Token::Word(word) if word.eq_ignore_ascii_case("DIV") => "DIV",
            _ => return None,
        };
        LEVELS.iter().enumerate().skip(loosest).find_map(|(level, operators)| {
            let (_, op) = operators.iter().find(|(name, _)| *name == written)?;
            Some((level, *op))
        })
    }

    /// A value with `IS [NOT] NULL` behind it, once.
    fn tested(&mut self) -> ParseResult<Operand> {
        let start = self.at;
        let operand = self.signed()?;
        if self.at_word("IS") { self.test(operand, start) } else { Ok(operand) }
    }

    fn test(&mut self, operand: Operand, start: usize) -> ParseResult<Operand> {
        let is = self.at;
        let negated = self.word_at(1, "NOT");
        let after = 1 + usize::from(negated);
        if self.word_at(after, "DISTINCT") {
            return Ok(operand);
        }
        let test: fn(Box<Expr>) -> Expr = match (self.word(after).as_deref(), negated) {
            // For Hive the second is the first.
            (Some("NULL" | "UNKNOWN"), false) => Expr::IsNull,
            (Some("NULL" | "UNKNOWN"), true) => Expr::IsNotNull,
            (Some("TRUE"), false) => Expr::IsTrue,
            (Some("TRUE"), true) => Expr::IsNotTrue,
            (Some("FALSE"), false) => Expr::IsFalse,
            (Some("FALSE"), true) => Expr::IsNotFalse,
            _ => {
                self.at += after;
                return Err(self.expected("`NULL`, `TRUE`, `FALSE`, `UNKNOWN` or `DISTINCT FROM`"));
            }
        };
        self.at += after + 1;
        if self.at_word("IS") && !self.word_at(1 + usize::from(self.word_at(1, "NOT")), "DISTINCT") {
            return Err(self.brackets_before_test());
        }
        let (deep, operand) = (operand.deep, operand.into_expr());
        let last = self.at - 1..self.at;
        match self.tokens.get(last.start).map(|placed| &placed.token) {
            // Hive 3 takes `(NOT x) IS NULL` for `NOT (x IS NULL)`.
            Some(Token::Word(word)) if !negated && is_null_word(word) && is_negation(&operand) => {
                self.found.rewrites.push(Rewrite { tokens: is..self.at, by: Replacement::Text("<=> NULL") });
                self.found.enclose(start..self.at, "(", ")");
            }
            // Hive 3 takes the test of a cast for that of what is cast, and finds no CASE to be the same as NULL or not.
            Some(Token::Word(word))
                if negated
                    && is_null_word(word)
                    && self.has_word("CAST", start..is)
                    && !self.has_word("CASE", start..is) =>
            {
                self.found.rewrites.push(Rewrite { tokens: is..self.at, by: Replacement::Text("<=> NULL") });
                self.found.enclose(start..self.at, "(NOT (", "))");
            }
            Some(Token::Word(word)) if word.eq_ignore_ascii_case("UNKNOWN") => {
                self.found.rewrites.push(Rewrite { tokens: last, by: Replacement::Text("NULL") });
            }
            Some(Token::Word(word)) if word.eq_ignore_ascii_case("NULL") => {}
            _ => self.write_truth_test(start, is, negated),
        }
        let tested = Operand::new(test(operand), deep);
        self.checked(Operand { test: Some(is), ..tested })
    }

    fn has_word(&self, wanted: &str, tokens: Range<usize>) -> bool {
        let is_it = |token: &Token| matches!(token, Token::Word(word) if word.eq_ignore_ascii_case(wanted));
        self.tokens[tokens].iter().any(|placed| is_it(&placed.token))
    }

    /// Hive 2 knows no `IS TRUE`; the last token behind us is the truth value.
    fn write_truth_test(&mut self, start: usize, is: usize, negated: bool) {
        self.found.rewrites.push(Rewrite { tokens: is..self.at - 1, by: Replacement::Text("<=>") });
        let (open, close) = if negated { ("(NOT (", "))") } else { ("(", ")") };
        self.found.enclose(start..self.at, open, close);
    }

    fn signed(&mut self) -> ParseResult<Operand> {
        let op = match self.tokens.get(self.at).map(|placed| &placed.token) {
            Some(Token::Sign("-")) => UnaryOperator::Minus,
            Some(Token::Sign("+")) => UnaryOperator::Plus,
            Some(Token::Sign("~")) => UnaryOperator::BitwiseNot,
            _ => return self.accessed(),
        };
        self.at += 1;
        let operand = self.inside(Self::signed)?;
        let deep = operand.deep;
        self.checked(Operand::new(Expr::UnaryOp { op, expr: operand.into_expr() }, deep))
    }

    fn accessed(&mut self) -> ParseResult<Operand> {
        let operand = self.atom()?;
        if self.at_sign("[") || self.at_sign(".") { self.access(operand) } else { Ok(operand) }
    }

    /// `[index]` and `.member` behind a value.
    fn access(&mut self, operand: Operand) -> ParseResult<Operand> {
        let mut deep = operand.deep;
        let mut parts = vec![*operand.into_expr()];
        loop {
            if self.take_sign("[") {
                let index = self.inside(Self::expr)?;
                deep = deep.max(index.deep);
                parts.push(*index.into_expr());
                self.expect_sign("]")?;
            } else if self.take_sign(".") {
                self.expect_plain_name()?;
            } else {
                return self.checked(Operand::new(Expr::Opaque(parts), deep));
            }
        }
    }

    fn atom(&mut self) -> ParseResult<Operand> {
        match self.tokens.get(self.at).map(|placed| &placed.token) {
            Some(Token::Sign("(")) => {
                self.at += 1;
                self.brackets()
            }
            Some(Token::Quoted(_)) => self.named(),
            Some(Token::Word(_)) => self.word_atom(),
            Some(Token::Text(_) | Token::Number(_)) => self.literal(),
            // Others have become literals.
            Some(Token::Parameter(spelled)) if spelled.starts_with(':') => {
                let name = spelled[1..].to_string();
                self.at += 1;
                Ok(Operand::leaf(Expr::Runtime(name)))
            }
            Some(Token::Sign(_) | Token::Parameter(_)) | None => Err(self.expected("a value")),
        }
    }

    fn literal(&mut self) -> ParseResult<Operand> {
        let value = match self.tokens.get(self.at).map(|placed| &placed.token) {
            Some(Token::Text(text)) => Literal::Text(text.clone()),
            Some(Token::Number(number)) => {
                let number = typed_number(number);
                self.at += 1;
                return self.with_unit(Operand::leaf(number));
            }
            _ => return Err(self.expected("a literal")),
        };
        self.at += 1;
        self.with_unit(Operand::leaf(Expr::Literal(value)))
    }

    fn word_atom(&mut self) -> ParseResult<Operand> {
        let word = self.word(0).unwrap_or_default();
        let next = self.tokens.get(self.at + 1).map(|placed| &placed.token);
        let (text, bracket) = (matches!(next, Some(Token::Text(_))), matches!(next, Some(Token::Sign("("))));
        match word.as_str() {
            "NULL" => Ok(self.constant(Literal::Null)),
            "TRUE" => Ok(self.constant(Literal::Bool(true))),
            "FALSE" => Ok(self.constant(Literal::Bool(false))),
            "DATE" if text => self.typed_text(Type::Date),
            "TIMESTAMP" if text => self.typed_text(Type::Timestamp),
            "INTERVAL" if text || bracket || matches!(next, Some(Token::Number(_))) => self.interval(),
            "CASE" => self.inside(Self::case),
            "CAST" if bracket => self.inside(Self::cast),
            "EXTRACT" if bracket => self.inside(Self::extract),
            "FLOOR" if bracket => self.inside(Self::floor),
            "EXISTS" | "SELECT" => Err(self.subquery()),
            reserved if is_reserved(reserved) => Err(self.expected("a value")),
            _ => self.named(),
        }
    }

    fn constant(&mut self, value: Literal) -> Operand {
        self.at += 1;
        Operand::leaf(Expr::Literal(value))
    }

    /// A list in brackets or a bracketed value or condition, behind the opening bracket.
    fn brackets(&mut self) -> ParseResult<Operand> {
        if self.at_word("SELECT") || self.at_word("WITH") {
            return Err(self.subquery());
        }
        let (start, first) = (self.at - 1, self.at);
        let inner = self.inside(Self::bracketed)?;
        if self.take_sign(")") {
            return Ok(inner);
        }
        if !self.at_sign(",") {
            return Err(self.expected("`)`"));
        }
        self.list(inner, start, first)
    }

    /// The rest of a list in brackets; `start` is the bracket, `first` the first token of its first item.
    fn list(&mut self, item: Operand, start: usize, first: usize) -> ParseResult<Operand> {
        let mut deep = item.deep;
        let mut exprs = vec![*item.into_expr()];
        let mut items: Vec<Range<usize>> = std::iter::once(first..self.at).collect();
        while !self.take_sign(")") {
            if !self.take_sign(",") {
                return Err(self.expected("`,` or `)`"));
            }
            let from = self.at;
            let item = self.inside(Self::expr)?;
            deep = deep.max(item.deep);
            exprs.push(*item.into_expr());
            items.push(from..self.at);
        }
        self.found.lists.push(ListTokens { tokens: start..self.at, items });
        self.checked(Operand::new(Expr::Tuple(exprs), deep))
    }

    /// Values with commas between them, up to and with the closing sign; none at all are taken, too. The greatest depth.
    pub(super) fn items(&mut self, close: &str) -> ParseResult<(Vec<Expr>, usize)> {
        let (mut items, mut deep) = (Vec::new(), 0);
        if self.take_sign(close) {
            return Ok((items, deep));
        }
        if self.at_word("SELECT") {
            return Err(self.subquery());
        }
        loop {
            let item = self.expr()?;
            deep = deep.max(item.deep);
            items.push(*item.into_expr());
            if self.take_sign(close) {
                return Ok((items, deep));
            }
            if !self.take_sign(",") {
                return Err(self.expected(&format!("`,` or `{close}`")));
            }
        }
    }

    /// A column or a function.
    fn named(&mut self) -> ParseResult<Operand> {
        if self.sign_at(1, "(") || (self.sign_at(1, ".") && self.sign_at(3, "(")) {
            return self.inside(Self::call);
        }
        if matches!(self.tokens.get(self.at + 1).map(|placed| &placed.token), Some(Token::Text(_))) {
            return Err(self.literal_prefix());
        }
        let mut name = self.expect_name()?;
        let is_clock = CLOCKS[..2].contains(&name.to_ascii_lowercase().as_str());
        if is_clock && matches!(self.tokens[self.at - 1].token, Token::Word(_)) {
            self.found.clocks.push(self.at - 1);
            return Ok(Operand::leaf(Expr::call(name.to_ascii_lowercase(), Vec::new())));
        }
        // `alias.column`: what counts is the column.
        while self.take_sign(".") {
            let tokens = self.at - 2..self.at;
            self.found.rewrites.push(Rewrite { tokens, by: Replacement::Text("") });
            name = self.expect_name()?;
        }
        let token = self.at - 1;
        self.found.columns.push(token);
        Ok(Operand::leaf(Expr::Column(Column { name, token })))
    }

    /// `name(…)` or `database.name(…)`.
    fn call(&mut self) -> ParseResult<Operand> {
        let start = self.at;
        let mut name = self.expect_plain_name()?;
        if self.take_sign(".") {
            name = format!("{name}.{}", self.expect_plain_name()?);
        }
        self.expect_sign("(")?;
        let name = name.to_ascii_lowercase();
        if OF_MANY_ROWS.contains(&name.as_str()) {
            return Err(self.of_many_rows(&name, start));
        }
        if self.at_sign("*") && self.sign_at(1, ")") {
            self.at += 2;
            return Ok(Operand::leaf(Expr::Opaque(Vec::new())));
        }
        let is_distinct = self.take_word("DISTINCT");
        let first = self.at;
        let (arguments, deep) = self.items(")")?;
        if CLOCKS.contains(&name.as_str()) && arguments.is_empty() {
            self.found.clocks.push(start);
        }
        if let ([_, _], "left" | "right") = (arguments.as_slice(), name.as_str()) {
            self.rewrite_side(start, first, name == "left");
        }
        if OF_DATES.contains(&name.as_str()) || OF_TIMES.contains(&name.as_str()) {
            let arguments =
                self.ranges(first, self.at - 1).into_iter().zip(arguments.iter().cloned()).collect();
            self.found.time_calls.push(TimeCall { name: name.clone(), tokens: start..self.at, arguments });
        }
        let expr = match (cast_of(&name), arguments.as_slice()) {
            _ if is_distinct => Expr::Opaque(arguments),
            (Some(data_type), [expr]) => Expr::Cast { expr: Box::new(expr.clone()), data_type },
            _ => Expr::call(name, arguments),
        };
        self.checked(Operand::new(expr, deep))
    }

    /// Hive has neither `left(x, n)` nor `right(x, n)`. `first` is the first token of the arguments, the last one is behind us.
    fn rewrite_side(&mut self, name: usize, first: usize, is_left: bool) {
        let Some(comma) = self.comma_between(first, self.at - 1) else { return };
        let texts = if is_left {
            [(name, "substr"), (comma, ", 1,")].to_vec()
        } else {
            [(name, "reverse(substr(reverse"), (comma, "), 1,"), (self.at - 1, "))")].to_vec()
        };
        let rewrites =
            texts.into_iter().map(|(at, text)| Rewrite { tokens: at..at + 1, by: Replacement::Text(text) });
        self.found.rewrites.extend(rewrites);
    }

    /// The tokens of each item between commas.
    fn ranges(&self, mut from: usize, to: usize) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        while let Some(comma) = self.comma_between(from, to) {
            ranges.push(from..comma);
            from = comma + 1;
        }
        ranges.push(from..to);
        ranges
    }

    /// The comma outside of inner brackets.
    fn comma_between(&self, from: usize, to: usize) -> Option<usize> {
        let mut open = 0;
        (from..to).find(|&at| {
            match self.tokens[at].token {
                Token::Sign("(" | "[") => open += 1,
                Token::Sign(")" | "]") => open -= 1,
                _ => {}
            }
            open == 0 && self.tokens[at].token == Token::Sign(",")
        })
    }

    fn case(&mut self) -> ParseResult<Operand> {
        self.at += 1;
        let mut deep = 0;
        let operand = if self.at_word("WHEN") { None } else { Some(self.part(&mut deep)?) };
        let mut conditions = Vec::new();
        self.expect_word("WHEN")?;
        loop {
            let condition = self.part(&mut deep)?;
            self.expect_word("THEN")?;
            let result = self.part(&mut deep)?;
            conditions.push(When { condition: *condition, result: *result });
            if !self.take_word("WHEN") {
                break;
            }
        }
        let else_result = if self.take_word("ELSE") { Some(self.part(&mut deep)?) } else { None };
        self.expect_word("END")?;
        self.checked(Operand::new(Expr::Case { operand, conditions, else_result }, deep))
    }

    fn part(&mut self, deep: &mut usize) -> ParseResult<Box<Expr>> {
        let operand = self.expr()?;
        *deep = operand.deep.max(*deep);
        Ok(operand.into_expr())
    }

    fn cast(&mut self) -> ParseResult<Operand> {
        let start = self.at;
        self.at += 2;
        let operand = self.expr()?;
        let tokens = start + 2..self.at;
        self.expect_word("AS")?;
        let data_type = self.data_type()?;
        self.expect_sign(")")?;
        let deep = operand.deep;
        let expr = operand.into_expr();
        let name = match data_type {
            Type::Date => Some("cast date"),
            Type::Timestamp => Some("cast timestamp"),
            _ => None,
        };
        if let Some(name) = name {
            self.found_time_call(name, start, tokens, &expr);
        }
        self.checked(Operand::new(Expr::Cast { expr, data_type }, deep))
    }

    /// A call with one argument, behind it.
    fn found_time_call(&mut self, name: &str, start: usize, argument: Range<usize>, expr: &Expr) {
        let arguments = vec![(argument, expr.clone())];
        self.found.time_calls.push(TimeCall { name: name.into(), tokens: start..self.at, arguments });
    }

    fn data_type(&mut self) -> ParseResult<Type> {
        let name = self.word(0).unwrap_or_default();
        let simple = match name.as_str() {
            "TINYINT" => Type::TinyInt,
            "SMALLINT" => Type::SmallInt,
            "INT" | "INTEGER" => Type::Int,
            "BIGINT" => Type::BigInt,
            "BOOLEAN" => Type::Boolean,
            "FLOAT" => Type::Float,
            "DOUBLE" => Type::Double,
            "STRING" => Type::String,
            "BINARY" => Type::Binary,
            "DATE" => Type::Date,
            "TIMESTAMP" => Type::Timestamp,
            "DECIMAL" | "DEC" | "NUMERIC" => Type::Decimal { precision: 10, scale: 0 },
            "VARCHAR" => Type::Varchar(None),
            "CHAR" => Type::Char(None),
            _ => return Err(self.expected("a type such as `string`, `bigint` or `decimal(18,2)`")),
        };
        self.at += 1;
        if name == "DOUBLE" {
            self.take_word("PRECISION");
        }
        if !matches!(simple, Type::Decimal { .. } | Type::Varchar(_) | Type::Char(_)) || !self.take_sign("(")
        {
            return Ok(simple);
        }
        let first = self.expect_size()?;
        let second = if self.take_sign(",") { self.expect_size()? } else { 0 };
        self.expect_sign(")")?;
        Ok(match simple {
            Type::Decimal { .. } => Type::Decimal { precision: first, scale: second },
            Type::Varchar(_) => Type::Varchar(Some(first)),
            Type::Char(_) => Type::Char(Some(first)),
            other => other,
        })
    }

    fn expect_size(&mut self) -> ParseResult<u64> {
        let size = match self.tokens.get(self.at).map(|placed| &placed.token) {
            Some(Token::Number(number)) => number.parse().ok(),
            _ => None,
        };
        let size = size.ok_or_else(|| self.expected("a whole number"))?;
        self.at += 1;
        Ok(size)
    }

    fn extract(&mut self) -> ParseResult<Operand> {
        let start = self.at;
        self.at += 2;
        let unit = self.time_unit().ok_or_else(|| self.expected("a unit such as `year`"))?;
        self.at += 1;
        self.expect_word("FROM")?;
        let first = self.at;
        let operand = self.expr()?;
        let tokens = first..self.at;
        self.expect_sign(")")?;
        let deep = operand.deep;
        let expr = operand.into_expr();
        self.found_time_call(unit.word(), start, tokens, &expr);
        let name = match unit {
            TimeUnit::Year | TimeUnit::Month | TimeUnit::Day => unit.word().to_string(),
            _ => format!("extract_{}", unit.word()),
        };
        self.checked(Operand::new(Expr::call(name, vec![*expr]), deep))
    }

    /// `floor(x)`, and `floor(x TO DAY)`, which is another function.
    fn floor(&mut self) -> ParseResult<Operand> {
        self.at += 2;
        let operand = self.expr()?;
        let deep = operand.deep;
        let expr = operand.into_expr();
        let name = if self.take_word("TO") {
            let unit = self.time_unit().ok_or_else(|| self.expected("a unit such as `day`"))?;
            self.at += 1;
            format!("floor_{}", unit.word())
        } else {
            "floor".to_string()
        };
        self.expect_sign(")")?;
        self.checked(Operand::new(Expr::call(name, vec![*expr]), deep))
    }

    fn typed_text(&mut self, data_type: Type) -> ParseResult<Operand> {
        self.at += 1;
        let literal = self.atom()?.into_expr();
        let Expr::Literal(Literal::Text(text)) = *literal else { return Err(self.expected("a text")) };
        Ok(Operand::leaf(Expr::TypedText { data_type, text }))
    }

    fn interval(&mut self) -> ParseResult<Operand> {
        self.at += 1;
        let amount = self.inside(Self::atom)?;
        if matches!(&amount.node, OperandNode::Expr(expr) if matches!(**expr, Expr::Interval { .. })) {
            return Ok(amount);
        }
        match self.interval_of(amount)? {
            Ok(interval) => Ok(interval),
            Err(_) => Err(self.expected("a unit such as `DAY`")),
        }
    }

    /// `1 DAY` is short for `INTERVAL 1 DAY`.
    fn with_unit(&mut self, literal: Operand) -> ParseResult<Operand> {
        Ok(self.interval_of(literal)?.unwrap_or_else(|literal| literal))
    }

    /// The amount with the unit that follows it, or the amount itself.
    fn interval_of(&mut self, amount: Operand) -> ParseResult<Result<Operand, Operand>> {
        let has_intervals =
            |unit: &TimeUnit| !matches!(unit, TimeUnit::Quarter | TimeUnit::Week | TimeUnit::DayOfWeek);
        let Some(unit) = self.time_unit().filter(has_intervals) else { return Ok(Err(amount)) };
        self.at += 1;
        let last = if self.take_word("TO") {
            let last = self.time_unit().ok_or_else(|| self.expected("a unit such as `SECOND`"))?;
            self.at += 1;
            Some(last)
        } else {
            None
        };
        let deep = amount.deep;
        Ok(Ok(Operand::new(Expr::Interval { amount: amount.into_expr(), unit, last }, deep)))
    }

    fn time_unit(&self) -> Option<TimeUnit> {
        TimeUnit::of_word(&self.word(0)?)
    }
}

fn is_null_word(word: &str) -> bool {
    word.eq_ignore_ascii_case("NULL") || word.eq_ignore_ascii_case("UNKNOWN")
}

/// Whether a condition is the negation of another one.
fn is_negation(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_negation(inner),
        Expr::UnaryOp { op: UnaryOperator::Not, .. } => true,
        Expr::Like { negated, .. }
        | Expr::RLike { negated, .. }
        | Expr::InList { negated, .. }
        | Expr::Between { negated, .. } => *negated,
        _ => false,
    }
}
