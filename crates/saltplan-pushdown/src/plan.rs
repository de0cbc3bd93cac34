//! From a request to the keys that may satisfy its filter.

use saltplan_core::Table;
use saltplan_core::analyze::bind::{Bound, BoundNode, Operator};
use saltplan_core::analyze::conditions::key_ranges;
use saltplan_core::analyze::constant::Constant;
use saltplan_core::analyze::{Analysis, analyze_bound};
use saltplan_core::files::named::Memory;
use saltplan_core::key::range::{KeyRange, KeyRanges};
use saltplan_core::pieces::recognise;
use saltplan_core::plan::{Note, Options, Plan, PlanKind, plan};
use saltplan_core::schema::load;
use saltplan_core::schema::model::{Hive, HiveTableName, MappingTable, Schema};
use saltplan_document::diag::{Diagnostics, Source};
use saltplan_sql::functions::Operation;
use saltplan_sql::time::zone::Zone;
use saltplan_sql::version::HiveVersion;

use crate::RequestError;
use crate::answer::{Keys, MAX_RANGES};
use crate::meaning::Meaning;
use crate::request::Request;
use crate::tree::{Builder, KEY_COLUMN, any};
use crate::zone::{self, Clocks};

/// The keys that may satisfy the filter of a request.
pub fn keys(request: &Request) -> Result<Keys, RequestError> {
    let version = hive_version(&request.hive);
    let clocks = version.map(|version| Clocks::new(version, &request.zones));
    let Tables { in_hive: table, stored } =
        tables(&request.schema, clocks.as_ref().and_then(Clocks::of_instants))?;
    let (Some(version), Some(clocks)) = (version, clocks) else {
        return Ok(Keys::All(format!("what Hive {:?} makes of a filter is not known", request.hive)));
    };
    let schema = table.schema();
    let filter = Builder { schema, filter: &request.filter, key_column: &request.key_column, version }.tree();
    let filter = Meaning { version, clocks: &clocks }.condition(filter);
    let recognised = recognise(schema, filter.clone());
    let of_fields = match recognised.names_fields() {
        true => of_fields(&table, &stored, zone::within_span(schema, recognised.tree)),
        false => Err("no condition on the key is in a form that makes ranges".into()),
    };
    let keys = keys_of(schema, &with_bare_keys(filter), true);
    Ok(match of_fields {
        Ok(ranges) => Keys::of(within(ranges, &keys)),
        Err(why) if keys == KeyRanges::all() => Keys::All(why),
        Err(_) => Keys::of(keys.intervals().to_vec()),
    })
}

/// A schema as tables of two zones.
struct Tables {
    /// In the zone of this Hive, in which its functions of instants compute.
    in_hive: Table,
    /// In the schema's own zone, in which a salt of local times was computed when a row was written.
    stored: Table,
}

/// The tables of a schema, whose key column has the name that it has in trees.
fn tables(schema: &str, zone: Option<Zone>) -> Result<Tables, RequestError> {
    let source = Source::new("schema", schema);
    let fault = |errors: Diagnostics| {
        let first = errors.0.first().map_or_else(String::new, |error| error.message.clone());
        RequestError(format!("its schema has errors: {first}"))
    };
    let mut loaded = load(&source).map_err(fault)?;
    let table = HiveTableName { database: None, table: "mapping".into() };
    let mapping = MappingTable {
        table,
        key_column: KEY_COLUMN.into(),
        external: true,
        one_scan: true,
        planned: true,
        refuse_full_scans: false,
    };
    loaded.schema.hive = Some(Hive { engine: None, mapping: Some(mapping), view: None, target: None });
    // Split keys do not matter here, and no file is read.
    loaded.schema.regions = None;
    let stored = Table::new(&source, loaded.clone(), Memory::default());
    if loaded.schema.time_zone == zone {
        return Ok(Tables { in_hive: stored.clone(), stored });
    }
    loaded.schema.time_zone = zone;
    Ok(Tables { in_hive: Table::new(&source, loaded, Memory::default()), stored })
}

/// The version of Hive whose rules are those of a release of Apache, up to the one that was measured. Builds of others have names of
/// their own, and newer releases were not looked at.
fn hive_version(release: &str) -> Option<HiveVersion> {
    let numbers = release.split('.').map(|number| {
        let is_digit = number.len() == 1 && number.bytes().all(|c| c.is_ascii_digit());
        number.parse().ok().filter(|_| is_digit)
    });
    match numbers.collect::<Option<Vec<u8>>>()?.as_slice() {
        [2, 3, 0..=9] => Some(HiveVersion::Hive2),
        [3, 1, 0..=3] => Some(HiveVersion::Hive3),
        [4, 1, 0] => Some(HiveVersion::Hive4),
        _ => None,
    }
}

/// The ranges of the conditions on key fields, or why there are none.
fn of_fields(table: &Table, stored: &Table, filter: BoundNode) -> Result<Vec<KeyRange>, String> {
    // Conditions on the row key are intersected later.
    let analysis = Analysis { key_ranges: None, ..analyzed(table.schema(), filter)? };
    let options =
        Options { max_branches: MAX_RANGES, salt_domain: stored.salt_domain(), ..Options::default() };
    let plan = plan(stored.schema(), &analysis, options);
    match plan.kind {
        PlanKind::FullScan => Err(why_everything(&plan)),
        // It is a search for other keys.
        PlanKind::Empty => Err("no row key that fits the layout of the schema satisfies the filter".into()),
        _ => Ok(plan.branches.into_iter().map(|branch| branch.range).collect()),
    }
}

fn why_everything(plan: &Plan) -> String {
    let is_reason = |note: &&Note| {
        matches!(note, Note::NoPruning { .. } | Note::TooManySalts { .. } | Note::TooManyBranches { .. })
    };
    plan.notes.iter().find(is_reason).map_or_else(|| "the filter leaves no key out".into(), Note::to_string)
}

/// What the conditions mean that are understood, all of which must hold.
fn analyzed(schema: &Schema, filter: BoundNode) -> Result<Analysis, String> {
    let none = || "no condition on the key is in a form that makes ranges".to_string();
    let arms = match filter.what {
        Bound::Operation { operator: Operator::And, operands } => operands,
        _ => vec![filter],
    };
    let of = |mut arms: Vec<BoundNode>| {
        let filter = if arms.len() > 1 { BoundNode::condition(Operator::And, arms) } else { arms.pop()? };
        // Of implausible values the analysis does not say what they are.
        analyze_bound(schema, filter).ok().filter(|analysis| analysis.rejected.is_empty())
    };
    if let Some(analysis) = of(arms.clone()) {
        return Ok(analysis);
    }
    let understood: Vec<BoundNode> = arms.into_iter().filter(|arm| of(vec![arm.clone()]).is_some()).collect();
    of(understood).ok_or_else(none)
}

/// Keys that hold all for which a condition on the row key has a truth; all keys where nothing is known.
fn keys_of(schema: &Schema, node: &BoundNode, truth: bool) -> KeyRanges {
    match &node.what {
        Bound::Operation { operator: Operator::Not, operands } if operands.len() == 1 => {
            keys_of(schema, &operands[0], !truth)
        }
        Bound::Operation { operator: operator @ (Operator::And | Operator::Or), operands } => {
            let arms = operands.iter().map(|arm| keys_of(schema, arm, truth));
            // What is in all of them is outside of none.
            match (*operator == Operator::And) == truth {
                true => one_of(arms.map(|keys| keys.complement())).complement(),
                false => one_of(arms),
            }
        }
        // NULL is neither true nor false.
        Bound::Constant(_) => match node.folded() {
            Some(Constant::Null) => KeyRanges::all().complement(),
            Some(Constant::Bool(is_true)) if is_true != truth => KeyRanges::all().complement(),
            _ => KeyRanges::all(),
        },
        // A comparison of a key with a constant is true or false for each key.
        _ => match key_ranges(schema, node) {
            Some(keys) if truth => keys,
            Some(keys) => keys.complement(),
            None => KeyRanges::all(),
        },
    }
}

/// Keys that are in one of several sets.
fn one_of(sets: impl Iterator<Item = KeyRanges>) -> KeyRanges {
    KeyRanges::from_intervals(sets.flat_map(|keys| keys.intervals().to_vec()).collect())
}

/// A filter in which `concat(key, '')`, by which the view hides the key column from Hive's own handler, is the key.
fn with_bare_keys(mut node: BoundNode) -> BoundNode {
    if let Bound::Call(call) = &mut node.what
        && call.operation() == Operation::Concatenate
        && let [key, nothing] = call.arguments.as_mut_slice()
        && key.column().is_some()
        && nothing.folded() == Some(Constant::Text(String::new()))
    {
        return key.clone();
    }
    node.for_each_part_mut(&mut |part| {
        let own = std::mem::replace(part, any());
        *part = with_bare_keys(own);
    });
    node
}

/// What lies within both. Keys that do not fit the layout are found by conditions on the row key alone, such as one on wrong salts; so
/// both together are never empty if neither is.
fn within(ranges: Vec<KeyRange>, keys: &KeyRanges) -> Vec<KeyRange> {
    let both = KeyRanges::from_intervals(ranges.clone()).intersect(keys);
    match both.intervals() {
        [] if *keys != KeyRanges::all() => keys.intervals().to_vec(),
        both => both.to_vec(),
    }
}
