//! Random conditions for tests: their expected structure, and many ways to write them.

use proptest::prelude::*;
use proptest::sample::select;

use super::ast::{Expr, Node, UnaryOperator};
use super::lexer::{tokenize, unescaped};
use super::token::{Token, unquoted};
use super::{Parsed, Subject};
use saltplan_document::diag::Source;

/// The structure of a condition. Its leaves are tokens.
#[derive(Debug, Clone)]
pub enum AskedCondition {
    And(Vec<AskedCondition>),
    Or(Vec<AskedCondition>),
    Not(Box<AskedCondition>),
    Leaf(Vec<Bit>),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Bit {
    /// A keyword, a function, a number, a sign.
    Plain(String),
    Name(String),
    Text(String),
}

pub const COLUMNS: [&str; 4] = ["status", "amount", "flag", "case"];
const TEXTS: [&str; 7] = ["", "x", "it's", "a;b -- c", "/* $ { \" \\ \n", "AND", "5%"];
const NUMBERS: [&str; 7] = ["0", "7", "1.5", "1e3", "10L", "3S", "2.5BD"];

fn plain(text: &str) -> Bit {
    Bit::Plain(text.to_string())
}

fn words(text: &str) -> Vec<Bit> {
    text.split(' ').filter(|word| !word.is_empty()).map(plain).collect()
}

/// Fills the gaps of a form: `?` with values, `#` with conditions.
fn filled(form: &str, values: &[Vec<Bit>], conditions: &[Vec<Bit>]) -> Vec<Bit> {
    let (mut values, mut conditions) = (values.iter().cycle(), conditions.iter().cycle());
    let bits = form.split(' ').flat_map(|word| match word {
        "?" => values.next().cloned().unwrap_or_default(),
        "#" => conditions.next().cloned().unwrap_or_default(),
        word => words(word),
    });
    bits.collect()
}

fn column() -> impl Strategy<Value = Vec<Bit>> {
    select(&COLUMNS[..]).prop_map(|name| vec![Bit::Name(name.to_string())])
}

fn constant() -> impl Strategy<Value = Vec<Bit>> {
    prop_oneof![
        select(&TEXTS[..]).prop_map(|text| vec![Bit::Text(text.to_string())]),
        select(&NUMBERS[..]).prop_map(words),
        Just(vec![plain("DATE"), Bit::Text("2020-04-06".into())]),
        Just(vec![plain("INTERVAL"), Bit::Text("1".into()), plain("DAY")]),
    ]
}

/// Values. Operators in them are inside brackets or functions.
const VALUES: [&str; 16] = [
    "f ( # )",
    "concat ( ? , ? )",
    "if ( # , # , ? )",
    "( ? + ? )",
    "( ? * ? - ? / ? )",
    "( ? IS NULL )",
    "CASE WHEN # THEN ? WHEN # THEN # ELSE ? END",
    "CASE ? WHEN ? THEN # END",
    "cast ( ? AS decimal ( 10 , 2 ) )",
    "cast ( # AS string )",
    "extract ( year FROM f ( ? ) )",
    "floor ( ? TO DAY )",
    "array ( ? , # ) [ ? ]",
    "( # )",
    "( ( ? ) )",
    "f ( DISTINCT ? )",
];

/// Conditions. The first gap gets a column, so that no condition is constant.
const CONDITIONS: [&str; 19] = [
    "? = ?",
    "? == ?",
    "? <> ?",
    "? != ?",
    "? <=> ?",
    "? < ?",
    "? >= ?",
    "? + ? * ? > ?",
    "- ? % ? <= ? | ? & ?",
    "? || ? = ? ^ ?",
    "? DIV ? = ?",
    "? RLIKE ?",
    "? NOT REGEXP ?",
    "? IN ( ? , ? )",
    "? NOT IN ( ? )",
    "? BETWEEN ? AND ?",
    "? NOT BETWEEN ? AND ?",
    "? IS NULL",
    "? IS NOT NULL",
];

/// Conditions that a residual prints in another form: Hive cannot compare rows of values, and its LIKE gives several
/// results for some patterns.
const REWRITTEN: [&str; 4] =
    ["( ? , ? ) = ( ? , ? )", "( ? , ? ) IN ( ( ? , ? ) , ( ? , ? ) )", "? LIKE ?", "? NOT LIKE ?"];

/// All conditions that the parser accepts.
pub fn asked() -> impl Strategy<Value = AskedCondition> {
    asked_of(&[&CONDITIONS[..], &REWRITTEN[..]].concat())
}

/// Conditions that a residual prints in the same form.
pub fn asked_of_hive() -> impl Strategy<Value = AskedCondition> {
    asked_of(&CONDITIONS)
}

fn asked_of(conditions: &[&'static str]) -> impl Strategy<Value = AskedCondition> + use<> {
    let conditions = select(conditions.to_vec());
    let simple = (conditions.clone(), column(), prop::collection::vec(constant(), 8)).prop_map(
        |(form, column, mut parts)| {
            parts.insert(0, column);
            AskedCondition::Leaf(filled(form, &parts, &[]))
        },
    );
    simple.prop_recursive(4, 24, 4, move |inner| {
        let many = |part: BoxedStrategy<Vec<Bit>>| prop::collection::vec(part, 4);
        let simple = prop_oneof![constant(), column()].boxed();
        let bits = inner.clone().prop_map(|asked| asked.bits(false)).boxed();
        let value = (select(&VALUES[..]), many(simple.clone()), many(bits))
            .prop_map(|(form, values, conditions)| filled(form, &values, &conditions));
        let side = prop_oneof![2 => simple, 1 => value].boxed();
        let condition = (conditions.clone(), column(), many(side)).prop_map(|(form, column, mut sides)| {
            sides.insert(0, column);
            AskedCondition::Leaf(filled(form, &sides, &[]))
        });
        prop_oneof![
            2 => condition,
            // The one column that is a condition.
        1 => Just(AskedCondition::Leaf(vec![Bit::Name("flag".into())])),
            3 => prop::collection::vec(inner.clone(), 2..4).prop_map(AskedCondition::And),
            3 => prop::collection::vec(inner.clone(), 2..4).prop_map(AskedCondition::Or),
            2 => inner.prop_map(|asked| AskedCondition::Not(Box::new(asked))),
        ]
    })
}

impl AskedCondition {
    /// The structure of a parsed condition.
    pub fn of(parsed: &Parsed, node: &Node) -> Self {
        let all = |arms: &[Node]| arms.iter().map(|arm| Self::of(parsed, arm)).collect();
        match &node.expr {
            Expr::And(arms) => AskedCondition::And(all(arms)),
            Expr::Or(arms) => AskedCondition::Or(all(arms)),
            Expr::Nested(inner) => Self::of(parsed, inner),
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
                AskedCondition::Not(Box::new(Self::of(parsed, expr)))
            }
            _ => AskedCondition::Leaf(bits_of(&parsed.source.text[node.span.start..node.span.end])),
        }
    }

    /// As text, with as few brackets as the precedence allows, or with many.
    pub fn bits(&self, many: bool) -> Vec<Bit> {
        self.within(0, many)
    }

    /// `place` is the operator around the condition: 0 none, 1 OR, 2 AND, 3 NOT.
    fn within(&self, place: u8, many: bool) -> Vec<Bit> {
        let join = |arms: &[AskedCondition], connective: &str, own: u8| {
            let arms: Vec<Vec<Bit>> = arms.iter().map(|arm| arm.within(own, many)).collect();
            arms.join(&plain(connective))
        };
        let (own, bits) = match self {
            AskedCondition::Or(arms) => (1, join(arms, "OR", 1)),
            AskedCondition::And(arms) => (2, join(arms, "AND", 2)),
            AskedCondition::Not(inner) => (3, [vec![plain("NOT")], inner.within(3, many)].concat()),
            AskedCondition::Leaf(bits) => (4, bits.clone()),
        };
        let needed = own < place || (own == place && own < 3);
        if needed || many { [vec![plain("(")], bits, vec![plain(")")]].concat() } else { bits }
    }

    /// The structure and the conditions on one line.
    pub fn shape(&self) -> String {
        let join = |arms: &[AskedCondition], with: &str| {
            format!("({})", arms.iter().map(AskedCondition::shape).collect::<Vec<_>>().join(with))
        };
        match self {
            AskedCondition::And(arms) => join(arms, " & "),
            AskedCondition::Or(arms) => join(arms, " | "),
            AskedCondition::Not(inner) => format!("!{}", inner.shape()),
            AskedCondition::Leaf(bits) => format!("{{{}}}", leaf_shape(bits)),
        }
    }

    /// The truth of the whole condition, where `of` gives the truth of each leaf.
    pub fn truth(&self, of: &impl Fn(&str) -> Option<bool>) -> Option<bool> {
        match self {
            AskedCondition::And(arms) => arms.iter().map(|arm| arm.truth(of)).fold(Some(true), and),
            AskedCondition::Or(arms) => not(arms.iter().map(|arm| not(arm.truth(of))).fold(Some(true), and)),
            AskedCondition::Not(inner) => not(inner.truth(of)),
            AskedCondition::Leaf(bits) => of(&leaf_shape(bits)),
        }
    }
}

fn bits_of(text: &str) -> Vec<Bit> {
    let source = Source::new("condition", text);
    let tokens = tokenize(&source, Subject::Predicate).unwrap_or_default();
    let bits = tokens.into_iter().map(|placed| match placed.token {
        Token::Quoted(raw) => Bit::Name(unquoted(raw).into_owned()),
        Token::Word(name) if COLUMNS.contains(&name) && name != "case" => Bit::Name(name.to_string()),
        Token::Text(raw) => Bit::Text(unescaped(raw)),
        _ => plain(&text[placed.span.start..placed.span.end]),
    });
    bits.collect()
}

fn leaf_shape(bits: &[Bit]) -> String {
    let bits = bits.iter().map(|bit| match bit {
        Bit::Plain(text) => one_spelling(text),
        Bit::Name(name) => format!("`{name}`"),
        Bit::Text(text) => format!("{text:?}"),
    });
    bits.collect::<Vec<_>>().join(" ")
}

/// A word or a sign as it is printed.
fn one_spelling(text: &str) -> String {
    match text.to_uppercase().as_str() {
        "==" => "=".into(),
        "!=" => "<>".into(),
        "REGEXP" => "RLIKE".into(),
        other => other.to_string(),
    }
}

fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn not(a: Option<bool>) -> Option<bool> {
    a.map(|value| !value)
}

/// Writes tokens with blanks and comments of all kinds between them, names and literals in all their forms.
pub fn written(bits: &[Bit], seed: u64) -> String {
    const GAPS: [&str; 8] =
        [" ", " ", "\n", "\t", " /* ; ' -- */ ", " -- x' (\n", " -- \" AND\r", "/* /* */ ( */"];
    let mut random = seed;
    let mut next = |limit: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(random >> 33).unwrap_or_default() % limit
    };
    let mut text = String::new();
    for bit in bits {
        let bracket = text.ends_with(['(', ')', ','])
            || matches!(bit, Bit::Plain(sign) if "(),".contains(sign.as_str()));
        if !(bracket && next(2) == 0) {
            text.push_str(GAPS[next(GAPS.len())]);
        }
        match bit {
            Bit::Plain(word) if next(3) == 0 => text.push_str(&word.to_lowercase()),
            Bit::Plain(word) => text.push_str(word),
            Bit::Name(name) if next(2) == 0 && name != "case" => text.push_str(name),
            Bit::Name(name) => text.push_str(&format!("`{name}`")),
            Bit::Text(value) => text.push_str(&quoted(value, next(3))),
        }
    }
    text
}

fn quoted(value: &str, style: usize) -> String {
    let escaped = value.replace('\\', "\\\\");
    match style {
        0 => format!("'{}'", escaped.replace('\'', "''")),
        1 => format!("\"{}\"", escaped.replace('"', "\\\"")),
        _ => format!("'{}'", escaped.replace('\'', "\\'").replace('\n', "\\012")),
    }
}
