//! Replaces Hive variables (`${hivevar:day}`, `${day}` and `${hiveconf:day}`) with their values, both in the
//! printed and in the planned text.

use std::collections::BTreeMap;

use saltplan_sql::functions::{CURRENT_DATE, CURRENT_TIMESTAMP, UNIX_TIMESTAMP};
use saltplan_sql::script::{Kind, Tokens};
use saltplan_sql::time::format::parse_timestamp;

/// Values by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variables {
    pub hivevar: BTreeMap<String, String>,
    pub hiveconf: BTreeMap<String, String>,
}

impl Variables {
    /// Removes the variables that the script sets itself, since that value overrides the one from outside. Returns
    /// their names.
    pub(crate) fn remove_those_set_in(&mut self, text: &str) -> Vec<String> {
        let mut removed = Vec::new();
        if self.hivevar.is_empty() && self.hiveconf.is_empty() {
            return removed;
        }
        let Ok(tokens) = Tokens::new(text) else { return removed };
        for (name, _) in (0..tokens.len()).filter_map(|at| tokens.assignment(at)) {
            let (of, name) = match name.split_once(':') {
                Some(("hivevar", name)) => (&mut self.hivevar, name),
                Some(("hiveconf", name)) => (&mut self.hiveconf, name),
                None => (&mut self.hiveconf, name),
                Some(_) => continue,
            };
            if of.remove(name.trim()).is_some() {
                removed.push(name.trim().to_string());
            }
        }
        removed
    }

    /// The text with known values. Variables inside a value are not replaced.
    pub fn fill(&self, text: &str) -> String {
        if self.hivevar.is_empty() && self.hiveconf.is_empty() {
            return text.to_string();
        }
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find("${") {
            let (before, behind) = rest.split_at(start);
            filled.push_str(before);
            let end =
                behind.bytes().skip(2).position(|byte| matches!(byte, b'}' | b'$' | b'\n')).map(|at| at + 2);
            let value = end.filter(|end| behind.as_bytes()[*end] == b'}').and_then(|end| {
                let value = self.value(&behind[2..end])?;
                Some((value, end + 1))
            });
            let (text, length) = value.unwrap_or(("${", 2));
            filled.push_str(text);
            rest = &behind[length..];
        }
        filled.push_str(rest);
        filled
    }

    fn value(&self, name: &str) -> Option<&str> {
        let value = match name.split_once(':') {
            None => self.hivevar.get(name),
            Some(("hivevar", name)) => self.hivevar.get(name),
            Some(("hiveconf", name)) => self.hiveconf.get(name),
            Some(_) => None,
        };
        value.map(String::as_str)
    }
}

/// The time at which a query is taken to run: it replaces the clocks in its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Now {
    /// `2020-04-06`
    day: String,
    /// `2020-04-06 10:00:00`
    time: String,
}

impl Now {
    /// Reads a day, `2020-04-06`, or a time of the session, `2020-04-06 10:00:00`.
    pub fn parse(text: &str) -> Option<Self> {
        let time = parse_timestamp(text)?;
        Some(Now { day: time.format("%F").to_string(), time: time.format("%F %T").to_string() })
    }

    /// A text in which `current_date`, `current_timestamp` and `unix_timestamp()` are this time.
    pub(crate) fn fill(&self, text: String) -> String {
        let Ok(tokens) = Tokens::new(&text) else { return text };
        let mut filled = String::with_capacity(text.len());
        let mut done = 0;
        for at in 0..tokens.len() {
            let has_brackets = tokens.is_sign(at + 1, "(") && tokens.is_sign(at + 2, ")");
            let value = match tokens.kind(at) {
                Some(Kind::Word) if tokens.is_word(at, CURRENT_DATE.name()) => format!("DATE '{}'", self.day),
                Some(Kind::Word) if tokens.is_word(at, CURRENT_TIMESTAMP.name()) => {
                    format!("TIMESTAMP '{}'", self.time)
                }
                Some(Kind::Word) if has_brackets && tokens.is_word(at, UNIX_TIMESTAMP.name()) => {
                    format!("{}('{}')", UNIX_TIMESTAMP.name(), self.time)
                }
                _ => continue,
            };
            let last = if has_brackets { at + 2 } else { at };
            filled.push_str(&text[done..tokens.span(at).start]);
            filled.push_str(&value);
            done = tokens.span(last).end;
        }
        filled.push_str(&text[done..]);
        filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_script_take_precedence() {
        let given = Variables {
            hivevar: [("day".into(), "1".into()), ("a".into(), "2".into())].into(),
            hiveconf: [("day".into(), "3".into()), ("b".into(), "4".into())].into(),
        };
        for (script, removed, filled) in [
            ("set hivevar:day=9; ${day} ${hiveconf:day}", "day", "set hivevar:day=9; ${day} 3"),
            ("SET day = 9; ${day} ${hiveconf:day}", "day", "SET day = 9; 1 ${hiveconf:day}"),
            (
                "set\thiveconf:b=x=y;\nset env:a=1; ${hiveconf:b} ${a}",
                "b",
                "set\thiveconf:b=x=y;\nset env:a=1; ${hiveconf:b} 2",
            ),
            (
                "-- set hivevar:a=1;\nselect 'set hivevar:a=1', ${a}",
                "",
                "-- set hivevar:a=1;\nselect 'set hivevar:a=1', 2",
            ),
            ("set day; set -v; ${day}", "", "set day; set -v; 1"),
        ] {
            let mut variables = given.clone();
            assert_eq!(variables.remove_those_set_in(script).join(" "), removed, "{script}");
            assert_eq!(variables.fill(script), filled);
        }
    }

    #[test]
    fn clocks_are_replaced() {
        let now = Now::parse("2020-04-06 10:00:00").expect("a time");
        for (text, expected) in [
            (
                "d = date_sub(current_date, 1) -- current_date",
                "d = date_sub(DATE '2020-04-06', 1) -- current_date",
            ),
            ("Current_Timestamp ( )", "TIMESTAMP '2020-04-06 10:00:00'"),
            (
                "t.current_date, 'current_date', `current_date`",
                "t.current_date, 'current_date', `current_date`",
            ),
            (
                "unix_timestamp() + unix_timestamp(x)",
                "unix_timestamp('2020-04-06 10:00:00') + unix_timestamp(x)",
            ),
        ] {
            assert_eq!(now.fill(text.into()), expected);
        }
        assert_eq!(
            Now::parse("2020-04-06").expect("a day").fill("current_timestamp".into()),
            "TIMESTAMP '2020-04-06 00:00:00'"
        );
        assert!(Now::parse("yesterday").is_none());
    }

    #[test]
    fn values_replace_variables() {
        let variables = Variables {
            hivevar: [("day".into(), "20200406".into()), ("a".into(), "${day}".into())].into(),
            hiveconf: [("day".into(), "7".into())].into(),
        };
        for (text, expected) in [
            ("d = ${day}", "d = 20200406"),
            ("'${hivevar:day}' ${hiveconf:day}", "'20200406' 7"),
            ("${a} ${b} ${env:day} $day ${", "${day} ${b} ${env:day} $day ${"),
            ("${x${day}}", "${x20200406}"),
            ("ü${day}ü", "ü20200406ü"),
        ] {
            assert_eq!(variables.fill(text), expected);
        }
    }
}
