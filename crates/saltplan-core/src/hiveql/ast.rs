//! The syntax tree of a condition or a value: the forms of Hive that the grammar reads,
//! without their places.

use std::fmt;

/// A value, or a condition as a value.
#[derive(Debug, Clone, PartialEq)]
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
        amount: Box<Expr>,
        unit: TimeUnit,
        /// Behind `TO`: the amount is a text such as `1 10:00:00`.
        last: Option<TimeUnit>,
    },
    /// In brackets.
    Nested(Box<Expr>),
    Tuple(Vec<Expr>),
    UnaryOp {
        op: UnaryOperator,
        expr: Box<Expr>,
    },
    BinaryOp {
        left: Box<Expr>,
        op: BinaryOperator,
        right: Box<Expr>,
    },
    IsNull(Box<Expr>),
    IsNotNull(Box<Expr>),
    IsTrue(Box<Expr>),
    IsNotTrue(Box<Expr>),
    IsFalse(Box<Expr>),
    IsNotFalse(Box<Expr>),
    IsDistinctFrom(Box<Expr>, Box<Expr>),
    IsNotDistinctFrom(Box<Expr>, Box<Expr>),
    InList {
        expr: Box<Expr>,
        list: Vec<Expr>,
        negated: bool,
    },
    Between {
        expr: Box<Expr>,
        negated: bool,
        low: Box<Expr>,
        high: Box<Expr>,
    },
    Like {
        negated: bool,
        expr: Box<Expr>,
        pattern: Box<Expr>,
        escape_char: Option<Box<Expr>>,
    },
    /// `RLIKE` or `REGEXP`.
    RLike {
        negated: bool,
        expr: Box<Expr>,
        pattern: Box<Expr>,
    },
    Case {
        operand: Option<Box<Expr>>,
        conditions: Vec<When>,
        else_result: Option<Box<Expr>>,
    },
    Cast {
        expr: Box<Expr>,
        data_type: Type,
    },
    Call(Call),
    /// A parameter whose value is known when a statement runs.
    Runtime(String),
    /// A form whose value nothing here knows, with the expressions in it: a member, an element, `count(*)`, an argument with `DISTINCT`.
    Opaque(Vec<Expr>),
}

impl Expr {
    pub(super) fn call(name: impl Into<String>, arguments: Vec<Expr>) -> Expr {
        Expr::Call(Call { name: name.into(), arguments })
    }

    /// The expression without brackets around it.
    pub(crate) fn unnested(&self) -> &Expr {
        match self {
            Expr::Nested(inner) => inner.unnested(),
            _ => self,
        }
    }
}

/// A column, without the name of its table.
#[derive(Debug, Clone)]
pub struct Column {
    pub name: String,
    /// Index of its token in the predicate.
    pub token: usize,
}

/// The place does not count: `a = a` compares a column with itself.
impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    Null,
    Bool(bool),
    /// As written, without the letters that give a type.
    Number(String),
    /// Escapes taken out.
    Text(String),
}

/// A function with its arguments; `floor(x TO DAY)` is `floor_day`, `extract(YEAR FROM x)` is `year`, and of units without a
/// function of their name `extract_week`.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// In small letters, with the database where one is given.
    pub name: String,
    pub arguments: Vec<Expr>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct When {
    pub condition: Expr,
    pub result: Expr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOperator {
    Plus,
    Minus,
    BitwiseNot,
    Not,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOperator {
    Or,
    And,
    Eq,
    NotEq,
    /// `<=>`, which takes NULL for a value.
    NullSafeEq,
    Lt,
    LtEq,
    Gt,
    GtEq,
    BitwiseOr,
    BitwiseAnd,
    BitwiseXor,
    /// `||`
    Concat,
    Plus,
    Minus,
    Multiply,
    /// `/`: the quotient is a double or a decimal.
    Divide,
    /// `DIV`: the quotient is cut to a whole number.
    IntegerDivide,
    Modulo,
}

/// A type that values are cast to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    TinyInt,
    SmallInt,
    Int,
    BigInt,
    Boolean,
    Float,
    Double,
    Decimal {
        precision: u64,
        scale: u64,
    },
    String,
    /// Most characters that are kept.
    Varchar(Option<u64>),
    /// Characters, blanks at the end among them.
    Char(Option<u64>),
    Binary,
    Date,
    Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    pub(crate) fn of_word(word: &str) -> Option<Self> {
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

/// As messages show it: HiveQL with one blank between words, literals in the form that [`literal`](super::literal) gives them.
impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let not = |negated: &bool| if *negated { "NOT " } else { "" };
        match self {
            Expr::Column(column) => f.write_str(&column.name),
            Expr::Literal(literal) => literal.fmt(f),
            Expr::TypedText { data_type, text } => write!(f, "{data_type} {}", super::literal(text)),
            Expr::Interval { amount, unit, last: None } => write!(f, "INTERVAL {amount} {}", unit.word()),
            Expr::Interval { amount, unit, last: Some(last) } => {
                write!(f, "INTERVAL {amount} {} TO {}", unit.word(), last.word())
            }
            Expr::Nested(inner) => write!(f, "({inner})"),
            Expr::Tuple(items) => write!(f, "({})", Listed(items)),
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => write!(f, "NOT {expr}"),
            Expr::UnaryOp { op, expr } => write!(f, "{op}{expr}"),
            Expr::BinaryOp { left, op, right } => write!(f, "{left} {op} {right}"),
            Expr::IsNull(expr) => write!(f, "{expr} IS NULL"),
            Expr::IsNotNull(expr) => write!(f, "{expr} IS NOT NULL"),
            Expr::IsTrue(expr) => write!(f, "{expr} IS TRUE"),
            Expr::IsNotTrue(expr) => write!(f, "{expr} IS NOT TRUE"),
            Expr::IsFalse(expr) => write!(f, "{expr} IS FALSE"),
            Expr::IsNotFalse(expr) => write!(f, "{expr} IS NOT FALSE"),
            Expr::IsDistinctFrom(left, right) => write!(f, "{left} IS DISTINCT FROM {right}"),
            Expr::IsNotDistinctFrom(left, right) => write!(f, "{left} IS NOT DISTINCT FROM {right}"),
            Expr::InList { expr, list, negated } => write!(f, "{expr} {}IN ({})", not(negated), Listed(list)),
            Expr::Between { expr, negated, low, high } => {
                write!(f, "{expr} {}BETWEEN {low} AND {high}", not(negated))
            }
            Expr::Like { negated, expr, pattern, escape_char: None } => {
                write!(f, "{expr} {}LIKE {pattern}", not(negated))
            }
            Expr::Like { negated, expr, pattern, escape_char: Some(escape) } => {
                write!(f, "{expr} {}LIKE {pattern} ESCAPE {escape}", not(negated))
            }
            Expr::RLike { negated, expr, pattern } => write!(f, "{expr} {}RLIKE {pattern}", not(negated)),
            Expr::Case { operand, conditions, else_result } => {
                f.write_str("CASE")?;
                operand.iter().try_for_each(|operand| write!(f, " {operand}"))?;
                conditions
                    .iter()
                    .try_for_each(|when| write!(f, " WHEN {} THEN {}", when.condition, when.result))?;
                else_result.iter().try_for_each(|result| write!(f, " ELSE {result}"))?;
                f.write_str(" END")
            }
            Expr::Cast { expr, data_type } => write!(f, "CAST({expr} AS {data_type})"),
            Expr::Call(call) => write!(f, "{}({})", call.name, Listed(&call.arguments)),
            Expr::Runtime(name) => write!(f, ":{name}"),
            Expr::Opaque(_) => f.write_str("…"),
        }
    }
}

/// With commas between them.
struct Listed<'a>(&'a [Expr]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(index, item)| {
            f.write_str(if index > 0 { ", " } else { "" })?;
            item.fmt(f)
        })
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Null => f.write_str("NULL"),
            Literal::Bool(value) => f.write_str(if *value { "true" } else { "false" }),
            Literal::Number(digits) => f.write_str(digits),
            Literal::Text(text) => f.write_str(&super::literal(text)),
        }
    }
}

impl fmt::Display for UnaryOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnaryOperator::Plus => "+",
            UnaryOperator::Minus => "-",
            UnaryOperator::BitwiseNot => "~",
            UnaryOperator::Not => "NOT",
        })
    }
}

impl fmt::Display for BinaryOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BinaryOperator::Or => "OR",
            BinaryOperator::And => "AND",
            BinaryOperator::Eq => "=",
            BinaryOperator::NotEq => "<>",
            BinaryOperator::NullSafeEq => "<=>",
            BinaryOperator::Lt => "<",
            BinaryOperator::LtEq => "<=",
            BinaryOperator::Gt => ">",
            BinaryOperator::GtEq => ">=",
            BinaryOperator::BitwiseOr => "|",
            BinaryOperator::BitwiseAnd => "&",
            BinaryOperator::BitwiseXor => "^",
            BinaryOperator::Concat => "||",
            BinaryOperator::Plus => "+",
            BinaryOperator::Minus => "-",
            BinaryOperator::Multiply => "*",
            BinaryOperator::Divide => "/",
            BinaryOperator::IntegerDivide => "DIV",
            BinaryOperator::Modulo => "%",
        })
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Type::TinyInt => "TINYINT",
            Type::SmallInt => "SMALLINT",
            Type::Int => "INT",
            Type::BigInt => "BIGINT",
            Type::Boolean => "BOOLEAN",
            Type::Float => "FLOAT",
            Type::Double => "DOUBLE",
            Type::Decimal { precision, scale } => return write!(f, "DECIMAL({precision},{scale})"),
            Type::String => "STRING",
            Type::Varchar(Some(length)) => return write!(f, "VARCHAR({length})"),
            Type::Varchar(None) => "VARCHAR",
            Type::Char(Some(length)) => return write!(f, "CHAR({length})"),
            Type::Char(None) => "CHAR",
            Type::Binary => "BINARY",
            Type::Date => "DATE",
            Type::Timestamp => "TIMESTAMP",
        };
        f.write_str(name)
    }
}
