//! A schema file in the making.

/// Everything that goes into the file. Parts are YAML already; comments are text without `#`.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    /// `ns:name`
    pub table: String,
    /// Comments above everything.
    pub head: Vec<String>,
    pub separator: Option<String>,
    pub salt: Option<DraftSalt>,
    pub fields: Vec<DraftField>,
    pub regions: Option<String>,
    pub regions_comment: Vec<String>,
    pub columns: Vec<DraftColumn>,
    pub mapping: Option<String>,
    pub target: Option<String>,
    /// Names of key fields.
    pub partition: Vec<String>,
    pub time_zone: Option<String>,
    pub time_zone_comment: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct DraftSalt {
    /// `md5: { of: key, … }`
    pub yaml: String,
    /// The salt's own separator, where it is another one than that of the key.
    pub then: Option<String>,
    pub comment: Vec<String>,
    /// How many salts there are, where that is known.
    pub count: Option<u64>,
}

#[derive(Debug, Clone)]
pub struct DraftField {
    pub name: String,
    /// What stands behind the name: `type: date, format: yyyyMMdd`.
    pub yaml: String,
    pub comment: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct DraftColumn {
    pub name: String,
    pub hive_type: String,
    pub family: String,
    pub qualifier: String,
}

/// Salts up to this number get a region each.
pub const MAX_SALT_REGIONS: u64 = 256;

/// Text as a YAML scalar in single quotes, bytes of keys in HBase's text form.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

impl Draft {
    pub fn yaml(&self) -> String {
        let mut out = String::new();
        comment(&mut out, "", &self.head);
        out.push_str("saltplan: 1\n\nhbase:\n");
        out.push_str(&format!("  table: {}\n  families:\n", quoted(&self.table)));
        let mut families: Vec<&str> = self.columns.iter().map(|column| column.family.as_str()).collect();
        families.sort_unstable();
        families.dedup();
        if families.is_empty() {
            families.push("f");
        }
        for family in families {
            out.push_str(&format!("    {}: {{ versions: 1 }}\n", quoted(family)));
        }
        self.key(&mut out);
        if let Some(regions) = &self.regions {
            out.push_str("\nregions:\n");
            comment(&mut out, "  ", &self.regions_comment);
            out.push_str(&format!("  {regions}\n"));
        }
        if !self.columns.is_empty() {
            out.push_str("\ncolumns:\n");
            for DraftColumn { name, hive_type, family, qualifier } in &self.columns {
                let cell = quoted(&format!("{family}:{qualifier}"));
                out.push_str(&format!(
                    "  - {{ name: {}, type: {}, hbase: {cell} }}\n",
                    quoted(name),
                    quoted(hive_type)
                ));
            }
        }
        self.hive(&mut out);
        if let Some(zone) = &self.time_zone {
            out.push('\n');
            comment(&mut out, "", &self.time_zone_comment);
            out.push_str(&format!("time_zone: {}\n", quoted(zone)));
        }
        out
    }

    fn key(&self, out: &mut String) {
        out.push_str("\nkey:\n");
        if let Some(separator) = &self.separator {
            out.push_str(&format!("  separator: {}\n", quoted(separator)));
        }
        if let Some(salt) = &self.salt {
            comment(out, "  ", &salt.comment);
            out.push_str(&format!("  salt:\n    {}\n", salt.yaml));
            if let Some(then) = &salt.then {
                out.push_str(&format!("    then: {}\n", quoted(then)));
            }
        }
        out.push_str("  fields:\n");
        for DraftField { name, yaml, comment: lines } in &self.fields {
            comment(out, "    ", lines);
            out.push_str(&format!("    - {{ name: {}, {yaml} }}\n", quoted(name)));
        }
    }

    fn hive(&self, out: &mut String) {
        let Some(mapping) = &self.mapping else { return };
        out.push_str("\nhive:\n  mapping:\n");
        let taken = |name: &str| {
            self.columns.iter().any(|column| column.name.eq_ignore_ascii_case(name))
                || self.fields.iter().any(|field| field.name.eq_ignore_ascii_case(name))
        };
        let key_column = ["rowkey", "row_key", "hbase_row_key"].into_iter().find(|name| !taken(name));
        let key_column = key_column.unwrap_or("saltplan_row_key");
        out.push_str(&format!(
            "    table: {}\n    key_column: {key_column}\n    external: true\n",
            quoted(mapping)
        ));
        let Some(target) = &self.target else { return };
        out.push_str(&format!("  target:\n    table: {}\n", quoted(target)));
        if !self.partition.is_empty() {
            let names: Vec<String> = self.partition.iter().map(|name| quoted(name)).collect();
            out.push_str(&format!("    partition: [{}]\n", names.join(", ")));
        }
        out.push_str("    stored_as: orc\n    columns:\n");
        for column in &self.columns {
            out.push_str(&format!("      - {}\n", quoted(&column.name)));
        }
        let unstored = |yaml: &str| yaml.contains("stored: false");
        for field in
            self.fields.iter().filter(|field| !self.partition.contains(&field.name) && !unstored(&field.yaml))
        {
            let name = quoted(&field.name);
            out.push_str(&format!(
                "      - {{ name: {name}, from: {} }}\n",
                quoted(&format!("key.{}", field.name))
            ));
        }
    }
}

fn comment(out: &mut String, indent: &str, lines: &[String]) {
    for line in lines {
        // A comment ends with its line.
        let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        out.push_str(&format!("{indent}# {line}\n"));
    }
}

/// Names of fields that are not taken yet: `part`, `part_2`.
pub fn fresh_name(base: &str, fields: &[DraftField]) -> String {
    let taken = |name: &str| fields.iter().any(|field| field.name == name);
    let numbered = (2..).map(|number| format!("{base}_{number}"));
    std::iter::once(base.to_string()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}
