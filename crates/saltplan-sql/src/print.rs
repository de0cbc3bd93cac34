//! Expressions as text: brackets where Hive's precedence needs them, one blank between words, and for lines the marks by which
//! [`layout`](super::layout) breaks long ones.

use std::fmt;

use serde::{Serialize, Serializer};

use super::ast::{
    BinaryOperator, Call, CallForm, Column, Expr, Literal, Name, Node, ScriptExpr, Type, UnaryOperator, When,
};
use super::functions::{FLOOR, Operation};
use super::layout::{Group, Mark, MarkedText};
use super::literal;
use super::operator::Level;
use super::parameters::is_parameter_name;

impl Level {
    fn of(expr: &Expr) -> Level {
        match expr {
            Expr::Or(_) => Level::Or,
            Expr::And(_) => Level::And,
            Expr::UnaryOp { op: UnaryOperator::Not, .. } => Level::Not,
            Expr::UnaryOp { .. } => Level::Sign,
            Expr::BinaryOp { op, .. } => op.level(),
            Expr::InList { .. } | Expr::Between { .. } | Expr::Like { .. } | Expr::RLike { .. } => {
                Level::Comparison
            }
            Expr::Call(Call { form: CallForm::LikeList, .. }) | Expr::Script(ScriptExpr::InQuery { .. }) => {
                Level::Comparison
            }
            Expr::Is { .. } => Level::Test,
            Expr::Literal(Literal::Number(digits)) if digits.starts_with('-') => Level::Sign,
            _ => Level::Atom,
        }
    }
}

struct Printer<'t> {
    out: &'t mut MarkedText,
    /// Whether the text gets marks.
    marks: bool,
}

impl Printer<'_> {
    fn word(&mut self, text: &str) {
        self.out.push(text);
    }

    /// Prints an operand, in brackets if it binds less tightly than `needed`.
    fn operand(&mut self, expr: &Expr, needed: Level) {
        if Level::of(expr) < needed {
            self.bracketed(expr);
        } else {
            self.expr(expr);
        }
    }

    /// Prints an operand, in brackets unless it binds more tightly than `level`.
    fn tighter(&mut self, expr: &Expr, level: Level) {
        if Level::of(expr) <= level {
            self.bracketed(expr);
        } else {
            self.expr(expr);
        }
    }

    fn mark(&mut self, mark: Mark) {
        if self.marks {
            self.out.mark(mark);
        }
    }

    fn group(&mut self, group: Group, content: impl FnOnce(&mut Self)) {
        self.mark(Mark::Open(group));
        content(self);
        self.mark(Mark::Close);
    }

    /// A blank where a line may end.
    fn blank(&mut self) {
        self.mark(Mark::Break);
        self.word(" ");
    }

    /// `open`, the content and a closing bracket.
    fn brackets(&mut self, open: &str, content: impl FnOnce(&mut Self)) {
        self.word(open);
        self.group(Group::Bracket, |own| {
            own.mark(Mark::Break);
            content(own);
            own.mark(Mark::Break);
            own.word(")");
        });
    }

    fn bracketed(&mut self, expr: &Expr) {
        self.brackets("(", |own| own.expr(expr));
    }

    /// `open`, a list and a closing bracket.
    fn list(&mut self, open: &str, items: &[Node]) {
        if items.is_empty() {
            self.word(open);
            return self.word(")");
        }
        self.brackets(open, |own| {
            own.group(Group::List, |own| {
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        own.word(",");
                        own.blank();
                    }
                    own.expr(item);
                }
            });
        });
    }

    fn joined(&mut self, arms: &[Node], connective: &str, level: Level) {
        for (index, arm) in arms.iter().enumerate() {
            if index > 0 {
                self.blank();
                self.word(connective);
            }
            match &arm.expr {
                // One group of all arms.
                Expr::And(arms) | Expr::Or(arms) if Level::of(arm) == level => {
                    self.joined(arms, connective, level);
                }
                _ => self.operand(arm, level),
            }
        }
    }

    fn binary(&mut self, left: &Expr, op: BinaryOperator, right: &Expr) {
        let level = op.level();
        match left {
            // Hive does not accept `a < b < c`.
            _ if level == Level::Comparison => self.tighter(left, level),
            // One group of all operands: `a + b - c`.
            Expr::BinaryOp { left, op, right } if op.level() == level => self.binary(left, *op, right),
            _ => self.operand(left, level),
        }
        self.word(" ");
        self.word(op.sign());
        self.blank();
        self.tighter(right, level);
    }

    fn compared(&mut self, operand: &Expr, negated: bool, word: &str) {
        self.operand(operand, Level::BitwiseOr);
        self.word(if negated { " NOT " } else { " " });
        self.word(word);
    }

    /// A comparison with a pattern.
    fn matched(&mut self, operand: &Expr, negated: bool, word: &str, pattern: &Expr) {
        self.compared(operand, negated, word);
        self.blank();
        self.operand(pattern, Level::BitwiseOr);
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Column(column) => self.column(column),
            Expr::Literal(literal) => self.literal(literal),
            Expr::TypedText { data_type, text } => {
                let of_type = if *data_type == Type::Date { "DATE" } else { "TIMESTAMP" };
                self.word(&format!("{of_type} {}", literal(text)));
            }
            Expr::Interval { amount, unit, last } => {
                self.word("INTERVAL ");
                self.operand(amount, Level::Atom);
                self.word(&format!(" {unit}"));
                if let Some(last) = last {
                    self.word(&format!(" TO {last}"));
                }
            }
            Expr::Nested(inner) => self.bracketed(inner),
            Expr::Tuple(items) => self.list("(", items),
            Expr::And(arms) => self.group(Group::Chain, |own| own.joined(arms, "AND ", Level::And)),
            Expr::Or(arms) => self.group(Group::Chain, |own| own.joined(arms, "OR ", Level::Or)),
            Expr::UnaryOp { op, expr } => self.unary(*op, expr),
            Expr::BinaryOp { left, op, right } => {
                self.group(Group::Run, |own| own.binary(left, *op, right));
            }
            Expr::Is { expr, value, negated } => {
                self.operand(expr, Level::Sign);
                self.word(if *negated { " IS NOT " } else { " IS " });
                self.literal(&value.map_or(Literal::Null, Literal::Bool));
            }
            Expr::InList { expr, list, negated } => {
                self.compared(expr, *negated, "IN");
                self.list(" (", list);
            }
            Expr::Between { expr, negated, low, high } => self.group(Group::Run, |own| {
                own.matched(expr, *negated, "BETWEEN", low);
                own.word(" AND");
                own.blank();
                own.operand(high, Level::BitwiseOr);
            }),
            Expr::Like { negated, expr, pattern, escape_char } => self.group(Group::Run, |own| {
                own.matched(expr, *negated, "LIKE", pattern);
                if let Some(escape) = escape_char {
                    own.word(" ESCAPE ");
                    own.operand(escape, Level::BitwiseOr);
                }
            }),
            Expr::RLike { negated, expr, pattern } => {
                self.group(Group::Run, |own| own.matched(expr, *negated, "RLIKE", pattern));
            }
            Expr::Case { operand, conditions, else_result } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref());
            }
            Expr::Cast { expr, written, .. } if is_letter(written) => {
                self.expr(expr);
                self.word(written);
            }
            Expr::Cast { expr, written, .. } => {
                self.brackets("cast(", |own| {
                    own.expr(expr);
                    own.word(" as ");
                    own.word(written);
                });
            }
            Expr::Call(call) | Expr::Opaque(call) => self.call(call),
            Expr::Script(part) => self.script(part),
            Expr::Runtime(name) => {
                // The name of a value of a query is its text.
                if is_parameter_name(name) {
                    self.word(":");
                }
                self.word(name);
            }
            Expr::Element { expr, index } => {
                self.operand(expr, Level::Atom);
                self.word("[");
                self.expr(index);
                self.word("]");
            }
            Expr::Member { expr, name } => {
                self.operand(expr, Level::Atom);
                self.word(".");
                self.word(name);
            }
        }
    }

    fn case(&mut self, operand: Option<&Node>, conditions: &[When], else_result: Option<&Node>) {
        self.word("CASE");
        if let Some(operand) = operand {
            self.word(" ");
            self.expr(operand);
        }
        self.group(Group::Bracket, |own| {
            for When { condition, result } in conditions {
                own.blank();
                own.group(Group::Arm, |own| {
                    own.word("WHEN ");
                    own.expr(condition);
                    own.blank();
                    own.word("THEN ");
                    own.expr(result);
                });
            }
            if let Some(result) = else_result {
                own.blank();
                own.word("ELSE ");
                own.expr(result);
            }
            own.blank();
            own.word("END");
        });
    }

    fn unary(&mut self, op: UnaryOperator, operand: &Expr) {
        match (op, operand) {
            (UnaryOperator::Not, _) => {
                self.word("NOT ");
                self.operand(operand, Level::Not);
            }
            (op, _) => {
                self.word(op.sign());
                let start = self.out.as_str().len();
                self.operand(operand, Level::Sign);
                // `--` begins a comment.
                if op == UnaryOperator::Minus && self.out.as_str()[start..].starts_with('-') {
                    self.out.insert(start, " ");
                }
            }
        }
    }

    fn column(&mut self, column: &Column) {
        for Name { text, quoted } in &column.qualifier {
            self.name(text, *quoted);
            self.word(".");
        }
        self.name(&column.name, column.quoted);
    }

    fn name(&mut self, name: &str, quoted: bool) {
        if quoted {
            self.word(&identifier(name));
        } else {
            self.word(name);
        }
    }

    /// For messages only: a query is not printed.
    fn script(&mut self, part: &ScriptExpr) {
        match part {
            ScriptExpr::Exists(_) => self.word("EXISTS (SELECT …)"),
            ScriptExpr::InQuery { expr, negated, .. } => {
                self.compared(expr, *negated, "IN");
                self.word(" (SELECT …)");
            }
            ScriptExpr::Query(_) => self.word("(SELECT …)"),
            ScriptExpr::Window(window) => {
                self.expr(&window.function);
                self.word(" OVER (…)");
            }
            ScriptExpr::Placeholder(text) => self.word(text),
            ScriptExpr::Unread(_) => self.word("…"),
        }
    }

    fn literal(&mut self, value: &Literal) {
        match value {
            Literal::Null => self.word("NULL"),
            Literal::Bool(value) => self.word(if *value { "TRUE" } else { "FALSE" }),
            Literal::Number(digits) => self.word(digits),
            Literal::TypedNumber { written, .. } => self.word(written),
            Literal::Text(text) => self.word(&literal(text)),
            Literal::Later(sql) => self.word(sql),
            Literal::FilledIn { before, text, after } => {
                let inner = |part: &str| {
                    let quoted = literal(part);
                    quoted[1..quoted.len() - 1].to_string()
                };
                self.word(&format!("'{}{text}{}'", inner(before), inner(after)));
            }
        }
    }

    fn call(&mut self, call: &Call) {
        let Call { name, arguments, form, .. } = call;
        match (form, arguments.as_slice()) {
            (CallForm::Bare, _) => self.word(name),
            (CallForm::Star, _) => self.word(&format!("{name}(*)")),
            (CallForm::Extract(unit), [of]) => {
                self.word(&format!("extract({unit} FROM "));
                self.expr(of);
                self.word(")");
            }
            (CallForm::FloorTo(unit), [of]) => {
                self.word(FLOOR.name());
                self.word("(");
                self.expr(of);
                self.word(&format!(" TO {unit})"));
            }
            (CallForm::LikeList, [operand, patterns @ ..]) => {
                let is_of_all = call.operation() == Operation::LikeList { all: true };
                self.compared(operand, false, if is_of_all { "LIKE ALL" } else { "LIKE ANY" });
                self.list(" (", patterns);
            }
            _ => {
                self.word(name);
                self.list(if *form == CallForm::Distinct { "(DISTINCT " } else { "(" }, arguments);
            }
        }
    }
}

fn is_letter(written: &str) -> bool {
    matches!(written, "l" | "L" | "s" | "S" | "y" | "Y")
}

/// A name in backquotes, so that a reserved word is read as a name. Noncharacters, which no table has in its name, are replaced.
pub fn identifier(name: &str) -> String {
    let replacement = char::REPLACEMENT_CHARACTER.to_string();
    format!("`{}`", name.replace('`', "``").replace(|c| matches!(c, '\u{FDD0}'..='\u{FDEF}'), &replacement))
}

impl Expr {
    /// Appends the text with the marks of its layout.
    pub fn print(&self, out: &mut MarkedText) {
        Printer { out, marks: true }.expr(self);
    }

    /// As [`Expr::print`], as one of several conditions that are joined by AND.
    pub(crate) fn print_arm(&self, out: &mut MarkedText) {
        Printer { out, marks: true }.operand(self, Level::And);
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = MarkedText::default();
        Printer { out: &mut out, marks: false }.expr(self);
        f.write_str(out.as_str())
    }
}

/// As text.
impl Serialize for Expr {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expr.fmt(f)
    }
}
