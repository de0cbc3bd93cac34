//! Each finding with the lines it is about.

use super::findings;
use crate::audit::Report;
use crate::diag::{Diagnostic, Style, render};

/// The messages as `diag` draws them, the code in front.
pub fn render_full(reports: &[Report], style: Style) -> String {
    let messages: Vec<Diagnostic> = findings(reports)
        .map(|(_, finding)| {
            let message = format!("{} {}", finding.rule.code, finding.diagnostic.message);
            let fixable = if finding.fix.is_some() { " (`--fix` does it)" } else { "" };
            let help = finding.diagnostic.help.as_ref().map(|help| format!("{help}{fixable}"));
            Diagnostic { message, help, ..finding.diagnostic.clone() }
        })
        .collect();
    render(&messages, style)
}
