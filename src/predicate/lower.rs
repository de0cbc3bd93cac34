//! From the syntax tree to [`Predicate`]: names resolved, negations pushed down to the conditions, every condition
//! turned into a set of field values where that is exact.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use sqlparser::ast::{BinaryOperator, Expr, Value as SqlValue};

use super::compare::{Comparer, Comparison, NotUsed, Outcome};
use super::constant::{Constant, fold};
use super::like::{LikePattern, Rest};
use super::parse::{Leaf, Lexeme, Parsed, Tree};
use super::term::{Term, View, recognise};
use super::values::ValueSet;
use super::{Condition, Fragment, Meaning, Piece, Predicate};
use crate::diag::{Diagnostic, Diagnostics, Span};
use crate::schema::model::{Cut, FieldKind, SaltInput, Schema, TextField};

/// A predicate on a schema, and remarks on it.
#[derive(Debug, Clone)]
pub struct Lowered {
    pub predicate: Predicate,
    /// The predicate as written, parameters filled in.
    pub text: Fragment,
    pub warnings: Vec<Diagnostic>,
}

/// Resolves a predicate against a schema.
///
/// # Errors
/// A name that is neither a key field nor a column. Everything else is taken: what the planner cannot use stays as
/// text for the engine.
pub fn lower(schema: &Schema, parsed: &Parsed) -> Result<Lowered, Diagnostics> {
    let salt_inputs = schema.key.salt.as_ref().map(|salt| salt.inputs(&schema.key)).unwrap_or_default();
    let mut lowering = Lowering { schema, parsed, salt_inputs, errors: Vec::new(), warnings: Vec::new() };
    let predicate = lowering.tree(&parsed.tree, true);
    let whole = Span::new(0, parsed.source.text.trim_end().len());
    let names = lowering.all_names(&parsed.tree);
    let text = lowering.fragment(whole, &names);
    if lowering.errors.is_empty() {
        lowering.warnings.dedup();
        Ok(Lowered { predicate, text, warnings: lowering.warnings })
    } else {
        lowering.errors.dedup();
        Err(Diagnostics(lowering.errors))
    }
}

struct Lowering<'a> {
    schema: &'a Schema,
    parsed: &'a Parsed,
    salt_inputs: Vec<SaltInput>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

/// A condition that is true and false for known values of one field.
struct Exact {
    field: usize,
    outcome: Outcome,
}

impl Lowering<'_> {
    /// The rows for which the tree is true (`wanted`) or false.
    fn tree(&mut self, tree: &Tree, wanted: bool) -> Predicate {
        match tree {
            Tree::And(arms) | Tree::Or(arms) => {
                let arms = arms.iter().map(|arm| self.tree(arm, wanted)).collect();
                if matches!(tree, Tree::And(_)) == wanted {
                    Predicate::All(arms)
                } else {
                    Predicate::Any(arms)
                }
            }
            Tree::Not(inner) => self.tree(inner, !wanted),
            Tree::Leaf(leaf) => self.leaf(leaf, wanted),
        }
    }

    fn leaf(&mut self, leaf: &Leaf, wanted: bool) -> Predicate {
        let names = self.parsed.names(&leaf.expr);
        let errors = self.errors.len();
        self.check_names(&names);
        if self.errors.len() > errors {
            return Predicate::never();
        }
        if let Some(truth) = constant_truth(&leaf.expr) {
            return if truth == Some(wanted) { Predicate::always() } else { Predicate::never() };
        }
        if let Some(predicate) = self.tuple(leaf, wanted) {
            return predicate;
        }
        if let Some((operand, wanted_null)) = null_test(&leaf.expr)
            && self.is_never_null(operand)
        {
            return if wanted_null == wanted { Predicate::never() } else { Predicate::always() };
        }
        let text = self.leaf_text(leaf, &names);
        match self.exact(&leaf.expr, leaf.span) {
            Ok(Some(exact)) => self.field_condition(exact, &text, leaf.span, wanted),
            Ok(None) => {
                let reason =
                    self.uses_field(&leaf.expr).then(|| "the planner does not know this form".to_string());
                self.opaque(leaf, text, reason, wanted)
            }
            Err(NotUsed(reason)) => self.opaque(leaf, text, Some(reason), wanted),
        }
    }

    fn field_condition(&self, exact: Exact, text: &Fragment, span: Span, wanted: bool) -> Predicate {
        let kind = &self.schema.key.fields[exact.field].kind;
        let (values, text) =
            if wanted { (exact.outcome.yes, text.clone()) } else { (exact.outcome.no, text.negated()) };
        if values.is_empty() {
            return Predicate::never();
        }
        if values.is_all(kind) {
            return Predicate::always();
        }
        Predicate::condition(Meaning::Field { field: exact.field, values }, text, span)
    }

    /// A condition for the engine, with what it tells about the key beside it.
    fn opaque(&mut self, leaf: &Leaf, text: Fragment, reason: Option<String>, wanted: bool) -> Predicate {
        let text = if wanted { text } else { text.negated() };
        let condition = Predicate::condition(Meaning::Opaque { reason }, text.clone(), leaf.span);
        let hint = match &leaf.expr {
            Expr::Between { expr, negated, low, high } if *negated != wanted => {
                self.bound_hint(expr, low, high, leaf.span)
            }
            expr if wanted => self.hint(expr),
            _ => None,
        };
        match hint {
            Some(meaning) => {
                let hint = Condition { meaning, text, span: leaf.span, implied: true };
                Predicate::All(vec![Predicate::Condition(hint.into()), condition])
            }
            None => condition,
        }
    }

    /// What must hold for a condition that has no exact set of values: the fixed start of a `LIKE` pattern, or the
    /// value of an input of the salt.
    fn hint(&mut self, expr: &Expr) -> Option<Meaning> {
        match expr {
            Expr::Like { negated: false, any: false, expr, pattern, escape_char } => {
                let term = recognise(self.schema, expr)?;
                let pattern = like_pattern(pattern, escape_char.as_deref())?;
                if pattern.prefix.is_empty() || pattern.rest == Rest::Nothing {
                    return None;
                }
                let values = self.comparer(&term).like_prefix(&pattern.prefix)?;
                Some(Meaning::Field { field: term.field, values })
            }
            Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => {
                let (term, constant) = match recognise(self.schema, left) {
                    Some(term) => (term, right),
                    None => (recognise(self.schema, right)?, left),
                };
                self.salt_input_hint(&term, &[constant.as_ref()])
            }
            Expr::InList { expr, list, negated: false } => {
                let term = recognise(self.schema, expr)?;
                self.salt_input_hint(&term, &list.iter().collect::<Vec<_>>())
            }
            _ => None,
        }
    }

    /// The one bound of a `BETWEEN` that has an exact set of values.
    fn bound_hint(&mut self, operand: &Expr, low: &Expr, high: &Expr, span: Span) -> Option<Meaning> {
        let bounds = [(Comparison::GreaterOrEqual, low), (Comparison::LessOrEqual, high)];
        bounds.into_iter().find_map(|(comparison, bound)| {
            let compared =
                self.compare_all(operand, &[(comparison, fold(bound)?)], false, span, Outcome::and);
            let exact = compared.ok()??;
            Some(Meaning::Field { field: exact.field, values: exact.outcome.yes })
        })
    }

    fn salt_input_hint(&self, term: &Term, constants: &[&Expr]) -> Option<Meaning> {
        // The salt sees the stored form.
        let is_reversed = matches!(
            self.schema.key.fields[term.field].kind,
            FieldKind::Text(TextField { reverse: true, .. })
        );
        let (cut, lower) = match term.view {
            View::Suffix(count) if !is_reversed => (Cut::Last(count), false),
            View::Lower => (Cut::Whole, true),
            _ => return None,
        };
        let wanted = SaltInput { field: term.field, cut: cut.clone(), lower };
        let input = self.salt_inputs.iter().position(|input| *input == wanted)?;
        let mut values = BTreeSet::new();
        for constant in constants {
            match fold(constant)? {
                Constant::Text(text) => {
                    // Of a shorter text Hive takes the empty suffix where the salt takes all of it.
                    if matches!(cut, Cut::Last(count) if text.chars().count() != count) {
                        return None;
                    }
                    // Beyond ASCII, lower case may depend on the order of the characters.
                    if is_reversed && !text.is_ascii() {
                        return None;
                    }
                    values.insert(if is_reversed { text.chars().rev().collect() } else { text }.into_bytes());
                }
                Constant::Null => {}
                _ => return None,
            }
        }
        Some(Meaning::SaltInput { input, values })
    }

    fn comparer<'b>(&'b self, term: &'b Term) -> Comparer<'b> {
        Comparer {
            field: &self.schema.key.fields[term.field],
            view: &term.view,
            time_zone: self.schema.time_zone,
            warnings: Vec::new(),
        }
    }

    /// The exact outcome of a condition on one field; `Ok(None)` for a form that is not known.
    fn exact(&mut self, expr: &Expr, span: Span) -> Result<Option<Exact>, NotUsed> {
        match expr {
            Expr::Nested(inner) => self.exact(inner, span),
            Expr::BinaryOp { left, op, right } => {
                let Some((comparison, negated)) = comparison_of(op) else { return Ok(None) };
                let (operand, constant, comparison) = match fold(right) {
                    Some(constant) => (left, constant, comparison),
                    None => match fold(left) {
                        Some(constant) => (right, constant, comparison.flipped()),
                        None => return Ok(None),
                    },
                };
                self.compare_all(operand, &[(comparison, constant)], negated, span, Outcome::and)
            }
            Expr::Between { expr, negated, low, high } => match (fold(low), fold(high)) {
                (Some(low), Some(high)) => {
                    let bounds = [(Comparison::GreaterOrEqual, low), (Comparison::LessOrEqual, high)];
                    self.compare_all(expr, &bounds, *negated, span, Outcome::and)
                }
                _ => Ok(None),
            },
            Expr::InList { expr, list, negated } => {
                let Some(constants) = list.iter().map(fold).collect::<Option<Vec<_>>>() else {
                    return Ok(None);
                };
                let equals: Vec<_> =
                    constants.into_iter().map(|constant| (Comparison::Equal, constant)).collect();
                self.compare_all(expr, &equals, *negated, span, Outcome::or)
            }
            Expr::Like { negated, any: false, expr, pattern, escape_char } => {
                let Some(term) = recognise(self.schema, expr) else { return Ok(None) };
                let Some(pattern) = like_pattern(pattern, escape_char.as_deref()) else { return Ok(None) };
                let mut comparer = self.comparer(&term);
                let outcome = comparer.like(&pattern)?;
                let warnings = comparer.warnings;
                self.warn(warnings, span);
                Ok(Some(Exact { field: term.field, outcome: negate(outcome, *negated) }))
            }
            _ => Ok(None),
        }
    }

    /// Compares one term with several constants and joins the outcomes.
    fn compare_all(
        &mut self,
        operand: &Expr,
        comparisons: &[(Comparison, Constant)],
        negated: bool,
        span: Span,
        join: fn(&Outcome, &Outcome) -> Outcome,
    ) -> Result<Option<Exact>, NotUsed> {
        let Some(term) = recognise(self.schema, operand) else { return Ok(None) };
        let mut comparer = self.comparer(&term);
        let mut outcomes = Vec::with_capacity(comparisons.len());
        for (comparison, constant) in comparisons {
            outcomes.push(comparer.compare(*comparison, constant)?);
        }
        let warnings = comparer.warnings;
        let kind = &self.schema.key.fields[term.field].kind;
        // `IN ()` is true for nothing.
        let nothing = Outcome { yes: ValueSet::none(kind), no: ValueSet::all(kind) };
        let outcome = join_balanced(&outcomes, join).unwrap_or(nothing);
        self.warn(warnings, span);
        Ok(Some(Exact { field: term.field, outcome: negate(outcome, negated) }))
    }

    fn warn(&mut self, warnings: Vec<String>, span: Span) {
        for message in warnings {
            self.warnings.push(Diagnostic::warning(message).at(
                &self.parsed.source,
                span,
                "in this condition",
            ));
        }
    }

    /// `(a, b) op (1, 2)`, `(a, b) IN ((1, 2), …)` and `BETWEEN`, when every comparison in it is exact.
    fn tuple(&mut self, leaf: &Leaf, wanted: bool) -> Option<Predicate> {
        match &leaf.expr {
            Expr::BinaryOp { left, op, right } => {
                let (comparison, negated) = comparison_of(op)?;
                let (operands, constants, comparison) = match (&**left, &**right) {
                    (Expr::Tuple(left), Expr::Tuple(right)) if right.iter().all(|e| fold(e).is_some()) => {
                        (left, right, comparison)
                    }
                    (Expr::Tuple(left), Expr::Tuple(right)) => (right, left, comparison.flipped()),
                    _ => return None,
                };
                self.row_comparison(operands, constants, comparison, leaf.span, wanted != negated)
            }
            Expr::InList { expr, list, negated } => {
                let Expr::Tuple(operands) = &**expr else { return None };
                let mut rows = Vec::with_capacity(list.len());
                for row in list {
                    let Expr::Tuple(constants) = row else { return None };
                    let wanted = wanted != *negated;
                    rows.push(self.row_comparison(
                        operands,
                        constants,
                        Comparison::Equal,
                        leaf.span,
                        wanted,
                    )?);
                }
                Some(if wanted == *negated { Predicate::All(rows) } else { Predicate::Any(rows) })
            }
            Expr::Between { expr, negated, low, high } => {
                let (Expr::Tuple(operands), Expr::Tuple(low), Expr::Tuple(high)) = (&**expr, &**low, &**high)
                else {
                    return None;
                };
                let wanted = wanted != *negated;
                let low =
                    self.row_comparison(operands, low, Comparison::GreaterOrEqual, leaf.span, wanted)?;
                let high = self.row_comparison(operands, high, Comparison::LessOrEqual, leaf.span, wanted)?;
                Some(if wanted { Predicate::All(vec![low, high]) } else { Predicate::Any(vec![low, high]) })
            }
            _ => None,
        }
    }

    /// Rows compare like words: by the first pair that differs.
    fn row_comparison(
        &mut self,
        operands: &[Expr],
        constants: &[Expr],
        comparison: Comparison,
        span: Span,
        wanted: bool,
    ) -> Option<Predicate> {
        if operands.len() != constants.len() || operands.is_empty() {
            return None;
        }
        let constants = constants.iter().map(fold).collect::<Option<Vec<_>>>()?;
        let pairs: Vec<(&Expr, &Constant)> = operands.iter().zip(&constants).collect();
        let mut one = |(operand, constant): (&Expr, &Constant), comparison: Comparison, wanted: bool| {
            let exact = self
                .compare_all(operand, &[(comparison, constant.clone())], false, span, Outcome::and)
                .ok()??;
            let name = self.parsed.names(operand);
            let text =
                pair_text(&self.fragment(self.parsed.span_of(operand, span), &name), comparison, constant);
            Some(self.field_condition(exact, &text, span, wanted))
        };
        let join = |arms, conjunction| if conjunction { Predicate::All(arms) } else { Predicate::Any(arms) };
        if comparison == Comparison::Equal {
            let mut each =
                |wanted| pairs.iter().map(|pair| one(*pair, comparison, wanted)).collect::<Option<Vec<_>>>();
            let equal = each(true)?;
            return Some(if wanted { Predicate::All(equal) } else { first_difference(equal, each(false)?) });
        }
        let strict = match comparison {
            Comparison::Less | Comparison::LessOrEqual => Comparison::Less,
            _ => Comparison::Greater,
        };
        let last = pairs.len() - 1;
        let mut arms = Vec::with_capacity(pairs.len());
        for (index, pair) in pairs.iter().enumerate() {
            let mut arm = pairs[..index]
                .iter()
                .map(|pair| one(*pair, Comparison::Equal, wanted))
                .collect::<Option<Vec<_>>>()?;
            arm.push(one(*pair, if index == last { comparison } else { strict }, wanted)?);
            arms.push(join(arm, wanted));
        }
        Some(join(arms, !wanted))
    }

    /// Whether an expression is not NULL for any row: it uses only key fields and constants, in forms that keep
    /// NULL out.
    fn is_never_null(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => {
                recognise(self.schema, expr).is_some_and(|term| term.view == View::Whole)
            }
            Expr::Nested(inner) => self.is_never_null(inner),
            Expr::Value(value) => value.value != SqlValue::Null,
            Expr::UnaryOp { expr, .. } => self.is_never_null(expr),
            Expr::BinaryOp { left, op, right } => match comparison_of(op) {
                Some(_) => self.exact_is_two_valued(expr),
                None => {
                    matches!(op, BinaryOperator::And | BinaryOperator::Or)
                        && self.is_never_null(left)
                        && self.is_never_null(right)
                }
            },
            Expr::Between { .. } | Expr::InList { .. } | Expr::Like { .. } => self.exact_is_two_valued(expr),
            Expr::IsNull(_) | Expr::IsNotNull(_) => true,
            _ => false,
        }
    }

    /// Whether every row makes the condition true or false.
    fn exact_is_two_valued(&self, expr: &Expr) -> bool {
        let mut probe = Lowering {
            schema: self.schema,
            parsed: self.parsed,
            salt_inputs: Vec::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
        };
        match probe.exact(expr, Span::default()) {
            Ok(Some(exact)) => {
                let kind = &self.schema.key.fields[exact.field].kind;
                exact.outcome.yes.union(&exact.outcome.no).is_all(kind)
            }
            _ => false,
        }
    }

    fn uses_field(&self, expr: &Expr) -> bool {
        self.parsed.names(expr).iter().any(|(name, _)| self.schema.field(name).is_some())
    }

    fn check_names(&mut self, names: &[(String, Span)]) {
        for (name, span) in names {
            if self.schema.field(name).is_some() || self.schema.column(name).is_some() {
                continue;
            }
            let fields = self.schema.key.fields.iter().map(|field| field.name.as_str());
            let columns = self.schema.columns.iter().map(|column| column.name.as_str());
            let error = Diagnostic::error(format!("unknown column `{name}`"))
                .at(&self.parsed.source, *span, "not a key field and not a column of the schema")
                .with_suggestion(name, fields.chain(columns));
            self.errors.push(if error.help.is_some() {
                error
            } else {
                let fields: Vec<_> = self.schema.key.fields.iter().map(|f| format!("`{}`", f.name)).collect();
                error.with_help(format!("the key fields are {}", fields.join(", ")))
            });
        }
    }

    fn all_names(&self, tree: &Tree) -> Vec<(String, Span)> {
        match tree {
            Tree::And(arms) | Tree::Or(arms) => arms.iter().flat_map(|arm| self.all_names(arm)).collect(),
            Tree::Not(inner) => self.all_names(inner),
            Tree::Leaf(leaf) => self.parsed.names(&leaf.expr),
        }
    }

    fn fragment(&self, span: Span, names: &[(String, Span)]) -> Fragment {
        let pieces = self.parsed.lexemes(span, names).into_iter().map(|lexeme| match lexeme {
            Lexeme::Other(text) => Piece::Text(text.to_string()),
            Lexeme::Literal(value) => Piece::Literal(value),
            Lexeme::Name(spelled, _) => {
                let (name, spelled) = (spelled.trim_matches('`'), spelled.to_string());
                match (self.schema.field(name), self.schema.column(name)) {
                    (Some(index), _) => Piece::Field { index, spelled },
                    (None, Some(index)) => Piece::Column { index, spelled },
                    (None, None) => Piece::Text(spelled),
                }
            }
        });
        Fragment(pieces.collect())
    }

    /// The text of a condition; `ESCAPE`, which Hive has not, becomes a pattern with backslashes.
    fn leaf_text(&self, leaf: &Leaf, names: &[(String, Span)]) -> Fragment {
        let mut text = self.fragment(leaf.span, names);
        if let Expr::Like { pattern, escape_char: Some(escape), .. } = &leaf.expr
            && let Some(pattern) = like_pattern(pattern, Some(escape))
            && let [.., Piece::Literal(_), Piece::Text(_), Piece::Literal(_)] = text.0.as_slice()
        {
            text.0.truncate(text.0.len() - 3);
            text.0.push(Piece::Literal(pattern.hive));
        }
        text
    }
}

/// Where two rows differ: at the first pair that does, which makes arms that share no row and so ranges. A pair that
/// is neither equal nor different (NULL) takes that away.
fn first_difference(equal: Vec<Predicate>, different: Vec<Predicate>) -> Predicate {
    let is_never = |predicate: &Predicate| matches!(predicate, Predicate::Any(arms) if arms.is_empty());
    if equal.iter().zip(&different).any(|(equal, different)| is_never(equal) && is_never(different)) {
        return Predicate::Any(different);
    }
    let arms = different.into_iter().enumerate().map(|(index, different)| {
        let before = equal[..index].iter().cloned();
        Predicate::All(before.chain([different]).collect())
    });
    Predicate::Any(arms.collect())
}

/// Joins outcomes pairwise, so that a long list costs no square of its length.
fn join_balanced(outcomes: &[Outcome], join: fn(&Outcome, &Outcome) -> Outcome) -> Option<Outcome> {
    match outcomes {
        [] => None,
        [only] => Some(only.clone()),
        _ => {
            let (left, right) = outcomes.split_at(outcomes.len() / 2);
            Some(join(&join_balanced(left, join)?, &join_balanced(right, join)?))
        }
    }
}

fn negate(outcome: Outcome, negated: bool) -> Outcome {
    if negated { Outcome { yes: outcome.no, no: outcome.yes } } else { outcome }
}

fn pair_text(operand: &Fragment, comparison: Comparison, constant: &Constant) -> Fragment {
    let sign = match comparison {
        Comparison::Equal => "=",
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
    };
    let mut pieces = operand.0.clone();
    pieces.push(Piece::Text(format!(" {sign} ")));
    match constant {
        Constant::Null => pieces.push(Piece::Text("NULL".into())),
        Constant::Bool(value) => pieces.push(Piece::Text(value.to_string())),
        Constant::Number(number) if number.scale == 0 => pieces.push(Piece::Text(number.digits.to_string())),
        Constant::Number(number) => pieces.push(Piece::Text(format!("{}e-{}", number.digits, number.scale))),
        Constant::Text(text) => pieces.push(Piece::Literal(text.clone())),
        Constant::Date(date) => pieces.push(Piece::Text(format!("DATE '{date}'"))),
        Constant::Timestamp(at) => pieces.push(Piece::Text(format!("TIMESTAMP '{at}'"))),
    }
    Fragment(pieces)
}

/// The comparison of an operator, and whether it is negated (`<>`).
fn comparison_of(op: &BinaryOperator) -> Option<(Comparison, bool)> {
    match op {
        BinaryOperator::Eq => Some((Comparison::Equal, false)),
        BinaryOperator::NotEq => Some((Comparison::Equal, true)),
        BinaryOperator::Lt => Some((Comparison::Less, false)),
        BinaryOperator::LtEq => Some((Comparison::LessOrEqual, false)),
        BinaryOperator::Gt => Some((Comparison::Greater, false)),
        BinaryOperator::GtEq => Some((Comparison::GreaterOrEqual, false)),
        _ => None,
    }
}

fn like_pattern(pattern: &Expr, escape: Option<&Expr>) -> Option<LikePattern> {
    let Constant::Text(pattern) = fold(pattern)? else { return None };
    let escape = match escape {
        None => '\\',
        Some(escape) => {
            let Constant::Text(escape) = fold(escape)? else { return None };
            let mut chars = escape.chars();
            let first = chars.next()?;
            chars.next().is_none().then_some(first)?
        }
    };
    Some(LikePattern::parse(&pattern, escape))
}

/// `x IS NULL` and `x IS NOT NULL`: the operand, and the truth value of the test for a value that is not NULL,
/// negated.
fn null_test(expr: &Expr) -> Option<(&Expr, bool)> {
    match expr {
        Expr::IsNull(operand) => Some((operand, true)),
        Expr::IsNotNull(operand) => Some((operand, false)),
        Expr::Nested(inner) => null_test(inner),
        _ => None,
    }
}

/// The truth of a condition without columns: `Some(None)` is NULL.
fn constant_truth(expr: &Expr) -> Option<Option<bool>> {
    match expr {
        Expr::Nested(inner) => constant_truth(inner),
        Expr::BinaryOp { left, op, right } => {
            let (comparison, negated) = comparison_of(op)?;
            match (fold(left)?, fold(right)?) {
                (Constant::Null, _) | (_, Constant::Null) => Some(None),
                (a, b) => Some(Some(comparison.holds(order_of(&a, &b)?) != negated)),
            }
        }
        _ => match fold(expr)? {
            Constant::Bool(value) => Some(Some(value)),
            Constant::Null => Some(None),
            _ => None,
        },
    }
}

fn order_of(a: &Constant, b: &Constant) -> Option<Ordering> {
    match (a, b) {
        (Constant::Text(a), Constant::Text(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
        (Constant::Number(a), Constant::Number(b)) => {
            let scale = a.scale.max(b.scale);
            let align = |digits: i128, own: u32| digits.checked_mul(10i128.checked_pow(scale - own)?);
            Some(align(a.digits, a.scale)?.cmp(&align(b.digits, b.scale)?))
        }
        (Constant::Bool(a), Constant::Bool(b)) => Some(a.cmp(b)),
        (Constant::Date(a), Constant::Date(b)) => Some(a.cmp(b)),
        (Constant::Timestamp(a), Constant::Timestamp(b)) => Some(a.cmp(b)),
        _ => None,
    }
}
