//! The common form of conditions.

use std::fmt;

/// An operator, a function or a leaf, with its parts. Shown as `(label part part)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    pub label: String,
    pub parts: Vec<Form>,
}

impl Form {
    pub fn new(label: impl Into<String>, parts: Vec<Form>) -> Form {
        Form { label: label.into(), parts }
    }

    pub fn leaf(label: impl Into<String>) -> Form {
        Form::new(label, Vec::new())
    }

    pub fn column(name: &str) -> Form {
        Form::leaf(format!("`{name}`"))
    }

    pub fn text(value: &str) -> Form {
        Form::leaf(format!("{value:?}"))
    }

    /// `DATE '…'`.
    pub fn typed_text(data_type: &str, value: &str) -> Form {
        Form::new(data_type, vec![Form::text(value)])
    }

    /// A number as it is spelled: letters behind it say its type.
    pub fn number(spelled: &str) -> Form {
        let number = spelled.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let zero = if number.starts_with('.') { "0" } else { "" };
        let leaf = |text: &str| Form::leaf(format!("{zero}{text}"));
        match spelled[number.len()..].to_ascii_uppercase().as_str() {
            "Y" => Form::cast("TINYINT", leaf(number)),
            "S" => Form::cast("SMALLINT", leaf(number)),
            "L" => Form::cast("BIGINT", leaf(number)),
            "BD" if !number.contains(['.', 'e', 'E']) => leaf(&format!("{number}.0")),
            _ => leaf(number),
        }
    }

    /// A function; those that Hive has for its tests are these tests, and those with the name of a type are casts.
    pub fn call(name: &str, arguments: Vec<Form>) -> Form {
        let name = name.to_lowercase();
        match (name.as_str(), arguments.len()) {
            ("isnull", 1) => Form::new("IS NULL", arguments),
            ("isnotnull", 1) => Form::new("IS NOT NULL", arguments),
            ("istrue", 1) => Form::new("IS TRUE", arguments),
            ("isnottrue", 1) => Form::new("IS NOT TRUE", arguments),
            ("isfalse", 1) => Form::new("IS FALSE", arguments),
            ("isnotfalse", 1) => Form::new("IS NOT FALSE", arguments),
            ("tinyint" | "smallint" | "int" | "bigint" | "double" | "string", 1) => {
                Form::new(format!("CAST {}", name.to_uppercase()), arguments)
            }
            _ => Form::new(format!("{name}()"), arguments),
        }
    }

    pub fn cast(data_type: &str, value: Form) -> Form {
        Form::new(format!("CAST {data_type}"), vec![value])
    }

    /// `x IN (…)`; of an empty list with a label of its own.
    pub fn in_list(value: Form, list: Vec<Form>) -> Form {
        let label = if list.is_empty() { "IN ()" } else { "IN" };
        Form::new(label, [vec![value], list].concat())
    }

    /// A CASE; `CASE x WHEN y` is `CASE WHEN x = y`, as Hive 4 has it.
    pub fn case(operand: Option<Form>, branches: Vec<(Form, Form)>, other: Option<Form>) -> Form {
        let condition = |when: Form| match &operand {
            Some(operand) => Form::new("=", vec![operand.clone(), when]),
            None => when,
        };
        let parts = branches.into_iter().flat_map(|(when, then)| [condition(when), then]);
        Form::new("CASE", parts.chain(other).collect())
    }

    pub fn negated(inner: Form) -> Form {
        Form::new("NOT", vec![inner])
    }

    pub fn negated_if(negated: bool, inner: Form) -> Form {
        if negated { Form::negated(inner) } else { inner }
    }

    /// AND or OR: arms of the same kind within it are its own.
    pub fn chain(label: &str, arms: Vec<Form>) -> Form {
        let mut flat = Vec::new();
        for arm in arms {
            if arm.label == label { flat.extend(arm.parts) } else { flat.push(arm) }
        }
        Form::new(label, flat)
    }

    /// What our tree says of an access (`a[1].b`): the value and the indexes.
    pub fn access(mut value: Form, index: Option<Form>) -> Form {
        if value.label != OPAQUE || value.parts.is_empty() {
            value = Form::new(OPAQUE, vec![value]);
        }
        value.parts.extend(index);
        value
    }
}

/// The label of what our tree does not know the value of.
pub const OPAQUE: &str = "…";

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.parts.is_empty() {
            return f.write_str(&self.label);
        }
        write!(f, "({}", self.label)?;
        self.parts.iter().try_for_each(|part| write!(f, " {part}"))?;
        f.write_str(")")
    }
}
