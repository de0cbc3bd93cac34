//! Plausible values of a date or a time.

/// Numbers of a date or a time that are likely meant, both ends included. Others may be stored: a window narrows no range.
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
