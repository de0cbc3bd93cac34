//! The common form of conditions.

use std::fmt;

/// An operator, a function or a leaf, with its parts. Shown as `(label part part)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommonForm {
    pub label: String,
    pub parts: Vec<CommonForm>,
}

impl CommonForm {
    pub fn new(label: impl Into<String>, parts: Vec<CommonForm>) -> CommonForm {
        CommonForm { label: label.into(), parts }
    }

    pub fn leaf(label: impl Into<String>) -> CommonForm {
        CommonForm::new(label, Vec::new())
    }

    pub fn column(name: &str) -> CommonForm {
        CommonForm::leaf(format!("`{name}`"))
    }

    pub fn text(value: &str) -> CommonForm {
        CommonForm::leaf(format!("{value:?}"))
    }

    /// `DATE '…'`.
    pub fn typed_text(data_type: &str, value: &str) -> CommonForm {
        CommonForm::new(data_type, vec![CommonForm::text(value)])
    }

    /// A number as it is spelled: letters behind it say its type.
    pub fn number(spelled: &str) -> CommonForm {
        let number = spelled.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let zero = if number.starts_with('.') { "0" } else { "" };
        let leaf = |text: &str| CommonForm::leaf(format!("{zero}{text}"));
        match spelled[number.len()..].to_ascii_uppercase().as_str() {
            "Y" => CommonForm::cast("TINYINT", leaf(number)),
            "S" => CommonForm::cast("SMALLINT", leaf(number)),
            "L" => CommonForm::cast("BIGINT", leaf(number)),
            "BD" if !number.contains(['.', 'e', 'E']) => leaf(&format!("{number}.0")),
            _ => leaf(number),
        }
    }

    /// A call. `isnull(x)` and the like become the tests that they are (`IS NULL`), and a call of a type's name becomes a cast.
    pub fn call(name: &str, arguments: Vec<CommonForm>) -> CommonForm {
        let name = name.to_lowercase();
        match (name.as_str(), arguments.len()) {
            ("isnull", 1) => CommonForm::new("IS NULL", arguments),
            ("isnotnull", 1) => CommonForm::new("IS NOT NULL", arguments),
            ("istrue", 1) => CommonForm::new("IS TRUE", arguments),
            ("isnottrue", 1) => CommonForm::new("IS NOT TRUE", arguments),
            ("isfalse", 1) => CommonForm::new("IS FALSE", arguments),
            ("isnotfalse", 1) => CommonForm::new("IS NOT FALSE", arguments),
            ("tinyint" | "smallint" | "int" | "bigint" | "double" | "string", 1) => {
                CommonForm::new(format!("CAST {}", name.to_uppercase()), arguments)
            }
            _ => CommonForm::new(format!("{name}()"), arguments),
        }
    }

    pub fn cast(data_type: &str, value: CommonForm) -> CommonForm {
        CommonForm::new(format!("CAST {data_type}"), vec![value])
    }

    /// `x IN (…)`; of an empty list with a label of its own.
    pub fn in_list(value: CommonForm, list: Vec<CommonForm>) -> CommonForm {
        let label = if list.is_empty() { "IN ()" } else { "IN" };
        CommonForm::new(label, [vec![value], list].concat())
    }

    /// A CASE; `CASE x WHEN y` is `CASE WHEN x = y`, as Hive 4 has it.
    pub fn case(
        operand: Option<CommonForm>,
        branches: Vec<(CommonForm, CommonForm)>,
        other: Option<CommonForm>,
    ) -> CommonForm {
        let condition = |when: CommonForm| match &operand {
            Some(operand) => CommonForm::new("=", vec![operand.clone(), when]),
            None => when,
        };
        let parts = branches.into_iter().flat_map(|(when, then)| [condition(when), then]);
        CommonForm::new("CASE", parts.chain(other).collect())
    }

    pub fn negated(inner: CommonForm) -> CommonForm {
        CommonForm::new("NOT", vec![inner])
    }

    pub fn negated_if(negated: bool, inner: CommonForm) -> CommonForm {
        if negated { CommonForm::negated(inner) } else { inner }
    }

    /// AND or OR: arms of the same kind within it are its own.
    pub fn chain(label: &str, arms: Vec<CommonForm>) -> CommonForm {
        let mut flat = Vec::new();
        for arm in arms {
            if arm.label == label { flat.extend(arm.parts) } else { flat.push(arm) }
        }
        CommonForm::new(label, flat)
    }

    /// What our tree says of an access (`a[1].b`): the value and the indexes.
    pub fn access(mut value: CommonForm, index: Option<CommonForm>) -> CommonForm {
        if value.label != OPAQUE || value.parts.is_empty() {
            value = CommonForm::new(OPAQUE, vec![value]);
        }
        value.parts.extend(index);
        value
    }
}

/// The label of what our tree does not know the value of.
pub const OPAQUE: &str = "…";

impl fmt::Display for CommonForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.parts.is_empty() {
            return f.write_str(&self.label);
        }
        write!(f, "({}", self.label)?;
        self.parts.iter().try_for_each(|part| write!(f, " {part}"))?;
        f.write_str(")")
    }
}
