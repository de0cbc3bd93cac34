//! Scheduled events, in milliseconds since the table was created.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::settings::HbaseSettings;

/// The period of the balancer in milliseconds (`hbase.balancer.period`).
const BALANCER_PERIOD: u64 = 300_000;
/// The number of points of the growth curves.
pub(super) const SAMPLES: u64 = 240;

/// A scheduled event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    /// Edits that came to this region at this time are now too old to stay in memory, unless they have been
    /// flushed since.
    Flush {
        region: usize,
        came: u64,
    },
    /// The stores are checked for compactions.
    Check,
    Balance,
    /// A point of the growth curves.
    Sample,
}

pub(super) struct Agenda {
    /// The time at which a memstore becomes too old, with its region.
    deadlines: BinaryHeap<Reverse<(u64, usize)>>,
    flush_interval: u64,
    check: u64,
    check_period: u64,
    balance: u64,
    is_unbalanced: bool,
    /// The number of points that were recorded.
    samples: u64,
    end: u64,
}

impl Agenda {
    pub(super) fn new(settings: &HbaseSettings, end: u64) -> Self {
        let check_period = settings.major_check.max(1);
        Agenda {
            deadlines: BinaryHeap::new(),
            flush_interval: settings.flush_interval,
            check: check_period,
            check_period,
            balance: BALANCER_PERIOD,
            is_unbalanced: false,
            samples: 0,
            end,
        }
    }

    /// The oldest edit in a region's memory came at this time.
    pub(super) fn remember(&mut self, region: usize, came: u64) {
        if self.flush_interval > 0 {
            self.deadlines.push(Reverse((came + self.flush_interval, region)));
        }
    }

    /// Servers may have different numbers of regions.
    pub(super) fn unbalance(&mut self) {
        self.is_unbalanced = true;
    }

    /// Takes the next event up to a time, with its time.
    pub(super) fn next(&mut self, to: u64) -> Option<(u64, Due)> {
        let oldest = self.deadlines.peek().copied().map(|Reverse(oldest)| oldest);
        let deadline = oldest.map_or(u64::MAX, |(deadline, _)| deadline);
        let balance = if self.is_unbalanced { self.balance } else { u64::MAX };
        let now = deadline.min(self.sample()).min(balance).min(self.check);
        if now > to {
            return None;
        }
        let due = match oldest {
            Some((deadline, region)) if deadline == now => {
                self.deadlines.pop();
                Due::Flush { region, came: deadline - self.flush_interval }
            }
            _ if now == self.check => {
                self.check += self.check_period;
                Due::Check
            }
            _ if now == balance => {
                self.is_unbalanced = false;
                Due::Balance
            }
            _ => {
                self.samples += 1;
                Due::Sample
            }
        };
        Some((now, due))
    }

    fn sample(&self) -> u64 {
        let count = self.samples + 1;
        if count > SAMPLES || self.end == 0 {
            return u64::MAX;
        }
        (u128::from(self.end) * u128::from(count) / u128::from(SAMPLES)) as u64
    }

    /// All events up to this time are done.
    pub(super) fn pass(&mut self, to: u64) {
        self.balance = self.balance.max(to.next_multiple_of(BALANCER_PERIOD));
    }
}
