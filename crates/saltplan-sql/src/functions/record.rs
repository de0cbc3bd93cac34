//! What is recorded of a function.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::evaluation::Evaluation;
use crate::ast::{TimeUnit, Type};
use crate::version::HiveVersion;

/// A function of Hive, or one that saltplan reads and replaces before Hive sees it, such as `left`.
#[derive(Clone, Copy)]
pub struct Function {
    /// In lower case. Where saltplan writes the function itself, it uses the first one.
    pub names: &'static [&'static str],
    pub classes: Classes,
    /// The names with which Hive 4 casts the first argument to a string (measured: `substring`, but not `substr`).
    pub names_with_cast_in_hive4: &'static [&'static str],
    pub rows: Rows,
    pub arguments: Arguments,
    pub result: ResultType,
    pub nulls: Nulls,
    pub volatility: Volatility,
    /// Whether the name is the call even without brackets: `current_date`.
    pub needs_no_brackets: bool,
    /// The time zone in which Hive 2.3.9, 3.1.3 and 4.1.0 compute the function. `tests/engines/judge/zones.rs` asks them.
    pub zones: [FunctionZone; 3],
    /// How the result is ordered by the first argument, with all others constant.
    pub order: Order,
    pub inverse: Inverse,
    /// The unit in which the values of a part of a date or a time recur: months in each year.
    pub cycle: Option<TimeUnit>,
    pub operation: Operation,
    /// The value for constant arguments; `None` of a function that is not computed here.
    pub evaluate: Option<Evaluation>,
    /// Where versions of Hive differ, with what was measured.
    pub differences: &'static [Difference],
}

impl Function {
    /// A function of one row of which nothing else is known.
    pub const ROW: Function = Function {
        names: &[],
        classes: Classes::NONE,
        names_with_cast_in_hive4: &[],
        rows: Rows::One,
        arguments: Arguments::UNKNOWN,
        result: ResultType::Unknown,
        nulls: Nulls::Own,
        volatility: Volatility::Constant,
        needs_no_brackets: false,
        zones: [FunctionZone::None; 3],
        order: Order::None,
        inverse: Inverse::None,
        cycle: None,
        operation: Operation::Other,
        evaluate: None,
        differences: &[],
    };
    /// An aggregate function.
    pub const AGGREGATE: Function = Function { rows: Rows::Aggregate, ..Function::ROW };
    /// A function of a window of rows.
    pub const WINDOW: Function = Function { rows: Rows::Window, ..Function::ROW };
    /// A function that makes several rows of one, or a table of a table.
    pub const TABLE: Function = Function { rows: Rows::Table, ..Function::ROW };

    /// A function of one row of which only this is known.
    pub const fn row(names: &'static [&'static str], classes: Classes) -> Self {
        Function { names, classes, ..Function::ROW }
    }

    /// An aggregate function of which only this is known.
    pub const fn aggregate(names: &'static [&'static str], classes: Classes) -> Self {
        Function { names, classes, ..Function::AGGREGATE }
    }

    /// A window function of which only this is known.
    pub const fn window(names: &'static [&'static str], classes: Classes) -> Self {
        Function { names, classes, ..Function::WINDOW }
    }

    /// A function that makes rows, of which only this is known.
    pub const fn table(names: &'static [&'static str], classes: Classes) -> Self {
        Function { names, classes, ..Function::TABLE }
    }

    /// The name under which saltplan writes the function.
    pub fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or_default()
    }

    /// Whether the function reads an argument, counted from 0, as a date or a time.
    pub fn takes_time(&self, index: usize) -> bool {
        matches!(self.arguments.kind(index), Some(Kind::Date | Kind::Time))
    }

    /// Whether the function reads an argument, counted from 0, as a date, and so uses only the date of a time.
    pub fn takes_date(&self, index: usize) -> bool {
        self.arguments.kind(index) == Some(Kind::Date)
    }

    /// Whether the function reads its first argument as a date.
    pub fn is_of_dates(&self) -> bool {
        self.takes_date(0)
    }

    /// Whether the function takes a date or a time, or shows seconds since 1970 as one.
    pub fn is_of_times(&self) -> bool {
        self.takes_time(0) || self.operation == Operation::ShowSeconds
    }

    /// The time zone in which a Hive computes the function.
    pub fn zone(&self, version: HiveVersion) -> FunctionZone {
        self.zones[version as usize]
    }

    /// Whether the function makes local times of instants, seconds since 1970, or instants of local times.
    pub fn is_of_instants(&self) -> bool {
        matches!(self.operation, Operation::ShowSeconds | Operation::ReadSeconds)
    }

    /// Whether the function reads the clock of the engine if it is called with this number of arguments.
    pub fn is_clock(&self, arguments: usize) -> bool {
        arguments == 0
            && matches!(self.volatility, Volatility::Query | Volatility::QueryWithoutArguments)
            && self.result.is_number_or_time()
    }

    /// Whether the name means this function whatever the version of Hive: where one lacks it, users may have a function of their own under
    /// its name.
    pub fn is_everywhere(&self) -> bool {
        self.classes.0.iter().all(Option::is_some)
            || self.classes == Classes::NONE
            || self.operation != Operation::Other
    }

    /// Whether equal arguments give equal results, also in another query.
    pub fn is_constant(&self, arguments: usize) -> bool {
        self.rows == Rows::One
            && match self.volatility {
                Volatility::Constant => true,
                Volatility::QueryWithoutArguments => arguments > 0,
                Volatility::Query | Volatility::Volatile => false,
            }
    }

    /// Whether the result is NULL if the first argument is.
    pub fn is_null_of_null(&self) -> bool {
        matches!(self.nulls, Nulls::AnyArgument | Nulls::FirstArgument)
    }
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

impl Eq for Function {}

impl Hash for Function {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.names.hash(state);
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The Java class of a function in Hive 2.3.9, 3.1.3 and 4.1.0; `None` in a version without the function. Names below the package
/// `org.apache.hadoop.hive.ql` are written without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Classes(pub [Option<&'static str>; 3]);

/// The package below which most classes are.
pub(super) const PACKAGE: &str = "org.apache.hadoop.hive.ql.";

impl Classes {
    /// In how many versions there is a class.
    pub(super) fn versions(self) -> usize {
        self.0.iter().flatten().count()
    }

    /// The classes of a function that no Hive has.
    pub const NONE: Classes = Classes([None; 3]);

    /// One class in all versions.
    pub const fn all(class: &'static str) -> Self {
        Classes([Some(class); 3])
    }

    /// A class that Hive 2 does not have.
    pub const fn since_hive3(class: &'static str) -> Self {
        Classes([None, Some(class), Some(class)])
    }

    /// A class that only Hive 4 has.
    pub const fn since_hive4(class: &'static str) -> Self {
        Classes([None, None, Some(class)])
    }

    /// The full name of the class.
    pub fn full_name(&self, version: HiveVersion) -> Option<String> {
        self.0[version as usize].map(|class| match class.starts_with("org.") {
            true => class.to_string(),
            false => format!("{PACKAGE}{class}"),
        })
    }
}

/// From how many rows a function computes its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// From one row.
    One,
    Aggregate,
    Window,
    /// It makes rows.
    Table,
}

/// The arguments that a function takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arguments {
    /// Whether the other fields are known.
    pub is_known: bool,
    pub required: &'static [Kind],
    pub optional: &'static [Kind],
    /// Any number of further arguments.
    pub more: Option<Kind>,
}

impl Arguments {
    pub const UNKNOWN: Arguments = Arguments { is_known: false, required: &[], optional: &[], more: None };

    /// Exactly these.
    pub const fn of(required: &'static [Kind]) -> Self {
        Arguments { is_known: true, required, optional: &[], more: None }
    }

    /// Possibly followed by these.
    #[must_use]
    pub const fn then(self, optional: &'static [Kind]) -> Self {
        Arguments { optional, ..self }
    }

    /// Followed by any number of a kind.
    #[must_use]
    pub const fn more(self, kind: Kind) -> Self {
        Arguments { more: Some(kind), ..self }
    }

    /// The kind of an argument, counted from 0; `None` of one that the function does not take, or of which nothing is known.
    pub fn kind(&self, index: usize) -> Option<Kind> {
        self.required.iter().chain(self.optional).nth(index).copied().or(self.more)
    }

    /// Whether the function takes so many arguments, as far as that is known.
    pub fn takes(&self, count: usize) -> bool {
        let most = self.required.len() + self.optional.len();
        !self.is_known || count >= self.required.len() && (count <= most || self.more.is_some())
    }
}

/// What a function reads an argument as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A value of any type.
    Any,
    Boolean,
    /// A text; of a value of another type the text that Hive casts it to.
    Text,
    Number,
    Whole,
    /// A count of days or months, in which Hive takes no bigint.
    Count,
    Binary,
    /// A date; of a time its date.
    Date,
    /// A date or a time.
    Time,
}

/// The type of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultType {
    /// The type is not known, or depends on the arguments in a way that none of the following says.
    Unknown,
    Is(Type),
    /// An array of values of this type.
    ArrayOf(Type),
    /// An array of the common type of the arguments.
    ArrayOfCommon,
    /// A map from values of one type to values of another one.
    MapOf(Type, Type),
    /// A map. Its keys have the common type of the first, third, fifth argument and so on, its values that of the second, fourth and so on.
    MapOfCommon,
    /// The type of the first argument after rounding to as many digits as the second argument says, 0 without one.
    Rounded,
    /// `bigint` of a bigint, of other whole numbers `int`.
    IntOrBigInt,
    /// A string such as `2020-04-06`.
    IsoDay,
    /// The type of an argument, counted from 0.
    OfArgument(usize),
    /// The type of an argument if it is a text, otherwise a string.
    TextOfArgument(usize),
    /// The common type of the arguments from this one on.
    CommonFrom(usize),
}

impl ResultType {
    /// Whether the result is a string.
    pub fn is_text(self) -> bool {
        matches!(self, ResultType::Is(Type::String) | ResultType::IsoDay | ResultType::TextOfArgument(_))
    }

    /// Whether the result is a DATE, a TIMESTAMP or the text of a day.
    pub fn is_time(self) -> bool {
        matches!(self, ResultType::Is(Type::Date | Type::Timestamp) | ResultType::IsoDay)
    }

    fn is_number_or_time(self) -> bool {
        matches!(self, ResultType::Is(Type::Date | Type::Timestamp | Type::BigInt))
    }
}

/// When a function is NULL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nulls {
    /// By a rule of its own, or by one that is not known.
    Own,
    /// If any argument is NULL, and possibly for other arguments.
    AnyArgument,
    /// If the first argument is NULL, and possibly for other arguments.
    FirstArgument,
    /// Never.
    Never,
}

/// The time zone in which a function computes. A function of local times only, such as `date_format`, depends on it where clocks go
/// forward: a local time that the zone skips is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionZone {
    /// In none.
    None,
    Utc,
    /// In that of the Java machine that evaluates it.
    Process,
    /// In `hive.local.time.zone`, which is that of the Java machine if it is not set.
    Session,
}

impl FunctionZone {
    /// Whether equal arguments have different results on servers and in sessions with different zones.
    pub fn differs(self) -> bool {
        matches!(self, FunctionZone::Process | FunctionZone::Session)
    }
}

/// How long a function of equal arguments keeps its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Volatility {
    /// For ever.
    Constant,
    /// While a query runs: it reads the clock or the session.
    Query,
    /// As `Query` if it is called without arguments, otherwise for ever.
    QueryWithoutArguments,
    /// The value may change from row to row, or the call has an effect, such as an error.
    Volatile,
}

/// How a function orders its first argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// In no known order.
    None,
    /// Greater arguments have greater or equal results.
    Keeps,
    /// Greater arguments have smaller or equal results.
    Turns,
    /// Within each such unit of time greater arguments have greater or equal results.
    KeepsWithin(TimeUnit),
}

/// How the first argument is found from a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inverse {
    /// In no way that is known.
    None,
    /// By the function itself: `reverse(reverse(x))` is `x`.
    Itself,
    /// By the function of this name with the same further arguments.
    Named(&'static str),
    /// By the function of this name with the same further arguments, if the argument is a text. It is not the inverse for other arguments,
    /// although their results are texts, too.
    NamedOfText(&'static str),
    /// One of the texts that differ from the result in capital letters only.
    OtherCase,
    /// One of the texts that begin with the result.
    StartsWith,
    /// One of the texts that end with the result.
    EndsWith,
}

/// What a function does, if some code has a rule for it. Functions that do the same have one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// No code has a rule for it.
    Other,
    /// Texts one after the other.
    Concatenate,
    /// `substr(text, from, count)`, the count may be left out.
    Substring,
    /// `left(text, count)`
    Start,
    /// `right(text, count)`
    End,
    Reverse,
    LowerCase,
    /// `lpad(text, width, filler)`
    PadStart,
    /// The number of characters.
    Length,
    /// The place of a text in another one, counted from 1. The fields are numbers of arguments, counted from 0.
    Find {
        text: usize,
        part: usize,
    },
    /// `text LIKE ANY (patterns)`, and `LIKE ALL`.
    LikeList {
        all: bool,
    },
    /// The date of a date or a time.
    ToDate,
    /// `date_add(day, count)`, and `date_sub` with the sign -1.
    AddDays {
        sign: i64,
    },
    /// `datediff(to, from)`
    DaysBetween,
    AddMonths,
    LastDay,
    NextDay,
    /// The start of a month, a quarter or a year.
    Truncate,
    /// A part of a date or a time.
    Part(TimeUnit),
    /// `date_format(time, pattern)`
    Print,
    /// `from_unixtime(seconds, pattern)`, the pattern may be left out.
    ShowSeconds,
    /// The seconds since 1970 of a time, or of a text that is read by a pattern.
    ReadSeconds,
    /// A time of UTC in a zone, or the other way round.
    ChangeZone,
    Floor,
    Ceiling,
    /// `round(number, digits)`, the digits may be left out.
    Round,
    Absolute,
    Negate,
    /// The number itself.
    Keep,
    Sign,
    /// The remainder that is never negative.
    PositiveRemainder,
    Greatest,
    Least,
    /// The first argument that is not NULL.
    FirstNotNull,
    /// `if(condition, value, other)`
    If,
    /// `nullif(value, other)`
    NullIf,
    IsNull,
    IsNotNull,
    /// `int(x)` is `cast(x AS int)`.
    Cast(Type),
}

/// Where versions of Hive differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// A call, as HiveQL.
    pub call: &'static str,
    /// What Hive 2.3.9, 3.1.3 and 4.1.0 return, or `refused`.
    pub values: [&'static str; 3],
}
