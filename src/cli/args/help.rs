//! The text below the options in the help of a command: exit codes and examples, in lines of at most 80
//! characters. A test runs every example.

pub const ROOT: &str = "\
Exit codes:
  0  done, nothing found
  1  a refused plan, findings, or a difference with --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan explain schemas/examples/md5_nibble_day.yaml \"opera_day = 20200406\"
  saltplan plan --help";

pub const PLAN: &str = "\
Shapes:
  union_all   one query, one UNION ALL branch per range; on MapReduce it reads
              the whole table
  isolated    the same with one job per branch, for MapReduce
  statements  one INSERT per range; not atomic
  one_scan    one scan for all ranges, for mapping tables with `one_scan: true`

Exit codes:
  0  done
  1  a refused plan (a full scan, nothing to read, an unbound partition), or a
     difference with --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan plan schemas/examples/md5_nibble_day.yaml \"opera_day = 20200406\"
  saltplan plan schemas/examples/md5_nibble_day.yaml \"opera_day = :day\" \\
    --param day=20200406 --engine mr -o day.sql
  saltplan plan schemas/examples/md5_nibble_day.yaml --select --no-header \\
    \"opera_day = 20200406 AND row_id = 'u1'\"";

pub const EXPLAIN: &str = "\
Exit codes:
  0  done
  1  a difference with --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan explain schemas/examples/md5_nibble_day.yaml \\
    \"opera_day = 20200406 AND phone_number LIKE '138%'\"
  saltplan explain schemas/examples/md5_nibble_day.yaml --output-format json \\
    \"opera_day BETWEEN :first AND :last\" \\
    --param first=20200406 --param last=20200408";

pub const SCAN: &str = "\
Exit codes:
  0  done
  1  a refused plan (a full scan, nothing to read), or a difference with --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan scan schemas/examples/md5_nibble_day.yaml \\
    \"opera_day = 20200406 AND row_id = 'u1'\"
  saltplan scan schemas/examples/md5_nibble_day.yaml --output-format json \\
    \"opera_day = 20200406\"";

pub const DDL: &str = "\
Exit codes:
  0  done
  1  a table that the schema does not describe, or a difference with --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan ddl schemas/examples/md5_nibble_day.yaml
  saltplan ddl schemas/examples/md5_nibble_day.yaml --only hbase \\
    --if-not-exists -o create.rb
  saltplan ddl schemas/examples/md5_nibble_day.yaml --only mapping,target";

pub const LOAD: &str = "\
Exit codes:
  0  done
  1  a row key that Hive cannot build, or a difference with --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan load schemas/examples/md5_nibble_day.yaml \\
    --from staging.recommend_log
  saltplan load schemas/examples/md5_nibble_day.yaml \\
    --from staging.recommend_log --faults 20";

pub const VERIFY: &str = "\
Exit codes:
  0  done
  1  a row key that Hive cannot decode, or a difference with --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan verify schemas/examples/md5_nibble_day.yaml
  saltplan verify schemas/examples/md5_nibble_day.yaml --list 0 -o count.sql";

pub const SPLITS: &str = "\
Exit codes:
  0  done
  1  the schema does not say how the table is split, or a difference with
     --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan splits schemas/examples/md5_nibble_day.yaml
  saltplan splits schemas/examples/md5_nibble_day.yaml --output-format file \\
    -o splits.txt
  saltplan splits --from-keys schemas/examples/keys.txt --regions 16
  saltplan splits schemas/examples/md5_sampled.yaml --emit-sql --regions 64";

pub const RULE: &str = "\
Exit codes:
  0  done
  2  no such rule, or wrong usage

Examples:
  saltplan rule
  saltplan rule SP2
  saltplan rule SP201";

pub const KEY: &str = "\
Exit codes:
  0  every line has a result
  1  rows or keys that do not fit the schema, wrong salts, or a difference with
     --check
  2  wrong usage, lines that are not JSON, UTF-8 or hex, or an internal error
Invalid lines are reported; the others are processed.";

pub const ENCODE: &str = "\
Exit codes:
  0  every row has a key
  1  rows that do not fit the schema, or a difference with --check
  2  wrong usage, lines that are not JSON, or an internal error
Invalid lines are reported; the others are processed.

Examples:
  echo '{\"opera_day\": 20200406, \"row_id\": \"u1\"}' |
    saltplan key encode schemas/examples/md5_nibble_day.yaml
  saltplan key decode schemas/examples/md5_sampled.yaml \\
    schemas/examples/keys.txt |
    saltplan key encode schemas/examples/md5_sampled.yaml - --key-form hex";

pub const DECODE: &str = "\
Exit codes:
  0  every key has a row
  1  keys that do not fit the schema or have a wrong salt, or a difference with
     --check
  2  wrong usage, lines that are not UTF-8 or hex, or an internal error
Invalid lines are reported; the others are processed.

Examples:
  saltplan key decode schemas/examples/md5_sampled.yaml \\
    schemas/examples/keys.txt
  echo '01520200406u1' |
    saltplan key decode schemas/examples/md5_nibble_day.yaml -";

pub const COMMANDS: &str = "\
Exit codes:
  0  done
  1  a difference with --check
  2  wrong usage, or a file that cannot be written

Examples:
  saltplan generate commands -o commands.md";

pub const COMPLETIONS: &str = "\
Exit codes:
  0  done
  1  a difference with --check
  2  wrong usage, or a file that cannot be written

Examples:
  saltplan generate completions bash -o saltplan.bash
  saltplan generate completions zsh -o _saltplan
  saltplan generate completions fish -o saltplan.fish";

pub const MAN: &str = "\
Exit codes:
  0  done
  2  wrong usage, or a file that cannot be written

Examples:
  saltplan generate man man1";

pub const JSON_SCHEMA: &str = "\
Exit codes:
  0  done
  1  a difference with --check
  2  wrong usage, or a file that cannot be written

Examples:
  saltplan generate json-schema -o saltplan.schema.json
  saltplan generate json-schema --of jobs -o jobs.schema.json";

pub const RULES: &str = "\
Exit codes:
  0  done
  1  a difference with --check
  2  wrong usage, or a file that cannot be written

Examples:
  saltplan generate rules -o rules.md";

pub const WRITER: &str = "\
The class needs nothing but the standard library: Java 8 or Python 3.8. It
refuses bad values with the words of `key encode`. With --golden-test, the test
of the class is printed.

Exit codes:
  0  done
  1  refused, because the language cannot build or read these keys; or a
     difference with --check
  2  wrong usage, invalid input, or a file that cannot be written

Examples:
  saltplan generate writer schemas/examples/md5_nibble_day.yaml \\
    --lang java --package com.acme -o CallsKey.java
  saltplan generate writer schemas/examples/md5_nibble_day.yaml \\
    --lang python -o calls_key.py
  saltplan generate writer schemas/examples/md5_nibble_day.yaml \\
    --lang python --golden-test -o test_calls_key.py";

pub const READER: &str = "\
The program reads the planned key ranges and nothing else. Java uses the HBase
client, Python happybase, and pyspark happybase in one task per range. Values of
parameters are part of the program; `plan --output-format ranges` and the Python
function `saltplan.ranges` give ranges to a program that runs every day.

Exit codes:
  0  done
  1  a refused plan (a full scan, nothing to read, rows that must be checked),
     or a difference with --check
  2  wrong usage, invalid input, or a file that cannot be written

Examples:
  saltplan generate reader schemas/examples/md5_nibble_day.yaml \\
    \"opera_day = 20200406\" --lang java --class DayReader -o DayReader.java
  saltplan generate reader schemas/examples/md5_nibble_day.yaml --lang python \\
    \"opera_day = :day\" --param day=20200406 -o read_day.py";

pub const TEMPLATES: &str = "\
Lines in a {% filter wrap %} block are broken at 100 characters: in printed
expressions, after commas of join(\", \"), in what is `bracketed`, at {{ br }}.
Templates are programs. A folder given with --templates is trusted: links in it
are followed, and nothing stops a template that loops forever.

Exit codes:
  0  done
  1  a template exists already
  2  wrong usage, or a file that cannot be written

Examples:
  saltplan generate templates my_templates";

pub const AUDIT: &str = "\
Exit codes:
  0  no finding at or above --fail-on
  1  such a finding, or a fix that --diff shows
  2  wrong usage, a file that cannot be read, or an internal error

Examples:
  saltplan audit schemas/examples
  saltplan audit schemas --fail-on error --output-format github
  saltplan audit schemas --fix
  saltplan audit schemas --write-baseline audit.json &&
    saltplan audit schemas --baseline audit.json --output-format json";

pub const SIMULATE: &str = "\
Exit codes:
  0  done
  1  a difference with --check, or interrupted before the end
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan simulate schemas/examples/md5_nibble_day.yaml --keys 100k --chart
  saltplan simulate schemas/examples/md5_sampled.yaml \\
    --from-keys schemas/examples/keys.txt --svg regions.svg
  saltplan simulate schemas/examples/md5_nibble_day.yaml --emit-sql -o count.sql
  saltplan simulate schemas/examples/region_number.yaml \\
    --grow 2d --rows-per-day 1M --keys 5k";
