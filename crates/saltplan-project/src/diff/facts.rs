//! A schema as a list of facts, in the order of the format's reference.

use super::change::{Class, FactSubject};
use super::effects;
use super::entry::made_of;
use super::fact::{FactValue, SchemaFact, nearest};
use super::key_facts as key;
use super::stored::stored_form;
use super::value::CanonicalValue;
use saltplan_core::key::field::{Field, FieldId, FieldKind};
use saltplan_core::key::range::to_string_binary;
use saltplan_core::key::salt::charset::CHARSETS;
use saltplan_core::key::salt::{HashSalt, Salt, SaltInputs, SaltScheme};
use saltplan_core::schema::attributes::{AttributesOf, ShellName};
use saltplan_core::schema::columns;
use saltplan_core::schema::conversion::{TypeUse, WrittenForm, conversion};
use saltplan_core::schema::model::{
    AttributeValue, HiveTableName, PartitionColumn, PartitionValue, Regions, Schema, TargetTable, TargetValue,
};
use saltplan_core::table::Table;
use saltplan_document::diag::Diagnostic;

/// All facts. Fields in `renamed` are listed under their new name.
///
/// # Errors
/// The schema says how the table is split, but the split keys cannot be computed.
pub fn of(table: &Table, renamed: &[(String, String)]) -> Result<Vec<SchemaFact>, Diagnostic> {
    let mut facts = Facts { table, renamed, list: Vec::new() };
    facts.hbase();
    facts.salt();
    facts.fields();
    facts.regions()?;
    facts.columns();
    facts.hive();
    facts.time_zone();
    Ok(facts.list)
}

struct Facts<'a> {
    table: &'a Table,
    renamed: &'a [(String, String)],
    list: Vec<SchemaFact>,
}

impl<'a> Facts<'a> {
    fn schema(&self) -> &'a Schema {
        self.table.schema()
    }

    fn add(&mut self, path: impl Into<String>, node: &[&str], value: FactValue) {
        let node: Vec<String> = node.iter().map(ToString::to_string).collect();
        let span = nearest(self.table, &node);
        self.list.push(SchemaFact { path: path.into(), value, span, node, subject: FactSubject::Alone });
    }

    /// Sets the subject of the last fact.
    fn about(&mut self, subject: FactSubject) {
        if let Some(fact) = self.list.last_mut() {
            fact.subject = subject;
        }
    }

    fn part(&mut self, class: Class, path: impl Into<String>, node: &[&str]) {
        self.value(class, path, node, CanonicalValue::Present);
    }

    fn value(&mut self, class: Class, path: impl Into<String>, node: &[&str], value: CanonicalValue) {
        self.add(path, node, FactValue::new(class, value));
    }

    fn text(&mut self, class: Class, path: impl Into<String>, node: &[&str], text: impl ToString) {
        self.value(class, path, node, CanonicalValue::Text(text.to_string()));
    }

    /// A value that is at the path of the fact.
    fn value_at(&mut self, class: Class, path: &str, value: CanonicalValue) {
        self.value(class, path, &path.split('.').collect::<Vec<_>>(), value);
    }

    fn text_at(&mut self, class: Class, path: &str, text: impl ToString) {
        self.value_at(class, path, CanonicalValue::Text(text.to_string()));
    }

    /// The name of a field in the new schema.
    fn name(&self, name: &str) -> String {
        self.renamed
            .iter()
            .find(|(old, _)| old == name)
            .map_or_else(|| name.to_string(), |(_, new)| new.clone())
    }

    fn hbase(&mut self) {
        let table = &self.schema().hbase;
        self.text_at(Class::Key, "hbase.table", table.full_name());
        for (name, value) in &table.attributes {
            let (constant, step) = steps(AttributesOf::Table, name);
            let canonical = CanonicalValue::Text(effects::canonical(AttributesOf::Table, &constant, value));
            let value = FactValue::told(Class::Mapping, canonical, value.text());
            self.add(format!("hbase.attributes.{step}"), &["hbase", "attributes", name], value);
            self.about(FactSubject::TableAttribute { constant });
        }
        for (name, value) in &table.metadata {
            let value = FactValue::told(Class::Mapping, CanonicalValue::Text(value.clone()), value.clone());
            self.add(format!("hbase.metadata.{name}"), &["hbase", "metadata", name], value);
        }
        for family in &table.families {
            let path = format!("hbase.families.{}", family.name);
            let node = ["hbase", "families", family.name.as_str()];
            self.part(Class::Mapping, path.clone(), &node);
            self.about(FactSubject::Family { name: family.name.clone() });
            for (name, value) in &family.attributes {
                self.attribute(&family.name, name, &[&node[..], &[name]].concat(), value);
            }
            for (constant, default) in effects::defaults() {
                if family.attribute(constant).is_none() {
                    self.attribute(&family.name, constant, &node, &AttributeValue::Text(default.into()));
                }
            }
        }
    }

    fn attribute(&mut self, family: &str, name: &str, node: &[&str], value: &AttributeValue) {
        let (constant, step) = steps(AttributesOf::Family, name);
        let canonical = CanonicalValue::Text(effects::canonical(AttributesOf::Family, &constant, value));
        let value = FactValue::told(Class::Mapping, canonical, value.text());
        self.add(format!("hbase.families.{family}.{step}"), node, value);
        self.about(FactSubject::Attribute { family: family.into(), constant });
    }

    fn salt(&mut self) {
        let Some(salt) = &self.schema().key.salt else { return };
        let row_key = &self.schema().key;
        let scheme = salt.scheme.name();
        let node = |step| ["key", "salt", scheme, step];
        self.value_at(Class::Key, "key.salt", CanonicalValue::Present);
        self.text(Class::Key, "key.salt.scheme", &["key", "salt"], scheme);
        let inputs = key::inputs(salt, row_key, &|name| self.name(name));
        if !inputs.is_empty() {
            let of = match salt.scheme.hashed_inputs() {
                Some(SaltInputs::KeyBytes { start, stop })
                    if !salt.hashed_text(&row_key.fields).is_some_and(|text| text.is_of_inputs_alone()) =>
                {
                    CanonicalValue::Text(format!("bytes [{start}, {stop}) of the key"))
                }
                _ => CanonicalValue::Inputs(inputs),
            };
            self.value(Class::Key, "key.salt.of", &node("of"), of);
        }
        if let Some(joined) = salt.separator(&row_key.fields) {
            let joined = CanonicalValue::InputSeparator(joined);
            self.value(Class::Key, "key.salt.joined_by", &node("joined_by"), joined);
        }
        if let SaltScheme::Hash(HashSalt { charset: Some(charset), .. }) = &salt.scheme {
            self.text(Class::Key, "key.salt.charset", &node("charset"), CHARSETS.word(*charset));
        }
        let reducer = salt.scheme.reducer();
        let step = node(reducer.key());
        self.value(Class::Key, "key.salt.number", &step, CanonicalValue::Reducer(reducer));
        if let Some(spread) = salt.spread {
            let modulo = spread.modulo.map(|by| format!(", modulo {by}")).unwrap_or_default();
            let plus = format!("random below {}{modulo}", spread.below);
            self.text(Class::Key, "key.salt.plus", &node("plus"), plus);
        }
        self.value(Class::Key, "key.salt.behind", &node("behind"), CanonicalValue::bytes(&salt.behind));
        self.text(Class::Key, "key.salt.write", &node("write"), salt.write.describe());
        self.value_at(Class::Key, "key.salt.then", CanonicalValue::bytes(&salt.separator));
    }

    fn fields(&mut self) {
        let row_key = &self.schema().key;
        let order: Vec<String> = row_key.stored().map(|at| self.name(&row_key.fields[at].name)).collect();
        self.value(Class::Key, "key.order", &["key", "fields"], CanonicalValue::List(order));
        for (index, field) in row_key.fields.iter().enumerate() {
            self.field(&index.to_string(), field);
        }
    }

    fn field(&mut self, index: &str, field: &Field) {
        let path = format!("key.fields.{}", self.name(&field.name));
        let node = |step: &'static str| ["key", "fields", index, step];
        self.part(Class::Key, path.clone(), &["key", "fields", index]);
        self.text(Class::Query, format!("{path}.name"), &node("name"), &field.name);
        self.text(Class::Query, format!("{path}.type"), &node("type"), field.kind.declared_type());
        if matches!(field.kind, FieldKind::Calendar(_)) {
            let hive_type = field.kind.hive_type().to_string();
            self.text(Class::Query, format!("{path}.hive_type"), &node("hive_type"), hive_type);
        }
        let form = CanonicalValue::Form(stored_form(&field.kind));
        let step = match (field.kind.number(), field.kind.time()) {
            (Some(_), _) => "encoding",
            (None, Some(_)) => "format",
            (None, None) => "reverse",
        };
        self.value(Class::Key, format!("{path}.encoding"), &node(step), form);
        for (name, step, value) in key::limits(field, self.schema().time_zone) {
            self.add(format!("{path}.{name}"), &node(step), value);
        }
        if matches!(field.kind, FieldKind::Text(_)) {
            let nullable = field.kind.is_nullable();
            self.text(Class::Query, format!("{path}.nullable"), &node("nullable"), nullable);
        }
        let id = self.schema().field(&field.name);
        if let Some(hash) = id.and_then(|id| self.schema().key.hashed.get(&id)) {
            let hash = hash.clone();
            self.hash(&format!("{path}.hash"), index, &hash);
        }
        self.text(Class::Key, format!("{path}.stored"), &node("stored"), field.stored);
        if field.stored {
            let separator = CanonicalValue::bytes(&field.separator);
            self.value(Class::Key, format!("{path}.then"), &node("then"), separator);
        }
    }

    /// What a field holds that is a hash of others.
    fn hash(&mut self, path: &str, index: &str, hash: &Salt) {
        let row_key = &self.schema().key;
        let node = |step: &'static str| ["key", "fields", index, "hash", step];
        let inputs = key::inputs(hash, row_key, &|name| self.name(name));
        self.value(Class::Key, format!("{path}.of"), &node("of"), CanonicalValue::Inputs(inputs));
        if let Some(joined) = hash.separator(&row_key.fields) {
            let joined = CanonicalValue::InputSeparator(joined);
            self.value(Class::Key, format!("{path}.joined_by"), &node("joined_by"), joined);
        }
        if let SaltScheme::Hash(HashSalt { charset: Some(charset), .. }) = &hash.scheme {
            let charset = CHARSETS.word(*charset);
            self.text(Class::Key, format!("{path}.charset"), &node("charset"), charset);
        }
        let reducer = hash.scheme.reducer();
        let step = node(reducer.key());
        self.value(Class::Key, format!("{path}.number"), &step, CanonicalValue::Reducer(reducer));
        self.text(Class::Key, format!("{path}.write"), &node("write"), hash.write.describe());
    }

    fn regions(&mut self) -> Result<(), Diagnostic> {
        let keys = self.table.try_split_keys()?.unwrap_or_default();
        let text = match &self.schema().regions {
            // Keys of a sample are data of the table, not of the schema, so they are counted and not shown.
            Some(Regions::Sampled(_)) if !keys.is_empty() => {
                format!("{} regions, split at {} sampled keys", keys.len() + 1, keys.len())
            }
            _ => shown_splits(keys),
        };
        let value = CanonicalValue::SplitKeys(keys.to_vec());
        self.add("regions", &["regions"], FactValue::told(Class::Region, value, text));
        Ok(())
    }

    fn columns(&mut self) {
        let columns = &self.schema().columns;
        let order = columns.iter().map(|column| column.name.clone()).collect();
        self.value_at(Class::Mapping, "columns", CanonicalValue::List(order));
        self.about(FactSubject::Columns);
        for (index, column) in columns.iter().enumerate() {
            let index = index.to_string();
            // Separate from the path of the order, which may change while the column stays the same.
            let path = format!("column.{}", column.name);
            let node = |step: &'static str| ["columns", index.as_str(), step];
            self.text(
                Class::Mapping,
                format!("{path}.type"),
                &node("type"),
                column.hive_type.hive_type().to_string(),
            );
            self.about(FactSubject::Column { name: column.name.clone(), is_type: true });
            let cell = format!("{}:{}", column.family, column.qualifier);
            self.text(Class::Mapping, format!("{path}.hbase"), &node("hbase"), cell);
            self.about(FactSubject::Column { name: column.name.clone(), is_type: false });
            let encoding = columns::ENCODINGS.word(column.encoding);
            self.text(Class::Mapping, format!("{path}.encoding"), &node("encoding"), encoding);
            self.about(FactSubject::Column { name: column.name.clone(), is_type: false });
        }
    }

    fn hive(&mut self) {
        let Some(hive) = &self.schema().hive else { return };
        if let Some(engine) = hive.engine {
            self.text_at(Class::Query, "hive.engine", engine.name());
        }
        if let Some(mapping) = &hive.mapping {
            self.value_at(Class::Mapping, "hive.mapping", CanonicalValue::Present);
            self.text_at(Class::Mapping, "hive.mapping.table", table(&mapping.table));
            self.text_at(Class::Mapping, "hive.mapping.key_column", mapping.key_column.to_lowercase());
            self.text_at(Class::Mapping, "hive.mapping.external", mapping.external);
            self.text_at(Class::Mapping, "hive.mapping.one_scan", mapping.one_scan);
            self.text_at(Class::Mapping, "hive.mapping.refuse_full_scans", mapping.refuse_full_scans);
            self.text_at(Class::Mapping, "hive.mapping.planned", mapping.planned);
        }
        if let Some(view) = &hive.view {
            self.text_at(Class::Mapping, "hive.view", table(view));
        }
        if let Some(target) = &hive.target {
            self.target(target);
        }
    }

    fn target(&mut self, target: &TargetTable) {
        self.value_at(Class::Mapping, "hive.target", CanonicalValue::Present);
        self.text_at(Class::Mapping, "hive.target.table", table(&target.table));
        self.text_at(Class::Mapping, "hive.target.stored_as", target.stored_as.to_lowercase());
        let partition = target.partition.iter().map(|column| self.partition(column)).collect();
        self.value_at(Class::Mapping, "hive.target.partition", CanonicalValue::List(partition));
        let order = target.columns.iter().map(|column| column.name.clone()).collect();
        self.value_at(Class::Mapping, "hive.target.columns", CanonicalValue::List(order));
        self.about(FactSubject::TargetColumns);
        for (index, column) in target.columns.iter().enumerate() {
            let path = format!("hive.target.column.{}", column.name);
            let index = index.to_string();
            let node = ["hive", "target", "columns", index.as_str()];
            let source = match &column.value {
                TargetValue::Column(at) => self.schema().columns.get(*at).map(|column| column.name.clone()),
                _ => None,
            };
            let about = |is_type| FactSubject::TargetColumn {
                name: column.name.clone(),
                source: source.clone(),
                is_type,
            };
            let mut value = made_of(&column.value, self.schema(), |name| self.name(name));
            if let (TargetValue::KeyField(id), Some(hive_type)) = (&column.value, &column.hive_type)
                && let Some(form) = self
                    .schema()
                    .key
                    .fields
                    .get(*id)
                    .map(|field| conversion(field, hive_type, TypeUse::Column))
                && form.is_ok_and(WrittenForm::is_clock)
            {
                value.push_str(&self.of_zone(*id));
            }
            self.text(Class::Query, format!("{path}.value"), &node, value);
            self.about(about(false));
            if let Some(hive_type) = &column.hive_type {
                self.text(Class::Mapping, format!("{path}.type"), &node, hive_type.hive_type().to_string());
                self.about(about(true));
            }
        }
    }

    fn partition(&self, column: &PartitionColumn) -> String {
        let field = |id| self.schema().key.fields.get(id).map_or("", |field| field.name.as_str());
        let value = match &column.value {
            PartitionValue::Field(id) if field(*id) == column.name => String::new(),
            PartitionValue::Field(id) => format!(" of key.{}", self.name(field(*id))),
            PartitionValue::Part { field: id, pattern } => {
                format!(" of key.{} as {}{}", self.name(field(*id)), pattern.text(), self.of_zone(*id))
            }
            PartitionValue::Constant(text) => format!(" = '{text}'"),
            PartitionValue::Column(id) => {
                let source = self.schema().columns.get(*id).map_or("", |column| column.name.as_str());
                format!(" of {source}")
            }
        };
        format!("{} {}{value}", column.name, column.hive_type.hive_type())
    }

    /// ` in Asia/Shanghai` behind a local time that is made of an instant.
    fn of_zone(&self, id: FieldId) -> String {
        let is_instant =
            matches!(self.schema().key.fields.get(id).map(|field| &field.kind), Some(FieldKind::Epoch(_)));
        let zone = self.schema().time_zone.filter(|_| is_instant);
        zone.map(|zone| format!(" in {}", zone.name())).unwrap_or_default()
    }

    /// The zone affects keys if an input of the salt is the local time of an instant.
    fn time_zone(&mut self) {
        let Some(zone) = self.schema().time_zone else { return };
        self.text_at(Class::Query, "time_zone", zone.name());
        let row_key = &self.schema().key;
        for field in row_key.fields.iter().filter(|field| matches!(field.kind, FieldKind::Epoch(_))) {
            let path = format!("key.fields.{}.local_times", self.name(&field.name));
            self.text(Class::Query, path, &["time_zone"], zone.name());
            self.about(FactSubject::LocalTimes);
        }
        let formats_instant = row_key.salt.as_ref().is_some_and(|salt| {
            salt.inputs(&row_key.fields).iter().any(|input| {
                let kind = row_key.fields.get(input.field).map(|field| &field.kind);
                matches!(input.cut, saltplan_core::key::salt::Cut::Format(_))
                    && matches!(kind, Some(FieldKind::Epoch(_)))
            })
        });
        if formats_instant {
            self.text(Class::Key, "key.salt.time_zone", &["time_zone"], zone.name());
        }
    }
}

/// More split keys than this are not listed on one line.
const MAX_SHOWN_KEYS: usize = 8;

fn shown_splits(keys: &[Vec<u8>]) -> String {
    let shown: Vec<String> = keys.iter().map(|key| format!("'{}'", to_string_binary(key))).collect();
    match shown.as_slice() {
        [] => "one region".to_string(),
        [one] => format!("2 regions, split at {one}"),
        all if all.len() <= MAX_SHOWN_KEYS => {
            format!("{} regions, split at {}", all.len() + 1, all.join(", "))
        }
        // All keys are compared, but only some are shown; a digest represents the rest.
        [first, .., last] => {
            let digest = key_digest(keys);
            format!("{} regions, split at {first} to {last} ({digest})", shown.len() + 1)
        }
    }
}

fn key_digest(keys: &[Vec<u8>]) -> String {
    use md5::{Digest, Md5};
    let mut digest = Md5::new();
    for key in keys {
        digest.update((key.len() as u64).to_be_bytes());
        digest.update(key);
    }
    let hex = saltplan_core::key::range::to_hex(&digest.finalize());
    format!("md5 of all {}", hex.get(..8).unwrap_or_default())
}

fn table(name: &HiveTableName) -> String {
    let database = name.database.as_deref().unwrap_or("default");
    format!("{database}.{}", name.table).to_lowercase()
}

/// The shell's constant or the setting, and the last step of its path.
fn steps(of: AttributesOf, name: &str) -> (String, String) {
    match ShellName::of(of, name) {
        ShellName::Constant(constant) => (constant.clone(), constant.to_ascii_lowercase()),
        ShellName::Setting(name) => (name.to_string(), name.to_string()),
    }
}
