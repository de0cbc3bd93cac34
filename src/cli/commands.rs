//! One function a command.

pub mod audit;
pub mod completions;
pub mod diff;
pub mod drift;
pub mod init;
pub mod json_schema;
pub mod key;
pub mod load;
pub mod man;
pub mod rule;
pub mod simulate;
pub mod splits;
pub mod templates;
pub mod verify;

use serde_json::Value as Json;

use super::args::{
    DdlArgs, DdlPart, EngineChoice, ExplainArgs, ExplainFormat, PlanArgs, PlanFormat, RefusalArgs, ScanArgs,
    ScanFormat, ShapeChoice,
};
use super::failure::{Failure, Outcome};
use super::input::{load_table, make_plan, templates};
use super::output::deliver;
use super::talk::Talk;
use saltplan_core::diag::Diagnostic;
use saltplan_core::plan::{Kind, Note, Plan, WhyNotUsed, explain as explanation};
use saltplan_core::render::hive_query::{self, Engine, QueryOptions, Shape};
use saltplan_core::render::size::{limited, too_long};
use saltplan_core::render::{
    CommentLine, Refusal, ddl as ddl_text, fuzzy, hbase_shell, parse_column_name, parse_table_name,
};
use saltplan_core::schema::model::HiveTableName;

/// Unused conditions that a refusal speaks of, at most.
const MAX_UNUSED: usize = 3;

pub fn plan(args: &PlanArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let table = load_table(&args.schema, talk)?;
    let (plan, predicate) = make_plan(&table, &args.predicate, talk)?;
    refuse_mistakes(&plan, &args.refusal)?;
    let engine = match args.engine {
        EngineChoice::Tez => Engine::Tez,
        EngineChoice::Mr => Engine::MapReduce,
    };
    let shape = match args.shape {
        ShapeChoice::Auto => None,
        ShapeChoice::UnionAll => Some(Shape::UnionAll),
        ShapeChoice::Isolated => Some(Shape::Isolated),
        ShapeChoice::Statements => Some(Shape::Statements),
    };
    let header = vec![
        CommentLine::new(&format!("saltplan plan {} (engine {})", table.file_name(), engine.name())),
        CommentLine::new(&format!("predicate: {predicate}")),
    ];
    let options = QueryOptions {
        engine,
        shape,
        guards: !args.no_guard,
        select_only: args.select,
        max_bytes: args.size.max_bytes,
        header: if args.no_header { Vec::new() } else { header },
    };
    let templates = templates(&args.templates, talk);
    let query = hive_query::render(table.schema(), &plan, &options, &templates)?;
    for warning in &query.warnings {
        talk.warning(warning);
    }
    let text = match args.output_format {
        PlanFormat::Sql => query.sql,
        PlanFormat::Json => pretty(&query.to_json(&plan, &talk.warnings())),
    };
    deliver(&text, &args.output, talk)
}

/// Full scans and empty plans are printed only when asked for: the one is expensive, the other wipes a partition.
fn refuse_mistakes(plan: &Plan, args: &RefusalArgs) -> Result<(), Refusal> {
    if let Some(rejected) = plan.notes.iter().find(|note| matches!(note, Note::RejectedValue { .. })) {
        return Err(Refusal {
            reason: rejected.to_string(),
            help: "write the value with all digits of its format, as `key encode` wants it".into(),
        });
    }
    match plan.kind {
        Kind::FullScan if !args.allow_full_scan => {
            let is_reason = |note: &&Note| {
                matches!(
                    note,
                    Note::NoPruning { .. } | Note::TooManySalts { .. } | Note::TooManyBranches { .. }
                )
            };
            let reasons = plan.notes.iter().filter(is_reason).map(Note::to_string);
            let unused = plan.notes.iter().filter_map(|note| match note {
                Note::NotUsed { condition, why: WhyNotUsed::Form(reason) } => {
                    Some(format!("`{condition}`: {reason}"))
                }
                _ => None,
            });
            let reasons: Vec<String> = reasons.chain(unused.take(MAX_UNUSED)).collect();
            Err(Refusal {
                reason: format!("the plan reads the whole table: {}", reasons.join("; ")),
                help: "add a condition on the leading key fields, or accept it with `--allow-full-scan`"
                    .into(),
            })
        }
        Kind::Empty if !args.allow_empty => Err(Refusal {
            reason: nothing(plan),
            help: "correct the predicate, or accept it with `--allow-empty`".into(),
        }),
        _ => Ok(()),
    }
}

fn nothing(plan: &Plan) -> String {
    let is_reason = |note: &&Note| matches!(note, Note::Never { .. } | Note::Contradiction { .. });
    let reasons: Vec<String> = plan.notes.iter().filter(is_reason).map(Note::to_string).collect();
    let because = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
    format!("no row can satisfy the predicate, and an INSERT OVERWRITE of nothing wipes a partition{because}")
}

pub fn explain(args: &ExplainArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let table = load_table(&args.schema, talk)?;
    let (plan, _) = make_plan(&table, &args.predicate, talk)?;
    let text = match args.output_format {
        ExplainFormat::Text => explanation::to_text(table.schema(), &plan, talk.text_width(&args.output)),
        ExplainFormat::Json => pretty(&limited_json(&plan, talk, args.size.max_bytes)?),
    };
    deliver(&limited(text, args.size.max_bytes)?, &args.output, talk)
}

/// The JSON form of a plan, where its residuals alone are not longer than the limit.
fn limited_json(plan: &Plan, talk: &Talk, max_bytes: usize) -> Result<Json, Refusal> {
    let residuals = plan.branches.iter().filter_map(|branch| branch.residual.as_ref());
    let bytes = residuals.map(|residual| residual.text.bytes()).fold(0, usize::saturating_add);
    if bytes > max_bytes {
        return Err(too_long(bytes, max_bytes));
    }
    Ok(explanation::to_json(plan, &talk.warnings()))
}

fn pretty(json: &Json) -> String {
    saltplan_core::diag::json::pretty(json)
}

pub fn scan(args: &ScanArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let table = load_table(&args.schema, talk)?;
    let (plan, _) = make_plan(&table, &args.predicate, talk)?;
    refuse_mistakes(&plan, &args.refusal)?;
    let name = table.schema().hbase.full_name();
    if plan.branches.iter().any(|branch| branch.residual.is_some()) {
        talk.warning("the ranges hold more rows than the predicate; check the rows against the residual");
    }
    let patterns = fuzzy::patterns(table.schema(), &plan);
    let text = match args.output_format {
        ScanFormat::Shell => {
            let filter = (!patterns.is_empty()).then(|| fuzzy::shell_filter(&patterns));
            hbase_shell::commands(&name, &plan, filter.as_deref(), args.size.max_bytes)?
        }
        ScanFormat::Json => {
            let mut json = limited_json(&plan, talk, args.size.max_bytes)?;
            if let Some(members) = json.as_object_mut() {
                members.shift_insert(1, "table".into(), Json::from(name));
                members.insert("fuzzy_row_filter".into(), fuzzy::to_json(&patterns));
            }
            pretty(&json)
        }
    };
    deliver(&limited(text, args.size.max_bytes)?, &args.output, talk)
}

pub fn ddl(args: &DdlArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let table = load_table(&args.schema, talk)?;
    let templates = templates(&args.templates, talk);
    let hive = table.schema().hive.as_ref();
    let parts = if args.only.is_empty() {
        let mut parts = vec![DdlPart::Hbase];
        parts.extend(hive.and_then(|hive| hive.mapping.as_ref()).map(|_| DdlPart::Mapping));
        parts.extend(hive.and_then(|hive| hive.target.as_ref()).map(|_| DdlPart::Target));
        parts
    } else {
        args.only.clone()
    };
    let mut texts = Vec::with_capacity(parts.len());
    for part in &parts {
        let (title, comment, text) = match part {
            DdlPart::Hbase => {
                let split_keys = table.split_keys()?.unwrap_or_default();
                (
                    "HBase shell",
                    "#",
                    ddl_text::hbase(table.schema(), split_keys, args.if_not_exists, &templates)?,
                )
            }
            DdlPart::Mapping => ("Hive mapping table", "--", ddl_text::mapping(table.schema(), &templates)?),
            DdlPart::Target => ("Hive target table", "--", ddl_text::target(table.schema(), &templates)?),
        };
        // Several parts are for several programs: say where each begins.
        texts.push(if parts.len() > 1 { format!("{comment} {title}\n{text}") } else { text });
    }
    deliver(&texts.join("\n"), &args.output, talk)
}

/// The name of a Hive table in an argument.
fn hive_table(text: &str) -> Result<HiveTableName, Failure> {
    parse_table_name(text).map_err(invalid)
}

/// The name of a Hive column in an argument.
fn hive_column(text: &str) -> Result<String, Failure> {
    parse_column_name(text).map_err(invalid)
}

/// An argument that is wrong in itself, whatever the schema says.
fn invalid(refusal: Refusal) -> Failure {
    Diagnostic::error(refusal.reason).with_help(refusal.help).into()
}
