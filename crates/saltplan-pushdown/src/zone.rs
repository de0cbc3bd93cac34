//! Time zones: the filter is evaluated in the Java machine of a task, folded in that of the server, and planned with the schema's zone
//! and the tables of this program.

use saltplan_core::analyze::bind::{Bound, BoundNode, ColumnPlace, Operator};
use saltplan_core::key::field::FieldKind;
use saltplan_core::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, Literal};
use saltplan_sql::time::zone::Zone;

use crate::request::Zones;
use crate::tree::any;

/// The seconds of 1900-01-01 and 2100-01-01: Java's older classes know no clock change before, and what clocks will do later is not known.
const SPAN: (i64, i64) = (-2_208_988_800, 4_102_444_800);

/// Whether session, Java machine and schema have one zone with the same clock changes, so that functions that depend on it are read.
pub fn is_one(zones: &Zones, schema: Option<Zone>) -> bool {
    schema.is_some_and(|zone| {
        zones.session == zone.name() && zones.jvm == zone.name() && has_transitions(zone, zones)
    })
}

/// Lets conditions with a function that depends on the zone hold for every instant outside of the span.
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
        Bound::Call(call) => call.function.is_some_and(|function| function.depends_on_zone),
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

    fn is_berlin(zones: &Zones) -> bool {
        is_one(zones, "Europe/Berlin".parse().ok())
    }

    #[test]
    fn zones_with_the_same_clocks_are_one() {
        let berlin: Zone = "Europe/Berlin".parse().unwrap();
        let mut own = vec![(SPAN.0, berlin.offset_at(SPAN.0))];
        own.extend(berlin.changes(SPAN.0, SPAN.1).into_iter().map(|change| (change.at, change.offset)));
        assert!(is_berlin(&zones("Europe/Berlin", own.clone())));
        assert!(!is_berlin(&zones("Europe/Paris", own.clone())));
        assert!(!is_berlin(&Zones { session: "UTC".into(), ..zones("Europe/Berlin", own.clone()) }));
        assert!(!is_berlin(&Zones { jvm: "UTC".into(), ..zones("Europe/Berlin", own.clone()) }));
        assert!(!is_one(&zones("Europe/Berlin", own.clone()), None));
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
}
