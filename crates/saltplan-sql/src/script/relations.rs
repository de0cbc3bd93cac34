//! Reads what follows FROM: relations, their joins, and lateral views.

use std::ops::Range;

use super::Kind;
use super::reader::{MAX_DEPTH, StatementReader};
use super::tree::{
    Block, Fixed, Join, JoinKind, LateralView, QueryPlace, Relation, RelationSource, Unclear, WhyUnclear,
};

impl StatementReader<'_, '_> {
    /// The kind of a join that starts at a token, and the token after its words.
    fn join_at(&self, at: usize) -> Option<(JoinKind, usize)> {
        let t = self.t;
        let outer = at + 1 + usize::from(t.is_word(at + 1, "outer"));
        let (kind, join) = if t.is_sign(at, ",") {
            return Some((JoinKind::Inner, at + 1));
        } else if t.is_word(at, "join") {
            (JoinKind::Inner, at)
        } else if t.is_any(at, &["inner", "cross"]) {
            (JoinKind::Inner, at + 1)
        } else if t.is_word(at, "left") && t.is_word(at + 1, "semi") {
            (JoinKind::Semi, at + 2)
        } else if t.is_word(at, "left") && t.is_word(at + 1, "anti") {
            (JoinKind::Anti, at + 2)
        } else if t.is_word(at, "left") {
            (JoinKind::Left, outer)
        } else if t.is_word(at, "right") {
            (JoinKind::Right, outer)
        } else if t.is_word(at, "full") {
            (JoinKind::Full, outer)
        } else {
            return None;
        };
        t.is_word(join, "join").then_some((kind, join + 1))
    }

    /// Relations and their joins, up to anything else, and the token after them.
    pub(super) fn sources(&mut self, start: usize, end: usize, block: &mut Block) -> usize {
        if self.depth == MAX_DEPTH {
            block.unclear.get_or_insert(Unclear { token: start, why: WhyUnclear::TooDeep });
            return end;
        }
        self.depth += 1;
        let first = block.relations.len();
        let mut at = self.source(start, end, block);
        while at < end {
            let Some((kind, behind)) = self.join_at(at) else { break };
            let middle = block.relations.len();
            at = self.source(behind, end, block);
            let (mut on, mut using) = (None, Vec::new());
            if self.t.is_word(at, "on") {
                let condition = at + 1..self.end_of_condition(at + 1, end);
                at = condition.end;
                block.subqueries.extend(self.nested(condition.clone(), block.query));
                on = Some(self.condition(condition));
            } else if self.t.is_word(at, "using") {
                let names = self.t.inside(at + 1).unwrap_or(0..0);
                using = names.filter(|at| self.t.is_name(*at)).map(|at| self.name(at)).collect();
                at = self.t.after(at + 1);
            }
            block.joins.push(Join { kind, first, middle, end: block.relations.len(), on, using });
            at = self.lateral_views(at, end, block);
        }
        self.depth -= 1;
        at.min(end)
    }

    fn end_of_condition(&self, start: usize, end: usize) -> usize {
        let t = self.t;
        t.until(start..end, |at| {
            self.join_at(at).is_some()
                || self.clause(at).is_some()
                || t.is_any(at, &["on", "select"])
                || t.is_any(at, &["map", "reduce"]) && !t.is_sign(at + 1, "(")
        })
    }

    fn lateral_views(&mut self, at: usize, end: usize, block: &mut Block) -> usize {
        let mut at = at;
        while at < end && self.t.is_word(at, "lateral") {
            match self.lateral_view(at, block) {
                Some(behind) => at = behind,
                None => return end,
            }
        }
        at
    }

    /// Reads `LATERAL VIEW [OUTER] f(…) alias [AS a, b]`; returns the token behind it.
    pub(super) fn lateral_view(&mut self, at: usize, block: &mut Block) -> Option<usize> {
        let t = self.t;
        if !t.is_word(at + 1, "view") {
            self.note(block, at);
            return None;
        }
        let mut at = at + 2;
        let is_outer = t.is_word(at, "outer");
        at += usize::from(is_outer);
        let start = at;
        while t.is_name(at) && !t.is_sign(at + 1, "(") && t.is_sign(at + 1, ".") {
            at += 2;
        }
        let arguments = t.is_name(at).then(|| t.inside(at + 1)).flatten();
        let Some(arguments) = arguments else {
            self.note(block, at);
            return None;
        };
        block.subqueries.extend(self.nested(arguments.clone(), block.query));
        at = arguments.end + 1;
        let function = self.value(start..at);
        let mut view = LateralView { is_outer, alias: None, columns: Vec::new(), function };
        if self.is_alias(at) {
            view.alias = Some(t.name(at));
            at += 1;
        }
        if t.is_word(at, "as") {
            at += 1;
            loop {
                if let Some(inside) = t.inside(at) {
                    let names = inside.clone().filter(|at| t.is_name(*at));
                    view.columns.extend(names.map(|at| self.name(at)));
                    at = inside.end + 1;
                } else if t.is_name(at) {
                    view.columns.push(self.name(at));
                    at += 1;
                }
                if !(t.is_sign(at, ",") && t.is_name(at + 1) && !t.is_sign(at + 2, ".")) {
                    break;
                }
                at += 1;
            }
        }
        block.lateral_views.push(view);
        Some(at)
    }

    /// A relation, or relations in parentheses, with the lateral views after it.
    fn source(&mut self, start: usize, end: usize, block: &mut Block) -> usize {
        let t = self.t;
        if start >= end {
            self.note(block, end);
            return end;
        }
        let at = match t.inside(start) {
            Some(inside) if !self.holds_query(start) && !t.is_word(inside.start, "values") => {
                let behind = self.sources(inside.start, inside.end, block);
                if behind != inside.end || self.is_alias(inside.end + 1) && inside.end + 1 < end {
                    self.note(block, behind);
                }
                inside.end + 1
            }
            Some(inside) => {
                let query = self.query(inside.clone(), block.query, QueryPlace::Relation);
                self.surroundings.queries.insert(start, (query, inside.end));
                let relation = Relation { source: RelationSource::Query(query), alias: None, fixed: None };
                self.named(inside.end + 1, end, relation, block)
            }
            None => self.table(start, end, block),
        };
        self.lateral_views(at, end, block)
    }

    fn table(&mut self, start: usize, end: usize, block: &mut Block) -> usize {
        let t = self.t;
        let mut parts: Vec<Range<usize>> = Vec::new();
        let mut fixed = None;
        let mut at = start;
        loop {
            let is_part = t.is_name(at) && (at != start || self.begins_name(at));
            let is_variable = t.kind(at) == Some(Kind::Variable);
            if at >= end || !(is_part || is_variable) {
                self.note(block, at.min(end));
                break;
            }
            let first = at;
            at = self.behind_name(at);
            parts.push(first..at);
            if !t.is_sign(at, ".") {
                break;
            }
            at += 1;
        }
        // The database may be filled in later, but not the table.
        if parts.last().is_some_and(|part| self.has_variable(part)) {
            parts.clear();
        }
        if let Some(inside) = t.inside(at) {
            // A table function whose input has no parentheses of its own, or the properties of a table.
            fixed = Some(Fixed::Parentheses);
            block.subqueries.extend(self.nested(inside.clone(), block.query));
            at = inside.end + 1;
            if let Some(on) = t.outside(inside).find(|on| t.is_word(*on, "on") && t.is_name(on + 1)) {
                let is_long = t.is_sign(on + 2, ".") && t.is_name(on + 3);
                let first = on + 1..on + 2;
                let input = if is_long { vec![first, on + 3..on + 4] } else { vec![first] };
                block.relations.push(Relation {
                    source: self.named_table(&input),
                    alias: None,
                    fixed: Some(Fixed::TableFunction),
                });
                parts.clear();
            }
        }
        let relation = Relation { source: self.named_table(&parts), alias: None, fixed };
        self.named(at, end, relation, block)
    }

    /// The table with these tokens as the parts of its name.
    fn named_table(&self, parts: &[Range<usize>]) -> RelationSource {
        match parts {
            [] => RelationSource::Unknown,
            [first, ..] => RelationSource::Table {
                name: parts.iter().map(|part| self.name_of(part)).collect(),
                tokens: first.start..parts[parts.len() - 1].end,
            },
        }
    }

    /// A relation with what follows it: a sample, an alias, column names.
    fn named(&mut self, at: usize, end: usize, mut relation: Relation, block: &mut Block) -> usize {
        let t = self.t;
        let mut at = at;
        while at < end {
            if t.is_word(at, "tablesample") && t.is_sign(at + 1, "(") {
                relation.fixed = Some(Fixed::Sample);
                at = t.after(at + 1);
            } else if t.is_word(at, "partition") && t.is_sign(at + 1, "(") {
                relation.fixed = Some(Fixed::Partition);
                at = t.after(at + 1);
            } else if t.is_word(at, "for") {
                relation.fixed = Some(Fixed::Version);
                at = self.behind_version(at, end);
            } else if relation.alias.is_none() && t.is_word(at, "as") && t.is_name(at + 1) {
                relation.alias = Some(self.name(at + 1));
                at += 2;
            } else if relation.alias.is_none() && self.is_alias(at) {
                relation.alias = Some(self.name(at));
                at += 1;
            } else if relation.alias.is_some() && t.is_sign(at, "(") {
                relation.fixed = Some(Fixed::ColumnNames);
                at = t.after(at);
            } else {
                break;
            }
        }
        block.relations.push(relation);
        at.min(end)
    }

    /// The token behind `FOR SYSTEM_TIME AS OF …`.
    fn behind_version(&self, start: usize, end: usize) -> usize {
        let t = self.t;
        let mut at = start;
        while at < end && self.join_at(at).is_none() && self.clause(at).is_none() && !t.is_word(at, "as") {
            at = t.after(at);
            if t.is_word(at, "as") && t.is_word(at + 1, "of") {
                at += 2;
            }
        }
        at
    }
}
