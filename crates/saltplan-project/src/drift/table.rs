//! The live table as a whole against its schema: families and their attributes, those of the table, its metadata, and the mapping table
//! of Hive. What the HBase shell can alter becomes commands; what would lose stored cells does so only if that is accepted.

use crate::diff::FactSubject;
use crate::diff::effects::{self, Outcome};
use crate::fault::{Fault, fault};
use crate::init::live::{self, Described, Mapping};
use saltplan_core::ddl;
use saltplan_core::hbase::shell::string_literal;
use saltplan_core::schema::attributes::{AttributesOf, ShellName};
use saltplan_core::schema::columns::ENCODINGS;
use saltplan_core::schema::model::{AttributeValue, Family, HbaseTable, Schema};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

use super::is_same_table;

/// What a difference is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// An attribute of the table.
    Table(String),
    /// A name of the table's metadata.
    Metadata(String),
    /// A family that only one side has.
    Family(String),
    /// An attribute of a family.
    Attribute { family: String, name: String },
    /// The mapping table of Hive.
    Mapping(String),
}

/// A difference between a schema and the live table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableDifference {
    pub part: Part,
    /// What the live table has; `None` if it does not have the part.
    pub found: Option<String>,
    /// What the schema says.
    pub wanted: Option<String>,
    /// What HBase would do with stored cells if the table were altered, if it deletes some of them or makes them unreadable.
    pub loss: Option<&'static str>,
    /// Why no command makes them equal.
    pub no_command: Option<&'static str>,
}

impl TableDifference {
    /// On one line: `family f VERSIONS: 3 should be 1`.
    #[must_use]
    pub fn shown(&self) -> String {
        let what = match &self.part {
            Part::Table(name) => format!("table    {name}"),
            Part::Metadata(name) => format!("metadata {name}"),
            Part::Family(name) => format!("family   {name}"),
            Part::Attribute { family, name } => format!("family   {family} {name}"),
            Part::Mapping(name) => format!("mapping  {name}"),
        };
        match (&self.found, &self.wanted) {
            (Some(_), None) if matches!(self.part, Part::Family(_)) => format!("{what}: not in the schema"),
            (None, Some(_)) if matches!(self.part, Part::Family(_)) => format!("{what}: missing"),
            (Some(found), Some(wanted)) => format!("{what}: {found} should be {wanted}"),
            (Some(found), None) => format!("{what}: {found}, not in the schema"),
            (None, Some(wanted)) => format!("{what}: missing, should be {wanted}"),
            (None, None) => what,
        }
    }

    /// For programs.
    #[must_use]
    pub fn json(&self) -> Json {
        let (kind, family, name) = match &self.part {
            Part::Table(name) => ("table", None, Some(name)),
            Part::Metadata(name) => ("metadata", None, Some(name)),
            Part::Family(family) => ("family", Some(family), None),
            Part::Attribute { family, name } => ("attribute", Some(family), Some(name)),
            Part::Mapping(name) => ("mapping", None, Some(name)),
        };
        json!({
            "kind": kind,
            "family": family,
            "name": name,
            "found": self.found,
            "wanted": self.wanted,
            "loss": self.loss,
            "no_command": self.no_command,
        })
    }
}

/// The differences of families and attributes, and the commands for those that can be altered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableDrift {
    pub differences: Vec<TableDifference>,
    pub commands: Vec<String>,
    /// Attributes of the live table that a schema file has no place for.
    pub left_out: Vec<String>,
}

/// Compares a schema with the output of `describe`. `accepts_loss` also alters what makes HBase delete cells.
///
/// # Errors
/// The text is not the output of `describe`, or of another table.
pub fn compare_described(schema: &Schema, text: &str, accepts_loss: bool) -> Result<TableDrift, Fault> {
    let Described { draft, left_out } = live::describe(text)?;
    let table = schema.hbase.full_name();
    if !is_same_table(&draft.table, &table) {
        return fault(
            format!("it describes the table `{}`, the schema `{table}`", draft.table),
            &format!("save what `describe '{table}'` prints, or pass the schema of `{}`", draft.table),
        );
    }
    let families = draft
        .families
        .into_iter()
        .map(|family| Family { name: family.name, attributes: family.attributes })
        .collect();
    let HbaseTable { namespace, qualifier, .. } = schema.hbase.clone();
    let hbase =
        HbaseTable { namespace, qualifier, attributes: draft.attributes, metadata: draft.metadata, families };
    let live = Schema { hbase, ..schema.clone() };
    let mut comparison = Comparison { live: &live, schema, accepts_loss, drift: TableDrift::default() };
    comparison.table();
    comparison.families();
    Ok(TableDrift { left_out, ..comparison.drift })
}

struct Comparison<'s> {
    live: &'s Schema,
    schema: &'s Schema,
    accepts_loss: bool,
    drift: TableDrift,
}

/// Attributes to alter, and those to remove.
#[derive(Default)]
struct Altered {
    set: Vec<(String, AttributeValue)>,
    unset: Vec<String>,
}

impl Comparison<'_> {
    fn table(&mut self) {
        let (live, schema) = (self.live, self.schema);
        let part = |name: &str| Part::Table(name.to_string());
        let of = AttributesOf::Table;
        let altered = self.attributes(of, &live.hbase.attributes, &schema.hbase.attributes, part, |name| {
            FactSubject::TableAttribute { constant: name.to_string() }
        });
        let (found, wanted) = (by_name(&live.hbase.metadata), by_name(&schema.hbase.metadata));
        let mut metadata = Vec::new();
        let mut unset = Vec::new();
        for name in found.keys().chain(wanted.keys().filter(|name| !found.contains_key(*name))) {
            let (found, wanted) = (found.get(name).copied(), wanted.get(name).copied());
            if found == wanted {
                continue;
            }
            let is_class = wanted.is_none() && name.starts_with("coprocessor");
            let no_command = is_class.then_some(
                "a coprocessor is left where it is: add it to the schema, or remove it by hand if nothing needs it",
            );
            match wanted {
                Some(wanted) => metadata.push(((*name).to_string(), wanted.to_string())),
                None if !is_class => unset.push((*name).to_string()),
                None => {}
            }
            self.drift.differences.push(TableDifference {
                part: Part::Metadata((*name).to_string()),
                found: found.map(str::to_string),
                wanted: wanted.map(str::to_string),
                loss: None,
                no_command,
            });
        }
        let name = string_literal(&schema.hbase.full_name());
        let set = HbaseTable { attributes: altered.set, metadata, ..schema.hbase.clone() };
        if let Some(hash) = ddl::table_attributes(&set) {
            self.drift.commands.push(format!("alter {name}, {hash}"));
        }
        for setting in altered.unset.iter().chain(&unset) {
            let method = if setting.contains('.') { "table_conf_unset" } else { "table_att_unset" };
            let setting = string_literal(setting);
            self.drift.commands.push(format!("alter {name}, METHOD => '{method}', NAME => {setting}"));
        }
    }

    fn families(&mut self) {
        let (live, schema) = (self.live, self.schema);
        let table = string_literal(&schema.hbase.full_name());
        let find = |of: &'_ HbaseTable, name: &str| of.families.iter().position(|family| family.name == name);
        for family in &schema.hbase.families {
            let Some(at) = find(&live.hbase, &family.name) else {
                self.drift.differences.push(TableDifference {
                    part: Part::Family(family.name.clone()),
                    found: None,
                    wanted: Some(ddl::family(family)),
                    loss: None,
                    no_command: None,
                });
                self.drift.commands.push(format!("alter {table}, {}", ddl::family(family)));
                continue;
            };
            let name = &family.name;
            let part =
                |attribute: &str| Part::Attribute { family: name.clone(), name: attribute.to_string() };
            let subject = |constant: &str| FactSubject::Attribute {
                family: name.clone(),
                constant: constant.to_string(),
            };
            let found = &live.hbase.families[at].attributes;
            let altered = self.attributes(AttributesOf::Family, found, &family.attributes, part, subject);
            if !altered.set.is_empty() {
                let hash = ddl::family(&Family { name: name.clone(), attributes: altered.set });
                self.drift.commands.push(format!("alter {table}, {hash}"));
            }
        }
        for family in &live.hbase.families {
            if find(&schema.hbase, &family.name).is_some() {
                continue;
            }
            let loss = self.loss(&FactSubject::Family { name: family.name.clone() });
            self.drift.differences.push(TableDifference {
                part: Part::Family(family.name.clone()),
                found: Some(ddl::family(family)),
                wanted: None,
                loss,
                no_command: None,
            });
            if self.accepts_loss {
                let name = string_literal(&family.name);
                self.drift.commands.push(format!("alter {table}, NAME => {name}, METHOD => 'delete'"));
            }
        }
    }

    /// What HBase does with stored cells when the live table is made equal, if it keeps not all of them.
    fn loss(&self, subject: &FactSubject) -> Option<&'static str> {
        let effect = effects::of(subject, "", self.live, self.schema)?;
        (effect.outcome != Outcome::Kept).then_some(effect.words)
    }

    fn attributes(
        &mut self,
        of: AttributesOf,
        found: &[(String, AttributeValue)],
        wanted: &[(String, AttributeValue)],
        part: impl Fn(&str) -> Part,
        subject: impl Fn(&str) -> FactSubject,
    ) -> Altered {
        let mut altered = Altered::default();
        let (found, wanted) = (by_constant(of, found), by_constant(of, wanted));
        for name in wanted.keys().chain(found.keys().filter(|name| !wanted.contains_key(*name))) {
            let default = live::default_of(of, name);
            let value = |values: &BTreeMap<String, AttributeValue>| {
                values
                    .get(name)
                    .cloned()
                    .or_else(|| default.map(|text| AttributeValue::Text(text.to_string())))
            };
            let (found, wanted) = (value(&found), value(&wanted));
            let canonical = |value: &Option<AttributeValue>| {
                value.as_ref().map(|value| effects::canonical(of, name, value))
            };
            if canonical(&found) == canonical(&wanted) {
                continue;
            }
            let loss = self.loss(&subject(name));
            let is_refused = loss.is_some() && !self.accepts_loss;
            let no_command = match (&wanted, of) {
                (None, AttributesOf::Family) => Some(
                    "the schema does not set it, and its default is not known here: write it in the schema, or alter it by hand",
                ),
                _ => None,
            };
            match wanted.clone() {
                _ if is_refused => {}
                Some(value) => altered.set.push((name.clone(), value)),
                None if no_command.is_none() => altered.unset.push(name.clone()),
                None => {}
            }
            self.drift.differences.push(TableDifference {
                part: part(name),
                found: found.map(|value| value.text()),
                wanted: wanted.map(|value| value.text()),
                loss,
                no_command,
            });
        }
        altered
    }
}

fn by_name(entries: &[(String, String)]) -> BTreeMap<&str, &str> {
    entries.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

fn by_constant(
    of: AttributesOf,
    attributes: &[(String, AttributeValue)],
) -> BTreeMap<String, AttributeValue> {
    let constant = |name: &str| match ShellName::of(of, name) {
        ShellName::Constant(constant) => constant,
        ShellName::Setting(name) => name.to_string(),
    };
    attributes.iter().map(|(name, value)| (constant(name), value.clone())).collect()
}

/// Compares a schema with the statement of its mapping table, and whether dropping that table would drop the rows.
///
/// # Errors
/// The text is no such statement, or of another table, or the schema has no mapping table.
pub fn compare_mapping(schema: &Schema, text: &str) -> Result<(Vec<TableDifference>, bool), Fault> {
    let Some(mapping) = schema.mapping() else {
        return fault(
            "the schema has no `hive.mapping`, so there is nothing to compare",
            "add `hive.mapping` to it",
        );
    };
    let Mapping { draft, key_type, drop_deletes_rows, .. } = live::show_create(text)?;
    let name = draft.mapping.clone().unwrap_or_default();
    let table_of = |name: &str| name.rsplit('.').next().unwrap_or_default().to_lowercase();
    let wanted_name = mapping.table.to_string();
    let has_both = name.contains('.') && wanted_name.contains('.');
    let is_same = if has_both {
        name.eq_ignore_ascii_case(&wanted_name)
    } else {
        table_of(&name) == table_of(&wanted_name)
    };
    if !is_same {
        return fault(
            format!("it creates the table `{name}`, the schema has `{wanted_name}`"),
            &format!("save what `SHOW CREATE TABLE {wanted_name}` prints"),
        );
    }
    let mut differences = Vec::new();
    let mut add = |part: String, found: Option<String>, wanted: Option<String>| {
        if found != wanted {
            let part = Part::Mapping(part);
            differences.push(TableDifference { part, found, wanted, loss: None, no_command: None });
        }
    };
    let hbase_table = schema.hbase.full_name();
    if !is_same_table(&draft.table, &hbase_table) {
        add("hbase.table.name".into(), Some(draft.table.clone()), Some(hbase_table));
    }
    let kind = |is_managed: bool| Some(if is_managed { "managed" } else { "external" }.to_string());
    add("table".into(), kind(draft.is_managed), kind(!mapping.external));
    let key = draft.key_column.as_ref().map(|key| key.to_lowercase());
    add("key column".into(), key, Some(mapping.key_column.to_lowercase()));
    // Statements compare the key as a text.
    let key_type = key_type.unwrap_or_else(|| "string".to_string());
    add("type of the key column".into(), Some(key_type), Some("string".into()));
    let shown = |hive_type: &str, cell: (&str, &str), encoding| {
        format!("{hive_type} of {}:{} ({})", cell.0, cell.1, ENCODINGS.word(encoding))
    };
    let found: BTreeMap<String, String> = draft
        .columns
        .iter()
        .map(|column| {
            let cell = (column.family.as_str(), column.qualifier.as_str());
            (column.name.to_lowercase(), shown(&column.hive_type, cell, column.encoding))
        })
        .collect();
    let wanted: BTreeMap<String, String> = schema
        .columns
        .iter()
        .map(|column| {
            let cell = (column.family.as_str(), column.qualifier.as_str());
            (column.name.to_lowercase(), shown(&column.hive_type.to_string(), cell, column.encoding))
        })
        .collect();
    for name in wanted.keys().chain(found.keys().filter(|name| !wanted.contains_key(*name))) {
        add(format!("column {name}"), found.get(name).cloned(), wanted.get(name).cloned());
    }
    Ok((differences, drop_deletes_rows))
}
