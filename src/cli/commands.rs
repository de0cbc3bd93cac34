//! One function a command.

pub mod audit;
pub mod diff;
pub mod drift;
pub mod init;
pub mod json_schema;
pub mod load;
pub mod rule;
pub mod simulate;
pub mod splits;
pub mod verify;

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::Context;
use serde_json::{Map, Value as Json, json};

use super::args::{
    DdlArgs, DdlPart, EngineChoice, ExplainArgs, ExplainFormat, KeyArgs, KeyForm, PlanArgs, RefusalArgs,
    ScanArgs, ScanFormat, ShapeChoice,
};
use super::failure::{Failure, Outcome};
use super::input::{load_schema, make_plan};
use super::output::{deliver, write_whole};
use super::talk::Talk;
use saltplan_core::diag::Diagnostic;
use saltplan_core::key::range::{from_hex, from_string_binary, to_hex, to_string_binary};
use saltplan_core::plan::{Kind, Plan, explain as explanation};
use saltplan_core::render::hive_query::{self, Engine, QueryOptions, Shape};
use saltplan_core::render::templates::{BUILT_IN, Templates};
use saltplan_core::render::{Refusal, ddl as ddl_text, fuzzy, hbase_shell, parse_table_name};
use saltplan_core::row::RowCodec;
use saltplan_core::schema::model::HiveTableName;

/// Faulty lines that are shown one by one.
const MAX_SHOWN_LINES: usize = 20;

pub fn plan(args: &PlanArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let schema = load_schema(&args.schema, talk)?;
    let (plan, predicate) = make_plan(&schema, &args.predicate, talk)?;
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
    let engine_name = if engine == Engine::Tez { "tez" } else { "mr" };
    let header = vec![
        format!("saltplan plan {} (engine {engine_name})", schema.source.name),
        format!("predicate: {predicate}"),
    ];
    let options = QueryOptions {
        engine,
        shape,
        guards: !args.no_guard,
        select_only: args.select,
        header: if args.no_header { Vec::new() } else { header },
    };
    let templates = Templates::new(args.templates.templates.as_deref());
    let query = hive_query::render(&schema.schema, &plan, &options, &templates)?;
    for warning in &query.warnings {
        talk.warning(warning);
    }
    deliver(&query.sql, &args.output, talk)
}

/// Full scans and empty plans are printed only when asked for: the one is expensive, the other wipes a partition.
fn refuse_mistakes(plan: &Plan, args: &RefusalArgs) -> Result<(), Refusal> {
    match plan.kind {
        Kind::FullScan if !args.allow_full_scan => {
            let is_reason = |code| ["no_pruning", "too_many_salts"].contains(&code);
            let reasons =
                plan.notes.iter().filter(|note| is_reason(note.code)).map(|note| note.message.as_str());
            Err(Refusal {
                reason: format!("the plan reads the whole table: {}", reasons.collect::<Vec<_>>().join("; ")),
                help: "add a condition on the leading key fields, or accept it with `--allow-full-scan`"
                    .into(),
            })
        }
        Kind::Empty if !args.allow_empty => Err(Refusal {
            reason: "no row can satisfy the predicate, and an INSERT OVERWRITE of nothing wipes a partition"
                .into(),
            help: "correct the predicate, or accept it with `--allow-empty`".into(),
        }),
        _ => Ok(()),
    }
}

pub fn explain(args: &ExplainArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let schema = load_schema(&args.schema, talk)?;
    let (plan, _) = make_plan(&schema, &args.predicate, talk)?;
    let text = match args.output_format {
        ExplainFormat::Text => explanation::to_text(&plan),
        ExplainFormat::Json => pretty(&explanation::to_json(&plan)),
    };
    deliver(&text, &args.output, talk)
}

fn pretty(json: &Json) -> String {
    format!("{json:#}\n")
}

pub fn scan(args: &ScanArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let schema = load_schema(&args.schema, talk)?;
    let (plan, _) = make_plan(&schema, &args.predicate, talk)?;
    refuse_mistakes(&plan, &args.refusal)?;
    let table = schema.schema.hbase.full_name();
    if plan.branches.iter().any(|branch| branch.residual.is_some()) {
        talk.warning("the ranges hold more rows than the predicate; check the rows against the residual");
    }
    let patterns = fuzzy::patterns(&schema.schema, &plan);
    let text = match args.output_format {
        ScanFormat::Shell => {
            let filter = (!patterns.is_empty()).then(|| fuzzy::shell_filter(&patterns));
            hbase_shell::commands(&table, &plan, filter.as_deref())
        }
        ScanFormat::Json => {
            let mut json = explanation::to_json(&plan);
            if let Some(members) = json.as_object_mut() {
                members.shift_insert(1, "table".into(), Json::from(table));
                members.insert("fuzzy_row_filter".into(), fuzzy::to_json(&patterns));
            }
            pretty(&json)
        }
    };
    deliver(&text, &args.output, talk)
}

pub fn ddl(args: &DdlArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let schema = load_schema(&args.schema, talk)?;
    let templates = Templates::new(args.templates.templates.as_deref());
    let hive = schema.schema.hive.as_ref();
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
                let split_keys = schema.split_keys()?.unwrap_or_default();
                ("HBase shell", "#", ddl_text::hbase(&schema.schema, &split_keys, &templates)?)
            }
            DdlPart::Mapping => ("Hive mapping table", "--", ddl_text::mapping(&schema.schema, &templates)?),
            DdlPart::Target => ("Hive target table", "--", ddl_text::target(&schema.schema, &templates)?),
        };
        // Several parts are for several programs: say where each begins.
        texts.push(if parts.len() > 1 { format!("{comment} {title}\n{text}") } else { text });
    }
    deliver(&texts.join("\n"), &args.output, talk)
}

pub fn encode(args: &KeyArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let schema = load_schema(&args.schema, talk)?;
    let codec = RowCodec::new(&schema.schema);
    each_line(args, talk, |line| {
        let row: Map<String, Json> =
            serde_json::from_slice(line).map_err(|error| format!("not a JSON object: {error}"))?;
        let key = codec.encode(&row)?;
        Ok((written_key(&key, args.keys), None))
    })
}

pub fn decode(args: &KeyArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let schema = load_schema(&args.schema, talk)?;
    let codec = RowCodec::new(&schema.schema);
    each_line(args, talk, |line| {
        let text = std::str::from_utf8(line).map_err(|_| "not UTF-8 text".to_string())?;
        let key = codec.decode(&read_key(text, args.keys)?)?;
        let finding = key.expected_salt.as_ref().map(|expected| {
            let written = key.salt.as_deref().map(to_string_binary).unwrap_or_default();
            format!("the salt is `{written}`, its fields give `{}`", to_string_binary(expected))
        });
        Ok((json!(codec.to_json(&key)).to_string(), finding))
    })
}

/// The name of a Hive table in an argument.
fn hive_table(text: &str) -> Result<HiveTableName, Failure> {
    parse_table_name(text).map_err(|refusal| Diagnostic::error(refusal.reason).with_help(refusal.help).into())
}

fn written_key(key: &[u8], form: KeyForm) -> String {
    match form {
        KeyForm::Text => to_string_binary(key),
        KeyForm::Hex => to_hex(key),
    }
}

/// The key of a line with its line end; `None` for a line without text.
fn read_key_line(line: &[u8], form: KeyForm) -> Result<Option<Vec<u8>>, String> {
    let content = line.strip_suffix(b"\n").unwrap_or(line);
    let content = content.strip_suffix(b"\r").unwrap_or(content);
    if content.is_empty() {
        return Ok(None);
    }
    let text = std::str::from_utf8(content).map_err(|_| "not UTF-8 text; write other bytes as `\\xNN`")?;
    read_key(text, form).map(Some)
}

fn read_key(text: &str, form: KeyForm) -> Result<Vec<u8>, String> {
    match form {
        KeyForm::Text => Ok(from_string_binary(text)),
        KeyForm::Hex => from_hex(text).ok_or_else(|| format!("`{text}` is not hex")),
    }
}

/// Works through the input line by line: faulty lines are reported and the rest goes on.
fn each_line(
    args: &KeyArgs,
    talk: &Talk,
    mut work: impl FnMut(&[u8]) -> Result<(String, Option<String>), String>,
) -> Result<Outcome, Failure> {
    let mut reader: Box<dyn BufRead> = match &args.input {
        Some(path) => {
            let file =
                std::fs::File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
            Box::new(BufReader::new(file))
        }
        None => Box::new(BufReader::new(std::io::stdin().lock())),
    };
    let name = args.input.as_ref().map_or("<stdin>".to_string(), |path| path.display().to_string());
    let mut output = LineOutput::new(args)?;
    let mut faults = 0usize;
    let mut line = Vec::new();
    for number in 1usize.. {
        line.clear();
        if reader.by_ref().read_until(b'\n', &mut line).with_context(|| format!("cannot read {name}"))? == 0 {
            break;
        }
        let content = line.strip_suffix(b"\n").unwrap_or(&line);
        let content = content.strip_suffix(b"\r").unwrap_or(content);
        if content.is_empty() {
            continue;
        }
        let (text, fault) = match work(content) {
            Ok((text, finding)) => (Some(text), finding),
            Err(reason) => (None, Some(reason)),
        };
        if let Some(text) = text {
            output.line(&text)?;
        }
        if let Some(fault) = fault {
            faults += 1;
            if faults <= MAX_SHOWN_LINES {
                talk.error(&Diagnostic::error(format!("{name}:{number}: {fault}")));
            }
        }
    }
    let delivered = output.finish(talk)?;
    if faults > MAX_SHOWN_LINES {
        talk.error(&Diagnostic::error(format!("{} more lines have faults", faults - MAX_SHOWN_LINES)));
    }
    Ok(if faults == 0 { delivered } else { Outcome::Findings })
}

/// Lines that go to standard output as they come, or to a file when all are there.
enum LineOutput<'a> {
    Stream(std::io::BufWriter<std::io::StdoutLock<'static>>),
    Whole { text: String, args: &'a KeyArgs },
}

impl<'a> LineOutput<'a> {
    fn new(args: &'a KeyArgs) -> Result<Self, Failure> {
        Ok(match args.output.output {
            None => LineOutput::Stream(std::io::BufWriter::new(std::io::stdout().lock())),
            Some(_) => LineOutput::Whole { text: String::new(), args },
        })
    }

    fn line(&mut self, line: &str) -> Result<(), Failure> {
        match self {
            LineOutput::Stream(stdout) => {
                use std::io::Write;
                writeln!(stdout, "{line}")?;
            }
            LineOutput::Whole { text, .. } => {
                text.push_str(line);
                text.push('\n');
            }
        }
        Ok(())
    }

    fn finish(self, talk: &Talk) -> Result<Outcome, Failure> {
        match self {
            LineOutput::Stream(mut stdout) => {
                std::io::Write::flush(&mut stdout)?;
                Ok(Outcome::Clean)
            }
            LineOutput::Whole { text, args } => deliver(&text, &args.output, talk),
        }
    }
}

pub fn generate_templates(folder: &Path, talk: &Talk) -> Result<Outcome, Failure> {
    let existing = BUILT_IN.iter().map(|(name, _)| folder.join(name)).find(|path| path.exists());
    if let Some(path) = existing {
        return Err(Refusal {
            reason: format!("{} is there already", path.display()),
            help: "name an empty folder: templates that were changed are not overwritten".into(),
        }
        .into());
    }
    for (name, text) in BUILT_IN {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
        }
        write_whole(&path, text.as_bytes())?;
    }
    talk.note(format!(
        "wrote {} templates to {}; use them with `--templates`",
        BUILT_IN.len(),
        folder.display()
    ));
    Ok(Outcome::Clean)
}
