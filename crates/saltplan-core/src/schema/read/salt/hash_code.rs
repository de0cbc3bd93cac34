//! `mask`, or `modulo` with `abs`: from a hash of 32 bits to the salt's number.

use crate::key::salt::Reduce;
use crate::schema::format::salt::hash_code;
use crate::schema::read::reader::Fields;
use crate::schema::read::{FileValue, Reader};

/// The keys of a scheme that say it.
pub(super) struct ReadReduction<'v> {
    owner: FileValue<'v>,
    mask: Option<FileValue<'v>>,
    modulo: Option<FileValue<'v>>,
    abs: Option<FileValue<'v>>,
}

impl<'v> ReadReduction<'v> {
    pub(super) fn of(fields: &mut Fields<'v>) -> Self {
        let (mask, modulo) = (fields.get(&hash_code::MASK), fields.get(&hash_code::MODULO));
        let abs = fields.get(&hash_code::ABS);
        ReadReduction { owner: fields.owner(), mask, modulo, abs }
    }

    /// `hash` is what is reduced, as `a Java hash`.
    pub(super) fn read(self, reader: &mut Reader<'_>, fields: &Fields<'_>, hash: &str) -> Option<Reduce> {
        let ReadReduction { owner, mask, modulo, abs } = self;
        fields.refuse(reader)?;
        match (mask, modulo) {
            (Some(mask), _) => {
                let bits: u32 = mask.number(reader)?;
                Some(Reduce::Mask(bits.cast_signed()))
            }
            (None, Some(modulo)) => {
                let by = modulo.number(reader);
                let Some(abs) = abs else {
                    reader.error(
                        modulo.key_span(),
                        "`modulo` needs `abs`",
                        format!("{hash} can be negative"),
                        "add `abs: before`, `abs: after` or `abs: none`, as in the code that writes",
                    );
                    return None;
                };
                let abs = abs.word(reader, &hash_code::ABS_PLACES);
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
        }
    }
}
