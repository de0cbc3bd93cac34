//! An INSERT OVERWRITE of one partition of a schema's target with the rows of others.

use saltplan_core::hive::query::PartitionText;
use saltplan_sql::ast::QueryId;
use saltplan_sql::script::{BlockId, SetKind, TermBody};

use super::partial::{Selection, either, kept};
use super::{MAX_DEPTH, Read};
use crate::report::WhyRefused;

/// For a query that reads a table of the target: the partitions that it selects, if none of them is the one that is replaced.
pub(super) type Elsewhere = Option<Option<String>>;

impl Selection<'_> {
    /// Why the rows of an INSERT are those of other partitions than the one that it replaces, of which `given` has the values of the
    /// columns.
    pub fn other_partition(
        &self,
        arm: Option<(BlockId, usize)>,
        given: &[PartitionText],
    ) -> Option<WhyRefused> {
        let selected = match arm {
            Some((block, arm)) => self.elsewhere_of_block(block, arm, given, 0)?,
            None => self.elsewhere_of_query(self.statement().body?, given, 0)?,
        }?;
        Some(WhyRefused::OtherPartition { given: self.partition_text(given, given), selected })
    }

    fn elsewhere_of_query(&self, id: QueryId, given: &[PartitionText], depth: usize) -> Elsewhere {
        if depth == MAX_DEPTH {
            return None;
        }
        let place = (id, given.to_vec());
        if let Some(known) = self.other_partitions.borrow().get(&place) {
            return known.clone();
        }
        let mut found: Elsewhere = None;
        for term in &self.statement().query(id).terms {
            if term.operator.is_some_and(|operator| operator.kind == SetKind::Except) {
                continue;
            }
            let own = match term.body {
                TermBody::Block(block) => self.elsewhere_of_block(block, 0, given, depth),
                TermBody::Query(query) => self.elsewhere_of_query(query, given, depth + 1),
                TermBody::Other => None,
            };
            // Each arm gives rows.
            found = either(found, own);
        }
        self.other_partitions.borrow_mut().insert(place, found.clone());
        found
    }

    fn elsewhere_of_block(
        &self,
        id: BlockId,
        arm: usize,
        given: &[PartitionText],
        depth: usize,
    ) -> Elsewhere {
        let block = self.statement().block(id);
        if block.unclear.is_some() {
            return None;
        }
        let mut found: Elsewhere = None;
        let is_kept = kept(block);
        for index in (0..block.relations.len()).filter(|index| is_kept[*index]) {
            let own = match self.queries.read(id, index) {
                Read::Query(query) => self.elsewhere_of_query(query, given, depth + 1),
                Read::Table(place) if self.target.places.contains(&place) => {
                    let selected = self.queries.facts.get(place, arm).map(|fact| fact.partitions.as_slice());
                    Some(self.none_is(given, selected.unwrap_or_default()))
                }
                Read::Table(_) | Read::Unknown => None,
            };
            // A row of a join is made of rows of all its tables: it is not known for which of them the partition is meant.
            found = match (found, own) {
                (Some(one), Some(other)) => Some(one.and(other)),
                (one, other) => one.or(other),
            };
        }
        found
    }

    /// The partitions that are selected, if it is known that none of them is the given one.
    fn none_is(&self, given: &[PartitionText], selected: &[Vec<PartitionText>]) -> Option<String> {
        let differs = |partition: &Vec<PartitionText>| {
            given.iter().zip(partition).any(|(given, selected)| match (given, selected) {
                (PartitionText::Known(one), PartitionText::Known(other)) => !is_same(one, other),
                _ => false,
            })
        };
        let first = selected.first()?;
        selected.iter().all(differs).then(|| match selected.len() {
            1 => self.partition_text(first, given),
            more => format!("{} and {} more", self.partition_text(first, given), more - 1),
        })
    }

    /// The columns of a partition that are given, as Hive shows them.
    fn partition_text(&self, values: &[PartitionText], given: &[PartitionText]) -> String {
        let columns = self.target.columns.iter().zip(values).zip(given);
        let known = columns.filter_map(|((column, value), given)| match (value, given) {
            (PartitionText::Known(value), PartitionText::Known(_)) => Some(format!("{column}={value}")),
            _ => None,
        });
        format!("`{}`", known.collect::<Vec<_>>().join("/"))
    }
}

/// Whether two values of a partition column are the same: Hive takes `08` for 8 in a column of numbers.
fn is_same(one: &str, other: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    one == other || number(one).is_some_and(|one| number(other) == Some(one))
}
