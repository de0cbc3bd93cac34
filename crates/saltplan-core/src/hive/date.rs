//! Dates and local times as text, in HiveQL.

use saltplan_sql::ast::Expr;
use saltplan_sql::functions::CONCAT;
use saltplan_sql::time::format::{ISO_DAY, TimeFormat};
use saltplan_sql::time::pattern::PatternPiece;
use saltplan_sql::time::pattern::{Granularity, TimePattern};

/// A regular expression for the valid local times of the years 1 to 9999, as `yyyy-MM-dd[ HH:mm:ss.SSS]`. Hive's own functions cannot
/// be used: dates before 1583 and the 31st of February depend on the version and the time zone.
pub(super) const REAL_DATE: &str = concat!(
    r"\A(?!0000)(",
    r"[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))",
    r"|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)",
    r"( ([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\.[0-9]{3})?)?\z"
);

/// Start and width of a unit in `yyyy-MM-dd HH:mm:ss.SSS`, the start counted from 1.
pub(super) fn iso_place(unit: Granularity) -> (usize, usize) {
    match unit {
        Granularity::Year => (1, 4),
        Granularity::Month => (6, 2),
        Granularity::Day => (9, 2),
        Granularity::Hour => (12, 2),
        Granularity::Minute => (15, 2),
        Granularity::Second => (18, 2),
        Granularity::Millisecond => (21, 3),
    }
}

/// Rewrites a text of a format to `yyyy-MM-dd[ HH:mm:ss.SSS]` by substrings, so that no session setting matters.
pub(super) fn iso_text(format: &TimeFormat, stored: &Expr) -> Expr {
    if format.pattern() == ISO_DAY {
        return stored.clone();
    }
    let units = [
        (Granularity::Year, ""),
        (Granularity::Month, "-"),
        (Granularity::Day, "-"),
        (Granularity::Hour, " "),
        (Granularity::Minute, ":"),
        (Granularity::Second, ":"),
        (Granularity::Millisecond, "."),
    ];
    let mut arguments = Vec::new();
    for (unit, before) in units {
        match format.place_of(unit) {
            Some((start, width)) => {
                if !before.is_empty() {
                    arguments.push(Expr::text(before));
                }
                arguments.push(stored.substr(start + 1, width));
            }
            None if unit <= Granularity::Day => arguments.push(Expr::text("-01")),
            None if unit == Granularity::Minute && format.granularity() == Granularity::Hour => {
                arguments.push(Expr::text(":00:00"));
            }
            None if unit == Granularity::Second && format.granularity() == Granularity::Minute => {
                arguments.push(Expr::text(":00"));
            }
            None => {}
        }
    }
    Expr::call(&CONCAT, arguments)
}

/// A date printed in a pattern; `unit` gives the digits of a unit.
pub(super) fn printed(pattern: &TimePattern, unit: impl Fn(Granularity) -> Expr) -> Expr {
    let mut parts: Vec<Expr> = Vec::new();
    let mut signs = String::new();
    for piece in pattern.pieces() {
        match piece {
            PatternPiece::Literal(c) => signs.push(*c),
            PatternPiece::Unit(granularity) => {
                if !signs.is_empty() {
                    parts.push(Expr::text(std::mem::take(&mut signs)));
                }
                parts.push(unit(*granularity));
            }
        }
    }
    if !signs.is_empty() {
        parts.push(Expr::text(&signs));
    }
    Expr::concatenated(parts)
}
