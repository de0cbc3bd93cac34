//! A bounded list of messages.

use std::sync::Arc;

use crate::diag::{Diagnostic, Source, Span};

/// More messages than this do not help; the rest is counted.
const MAX_DIAGNOSTICS: usize = 100;

/// Messages in the order in which they are reported, up to a hundred.
#[derive(Debug, Default)]
pub struct Collector {
    kept: Vec<Diagnostic>,
    dropped: usize,
}

impl Collector {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.kept.len() < MAX_DIAGNOSTICS {
            self.kept.push(diagnostic);
        } else {
            self.dropped += 1;
        }
    }

    pub fn finish(mut self, source: &Arc<Source>) -> Vec<Diagnostic> {
        if self.dropped > 0 {
            let end = Span::new(source.text.len(), source.text.len());
            let message = format!("{} more messages are not shown", self.dropped);
            let last = Diagnostic::error(message).at(source, end, "up to here");
            self.kept.push(last.with_help("fix the first ones and run again"));
        }
        self.kept
    }
}
