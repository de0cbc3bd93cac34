//! The draft as a commented schema file.

use super::draft::{
    Chars, Combine, Draft, DraftColumn, DraftField, DraftRegions, DraftSalt, Encoding, EpochUnit, FieldKind,
    NumberForm, Part, Reduce, SaltInput, SaltScheme, SaltWrite, TextForm,
};
use crate::schema::yaml::{self, Value};

type Entries = Vec<(&'static str, Value)>;

/// The YAML of a draft.
#[must_use]
pub fn yaml(draft: &Draft) -> String {
    let mut file = File::default();
    file.comment(0, &draft.head);
    file.line(0, "saltplan", Value::Number(1));
    file.gap();
    file.open(0, "hbase");
    file.line(1, "table", text(&draft.table));
    families(&mut file, &draft.columns);
    key(&mut file, draft);
    if let Some(regions) = &draft.regions {
        file.gap();
        file.open(0, "regions");
        file.comment(1, &draft.regions_comment);
        let (name, value) = regions_value(regions);
        file.line(1, name, value);
    }
    columns(&mut file, &draft.columns);
    hive(&mut file, draft);
    if let Some(zone) = &draft.time_zone {
        file.gap();
        file.comment(0, &draft.time_zone_comment);
        file.line(0, "time_zone", text(zone));
    }
    file.out
}

/// A file that grows by lines; levels are steps of indentation.
#[derive(Debug, Default)]
struct File {
    out: String,
}

impl File {
    fn indent(&mut self, level: usize) {
        self.out.push_str(&"  ".repeat(level));
    }

    fn gap(&mut self) {
        self.out.push('\n');
    }

    /// A key whose value stands on the next lines.
    fn open(&mut self, level: usize, key: &'static str) {
        self.indent(level);
        self.out.push_str(&format!("{key}:\n"));
    }

    fn line(&mut self, level: usize, key: &'static str, value: Value) {
        self.indent(level);
        self.out.push_str(&format!("{key}: {value}\n"));
    }

    /// An entry whose key is any text.
    fn named(&mut self, level: usize, key: &str, value: Value) {
        self.indent(level);
        self.out.push_str(&format!("{}: {value}\n", yaml::scalar(key)));
    }

    fn item(&mut self, level: usize, value: Value) {
        self.indent(level);
        self.out.push_str(&format!("- {value}\n"));
    }

    fn comment(&mut self, level: usize, lines: &[String]) {
        for line in lines {
            self.indent(level);
            self.out.push_str(&format!("# {}\n", yaml::comment(line)));
        }
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.to_string())
}

fn families(file: &mut File, columns: &[DraftColumn]) {
    file.open(1, "families");
    let mut families: Vec<&str> = columns.iter().map(|column| column.family.as_str()).collect();
    families.sort_unstable();
    families.dedup();
    if families.is_empty() {
        families.push("f");
    }
    for family in families {
        file.named(2, family, Value::Map(vec![("versions", Value::Number(1))]));
    }
}

fn key(file: &mut File, draft: &Draft) {
    file.gap();
    file.open(0, "key");
    if let Some(separator) = &draft.separator {
        file.line(1, "separator", text(separator));
    }
    if let Some(DraftSalt { scheme, then, comment }) = &draft.salt {
        file.comment(1, comment);
        file.open(1, "salt");
        let (name, value) = scheme_value(scheme);
        file.line(2, name, value);
        if let Some(then) = then {
            file.line(2, "then", text(then));
        }
    }
    file.open(1, "fields");
    for field in &draft.fields {
        file.comment(2, &field.comment);
        file.comment(2, field.remark.as_slice());
        file.item(2, field_value(field));
    }
}

fn columns(file: &mut File, columns: &[DraftColumn]) {
    if columns.is_empty() {
        return;
    }
    file.gap();
    file.open(0, "columns");
    for DraftColumn { name, hive_type, family, qualifier } in columns {
        let cell = text(&format!("{family}:{qualifier}"));
        file.item(1, Value::Map(vec![("name", text(name)), ("type", text(hive_type)), ("hbase", cell)]));
    }
}

fn hive(file: &mut File, draft: &Draft) {
    let Some(mapping) = &draft.mapping else { return };
    file.gap();
    file.open(0, "hive");
    file.open(1, "mapping");
    file.line(2, "table", text(mapping));
    file.line(2, "key_column", Value::Word(key_column(draft)));
    file.line(2, "external", Value::Word("true"));
    let Some(target) = &draft.target else { return };
    file.open(1, "target");
    file.line(2, "table", text(target));
    if !draft.partition.is_empty() {
        file.line(2, "partition", Value::texts(&draft.partition));
    }
    file.line(2, "stored_as", Value::Word("orc"));
    file.open(2, "columns");
    for column in &draft.columns {
        file.item(3, text(&column.name));
    }
    let shown = |field: &&DraftField| field.is_stored && !draft.partition.contains(&field.name);
    for field in draft.fields.iter().filter(shown) {
        let from = text(&format!("key.{}", field.name));
        file.item(3, Value::Map(vec![("name", text(&field.name)), ("from", from)]));
    }
}

/// A name of the key column that nothing else has.
fn key_column(draft: &Draft) -> &'static str {
    let taken = |name: &str| {
        draft.columns.iter().any(|column| column.name.eq_ignore_ascii_case(name))
            || draft.fields.iter().any(|field| field.name.eq_ignore_ascii_case(name))
    };
    ["rowkey", "row_key", "hbase_row_key"].into_iter().find(|name| !taken(name)).unwrap_or("saltplan_row_key")
}

fn field_value(field: &DraftField) -> Value {
    let mut entries = vec![("name", text(&field.name))];
    entries.extend(kind_entries(&field.kind));
    if !field.is_stored {
        entries.push(("stored", Value::Word("false")));
    }
    if let Some(then) = &field.then {
        entries.push(("then", text(then)));
    }
    Value::Map(entries)
}

fn kind_entries(kind: &FieldKind) -> Entries {
    let of_type = |name| ("type", Value::Word(name));
    match kind {
        FieldKind::Date { format } => vec![of_type("date"), ("format", text(format))],
        FieldKind::Timestamp { format } => vec![of_type("timestamp"), ("format", text(format))],
        FieldKind::Epoch { unit, number } => {
            let unit = match unit {
                EpochUnit::Milliseconds => "ms",
                EpochUnit::Seconds => "s",
            };
            [vec![of_type("timestamp"), ("epoch", Value::Word(unit))], number_entries(*number)].concat()
        }
        FieldKind::Int(number) => [vec![of_type("int")], number_entries(*number)].concat(),
        FieldKind::Long(number) => [vec![of_type("bigint")], number_entries(*number)].concat(),
        FieldKind::Text(form) => [vec![of_type("string")], text_entries(form)].concat(),
        FieldKind::Values(values) => vec![of_type("string"), ("values", Value::texts(values))],
    }
}

fn number_entries(form: NumberForm) -> Entries {
    let mut entries = match form.encoding {
        Encoding::Be => vec![("encoding", Value::Word("be"))],
        Encoding::BeSortable => vec![("encoding", Value::Word("be_sortable"))],
        Encoding::Decimal(width) => {
            let width = width.map(|width| ("width", Value::Number(width)));
            [("encoding", Value::Word("decimal"))].into_iter().chain(width).collect()
        }
    };
    if form.descending {
        entries.push(("descending", Value::Word("true")));
    }
    entries
}

fn text_entries(form: &TextForm) -> Entries {
    let mut entries: Entries = form.width.map(|width| ("width", Value::Number(width))).into_iter().collect();
    entries.extend(form.chars.as_ref().map(|chars| match chars {
        Chars::Named(name) => ("chars", Value::Word(name)),
        Chars::Class(class) => ("chars", text(class)),
    }));
    if form.reverse {
        entries.push(("reverse", Value::Word("true")));
    }
    entries
}

fn scheme_value(scheme: &SaltScheme) -> (&'static str, Value) {
    let (name, entries) = match scheme {
        SaltScheme::Md5 { of, hex_digits, write } => {
            let of = of.as_ref().map_or(Value::Word("key"), |of| inputs(of));
            ("md5", vec![("of", of), ("first_hex_digits", Value::Number(*hex_digits)), written(*write)])
        }
        SaltScheme::JavaHash { of, combine, reduce } => {
            let combine = match combine {
                Combine::Concat => "concat",
                Combine::Xor => "xor",
            };
            let mut entries = vec![("of", inputs(of)), ("combine", Value::Word(combine))];
            entries.extend(match reduce {
                Reduce::Mask => vec![("mask", Value::Number(0x7FFF)), ("write", Value::Word("be16"))],
                Reduce::Modulo { modulo, write } => {
                    vec![("abs", Value::Word("after")), ("modulo", Value::Number(*modulo)), written(*write)]
                }
            });
            ("java_hash", entries)
        }
        SaltScheme::Modulo { of, by, write } => {
            ("modulo", vec![("of", text(of)), ("by", Value::Number(*by)), written(*write)])
        }
        SaltScheme::Random { below, write } => {
            ("random", vec![("below", Value::Number(*below)), written(*write)])
        }
    };
    (name, Value::Map(entries))
}

fn written(write: SaltWrite) -> (&'static str, Value) {
    let value = match write {
        SaltWrite::Hex => Value::Word("hex"),
        SaltWrite::Be64 => Value::Word("be64"),
        SaltWrite::Decimal(None) => Value::Word("decimal"),
        SaltWrite::Decimal(Some(width)) => Value::Map(vec![("decimal", Value::Number(width))]),
    };
    ("write", value)
}

fn inputs(inputs: &[SaltInput]) -> Value {
    let value = |input: &SaltInput| {
        let field = text(&input.field);
        let part = match input.part {
            None => return field,
            Some(Part::First(count)) => ("first", Value::Number(count)),
            Some(Part::Last(count)) => ("last", Value::Number(count)),
            Some(Part::Month) => ("format", Value::Word("yyyyMM")),
        };
        Value::Map(vec![("field", field), part])
    };
    Value::List(inputs.iter().map(value).collect())
}

fn regions_value(regions: &DraftRegions) -> (&'static str, Value) {
    match regions {
        DraftRegions::PerSalt => ("per_salt", Value::Map(Vec::new())),
        DraftRegions::HexString(count) => ("hex_string", Value::Number(*count)),
        DraftRegions::DecimalString(count) => ("decimal_string", Value::Number(*count)),
        DraftRegions::Uniform(count) => ("uniform", Value::Number(*count)),
        DraftRegions::LongRange { from, to } => {
            ("long_range", Value::Map(vec![("from", Value::Number(*from)), ("to", Value::Number(*to))]))
        }
        DraftRegions::Shorts(count) => ("byte_range", shorts(*count)),
        DraftRegions::Explicit(keys) => {
            ("explicit", Value::List(keys.iter().cloned().map(Value::Quoted).collect()))
        }
    }
}

/// Equal parts of the shorts from 0 to 0x7FFF. Both ends are split keys.
fn shorts(regions: u64) -> Value {
    const SHORTS: u64 = 1 << 15;
    let step = SHORTS / regions.max(1);
    Value::Map(vec![
        ("start", Value::Number(step - 1)),
        ("end", Value::Number(SHORTS - step)),
        ("regions", Value::Number(regions)),
        ("type", Value::Word("short")),
    ])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::flags;
    use super::*;
    use crate::diag::Source;
    use crate::schema::yaml::{Document, NodeKind, odd, parse};

    fn read(file: &str) -> Document {
        let (document, faults) = parse(&Source::new("t", file));
        assert!(faults.is_empty(), "{file}: {}", faults[0].message);
        document.unwrap()
    }

    fn text_at(document: &Document, path: &[&str]) -> String {
        match document.find(path).map(|node| &node.kind) {
            Some(NodeKind::Scalar(scalar)) => scalar.text.clone(),
            other => panic!("{path:?}: {other:?}"),
        }
    }

    /// A draft that has the text wherever one can stand.
    fn draft_of(text: &str) -> Draft {
        let own = || text.to_string();
        let field = |name: &str, kind| DraftField {
            then: Some(own()),
            comment: vec![own()],
            remark: Some(own()),
            ..DraftField::new(name, kind)
        };
        Draft {
            table: own(),
            head: vec![own()],
            separator: Some(own()),
            salt: Some(DraftSalt {
                scheme: SaltScheme::Md5 {
                    of: Some(vec![
                        SaltInput { field: own(), part: None },
                        SaltInput { field: own(), part: Some(Part::Last(4)) },
                    ]),
                    hex_digits: 2,
                    write: SaltWrite::Hex,
                },
                then: Some(own()),
                comment: vec![own()],
            }),
            fields: vec![
                field("day", FieldKind::Date { format: own() }),
                field("kind", FieldKind::Values(vec![own(), own()])),
                field(
                    text,
                    FieldKind::Text(TextForm { chars: Some(Chars::Class(own())), ..TextForm::default() }),
                ),
            ],
            regions: Some(DraftRegions::Explicit(vec![own(), own()])),
            regions_comment: vec![own()],
            columns: vec![DraftColumn { name: own(), hive_type: own(), family: own(), qualifier: own() }],
            mapping: Some(own()),
            target: Some(own()),
            partition: vec![own()],
            time_zone: Some(own()),
            time_zone_comment: vec![own()],
        }
    }

    proptest! {
        #[test]
        fn every_text_of_a_draft_reads_back_as_itself(text in odd::text()) {
            let file = yaml(&draft_of(&text));
            let document = read(&file);
            for path in [
                "hbase table", "key separator", "key salt md5 of 0", "key salt md5 of 1 field", "key salt then",
                "key fields 0 format", "key fields 0 then", "key fields 1 values 0", "key fields 1 values 1",
                "key fields 2 name", "key fields 2 chars", "regions explicit 0", "regions explicit 1",
                "columns 0 name", "columns 0 type", "hive mapping table", "hive target table",
                "hive target partition 0", "hive target columns 0", "time_zone",
            ] {
                let path: Vec<&str> = path.split(' ').collect();
                prop_assert_eq!(text_at(&document, &path), text.as_str(), "{:?} in {}", path, file);
            }
            prop_assert_eq!(text_at(&document, &["columns", "0", "hbase"]), format!("{text}:{text}"));
            prop_assert_eq!(text_at(&document, &["hbase", "families", &text, "versions"]), "1");
            // Fields in front of the partition; the last one is the partition itself, and not a column.
            prop_assert_eq!(text_at(&document, &["hive", "target", "columns", "1", "from"]), "key.day");
        }

        #[test]
        fn split_keys_of_the_flag_are_those_of_the_schema(keys in prop::collection::btree_set(odd::text(), 1..4)) {
            let keys: Vec<String> = keys.into_iter().filter(|key| !key.is_empty() && !key.contains([',', ':'])).collect();
            prop_assume!(!keys.is_empty() && keys != ["per-salt"]);
            let field = DraftField::new("id", FieldKind::Text(TextForm::default()));
            let regions = flags::regions(&keys.join(",")).expect("split keys");
            let draft = Draft { table: "t".into(), fields: vec![field], regions: Some(regions), ..Draft::default() };
            let file = yaml(&draft);
            let read: Vec<String> =
                (0..keys.len()).map(|at| text_at(&read(&file), &["regions", "explicit", &at.to_string()])).collect();
            prop_assert_eq!(read, keys, "{}", file);
        }
    }
}
