//! Which expressions are texts that are cut out of the row key.

use super::layout::{KeyText, Layout, Slice, WrittenIn};
use crate::analyze::bind::{Bound, BoundCall, BoundNode, ColumnPlace, ConstantValue, Operator};
use crate::analyze::constant::{Constant, Decimal};
use saltplan_sql::ast::BinaryOperator;
use saltplan_sql::functions::{CONCAT_WS, HEX, Operation, SPLIT, SUBSTRING_INDEX, TRIM, UNHEX};
use saltplan_sql::hive_type::Type;

/// The most parts of an expression that are read as one text.
const MAX_DEPTH: usize = 64;

/// Reads expressions over the row key.
pub(super) struct KeyTextReader<'r, 's> {
    pub layout: &'r Layout<'s>,
}

impl KeyTextReader<'_, '_> {
    /// The text that an expression is; `None` if it is something else, or has no piece of the key.
    pub fn key_text(&self, node: &BoundNode) -> Option<KeyText> {
        self.text(node, 0).filter(KeyText::has_part)
    }

    fn text(&self, node: &BoundNode, depth: usize) -> Option<KeyText> {
        if depth > MAX_DEPTH || node.open.is_some() {
            return None;
        }
        let of = |node: &BoundNode| self.text(node, depth + 1);
        match &node.what {
            Bound::Column(column) => {
                (column.place == ColumnPlace::RowKey).then(|| self.layout.whole(WrittenIn::Characters))
            }
            Bound::Constant(_) => match constant(node)? {
                Constant::Text(text) => Some(KeyText::constant(&text)),
                _ => None,
            },
            Bound::Cast { operand, .. } => {
                if let Some(text) = self.unhexed(operand, depth) {
                    return (node.primitive() == Some(Type::String)).then_some(text);
                }
                let text = of(operand)?;
                match node.primitive()? {
                    Type::String => Some(text),
                    Type::Varchar(most) => {
                        let lengths =
                            text.slices.iter().map(|slice| self.layout.length(slice, text.written_in));
                        let length: usize = lengths.sum::<Option<usize>>()?;
                        (text.written_in == WrittenIn::Characters && length <= usize::try_from(most).ok()?)
                            .then_some(text)
                    }
                    _ => None,
                }
            }
            Bound::Operation { operator: Operator::Binary(BinaryOperator::Concat), operands } => {
                self.joined(operands, depth)
            }
            Bound::Operation { operator: Operator::Element, operands } => {
                let [array, index] = operands.as_slice() else { return None };
                let Bound::Call(call) = &array.uncast().what else { return None };
                let [text, separator] = call.arguments.as_slice() else { return None };
                (call.function == Some(&SPLIT) && !call.is_opaque()).then_some(())?;
                let separator = literal_of_regex(&constant_text(separator)?)?;
                self.piece(&of(text)?, &separator, usize::try_from(integer(index)?).ok()?)
            }
            Bound::Call(call) if !call.is_opaque() => self.call(call, depth),
            _ => None,
        }
    }

    fn call(&self, call: &BoundCall, depth: usize) -> Option<KeyText> {
        let of = |node: &BoundNode| self.text(node, depth + 1);
        let function = call.function?;
        match (call.operation(), call.arguments.as_slice()) {
            (Operation::Substring, [text, start, count @ ..]) => {
                let text = of(text)?;
                self.substring(&text, start, count.first(), depth)
            }
            (Operation::Start, [text, count]) => self.cut(&of(text)?, 0, Some(positive(count)?)),
            (Operation::End, [text, count]) => {
                let text = of(text)?;
                let is_of_characters = text.written_in == WrittenIn::Characters;
                self.layout.end(&text, positive(count)?).filter(|_| is_of_characters)
            }
            (Operation::Concatenate, parts) => self.joined(parts, depth),
            // A piece of a key that fits the layout is never NULL.
            (Operation::FirstNotNull, [text, others @ ..]) => {
                let are_texts = others.iter().all(|other| other.primitive() == Some(Type::String));
                of(text).filter(|text| are_texts && text.has_part())
            }
            _ if function == &CONCAT_WS => {
                let (between, parts) = call.arguments.split_first()?;
                constant_text(between)?.is_empty().then_some(())?;
                self.joined(parts, depth)
            }
            (_, [text]) if function == &HEX => {
                let is_key = self.layout.is_whole(&of(text)?);
                is_key.then(|| self.layout.whole(WrittenIn::HexDigits))
            }
            (_, [text]) if function == &TRIM => {
                let text = of(text)?;
                let has_blank = |slice: &Slice| match slice {
                    Slice::Constant(text) => text.contains(' '),
                    Slice::OfPart { part, .. } => self.layout.may_hold(*part, ' '),
                };
                let is_kept = text.written_in == WrittenIn::HexDigits || !text.slices.iter().any(has_blank);
                is_kept.then_some(text)
            }
            (_, [text, separator, count]) if function == &SUBSTRING_INDEX => {
                self.before_separator(&of(text)?, &constant_text(separator)?, integer(count)?)
            }
            _ => None,
        }
    }

    fn joined(&self, parts: &[BoundNode], depth: usize) -> Option<KeyText> {
        let texts = parts
            .iter()
            .map(|part| self.text(part, depth + 1).filter(|text| text.written_in == WrittenIn::Characters));
        let texts = texts.collect::<Option<Vec<_>>>()?;
        let count_parts =
            |text: &KeyText| text.slices.iter().filter(|slice| matches!(slice, Slice::OfPart { .. })).count();
        let count = texts.iter().map(count_parts).sum::<usize>();
        let joined = KeyText::joined(texts);
        // Of a character of two UTF-16 units that is cut in two, Hive puts a `?` into each half.
        (count_parts(&joined) == count || self.layout.is_narrow(&joined)).then_some(joined)
    }

    /// The characters whose hex digits are cut out of `hex(rowkey)`, if they are all text.
    fn unhexed(&self, node: &BoundNode, depth: usize) -> Option<KeyText> {
        let Bound::Call(call) = &node.uncast().what else { return None };
        let [digits] = call.arguments.as_slice() else { return None };
        (call.function == Some(&UNHEX) && !call.is_opaque()).then_some(())?;
        let digits = self.text(digits, depth + 1).filter(|text| text.written_in == WrittenIn::HexDigits)?;
        self.layout.counts_bytes_as_characters(&digits.slices).then_some(())?;
        Some(KeyText { slices: digits.slices, written_in: WrittenIn::Characters })
    }

    fn substring(
        &self,
        text: &KeyText,
        start: &BoundNode,
        count: Option<&BoundNode>,
        depth: usize,
    ) -> Option<KeyText> {
        if let Some(start) = integer(start) {
            // All before a separator: `substr(text, 1, instr(text, '_') - 1)`.
            if let Some(SeparatorPlace { text: of, separator, plus }) =
                count.and_then(|count| self.place(count, depth))
            {
                if text.written_in != WrittenIn::Characters {
                    return None;
                }
                let (before, _) = self.layout.split(text, &separator, 1);
                let is_all_before = matches!(start, 0 | 1) && plus == -1 && of == *text;
                return before
                    .into_iter()
                    .next()
                    .filter(|before| is_all_before && self.layout.is_narrow(before));
            }
            let count = count.map(positive);
            if count == Some(None) {
                return None;
            }
            if start < 0 {
                (text.written_in == WrittenIn::Characters).then_some(())?;
                let end = self.layout.end(text, usize::try_from(start.checked_neg()?).ok()?)?;
                return self.cut(&end, 0, count.flatten());
            }
            return self.cut(text, usize::try_from(start.max(1) - 1).ok()?, count.flatten());
        }
        // From a separator on: `substr(text, instr(text, '_') + 1)`.
        let SeparatorPlace { text: of, separator, plus } = self.place(start, depth)?;
        if of != *text || text.written_in != WrittenIn::Characters {
            return None;
        }
        let (before, rest) = self.layout.split(text, &separator, 1);
        let is_narrow = |text: &KeyText| self.layout.is_narrow(text);
        before.first().filter(|before| is_narrow(before) && is_narrow(&KeyText::constant(&separator)))?;
        let behind = plus.checked_sub(i64::try_from(separator.chars().count()).ok()?)?;
        let count = count.map(positive);
        if count == Some(None) {
            return None;
        }
        self.cut(&rest?, usize::try_from(behind).ok()?, count.flatten())
    }

    /// A cut whose places are counted in characters, or in hex digits that come in pairs.
    fn cut(&self, text: &KeyText, skip: usize, count: Option<usize>) -> Option<KeyText> {
        match text.written_in {
            WrittenIn::Characters => self.layout.cut(text, skip, count),
            WrittenIn::HexDigits => {
                let is_even = skip.is_multiple_of(2) && count.is_none_or(|count| count.is_multiple_of(2));
                self.layout.cut(text, skip / 2, count.map(|count| count / 2)).filter(|_| is_even)
            }
        }
    }

    /// `instr(text, '_') + 1`
    fn place(&self, node: &BoundNode, depth: usize) -> Option<SeparatorPlace> {
        let node = node.uncast();
        match &node.what {
            Bound::Call(call) if !call.is_opaque() => {
                let Operation::Find { text, part } = call.operation() else { return None };
                let [_, _] = call.arguments.as_slice() else { return None };
                let separator = constant_text(&call.arguments[part]).filter(|part| !part.is_empty())?;
                let text = self.text(&call.arguments[text], depth + 1)?;
                Some(SeparatorPlace { text, separator, plus: 0 })
            }
            Bound::Operation { operator: Operator::Binary(op), operands } => {
                let [left, right] = operands.as_slice() else { return None };
                let (place, plus) = match (op, integer(right), integer(left)) {
                    (BinaryOperator::Plus, Some(plus), _) => (self.place(left, depth + 1)?, plus),
                    (BinaryOperator::Plus, None, Some(plus)) => (self.place(right, depth + 1)?, plus),
                    (BinaryOperator::Minus, Some(minus), _) => {
                        (self.place(left, depth + 1)?, minus.checked_neg()?)
                    }
                    _ => return None,
                };
                Some(SeparatorPlace { plus: place.plus.checked_add(plus)?, ..place })
            }
            _ => None,
        }
    }

    /// `split(text, '_')[index]`
    fn piece(&self, text: &KeyText, separator: &str, index: usize) -> Option<KeyText> {
        (text.written_in == WrittenIn::Characters).then_some(())?;
        let (mut before, rest) = self.layout.split(text, separator, index.checked_add(1)?);
        match before.len() {
            count if count > index => Some(before.swap_remove(index)),
            count if count == index => rest,
            _ => None,
        }
    }

    /// `substring_index(text, '_', count)`
    fn before_separator(&self, text: &KeyText, separator: &str, count: i64) -> Option<KeyText> {
        // Of longer separators versions may count places that overlap.
        let is_one = separator.chars().count() == 1 && count != 0;
        (text.written_in == WrittenIn::Characters && is_one).then_some(())?;
        let with_separators = |pieces: &[KeyText]| {
            let mut parts = Vec::new();
            for piece in pieces {
                if !parts.is_empty() {
                    parts.push(KeyText::constant(separator));
                }
                parts.push(piece.clone());
            }
            KeyText::joined(parts)
        };
        let most = usize::try_from(count.unsigned_abs()).ok()?;
        if count > 0 {
            let (before, rest) = self.layout.split(text, separator, most);
            return if before.len() == most {
                Some(with_separators(&before))
            } else {
                rest.map(|_| text.clone())
            };
        }
        // From the end: only where all separators are known.
        let (mut pieces, rest) = self.layout.split(text, separator, usize::MAX);
        pieces.push(rest?);
        let first = pieces.len().checked_sub(most).filter(|_| most > 0)?;
        Some(with_separators(&pieces[first..]))
    }
}

/// The place of the first separator in a text, and what is added to its number.
struct SeparatorPlace {
    text: KeyText,
    separator: String,
    plus: i64,
}

/// The value of a constant. Hive may have made a double of a whole number.
pub(super) fn constant(node: &BoundNode) -> Option<Constant> {
    let node = node.uncast();
    let whole_double = || match node.constant()?.value {
        Some(ConstantValue::Double(double)) if double.fract() == 0.0 && double.abs() < 1e15 => {
            Decimal::parse(&double.to_string()).map(Constant::Number)
        }
        _ => None,
    };
    node.folded().or_else(whole_double)
}

pub(super) fn constant_text(node: &BoundNode) -> Option<String> {
    match constant(node)? {
        Constant::Text(text) => Some(text),
        _ => None,
    }
}

fn integer(node: &BoundNode) -> Option<i64> {
    constant(node)?.integer()
}

fn positive(node: &BoundNode) -> Option<usize> {
    usize::try_from(integer(node)?).ok().filter(|count| *count > 0)
}

/// The text that a regular expression of Java stands for, if it is only one.
fn literal_of_regex(pattern: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        let literal = match c {
            // Letters and digits behind a backslash have other meanings.
            '\\' => rest.next().filter(char::is_ascii_punctuation)?,
            '[' => {
                let only = match rest.next()? {
                    '\\' => rest.next().filter(char::is_ascii_punctuation)?,
                    only => Some(only).filter(|only| !matches!(only, '^' | '[' | ']'))?,
                };
                (rest.next()? == ']').then_some(only)?
            }
            '.' | '$' | '^' | '|' | '?' | '*' | '+' | '(' | ')' | '{' | '}' => return None,
            c => c,
        };
        text.push(literal);
    }
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::literal_of_regex;

    #[test]
    fn separators_as_regular_expressions() {
        for (pattern, text) in [
            ("_", Some("_")),
            (r"\|", Some("|")),
            ("[|]", Some("|")),
            (r"[\.]", Some(".")),
            ("::", Some("::")),
            ("-", Some("-")),
            ("|", None),
            (".", None),
            (r"\d", None),
            ("[_-]", None),
            ("[^_]", None),
            ("_+", None),
            ("", None),
        ] {
            assert_eq!(literal_of_regex(pattern).as_deref(), text, "{pattern}");
        }
    }
}
