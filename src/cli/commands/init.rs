//! `init`: a first schema file.

use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};

use crate::cli::args::{KeyForm, OutputArgs};
use crate::cli::inputs::name_of;
use crate::cli::key_lines::{self, MAX_DUMP_BYTES};
use crate::cli::{Failure, Outcome, Refused, Reporter};
use saltplan_core::Table;
use saltplan_core::schema::conversion::name_of_days;
use saltplan_document::diag::{Diagnostic, counted};
use saltplan_document::files::without_mark;
use saltplan_lint::rule::Finding;
use saltplan_project::Fault;
use saltplan_project::drift::split_list;
use saltplan_project::init::draft::{Draft, DraftKind, DraftPartition};
use saltplan_project::init::live::{self, Created, Described, Mapping, Scanned};
use saltplan_project::init::{self, GuessError, flags, guess};

const HELP: &str = "\
Fields, in key order:
  day:date(yyyyMMdd)            a date as text
  at:timestamp(yyyyMMddHHmmss)  local time as text
  at:timestamp(ms descending)   an instant in 8 bytes, newest first
  tel:string[11 digits]         11 digits
  id:string[8 a-f0-9]           8 characters of a to f and 0 to 9
  id:string[10 digits reversed] stored in reverse order
  uid:string[unstored]          an input of the salt, not in the key
  country:string{cn,us}         one of these values
  name:string                   any text
  id:bigint  n:int              8 and 4 bytes, big-endian
  id:bigint(sortable)           the same with the sign bit flipped
  uid:int(unsigned 3)           never negative, 3 bytes
  n:int(decimal 5)              zero-padded digits

Salts:
  md5:2                         first 2 hex digits of the MD5 of the key
  md5:8(a,b)                    8 digits, of the fields a and b
  sha1:4(a)  sha1:5-8(a)        hex digits of a digest: md5, sha1, sha256,
                                crc32, murmur3_32, murmur3_128, xxhash64,
                                fnv1a_32, fnv1a_64
  crc32%16(a)                   the remainder of a digest
  hash:16  hash:16(a,b)         Math.abs(hashCode % 16) of all fields, or of two
  bytes:16                      one byte, as Phoenix and HBaseWD write it:
                                Math.abs(Arrays.hashCode % 16) of the key
  last:2(tel)  first:2(tel)     characters of a field
  modulo:20(id)                 remainder of a number
  random:100                    two random digits; no point reads
  unknown:2(hex)                a salt of no known rule: digits, hex, HEX, bytes

Split:
  per-salt                      one region per salt
  hex:16  decimal:10            equal parts of 8 hex or decimal digits
  uniform:8                     equal parts of 8 bytes
  longs:1-19                    8-byte split keys from 1 to 19
  a,b,c                         these split keys

With --from-keys, declared fields are the first ones of the key. They, the salt
and the separator are checked against all keys; the rest is guessed.

With --opentsdb: the number of tags of the points, then settings of
opentsdb.conf without `tsd.storage.`: salt.width (0), salt.buckets (20),
uid.width.metric (3), uid.width.tagk (3), uid.width.tagv (3).

With --phoenix, --catalog or --opentsdb, sample keys are only checked. What the
declaration does not tell is a comment in the schema.

If the audit warns about something that was given here, the file suppresses the
warning. Errors are not suppressed: a comment in the file says what to decide.

Exit codes:
  0  done
  1  the keys follow no layout that can be written down, or a difference with
     --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan init --table log:calls --field 'day:date(yyyyMMdd)' \\
    --field 'tel:string[11 digits]' --salt md5:1
  saltplan init --table shop:orders --field 'user:string[10 digits reversed]' \\
    --field 'at:timestamp(ms descending)' \\
    --column 'amount:decimal(18,2)@info:amount' \\
    --mapping shop.orders_map --time-zone Asia/Shanghai
  saltplan init --table log:calls --from-keys schemas/examples/keys.txt \\
    -o calls.yaml
  saltplan init --table log:calls --from-keys schemas/examples/row_keys.txt \\
    --field 'day:date(yyyyMMdd)' --field 'tel:string[11 digits]'
  saltplan init --phoenix \\
    'CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY) SALT_BUCKETS = 16'
  saltplan init --from-keys schemas/examples/row_keys.txt \\
    --from-describe schemas/examples/describe.txt \\
    --from-show-create schemas/examples/show_create_table.txt \\
    --from-splits schemas/examples/get_splits.txt";

/// Write a first schema, from flags, sample row keys or a live table
#[derive(Debug, Args)]
#[command(after_help = HELP)]
#[command(group(ArgGroup::new("key_file").args(["from_keys", "from_splits"]).multiple(true)))]
pub struct InitArgs {
    /// HBase table, `ns:name` or `name`
    #[arg(long, value_name = "TABLE")]
    pub table: Option<String>,

    /// Key field, `name:type`, such as 'day:date(yyyyMMdd)'; repeatable, in key order.
    ///
    /// The types are listed below
    #[arg(long = "field", value_name = "FIELD")]
    pub fields: Vec<String>,

    /// Guess the fields and the salt from real row keys, one per line, and check declared ones.
    ///
    /// `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub from_keys: Option<PathBuf>,

    /// As --from-keys, from what `scan 'ns:table', {LIMIT => 500}` prints in the HBase shell.
    ///
    /// Columns are taken, too, and the salt may be computed from them; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "from_keys")]
    pub from_scan: Option<PathBuf>,

    /// Take the table and its families from what `describe 'ns:table'` prints in the HBase shell; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub from_describe: Option<PathBuf>,

    /// Take the table, its families and its regions from a `create` of the HBase shell.
    ///
    /// A script, or the log of a session; `--table` chooses one of several. `-` is standard input
    #[arg(long, hide_short_help = true, value_name = "FILE", conflicts_with = "from_describe")]
    pub from_create: Option<PathBuf>,

    /// Take the columns from what SHOW CREATE TABLE prints for the Hive table on HBase; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub from_show_create: Option<PathBuf>,

    /// Take the split keys from what `get_splits`, `list_regions` or the REST server print, or from a file.
    ///
    /// The file has one split key per line; `-` is standard input
    #[arg(long, value_name = "DUMP", conflicts_with = "split")]
    pub from_splits: Option<PathBuf>,

    /// Take the layout from Phoenix's CREATE TABLE or CREATE VIEW: the statement, or a file that has it; `-` is standard input
    #[arg(long, hide_short_help = true, value_name = "DDL", conflicts_with_all = ["fields", "salt", "separator"])]
    pub phoenix: Option<String>,

    /// Take the layout from a JSON catalog of hbase-spark; `-` is standard input
    #[arg(long, hide_short_help = true, value_name = "FILE", conflicts_with_all = ["fields", "salt", "separator", "phoenix"])]
    pub catalog: Option<PathBuf>,

    /// Take the layout of OpenTSDB: `tags=2,salt.width=1,salt.buckets=20`, see below
    #[arg(long, hide_short_help = true, value_name = "SETTINGS", conflicts_with_all = ["fields", "salt", "separator", "phoenix", "catalog"])]
    pub opentsdb: Option<String>,

    /// How keys are written in the file: as the HBase shell prints them (`\xNN`), or in hex
    #[arg(
        long,
        hide_short_help = true,
        alias = "keys",
        value_name = "FORM",
        default_value = "text",
        requires = "key_file"
    )]
    pub key_form: KeyForm,

    /// Salt in front of the key, such as `md5:2` or `hash:16`.
    ///
    /// All of them are listed below
    #[arg(long, value_name = "SALT")]
    pub salt: Option<String>,

    /// Separator between all parts of the key
    #[arg(long, hide_short_help = true, value_name = "TEXT")]
    pub separator: Option<String>,

    /// How the table is split, such as `per-salt` or `hex:16`.
    ///
    /// All forms are listed below; by default one region per salt, if the salt has at most 256 values
    #[arg(long, alias = "regions", value_name = "FORM")]
    pub split: Option<String>,

    /// Column outside the key, `name:type@family:qualifier`; repeatable
    #[arg(long = "column", value_name = "COLUMN")]
    pub columns: Vec<String>,

    /// Hive table on HBase, `db.table`
    #[arg(long, hide_short_help = true, value_name = "TABLE")]
    pub mapping: Option<String>,

    /// Hive table to insert into, `db.table`; dates of the key become its partitions
    #[arg(long, hide_short_help = true, value_name = "TABLE")]
    pub target: Option<String>,

    /// Zone in which instants are shown as local time, such as `Asia/Shanghai`
    #[arg(long, hide_short_help = true, value_name = "ZONE")]
    pub time_zone: Option<String>,

    #[command(flatten)]
    pub output: OutputArgs,
}

pub fn run(args: &InitArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let imported = imported(args, reporter)?;
    let is_declared = !args.fields.is_empty() || has_sample(args) || imported.is_some();
    if !is_declared && args.from_show_create.is_none() {
        return Err(nothing_given(args).into());
    }
    let phoenix = args.phoenix.as_deref().filter(|text| !is_statement(text)).map(PathBuf::from);
    let inputs = [
        &args.from_create,
        &args.from_describe,
        &args.from_show_create,
        &args.from_splits,
        &args.from_keys,
        &args.from_scan,
        &args.catalog,
        &phoenix,
    ];
    reporter.inputs.differ(inputs.into_iter().flatten().map(PathBuf::as_path))?;
    refuse_to_overwrite(args)?;
    let mut draft = draft(args)?;
    let split_keys = live(args, &mut draft, reporter)?;
    if !is_declared && draft.fields.is_empty() {
        return Err(nothing_given(args).into());
    }
    if let Some(imported) = imported {
        draft.take(imported);
        if let Some(sample) = sample(args, reporter)? {
            draft.take_scanned(&sample);
            compare_with_keys(&mut draft, &sample.keys)?;
        }
    } else if let Some(sample) = sample(args, reporter)? {
        let is_unnamed = draft.table.is_empty();
        if is_unnamed {
            draft.table = "my_table".into();
        }
        draft.take_scanned(&sample);
        draft = guessed(&sample, args, &draft, reporter)?;
        if is_unnamed {
            reporter.note("the table name is missing, so the schema says `my_table`; set it with `--table`");
        }
    } else {
        if draft.table.is_empty() {
            let error = Diagnostic::error("the table name is missing");
            return Err(error.with_help("add `--table ns:name`").into());
        }
        let names: Vec<String> = draft.fields.iter().map(|field| field.name.clone()).collect();
        let salt = args.salt.as_deref().map(|text| flags::salt(text, &names)).transpose();
        draft.salt = salt.map_err(invalid)?;
    }
    draft.rename_fields_of_columns();
    if draft.target.is_some() && draft.mapping.is_none() {
        let error = Diagnostic::error("`--target` needs a mapping table to read from");
        return Err(error.with_help("add `--mapping db.table` or `--from-show-create FILE`").into());
    }
    draft.partition = if args.target.is_some() { partition(&draft) } else { Vec::new() };
    match &args.split {
        Some(text) => draft.regions = Some(flags::regions(text).map_err(invalid)?),
        None => match &split_keys {
            Some(split_keys) => draft.take_split_keys(&split_keys.keys, split_keys.source),
            None if draft.regions.is_none() => draft.take_regions_of_salt(),
            None => {}
        },
    }
    let yaml = audited(&draft, args, reporter)?;
    if let (Some(path), Some(split_keys)) = (&args.from_splits, &split_keys)
        && split_keys.is_list
        && args.key_form == KeyForm::Text
    {
        let table = Table::from_yaml(&yaml)?;
        split_list::check(&split_keys.keys, Some(table.salts())).map_err(|fault| in_file(path, fault))?;
    }
    args.output.deliver(&yaml, reporter)
}

struct SplitKeys {
    keys: Vec<Vec<u8>>,
    /// Where they are from, for a comment.
    source: &'static str,
    /// Whether they were given one per line.
    is_list: bool,
}

/// The layout that another system declares.
fn imported(args: &InitArgs, reporter: &Reporter) -> Result<Option<Draft>, Failure> {
    let read = |path: &Path| -> Result<String, Failure> {
        let bytes = reporter.inputs.bytes(path, MAX_DUMP_BYTES)?;
        let text = String::from_utf8(bytes).map(|text| without_mark(&text).to_string());
        text.map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let message = format!("{}: the byte {at} is not UTF-8", name_of(path));
            Diagnostic::error(message).with_help("save the file as UTF-8").into()
        })
    };
    Ok(match (&args.phoenix, &args.catalog, &args.opentsdb) {
        (Some(text), ..) if is_statement(text) => Some(Draft::of_phoenix("--phoenix", text)?),
        (Some(path), ..) => Some(Draft::of_phoenix(path, &read(Path::new(path))?)?),
        (_, Some(path), _) => Some(Draft::of_catalog(&name_of(path), &read(path)?)?),
        (.., Some(settings)) => Some(Draft::of_opentsdb(settings)?),
        (None, None, None) => None,
    })
}

/// Whether the text is a statement, and not the name of a file.
fn is_statement(text: &str) -> bool {
    let text = text.trim_start();
    let is_create = text.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("create"));
    text.starts_with("--")
        || text.starts_with("/*")
        || is_create && text[6..].starts_with(char::is_whitespace)
}

fn has_sample(args: &InitArgs) -> bool {
    args.from_keys.is_some() || args.from_scan.is_some()
}

/// Different row keys in order, with the columns of a scan.
fn sample(args: &InitArgs, reporter: &Reporter) -> Result<Option<Scanned>, Failure> {
    if let Some(path) = &args.from_scan {
        let bytes = reporter.inputs.bytes(path, MAX_DUMP_BYTES)?;
        let scanned = live::scan(&String::from_utf8_lossy(&bytes));
        return scanned.map(Some).map_err(|fault| in_file(path, fault));
    }
    let Some(path) = &args.from_keys else { return Ok(None) };
    let mut keys = key_lines::read_all(path, args.key_form, &reporter.inputs)?;
    keys.sort_unstable();
    keys.dedup();
    Ok(Some(Scanned { keys, ..Scanned::default() }))
}

/// Every key of the sample must follow the imported layout.
fn compare_with_keys(draft: &mut Draft, keys: &[Vec<u8>]) -> Result<(), Failure> {
    init::read_all(draft, keys).map_err(|reason| Refused {
        code: "no_layout_found",
        reason: reason.to_string(),
        help: "the declaration is of another table, or the key is not from this table".into(),
    })?;
    let count = counted(keys.len() as u128, "row key", "row keys");
    draft.head.push(format!("Checked against {count}; all of them can be decoded."));
    Ok(())
}

fn nothing_given(args: &InitArgs) -> Diagnostic {
    if args.from_create.is_some()
        || args.from_describe.is_some()
        || args.from_show_create.is_some()
        || args.from_splits.is_some()
    {
        return Diagnostic::error("it is not known how the row key is built").with_help(
            "add sample keys with `--from-keys FILE`, or the fields, such as `--field 'day:date(yyyyMMdd)' --salt md5:1`",
        );
    }
    Diagnostic::error("the fields of the key are missing").with_help(
        "add the fields, such as `--table log:calls --field 'day:date(yyyyMMdd)' --field 'tel:string[11 digits]' \
         --salt md5:1`, or sample keys with `--from-keys FILE`; see `saltplan init --help` for all forms",
    )
}

/// An existing schema is not replaced by a first draft.
fn refuse_to_overwrite(args: &InitArgs) -> Result<(), Failure> {
    match &args.output.output {
        Some(path) if path.is_file() && !args.output.check => Err(Refused {
            code: "file_exists",
            reason: format!("{} already exists", path.display()),
            help: "choose another file name, remove the file, or compare with `--check`".into(),
        }
        .into()),
        _ => Ok(()),
    }
}

fn invalid((message, help): Fault) -> Failure {
    Diagnostic::error(message).with_help(help).into()
}

fn in_file(path: &Path, (message, help): Fault) -> Failure {
    invalid((format!("{}: {message}", name_of(path)), help))
}

/// Everything that flags declare, except the salt, which can refer to guessed fields.
fn draft(args: &InitArgs) -> Result<Draft, Failure> {
    let head = vec![
        "Written by `saltplan init`. Review it, then test it: run `saltplan key decode` on real row keys,"
            .to_string(),
        "and `saltplan drift` on the split keys of the live table.".to_string(),
    ];
    let columns: Result<_, _> = args.columns.iter().map(|text| flags::column(text)).collect();
    let fields: Result<_, _> = args.fields.iter().map(|text| flags::field(text)).collect();
    Ok(Draft {
        head,
        table: args.table.clone().unwrap_or_default(),
        separator: args.separator.clone(),
        fields: fields.map_err(invalid)?,
        columns: columns.map_err(invalid)?,
        mapping: args.mapping.clone(),
        target: args.target.clone(),
        time_zone: args.time_zone.clone(),
        ..Draft::default()
    })
}

/// What is known about an existing table. Its split keys are used later, when the salt is known.
fn live(args: &InitArgs, draft: &mut Draft, reporter: &Reporter) -> Result<Option<SplitKeys>, Failure> {
    let read = |path: &Path| -> Result<String, Failure> {
        let bytes = reporter.inputs.bytes(path, MAX_DUMP_BYTES)?;
        Ok(without_mark(&String::from_utf8_lossy(&bytes)).to_string())
    };
    let mut tables = NamedTable::default();
    if let Some(table) = &args.table {
        tables.add("`--table`".into(), table)?;
    }
    let mut split_keys = None;
    if let Some(path) = &args.from_create {
        let Created { draft: mut created, split_keys: keys, left_out } =
            live::create(&read(path)?, args.table.as_deref()).map_err(|fault| in_file(path, fault))?;
        tables.add(name_of(path), &created.table)?;
        warn_of_left_out(&left_out, reporter);
        let (regions, comment) = (created.regions.take(), std::mem::take(&mut created.regions_comment));
        if args.from_splits.is_some() && (regions.is_some() || keys.is_some()) {
            let error = Diagnostic::error(format!(
                "{} and `--from-splits` both say how the table is split",
                name_of(path)
            ));
            return Err(error.with_help("give the split keys once").into());
        }
        draft.take(created);
        (draft.regions, draft.regions_comment) = (regions, comment);
        split_keys = keys.map(|keys| SplitKeys { keys, source: "the `create`", is_list: false });
    }
    if let Some(path) = &args.from_describe {
        let Described { draft: described, left_out } =
            live::describe(&read(path)?).map_err(|fault| in_file(path, fault))?;
        tables.add(name_of(path), &described.table)?;
        warn_of_left_out(&left_out, reporter);
        draft.take(described);
    }
    if let Some(path) = &args.from_show_create {
        let Mapping { draft: mut mapping, key_type, remarks, drop_deletes_rows } =
            live::show_create(&read(path)?).map_err(|fault| in_file(path, fault))?;
        if !mapping.table.is_empty() {
            tables.add(name_of(path), &mapping.table)?;
        }
        let table = mapping.mapping.as_deref().unwrap_or_default();
        for left_out in &mapping.columns_comment {
            reporter.note(format!("column of {table} {left_out}"));
        }
        if let (Some(key), Some(hive_type)) = (&mapping.key_column, &key_type) {
            reporter.warning(format!(
                "{table}: the key column `{key}` has the type `{hive_type}`, but statements compare the row key as a string: make a mapping table \
                 of another name with `ddl --only mapping`"
            ));
        }
        // Of a managed table, `audit` says it of the schema.
        if drop_deletes_rows && !mapping.is_managed {
            reporter.warning(format!(
                "{table}: in Hive 4, DROP TABLE deletes its table of HBase, with all rows: `external.table.purge` is set, which a schema file does \
                 not have. Before it: ALTER TABLE … SET TBLPROPERTIES ('external.table.purge'='FALSE')"
            ));
        }
        let is_imported = args.phoenix.is_some() || args.catalog.is_some() || args.opentsdb.is_some();
        if is_imported || !draft.fields.is_empty() {
            mapping.leave_key_out();
        } else {
            remarks.iter().for_each(|remark| reporter.note(format!("{}: {remark}", name_of(path))));
        }
        draft.take(mapping);
        draft.take_families_of_columns();
    }
    let Some(path) = &args.from_splits else { return Ok(split_keys) };
    let splits = key_lines::read_splits(path, args.key_form, None, reporter)?;
    if let Some(table) = &splits.table {
        tables.add(name_of(path), table)?;
        if draft.table.is_empty() {
            draft.table.clone_from(table);
        }
    }
    if splits.split_keys().next().is_none() {
        reporter.note("the live table has a single region, so the schema has no `regions`");
    }
    let keys = splits.split_keys().map(<[u8]>::to_vec).collect();
    Ok(Some(SplitKeys { keys, source: "the live table", is_list: splits.is_list }))
}

fn warn_of_left_out(left_out: &[String], reporter: &Reporter) {
    if !left_out.is_empty() {
        let warning = Diagnostic::warning(format!("a schema file has no place for {}", left_out.join(", ")));
        reporter.remarks(&[warning.with_help(
            "`ddl` creates the table without it: add it to the `create` by hand, or with `alter`",
        )]);
    }
}

/// The table that the files are about, and the first file or flag that names it.
#[derive(Default)]
struct NamedTable(Option<(String, String)>);

impl NamedTable {
    /// Another file or flag, which must be about the same table.
    fn add(&mut self, file: String, table: &str) -> Result<(), Failure> {
        let bare = table.strip_prefix("default:").unwrap_or(table);
        match &self.0 {
            Some((first, known)) if known != bare => {
                let error = format!("{first} is about the table `{known}`, {file} about `{bare}`");
                let help = "give files of one table, and change the name in the schema file if the design is for another one";
                Err(Diagnostic::error(error).with_help(help).into())
            }
            _ => {
                self.0.get_or_insert_with(|| (file, bare.to_string()));
                Ok(())
            }
        }
    }
}

fn guessed(sample: &Scanned, args: &InitArgs, base: &Draft, reporter: &Reporter) -> Result<Draft, Failure> {
    let is_declared = !base.fields.is_empty() || args.salt.is_some() || base.separator.is_some();
    let guess = guess(sample, base, args.salt.as_deref());
    let guess = guess.map_err(|reason| match reason {
        GuessError::Flag(fault) => invalid(fault),
        reason => Refused {
            code: "no_layout_found",
            reason: reason.to_string(),
            help: match is_declared {
                true => "correct the declaration, or omit it to have it guessed",
                false => "declare the fields with `--field`, and test them with `saltplan key decode`",
            }
            .into(),
        }
        .into(),
    })?;
    let mut draft = guess.draft;
    let count = counted(guess.keys as u128, "row key", "row keys");
    draft.head.push(match base.fields.len() {
        0 => format!("Guessed from {count}; all of them can be decoded. The names are placeholders."),
        declared if declared < draft.fields.len() => {
            format!("Guessed from {count}; all of them can be decoded. Names that were not given are placeholders.")
        }
        _ => format!("Checked against {count}; all of them can be decoded."),
    });
    for note in &guess.notes {
        reporter.note(note);
    }
    for remark in draft.fields.iter().filter_map(|field| Some((&field.name, field.remark.as_ref()?))) {
        reporter.note(format!("`{}`: {}", remark.0, remark.1));
    }
    Ok(draft)
}

/// Tables are usually partitioned by days and months of the key; for a time, by its day if local time is
/// known.
fn partition(draft: &Draft) -> Vec<DraftPartition> {
    let is_taken = |name: &str| {
        draft.fields.iter().any(|field| field.name.eq_ignore_ascii_case(name))
            || draft.columns.iter().any(|column| column.name.eq_ignore_ascii_case(name))
    };
    let day_of = |of: &String| DraftPartition::Day { name: name_of_days(of, is_taken), of: of.clone() };
    let dates = draft.fields.iter().filter_map(|field| match field.kind {
        DraftKind::Date { .. } => Some(DraftPartition::Field(field.name.clone())),
        _ => None,
    });
    let times = draft.fields.iter().filter_map(|field| match field.kind {
        DraftKind::Timestamp { .. } => Some(day_of(&field.name)),
        DraftKind::Epoch { .. } if draft.time_zone.is_some() => Some(day_of(&field.name)),
        _ => None,
    });
    dates.chain(times).take(1).collect()
}

/// Runs the audit on the new file. A warning about the requested design is marked in the file, so that it is
/// visible there and does not fail the next audit. An error fails it until a person decides.
fn audited(draft: &Draft, args: &InitArgs, reporter: &Reporter) -> Result<String, Failure> {
    let name = args.output.output.as_ref().map_or("schema".to_string(), |path| path.display().to_string());
    let is_imported = args.phoenix.is_some() || args.catalog.is_some() || args.opentsdb.is_some();
    let origin = match has_sample(args) {
        _ if is_imported => "declared like this",
        true => "found in the sample keys",
        false => "given to `saltplan init`",
    };
    let checked = init::check(&name, &init::yaml(draft), origin)?;
    for finding in &checked.accepted {
        let code = finding.rule.code;
        reporter.note(format!("{code}: {}; see `saltplan rule {code}`", finding.diagnostic.message));
    }
    let with_code = |finding: &Finding| {
        let mut diagnostic = finding.diagnostic.clone();
        diagnostic.message = format!("{} {}", finding.rule.code, diagnostic.message);
        diagnostic
    };
    reporter.remarks(&checked.undecided.iter().map(with_code).collect::<Vec<_>>());
    let errors = checked.undecided.len();
    if errors > 0 {
        reporter.note(format!(
            "the schema has {}: comments in it say what to decide, and `saltplan audit` fails until then",
            counted(errors as u128, "error", "errors")
        ));
    }
    Ok(checked.yaml)
}
