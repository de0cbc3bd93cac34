//! Fewer cases of tests that take long: `SALTPLAN_SAMPLE=1`, which `.ci/run` sets, leaves out the rest. All cases run without it, and
//! in `ci.yml`.

/// Whether only some of the cases are wanted.
pub fn is_sampled() -> bool {
    std::env::var_os("SALTPLAN_SAMPLE").is_some()
}

/// The cases; if they are sampled, every `step`-th one, from the first one on.
pub fn sampled<T>(cases: impl IntoIterator<Item = T>, step: usize) -> impl Iterator<Item = T> {
    cases.into_iter().step_by(if is_sampled() { step } else { 1 })
}
