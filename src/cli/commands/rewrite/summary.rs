//! The result of a run of `rewrite` in one line.

use std::fmt;

use saltplan_document::wording::plural;
use saltplan_rewrite::{Fate, Rewritten};

#[derive(Debug, Default)]
pub struct Summary {
    pub files: usize,
    pub written: usize,
    pub differing: usize,
    pub invalid: usize,
    /// Files with an INSERT OVERWRITE that is refused.
    pub refused: usize,
    /// References that still read the whole table.
    pub left: usize,
    pub is_broken_off: bool,
    changed: usize,
    narrowed: usize,
    ranges: usize,
}

impl Summary {
    pub fn count(&mut self, rewritten: &Rewritten) {
        self.changed += usize::from(rewritten.text != rewritten.source.text);
        self.left += rewritten.left();
        for reference in &rewritten.references {
            if let Fate::Pruned(pruned) = &reference.fate {
                self.narrowed += 1;
                self.ranges += pruned.ranges;
            }
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let narrowed = match self.narrowed {
            0 => "nothing narrowed".to_string(),
            count => format!("{} narrowed to {}", plural(count, "table"), plural(self.ranges, "range")),
        };
        let left = match self.left {
            0 => String::new(),
            count => format!(", {} read as a whole", plural(count, "table")),
        };
        match self.files {
            1 => write!(f, "{narrowed}{left}")?,
            files => {
                write!(f, "{}, {} with changes: {narrowed}{left}", plural(files, "file"), self.changed)?;
            }
        }
        if self.written > 0 {
            write!(f, "; wrote {}", plural(self.written, "file"))?;
        }
        if self.refused > 0 {
            write!(f, "; {} refused", plural(self.refused, "file"))?;
        }
        if self.differing > 0 {
            write!(f, "; {} out of date", plural(self.differing, "file"))?;
        }
        Ok(())
    }
}
