//! Texts that are numbers in an alphabet.

use saltplan_lanes::{Characters, Kernels, NumberColumn, ROWS, WordColumn};

use super::columns::or_bytes;
use super::digits::{Limb, limbs};

#[derive(Debug, Clone)]
pub struct Alphabet {
    characters: Characters,
    limbs: Vec<Limb>,
    reverse: bool,
}

impl Alphabet {
    pub fn new(bytes: &[u8], width: usize, reverse: bool) -> Option<Self> {
        let characters = Characters::new(bytes)?;
        let base = u64::from(characters.base());
        let most =
            (1..=8).rev().find(|digits| base.checked_pow(*digits).is_some_and(|unit| unit < 1 << 31))?;
        Some(Alphabet { characters, limbs: limbs(base, most as usize, width)?, reverse })
    }

    pub fn write(&self, kernels: &Kernels, width: usize, numbers: &NumberColumn, text: &mut [WordColumn]) {
        let mut rest = *numbers;
        let mut low = [0; ROWS];
        let mut packed = [0; ROWS];
        let mut place = 0;
        for limb in &self.limbs {
            limb.take(kernels, &mut rest, &mut low);
            for done in (0..limb.digits).step_by(4) {
                let count = (limb.digits - done).min(4);
                packed.fill(0);
                for digit in 0..count {
                    let shift = 8 * if self.reverse { digit } else { count - 1 - digit } as u32;
                    kernels.next_character(&self.characters, shift, &mut low, &mut packed);
                }
                let at = if self.reverse { place } else { width - place - count };
                or_bytes(kernels, text, at, &packed, count);
                place += count;
            }
        }
    }
}
