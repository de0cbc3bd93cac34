//! Random predicates: a shape without names, which shrinks well, and is written as SQL for a given table.

use chrono::{Datelike as _, NaiveDateTime, Timelike as _};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::calendar;
use crate::table::{Cell, Field, Kind, Table};

#[derive(Debug, Clone)]
pub enum Shape {
    And(Vec<Shape>),
    Or(Vec<Shape>),
    Not(Box<Shape>),
    Leaf(Leaf),
}

/// One condition: every choice is a number, taken modulo the number of alternatives.
#[derive(Debug, Clone)]
pub struct Leaf {
    form: u8,
    field: Index,
    operator: u8,
    style: u8,
    constants: Vec<(Index, u8)>,
}

pub fn leaves() -> impl Strategy<Value = Leaf> {
    let constants = prop::collection::vec((any::<Index>(), any::<u8>()), 2..=4);
    (any::<u8>(), any::<Index>(), any::<u8>(), any::<u8>(), constants).prop_map(
        |(form, field, operator, style, constants)| Leaf { form, field, operator, style, constants },
    )
}

pub fn shapes() -> impl Strategy<Value = Shape> {
    leaves().prop_map(Shape::Leaf).prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 1..=3).prop_map(Shape::And),
            2 => prop::collection::vec(inner.clone(), 1..=3).prop_map(Shape::Or),
            1 => inner.prop_map(|shape| Shape::Not(Box::new(shape))),
        ]
    })
}

/// Writes predicates for one table; `pools` are the values of its rows.
#[derive(Debug)]
pub struct PredicateWriter<'a> {
    pub table: &'a Table,
    pub pools: &'a [Vec<Cell>],
}

const OPERATORS: [&str; 6] = ["=", "<", "<=", ">", ">=", "<>"];

impl PredicateWriter<'_> {
    pub fn write(&self, shape: &Shape) -> String {
        let join = |arms: &[Shape], with: &str| {
            let arms: Vec<String> = arms.iter().map(|arm| format!("({})", self.write(arm))).collect();
            arms.join(with)
        };
        match shape {
            Shape::And(arms) => join(arms, " AND "),
            Shape::Or(arms) => join(arms, " OR "),
            Shape::Not(inner) => format!("NOT ({})", self.write(inner)),
            Shape::Leaf(leaf) => self.leaf(leaf),
        }
    }

    /// Pairs of texts with the same meaning: a list and its alternatives, a range and its two bounds.
    pub fn same(&self, leaf: &Leaf) -> [(String, String); 4] {
        let index = leaf.field.index(self.table.fields.len());
        let name = self.table.fields[index].name;
        let constants: Vec<String> =
            leaf.constants.iter().map(|choice| self.constant(index, choice)).collect();
        let each = |operator: &str, with: &str| {
            constants.iter().map(|c| format!("{name} {operator} {c}")).collect::<Vec<_>>().join(with)
        };
        let (list, low, high) = (constants.join(", "), &constants[0], &constants[1]);
        let is_number = matches!(self.table.fields[index].kind, Kind::Integer { .. });
        // For a number and a text, BETWEEN compares doubles, which differ from sixteen digits on, while a
        // comparison compares numbers.
        let told = |bound: &str| match bound.trim_matches('\'') {
            digits if is_number && digits.len() > 15 && digits.parse::<f64>().is_ok() => digits.to_string(),
            _ => bound.to_string(),
        };
        let (from, until) = (told(low), told(high));
        [
            (format!("{name} IN ({list})"), each("=", " OR ")),
            (format!("{name} NOT IN ({list})"), each("<>", " AND ")),
            (format!("{name} BETWEEN {from} AND {until}"), format!("{name} >= {from} AND {until} >= {name}")),
            // In Hive `a < NULL OR a > 1` contains more: after a NULL, BETWEEN ignores the upper bound.
            (
                format!("{name} NOT BETWEEN {low} AND {high}"),
                format!("NOT ({name} BETWEEN {low} AND {high})"),
            ),
        ]
    }

    fn leaf(&self, leaf: &Leaf) -> String {
        let index = leaf.field.index(self.table.fields.len());
        let field = &self.table.fields[index];
        let name = field.name;
        let operator = OPERATORS[usize::from(leaf.operator) % OPERATORS.len()];
        let not = if leaf.style.is_multiple_of(3) { "NOT " } else { "" };
        let constant = |at: usize| self.constant(index, &leaf.constants[at % leaf.constants.len()]);
        match leaf.form % 30 {
            0..=4 => format!("{name} {operator} {}", constant(0)),
            5 => format!("{} {operator} {name}", constant(0)),
            6 | 7 => {
                let mut list: Vec<String> = (0..leaf.constants.len()).map(constant).collect();
                match leaf.style % 8 {
                    0 => list.push("NULL".into()),
                    1 => list.push(list[0].clone()),
                    2 => list.clear(),
                    _ => {}
                }
                format!("{name} {not}IN ({})", list.join(", "))
            }
            8 | 9 => format!("{name} {not}BETWEEN {} AND {}", constant(0), constant(1)),
            10 | 11 => format!("{name} {not}LIKE {}", self.pattern(index, leaf)),
            12 => self.tuple(leaf, index, operator),
            13 => self.tuple_list(leaf, index, not),
            14..=16 => self.function(field, leaf, operator, &self.cell(index, &leaf.constants[0])),
            17 => column(leaf, operator),
            18 => match leaf.style % 5 {
                0 => format!("{name} IS NULL"),
                1 => format!("{name} IS NOT NULL"),
                2 => format!("({name} {operator} {}) IS {not}NULL", constant(0)),
                3 => "TRUE".into(),
                _ => "NULL = 1".into(),
            },
            19 => {
                // Often an equality, through which constants are propagated.
                let operator = if leaf.style.is_multiple_of(2) { "=" } else { operator };
                format!("{name} {operator} {}", self.other_name(leaf, index))
            }
            20 => match leaf.style % 4 {
                0 => format!("{name} <=> {}", constant(0)),
                1 => format!("{} <=> {name}", constant(0)),
                2 => format!("{name} IS DISTINCT FROM {}", constant(0)),
                _ => format!("{name} IS NOT DISTINCT FROM {}", constant(0)),
            },
            21 => self.truth_test(leaf, index, operator),
            22 | 23 => self.arithmetic(leaf, index, operator),
            24 => self.choice(leaf, index, operator),
            25 => self.turned(leaf, index, not),
            26 | 27 => self.start(leaf, index, not),
            _ => self.rows(leaf, index, operator, not),
        }
    }

    /// A condition on a field, or on a field and a column.
    fn part(&self, leaf: &Leaf, index: usize, operator: &str) -> String {
        let name = self.table.fields[index].name;
        let constant = |at: usize| self.constant(index, &leaf.constants[at % leaf.constants.len()]);
        match leaf.style / 8 % 6 {
            0 => format!("{name} IN ({}, {})", constant(0), constant(1)),
            1 => format!("{name} {operator} {} AND amount < 3", constant(0)),
            2 => format!("{name} {operator} {} OR status = 'ok'", constant(0)),
            3 => format!("NOT ({name} {operator} {})", constant(0)),
            4 => format!("{name} BETWEEN {} AND {}", constant(0), constant(1)),
            _ => format!("{name} {operator} {}", constant(0)),
        }
    }

    fn truth_test(&self, leaf: &Leaf, index: usize, operator: &str) -> String {
        const TESTS: [&str; 12] = [
            "IS TRUE",
            "IS NOT TRUE",
            "IS FALSE",
            "IS NOT FALSE",
            "IS UNKNOWN",
            "IS NOT UNKNOWN",
            "= TRUE",
            "= FALSE",
            "<> TRUE",
            "<=> TRUE",
            "<=> FALSE",
            "<> FALSE",
        ];
        let test = leaf.constants[0].0.get(&TESTS);
        format!("({}) {test}", self.part(leaf, index, operator))
    }

    fn arithmetic(&self, leaf: &Leaf, index: usize, operator: &str) -> String {
        let Field { name, kind, .. } = &self.table.fields[index];
        let (Kind::Integer { .. } | Kind::Epoch { .. }, Cell::Number(number)) =
            (kind, self.cell(index, &leaf.constants[0]))
        else {
            return format!("({name} {operator} {}) IS NOT FALSE", self.constant(index, &leaf.constants[0]));
        };
        let wide = i128::from(number);
        let odd = [0, 1, 2, 3, 5, 7, 10, 1_000, 86_400, i128::from(i32::MAX), i128::from(i64::MAX)];
        let by = *leaf.constants[1].0.get(&odd);
        let off = i128::from(leaf.constants[1].1 % 3) - 1;
        let half = |number: i128| format!("{number}.5");
        if leaf.constants[1].1.is_multiple_of(4) {
            let multiple = wide / 10 * 10;
            return match leaf.style % 8 {
                0 => format!("round({name}, -1) {operator} {}", multiple + 10 * off),
                1 => format!("round({name} / {}) {operator} {}", by + 2, wide / (by + 2) + off),
                2 => format!("sign({name}) {operator} {off}"),
                3 => format!("negative({name}) {operator} {}", off - wide),
                4 => format!("greatest({name}, {by}) {operator} {}", wide + off),
                5 => format!("least({name}, {by}) {operator} {}", wide + off),
                6 => format!("greatest({name}, {by}, {}) BETWEEN {by} AND {}", wide - 5, wide + by),
                _ => format!("int({name}) {operator} {} OR bigint({name}) = {by}", wide + off),
            };
        }
        match (leaf.style % 24, leaf.style / 24 % 4) {
            (16, 0) => return format!("{name} + 0.5 {operator} {}", half(wide)),
            (16, 1) => return format!("{by}.25 - {name} {operator} {}.25", by - wide),
            (16, 2) => return format!("{name} * 1.5 - 0.25 {operator} {}", half(wide)),
            (16, _) => return format!("({name} - 2.5) * -2 BETWEEN {} AND {}", off - 2 * wide, 5 - 2 * wide),
            (17, 0) => return format!("{name} % {} {operator} {}", by + 1, wide % (by + 1)),
            (17, _) => return format!("pmod({name}, {}) {operator} {}", by + 1, wide.rem_euclid(by + 1)),
            (18, test) => {
                let text = number.to_string();
                let start = &text[..=usize::from(leaf.constants[0].1) % text.len()];
                return match test {
                    0 => format!("cast({name} as string) {operator} '{start}'"),
                    1 => format!("cast({name} as string) LIKE '{start}%'"),
                    2 => format!("{name} NOT LIKE '{start}_%'"),
                    _ => format!("{name} IN ('{text}') OR cast({name} as string) BETWEEN '{start}' AND '5'"),
                };
            }
            (19, _) => return format!("nvl({name}, {by}) {operator} {wide}"),
            _ => {}
        }
        let (left, right) = match leaf.style % 24 {
            20 => (format!("abs({name})"), wide.abs()),
            21 => (format!("abs({by} - {name})"), (by - wide).abs()),
            22 => (format!("2 * abs({name} / 2) - {by}"), wide.abs() - by),
            23 => (format!("-abs({name} DIV 3 + {by})"), -(wide / 3 + by).abs()),
            0 => (format!("{name} + {by}"), wide + by),
            1 => (format!("{by} + {name}"), wide + by),
            2 => (format!("{name} - {by}"), wide - by),
            3 => (format!("{by} - {name}"), by - wide),
            4 => (format!("-{name}"), -wide),
            5 => (format!("{name} * {by}"), wide * by),
            6 => (format!("{name} * -{}", by + 1), -wide * (by + 1)),
            7 => (format!("{name} / {by}"), wide / by.max(1)),
            8 => (format!("{name} DIV {by}"), wide / by.max(1)),
            9 => (format!("{name} DIV -{by}"), -wide / by.max(1)),
            10 => (format!("floor({name} / {by})"), wide.div_euclid(by.max(1))),
            11 => (format!("ceil({name} / {by})"), wide / by.max(1)),
            12 => (format!("cast({name} / {by} as bigint)"), wide / by.max(1)),
            13 => (format!("cast({name} as int)"), wide),
            14 => (format!("cast({name} as double)"), wide),
            _ => (format!("nvl({name}, {by}) * 2 - 1"), wide * 2 - 1),
        };
        let right = right + off;
        match leaf.style / 16 % 4 {
            0 => format!("{left} IN ({right}, {}, {by})", right + 1),
            1 => format!("{left} BETWEEN {} AND {right}", right - 3),
            2 => format!("{right}.5 {operator} {left}"),
            _ => format!("{left} {operator} {right}"),
        }
    }

    fn choice(&self, leaf: &Leaf, index: usize, operator: &str) -> String {
        let name = self.table.fields[index].name;
        let constant = |at: usize| self.constant(index, &leaf.constants[at % leaf.constants.len()]);
        let part = self.part(leaf, index, operator);
        match leaf.style % 6 {
            0 => format!("CASE WHEN {part} THEN 1 WHEN amount = 2 THEN 2 ELSE 3 END {operator} 2"),
            1 => format!("CASE {name} WHEN {} THEN 'x' WHEN {} THEN 'y' END = 'y'", constant(0), constant(1)),
            2 => format!("if({part}, {name} = {}, amount = 3)", constant(1)),
            3 => format!("if({part}, 'x', 'y') = 'y'"),
            4 => format!(
                "CASE WHEN amount = 2 THEN {name} = {} WHEN {part} THEN FALSE ELSE TRUE END",
                constant(1)
            ),
            _ => format!("(CASE WHEN {part} THEN NULL ELSE 1 END = 1) IS NOT TRUE"),
        }
    }

    /// With the constant in the middle and the field as a bound.
    fn turned(&self, leaf: &Leaf, index: usize, not: &str) -> String {
        let other = self.other_field(leaf, index);
        let (a, b) = (self.table.fields[index].name, self.table.fields[other].name);
        let constant = self.constant(index, &leaf.constants[0]);
        match leaf.style / 3 % 4 {
            0 => format!("{constant} {not}BETWEEN {a} AND {b}"),
            1 => format!("{constant} {not}BETWEEN {a} AND amount"),
            2 => format!("{constant} {not}IN ({a}, {b})"),
            _ => format!("{a} {not}BETWEEN {constant} AND {b}"),
        }
    }

    fn start(&self, leaf: &Leaf, index: usize, not: &str) -> String {
        let Field { name, kind, .. } = &self.table.fields[index];
        let text = text_of(kind, &self.cell(index, &leaf.constants[0]));
        let chars: Vec<char> = text.chars().collect();
        let start: String = chars[..(usize::from(leaf.operator) % 4).min(chars.len())].iter().collect();
        if !matches!(kind, Kind::Text { .. }) {
            return format!("{name} {not}LIKE {}", quoted(&(start + "%")));
        }
        let count = usize::from(leaf.constants[1].1 % 4) + 1;
        let escaped: String = start
            .chars()
            .flat_map(|c| c.is_ascii_punctuation().then_some('\\').into_iter().chain([c]))
            .collect();
        let second = if escaped.is_empty() { "b" } else { &escaped };
        match leaf.style / 3 % 16 {
            0 => format!("{name} {not}RLIKE {}", quoted(&format!("^{escaped}"))),
            1 => format!("{name} {not}RLIKE {}", quoted(&format!("^{escaped}.*"))),
            2 => format!("{name} {not}RLIKE {}", quoted(&format!("^({escaped}|a.|xy)$"))),
            3 => format!("{name} {not}RLIKE {}", quoted(&format!("^{escaped}a*b"))),
            4 => format!("{name} {not}REGEXP {}", quoted(&format!("\\A{escaped}[ab0-3]"))),
            5 => format!("{name} {not}RLIKE {}", quoted(&format!("^{escaped}|^{second}+"))),
            6 => format!("{name} {not}RLIKE {}", quoted(&format!("{escaped}a?"))),
            7 => format!("{name} {not}RLIKE {}", quoted(&format!("^(a|{second})?[^b]"))),
            8 if not.is_empty() => format!("instr({name}, {}) = 1", quoted(&start)),
            8 => format!("1 <> instr({name}, {})", quoted(&start)),
            9 => format!("locate({}, {name}) = 1", quoted(&start)),
            10 => format!("nvl({name}, 'x') {not}LIKE {}", quoted(&(start + "%"))),
            11 => format!("coalesce({name}, 'x', '') {not}IN ({}, {})", quoted(&text), quoted(&start)),
            12 => format!("substr({name}, 1, {count}) {not}LIKE {}", quoted(&(start + "%"))),
            13 => format!("left({name}, {count}) {not}LIKE {}", quoted(&(start + "_%"))),
            14 => format!("{name} {not}LIKE concat({}, '%')", quoted(&start)),
            _ => format!("substr({name}, 1) {not}IN ({}, {})", quoted(&text), quoted(&start)),
        }
    }

    /// Another field, or a column of the same type.
    fn other_name(&self, leaf: &Leaf, index: usize) -> &'static str {
        match (&self.table.fields[index].kind, leaf.style / 2 % 3) {
            (Kind::Text { .. }, 0) => "status",
            (Kind::Integer { .. }, 0) => "amount",
            _ => self.table.fields[self.other_field(leaf, index)].name,
        }
    }

    /// Conditions on single fields, all of which must be true; by field, the values that satisfy it.
    pub fn box_of(&self, leaves: &[Leaf]) -> Vec<String> {
        let by_field = leaves.iter().take(self.table.fields.len()).enumerate();
        by_field.map(|(index, leaf)| self.side(leaf, index)).collect()
    }

    /// A condition on a field, or none: single values, or a range.
    fn side(&self, leaf: &Leaf, index: usize) -> String {
        let name = self.table.fields[index].name;
        // As the field has them.
        let plain = match self.table.fields[index].kind {
            Kind::Text { .. } => 7,
            Kind::Calendar { .. } | Kind::Integer { .. } => 9,
            Kind::Epoch { .. } => 45,
        };
        let mut constants: Vec<String> =
            leaf.constants.iter().map(|(choice, _)| self.constant(index, &(*choice, plain))).collect();
        match leaf.form % 8 {
            0 => String::new(),
            1..=3 => format!("{name} = {}", constants[0]),
            4 | 5 => format!("{name} IN ({})", constants.join(", ")),
            6 => format!("{name} {} {}", ["<", "<=", ">", ">="][usize::from(leaf.style) % 4], constants[0]),
            _ => format!("{name} BETWEEN {} AND {}", constants.swap_remove(0), constants.swap_remove(0)),
        }
    }

    /// Usually a value that rows of this universe have.
    fn cell(&self, field: usize, choice: &(Index, u8)) -> Cell {
        choice.0.get(&self.pools[field]).clone()
    }

    fn constant(&self, field: usize, choice: &(Index, u8)) -> String {
        if choice.1.is_multiple_of(16) {
            const ODD: [&str; 12] = [
                "NULL",
                "''",
                "'zz'",
                "1.5",
                "-1",
                "0",
                "'20200231'",
                "1e30",
                "DATE '2020-04-06'",
                "'99999999999999999999999999999999999999999'",
                "TIMESTAMP '2020-04-06 10:20:30'",
                "-1e30",
            ];
            return (*choice.0.get(&ODD)).to_string();
        }
        let kind = &self.table.fields[field].kind;
        match (kind, self.cell(field, choice)) {
            (Kind::Text { .. }, Cell::Text(text)) => text_constant(&text, choice.1),
            (Kind::Calendar { pattern }, Cell::At(at)) => calendar_constant(pattern, at, choice.1),
            (Kind::Epoch { unit, .. }, Cell::Number(number)) => self.epoch_constant(number, *unit, choice.1),
            (_, Cell::Number(number)) => number_constant(number, choice.1),
            other => panic!("{other:?}"),
        }
    }

    fn epoch_constant(&self, number: i64, unit: i64, style: u8) -> String {
        let local = self.table.tz().and_then(|zone| calendar::local(zone, number.checked_mul(unit)?));
        match (style % 5, local.filter(|at| (1..=9999).contains(&chrono::Datelike::year(at)))) {
            (1, Some(at)) => format!("TIMESTAMP '{}'", calendar::format("yyyy-MM-dd HH:mm:ss.SSS", at)),
            (2, Some(at)) => format!("'{}'", calendar::format("yyyy-MM-dd HH:mm:ss", at)),
            (3, Some(at)) => format!("DATE '{}'", calendar::format("yyyy-MM-dd", at)),
            _ => number_constant(number, style / 5),
        }
    }

    fn pattern(&self, field: usize, leaf: &Leaf) -> String {
        let kind = &self.table.fields[field].kind;
        let text = text_of(kind, &self.cell(field, &leaf.constants[0]));
        let chars: Vec<char> = text.chars().collect();
        let count = (usize::from(leaf.operator) % 4).min(chars.len());
        if leaf.style % 8 == 7 {
            let end: String = chars[chars.len() - count..].iter().collect();
            return quoted(&format!("%{end}"));
        }
        let start: String = chars[..count].iter().collect();
        let rest = ["%", "\\%", "_%", "", "\\\\%", "_", "%%a", "!%"][usize::from(leaf.style / 3) % 8];
        // With and without escapes, by the usual character and by another one.
        let escaped =
            |escape: &str| start.replace('_', &format!("{escape}_")).replace('%', &format!("{escape}%"));
        match leaf.constants[0].1 % 4 {
            0 => quoted(&(start + rest)),
            1 => format!("{} ESCAPE '!'", quoted(&(escaped("!") + rest))),
            2 => format!("{} ESCAPE '\\\\'", quoted(&(escaped("\\") + rest))),
            // A backslash before a wildcard stays in a Hive literal.
            _ => {
                let start = start.replace('\\', "\\\\").replace('_', "\\_").replace('%', "\\%");
                format!("'{}{}'", start.replace('\'', "\\'"), rest.replace('\\', "\\\\"))
            }
        }
    }

    fn other_field(&self, leaf: &Leaf, index: usize) -> usize {
        let count = self.table.fields.len();
        (index + 1 + usize::from(leaf.style) % count.max(2).saturating_sub(1)) % count
    }

    fn tuple(&self, leaf: &Leaf, index: usize, operator: &str) -> String {
        let other = self.other_field(leaf, index);
        let (a, b) = (self.table.fields[index].name, self.table.fields[other].name);
        let (x, y) = (self.constant(index, &leaf.constants[0]), self.constant(other, &leaf.constants[1]));
        format!("({a}, {b}) {operator} ({x}, {y})")
    }

    /// Rows of values with columns, with nested rows, with fields on both sides.
    fn rows(&self, leaf: &Leaf, index: usize, operator: &str, not: &str) -> String {
        let other = self.other_field(leaf, index);
        let (a, b) = (self.table.fields[index].name, self.table.fields[other].name);
        let constant =
            |field: usize, at: usize| self.constant(field, &leaf.constants[at % leaf.constants.len()]);
        let (x, y, z) = (constant(index, 0), constant(other, 1), constant(index, 2));
        match leaf.style / 3 % 11 {
            0 => format!("({a}, amount) {operator} ({x}, 3)"),
            1 => format!("(amount, {a}) {operator} (3, {x})"),
            2 => format!("({a}, {b}, amount) {operator} ({x}, {y}, 3)"),
            3 => format!("({a}, amount) {not}IN (({x}, 2), ({z}, 3))"),
            4 => format!("({a}, ({b}, amount)) {operator} ({x}, ({y}, 2))"),
            5 => format!("(amount, {b}) {operator} (2, {b})"),
            6 => format!("({a}, 3) {operator} ({x}, amount)"),
            7 => format!("({a}, {b}) {not}IN (({x}, {y}), ({z}, {b}))"),
            8 => format!("({a}, amount) {not}BETWEEN ({x}, 1) AND ({z}, 3)"),
            9 => format!("(({a}, {b}), amount) {not}IN ((({x}, {y}), 1), (({z}, {b}), 3))"),
            _ => format!("({a}, {b}) <=> ({x}, {y})"),
        }
    }

    fn tuple_list(&self, leaf: &Leaf, index: usize, not: &str) -> String {
        let other = self.other_field(leaf, index);
        let (a, b) = (self.table.fields[index].name, self.table.fields[other].name);
        let pairs: Vec<String> = leaf
            .constants
            .windows(2)
            .map(|pair| format!("({}, {})", self.constant(index, &pair[0]), self.constant(other, &pair[1])))
            .collect();
        format!("({a}, {b}) {not}IN ({})", pairs.join(", "))
    }

    fn function(&self, field: &Field, leaf: &Leaf, operator: &str, cell: &Cell) -> String {
        let name = field.name;
        let style = leaf.constants[0].1;
        let count = i64::from(leaf.constants[1].1 % 4) + 1;
        match (&field.kind, cell) {
            (Kind::Text { .. }, Cell::Text(text)) => {
                text_function(name, text, leaf.style, style, count, operator)
            }
            (Kind::Calendar { pattern }, Cell::At(at)) if leaf.style.is_multiple_of(4) => {
                let stored = calendar::format(pattern, *at);
                let start: String = stored.chars().take(count as usize * 2).collect();
                match leaf.style / 4 % 5 {
                    4 if style.is_multiple_of(2) => {
                        format!("substr({name}, 1, {}) LIKE {}", count * 2, quoted(&(start + "%")))
                    }
                    4 => {
                        let end: String = stored.chars().skip(stored.len() - 2).collect();
                        match style / 2 % 3 {
                            0 => format!("substr({name}, -2) {operator} {}", quoted(&end)),
                            1 => format!("right({name}, 2) {operator} {}", quoted(&end)),
                            _ => format!(
                                "reverse({name}) {operator} {}",
                                quoted(&stored.chars().rev().collect::<String>())
                            ),
                        }
                    }
                    0 => format!(
                        "cast({name} as string) {operator} {}",
                        calendar_constant(pattern, *at, style)
                    ),
                    1 => format!(
                        "cast({name} as bigint) {operator} {}",
                        calendar_constant(pattern, *at, style)
                    ),
                    2 => format!("substr({name}, 1, {}) {operator} {}", count * 2, quoted(&start)),
                    _ => format!("left({name}, {}) {operator} {}", count * 2, start.parse().unwrap_or(7)),
                }
            }
            (Kind::Calendar { .. }, Cell::At(at)) => date_function(name, *at, leaf.style, style, operator),
            (Kind::Epoch { unit, .. }, Cell::Number(number)) => {
                let at = self.table.tz().and_then(|zone| calendar::local(zone, number.checked_mul(*unit)?));
                let at = at.unwrap_or_default();
                if !leaf.style.is_multiple_of(3) {
                    return date_function(name, at, leaf.style / 3, style, operator);
                }
                let seconds = match (unit, leaf.style / 3 % 3) {
                    (1, 0) => format!("floor({name} / 1000)"),
                    (1, 1) => format!("cast({name} / 1000 as bigint)"),
                    (1, _) => format!("{name} / 1000"),
                    _ => name.to_string(),
                };
                let pattern = DATE_PATTERNS[usize::from(style) % DATE_PATTERNS.len()];
                format!(
                    "from_unixtime({seconds}, '{pattern}') {operator} '{}'",
                    calendar::format(pattern, at)
                )
            }
            (_, Cell::Number(number)) => match leaf.style % 2 {
                0 => format!("cast({name} as bigint) {operator} {}", number_constant(*number, style)),
                _ => format!("{name} + 1 {operator} {}", number_constant(*number, 0)),
            },
            other => panic!("{other:?}"),
        }
    }
}

const DATE_PATTERNS: [&str; 7] =
    ["yyyyMM", "yyyyMMdd", "yyyy-MM-dd", "yyyy", "yyyyMMddHH", "ddMMyyyy", "yyyy-MM"];

fn date_function(name: &str, at: NaiveDateTime, form: u8, style: u8, operator: &str) -> String {
    let print = |pattern| calendar::format(pattern, at);
    let pattern = DATE_PATTERNS[usize::from(style) % DATE_PATTERNS.len()];
    let text = print(pattern);
    let day = print("yyyy-MM-dd");
    let year = print("yyyy").trim_start_matches('0').to_string();
    let (month, quarter) = (print("MM"), at.month0() / 3 + 1);
    let first = format!("{}-01", print("yyyy-MM"));
    match form % 20 {
        15 => match style % 6 {
            0 => format!("last_day({name}) {operator} '{day}'"),
            1 => format!("last_day({name}) {operator} '{}'", print("yyyy-MM")),
            2 => format!("trunc({name}, 'MM') {operator} '{first}'"),
            3 => format!("trunc({name}, '{}') {operator} '{day}'", ["YY", "Q"][usize::from(style / 6) % 2]),
            4 => format!("next_day({name}, 'MO') {operator} '{day}'"),
            _ => format!("trunc({name}, 'MM') IN ('{first}', '{day}', '2020-04-01')"),
        },
        16 => match style % 4 {
            0 => format!("add_months({name}, {}) {operator} '{day}'", i64::from(style) / 4 % 30 - 14),
            1 => format!("add_months(last_day({name}), 1) {operator} '{day}'"),
            2 => format!("date_format(add_months({name}, -1), 'yyyyMM') {operator} '{}'", print("yyyyMM")),
            _ => format!("to_date(last_day({name})) {operator} DATE '{day}'"),
        },
        17 => match style % 5 {
            0 => format!("year({name}) * 100 + month({name}) {operator} {year}{month}"),
            1 => format!("year({name}) * 100 + month({name}) BETWEEN {year}{month} AND {year}12"),
            2 => format!(
                "year({name}) * 10000 + month({name}) * 100 + day({name}) {operator} {year}{}",
                print("MMdd")
            ),
            3 => format!("year({name}) * 4 + quarter({name}) {operator} {}", at.year() * 4 + quarter as i32),
            _ => format!("quarter({name}) IN ({quarter}, {})", style % 7),
        },
        18 => match style % 5 {
            0 => format!("concat(year({name}), month({name})) {operator} '{year}{}'", at.month()),
            1 => {
                format!("concat(year({name}), '-', lpad(month({name}), 2, '0')) {operator} '{year}-{month}'")
            }
            2 => format!("concat(month({name}), '/', year({name})) IN ('{}/{year}', '1/2020')", at.month()),
            3 => format!("concat(year({name}), 'Q', quarter({name})) {operator} '{year}Q{quarter}'"),
            _ => format!(
                "concat(year({name}), month({name}), day({name})) = '{year}{}{}'",
                at.month(),
                at.day()
            ),
        },
        19 => match style % 3 {
            0 => format!("month({name}) * 100 + day({name}) {operator} {}", at.month() * 100 + at.day()),
            1 => format!("date_format({name}, 'MM') {operator} '{month}'"),
            _ => format!(
                "concat(lpad(month({name}), 2, '0'), lpad(day({name}), 2, '0')) {operator} '{}'",
                print("MMdd")
            ),
        },
        11 => match style % 4 {
            0 => format!("date_add({name}, 2) {operator} '{}'", moved(at, 2)),
            1 => format!("date_sub({name}, {style}) {operator} DATE '{}'", moved(at, -i64::from(style))),
            2 => format!("date_add(to_date({name}), -1) {operator} '{}'", print("yyyy-MM-dd HH:mm:ss")),
            _ => format!(
                "date_sub(date_add({name}, 40), 1) {operator} TIMESTAMP '{}'",
                print("yyyy-MM-dd HH:mm:ss")
            ),
        },
        12 => match style % 4 {
            0 => format!("datediff({name}, '{day}') {operator} {}", style / 4 % 3),
            1 => format!("datediff('{day}', {name}) {operator} {}", style / 4 % 3),
            2 => format!("datediff(date_add({name}, 3), DATE '2020-04-06') {operator} 1.5"),
            _ => format!("datediff('2020-04-06', date_sub({name}, 3)) IN (-3.5, 0, {style})"),
        },
        13 => format!("nvl({name}, '2020-01-01') {operator} '{day}'"),
        14 => format!("coalesce({name}, DATE '2020-01-01', '20200101') {operator} DATE '{day}'"),
        0 => format!("year({name}) {operator} {}", print("yyyy").trim_start_matches('0')),
        1 => format!(
            "year({name}) {operator} '{}'",
            [print("yyyy"), "3".into(), print("yyyy-MM-dd")][usize::from(style) % 3]
        ),
        2 => format!("month({name}) {operator} {}", print("MM").trim_start_matches('0')),
        3 => format!("day({name}) {operator} {}", print("dd").trim_start_matches('0')),
        4 => match style % 3 {
            0 => format!("to_date({name}) {operator} '{}'", print("yyyy-MM-dd")),
            1 => format!("cast({name} as date) {operator} DATE '{}'", print("yyyy-MM-dd")),
            _ => format!("to_date({name}) {operator} '{}'", print("yyyy-MM-dd HH:mm:ss")),
        },
        5 => format!("date_format({name}, '{pattern}') {operator} '{}'", print("yyyy-MM-dd")),
        6 if !text.contains('-') => {
            format!(
                "cast(date_format({name}, '{pattern}') as int) {operator} {}",
                text.trim_start_matches('0')
            )
        }
        6 => format!("date_format({name}, '{pattern}') {operator} '{}'", text.get(..4).unwrap_or(&text)),
        7 => format!("hour({name}) {operator} {}", at.hour()),
        8 => format!("60 * minute({name}) + second({name}) {operator} {}", 60 * at.minute() + at.second()),
        9 => match style % 3 {
            0 => format!("quarter({name}) {operator} {}", at.month0() / 3 + 1),
            1 => format!("dayofweek({name}) {operator} {}", at.weekday().num_days_from_sunday() + 1),
            _ => format!("weekofyear({name}) {operator} {}", at.iso_week().week()),
        },
        _ => format!("date_format({name}, '{pattern}') {operator} '{text}'"),
    }
}

/// A day some days later.
fn moved(at: NaiveDateTime, days: i64) -> String {
    let day = at.date() + chrono::Duration::days(days);
    if (1..=9999).contains(&day.year()) { day.to_string() } else { "2020-04-06".into() }
}

fn text_function(name: &str, text: &str, form: u8, style: u8, count: i64, operator: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let taken = (count as usize).min(chars.len());
    let start: String = chars[..taken].iter().collect();
    let end: String = chars[chars.len() - taken..].iter().collect();
    let reversed: String = chars.iter().rev().collect();
    let reversed_start: String = chars.iter().rev().take(taken).collect();
    match form % 12 {
        0 => format!("substr({name}, 1, {count}) {operator} {}", quoted(&start)),
        1 => format!("left({name}, {count}) {operator} {}", quoted(text)),
        2 => format!("substr({name}, -{count}) {operator} {}", quoted(&end)),
        3 => format!("substr({name}, -{count}) IN ({}, {})", quoted(&end), quoted(&start)),
        4 => format!("reverse({name}) {operator} {}", quoted(&reversed)),
        5 => format!("left(reverse({name}), {count}) {operator} {}", quoted(&reversed_start)),
        6 => format!("lower({name}) {operator} {}", quoted(&text.to_lowercase())),
        7 => format!("cast({name} as string) {operator} {}", text_constant(text, style)),
        8 => format!("cast({name} as bigint) {operator} {}", text_constant(text, style)),
        9 => format!("length({name}) {operator} {count}"),
        10 => format!("substr({name}, 0, {count}) LIKE {}", quoted(&(start + "%"))),
        _ => format!("right({name}, {count}) {operator} {}", quoted(&end)),
    }
}

fn column(leaf: &Leaf, operator: &str) -> String {
    match leaf.style % 15 {
        0 => "status = 'ok'".into(),
        1 => "status IS NULL".into(),
        2 => format!("amount {operator} 3"),
        3 => "amount NOT IN (1, NULL)".into(),
        4 => "status LIKE 'o%'".into(),
        5 => format!("status {operator} 'bad'"),
        6 => "status IN ('bad', 'odd')".into(),
        7 => "amount BETWEEN 2 AND 7".into(),
        8 => "status <=> NULL".into(),
        9 => "status IS DISTINCT FROM 'ok'".into(),
        10 => "(status = 'ok') IS NOT TRUE".into(),
        11 => format!("coalesce(status, 'ok') {operator} 'ok'"),
        12 => "(amount <=> 3) <=> FALSE".into(),
        13 => "CASE WHEN status = 'ok' THEN 1 ELSE 2 END = 2".into(),
        _ => "amount = '1'".into(),
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

fn text_constant(text: &str, style: u8) -> String {
    let first = text.chars().next();
    match style % 8 {
        1 => quoted(&format!("{text}!")),
        2 => quoted(&format!("{text}~")),
        3 => quoted(&text.chars().take(1).collect::<String>()),
        4 if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => {
            text.parse::<i64>().map_or(quoted(text), |n| n.to_string())
        }
        5 if first.is_some() => format!(
            "concat({}, {})",
            quoted(&text[..first.map_or(0, char::len_utf8)]),
            quoted(&text[first.map_or(0, char::len_utf8)..])
        ),
        _ => quoted(text),
    }
}

fn number_constant(number: i64, style: u8) -> String {
    let wide = i128::from(number);
    match style % 10 {
        1 => format!("'{number}'"),
        2 => format!("{wide}.0"),
        3 => format!("{wide}.5"),
        4 => format!("({} + 1)", wide - 1),
        5 => format!("{}", wide + 1),
        6 => format!("{}", wide - 1),
        7 => format!("' {number} '"),
        8 => format!("'{number}.5'"),
        _ => number.to_string(),
    }
}

fn calendar_constant(pattern: &str, at: NaiveDateTime, style: u8) -> String {
    let own = calendar::format(pattern, at);
    match style % 9 {
        1 if calendar::is_digits(pattern) => own.trim_start_matches('0').to_string(),
        2 => format!("'{}'", calendar::format("yyyy-MM-dd", at)),
        3 => format!("DATE '{}'", calendar::format("yyyy-MM-dd", at)),
        4 => format!("TIMESTAMP '{}'", calendar::format("yyyy-MM-dd HH:mm:ss", at)),
        5 => format!("'{}'", &own[..own.len() - 1]),
        6 => format!("'{own}x'"),
        7 if calendar::is_digits(pattern) => format!("'{}99'", &own[..own.len() - 2]),
        // Outside, Hive's calendar differs or ends.
        8 if (1583..9999).contains(&at.year()) => {
            format!("date_add('{}', 1)", calendar::format("yyyy-MM-dd", at))
        }
        _ => format!("'{own}'"),
    }
}

/// The text that `LIKE` sees.
fn text_of(kind: &Kind, cell: &Cell) -> String {
    match (kind, cell) {
        (_, Cell::Text(text)) => text.clone(),
        (Kind::Calendar { pattern }, Cell::At(at)) => calendar::format(pattern, *at),
        (_, Cell::Number(number)) => number.to_string(),
        other => panic!("{other:?}"),
    }
}
