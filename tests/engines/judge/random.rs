//! The same numbers for the same seed.

/// Random numbers of a seed.
pub(crate) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        // Seeds that are near to each other begin alike.
        random.next();
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// A number below a limit above 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.next() as usize % limit
    }

    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}
