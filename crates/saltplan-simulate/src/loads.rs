//! From counts to a report.

use super::counts::RowCounts;
use super::report::{PutReport, RegionLoad};
use saltplan_core::key::range::KeyRange;
use saltplan_core::key::salt::SaltDomain;
use saltplan_core::region;
use saltplan_core::schema::model::Schema;

/// The report for the counts of all regions of a table; everything else about the rows is left empty.
pub fn report(schema: &Schema, split_keys: &[Vec<u8>], counts: &RowCounts) -> PutReport {
    let mut salts = salts(schema, split_keys);
    let regions = (0..=split_keys.len()).map(|index| RegionLoad {
        start: index.checked_sub(1).and_then(|before| split_keys.get(before)).cloned().unwrap_or_default(),
        stop: split_keys.get(index).cloned(),
        puts: counts.puts.get(index).copied().unwrap_or(0),
        salts: salts.get_mut(index).map(std::mem::take).unwrap_or_default(),
    });
    PutReport {
        regions: regions.collect(),
        total: counts.total(),
        slices: None,
        key_length: if counts.bytes > 0 { counts.key_length() } else { None },
        duplicates: None,
        reads: None,
        partial: false,
    }
}

/// The salts whose rows can be in each region.
fn salts(schema: &Schema, split_keys: &[Vec<u8>]) -> Vec<Vec<Vec<u8>>> {
    let mut regions = vec![Vec::new(); split_keys.len() + 1];
    let Some(salt) = &schema.key.salt else { return regions };
    let SaltDomain::Listed(salts) = salt.domain(&schema.key.fields) else { return regions };
    for one in salts {
        let range = KeyRange::prefix([one.as_slice(), &salt.separator].concat());
        for index in region::touched(&range.start, range.stop.as_deref(), split_keys) {
            if let Some(region) = regions.get_mut(index) {
                region.push(one.clone());
            }
        }
    }
    regions
}
