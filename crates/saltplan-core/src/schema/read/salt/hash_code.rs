//! `mask`, or `modulo` with `abs`: from a hash of 32 bits to the salt's number.

use crate::schema::model::{Abs, Reduce};
use crate::schema::read::reader::Fields;
use crate::schema::read::{Reader, Value};

/// The keys of a scheme that say it.
pub(super) struct Reduction<'v> {
    owner: Value<'v>,
    mask: Option<Value<'v>>,
    modulo: Option<Value<'v>>,
    abs: Option<Value<'v>>,
}

impl<'v> Reduction<'v> {
    pub(super) fn of(fields: &mut Fields<'v>) -> Self {
        let (mask, modulo, abs) = (fields.get("mask"), fields.get("modulo"), fields.get("abs"));
        Reduction { owner: fields.owner(), mask, modulo, abs }
    }

    /// `hash` is what is reduced, as `a Java hash`.
    pub(super) fn read(self, reader: &mut Reader<'_>, hash: &str) -> Option<Reduce> {
        let Reduction { owner, mask, modulo, abs } = self;
        match (mask, modulo) {
            (Some(mask), None) => {
                if let Some(abs) = abs {
                    reader.error(
                        abs.key_span(),
                        "`abs` does not go with `mask`",
                        "has no meaning here",
                        "remove it: a mask without the sign bit is never negative",
                    );
                    return None;
                }
                let bits: u32 = mask.number(reader, 1..=u32::MAX)?;
                Some(Reduce::Mask(bits.cast_signed()))
            }
            (None, Some(modulo)) => {
                let by = modulo.number(reader, 1..=i32::MAX);
                let Some(abs) = abs else {
                    reader.error(
                        modulo.key_span(),
                        "`modulo` needs `abs`",
                        format!("{hash} can be negative"),
                        "add `abs: before`, `abs: after` or `abs: none`, as in the code that writes",
                    );
                    return None;
                };
                let words = [("before", Abs::Before), ("after", Abs::After), ("none", Abs::None)];
                let abs = abs.word(reader, &words);
                Some(Reduce::Modulo { by: by?, abs: abs? })
            }
            (None, None) => {
                reader.error(
                    owner.key_span(),
                    format!("{hash} needs `mask` or `modulo`"),
                    "incomplete",
                    "add `mask: 0x7FFF`, or `modulo: n` with `abs: …`",
                );
                None
            }
            (Some(mask), Some(modulo)) => {
                let fault = reader.fault(
                    modulo.key_span(),
                    "`mask` and `modulo` exclude each other",
                    "the second one",
                );
                reader.report(
                    fault.with_label(mask.key_span(), "the first one").with_help("keep one of the two"),
                );
                None
            }
        }
    }
}
