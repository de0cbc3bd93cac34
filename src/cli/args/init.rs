//! The arguments of `init`.

use std::path::PathBuf;

use clap::Args;

use super::{KeyForm, OutputArgs};

pub(super) const INIT_HELP: &str = "\
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

Regions:
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

#[derive(Debug, Args)]
pub struct InitArgs {
    /// HBase table, `ns:name` or `name`
    #[arg(long, value_name = "TABLE")]
    pub table: Option<String>,

    /// Key field, `name:type`, see below; repeatable, in key order
    #[arg(long = "field", value_name = "FIELD")]
    pub fields: Vec<String>,

    /// Guess the fields and the salt from real row keys, one per line, and check those that are declared; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub from_keys: Option<PathBuf>,

    /// As --from-keys, from what `scan 'ns:table', {LIMIT => 500}` prints in the HBase shell: columns are taken, too, and the salt may be computed from them; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "from_keys")]
    pub from_scan: Option<PathBuf>,

    /// Take the table and its families from what `describe 'ns:table'` prints in the HBase shell; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub from_describe: Option<PathBuf>,

    /// Take the columns from what SHOW CREATE TABLE prints for the Hive table on HBase; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub from_show_create: Option<PathBuf>,

    /// Take the split keys from what `get_splits`, `list_regions` or the REST server print, or from a file with one per line; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "regions")]
    pub from_splits: Option<PathBuf>,

    /// Take the layout from Phoenix's CREATE TABLE or CREATE VIEW: the statement, or a file that has it; `-` is standard input
    #[arg(long, value_name = "DDL", conflicts_with_all = ["fields", "salt", "separator"])]
    pub phoenix: Option<String>,

    /// Take the layout from a JSON catalog of hbase-spark; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fields", "salt", "separator", "phoenix"])]
    pub catalog: Option<PathBuf>,

    /// Take the layout of OpenTSDB: `tags=2,salt.width=1,salt.buckets=20`, see below
    #[arg(long, value_name = "SETTINGS", conflicts_with_all = ["fields", "salt", "separator", "phoenix", "catalog"])]
    pub opentsdb: Option<String>,

    /// How keys are written in the file: as the HBase shell prints them (`\xNN`), or in hex
    #[arg(long, alias = "keys", value_name = "FORM", default_value = "text")]
    pub key_form: KeyForm,

    /// Salt in front of the key, see below
    #[arg(long, value_name = "SALT")]
    pub salt: Option<String>,

    /// Separator between all parts of the key
    #[arg(long, value_name = "TEXT")]
    pub separator: Option<String>,

    /// How the table is split, see below; by default one region per salt, if the salt has at most 256 values
    #[arg(long, value_name = "REGIONS")]
    pub regions: Option<String>,

    /// Column outside the key, `name:type@family:qualifier`; repeatable
    #[arg(long = "column", value_name = "COLUMN")]
    pub columns: Vec<String>,

    /// Hive table on HBase, `db.table`
    #[arg(long, value_name = "TABLE")]
    pub mapping: Option<String>,

    /// Hive table to insert into, `db.table`; dates of the key become its partitions
    #[arg(long, value_name = "TABLE")]
    pub target: Option<String>,

    /// Zone in which instants are shown as local time, such as `Asia/Shanghai`
    #[arg(long, value_name = "ZONE")]
    pub time_zone: Option<String>,

    #[command(flatten)]
    pub output: OutputArgs,
}
