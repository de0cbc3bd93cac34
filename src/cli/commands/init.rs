//! `init`: a first schema file.

use std::path::Path;
use std::sync::Arc;

use crate::cli::args::InitArgs;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::key_lines;
use crate::cli::output::deliver;
use crate::cli::talk::Talk;
use saltplan_core::audit;
use saltplan_core::diag::{Diagnostic, Severity, Source};
use saltplan_core::init::draft::{Draft, DraftSalt, MAX_SALT_REGIONS};
use saltplan_core::init::flags::{self, Fault};
use saltplan_core::init::guess;
use saltplan_core::render::Refusal;

pub fn init(args: &InitArgs, talk: &Talk) -> Result<Outcome, Failure> {
    if args.fields.is_empty() && args.from_keys.is_none() {
        return Err(nothing_given().into());
    }
    refuse_to_overwrite(args)?;
    let mut draft = draft(args)?;
    if let Some(path) = &args.from_keys {
        draft = guessed(path, args, &draft, talk)?;
    } else {
        fill_from_flags(args, &mut draft)?;
    }
    draft.partition = if args.target.is_some() { partition(&draft) } else { Vec::new() };
    let (regions, comment) = match &args.regions {
        Some(text) => (Some(flags::regions(text).map_err(invalid)?), Vec::new()),
        None => default_regions(draft.salt.as_ref()),
    };
    (draft.regions, draft.regions_comment) = (regions, comment);
    let yaml = audited(draft.yaml(), args, talk)?;
    deliver(&yaml, &args.output, talk)
}

fn nothing_given() -> Diagnostic {
    Diagnostic::error("there is nothing to make a schema of").with_help(
        "name the fields of the key, such as `--table log:calls --field 'day:date(yyyyMMdd)' --field 'tel:text[11 digits]' \
         --salt md5:1`, or sample keys with `--from-keys FILE`; `saltplan init --help` has the whole language",
    )
}

/// A schema that somebody wrote is not replaced by a first draft.
fn refuse_to_overwrite(args: &InitArgs) -> Result<(), Failure> {
    match &args.output.output {
        Some(path) if path.is_file() && !args.output.check => Err(Refusal {
            reason: format!("{} is there already", path.display()),
            help: "name a new file, remove that one, or compare with `--check`".into(),
        }
        .into()),
        _ => Ok(()),
    }
}

fn invalid((message, help): Fault) -> Failure {
    Diagnostic::error(message).with_help(help).into()
}

/// What both ways take from flags.
fn draft(args: &InitArgs) -> Result<Draft, Failure> {
    let head = vec![
        "Made by `saltplan init`. Check it, then prove it: `saltplan key decode` with real row keys, and"
            .to_string(),
        "`saltplan drift` with the split keys of the live table.".to_string(),
    ];
    let columns: Result<_, _> = args.columns.iter().map(|text| flags::column(text)).collect();
    Ok(Draft {
        head,
        table: args.table.clone().unwrap_or_else(|| "my_table".into()),
        columns: columns.map_err(invalid)?,
        mapping: args.mapping.clone(),
        target: args.target.clone(),
        time_zone: args.time_zone.clone(),
        ..Draft::default()
    })
}

fn fill_from_flags(args: &InitArgs, draft: &mut Draft) -> Result<(), Failure> {
    if args.table.is_none() {
        let error = Diagnostic::error("the table has no name");
        return Err(error.with_help("add `--table ns:name`").into());
    }
    draft.separator = args.separator.clone();
    let fields: Result<Vec<_>, _> = args.fields.iter().map(|text| flags::field(text)).collect();
    draft.fields = fields.map_err(invalid)?;
    let names: Vec<String> = draft.fields.iter().map(|field| field.name.clone()).collect();
    let salt = args.salt.as_deref().map(|text| flags::salt(text, &names)).transpose();
    draft.salt = salt.map_err(invalid)?;
    Ok(())
}

fn guessed(path: &Path, args: &InitArgs, base: &Draft, talk: &Talk) -> Result<Draft, Failure> {
    let mut keys = key_lines::read_all(path, args.key_form, &talk.inputs)?;
    keys.sort_unstable();
    keys.dedup();
    let guess = guess(&keys, base).map_err(|reason| Refusal {
        reason,
        help: "give the fields with `--field`, and prove them with `saltplan key decode`".into(),
    })?;
    let mut draft = guess.draft;
    draft
        .head
        .push(format!("Guessed from {} row keys, and reads all of them. Names are made up.", keys.len()));
    if guess.doubtful {
        let message = "no salt was found that the rest of the keys explains; look at the comments";
        talk.note(message);
    }
    if args.table.is_none() {
        talk.note("the table is called `my_table`; give its name with `--table`");
    }
    Ok(draft)
}

/// Days and months of the key are what tables are partitioned by.
fn partition(draft: &Draft) -> Vec<String> {
    let dates = draft.fields.iter().filter(|field| field.yaml.starts_with("type: date"));
    dates.map(|field| field.name.clone()).take(1).collect()
}

fn default_regions(salt: Option<&DraftSalt>) -> (Option<String>, Vec<String>) {
    let Some(salt) = salt else { return (None, Vec::new()) };
    match salt.count {
        Some(count) if count <= MAX_SALT_REGIONS => {
            (Some("per_salt: {}".into()), vec!["one region for each salt".into()])
        }
        _ if salt.yaml.contains("write: hex") => (
            Some("hex_string: 16".into()),
            vec!["sixteen equal parts of the hex digits; check the number".into()],
        ),
        _ if salt.yaml.contains("be16") => (
            Some("byte_range: { start: 2047, end: 30720, regions: 16, type: short }".into()),
            vec!["sixteen equal parts of 0 to 0x7FFF; check the number".into()],
        ),
        _ => (None, Vec::new()),
    }
}

/// What the audit would say is told now. A fault of the design that was asked for is kept and marked as such, so that it
/// is seen in the file and does not fail the next audit.
fn audited(mut yaml: String, args: &InitArgs, talk: &Talk) -> Result<String, Failure> {
    let name = args.output.output.as_ref().map_or("schema".to_string(), |path| path.display().to_string());
    let origin =
        if args.from_keys.is_some() { "found in the stored keys" } else { "as given to `saltplan init`" };
    let source = Source::new(name, yaml.clone());
    saltplan_core::schema::load(&source)?;
    let mut lines: Vec<(usize, &str)> = Vec::new();
    for finding in audit::audit(&source, Path::new(""), &|_| true).findings {
        if finding.diagnostic.severity >= Severity::Warning {
            let line = source.line_column(finding.span().start).0;
            lines.push((line, finding.rule.code));
            let code = finding.rule.code;
            talk.note(format!("{code}: {}; `saltplan rule {code}` tells more", finding.diagnostic.message));
        }
    }
    lines.sort_unstable();
    lines.dedup();
    if !lines.is_empty() {
        yaml = suppressed(&yaml, &lines, origin);
    }
    talk.remarks(&left_over(&Source::new(source.name.clone(), yaml.clone())));
    Ok(yaml)
}

fn suppressed(yaml: &str, marks: &[(usize, &str)], origin: &str) -> String {
    let mark = |(index, line): (usize, &str)| {
        let codes: Vec<&str> =
            marks.iter().filter(|(at, _)| *at == index + 1).map(|(_, code)| *code).collect();
        match codes.is_empty() {
            true => format!("{line}\n"),
            false => format!("{line}    # saltplan: ignore[{}] {origin}: check\n", codes.join(", ")),
        }
    };
    yaml.lines().enumerate().map(mark).collect()
}

/// Findings that could not be marked.
fn left_over(source: &Arc<Source>) -> Vec<Diagnostic> {
    let findings = audit::audit(source, Path::new(""), &|_| true).findings;
    let warnings = findings.into_iter().filter(|finding| finding.diagnostic.severity >= Severity::Warning);
    warnings.map(|finding| finding.diagnostic).collect()
}
