//! `rule CODE` and `generate rules`

use serde_json::json;

use crate::cli::args::{ExplainFormat, OutputArgs, RuleArgs};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::output::{deliver, write_result};
use crate::cli::talk::Talk;
use saltplan_core::audit::{docs, example, rules};
use saltplan_core::diag::Diagnostic;

pub fn rule(args: &RuleArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let chosen = match &args.rule {
        None => None,
        Some(wanted) => Some(rules::find(wanted).ok_or_else(|| {
            with_similar(Diagnostic::error(format!("there is no rule `{wanted}`")), wanted)
        })?),
    };
    let text = match (args.output_format, chosen) {
        (ExplainFormat::Text, Some(rule)) => docs::text(rule),
        (ExplainFormat::Text, None) => docs::list(),
        (ExplainFormat::Json, chosen) => {
            let listed =
                rules::all().iter().filter(|rule| chosen.is_none_or(|chosen| chosen.code == rule.code));
            let rules: Vec<_> = listed
                .map(|rule| {
                    json!({
                        "code": rule.code,
                        "rule": rule.name,
                        "severity": rule.severity.to_string(),
                        "summary": rule.summary,
                        "why": rule.why,
                        "learned": rule.learned,
                        "fires": example::lines(rule.fires),
                        "corrected": rule.corrected,
                    })
                })
                .collect();
            format!("{:#}\n", json!({ "format_version": 1, "rules": rules }))
        }
    };
    write_result(&text, None, talk)?;
    Ok(Outcome::Clean)
}

/// Says which rule may be meant. The nearest code is no help for a wrong one: all codes are alike.
pub fn with_similar(error: Diagnostic, wanted: &str) -> Diagnostic {
    let error = error.with_help("`saltplan rule` lists the rules");
    error.with_suggestion(wanted, rules::all().iter().map(|rule| rule.name))
}

pub fn documentation(output: &OutputArgs, talk: &Talk) -> Result<Outcome, Failure> {
    deliver(&docs::markdown(), output, talk)
}
