//! The syntax tree of conditions and values: one tree for what users write and for what is printed.

use std::fmt;
use std::ops::{Deref, DerefMut};

use std::hash::{Hash, Hasher};

use super::functions::{Function, Operation};
pub use super::hive_type::Type;
pub use super::operator::BinaryOperator;
pub use super::script::QueryId;
use saltplan_document::diag::Span;

/// An expression and its place in the text that it was read from. Expressions that saltplan made have an empty span.
#[derive(Debug, Clone)]
pub struct Node {
    pub expr: Expr,
    pub span: Span,
}

impl Node {
    pub fn new(expr: Expr, span: Span) -> Self {
        Node { expr, span }
    }

    /// The expression inside the brackets around it.
    pub fn bare(&self) -> &Node {
        match &self.expr {
            Expr::Nested(inner) => inner.bare(),
            _ => self,
        }
    }
}

/// Spans are not compared: both sides of `a = a` are equal.
impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.expr == other.expr
    }
}

impl Eq for Node {}

impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.expr.hash(state);
    }
}

impl Deref for Node {
    type Target = Expr;

    fn deref(&self) -> &Expr {
        &self.expr
    }
}

impl DerefMut for Node {
    fn deref_mut(&mut self) -> &mut Expr {
        &mut self.expr
    }
}

impl From<Expr> for Node {
    fn from(expr: Expr) -> Self {
        Node { expr, span: Span::default() }
    }
}

impl From<Expr> for Box<Node> {
    fn from(expr: Expr) -> Self {
        Box::new(expr.into())
    }
}

/// A value or a condition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Expr {
    Column(Column),
    Literal(Literal),
    /// `DATE '2020-04-06'`, `TIMESTAMP '2020-04-06 10:00:00'`.
    TypedText {
        data_type: Type,
        text: String,
    },
    /// `INTERVAL 1 DAY`.
    Interval {
        amount: Box<Node>,
        unit: TimeUnit,
        /// After `TO`: the amount is a text such as `1 10:00:00`.
        last: Option<TimeUnit>,
    },
    /// In brackets.
    Nested(Box<Node>),
    Tuple(Vec<Node>),
    /// Two or more conditions.
    And(Vec<Node>),
    /// Two or more conditions.
    Or(Vec<Node>),
    UnaryOp {
        op: UnaryOperator,
        expr: Box<Node>,
    },
    BinaryOp {
        left: Box<Node>,
        op: BinaryOperator,
        right: Box<Node>,
    },
    /// `IS [NOT] NULL`, `TRUE` or `FALSE`.
    Is {
        expr: Box<Node>,
        /// `None` is NULL.
        value: Option<bool>,
        negated: bool,
    },
    InList {
        expr: Box<Node>,
        list: Vec<Node>,
        negated: bool,
    },
    Between {
        expr: Box<Node>,
        negated: bool,
        low: Box<Node>,
        high: Box<Node>,
    },
    Like {
        negated: bool,
        expr: Box<Node>,
        pattern: Box<Node>,
        escape_char: Option<Box<Node>>,
    },
    /// `RLIKE` or `REGEXP`.
    RLike {
        negated: bool,
        expr: Box<Node>,
        pattern: Box<Node>,
    },
    Case {
        operand: Option<Box<Node>>,
        conditions: Vec<When>,
        else_result: Option<Box<Node>>,
    },
    Cast {
        expr: Box<Node>,
        data_type: Type,
        /// The type as written, such as `decimal(10,2)`; for a number with a letter (`5L`) the letter.
        written: String,
    },
    Call(Call),
    /// A parameter whose value is known only when the statement runs.
    Runtime(String),
    /// `expr[index]`
    Element {
        expr: Box<Node>,
        index: Box<Node>,
    },
    /// `expr.name`, the name as written.
    Member {
        expr: Box<Node>,
        name: String,
    },
    /// A call with `DISTINCT` or `*`, which is never evaluated here.
    Opaque(Call),
    /// What only the expressions of scripts have.
    Script(ScriptExpr),
}

/// What the expressions of scripts have, and predicates do not.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ScriptExpr {
    /// `EXISTS (SELECT …)`
    Exists(QueryId),
    /// `expr [NOT] IN (SELECT …)`
    InQuery { expr: Box<Node>, query: QueryId, negated: bool },
    /// `(SELECT …)` as a value.
    Query(QueryId),
    /// A call with `OVER`.
    Window(Box<Window>),
    /// `${…}`, `?` or `:name`: a value that is not known.
    Placeholder(String),
    /// What the grammar does not have. It may have any value.
    Unread(Unread),
}

/// A function of the rows around one row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Window {
    pub function: Node,
    pub over: Over,
}

/// The rows that a window function sees, without its frame.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Over {
    /// The name of a window of the WINDOW clause, in lower case.
    pub name: Option<String>,
    pub partition_by: Vec<Node>,
    pub order_by: Vec<Node>,
}

/// An expression that the grammar cannot read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Unread {
    pub reason: WhyUnread,
    /// The columns and the calls in it, as far as its tokens show them. Calls have no arguments here.
    pub names: Vec<Node>,
    /// Whether it has a CASE or an `if`, which choose one of several values.
    pub chooses: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum WhyUnread {
    /// A scheduler or a client fills something in.
    Placeholder,
    /// The message of the parser.
    Syntax(String),
}

/// A method that visits the direct parts of an expression in the order of the text.
macro_rules! visitor {
    ($name:ident, $iter:ident $(, $mut:tt)?) => {
        pub fn $name<'e>(&'e $($mut)? self, visit: &mut dyn FnMut(&'e $($mut)? Node)) {
            match self {
                Expr::Column(_) | Expr::Literal(_) | Expr::TypedText { .. } | Expr::Runtime(_) => {}
                Expr::Nested(part)
                | Expr::Interval { amount: part, .. }
                | Expr::UnaryOp { expr: part, .. }
                | Expr::Cast { expr: part, .. }
                | Expr::Member { expr: part, .. }
                | Expr::Is { expr: part, .. } => visit(part),
                Expr::BinaryOp { left, right, .. }
                | Expr::Element { expr: left, index: right }
                | Expr::RLike { expr: left, pattern: right, .. } => {
                    visit(left);
                    visit(right);
                }
                Expr::Between { expr, low, high, .. } => {
                    visit(expr);
                    visit(low);
                    visit(high);
                }
                Expr::Like { expr, pattern, escape_char, .. } => {
                    visit(expr);
                    visit(pattern);
                    escape_char.$iter().for_each(|part| visit(part));
                }
                Expr::InList { expr, list, .. } => {
                    visit(expr);
                    list.$iter().for_each(visit);
                }
                Expr::Tuple(parts) | Expr::And(parts) | Expr::Or(parts) => parts.$iter().for_each(visit),
                Expr::Call(call) | Expr::Opaque(call) => call.arguments.$iter().for_each(visit),
                Expr::Case { operand, conditions, else_result } => {
                    operand.$iter().for_each(|part| visit(part));
                    for When { condition, result } in conditions {
                        visit(condition);
                        visit(result);
                    }
                    else_result.$iter().for_each(|part| visit(part));
                }
                Expr::Script(part) => match part {
                    ScriptExpr::Exists(_) | ScriptExpr::Query(_) | ScriptExpr::Placeholder(_) => {}
                    ScriptExpr::InQuery { expr, .. } => visit(expr),
                    ScriptExpr::Window(window) => {
                        visit(&$($mut)? window.function);
                        window.over.partition_by.$iter().for_each(|part| visit(part));
                        window.over.order_by.$iter().for_each(visit);
                    }
                    ScriptExpr::Unread(unread) => unread.names.$iter().for_each(visit),
                },
            }
        }
    };
}

impl Expr {
    visitor!(for_each_part, iter);
    visitor!(for_each_part_mut, iter_mut, mut);

    /// The expression without brackets around it.
    #[inline]
    pub fn unnested(&self) -> &Expr {
        match self {
            Expr::Nested(inner) => inner.unnested(),
            _ => self,
        }
    }
}

/// A column.
#[derive(Debug, Clone)]
pub struct Column {
    /// The names before it, such as the alias of its table. Predicates are about one table, so that there they are left out.
    pub qualifier: Vec<Name>,
    pub name: String,
    /// Whether it is written in backquotes.
    pub quoted: bool,
}

impl Column {
    /// A column without a qualifier.
    pub fn new(name: impl Into<String>) -> Self {
        Column { qualifier: Vec::new(), name: name.into(), quoted: false }
    }

    /// A column without a qualifier, in backquotes.
    pub fn quoted(name: impl Into<String>) -> Self {
        Column { quoted: true, ..Column::new(name) }
    }
}

/// Backquotes are not compared.
impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.qualifier == other.qualifier
    }
}

impl Eq for Column {}

impl Hash for Column {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        self.qualifier.hash(state);
    }
}

/// A name, without backquotes.
#[derive(Debug, Clone)]
pub struct Name {
    pub text: String,
    /// Whether it is written in backquotes.
    pub quoted: bool,
}

impl Name {
    /// As Hive compares it.
    pub fn lower(&self) -> String {
        self.text.to_lowercase()
    }
}

/// Backquotes are not compared.
impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Name {}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Literal {
    Null,
    Bool(bool),
    /// Digits, a point, an exponent.
    Number(String),
    /// A number with letters that make it a double or a decimal, such as `1.5BD`.
    TypedNumber {
        digits: String,
        written: String,
    },
    /// The value, without escapes.
    Text(String),
    /// A text in which another program fills in a value before Hive reads the statement. `text` is printed unescaped.
    FilledIn {
        before: String,
        text: String,
        after: String,
    },
    /// An expression without columns that Hive computes when the query runs, printed as it is.
    Later(String),
}

/// A function with its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Call {
    /// In lower case, with its database if there is one.
    pub name: String,
    /// What is known of the function; `None` of one that not every Hive has.
    pub function: Option<&'static Function>,
    pub arguments: Vec<Node>,
    pub form: CallForm,
}

impl Call {
    /// A call of the function that has this name in lower case.
    pub fn named(name: impl Into<String>, arguments: Vec<Node>, form: CallForm) -> Self {
        let name = name.into();
        Call { function: Function::everywhere(&name), name, arguments, form }
    }

    /// `name(arguments)`, of the function that has this name in lower case.
    pub fn plain(name: impl Into<String>, arguments: Vec<Node>) -> Self {
        Call::named(name, arguments, CallForm::Plain)
    }

    /// A call of a function in some form.
    pub fn in_form(function: &'static Function, arguments: Vec<Node>, form: CallForm) -> Self {
        Call { name: function.name().to_string(), function: Some(function), arguments, form }
    }

    /// `name(arguments)`
    pub fn of(function: &'static Function, arguments: Vec<Node>) -> Self {
        Call::in_form(function, arguments, CallForm::Plain)
    }

    /// What the function does, if some code has a rule for it.
    pub fn operation(&self) -> Operation {
        self.function.map_or(Operation::Other, |function| function.operation)
    }

    /// Whether the call reads the clock of the engine.
    pub fn is_clock(&self) -> bool {
        self.function.is_some_and(|function| function.is_clock(self.arguments.len()))
    }
}

/// How a call is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallForm {
    /// `name(arguments)`
    Plain,
    /// `current_date` without brackets.
    Bare,
    /// `name(DISTINCT arguments)`
    Distinct,
    /// `name(*)`
    Star,
    /// `extract(WEEK FROM x)`, named as the function that Hive makes of it, `weekofyear`.
    Extract(TimeUnit),
    /// `floor(x TO DAY)`, named `floor_day`.
    FloorTo(TimeUnit),
    /// `x LIKE ANY (patterns)`, named `likeany`, and `LIKE ALL`, named `likeall`: `x` is the first argument.
    LikeList,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct When {
    pub condition: Node,
    pub result: Node,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    Plus,
    Minus,
    BitwiseNot,
    Not,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimeUnit {
    Year,
    Quarter,
    Month,
    Week,
    Day,
    DayOfWeek,
    Hour,
    Minute,
    Second,
}

impl TimeUnit {
    /// The unit of a word in capital letters.
    pub fn of_word(word: &str) -> Option<Self> {
        Some(match word {
            "YEAR" | "YEARS" => TimeUnit::Year,
            "QUARTER" => TimeUnit::Quarter,
            "MONTH" | "MONTHS" => TimeUnit::Month,
            "WEEK" => TimeUnit::Week,
            "DAY" | "DAYS" => TimeUnit::Day,
            "DAYOFWEEK" => TimeUnit::DayOfWeek,
            "HOUR" | "HOURS" => TimeUnit::Hour,
            "MINUTE" | "MINUTES" => TimeUnit::Minute,
            "SECOND" | "SECONDS" => TimeUnit::Second,
            _ => return None,
        })
    }

    /// In small letters.
    pub fn word(self) -> &'static str {
        match self {
            TimeUnit::Year => "year",
            TimeUnit::Quarter => "quarter",
            TimeUnit::Month => "month",
            TimeUnit::Week => "week",
            TimeUnit::Day => "day",
            TimeUnit::DayOfWeek => "dayofweek",
            TimeUnit::Hour => "hour",
            TimeUnit::Minute => "minute",
            TimeUnit::Second => "second",
        }
    }
}

impl UnaryOperator {
    pub fn sign(self) -> &'static str {
        match self {
            UnaryOperator::Plus => "+",
            UnaryOperator::Minus => "-",
            UnaryOperator::BitwiseNot => "~",
            UnaryOperator::Not => "NOT",
        }
    }
}

impl fmt::Display for TimeUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.word().to_ascii_uppercase())
    }
}
