//! Ranges of values in `for_each`: `20200401..20200430`, `2020-01..2020-12`.

use chrono::{Datelike, Days, Months, NaiveDate};

/// A range of days or of months, and its notation.
#[derive(Debug, Clone, Copy)]
struct Notation {
    /// A chrono format for the first day of the written unit.
    pattern: &'static str,
    /// Appended to a written month to make it a day.
    first: &'static str,
    length: usize,
    is_month: bool,
}

const NOTATIONS: [Notation; 4] = [
    Notation { pattern: "%Y%m%d", first: "", length: 8, is_month: false },
    Notation { pattern: "%Y-%m-%d", first: "", length: 10, is_month: false },
    Notation { pattern: "%Y%m%d", first: "01", length: 6, is_month: true },
    Notation { pattern: "%Y-%m-%d", first: "-01", length: 7, is_month: true },
];

impl Notation {
    fn read(&self, text: &str) -> Option<NaiveDate> {
        if text.len() != self.length {
            return None;
        }
        // The parsed text must have the canonical notation: `+20200401` and blanks are refused.
        let day = NaiveDate::parse_from_str(&format!("{text}{}", self.first), self.pattern).ok()?;
        (self.write(day) == text).then_some(day)
    }

    fn write(&self, day: NaiveDate) -> String {
        let mut text = day.format(self.pattern).to_string();
        text.truncate(self.length);
        text
    }

    fn next(&self, day: NaiveDate) -> Option<NaiveDate> {
        if self.is_month {
            day.checked_add_months(Months::new(1))
        } else {
            day.checked_add_days(Days::new(1))
        }
    }
}

/// All values from the first to the last, both included, in the notation of the ends.
///
/// # Errors
/// Why the text is not a range of days or of months, or that it has more than `limit` values.
pub fn range(text: &str, limit: usize) -> Result<Vec<String>, String> {
    let (from, to) = text.split_once("..").ok_or("not a range")?;
    let (from, to) = (from.trim(), to.trim());
    let form = |text: &str| {
        let found = NOTATIONS.iter().find_map(|form| Some((form, form.read(text)?)));
        found
            .filter(|(_, day)| day.year() >= 0)
            .ok_or_else(|| format!("`{text}` is neither a day nor a month"))
    };
    let ((form, mut day), (other, last)) = (form(from)?, form(to)?);
    if form.length != other.length {
        return Err("the ends have different formats".into());
    }
    if last < day {
        return Err("the end is before the start".into());
    }
    let mut values = Vec::new();
    while day <= last {
        if values.len() == limit {
            return Err(format!("more than {limit} values"));
        }
        values.push(form.write(day));
        match form.next(day) {
            Some(next) => day = next,
            None => break,
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_included() {
        let joined = |text: &str| range(text, 100).map(|values| values.join(" "));
        assert_eq!(joined("20200228..20200301").as_deref(), Ok("20200228 20200229 20200301"));
        assert_eq!(joined("2020-12-31 .. 2021-01-01").as_deref(), Ok("2020-12-31 2021-01-01"));
        assert_eq!(joined("201911..202002").as_deref(), Ok("201911 201912 202001 202002"));
        assert_eq!(joined("2020-04..2020-04").as_deref(), Ok("2020-04"));
    }

    #[test]
    fn what_is_no_range() {
        let fault = |text: &str| range(text, 10).expect_err(text);
        assert_eq!(fault("20200401"), "not a range");
        assert_eq!(fault("20200401..20200431"), "`20200431` is neither a day nor a month");
        assert_eq!(fault("1..31"), "`1` is neither a day nor a month");
        assert_eq!(fault("20200401..2020-04-03"), "the ends have different formats");
        assert_eq!(fault("20200402..20200401"), "the end is before the start");
        assert_eq!(fault("20200401..20200430"), "more than 10 values");
    }
}
