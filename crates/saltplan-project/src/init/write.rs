//! Writes the draft as a commented schema file, with keys and words from the description of the format.

use super::draft::DraftColumn;
use super::draft::{
    Draft, DraftChars, DraftCut, DraftFamily, DraftField, DraftHash, DraftInput, DraftKind, DraftOf,
    DraftPartition, DraftRegions, DraftSalt, DraftScheme, DraftTake, HashFunction, HashRule, TextForm,
};
use saltplan_core::key::number::NumberForm;
use saltplan_core::key::range::to_string_binary;
use saltplan_core::key::salt::file::{hash_code, input, joined, write as salt};
use saltplan_core::key::salt::text as salt_text;
use saltplan_core::key::salt::{HASHES, Hash, SaltWrite, Spread};
use saltplan_core::key::salt::{
    behind, bytes_hash, charset, digest, hash_keys, java_hash, md5, modulo, random, spread, unknown,
};
use saltplan_core::schema::SchemaKeys;
use saltplan_core::schema::columns::ColumnKeys;
use saltplan_core::schema::conversion::FORMAT_OF_DAYS;
use saltplan_core::schema::field::{FieldKeys, FieldType};
use saltplan_core::schema::hbase::HbaseKeys;
use saltplan_core::schema::hive::{Hive, MappingTable};
use saltplan_core::schema::key::RowKeyKeys;
use saltplan_core::schema::model::{AttributeValue, CellEncoding};
use saltplan_core::schema::partition::PartitionKeys;
use saltplan_core::schema::regions::{self, BoundForm, ByteRange, LongRange, PerSalt};
use saltplan_core::schema::target::{TargetColumnKeys, TargetKeys};
use saltplan_document::format::Key;
use saltplan_document::yaml::{YamlLines, YamlValue};

/// The YAML of a draft.
#[must_use]
pub fn yaml(draft: &Draft) -> String {
    let mut file = YamlLines::default();
    file.comment(0, &draft.head);
    file.line(0, SchemaKeys::VERSION.set(1u64));
    file.gap();
    file.open(0, SchemaKeys::HBASE.name);
    file.line(1, HbaseKeys::TABLE.set(&draft.table));
    let attributes: Vec<_> =
        draft.attributes.iter().map(|(name, value)| (name.as_str(), attribute(value))).collect();
    if !attributes.is_empty() {
        file.mapping(1, HbaseKeys::ATTRIBUTES.name, attributes.into_iter());
    }
    let metadata: Vec<_> = draft.metadata.iter().map(|(name, value)| (name.as_str(), text(value))).collect();
    if !metadata.is_empty() {
        file.mapping(1, HbaseKeys::METADATA.name, metadata.into_iter());
    }
    families(&mut file, draft);
    key(&mut file, draft);
    if let Some(regions) = &draft.regions {
        file.gap();
        file.open(0, SchemaKeys::REGIONS.name);
        file.comment(1, &draft.regions_comment);
        file.line(1, split(regions));
    }
    columns(&mut file, draft);
    hive(&mut file, draft);
    if let Some(zone) = &draft.time_zone {
        file.gap();
        file.comment(0, &draft.time_zone_comment);
        file.line(0, SchemaKeys::TIME_ZONE.set(zone));
    }
    file.into_text()
}

fn text(text: &str) -> YamlValue {
    YamlValue::Text(text.to_string())
}

fn families(file: &mut YamlLines, draft: &Draft) {
    file.open(1, HbaseKeys::FAMILIES.name);
    let mut families = draft.families.clone();
    let mut others: Vec<&str> = draft.columns.iter().map(|column| column.family.as_str()).collect();
    others.sort_unstable();
    others.dedup();
    others.retain(|name| families.iter().all(|family| family.name != *name));
    families.extend(others.into_iter().map(DraftFamily::new));
    if families.is_empty() {
        families.push(DraftFamily::new("f"));
    }
    for family in families {
        file.comment(2, &family.comment);
        let attributes = family.attributes.iter().map(|(name, value)| (name.as_str(), attribute(value)));
        file.mapping(2, &family.name, attributes);
    }
}

fn attribute(value: &AttributeValue) -> YamlValue {
    match value {
        AttributeValue::Number(number) => {
            u64::try_from(*number).map_or_else(|_| text(&number.to_string()), YamlValue::Number)
        }
        AttributeValue::Bool(flag) => YamlValue::Flag(*flag),
        AttributeValue::Text(value) => text(value),
    }
}

fn key(file: &mut YamlLines, draft: &Draft) {
    file.gap();
    file.open(0, SchemaKeys::KEY.name);
    if let Some(separator) = &draft.separator {
        file.line(1, RowKeyKeys::SEPARATOR.set(separator));
    }
    if let Some(salt) = &draft.salt {
        file.comment(1, &salt.comment);
        file.open(1, RowKeyKeys::SALT.name);
        file.line(2, scheme(salt));
    }
    file.open(1, RowKeyKeys::FIELDS.name);
    for field in &draft.fields {
        file.comment(2, &field.comment);
        file.comment(2, field.remark.as_slice());
        file.item(2, field_value(field));
    }
}

fn columns(file: &mut YamlLines, draft: &Draft) {
    if draft.columns.is_empty() {
        if !draft.columns_comment.is_empty() {
            file.gap();
        }
        file.comment(0, &draft.columns_comment);
        return;
    }
    file.gap();
    file.open(0, SchemaKeys::COLUMNS.name);
    file.comment(1, &draft.columns_comment);
    for DraftColumn { name, hive_type, family, qualifier, encoding } in &draft.columns {
        let cell = text(&format!("{family}:{qualifier}"));
        let mut entries =
            vec![ColumnKeys::NAME.set(name), ColumnKeys::TYPE.set(hive_type), ColumnKeys::HBASE.set(cell)];
        if *encoding != CellEncoding::Text {
            entries.push(ColumnKeys::ENCODING.choose(*encoding));
        }
        file.item(1, YamlValue::Map(entries));
    }
}

fn hive(file: &mut YamlLines, draft: &Draft) {
    let Some(mapping) = &draft.mapping else { return };
    file.gap();
    file.open(0, SchemaKeys::HIVE.name);
    file.open(1, Hive::MAPPING.name);
    file.line(2, MappingTable::TABLE.set(mapping));
    let key_column = draft.key_column.as_ref().map_or(YamlValue::Word(key_column(draft)), |name| text(name));
    file.line(2, MappingTable::KEY_COLUMN.set(key_column));
    file.line(2, MappingTable::EXTERNAL.set(!draft.is_managed));
    let Some(target) = &draft.target else { return };
    file.open(1, Hive::TARGET.name);
    file.line(2, TargetKeys::TABLE.set(target));
    if !draft.partition.is_empty() {
        let partition = draft.partition.iter().map(partition_column).collect();
        file.line(2, TargetKeys::PARTITION.set(YamlValue::List(partition)));
    }
    file.line(2, TargetKeys::STORED_AS.choose("orc"));
    file.open(2, TargetKeys::COLUMNS.name);
    for column in &draft.columns {
        file.item(3, text(&column.name));
    }
    let is_partition = |name: &String| draft.partition.contains(&DraftPartition::Field(name.clone()));
    let shown = |field: &&DraftField| field.is_stored && !is_partition(&field.name);
    for field in draft.fields.iter().filter(shown) {
        let from = text(&format!("key.{}", field.name));
        let entries = vec![TargetColumnKeys::NAME.set(&field.name), TargetColumnKeys::FROM.set(from)];
        file.item(3, YamlValue::Map(entries));
    }
}

fn partition_column(partition: &DraftPartition) -> YamlValue {
    match partition {
        DraftPartition::Field(name) => text(name),
        DraftPartition::Day { name, of } => YamlValue::Map(vec![
            PartitionKeys::NAME.set(name),
            PartitionKeys::OF.set(of),
            PartitionKeys::FORMAT.set(FORMAT_OF_DAYS),
        ]),
    }
}

/// A name for the key column that is not used otherwise.
fn key_column(draft: &Draft) -> &'static str {
    let taken = |name: &str| {
        draft.columns.iter().any(|column| column.name.eq_ignore_ascii_case(name))
            || draft.fields.iter().any(|field| field.name.eq_ignore_ascii_case(name))
    };
    ["rowkey", "row_key", "hbase_row_key"].into_iter().find(|name| !taken(name)).unwrap_or("saltplan_row_key")
}

fn field_value(field: &DraftField) -> YamlValue {
    let mut entries = vec![FieldKeys::NAME.set(&field.name)];
    entries.extend(kind_entries(&field.kind));
    if !field.is_stored {
        entries.push(FieldKeys::STORED.set(false));
    }
    if let Some(separator) = &field.separator {
        entries.push(FieldKeys::THEN.set(separator));
    }
    YamlValue::Map(entries)
}

fn kind_entries(kind: &DraftKind) -> Vec<(&'static str, YamlValue)> {
    let of_type = |meaning| FieldKeys::TYPE.choose(meaning);
    match kind {
        DraftKind::Date { format } => {
            vec![of_type(FieldType::Date), FieldKeys::FORMAT.set(format.pattern())]
        }
        DraftKind::Timestamp { format } => {
            vec![of_type(FieldType::Timestamp), FieldKeys::FORMAT.set(format.pattern())]
        }
        DraftKind::Epoch { unit, number } => {
            let unit = FieldKeys::EPOCH.choose(*unit);
            [vec![of_type(FieldType::Timestamp), unit], number_entries(*number)].concat()
        }
        DraftKind::Integer(number) => {
            [vec![of_type(FieldType::Integer(number.size))], number_entries(*number)].concat()
        }
        DraftKind::Text(form) => {
            let meaning = if form.is_bytes { FieldType::Bytes } else { FieldType::Text };
            [vec![of_type(meaning)], text_entries(form)].concat()
        }
        DraftKind::Values(values) => {
            vec![of_type(FieldType::Text), FieldKeys::VALUES.set(YamlValue::texts(values))]
        }
    }
}

fn number_entries(form: NumberForm) -> Vec<(&'static str, YamlValue)> {
    let max = form.max.and_then(|max| u64::try_from(max).ok());
    let entries = [
        Some(FieldKeys::ENCODING.choose(form.encoding)),
        form.width.map(|width| FieldKeys::WIDTH.set(width)),
        form.descending.then(|| FieldKeys::DESCENDING.set(true)),
        max.map(|max| FieldKeys::MAX.set(max)),
    ];
    entries.into_iter().flatten().collect()
}

fn text_entries(form: &TextForm) -> Vec<(&'static str, YamlValue)> {
    let entries = [
        form.width.map(|width| FieldKeys::WIDTH.set(width)),
        form.chars.as_ref().map(|chars| match chars {
            DraftChars::Named(name) => FieldKeys::CHARS.set(YamlValue::Word(name)),
            DraftChars::Class(class) => FieldKeys::CHARS.set(class),
        }),
        form.pad.map(|pad| FieldKeys::PAD.set(pad)),
        form.descending.then(|| FieldKeys::DESCENDING.set(true)),
        form.reverse.then(|| FieldKeys::REVERSE.set(true)),
        form.nullable.then(|| FieldKeys::NULLABLE.set(true)),
    ];
    entries.into_iter().flatten().collect()
}

/// The scheme with its keys, including its separator.
fn scheme(DraftSalt { scheme, behind, separator, .. }: &DraftSalt) -> (&'static str, YamlValue) {
    let (key, mut entries) = match scheme {
        DraftScheme::Hash(hash) => hashed(hash, behind),
        DraftScheme::Text(input) => (&salt_text::KEY, input_entries(input)),
        DraftScheme::Modulo { of, by, write } => {
            let by = modulo::BY.set(*by);
            (&modulo::KEY, vec![modulo::OF.set(&of.field), by, written(*write)])
        }
        DraftScheme::Random { below, write } => {
            (&random::KEY, vec![random::BELOW.set(*below), written(*write)])
        }
        DraftScheme::Unknown { width, chars } => {
            let chars = unknown::CHARS.choose(*chars);
            (&unknown::KEY, vec![unknown::WIDTH.set(*width), chars])
        }
    };
    entries.extend(separator.as_ref().map(|separator| salt::THEN.set(separator)));
    key.set(entries)
}

/// The key of a hash, and its entries.
fn hashed(hash: &DraftHash, constant: &str) -> (&'static Key, Vec<(&'static str, YamlValue)>) {
    let HashRule { function, take, plus, write } = hash.rule;
    let of = match &hash.of {
        DraftOf::Key => YamlValue::Word(joined::WHOLE_KEY.word(())),
        DraftOf::Bytes { start, stop } => {
            let ends = [*start, *stop].map(YamlValue::from);
            YamlValue::Map(vec![joined::BYTES.set(YamlValue::List(ends.to_vec()))])
        }
        DraftOf::Fields { inputs: of, .. } => inputs(of),
    };
    let mut entries = vec![joined::OF.set(of)];
    // The short spellings do not have all of it.
    let is_short_name = |hash: Hash| HASHES.0.iter().any(|word| word.meaning == hash);
    let needs_parts = !constant.is_empty()
        || hash.charset.is_some()
        || matches!(function, HashFunction::JavaLong | HashFunction::JavaObjects { .. })
        || matches!(take, DraftTake::Masked { .. } | DraftTake::Digits { .. })
        || matches!(function, HashFunction::Digest(hash) if !is_short_name(hash));
    let (key, own) = match (function, take) {
        _ if needs_parts => {
            let (name, seed) = match function {
                HashFunction::Digest(hash) => (hash, None),
                HashFunction::JavaString => (Hash::StringCode, None),
                HashFunction::JavaBytes { seed } => (Hash::BytesCode, (seed != 1).then_some(seed)),
                HashFunction::JavaLong => (Hash::LongCode, None),
                HashFunction::JavaObjects { seed } => (Hash::ObjectsCode, (seed != 1).then_some(seed)),
            };
            entries.insert(0, hash_keys::FUNCTION.choose(name));
            (&hash_keys::KEY, seed.map(|seed| hash_keys::SEED.set(seed)))
        }
        (HashFunction::Digest(Hash::Md5), DraftTake::HexDigits { first: 1, .. }) => (&md5::KEY, None),
        (HashFunction::Digest(digest), _) => {
            entries.insert(0, digest::HASH.choose(digest));
            (&digest::KEY, None)
        }
        (HashFunction::JavaString, _) => (&java_hash::KEY, None),
        (HashFunction::JavaLong | HashFunction::JavaObjects { .. }, _) => (&hash_keys::KEY, None),
        (HashFunction::JavaBytes { seed }, _) => {
            (&bytes_hash::KEY, (seed != 1).then(|| bytes_hash::SEED.set(seed)))
        }
    };
    entries.extend(match &hash.of {
        DraftOf::Fields { joined_by, .. } if !joined_by.is_empty() => {
            Some(joined::JOINED_BY.set(&to_string_binary(joined_by)))
        }
        DraftOf::Fields { combine, .. } if function == HashFunction::JavaString => {
            Some(java_hash::COMBINE.choose(*combine))
        }
        _ => None,
    });
    entries.extend(hash.charset.map(|charset| charset::CHARSET.choose(charset)));
    entries.extend(own);
    match take {
        DraftTake::HexDigits { count, .. } if std::ptr::eq(key, &raw const md5::KEY) => {
            entries.push(md5::FIRST_HEX_DIGITS.set(count));
        }
        DraftTake::HexDigits { first, count } => {
            let ends = [first, first + count - 1].map(YamlValue::from);
            entries.push(digest::HEX_DIGITS.set(YamlValue::List(ends.to_vec())));
        }
        DraftTake::Modulo { by, abs } => {
            entries.extend(abs.map(|abs| hash_code::ABS.choose(abs)));
            entries.push(hash_code::MODULO.set(by));
        }
        DraftTake::Mask(mask) => entries.push(hash_code::MASK.set(mask)),
        DraftTake::Masked { mask, by } => {
            entries.push(hash_keys::MASK.set(mask));
            entries.push(hash_code::MODULO.set(by));
        }
        DraftTake::Digits { first, count, by, abs } => {
            let ends = [first, first + count - 1].map(YamlValue::from);
            entries.push(hash_keys::HEX_DIGITS.set(YamlValue::List(ends.to_vec())));
            entries.extend(abs.map(|abs| hash_code::ABS.choose(abs)));
            entries.push(hash_code::MODULO.set(by));
        }
    }
    if let Some(Spread { below, modulo }) = plus {
        let below = spread::RandomPart::BELOW.set(below);
        let mut sum = vec![spread::PlusKeys::RANDOM.set(vec![below])];
        let modulo = modulo.map(|by| YamlValue::Number(by.unsigned_abs().into()));
        sum.extend(modulo.map(|by| spread::PlusKeys::MODULO.set(by)));
        entries.push(spread::PLUS.set(sum));
    }
    if !constant.is_empty() {
        entries.push(behind::BEHIND.set(&to_string_binary(constant.as_bytes())));
    }
    entries.push(written(write));
    (key, entries)
}

fn written(write: SaltWrite) -> (&'static str, YamlValue) {
    salt::WRITE.set(match write {
        SaltWrite::Decimal { width: Some(width) } => YamlValue::Map(vec![salt::WIDTH.set(width)]),
        SaltWrite::Alphabet { alphabet, width } => {
            let mut entries = vec![salt::ALPHABET.set(alphabet.ranges().as_str())];
            entries.extend(width.map(|width| salt::ALPHABET_WIDTH.set(width)));
            YamlValue::Map(entries)
        }
        word => YamlValue::Word(salt::WORDS.word(word)),
    })
}

fn inputs(inputs: &[DraftInput]) -> YamlValue {
    let value = |input: &DraftInput| match (&input.part, input.lower) {
        (None, false) => text(&input.field),
        _ => YamlValue::Map(input_entries(input)),
    };
    YamlValue::List(inputs.iter().map(value).collect())
}

fn input_entries(input: &DraftInput) -> Vec<(&'static str, YamlValue)> {
    let mut entries = vec![input::FIELD.set(&input.field)];
    entries.extend(input.part.as_ref().map(|part| match part {
        DraftCut::First(count) => input::FIRST.set(*count),
        DraftCut::Last(count) => input::LAST.set(*count),
        DraftCut::Format(format) => input::FORMAT.set(format),
        DraftCut::Original => input::FORM.choose(()),
    }));
    if input.lower {
        entries.push(input::CASE.choose(()));
    }
    entries
}

fn split(regions: &DraftRegions) -> (&'static str, YamlValue) {
    match regions {
        DraftRegions::PerSalt { zero_bytes } => {
            let entries = (*zero_bytes > 0).then(|| PerSalt::ZERO_BYTES.set(*zero_bytes as u64));
            regions::PER_SALT.set(YamlValue::Map(entries.into_iter().collect()))
        }
        DraftRegions::HexString(count) => regions::HEX_STRING.set(*count),
        DraftRegions::DecimalString(count) => regions::DECIMAL_STRING.set(*count),
        DraftRegions::Uniform(count) => regions::UNIFORM.set(*count),
        DraftRegions::LongRange { from, to } => {
            let ends = [LongRange::FROM.set(*from), LongRange::TO.set(*to)];
            regions::LONG_RANGE.set(ends.to_vec())
        }
        DraftRegions::Shorts(count) => regions::BYTE_RANGE.set(shorts(*count)),
        DraftRegions::Explicit(keys) => {
            regions::EXPLICIT.set(YamlValue::List(keys.iter().cloned().map(YamlValue::Quoted).collect()))
        }
    }
}

/// Equal parts of the shorts from 0 to 0x7FFF. Both bounds are split keys.
fn shorts(count: u64) -> YamlValue {
    const SHORTS: u64 = 1 << 15;
    let step = SHORTS / count.max(1);
    YamlValue::Map(vec![
        ByteRange::START.set(step - 1),
        ByteRange::END.set(SHORTS - step),
        ByteRange::REGIONS.set(count),
        ByteRange::TYPE.choose(BoundForm::Short),
    ])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::flags;
    use super::*;
    use saltplan_core::key::salt::Combine;
    use saltplan_document::diag::Source;
    use saltplan_document::yaml::{Document, NodeKind};
    use saltplan_sql::time::format::TimeFormat;

    /// YAML's special characters, all kinds of line breaks, and any other characters.
    fn odd_text() -> impl Strategy<Value = String> {
        let odd: Vec<String> =
            serde_json::from_str(include_str!("../../../../tests/testdata/odd_texts.json")).unwrap();
        let part = prop_oneof![prop::sample::select(odd), any::<char>().prop_map(String::from)];
        prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
    }

    fn read(file: &str) -> Document {
        let (document, faults) = saltplan_core::schema::parse(&Source::new("t", file));
        assert!(faults.is_empty(), "{file}: {}", faults[0].message);
        document.unwrap()
    }

    fn text_at(document: &Document, path: &[&str]) -> String {
        match document.find(path).map(|node| &node.kind) {
            Some(NodeKind::Scalar(scalar)) => scalar.text.clone(),
            other => panic!("{path:?}: {other:?}"),
        }
    }

    /// A draft that contains the text at every possible place.
    fn draft_of(text: &str) -> Draft {
        let own = || text.to_string();
        let field = |name: &str, kind| DraftField {
            separator: Some(own()),
            comment: vec![own()],
            remark: Some(own()),
            ..DraftField::new(name, kind)
        };
        Draft {
            table: own(),
            attributes: vec![(own(), AttributeValue::Text(own()))],
            metadata: vec![(own(), own())],
            head: vec![own()],
            separator: Some(own()),
            salt: Some(DraftSalt {
                scheme: DraftScheme::Hash(DraftHash::new(
                    HashFunction::Digest(Hash::Md5),
                    DraftOf::Fields {
                        inputs: vec![
                            DraftInput::whole(own()),
                            DraftInput { part: Some(DraftCut::Last(4)), ..DraftInput::whole(own()) },
                        ],
                        joined_by: own().into_bytes(),
                        combine: Combine::Concat,
                    },
                    DraftTake::HexDigits { first: 1, count: 2 },
                    SaltWrite::Hex,
                )),
                behind: String::new(),
                separator: Some(own()),
                comment: vec![own()],
            }),
            fields: vec![
                field("day", DraftKind::Date { format: TimeFormat::parse("yyyyMMdd").expect("a format") }),
                field("kind", DraftKind::Values(vec![own(), own()])),
                field(
                    text,
                    DraftKind::Text(TextForm {
                        chars: Some(DraftChars::Class(own())),
                        ..TextForm::default()
                    }),
                ),
            ],
            regions: Some(DraftRegions::Explicit(vec![own(), own()])),
            families: vec![DraftFamily {
                attributes: vec![(own(), AttributeValue::Text(own()))],
                comment: vec![own()],
                ..DraftFamily::new("other")
            }],
            regions_comment: vec![own()],
            columns_comment: vec![own()],
            key_column: Some(own()),
            is_managed: true,
            columns: vec![DraftColumn {
                name: own(),
                hive_type: own(),
                family: own(),
                qualifier: own(),
                encoding: CellEncoding::Text,
            }],
            mapping: Some(own()),
            target: Some(own()),
            partition: vec![DraftPartition::Field(own()), DraftPartition::Day { name: own(), of: own() }],
            time_zone: Some(own()),
            time_zone_comment: vec![own()],
        }
    }

    proptest! {
        #[test]
        fn every_text_of_a_draft_reads_back_as_itself(text in odd_text()) {
            let file = yaml(&draft_of(&text));
            let document = read(&file);
            for path in [
                "hbase table", "key separator", "key salt md5 of 0", "key salt md5 of 1 field", "key salt md5 then",
                "key fields 0 then", "key fields 1 values 0", "key fields 1 values 1",
                "key fields 2 name", "key fields 2 chars", "regions explicit 0", "regions explicit 1",
                "columns 0 name", "columns 0 type", "hive mapping table", "hive mapping key_column", "hive target table",
                "hive target partition 0", "hive target partition 1 name", "hive target partition 1 of", "hive target columns 0", "time_zone",
            ] {
                let path: Vec<&str> = path.split(' ').collect();
                prop_assert_eq!(text_at(&document, &path), text.as_str(), "{:?} in {}", path, file);
            }
            prop_assert_eq!(text_at(&document, &["columns", "0", "hbase"]), format!("{text}:{text}"));
            prop_assert_eq!(text_at(&document, &["hbase", "families", &text, "versions"]), "1");
            prop_assert_eq!(text_at(&document, &["hbase", "families", "other", &text]), text.as_str());
            // Fields before the partition; the last one is the partition itself, and not a column.
            prop_assert_eq!(text_at(&document, &["hive", "target", "columns", "1", "from"]), "key.day");
        }

        #[test]
        fn split_keys_of_the_flag_are_those_of_the_schema(keys in prop::collection::btree_set(odd_text(), 1..4)) {
            let keys: Vec<String> = keys.into_iter().filter(|key| !key.is_empty() && !key.contains([',', ':'])).collect();
            prop_assume!(!keys.is_empty() && keys != ["per-salt"]);
            let field = DraftField::new("id", DraftKind::Text(TextForm::default()));
            let regions = flags::regions(&keys.join(",")).expect("split keys");
            let draft = Draft { table: "t".into(), fields: vec![field], regions: Some(regions), ..Draft::default() };
            let file = yaml(&draft);
            let read: Vec<String> =
                (0..keys.len()).map(|at| text_at(&read(&file), &["regions", "explicit", &at.to_string()])).collect();
            prop_assert_eq!(read, keys, "{}", file);
        }
    }
}
