//! The available vector instructions.

use std::fmt;

use crate::table::{self, Kernels};

/// A set of vector instructions that this processor supports. Values can only be obtained by detection.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(LevelKind);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LevelKind {
    /// Supported by every processor of the architecture: SSE2 on x86-64, NEON on 64-bit ARM.
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// The best level of this processor.
    #[must_use]
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if table::has_avx512() {
                return Level(LevelKind::Avx512);
            }
            if table::has_avx2() {
                return Level(LevelKind::Avx2);
            }
        }
        Level(LevelKind::Baseline)
    }

    /// All levels of this processor, the simplest first.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let kinds = [
            LevelKind::Baseline,
            #[cfg(target_arch = "x86_64")]
            LevelKind::Avx2,
            #[cfg(target_arch = "x86_64")]
            LevelKind::Avx512,
        ];
        let best = Self::best();
        kinds.into_iter().map(Level).filter(|level| *level <= best).collect()
    }

    /// The kernels for this level.
    #[must_use]
    pub fn kernels(self) -> &'static Kernels {
        match self.0 {
            LevelKind::Baseline => &table::BASELINE,
            #[cfg(target_arch = "x86_64")]
            LevelKind::Avx2 => &table::AVX2,
            #[cfg(target_arch = "x86_64")]
            LevelKind::Avx512 => &table::AVX512,
        }
    }

    /// The name of the instruction set.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            LevelKind::Baseline if cfg!(target_arch = "x86_64") => "SSE2",
            LevelKind::Baseline if cfg!(target_arch = "aarch64") => "NEON",
            LevelKind::Baseline => "plain",
            #[cfg(target_arch = "x86_64")]
            LevelKind::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            LevelKind::Avx512 => "AVX-512",
        }
    }
}

impl fmt::Debug for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
