//! Conditions on pieces of the row key, spelled over the key as people do on a mapping table, and evaluated over the text of each key.
//!
//! The speller knows nothing of what the planner recognises: it takes places of the key, often those where parts begin, cuts there with
//! Hive's functions, and compares with what the same expression gives for another key, often with a change. The oracle evaluates the
//! condition over the whole key as a text, in which bytes that are no text are U+FFFD, as for Hive. Every key for which it is true must
//! be in the ranges.
//!
//! Of keys that do not fit the layout (too short, too long, with other characters) less is promised: a condition that asks for all pieces
//! but some, as `<>` does, leaves out none of them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use saltplan_core::analyze::analyze;
use saltplan_core::analyze::bind::{Setting, bind, written_node};
use saltplan_core::key::range::KeyRanges;
use saltplan_core::pieces::{MappingScope, recognise};
use saltplan_core::plan::{Options, Plan, PlanKind, plan};
use saltplan_core::schema::load;
use saltplan_document::diag::Source;
use saltplan_sql::Parsed;
use saltplan_sql::ast::{BinaryOperator, Expr, Literal, Node, Type};

use crate::build::{Sql, call, case, column, number, text, truth};
use crate::check::Random;
use crate::sql::{Row, V, holds};
use crate::table::{Cell, Table};

/// The keys of a universe.
const MAX_KEYS: usize = 60;

/// What a case has shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseResult {
    /// All keys are read.
    Everything,
    Ranges,
    /// The planner refuses it.
    Nothing,
}

/// A case of the law: the conditions of one table that a seed spells.
///
/// # Errors
/// A key for which a condition is true is in no range.
pub fn check(table: &Table, seed: u64, count: usize) -> Result<Vec<CaseResult>, String> {
    let mut random = Random(seed);
    let table = &with_wide_separators(table, &mut random);
    let mut yaml = table.yaml() + "hive:\n  mapping: { table: m, key_column: rowkey }\n";
    let types = ["type: date,", "type: date, hive_type: string,", "type: date, hive_type: date,"];
    yaml = yaml.replace(types[0], types[random.below(3)]);
    // Not every format has every type.
    let Ok(loaded) = load(&Source::new("schema", yaml.clone())) else { return Ok(Vec::new()) };
    let schema = loaded.schema;
    let keys = keys(table, &mut random);
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let wrong = wrong_keys(&keys, &mut random);
    let mut shown = Vec::new();
    for _ in 0..count {
        let base = &keys[random.below(keys.len())];
        let mut speller = Speller {
            table,
            keys: &keys,
            places: &base.places,
            key: base,
            random: &mut random,
            of_salt: true,
        };
        let condition = speller.condition(2).0;
        // Two comparisons may contradict each other.
        let asked = asked_for(&condition);
        let is_of_salt = speller.of_salt && table.salt.is_some() && asked == Some(Asked::Some);
        let bound = bind(&Node::from(condition.clone()), &MappingScope(&schema), Setting::Query(None));
        let found = recognise(&schema, bound);
        let tree = written_node(&found.tree);
        let source = Source::new("condition", condition.to_string());
        let parsed = Parsed { source, tree, warnings: Vec::new(), runtime: BTreeMap::new() };
        let Ok(analysis) = analyze(&schema, &parsed) else {
            shown.push(CaseResult::Nothing);
            continue;
        };
        if !analysis.rejected.is_empty() {
            shown.push(CaseResult::Nothing);
            continue;
        }
        let planned = plan(&schema, &analysis, Options::default());
        let of_key = analysis.key_ranges.clone().unwrap_or_else(KeyRanges::all);
        let fail = |what: String| {
            let tree = &parsed.tree.expr;
            Err(format!("{what}\n  {condition}\n= {tree}\n{}\n{yaml}", outline(&planned)))
        };
        if is_of_salt && parsed.tree.expr == truth(false).0 {
            return fail("a condition on the salt alone is never true".into());
        }
        // As the doors read it: without a field, conditions on the whole key only.
        let is_read = |key: &Key| match found.names_fields() {
            true => {
                planned.kind == PlanKind::FullScan
                    || planned.branches.iter().any(|branch| branch.range.contains(&key.bytes))
            }
            false => of_key.contains(&key.bytes),
        };
        if let Some(key) = keys.iter().find(|key| !is_read(key) && key.holds(&condition)) {
            return fail(format!("the key {:?} is not read", key.text));
        }
        // The doors read all keys if no key that fits is left.
        let is_left_out = asked == Some(Asked::AllBut) && planned.kind != PlanKind::Empty;
        if is_left_out && let Some(key) = wrong.iter().find(|key| !is_read(key) && key.holds(&condition)) {
            return fail(format!("the wrong key {:?} is not read", key.text));
        }
        shown.push(if planned.kind == PlanKind::FullScan {
            CaseResult::Everything
        } else {
            CaseResult::Ranges
        });
    }
    Ok(shown)
}

fn outline(plan: &Plan) -> String {
    let mut text = String::new();
    for branch in plan.branches.iter().take(5) {
        let _ = writeln!(text, "{:?}", branch.range);
    }
    text
}

/// What a single condition asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// Some values.
    Some,
    /// All values but some, of a piece that is not the whole key.
    AllBut,
}

/// What a condition asks for; `None` if it is one of several.
fn asked_for(condition: &Expr) -> Option<Asked> {
    use BinaryOperator::{DistinctFrom, NotEq};
    let is_key = |value: &Expr| matches!(value.unnested(), Expr::Column(_));
    let of = |value: &Expr, all_but: bool| {
        // A piece of the key, and nothing else of it.
        Some(if all_but && !is_key(value) { Asked::AllBut } else { Asked::Some })
    };
    match condition {
        Expr::Nested(inner) => asked_for(&inner.expr),
        Expr::BinaryOp { left, op, .. } => of(&left.expr, matches!(op, NotEq | DistinctFrom)),
        Expr::InList { expr, negated, .. }
        | Expr::Between { expr, negated, .. }
        | Expr::Like { expr, negated, .. }
        | Expr::RLike { expr, negated, .. } => of(&expr.expr, *negated),
        Expr::Is { value: None, .. } => Some(Asked::Some),
        _ => None,
    }
}

/// Some separators as characters of two UTF-16 units.
fn with_wide_separators(table: &Table, random: &mut Random) -> Table {
    let mut table = table.clone();
    if random.below(6) == 0 {
        table
            .fields
            .iter_mut()
            .filter(|field| matches!(field.then, "~" | "|"))
            .for_each(|field| field.then = "😀");
    }
    table
}

/// Keys that do not fit the layout, but may look as if they did.
fn wrong_keys(keys: &[Key], random: &mut Random) -> Vec<Key> {
    let mut wrong = Vec::new();
    for key in keys.iter().take(WRONG_KEYS) {
        let length = key.bytes.len();
        let mut bytes = key.bytes.clone();
        match random.below(4) {
            0 => bytes.truncate(random.below(length)),
            1 => bytes.extend(b"0x"),
            2 => bytes[random.below(length)] = b"x9_~"[random.below(4)],
            // A salt that no table has.
            _ => drop(bytes.splice(..1.min(length), *b"zz")),
        }
        if !bytes.is_empty() {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            wrong.push(Key { bytes, text, places: Vec::new() });
        }
    }
    wrong
}

/// The wrong keys of a universe.
const WRONG_KEYS: usize = 20;

/// A key with its text, and the places in characters where its parts begin and end.
struct Key {
    bytes: Vec<u8>,
    text: String,
    places: Vec<usize>,
}

impl Key {
    /// The names that conditions use: `hex(rowkey)` shows bytes that are no text.
    fn values(&self) -> Vec<(String, V)> {
        let digits = self.bytes.iter().fold(String::new(), |mut digits, byte| {
            let _ = write!(digits, "{byte:02X}");
            digits
        });
        vec![("rowkey".into(), V::Text(self.text.clone())), ("hex".into(), V::Text(digits))]
    }

    fn holds(&self, condition: &Expr) -> bool {
        holds(&with_digits(condition), &Row { values: &self.values(), zone: None })
    }

    fn eval(&self, value: &Expr) -> V {
        Row { values: &self.values(), zone: None }.eval(&with_digits(value))
    }
}

/// `hex(rowkey)` as a column of its own.
fn with_digits(expr: &Expr) -> Expr {
    let mut node = Node::from(expr.clone());
    saltplan_sql::rewrite::replace(&mut node, &mut |part| match &part.expr {
        Expr::Call(call) if call.name == "hex" => Some(column("hex").0),
        _ => None,
    });
    node.expr
}

fn keys(table: &Table, random: &mut Random) -> Vec<Key> {
    let pools: Vec<Vec<Cell>> = (0..table.fields.len()).map(|index| table.pool(index)).collect();
    let mut keys = Vec::new();
    for _ in 0..MAX_KEYS {
        let mut row: Vec<Cell> = pools.iter().map(|pool| pool[random.below(pool.len())].clone()).collect();
        table.complete(&mut row);
        let all = table.keys(&row);
        let bytes = all[random.below(all.len())].clone();
        if bytes.is_empty() {
            continue;
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        // From the end: what comes first is the salt.
        let mut places = vec![text.chars().count()];
        for index in (0..table.fields.len()).rev().filter(|index| table.fields[*index].stored) {
            let own = table.fields[index].kind.stored(&row[index]).len();
            let then = if table.has_separator(index) { table.fields[index].then.chars().count() } else { 0 };
            let end = places.last().copied().unwrap_or(0).saturating_sub(then);
            places.extend([end, end.saturating_sub(own)]);
        }
        places.push(0);
        keys.push(Key { bytes, text, places });
    }
    keys
}

struct Speller<'s> {
    table: &'s Table,
    keys: &'s [Key],
    places: &'s [usize],
    key: &'s Key,
    random: &'s mut Random,
    /// Whether all that was spelled is within the salt.
    of_salt: bool,
}

impl Speller<'_> {
    fn one_of<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.random.below(of.len())].clone()
    }

    fn is_it(&mut self, one_in: usize) -> bool {
        self.random.below(one_in) == 0
    }

    fn condition(&mut self, depth: usize) -> Sql {
        let inner = depth.saturating_sub(1);
        match (depth, self.random.below(8)) {
            (1.., 0) => self.condition(inner).and(self.condition(inner)),
            (1.., 1) => self.condition(inner).or(self.condition(inner)).bracketed(),
            (1.., 2) => self.condition(inner).bracketed().negated(),
            (1.., 3) => self.condition(inner).bracketed().is(Some(true), true),
            _ => self.comparison(),
        }
    }

    fn comparison(&mut self) -> Sql {
        if self.is_it(5) {
            let pattern = self.pattern();
            let negated = self.is_it(3);
            return match self.is_it(4) {
                true => column("rowkey").rlike(negated, regex_of(&pattern)),
                false => column("rowkey").like(negated, text(pattern), None),
            };
        }
        let value = self.value();
        use BinaryOperator::{DistinctFrom, Eq, Gt, GtEq, Lt, LtEq, NotEq, NullSafeEq};
        let operator = self.one_of(&[Eq, Eq, Eq, NotEq, Lt, LtEq, Gt, GtEq, NullSafeEq, DistinctFrom]);
        let negated = self.is_it(3);
        match self.random.below(8) {
            0 => {
                let mut list: Vec<Sql> = (0..3).map(|_| self.constant(&value)).collect();
                // A text among numbers, or a number among texts.
                if self.is_it(6) && is_plain_number(&list[0].0) {
                    list[0] = match &list[0].0 {
                        Expr::Literal(Literal::Text(digits)) => {
                            number(digits.parse::<u64>().unwrap_or_default())
                        }
                        digits => text(digits.to_string()),
                    };
                }
                value.is_in(negated, list)
            }
            1 => {
                let (low, high) = (self.constant(&value), self.constant(&value));
                value.between(negated, low, high)
            }
            2 => {
                let constant = self.constant(&value);
                match &constant.0 {
                    Expr::Literal(Literal::Text(start)) if !start.contains(['\\', '%', '_']) => {
                        let start: String = start.chars().take(1 + self.random.below(8)).collect();
                        let end = self.one_of(&["%", "%", "", "_%", "%a"]);
                        value.like(negated, text(format!("{start}{end}")), None)
                    }
                    _ => value.op(operator, constant),
                }
            }
            3 if self.is_it(3) => value.is(None, negated),
            _ => {
                let constant = self.constant(&value);
                if self.is_it(6) && operator == Eq {
                    constant.op(operator, value)
                } else {
                    value.op(operator, constant)
                }
            }
        }
    }

    /// A pattern with the characters of a key, some of them as `_`.
    fn pattern(&mut self) -> String {
        let (start, end) = self.span();
        let key: Vec<char> = self.key.text.chars().collect();
        let mut pattern: String = std::iter::repeat_n('_', start).collect();
        pattern.extend(key.iter().take(end).skip(start).filter(|c| !matches!(c, '\\' | '%')));
        self.of_salt = false;
        if self.is_it(4) { pattern } else { pattern + "%" }
    }

    /// Two places of the key.
    fn span(&mut self) -> (usize, usize) {
        let length = self.key.text.chars().count();
        // The first field, whose conditions narrow the ranges most.
        if let [.., end, start, _] = self.places
            && start < end
            && self.is_it(2)
        {
            let all = self.is_it(2);
            return (*start, if all { *end } else { start + 1 + self.random.below(end - start) });
        }
        let place = |random: &mut Random| match random.below(4) {
            0 => random.below(length + 1),
            _ => self.places[random.below(self.places.len())],
        };
        let (a, b) = (place(self.random), place(self.random));
        (a.min(b), a.max(b))
    }

    fn value(&mut self) -> Sql {
        let value = self.text_value();
        // A number of a text that is none is NULL, and a long one is not exact.
        let is_short = matches!(self.key.eval(&value.0), V::Text(text) if text.len() < 16 && !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit()));
        if is_short && self.is_it(4) {
            let to = self.one_of(&[Type::Int, Type::BigInt, Type::Double]);
            return value.cast(to);
        }
        // What people do with a piece before they compare it.
        match self.random.below(28) {
            0 => call(self.one_of(&["upper", "lower", "reverse", "trim"]), [value]),
            1 => call("length", [value]),
            2 => call(self.one_of(&["coalesce", "nvl"]), [value, text("0")]),
            3 => value.cast(Type::String),
            4 => call("concat", [value, text(self.one_of(&["", "0", "_"]))]),
            5 => {
                let constant = self.constant(&value);
                case(None, [(value.clone().equals(constant), value)], self.is_it(2).then(|| text("0")))
            }
            6 => {
                let constant = self.constant(&value);
                call("if", [value.clone().op(BinaryOperator::GtEq, constant), value, text("0")])
            }
            _ => value,
        }
    }

    fn text_value(&mut self) -> Sql {
        let key = || column("rowkey");
        let (start, end) = self.span();
        let (from, count) = (number(start + 1), number((end - start).max(1)));
        // Where the first field begins.
        let salt = self.places.iter().rev().nth(1).copied().unwrap_or(0);
        let form = self.random.below(14);
        if form > 4 || end.max(start + 1) > salt {
            self.of_salt = false;
        }
        let separators: Vec<&str> = self
            .table
            .fields
            .iter()
            .map(|field| field.then)
            .chain(self.table.salt.iter().map(|salt| salt.then))
            .filter(|then| then.chars().count() == 1 && !then.contains('\0'))
            .chain(["_"])
            .collect();
        let separator = self.one_of(&separators);
        match form {
            0..=4 => call(self.one_of(&["substr", "substring"]), [key(), from, count]),
            5 => call("substr", [key(), from]),
            6 => {
                let rest = call("substr", [key(), number(start / 2 + 1)]);
                call("substr", [rest, number(start - start / 2 + 1), count])
            }
            7 => {
                let middle = usize::midpoint(start, end);
                let one = call("substr", [key(), from, number((middle - start).max(1))]);
                let two = call("substr", [key(), number(middle + 1), number((end - middle).max(1))]);
                let between = self.one_of(&["", "", "-", "/"]);
                call("concat", [one, text(between), two])
            }
            8 => {
                let pattern = match separator.chars().next() {
                    Some(c) if c.is_ascii_punctuation() => self
                        .one_of(&[format!("[{c}]"), format!("\\{c}")])
                        .replace("[^]", "\\^")
                        .replace("[\\]", "\\\\"),
                    _ => separator.to_string(),
                };
                let array = call("split", [key(), text(pattern)]);
                let index = self.random.below(3);
                Sql(Expr::Element { expr: array.0.into(), index: number(index).0.into() })
            }
            9 => {
                let count = self.one_of(&[1, 1, 2, -1]);
                call("substring_index", [key(), text(separator), number(count)])
            }
            10 => {
                let place = match self.is_it(2) {
                    true => call("instr", [key(), text(separator)]),
                    false => call("locate", [text(separator), key()]),
                };
                if self.is_it(3) {
                    return call("substr", [key(), number(1), place.op(BinaryOperator::Minus, number(1))]);
                }
                let plus = self.one_of(&[1, 1, 2]);
                call("substr", [key(), place.op(BinaryOperator::Plus, number(plus))])
            }
            // From the end of the key.
            11 => {
                let length = self.key.text.encode_utf16().count();
                let from = length.saturating_sub(start).max(1);
                match self.is_it(2) {
                    true => call("substr", [key(), -number(from), count]),
                    false => call("substr", [key(), -number(from)]),
                }
            }
            // Pieces of pieces.
            12 => {
                let piece = call("substr", [key(), from, count]);
                let one = call("substr", [piece.clone(), number(1), number(1)]);
                let rest = call("substr", [piece.clone(), number(2)]);
                match self.random.below(3) {
                    0 => call("concat", [one, rest]),
                    1 => Sql(Expr::Element {
                        expr: call("split", [piece, text("[?]")]).0.into(),
                        index: number(0).0.into(),
                    }),
                    _ => rest,
                }
            }
            _ => {
                let digits = call("hex", [key()]);
                call("substr", [digits, number(2 * start + 1), number(2 * (end - start).max(1))])
            }
        }
    }

    /// What an expression gives for a key, often with a change.
    fn constant(&mut self, value: &Sql) -> Sql {
        let other = &self.keys[self.random.below(self.keys.len())];
        match other.eval(&value.0) {
            V::Text(found) => {
                let mut found: Vec<char> = found.chars().filter(|c| *c != '\u{FFFD}').collect();
                match self.random.below(9) {
                    0 => drop(found.pop()),
                    1 => found.push(self.one_of(&['0', 'a', '_', '~', '\x7F'])),
                    2 => {
                        if let Some(last) = found.last_mut() {
                            *last = self.one_of(&['0', '5', '9', 'a', '-', '?', '\x7F']);
                        }
                    }
                    3 if self.is_it(3) => found.clear(),
                    _ => {}
                }
                let found: String = found.into_iter().collect();
                // Hive compares a text with a number as numbers.
                let is_short = (1..16).contains(&found.len()) && found.bytes().all(|c| c.is_ascii_digit());
                if is_short && self.is_it(6) {
                    let digits = found.trim_start_matches('0');
                    let behind = match digits {
                        "" => "0",
                        // A double has no more places.
                        _ => self.one_of(&["", "", "", ".0", ".5", ".00000000000000001"]),
                    };
                    return number(format!("{digits}{behind}"));
                }
                text(found)
            }
            V::Number(_) | V::Double(_) => {
                let found = match other.eval(&value.0) {
                    V::Double(found) => found as i64,
                    found => found.whole().unwrap_or_default(),
                };
                number(found.saturating_add(self.one_of(&[0, 0, 0, 1, -1])))
            }
            _ => text("0"),
        }
    }
}

/// A regular expression for the same texts as a pattern of LIKE: its start.
fn regex_of(pattern: &str) -> String {
    let mut regex = String::from("^");
    for c in pattern.trim_end_matches('%').chars() {
        match c {
            '_' => regex.push('.'),
            c if c.is_ascii_punctuation() => regex.extend(['\\', c]),
            c => regex.push(c),
        }
    }
    regex
}

fn is_plain_number(constant: &Expr) -> bool {
    let Expr::Literal(Literal::Text(digits) | Literal::Number(digits)) = constant else { return false };
    (1..16).contains(&digits.len()) && digits.bytes().all(|c| c.is_ascii_digit())
}
