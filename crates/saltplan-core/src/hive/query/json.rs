//! A query as JSON, for schedulers and lineage tools.

use serde_json::{Map, Value as Json, json};

use super::Query;
use crate::plan::Plan;
use crate::plan::explain::{regions_json, salts_json, widening_json};
use saltplan_document::diag::Diagnostic;
use saltplan_document::diag::json::message;
use saltplan_sql::statement::Setting;

/// Version of the JSON form.
pub const FORMAT_VERSION: u32 = 1;

impl Query {
    /// The versioned JSON form. `warnings` includes the warnings about the predicate.
    pub fn to_json(&self, plan: &Plan, warnings: &[Diagnostic]) -> Json {
        let target = self.target.as_ref();
        json!({
            "format_version": FORMAT_VERSION,
            "kind": plan.kind.name(),
            "engine": self.engine.name(),
            "shape": self.shape.name(),
            "mapping": self.mapping,
            "target": target.map(|target| target.table.as_str()),
            "insert": target.map(|target| if target.into { "into" } else { "overwrite" }),
            "partitions": target.map_or(&[][..], |target| target.partitions.as_slice()),
            "salts": plan.salts.map(salts_json),
            "ranges": plan.branches.len(),
            "scans": self.cost.scans,
            "jobs": self.cost.jobs,
            "widening": plan.widening().map(widening_json),
            "regions": plan.regions.map(regions_json),
            "settings": settings(self.settings()),
            "warnings": warnings.iter().map(message).collect::<Vec<_>>(),
            "sql": self.sql,
        })
    }
}

/// Settings as members of an object, in their order.
fn settings<'a>(settings: impl Iterator<Item = &'a Setting>) -> Json {
    let members = settings.map(|Setting { name, value }| (name.clone(), value.as_str().into()));
    Json::Object(members.collect::<Map<String, Json>>())
}
