//! Replaces Hive variables (`${hivevar:day}`, `${day}` and `${hiveconf:day}`) with their values, both in the
//! printed and in the planned text.

use std::collections::BTreeMap;

use saltplan_sql::script::Tokens;

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
