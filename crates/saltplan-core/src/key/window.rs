//! Plausible values of a date or a time.

/// The plausible numbers of a date or a time, both ends included. Other numbers may be stored, so a window
/// does not narrow ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Window {
    pub first: Option<i64>,
    pub last: Option<i64>,
}

impl Window {
    pub fn is_open(self) -> bool {
        self == Window::default()
    }

    pub fn contains(self, number: i128) -> bool {
        self.first.is_none_or(|first| i128::from(first) <= number)
            && self.last.is_none_or(|last| number <= i128::from(last))
    }
}
