//! `rule CODE`

use clap::Args;
use serde_json::json;

use crate::cli::args::TextOrJson;
use crate::cli::output::write_result;
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_document::diag::Diagnostic;
use saltplan_lint::rule::Rule;
use saltplan_lint::{docs, example, rules};

const HELP: &str = "\
Exit codes:
  0  done
  2  no such rule, or wrong usage

Examples:
  saltplan rule
  saltplan rule SP2
  saltplan rule SP201";

/// Explain a rule of the audit, or list all rules
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct RuleArgs {
    /// Code or name of a rule, or a prefix of codes such as `SP2`; without it, all rules are listed
    #[arg(value_name = "CODE")]
    pub rule: Option<String>,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub output_format: TextOrJson,
}

pub fn run(args: &RuleArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let chosen = chosen(args.rule.as_deref())?;
    let text = match (args.output_format, chosen.as_slice()) {
        (TextOrJson::Text, [rule]) => docs::text(rule),
        (TextOrJson::Text, rules) => docs::list(rules),
        (TextOrJson::Json, rules) => {
            let rules: Vec<_> = rules
                .iter()
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
    write_result(&text, None, reporter)?;
    Ok(Outcome::Clean)
}

/// The rule with a code or a name, the rules whose codes have a prefix, or all rules.
fn chosen(wanted: Option<&str>) -> Result<Vec<&'static Rule>, Failure> {
    let Some(wanted) = wanted else { return Ok(rules::all().to_vec()) };
    if let Some(rule) = rules::find(wanted) {
        return Ok(vec![rule]);
    }
    let family: Vec<&Rule> = rules::all().iter().copied().filter(|rule| rule.is_chosen_by(wanted)).collect();
    if family.is_empty() {
        return Err(with_similar(Diagnostic::error(format!("there is no rule `{wanted}`")), wanted).into());
    }
    Ok(family)
}

/// Suggests a rule name. A similar code would not help, because all codes are similar.
pub fn with_similar(error: Diagnostic, wanted: &str) -> Diagnostic {
    let error = error.with_help("`saltplan rule` lists the rules");
    error.with_suggestion(wanted, rules::all().iter().map(|rule| rule.name))
}
