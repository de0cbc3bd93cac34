//! Replaces Hive variables (`${hivevar:day}`, `${day}` and `${hiveconf:day}`) with their values, both in the
//! printed and in the planned text.

use std::collections::BTreeMap;

/// Values by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variables {
    pub hivevar: BTreeMap<String, String>,
    pub hiveconf: BTreeMap<String, String>,
}

impl Variables {
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
