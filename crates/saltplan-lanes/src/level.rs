//! Which vector instructions there are.

use std::fmt;

use crate::table::{self, Kernels};

/// A level of vector instructions that this processor has: values are made by looking only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// What every processor of the architecture has: SSE2 on x86-64, NEON on 64-bit ARM.
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
                return Level(Kind::Avx512);
            }
            if table::has_avx2() {
                return Level(Kind::Avx2);
            }
        }
        Level(Kind::Baseline)
    }

    /// All levels of this processor, the plainest first.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let kinds = [
            Kind::Baseline,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512,
        ];
        let best = Self::best();
        kinds.into_iter().map(Level).filter(|level| *level <= best).collect()
    }

    /// The functions of this level.
    #[must_use]
    pub fn kernels(self) -> &'static Kernels {
        match self.0 {
            Kind::Baseline => &table::BASELINE,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => &table::AVX2,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => &table::AVX512,
        }
    }

    /// What the instructions are called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Baseline if cfg!(target_arch = "x86_64") => "SSE2",
            Kind::Baseline if cfg!(target_arch = "aarch64") => "NEON",
            Kind::Baseline => "plain",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "AVX-512",
        }
    }
}

impl fmt::Debug for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
