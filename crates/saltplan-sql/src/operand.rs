//! Values: literals, names, functions, CASE, casts, arithmetic, and `IS [NOT] NULL`, which in Hive binds tighter than all binary
//! operators.

use super::Subject;
use super::ast::{
    Call, CallForm, Column, Expr, Literal, Name, Node, ScriptExpr, TimeUnit, Type, UnaryOperator, When,
};
use super::functions::{FLOOR, Function, Operation, Rows, part_of_time};
use super::grammar::{Operand, Parser};
use super::hive_type::{MAX_CHAR, MAX_PRECISION, MAX_VARCHAR};
use super::lexer::value_of_literal;
use super::operator::Level;
use super::print::identifier;
use super::token::{self, Token};
use saltplan_document::diag::Diagnostic;

type ParseResult<T> = Result<T, Diagnostic>;

/// Words that are names only in backquotes.
const RESERVED: [&str; 22] = [
    "AND", "OR", "NOT", "IN", "LIKE", "RLIKE", "REGEXP", "BETWEEN", "IS", "NULL", "TRUE", "FALSE", "CASE",
    "WHEN", "THEN", "ELSE", "END", "CAST", "EXISTS", "SELECT", "DISTINCT", "FROM",
];

pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.iter().any(|reserved| word.eq_ignore_ascii_case(reserved))
}

fn is_text(token: Option<&Token<'_>>) -> bool {
    matches!(token, Some(Token::Text(_) | Token::Value(_)))
}

/// A number with the type of its letters: `5L` is a bigint.
fn typed_number(text: &str) -> Expr {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let letters = &text[digits.len()..];
    let zero = if digits.starts_with('.') { "0" } else { "" };
    let (digits, text) = (format!("{zero}{digits}"), format!("{zero}{text}"));
    let typed = |digits: String| Expr::Literal(Literal::TypedNumber { digits, written: text.clone() });
    let data_type = match letters.to_ascii_uppercase().as_str() {
        "" => return Expr::Literal(Literal::Number(digits)),
        "Y" => Type::TinyInt,
        "S" => Type::SmallInt,
        "L" => Type::BigInt,
        "BD" if !digits.contains(['.', 'e', 'E']) => return typed(format!("{digits}.0")),
        _ => return typed(digits),
    };
    let number = Expr::Literal(Literal::Number(digits));
    Expr::Cast { expr: number.into(), data_type, written: letters.to_string() }
}

impl Parser<'_> {
    pub(super) fn value(&mut self) -> ParseResult<Operand> {
        self.tighter(Level::Comparison)
    }

    /// A value whose operators bind more tightly than `level`.
    fn tighter(&mut self, level: Level) -> ParseResult<Operand> {
        let start = self.at;
        let left = self.tested()?;
        self.operations(left, level, start)
    }

    fn operations(&mut self, mut left: Operand, level: Level, start: usize) -> ParseResult<Operand> {
        while let Some(op) = self.operator().filter(|op| op.level() > level) {
            self.at += 1;
            let right = self.tighter(op.level())?;
            self.refuse_test(&right, start)?;
            left = self.checked(self.binary(start, left, op, right))?;
        }
        Ok(left)
    }

    /// A value, with at most one `IS [NOT] NULL` after it.
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
        let value = match self.word(after).as_deref() {
            // In Hive `UNKNOWN` is NULL.
            Some("NULL" | "UNKNOWN") => None,
            Some("TRUE") => Some(true),
            Some("FALSE") => Some(false),
            _ => {
                self.at += after;
                return Err(self.expected("`NULL`, `TRUE`, `FALSE`, `UNKNOWN` or `DISTINCT FROM`"));
            }
        };
        self.at += after + 1;
        if self.at_word("IS") && !self.word_at(1 + usize::from(self.word_at(1, "NOT")), "DISTINCT") {
            return Err(self.brackets_before_test());
        }
        let tested = self.operand(start, Expr::Is { expr: operand.node, value, negated }, operand.deep);
        self.checked(Operand { test: Some(is), ..tested })
    }

    fn signed(&mut self) -> ParseResult<Operand> {
        let op = match self.tokens.get(self.at).map(|placed| &placed.token) {
            Some(Token::Sign("-")) => UnaryOperator::Minus,
            Some(Token::Sign("+")) => UnaryOperator::Plus,
            Some(Token::Sign("~")) => UnaryOperator::BitwiseNot,
            _ => return self.accessed(),
        };
        let start = self.at;
        self.at += 1;
        let operand = self.inside(Self::signed)?;
        self.checked(self.operand(start, Expr::UnaryOp { op, expr: operand.node }, operand.deep))
    }

    fn accessed(&mut self) -> ParseResult<Operand> {
        let start = self.at;
        let operand = self.atom()?;
        if self.at_sign("[") || self.at_sign(".") { self.access(operand, start) } else { Ok(operand) }
    }

    /// `[index]` and `.member` after a value.
    fn access(&mut self, mut operand: Operand, start: usize) -> ParseResult<Operand> {
        let mut deep = operand.deep;
        loop {
            let expr = operand.node;
            let expr = if self.take_sign("[") {
                let index = self.inside(Self::expr)?;
                deep = deep.max(index.deep);
                self.expect_sign("]")?;
                Expr::Element { expr, index: index.node }
            } else if self.take_sign(".") {
                let name = self.expect_plain_name()?;
                let quoted = matches!(self.tokens[self.at - 1].token, Token::Quoted(_));
                Expr::Member { expr, name: if quoted { identifier(&name) } else { name } }
            } else {
                return self.checked(Operand { node: expr, deep, test: None });
            };
            deep += 1;
            operand = self.operand(start, expr, deep);
        }
    }

    fn atom(&mut self) -> ParseResult<Operand> {
        match self.tokens.get(self.at).map(|placed| &placed.token) {
            Some(Token::Sign("(")) => {
                let start = self.at;
                if let Some(query) = self.take_query() {
                    return Ok(self.operand(start, Expr::Script(ScriptExpr::Query(query)), 0));
                }
                self.at += 1;
                self.brackets()
            }
            Some(Token::Quoted(_)) => self.named(),
            Some(Token::Word(_)) => self.word_atom(),
            Some(Token::Text(_) | Token::Value(_) | Token::Number(_)) => self.literal(),
            // Other parameters have been replaced by their values.
            Some(Token::Runtime(name)) => {
                let name = (*name).to_string();
                self.at += 1;
                Ok(self.leaf(Expr::Runtime(name)))
            }
            Some(Token::Variable(text)) => {
                let text = *text;
                self.at += 1;
                Ok(self.leaf(match self.runtime_name(text) {
                    Some(name) => Expr::Runtime(name),
                    None => Expr::Script(ScriptExpr::Placeholder(text.to_string())),
                }))
            }
            Some(Token::Sign("?" | ":")) if self.script.is_some() => self.placeholder(),
            Some(Token::Sign(_) | Token::Parameter(_) | Token::Command(_)) | None => {
                Err(self.expected("a value"))
            }
        }
    }

    /// An expression that consists of the last token.
    fn leaf(&self, expr: Expr) -> Operand {
        self.operand(self.at - 1, expr, 0)
    }

    fn literal(&mut self) -> ParseResult<Operand> {
        let start = self.at;
        let value = match self.tokens.get(self.at).map(|placed| &placed.token) {
            Some(Token::Text(_)) => self.text()?,
            Some(Token::Value(text)) => {
                let text = text.to_string();
                self.at += 1;
                Expr::Literal(Literal::Text(text))
            }
            Some(Token::Number(number)) => {
                let number = typed_number(number);
                self.at += 1;
                number
            }
            _ => return Err(self.expected("a literal")),
        };
        self.with_unit(self.operand(start, value, 0), start)
    }

    /// A text. Adjacent literals are one.
    fn text(&mut self) -> ParseResult<Expr> {
        let mut value = String::new();
        let start = self.at;
        while let Some(placed) = self.tokens.get(self.at)
            && let Token::Text(raw) = placed.token
        {
            self.at += 1;
            if self.at == start + 1
                && let Some(name) = self.runtime_name(&raw[1..raw.len() - 1])
                && !matches!(self.tokens.get(self.at).map(|next| &next.token), Some(Token::Text(_)))
            {
                return Ok(Expr::Runtime(name));
            }
            value.push_str(&value_of_literal(self.source, raw, placed.span.start)?);
        }
        Ok(Expr::Literal(Literal::Text(value)))
    }

    fn word_atom(&mut self) -> ParseResult<Operand> {
        let word = self.word(0).unwrap_or_default();
        let next = self.tokens.get(self.at + 1).map(|placed| &placed.token);
        let (text, bracket) = (is_text(next), matches!(next, Some(Token::Sign("("))));
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
            "EXISTS" if self.script.is_some() => self.exists(),
            "EXISTS" | "SELECT" => Err(self.subquery()),
            reserved if is_reserved(reserved) => Err(self.expected("a value")),
            _ => self.named(),
        }
    }

    fn constant(&mut self, value: Literal) -> Operand {
        self.at += 1;
        self.leaf(Expr::Literal(value))
    }

    /// What follows an opening bracket: a list, a value or a condition, and the closing bracket.
    fn brackets(&mut self) -> ParseResult<Operand> {
        if self.at_word("SELECT") || self.at_word("WITH") {
            return Err(self.subquery());
        }
        let start = self.at - 1;
        let inner = self.inside(|parser| Ok(parser.any()?.deeper()))?;
        if self.take_sign(")") {
            return Ok(Operand { deep: inner.deep, ..self.operand(start, Expr::Nested(inner.node), 0) });
        }
        if !self.at_sign(",") {
            return Err(self.expected("`)`"));
        }
        let (items, deep) = self.inside(|parser| parser.further_items(inner))?;
        self.checked(self.operand(start, Expr::Tuple(items), deep))
    }

    /// Values separated by commas, possibly none, and the closing bracket. Returns the values and the greatest depth.
    pub(super) fn items(&mut self) -> ParseResult<(Vec<Node>, usize)> {
        if self.take_sign(")") {
            return Ok((Vec::new(), 0));
        }
        if self.at_word("SELECT") {
            return Err(self.subquery());
        }
        let first = self.expr()?;
        self.further_items(first)
    }

    fn further_items(&mut self, first: Operand) -> ParseResult<(Vec<Node>, usize)> {
        let mut deep = first.deep;
        let mut items = vec![*first.node];
        while !self.take_sign(")") {
            if !self.take_sign(",") {
                return Err(self.expected("`,` or `)`"));
            }
            let item = self.expr()?;
            deep = deep.max(item.deep);
            items.push(*item.node);
        }
        Ok((items, deep))
    }

    /// A column or a function.
    fn named(&mut self) -> ParseResult<Operand> {
        if self.sign_at(1, "(") || (self.sign_at(1, ".") && self.sign_at(3, "(")) {
            return self.inside(Self::call);
        }
        if is_text(self.tokens.get(self.at + 1).map(|placed| &placed.token)) {
            return Err(self.literal_prefix());
        }
        let start = self.at;
        let mut name = self.expect_name()?;
        let lower = name.to_ascii_lowercase();
        if Function::everywhere(&lower).is_some_and(|function| function.needs_no_brackets)
            && matches!(self.tokens[start].token, Token::Word(_))
        {
            return Ok(self.leaf(Expr::Call(Call::named(lower, Vec::new(), CallForm::Bare))));
        }
        let is_quoted = |own: &Self| matches!(own.tokens[own.at - 1].token, Token::Quoted(_));
        let mut quoted = is_quoted(self);
        let mut qualifier = Vec::new();
        while self.subject != Subject::Expression && self.take_sign(".") {
            let behind = self.expect_name()?;
            let text = std::mem::replace(&mut name, behind);
            // `alias.column`: of a predicate, only the column is kept.
            if self.subject == Subject::Script {
                qualifier.push(Name { text, quoted });
            }
            quoted = is_quoted(self);
        }
        let column = Expr::Column(Column { qualifier, name, quoted });
        match self.subject {
            Subject::Script => Ok(self.operand(start, column, 0)),
            Subject::Predicate | Subject::Expression => Ok(self.leaf(column)),
        }
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
        let function = Function::everywhere(&name);
        if function.is_some_and(|function| function.rows != Rows::One) && self.script.is_none() {
            return Err(self.of_many_rows(&name, start));
        }
        if self.at_sign("*") && self.sign_at(1, ")") {
            self.at += 2;
            let call = Call { name, function, arguments: Vec::new(), form: CallForm::Star };
            let operand = self.operand(start, Expr::Opaque(call), 0);
            return self.windowed(operand, start);
        }
        let is_distinct = self.take_word("DISTINCT");
        let (arguments, deep) = self.items()?;
        let expr = match (function.map(|function| function.operation), arguments.as_slice()) {
            _ if is_distinct => Expr::Opaque(Call { name, function, arguments, form: CallForm::Distinct }),
            (Some(Operation::Cast(data_type)), [expr]) => {
                Expr::Cast { expr: Box::new(expr.clone()), data_type, written: name }
            }
            _ => Expr::Call(Call { name, function, arguments, form: CallForm::Plain }),
        };
        let operand = self.checked(self.operand(start, expr, deep))?;
        self.windowed(operand, start)
    }

    fn case(&mut self) -> ParseResult<Operand> {
        let start = self.at;
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
        self.checked(self.operand(start, Expr::Case { operand, conditions, else_result }, deep))
    }

    fn part(&mut self, deep: &mut usize) -> ParseResult<Box<Node>> {
        let operand = self.expr()?;
        *deep = operand.deep.max(*deep);
        Ok(operand.node)
    }

    fn cast(&mut self) -> ParseResult<Operand> {
        let start = self.at;
        self.at += 2;
        let operand = self.expr()?;
        self.expect_word("AS")?;
        let of_type = self.at;
        let data_type = self.data_type()?;
        let written = token::written(&self.tokens[of_type..self.at]);
        self.expect_sign(")")?;
        self.checked(self.operand(start, Expr::Cast { expr: operand.node, data_type, written }, operand.deep))
    }

    fn data_type(&mut self) -> ParseResult<Type> {
        let name = self.word(0).unwrap_or_default();
        let sized = matches!(name.as_str(), "DECIMAL" | "DEC" | "NUMERIC" | "VARCHAR" | "CHAR");
        let simple = Type::named(&name);
        if !sized && simple.is_none() {
            return Err(self.expected("a type such as `string`, `bigint` or `decimal(18,2)`"));
        }
        self.at += 1;
        if name == "DOUBLE" {
            self.take_word("PRECISION");
        }
        match (name.as_str(), simple) {
            (_, Some(simple)) => Ok(simple),
            ("VARCHAR", _) => Ok(Type::Varchar(self.length("varchar", MAX_VARCHAR)?)),
            ("CHAR", _) => Ok(Type::Char(self.length("char", MAX_CHAR)?)),
            _ => self.decimal(),
        }
    }

    fn decimal(&mut self) -> ParseResult<Type> {
        if !self.take_sign("(") {
            return Ok(Type::Decimal { precision: 10, scale: 0 });
        }
        let precision = self.expect_size(1, MAX_PRECISION)?;
        let scale = if self.take_sign(",") { self.expect_size(0, precision)? } else { 0 };
        self.expect_sign(")")?;
        Ok(Type::Decimal { precision, scale })
    }

    fn length(&mut self, word: &str, most: u32) -> ParseResult<u32> {
        if !self.take_sign("(") {
            return Err(self.expected(&format!("a length, as in `{word}(10)`")));
        }
        let length = self.expect_size(1, most)?;
        self.expect_sign(")")?;
        Ok(length)
    }

    fn expect_size(&mut self, least: u32, most: u32) -> ParseResult<u32> {
        let size = match self.tokens.get(self.at).map(|placed| &placed.token) {
            Some(Token::Number(number)) => number.parse().ok().filter(|size| (least..=most).contains(size)),
            _ => None,
        };
        let size = size.ok_or_else(|| self.expected(&format!("a whole number from {least} to {most}")))?;
        self.at += 1;
        Ok(size)
    }

    fn extract(&mut self) -> ParseResult<Operand> {
        let start = self.at;
        self.at += 2;
        let unit = self.expect_unit("year")?;
        self.expect_word("FROM")?;
        let operand = self.expr()?;
        self.expect_sign(")")?;
        let call = Call::in_form(part_of_time(unit), vec![*operand.node], CallForm::Extract(unit));
        self.checked(self.operand(start, Expr::Call(call), operand.deep))
    }

    /// `floor(x)`, and `floor(x TO DAY)`, which is another function.
    fn floor(&mut self) -> ParseResult<Operand> {
        let start = self.at;
        self.at += 2;
        let operand = self.expr()?;
        let to = if self.take_word("TO") { Some(self.expect_unit("day")?) } else { None };
        self.expect_sign(")")?;
        let arguments = vec![*operand.node];
        let call = match to {
            Some(unit) => Call::named(format!("floor_{}", unit.word()), arguments, CallForm::FloorTo(unit)),
            None => Call::of(&FLOOR, arguments),
        };
        self.checked(self.operand(start, Expr::Call(call), operand.deep))
    }

    fn typed_text(&mut self, data_type: Type) -> ParseResult<Operand> {
        let start = self.at;
        self.at += 1;
        let Expr::Literal(Literal::Text(text)) = self.atom()?.node.expr else {
            return Err(self.expected("a text"));
        };
        Ok(self.operand(start, Expr::TypedText { data_type, text }, 0))
    }

    fn interval(&mut self) -> ParseResult<Operand> {
        let start = self.at;
        self.at += 1;
        let amount = self.inside(Self::atom)?;
        if matches!(amount.node.expr, Expr::Interval { .. }) {
            return Ok(amount);
        }
        let interval = self.with_unit(amount, start)?;
        match interval.node.expr {
            Expr::Interval { .. } => Ok(interval),
            _ => Err(self.expected("a unit such as `DAY`")),
        }
    }

    /// The amount with the unit that follows it, or the amount itself: `1 DAY` is short for `INTERVAL 1 DAY`.
    fn with_unit(&mut self, amount: Operand, start: usize) -> ParseResult<Operand> {
        let has_intervals =
            |unit: &TimeUnit| !matches!(unit, TimeUnit::Quarter | TimeUnit::Week | TimeUnit::DayOfWeek);
        let Some(unit) = self.time_unit().filter(has_intervals) else { return Ok(amount) };
        self.at += 1;
        let last = if self.take_word("TO") { Some(self.expect_unit("SECOND")?) } else { None };
        Ok(self.operand(start, Expr::Interval { amount: amount.node, unit, last }, amount.deep))
    }

    fn time_unit(&self) -> Option<TimeUnit> {
        TimeUnit::of_word(&self.word(0)?)
    }

    fn expect_unit(&mut self, example: &str) -> ParseResult<TimeUnit> {
        let unit = self.time_unit().ok_or_else(|| self.expected(&format!("a unit such as `{example}`")))?;
        self.at += 1;
        Ok(unit)
    }
}
