//! Time zones. A function computes in the zone that its record in the catalogue says for this Hive: that of the Java machine, which is
//! that of a task, UTC, or that of the session. What the server knows of the tasks' zone is in the request.

use saltplan_core::analyze::bind::{Bound, BoundCall, BoundNode, ColumnPlace, Operator};
use saltplan_core::analyze::constant::Constant;
use saltplan_core::key::field::FieldKind;
use saltplan_core::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, Literal};
use saltplan_sql::functions::{FROM_UNIXTIME, Function, FunctionZone, Operation};
use saltplan_sql::time::zone::Zone;
use saltplan_sql::version::HiveVersion;

use crate::request::Zones;
use crate::tree::any;

/// The seconds of 1900-01-01 and 2100-01-01: Java's older classes know no clock change before, and what clocks will do later is not known.
const SPAN: (i64, i64) = (-2_208_988_800, 4_102_444_800);

const DAY: i64 = 86_400;

/// What is known of the time zones in which a Hive evaluates a filter.
#[derive(Debug, Clone)]
pub struct Clocks {
    version: HiveVersion,
    /// The zone that session functions use in the tasks. Known only if the session has the server's zone, and the server's clock changes
    /// are those of our tables.
    tasks: Option<Zone>,
    /// Whether no zone that is named skips a day, as Samoa did in 2011.
    keeps_days: bool,
}

impl Clocks {
    pub fn new(version: HiveVersion, zones: &Zones) -> Self {
        let server = zones.jvm.parse().ok().filter(|zone| has_transitions(*zone, zones));
        let tasks = server.filter(|zone| zones.session == zone.name());
        let session = match zones.session.as_str() {
            "" => server,
            name => name.parse().ok(),
        };
        let keeps_days = [server, session].into_iter().all(|zone| zone.is_some_and(keeps_days));
        Clocks { version, tasks, keeps_days }
    }

    /// The zone in which this Hive makes local times of instants, and instants of local times; `None` if it is not surely known.
    pub fn of_instants(&self) -> Option<Zone> {
        self.known(FROM_UNIXTIME.zone(self.version))
    }

    fn known(&self, zone: FunctionZone) -> Option<Zone> {
        match zone {
            FunctionZone::None => None,
            FunctionZone::Utc => Some(Zone::utc()),
            FunctionZone::Process | FunctionZone::Session => self.tasks,
        }
    }

    /// Whether DATEs are days that the planner knows. In Hive 2 they are instants of the Java machine's zone, and a day that it skips is
    /// the next one.
    pub fn has_dates(&self) -> bool {
        self.version != HiveVersion::Hive2 || self.keeps_days
    }

    /// Whether a call has the value that the planner computes, as far as zones matter.
    pub fn reads(&self, call: &BoundCall) -> bool {
        let Some(function) = call.function else { return false };
        let zone = function.zone(self.version);
        if function.is_of_instants() {
            return self.known(zone).is_some_and(|zone| Some(zone) == self.of_instants());
        }
        let takes_time = (0..call.arguments.len()).any(|index| function.takes_time(index));
        if takes_time && !self.has_dates() {
            return false;
        }
        if !zone.differs() {
            return true;
        }
        // A local time that the zone skips is moved forward.
        if call.operation() == Operation::Print && call.arguments.get(1).is_some_and(is_of_days) {
            return self.keeps_days;
        }
        self.tasks.is_some_and(|zone| zone.changes(i64::MIN, i64::MAX).is_empty())
    }
}

/// Whether a pattern prints nothing that is shorter than a day.
fn is_of_days(pattern: &BoundNode) -> bool {
    let Some(Constant::Text(pattern)) = pattern.folded() else { return false };
    pattern.chars().all(|c| !c.is_alphabetic() || matches!(c, 'y' | 'M' | 'd'))
}

/// Whether a local time that the zone skips, and that moves forward by the length of the gap, stays on its day.
fn keeps_days(zone: Zone) -> bool {
    let mut before = i64::from(zone.offset_at(i64::MIN));
    zone.changes(i64::MIN, i64::MAX).into_iter().all(|change| {
        let after = i64::from(change.offset);
        let (first, end) = (change.at + before, change.at + after);
        let last = end + (end - first) - 1;
        before = after;
        end <= first || first.div_euclid(DAY) == last.div_euclid(DAY)
    })
}

/// Lets conditions with a function of instants hold for every instant outside of the span.
pub fn within_span(schema: &Schema, mut node: BoundNode) -> BoundNode {
    let is_join = matches!(
        node.what,
        Bound::Operation {
            operator: Operator::And | Operator::Or | Operator::Not | Operator::Is { value: Some(_), .. },
            ..
        }
    );
    if is_join {
        node.for_each_part_mut(&mut |part| {
            let own = std::mem::replace(part, any());
            *part = within_span(schema, own);
        });
        return node;
    }
    let depends = |part: &BoundNode| match &part.what {
        Bound::Call(call) => call.function.is_some_and(Function::is_of_instants),
        _ => false,
    };
    if !node.has(&depends) {
        return node;
    }
    let mut fields: Vec<BoundNode> = Vec::new();
    node.walk(&mut |part| {
        if part.column().is_some() && !fields.iter().any(|known| known.column() == part.column()) {
            fields.push(part.clone());
        }
    });
    let field = match fields.as_slice() {
        [] => return node,
        [field] => field,
        _ => return any(),
    };
    let Some(ColumnPlace::Field(id)) = field.column().map(|column| column.place) else { return any() };
    let FieldKind::Epoch(epoch) = &schema.key.fields[id].kind else { return any() };
    let bound = |op, second: i64| {
        let number = (second * 1_000 / epoch.unit.milliseconds()).to_string();
        BoundNode::condition(
            Operator::Binary(op),
            vec![field.clone(), BoundNode::literal(Literal::Number(number))],
        )
    };
    let inside = [bound(BinaryOperator::GtEq, SPAN.0), bound(BinaryOperator::Lt, SPAN.1)];
    let outside = [bound(BinaryOperator::Lt, SPAN.0), bound(BinaryOperator::GtEq, SPAN.1)];
    let all = |operands| BoundNode::condition(Operator::And, operands);
    let one = |operands| BoundNode::condition(Operator::Or, operands);
    // Under NOT, too, it may be true or false outside.
    one(vec![all(std::iter::once(node).chain(inside).collect()), all(vec![any(), one(outside.into())])])
}

/// Whether the offsets of the Java machine are those of our tables within the span.
fn has_transitions(zone: Zone, zones: &Zones) -> bool {
    let (from, to) = SPAN;
    let mut own = vec![(from, zone.offset_at(from))];
    own.extend(zone.changes(from, to).into_iter().map(|change| (change.at, change.offset)));
    let Some((first, _)) = zones.transitions.first() else { return false };
    if *first > from || zones.transitions.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
        return false;
    }
    // What changes the name of the zone only is no change.
    let mut sent: Vec<(i64, i32)> = Vec::new();
    for (at, offset) in zones.transitions.iter().filter(|(at, _)| *at < to) {
        match sent.last_mut() {
            Some(last) if *at <= from => *last = (from, *offset),
            Some((_, before)) if before == offset => {}
            _ => sent.push(((*at).max(from), *offset)),
        }
    }
    own.retain(|(at, _)| *at < to);
    sent == own
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zones(name: &str, transitions: Vec<(i64, i32)>) -> Zones {
        Zones { session: name.into(), jvm: name.into(), transitions }
    }

    /// Whether Hive 4 computes in Berlin.
    fn is_berlin(zones: &Zones) -> bool {
        let zone = Clocks::new(HiveVersion::Hive4, zones).of_instants();
        zone.is_some_and(|zone| zone.name() == "Europe/Berlin")
    }

    fn transitions(zone: Zone) -> Vec<(i64, i32)> {
        let mut own = vec![(SPAN.0, zone.offset_at(SPAN.0))];
        own.extend(zone.changes(SPAN.0, SPAN.1).into_iter().map(|change| (change.at, change.offset)));
        own
    }

    #[test]
    fn zones_with_the_same_clocks_are_one() {
        let own = transitions("Europe/Berlin".parse().unwrap());
        assert!(is_berlin(&zones("Europe/Berlin", own.clone())));
        assert!(!is_berlin(&zones("Europe/Paris", own.clone())));
        assert!(!is_berlin(&Zones { session: "UTC".into(), ..zones("Europe/Berlin", own.clone()) }));
        assert!(!is_berlin(&Zones { jvm: "UTC".into(), ..zones("Europe/Berlin", own.clone()) }));
        // The zone of the tasks is not known.
        assert!(!is_berlin(&Zones { session: String::new(), ..zones("Europe/Berlin", own.clone()) }));
        // Another history, a future that is missing, no list at all, and one in no order.
        for fault in 0..4 {
            let mut sent = own.clone();
            match fault {
                0 => sent[7].0 += 3_600,
                1 => sent.truncate(40),
                2 => sent.clear(),
                _ => sent.swap(3, 4),
            }
            assert!(!is_berlin(&zones("Europe/Berlin", sent)), "{fault}");
        }
        // Earlier entries than needed, and one that changes nothing.
        let mut sent = own;
        sent.insert(0, (SPAN.0 - 10, 0));
        sent.insert(3, (sent[2].0 + 1, sent[2].1));
        assert!(is_berlin(&zones("Europe/Berlin", sent)));
    }

    #[test]
    fn each_hive_computes_in_its_own_zone() {
        let tokyo: Zone = "Asia/Tokyo".parse().unwrap();
        let sent = zones("Asia/Tokyo", transitions(tokyo));
        for (version, zone) in [
            (HiveVersion::Hive2, Some(tokyo)),
            (HiveVersion::Hive3, Some(Zone::utc())),
            (HiveVersion::Hive4, Some(tokyo)),
        ] {
            assert_eq!(Clocks::new(version, &sent).of_instants(), zone);
            let unknown = Clocks::new(version, &Zones::default()).of_instants();
            assert_eq!(unknown, zone.filter(|_| version == HiveVersion::Hive3));
        }
    }

    #[test]
    fn some_zones_skip_days() {
        let skipping: Vec<&str> = Zone::all().filter(|zone| !keeps_days(*zone)).map(Zone::name).collect();
        // In Berlin 23:00 became midnight in 1916, so a later time of that hour is one of the next day.
        for name in ["Pacific/Apia", "Pacific/Kwajalein", "Pacific/Fakaofo", "Europe/Berlin"] {
            assert!(skipping.contains(&name), "{name}");
        }
        for name in ["UTC", "Asia/Shanghai", "America/New_York", "America/Sao_Paulo"] {
            assert!(!skipping.contains(&name), "{name}");
        }
    }
}
