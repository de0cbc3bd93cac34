//! Random predicates: a shape without names, which shrinks well, and becomes a condition on a given table.

use chrono::{Datelike as _, NaiveDateTime, Timelike as _};
use proptest::prelude::*;
use proptest::sample::Index;

use saltplan_sql::ast::BinaryOperator::{self, Eq, Gt, GtEq, IntegerDivide, Lt, LtEq, NotEq, NullSafeEq};
use saltplan_sql::ast::{Expr, Literal, Type};

use crate::build::{
    Sql, call, case, column, conjunction, date, disjunction, null, number, row, text, timestamp, truth,
};
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

/// Makes the conditions on one table; `pools` are the values of its rows.
#[derive(Debug)]
pub struct Conditions<'a> {
    pub table: &'a Table,
    pub pools: &'a [Vec<Cell>],
}

const OPERATORS: [BinaryOperator; 6] = [Eq, Lt, LtEq, Gt, GtEq, NotEq];

fn amount() -> Sql {
    column("amount")
}

fn status() -> Sql {
    column("status")
}

impl Conditions<'_> {
    pub fn sql(&self, shape: &Shape) -> Sql {
        let each = |arms: &[Shape]| arms.iter().map(|arm| self.sql(arm)).collect();
        match shape {
            Shape::And(arms) => conjunction(each(arms)),
            Shape::Or(arms) => disjunction(each(arms)),
            Shape::Not(inner) => self.sql(inner).negated(),
            Shape::Leaf(leaf) => self.leaf(leaf),
        }
    }

    fn name(&self, index: usize) -> Sql {
        column(self.table.fields[index].name)
    }

    /// Pairs of conditions with the same meaning: a list and its alternatives, a range and its two bounds.
    pub fn same(&self, leaf: &Leaf) -> [(Sql, Sql); 4] {
        let index = leaf.field.index(self.table.fields.len());
        let name = || self.name(index);
        let constants: Vec<Sql> = leaf.constants.iter().map(|choice| self.constant(index, choice)).collect();
        let each = |operator: BinaryOperator| {
            constants.iter().map(|constant| name().op(operator, constant.clone())).collect()
        };
        let (low, high) = (&constants[0], &constants[1]);
        let is_number = matches!(self.table.fields[index].kind, Kind::Integer { .. });
        // For a number and a text, BETWEEN compares doubles, which differ from sixteen digits on, while a
        // comparison compares numbers.
        let bound = |bound: &Sql| match &bound.0 {
            Expr::Literal(Literal::Text(digits))
                if is_number && digits.len() > 15 && digits.parse::<f64>().is_ok() =>
            {
                number(digits)
            }
            _ => bound.clone(),
        };
        let between = |negated| name().between(negated, low.clone(), high.clone());
        [
            (name().is_in(false, constants.clone()), disjunction(each(Eq))),
            (name().is_in(true, constants.clone()), conjunction(each(NotEq))),
            (
                name().between(false, bound(low), bound(high)),
                name().op(GtEq, bound(low)).and(bound(high).op(GtEq, name())),
            ),
            // In Hive `a < NULL OR a > 1` contains more: after a NULL, BETWEEN ignores the upper bound.
            (between(true), between(false).negated()),
        ]
    }

    fn leaf(&self, leaf: &Leaf) -> Sql {
        let index = leaf.field.index(self.table.fields.len());
        let field = &self.table.fields[index];
        let name = || self.name(index);
        let operator = OPERATORS[usize::from(leaf.operator) % OPERATORS.len()];
        let negated = leaf.style.is_multiple_of(3);
        let constant = |at: usize| self.constant(index, &leaf.constants[at % leaf.constants.len()]);
        match leaf.form % 30 {
            0..=4 => name().op(operator, constant(0)),
            5 => constant(0).op(operator, name()),
            6 | 7 => {
                let mut list: Vec<Sql> = (0..leaf.constants.len()).map(constant).collect();
                match leaf.style % 8 {
                    0 => list.push(null()),
                    1 => list.push(list[0].clone()),
                    2 => list.clear(),
                    _ => {}
                }
                name().is_in(negated, list)
            }
            8 | 9 => name().between(negated, constant(0), constant(1)),
            10 | 11 => self.pattern(index, leaf, negated),
            12 | 13 => {
                let other = self.other_field(leaf, index);
                let pair = |pair: &[(Index, u8)]| {
                    row([self.constant(index, &pair[0]), self.constant(other, &pair[1])])
                };
                let both = row([name(), self.name(other)]);
                match leaf.form % 30 {
                    12 => both.op(operator, pair(&leaf.constants)),
                    _ => both.is_in(negated, leaf.constants.windows(2).map(pair)),
                }
            }
            14..=16 => self.function(field, leaf, operator, &self.cell(index, &leaf.constants[0])),
            17 => on_columns(leaf, operator),
            18 => match leaf.style % 5 {
                0 => name().is(None, false),
                1 => name().is(None, true),
                2 => name().op(operator, constant(0)).is(None, negated),
                3 => truth(true),
                _ => null().equals(number(1)),
            },
            19 => {
                // Often an equality, through which constants are propagated.
                let operator = if leaf.style.is_multiple_of(2) { Eq } else { operator };
                name().op(operator, column(self.other_name(leaf, index)))
            }
            20 => match leaf.style % 4 {
                0 => name().op(NullSafeEq, constant(0)),
                1 => constant(0).op(NullSafeEq, name()),
                2 => name().is_distinct_from(false, constant(0)),
                _ => name().is_distinct_from(true, constant(0)),
            },
            21 => self.truth_test(leaf, index, operator),
            22 | 23 => self.arithmetic(leaf, index, operator),
            24 => self.choice(leaf, index, operator),
            25 => self.turned(leaf, index, negated),
            26 | 27 => self.start(leaf, index, negated),
            _ => self.rows(leaf, index, operator, negated),
        }
    }

    /// A condition on a field, or on a field and a column.
    fn part(&self, leaf: &Leaf, index: usize, operator: BinaryOperator) -> Sql {
        let constant = |at: usize| self.constant(index, &leaf.constants[at % leaf.constants.len()]);
        let compared = || self.name(index).op(operator, constant(0));
        match leaf.style / 8 % 6 {
            0 => self.name(index).is_in(false, [constant(0), constant(1)]),
            1 => compared().and(amount().op(Lt, number(3))),
            2 => compared().or(status().equals(text("ok"))),
            3 => compared().negated(),
            4 => self.name(index).between(false, constant(0), constant(1)),
            _ => compared(),
        }
    }

    fn truth_test(&self, leaf: &Leaf, index: usize, operator: BinaryOperator) -> Sql {
        const TESTS: [fn(Sql) -> Sql; 12] = [
            |part| part.is(Some(true), false),
            |part| part.is(Some(true), true),
            |part| part.is(Some(false), false),
            |part| part.is(Some(false), true),
            |part| part.is(None, false),
            |part| part.is(None, true),
            |part| part.op(Eq, truth(true)),
            |part| part.op(Eq, truth(false)),
            |part| part.op(NotEq, truth(true)),
            |part| part.op(NullSafeEq, truth(true)),
            |part| part.op(NullSafeEq, truth(false)),
            |part| part.op(NotEq, truth(false)),
        ];
        let test = leaf.constants[0].0.get(&TESTS);
        test(self.part(leaf, index, operator).bracketed())
    }

    fn arithmetic(&self, leaf: &Leaf, index: usize, operator: BinaryOperator) -> Sql {
        let name = || self.name(index);
        let (Kind::Integer { .. } | Kind::Epoch { .. }, Cell::Number(value)) =
            (&self.table.fields[index].kind, self.cell(index, &leaf.constants[0]))
        else {
            let condition = name().op(operator, self.constant(index, &leaf.constants[0]));
            return condition.is(Some(false), true);
        };
        let wide = i128::from(value);
        let odd = [0, 1, 2, 3, 5, 7, 10, 1_000, 86_400, i128::from(i32::MAX), i128::from(i64::MAX)];
        let by = *leaf.constants[1].0.get(&odd);
        let off = i128::from(leaf.constants[1].1 % 3) - 1;
        let half = |value: i128| number(format!("{value}.5"));
        if leaf.constants[1].1.is_multiple_of(4) {
            let compared = |left: Sql, right: i128| left.op(operator, number(right));
            return match leaf.style % 8 {
                0 => compared(call("round", [name(), number(-1)]), wide / 10 * 10 + 10 * off),
                1 => compared(call("round", [name() / number(by + 2)]), wide / (by + 2) + off),
                2 => compared(call("sign", [name()]), off),
                3 => compared(call("negative", [name()]), off - wide),
                4 => compared(call("greatest", [name(), number(by)]), wide + off),
                5 => compared(call("least", [name(), number(by)]), wide + off),
                6 => call("greatest", [name(), number(by), number(wide - 5)]).between(
                    false,
                    number(by),
                    number(wide + by),
                ),
                _ => compared(name().cast(Type::Int), wide + off)
                    .or(name().cast(Type::BigInt).equals(number(by))),
            };
        }
        match (leaf.style % 24, leaf.style / 24 % 4) {
            (16, 0) => return (name() + number("0.5")).op(operator, half(wide)),
            (16, 1) => {
                let right = number(format!("{}.25", by - wide));
                return (number(format!("{by}.25")) - name()).op(operator, right);
            }
            (16, 2) => return (name() * number("1.5") - number("0.25")).op(operator, half(wide)),
            (16, _) => {
                let product = (name() - number("2.5")) * number(-2);
                return product.between(false, number(off - 2 * wide), number(5 - 2 * wide));
            }
            (17, 0) => return (name() % number(by + 1)).op(operator, number(wide % (by + 1))),
            (17, _) => {
                let right = number(wide.rem_euclid(by + 1));
                return call("pmod", [name(), number(by + 1)]).op(operator, right);
            }
            (18, test) => {
                let digits = value.to_string();
                let start = &digits[..=usize::from(leaf.constants[0].1) % digits.len()];
                let as_text = || name().cast(Type::String);
                return match test {
                    0 => as_text().op(operator, text(start)),
                    1 => as_text().like(false, text(format!("{start}%")), None),
                    2 => name().like(true, text(format!("{start}_%")), None),
                    _ => {
                        let same = name().is_in(false, [text(&digits)]);
                        same.or(as_text().between(false, text(start), text("5")))
                    }
                };
            }
            (19, _) => return call("nvl", [name(), number(by)]).op(operator, number(wide)),
            _ => {}
        }
        let divisor = by.max(1);
        let (left, right) = match leaf.style % 24 {
            20 => (call("abs", [name()]), wide.abs()),
            21 => (call("abs", [number(by) - name()]), (by - wide).abs()),
            22 => (number(2) * call("abs", [name() / number(2)]) - number(by), wide.abs() - by),
            23 => (-call("abs", [name().op(IntegerDivide, number(3)) + number(by)]), -(wide / 3 + by).abs()),
            0 => (name() + number(by), wide + by),
            1 => (number(by) + name(), wide + by),
            2 => (name() - number(by), wide - by),
            3 => (number(by) - name(), by - wide),
            4 => (-name(), -wide),
            5 => (name() * number(by), wide * by),
            6 => (name() * number(-(by + 1)), -wide * (by + 1)),
            7 => (name() / number(by), wide / divisor),
            8 => (name().op(IntegerDivide, number(by)), wide / divisor),
            9 => (name().op(IntegerDivide, -number(by)), -wide / divisor),
            10 => (call("floor", [name() / number(by)]), wide.div_euclid(divisor)),
            11 => (call("ceil", [name() / number(by)]), wide / divisor),
            12 => ((name() / number(by)).cast(Type::BigInt), wide / divisor),
            13 => (name().cast(Type::Int), wide),
            14 => (name().cast(Type::Double), wide),
            _ => (call("nvl", [name(), number(by)]) * number(2) - number(1), wide * 2 - 1),
        };
        let right = right + off;
        match leaf.style / 16 % 4 {
            0 => left.is_in(false, [number(right), number(right + 1), number(by)]),
            1 => left.between(false, number(right - 3), number(right)),
            2 => half(right).op(operator, left),
            _ => left.op(operator, number(right)),
        }
    }

    fn choice(&self, leaf: &Leaf, index: usize, operator: BinaryOperator) -> Sql {
        let name = || self.name(index);
        let constant = |at: usize| self.constant(index, &leaf.constants[at % leaf.constants.len()]);
        let part = self.part(leaf, index, operator);
        let amount_is = |value: i128| amount().equals(number(value));
        match leaf.style % 6 {
            0 => case(None, [(part, number(1)), (amount_is(2), number(2))], Some(number(3)))
                .op(operator, number(2)),
            1 => case(Some(name()), [(constant(0), text("x")), (constant(1), text("y"))], None)
                .equals(text("y")),
            2 => call("if", [part, name().equals(constant(1)), amount_is(3)]),
            3 => call("if", [part, text("x"), text("y")]).equals(text("y")),
            4 => case(
                None,
                [(amount_is(2), name().equals(constant(1))), (part, truth(false))],
                Some(truth(true)),
            ),
            _ => case(None, [(part, null())], Some(number(1))).equals(number(1)).is(Some(true), true),
        }
    }

    /// With the constant in the middle and the field as a bound.
    fn turned(&self, leaf: &Leaf, index: usize, negated: bool) -> Sql {
        let (a, b) = (self.name(index), self.name(self.other_field(leaf, index)));
        let constant = self.constant(index, &leaf.constants[0]);
        match leaf.style / 3 % 4 {
            0 => constant.between(negated, a, b),
            1 => constant.between(negated, a, amount()),
            2 => constant.is_in(negated, [a, b]),
            _ => a.between(negated, constant, b),
        }
    }

    fn start(&self, leaf: &Leaf, index: usize, negated: bool) -> Sql {
        let kind = &self.table.fields[index].kind;
        let name = || self.name(index);
        let whole = text_of(kind, &self.cell(index, &leaf.constants[0]));
        let chars: Vec<char> = whole.chars().collect();
        let start: String = chars[..(usize::from(leaf.operator) % 4).min(chars.len())].iter().collect();
        let starts = |operand: Sql, rest: &str| operand.like(negated, text(format!("{start}{rest}")), None);
        if !matches!(kind, Kind::Text { .. }) {
            return starts(name(), "%");
        }
        let count = || number(leaf.constants[1].1 % 4 + 1);
        let escaped: String = start
            .chars()
            .flat_map(|c| c.is_ascii_punctuation().then_some('\\').into_iter().chain([c]))
            .collect();
        let second = if escaped.is_empty() { "b" } else { &escaped };
        let matches = |pattern: String| name().rlike(negated, pattern);
        let is_one_of = |operand: Sql| operand.is_in(negated, [text(&whole), text(&start)]);
        match leaf.style / 3 % 16 {
            0 => matches(format!("^{escaped}")),
            1 => matches(format!("^{escaped}.*")),
            2 => matches(format!("^({escaped}|a.|xy)$")),
            3 => matches(format!("^{escaped}a*b")),
            4 => matches(format!("\\A{escaped}[ab0-3]")),
            5 => matches(format!("^{escaped}|^{second}+")),
            6 => matches(format!("{escaped}a?")),
            7 => matches(format!("^(a|{second})?[^b]")),
            8 if negated => call("instr", [name(), text(&start)]).equals(number(1)),
            8 => number(1).op(NotEq, call("instr", [name(), text(&start)])),
            9 => call("locate", [text(&start), name()]).equals(number(1)),
            10 => starts(call("nvl", [name(), text("x")]), "%"),
            11 => is_one_of(call("coalesce", [name(), text("x"), text("")])),
            12 => starts(call("substr", [name(), number(1), count()]), "%"),
            13 => starts(call("left", [name(), count()]), "_%"),
            14 => name().like(negated, call("concat", [text(&start), text("%")]), None),
            _ => is_one_of(call("substr", [name(), number(1)])),
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

    /// A conjunction as its conditions: one for each field, `TRUE` for a field without a condition.
    pub fn box_of(&self, leaves: &[Leaf]) -> Vec<Sql> {
        let by_field = leaves.iter().take(self.table.fields.len()).enumerate();
        by_field.map(|(index, leaf)| self.side(leaf, index)).collect()
    }

    /// A condition on a field, or `TRUE`: single values, or a range.
    fn side(&self, leaf: &Leaf, index: usize) -> Sql {
        let name = self.name(index);
        // As the field has them.
        let plain = match self.table.fields[index].kind {
            Kind::Text { .. } => 7,
            Kind::Calendar { .. } | Kind::Integer { .. } => 9,
            Kind::Epoch { .. } => 45,
        };
        let constant = |at: usize| self.constant(index, &(leaf.constants[at].0, plain));
        match leaf.form % 8 {
            0 => truth(true),
            1..=3 => name.equals(constant(0)),
            4 | 5 => name.is_in(false, (0..leaf.constants.len()).map(constant)),
            6 => name.op([Lt, LtEq, Gt, GtEq][usize::from(leaf.style) % 4], constant(0)),
            // The last constant and the first.
            _ => name.between(false, constant(0), constant(leaf.constants.len() - 1)),
        }
    }

    /// Usually a value that rows of this universe have.
    fn cell(&self, field: usize, choice: &(Index, u8)) -> Cell {
        choice.0.get(&self.pools[field]).clone()
    }

    fn constant(&self, field: usize, choice: &(Index, u8)) -> Sql {
        if choice.1.is_multiple_of(16) {
            const ODD: [fn() -> Sql; 12] = [
                null,
                || text(""),
                || text("zz"),
                || number("1.5"),
                || number(-1),
                || number(0),
                || text("20200231"),
                || number("1e30"),
                || date("2020-04-06"),
                || text("99999999999999999999999999999999999999999"),
                || timestamp("2020-04-06 10:20:30"),
                || number("-1e30"),
            ];
            return choice.0.get(&ODD)();
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

    fn epoch_constant(&self, number: i64, unit: i64, style: u8) -> Sql {
        let local = self.table.tz().and_then(|zone| calendar::local(zone, number.checked_mul(unit)?));
        match (style % 5, local.filter(|at| (1..=9999).contains(&at.year()))) {
            (1, Some(at)) => timestamp(calendar::format("yyyy-MM-dd HH:mm:ss.SSS", at)),
            (2, Some(at)) => text(calendar::format("yyyy-MM-dd HH:mm:ss", at)),
            (3, Some(at)) => date(calendar::format("yyyy-MM-dd", at)),
            _ => number_constant(number, style / 5),
        }
    }

    /// `field [NOT] LIKE pattern`
    fn pattern(&self, field: usize, leaf: &Leaf, negated: bool) -> Sql {
        let like = |pattern: String, escape| self.name(field).like(negated, text(pattern), escape);
        let kind = &self.table.fields[field].kind;
        let whole = text_of(kind, &self.cell(field, &leaf.constants[0]));
        let chars: Vec<char> = whole.chars().collect();
        let count = (usize::from(leaf.operator) % 4).min(chars.len());
        if leaf.style % 8 == 7 {
            let end: String = chars[chars.len() - count..].iter().collect();
            return like(format!("%{end}"), None);
        }
        let start: String = chars[..count].iter().collect();
        let rest = ["%", "\\%", "_%", "", "\\\\%", "_", "%%a", "!%"][usize::from(leaf.style / 3) % 8];
        // With and without escapes, by the usual character and by another one.
        let escaped = |escape: &str| {
            start.replace('_', &format!("{escape}_")).replace('%', &format!("{escape}%")) + rest
        };
        match leaf.constants[0].1 % 4 {
            0 => like(start + rest, None),
            1 => like(escaped("!"), Some("!")),
            2 => like(escaped("\\"), Some("\\")),
            _ => like(escaped("\\"), None),
        }
    }

    fn other_field(&self, leaf: &Leaf, index: usize) -> usize {
        let count = self.table.fields.len();
        (index + 1 + usize::from(leaf.style) % count.max(2).saturating_sub(1)) % count
    }

    /// Rows of values with columns, with nested rows, with fields on both sides.
    fn rows(&self, leaf: &Leaf, index: usize, operator: BinaryOperator, negated: bool) -> Sql {
        let other = self.other_field(leaf, index);
        let (a, b) = (|| self.name(index), || self.name(other));
        let constant =
            |field: usize, at: usize| self.constant(field, &leaf.constants[at % leaf.constants.len()]);
        let (x, y, z) = (constant(index, 0), constant(other, 1), constant(index, 2));
        match leaf.style / 3 % 11 {
            0 => row([a(), amount()]).op(operator, row([x, number(3)])),
            1 => row([amount(), a()]).op(operator, row([number(3), x])),
            2 => row([a(), b(), amount()]).op(operator, row([x, y, number(3)])),
            3 => row([a(), amount()]).is_in(negated, [row([x, number(2)]), row([z, number(3)])]),
            4 => row([a(), row([b(), amount()])]).op(operator, row([x, row([y, number(2)])])),
            5 => row([amount(), b()]).op(operator, row([number(2), b()])),
            6 => row([a(), number(3)]).op(operator, row([x, amount()])),
            7 => row([a(), b()]).is_in(negated, [row([x, y]), row([z, b()])]),
            8 => row([a(), amount()]).between(negated, row([x, number(1)]), row([z, number(3)])),
            9 => {
                let items = [row([row([x, y]), number(1)]), row([row([z, b()]), number(3)])];
                row([row([a(), b()]), amount()]).is_in(negated, items)
            }
            _ => row([a(), b()]).op(NullSafeEq, row([x, y])),
        }
    }

    fn function(&self, field: &Field, leaf: &Leaf, operator: BinaryOperator, cell: &Cell) -> Sql {
        let name = || column(field.name);
        let style = leaf.constants[0].1;
        let count = i64::from(leaf.constants[1].1 % 4) + 1;
        match (&field.kind, cell) {
            (Kind::Text { .. }, Cell::Text(text)) => {
                text_function(field.name, text, leaf.style, style, count, operator)
            }
            (Kind::Calendar { pattern }, Cell::At(at)) if leaf.style.is_multiple_of(4) => {
                let stored = calendar::format(pattern, *at);
                let start: String = stored.chars().take(count as usize * 2).collect();
                let end: String = stored.chars().skip(stored.len() - 2).collect();
                let count = || number(count * 2);
                let constant = || calendar_constant(pattern, *at, style);
                let substr = || call("substr", [name(), number(1), count()]);
                match leaf.style / 4 % 5 {
                    4 if style.is_multiple_of(2) => substr().like(false, text(start + "%"), None),
                    4 => match style / 2 % 3 {
                        0 => call("substr", [name(), number(-2)]).op(operator, text(end)),
                        1 => call("right", [name(), number(2)]).op(operator, text(end)),
                        _ => {
                            let reversed: String = stored.chars().rev().collect();
                            call("reverse", [name()]).op(operator, text(reversed))
                        }
                    },
                    0 => name().cast(Type::String).op(operator, constant()),
                    1 => name().cast(Type::BigInt).op(operator, constant()),
                    2 => substr().op(operator, text(start)),
                    _ => {
                        let right = number(start.parse().unwrap_or(7_i64));
                        call("left", [name(), count()]).op(operator, right)
                    }
                }
            }
            (Kind::Calendar { .. }, Cell::At(at)) => {
                date_function(field.name, *at, leaf.style, style, operator)
            }
            (Kind::Epoch { unit, .. }, Cell::Number(value)) => {
                let at = self.table.tz().and_then(|zone| calendar::local(zone, value.checked_mul(*unit)?));
                let at = at.unwrap_or_default();
                if !leaf.style.is_multiple_of(3) {
                    return date_function(field.name, at, leaf.style / 3, style, operator);
                }
                let seconds = match (unit, leaf.style / 3 % 3) {
                    (1, 0) => call("floor", [name() / number(1000)]),
                    (1, 1) => (name() / number(1000)).cast(Type::BigInt),
                    (1, _) => name() / number(1000),
                    _ => name(),
                };
                let pattern = DATE_PATTERNS[usize::from(style) % DATE_PATTERNS.len()];
                call("from_unixtime", [seconds, text(pattern)])
                    .op(operator, text(calendar::format(pattern, at)))
            }
            (_, Cell::Number(value)) => match leaf.style % 2 {
                0 => name().cast(Type::BigInt).op(operator, number_constant(*value, style)),
                _ => (name() + number(1)).op(operator, number_constant(*value, 0)),
            },
            other => panic!("{other:?}"),
        }
    }
}

const DATE_PATTERNS: [&str; 7] =
    ["yyyyMM", "yyyyMMdd", "yyyy-MM-dd", "yyyy", "yyyyMMddHH", "ddMMyyyy", "yyyy-MM"];

/// A condition on a function of a day or a time; `at` is a value of it.
#[expect(clippy::too_many_lines, reason = "a list of forms")]
fn date_function(name: &str, at: NaiveDateTime, form: u8, style: u8, operator: BinaryOperator) -> Sql {
    let name = || column(name);
    let of = |function: &str| call(function, [name()]);
    let print = |pattern| calendar::format(pattern, at);
    let pattern = DATE_PATTERNS[usize::from(style) % DATE_PATTERNS.len()];
    let printed = print(pattern);
    let (day, second) = (print("yyyy-MM-dd"), print("yyyy-MM-dd HH:mm:ss"));
    let without_zeros = |digits: String| digits.trim_start_matches('0').to_string();
    let year = without_zeros(print("yyyy"));
    let (month, quarter) = (print("MM"), at.month0() / 3 + 1);
    let of_month = |digits: &str| number(format!("{year}{digits}"));
    let month_of = |value: Sql| call("trunc", [value, text("MM")]);
    let formatted = |value: Sql, pattern: &str| call("date_format", [value, text(pattern)]);
    let padded = |value: Sql| call("lpad", [value, number(2), text("0")]);
    let year_month = || of("year") * number(100) + of("month");
    match form % 20 {
        15 => match style % 6 {
            0 => of("last_day").op(operator, text(day)),
            1 => of("last_day").op(operator, text(print("yyyy-MM"))),
            2 => month_of(name()).op(operator, text(print("yyyy-MM") + "-01")),
            3 => {
                let unit = ["YY", "Q"][usize::from(style / 6) % 2];
                call("trunc", [name(), text(unit)]).op(operator, text(day))
            }
            4 => call("next_day", [name(), text("MO")]).op(operator, text(day)),
            _ => {
                let first = print("yyyy-MM") + "-01";
                month_of(name()).is_in(false, [text(first), text(day), text("2020-04-01")])
            }
        },
        16 => match style % 4 {
            0 => call("add_months", [name(), number(i64::from(style) / 4 % 30 - 14)]).op(operator, text(day)),
            1 => call("add_months", [of("last_day"), number(1)]).op(operator, text(day)),
            2 => formatted(call("add_months", [name(), number(-1)]), "yyyyMM")
                .op(operator, text(print("yyyyMM"))),
            _ => call("to_date", [of("last_day")]).op(operator, date(day)),
        },
        17 => match style % 5 {
            0 => year_month().op(operator, of_month(&month)),
            1 => year_month().between(false, of_month(&month), of_month("12")),
            2 => {
                let sum = of("year") * number(10_000) + of("month") * number(100) + of("day");
                sum.op(operator, of_month(&print("MMdd")))
            }
            3 => {
                let right = number(at.year() * 4 + quarter as i32);
                (of("year") * number(4) + of("quarter")).op(operator, right)
            }
            _ => of("quarter").is_in(false, [number(quarter), number(style % 7)]),
        },
        18 => match style % 5 {
            0 => {
                call("concat", [of("year"), of("month")]).op(operator, text(format!("{year}{}", at.month())))
            }
            1 => call("concat", [of("year"), text("-"), padded(of("month"))])
                .op(operator, text(format!("{year}-{month}"))),
            2 => call("concat", [of("month"), text("/"), of("year")])
                .is_in(false, [text(format!("{}/{year}", at.month())), text("1/2020")]),
            3 => call("concat", [of("year"), text("Q"), of("quarter")])
                .op(operator, text(format!("{year}Q{quarter}"))),
            _ => call("concat", [of("year"), of("month"), of("day")]).equals(text(format!(
                "{year}{}{}",
                at.month(),
                at.day()
            ))),
        },
        19 => match style % 3 {
            0 => {
                let right = number(at.month() * 100 + at.day());
                (of("month") * number(100) + of("day")).op(operator, right)
            }
            1 => formatted(name(), "MM").op(operator, text(month)),
            _ => call("concat", [padded(of("month")), padded(of("day"))]).op(operator, text(print("MMdd"))),
        },
        11 => match style % 4 {
            0 => call("date_add", [name(), number(2)]).op(operator, text(moved(at, 2))),
            1 => call("date_sub", [name(), number(style)]).op(operator, date(moved(at, -i64::from(style)))),
            2 => call("date_add", [of("to_date"), number(-1)]).op(operator, text(second)),
            _ => call("date_sub", [call("date_add", [name(), number(40)]), number(1)])
                .op(operator, timestamp(second)),
        },
        12 => match style % 4 {
            0 => call("datediff", [name(), text(day)]).op(operator, number(style / 4 % 3)),
            1 => call("datediff", [text(day), name()]).op(operator, number(style / 4 % 3)),
            2 => call("datediff", [call("date_add", [name(), number(3)]), date("2020-04-06")])
                .op(operator, number("1.5")),
            _ => call("datediff", [text("2020-04-06"), call("date_sub", [name(), number(3)])])
                .is_in(false, [number("-3.5"), number(0), number(style)]),
        },
        13 => call("nvl", [name(), text("2020-01-01")]).op(operator, text(day)),
        14 => call("coalesce", [name(), date("2020-01-01"), text("20200101")]).op(operator, date(day)),
        0 => of("year").op(operator, number(year)),
        1 => {
            let years = [print("yyyy"), "3".into(), day];
            of("year").op(operator, text(&years[usize::from(style) % 3]))
        }
        2 => of("month").op(operator, number(without_zeros(month))),
        3 => of("day").op(operator, number(without_zeros(print("dd")))),
        4 => match style % 3 {
            0 => of("to_date").op(operator, text(day)),
            1 => name().cast(Type::Date).op(operator, date(day)),
            _ => of("to_date").op(operator, text(second)),
        },
        5 => formatted(name(), pattern).op(operator, text(day)),
        6 if !printed.contains('-') => {
            formatted(name(), pattern).cast(Type::Int).op(operator, number(without_zeros(printed)))
        }
        6 => formatted(name(), pattern).op(operator, text(printed.get(..4).unwrap_or(&printed))),
        7 => {
            let hour = || formatted(name(), "HH");
            match style % 6 {
                0 => of("hour").op(operator, number(at.hour())),
                1 => of("to_date").equals(text(day)).and(of("hour").op(operator, number(at.hour()))),
                2 => of("to_date").equals(text(day)).and(hour().op(operator, text(print("HH")))),
                3 => {
                    let days = of("to_date").between(false, text(&day), text(moved(at, 2)));
                    days.and(hour().is_in(style > 100, [text(print("HH")), text("01"), text("02")]))
                }
                4 => {
                    let day = of("day").op(operator, number(at.day()));
                    let minute = formatted(name(), "HH:mm").op(operator, text(print("HH:mm")));
                    Sql::all([
                        of("year").equals(number(year)),
                        of("month").equals(number(at.month())),
                        day,
                        minute,
                    ])
                }
                _ if style > 100 => {
                    let parts = [text("d="), formatted(name(), "yyyyMMdd"), text("/"), text("'h="), hour()];
                    let printed = format!("d={}/'h={}", print("yyyyMMdd"), print("HH"));
                    call("concat", parts).op(operator, text(printed))
                }
                _ => call("concat", [formatted(name(), "yyyyMMdd"), hour()])
                    .op(operator, text(print("yyyyMMddHH"))),
            }
        }
        8 => {
            let right = number(60 * at.minute() + at.second());
            (number(60) * of("minute") + of("second")).op(operator, right)
        }
        9 => match style % 3 {
            0 => of("quarter").op(operator, number(quarter)),
            1 => of("dayofweek").op(operator, number(at.weekday().num_days_from_sunday() + 1)),
            _ => of("weekofyear").op(operator, number(at.iso_week().week())),
        },
        _ => formatted(name(), pattern).op(operator, text(printed)),
    }
}

/// A day some days later.
fn moved(at: NaiveDateTime, days: i64) -> String {
    let day = at.date() + chrono::Duration::days(days);
    if (1..=9999).contains(&day.year()) { day.to_string() } else { "2020-04-06".into() }
}

fn text_function(name: &str, value: &str, form: u8, style: u8, count: i64, operator: BinaryOperator) -> Sql {
    let name = || column(name);
    let chars: Vec<char> = value.chars().collect();
    let taken = (count as usize).min(chars.len());
    let start: String = chars[..taken].iter().collect();
    let end: String = chars[chars.len() - taken..].iter().collect();
    let reversed: String = chars.iter().rev().collect();
    let reversed_start: String = chars.iter().rev().take(taken).collect();
    let reverse = || call("reverse", [name()]);
    let last = || call("substr", [name(), number(-count)]);
    match form % 12 {
        0 => call("substr", [name(), number(1), number(count)]).op(operator, text(start)),
        1 => call("left", [name(), number(count)]).op(operator, text(value)),
        2 => last().op(operator, text(end)),
        3 => last().is_in(false, [text(end), text(start)]),
        4 => reverse().op(operator, text(reversed)),
        5 => call("left", [reverse(), number(count)]).op(operator, text(reversed_start)),
        6 => call("lower", [name()]).op(operator, text(value.to_lowercase())),
        7 => name().cast(Type::String).op(operator, text_constant(value, style)),
        8 => name().cast(Type::BigInt).op(operator, text_constant(value, style)),
        9 => call("length", [name()]).op(operator, number(count)),
        10 => call("substr", [name(), number(0), number(count)]).like(false, text(start + "%"), None),
        _ => call("right", [name(), number(count)]).op(operator, text(end)),
    }
}

/// A condition on the columns that are not in the key.
fn on_columns(leaf: &Leaf, operator: BinaryOperator) -> Sql {
    let is_ok = || status().equals(text("ok"));
    match leaf.style % 15 {
        0 => is_ok(),
        1 => status().is(None, false),
        2 => amount().op(operator, number(3)),
        3 => amount().is_in(true, [number(1), null()]),
        4 => status().like(false, text("o%"), None),
        5 => status().op(operator, text("bad")),
        6 => status().is_in(false, [text("bad"), text("odd")]),
        7 => amount().between(false, number(2), number(7)),
        8 => status().op(NullSafeEq, null()),
        9 => status().is_distinct_from(false, text("ok")),
        10 => is_ok().is(Some(true), true),
        11 => call("coalesce", [status(), text("ok")]).op(operator, text("ok")),
        12 => amount().op(NullSafeEq, number(3)).bracketed().op(NullSafeEq, truth(false)),
        13 => case(None, [(is_ok(), number(1))], Some(number(2))).equals(number(2)),
        _ => amount().equals(text("1")),
    }
}

fn text_constant(value: &str, style: u8) -> Sql {
    let first = value.chars().next();
    match style % 8 {
        1 => text(format!("{value}!")),
        2 => text(format!("{value}~")),
        3 => text(value.chars().take(1).collect::<String>()),
        4 if !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()) => {
            value.parse::<i64>().map_or(text(value), number)
        }
        5 if first.is_some() => {
            let (first, rest) = value.split_at(first.map_or(0, char::len_utf8));
            call("concat", [text(first), text(rest)])
        }
        // With a sign that the field need not have, in the place of a character or behind all of them.
        6 => {
            let kept = value.chars().count() * usize::from(style / 8 % 3) / 2;
            let (sign, end) =
                ([".", "-", " ", ":", "/"][usize::from(style / 24 % 5)], ["", "0"][usize::from(style / 128)]);
            text(value.chars().take(kept).collect::<String>() + sign + end)
        }
        _ => text(value),
    }
}

fn number_constant(value: i64, style: u8) -> Sql {
    let wide = i128::from(value);
    match style % 10 {
        1 => text(value.to_string()),
        2 => number(format!("{wide}.0")),
        3 => number(format!("{wide}.5")),
        4 => (number(wide - 1) + number(1)).bracketed(),
        5 => number(wide + 1),
        6 => number(wide - 1),
        7 => text(format!(" {value} ")),
        8 => text(format!("{value}.5")),
        _ => number(value),
    }
}

fn calendar_constant(pattern: &str, at: NaiveDateTime, style: u8) -> Sql {
    let own = calendar::format(pattern, at);
    let day = calendar::format("yyyy-MM-dd", at);
    match style % 9 {
        1 if calendar::is_digits(pattern) => number(own.trim_start_matches('0')),
        2 => text(day),
        3 => date(day),
        4 => timestamp(calendar::format("yyyy-MM-dd HH:mm:ss", at)),
        5 => text(&own[..own.len() - 1]),
        6 => text(own + "x"),
        7 if calendar::is_digits(pattern) => text(format!("{}99", &own[..own.len() - 2])),
        // Outside, Hive's calendar differs or ends.
        8 if (1583..9999).contains(&at.year()) => call("date_add", [text(day), number(1)]),
        _ => text(own),
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
