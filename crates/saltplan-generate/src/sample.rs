//! Random rows of a table, for golden tests: typical values, and the ends of what a field allows.

use saltplan_core::Table;
use saltplan_core::key::Value;
use saltplan_core::key::field::{EpochField, FieldKind, FieldVec, TextField};
use saltplan_core::key::salt::{Salt, SaltDomain, SaltScheme};

/// A random number generator, `SplitMix64` (Steele, Lea and Flood, 2014): the same seed gives the same rows.
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below a limit, which is 0 for the limit 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.bits() % (limit.max(1) as u64)) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}

/// A row: a value for each field, and the salt if it cannot be computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub values: FieldVec<Value>,
    pub salt: Option<GivenSalt>,
}

/// A salt that a program passes to the writer.
#[derive(Debug, Clone, PartialEq)]
pub enum GivenSalt {
    Number(i64),
    Bytes(Vec<u8>),
}

impl GivenSalt {
    /// The bytes in the key.
    pub fn bytes(&self, salt: &Salt) -> Vec<u8> {
        match self {
            GivenSalt::Number(number) => salt.write.number((*number).into()),
            GivenSalt::Bytes(bytes) => bytes.clone(),
        }
    }
}

/// A row with valid values; `None` if no value of a field was found.
pub fn row(table: &Table, random: &mut Random) -> Option<Row> {
    let key = &table.schema().key;
    let mut values = FieldVec::new();
    for field in &key.fields {
        values.push(value(&field.kind, random)?);
    }
    let salt = match &key.salt {
        Some(salt) if !salt.is_computable() => Some(given_salt(table, salt, random)?),
        _ => None,
    };
    Some(Row { values, salt })
}

fn given_salt(table: &Table, salt: &Salt, random: &mut Random) -> Option<GivenSalt> {
    if let SaltScheme::Random(scheme) = &salt.scheme {
        return Some(GivenSalt::Number((random.bits() % scheme.below.max(1)) as i64));
    }
    match table.salt_domain()? {
        SaltDomain::Listed(salts) => random.pick(salts).cloned().map(GivenSalt::Bytes),
        SaltDomain::TooMany { .. } => None,
    }
}

/// The key of a row by the encoder of core.
pub fn key_of(table: &Table, row: &Row) -> Option<Vec<u8>> {
    let codec = table.row_codec();
    let salt = table.schema().key.salt.as_ref().zip(row.salt.as_ref()).map(|(salt, given)| given.bytes(salt));
    let value_of = |id| row.values.get(id).map(Into::into);
    codec.writer().write(value_of, salt.as_deref()).map(<[u8]>::to_vec).ok()
}

/// A value that the field allows; `None` if none was found.
pub fn value(kind: &FieldKind, random: &mut Random) -> Option<Value> {
    if let FieldKind::Text(text) = kind {
        return text_value(text, random).map(Value::Text);
    }
    let domain = kind.domain()?;
    let (first, last) = (domain.start, domain.stop.unwrap_or(i128::MAX) - 1);
    let length = (last - first + 1).cast_unsigned();
    let anywhere = first + (u128::from(random.bits()) % length.max(1)).cast_signed();
    // Most values are typical ones: this century, small numbers.
    let usual = match kind {
        FieldKind::Calendar(_) => {
            first + (length * 2_000 / 9_999).cast_signed() + anywhere.rem_euclid(length.cast_signed()) / 300
        }
        FieldKind::Epoch(EpochField { unit, .. }) => {
            (946_684_800_000 + i128::from(random.bits() >> 24)) / i128::from(unit.milliseconds())
        }
        _ => i128::from(random.bits() % 1_000) - 200,
    };
    let number = match random.below(8) {
        0 => first,
        1 => last,
        2 | 3 => anywhere,
        _ => usual,
    };
    i64::try_from(if (first..=last).contains(&number) { number } else { anywhere }).ok().map(Value::Number)
}

fn text_value(field: &TextField, random: &mut Random) -> Option<String> {
    if let Some(values) = &field.values {
        return random.pick(values).cloned();
    }
    let ranges = field.chars.ranges();
    for _ in 0..100 {
        let width = field.width.unwrap_or_else(|| random.below(12));
        let mut text = String::new();
        // A character may be too long for what is left of the width.
        for _ in 0..4 * width {
            let &(first, last) = random.pick(ranges)?;
            let spread = match random.below(4) {
                0 => last as u32 - first as u32,
                _ => (last as u32 - first as u32).min(0x5F),
            };
            let start = if first == '\0' && random.below(50) > 0 { ' ' } else { first };
            let code = start as u32 + random.below(spread as usize + 1) as u32;
            let c = char::from_u32(code).filter(|c| field.chars.contains(*c));
            text.extend(c.filter(|c| text.len() + c.len_utf8() <= width));
        }
        if field.width.is_none_or(|width| width == text.len()) {
            return Some(text);
        }
    }
    None
}
