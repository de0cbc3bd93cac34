//! A request has an answer with disjoint ranges in order, or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use saltplan_pushdown::{Keys, MAX_RANGES, keys};

fuzz_target!(|request: &[u8]| {
    let Ok(Keys::Ranges(ranges)) = keys(request) else { return };
    assert!(ranges.len() <= MAX_RANGES);
    for (start, stop) in &ranges {
        assert!(stop.is_empty() || start < stop, "{start} is not before {stop}");
    }
    for pair in ranges.windows(2) {
        assert!(!pair[0].1.is_empty() && pair[0].1 < pair[1].0, "{pair:?}");
    }
});
