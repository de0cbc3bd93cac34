//! The available vector instructions.

use std::fmt;

use crate::table::{self, Kernels};

/// A set of vector instructions that this processor supports. Values can only be obtained by detection.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(usize);

struct Instructions {
    name: &'static str,
    is_there: fn() -> bool,
    kernels: &'static Kernels,
}

/// All levels of the architecture, the simplest first.
static LEVELS: &[Instructions] = &[
    // Supported by every processor of the architecture: SSE2 on x86-64, NEON on 64-bit ARM.
    Instructions {
        name: if cfg!(target_arch = "x86_64") {
            "SSE2"
        } else if cfg!(target_arch = "aarch64") {
            "NEON"
        } else {
            "plain"
        },
        is_there: || true,
        kernels: &table::BASELINE,
    },
    #[cfg(target_arch = "x86_64")]
    Instructions { name: "AVX2", is_there: table::has_avx2, kernels: &table::AVX2 },
    #[cfg(target_arch = "x86_64")]
    Instructions { name: "AVX-512", is_there: table::has_avx512, kernels: &table::AVX512 },
];

impl Level {
    /// The best level of this processor.
    #[must_use]
    pub fn best() -> Self {
        Level(LEVELS.iter().rposition(|level| (level.is_there)()).unwrap_or(0))
    }

    /// All levels of this processor, the simplest first.
    #[must_use]
    pub fn all() -> Vec<Self> {
        (0..=Self::best().0).map(Level).collect()
    }

    /// The kernels for this level.
    #[must_use]
    pub fn kernels(self) -> &'static Kernels {
        LEVELS[self.0].kernels
    }

    /// The name of the instruction set.
    #[must_use]
    pub fn name(self) -> &'static str {
        LEVELS[self.0].name
    }
}

impl fmt::Debug for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
