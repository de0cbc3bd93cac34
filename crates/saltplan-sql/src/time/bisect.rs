//! Bisection.

use std::ops::{Add, Div, Range, Sub};

/// The first number of a range for which a monotone condition is true; the end of the range if there is none.
pub fn first_where<N>(range: Range<N>, holds: impl Fn(N) -> bool) -> N
where
    N: Copy + PartialOrd + From<u8> + Add<Output = N> + Sub<Output = N> + Div<Output = N>,
{
    let Range { start: mut low, end: mut high } = range;
    while low < high {
        let middle = low + (high - low) / N::from(2);
        if holds(middle) {
            high = middle;
        } else {
            low = middle + N::from(1);
        }
    }
    low
}
