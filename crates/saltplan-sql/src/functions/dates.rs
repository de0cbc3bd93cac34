//! Functions of dates and times.

use super::evaluation::dates;
use super::record::Kind::{Boolean, Count, Date, Text, Time, Whole};
use super::record::{
    Arguments, Classes, Difference, Function, FunctionZone, Inverse, Nulls, Operation, Order, ResultType,
    Volatility,
};
use crate::ast::{TimeUnit, Type};

/// The zones of functions between instants and local times, and of those that print local times by way of an instant (measured).
const BY_INSTANT: [FunctionZone; 3] = [FunctionZone::Process, FunctionZone::Utc, FunctionZone::Session];

/// The zones of the current date and time (measured).
const CURRENT: [FunctionZone; 3] = [FunctionZone::Process, FunctionZone::Session, FunctionZone::Session];

/// The zones of functions that read a local time: Hive 2 moves one that the zone of the Java machine skips (measured).
const BY_LOCAL_TIME: [FunctionZone; 3] = [FunctionZone::Process, FunctionZone::None, FunctionZone::None];

pub static YEAR: Function = Function {
    names: &["year"],
    classes: Classes::all("udf.UDFYear"),
    arguments: Arguments::of(&[Date]),
    result: ResultType::Is(Type::Int),
    nulls: Nulls::AnyArgument,
    order: Order::Keeps,
    operation: Operation::Part(TimeUnit::Year),
    evaluate: Some(|arguments| dates::part(arguments, TimeUnit::Year)),
    ..Function::ROW
};

pub static QUARTER: Function = Function {
    names: &["quarter"],
    classes: Classes::all("udf.generic.GenericUDFQuarter"),
    arguments: Arguments::of(&[Date]),
    result: ResultType::Is(Type::Int),
    nulls: Nulls::AnyArgument,
    order: Order::KeepsWithin(TimeUnit::Year),
    cycle: Some(TimeUnit::Year),
    operation: Operation::Part(TimeUnit::Quarter),
    evaluate: Some(|arguments| dates::part(arguments, TimeUnit::Quarter)),
    ..Function::ROW
};

pub static MONTH: Function = Function {
    names: &["month"],
    classes: Classes::all("udf.UDFMonth"),
    arguments: Arguments::of(&[Date]),
    result: ResultType::Is(Type::Int),
    nulls: Nulls::AnyArgument,
    order: Order::KeepsWithin(TimeUnit::Year),
    cycle: Some(TimeUnit::Year),
    operation: Operation::Part(TimeUnit::Month),
    evaluate: Some(|arguments| dates::part(arguments, TimeUnit::Month)),
    ..Function::ROW
};

pub static DAY: Function = Function {
    names: &["day", "dayofmonth"],
    classes: Classes::all("udf.UDFDayOfMonth"),
    arguments: Arguments::of(&[Date]),
    result: ResultType::Is(Type::Int),
    nulls: Nulls::AnyArgument,
    order: Order::KeepsWithin(TimeUnit::Month),
    cycle: Some(TimeUnit::Month),
    operation: Operation::Part(TimeUnit::Day),
    evaluate: Some(|arguments| dates::part(arguments, TimeUnit::Day)),
    ..Function::ROW
};

pub static DAYOFWEEK: Function = Function {
    names: &["dayofweek"],
    classes: Classes::all("udf.UDFDayOfWeek"),
    arguments: Arguments::of(&[Date]),
    result: ResultType::Is(Type::Int),
    nulls: Nulls::AnyArgument,
    cycle: Some(TimeUnit::Week),
    operation: Operation::Part(TimeUnit::DayOfWeek),
    evaluate: Some(|arguments| dates::part(arguments, TimeUnit::DayOfWeek)),
    ..Function::ROW
};

pub static WEEKOFYEAR: Function = Function {
    names: &["weekofyear"],
    classes: Classes::all("udf.UDFWeekOfYear"),
    arguments: Arguments::of(&[Date]),
    result: ResultType::Is(Type::Int),
    nulls: Nulls::AnyArgument,
    cycle: Some(TimeUnit::Year),
    operation: Operation::Part(TimeUnit::Week),
    evaluate: Some(|arguments| dates::part(arguments, TimeUnit::Week)),
    ..Function::ROW
};

pub static HOUR: Function = Function {
    names: &["hour"],
    classes: Classes::all("udf.UDFHour"),
    arguments: Arguments::of(&[Time]),
    result: ResultType::Is(Type::Int),
    nulls: Nulls::AnyArgument,
    zones: BY_LOCAL_TIME,
    order: Order::KeepsWithin(TimeUnit::Day),
    cycle: Some(TimeUnit::Day),
    operation: Operation::Part(TimeUnit::Hour),
    evaluate: Some(|arguments| dates::part(arguments, TimeUnit::Hour)),
    differences: &[Difference { call: "hour('10:20:30')", values: ["10", "NULL", "10"] }],
    ..Function::ROW
};

pub static MINUTE: Function = Function {
    names: &["minute"],
    classes: Classes::all("udf.UDFMinute"),
    arguments: Arguments::of(&[Time]),
    result: ResultType::Is(Type::Int),
    nulls: Nulls::AnyArgument,
    zones: BY_LOCAL_TIME,
    order: Order::KeepsWithin(TimeUnit::Hour),
    cycle: Some(TimeUnit::Hour),
    operation: Operation::Part(TimeUnit::Minute),
    evaluate: Some(|arguments| dates::part(arguments, TimeUnit::Minute)),
    ..Function::ROW
};

pub static SECOND: Function = Function {
    names: &["second"],
    classes: Classes::all("udf.UDFSecond"),
    arguments: Arguments::of(&[Time]),
    result: ResultType::Is(Type::Int),
    nulls: Nulls::AnyArgument,
    zones: BY_LOCAL_TIME,
    order: Order::KeepsWithin(TimeUnit::Minute),
    cycle: Some(TimeUnit::Minute),
    operation: Operation::Part(TimeUnit::Second),
    evaluate: Some(|arguments| dates::part(arguments, TimeUnit::Second)),
    ..Function::ROW
};

pub static TO_DATE: Function = Function {
    names: &["to_date"],
    classes: Classes::all("udf.generic.GenericUDFDate"),
    arguments: Arguments::of(&[Date]),
    result: ResultType::Is(Type::Date),
    nulls: Nulls::AnyArgument,
    order: Order::Keeps,
    operation: Operation::ToDate,
    evaluate: Some(dates::to_date),
    differences: &[
        Difference { call: "to_date('2020-02-31')", values: ["2020-03-02", "2020-03-02", "NULL"] },
        Difference { call: "to_date('2020-04-06x')", values: ["2020-04-06", "NULL", "2020-04-06"] },
        Difference { call: "to_date('2020-04-06T10:20:30')", values: ["2020-04-06", "NULL", "2020-04-06"] },
    ],
    ..Function::ROW
};

pub static DATE_ADD: Function = Function {
    names: &["date_add"],
    classes: Classes::all("udf.generic.GenericUDFDateAdd"),
    arguments: Arguments::of(&[Date, Count]),
    result: ResultType::Is(Type::Date),
    nulls: Nulls::AnyArgument,
    order: Order::Keeps,
    inverse: Inverse::Named("date_sub"),
    operation: Operation::AddDays { sign: 1 },
    evaluate: Some(|arguments| dates::add_days(arguments, 1)),
    differences: &[
        Difference {
            call: "date_add('9999-12-31', 1)",
            values: ["0000-01-01", "+10000-01-01", "+10000-01-01"],
        },
        Difference {
            call: "date_add('2020-04-06T10:00:00', 1)",
            values: ["2020-04-07", "NULL", "2020-04-07"],
        },
        Difference { call: "date_add('2020-04-06', NULL + 1)", values: ["refused", "NULL", "NULL"] },
    ],
    ..Function::ROW
};

pub static DATEDIFF: Function = Function {
    names: &["datediff"],
    classes: Classes::all("udf.generic.GenericUDFDateDiff"),
    arguments: Arguments::of(&[Date, Date]),
    result: ResultType::Is(Type::Int),
    nulls: Nulls::AnyArgument,
    order: Order::Keeps,
    operation: Operation::DaysBetween,
    evaluate: Some(dates::datediff),
    ..Function::ROW
};

pub static ADD_MONTHS: Function = Function {
    names: &["add_months"],
    classes: Classes::all("udf.generic.GenericUDFAddMonths"),
    arguments: Arguments::of(&[Date, Count]).then(&[Text]),
    result: ResultType::IsoDay,
    nulls: Nulls::AnyArgument,
    order: Order::Keeps,
    operation: Operation::AddMonths,
    evaluate: Some(dates::months_added),
    differences: &[
        Difference { call: "add_months('2020-02-31', 1)", values: ["2020-04-02", "2020-04-02", "NULL"] },
        Difference {
            call: "add_months('1582-10-04', 1)",
            values: ["1582-11-04", "1582-10-24", "1582-11-04"],
        },
    ],
    ..Function::ROW
};

pub static DATE_FORMAT: Function = Function {
    names: &["date_format"],
    classes: Classes::all("udf.generic.GenericUDFDateFormat"),
    arguments: Arguments::of(&[Time, Text]),
    result: ResultType::Is(Type::String),
    nulls: Nulls::AnyArgument,
    zones: BY_INSTANT,
    operation: Operation::Print,
    evaluate: Some(dates::date_format),
    differences: &[
        Difference { call: "date_format('2020-04-06', 'u')", values: ["1", "1", "2020"] },
        Difference {
            call: "date_format('2020-02-31', 'yyyyMMdd')",
            values: ["20200302", "20200302", "NULL"],
        },
        Difference { call: "date_format('2020-04-06', 'Q')", values: ["NULL", "NULL", "2"] },
        Difference { call: "date_format('2020-04-06T10:20:30', 'HH')", values: ["00", "10", "10"] },
    ],
    ..Function::ROW
};

pub static FROM_UNIXTIME: Function = Function {
    names: &["from_unixtime"],
    classes: Classes([
        Some("udf.UDFFromUnixTime"),
        Some("udf.UDFFromUnixTime"),
        Some("udf.generic.GenericUDFFromUnixTime"),
    ]),
    arguments: Arguments::of(&[Whole]).then(&[Text]),
    result: ResultType::Is(Type::String),
    nulls: Nulls::AnyArgument,
    zones: BY_INSTANT,
    inverse: Inverse::Named("to_unix_timestamp"),
    operation: Operation::ShowSeconds,
    differences: &[
        Difference {
            call: "from_unixtime(unix_timestamp('202004','yyyyMM'), 'yyyy-MM-dd')",
            values: ["2020-04-01", "2020-04-01", "NULL"],
        },
        Difference { call: "from_unixtime(NULL, 'yyyy')", values: ["NULL", "NULL", "refused"] },
    ],
    ..Function::ROW
};

pub static UNIX_TIMESTAMP: Function = Function {
    names: &["unix_timestamp"],
    classes: Classes::all("udf.generic.GenericUDFUnixTimeStamp"),
    arguments: Arguments::of(&[]).then(&[Time, Text]),
    result: ResultType::Is(Type::BigInt),
    nulls: Nulls::FirstArgument,
    volatility: Volatility::QueryWithoutArguments,
    zones: BY_INSTANT,
    operation: Operation::ReadSeconds,
    ..Function::ROW
};

pub static CURRENT_DATE: Function = Function {
    names: &["current_date"],
    classes: Classes::all("udf.generic.GenericUDFCurrentDate"),
    arguments: Arguments::of(&[]),
    result: ResultType::Is(Type::Date),
    nulls: Nulls::Never,
    volatility: Volatility::Query,
    needs_no_brackets: true,
    zones: CURRENT,
    ..Function::ROW
};

pub static CURRENT_TIMESTAMP: Function = Function {
    names: &["current_timestamp"],
    classes: Classes::all("udf.generic.GenericUDFCurrentTimestamp"),
    arguments: Arguments::of(&[]),
    result: ResultType::Is(Type::Timestamp),
    nulls: Nulls::Never,
    volatility: Volatility::Query,
    needs_no_brackets: true,
    zones: CURRENT,
    ..Function::ROW
};

/// The function that gives a part of a date or a time: `extract(WEEK FROM x)` is `weekofyear(x)`.
pub fn part_of_time(unit: TimeUnit) -> &'static Function {
    match unit {
        TimeUnit::Year => &YEAR,
        TimeUnit::Quarter => &QUARTER,
        TimeUnit::Month => &MONTH,
        TimeUnit::Week => &WEEKOFYEAR,
        TimeUnit::Day => &DAY,
        TimeUnit::DayOfWeek => &DAYOFWEEK,
        TimeUnit::Hour => &HOUR,
        TimeUnit::Minute => &MINUTE,
        TimeUnit::Second => &SECOND,
    }
}

pub(super) static ALL: &[&Function] = &[
    &YEAR,
    &QUARTER,
    &MONTH,
    &DAY,
    &DAYOFWEEK,
    &WEEKOFYEAR,
    &HOUR,
    &MINUTE,
    &SECOND,
    &TO_DATE,
    &Function {
        names: &["date"],
        classes: Classes::all("udf.generic.GenericUDFToDate"),
        arguments: Arguments::of(&[Date]),
        result: ResultType::Is(Type::Date),
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        operation: Operation::ToDate,
        evaluate: Some(dates::to_date),
        ..Function::ROW
    },
    &Function {
        names: &["timestamp"],
        classes: Classes::all("udf.generic.GenericUDFTimestamp"),
        arguments: Arguments::of(&[Time]),
        result: ResultType::Is(Type::Timestamp),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &DATE_ADD,
    &Function {
        names: &["date_sub"],
        classes: Classes::all("udf.generic.GenericUDFDateSub"),
        arguments: Arguments::of(&[Date, Count]),
        result: ResultType::Is(Type::Date),
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        inverse: Inverse::Named("date_add"),
        operation: Operation::AddDays { sign: -1 },
        evaluate: Some(|arguments| dates::add_days(arguments, -1)),
        differences: &[Difference {
            call: "date_sub('2020-02-31', 1)",
            values: ["2020-03-01", "2020-03-01", "NULL"],
        }],
        ..Function::ROW
    },
    &DATEDIFF,
    &ADD_MONTHS,
    &Function {
        names: &["last_day"],
        classes: Classes::all("udf.generic.GenericUDFLastDay"),
        arguments: Arguments::of(&[Date]),
        result: ResultType::IsoDay,
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        operation: Operation::LastDay,
        evaluate: Some(dates::month_end),
        differences: &[Difference {
            call: "last_day('2020-02-31')",
            values: ["2020-03-31", "2020-03-31", "NULL"],
        }],
        ..Function::ROW
    },
    &Function {
        names: &["next_day"],
        classes: Classes::all("udf.generic.GenericUDFNextDay"),
        arguments: Arguments::of(&[Date, Text]),
        result: ResultType::IsoDay,
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        operation: Operation::NextDay,
        evaluate: Some(dates::day_after),
        ..Function::ROW
    },
    &Function {
        names: &["trunc"],
        classes: Classes::all("udf.generic.GenericUDFTrunc"),
        arguments: Arguments::of(&[Date]).then(&[Text]),
        result: ResultType::IsoDay,
        nulls: Nulls::AnyArgument,
        order: Order::Keeps,
        operation: Operation::Truncate,
        evaluate: Some(dates::trunc),
        differences: &[Difference {
            call: "trunc('2020-02-31', 'MM')",
            values: ["2020-03-01", "2020-03-01", "NULL"],
        }],
        ..Function::ROW
    },
    &Function {
        names: &["months_between"],
        classes: Classes::all("udf.generic.GenericUDFMonthsBetween"),
        arguments: Arguments::of(&[Time, Time]).then(&[Boolean]),
        result: ResultType::Is(Type::Double),
        nulls: Nulls::FirstArgument,
        zones: BY_LOCAL_TIME,
        order: Order::Keeps,
        ..Function::ROW
    },
    &DATE_FORMAT,
    &FROM_UNIXTIME,
    &UNIX_TIMESTAMP,
    &Function {
        names: &["to_unix_timestamp"],
        classes: Classes::all("udf.generic.GenericUDFToUnixTimeStamp"),
        arguments: Arguments::of(&[Time]).then(&[Text]),
        result: ResultType::Is(Type::BigInt),
        nulls: Nulls::FirstArgument,
        zones: BY_INSTANT,
        operation: Operation::ReadSeconds,
        ..Function::ROW
    },
    &Function {
        names: &["from_utc_timestamp"],
        classes: Classes::all("udf.generic.GenericUDFFromUtcTimestamp"),
        arguments: Arguments::of(&[Time, Text]),
        result: ResultType::Is(Type::Timestamp),
        nulls: Nulls::AnyArgument,
        operation: Operation::ChangeZone,
        ..Function::ROW
    },
    &Function {
        names: &["to_utc_timestamp"],
        classes: Classes::all("udf.generic.GenericUDFToUtcTimestamp"),
        arguments: Arguments::of(&[Time, Text]),
        result: ResultType::Is(Type::Timestamp),
        nulls: Nulls::AnyArgument,
        operation: Operation::ChangeZone,
        ..Function::ROW
    },
    &Function {
        names: &["floor_year"],
        classes: Classes::all("udf.UDFDateFloorYear"),
        arguments: Arguments::of(&[Time]),
        result: ResultType::Is(Type::Timestamp),
        nulls: Nulls::AnyArgument,
        zones: BY_LOCAL_TIME,
        order: Order::Keeps,
        ..Function::ROW
    },
    &Function {
        names: &["floor_quarter"],
        classes: Classes::all("udf.UDFDateFloorQuarter"),
        arguments: Arguments::of(&[Time]),
        result: ResultType::Is(Type::Timestamp),
        nulls: Nulls::AnyArgument,
        zones: BY_LOCAL_TIME,
        order: Order::Keeps,
        ..Function::ROW
    },
    &Function {
        names: &["floor_month"],
        classes: Classes::all("udf.UDFDateFloorMonth"),
        arguments: Arguments::of(&[Time]),
        result: ResultType::Is(Type::Timestamp),
        nulls: Nulls::AnyArgument,
        zones: BY_LOCAL_TIME,
        order: Order::Keeps,
        ..Function::ROW
    },
    &Function {
        names: &["floor_week"],
        classes: Classes::all("udf.UDFDateFloorWeek"),
        arguments: Arguments::of(&[Time]),
        result: ResultType::Is(Type::Timestamp),
        nulls: Nulls::AnyArgument,
        zones: BY_LOCAL_TIME,
        order: Order::Keeps,
        ..Function::ROW
    },
    &Function {
        names: &["floor_day"],
        classes: Classes::all("udf.UDFDateFloorDay"),
        arguments: Arguments::of(&[Time]),
        result: ResultType::Is(Type::Timestamp),
        nulls: Nulls::AnyArgument,
        zones: BY_LOCAL_TIME,
        order: Order::Keeps,
        ..Function::ROW
    },
    &Function {
        names: &["floor_hour"],
        classes: Classes::all("udf.UDFDateFloorHour"),
        arguments: Arguments::of(&[Time]),
        result: ResultType::Is(Type::Timestamp),
        nulls: Nulls::AnyArgument,
        zones: BY_LOCAL_TIME,
        order: Order::Keeps,
        ..Function::ROW
    },
    &Function {
        names: &["floor_minute"],
        classes: Classes::all("udf.UDFDateFloorMinute"),
        arguments: Arguments::of(&[Time]),
        result: ResultType::Is(Type::Timestamp),
        nulls: Nulls::AnyArgument,
        zones: BY_LOCAL_TIME,
        order: Order::Keeps,
        ..Function::ROW
    },
    &Function {
        names: &["floor_second"],
        classes: Classes::all("udf.UDFDateFloorSecond"),
        arguments: Arguments::of(&[Time]),
        result: ResultType::Is(Type::Timestamp),
        nulls: Nulls::AnyArgument,
        zones: BY_LOCAL_TIME,
        order: Order::Keeps,
        ..Function::ROW
    },
    &CURRENT_DATE,
    &CURRENT_TIMESTAMP,
    &Function {
        names: &["now"],
        classes: Classes::NONE,
        arguments: Arguments::of(&[]),
        result: ResultType::Is(Type::Timestamp),
        nulls: Nulls::Never,
        volatility: Volatility::Query,
        zones: CURRENT,
        ..Function::ROW
    },
    &Function::row(
        &["datetime_legacy_hybrid_calendar"],
        Classes::since_hive3("udf.generic.GenericUDFDatetimeLegacyHybridCalendar"),
    ),
    &Function::row(&["internal_interval"], Classes::all("udf.generic.GenericUDFInternalInterval")),
    &Function::row(&["to_epoch_milli"], Classes::since_hive3("udf.generic.GenericUDFEpochMilli")),
    &Function::row(&["tumbling_window"], Classes::since_hive4("udf.generic.GenericUDFTumbledWindow")),
];
